"""The card beside the fields of set-up: the ground rules, the expected cost, and whether the debate can start.

Counts nothing: `forecast` simulates the debate.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import streamlit as st

from debate_core.engine.count.methods import METHODS
from debate_core.engine.limits import AXES
from debate_core.language import Words, _, _n, format_number, quoted, spoken_list
from debate_core.report.facts.terms import named
from debate_core.report.phrases.agreement import contract
from debate_core.report.phrases.costs import UNKNOWN, usd_words
from debate_core.report.phrases.decision import agreed_escalation
from debate_core.report.phrases.limits import limit_words
from debate_core.report.phrases.rules import (
    all_votes_of,
    chance_sentence,
    contradicting_sentence,
    deliverable_sentence,
    floor_words,
    quotes_sentence,
    rotation_sentence,
    rule_sentence,
    search_sentence,
    strength_sentence,
    votes_told_sentence,
)
from debate_core.seats.forecast import ASSUMPTIONS, CostForecast, ForecastTurn, forecast
from debate_core.spec.protocol import deciding_counts
from debate_core.spec.rules import CountedRule, Elected, Majority, Supermajority, Threshold, Unanimity, votes_needed
from debate_core.spec.values import in_words
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit.badges import single_family_badge
from debate_core.ui.kit.components.parts import RulePart, draw_rule
from debate_core.ui.kit.dates import spell_days
from debate_core.ui.kit.protocol_words import phases_line
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.kit.words import price_words
from debate_core.ui.setup.draft import RoomDraft, SetupDraft
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.people import time_words
from debate_core.ui.setup.people_mapping import approvers, list_fault, listed_people
from debate_core.ui.setup.people_rows import heavy_votes
from debate_core.ui.setup.readiness import MARKING, doubts, problem, question_fault, quotes_nothing, single_family
from debate_core.ui.setup.rule_picker import BASES

DECIDE_TITLES = Words({"room": "The room decides", "panel": "The named people decide", "debaters": "The seats decide"})


def draw_card(draft: SetupDraft, cannot_sit: str | None, *, step: str) -> bool:
    """Draw rule, length, cost and readiness, with details on demand. Return whether the debate can start.

    An empty draft has no readiness yet: nothing is missing before anything is written. In its first step the way to
    the start is drawn instead of rules.

    `cannot_sit` is the reason why a seat would stay empty, or None.
    """
    if step == "question" and not draft.is_begun():
        _draw_way()
        return False
    st.markdown(_ground_rules_title(draft, step))
    with st.container(gap="small"):
        st.markdown(f":material/forum: {safe_line(_who_argues(draft))}")
        _draw_decider(draft)
        st.markdown("  \n".join(_agreed_lines(draft)))
    if step != "people":
        # That step explains seats where they are chosen.
        st.caption(_("A seat is a debater: a person, a model, or a program that quotes your documents."))
    error = problem(draft) or cannot_sit
    # The last step says beside its button what the first one lacks.
    _draw_readiness(draft, error, is_named=step == "people" and bool(question_fault(draft)))
    _draw_details(draft)
    return error is None


def _draw_readiness(draft: SetupDraft, error: str | None, *, is_named: bool) -> None:
    fault = list_fault(draft.room) if draft.room.on else ""
    if (draft.is_begun() or fault) and not is_named:
        _draw_checks(draft, error)
    if fault and (is_named or fault not in str(error)):
        st.markdown(_not_ready(fault))


def _draw_details(draft: SetupDraft) -> None:
    open_doubts = doubts(draft)
    title = _("All ground rules")
    if open_doubts:
        title = _n(len(open_doubts), "All ground rules · {n} to check", "All ground rules · {n} to check")
    with st.expander(title, icon=":material/contract:", key="setup-details"):
        for doubt in open_doubts:
            st.markdown(_(":orange[:material/warning: **Think about:**] {doubt}", doubt=safe_text(doubt)))
        _draw_agreement(draft)
        _draw_forecast(draft)


def _draw_way() -> None:
    """Draw the three steps of set-up before anything is written."""
    st.markdown(_("**Three steps to a debate**"))
    st.markdown(
        _(
            "1. Write the question and the options.\n"
            "2. Add documents that may be quoted.\n"
            "3. Choose who decides, and how many votes it takes."
        )
    )
    st.caption(_("Nothing starts before you press “Start debate”. The rules are fixed from then on."))


def _draw_decider(draft: SetupDraft) -> None:
    rules = draft.rules()
    if line := agreed_line(draft):
        draw_rule(line, key="setup_rule")
    elif rules.paired:
        st.markdown(_("**Comparisons decide.** Options are ranked two at a time; no votes are counted."))
    else:
        role = named(rules.deciding_role or "")
        st.markdown(_("**The {deciding_role} decides.** No votes are counted.", deciding_role=role))


def _ground_rules_title(draft: SetupDraft, step: str) -> str:
    """The heading, which says if these rules are the defaults and no one's choice."""
    if not draft.has_default_rules():
        return _("**Ground rules**")
    return _("**Default ground rules**") if step == "people" else _("**Default ground rules:** change them in step 3")


