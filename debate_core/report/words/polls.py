"""Polls of people in sentences: what is sealed, how many are in, results as arithmetic, which of them decides.

Each electorate stands by itself, and so does the swing: nothing is added up across them.
"""

from collections.abc import Sequence
from fractions import Fraction

from debate_core.engine.count.methods import METHODS
from debate_core.engine.stage import ELECTORATES, Final, count_of_poll, final_decision, result_of, sealed
from debate_core.language import Words, _, _n, format_number, said, spoken_list
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import number
from debate_core.report.facts.polls import Progress, revealed_results, room_of
from debate_core.report.facts.swing import SwingRow, swing_rows, swing_winners
from debate_core.report.facts.terms import named, recorded
from debate_core.report.words.rules import bar_sentence
from debate_core.spec.people import Electorate, PollResult, Room, poll_name
from debate_core.spec.rules import CountedRule, Plurality
from debate_core.spec.values import Outcome, Role
from debate_core.text import capitalized

WHO: Words[str] = Words({"debaters": "the debaters", "panel": "the panel", "room": "the room"})


def sealed_words(state: State) -> str:
    """One sentence on what nobody may read yet; empty if everything may be read."""
    hidden = sealed(state)
    if not hidden:
        return ""
    one_vote = len(hidden) == 1 and not hidden[0].startswith(("the turns", "the judges", "the room"))
    return _n(
        1 if one_vote else 2,
        "Sealed until revealed: {hidden} is not for reading yet, so there are no files to take.",
        "Sealed until revealed: {hidden} are not for reading yet, so there are no files to take.",
        hidden=spoken_list([*map(said, hidden)]),
    )


def progress_words(rows: Sequence[Progress]) -> str:
    """`panel: 3 of 4 ballots in, room: 12 of 30 ballots in`."""
    return ", ".join(
        _n(
            row.eligible,
            "{electorate}: {voted} of {n} ballot in",
            "{electorate}: {voted} of {n} ballots in",
            electorate=named(row.electorate),
            voted=row.voted,
        )
        for row in rows
    ) or _("nobody has a vote")


def vote_rule_words(rule: CountedRule) -> str:
    """What wins a poll, before anybody has voted."""
    bar = bar_sentence(rule)
    if isinstance(rule, Plurality):
        return bar.removesuffix(".") + _("; level options are a tie.")
    return bar


def result_words(state: State, poll: PollState, result: PollResult) -> str:
    """What one electorate decided, as arithmetic: heads, weights, what each option has, what was needed."""
    unit = named(METHODS[room_of(state).vote.kind].unit)
    points = {p.option: Fraction(p.points) for p in result.points}
    most_first = sorted(points, key=lambda option: (-points[option], option))
    each = ", ".join(f"{option} {format_number(number(points[option]))}" for option in most_first)
    count = count_of_poll(state, poll, result.electorate).result()
    bar = "" if count.needed is None else _(" Needed: {needed}.", needed=number(count.needed))
    return f"{_turnout(result)} {capitalized(unit)}: {each}.{bar} {_elected(result, count.quorum)}"


def _turnout(result: PollResult) -> str:
    weight = ""
    if result.weight_eligible != result.eligible:
        weight = _(" (weight {weight_cast})", weight_cast=result.weight_cast)
    abstained = _(", {abstained} abstained", abstained=result.abstained) if result.abstained else ""
    return _n(
        result.eligible,
        "{cast} of {n} voter cast a ballot{weight}{abstained}.",
        "{cast} of {n} voters cast a ballot{weight}{abstained}.",
        cast=result.cast,
        weight=weight,
        abstained=abstained,
    )


def _elected(result: PollResult, quorum: int) -> str:
    if not result.quorum_met:
        return _n(
            quorum,
            "At least {n} ballot must be cast for a decision: nothing is decided.",
            "At least {n} ballots must be cast for a decision: nothing is decided.",
        )
    steps = "".join(
        _(" Tie, {step}: {left} ({why}).", step=s.step, left=spoken_list(s.left), why=recorded(s.why))
        for s in result.steps
    )
    rule = named(result.rule)
    if not result.winners:
        return _("No option has what the rule asks ({rule}): nothing is decided.{steps}", rule=rule, steps=steps)
    if len(result.winners) > 1:
        return _(
            "Level ({rule}): {winners}; nothing is decided.{steps}",
            rule=rule,
            winners=spoken_list(result.winners),
            steps=steps,
        )
    return _("Elected ({rule}): {winners}.{steps}", rule=rule, winners=result.winners[0], steps=steps)


