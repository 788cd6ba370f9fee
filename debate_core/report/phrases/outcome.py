"""A debate in sentences: the nine-line report, the outcome with its arithmetic, agreement, the reason for the end."""

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import assert_never

from debate_core.engine import stage, stopping, voting
from debate_core.engine.count.count import Result
from debate_core.engine.count.methods import METHODS
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.record.events import LimitMet, Truncated, utc_text
from debate_core.record.ids import RequestId
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import counts_heads, final_points, final_tally, number
from debate_core.report.facts.ruling import Agreement, Ruling
from debate_core.report.facts.terms import named, recorded
from debate_core.report.phrases.contradictions import contradicting_words
from debate_core.report.phrases.counts import stand_words
from debate_core.report.phrases.ending import TURN_STATUS, ended_words
from debate_core.report.phrases.evidence import unverified_words, with_mark
from debate_core.report.phrases.limits import agreed_limit, duration_words
from debate_core.report.phrases.rules import agreed_words, chance_sentence, drivers_sentence, no_vote_sentence
from debate_core.report.phrases.tournament import compared_sentence, ranking_words, why_words
from debate_core.spec.protocol import deciding_counts
from debate_core.spec.rules import CountedRule, Elected, Majority, Plurality, votes_needed
from debate_core.spec.values import Outcome, Role, Tally, Unheard, in_words
from debate_core.text import capitalized, line, with_final_mark


def phase_sequence(account: Account) -> tuple[str, ...]:
    """Phases that ran, in order, without the chair's review, which has no turns."""
    state = account.state
    return tuple(name for _, name in state.ran if state.phase(name).gives != "review")


def speaker_schedule(account: Account) -> tuple[str, ...]:
    """Seats of the taken turns, in order; planned turns are not included."""
    return tuple(turn.seat for turn in account.readable_turns)


def rounds_run(state: State) -> int:
    """Number of rounds, or the current round."""
    return state.outcome.rounds_run if state.outcome else state.current_round()


def debater_ids(state: State) -> tuple[str, ...]:
    """Seats of the debaters, in schedule order."""
    return tuple(seat.id for seat in state.spec.debaters())


def consensus_threshold(account: Account) -> int | None:
    """Number of votes that decide; None without such a number, or if it depends on ballots still to be cast."""
    if account.tallies:
        needed = account.tallies[-1].threshold
        return None if needed is None else ceil(needed)
    spec = account.state.spec
    return votes_needed(spec.protocol.decide, sum(seat.weight for seat in spec.debaters()))


def _threshold_words(account: Account) -> str:
    """`2`, `2 on 2 consecutive counts`, or words for a rule without a number."""
    rule = account.state.spec.protocol.decide
    if account.state.spec.held_elsewhere:
        return _("none (no one voted)")
    if role := account.ruling.seat_role:
        return _("none ({role} decides)", role=named(role))
    if not isinstance(rule, CountedRule):
        return _("none (comparisons decide)")
    wins = named(METHODS[rule.kind].wins)
    if isinstance(rule, Plurality | Elected):
        return _("none ({wins})", wins=wins)
    votes = consensus_threshold(account)
    needed = _("{wins} of the ballots cast", wins=wins) if votes is None else str(votes)
    if isinstance(rule, Majority) and rule.ballots_in_a_row > 1:
        return _("{needed} on {row} consecutive counts", needed=needed, row=rule.ballots_in_a_row)
    return needed


