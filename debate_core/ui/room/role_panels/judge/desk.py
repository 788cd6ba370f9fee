"""The judge's desk: read blind, give a probability for each option after each round, fill in a rubric, compare turns.

Knows no rules: the core says which round is asked and refuses what does not fit.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from debate_core.engine import judge_view
from debate_core.language import Words, _, message, spoken_list
from debate_core.record.acts import BeliefReported, Believed, Compared
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import brier_score, log_score
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results import judges
from debate_core.ui.room.live.component import is_narrow
from debate_core.ui.room.role_panels.judge import reading
from debate_core.ui.room.role_panels.judge.rubric import draw_rubric

PARTS = (message("Probabilities"), message("Rubric"), message("Pairs"))
NBSP = "\u00a0"
READING_PX = 560
"""On a wide screen the reading scrolls in a box of this height, so that the form stays in view beside it."""
BLIND = message(
    "You read blind: speakers have aliases, and turns and options are in an order drawn for you alone. "
    "You may still recognise a person by their style."
)
REASON = "pair-reason"
MAX_REASON_CHARS = 2_000
WINNERS = Words({"a": "The first", "b": "The second", "tie": "Equally good", "both_weak": "Both weak"})


def draw_judge_desk(state: State, me: Me) -> None:
    """Draw the desk of a judge; nothing for others."""
    if me.role != "judge":
        return
    with st.container(border=True, key="judge-desk"):
        st.subheader(_("You judge"), anchor=False)
        if not state.room.begun and state.outcome is None:
            st.caption(
                _("After each round you say how likely each option is to be right. The debate has not begun yet.")
            )
            return
        if judge_view.reads_blind(state, me.actor):
            st.caption(_(BLIND))
        part = st.segmented_control(
            _("Part of the desk"),
            PARTS,
            default=PARTS[0],
            format_func=_,
            required=True,
            key="judge-part",
            label_visibility="collapsed",
        )
        match part:
            case "Rubric":
                draw_rubric(state, me)
            case "Pairs":
                _draw_pair(state, me)
            case _:
                probabilities(state, me)
        session.show_problem()


def probabilities(state: State, me: Me) -> None:
    """Draw the reading, and beside it the form for the probabilities."""
    asked = judge_view.round_to_judge(state, me.actor)
    if asked is None:
        _draw_status(state, me)
        reading.rounds(state, me.actor, asked, unfolded=False)
    else:
        # On a phone one is below the other, and a box that scrolls within a page that scrolls is a trap.
        height: int | Literal["content"] = "content" if state.spec.practice or is_narrow(state.debate) else READING_PX
        read, give = st.columns([6, 5], gap="medium")
        with read, st.container(height=height, border=False, key="judge-page"):
            reading.rounds(state, me.actor, asked, unfolded=not is_narrow(state.debate))
        with give:
            _draw_form(state, me, asked)
    judges.own(state, me.actor)
    reading.model_verdicts(state, me.actor)


def _draw_status(state: State, me: Me) -> None:
    reports = judge_view.reports(state, me.actor)
    if any(report.final for report in reports.values()):
        words = _("Your final probabilities are in and cannot be changed.")
        st.success(words, icon=":material/check_circle:")
    elif state.outcome is not None:
        st.info(_("The judges were revealed. Probabilities can no longer be given."))
    else:
        number = max(state.current_round(), 1)
        st.info(_("Round {current_round} is running. You give your probabilities after it.", current_round=number))


def _draw_form(state: State, me: Me, number: int) -> None:
    """Draw 100 percent to divide among the options, in this judge's order of them, and the reason."""
    final = judge_view.is_final(state, number)
    reports = judge_view.reports(state, me.actor)
    draft = FormDraft(f"{state.debate}/{me.actor}/belief.{number}{'.final' if final else ''}", state.debate, me)
    options = judge_view.option_order(state, me.actor)
    reading.seconds_here(state, me.actor, number)
    start = _start(options, reports)
    percents = _percents(draft, start)

    def keep() -> None:
        # Kept for a reload; nothing to keep of sliders whose percentages were given.
        if parts.said(draft.part("shares")) is not None:
            draft.fill({f"p{place}": percent for place, percent in enumerate(_percents(draft, start))})

    of_letter = letters(state.spec.options)
    parts.ask_shares(
        _("After round {number}: how likely is each option the right one?", number=number),
        [parts.NamedOption(letter=of_letter[option], option=option, meaning="") for option in options],
        percents,
        key=draft.part("shares"),
        on_said=keep,
    )
    st.markdown(sentence(options, percents), help=stakes(options, percents))
    why = _("Why? (needed: these are your final probabilities)") if final else _("Why? (may stay empty)")
    before = reports[number].explanation if number in reports else ""
    st.text_area(why, max_chars=MAX_TEXT_CHARS, height=110, **draft.value("why", before))
    label, words = _button_words(state, final=final, is_given=number in reports)
    form = (state, me, number, draft, options, start)
    st.button(label, key="give-beliefs", type="primary", on_click=_give, args=form)
    st.caption(words)