def agreed_line(draft: SetupDraft) -> RulePart | None:
    """Return the votes needed for a decision; None if a seat decides."""
    room = draft.room
    if draft.people_decide():
        weights = _weights_of_people(draft)
        unknown = _("everyone who joins may vote") if room.decides == "room" else _("no one is listed yet")
        beside = _n(len(weights), "{n} voter", "{n} voters") if weights else unknown
        return _rule_part(DECIDE_TITLES[room.decides], beside, room.vote, weights)
    rule = draft.counted_rule()
    if rule is None:
        return None
    weights = tuple(seat.weight for seat in draft.panel())
    if not draft.room.on and [seat.who for seat in draft.panel()] == ["human"]:
        return _rule_part(_("You decide"), _("you alone"), rule, weights)
    return _rule_part(DECIDE_TITLES["debaters"], _n(len(weights), "{n} seat", "{n} seats"), rule, weights)


def _weights_of_people(draft: SetupDraft) -> tuple[int, ...]:
    """Return the weight of each ballot; empty if the voters are not known yet."""
    room = draft.room
    if room.decides == "room" and room.joining == "open":
        return ()
    return tuple(one.weight for one in listed_people(room) if one.electorate == room.decides)


def _rule_part(title: str, beside: str, rule: CountedRule, weights: tuple[int, ...]) -> RulePart:
    total = sum(weights)
    of_cast = rule.base == "cast"
    needed = votes_needed(rule, total) if total and not of_cast else None
    share = Fraction(needed, total) if needed else share_needed(rule)
    all_weigh_1 = total == len(weights)
    shows_heads = all_weigh_1 and not (of_cast and share)
    return RulePart(
        title=title,
        beside=beside,
        heads=len(weights) if shows_heads else 0,
        needed=needed,
        share=None if share is None else float(share),
        under=_votes_sentence(rule, needed, total),
    )


def share_needed(rule: CountedRule) -> Fraction | None:
    """Return the share of the votes that the rule requires, or None if it requires none."""
    match rule:
        case Majority():
            return Fraction(1, 2)
        case Supermajority():
            return Fraction(rule.numerator, rule.denominator)
        case Unanimity(all_but=0):
            return Fraction(1)
        case _:
            return None


def _votes_sentence(rule: CountedRule, needed: int | None, total: int) -> str:
    row = ""
    if isinstance(rule, Majority) and rule.ballots_in_a_row > 1:
        row = _(", on {ballots_in_a_row} consecutive counts", ballots_in_a_row=rule.ballots_in_a_row)
    if needed:
        return _("One option needs {needed} of {total} votes{row}", needed=needed, total=total, row=row)
    voters = BASES[rule.base]
    match rule:
        case Threshold():
            return _n(rule.votes, "One option needs {n} vote", "One option needs {n} votes")
        case Majority():
            return _("One option needs more than half of {voters}{row}", voters=voters, row=row)
        case Supermajority():
            return _(
                "One option needs at least {numerator}/{denominator} of {voters}",
                numerator=rule.numerator,
                denominator=rule.denominator,
                voters=voters,
            )
        case Unanimity():
            return _("One option needs {votes}", votes=all_votes_of(rule, voters))
        case _:
            floor = floor_words(rule) if isinstance(rule, Elected) else ""
            return f"{named(METHODS[rule.kind].wins)}{floor}"


def _who_argues(draft: SetupDraft) -> str:
    return _comparing_sentence(draft) if draft.rules().paired else _arguing_sentence(draft)


def _agreed_lines(draft: SetupDraft) -> Iterator[str]:
    """Yield whose vote weighs more, who signs, how long the debate takes, and what it costs."""
    if draft.room.on:
        if heavy := heavy_votes(draft.room):
            yield f":material/balance: {safe_line(_('More than one vote: {names}.', names=spoken_list(heavy)))}"
        yield f":material/draw: {safe_line(_signing_sentence(draft.room))}"
    if draft.room.on and draft.room.phase_minutes:
        yield f":material/schedule: {capitalized(time_words(draft))}"
    yield f":material/attach_money: {safe_line(_cost_words(draft))}"


