"""Polls of people in sentences: sealed content, progress, results with their arithmetic, the deciding vote.

Electorates are never added up, nor are their swings.
"""

from collections.abc import Sequence

from debate_core.engine.count.methods import METHODS
from debate_core.engine.private_sources import withheld_sources
from debate_core.engine.stage import ELECTORATES, Final, count_of_poll, final_decision, result_of, sealed
from debate_core.language import Words, _, _n, said, spoken_list
from debate_core.record.acts import PollClosed, RoomAct
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import number
from debate_core.report.facts.polls import Progress, most_first, revealed_results, room_of
from debate_core.report.facts.swing import SwingRow, has_first_choices, swing_rows, swing_winners
from debate_core.report.facts.terms import named, recorded
from debate_core.report.facts.turnout import turnout
from debate_core.report.facts.vote_bars import VoteBars
from debate_core.report.phrases.counts import points_words, stand_words
from debate_core.report.phrases.rules import STEP_NAMES, bar_sentence
from debate_core.report.phrases.voters import NAMES, WHO
from debate_core.spec.people import Electorate, PollResult, Room, poll_name, stage_of
from debate_core.spec.rules import CountedRule, Plurality
from debate_core.spec.values import Outcome
from debate_core.text import capitalized

_SAYS: Words[Electorate] = Words({"panel": "the named people say {winners}", "room": "the room says {winners}"})
_DECIDES_NOTHING: Words[Electorate] = Words(
    {"panel": "the named people decide nothing", "room": "the room decides nothing"}
)
_PLURAL = ("the turns", "the judges", "the room", "the texts", "the documents")
"""The beginnings of sealed content that is no single vote."""


def withheld_words(state: State) -> str:
    """One sentence on sealed content that keeps all files from readers; empty if they may have them."""
    return sealed_words(state) if state.spec.has_people or withheld_sources(state) else ""


def sealed_words(state: State) -> str:
    """One sentence on sealed content; empty if everything may be read."""
    hidden = sealed(state)
    if not hidden:
        return ""
    one_vote = len(hidden) == 1 and not hidden[0].startswith(_PLURAL)
    return _n(
        1 if one_vote else 2,
        "Sealed until revealed: {hidden} cannot be read yet, so there are no files to download.",
        "Sealed until revealed: {hidden} cannot be read yet, so there are no files to download.",
        hidden=spoken_list([*map(said, hidden)]),
    )


def missing_sentence(state: State, act: RoomAct | None) -> str:
    """Number of people who have not finished the step that this act ends; None starts the debate."""
    found = turnout(state)
    if found is None or not found.missing:
        return ""
    left, asked = len(found.missing), len(found.asked)
    if isinstance(act, PollClosed):
        told = _n(left, "{n} of {of} has not voted.", "{n} of {of} have not voted.", of=asked)
        return f"{told} {_('Once the vote is closed, they can no longer vote.')}"
    return _n(left, "{n} of {of} is not done yet.", "{n} of {of} are not done yet.", of=asked)


def progress_words(rows: Sequence[Progress]) -> str:
    """`12 of 30 ballots in`, or `named people: 3 of 4 ballots in, room: 12 of 30 ballots in`."""
    if len(rows) == 1:
        return _n(rows[0].eligible, "{cast} of {n} ballot in", "{cast} of {n} ballots in", cast=rows[0].voted)
    return ", ".join(
        _n(
            row.eligible,
            "{electorate}: {voted} of {n} ballot in",
            "{electorate}: {voted} of {n} ballots in",
            electorate=NAMES[row.electorate],
            voted=row.voted,
        )
        for row in rows
    ) or _("there are no voters")


def vote_rule_words(rule: CountedRule) -> str:
    """The winning condition of a poll, before the first vote."""
    bar = bar_sentence(rule)
    if isinstance(rule, Plurality):
        return bar.removesuffix(".") + _("; equal options are a tie.")
    return bar


