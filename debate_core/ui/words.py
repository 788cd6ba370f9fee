"""What the screens say about a debate, in plain sentences: the rule, the count, the chance level, each event.

Pure: takes values and gives plain text that is not yet made safe for a screen (`parts.show_text` does that). Knows
neither streamlit nor who is reading. Called by the pages and by `setup_form`.
"""

from collections.abc import Sequence
from typing import assert_never

from debate_core.events import (
    AttemptStarted,
    Closed,
    DebateOpened,
    Event,
    Marked,
    Paused,
    PhaseBegan,
    PhaseEnded,
    Resumed,
    Stopped,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
)
from debate_core.model import Argument, Mark, Review, Synthesis, Tally
from debate_core.protocol import BySeat, DecisionRule, Majority, Phase, Protocol, Spec, Threshold, votes_needed
from debate_core.rules import stopping
from debate_core.rules.voting import chance_level
from debate_core.state import State

KIND_WORDS = {
    "debate_opened": "opened",
    "phase_began": "phase began",
    "phase_ended": "phase ended",
    "attempt_started": "asked",
    "turn_taken": "turn given",
    "turn_failed": "turn failed",
    "turn_skipped": "turn skipped",
    "marked": "marked",
    "paused": "paused",
    "resumed": "resumed",
    "stopped": "stopped",
    "closed": "closed",
}