def summary_line(draft: SetupDraft) -> str:
    """Return `One option needs 2 of 3 votes`, in place of the card where that is out of sight."""
    if line := agreed_line(draft):
        return line["under"]
    if draft.rules().paired:
        return _("Comparisons decide")
    return _("The {deciding_role} decides", deciding_role=named(draft.rules().deciding_role or ""))


def draw_short(draft: SetupDraft) -> None:
    """Draw one line: why the debate cannot start, else what programs lack, else the rule."""
    if fault := problem(draft):
        st.markdown(f":red[:material/block: {safe_line(whole_sentence(fault))}]")
    elif draft.is_begun() and (warning := start_warning(draft)):
        st.markdown(f":orange[:material/warning: {safe_line(warning)}]")
    else:
        st.caption(safe_line(summary_line(draft)))


def start_warning(draft: SetupDraft) -> str:
    """Return why programs would abstain, beside a start button whose card is out of sight; "" if they can vote."""
    if quotes_nothing(draft):
        return _("Programs have no document to quote.")
    if not draft.can_be_marked():
        return ""
    return _("Programs abstain until you mark quotes.") if draft.chair else _("Programs abstain: no one marks quotes.")


def _arguing_sentence(draft: SetupDraft) -> str:
    """Return `3 seats argue in at most 2 rounds, and advise.`; programs that only quote do not argue."""
    advise = _(", and advise") if draft.people_decide() else ""
    argue = _n(len(draft.panel()), "{n} seat argues", "{n} seats argue")
    if all(seat.who == "offline" for seat in draft.panel()):
        argue = _n(len(draft.panel()), "{n} program quotes documents", "{n} programs quote documents")
    return _n(
        draft.max_rounds(),
        "{argue} in at most {n} round{advise}.",
        "{argue} in at most {n} rounds{advise}.",
        argue=argue,
        advise=advise,
    )


def _signing_sentence(room: RoomDraft) -> str:
    names = approvers(room)
    if not names:
        return _("No one is named to sign yet; invite an approver from the lobby.")
    return _n(len(names), "{names} signs the decision.", "{names} sign the decision.", names=spoken_list(names))


def _comparing_sentence(draft: SetupDraft) -> str:
    """Return who compares the options: everyone with a vote, if a seat for a person is unnamed."""
    unnamed = [seat for seat in draft.panel() if seat.who == "human" and not draft.room.holder(seat.id)]
    n = draft.max_rounds()
    if draft.room.on and unnamed:
        return _n(
            n,
            "Everyone with a vote compares, in at most {n} round.",
            "Everyone with a vote compares, in at most {n} rounds.",
        )
    seats = _n(len(draft.panel()), "{n} seat compares", "{n} seats compare")
    return _n(n, "{seats} in at most {n} round.", "{seats} in at most {n} rounds.", seats=seats)


def _cost_words(draft: SetupDraft) -> str:
    """Return the expected cost and the limit: `About 0.40 USD, at most 5 USD`."""
    if not draft.has_models():
        return _("0 USD: no model takes part")
    if problem(draft) is not None:
        return _("Cost known once the setup is complete")
    spec = spec_from(draft)
    cost = forecast(spec).total.cost_usd
    expected = _("Price not known") if cost is None else _("About {cost}", cost=usd_words(cost))
    bound = spec.protocol.ceiling()
    limit = _("at most {usd}", usd=usd_words(bound.usd)) if bound and bound.usd else _("no cost limit")
    return f"{expected}, {limit}"


def _draw_checks(draft: SetupDraft, error: str | None) -> None:
    if single_family(draft):
        single_family_badge()
    completed = " · ".join(_completed(draft))
    lines = [f":material/check: {completed}"] if completed else []
    if error:
        lines.append(_not_ready(_(error)))
    elif quotes_nothing(draft):
        lines.append(
            _(
                ":orange[:material/warning:] **Ready to start**, but seats without a model have nothing to quote: "
                "add a document in step 2."
            )
        )
    elif draft.can_be_marked() and draft.chair:
        lines.append(f":material/check: {_(MARKING)}")
    else:
        lines.append(_(":material/check: **Ready to start**"))
    st.markdown("  \n".join(lines))


def _not_ready(fault: str) -> str:
    return _(":red[:material/block: **Not ready:**] {fault}.", fault=safe_text(capitalized(fault)))


def _completed(draft: SetupDraft) -> Iterator[str]:
    options = draft.named_options()
    stances = draft.stances_to_decide()
    sources = draft.sources
    if draft.question.strip():
        if draft.collects():
            yield _("Question; the room proposes options before it votes")
        elif draft.rules().generates:
            yield _("Question; a seat proposes candidates")
        elif len(stances) > 1:
            yield _("Question; the debate decides among the stances: {stances}", stances=_quoted(stances))
        elif len(options) > 1:
            yield _n(len(options), "Question and {n} option", "Question and {n} options")
    if sources:
        yield _n(len(sources), "{n} document", "{n} documents")


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(quoted(safe_line(name, max_chars=60)) for name in names)


