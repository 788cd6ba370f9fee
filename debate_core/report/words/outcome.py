"""A debate in sentences: the nine-line report, the outcome with its arithmetic, agreement, and why it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import assert_never

from debate_core.engine import stage, stopping, voting
from debate_core.engine.ceiling import AXES
from debate_core.engine.count.count import Result
from debate_core.engine.count.methods import METHODS
from debate_core.record.address import RequestId
from debate_core.record.events import DeadlinePassed, LimitMet, Truncated, utc_text
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import counts_heads, final_points, final_tally, number
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.ruling import Agreement, Ruling
from debate_core.report.words.contradictions import contradicting_words
from debate_core.report.words.evidence import unverified_words, with_mark
from debate_core.report.words.rules import agreed_words, chance_sentence, drivers_sentence
from debate_core.spec.checks import missing_of_a_debate
from debate_core.spec.contents import Synthesis, Verdict
from debate_core.spec.panels import diversity
from debate_core.spec.protocol import Spec, deciding_counts
from debate_core.spec.rules import AllOf, Ceiling, CountedRule, Elected, Majority, Plurality, votes_needed
from debate_core.spec.values import Axis, Outcome, Role, Tally, TurnStatus, Unheard, in_words
from debate_core.text import line, plural, spoken_list


def phase_sequence(account: Account) -> tuple[str, ...]:
    """Phases that ran, in order, without the chair's marking: nobody takes a turn in it."""
    state = account.state
    return tuple(name for _, name in state.ran if state.phase(name).gives != "review")


def speaker_schedule(account: Account) -> tuple[str, ...]:
    """Seats of the turns that were taken, in order: what ran, not what was planned."""
    return tuple(turn.seat for turn in account.readable_turns)


def debater_ids(state: State) -> tuple[str, ...]:
    """Seats of the debaters, in schedule order."""
    return tuple(seat.id for seat in state.spec.debaters())


def consensus_threshold(account: Account) -> int | None:
    """How many votes decide; None if another thing does, or the number depends on ballots that are not cast yet."""
    if account.tallies:
        needed = account.tallies[-1].threshold
        return None if needed is None else ceil(needed)
    spec = account.state.spec
    return votes_needed(spec.protocol.decide, sum(seat.weight for seat in spec.debaters()))


def _threshold_words(account: Account) -> str:
    """`2`, `2 on 2 ballots in a row`, or in words what decides without a number."""
    rule, votes = account.state.spec.protocol.decide, consensus_threshold(account)
    if role := account.ruling.seat_role:
        return f"none ({in_words(role)} decides)"
    wins = METHODS[rule.kind].wins
    if isinstance(rule, Plurality | Elected):
        return f"none ({wins})"
    needed = f"{wins} of the ballots cast" if votes is None else str(votes)
    if isinstance(rule, Majority) and rule.ballots_in_a_row > 1:
        return f"{needed} on {rule.ballots_in_a_row} ballots in a row"
    return needed


def summary_report(account: Account) -> str:
    """The nine lines that are the same for every protocol; `none` where there is no decision yet."""
    state = account.state
    outcome = state.outcome
    debaters = ", ".join(debater_ids(state))
    tally = ", ".join(f"{line(option)}: {points}" for option, points in final_points(state).items())
    contradicting = contradicting_words(account)
    lines = (
        f"debater_ids: [{debaters}]",
        f"rounds_run: {outcome.rounds_run if outcome else state.current_round()}",
        f"max_rounds: {state.spec.max_rounds}",
        f"phase_sequence: [{', '.join(phase_sequence(account))}]",
        f"consensus_threshold: {_threshold_words(account)}",
        f"vote_tally: {{{tally}}}{f' ({contradicting})' if contradicting else ''}",
        f"decision: {line(outcome.decision) if outcome else 'none'}",
        f"decision_rule: {outcome.decision_rule if outcome else 'none'}",
        f"speaker_schedule: [{', '.join(speaker_schedule(account))}]",
    )
    return "\n".join(lines)


def tally_words(tally: Tally | None) -> str:
    """`release 1, revise 2 (3 of 3 ballots cast)`."""
    if tally is None:
        return "nothing was counted"
    cast = _cast_words(tally)
    if tally.cast and not tally.counts:
        return cast
    votes = ", ".join(f"{line(count.option)} {count.votes}" for count in tally.counts) or "no vote"
    return f"{votes} ({cast})"


