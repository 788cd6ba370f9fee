"""One account of who decided: every surface names the same decider, option, state and numbers.

What is expected is worked out here from the record alone, in a few lines, and each surface is read in its own words.
"""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine import stage
from debate_core.host.debate_list import sign_off_of
from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.record.events import Closed, DebateOpened
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.vote_bars import deciding_bars, vote_bars
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, dumps, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.decision_status import count_words, decision_status
from debate_core.report.phrases.evidence import RESTS
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.spec.contents import Argument, Content, Verdict
from debate_core.spec.people import Electorate, Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.rules import Elected, Majority, Plurality, Threshold, Unanimity
from debate_core.spec.values import Given, Seat
from debate_core.ui.kit.badges import status_of
from tests.examples import examples
from tests.laws.test_one_account import rows_of
from tests.people import ABE, FAY, OPTIONS, room_spec
from tests.playing import Played

SEEDS = st.integers(0, 10**9)
NAMES = {"debaters": "The seats", "panel": "The named people", "room": "The room"}
RULES = (Plurality(), Plurality(quorum=1), Majority(), Majority(base="cast"), Unanimity(), Threshold(votes=2))
SIGNATURES: tuple[Any, ...] = (None, None, "accept", "otherwise", "accept_with_changes", "reject", "escalate")
BESIDE = re.compile(rf" \({RESTS}\)")


def a_debate(seed: int) -> Played:
    """Seats, a panel and a room that vote at random or not at all; stopped, cut by an outage, signed, or none of it."""
    rng = Random(seed)
    voters = [_voter(number, rng) for number in range(rng.randint(0, 4))]
    decides = rng.choice(("debaters", "panel", "room"))
    rule = rng.choice((*RULES, Elected(kind="approval")))
    people = (FAY, *([ABE] if rng.random() < 0.8 else []), *voters)
    held = Played(room_spec(people, rounds=rng.randint(1, 2), decides=decides, vote=rule, pre_vote="none"))
    _speak(held, rng)
    if held.state.outcome is None:
        return held
    _vote(held, voters, rng)
    for _signature in range(rng.randint(0, 2)):
        _sign(held, rng)
    return held


def _voter(number: int, rng: Random) -> Person:
    electorate: Electorate = rng.choice(("panel", "room"))
    return Person(id=f"p-{number}", name=f"V{number}", role="voter", electorate=electorate, weight=rng.randint(1, 2))


def _speak(held: Played, rng: Random) -> None:
    """Until it is over, stopped, or everybody fails; one debate in ten is left while it goes on."""
    fails = rng.choice((0.0, 0.1, 1.0))
    favourite = rng.choice(OPTIONS)
    until = rng.choice((2, 5, 99, 99, 99, 99))
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.go_on()
        elif len(held.state.turns) >= until:
            if rng.random() < 0.5:
                held.do(Stop(by=FAY.id, reason="fire alarm"))
            return
        elif rng.random() < fails:
            held.fail()
        else:
            held.say(favourite if rng.random() < 0.6 else rng.choice((*OPTIONS, "abstain")))


def _vote(held: Played, voters: list[Person], rng: Random) -> None:
    """The final vote: not opened, open, closed or revealed."""
    if rng.random() < 0.15:
        return
    favourite = rng.choice(OPTIONS)
    held.act(FAY, acts.PollOpened(poll="final"))
    for voter in voters:
        choice = favourite if rng.random() < 0.6 else rng.choice((*OPTIONS, "abstain"))
        if rng.random() < 0.8:
            held.act(voter, _ballot(held, choice))
    if rng.random() < 0.1:
        return
    held.act(FAY, acts.PollClosed(poll="final"))
    if rng.random() < 0.9:
        held.act(FAY, acts.PollRevealed(poll="final"))


def _ballot(held: Played, choice: str) -> acts.BallotCast:
    if isinstance(held.state.spec.terms.vote, Elected) and choice != "abstain":
        return acts.BallotCast(poll="final", given=(Given(option=choice, points=1),))
    return acts.BallotCast(poll="final", choice=choice)


def _sign(held: Played, rng: Random) -> None:
    final = stage.final_decision(held.state)
    hidden = any(not poll.revealed for poll in held.state.room.polls.values())
    word = rng.choice(SIGNATURES)
    if word is None or final.pending or hidden or ABE not in stage.present(held.state):
        return
    others = [option for option in OPTIONS if option != final.option]
    match word:
        case "accept" if final.option:
            held.act(ABE, acts.Signed(verdict="accept", option=final.option))
        case "accept" | "otherwise":
            held.act(ABE, acts.Signed(verdict="accept", option=rng.choice(others), reason="no staff"))
        case "accept_with_changes":
            changed = acts.Signed(verdict=word, option=rng.choice(OPTIONS), changes="in one region", reason="so")
            held.act(ABE, changed)
        case _:
            held.act(ABE, acts.Signed(verdict=word, reason="too early"))


