"""Turns of framers, moderators, evaluators and judges on the results page. Counts nothing."""

from collections.abc import Sequence

import streamlit as st

from debate_core.engine import voting
from debate_core.engine.rights import PROGRAMS
from debate_core.engine.stage import name_of, speaker_name
from debate_core.language import Words, _, format_number, spoken_list
from debate_core.record.state import State, Turn
from debate_core.report.facts.account import Account
from debate_core.report.facts.office_turns import options_in_directive
from debate_core.report.facts.people_shares import people_shares
from debate_core.report.facts.terms import named
from debate_core.report.phrases.content_lines import section_title
from debate_core.report.phrases.names import claim_name
from debate_core.report.phrases.outcome import unheard_words
from debate_core.report.phrases.people_shares import (
    alike_shares_sentence,
    people_shares_sentence,
    steering_words_sentence,
)
from debate_core.report.phrases.turns import another_round_words
from debate_core.spec.contents import (
    Directive,
    Evaluation,
    Framing,
    LineSection,
    Positions,
    Synthesis,
    Verdict,
)
from debate_core.spec.values import in_words
from debate_core.text import capitalized
from debate_core.ui.kit.tables import draw_table, draw_wrapping, safe_rows
from debate_core.ui.kit.text import safe_id, safe_line, safe_text
from debate_core.ui.kit.words import CONFIDENCE_WORDS


def verdicts(account: Account) -> None:
    """Draw the last verdict of a judge, then all verdicts as a table; comparisons of two options are no verdicts."""
    state = account.state
    found = [given for given in account.turns_giving(Verdict) if not state.phase(given[0].phase).paired]
    if not found:
        return
    st.header(_("Verdict"), anchor=False)
    with st.container(border=True):
        _draw_verdict(state, *found[-1])
    if len(found) > 1:
        rows = [_verdict_row(turn, verdict) for turn, verdict in found]
        draw_table(rows, alt=_("Every verdict, in order"))


def _draw_verdict(state: State, turn: Turn, verdict: Verdict) -> None:
    if verdict.option is None:
        st.badge(_("a mixture: no single option"), color="gray", icon=":material/balance:")
    else:
        st.badge(safe_line(verdict.option), color="blue", icon=":material/gavel:")
    if verdict.verdict:
        st.markdown(f"**{safe_line(verdict.verdict)}**")
    st.markdown(safe_text(verdict.reasoning))
    sure = ""
    if verdict.confidence is not None:
        sure = _(", {confidence} of 100 sure (self-reported)", confidence=verdict.confidence)
    st.caption(f"{_describe_giver(state, turn)}{sure}")
    if words := orders_words(voting.both_orders(state, turn)):
        st.markdown(safe_line(words))
    if words := unheard_words(state.outcome):
        st.markdown(safe_text(words))


def _verdict_row(turn: Turn, verdict: Verdict) -> dict[str, str | int]:
    return {
        _("Round"): turn.round,
        _("Phase"): named(turn.phase),
        _("Names"): verdict.option or _("a mixture"),
        _("Sure"): _("not said") if verdict.confidence is None else str(verdict.confidence),
    }


def orders_words(orders: Sequence[Synthesis | Verdict | None]) -> str:
    """The agreement of the two verdicts of a judge who was asked in both orders; empty if asked in one."""
    if len(orders) != 2:
        return ""
    first, second = orders
    if first is None or second is None:
        return _("Asked in both orders, and only one was answered: this verdict names nothing.")
    sure = spoken_list(
        [
            _("not said") if order.confidence is None else _("{confidence} of 100", confidence=order.confidence)
            for order in (first, second)
        ]
    )
    if first.option == second.option:
        return _("Asked in both orders, the same in both. How sure in each: {sure}.", sure=sure)
    return _(
        "Asked in both orders, and it named {first} and then {second}: the order decided, so this verdict names "
        "nothing. Sure: {sure}.",
        first=first.option or _("no single option"),
        second=second.option or _("no single option"),
        sure=sure,
    )


def _describe_giver(state: State, turn: Turn) -> str:
    giver = _giver(state, turn)
    by = "" if giver == turn.seat else _(", given by {by}", by=safe_line(giver))
    return _("{seat}{by}, round {round}", seat=safe_id(turn.seat), by=by, round=turn.round)


def _giver(state: State, turn: Turn) -> str:
    """The seat, or the name of the person who gave its turn."""
    return turn.seat if turn.by in PROGRAMS else name_of(state, turn.by)