def result_words(state: State, poll: PollState, result: PollResult) -> str:
    """Result of one electorate with its arithmetic: turnout, weights, points of each option, the bar.

    Without bar and winner for a vote that elects nothing: before the debate, or between its rounds.
    """
    weight = result.weight_cast if result.weight_eligible != result.eligible else None
    turnout = _turnout(result.cast, result.eligible, result.abstained, weight)
    has = {option: number(points) for option, points in most_first(state, result).items()}
    ballots = count_of_poll(state, poll, result.electorate)
    each = ", ".join(
        f"{option} {points_words(points, has.values())}{stand_words(ballots, option)}" for option, points in has.items()
    )
    unit = named(METHODS[room_of(state).vote.kind].unit)
    counted = f"{turnout} {capitalized(unit)}: {each}." if result.cast else turnout
    if stage_of(poll.id) != "final":
        return counted
    count = ballots.result()
    elected = _elected_sentence(result, count.quorum, has_bar=count.needed is not None)
    bar = _(" Needed: {needed}.", needed=number(count.needed)) if result.cast and count.needed is not None else ""
    return f"{counted}{bar} {elected}"


def turnout_words(vote: VoteBars) -> str:
    """Cast ballots and abstentions of a counted vote."""
    if vote.count is None:
        return ""
    return _turnout(vote.cast, vote.eligible, vote.abstained, vote.weight_cast, are_seats=vote.are_of_seats)


def _turnout(cast: int, eligible: int, abstained: int, weight_cast: int | None, *, are_seats: bool = False) -> str:
    weight = "" if weight_cast is None else _(" (weight {weight_cast})", weight_cast=weight_cast)
    gave_none = _(", {abstained} abstained", abstained=abstained) if abstained else ""
    if are_seats:
        return _n(
            eligible,
            "{cast} of {n} seat cast a ballot{weight}{abstained}.",
            "{cast} of {n} seats cast a ballot{weight}{abstained}.",
            cast=cast,
            weight=weight,
            abstained=gave_none,
        )
    return _n(
        eligible,
        "{cast} of {n} voter cast a ballot{weight}{abstained}.",
        "{cast} of {n} voters cast a ballot{weight}{abstained}.",
        cast=cast,
        weight=weight,
        abstained=gave_none,
    )


def _elected_sentence(result: PollResult, quorum: int, *, has_bar: bool) -> str:
    """The elected option; with its rule, unless the number of votes needed says it all."""
    if not result.quorum_met:
        return _n(
            quorum,
            "At least {n} ballot must be cast for a decision: nothing is decided.",
            "At least {n} ballots must be cast for a decision: nothing is decided.",
        )
    steps = "".join(
        _(
            " Tie-break by {step}: {left} ({why}).",
            step=STEP_NAMES[step.step],
            left=spoken_list(step.left),
            why=recorded(step.why),
        )
        for step in result.steps
    )
    rule = "" if has_bar else f" ({named(result.rule)})"
    if not result.winners:
        return _("No option meets the rule{rule}: nothing is decided.{steps}", rule=rule, steps=steps)
    if len(result.winners) > 1:
        return _(
            "Tie{rule}: {winners}; nothing is decided.{steps}",
            rule=rule,
            winners=spoken_list(result.winners),
            steps=steps,
        )
    return _("Elected{rule}: {winners}.{steps}", rule=rule, winners=result.winners[0], steps=steps)


def deciding_words(state: State) -> str:
    """The agreed decider and its result, and the results of the others as advice; empty without people."""
    if not state.spec.has_people:
        return ""
    final = final_decision(state)
    decider = final.decider if final.seat_role else _("the count of the seats")
    if final.by != "debaters":
        decider = _("the final vote of {who}", who=WHO[final.by])
    return _(
        "Agreed before the start: {decider} decides; {result}.{others}",
        decider=decider,
        result=_final_result(final),
        others=_advice_sentence(state, state.spec.terms),
    )


def _final_result(final: Final) -> str:
    if final.pending and final.seat_role:
        return _("it has named nothing yet")
    if final.pending:
        return _("it has not been counted and revealed yet")
    if final.option is not None:
        return _("it says {option}", option=final.option)
    if final.ties:
        return _("{ties} are tied, so nothing is decided", ties=spoken_list(final.ties))
    if final.seat_role:
        return _("it names no option")
    return _("it elects no option")


