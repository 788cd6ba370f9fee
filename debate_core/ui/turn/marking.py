"""The chair's marks on the passages quoted by the evidence panel: first those that their author sorted, in one step for
an option and a side, then one passage at a time.

They start with the marks of the room, if these are revealed. A skipped passage stays unmarked.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.private_sources import opened_sources
from debate_core.engine.seat_view import View
from debate_core.engine.suggested_marks import SuggestedMark, SuggestedMarks
from debate_core.language import _, _n, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.people_marks import by_passage, mark_rows, most_marked
from debate_core.report.phrases.marks import marks_words
from debate_core.seats.offline import next_votes
from debate_core.spec.contents import Content, Review
from debate_core.spec.values import ABSTAIN, in_words
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.turn import passage
from debate_core.ui.turn.fields import Fields

AT = "passage"
"""Field of the draft: index of the current passage, from 0."""


def marking_fields(draft: FormDraft, seen: View, state: State) -> None:
    """Draw a suggestion or the current passage, its choices, and the marks of the room."""
    n_passages = len(seen.to_review)
    taken = _room_readings(seen, state)
    suggestion = find_suggestion(draft, seen, state)
    at = _find_place(draft, seen, n_passages if taken else 0)
    _draw_progress(draft, seen, state, n_passages if suggestion else at)
    if suggestion is not None:
        passage.draw_suggestion(state, suggestion, draft, partial(_mark_together, draft, seen, suggestion))
    elif at < n_passages:
        _draw_passage(draft, seen, state, at)
    elif n_passages:
        first = partial(draft.fill, {AT: 0, passage.SINGLY: [*seen.to_review]})
        st.button(_("Look at them again"), key=f"{draft.name}:look", icon=":material/undo:", on_click=first)
    if any(draft.text(_field(claim_id)) not in ("", words) for claim_id, words in taken.items()):
        _draw_reset(draft, seen, taken)


def is_up_to_date(draft: FormDraft, seen: View) -> bool:
    """True if this window shows the latest marks; otherwise take over those of another window and say so."""
    fields = [field(claim_id) for claim_id in seen.to_review for field in (_field, _author_field)]
    if not fields or not draft.catch_up(fields):
        return True
    session.set_problem(_("You have marked passages in another window. Here are all your marks: press again."))
    return False


def _mark(draft: FormDraft, seen: View, values: Mapping[str, Plain]) -> None:
    if is_up_to_date(draft, seen):
        draft.fill(values)


def _find_place(draft: FormDraft, seen: View, start: int) -> int:
    """The index of the current passage; the number of passages after the last one."""
    kept = draft.get(AT, start)
    at = kept if isinstance(kept, int) else start
    left = (place for place in range(at, len(seen.to_review)) if not _is_passed(draft, seen, place))
    return next(left, len(seen.to_review))


def _draw_passage(draft: FormDraft, seen: View, state: State, at: int) -> None:
    claim = state.claims[seen.to_review[at]]
    before = next((place for place in reversed(range(at)) if not _is_passed(draft, seen, place)), None)

    def mark(words: str) -> None:
        _mark(draft, seen, {_field(claim.id): words, _author_field(claim.id): "", AT: at + 1})

    room = marks_words(by_passage(mark_rows(state)).get(claim.id, ()))
    beside = _("The room: {room}", room=room) if room else ""
    with st.container(border=True, key=draft.place(f"mark {claim.id}")):
        passage.draw_passage(opened_sources(state), claim, beside=beside)
    passage.draw_choices(
        state,
        claim,
        chosen=_read_marks(draft, seen, state).get(claim.id, ""),
        key=f"{draft.name}:mark {claim.id}",
        give=mark,
        back=None if before is None else partial(draft.fill, {AT: before}),
    )
    st.caption(_("A seat votes as most of its passages are marked. Skipped passages are not counted."))


def find_suggestion(draft: FormDraft, seen: View, state: State) -> SuggestedMarks | None:
    """The next unmarked passages that their author sorted together; None without any, or with marks of the room."""
    if _room_readings(seen, state):
        return None
    marked = [claim_id for claim_id in seen.to_review if draft.text(_field(claim_id))]
    return passage.find_suggestion(state, draft, seen.to_review, marked)


def _mark_together(draft: FormDraft, seen: View, suggestion: SuggestedMarks, taken: Sequence[SuggestedMark]) -> bool:
    marks = {_field(mark.claim.id): f"{suggestion.reading} {suggestion.option}" for mark in taken}
    authors = {_author_field(mark.claim.id): mark.words for mark in taken}
    is_shown = is_up_to_date(draft, seen)
    if is_shown:
        draft.fill({**marks, **authors})
    return is_shown


def _is_passed(draft: FormDraft, seen: View, place: int) -> bool:
    """True for a passage that was marked together with others, until all are looked at one by one."""
    claim_id = seen.to_review[place]
    return draft.text(_author_field(claim_id)) != "" and claim_id not in draft.choices(passage.SINGLY)


def _draw_reset(draft: FormDraft, seen: View, taken: Mapping[str, str]) -> None:
    """Draw a button that replaces the marks in this draft by those of the room."""
    n_passages = len(seen.to_review)
    emptied = {field(claim_id): "" for claim_id in taken for field in (_field, _author_field)}
    st.button(
        _n(
            n_passages,
            "Take the room's marks: {taken} of {n} passage",
            "Take the room's marks: {taken} of {n} passages",
            taken=len(taken),
        ),
        key=f"{draft.name}:room's marks",
        icon=":material/groups:",
        help=_("What most people read in each passage. Passages on which they are level stay unmarked."),
        on_click=_mark,
        args=(draft, seen, {**emptied, AT: n_passages}),
    )


def _draw_progress(draft: FormDraft, seen: View, state: State, at: int) -> None:
    """Draw the number of marks and, separately, the number of passages that this person has seen."""
    n_passages = len(seen.to_review)
    n_marked = len(marking(draft, seen, state)["marks"])
    if at < n_passages:
        words = _("Passage {at} of {n}, {marked} marked", at=at + 1, n=n_passages, marked=n_marked)
        st.progress(at / max(1, n_passages), text=words)
        return
    looked_at = sum(draft.text(_field(claim_id)) != "" for claim_id in seen.to_review)
    words = _n(n_passages, "{marked} of {n} passage marked", "{marked} of {n} passages marked", marked=n_marked)
    if _room_readings(seen, state) and looked_at < n_passages:
        words = _("{words}, by the room; you have looked at {looked_at}", words=words, looked_at=looked_at)
    st.progress(n_marked / max(1, n_passages), text=words)


def _room_readings(seen: View, state: State) -> Mapping[str, str]:
    """Map claim ids to the most frequent reading of the room, if revealed and not tied."""
    room = by_passage(mark_rows(state))
    most = {claim_id: most_marked(room.get(claim_id, ())) for claim_id in seen.to_review}
    return {i: f"{row.reading} {row.option}".rstrip() for i, row in most.items() if row is not None}


def _read_marks(draft: FormDraft, seen: View, state: State) -> Mapping[str, str]:
    """Map claim ids to the mark given here, else to the most frequent reading of the room."""
    own = {claim_id: draft.text(_field(claim_id)) for claim_id in seen.to_review}
    return {**_room_readings(seen, state), **{claim_id: words for claim_id, words in own.items() if words}}


def _field(claim_id: str) -> str:
    return f"mark {claim_id}"


def _author_field(claim_id: str) -> str:
    """The field of the author's words under which a passage was marked together with others."""
    return f"together {claim_id}"