def _cast_words(tally: Tally) -> str:
    return f"{tally.cast} of {tally.eligible} ballots cast"


def final_words(account: Account) -> str:
    """What every option has at the close, or as it stands now, in the unit of the rule."""
    state = account.state
    rule, tally = state.spec.protocol.decide, final_tally(state)
    if role := account.ruling.seat_role:
        return not_counted_words(role)
    if counts_heads(state) or not tally.cast:
        return tally_words(tally)
    points = ", ".join(f"{line(option)} {number}" for option, number in final_points(state).items())
    return f"{points} {METHODS[rule.kind].unit} ({_cast_words(tally)})"


def not_counted_words(role: Role) -> str:
    """What is said of the count where a seat decides."""
    return f"no votes are counted, the {in_words(role)} names the option"


def standing_words(account: Account) -> str:
    """How many ballots in a row an option has held that has to hold on several; empty under every other rule."""
    ruling = account.ruling
    if ruling.result is None or ruling.result.in_a_row == 1 or not ruling.result.on_last_ballots:
        return ""
    held = spoken_list([*map(line, ruling.result.on_last_ballots)])
    return f"{held} held on {ruling.result.has_held} of the {ruling.result.in_a_row} ballots in a row that are needed"


_AGREEMENT: Mapping[Agreement, str] = {
    "consensus": "consensus: the rule elects one option",
    "split": "split: settled camps face each other",
    "incoherent": "incoherent: neither agreement nor settled camps",
    "no_ballots": "no ballots: nobody cast a vote, so nothing can be said about agreement",
    "too_few_ballots": "too few ballots: nothing can be said about agreement",
    "refused": "not measured: what would win is refused for its quotes",
    "cut_off": "not measured: the debate ended before the rule could be applied",
}


def agreement_words(account: Account) -> str:
    """What code alone says about the agreement of the debaters, and how many of them voted if not all did."""
    if account.agreement is None:
        return "not measured: this protocol takes no votes"
    tally = account.ruling.tally
    some = 0 < tally.cast < tally.eligible and account.agreement != "cut_off"
    return f"{_AGREEMENT[account.agreement]}{f' ({_cast_words(tally)})' if some else ''}"


def agreed_lines(account: Account) -> tuple[str, ...]:
    """The rule, how often chance would reach its bar with as many ballots as were cast, and the drivers."""
    state, spec = account.state, account.state.spec
    debaters = spec.debaters()
    weight = sum(seat.weight for seat in debaters)
    cast = account.ruling.tally.cast if state.outcome else None
    counts = deciding_counts(spec.protocol, spec.max_rounds)
    chance = chance_sentence(
        spec.protocol.decide, len(debaters), len(spec.options), weight=weight, cast=cast, counts=counts
    )
    lines = (agreed_words(spec, edition=state.edition), chance, drivers_sentence(spec.drivers))
    return tuple(filter(None, lines))


# How it ended


def outcome_sentence(account: Account) -> str:
    """The outcome with its arithmetic, on one line."""
    headline, why = outcome_lines(account)
    return f"{headline}. {why}"


def outcome_lines(account: Account) -> tuple[str, str]:
    """The outcome as a headline and its arithmetic; for a debate that still runs, what stands so far."""
    headline, why = _outcome_lines(account)
    found = contradicting_words(account)
    if found and account.state.outcome:
        return f"{headline} ({found})", why
    return headline, f"{why} {found}." if found else why


def _outcome_lines(account: Account) -> tuple[str, str]:
    state, outcome = account.state, account.state.outcome
    if outcome is None:
        waits = limit_sentence(state) or unreached_sentence(state) or wait_sentence(state)
        stands = waits or "The debate still runs."
        return "Not decided yet", f"{stands} So far: {_so_far(account)}."
    if outcome.status == "decided":
        headline = _advice(account, "advise", "advises") if _advises(state) else "Decided"
        decision = with_mark(account, outcome.decision)
        return f"{headline}: {decision}", f"{_why_decided(account, outcome)}{_then_cut_off(state)}"
    if outcome.status == "truncated" and state.truncated:
        return f"Cut off by the limit of {agreed_limit(state, state.truncated.axis)}", _why_cut_off(
            account, state.truncated
        )
    if outcome.status == "aborted" and state.stopped:
        return "Stopped by hand", f"The reason given: {state.stopped.reason}. Nothing was decided."
    if outcome.status == "aborted" and state.deadline_passed:
        return "Ended by the deadline", _why_waited_too_long(state, state.deadline_passed)
    headline = _advice(account, "are undecided", "is undecided") if _advises(state) else "Undecided"
    return f"{headline}: {outcome.decision}", _why_undecided(account, outcome)