def _advice_sentence(state: State, terms: Room) -> str:
    """Results of the deciding seat or the debaters, and of electorates, that do not decide."""
    advice = []
    if terms.decides != "debaters" and state.outcome:
        advice.append(_debaters_say(state, state.outcome))
    for electorate in ELECTORATES:
        result = result_of(state, "final", electorate)
        if result is None or terms.decides == electorate:
            continue
        if result.winners:
            advice.append(_(_SAYS.english(electorate), winners=_winner_words(result)))
        else:
            advice.append(_DECIDES_NOTHING[electorate])
    return _(" As advice: {advice}.", advice=", ".join(advice)) if advice else ""


def _debaters_say(state: State, outcome: Outcome) -> str:
    """The option of the deciding seat or of the debaters, whose count is advice."""
    role = state.spec.protocol.deciding_role
    if outcome.status != "decided":
        return _("the {role} names no option", role=named(role)) if role else _("the seats decide nothing")
    if role:
        return _("the {role} says {decided}", role=named(role), decided=outcome.decision)
    return _("the seats say {decided}", decided=outcome.decision)


def _winner_words(result: PollResult) -> str:
    if len(result.winners) == 1:
        return result.winners[0]
    return _("{winners} tied", winners=spoken_list(result.winners))


def swing_words(state: State, electorate: Electorate) -> str:
    """Options that gained most and options that won, which may differ; empty until both votes are revealed."""
    rows = [row for row in swing_rows(state) if row.electorate == electorate]
    if not rows or not has_first_choices(room_of(state).vote):
        return ""
    before, final = (result_of(state, poll, electorate) for poll in ("pre", "final"))
    if not (before and before.cast and final and final.cast):
        return _("Swing of {who}: unknown, one of the two votes has no ballot.", who=WHO[electorate])
    return _swing_sentence(state, rows, final)


def _swing_sentence(state: State, rows: Sequence[SwingRow], final: PollResult) -> str:
    electorate, winners = final.electorate, final.winners
    gained = swing_winners(state, electorate)
    differ = _("These are not the same. ") if gained and winners and not {*gained} & {*winners} else ""
    decides = _("both are advice")
    if room_of(state).decides == electorate:
        decides = _("the final vote decides, not the swing")
    return _(
        "Swing of {who}: {gained}; the final vote {result}. {differ}Agreed before the start: {decides}.",
        who=WHO[electorate],
        gained=_gained_words(state, gained, rows),
        result=_elected_words(winners),
        differ=differ,
        decides=decides,
    )


def _elected_words(winners: Sequence[str]) -> str:
    if len(winners) > 1:
        return _("leaves {winners} tied", winners=spoken_list(winners))
    return _("elects {winners}", winners=winners[0]) if winners else _("elects no option")


def _gained_words(state: State, gained: Sequence[str], rows: Sequence[SwingRow]) -> str:
    if not gained:
        return _("no option gained")
    most = next(row.swing() for row in rows if row.option == gained[0])
    points = _("{points:+.1f} percentage points", points=float(most * 100)).replace("+-", "-")
    if METHODS[room_of(state).vote.kind].unit == "votes":
        return _("{gained} gained most ({points})", gained=spoken_list(gained), points=points)
    return _("{gained} gained most in first choices ({points})", gained=spoken_list(gained), points=points)


def poll_sentences(state: State) -> list[str]:
    """The deciding count, every revealed result, swings, sealed content; [] before the first poll."""
    if not state.room.polls:
        return []
    sentences = [deciding_words(state)]
    for poll, result in revealed_results(state):
        name = f"{capitalized(NAMES[result.electorate])}, {named(poll_name(poll.id))}"
        sentences.append(f"{name}: {result_words(state, poll, result)}")
    sentences += [swing_words(state, electorate) for electorate in ELECTORATES]
    sentences.append(sealed_words(state))
    return [sentence for sentence in sentences if sentence]