def summary_report(account: Account) -> str:
    """The nine lines that are the same for every protocol; `none` before a decision."""
    state = account.state
    decision = rule = "none"
    if state.outcome:
        decision = line(state.outcome.decision)
        rule = state.outcome.decision_rule
    debaters = ", ".join(debater_ids(state))
    tally = ", ".join(f"{line(option)}: {points}" for option, points in final_points(state).items())
    contradicting = contradicting_words(account)
    beside = f" ({contradicting})" if contradicting else ""
    lines = (
        f"debater_ids: [{debaters}]",
        f"rounds_run: {rounds_run(state)}",
        f"max_rounds: {state.spec.max_rounds}",
        f"phase_sequence: [{', '.join(phase_sequence(account))}]",
        f"consensus_threshold: {_threshold_words(account)}",
        f"vote_tally: {{{tally}}}{beside}",
        f"decision: {decision}",
        f"decision_rule: {rule}",
        f"speaker_schedule: [{', '.join(speaker_schedule(account))}]",
    )
    return "\n".join(lines)


def tally_words(tally: Tally | None) -> str:
    """`release 1, revise 2 (3 of 3 ballots cast)`."""
    if tally is None:
        return _("nothing was counted")
    cast = _cast_words(tally)
    if tally.cast and not tally.counts:
        return cast
    votes = ", ".join(f"{line(count.option)} {count.votes}" for count in tally.counts) or _("no vote")
    return f"{votes} ({cast})"


def _cast_words(tally: Tally) -> str:
    return _n(tally.eligible, "{cast} of {n} ballot cast", "{cast} of {n} ballots cast", cast=tally.cast)


def final_words(account: Account) -> str:
    """Points of every option at the end, or at present, in the unit of the rule."""
    state = account.state
    rule = state.spec.protocol.decide
    tally = final_tally(state)
    if role := account.ruling.seat_role:
        return not_counted_words(role)
    if account.ruling.is_compared:
        return ranking_words(account)
    if counts_heads(state) or not tally.cast:
        return tally_words(tally)
    points = ", ".join(
        f"{line(option)} {number}{stand_words(account.ruling.count, option)}"
        for option, number in final_points(state).items()
    )
    return f"{points} {named(METHODS[rule.kind].unit)} ({_cast_words(tally)})"


def not_counted_words(role: Role) -> str:
    """Words in place of a count if a seat decides."""
    return _("no votes are counted, the {role} names the option", role=named(role))


def standing_words(account: Account) -> str:
    """Consecutive counts that the leading option has won; empty if the rule asks for one."""
    ruling = account.ruling
    if ruling.result is None or ruling.result.in_a_row == 1 or not ruling.result.on_last_ballots:
        return ""
    held = spoken_list([*map(line, ruling.result.on_last_ballots)])
    return _(
        "{held} has won {has_held} of the {in_a_row} consecutive counts it needs",
        held=held,
        has_held=ruling.result.has_held,
        in_a_row=ruling.result.in_a_row,
    )


_AGREEMENT: Words[Agreement] = Words(
    {
        "consensus": "consensus: the rule elects one option",
        "split": "split: the sides are stable",
        "incoherent": "no agreement yet, and no stable split",
        "no_ballots": "no ballots: no seat cast a vote, so agreement cannot be measured",
        "too_few_ballots": "too few ballots to measure agreement",
        "refused": "not measured: the winner is refused because its quotes are not verified",
        "cut_off": "not measured: the debate ended before the rule could be applied",
    }
)


def agreement_words(account: Account) -> str:
    """Agreement of the debaters as computed, with the number of ballots if some are missing."""
    if account.agreement is None:
        return _("not measured: this protocol takes no votes")
    tally = account.ruling.tally
    some = 0 < tally.cast < tally.eligible and account.agreement != "cut_off"
    return f"{_AGREEMENT[account.agreement]}{f' ({_cast_words(tally)})' if some else ''}"


def agreed_lines(account: Account) -> tuple[str, ...]:
    """The rule, its chance level for the number of ballots, and the drivers."""
    state = account.state
    spec = account.state.spec
    debaters = spec.debaters()
    weight = sum(seat.weight for seat in debaters)
    cast = account.ruling.tally.cast if state.outcome else None
    counts = deciding_counts(spec.protocol, spec.max_rounds)
    chance = chance_sentence(
        spec.protocol.decide, len(debaters), len(spec.options), weight=weight, cast=cast, counts=counts
    )
    lines = (agreed_words(spec), chance, drivers_sentence(spec.drivers))
    return tuple(filter(None, lines))