def wait_sentence(state: State) -> str:
    """Whom the debate waits for, and when it ends without them; empty where no time was agreed."""
    wait = stage.wait_for_people(state)
    if wait is None or wait.until is None:
        return ""
    until = f"{utc_text(wait.until)[:16].replace('T', ' ')} UTC"
    return f"The debate waits for {_waited_for(wait.seats)}, and ends without a decision at {until}."


def limit_sentence(state: State) -> str:
    """Which call a limit does not allow, and what can follow; empty unless the debate waits at a limit."""
    met = state.limit_met
    if met is None:
        return ""
    limit = agreed_limit(state, met.axis)
    return (
        f"The debate waits at the limit of {limit}: the next call ({_next_call(met)}) could pass it. Whoever leads may "
        "raise the limit, or end the debate there."
    )


def unreached_sentence(state: State) -> str:
    """Why nobody could be reached, and what can follow; empty unless the debate waits for that."""
    if not stage.unreached(state):
        return ""
    return f"The debate waits: {state.paused}. Whoever leads may ask again, or let it go on without them."


def _waited_for(seats: Sequence[str]) -> str:
    return spoken_list([*map(in_words, seats)]) if seats else "somebody to let it go on"


def _why_waited_too_long(state: State, passed: DeadlinePassed) -> str:
    longest = duration_words(state.spec.max_wait_s or 0)
    return f"{_sentence(_waited_for(passed.seats))} had {longest} and did not come. Nothing was decided."