def expected(held: Played) -> dict[str, Any]:
    """From the record alone: the state, who decided, which option, and whether it was against the count."""
    state = held.state
    outcome = state.outcome
    by = state.spec.terms.decides
    agreed = f"The {state.spec.protocol.deciding_role}" if state.spec.protocol.deciding_role else NAMES[by]
    if outcome is None:
        return {"standing": "open", "who": agreed, "option": None, "counted": None}
    results = [done.fact for done in state.room.of(acts.PollClosed) if done.fact.poll == "final"]
    is_read = any(done.fact.poll == "final" for done in state.room.of(acts.PollRevealed))
    if by == "debaters":
        counted = outcome.decision if outcome.status == "decided" else None
    elif not is_read:
        return {"standing": "vote_due", "who": f"{agreed}, by the final vote", "option": None, "counted": None}
    else:
        winners = [result.winners for result in results[-1].results if result.electorate == by]
        counted = winners[0][0] if winners and len(winners[0]) == 1 else None
    found = {"counted": counted, "option": counted, "who": agreed}
    signed = state.room.of(acts.Signed)
    if not signed:
        return found | {"standing": "counted"} if counted else found | _nothing(held)
    word = signed[-1].fact
    against = word.verdict != "escalate" and counted not in (None, word.option)
    person = "Abe, against the judge" if state.spec.protocol.deciding_role else "Abe, against the count"
    found |= {"option": word.option, "who": person if against else "Abe"}
    match word.verdict:
        case "reject":
            return found | {"standing": "rejected"}
        case "escalate":
            return found | {"standing": "escalated", "who": "Someone with the mandate"}
        case "accept_with_changes":
            return found | {"standing": "changes", "who": "Abe, once the changes are made"}
    if word.option == counted:
        return found | {"standing": "accepted", "who": agreed}
    return found | {"standing": "overridden" if counted else "chosen"}


def _nothing(held: Played) -> dict[str, Any]:
    outcome = held.outcome()
    is_of_seats = held.state.spec.terms.decides == "debaters"
    why = {"aborted": "stopped", "truncated": "truncated"}.get(outcome.status, "undecided")
    if outcome.ended_by in ("provider_down", "no_usable_reply", "unreadable"):
        why = "outage"
    has_approver = any(person.role == "approver" for person in stage.present(held.state))
    who = "Abe, by signature" if has_approver else "An approver, still to be named"
    return {"standing": why if is_of_seats else "undecided", "who": who}


def flat(text: str) -> str:
    return " ".join(text.replace("\\", "").split())


def sentences(told: Account) -> Iterator[tuple[str, str]]:
    """Surface -> its text, in which the sentence on the decision stands."""
    yield "text report", text_report(told)
    yield "markdown report", markdown_report(told)
    yield "decision.csv", rows_of(csv_files(told)["decision.csv"])[0]["sentence"]
    yield "run --json", json.loads(dumps(run_json(told)))["who_decided"]["sentence"]
    if told.state.outcome:
        for profile in PROFILES:
            yield f"decision record, {profile}", decision_record(told, profile=profile).text


def check(held: Played) -> None:
    """No surface disagrees with what the record says, and so none with another one."""
    told = account(held.state, held.events)
    wanted = expected(held)
    value = who_decided(told)
    assert (value.standing, value.option, value.counted.option) == (
        wanted["standing"],
        wanted["option"],
        wanted["counted"],
    )
    check_screens(told, wanted)
    check_papers(told, wanted)
    check_list(held, wanted)
    check_numbers(told)


def check_screens(told: Account, wanted: dict[str, Any]) -> None:
    """Hero, strip, wall and phone are drawn from this value, rows of the list from the first part of it."""
    status = decision_status(told)
    decided = wanted["standing"] in ("counted", "accepted", "overridden", "chosen", "rejected")
    awaited = wanted["standing"] in ("open", "vote_due", "escalated", "changes")
    assert status.decider.label == ("Decided by" if decided else "Who decides" if awaited else "Who may decide now")
    assert status.decider.who == wanted["who"]
    assert status.option == wanted["option"]
    against = " against the " in f" {wanted['who']}"
    override = [caution for caution in status.cautions if caution.level == "override"]
    assert bool(override) == (against or (wanted["standing"] == "changes" and wanted["counted"] != wanted["option"]
                                          and wanted["counted"] is not None))  # fmt: skip
    assert status.cautions[:1] == tuple(override[:1]) or not override
    if override:
        assert override[0].words.startswith("Overrides ")
        assert len(override[0].words.split()) <= 6
        assert str(wanted["counted"]) in override[0].reason
        assert str(wanted["counted"]) in status.line or wanted["standing"] == "rejected"
    badge = status_of(told.state)
    if told.state.outcome and told.state.spec.terms.decides != "debaters":
        final = told.state.room.polls.get("final")
        due = "vote" if final is None else "voting" if final.closed is None else "sealed"
        by_vote = {"vote_due": due}.get(wanted["standing"], "decided" if wanted["counted"] else "undecided")
        assert badge == by_vote
    steps = {step.name: step.when for step in agenda(told.state)}
    given = {turn.phase for turn in told.state.all_turns() if turn.content}
    for number in range(1, told.state.spec.max_rounds + 1):
        held = any(turn.round == number and turn.content for turn in told.state.all_turns())
        assert steps.get(f"Round {number}") != "done" or held, given