# How it ended


def outcome_sentence(account: Account) -> str:
    """The outcome with its arithmetic, on one line."""
    headline, why = outcome_lines(account)
    return f"{headline}. {why}"


def outcome_lines(account: Account) -> tuple[str, str]:
    """The outcome as a headline and its arithmetic; for a running debate, the present state."""
    headline, why = _headline_and_reason(account)
    contradicting = contradicting_words(account)
    if not contradicting:
        return headline, why
    if account.state.outcome:
        return f"{headline} ({contradicting})", why
    return headline, f"{why} {contradicting}."


def _headline_and_reason(account: Account) -> tuple[str, str]:
    state = account.state
    outcome = state.outcome
    if outcome is None:
        return _("Not decided yet"), _running_sentence(account)
    match outcome.status:
        case "decided":
            headline = f"{_standing(account, is_decided=True)}: {with_mark(account, outcome.decision)}"
            return headline, f"{_why_decided(account, outcome)}{_limit_after_decision(state)}"
        case "truncated" if state.truncated:
            limit = agreed_limit(state, state.truncated.axis)
            headline = _("Cut off by the limit of {agreed_limit}", agreed_limit=limit)
            return headline, _why_cut_off(account, state.truncated)
        case "aborted" if state.stopped:
            reason = _("The reason given: {reason}. Nothing was decided.", reason=state.stopped.reason)
            return _("Stopped by hand"), reason
        case "aborted" if state.deadline_passed:
            sentence = _(
                "{people} had {longest} and did not answer. Nothing was decided.",
                people=capitalized(_waited_for(state.deadline_passed.seats)),
                longest=duration_words(state.spec.max_wait_s or 0),
            )
            return _("Ended by the deadline"), sentence
        case _ if state.spec.held_elsewhere:
            return _standing(account, is_decided=False), no_vote_sentence()
        case _:
            step = named(outcome.decision or "")
            headline = _(
                "{undecided}. Agreed next step: {step}", undecided=_standing(account, is_decided=False), step=step
            )
            return headline, _why_undecided(account, outcome)


def _running_sentence(account: Account) -> str:
    state = account.state
    waits = limit_sentence(state) or unreached_sentence(state) or wait_sentence(state)
    stands = waits or _("The debate is still running.")
    return _("{stands} So far: {so_far}.", stands=stands, so_far=_so_far(account))


def wait_sentence(state: State) -> str:
    """People that the debate waits for, and the deadline; empty without a deadline."""
    wait = stage.wait_for_people(state)
    if wait is None or wait.until is None:
        return ""
    until = _("{time} UTC", time=utc_text(wait.until)[:16].replace("T", " "))
    return _(
        "The debate waits for {waited_for}, and ends without a decision at {until}.",
        waited_for=_waited_for(wait.seats),
        until=until,
    )


def limit_sentence(state: State) -> str:
    """The call that a limit refuses, and the possible next steps; empty unless the debate waits at a limit."""
    met = state.limit_met
    if met is None:
        return ""
    limit = agreed_limit(state, met.axis)
    return _(
        "The debate waits at the limit of {limit}: the next call ({next_call}) could exceed it. The facilitator may "
        "raise the limit, or end the debate there.",
        limit=limit,
        next_call=_next_call(met),
    )


def unreached_sentence(state: State) -> str:
    """The reason why no seat could be reached, and the possible next steps; empty unless the debate waits for it."""
    if not stage.unreached(state):
        return ""
    return _(
        "The debate waits: {paused} The facilitator may ask again, or continue without them.",
        paused=with_final_mark(recorded(state.paused or "")),
    )


def _waited_for(seats: Sequence[str]) -> str:
    return spoken_list([*map(in_words, seats)]) if seats else _("the facilitator")


