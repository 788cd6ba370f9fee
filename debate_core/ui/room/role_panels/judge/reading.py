"""The reading of a judge: turns under aliases, drawn in random order; how long it takes; and the verdicts of models.

Shows only what `judge_view` gives.
"""

import time
from collections.abc import Sequence
from functools import partial

import streamlit as st

from debate_core.engine import judge_view
from debate_core.engine.judge_view import BlindTurn
from debate_core.language import Words, _, _n
from debate_core.record.state import State, Turn
from debate_core.report.facts.terms import named
from debate_core.spec.contents import Argument, Linked, Strongest, Synthesis, Verdict
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_CLOCK
from debate_core.ui.kit.text import safe_id, safe_line, safe_text

WORDS_A_MINUTE = 240
READ = "read"
_GONE = Words({"struck": "This turn was struck. It does not count.", "skipped": "No turn was given here."})


def seconds_here(state: State, person_id: str, number: int) -> int:
    """Seconds since this browser session first showed this round; of a timed judge, since their first look."""
    if judge_view.mode_of(state, person_id) == "timed":
        return max(0, int(time.time()) - _first_look(state, person_id))
    began: float = st.session_state.setdefault(f"judging since:{state.debate}:{person_id}:{number}", time.monotonic())
    return round(time.monotonic() - began)


def _first_look(state: State, person_id: str) -> int:
    """The first look of a timed judge after the end, in seconds since 1970; the server keeps it across reloads."""
    name = f"{state.debate}/{person_id}/timed"
    first_look = session.kept(name)
    if first_look is None:
        first_look = st.session_state.setdefault(name, str(int(time.time())))
        save = partial(session.host().drafts.save, name, first_look)
        session.keep(state.debate, session.me(state), save, unsaved=UNSAVED_CLOCK)
    return int(first_look)


