"""Escaping of texts by seats, documents and people for the screen. Every such text passes through this module."""

import re

import streamlit as st

from debate_core.language import _
from debate_core.spec.values import in_words
from debate_core.text import plain

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$^=&:\"'])")
_LINKS = re.compile(r"(?<=:)(?=[A-Za-z/+])|(?<=@)(?=\w)|(?<=www)(?=\.)", re.IGNORECASE)
"""Places where an address would become a link: `http:|//`, `me@|host`, `www|.host`."""
_BREAK = "\u200b"
_IN_LABEL = re.compile(r"[\\`*\[\]<$~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])")
"""Inline Markdown: `*bold*`, `_so_` but not `a_b`, `&amp;`."""
_CODES = re.compile(r"(?<=:)(?=[^\s\u200b])")
"""The position after the colon in `:material/add:` or `:red[`."""
_LABEL_START = re.compile(r"^(?=[#>+=-]|\d+[.)])")
"""The position before `# `, `- ` or `1. ` at the beginning."""


def safe_text(text: str) -> str:
    """Escape text as Markdown that shows exactly this text: no formula, HTML, link, image, emoji code or heading.

    Zero-width spaces keep addresses from becoming links; escapes alone do not.
    """
    safe = _MARKDOWN.sub(r"\\\1", _LINKS.sub(_BREAK, plain(text)))
    lines = (re.sub(r"^[ \t]+|^(?=\d+\\[.)])", _BREAK, line) for line in safe.split("\n"))
    return "  \n".join(lines).replace("  \n  \n", "\n\n")


def safe_line(text: str, *, max_chars: int = 0) -> str:
    """Escape text on one line, shortened to `max_chars`; 0 = unlimited."""
    return safe_text(_flat(text, max_chars))


def safe_label(text: str, *, max_chars: int = 0) -> str:
    """Escape the label of a field with as few escapes as possible, because screen readers read them aloud."""
    flat = _LINKS.sub(_BREAK, plain(_flat(text, max_chars)))
    return _LABEL_START.sub(_BREAK, _CODES.sub(_BREAK, _IN_LABEL.sub(r"\\\g<0>", flat)))


def _flat(text: str, max_chars: int) -> str:
    flat = " ".join(text.split())
    if not max_chars or len(flat) <= max_chars:
        return flat
    return flat[: max_chars - 1].rstrip() + "…"


def after_colon(text: str) -> str:
    """Return a reason as `: too early`, or an empty text."""
    return f": {safe_line(text)}" if text.strip() else ""


def safe_id(name: str) -> str:
    """Return the id of a seat or phase in words, escaped."""
    return safe_line(in_words(name))


TITLE_CHARS = 140


def question_title(question: str) -> None:
    """Draw the question as the title of a page, shortened so that the next button stays in sight."""
    st.title(safe_line(question, max_chars=TITLE_CHARS), anchor=False)
    if len(" ".join(question.split())) > TITLE_CHARS:
        with st.expander(_("The whole question"), key="whole-question"):
            st.markdown(safe_text(question))
