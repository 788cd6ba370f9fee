"""Words of seats, documents and people on their way to the screen: `safe_text` and its kin are the one door."""

import re

import streamlit as st

from debate_core.language import _
from debate_core.spec.values import in_words
from debate_core.text import plain

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$^=&:\"'])")
_LINKS = re.compile(r"(?<=:)(?=[A-Za-z/+])|(?<=@)(?=\w)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where an address would become a link: `http:|//`, `me@|host`, `www|.host`."""
_BREAK = "\u200b"
_IN_LABEL = re.compile(r"[\\`*\[\]<$~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])")
"""What Markdown would read in one line: `*bold*`, `_so_` but not `a_b`, `&amp;`."""
_CODES = re.compile(r"(?<=:)(?=[^\s\u200b])")
"""Within `:material/add:` or `:red[`, after the colon."""
_LABEL_START = re.compile(r"^(?=[#>+=-]|\d+[.)])")
"""Before `# `, `- ` or `1. ` at the beginning."""


def safe_text(text: str) -> str:
    """Text as Markdown that shows exactly this text: no formula, HTML, link, image, emoji code or heading.

    Zero-width breaks keep addresses from turning into links, which escapes alone do not prevent.
    """
    safe = _MARKDOWN.sub(r"\\\1", _LINKS.sub(_BREAK, plain(text)))
    lines = (re.sub(r"^[ \t]+|^(?=\d+\\[.)])", _BREAK, line) for line in safe.split("\n"))
    return "  \n".join(lines).replace("  \n  \n", "\n\n")


def safe_line(text: str, *, max_chars: int = 0) -> str:
    """The same on one line, for captions and table-like rows; 0 = whole."""
    return safe_text(_flat(text, max_chars))


def safe_label(text: str, *, max_chars: int = 0) -> str:
    """The same for the label of a field, which screen readers get as it is written: no escape that is not needed."""
    flat = _LINKS.sub(_BREAK, plain(_flat(text, max_chars)))
    return _LABEL_START.sub(_BREAK, _CODES.sub(_BREAK, _IN_LABEL.sub(r"\\\g<0>", flat)))


def _flat(text: str, max_chars: int) -> str:
    flat = " ".join(text.split())
    if not max_chars or len(flat) <= max_chars:
        return flat
    return flat[: max_chars - 1].rstrip() + "…"


def after_colon(text: str) -> str:
    """`: too early`, to follow what it is the reason of; empty where there is no text."""
    return f": {safe_line(text)}" if text.strip() else ""


def safe_id(name: str) -> str:
    """The id of a seat or the name of a phase, in words."""
    return safe_line(in_words(name))


TITLE_CHARS = 140


def question_title(question: str) -> None:
    """The question as the title of a page. A long one only begins there: what is to be done must not lie below it."""
    st.title(safe_line(question, max_chars=TITLE_CHARS), anchor=False)
    if len(" ".join(question.split())) > TITLE_CHARS:
        with st.expander(_("The whole question"), key="whole-question"):
            st.markdown(safe_text(question))
