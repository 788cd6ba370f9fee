"""The seat of a person while others speak: its name and side, the order of speakers, and the next own turn."""

from collections.abc import Mapping, Sequence

import streamlit as st

from debate_core.engine.option_names import named_option
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import hidden_seats, seats_not_live
from debate_core.language import _, spoken_list
from debate_core.record.state import State, Turn
from debate_core.report.facts.speaking_order import PlannedTurn, speaking_order
from debate_core.report.phrases.room_tasks import own_turn_sentence
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.values import in_words
from debate_core.text import capitalized
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.role_panels.ballot import option_marks

_STYLE = """<style>
.st-key-own-seat { gap: 0.5rem; }
.st-key-own-seat h3 { padding: 0; }
.st-key-own-seat [data-testid="stMarkdownContainer"]:has(h3) { margin-bottom: 0; }
</style>"""


def draw(state: State, me: Me, names: Mapping[str, str]) -> None:
    """Draw the card of this person's seats; nothing without any. `names` are other names of seats for this person."""
    words = own_turn_sentence(state, me.answers_for, names)
    if not words:
        return
    with st.container(border=True, key="own-seat"):
        st.html(_STYLE)
        seats = [safe_line(capitalized(names.get(seat, in_words(seat)))) for seat in me.answers_for]
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.subheader(_("You speak for {seats}", seats=spoken_list(seats)), anchor=False, width="content")
            for seat in me.answers_for:
                if side := _side_of(state, seat):
                    st.markdown(_("Your side: {side}", side=side), width="content")
        st.markdown(f"**{safe_text(words)}**")
        order = [_speaker(state, turn, me, names) for turn in speaking_order(state)]
        is_in_turn = state.open is not None and state.open.slot.phase.order != "at_once"
        st.markdown((" → " if is_in_turn else " · ").join(order))
        _draw_last_turn(state, me, names)


def _draw_last_turn(state: State, me: Me, names: Mapping[str, str]) -> None:
    """Draw the claims of this person's last turn that others have answered, each with their seats."""
    mine = [turn for turn in state.all_turns() if turn.seat in me.answers_for]
    if not mine or not mine[-1].claims:
        return
    lines = _answered_lines(state, mine[-1].claims, _turns_read(state, me), names)
    if lines:
        st.markdown("  \n".join((_("**Your last turn**"), *lines)))


def _answered_lines(state: State, claims: Sequence[Claim], read: Sequence[Turn], names: Mapping[str, str]) -> list[str]:
    """Each of these claims that the turns answer, with the seats that do."""
    numbers = state.claim_numbers()
    lines = []
    for claim in claims:
        by = dict.fromkeys(turn.seat for turn in read if claim.id in _answered_claims(turn))
        if seats := [safe_line(capitalized(names.get(seat, in_words(seat)))) for seat in by]:
            words = _("answered by {seats}", seats=spoken_list(seats))
            lines.append(f"{numbers[claim.id]} · {safe_line(claim.text)} **{words}**")
    return lines


def _turns_read(state: State, me: Me) -> Sequence[Turn]:
    """Turns of ended phases, and those of the open one that this person may read already."""
    unread = seats_not_live(state, me.role, me.answers_for) | hidden_seats(state, me.answers_for)
    ended = len(state.turns)
    return [*state.turns, *(turn for turn in state.all_turns()[ended:] if turn.seat not in unread)]


def _answered_claims(turn: Turn) -> Sequence[str]:
    """Ids of the claims that this turn answers or concedes."""
    if not isinstance(turn.content, Argument):
        return ()
    said = turn.content
    found = [*said.answers, *said.concedes]
    for claim in said.claims:
        found += (*claim.answers, *claim.concedes)
    return found


def _side_of(state: State, seat: str) -> str:
    """The option that the seat defends with its mark, else its stance; empty without one."""
    stance = stance_of(state, seat)
    option = named_option(stance, state.spec.options)
    return f"{option_marks(state).get(option, '')} {safe_line(option)}".strip() if option else safe_line(stance)


def _speaker(state: State, turn: PlannedTurn, me: Me, names: Mapping[str, str]) -> str:
    name = safe_line(capitalized(names.get(turn.seat, in_words(turn.seat))))
    if turn.seat in me.answers_for:
        name = _("{seat} (you)", seat=name)
    match turn.when:
        case "given":
            return f":gray[✓ {name}]"
        case "now" if state.paused is None:
            return f"**{_('{seat} speaks now', seat=name)}**"
        case _:
            return name