def _button_words(state: State, *, final: bool, is_given: bool) -> tuple[str, str]:
    """The label of the button, and the sentence below it."""
    if final:
        return _("Give my final probabilities"), _("Nothing more follows to read, and these cannot be changed.")
    if state.spec.practice:
        return _("Give these probabilities"), _("You are asked again after the next round.")
    if is_given:
        words = _("Yours for this round are in. They can be changed until they are revealed.")
        return _("Change my probabilities"), words
    return _("Give these probabilities"), _("Only you see them until the facilitator reveals the judges.")


def _start(options: Sequence[str], reports: Mapping[int, BeliefReported]) -> tuple[int, ...]:
    """The first values of the sliders: the latest probabilities of this judge, else equal ones."""
    if not reports:
        return even(len(options))
    percents = reports[max(reports)].percents
    return tuple(percents[option] for option in options)


def _percents(draft: FormDraft, start: tuple[int, ...]) -> tuple[int, ...]:
    """The percents on the screen, else those of the draft; `start` where they do not add up to 100."""
    kept = [draft.get(f"p{place}") for place in range(len(start))]
    for found in (parts.said(draft.part("shares")), kept):
        percents = tuple(number for number in found if type(number) is int) if isinstance(found, Sequence) else ()
        if len(percents) == len(start) and sum(percents) == 100 and min(percents) >= 1:
            return percents
    return start


def even(count: int) -> tuple[int, ...]:
    """Equal whole percents; the remainder goes to the first options."""
    share, over = divmod(100, count)
    return tuple(share + (place < over) for place in range(count))


def sentence(options: Sequence[str], percents: Sequence[int]) -> str:
    """The probabilities in words."""
    most = max(percents)
    top = [f"*{safe_line(option)}*" for option, percent in zip(options, percents, strict=True) if percent == most]
    if len(top) == 1:
        return _("You think {top} is right: **{most}{nbsp}%**", top=top[0], most=most, nbsp=NBSP)
    return _("You think {top} equally likely: **{most}{nbsp}%** each", top=spoken_list(top), most=most, nbsp=NBSP)


def stakes(options: Sequence[str], percents: Sequence[int]) -> str:
    """The score of these probabilities if each option is right, as help text. For screens, safe text."""
    beliefs = {option: percent / 100 for option, percent in zip(options, percents, strict=True)}
    scores = [
        _(
            "{brier_score:.2f} ({log_score:.1f} bits) if {option} is right",
            brier_score=brier_score(beliefs, option),
            log_score=-log_score(beliefs, option),
            option=safe_line(option),
        )
        for option in options
    ]
    return _(
        "Scored once the right option is recorded. Brier score: 0 is best, 1 worst (in "
        "brackets −log2, 0 is best): {scores}.",
        scores="; ".join(scores),
    )


def _give(
    state: State, me: Me, number: int, draft: FormDraft, options: tuple[str, ...], start: tuple[int, ...]
) -> None:
    percents = zip(options, _percents(draft, start), strict=True)
    report = BeliefReported(
        round=number,
        beliefs=tuple(Believed(option=option, percent=percent) for option, percent in percents),
        explanation=draft.text("why"),
        final=judge_view.is_final(state, number),
        shown=options,
        read_s=reading.seconds_here(state, me.actor, number),
    )
    if session.act(state, me, report):
        draft.drop()
        reading.turn_over()


def _draw_pair(state: State, me: Me) -> None:
    """Draw the next two turns side by side, and the four answers; pairs that were compared least come first."""
    pair = judge_view.next_pair(state, me.actor)
    compared = sum(comparison.by == me.actor for comparison in state.room.of(Compared))
    if pair is None:
        done = _("You have compared every pair.")
        st.info(done if compared else _("There are no two turns of different speakers yet."))
        return
    first, second = pair

    def give(winner: str) -> None:
        reason = str(st.session_state.get(REASON, "")).strip()
        comparison = Compared.model_validate({"a": first, "b": second, "winner": winner, "reason": reason})
        if session.act(state, me, comparison):
            st.session_state[REASON] = ""

    st.caption(
        _(
            "Which turn is better argued, regardless of its side? "
            "You have compared {compared} so far and can stop at any time.",
            compared=compared,
        )
    )
    for column, where, words in zip(st.columns(2), pair, (_("First"), _("Second")), strict=True):
        with column:
            st.caption(words)
            reading.show_turn(judge_view.find(state, me.actor, where))
    st.text_input(_("Why? (may stay empty)"), key=REASON, max_chars=MAX_REASON_CHARS)
    with st.container(horizontal=True):
        for winner, words in WINNERS.items():
            st.button(words, key=f"pair-{winner}", on_click=give, args=(winner,))
