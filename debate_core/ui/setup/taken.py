"""Values for set-up found in an uploaded document (question, options, drivers), and the notes beside their fields.

Never replaces text that a person has written. Each field can be undone separately.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

import streamlit as st

from debate_core.documents.decision import DecisionDocument, Taken
from debate_core.language import Words, _, _n, quoted
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import DriverDraft, OptionDraft, SetupDraft, TakenDraft, evenly_weighted
from debate_core.ui.setup.draft_store import current, keep

QUESTION_FILLED = "setup_question_filled"
"""Session key: the number of times that code has filled the question."""
LEAST_OPTIONS = 3
"""Number of option fields at the start."""
_PLACES = Words(
    {
        "its title": "its title",
        "its headings": "its headings",
        "its paragraphs": "its paragraphs",
        "its decision": "its decision",
        "its front matter": "its front matter",
        "one sentence": "one sentence",
        "its first line": "its first line",
        "the name of its file": "the name of its file",
    }
)
_FIELDS = Words({"question": "question", "options": "options", "drivers": "drivers"})
_NOT_FOUND = Words(
    {
        "question": "**{file}** asks no question and has no title: write what needs to be decided.",
        "options": "**{file}** does not name two options: write them here. They are read below headings such as "
        "*Considered Options* or *Alternatives*, in English, German, Spanish, French, Portuguese, Italian and Dutch.",
        "drivers": "**{file}** names no decision drivers below a heading such as *Decision Drivers* or *Criteria*.",
    }
)


def with_taken(draft: SetupDraft, file: str, found: DecisionDocument) -> SetupDraft:
    """Return the draft with the values of this file in every empty field, and notes on values found or missing."""
    offered: Mapping[str, Taken] = {"question": found.question, "options": found.options, "drivers": found.drivers}
    for what, taken in offered.items():
        if _values(draft, what):
            continue
        decisions = found.decisions if what == "options" else ()
        note = TakenDraft.model_validate({"what": what, "file": file, "decisions": decisions, **asdict(taken)})
        others = tuple(t for t in draft.taken if t.what != what)
        draft = _with_values(draft, what, taken.values).replace(taken=(*others, note))
    return draft


def to_review(draft: SetupDraft, what: str) -> TakenDraft | None:
    """Return the note beside a field, as long as it contains a value from the document or is still empty."""
    note = next((t for t in draft.taken if t.what == what), None)
    if note is None:
        return None
    values = _values(draft, what)
    is_current = bool(set(values) & set(note.values)) if note.values else not values
    return note if is_current else None


def _values(draft: SetupDraft, what: str) -> tuple[str, ...]:
    match what:
        case "question":
            return tuple(filter(None, (draft.question.strip(),)))
        case "options":
            return draft.named_options()
        case _:
            return tuple(d.name.strip() for d in draft.drivers if d.name.strip())


def _with_values(draft: SetupDraft, what: str, values: tuple[str, ...]) -> SetupDraft:
    made = draft.made
    match what:
        case "question":
            return draft.replace(question="".join(values))
        case "options":
            texts = (*values, *[""] * (LEAST_OPTIONS - len(values)))
            options = tuple(OptionDraft(key=f"o{made + n}", text=text) for n, text in enumerate(texts, start=1))
            return draft.replace(options=options, made=made + len(options))
        case _:
            drivers = tuple(DriverDraft(key=f"d{made + n}", name=name) for n, name in enumerate(values, start=1))
            return draft.replace(drivers=evenly_weighted(drivers), made=made + len(drivers))


def draw_note(draft: SetupDraft, what: str) -> None:
    """Draw the note of one field: its source with a button to undo it, or that the document has no value."""
    note = to_review(draft, what)
    if note is None:
        return
    file = safe_line(note.file, max_chars=60)
    if not note.values:
        st.caption(f":material/info: {_missing_sentence(note, file)}")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/draft: {' '.join(_source_sentences(note, file))}", width="content")
        undo = _("Undo: {what}", what=_FIELDS[note.what])
        st.button(
            undo, key=f"setup_untake_{what}", type="tertiary", icon=":material/undo:", on_click=_undo, args=(what,)
        )


def _missing_sentence(note: TakenDraft, file: str) -> str:
    if not note.decisions:
        return _NOT_FOUND[note.what].format(file=file)
    return _(
        "**{file}** holds {n} decisions: {names}. No options were taken: add a file with one of them, or write its "
        "options here.",
        file=file,
        n=len(note.decisions),
        names=", ".join(quoted(safe_line(name, max_chars=60)) for name in note.decisions),
    )


def _source_sentences(note: TakenDraft, file: str) -> Iterator[str]:
    place = _PLACES[note.heading] if note.heading in _PLACES else safe_line(note.heading, max_chars=60)
    if note.what == "drivers":
        yield _n(
            len(note.values),
            "{n} driver taken from **{file}** ({heading}): review them under More settings.",
            "{n} drivers taken from **{file}** ({heading}): review them under More settings.",
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
    draft = current()
    others = tuple(t for t in draft.taken if t.what != what)
    keep(_with_values(draft, what, ()).replace(taken=others))
    if what == "question":
        st.session_state[QUESTION_FILLED] = st.session_state.get(QUESTION_FILLED, 0) + 1
