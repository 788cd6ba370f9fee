"""The reading of a judge: one turn after the other, under aliases and in random order; its length; and the verdicts of
models.

Shows only what `judge_view` gives.
"""

import time
from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from debate_core.engine import judge_view
from debate_core.engine.judge_view import BlindTurn
from debate_core.language import Words, _, _n, quoted, said
from debate_core.record.state import State, Turn
from debate_core.report.facts.terms import named
from debate_core.sentence import Sentence
from debate_core.spec.contents import Argument, Linked, Strongest, Synthesis, Verdict
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.failures import UNSAVED_CLOCK, UNSAVED_PLACE
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id, safe_line, safe_text

WORDS_A_MINUTE = 240
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


def draw_turns(state: State, me: Me, asked: int | None) -> None:
    """Draw one turn of a readable round, with the way to the others. The place is kept on the server.

    `asked`: the round to judge, with which a new reading begins.
    """
    last = judge_view.last_readable(state, me.actor)
    mode = judge_view.mode_of(state, me.actor)
    numbers = range(1, min(last, judge_view.complete_rounds(state)) + 1)
    if not numbers:
        return
    draft = FormDraft(f"{state.debate}/{me.actor}/reading", state.debate, me, UNSAVED_PLACE)
    number = _choose_round(draft, numbers, 1 if mode == "timed" else asked)
    turns = judge_view.reading(state, me.actor, number)
    if turns:
        _draw_place(state, me, draft, numbers, number, turns)
    st.caption(" ".join(_about_round(state, me, turns, asked, last)))


def _about_round(state: State, me: Me, turns: Sequence[BlindTurn], asked: int | None, last: int) -> Iterator[str]:
    """Sentences about the length of a round, the clock of a timed judge, and the next round of a stepped one."""
    yield _duration_words(turns)
    mode = judge_view.mode_of(state, me.actor)
    if mode == "timed" and asked is not None:
        so_far = _n(seconds_here(state, me.actor, asked) // 60, "{n} minute", "{n} minutes")
        yield _(
            "You read the whole debate at once. The clock runs from your first look: {so_far} so far.", so_far=so_far
        )
    if mode == "stepped" and last < state.current_round():
        yield _(
            "Round {next_round} opens when your probabilities for round {latest_round} are in.",
            next_round=last + 1,
            latest_round=last,
        )


def _draw_place(
    state: State, me: Me, draft: FormDraft, numbers: range, number: int, turns: Sequence[BlindTurn]
) -> None:
    """Draw the current turn above the buttons to the others, which stay in sight and lead on to the other rounds."""
    field = _turn_field(number)
    places = [str(place) for place in range(len(turns))]
    kept = draft.text(field)
    place = places.index(kept) if kept in places else 0
    before, after = (number, place - 1), (number, place + 1)
    if place == 0:
        before = (number - 1, len(judge_view.reading_order(state, me.actor, number - 1)) - 1)
    if place + 1 == len(turns):
        after = (number + 1, 0)

    def go_to(number: int, place: int) -> None:
        draft.fill({_round_field(numbers): str(number), _turn_field(number): str(place)})
        begin_in_view(state, me)

    def draw_step(label: str, to: tuple[int, int], key: str, icon: str) -> None:
        is_readable = to[0] in numbers
        st.button(
            label if to[0] == number or not is_readable else _("Round {number}", number=to[0]),
            key=f"judge-{icon}",
            icon=f":material/{icon}:",
            disabled=not is_readable,
            shortcut=single_keys.single_key(state, me, key),
            on_click=go_to,
            args=to,
        )

    scroll_to_begin(state, me)
    show_turn(turns[place])
    with st.container(horizontal=True, gap="small", key="judge-pager"):
        draw_step(_("Previous turn"), before, "P", "arrow_back")
        draw_step(_("Next turn"), after, "N", "arrow_forward")
        st.selectbox(
            _("Turn of the round"),
            places,
            format_func=lambda place: _place_words(turns, int(place)),
            label_visibility="collapsed",
            **draft.one_of(field, places, "0"),
        )


def _turn_field(number: int) -> str:
    return f"turn of round {number}"


def _round_field(numbers: range) -> str:
    """Another field for each number of rounds: a round that becomes readable begins the choice again."""
    return f"round of {len(numbers)}"


def begin_in_view(state: State, me: Me) -> None:
    """Let the next drawing scroll to the begin of its text, because another text has taken the place."""
    name = _texts_key(state, me)
    st.session_state[name] = st.session_state.get(name, 0) + 1


def scroll_to_begin(state: State, me: Me) -> None:
    """Scroll to this place, once after each change of the text."""
    name = _texts_key(state, me)
    if name in st.session_state:
        parts.scroll_here(key=f"{name}-{st.session_state[name]}", block="nearest")


def _texts_key(state: State, me: Me) -> str:
    return f"{state.debate}/{me.actor}:texts"


def _place_words(turns: Sequence[BlindTurn], place: int) -> str:
    """`2/4 · Speaker Kite`: a phone cuts more words, and the phase is above the text."""
    return f"{place + 1}/{len(turns)} · {_speaker(turns[place])}"


def _speaker(turn: BlindTurn) -> str:
    """The alias in the language of the reader; the name of a seat as it is."""
    return said(turn.speaker) if isinstance(turn.speaker, Sentence) else turn.speaker


def _duration_words(turns: Sequence[BlindTurn]) -> str:
    words = sum(len(judge_view.spoken(turn.content).split()) for turn in turns if turn.content)
    minutes = max(1, round(words / WORDS_A_MINUTE))
    return _(
        "{words}, about {minutes}.",
        words=_n(words, "{n} word", "{n} words"),
        minutes=_n(minutes, "{n} minute", "{n} minutes"),
    )


def _choose_round(draft: FormDraft, numbers: range, asked: int | None) -> int:
    """Draw the choice of a round; when another round becomes readable, the choice begins again with the asked one."""
    first = next((number for number in numbers if number == asked), numbers[-1])
    if len(numbers) == 1:
        return first
    names = {str(number): _("Round {number}", number=number) for number in numbers}
    chosen = st.segmented_control(
        _("Round"),
        [*names],
        format_func=names.__getitem__,
        required=True,
        label_visibility="collapsed",
        **draft.pill_of(_round_field(numbers), [*names], str(first)),
    )
    return int(chosen)


def show_turn(turn: BlindTurn, *, alone: bool = True) -> None:
    """Draw one turn: speaker, text, and the claims or lines it rests on. No side, no vote, no model.

    A turn `alone` on the page needs no frame on a phone.
    """
    with st.container(border=True, key="judge-turn" if alone else None):
        st.markdown(f"**{safe_line(_speaker(turn))}** · {safe_line(named(turn.phase))}")
        if turn.content is None:
            st.caption(_GONE.get(turn.status, "No usable turn was given here."))
            return
        if turn.gives_away:
            # A caption is dimmed: its orange is too faint to read.
            st.markdown(
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
                quote = f" {quoted(safe_line(claim.quote))}" if claim.quote and claim.quote != claim.text else ""
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
