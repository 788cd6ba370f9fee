"""What a document that was dropped into set-up gives to the draft: question, options and drivers, each to be reviewed.

Values only. Nothing that a person has written is replaced, and each field can be taken back by itself.
"""

from collections.abc import Mapping
from dataclasses import asdict

from debate_core.documents.decision import DecisionDocument, Taken
from debate_core.ui.setup.draft import DriverDraft, OptionDraft, SetupDraft, TakenDraft, evenly_weighted

LEAST_OPTIONS = 3
"""Fields for options that are there from the start."""


def with_taken(draft: SetupDraft, file: str, found: DecisionDocument) -> SetupDraft:
    """The draft with what this file says of every field that is still empty, and with what it does not say."""
    offered: Mapping[str, Taken] = {
        "question": found.question,
        "options": found.options,
        "drivers": found.drivers,
    }
    for what, taken in offered.items():
        if not _is_empty(draft, what):
            continue
        decisions = found.decisions if what == "options" else ()
        note = TakenDraft.model_validate({"what": what, "file": file, "decisions": decisions, **asdict(taken)})
        others = tuple(t for t in draft.taken if t.what != what)
        draft = _put(draft, what, taken.values).model_copy(update={"taken": (*others, note)})
    return draft


def without_taken(draft: SetupDraft, what: str) -> SetupDraft:
    """The draft with this field as empty as it was before."""
    kept = tuple(t for t in draft.taken if t.what != what)
    return _put(draft, what, ()).model_copy(update={"taken": kept})


def to_review(draft: SetupDraft, what: str) -> TakenDraft | None:
    """What is said beside this field: what was taken while some of it stands there, or that nothing was found."""
    note = next((t for t in draft.taken if t.what == what), None)
    if note is None:
        return None
    stands = _values(draft, what)
    still_so = bool(set(stands) & set(note.values)) if note.values else not stands
    return note if still_so else None


def _is_empty(draft: SetupDraft, what: str) -> bool:
    return not _values(draft, what)


def _values(draft: SetupDraft, what: str) -> tuple[str, ...]:
    match what:
        case "question":
            return tuple(filter(None, (draft.question.strip(),)))
        case "options":
            return draft.named_options()
        case _:
            return tuple(d.name.strip() for d in draft.drivers if d.name.strip())


def _put(draft: SetupDraft, what: str, values: tuple[str, ...]) -> SetupDraft:
    made = draft.made
    match what:
        case "question":
            return draft.model_copy(update={"question": "".join(values)})
        case "options":
            texts = (*values, *[""] * (LEAST_OPTIONS - len(values)))
            options = tuple(OptionDraft(key=f"o{made + n}", text=text) for n, text in enumerate(texts, start=1))
            return draft.model_copy(update={"options": options, "made": made + len(options)})
        case _:
            drivers = tuple(DriverDraft(key=f"d{made + n}", name=name) for n, name in enumerate(values, start=1))
            return draft.model_copy(update={"drivers": evenly_weighted(drivers), "made": made + len(drivers)})
