"""What stands beside the fields of the set-up page: what will be agreed, what it will use, whether it can be started.

Counts nothing itself: `forecast` plays the debate on paper.
"""

from collections.abc import Iterator, Sequence

import streamlit as st

from debate_core.engine.ceiling import AXES
from debate_core.language import _, _n, format_number
from debate_core.report.facts.terms import named
from debate_core.report.words.agreement import contract
from debate_core.report.words.costs import UNKNOWN, usd_words
from debate_core.report.words.limits import limit_words
from debate_core.report.words.rules import (
    chance_sentence,
    contradicting_sentence,
    quotes_sentence,
    rule_sentence,
    strength_sentence,
    votes_told_sentence,
)
from debate_core.seats.forecast import ASSUMPTIONS, CostForecast, ForecastTurn, forecast
from debate_core.spec.protocol import Spec, deciding_counts
from debate_core.spec.rules import Threshold
from debate_core.spec.values import in_words
from debate_core.text import capitalized
from debate_core.ui.kit.badges import single_family_badge
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.protocol_words import phases_line
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.kit.words import price_words
from debate_core.ui.setup.agreed_line import agreed_line
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.mapping import ceiling_from, limits_of, spec_from
from debate_core.ui.setup.people import workshop_of
from debate_core.ui.setup.readiness import NOTHING_YET, doubts, problem, quotes_nothing, single_family


def card(draft: SetupDraft, cannot_sit: str | None) -> bool:
    """Rule, length, cost and readiness at a glance, and the rest one press away; True if it can be started.

    `cannot_sit` says why a seat would stay empty, None if none would.
    """
    st.markdown(_("**Ground rules**"))
    if line := agreed_line(draft):
        parts.draw_rule(line, key="setup_rule")
    elif draft.rules().paired:
        st.markdown(_("**Comparisons decide.** Options are ranked two at a time; no votes are counted."))
    else:
        role = named(draft.rules().deciding_role or "")
        st.markdown(_("**The {deciding_role} decides.** No votes are counted.", deciding_role=role))
    st.markdown(safe_line(_seats_sentence(draft)))
    _length_and_cost(draft)
    stop = problem(draft) or cannot_sit
    open_doubts = doubts(draft)
    _checks(draft, stop)
    with st.expander(_details_title(open_doubts), icon=":material/contract:", key="setup-details"):
        for doubt in open_doubts:
            st.markdown(_(":orange[:material/warning: **Think about:**] {doubt}", doubt=safe_text(doubt)))
        agreement(draft)
        expected_use(draft)
    return stop is None


def _details_title(open_doubts: Sequence[str]) -> str:
    if not open_doubts:
        return _("All ground rules")
    return _n(len(open_doubts), "All ground rules · {n} to check", "All ground rules · {n} to check")


def _seats_sentence(draft: SetupDraft) -> str:
    """`3 seats argue in at most 2 rounds, and advise.`"""
    if draft.rules().paired:
        return _comparing_sentence(draft)
    advise = _(", and advise") if draft.people_decide() else ""
    argue = _n(len(draft.panel()), "{n} seat argues", "{n} seats argue")
    return _n(
        draft.max_rounds(),
        "{argue} in at most {n} round{advise}.",
        "{argue} in at most {n} rounds{advise}.",
        argue=argue,
        advise=advise,
    )


def _comparing_sentence(draft: SetupDraft) -> str:
    """Name those who compare the options: everyone with a vote, for the seats of people without a holder."""
    free = [seat for seat in draft.panel() if seat.who == "human" and not draft.room.holder(seat.id)]
    n = draft.max_rounds()
    if draft.room.on and free:
        return _n(
            n,
            "Everyone with a vote compares, in at most {n} round.",
            "Everyone with a vote compares, in at most {n} rounds.",
        )
    seats = _n(len(draft.panel()), "{n} seat compares", "{n} seats compare")
    return _n(n, "{seats} in at most {n} round.", "{seats} in at most {n} rounds.", seats=seats)


def _length_and_cost(draft: SetupDraft) -> None:
    workshop = workshop_of(draft)
    length = _n(draft.max_rounds(), "{n} round", "{n} rounds")
    if workshop:
        length = _("{minutes} min", minutes=workshop.minutes)
    beside = _("no clock")
    if draft.room.on and draft.room.phase_minutes:
        beside = _("{minutes} min a phase", minutes=draft.room.phase_minutes)
    with st.container(horizontal=True):
        st.metric(_("Length"), length, beside, delta_color="off", delta_arrow="off", width="stretch")
        st.metric(
            _("Cost, at most"), _cost(draft), _expected(draft), delta_color="off", delta_arrow="off", width="stretch"
        )


def _expected(draft: SetupDraft) -> str:
    if not draft.has_models():
        return _("no model")
    if problem(draft) is not None:
        return _("forecast later")
    cost = forecast(spec_from(draft)).total.cost_usd
    return _("price not known") if cost is None else _("about {cost}", cost=usd_words(cost))


def _cost(draft: SetupDraft) -> str:
    """The limit of money, else what was forecast; nothing is paid where no model sits."""
    if not draft.has_models():
        return usd_words("0")
    limits = draft.limits or limits_of(draft.shipped())
    if limits is None or problem(draft) is not None:
        return _("No limit")
    bound = ceiling_from(limits)
    return usd_words(bound.usd) if bound and bound.usd else _("No limit")


