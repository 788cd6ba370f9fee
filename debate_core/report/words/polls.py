"""Polls of people in sentences: what is sealed, how many are in, results as arithmetic, which of them decides.

Each electorate stands by itself, and so does the swing: nothing is added up across them.
"""

from collections.abc import Sequence
from fractions import Fraction

from debate_core.engine.count.methods import METHODS
from debate_core.engine.stage import ELECTORATES, Final, count_of_poll, final_decision, result_of, sealed
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import number
from debate_core.report.facts.polls import Progress, revealed_results, room_of
from debate_core.report.facts.swing import SwingRow, has_swing, swing_rows, swing_winners
from debate_core.report.words.rules import bar_sentence
from debate_core.spec.people import Electorate, PollResult, Room, poll_name
from debate_core.spec.rules import CountedRule, Plurality
from debate_core.spec.values import in_words
from debate_core.text import plural, spoken_list

WHO: dict[str, str] = {"debaters": "the debaters", "panel": "the panel", "room": "the room"}


def sealed_words(state: State) -> str:
    """One sentence on what nobody may read yet; empty if everything may be read."""
    hidden = sealed(state)
    if not hidden:
        return ""
    one = len(hidden) == 1 and not hidden[0].startswith(("the turns", "the judges"))
    verb = "is" if one else "are"
    return f"Sealed until revealed: {spoken_list(hidden)} {verb} not for reading yet, so there are no files to take."


def progress_words(rows: Sequence[Progress]) -> str:
    """`panel: 3 of 4 ballots in, room: 12 of 30 ballots in`."""
    return ", ".join(f"{r.electorate}: {r.voted} of {r.eligible} ballots in" for r in rows) or "nobody has a vote"


def vote_rule_words(rule: CountedRule) -> str:
    """What wins a poll, before anybody has voted."""
    level = "; level options are a tie." if isinstance(rule, Plurality) else "."
    return bar_sentence(rule).removesuffix(".") + level


def result_words(state: State, poll: PollState, result: PollResult) -> str:
    """What one electorate decided, as arithmetic: heads, weights, what each option has, what was needed."""
    unit = METHODS[room_of(state).vote.kind].unit
    points = {p.option: Fraction(p.points) for p in result.points}
    most_first = sorted(points, key=lambda option: (-points[option], option))
    each = ", ".join(f"{option} {number(points[option])}" for option in most_first)
    count = count_of_poll(state, poll, result.electorate).result()
    bar = "" if count.needed is None else f" Needed: {number(count.needed)}."
    return f"{_turnout(result)} {unit[:1].upper()}{unit[1:]}: {each}.{bar} {_elected(result, count.quorum)}"


def _turnout(result: PollResult) -> str:
    weight = "" if result.weight_eligible == result.eligible else f" (weight {result.weight_cast})"
    abstained = f", {result.abstained} abstained" if result.abstained else ""
    return f"{result.cast} of {plural(result.eligible, 'voter')} cast a ballot{weight}{abstained}."


def _elected(result: PollResult, quorum: int) -> str:
    if not result.quorum_met:
        return f"At least {plural(quorum, 'ballot')} must be cast for a decision: nothing is decided."
    steps = "".join(f" Tie, {s.step}: {spoken_list(s.left)} ({s.why})." for s in result.steps)
    rule = in_words(result.rule)
    if not result.winners:
        return f"No option has what the rule asks ({rule}): nothing is decided.{steps}"
    if len(result.winners) > 1:
        return f"Level ({rule}): {spoken_list(result.winners)}; nothing is decided.{steps}"
    return f"Elected ({rule}): {result.winners[0]}.{steps}"


def deciding_words(state: State) -> str:
    """Whose count was agreed to decide, what it says, and what the others say; empty without people."""
    if not state.spec.has_people:
        return ""
    room, final = state.spec.terms, final_decision(state)
    return f"Agreed before the start: {_whose(final)} decides; {_final_words(final)}.{_others(state, room)}"


def _whose(final: Final) -> str:
    if final.by != "debaters":
        return f"the final vote of {WHO[final.by]}"
    return final.decider if final.seat_role else "the count of the debaters"


def _final_words(final: Final) -> str:
    if final.pending:
        return "it has named nothing yet" if final.seat_role else "it has not been counted and revealed yet"
    if final.option is not None:
        return f"it says {final.option}"
    return f"{spoken_list(final.ties)} are level, so nothing is decided" if final.ties else "it decides nothing"


def _others(state: State, room: Room) -> str:
    """What everybody else counted says, as advice."""
    advice = []
    if room.decides != "debaters" and state.outcome:
        decided = state.outcome.decision if state.outcome.status == "decided" else "nothing"
        role = state.spec.protocol.deciding_role
        advice.append(f"the {role} says {decided}" if role else f"the debaters say {decided}")
    for electorate in ELECTORATES:
        result = result_of(state, "final", electorate)
        if result is not None and room.decides != electorate:
            advice.append(f"{WHO[electorate]} says {_winner_words(result)}")
    return f" As advice: {', '.join(advice)}." if advice else ""


def _winner_words(result: PollResult) -> str:
    if not result.winners:
        return "nothing"
    level = " level" if len(result.winners) > 1 else ""
    return " and ".join(result.winners) + level


def swing_words(state: State, electorate: Electorate) -> str:
    """Who gained most and who has most, which need not be the same option; empty until both votes are revealed."""
    rows = [r for r in swing_rows(state) if r.electorate == electorate]
    if not has_swing(state) or not rows:
        return ""
    gained = swing_winners(state, electorate)
    final = result_of(state, "final", electorate)
    winners = final.winners if final else ()
    # Who gained and who won need not be the same.
    differ = "These are not the same. " if gained and gained != winners else ""
    decides = "the final vote decides, not the swing" if room_of(state).decides == electorate else "both are advice"
    return (
        f"Swing of {WHO[electorate]}: {_gained_words(gained, rows)}; the final vote {_won_words(winners)}. "
        f"{differ}Agreed before the start: {decides}."
    )


def _gained_words(gained: Sequence[str], rows: Sequence[SwingRow]) -> str:
    if not gained:
        return "no option gained"
    most = next(row.swing() for row in rows if row.option == gained[0])
    return f"{spoken_list(gained)} gained most ({_points(most)})"


def _won_words(winners: Sequence[str]) -> str:
    if len(winners) > 1:
        return f"leaves {spoken_list(winners)} level"
    return f"elects {winners[0] if winners else 'nothing'}"


def _points(share: Fraction) -> str:
    return f"{float(share * 100):+.1f} points".replace("+-", "-")


def poll_sentences(state: State) -> list[str]:
    """All that may be said of polls: which count decides, every revealed result, swings; [] before the first poll."""
    if not state.room.polls:
        return []
    sentences = [deciding_words(state)]
    for poll, result in revealed_results(state):
        name = f"{result.electorate.capitalize()}, {poll_name(poll.id)}"
        sentences.append(f"{name}: {result_words(state, poll, result)}")
    sentences += [swing_words(state, electorate) for electorate in ELECTORATES]
    sentences.append(sealed_words(state))
    return [sentence for sentence in sentences if sentence]
