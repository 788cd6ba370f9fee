"""The judge's desk: read blind, give a probability for each option after each round, fill in a rubric, compare turns.

Knows no rules: the core says which round is asked and refuses what does not fit.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.engine import judge_view
from debate_core.engine.stage import judges_late
from debate_core.language import Words, _, message, spoken_list
from debate_core.record.acts import BeliefReported, Believed, Compared
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import brier_score, log_score
from debate_core.report.facts.vote_bars import letters
from debate_core.report.phrases.judging import counting_words, progress_words, resting_words
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.beliefs import own_part
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results import judges
from debate_core.ui.room.role_panels.judge import reading
from debate_core.ui.room.role_panels.judge.beliefs import may_read_mean
from debate_core.ui.room.role_panels.judge.rubric import draw_rubric

PARTS = (message("Probabilities"), message("Rubric"), message("Pairs"))
NBSP = "\u00a0"
# On a wide screen the reading scrolls in a box that ends with the window, so that the form stays in view beside it.
# On a phone one is below the other: a box that scrolls within a page that scrolls is a trap. There the button is not in
# reach before the sliders, so that no one gives probabilities that they have not seen.
STYLE = """<style>
.st-key-judge-desk { gap: 0.6rem; padding-top: 0.6rem; }
.st-key-judge-head { justify-content: space-between; }
.st-key-judge-head h3 { padding: 0; }
.st-key-judge-page, .st-key-give-in-reach { gap: 0.6rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-judge-pager) {
  position: sticky; bottom: 0; z-index: 2; padding: 4px 0; background: var(--st-background-color, Canvas); }
.st-key-judge-pager [data-testid="stSelectbox"] { flex: 1 1 200px; }
[data-testid="stLayoutWrapper"]:has(> .st-key-give-in-reach),
[data-testid="stLayoutWrapper"]:has(> .st-key-pair-choices) {
  position: sticky; bottom: 0; z-index: 2; padding: 6px 0; background: var(--st-background-color, Canvas); }
