"""A debate in sentences: the nine-line report, rule, outcome and agreement in words, and the doors for foreign text.

`plain` and `md_text` are the only ways in which text of seats and documents enters a report: it can never become
markup, an image, a link or a command of the terminal there. Called by the longer reports, the command line, screens.
"""

import re
from typing import assert_never

from debate_core.model import Outcome, Tally
from debate_core.protocol import BySeat, Majority, Spec, Threshold, votes_needed
from debate_core.report.rows import final_tally, told_turns
from debate_core.rules import stopping, voting
from debate_core.state import State

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_MARKUP = re.compile(r"[\\`*_\[\]<>|$~&@]|:(?=//)|(?<=[wW]{3})\.")
_LINE_START = re.compile(r"(?m)^[ \t]*(?:([#+=-])|(\d{1,9})([.)]))")


def plain(text: str) -> str:
    """Text without control and direction characters: a terminal or a diff shows what is there."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def line(text: str) -> str:
    """The same on one line."""
    return " ".join(plain(re.sub(r"[\r\n\x85\u2028\u2029]", " ", text)).split())


def md_text(text: str) -> str:
    """Markdown that shows exactly these words: no heading, list, table, formula, HTML, image or link."""
    escaped = _MARKUP.sub(lambda m: "\\" + m.group(), plain(text))
    return _LINE_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", escaped)


def md_line(text: str) -> str:
    """The same on one line, for table cells and headings."""
    return md_text(line(text))


def phase_sequence(state: State) -> tuple[str, ...]:
    """Phases that ran, in order, without the chair's marking: nobody takes a turn in it."""
    return tuple(name for _, name in state.ran if state.phase(name).gives != "review")


def speaker_schedule(state: State) -> tuple[str, ...]:
    """Seats of the turns that were taken, in order: what ran, not what was planned."""
    return tuple(t.seat for t in told_turns(state))


def summary_report(state: State) -> str:
    """The nine lines of seed 000, for every protocol; `none` where there is no threshold or no decision yet."""
    rule, outcome = state.spec.protocol.decide, state.outcome
    tally = ", ".join(f"{line(c.option)}: {c.votes}" for c in final_tally(state).counts)
    lines = (
        f"debater_ids: [{', '.join(s.id for s in state.spec.debaters())}]",
        f"rounds_run: {outcome.rounds_run if outcome else state.current_round()}",
        f"max_rounds: {state.spec.max_rounds}",
        f"phase_sequence: [{', '.join(phase_sequence(state))}]",
        f"consensus_threshold: {rule.votes if isinstance(rule, Threshold) else 'none'}",
        f"vote_tally: {{{tally}}}",
        f"decision: {line(outcome.decision) if outcome else 'none'}",
        f"decision_rule: {outcome.decision_rule if outcome else 'none'}",
        f"speaker_schedule: [{', '.join(speaker_schedule(state))}]",
    )
    return "\n".join(lines)


def rule_sentence(spec: Spec) -> str:
    """The decision rule as agreed before the start, worked out in heads."""
    rule, n = spec.protocol.decide, len(spec.debaters())
    checked = "every phase" if spec.protocol.check_after == "phase" else "every round"
    match rule:
        case Threshold():
            return f"An option is decided with {rule.votes} of {n} current votes, checked after {checked}."
        case Majority():
            row = f" on {rule.ballots_in_a_row} ballots in a row" if rule.ballots_in_a_row > 1 else ""
            at_once = "; a unanimous first ballot decides at once" if row else ""
            needed = votes_needed(rule, n)
            return f"An option is decided with {needed} of {n} current votes{row}, checked after {checked}{at_once}."
        case BySeat():
            return f"The {rule.role} names one option, or none; no votes are counted."
        case _:
            assert_never(rule)


def chance_sentence(spec: Spec) -> str:
    """How often the bar is reached by voting at random; empty if no count decides."""
    eligible, options = len(spec.debaters()), len(spec.options)
    needed = votes_needed(spec.protocol.decide, eligible)
    if needed is None:
        return ""
    share = float(voting.chance_level(eligible, options, needed))
    return (
        f"Chance level: if all {eligible} voted at random among {options} options, one option alone would have "
        f"{needed} of {eligible} on a single ballot {share:.1%} of the time."
    )


def tally_words(counted: Tally | None) -> str:
    """`release 1, revise 2 (3 of 3 ballots cast)`."""
    if counted is None:
        return "nothing was counted"
    votes = ", ".join(f"{line(c.option)} {c.votes}" for c in counted.counts) or "no vote"
    return f"{votes} ({counted.cast} of {counted.eligible} ballots cast)"


_AGREEMENT: dict[voting.Agreement, str] = {
    "consensus": "consensus: the rule elects one option",
    "split": "split: settled camps face each other",
    "incoherent": "incoherent: neither agreement nor settled camps",
    "no_ballots": "no ballots: nobody cast a vote, so nothing can be said about agreement",
}


def agreement_words(state: State) -> str:
    """What code alone says about the agreement of the debaters."""
    if isinstance(state.spec.protocol.decide, BySeat):
        return "not measured: this protocol takes no votes"
    return _AGREEMENT[voting.agreement(state)]


def outcome_sentence(state: State) -> str:
    """The outcome first, with its arithmetic."""
    outcome = state.outcome
    if outcome is None:
        return f"Not over: round {state.current_round()} of {state.spec.max_rounds}, waiting."
    match outcome.status:
        case "decided":
            return f"Decided: {line(outcome.decision)} ({_arithmetic(state, outcome)})."
        case "undecided":
            return f"Undecided, so: {line(outcome.decision)} ({_why_undecided(outcome)})."
        case "truncated":
            return f"Truncated before a decision, so: {line(outcome.decision)} ({outcome.ended_by})."
        case "aborted":
            reason = line(state.stopped.reason) if state.stopped else outcome.ended_by
            return f"Stopped by a person before a decision: {reason.rstrip('.')}."
        case _:
            assert_never(outcome.status)


def _arithmetic(state: State, outcome: Outcome) -> str:
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat):
        return f"named by {outcome.decided_by}; no votes were counted"
    needed = votes_needed(rule, outcome.tally.eligible)
    return f"{outcome.tally.votes(outcome.decision)} of {outcome.tally.eligible} votes, {needed} needed"


def _why_undecided(outcome: Outcome) -> str:
    if outcome.ended_by == stopping.PROVIDER_DOWN:
        return "no seat of the last phase gave a turn"
    if outcome.ties:
        return f"a tie of {', '.join(line(o) for o in outcome.ties)}"
    if outcome.decision_rule == "by_seat":
        return "the seat that decides named no option"
    return f"{outcome.ended_by} after round {outcome.rounds_run}"


def first_words(spec: Spec) -> tuple[str, ...]:
    """What has to be said before anything else: a rehearsal, an evidence panel."""
    said = []
    if spec.rehearsal:
        said.append("Rehearsal: scripted seats speak here; nobody held this debate.")
    panel = [s.id for s in spec.seats if s.occupant == "offline"]
    if panel:
        said.append(f"Evidence panel (no model): {', '.join(panel)} only quote the sources and link claims.")
    return tuple(said)
