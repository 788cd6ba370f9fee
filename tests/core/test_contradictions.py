"""Ballots that contradict their own text: found, asked about once, told everywhere, or an abstention as agreed."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from bench.ballot_texts import HALVES, PRECISION, RECALL, flagging, turns_of
from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View, view
from debate_core.engine.stance_detection import argued_by, argued_option
from debate_core.errors import RuleViolation, SeatError
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import AnyCommand, FailTurn, TakeTurn
from debate_core.record.events import Event, TurnFailed, TurnTaken
from debate_core.record.state import Request, State
from debate_core.report.facts.account import account
from debate_core.report.facts.contradictions import contradictions
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, dumps, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.contradictions import contradiction_sentence
from debate_core.report.phrases.outcome import outcome_lines, summary_report
from debate_core.report.phrases.rules import agreed_words
from debate_core.seats import OnText
from debate_core.seats.prompts import prompt_for
from debate_core.seats.scripted import script_from_record
from debate_core.spec.contents import Argument, Claim, Synthesis, Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import protocol
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.rules import BySeat, DecisionRule, Elected, MaxRounds, Plurality, Threshold
from debate_core.spec.values import Given, Occupant, Seat, Usage
from tests.playing import Played

AT = datetime(2026, 1, 1, tzinfo=UTC)
OPTIONS = ("adopt", "defer", "cancel")
MOST = Plurality()
LINE = ModelLine(id="m", model="small", provider="own", dialect="chat")
TALK = Phase(name="opening", order="at_once")
MARK = "3 of 4 ballots contradict their own text"


@pytest.mark.parametrize("half", HALVES)
def test_labelled_contradictions_are_found_with_few_false_ones(half):
    turns = turns_of(half)
    found = flagging(turns)
    assert len(turns) >= 60
    assert found.precision >= PRECISION
    assert found.recall >= RECALL
    manners = {"irony", "concession", "quoted"}
    if half.startswith("forms"):
        assert {t.form for t in turns} == {"should", "or", "which"}
        manners |= {"imperative", "predicate", "negated", "hypothetical", "both-sided", "others", "hedged", "closed"}
    else:
        manners |= {"negation", "later", "conditional", "german"}
    assert {t.manner for t in turns} >= manners


@pytest.mark.parametrize(
    ("text", "options", "held"),
    [
        ("My position: adopt.", OPTIONS, "adopt"),
        ("My position: a", ("a", "b"), "a"),
        ("It is a plan with a cost, and a long one.", ("a", "b"), None),
        ("We should do a test.", ("a", "b"), None),
        ("My position: no change.", ("change", "no change"), "no change"),
        ("My position: modular monolith.", ("monolith", "modular monolith"), "modular monolith"),
        ("My position: Kafka Streams.", ("Kafka", "Kafka Streams"), "Kafka Streams"),
        # An option with all its words is meant rather than one with some of them.
        ("My position: we wait with Kafka.", ("wait", "adopt Kafka"), "wait"),
        # A stem has three letters or more, and a name that is cut short has six.
        ("My position: buying it.", ("buy it", "wait"), "buy it"),
        ("My position: going.", ("go", "wait"), None),
        ("My position: stopping it.", ("stop it", "wait"), "stop it"),
        ("My position: Postgr.", ("PostgreSQL", "MySQL"), "PostgreSQL"),
        ("My position: Postg.", ("PostgreSQL", "MySQL"), None),
        # A bare name recommends in the first and in the last sentence alone.
        ("Adopt it. The costs are known.", OPTIONS, "adopt"),
        ("The costs are known. So adopt it now.", OPTIONS, "adopt"),
        ("The costs are known. So adopt it right now.", OPTIONS, "adopt"),
        ("The costs are known. Adopt it. The team is ready.", OPTIONS, None),
        ("The rest is known. My position: REST.", ("REST", "gRPC"), "REST"),
        ("My position: the rest can wait.", ("REST", "gRPC"), None),
        # The last statement counts, and of it the first sentence of two that is for something.
        ("My position: adopt. I have read on. My final position: defer.", OPTIONS, "defer"),
        ("My position: we cannot wait. Adopt.", OPTIONS, "adopt"),
        ("My position is this. It cannot wait. Adopt.", OPTIONS, None),
        # Questions, irony, concessions and what others say are for nothing, unless whoever speaks says it too.
        ("Should we adopt it?", OPTIONS, None),
        ("Sure, we should adopt it.", OPTIONS, None),
        ("We should adopt it, admittedly.", OPTIONS, None),
        ("The vendor says that we should adopt.", OPTIONS, None),
        ("Critics object, and I would adopt.", OPTIONS, "adopt"),
        ("Although we should defer on cost, we should adopt.", OPTIONS, "adopt"),
        # Half of the words that tell an option from the others are enough to name it, where none of its words negates.
        ("We should use Kafka.", ("adopt Kafka", "adopt Redis"), "adopt Kafka"),
        ("We should adopt something.", ("adopt Kafka", "wait for Redis"), "adopt Kafka"),
        ("We should adopt Postgres.", ("adopt Kafka Streams", "wait for Redis"), None),
        ("My position: cloud.", ("go to the cloud", "stay"), "go to the cloud"),
        ("We should have a queue.", ("no queue", "one topic"), None),
        ("We should know more now.", ("now", "know more"), None),
        ("My position: +.", ("+", "-"), None),
        # An abbreviation is named as it is written alone, and a letter is none.
        ("We should use REST.", ("REST", "gRPC"), "REST"),
        ("We should use a db.", ("DB", "CSV"), None),
        ("My position: a.", ("A", "B"), "A"),
        ("My position: stopping.", ("stop", "go on"), "stop"),
        ("We should place an ad.", ("add", "remove"), None),
        ("", OPTIONS, None),
        ("Because.", OPTIONS, None),
        ("My position: adopt. " * 900, OPTIONS, "adopt"),
    ],
)
def test_what_a_text_argues_for(text, options, held):
    assert argued_option(text, options) == held


def test_where_the_prose_recommends_nothing_the_claims_do():
    claims = (Claim(text="We should defer."), Claim(text="It costs 40 USD."))
    assert argued_by(Argument(rationale="See the claims.", claims=claims), OPTIONS) == "defer"
    assert argued_by(Argument(rationale="My position: it is open.", claims=claims), OPTIONS) is None


# --- one debate


def spec_of(
    *occupants: Occupant, sides: Sequence[str] = (), abstain: bool = False, rule: DecisionRule = MOST, attempts: int = 2
) -> Spec:
    seats = [
        Seat(id=f"s{n}", occupant=o, model="m" if o == "model" else None, stance=sides[n] if sides else "")
        for n, o in enumerate(occupants)
    ]
    rules = Protocol(
        name="own",
        each_round=(TALK,),
        stop=(MaxRounds(),),
        decide=rule,
        attempts=attempts,
        contradicting_ballots="abstain" if abstain else None,
    )
    return Spec(question="Do we?", options=OPTIONS, seats=tuple(seats), protocol=rules, models=(LINE,), max_rounds=1)


def says(argues_for: str, vote: str | None) -> Argument:
    return Argument(rationale=f"It is the safer path. My position: {argues_for}.", vote=vote)


def four(*, abstain: bool = False) -> Played:
    """All four argue for adopt; three of the ballots say defer: the finding that this is all about."""
    played = Played(spec_of("human", "human", "human", "human", abstain=abstain))
    for vote in ("defer", "adopt", "defer", "defer"):
        played.say(says("adopt", vote))
    assert verify(played.events) == ()
    return played


def test_verdicts_and_syntheses_against_their_text_are_flagged():
    asks = {"judge": Phase(name="verdict", gives="verdict", role="judge")}
    asks["synthesiser"] = Phase(name="synthesis", gives="synthesis", role="synthesiser")
    rules = Protocol(
        name="own", each_round=(TALK,), after=tuple(asks.values()), stop=(MaxRounds(),), decide=BySeat(role="judge")
    )
    seats = [Seat(id=name, occupant="human", stance=name) for name in OPTIONS[:2]]
    seats += [Seat(id=role, role=role, occupant="human") for role in ("judge", "synthesiser")]
    spec = Spec(question="Do we?", options=OPTIONS, seats=tuple(seats), protocol=rules, max_rounds=1)
    text = "Both were heard. We should adopt, for the costs are known."
    for named, words in (("defer", True), ("adopt", False), (None, False)):
        played = Played(spec)
        for seat in OPTIONS[:2]:
            played.say(Argument(rationale=f"My position: {seat}."))
        played.say(Verdict(reasoning=text, option=named)).say(Synthesis(answer=text, option=named))
        assert verify(played.events) == ()
        told = account(played.state, played.events)
        found = "Judge argues for adopt and names defer; synthesiser argues for adopt and names defer."
        assert contradiction_sentence(told) == (found if words else "")
        assert (found[1:-1] in text_report(told)) is words
        assert told.state.outcome is not None
        # The seat decides as it was agreed: nothing is counted out.
        assert told.state.outcome.decision == (named or told.state.outcome.decision)
        assert [turn.argues_for for turn in told.state.turns[-2:]] == (["adopt"] * 2 if words else [None] * 2)


def test_decisions_on_contradicting_ballots_are_marked():
    played = four()
    told = account(played.state, played.events)
    assert outcome_lines(told)[0] == f"Decided: defer ({MARK})"
    assert contradiction_sentence(told) == (
        f"{MARK}: s0 argues for adopt and votes for defer; s2 argues for adopt and votes for defer; "
        "s3 argues for adopt and votes for defer. With them the rule says: defer (adopt 1, defer 3, cancel 0). "
        "Without them: nothing decided, no quorum (adopt 1, defer 0, cancel 0)."
    )
    assert f"vote_tally: {{defer: 3, adopt: 1}} ({MARK})" in summary_report(told)
    for text in (text_report(told), markdown_report(told).replace("\\", "")):
        assert MARK in text
        assert "its text argues for adopt, not for its choice" in text
    for profile in PROFILES:
        assert MARK in decision_record(told, profile=profile).text
    found = run_json(told)["contradicting_ballots"]
    assert isinstance(found, dict)
    assert (found["of"], found["with_them"], found["without_them"]) == (4, ["defer"], [])
    assert {"ballots_contradict_text", "contradicting_ballots"} <= {*run_json(told)["flags"]}  # type: ignore[misc]
    assert dumps(debate_json(told)).count('"argues_for": "adopt"') >= 6
    files = csv_files(told)
    assert '"adopt"' in files["votes.csv"].splitlines()[1].split(",")[-4]
    assert "ballots_contradict_text" in files["health.csv"]


def test_the_exported_table_marks_them_and_counts_without_them(tmp_path, capsys):
    played = four()
    table = tmp_path / "votes.csv"
    table.write_text(csv_files(account(played.state, played.events))["votes.csv"])
    assert main(["count", str(table), "--rule", "plurality"]) == 0
    assert "3 ballots contradict their own text. Without that: adopt" in capsys.readouterr().out
    assert main(["count", str(table), "--rule", "plurality", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["winners"], told["contradicting_ballots"], told["winners_without_them"]) == (["defer"], 3, ["adopt"])


def test_where_text_and_ballot_agree_nothing_is_said():
    played = Played(spec_of("human", "human"))
    played.say(says("adopt", "adopt")).say(Argument(rationale="Because.", vote="defer"))
    told = account(played.state, played.events)
    assert contradiction_sentence(told) == ""
    assert run_json(told)["contradicting_ballots"] is None
    assert "contradict" not in text_report(told)


def test_a_protocol_can_count_them_as_abstentions():
    rules = protocol("bounded_vote").model_copy(update={"contradicting_ballots": "abstain"})
    assert protocol_from_toml(protocol_to_toml(rules), where="here").contradicting_ballots == "abstain"
    assert "contradicting_ballots" not in protocol_to_toml(protocol("bounded_vote"))
    played = four(abstain=True)
    assert "A ballot whose own text argues for another option counts as an abstention." in agreed_words(
        played.state.spec
    )
    assert [b.status for b in played.state.ballots.values()] == ["abstained", "cast", "abstained", "abstained"]
    assert played.state.outcome is not None
    assert (played.state.outcome.status, played.state.outcome.ended_by) == ("undecided", "quorum")
    told = account(played.state, played.events)
    assert f"({MARK}, and count as abstentions)" in outcome_lines(told)[0]
    assert "With them the rule says: defer (adopt 1, defer 3, cancel 0). Without them: nothing decided" in (
        contradiction_sentence(told)
    )


@pytest.mark.parametrize(
    ("side", "commitment", "argues_for", "vote", "found"),
    [
        ("adopt", "concede_points", "adopt", "defer", None),
        ("adopt", "locked", "cancel", "defer", "cancel"),
        ("adopt", "open", "adopt", "defer", "adopt"),
        ("against adopt", "adversary", "cancel", "adopt", None),
        ("the view of finance", "concede_points", "cancel", "adopt", None),
        ("", "concede_points", "cancel", "adopt", "cancel"),
        ("", "open", "cancel", "abstain", None),
        ("", "open", "cancel", None, None),
    ],
)
def test_whoever_has_to_defend_a_side_may_vote_otherwise(side, commitment, argues_for, vote, found):
    spec = spec_of("human", "human", sides=(side, "x"))
    seat = spec.seats[0].model_copy(update={"commitment": commitment})
    played = Played(spec.model_copy(update={"seats": (seat, spec.seats[1])}))
    played.say(says(argues_for, vote))
    assert [turn.argues_for for turn in played.state.all_turns()] == [found]


@pytest.mark.parametrize(
    ("kind", "given", "found"),
    [
        ("approval", {"defer": 1, "adopt": 1}, None),
        ("approval", {"defer": 1}, "adopt"),
        ("schulze", {"defer": 1, "adopt": 2}, "adopt"),
        ("schulze", {"adopt": 1, "defer": 2}, None),
        ("score", {"adopt": 5, "defer": 5}, None),
        ("score", {"adopt": 3, "defer": 5}, "adopt"),
    ],
)
def test_on_other_ballots_what_stands_highest_is_compared(kind, given, found):
    played = Played(spec_of("human", "human", rule=Elected(kind=kind)))
    ballot = tuple(Given(option=option, points=points) for option, points in given.items())
    played.say(Argument(rationale="My position: adopt.", ballot=ballot))
    assert [turn.argues_for for turn in played.state.all_turns()] == [found]


def test_a_recorded_finding_must_differ_from_the_ballot():
    played = Played(spec_of("human", "human"))
    played.say(says("adopt", "defer"))
    body = played.events[-1].body
    assert isinstance(body, TurnTaken)
    assert body.argues_for == "adopt"
    # A record in which nobody looked, or something else was found by the words of then, keeps its rules.
    quiet = Played(spec_of("human", "human"))
    quiet.say(says("adopt", "adopt"))
    assert '"argues_for"' not in quiet.events[-1].body_json
    assert contradictions(quiet.state, None).ballots == 0
    request = quiet.requests()[0]
    claimed = FailTurn(by="s1", request=request.id, error="contradicts", content=says("a", "defer"), argues_for="defer")
    with pytest.raises(RuleViolation, match="no ballot or named option contradicts it"):
        quiet.do(claimed)
    with pytest.raises(RuleViolation, match="none of the options"):
        quiet.do(claimed.model_copy(update={"argues_for": "x"}))
    with pytest.raises(RuleViolation, match="only where its ballot contradicts"):
        quiet.do(claimed.model_copy(update={"error": "timeout"}))
    with pytest.raises(RuleViolation, match="only where its ballot contradicts"):
        quiet.do(FailTurn(by="s1", request=request.id, error="contradicts"))


# --- asked once


class Seatful:
    """A seat that gives these in turn, and keeps what it was told; None is a fault."""

    def __init__(self, *given: Argument | None) -> None:
        self.given = list(given)
        self.seen: list[View] = []

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand:
        self.seen.append(view)
        content = self.given.pop(0)
        if content is None:
            raise SeatError("it broke")
        return TakeTurn(by=request.seat, request=request.id, content=content, usage=Usage(calls=1))


def held(seat: Seatful, *, occupant: Occupant = "model", attempts: int = 2) -> tuple[State, tuple[Event, ...]]:
    store = MemoryStore()
    spec = spec_of(occupant, attempts=attempts, rule=Threshold(votes=1))
    store.append("d", open_debate(spec, debate_id="d", at=AT), after=0)
    state = asyncio.run(run("d", store, {"s0": seat}))
    events = store.load("d")
    assert verify(events) == ()
    return state, events


ASKED = "your text argues for “adopt”, your ballot says “defer”"


def test_a_model_is_asked_once_which_option_it_means():
    seat = Seatful(says("adopt", "defer"), says("adopt", "adopt"))
    state, events = held(seat, attempts=1)
    assert [seen.failed_before for seen in seat.seen] == ["", ASKED]
    assert "Which of the two do you hold?" in prompt_for(seat.seen[1]).tail
    assert ASKED in prompt_for(seat.seen[1]).tail
    (turn,) = state.turns
    assert (turn.status, turn.attempts, turn.argues_for, state.ballots["s0"].choice) == ("ok", 2, None, "adopt")
    told = account(state, events)
    assert contradiction_sentence(told) == ""
    assert "lost_turns" not in told.flags
    assert [row.used.failed_attempts for row in told.usage] == [0]
    assert [row.used.calls for row in told.usage] == [2]
    (said,) = script_from_record(events).turns
    assert (said.attempt, said.content["vote"]) == (1, "adopt")  # type: ignore[call-overload,index]


def test_an_unreadable_first_reply_is_followed_by_the_question():
    seat = Seatful(None, says("adopt", "defer"), says("adopt", "adopt"))
    state, events = held(seat)
    assert [seen.failed_before for seen in seat.seen][-1] == ASKED
    assert [e.body.error for e in events if isinstance(e.body, TurnFailed)] == ["failed", "contradicts"]
    assert state.ballots["s0"].choice == "adopt"


def test_if_it_stays_with_both_the_ballot_counts_and_is_marked():
    seat = Seatful(says("adopt", "defer"), says("adopt", "defer"))
    state, events = held(seat)
    assert len(seat.seen) == 2
    assert outcome_lines(account(state, events))[0] == "Decided: defer (1 of 1 ballot contradicts its own text)"


@pytest.mark.parametrize("attempts", [1, 2])
def test_an_unanswered_question_keeps_the_given_turn(attempts):
    given = says("adopt", "defer").model_copy(update={"claims": (Claim(text="It pays."),)})
    seat = Seatful(given, *[None] * attempts)
    state, events = held(seat, attempts=attempts)
    assert len(seat.seen) == 1 + attempts
    (turn,) = state.turns
    assert (turn.status, turn.argues_for, state.ballots["s0"].choice) == ("ok", "adopt", "defer")
    assert [*state.claims] == ["s0.1.1"]
    assert [e.body.error for e in events if isinstance(e.body, TurnFailed)] == ["contradicts", *["failed"] * attempts]
    (said,) = script_from_record(events).turns
    assert said.content["vote"] == "defer"  # type: ignore[call-overload,index]
    assert view(state, seat.seen[0].request).failed_before == ""


@pytest.mark.parametrize("occupant", ["scripted", "offline"])
def test_code_and_scripts_are_not_asked_and_are_marked(occupant):
    seat = Seatful(says("adopt", "defer"))
    state, _ = held(seat, occupant=occupant)
    assert state.failed_attempts == ()
    assert [turn.argues_for for turn in state.turns] == ["adopt"]


def test_without_a_deciding_count_only_ballots_are_reported():
    told = contradictions(four().state, None)
    assert ([row.argues_for for row in told.rows], told.ballots) == (["adopt"] * 3, 4)
    assert (told.with_them, told.without) == (None, None)