def deciding_words(state: State) -> str:
    """Whose count was agreed to decide, what it says, and what the others say; empty without people."""
    if not state.spec.has_people:
        return ""
    final = final_decision(state)
    return _(
        "Agreed before the start: {whose} decides; {result}.{others}",
        whose=_whose(final),
        result=_final_words(final),
        others=_others(state, state.spec.terms),
    )


def _whose(final: Final) -> str:
    if final.by != "debaters":
        return _("the final vote of {who}", who=WHO[final.by])
    if final.seat_role:
        return final.decider
    return _("the count of the debaters")


def _final_words(final: Final) -> str:
    if final.pending and final.seat_role:
        return _("it has named nothing yet")
    if final.pending:
        return _("it has not been counted and revealed yet")
    if final.option is not None:
        return _("it says {option}", option=final.option)
    if final.ties:
        return _("{ties} are level, so nothing is decided", ties=spoken_list(final.ties))
    return _("it decides nothing")


def _others(state: State, terms: Room) -> str:
    """What everybody else counted says, as advice."""
    advice = []
    if terms.decides != "debaters" and state.outcome:
        advice.append(_of_debaters(state.spec.protocol.deciding_role, state.outcome))
    for electorate in ELECTORATES:
        result = result_of(state, "final", electorate)
        if result is not None and terms.decides != electorate:
            advice.append(_("{who} says {winners}", who=WHO[electorate], winners=_winner_words(result)))
    return _(" As advice: {advice}.", advice=", ".join(advice)) if advice else ""


def _of_debaters(role: Role | None, outcome: Outcome) -> str:
    """What the seat says that names an option, else what the debaters say."""
    decided = outcome.decision if outcome.status == "decided" else _("nothing")
    if role:
        return _("the {role} says {decided}", role=named(role), decided=decided)
    return _("the debaters say {decided}", decided=decided)


def _winner_words(result: PollResult) -> str:
    if not result.winners:
        return _("nothing")
    if len(result.winners) == 1:
        return result.winners[0]
    return _("{winners} level", winners=spoken_list(result.winners))


def swing_words(state: State, electorate: Electorate) -> str:
    """Who gained most and who has most, which need not be the same option; empty until both votes are revealed."""
    rows = [row for row in swing_rows(state) if row.electorate == electorate]
    if not rows:
        return ""
    gained = swing_winners(state, electorate)
    final = result_of(state, "final", electorate)
    winners = final.winners if final else ()
    # Who gained and who won need not be the same.
    differ = _("These are not the same. ") if gained and gained != winners else ""
    decides = _("both are advice")
    if room_of(state).decides == electorate:
        decides = _("the final vote decides, not the swing")
    return _(
        "Swing of {who}: {gained}; the final vote {result}. {differ}Agreed before the start: {decides}.",
        who=WHO[electorate],
        gained=_gained_words(gained, rows),
        result=_won_words(winners),
        differ=differ,
        decides=decides,
    )


def _gained_words(gained: Sequence[str], rows: Sequence[SwingRow]) -> str:
    if not gained:
        return _("no option gained")
    most = next(row.swing() for row in rows if row.option == gained[0])
    return _("{gained} gained most ({points})", gained=spoken_list(gained), points=_points(most))


def _won_words(winners: Sequence[str]) -> str:
    if not winners:
        return _("elects {winners}", winners=_("nothing"))
    if len(winners) == 1:
        return _("elects {winners}", winners=winners[0])
    return _("leaves {winners} level", winners=spoken_list(winners))


def _points(share: Fraction) -> str:
    return _("{points:+.1f} points", points=float(share * 100)).replace("+-", "-")


def poll_sentences(state: State) -> list[str]:
    """All that may be said of polls: which count decides, every revealed result, swings; [] before the first poll."""
    if not state.room.polls:
        return []
    sentences = [deciding_words(state)]
    for poll, result in revealed_results(state):
        name = f"{capitalized(named(result.electorate))}, {named(poll_name(poll.id))}"
        sentences.append(f"{name}: {result_words(state, poll, result)}")
    sentences += [swing_words(state, electorate) for electorate in ELECTORATES]
    sentences.append(sealed_words(state))
    return [sentence for sentence in sentences if sentence]
