"""Notes beside the fields of set-up that a document filled: their source, the omitted parts, and the way back."""

from collections.abc import Iterator

import streamlit as st

from debate_core.language import Words, _, _n
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup import taken
from debate_core.ui.setup.draft import SetupDraft, TakenDraft
from debate_core.ui.setup.draft_store import current, keep

QUESTION_FILLED = "setup_question_filled"
"""Session key: the number of times that code has filled the question."""
_PLACES = Words(
    {
        "its title": "its title",
        "its headings": "its headings",
        "its paragraphs": "its paragraphs",
        "its decision": "its decision",
        "one sentence": "one sentence",
        "the name of its file": "the name of its file",
    }
)
_FIELDS = Words({"question": "question", "options": "options", "drivers": "drivers"})
_NOT_FOUND = Words(
    {
        "question": "**{file}** asks no question and has no title: write what has to be decided.",
        "options": "**{file}** does not name two options: write them here. They are read below headings such as "
        "*Considered Options* or *Alternatives*, in English, German, Spanish, French, Portuguese, Italian and Dutch.",
        "drivers": "**{file}** names no decision drivers below a heading such as *Decision Drivers* or *Criteria*.",
    }
)


def draw_note(draft: SetupDraft, what: str) -> None:
    """Draw the note of one field: its source with a button that takes it back, or that the document has none."""
    note = taken.to_review(draft, what)
    if note is None:
        return
    file = safe_line(note.file, max_chars=60)
    if not note.values:
        st.caption(f":material/info: {_not_found(note, file)}")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/draft: {' '.join(_sentences(note, file))}", width="content")
        undo = _("Undo: {what}", what=_FIELDS[note.what])
        st.button(
            undo, key=f"setup_untake_{what}", type="tertiary", icon=":material/undo:", on_click=_undo, args=(what,)
        )


def _not_found(note: TakenDraft, file: str) -> str:
    if not note.decisions:
        return _NOT_FOUND[note.what].format(file=file)
    return _(
        "**{file}** holds {n} decisions: {names}. No options were taken: add a file with one of them, or write its "
        "options here.",
        file=file,
        n=len(note.decisions),
        names=", ".join(f"“{safe_line(name, max_chars=60)}”" for name in note.decisions),
    )


def _sentences(note: TakenDraft, file: str) -> Iterator[str]:
    place = _PLACES[note.heading] if note.heading in _PLACES else safe_line(note.heading, max_chars=60)
    if note.what == "drivers":
        yield _n(
            len(note.values),
            "{n} driver taken from **{file}** ({heading}): review them under Adjust.",
            "{n} drivers taken from **{file}** ({heading}): review them under Adjust.",
            file=file,
            heading=place,
        )
    else:
        yield _("Taken from **{file}** ({heading}): review.", file=file, heading=place)
    if note.proposal_from:
        yield _(
            "The first option is its proposal ({place}): the others are the alternatives to it.",
            place=_PLACES[note.proposal_from],
        )
    if note.what == "question" and not note.values[0].endswith("?"):
        yield _("Is this the question? Decisions are easier to vote on as “Should we ...?”")
    if note.n_left:
        yield _("It names {n_left} more than fit here.", n_left=note.n_left)
    if note.n_shortened:
        yield _n(
            note.n_shortened,
            "{n} is shortened: its explanation is left out.",
            "{n} are shortened: their explanations are left out.",
        )
    if note.n_marks:
        yield _("Marks of an earlier choice, such as “(rejected)”, are left out.")


def _undo(what: str) -> None:
    keep(taken.without_taken(current(), what))
    if what == "question":
        st.session_state[QUESTION_FILLED] = st.session_state.get(QUESTION_FILLED, 0) + 1