def check_papers(told: Account, wanted: dict[str, Any]) -> None:
    """Reports, decision records, tables and JSON have the same sentence, and the same row."""
    sentence = flat(decided_sentence(told))
    for name, text in sentences(told):
        assert sentence in flat(text), (name, sentence)
    row = json.loads(dumps(run_json(told)))["who_decided"]
    assert (row["standing"], row["option"], row["counted_option"]) == (
        wanted["standing"],
        wanted["option"],
        wanted["counted"],
    )
    in_table = rows_of(csv_files(told)["decision.csv"])[0]
    assert {name: value for name, value in in_table.items() if name != "debate_id"} == {
        name: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in row.items()
    }
    decision = json.loads(dumps(debate_json(told)))["decision"]
    assert (decision["option"], decision["counted"]["option"]) == (wanted["option"], wanted["counted"])
    by_person = wanted["standing"] in ("overridden", "chosen", "rejected")
    assert (row["decided_by"] == "person") == by_person
    assert bool(row["note"]) == (row["note"] in text_report(told).replace("\n", " ") and bool(row["note"]))


def check_list(held: Played, wanted: dict[str, Any]) -> None:
    """The list of debates reads the end and a few events alone, and comes to the same."""
    if held.state.outcome is None:
        return
    opened = held.events[0].body
    closed = next(event for event in held.events if isinstance(event.body, Closed))
    assert isinstance(opened, DebateOpened)
    assert isinstance(closed.body, Closed)
    later = [event for event in held.events if event.seq > closed.seq]
    row = sign_off_of(opened, closed.body.outcome, later)
    value = who_decided(account(held.state, held.events))
    assert (row.waits_for, row.option) == (value.waits_for, wanted["option"])
    waits = {"vote_due": "vote", "counted": "signature", "changes": "changes", "escalated": "escalated"}
    if wanted["standing"] in waits:
        assert row.waits_for == waits[wanted["standing"]]
    if wanted["standing"] in ("accepted", "overridden", "chosen", "rejected"):
        assert row.waits_for == ""


def check_numbers(told: Account) -> None:
    """The counted option has the same number in the drawing, in words, in the table of counts and in the row."""
    value = who_decided(told)
    bars = deciding_bars(told)
    for drawn in vote_bars(told):
        assert drawn.decides or drawn.needed is None
        assert drawn.decides or "win" not in count_words(drawn, is_over=True)
    if bars is None or bars.winner is None or value.counted.option is None:
        assert value.counted.has is None
        return
    row = json.loads(dumps(run_json(told)))["who_decided"]
    assert (row["has"], row["needed"]) == (bars.winner.has, bars.needed)
    by = told.state.spec.terms.decides
    of_people = ("final.", "pre.")
    counts = [
        one
        for one in rows_of(csv_files(told)["tally.csv"])
        if one["poll_id"] == f"final.{by}" or (by == "debaters" and not one["poll_id"].startswith(of_people))
    ]
    elected = [one for one in counts if one["elected"] == "true"]
    last = [one for one in elected if one["option"] == value.counted.option][-1]
    assert float(last["value"]) == pytest.approx(float(row["has"]))


@examples(200)
@given(SEEDS)
def test_no_surface_disagrees_on_who_decided(seed: int) -> None:
    check(a_debate(seed))


def test_every_state_of_a_decision_is_generated() -> None:
    states = {who_decided(account(held.state, held.events)).standing for held in map(a_debate, range(400))}
    assert states >= {
        *("open", "vote_due", "counted", "accepted", "overridden", "chosen", "changes", "rejected", "escalated"),
        *("undecided", "stopped", "outage"),
    }


def judged(verdict: str | None) -> Played:
    """A room in which one seat, the judge, names the option."""
    seats = [Seat(id=name, occupant="scripted", stance=side) for name, side in zip(("s0", "s1"), OPTIONS, strict=False)]
    seats.append(Seat(id="judge", role="judge", occupant="scripted"))
    spec = compose("Which?", list(OPTIONS), protocol("stance_judge"), seats)
    room = room_spec((FAY, ABE), hold="none", pre_vote="none", final_vote="none").room
    held = Played(spec.model_copy(update={"room": room}))
    held.go_on()
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.go_on()
        said: Content = Argument(rationale="why")
        if held.requests()[0].gives == "verdict":
            said = Verdict(reasoning="Weighed", verdict=verdict or "neither", option=verdict, confidence=60)
        held.say(said)
    return held


@pytest.mark.parametrize("verdict", ["adopt", None])
@pytest.mark.parametrize("word", [None, "accept", "otherwise", "reject", "escalate"])
def test_a_seat_that_decides_is_named_on_every_surface(verdict: str | None, word: str | None) -> None:
    held = judged(verdict)
    match word:
        case "accept":
            held.act(ABE, acts.Signed(verdict="accept", option=verdict or "adopt", reason="so"))
        case "otherwise":
            held.act(ABE, acts.Signed(verdict="accept", option="defer", reason="so"))
        case "reject" | "escalate":
            held.act(ABE, acts.Signed(verdict=word, reason="so"))
    check(held)