.st-key-pair-choices button, .st-key-give-in-reach button, .st-key-judge-pager button { min-height: 44px; }
#judge-give { scroll-margin-top: 12rem; }
.to-give { color: inherit; line-height: 44px; }
@media (min-width: 640px) {
  :has(> .stHtml > .to-give), :has(> .stHtml > #judge-give) { display: none; }
  .st-key-judge-page { max-height: max(320px, calc(100dvh - 350px)); padding-right: 0.5rem; overflow-y: auto; }
}
@media (max-width: 639px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-judge-pager) { bottom: 44px; }
  :has(> .stHtml > .to-give) {
    position: sticky; bottom: 0; z-index: 2; background: var(--st-background-color, Canvas); }
  .st-key-judge-head [data-testid="stButtonGroup"] button { padding: 0 8px; }
  .st-key-pair-choices > * { flex: 1 1 40%; }
  .st-key-judge-pager { flex-wrap: nowrap; }
  .st-key-judge-pager > :has([data-testid="stSelectbox"]) { flex: 1; order: 1; min-width: 0; }
  .st-key-judge-pager > .st-key-judge-arrow_forward { order: 2; }
  .st-key-judge-pager button [data-testid="stMarkdownContainer"] { font-size: 0; }
  .st-key-judge-turn { padding: 0; border: 0; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-give-in-reach > .st-key-give-beliefs) { position: static; }
}
</style>"""
BLIND = message(
    "You read blind until your final probabilities: speakers have aliases, and turns and options are in an order drawn "
    "for you alone. You may still recognise a person by their style, or a claim by its number."
)
MAX_REASON_CHARS = 2_000
WINNERS = Words({"a": "The first", "b": "The second", "tie": "Equally good", "both_weak": "Both weak"})


def is_beside(state: State, me: Me) -> bool:
    """True while the desk asks for nothing now, so that the column beside the transcript is wide enough."""
    return not judge_view.is_asked_to_judge(state, me.actor) and _is_at_probabilities()


def draw_judge_desk(state: State, me: Me, *, narrow: bool) -> None:
    """Draw the desk of a judge; nothing for others. On a phone, what is not asked yet is folded."""
    if me.role != "judge":
        return
    with st.container(border=True, key="judge-desk"):
        st.html(STYLE)
        if not state.room.begun and state.outcome is None:
            st.subheader(_("You judge"), anchor=False)
            st.caption(
                _("After each round you say how likely each option is to be right. The debate has not begun yet.")
            )
            return
        part = _draw_head(state, me)
        # In a container, so that the parts take turns in one place.
        with st.container():
            match part:
                case "Probabilities":
                    probabilities(state, me, narrow=narrow)
                case _ if judge_view.is_judging_closed(state, me.actor):
                    st.info(_("The judges were revealed: the rubric and the pairs are closed."))
                case "Rubric":
                    _draw_rubric(state, me)
                case _:
                    _draw_pair(state, me)
        session.show_problem()


def _draw_head(state: State, me: Me) -> str:
    """Draw the choice of the part, and what is given, what comes next and what counts; returns the part."""
    following, given = resting_words(state, me.actor)
    with st.container(horizontal=True, vertical_alignment="center", key="judge-head"):
        st.subheader(following or _("You judge how likely each option is the right one"), anchor=False)
        part = _choose_part() if _has_more(state, me) else PARTS[0]
    words = f"**{given or progress_words(state, me.actor)}** {counting_words(state, me.actor)}"
    if judge_view.reads_blind(state, me.actor):
        st.markdown(
            _("{words} Speakers have other names here than on the wall.", words=words),
            help=_(BLIND),
        )
    else:
        st.markdown(words)
    return part


def _has_more(state: State, me: Me) -> bool:
    """True while the rubric and the pairs can be given, and until a judge leaves one of them that has closed."""
    if judge_view.is_judging_closed(state, me.actor) and _is_at_probabilities():
        return False
    return bool(judge_view.complete_rounds(state))


def _is_at_probabilities() -> bool:
    return bool(st.session_state.get("judge-part", PARTS[0]) == PARTS[0])


def _choose_part() -> str:
    """Draw the switch between the parts of the desk; out of sight beside the probabilities, which alone are asked."""
    is_folded = _is_at_probabilities()
    with (
        st.popover(_("Optional: grade or compare turns"), type="tertiary", key="judge-more")
        if is_folded
        else nullcontext()
    ):
        return st.segmented_control(
            _("Part of the desk"),
            PARTS,
            default=PARTS[0],
            format_func=_,
            required=True,
            key="judge-part",
            label_visibility="collapsed",
        )


def _draw_latest(state: State, me: Me, *, is_folded: bool) -> None:
    """Draw the probabilities that this judge gave last; nothing without any."""
    given = judge_view.reports(state, me.actor)
    if not given:
        return
    last = max(given)
    words = _("Your answer after round {number}, in percent", number=last)
    if given[last].final:
        words = _("Your final answer, in percent. It cannot be changed.")
    percents = {option: given[last].percents[option] for option in state.spec.options}
    fold = st.expander(words, icon=":material/how_to_vote:", key="judge-answer", type="compact") if is_folded else None
    with fold or st.container():
        if not is_folded:
            st.caption(words)
        parts.draw(own_part(percents, state if may_read_mean(state, me) else None), key="given-beliefs")


def _draw_ahead(state: State, me: Me, *, narrow: bool) -> bool:
    """Draw the sliders of a round that is still under way, whose values are kept as a draft.

    Only for those who judge while the debate goes on; False for others, and without such a round.
    """
    number = max(state.current_round(), 1)
    is_over = state.outcome is not None or not state.room.begun
    if is_over or judge_view.mode_of(state, me.actor) != "live" or judge_view.done_judging(state, me.actor):
        return False
    label = _("Round {number} so far: how likely is each option the right one?", number=number)
    words = _("Set your probabilities so far")
    fold = st.expander(words, icon=":material/tune:", key="judge-ahead", type="compact") if narrow else st.container()
    with fold:
        _ask_percents(state, me, _draft_of(state, me, number), label)
        st.caption(_("Kept for you. You can give them when round {number} is over.", number=number))
    return True


def probabilities(state: State, me: Me, *, narrow: bool = False) -> None:
    """Draw the reading, and beside it the form for the probabilities."""
    asked = judge_view.round_to_judge(state, me.actor)
    if asked is None:
        has_given = any(report.final for report in judge_view.reports(state, me.actor).values())
        if state.outcome is not None and not has_given:
            st.info(_("The judges were revealed. Probabilities can no longer be given."))
        has_sliders = _draw_ahead(state, me, narrow=narrow)
        _draw_latest(state, me, is_folded=has_sliders)
        with st.expander(_("Read every turn"), icon=":material/menu_book:", key="judge-reads", type="compact"):
            reading.draw_turns(state, me, asked)
    else:
        with _beside_reading(state, me, asked, to_form=_("To the probabilities")):
            _draw_form(state, me, asked)
    judges.own(state, me.actor)
    reading.model_verdicts(state, me.actor)


def _draw_rubric(state: State, me: Me) -> None:
    if not judge_view.complete_rounds(state):
        st.info(_("The rubric opens when the first round is over."))
        return
    with _beside_reading(state, me, judge_view.round_to_judge(state, me.actor), to_form=_("To the rubric")):
        draw_rubric(state, me)


def _beside_reading(state: State, me: Me, asked: int | None, *, to_form: str) -> DeltaGenerator:
    """Draw the reading, and return the place for the form: beside it, on a phone below, where a link leads to it."""
    read, give = st.columns([1, 1], gap="medium")
    with read, st.container(key="judge-page"):
        reading.draw_turns(state, me, asked)
        st.html(f'<a class="to-give" href="#judge-give">{escape(to_form)} ↓</a>')
    with give:
        st.html('<a id="judge-give"></a>')
    return give


def _draft_of(state: State, me: Me, number: int) -> FormDraft:
    return FormDraft(f"{state.debate}/{me.actor}/belief.{number}", state.debate, me)


def _ask_percents(state: State, me: Me, draft: FormDraft, label: str) -> tuple[tuple[str, ...], tuple[int, ...], bool]:
    """Draw 100 percent to divide among the options, in this judge's order of them.

    Returns the options, the percents with which the sliders began, and whether this judge has said any.
    """
    reports = judge_view.reports(state, me.actor)
    options = judge_view.option_order(state, me.actor)
    start = _start(options, reports)
    percents = _percents(draft, start)
    is_said = _is_said(draft, reports, len(options))

    def keep() -> None:
        # Kept for a reload; nothing to keep of sliders whose percentages were given.
        if parts.said(draft.part("shares")) is not None:
            said = _said_percents(draft, len(options))
            draft.fill({f"p{place}": percent for place, percent in enumerate(said)})

    of_letter = letters(state.spec.options)
    parts.ask_shares(
        label,
        _named_options(options, of_letter),
        percents,
        unsaid="" if is_said else _("Not set yet: tap a line, or"),
        equal=_("All equally likely"),
        key=draft.part("shares"),
        on_said=keep,
    )
    if is_said:
        st.markdown(sentence(options, percents), help=stakes(options, percents))
    return options, start, is_said


def _draw_form(state: State, me: Me, number: int) -> None:
    """Draw the percentages, the reason, and the button that gives them."""
    final = judge_view.is_final(state, number)
    reports = judge_view.reports(state, me.actor)
    draft = _draft_of(state, me, number)
    reading.seconds_here(state, me.actor, number)
    label = _("After round {number}: how likely is each option the right one?", number=number)
    options, start, is_said = _ask_percents(state, me, draft, label)
    is_given = number in reports
    before = reports[number].explanation if is_given else ""
    _ask_why(draft, before, final=final)
    has_changed = _percents(draft, start) != start or draft.text("why") != before.strip()
    label, words = _button_words(state, me, final=final, is_given=is_given, has_changed=has_changed)
    form = (state, me, number, draft, options, start)
    st.caption(words)
    with st.container(key="give-in-reach"):
        st.button(
            label if is_said else _("{label}: set them first", label=label),
            key="give-beliefs",
            type="primary",
            width="stretch",
            on_click=_give,
            args=form,
            disabled=not is_said,
        )


def _named_options(options: Sequence[str], of_letter: Mapping[str, str]) -> list[parts.NamedOption]:
    return [parts.NamedOption(letter=of_letter[option], option=option, meaning="") for option in options]


def _ask_why(draft: FormDraft, before: str, *, final: bool) -> None:
    why = _("Why? (needed: these are your final probabilities)") if final else _("Why? (may stay empty)")
    st.text_area(why, max_chars=MAX_TEXT_CHARS, height=68, **draft.value("why", before))


def _button_words(state: State, me: Me, *, final: bool, is_given: bool, has_changed: bool) -> tuple[str, str]:
    """The label of the button, and the sentence below it about what is saved and given."""
    if final:
        words = _("Not given yet; your entries are kept. Nothing more follows to read, and once given they are final.")
        return _("Give my final probabilities"), words
    if state.spec.practice:
        return _("Give these probabilities"), _("You are asked again after the next round.")
    if is_given and has_changed:
        words = _("Your change is kept as a draft and not given yet. Until then your earlier probabilities count.")
        return _("Change my probabilities"), words
    if is_given:
        words = _("Yours for this round are in. They can be changed until they are revealed.")
        return _("Change my probabilities"), words
    words = _("Not given yet; your entries are kept. Only you see them until the facilitator reveals the judges.")
    if judges_late(state, me.actor):
        words = _("Not given yet; your entries are kept. Everyone can read them once you give them.")
    return _("Give these probabilities"), words


def _start(options: Sequence[str], reports: Mapping[int, BeliefReported]) -> tuple[int, ...]:
    """The first values of the sliders: the latest probabilities of this judge, else equal ones."""
    if not reports:
        return even(len(options))
    percents = reports[max(reports)].percents
    return tuple(percents[option] for option in options)


def _percents(draft: FormDraft, start: tuple[int, ...]) -> tuple[int, ...]:
    """The percents on the screen, else those of the draft; `start` where they do not add up to 100."""
    return _said_percents(draft, len(start)) or start


def _said_percents(draft: FormDraft, count: int) -> tuple[int, ...]:
    """The same; empty where nothing was said."""
    kept = [draft.get(f"p{place}") for place in range(count)]
    for found in (parts.said(draft.part("shares")), kept):
        percents = tuple(number for number in found if type(number) is int) if isinstance(found, Sequence) else ()
        if len(percents) == count and sum(percents) == 100 and min(percents) >= 1:
            return percents
    return ()


def _is_said(draft: FormDraft, reports: Mapping[int, BeliefReported], count: int) -> bool:
    """True once this judge has given probabilities here or earlier: a slider that no one moved is no answer."""
    return bool(reports) or bool(_said_percents(draft, count))


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
    if not _is_said(draft, judge_view.reports(state, me.actor), len(options)):
        return
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
        session.tell(_("Your probabilities are in"))
        draft.drop()
        if judge_view.round_to_judge(session.host().state(state.debate), me.actor) != number:
            reading.begin_in_view(state, me)


def _draw_pair(state: State, me: Me) -> None:
    """Draw the next two turns side by side, and the four answers; pairs that were compared least come first."""
    pair = judge_view.next_pair(state, me.actor)
    compared = sum(comparison.by == me.actor for comparison in state.room.of(Compared))
    if pair is None:
        done = _("You have compared every pair.")
        st.info(done if compared else _("There are no two turns of different speakers yet."))
        return
    # With the number of the pair, so that a late press cannot compare the next one.
    draft = FormDraft(f"{state.debate}/{me.actor}/pair.{compared}", state.debate, me)
    first, second = pair

    def give(winner: str) -> None:
        comparison = Compared.model_validate({"a": first, "b": second, "winner": winner, "reason": draft.text("why")})
        if session.act(state, me, comparison):
            draft.drop()
            reading.begin_in_view(state, me)

    st.caption(
        _(
            "Which turn is better argued, regardless of its side? "
            "You have compared {compared} so far and can stop at any time.",
            compared=compared,
        )
    )
    reading.scroll_to_begin(state, me)
    for column, where, words in zip(st.columns(2), pair, (_("First"), _("Second")), strict=True):
        with column:
            st.caption(words)
            reading.show_turn(judge_view.find(state, me.actor, where), alone=False)
    st.text_input(_("Why? (may stay empty)"), max_chars=MAX_REASON_CHARS, **draft.value("why"))
    with st.container(horizontal=True, gap="small", key="pair-choices"):
        for place, (winner, words) in enumerate(WINNERS.items()):
            st.button(
                words,
                key=f"{draft.name}:is {winner}",
                width="stretch",
                shortcut=single_keys.digit_key(state, me, place),
                on_click=give,
                args=(winner,),
            )
