"""Marks on the passages that the evidence panel quoted: one passage at a time under its heading, one press or key each.

A passage that is skipped stays unmarked, and counts for nothing.
"""

from collections.abc import Iterable, Mapping

import streamlit as st

from debate_core.documents.document import heading_of
from debate_core.engine.evidence import cited_source
from debate_core.engine.seat_view import View
from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts.people_marks import by_passage, mark_rows, most_marked
from debate_core.report.facts.vote_bars import letters
from debate_core.report.words.marks import marks_words
from debate_core.spec.contents import Claim, Content, Review
from debate_core.spec.values import Source
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.turn.fields import Fields

NEUTRAL = "neutral"
AT = "passage"
"""The field of the draft that says which passage is shown, counted from 0."""


def marking_fields(draft: FormDraft, seen: View, state: State) -> None:
    """The passage that is looked at now, and what it can be said to speak for."""
    n_passages = len(seen.to_review)
    _offer_the_rooms(draft, seen, state)
    place = _place(draft, n_passages)
    n_marked = len(marking(draft, seen, state)["marks"])
    st.caption(
        _(
            "Each passage was quoted by a seat of the evidence panel. Say what it speaks for; the seat then "
            "votes for the option with most marks among its own passages. What you skip counts for nothing."
        )
    )
    if place < n_passages:
        st.progress(
            place / n_passages,
            text=_(
                "Passage {place} of {n_passages}, {n_marked} marked",
                place=place + 1,
                n_passages=n_passages,
                n_marked=n_marked,
            ),
        )
        _passage(draft, seen, state, state.claims[seen.to_review[place]])
        _choices(draft, seen, state, place)
    else:
        st.progress(
            1.0,
            text=_(
                "You have looked at all {n_passages} passages: {n_marked} marked",
                n_passages=n_passages,
                n_marked=n_marked,
            ),
        )
    if place:
        back = f"{draft.name}:back {place}"
        st.button(_("Back"), key=back, icon=":material/arrow_back:", on_click=_go, args=(draft, place - 1))


def _offer_the_rooms(draft: FormDraft, seen: View, state: State) -> None:
    """Where the room has marked the passages: what most people read in each can be taken over in one press."""
    room = by_passage(mark_rows(state))
    most = {claim_id: most_marked(room.get(claim_id, ())) for claim_id in seen.to_review}
    taken = {f"mark {i}": f"{row.reading} {row.option}".rstrip() for i, row in most.items() if row is not None}
    if not taken:
        return
    if not draft.get("begun"):
        # The room has read them: whoever gives the marks begins with theirs, and may change each.
        draft.fill({**taken, AT: len(seen.to_review), "begun": 1})
    st.button(
        _("Take the room's marks: {taken} of {to_review} passages", taken=len(taken), to_review=len(seen.to_review)),
        key=f"{draft.name}:room's marks",
        icon=":material/groups:",
        help=_(
            "What more people read in a passage than anything else. Passages on which they are level stay unmarked."
        ),
        on_click=draft.fill,
        args=({**taken, AT: len(seen.to_review)},),
    )


def _place(draft: FormDraft, n_passages: int) -> int:
    kept = draft.get(AT, 0)
    return min(kept, n_passages) if isinstance(kept, int) else 0


def _passage(draft: FormDraft, seen: View, state: State, claim: Claim) -> None:
    with st.container(border=True, key=draft.place(f"mark {claim.id}")):
        st.caption(safe_line(place_in_sources(seen.sources, claim), max_chars=160))
        st.markdown(safe_text(claim.quote or claim.text))
        if room := marks_words(by_passage(mark_rows(state)).get(claim.id, ())):
            st.caption(safe_line(_("The room: {room}", room=room)))


def place_in_sources(sources: Iterable[Source], claim: Claim) -> str:
    """Where a claim was quoted from: `Load test of March, under “Results”`."""
    source = cited_source(sources, claim)
    if source is None:
        return _("no source")
    heading = heading_of(source, claim.quote or "")
    if not heading:
        return source.title
    return _("{title}, under “{heading}”", title=source.title, heading=heading)


def _choices(draft: FormDraft, seen: View, state: State, place: int) -> None:
    claim_id = seen.to_review[place]
    chosen = draft.text(f"mark {claim_id}")
    me = session.me(state)
    of_option = letters(state.spec.options)
    choices = {words: _label(*reading, of_option) for words, reading in _readings(seen).items()}
    choices[""] = _("Skip")
    for number, (words, label) in enumerate(choices.items()):
        is_chosen = words != "" and words == chosen
        st.button(
            label,
            key=f"{draft.name}:mark {claim_id} {words or 'skip'}",
            type="primary" if is_chosen else "secondary",
            shortcut=single_keys.digit_key(state, me, number),
            width="stretch",
            on_click=_mark,
            args=(draft, claim_id, words, place),
        )


def _label(reading: str, option: str | None, of_option: Mapping[str, str]) -> str:
    """`For A: adopt`."""
    if option is None:
        return _("Neutral")
    speaks = _("For") if reading == "supports" else _("Against")
    return safe_label(f"{speaks} {of_option[option]}: {option}", max_chars=90)


def _mark(draft: FormDraft, claim_id: str, words: str, place: int) -> None:
    # What was marked and is skipped now is marked no more.
    draft.fill({f"mark {claim_id}": words, AT: place + 1})


def _go(draft: FormDraft, place: int) -> None:
    draft.fill({AT: place})


def _readings(seen: View) -> dict[str, tuple[str, str | None]]:
    """What a draft keeps -> (reading, option) of a mark, in the order in which they are offered."""
    readings: dict[str, tuple[str, str | None]] = {}
    for reading in ("supports", "against"):
        readings |= {f"{reading} {option}": (reading, option) for option in seen.options}
    return readings | {NEUTRAL: ("neutral", None)}


def marking(draft: FormDraft, seen: View, _state: State) -> Fields:
    """What was marked so far, in the shape of a review."""
    readings = _readings(seen)
    marks: list[Fields] = []
    for claim_id in seen.to_review:
        words = draft.text(f"mark {claim_id}")
        if words in readings:
            reading, option = readings[words]
            marks.append({"claim_id": claim_id, "reading": reading, "option": option})
    return {"marks": marks}


def unmarked(content: Content, seen: View) -> str:
    """What is asked before an empty review is sent; empty if there is nothing to ask."""
    if not isinstance(content, Review) or content.marks or not seen.to_review:
        return ""
    return _(
        "You have marked none of the {to_review} passages, and the seats that quoted them will abstain. "
        "Mark some of them, or send it as it is.",
        to_review=len(seen.to_review),
    )
