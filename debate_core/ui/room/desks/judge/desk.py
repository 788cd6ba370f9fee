"""The judge's desk: read blind, say after each round how likely each option is, fill in a rubric, compare turns.

Knows no rules: the core says which round is asked and refuses what does not fit.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine import judge_view
from debate_core.language import _, message, spoken_list
from debate_core.record.acts import BeliefReported, Believed
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import brier_score, log_score
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results import judges
from debate_core.ui.room.desks.judge import pairs, reading, rubric
from debate_core.ui.room.live.component import is_narrow

PARTS = (message("Probabilities"), message("Rubric"), message("Pairs"))
NBSP = "\u00a0"
READING_PX = 560
"""What is read has its own scroll on a wide screen, so that what is given stays in view beside it."""
BLIND = message(
    "You read blind: speakers have names drawn for you alone, turns and options an order of your "
    "own. Who writes in a way that you know may still be recognised."
)


def show(state: State, me: Me) -> None:
    """The desk of a judge; nothing for anybody else."""
    if me.role != "judge":
        return
    with st.container(border=True, key="judge-desk"):
        st.subheader(_("You judge"), anchor=False)
        if not state.room.begun and state.outcome is None:
            st.caption(_("When a round is over you say how likely each option is the right one. It has not begun yet."))
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
                rubric.show(state, me)
            case "Pairs":
                pairs.show(state, me)
            case _:
                probabilities(state, me)
        session.show_problem()


def probabilities(state: State, me: Me) -> None:
    """What is to be read, and beside it what is to be given."""
    asked = judge_view.round_to_judge(state, me.actor)
    if asked is None:
        _nothing_asked(state, me)
        reading.rounds(state, me.actor, asked, unfolded=False)
    else:
        # On a phone both stand one under the other, and a box that scrolls within a page that scrolls is a trap.
        height: int | Literal["content"] = "content" if state.spec.practice or is_narrow(state.debate) else READING_PX
        read, give = st.columns([6, 5], gap="medium")
        with read, st.container(height=height, border=False, key="judge-page"):
            reading.rounds(state, me.actor, asked, unfolded=not is_narrow(state.debate))
        with give:
            _form(state, me, asked)
    judges.own(state, me.actor)
    reading.model_verdicts(state, me.actor)


def _nothing_asked(state: State, me: Me) -> None:
    reports = judge_view.reports(state, me.actor)
    if any(report.final for report in reports.values()):
        st.success(_("Your final probabilities are in. They stand."), icon=":material/check_circle:")
    elif state.outcome is not None:
        st.info(_("The judges were revealed: nobody can give probabilities any more."))
    else:
        st.info(
            _(
                "Round {current_round} is being held. When it is over, your probabilities are asked.",
                current_round=max(state.current_round(), 1),
            )
        )


def _form(state: State, me: Me, number: int) -> None:
    """100 percent to share out between the options, in this judge's order of them, and why."""
    final = judge_view.is_final(state, number)
    reports = judge_view.reports(state, me.actor)
    draft = FormDraft(f"{state.debate}/{me.actor}/belief.{number}{'.final' if final else ''}", state.debate, me)
    options = judge_view.option_order(state, me.actor)
    reading.seconds_here(state, me.actor, number)
    start = _start(options, reports)
    percents = _percents(draft, start)
    of_letter = letters(state.spec.options)
    parts.ask_shares(
        _("After round {number}: how likely is each option the right one?", number=number),
        [parts.NamedOption(letter=of_letter[option], option=option) for option in options],
        percents,
        key=draft.part("shares"),
        on_said=partial(_keep, draft, start),
    )
    st.markdown(sentence(options, percents), help=stakes(options, percents))
    why = _("Why? (needed: these are your final probabilities)") if final else _("Why? (may stay empty)")
    before = reports[number].explanation if number in reports else ""
    st.text_area(why, max_chars=MAX_TEXT_CHARS, height=110, **draft.value("why", before))
    if final:
        label = _("Give my final probabilities")
        words = _("Final: nothing more is to be read, and they cannot be changed.")
    elif state.spec.practice:
        label = _("Give these probabilities")
        words = _("You are asked again after the next round.")
    elif number in reports:
        label = _("Change my probabilities")
        words = _("Yours for this round are in. They can be changed until they are revealed.")
    else:
        label = _("Give these probabilities")
        words = _("Only you see them until the facilitator reveals the judges.")
    form = (state, me, number, draft, options, start)
    st.button(label, key="give-beliefs", type="primary", on_click=_give, args=form)
    st.caption(words)


def _start(options: Sequence[str], reports: Mapping[int, BeliefReported]) -> tuple[int, ...]:
    """What the sliders begin with: what this judge said last, else all alike."""
    if not reports:
        return even(len(options))
    percents = reports[max(reports)].percents
    return tuple(percents[option] for option in options)


def _percents(draft: FormDraft, start: tuple[int, ...]) -> tuple[int, ...]:
    """As they stand on the screen, else as kept before a reload; the start where they are not together 100."""
    on_screen = _on_screen(draft)
    kept = [draft.get(f"p{place}") for place in range(len(start))]
    for percents in (_whole_numbers(on_screen), _whole_numbers(kept)):
        if len(percents) == len(start) and sum(percents) == 100 and min(percents) >= 1:
            return percents
    return start


def _whole_numbers(told: object) -> tuple[int, ...]:
    if not isinstance(told, Sequence):
        return ()
    return tuple(number for number in told if type(number) is int)


def _on_screen(draft: FormDraft) -> object:
    return parts.said(draft.part("shares"))


def _keep(draft: FormDraft, start: tuple[int, ...]) -> None:
    """What was moved, so that it survives a reload; not what is told of sliders whose percentages were given."""
    if _on_screen(draft) is None:
        return
    draft.fill({f"p{place}": percent for place, percent in enumerate(_percents(draft, start))})


def even(count: int) -> tuple[int, ...]:
    """As equal as whole percents can be; what is left over goes to the first."""
    share, over = divmod(100, count)
    return tuple(share + (place < over) for place in range(count))


def sentence(options: Sequence[str], percents: Sequence[int]) -> str:
    """What the numbers say, in words."""
    most = max(percents)
    top = [f"*{safe_line(option)}*" for option, percent in zip(options, percents, strict=True) if percent == most]
    if len(top) == 1:
        return _("You think {top} is right: **{most}{nbsp}%**", top=top[0], most=most, nbsp=NBSP)
    return _("You think {top} equally likely: **{most}{nbsp}%** each", top=spoken_list(top), most=most, nbsp=NBSP)


def stakes(options: Sequence[str], percents: Sequence[int]) -> str:
    """What these numbers would score under each truth: help for whoever asks. For screens, safe text."""
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
        "Scored when it is recorded which option turned out right, by Brier: 0 is best, 1 worst (in "
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
