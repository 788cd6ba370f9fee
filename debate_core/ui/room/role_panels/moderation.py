"""The changes that a moderator makes by hand: strike a turn, a message to all seats, a row of the evidence table.

Each is one fact with name and reason; the original stays. There is no control for a debater's words, a vote, the
threshold or agreement, here or anywhere.
"""

from collections.abc import Collection

import streamlit as st

from debate_core.engine.seat_view import hidden_seats, seats_not_live
from debate_core.language import _, message
from debate_core.record.acts import Intervened, Noted, Struck
from debate_core.record.ids import TurnId
from debate_core.record.state import State, Turn
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import readable_turns, turn_text
from debate_core.report.phrases.evidence import STATUS_WORDS
from debate_core.spec.values import in_words
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.buttons import Reasoned
from debate_core.ui.room.role_panels.documents import draw_document_form
from debate_core.ui.turn.brief import KINDS

_BURDEN = message("If you cannot show that …, then …")
CHIPS: dict[str, tuple[str, str]] = {
    message("One piece of evidence"): (
        "question",
        message("Give the one piece of evidence that your case rests on most, and its source."),
    ),
    message("The contradiction that decides"): (
        "question",
        message(
            "Name the one contradiction between you that decides the question, and say why you are right about it."
        ),
    ),
    message("Stop repeating quotes"): (
        "briefing",
        message("The quotes are known: do not repeat them. Say what they imply."),
    ),
    message("Best case for the other side"): (
        "question",
        message("Make the best case for another answer than yours, in its strongest form."),
    ),
    message("A burden"): ("burden", _BURDEN),
}
"""Frequent requests of real judges: label -> kind of message and its words."""
NEVER = message("Words, votes and thresholds cannot be changed by anyone.")


def draw_moderation(state: State, me: Me) -> None:
    """Draw the overrides; after the end, turns can still be struck and rows corrected."""
    with st.expander(_("Moderate"), icon=":material/gavel:", key="moderate", type="compact"):
        st.caption(_(NEVER))
        if state.outcome is None:
            _draw_message(state, me)
            draw_document_form(state, me)
        _draw_strike(state, me)
        _draw_correction(state, me)


def _draw_message(state: State, me: Me) -> None:
    st.markdown(_("**Message to all seats**"))
    form = st.session_state
    text = f"words-{state.debate}"
    kind = f"words-kind-{state.debate}"
    chip = f"chip-{state.debate}"
    # A text with gaps that this page has put into the field.
    unfilled = f"words-gaps-{state.debate}"
    form.setdefault(kind, "briefing")

    def fill() -> None:
        if chosen := form.get(chip):
            form[kind], words = CHIPS[chosen]
            form[text] = _(words)
            form[unfilled] = _(words) if words == _BURDEN else None

    def send() -> None:
        words = str(form.get(text, "")).strip()
        if not words:
            session.set_problem(_("the message to all seats is empty: write something, or choose one of the requests"))
        elif words == form.get(unfilled):
            session.set_problem(_("fill in the gaps: what must be shown, and the consequence if it is not"))
        elif session.act(state, me, Intervened(kind=form[kind], text=words)):
            form[text] = ""
            form[chip] = None

    st.pills(_("What judges ask for"), [*CHIPS], key=chip, format_func=_, on_change=fill)
    st.segmented_control(_("Kind"), [*KINDS], key=kind, format_func=KINDS.__getitem__, required=True)
    st.text_area(_("What you say, in your own name"), key=text, max_chars=2_000, height=90)
    st.button(_("Send to all seats"), key="say", icon=":material/campaign:", on_click=send)
    st.caption(_("Every seat reads it before its next turn. It changes no vote."))


