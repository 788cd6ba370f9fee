"""The chair's marks on the passages that the evidence panel quoted: one passage at a time, one press or key each.

They begin with those of the room, once these are shown. A passage that is skipped stays unmarked.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial

import streamlit as st

from debate_core.engine.seat_view import View
from debate_core.language import _, _n, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.people_marks import by_passage, mark_rows, most_marked
from debate_core.report.words.marks import marks_words
from debate_core.seats.offline import next_votes
from debate_core.spec.contents import Content, Review
from debate_core.spec.values import ABSTAIN, in_words
from debate_core.text import capitalized
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.turn import passage
from debate_core.ui.turn.fields import Fields

AT = "passage"
"""The field of the draft that says which passage is shown, counted from 0."""


def marking_fields(draft: FormDraft, seen: View, state: State) -> None:
    """Draw the passage that is shown now, its choices, and the marks of the room."""
    n_passages = len(seen.to_review)
    taken = _of_the_room(seen, state)
    at = _place(draft, n_passages, n_passages if taken else 0)
    _progress(draft, seen, state, at)
    if at < n_passages:
        claim = state.claims[seen.to_review[at]]
        given = _given(draft, seen, state)
        room = marks_words(by_passage(mark_rows(state)).get(claim.id, ()))
        beside = _("The room: {room}", room=room) if room else ""
        with st.container(border=True, key=draft.place(f"mark {claim.id}")):
            passage.draw_passage(seen.sources, claim, beside=beside)
        passage.draw_choices(
            state,
            claim,
            chosen=given.get(claim.id, ""),
            key=f"{draft.name}:mark {claim.id}",
            give=partial(_mark, draft, claim.id, at),
            back=partial(_go, draft, at - 1) if at else None,
        )
        st.caption(_("A seat votes as most of its passages are marked. Skipped passages are not counted."))
    elif n_passages:
        st.button(
            _("Look at them again"), key=f"{draft.name}:look", icon=":material/undo:", on_click=_go, args=(draft, 0)
        )
    if _differs(draft, taken):
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
            on_click=draft.fill,
            args=({**{_field(claim_id): "" for claim_id in taken}, AT: n_passages},),
        )


def _progress(draft: FormDraft, seen: View, state: State, at: int) -> None:
    """Draw the number of marks and the number of passages that this person has looked at: two separate figures."""
    n_passages = len(seen.to_review)
    n_marked = len(marking(draft, seen, state)["marks"])
    if at < n_passages:
        words = _("Passage {at} of {n}, {marked} marked", at=at + 1, n=n_passages, marked=n_marked)
        st.progress(at / max(1, n_passages), text=words)
        return
    looked_at = sum(draft.text(_field(claim_id)) != "" for claim_id in seen.to_review)
    words = _n(n_passages, "{marked} of {n} passage marked", "{marked} of {n} passages marked", marked=n_marked)
    if _of_the_room(seen, state) and looked_at < n_passages:
        words = _("{words}, by the room; you have looked at {looked_at}", words=words, looked_at=looked_at)
    st.progress(n_marked / max(1, n_passages), text=words)


def _of_the_room(seen: View, state: State) -> Mapping[str, str]:
    """Map claim ids to the reading of most people of the room, where their marks are shown and not level."""
    room = by_passage(mark_rows(state))
    most = {claim_id: most_marked(room.get(claim_id, ())) for claim_id in seen.to_review}
    return {i: f"{row.reading} {row.option}".rstrip() for i, row in most.items() if row is not None}


def _given(draft: FormDraft, seen: View, state: State) -> Mapping[str, str]:
    """Map claim ids to the mark given here, else to the reading of most of the room."""
    own = {claim_id: draft.text(_field(claim_id)) for claim_id in seen.to_review}
    return {**_of_the_room(seen, state), **{claim_id: words for claim_id, words in own.items() if words}}


def _differs(draft: FormDraft, taken: Mapping[str, str]) -> bool:
    return any(draft.text(_field(claim_id)) not in ("", words) for claim_id, words in taken.items())


def _field(claim_id: str) -> str:
    return f"mark {claim_id}"


def _place(draft: FormDraft, n_passages: int, usual: int) -> int:
    kept = draft.get(AT, usual)
    return min(kept, n_passages) if isinstance(kept, int) else usual


def _mark(draft: FormDraft, claim_id: str, at: int, words: str) -> None:
    draft.fill({_field(claim_id): words, AT: at + 1})


def _go(draft: FormDraft, at: int) -> None:
    draft.fill({AT: at})


def marking(draft: FormDraft, seen: View, state: State) -> Fields:
    """Return the marks so far in the shape of a review."""
    offered = passage.choices(seen.options)
    given = _given(draft, seen, state)
    marks: list[Fields] = []
    for claim_id in seen.to_review:
        words = given.get(claim_id, "")
        if words in offered and words != passage.SKIPPED:
            reading, option = offered[words]
            marks.append({"claim_id": claim_id, "reading": reading, "option": option})
    return {"marks": marks}


def unmarked(content: Content, seen: View, state: State) -> str:
    """Ask back before an empty review is sent, and foretell the votes; empty if there is nothing to ask."""
    if not isinstance(content, Review) or content.marks or not seen.to_review:
        return ""
    n = len(seen.to_review)
    none = _n(n, "You have not marked the passage.", "You have marked none of the {n} passages.")
    return " ".join((none, *_what_follows(state), _("Mark some of them, or send it as it is.")))


def _what_follows(state: State) -> list[str]:
    """`Cost analyst will abstain. Risk manager will vote adopt, by earlier marks.`"""
    seats = defaultdict[str, list[str]](list)
    for seat, vote in next_votes(state).items():
        seats[vote].append(in_words(seat))
    sentences = []
    for vote, names in seats.items():
        who = capitalized(spoken_list(names))
        if vote == ABSTAIN:
            sentences.append(_("{who} will abstain.", who=who))
        else:
            sentences.append(_("{who} will vote {option}, by earlier marks.", who=who, option=vote))
    return sentences
