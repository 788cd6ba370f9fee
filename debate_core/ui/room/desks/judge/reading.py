"""A judge's reading: turns under aliases in an order of their own, how long that takes, and what a model made of it.

Shows what `blind` gives and no more.
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
from debate_core.spec.contents import Argument, Claim, Content, Linked, Strongest, Synthesis, Verdict
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_CLOCK
from debate_core.ui.kit.text import safe_id, safe_line, safe_text

WORDS_A_MINUTE = 240
READ = "read"
_GONE = Words(
    {"struck": "A turn was struck: its words are no part of what you judge.", "skipped": "No turn was given here."}
)


def seconds_here(state: State, person_id: str, number: int) -> int:
    """Since this round was first shown to this browser session; timed, since the first look in any."""
    if judge_view.mode_of(state, person_id) == "timed":
        return max(0, int(time.time()) - _first_look(state, person_id))
    began: float = st.session_state.setdefault(f"judging since:{state.debate}:{person_id}:{number}", time.monotonic())
    return round(time.monotonic() - began)


def _first_look(state: State, person_id: str) -> int:
    """When this judge first saw the desk after the end; kept by the server: a reload does not stop the clock."""
    name = f"{state.debate}/{person_id}/timed"
    first_look = session.kept(name)
    if first_look is None:
        first_look = st.session_state.setdefault(name, str(int(time.time())))
        save = partial(session.host().drafts.save, name, first_look)
        session.keep(state.debate, session.me(state), save, unsaved=UNSAVED_CLOCK)
    return int(first_look)


def rounds(state: State, person_id: str, asked: int | None, *, unfolded: bool) -> None:
    """Choose a round that may be read, and read it. The address keeps which: `?read=2`."""
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
        number = _chosen(state, person_id, numbers, 1 if mode == "timed" else asked)
        turns = judge_view.reading(state, person_id, number)
        st.caption(_how_long(turns))
        if mode == "timed" and asked is not None:
            so_far = _n(seconds_here(state, person_id, asked) // 60, "{n} minute", "{n} minutes")
            st.caption(
                _("You read all of it at once. The clock runs from your first look: {so_far} so far.", so_far=so_far)
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


def _how_long(turns: Sequence[BlindTurn]) -> str:
    words = sum(len(judge_view.spoken(turn.content).split()) for turn in turns if turn.content)
    minutes = max(1, round(words / WORDS_A_MINUTE))
    return _(
        "{words}: about {minutes} at a calm pace. Nothing holds you to it.",
        words=_n(words, "{n} word", "{n} words"),
        minutes=_n(minutes, "{n} minute", "{n} minutes"),
    )


def _chosen(state: State, person_id: str, numbers: range, asked: int | None) -> int:
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
    """The reading goes on with the round that is asked next."""
    st.query_params.pop(READ, None)


def show_turn(turn: BlindTurn) -> None:
    """One turn: who says it, what they say, what it rests on. No side, no vote, no model."""
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
        st.markdown(safe_text(_prose(turn.content)))
        lines = _lines(turn)
        if lines:
            st.markdown("\n".join(lines))


def _prose(content: Content) -> str:
    """Without the claims of an argument: each has a line of its own."""
    if isinstance(content, Argument):
        return content.rationale
    return judge_view.spoken(content)


def _lines(turn: BlindTurn) -> list[str]:
    match turn.content:
        case Argument(claims=claims):
            return [_claim_line(turn, claim) for claim in claims]
        case Synthesis(established=established, contested=contested, strongest=strongest):
            lines: list[Linked | Strongest] = [*established, *contested, *strongest]
            return [f"- {safe_line(line.text)}{_answers(turn, line.links)}" for line in lines]
        case _:
            return []


def _claim_line(turn: BlindTurn, claim: Claim) -> str:
    quote = f" “{safe_line(claim.quote)}”" if claim.quote and claim.quote != claim.text else ""
    answers = _answers(turn, (*claim.answers, *claim.concedes))
    return f"- **{_claim_name(turn, claim.id)}:** {safe_line(claim.text)}{quote}{answers}"


def _claim_name(turn: BlindTurn, claim_id: str) -> str:
    """`claim 7`; what no claim is called stays as somebody wrote it."""
    number = turn.numbers.get(claim_id)
    return safe_line(claim_id) if number is None else _("claim {numbers}", numbers=number)


def _answers(turn: BlindTurn, ids: tuple[str, ...]) -> str:
    numbers = ", ".join(_claim_name(turn, claim_id) for claim_id in ids)
    return _(" :gray[(on {numbers})]", numbers=numbers) if numbers else ""


def model_verdicts(state: State, person_id: str) -> None:
    """What models and code that judge said, and in which order they read; hidden until the person's own is in."""
    if judge_view.hidden_verdicts(state, person_id):
        st.caption(_("What a model or code makes of this debate is shown once your final probabilities are in."))
        return
    for turn in state.turns:
        if isinstance(turn.content, Verdict) and state.spec.seat(turn.seat).occupant != "human":
            st.markdown(
                _(
                    "**{seat}**, which is no person: {verdict}",
                    seat=safe_id(turn.seat),
                    verdict=_verdict_words(turn.content),
                )
            )
            st.caption(_order_words(state, turn))


def _verdict_words(verdict: Verdict) -> str:
    option = safe_line(verdict.option) if verdict.option else _("a mixture, no single option")
    if verdict.confidence is None:
        return option
    return option + _(", by its own word {confidence} of 100 sure", confidence=verdict.confidence)


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
