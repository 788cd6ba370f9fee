"""What somebody changed in a directive that was proposed: field by field, word by word.

What was taken out is struck through, what was put in is bold: colour is never the only sign. Called by the forms.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher

import streamlit as st

from debate_core.spec.contents import Directive
from debate_core.ui.drafts import Draft
from debate_core.ui.parts import show_line


def against(proposed: Directive, draft: Draft) -> None:
    """The copy beside the proposal; says so where nothing was changed."""
    changed = [f"**{name}:** {word_diff(old, new)}" for name, old, new in _fields(proposed, draft) if old != new]
    with st.container(border=True, key=f"{draft.name}:diff"):
        if not changed:
            st.caption("Your copy says the same as the proposal.")
            return
        st.caption("Your copy against the proposal: ~~taken out~~, **put in**")
        st.markdown("  \n".join(changed))


def _fields(proposed: Directive, draft: Draft) -> Iterator[tuple[str, str, str]]:
    done = {True: "yes", False: "no"}
    yield "Speakers", ", ".join(proposed.next_speakers), ", ".join(draft.choices("next_speakers"))
    yield "What all should know", proposed.briefing.strip(), draft.text("briefing")
    yield "New angle", proposed.new_angle.strip(), draft.text("new_angle")
    yield "Last round", done[proposed.done], done[bool(draft.get("done"))]


def word_diff(old: str, new: str) -> str:
    """Markdown: words of both, those that differ marked."""
    a, b = old.split(), new.split()
    parts = []
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(show_line(" ".join(a[i:j])))
            continue
        parts += [f":red[~~{show_line(' '.join(a[i:j]))}~~]"] if j > i else []
        parts += [f":green[**{show_line(' '.join(b[k:m]))}**]"] if m > k else []
    return " ".join(parts)


def empty(draft: Draft) -> None:
    """Start from nothing instead of from the proposal."""
    draft.fill({"next_speakers": [], "briefing": "", "new_angle": "", "done": 0})