def _standing(account: Account, *, is_decided: bool) -> str:
    """`Decided`; if people decide: `The seats advise`, `The judge is undecided`."""
    role = account.ruling.seat_role
    if account.state.spec.terms.decides == "debaters":
        return _("Decided") if is_decided else _("Undecided")
    if account.ruling.is_compared:
        return _("The comparisons advise") if is_decided else _("The comparisons are undecided")
    if role is None:
        return _("The seats advise") if is_decided else _("The seats are undecided")
    return _("The {role} advises", role=named(role)) if is_decided else _("The {role} is undecided", role=named(role))


def _so_far(account: Account) -> str:
    state = account.state
    if role := account.ruling.seat_role:
        said = _last_word(state, role) if voting.last_word(state, role) else _("has not spoken")
        return _("the {role} {said}", role=named(role), said=said)
    if account.ruling.is_compared:
        return ranking_words(account)
    if not state.counted:
        return _("no ballot has been counted")
    return last_count_words(account)


def last_count_words(account: Account) -> str:
    """The last count, and the consecutive counts won if the rule asks for several."""
    return "; ".join(filter(None, (final_words(account), standing_words(account))))


def _why_decided(account: Account, outcome: Outcome) -> str:
    ended = ended_words(account)
    ruling = account.ruling
    if ruling.is_compared:
        return compared_sentence(account, ended)
    if not ruling.is_counted:
        return _(
            "Named by {by}, as agreed before the start. No votes were counted. The rounds ended because {ended}.",
            by=_decider(account, outcome),
            ended=ended,
        )
    if not counts_heads(account.state):
        count = ", ".join(filter(None, (final_words(account), needed_words(ruling))))
        return f"{count} → {_decided_words(account, outcome)}"
    most_votes = _("tied for the most votes") if outcome.steps else _("the most votes")
    return _n(
        outcome.tally.eligible,
        "{votes} of {n} seat, {bar} → {decided}",
        "{votes} of {n} seats, {bar} → {decided}",
        votes=outcome.tally.votes(outcome.decision),
        bar=needed_words(ruling) or most_votes,
        decided=_decided_words(account, outcome),
    )


def _decider(account: Account, outcome: Outcome) -> str:
    return named(outcome.decided_by or account.ruling.seat_role or account.state.spec.protocol.decide.kind)


_DECIDED = message("decided by {by} {after}.{tie_break}{why}")
_ADVISED = message("advice by {by} {after}.{tie_break}{why}")
"""Where people decide, the votes of the debaters are advice."""


def _decided_words(account: Account, outcome: Outcome) -> str:
    """Rule, time and tie-break of the decision, and the reason for the end if the rule did not end the debate."""
    state = account.state
    why = ""
    if outcome.ended_by != state.spec.protocol.decide.kind:
        why = _(" It ended because {ended}.", ended=ended_words(account))
    words = _DECIDED if account.decision.counted_by == "debaters" else _ADVISED
    by, after, tie_break = _decider(account, outcome), _after(state), _tie_break_words(outcome)
    return _(words, by=by, after=after, tie_break=tie_break, why=why)


def needed_words(ruling: Ruling) -> str:
    """`2 needed`, `2 needed on 2 consecutive counts`; empty if the most votes win, or none are counted."""
    result = ruling.result
    if result is None or result.needed is None:
        return ""
    if result.in_a_row == 1:
        return _("{needed} needed", needed=number(result.needed))
    if ruling.option and ruling.count and not ruling.count.earlier:
        return _("{needed} needed, and unanimous on the first ballot", needed=number(result.needed))
    return _("{needed} needed on {in_a_row} consecutive counts", needed=number(result.needed), in_a_row=result.in_a_row)