def _draw_agreement(draft: SetupDraft) -> None:
    """Draw the rules, the contract with people, and the limits, which are fixed with the first turn."""
    if not draft.people_decide():
        _draw_rules(draft)
    if problem(draft) is None:
        spec = spec_from(draft)
        if draft.room.on:
            contract_card(contract(spec, spec.people()))
        bound = spec.ceiling()
        values = {axis: getattr(bound, axis, None) for axis in AXES}
        words = [limit_words(axis, str(value)) for axis, value in values.items() if value is not None]
        if words:
            st.caption(safe_line(_("Limits: {words}.", words=", ".join(words))))
    if draft.people_decide():
        st.markdown(_("**Rules for the seats, which only advise**"))
        _draw_rules(draft)


def _draw_rules(draft: SetupDraft) -> None:
    rules = draft.rules()
    n = len(draft.panel())
    weight = draft.total_weight()
    if isinstance(rules.decide, Threshold):
        rules = rules.model_copy(update={"decide": rules.decide.model_copy(update={"votes": draft.votes()})})
    rule = safe_text(rule_sentence(rules, n, weight=weight))
    st.markdown(rule if draft.people_decide() else f"**{rule}**")
    counts = deciding_counts(rules, draft.max_rounds())
    if chance := chance_sentence(
        rules.decide, n, len(draft.named_options() or draft.stances_to_decide()), weight=weight, counts=counts
    ):
        st.caption(safe_text(chance))
    st.markdown(phases_line(rules, draft.max_rounds()))
    sentences = (
        quotes_sentence,
        contradicting_sentence,
        votes_told_sentence,
        strength_sentence,
        search_sentence,
        rotation_sentence,
        deliverable_sentence,
    )
    st.caption(" ".join(filter(None, (sentence(rules) for sentence in sentences))))
    if goes_to := agreed_escalation(rules):
        st.caption(safe_line(spell_days(goes_to)))


def contract_card(points: tuple[tuple[str, str], ...]) -> None:
    """Draw the label and sentence of each ground rule."""
    for label, sentence in points:
        st.markdown(f"**{label}:** {safe_text(sentence)}")


def _draw_forecast(draft: SetupDraft) -> None:
    """Draw the forecast, if models take part and the draft is complete."""
    if not draft.has_models() or problem(draft) is not None:
        return
    st.subheader(_("Forecast"), anchor=False)
    expected = forecast(spec_from(draft))
    total = expected.total
    tokens = format_number(total.input_tokens + total.output_tokens, ",")
    cost = price_words(total.cost_usd)
    st.markdown(_("About **{calls} calls**, {tokens} tokens, **{cost}**", calls=total.calls, tokens=tokens, cost=cost))
    sentences = least_and_most_calls(expected)
    if expected.multiple is not None:
        sentences.insert(0, _("{multiple:.1f} times the cost of a single call.", multiple=float(expected.multiple)))
    elif expected.multiple_tokens is not None:
        multiple = float(expected.multiple_tokens)
        sentences.insert(0, _("{multiple:.1f} times the tokens of a single call.", multiple=multiple))
    st.caption("  \n".join(map(safe_line, sentences)))
    with st.expander(_("By stage and seat"), key="expected-by-stage"):
        rows = [_forecast_row(row) for row in expected.rows if row.calls]
        draw_table(rows, alt=_("Forecast of every turn"))
        st.caption(safe_line(_("Assumed: {assumptions}.", assumptions=ASSUMPTIONS)))


def least_and_most_calls(expected: CostForecast) -> list[str]:
    """Return the minimum number of calls, if it is known, and the maximum."""
    most = _("At most {calls} calls if every attempt has to be repeated.", calls=expected.with_retries.calls)
    if expected.may_repeat:
        most += _(" It can be more: the moderator may let a seat speak more than once in a round.")
    if expected.earliest is None:
        return [most]
    return [
        _n(
            expected.earliest.calls,
            "At least {n} call, with the earliest possible decision.",
            "At least {n} calls, with the earliest possible decision.",
        ),
        most,
    ]


def _forecast_row(row: ForecastTurn) -> dict[str, str | int]:
    return {
        _("Round"): row.round,
        _("Phase"): named(row.phase),
        _("Seat"): in_words(row.seat),
        _("Model"): row.model,
        _("Tokens in"): format_number(row.input_tokens, ","),
        _("Tokens out"): format_number(row.output_tokens, ","),
        _("Cost"): _(UNKNOWN) if row.cost_usd is None else usd_words(row.cost_usd),
    }
