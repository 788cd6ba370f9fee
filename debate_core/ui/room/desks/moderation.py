"""What whoever moderates may change by hand: strike a turn, words to all seats, a row of the evidence table.

Each is one fact with name and reason beside what it is about; the original stays. There is no control for a
debater's words, a vote, the threshold or agreement, here or anywhere.
"""

import streamlit as st

from debate_core.engine.seat_view import hidden_seats
from debate_core.record.acts import Intervened, Noted, Struck
from debate_core.record.commands import Act
from debate_core.record.state import State, Turn
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.turns import readable_claims, readable_turns, turn_text
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.desks.reason_field import Reasoned

CHIPS: dict[str, tuple[str, str]] = {
    "One piece of evidence": (
        "question",
        "Give the one piece of evidence that your case rests on most, and its source.",
    ),
    "The contradiction that decides": (
        "question",
        "Name the one contradiction between you that decides the question, and say why you are right about it.",
    ),
    "Stop repeating quotes": ("briefing", "The quotes are known: do not repeat them. Say what follows from them."),
    "Best case for the other side": (
        "question",
        "Make the best case for another answer than yours, in its strongest form.",
    ),
    "A burden": ("burden", "If you cannot show that …, then …"),
}
"""What real judges ask for, each with the kind of words that it is."""
KINDS = ("briefing", "question", "burden")
NEVER = (
    "Nobody can change a debater's words or a vote, lower the threshold, or declare agreement: "
    "there is no control for it, here or anywhere."
)


def show(state: State, me: Me) -> None:
    """The overrides; what is over can still be struck and corrected."""
    with st.expander("Moderate", icon=":material/gavel:", key="moderate"):
        st.caption(NEVER)
        if state.outcome is None:
            _words(state, me)
        _strike(state, me)
        _correct(state, me)


# --- words to all seats


def _words(state: State, me: Me) -> None:
    st.markdown("**Words to all seats**")
    text, kind = f"words-{state.debate}", f"words-kind-{state.debate}"
    st.session_state.setdefault(kind, "briefing")
    st.pills("What judges ask for", [*CHIPS], key=f"chip-{state.debate}", on_change=_chip, args=(state.debate,))
    st.segmented_control("Kind", KINDS, key=kind, required=True)
    st.text_area("What you say, in your own name", key=text, max_chars=2_000, height=90)
    st.button("Say it to all seats", key="say", icon=":material/campaign:", on_click=_say, args=(state, me))
    st.caption("Every seat reads it from its next turn on; it binds nobody's vote.")


def _chip(debate: str) -> None:
    chosen = st.session_state.get(f"chip-{debate}")
    if chosen:
        kind, words = CHIPS[chosen]
        st.session_state[f"words-kind-{debate}"], st.session_state[f"words-{debate}"] = kind, words


def _say(state: State, me: Me) -> None:
    words = str(st.session_state.get(f"words-{state.debate}", "")).strip()
    if not words:
        session.set_problem("the words to all seats are empty: write something, or choose one of the requests")
        return
    if "…" in words and words == CHIPS["A burden"][1]:
        session.set_problem("say what has to be shown, and what follows if it is not")
        return
    if session.act(state, me, Intervened(kind=st.session_state[f"words-kind-{state.debate}"], text=words)):
        st.session_state[f"words-{state.debate}"], st.session_state[f"chip-{state.debate}"] = "", None


# --- strike


def _strike(state: State, me: Me) -> None:
    st.markdown("**Strike a turn**")
    hidden, held = hidden_seats(state, me.answers_for), state.open
    open_now = (held.round, held.slot.phase.name) if held else None
    told = [t for t in readable_turns(state) if (t.round, t.phase) != open_now or t.seat not in hidden]
    given = {t.place(): t for t in told if t.status == "ok"}
    if given:
        chosen = st.selectbox(
            "Turn", [*given], key="strike-turn", format_func=lambda i: _turn_label(given, i), index=None
        )
        why = Reasoned(state, me, "strike")
        why.field()
        if chosen:
            make = lambda reason: Act(by=me.actor, act=Struck(turn=chosen, reason=reason))  # noqa: E731
            why.button("Strike it", "turn-now", make, icon=":material/ink_eraser:")
        st.caption("Hidden from judges and later speakers; a placeholder stands in its place. Its vote stays.")
    else:
        st.caption("No turn was given yet.")
    for turn in told:
        if turn.status == "struck":
            with st.expander(f"Struck: {safe_line(_turn_words(turn))}", key=f"struck-{turn.place()}"):
                st.markdown(safe_text(turn_text(turn)))
                st.caption(f"Struck because: {safe_line(turn.message)}")


def _turn_label(given: dict[str, Turn], place: str) -> str:
    if place not in given:
        return place
    turn = given[place]
    text = " ".join(turn_text(turn).split())
    return f"{_turn_words(turn)} · {text[:80]}"


def _turn_words(turn: Turn) -> str:
    """`cost hawk, opening, round 1`."""
    return f"{in_words(turn.seat)}, {in_words(turn.phase)}, round {turn.round}"


# --- a row of the evidence table


def _correct(state: State, me: Me) -> None:
    st.markdown("**Correct a row of the evidence table**")
    rows = {r.claim_id: r for r in readable_claims(state)}
    if not rows:
        st.caption("No claim was made yet.")
        return
    label = {i: f"{i} · {' '.join(r.claim.split())[:80]}" for i, r in rows.items()}
    chosen = st.selectbox("Claim", [*rows], key="claim", format_func=lambda i: label.get(i, i), index=None)
    if chosen is None:
        return
    row = rows[chosen]
    st.caption(f"As it stands: {_row_words(row)}")
    others = [i for i in rows if i != chosen]
    same = st.selectbox("Says the same as", others, key=f"same {chosen}", format_func=lambda i: label[i], index=None)
    flag = st.segmented_control(
        "Evidence", ("as found", "has some", "has none"), key=f"flag {chosen}", default="as found"
    )
    done = st.segmented_control(
        "The point is", ("as found", "resolved", "open"), key=f"done {chosen}", default="as found"
    )
    why = Reasoned(state, me, "correct")
    why.field()
    why.button(
        "Correct it",
        "claim",
        lambda reason: Act(
            by=me.actor,
            act=Noted(
                claim_id=chosen,
                duplicate_of=same,
                has_evidence={"has some": True, "has none": False}.get(flag or ""),
                resolved={"resolved": True, "open": False}.get(done or ""),
                reason=reason,
            ),
        ),
        icon=":material/edit_note:",
    )


def _row_words(row: ClaimRow) -> str:
    evidence = "evidence found" if row.has_evidence_marker else "no evidence found"
    same = f"; says the same as {row.duplicate_of}" if row.duplicate_of else ""
    return safe_line(f"{evidence}; {row.status}{same}")