def _tie_break_words(outcome: Outcome) -> str:
    steps = [
        _(
            "{step} leaves {options} ({why})",
            step=named(step.step),
            options=spoken_list([*map(line, step.left)]),
            why=recorded(step.why),
        )
        for step in outcome.steps
    ]
    return _(" Tie-break: {steps}.", steps="; ".join(steps)) if steps else ""


def _why_cut_off(account: Account, cut: Truncated) -> str:
    call = _next_call(cut)
    if cut.axis == "seconds":
        why = _("The time was over before the next turn ({call})", call=call)
    elif cut.axis == "usd" and (cut.reserved is None or cut.reserved.cost_usd is None):
        why = _("The cost of the next call ({call}) is unknown, so it was not made", call=call)
    else:
        why = _("The next call ({call}) could have exceeded the limit, so it was not made", call=call)
    is_over = account.state.outcome is not None
    stands = final_words(account) if is_over and account.ruling.is_counted else _so_far(account)
    return _("{why}. Nothing was decided; the turns are kept: {stands}.", why=why, stands=stands)


def _limit_after_decision(state: State) -> str:
    if state.truncated is None or state.spec.protocol.paired:
        return ""
    return _(
        " The limit of {limit} then ended the debate before its last turns ({left}).",
        limit=agreed_limit(state, state.truncated.axis),
        left=_next_call(state.truncated),
    )


def _next_call(cut: LimitMet) -> str:
    request = RequestId.parse(cut.request)
    return _(
        "{seat}, {phase}, round {round}",
        seat=in_words(request.seat),
        phase=named(request.phase),
        round=request.round,
    )


def _after(state: State) -> str:
    if not state.counted:
        return _("after round {current_round}", current_round=state.current_round())
    return _("after round {round}, {phase}", round=state.counted[-1].round, phase=named(state.counted[-1].phase))


def _why_undecided(account: Account, outcome: Outcome) -> str:
    state = account.state
    ended = ended_words(account)
    if outcome.ended_by == stopping.UNVERIFIED_QUOTES:
        return f"{capitalized(ended)}: {final_words(account)}. {unverified_words(account)}"
    if account.ruling.standing == "cut_off":
        return _(
            "{sentence}, so the debate could not go on ({after}).", sentence=capitalized(ended), after=_after(state)
        )
    if account.ruling.is_compared:
        return compared_sentence(account, ended)
    if role := account.ruling.seat_role:
        said = _(
            "The {role} {last_word} (after {rounds}). The rounds ended because {ended}.",
            role=named(role),
            last_word=_last_word(state, role),
            rounds=_n(outcome.rounds_run, "{n} round", "{n} rounds"),
            ended=ended,
        )
        return " ".join(filter(None, (unheard_words(outcome), said)))
    why_not = _why_not(account)
    return _(
        "{why_not}: {tally}.{tie_break} It ended {after}, because {ended}.",
        why_not=why_not,
        tally=final_words(account),
        tie_break=_tie_break_words(outcome),
        after=_after(state),
        ended=ended,
    )


def _last_word(state: State, role: Role) -> str:
    """The last result of a seat that decided nothing."""
    turn = voting.last_word(state, role)
    if turn is None:
        return _("gave no result")
    options = list[str]()
    for result in voting.both_orders(state, turn):
        options.append(_("nothing") if result is None else result.option or _("no option"))
    if len(options) == 1 or options[0] == options[1]:
        return _("named {options}", options=options[0])
    return _(
        "named {first} in one order and {second} in the other, which decides nothing",
        first=options[0],
        second=options[1],
    )


def unheard_words(outcome: Outcome | None) -> str:
    """Sides that were not heard, with time and reasons; empty if every side was heard."""
    if outcome is None or not outcome.unheard:
        return ""
    sides = "; ".join(map(_unheard_side, outcome.unheard))
    return _("{sides}. Nothing is decided unless every side is heard.", sides=capitalized(sides))


