"""Polls of people in sentences: what is sealed, how many are in, results as arithmetic, which of them decides.

Each electorate stands by itself, and so does the swing: nothing is added up across them.
"""

from collections.abc import Sequence
from fractions import Fraction

from debate_core.engine.stage import ELECTORATES, final_decision, result_of, sealed
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import number, unit_of
from debate_core.report.facts.polls import (
    Progress,
    counted_again,
    revealed_results,
    room_of,
)
from debate_core.report.facts.swing import has_swing, swing_rows, swing_winners
from debate_core.report.words.rules import bar_sentence
from debate_core.spec.people import Electorate, PollResult, Room, poll_name
from debate_core.spec.rules import CountedRule, Plurality
from debate_core.spec.values import in_words
from debate_core.text import plural, spoken_list

WHO: dict[str, str] = {"debaters": "the debaters", "panel": "the panel", "room": "the room"}


def sealed_words(state: State) -> str:
    """One sentence on what nobody may read yet; empty if everything may be read."""
    found = sealed(state)
    if not found:
        return ""
    verb = "is" if len(found) == 1 and not found[0].startswith(("the turns", "the judges")) else "are"
    return f"Sealed until revealed: {spoken_list(found)} {verb} not for reading yet, so there are no files to take."


def progress_words(rows: Sequence[Progress]) -> str:
    """`panel: 3 of 4 ballots in, room: 12 of 30 ballots in`."""
    return ", ".join(f"{r.electorate}: {r.voted} of {r.eligible} ballots in" for r in rows) or "nobody has a vote"


def vote_rule_words(rule: CountedRule) -> str:
    """What wins a poll, before anybody has voted."""
    level = "; level options are a tie." if isinstance(rule, Plurality) else "."
    return bar_sentence(rule).removesuffix(".") + level


def result_words(state: State, poll: PollState, result: PollResult) -> str:
    """What one electorate decided, as arithmetic: heads, weights, what each option has, what was needed."""
    rule = room_of(state).vote
    points = {p.option: Fraction(p.points) for p in result.points}
    each = ", ".join(f"{o} {number(points[o])}" for o in sorted(points, key=lambda o: (-points[o], o)))
    return f"{_turnout(result)} {_capital(unit_of(rule))}: {each}.{_needed(state, poll, result)} {_elected(result)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _turnout(result: PollResult) -> str:
    weight = "" if result.weight_eligible == result.eligible else f" (weight {result.weight_cast})"
    abstained = f", {result.abstained} abstained" if result.abstained else ""
    return f"{result.cast} of {plural(result.eligible, 'voter')} cast a ballot{weight}{abstained}."


def _needed(state: State, poll: PollState, result: PollResult) -> str:
    needed = counted_again(state, poll, result.electorate).needed
    return "" if needed is None else f" Needed: {number(needed)}."


def _elected(result: PollResult) -> str:
    if not result.quorum_met:
        return "The quorum was not met: nothing is decided."
    steps = "".join(f" Tie, {s.step}: {spoken_list(s.left)} ({s.why})." for s in result.steps)
    rule = in_words(result.rule)
    if not result.winners:
        return f"No option has what the rule asks ({rule}): nothing is decided.{steps}"
    if len(result.winners) > 1:
        return f"Level ({rule}): {spoken_list(result.winners)}; nothing is decided.{steps}"
    return f"Elected ({rule}): {result.winners[0]}.{steps}"


def deciding_words(state: State) -> str:
    """Whose count was agreed to decide, what it says, and what the others say; empty without people."""
    room = state.spec.room
    if room is None:
        return ""
    final = final_decision(state)
    whose = f"the count of {WHO[final.by]}" if final.by == "debaters" else f"the final vote of {WHO[final.by]}"
    if final.pending:
        said = "it has not been counted and revealed yet"
    elif final.option is not None:
        said = f"it says {final.option}"
    else:
        said = f"{spoken_list(final.ties)} are level, so nothing is decided" if final.ties else "it decides nothing"
    return f"Agreed before the start: {whose} decides; {said}.{_others(state, room)}"


def _others(state: State, room: Room) -> str:
    """What everybody else counted says, as advice."""
    said = []
    if room.decides != "debaters" and state.outcome:
        named = state.outcome.decision if state.outcome.status == "decided" else "nothing"
        said.append(f"the debaters say {named}")
    electorates: tuple[Electorate, ...] = ("panel", "room")
    for electorate in electorates:
        result = result_of(state, "final", electorate)
        if result is not None and room.decides != electorate:
            named = " and ".join(result.winners) + (" level" if len(result.winners) > 1 else "")
            said.append(f"{WHO[electorate]} says {named or 'nothing'}")
    return f" As advice: {', '.join(said)}." if said else ""


def swing_words(state: State, electorate: Electorate) -> str:
    """Who gained most and who has most, which need not be the same option; empty until both votes are revealed."""
    rows = [r for r in swing_rows(state) if r.electorate == electorate]
    if not has_swing(state) or not rows:
        return ""
    gained, final = swing_winners(state, electorate), result_of(state, "final", electorate)
    swings = {r.option: r.swing() for r in rows}
    told = "no option gained" if not gained else f"{spoken_list(gained)} gained most ({_points(swings[gained[0]])})"
    winners = final.winners if final else ()
    won = (
        f"leaves {spoken_list(winners)} level" if len(winners) > 1 else f"elects {winners[0] if winners else 'nothing'}"
    )
    differ = bool(gained) and gained != winners
    decides = "the final vote decides, not the swing" if room_of(state).decides == electorate else "both are advice"
    other = "These are not the same. " if differ else ""
    both = f"Swing of {WHO[electorate]}: {told}; the final vote {won}."
    return f"{both} {other}Agreed before the start: {decides}."


def _points(share: Fraction) -> str:
    return f"{float(share * 100):+.1f} points".replace("+-", "-")


def poll_sentences(state: State) -> list[str]:
    """All that may be said of polls: which count decides, every revealed result, swings; [] before the first poll."""
    if not state.room.polls:
        return []
    counted = [
        f"{result.electorate.capitalize()}, {poll_name(poll.id)}: {result_words(state, poll, result)}"
        for poll, result in revealed_results(state)
    ]
    swings = [words for electorate in ELECTORATES if (words := swing_words(state, electorate))]
    kept = [sealed_words(state)] if sealed(state) else []
    return [deciding_words(state), *counted, *swings, *kept]