def _checks(draft: SetupDraft, stop: str | None) -> None:
    """What is there, and what is missing."""
    if single_family(draft):
        single_family_badge()
    lines = [f":material/check: {words}" for words in _there(draft)]
    if quotes_nothing(draft):
        lines.append(f":orange[:material/warning:] {_(NOTHING_YET)}")
    if stop:
        lines.append(_(":red[:material/block: **Not ready:**] {fault}.", fault=safe_text(capitalized(_(stop)))))
    else:
        lines.append(_(":material/check: **Ready to start**"))
    st.markdown("  \n".join(lines))


def _there(draft: SetupDraft) -> Iterator[str]:
    options = draft.named_options()
    sources = draft.sources
    if draft.question.strip():
        if draft.collects():
            yield _("Question; the room proposes options before it votes")
        elif draft.rules().generates:
            yield _("Question; a seat proposes candidates")
        elif len(options) > 1:
            yield _n(len(options), "Question and {n} option", "Question and {n} options")
    if sources:
        yield _n(len(sources), "{n} document", "{n} documents")
    if draft.room.on and draft.room.name.strip():
        yield _("You lead: {name}", name=safe_line(draft.room.name))


def agreement(draft: SetupDraft) -> None:
    """The rules in words, the contract with people, and the limits, as they will be fixed with the first turn."""
    if not draft.people_decide():
        _rules(draft)
    if problem(draft) is None:
        spec = spec_from(draft)
        if draft.room.on:
            contract_card(contract(spec, spec.people()))
        _limits(spec)
    if draft.people_decide():
        st.markdown(_("**Among the seats, whose count is advice**"))
        _rules(draft)


def _rules(draft: SetupDraft) -> None:
    rules = draft.rules()
    n = len(draft.panel())
    weight = draft.total_weight()
    if isinstance(rules.decide, Threshold):
        chosen = rules.decide.model_copy(update={"votes": draft.votes()})
        rules = rules.model_copy(update={"decide": chosen})
    rule = safe_text(rule_sentence(rules, n, weight=weight))
    st.markdown(rule if draft.people_decide() else f"**{rule}**")
    counts = deciding_counts(rules, draft.max_rounds())
    if chance := chance_sentence(rules.decide, n, len(draft.named_options()), weight=weight, counts=counts):
        st.caption(safe_text(chance))
    st.markdown(phases_line(rules, draft.max_rounds()))
    sentences = (quotes_sentence, contradicting_sentence, votes_told_sentence, strength_sentence)
    st.caption(" ".join(filter(None, (sentence(rules) for sentence in sentences))))


def contract_card(points: tuple[tuple[str, str], ...]) -> None:
    """Label and sentence of each point that was agreed."""
    for label, sentence in points:
        st.markdown(f"**{label}:** {safe_text(sentence)}")


def _limits(spec: Spec) -> None:
    bound = spec.ceiling()
    if bound is None:
        return
    values = {axis: getattr(bound, axis) for axis in AXES}
    words = [limit_words(axis, str(value)) for axis, value in values.items() if value is not None]
    if words:
        st.caption(safe_line(_("Ends before it would pass: {words}.", words=", ".join(words))))


def expected_use(draft: SetupDraft) -> None:
    """What the debate will probably use; nothing where no model sits, or while something is missing."""
    if not draft.has_models() or problem(draft) is not None:
        return
    st.subheader(_("Forecast"), anchor=False)
    expected = forecast(spec_from(draft))
    total = expected.total
    tokens = format_number(total.input_tokens + total.output_tokens, ",")
    cost = price_words(total.cost_usd)
    st.markdown(_("About **{calls} calls**, {tokens} tokens, **{cost}**", calls=total.calls, tokens=tokens, cost=cost))
    st.caption("  \n".join(safe_line(text) for text in _in_proportion(expected)))
    with st.expander(_("By stage and seat"), key="expected-by-stage"):
        rows = [_record(row) for row in expected.rows if row.calls]
        draw_table(rows, alt=_("Forecast of every turn"))
        st.caption(safe_line(_("Assumed: {assumptions}.", assumptions=ASSUMPTIONS)))


def _in_proportion(expected: CostForecast) -> list[str]:
    sentences = []
    if expected.multiple is not None:
        sentences.append(_("{multiple:.1f} times the cost of one single call.", multiple=float(expected.multiple)))
    elif expected.multiple_tokens is not None:
        sentences.append(
            _("{multiple:.1f} times the tokens of one single call.", multiple=float(expected.multiple_tokens))
        )
    return [*sentences, *least_and_most_calls(expected)]


def least_and_most_calls(expected: CostForecast) -> list[str]:
    """How few calls it may be, if that can be said, and how many it can be."""
    most = _("At most {calls} calls if every attempt has to be repeated.", calls=expected.with_retries.calls)
    if expected.may_repeat:
        most += _(" It can be more: the moderator may let somebody speak more than once in a round.")
    if expected.earliest is None:
        return [most]
    return [
        _n(
            expected.earliest.calls,
            "{n} call if it is decided as early as it can be.",
            "{n} calls if it is decided as early as it can be.",
        ),
        most,
    ]


def _record(row: ForecastTurn) -> dict[str, str | int]:
    return {
        _("Round"): row.round,
        _("Phase"): named(row.phase),
        _("Seat"): in_words(row.seat),
        _("Model"): row.model,
        _("Tokens in"): format_number(row.input_tokens, ","),
        _("Tokens out"): format_number(row.output_tokens, ","),
        _("Cost"): _(UNKNOWN) if row.cost_usd is None else usd_words(row.cost_usd),
    }