def _draw_strike(state: State, me: Me) -> None:
    def strike(reason: str) -> Struck | None:
        turn = st.session_state.get("strike-turn")
        return Struck(turn=turn, reason=reason) if turn else None

    st.markdown(_("**Strike a turn**"))
    turns = _visible_turns(state, me)
    labels = {
        turn.place(): f"{_turn_words(turn)} · {' '.join(turn_text(turn).split())[:80]}"
        for turn in turns
        if turn.status == "ok"
    }
    if labels:
        chosen = st.selectbox(
            _("Turn"), [*labels], key="strike-turn", format_func=lambda place: labels.get(place, place), index=None
        )
        why = Reasoned(state, me, "strike", _("Reason for striking the turn"))
        why.field()
        if chosen:
            why.act(_("Strike it"), "turn-now", strike, icon=":material/ink_eraser:")
        st.caption(_("Judges and later speakers see a placeholder instead. Its vote stays."))
    else:
        st.caption(_("No turn was given yet."))
    for turn in turns:
        if turn.status == "struck":
            with st.expander(_("Struck: {turn}", turn=safe_line(_turn_words(turn))), key=f"struck-{turn.place()}"):
                st.markdown(safe_text(turn_text(turn)))
                st.caption(_("Struck because: {message}", message=safe_line(turn.message)))


def _visible_turns(state: State, me: Me) -> list[Turn]:
    """Readable turns, without those of the open phase that a seat of this moderator does not see."""
    hidden: Collection[str] = ()
    if state.open is not None:
        seats = hidden_seats(state, me.answers_for) | seats_not_live(state, me.role, me.answers_for)
        hidden = {str(TurnId(state.open.round, state.open.slot.phase.name, seat)) for seat in seats}
    return [turn for turn in readable_turns(state) if turn.place() not in hidden]


def _turn_words(turn: Turn) -> str:
    """Such as `cost hawk, opening, round 1`."""
    return _("{seat}, {phase}, round {round}", seat=in_words(turn.seat), phase=named(turn.phase), round=turn.round)


_AS_FOUND = message("as found")
_EVIDENCE = {_AS_FOUND: None, message("has some"): True, message("has none"): False}
_POINT = {_AS_FOUND: None, message("resolved"): True, message("open"): False}


def _draw_correction(state: State, me: Me) -> None:
    st.markdown(_("**Correct a row of the evidence table**"))
    rows = {row.claim_id: row for row in accounts.at_page(state, ()).claims}
    if not rows:
        st.caption(_("No claim was made yet."))
        return
    numbers = state.claim_numbers()
    labels = {
        claim_id: _("claim {number}: {claim}", number=numbers[claim_id], claim=" ".join(row.claim.split())[:80])
        for claim_id, row in rows.items()
    }
    chosen = st.selectbox(_("Claim"), [*rows], key="claim", format_func=lambda i: labels.get(i, i), index=None)
    if chosen is None:
        return
    row = rows[chosen]
    words = _("evidence found") if row.has_evidence_marker else _("no evidence found")
    words += f"; {STATUS_WORDS[row.status].lower()}"
    if row.duplicate_of:
        words += _("; says the same as claim {numbers}", numbers=numbers[row.duplicate_of])
    st.caption(_("As it stands: {row}", row=safe_line(words)))
    others = [claim_id for claim_id in rows if claim_id != chosen]
    st.selectbox(_("Says the same as"), others, key=f"same {chosen}", format_func=labels.__getitem__, index=None)
    st.segmented_control(_("Evidence"), [*_EVIDENCE], key=f"flag {chosen}", default=_AS_FOUND, format_func=_)
    st.segmented_control(_("The point is"), [*_POINT], key=f"done {chosen}", default=_AS_FOUND, format_func=_)
    why = Reasoned(state, me, "correct", _("Reason for the correction"))
    why.field()
    why.act(_("Correct it"), "claim", _chosen_correction, icon=":material/edit_note:")


def _chosen_correction(reason: str) -> Noted | None:
    """The correction that is chosen at the press; without a choice for this claim, the engine refuses it."""
    form = st.session_state
    claim = form.get("claim")
    if not claim:
        return None
    return Noted(
        claim_id=claim,
        duplicate_of=form.get(f"same {claim}"),
        has_evidence=_EVIDENCE[form.get(f"flag {claim}") or _AS_FOUND],
        resolved=_POINT[form.get(f"done {claim}") or _AS_FOUND],
        reason=reason,
    )