def duration_words(seconds: int) -> str:
    """`3 days`, `90 minutes`, `45 seconds`: in the largest unit that says it exactly."""
    units = {"day": 86_400, "hour": 3_600, "minute": 60}
    unit = next((name for name, length in units.items() if seconds >= length and seconds % length == 0), "second")
    return plural(seconds // units.get(unit, 1), unit)


def _advises(state: State) -> bool:
    """True where a vote of people decides, and what the debate came to is advice."""
    return state.spec.terms.decides != "debaters"


def _advice(account: Account, they: str, it: str) -> str:
    """`The debaters advise`, `The judge advises`."""
    role = account.ruling.seat_role
    return f"The debaters {they}" if role is None else f"The {in_words(role)} {it}"


def _so_far(account: Account) -> str:
    state = account.state
    if role := account.ruling.seat_role:
        said = _last_word(state, role) if voting.last_word(state, role) else "has not spoken"
        return f"the {in_words(role)} {said}"
    if not state.counted:
        return "no ballot has been counted"
    held = standing_words(account)
    return f"{final_words(account)}{f'; {held}' if held else ''}"


def _why_decided(account: Account, outcome: Outcome) -> str:
    state, ended, ruling = account.state, ended_words(account), account.ruling
    rule = state.spec.protocol.decide
    by = in_words(outcome.decided_by or ruling.seat_role or rule.kind)
    if not ruling.is_counted:
        return f"Named by {by}, as agreed before the start. No votes were counted. The rounds ended because {ended}."
    why = "" if outcome.ended_by == rule.kind else f" It ended because {ended}."
    bar = needed_words(ruling)
    decided = f"decided by {by} {_after(state)}.{_ladder(outcome)}{why}"
    if not counts_heads(state):
        return f"{_sentence(final_words(account))}{f', {bar}' if bar else ''} → {decided}"
    bar = bar or ("level with the most votes" if outcome.steps else "the most votes")
    return f"{outcome.tally.votes(outcome.decision)} of {plural(outcome.tally.eligible, 'debater')}, {bar} → {decided}"


def needed_words(ruling: Ruling) -> str:
    """`2 needed`, `2 needed on 2 ballots in a row`; empty where most votes are enough, or none are counted."""
    result = ruling.result
    if result is None or result.needed is None:
        return ""
    if result.in_a_row == 1:
        return f"{number(result.needed)} needed"
    if ruling.option and ruling.count and not ruling.count.earlier:
        return f"{number(result.needed)} needed, and all on the first ballot"
    return f"{number(result.needed)} needed on {result.in_a_row} ballots in a row"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _ladder(outcome: Outcome) -> str:
    """The steps that were tried to break a tie."""
    steps = [f"{step.step} leaves {spoken_list([*map(line, step.left)])} ({step.why})" for step in outcome.steps]
    return f" What was level: {'; '.join(steps)}." if steps else ""


def limit_words(axis: Axis, limit: str) -> str:
    """`10 calls`, `50,000 tokens`, `600 s`, `0.50 USD`."""
    match axis:
        case "calls":
            return plural(int(limit), "call")
        case "tokens":
            return f"{int(limit):,} tokens"
        case "seconds":
            return f"{limit} s"
        case "usd":
            return f"{limit} USD"
        case _:
            assert_never(axis)


def raised_words(to: Ceiling) -> str:
    """`10 calls and 2.50 USD`: the limits that were changed."""
    changed = {axis: getattr(to, axis) for axis in AXES}
    return spoken_list([limit_words(axis, str(value)) for axis, value in changed.items() if value is not None])


def agreed_limit(state: State, axis: Axis) -> str:
    """`10 calls`: what is allowed now on an axis that has a limit."""
    return limit_words(axis, str(getattr(state.spec.ceiling(), axis)))


def _why_cut_off(account: Account, cut: Truncated) -> str:
    state, call = account.state, _next_call(cut)
    if cut.axis == "seconds":
        why = f"The time was over before the next turn ({call})"
    elif cut.axis == "usd" and (cut.reserved is None or cut.reserved.cost_usd is None):
        why = f"What the next call ({call}) may cost is not known, so it was not made"
    else:
        why = f"The next call ({call}) could have passed it, so it was not made"
    stands = final_words(account) if state.outcome and account.ruling.is_counted else _so_far(account)
    return f"{why}. Nothing was decided; what was said is kept: {stands}."


def _then_cut_off(state: State) -> str:
    if state.truncated is None:
        return ""
    limit, left = agreed_limit(state, state.truncated.axis), _next_call(state.truncated)
    return f" The limit of {limit} then ended the debate before its last words ({left})."


def _next_call(cut: LimitMet) -> str:
    request = RequestId.parse(cut.request)
    return f"{in_words(request.seat)}, {in_words(request.phase)}, round {request.round}"


def _after(state: State) -> str:
    if not state.counted:
        return f"after round {state.current_round()}"
    return f"after round {state.counted[-1].round}, {in_words(state.counted[-1].phase)}"


def _why_undecided(account: Account, outcome: Outcome) -> str:
    state, ended = account.state, ended_words(account)
    if outcome.ended_by == stopping.UNVERIFIED_QUOTES:
        return f"{_sentence(ended)}: {final_words(account)}. {unverified_words(account)}"
    if account.ruling.standing == "cut_off":
        return f"{_sentence(ended)}, so the debate could not go on ({_after(state)})."
    if role := account.ruling.seat_role:
        rounds = plural(outcome.rounds_run, "round")
        said = f"The {in_words(role)} {_last_word(state, role)} ({rounds} held). The rounds ended because {ended}."
        return f"{unheard_words(outcome)} {said}" if outcome.unheard else said
    why_not = _sentence(_why_not(account))
    return f"{why_not}: {final_words(account)}.{_ladder(outcome)} It ended {_after(state)} because {ended}."


def _last_word(state: State, role: Role) -> str:
    """What a seat that decided nothing said last."""
    turn = voting.last_word(state, role)
    if turn is None:
        return "gave no word"
    options = [_option_named(word) for word in voting.both_orders(state, turn)]
    if len(options) == 1 or options[0] == options[1]:
        return f"named {options[0]}"
    return f"named {options[0]} in one order and {options[1]} in the other, which names nothing"


def _option_named(word: Synthesis | Verdict | None) -> str:
    if word is None:
        return "nothing"
    return word.option or "no option"


def unheard_words(outcome: Outcome | None) -> str:
    """Who was not heard, since when and why, and that nothing is decided without them; empty if everybody was."""
    told = [_unheard(side) for side in outcome.unheard] if outcome else []
    return f"{_sentence('; '.join(told))}. Without every side heard nothing is decided." if told else ""


def _unheard(side: Unheard) -> str:
    """`north was not heard: 0 of 3 turns given, the first lost in round 1 (2 late, 1 failed)`."""
    names = spoken_list([in_words(seat) for seat in side.seats])
    who = f"{names} {'was' if len(side.seats) == 1 else 'were'} not heard"
    if not side.asked:
        return f"{who}: asked for no turn until then"
    given = f"{side.given} of {plural(side.asked, 'turn')} given"
    if side.since is None:
        return f"{who}: {given}"
    why = ", ".join(f"{n} {_LOST[status]}" for status, n in Counter(side.why).items())
    return f"{who}: {given}, the first lost in round {side.since} ({why})"


_LOST: Mapping[TurnStatus, str] = {
    "timeout": "late",
    "refused": "refused",
    "cut": "cut short",
    "unparseable": "unreadable",
    "failed": "failed",
    "weak": "too weak",
    "skipped": "skipped",
    "struck": "struck",
}
"""What became of a turn that was not given."""


def short_reason(account: Account) -> str:
    """Why nothing was decided, in one sentence without the count."""
    outcome = account.state.outcome
    if outcome is None or outcome.status != "undecided":
        return outcome_lines(account)[1]
    if outcome.unheard:
        return unheard_words(outcome)
    if account.ruling.standing == "cut_off" or outcome.ended_by == stopping.UNVERIFIED_QUOTES:
        return f"{_sentence(ended_words(account))}."
    if role := account.ruling.seat_role:
        return f"The {in_words(role)} {_last_word(account.state, role)}."
    return f"{_sentence(_why_not(account))}."


def _why_not(account: Account) -> str:
    """The first thing that kept the rule from electing one option."""
    ruling = account.ruling
    count, result = ruling.count, ruling.result
    if count is None or result is None or result.obstacle is None:
        return "nobody was asked for a ballot"
    match result.obstacle:
        case "no_ballots":
            return "nobody cast a vote"
        case "quorum":
            return f"at least {plural(result.quorum, 'ballot')} must be cast for a decision"
        case "tie":
            each = f" with {ruling.tally.votes(result.ties[0])} each" if counts_heads(account.state) else ""
            return f"{spoken_list(result.ties)} stand level{each}"
        case "refused":
            return f"{spoken_list(result.on_last_ballots)} would win, and is refused for its quotes"
        case "in_a_row":
            return standing_words(account)
        case "bar":
            return _why_no_option(count.rule, result)
        case _:
            assert_never(result.obstacle)


def _why_no_option(rule: CountedRule, result: Result) -> str:
    """Why no option has what the rule asks."""
    if isinstance(rule, Elected) and rule.kind == "consent":
        return "no option has a consent and no objection"
    if isinstance(rule, Elected) and rule.kind == "weighted_criteria" and rule.floor_percent:
        return f"no option has {rule.floor_percent}% of {rule.most_points} points"
    if isinstance(rule, Elected) and rule.floor_percent:
        return f"no option is approved by {rule.floor_percent}% of the ballots cast"
    if isinstance(rule, Plurality | Elected) or result.needed is None:
        return "the ballots put no option first"
    of = result.cast_weight if rule.base == "cast" else result.eligible_weight
    return f"no option has the {number(result.needed)} of {of} votes it needs"


# What has to be said before anything else


def first_words(account: Account) -> tuple[str, ...]:
    """An unknown origin, a rehearsal, an evidence panel, which models speak: what a reader has to know first."""
    return (*origin_words(account), *_first_words(account.state.spec))


def origin_words(account: Account) -> tuple[str, ...]:
    """That nobody knows where the record is from; () if somebody does."""
    return (FLAGS["origin_unknown"],) if account.origin_unknown else ()


def _first_words(spec: Spec) -> Iterator[str]:
    if spec.rehearsal:
        yield "Rehearsal: scripted seats speak here; nobody held this debate."
    if label := not_a_debate_words(spec):
        yield label
    panel = [in_words(seat.id) for seat in spec.evidence_panel()]
    if panel:
        yield f"Evidence panel (no model): {', '.join(panel)} only quote the sources and link claims."
    offline = [in_words(seat.id) for seat in spec.seats if seat.occupant == "offline"]
    by_code = [name for name in offline if name not in panel]
    if by_code:
        yield f"By code (no model): {', '.join(by_code)} only link claims, or pass over their turn."
    if spec.parent:
        yield f"Set up anew from the debate {spec.parent}, which stays as it is."
    seats = _seats_by_line(spec)
    if seats:
        yield _models(spec, seats)
    if seats and diversity(spec).single_family:
        yield _alike(spec)


def _seats_by_line(spec: Spec) -> Mapping[str, list[str]]:
    """Line of a model -> the seats that it fills, in words."""
    lines = {model.id for model in spec.models}
    seats: dict[str, list[str]] = {}
    for seat in spec.seats:
        if seat.occupant == "model" and seat.model in lines:
            seats.setdefault(seat.model, []).append(in_words(seat.id))
    return seats


def _models(spec: Spec, seats: Mapping[str, list[str]]) -> str:
    lines = {model.id: model for model in spec.models}
    named = [f"{spoken_list(ids)}: {lines[i].model or i} ({lines[i].provider})" for i, ids in seats.items()]
    return f"Models speak here. {'; '.join(named)}."


def _alike(spec: Spec) -> str:
    models = diversity(spec)
    one = f"one model ({models.models[0]})" if models.same_model else f"one family ({', '.join(models.families)})"
    return f"All models that debate here are of {one}: they may share their errors."


def not_a_debate_words(spec: Spec) -> str:
    """`Not a debate: it lacks reading one another.`; empty if it is one."""
    lacks = missing_of_a_debate(spec)
    return f"Not a debate: it lacks {' and '.join(lacks)}." if lacks else ""


# Why it ended

_ENDED: dict[str, str] = {
    stopping.MAX_ROUNDS: "the last round was over",
    stopping.PROVIDER_DOWN: "no debater answered any more",
    stopping.UNREADABLE: "no reply of the debaters could be used any more",
    stopping.STOPPED: "a person stopped it",
    stopping.UNVERIFIED_QUOTES: "what would win rests on unverified quotes, and the protocol refuses that",
    stopping.QUORUM: "too few ballots were cast for a decision",
    stopping.DEADLINE: "people were waited for longer than was agreed",
    stopping.SIDE_UNHEARD: "a side was not heard",
    "all_agree": "all debaters voted for the same option",
    "stable": "no ballot had changed since the round before",
    "moderator_done": "the moderator had called this the last round",
    "no_further_round": "the evaluator did not recommend another round",
    "text_mention": "somebody had said the phrase that was agreed to end it",
    "max_turns": "as many turns had been given as were agreed",
    "from_round": "the round had come that was waited for",
    "no_progress": "the round had brought no new claim",
    "converged": "all debaters had come to hold the same option",
    "ceiling_calls": "the limit of calls was reached",
    "ceiling_tokens": "the limit of tokens was reached",
    "ceiling_seconds": "the time was over",
    "ceiling_usd": "the limit of money was reached",
}


def ended_words(account: Account) -> str:
    """Why the debate ended, as a clause: `the last round was over`; empty while it runs."""
    state = account.state
    if state.outcome is None:
        return ""
    name, rule = state.outcome.ended_by, state.spec.protocol.decide
    if name == stopping.PROVIDER_DOWN and stopping.somebody_replied(state):
        # Records of the first edition call both kinds of outage so.
        name = stopping.UNREADABLE
    if name == rule.kind:
        role = account.ruling.seat_role
        return f"the {in_words(role)} had named an option" if role else "the rule had a winner"
    if name in (stopping.QUORUM, stopping.SIDE_UNHEARD):
        name = state.outcome.fired[0]
    if name != "all_of":
        return _ENDED.get(name, in_words(name))
    together = (rule for rule in state.spec.protocol.stop if isinstance(rule, AllOf))
    return " and ".join(_clause(rule.kind) for both in together for rule in both.rules)


def end_words(outcome: Outcome) -> str:
    """The same as far as the end itself tells, for whoever has nothing but it."""
    if outcome.ended_by == "all_of":
        return "all had come that was to end it together"
    if known := _ENDED.get(outcome.ended_by):
        return known
    # What ended it is the rule that decides.
    return "an option had been named" if outcome.ended_by == "by_seat" else "the rule had a winner"


def _clause(kind: str) -> str:
    return "the rule had a winner" if kind == "decision_reached" else _ENDED.get(kind, in_words(kind))