def plural(n: int, noun: str) -> str:
    """`1 vote`, `2 votes`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def spoken_list(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def title_of(name: str) -> str:
    """`bounded_vote` -> `Bounded vote`."""
    return name.replace("_", " ").capitalize()


def rule_line(rule: DecisionRule, debaters: int) -> str:
    """The decision rule as agreed before the start, in heads."""
    match rule:
        case Threshold():
            return f"An option wins with {rule.votes} of {plural(debaters, 'debater')}"
        case Majority():
            needed = votes_needed(rule, debaters)
            row = f" on {rule.ballots_in_a_row} ballots in a row" if rule.ballots_in_a_row > 1 else ""
            all_at_once = "; a unanimous first ballot wins at once" if rule.ballots_in_a_row > 1 else ""
            return f"An option wins with {needed} of {plural(debaters, 'debater')}{row}{all_at_once}"
        case BySeat():
            return f"The {rule.role} names one option, or none; no votes are counted"
        case _:
            assert_never(rule)


def chance_line(rule: DecisionRule, debaters: int, options: int) -> str:
    """How often the bar would be reached by voting at random; empty if no count decides."""
    needed = votes_needed(rule, debaters)
    if needed is None or not 1 <= needed <= debaters or options < 2:
        return ""
    share = chance_level(debaters, options, needed)
    one_ballot = " on any one ballot" if isinstance(rule, Majority) and rule.ballots_in_a_row > 1 else ""
    return (
        f"If all {plural(debaters, 'debater')} voted at random among {plural(options, 'option')}, "
        f"one option would get there {float(share):.0%} of the time{one_ballot}"
    )


def phases_line(protocol: Protocol, rounds: int) -> str:
    """The sequence of phases as one readable line."""
    parts = [_names(protocol.before)]
    first = [p for p in protocol.each_round if p.when in ("every", "first")]
    later = [p for p in protocol.each_round if p.when in ("every", "after_first", "middle" if rounds > 2 else "last")]
    last = [p for p in protocol.each_round if p.when in ("every", "after_first", "last")]
    if first == later == last:
        parts.append(f"Each round: {_names(first)}")
    else:
        parts.append(f"Round 1: {_names(first)}")
        if rounds > 1 and later == last:
            parts.append(f"{'Round 2' if rounds == 2 else f'Rounds 2 to {rounds}'}: {_names(later)}")
        elif rounds > 1:
            middle = f"{'Round 2' if rounds == 3 else f'Rounds 2 to {rounds - 1}'}: {_names(later)}"
            parts += [middle] * (rounds > 2) + [f"Round {rounds}: {_names(last)}"]
    parts.append(f"At the end: {_names(protocol.after)}" if protocol.after else "")
    return " · ".join(filter(None, parts))


def _names(phases: Sequence[Phase]) -> str:
    return " → ".join(p.name for p in phases)


def tally_line(tally: Tally) -> str:
    """`release 1, revise 2 (3 of 3 cast)`."""
    counts = ", ".join(f"{c.option} {c.votes}" for c in tally.counts) or "no ballot was cast"
    return f"{counts} ({tally.cast} of {tally.eligible} cast)"


def decision_lines(state: State) -> tuple[str, str]:
    """The outcome as a headline and its arithmetic; for a debate that still runs, what stands so far."""
    outcome = state.outcome
    if outcome is None:
        return "Not decided yet", f"The debate still runs. So far: {_so_far(state)}."
    if outcome.status == "decided":
        return f"Decided: {outcome.decision}", _why_decided(state)
    if outcome.status == "aborted" and state.stopped:
        return "Stopped by hand", f"The reason given: {state.stopped.reason}. Nothing was decided."
    return f"Undecided: {outcome.decision}", _why_undecided(state)


def _so_far(state: State) -> str:
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat):
        return f"the {rule.role} has not spoken"
    return tally_line(state.counted[-1].tally) if state.counted else "no ballot has been counted"


def _why_decided(state: State) -> str:
    outcome, rule = state.outcome, state.spec.protocol.decide
    assert outcome is not None
    if isinstance(rule, BySeat):
        return f"Named by {outcome.decided_by}, as agreed before the start. No votes were counted."
    votes, needed = outcome.tally.votes(outcome.decision), votes_needed(rule, outcome.tally.eligible)
    return (
        f"{votes} of {plural(outcome.tally.eligible, 'debater')}, {needed} needed → decided by {outcome.decided_by} "
        f"{_after(state)}."
    )


def _after(state: State) -> str:
    if not state.counted:
        return f"after round {state.current_round()}"
    return f"after round {state.counted[-1].round}, {state.counted[-1].phase}"


def _why_undecided(state: State) -> str:
    outcome, rule = state.outcome, state.spec.protocol.decide
    assert outcome is not None
    if outcome.ended_by == stopping.PROVIDER_DOWN:
        return f"No seat of the last phase gave a turn, so the debate could not go on ({_after(state)})."
    if isinstance(rule, BySeat):
        return f"The {rule.role} named no option ({plural(outcome.rounds_run, 'round')} held)."
    needed = votes_needed(rule, outcome.tally.eligible)
    if len(outcome.ties) > 1:
        why = f"{spoken_list(outcome.ties)} stand level with {outcome.tally.votes(outcome.ties[0])} each"
    elif isinstance(rule, Majority) and any(c.votes >= (needed or 0) for c in outcome.tally.counts):
        why = f"a majority must hold on {rule.ballots_in_a_row} ballots in a row, and it did not"
    else:
        why = f"no option has the {needed} of {outcome.tally.eligible} votes it needs"
    return f"{why[0].upper()}{why[1:]}: {tally_line(outcome.tally)}. Ended by {outcome.ended_by} {_after(state)}."


def mark_words(mark: Mark) -> str:
    """`supports adopt`, `against adopt`, `neutral`."""
    return mark.reading if mark.reading == "neutral" else f"{mark.reading} {mark.option}"


def where_words(request_id: str) -> str:
    """`2.critique.risk.1` -> `critique, round 2`."""
    number, phase, _, _ = request_id.split(".")
    return f"{phase}, round {number}"


def _seat(request_id: str) -> str:
    return request_id.split(".")[2]


def event_line(event: Event) -> str:
    """One event as one sentence: who did what, and why if a reason was given."""
    body = event.body
    match body:
        case DebateOpened():
            return f"{event.actor} {_opened(body.spec)}"
        case PhaseBegan():
            return f"Round {body.round}, {body.phase} began; to speak: {', '.join(body.speakers)}"
        case PhaseEnded():
            counted = f"; counted: {tally_line(body.tally)}" if body.tally else ""
            return f"Round {body.round}, {body.phase} ended{counted}"
        case Marked():
            return f"{event.actor} marked {body.mark.claim_id}: {mark_words(body.mark)}{_because(body.reason)}"
        case Paused():
            return f"{event.actor} paused the debate{_because(body.reason)}"
        case Resumed():
            return f"{event.actor} let the debate go on{_because(body.reason)}"
        case Stopped():
            kept = f"; {plural(len(body.partials), 'partial text')} kept" if body.partials else ""
            return f"{event.actor} stopped the debate{_because(body.reason)}{kept}"
        case Closed():
            outcome = body.outcome
            return f"Closed: {outcome.status}, {outcome.decision} (ended by {outcome.ended_by})"
        case AttemptStarted() | TurnTaken() | TurnFailed() | TurnSkipped():
            return _turn_line(body, event.actor)
        case _:
            assert_never(body)


def _because(reason: str) -> str:
    return f", because: {reason}" if reason else ""


def _opened(spec: Spec) -> str:
    rehearsal = " as a rehearsal" if spec.rehearsal else ""
    return (
        f"opened the debate{rehearsal}: {spec.question} Options: {', '.join(spec.options)}. "
        f"{title_of(spec.protocol.name)}, {plural(len(spec.seats), 'seat')}, up to {plural(spec.max_rounds, 'round')}"
    )


def _turn_line(body: AttemptStarted | TurnTaken | TurnFailed | TurnSkipped, actor: str) -> str:
    seat, where = _seat(body.request), where_words(body.request)
    for_seat = "" if actor == seat else f" for {seat}"
    match body:
        case AttemptStarted():
            return f"{seat} was asked for {where}"
        case TurnTaken():
            return f"{actor} gave {where}{for_seat}{_content_words(body.content)}"
        case TurnFailed():
            kept = "; the partial text is kept" if body.partial else ""
            return f"{seat} gave no usable answer ({where}): {body.error}{_because(body.message)}{kept}"
        case TurnSkipped():
            return f"{actor} skipped {where}{for_seat}{_because(body.reason)}"
        case _:
            assert_never(body)


def _content_words(content: Argument | Synthesis | Review) -> str:
    match content:
        case Argument():
            vote = f"; vote: {content.vote}" if content.vote else ""
            return f"{vote}; {plural(len(content.claims), 'claim')}"
        case Synthesis():
            return f"; names {content.option}" if content.option else "; names no option"
        case Review():
            return f"; {plural(len(content.marks), 'mark')}"
        case _:
            assert_never(content)