def rounds(state: State, person_id: str, asked: int | None, *, unfolded: bool) -> None:
    """Draw the choice of a readable round, and its turns. The address keeps the choice: `?read=2`."""
    last = judge_view.last_readable(state, person_id)
    mode = judge_view.mode_of(state, person_id)
    numbers = range(1, min(last, judge_view.complete_rounds(state)) + 1)
    if not numbers:
        return
    has_to_read = mode != "live" and asked is not None
    with st.expander(
        _("Read in your own order"),
        expanded=unfolded or has_to_read,
        icon=":material/menu_book:",
        key="judge-reads",
    ):
        number = _choose_round(state, person_id, numbers, 1 if mode == "timed" else asked)
        turns = judge_view.reading(state, person_id, number)
        st.caption(_duration_words(turns))
        if mode == "timed" and asked is not None:
            so_far = _n(seconds_here(state, person_id, asked) // 60, "{n} minute", "{n} minutes")
            st.caption(
                _(
                    "You read the whole debate at once. The clock runs from your first look: {so_far} so far.",
                    so_far=so_far,
                )
            )
        if mode == "stepped" and last < state.current_round():
            st.caption(
                _(
                    "Round {next_round} opens when your probabilities for round {latest_round} are in.",
                    next_round=last + 1,
                    latest_round=last,
                )
            )
        for turn in turns:
            show_turn(turn)


def _duration_words(turns: Sequence[BlindTurn]) -> str:
    words = sum(len(judge_view.spoken(turn.content).split()) for turn in turns if turn.content)
    minutes = max(1, round(words / WORDS_A_MINUTE))
    return _(
        "{words}: about {minutes} at a calm pace. There is no time limit.",
        words=_n(words, "{n} word", "{n} words"),
        minutes=_n(minutes, "{n} minute", "{n} minutes"),
    )


def _choose_round(state: State, person_id: str, numbers: range, asked: int | None) -> int:
    key = f"judge reads:{state.debate}:{person_id}:{numbers.stop}"
    if key not in st.session_state:
        in_address = st.query_params.get(READ, "")
        wanted = next((number for number in numbers if str(number) == in_address), 0)
        known = [number for number in (wanted, asked) if number in numbers]
        st.session_state[key] = known[0] if known else numbers[-1]
    chosen: int = st.session_state[key]
    if len(numbers) > 1:
        names = {n: _("Round {number}", number=n) for n in numbers}
        st.segmented_control(
            _("Round"), [*names], key=key, format_func=names.__getitem__, required=True, label_visibility="collapsed"
        )
    if st.query_params.get(READ) != str(chosen):
        st.query_params[READ] = str(chosen)
    return chosen


def turn_over() -> None:
    """Let the reading continue with the round that is asked next."""
    st.query_params.pop(READ, None)


def show_turn(turn: BlindTurn) -> None:
    """Draw one turn: speaker, text, and the claims or lines it rests on. No side, no vote, no model."""
    with st.container(border=True):
        st.markdown(f"**{safe_line(turn.speaker)}** · {safe_line(named(turn.phase))}")
        if turn.content is None:
            st.caption(_GONE.get(turn.status, "No usable turn was given here."))
            return
        if turn.gives_away:
            st.caption(
                _(
                    ":orange[:material/warning: This turn names a seat or a model. It may tell you who speaks: try "
                    "to weigh only what is said.]"
                )
            )
        # Without the claims of an argument, which are listed below.
        content = turn.content
        prose = content.rationale if isinstance(content, Argument) else judge_view.spoken(content)
        st.markdown(safe_text(prose))
        if lines := _lines(turn):
            st.markdown("\n".join(lines))


def _lines(turn: BlindTurn) -> list[str]:
    match turn.content:
        case Argument(claims=claims):
            lines = []
            for claim in claims:
                quote = f" “{safe_line(claim.quote)}”" if claim.quote and claim.quote != claim.text else ""
                answers = _answers(turn, (*claim.answers, *claim.concedes))
                lines.append(f"- **{_claim_name(turn, claim.id)}:** {safe_line(claim.text)}{quote}{answers}")
            return lines
        case Synthesis(established=established, contested=contested, strongest=strongest):
            linked: list[Linked | Strongest] = [*established, *contested, *strongest]
            return [f"- {safe_line(line.text)}{_answers(turn, line.links)}" for line in linked]
        case _:
            return []


def _claim_name(turn: BlindTurn, claim_id: str) -> str:
    """Such as `claim 7`; an id of no claim stays as it was written."""
    number = turn.numbers.get(claim_id)
    return safe_line(claim_id) if number is None else _("claim {numbers}", numbers=number)


def _answers(turn: BlindTurn, ids: tuple[str, ...]) -> str:
    numbers = ", ".join(_claim_name(turn, claim_id) for claim_id in ids)
    return _(" :gray[(on {numbers})]", numbers=numbers) if numbers else ""


def model_verdicts(state: State, person_id: str) -> None:
    """Draw the verdicts of models and code, and their order of reading; hidden until the person's own is in."""
    if judge_view.hidden_verdicts(state, person_id):
        st.caption(_("What a model or code makes of this debate is shown once your final probabilities are in."))
        return
    for turn in state.turns:
        if isinstance(turn.content, Verdict) and state.spec.seat(turn.seat).occupant != "human":
            words = safe_line(turn.content.option) if turn.content.option else _("a mixture, no single option")
            if turn.content.confidence is not None:
                words += _(", {confidence} of 100 sure by its own account", confidence=turn.content.confidence)
            st.markdown(_("**{seat}** (not a person): {verdict}", seat=safe_id(turn.seat), verdict=words))
            st.caption(_order_words(state, turn))


def _order_words(state: State, turn: Turn) -> str:
    again = sum(isinstance(t.content, Verdict) and t.seat == turn.seat for t in state.turns)
    if state.phase(turn.phase).sees.shuffle:
        order = _(
            "It read the turns of each phase in an order drawn from seed {seed} ({request}).",
            seed=state.spec.seed,
            request=turn.request,
        )
    else:
        order = _("It read the turns in the order in which they were given.")
    return _n(again, "{order} It was asked {n} time.", "{order} It was asked {n} times.", order=order)