def _unheard_side(side: Unheard) -> str:
    """`north was not heard: 0 of 3 turns given, the first lost in round 1 (2 late, 1 failed)`."""
    names = spoken_list([in_words(seat) for seat in side.seats])
    who = _n(len(side.seats), "{names} was not heard", "{names} were not heard", names=names)
    if not side.asked:
        return _("{who}: no turn was requested until then", who=who)
    given = _n(side.asked, "{given} of {n} turn given", "{given} of {n} turns given", given=side.given)
    if side.since is None:
        return f"{who}: {given}"
    why = ", ".join(f"{n} {TURN_STATUS[status]}" for status, n in Counter(side.why).items())
    return _("{who}: {given}, the first lost in round {since} ({why})", who=who, given=given, since=side.since, why=why)


def short_reason(account: Account) -> str:
    """The reason why nothing was decided, in one sentence without the count."""
    outcome = account.state.outcome
    if outcome is None or outcome.status != "undecided":
        return outcome_lines(account)[1]
    if outcome.unheard:
        return unheard_words(outcome)
    if account.ruling.standing == "cut_off" or outcome.ended_by == stopping.UNVERIFIED_QUOTES:
        return f"{capitalized(ended_words(account))}."
    if role := account.ruling.seat_role:
        return _("The {role} {last_word}.", role=named(role), last_word=_last_word(account.state, role))
    if account.ruling.is_compared:
        return f"{why_words(account)}."
    return f"{_why_not(account)}."


def _why_not(account: Account) -> str:
    """The first obstacle to a decision of the seats, without the full stop; an option that begins it keeps its case."""
    count, result = account.ruling.count, account.ruling.result
    if count is None or result is None or result.obstacle is None:
        return _("No seat was asked for a ballot")
    if result.obstacle == "no_ballots":
        return _("No seat cast a vote")
    if result.obstacle == "in_a_row":
        return standing_words(account)
    words = obstacle_words(count.rule, result)
    return words if result.obstacle in ("tie", "refused") else capitalized(words)


def obstacle_words(rule: CountedRule, result: Result) -> str:
    """The reason why a count elects no option, as a clause; empty if it elects one."""
    match result.obstacle:
        case "no_ballots":
            return _("no one cast a vote")
        case "quorum":
            return _n(
                result.quorum,
                "at least {n} ballot must be cast for a decision",
                "at least {n} ballots must be cast for a decision",
            )
        case "tie":
            each = ""
            if METHODS[rule.kind].unit == "votes":
                votes = number(result.points[result.ties[0]])
                each = _(" with {votes} each", votes=votes)
                if result.needed is not None and votes < result.needed:
                    each = _(" with {votes} each, {needed} needed", votes=votes, needed=number(result.needed))
            return _("{ties} are tied{each}", ties=spoken_list(result.ties), each=each)
        case "refused":
            return _(
                "{on_last_ballots} would win, but is refused because its quotes are not verified",
                on_last_ballots=spoken_list(result.on_last_ballots),
            )
        case "in_a_row" | "bar":
            return _why_no_option(rule, result)
        case None:
            return ""
        case _:
            assert_never(result.obstacle)


def _why_no_option(rule: CountedRule, result: Result) -> str:
    """The unmet bar of the rule."""
    if isinstance(rule, Elected):
        if rule.kind == "consent":
            return _("no option has a consent and no objection")
        if not rule.floor_percent:
            return _("the ballots put no option first")
        if rule.kind == "weighted_criteria":
            return _(
                "no option has {floor_percent} % of {most_points} points",
                floor_percent=rule.floor_percent,
                most_points=rule.most_points,
            )
        return _("no option is approved by {floor_percent} % of the ballots cast", floor_percent=rule.floor_percent)
    if isinstance(rule, Plurality) or result.needed is None:
        return _("the ballots put no option first")
    of = result.cast_weight if rule.base == "cast" else result.eligible_weight
    return _("no option has the {needed} of {of} votes it needs", needed=number(result.needed), of=of)
