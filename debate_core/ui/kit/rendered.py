"""Documents on a screen: headings, lists and quotes as Markdown, with all texts escaped."""

from collections.abc import Iterator
from typing import assert_never

import streamlit as st

from debate_core.report.files.document import (
    Block,
    Code,
    Document,
    Drawing,
    FrontData,
    Heading,
    Inline,
    Items,
    LabelledLines,
    Paragraph,
    Quote,
    Span,
    Speech,
    Strong,
    Table,
    Verbatim,
    code,
)
from debate_core.text import capitalized
from debate_core.ui.kit.text import safe_line, safe_text

_DEEPEST = 6
_BELOW = 3
"""Levels of headings that the page itself uses."""


def document(shown: Document) -> None:
    """Draw the document, with its front matter in small print."""
    front = []
    for key, value in shown.front.items():
        # The text below says in words what the structured values say to programs.
        if value and not isinstance(value, FrontData):
            text = ", ".join(value) if isinstance(value, tuple) else str(value)
            front.append(f"{safe_line(capitalized(key))}: {safe_line(text)}")
    if front:
        st.caption("  \n".join(front))
    st.markdown("\n\n".join(part for block in shown.blocks for part in _markdown(block)))


def _markdown(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, text, number):
            numbered = "" if number is None else f"{number}\\. "
            yield f"{'#' * min(level + _BELOW, _DEEPEST)} {numbered}{_line(text)}"
        case Paragraph(text):
            yield _line(text)
        case Items(listed):
            yield "\n".join(f"- {_line(text)}" for text in listed)
        case LabelledLines(fields):
            yield "\n".join(f"- **{label}:** {safe_line(' '.join(lines))}" for label, lines in fields)
        case Quote(text):
            yield _quoted(text)
        case Speech(_, speaker, remark, text, notes):
            yield f"**{safe_line(speaker)}** {safe_line(remark)}"
            yield _quoted(text)
            yield "\n".join(f"- {safe_line(note)}" for note in notes)
        case Table(head, rows):
            yield "\n".join("- " + " · ".join(map(safe_line, row)) for row in (head, *rows))
        case Verbatim(text):
            yield safe_text(text)
        case Drawing(words):
            yield safe_line(words)
        case _:
            assert_never(block)


def _quoted(text: str) -> str:
    return "\n".join(f"> {part}" for part in safe_text(text).split("\n"))


def _line(text: Inline) -> str:
    spans = text if isinstance(text, tuple) else (text,)
    return "".join(map(_span, spans)).strip()


def _span(span: Span) -> str:
    match span:
        case Strong(text):
            return f"**{safe_line(text)}**"
        case Code(text):
            return code(text)
        case str(text):
            before = " " * text[:1].isspace()
            after = " " * text[-1:].isspace()
            return f"{before}{safe_line(text)}{after}"
        case _:
            return safe_line(span.text)