def evaluations(account: Account) -> None:
    """Draw the quality of the arguments and the settled points of each round; nothing without an evaluation."""
    found = account.turns_giving(Evaluation)
    if not found:
        return
    st.header(_("Evaluation"), anchor=False)
    st.caption(_("How well each seat argued, regardless of its side. This is no count and names no winner."))
    rows = [
        {_("Seat"): in_words(q.seat), _("Round"): t.round, _("Phase"): named(t.phase), _("Quality, 1 to 10"): q.score}
        for t, e in found
        for q in e.quality
    ]
    if rows:
        draw_table(rows, height="content", alt=_("Quality of the arguments of every seat"))
    for turn, evaluation in reversed(found):
        with st.expander(
            _("Round {round} · {seat}", round=turn.round, seat=in_words(turn.seat)),
            expanded=turn is found[-1][0],
            key=f"evaluation-{turn.request}",
        ):
            _draw_evaluation(account, evaluation)


def _draw_evaluation(account: Account, evaluation: Evaluation) -> None:
    st.markdown(safe_text(evaluation.synthesis))
    lines = []
    for line in evaluation.lines:
        if line.section in _LABELS:
            claims = ", ".join(claim_name(account, link) for link in line.links)
            links = _(" (rests on {named})", named=safe_line(claims)) if claims else ""
            lines.append(f"- **{_LABELS[line.section]}**: {safe_line(line.text)}{links}")
    if lines:
        st.markdown("\n".join(lines))
    another = another_round_words(recommended=evaluation.recommend_another_round)
    st.caption(
        _(
            "Confidence level {confidence_level}; {another}",
            confidence_level=CONFIDENCE_WORDS[evaluation.confidence_level],
            another=another,
        )
    )


_LABELS: Words[LineSection] = Words({"resolved": "Resolved", "unresolved": "Unresolved", "uncertainty": "Uncertain"})


def steering(account: Account) -> None:
    """Draw the framing, the positions and the directives; nothing without any of them."""
    framings = account.turns_giving(Framing)
    directives = account.turns_giving(Directive)
    sides = account.turns_giving(Positions)
    if not (*framings, *directives, *sides):
        return
    st.header(_("How it was steered"), anchor=False)
    for turn, framing in framings:
        with st.container(border=True):
            st.markdown(f"**{safe_text(framing.thesis)}**")
            lines = (f"- {section_title(line.section)}: {safe_line(line.text)}" for line in framing.lines)
            st.markdown("\n".join(lines))
            st.caption(_describe_giver(account.state, turn))
    for turn, positions in sides:
        with st.container(border=True):
            st.markdown(safe_text(positions.reason))
            lines = (
                _(
                    "- **{name}**: {claim} Because: {because}",
                    name=safe_line(position.name),
                    claim=safe_line(position.claim),
                    because=safe_line(position.because),
                )
                for position in positions.positions
            )
            st.markdown("\n".join(lines))
            st.caption(_describe_giver(account.state, turn))
    if directives:
        rows = [_directive_row(account.state, turn, directive) for turn, directive in directives]
        draw_table(rows, height="content", alt=_("Directives of every round"))
        st.caption(_("The last directive of a round is the one that counted."))
    if words := steering_words_sentence(account):
        st.caption(safe_text(words))


def _directive_row(state: State, turn: Turn, directive: Directive) -> dict[str, str | int]:
    speakers = " → ".join(map(in_words, directive.next_speakers)) or _("no one")
    return {
        _("Round"): turn.round,
        _("By"): in_words(_giver(state, turn)),
        _("Speakers"): _("sent back to the moderator") if directive.redo else speakers,
        _("Briefing"): directive.briefing,
        _("New angle"): directive.new_angle,
        _("Why"): directive.reason,
        _("Last round"): _("yes") if directive.done else _("no"),
        _("Names an option"): spoken_list(options_in_directive(state, directive)),
    }


def participation(account: Account) -> None:
    """Draw the turns and words of each seat; nothing before the end, because an open phase hides turns."""
    if not account.state.outcome:
        return
    rows = [
        {
            _("Seat"): capitalized(speaker_name(account.state, row.seat)),
            _("Turns"): row.turns,
            _("Words"): row.words,
            _("Share of all words"): format_number(row.share, ".0%"),
        }
        for row in account.shares
    ]
    if rows:
        st.header(_("Who spoke how much"), anchor=False)
        if alike := alike_shares_sentence(account.shares):
            st.markdown(safe_text(alike))
        else:
            draw_wrapping(safe_rows(rows), alt=_("Turns and words of each seat"), key="participation")
        # Where each person spoke for one seat, it would repeat the table.
        people = account.once(people_shares)
        if sorted(row.share for row in people) != sorted(row.share for row in account.shares):
            st.markdown(safe_text(people_shares_sentence(account)))