def marking(draft: FormDraft, seen: View, state: State) -> Fields:
    """Return the marks so far in the shape of a review."""
    offered = passage.choices(seen.options)
    given = _read_marks(draft, seen, state)
    marks: list[Fields] = []
    for claim_id in seen.to_review:
        words = given.get(claim_id, "")
        if words in offered and words != passage.SKIPPED:
            reading, option = offered[words]
            together = draft.text(_author_field(claim_id))
            marks.append({"claim_id": claim_id, "reading": reading, "option": option, "together": together})
    return {"marks": marks}


def unmarked(content: Content, seen: View, state: State) -> str:
    """The question before an empty review is sent, with the votes that follow from it; empty if marks are given."""
    if not isinstance(content, Review) or content.marks or not seen.to_review:
        return ""
    seats = defaultdict[str, list[str]](list)
    for seat, vote in next_votes(state).items():
        seats[vote].append(in_words(seat))
    sentences = [
        _n(len(seen.to_review), "You have not marked the passage.", "You have marked none of the {n} passages.")
    ]
    for vote, names in seats.items():
        who = capitalized(spoken_list(names))
        if vote == ABSTAIN:
            sentences.append(_("{who} will abstain.", who=who))
        else:
            sentences.append(_("{who} will vote {option}, by earlier marks.", who=who, option=vote))
    return " ".join((*sentences, _("Mark some of them, or send it anyway.")))
