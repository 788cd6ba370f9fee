"""What whoever moderates may change by hand: strike a turn, words to all seats, a row of the evidence table.

Each is one fact with name and reason beside what it is about; the original stays. There is no control for a
debater's words, a vote, the threshold or agreement, here or anywhere.
"""

from collections.abc import Collection, Mapping

import streamlit as st

from debate_core.engine.seat_view import hidden_seats
from debate_core.language import _, message
from debate_core.record.acts import Intervened, Noted, Struck
from debate_core.record.address import TurnId
from debate_core.record.state import State, Turn
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import readable_claims, readable_turns, turn_text
from debate_core.report.words.evidence import STATUS_WORDS
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.desks import documents
from debate_core.ui.room.reason_field import Reasoned
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
        message("The quotes are known: do not repeat them. Say what follows from them."),
    ),
    message("Best case for the other side"): (
        "question",
        message("Make the best case for another answer than yours, in its strongest form."),
    ),
    message("A burden"): ("burden", _BURDEN),
}
"""What real judges ask for, each with the kind of words that it is."""
NEVER = message("Words, votes and thresholds cannot be changed by anyone.")


def show(state: State, me: Me) -> None:
    """The overrides; what is over can still be struck and corrected."""
    with st.expander(_("Moderate"), icon=":material/gavel:", key="moderate"):
        st.caption(_(NEVER))
        if state.outcome is None:
            _words(state, me)
            documents.field(state, me)
        _strike(state, me)
        _correct(state, me)


# --- words to all seats


def _words(state: State, me: Me) -> None:
    st.markdown(_("**Message to all seats**"))
    text = f"words-{state.debate}"
    kind = f"words-kind-{state.debate}"
    st.session_state.setdefault(kind, "briefing")
    chip = f"chip-{state.debate}"
    st.pills(_("What judges ask for"), [*CHIPS], key=chip, format_func=_, on_change=_chip, args=(state.debate,))
    st.segmented_control(_("Kind"), [*KINDS], key=kind, format_func=KINDS.__getitem__, required=True)
    st.text_area(_("What you say, in your own name"), key=text, max_chars=2_000, height=90)
    st.button(_("Send to all seats"), key="say", icon=":material/campaign:", on_click=_say, args=(state, me))
    st.caption(_("Every seat reads it from its next turn on; it binds nobody's vote."))


def _chip(debate: str) -> None:
    chosen = st.session_state.get(f"chip-{debate}")
    if chosen:
        kind, words = CHIPS[chosen]
        st.session_state[f"words-kind-{debate}"] = kind
        st.session_state[f"words-{debate}"] = _(words)
        st.session_state[_unfilled(debate)] = _(words) if words == _BURDEN else None


def _unfilled(debate: str) -> str:
    """Where a page keeps a text with gaps that it put into the field."""
    return f"words-gaps-{debate}"


def _say(state: State, me: Me) -> None:
    words = str(st.session_state.get(f"words-{state.debate}", "")).strip()
    if not words:
        session.set_problem(_("the message to all seats is empty: write something, or choose one of the requests"))
        return
    if words == st.session_state.get(_unfilled(state.debate)):
        session.set_problem(_("say what has to be shown, and what follows if it is not"))
        return
    if session.act(state, me, Intervened(kind=st.session_state[f"words-kind-{state.debate}"], text=words)):
        st.session_state[f"words-{state.debate}"] = ""
        st.session_state[f"chip-{state.debate}"] = None


# --- strike


def _strike(state: State, me: Me) -> None:
    st.markdown(_("**Strike a turn**"))
    turns = _turns_to_read(state, me)
    labels = {turn.place(): _turn_label(turn) for turn in turns if turn.status == "ok"}
    if labels:
        chosen = st.selectbox(
            _("Turn"), [*labels], key="strike-turn", format_func=lambda place: labels.get(place, place), index=None
        )
        why = Reasoned(state, me, "strike", _("Reason for striking the turn"))
        why.field()
        if chosen:
            why.act(_("Strike it"), "turn-now", _struck, icon=":material/ink_eraser:")
        st.caption(_("Hidden from judges and later speakers; a placeholder stands in its place. Its vote stays."))
    else:
        st.caption(_("No turn was given yet."))
    for turn in turns:
        if turn.status == "struck":
            with st.expander(_("Struck: {turn}", turn=safe_line(_turn_words(turn))), key=f"struck-{turn.place()}"):
                st.markdown(safe_text(turn_text(turn)))
                st.caption(_("Struck because: {message}", message=safe_line(turn.message)))


def _struck(reason: str) -> Struck | None:
    turn = st.session_state.get("strike-turn")
    return Struck(turn=turn, reason=reason) if turn else None


def _turns_to_read(state: State, me: Me) -> list[Turn]:
    """Whoever moderates may have a seat too, and reads no turn of the open phase that this seat does not see."""
    hidden: Collection[str] = ()
    if state.open is not None:
        seats = hidden_seats(state, me.answers_for)
        hidden = {str(TurnId(state.open.round, state.open.slot.phase.name, seat)) for seat in seats}
    return [turn for turn in readable_turns(state) if turn.place() not in hidden]


def _turn_label(turn: Turn) -> str:
    text = " ".join(turn_text(turn).split())
    return f"{_turn_words(turn)} · {text[:80]}"


def _turn_words(turn: Turn) -> str:
    """`cost hawk, opening, round 1`."""
    return _("{seat}, {phase}, round {round}", seat=in_words(turn.seat), phase=named(turn.phase), round=turn.round)


# --- a row of the evidence table

_AS_FOUND = message("as found")
_EVIDENCE = {_AS_FOUND: None, message("has some"): True, message("has none"): False}
_POINT = {_AS_FOUND: None, message("resolved"): True, message("open"): False}


def _correct(state: State, me: Me) -> None:
    st.markdown(_("**Correct a row of the evidence table**"))
    rows = {r.claim_id: r for r in readable_claims(state)}
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
    st.caption(_("As it stands: {row}", row=_row_words(rows[chosen], numbers)))
    others = [claim_id for claim_id in rows if claim_id != chosen]
    st.selectbox(_("Says the same as"), others, key=f"same {chosen}", format_func=labels.__getitem__, index=None)
    st.segmented_control(_("Evidence"), [*_EVIDENCE], key=f"flag {chosen}", default=_AS_FOUND, format_func=_)
    st.segmented_control(_("The point is"), [*_POINT], key=f"done {chosen}", default=_AS_FOUND, format_func=_)
    why = Reasoned(state, me, "correct", _("Reason for the correction"))
    why.field()
    why.act(_("Correct it"), "claim", _correction, icon=":material/edit_note:")


def _correction(reason: str) -> Noted | None:
    """What is chosen now; of a claim that was chosen this moment nothing can be, and the engine says so."""
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


def _row_words(row: ClaimRow, numbers: Mapping[str, int]) -> str:
    evidence = _("evidence found") if row.has_evidence_marker else _("no evidence found")
    same = _("; says the same as claim {numbers}", numbers=numbers[row.duplicate_of]) if row.duplicate_of else ""
    return safe_line(f"{evidence}; {STATUS_WORDS[row.status].lower()}{same}")
