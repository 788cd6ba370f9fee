"""Observed behaviour of other debate systems: the adopted cases, through the rules and whole debates.

Which cases are played and why the others are not stands in `tests/golden_systems.py`.
"""

import json
import re
from collections.abc import Sequence
from fractions import Fraction

import pytest

from debate_core.engine.count.ballots import BallotCounted, fault_in_ballot
from debate_core.engine.count.methods import elect
from debate_core.engine.count.profile import Profile, Vote
from debate_core.engine.seat_view import view
from debate_core.report.facts.account import account
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.seats.prompts import prompt_for
from debate_core.spec import presets
from debate_core.spec.presets.systems import TAKE_A_THRESHOLD
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import (
    CountedRule,
    DecisionReached,
    Elected,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Unanimity,
)
from debate_core.spec.values import BallotKind, Given, Seat
from debate_core.spec.warnings import warnings
from tests.counts import count
from tests.golden_systems import Case, case_of, needs_golden, rows
from tests.holding import Said, hold, turn
from tests.playing import Played
from tests.rehearsing import course, rehearsal

pytestmark = needs_golden

THREE = ("a", "b", "c")
READ_OTHERWISE = {
    ("simple", "-1"),
    ("approval", "0, 5"),
    ("cumulative", "{0:4,1:4}"),
    ("cumulative", "```json {0:10}```"),
    ("ranked", "0 0 0"),
}
"""Ballots of the source that are others here; `LEFT_OUT` says how."""
THREE_QUARTERS = Supermajority(numerator=3, denominator=4)
LAST_STRICT_TURN = 4
"""The hybrid rule wants all until here, and of small panels always; then three quarters."""


def rule_of(case: Case, turn_number: int) -> CountedRule:
    match case["rule"]:
        case "majority":
            return Majority()
        case "supermajority":
            return Supermajority(numerator=2, denominator=3)
        case "unanimity":
            return Unanimity()
        case "hybrid":
            strict = turn_number <= LAST_STRICT_TURN or case["agents"] <= 3
            return Unanimity() if strict else THREE_QUARTERS
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize("case", rows("mallm_threshold_consensus"))
def test_shares_of_all_seats_are_exact_and_inclusive(case: Case) -> None:
    # R035, R038: whoever supports nothing stays in the denominator
    cast = [BallotCounted(f"s{n}", "x") for n in range(case["supporters"])]
    for number, agreed in case["agreed_at_turn"].items():
        found = count(rule_of(case, int(number)), ("x", "y"), cast, eligible=[1] * case["agents"])
        assert bool(found.winners) == agreed


def _panel(rule: CountedRule, debaters: int, votes: Sequence[tuple[int, str]]) -> Said:
    """Seats that speak in turn: each entry is (place, vote); whoever is asked again says the same again."""
    stop = (MaxRounds(),) if isinstance(rule, Plurality) else (DecisionReached(), MaxRounds())
    rules = Protocol(name="panel", each_round=(Phase(name="message"),), decide=rule, stop=stop, check_after="round")
    rounds = [sum(p == place for p, _ in votes[: i + 1]) for i, (place, _) in enumerate(votes)]
    said = [turn(f"s{place}", vote, round=r) for (place, vote), r in zip(votes, rounds, strict=True)]
    said += [turn(f"s{place}", vote, repeat=True) for place, vote in dict(votes).items()]
    seats = [{"id": f"s{i}"} for i in range(debaters)]
    return rehearsal(rules, *said, options=("o0", "o1", "o2", "o3"), seats=seats, settings={"rounds": max(rounds)})


@pytest.mark.parametrize("case", rows("mallm_own_tests"))
def test_agreement_over_a_sequence_of_messages(case: Case) -> None:
    """F and N put a solution of their own forward, T agrees with the last one; a neutral seat is in the denominator."""
    seats, drafts, votes = case["agents"] + case["neutral"], -1, []
    for i, said in enumerate(case["sequence"]):
        drafts += said != "T"
        votes.append((i % seats, f"o{drafts}"))
    state, _ = hold(_panel(rule_of(case, case["turn"]), seats, votes))
    assert state.outcome is not None
    assert (state.outcome.status == "decided") == case["agreed"]


def _elected(case: Case) -> tuple[str, ...]:
    votes: list[Vote] = []
    for given in case["votes"]:
        match case["rule"]:
            case "simple":
                votes.append(Vote(Fraction(1), (frozenset({THREE[given]}),)))
            case "approval":
                votes.append(Vote(Fraction(1), (frozenset({THREE[given]}),)))
            case "ranked":
                votes.append(Vote(Fraction(1), tuple(frozenset({THREE[i]}) for i in given)))
            case "cumulative":
                points = {THREE[int(i)]: Fraction(n) for i, n in given.items()}
                votes.append(Vote(Fraction(1), (frozenset(points),), points))
    method = {"simple": "plurality", "approval": "approval", "ranked": "borda", "cumulative": "score"}[case["rule"]]
    return elect(method, Profile(THREE, tuple(votes))).winners if votes else ()


def _well_formed(case: Case) -> bool:
    """A ranking that names an option twice is no ballot of ours: it is refused, not counted."""
    return case["rule"] != "ranked" or all(len({*v}) == len(v) for v in case["votes"])


@pytest.mark.parametrize("case", rows("mallm_vote_counting", _well_formed))
def test_one_top_option_wins_and_level_ones_decide_nothing(case: Case) -> None:
    # R040: a tie is a set, never its first member
    winners = _elected(case)
    assert (len(winners) == 1) == case["agreed"]
    if case["agreed"]:
        assert winners == (THREE[case["winner_index"]],)


@pytest.mark.parametrize("case", rows("mallm_vote_counting", lambda c: c["rule"] == "simple"))
def test_plain_votes_are_counted_the_same_in_a_debate(case: Case) -> None:
    votes = [(place, f"o{choice}") for place, choice in enumerate(case["votes"])]
    state, _ = hold(_panel(Plurality(), len(votes), votes))
    assert state.outcome is not None
    expected = f"o{case['winner_index']}" if case["agreed"] else "escalate"
    assert (state.outcome.status == "decided", state.outcome.decision) == (case["agreed"], expected)


@pytest.mark.parametrize("paradigm", ["memory", "relay", "report", "debate", "collective_refinement"])
def test_rejected_agreement_that_is_never_noticed(paradigm: str) -> None:
    """All agree from the first round on: every paradigm notices it in that round."""
    state, _ = hold(rehearsal(presets.protocol(f"mallm_{paradigm}")))
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.rounds_run, state.outcome.tally.cast) == ("adopt", 1, 3)


def _tit_for_tat(readings: Sequence[str], rounds: int = 3) -> list[str]:
    rules = presets.protocol("tit_for_tat")
    said: list[Said] = [
        {
            "phase": "reading",
            "round": number,
            "content": {"reasoning": "read", "option": "adopt" if reading == "Yes" else None},
        }
        for number, reading in enumerate(readings, start=1)
    ]
    seats = [{"id": "aff", "stance": "adopt"}, {"id": "neg", "stance": "defer"}]
    state, _ = hold(rehearsal(rules, *said, seats=seats, settings={"rounds": rounds}))
    assert state.outcome is not None
    assert state.outcome.decision == "adopt"
    return [t.seat for t in state.all_turns()]


@pytest.mark.parametrize("case", rows("mad_liang", lambda c: "order" in c))
def test_the_judge_breaks_off_or_looks_twice_at_the_end(case: Case) -> None:
    """Order and number of calls; its moderator and its judge are one seat here, as who decides is one."""
    seats = _tit_for_tat(case["moderator"], case.get("max_round", 3))
    assert seats == [{"mod": "judge"}.get(seat, seat) for seat in case["order"]]
    assert len(seats) == case["calls"]


def test_level_answers_are_not_decided_by_who_was_first() -> None:
    # R040: the source takes the first of ["A", "B"]
    rules = presets.protocol("society")
    said = [turn("s0", "adopt", repeat=True), turn("s1", "defer", repeat=True)]
    state, _ = hold(rehearsal(rules, *said, seats=[{"id": "s0"}, {"id": "s1"}]))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.ties) == ("undecided", ("adopt", "defer"))
    assert course(state) == ["1 answer: s0 s1", "2 answer: s0 s1"]


BALLOT_OF: dict[str, BallotKind] = {"simple": "one", "approval": "approval", "cumulative": "dots", "ranked": "ranking"}
MALLM_DOTS = 10


def _says(case: Case) -> tuple[str | None, list[Given]]:
    """Return the statements about the options, which the source numbers."""
    named = {str(i): option for i, option in enumerate(THREE)}
    text = case["text"]
    match case["rule"]:
        case "simple":
            return named.get(text, text), []
        case "approval":
            return None, [Given(option=named.get(t.strip(), t), points=1) for t in text.split(",")]
        case "cumulative":
            pairs = re.findall(r"(\d+)\"?: ?(\d+)", text)
            return None, [Given(option=named.get(o, o), points=int(n)) for o, n in pairs]
        case _:
            return None, [Given(option=named.get(t, t), points=n) for n, t in enumerate(text.split(), start=1)]


@pytest.mark.parametrize("case", rows("mallm_ballot_parsing", lambda c: (c["rule"], c["text"]) not in READ_OTHERWISE))
def test_what_is_a_ballot_there_is_one_here(case: Case) -> None:
    # R034, R062: its own names of options stand for the numbers of the source
    choice, given = _says(case)
    fault = fault_in_ballot(BALLOT_OF[case["rule"]], THREE, choice, given, dots=MALLM_DOTS)
    assert (fault is None) == case.get("accepted", False)


PEERS_AND_OWN = [{"name": "peers", "weight": 70}, {"name": "own", "weight": 30}]
AUTOGPT_SCORE = Elected(kind="weighted_criteria", most_points=100, floor_percent=70)
"""0.7 times the mean score of the peers and 0.3 times the own confidence, in hundredths; 0.7 is enough."""


def _scored(case: Case, *more: Said) -> Said:
    """Everybody proposes an option, is sure of their own as they say, and gives the others' their scores."""
    confidence, scores = case["confidence"], case["scores"]
    names = [*confidence, *(["peer"] if len(confidence) == 1 else [])]
    said = []
    for seat in names:
        given = [{"option": seat, "driver": "own", "points": round(confidence[seat] * 100)}] if seat in scores else []
        for option, of_peers in scores.items():
            peers = [name for name in names if name != option]
            if seat != option:
                points = round(of_peers[peers.index(seat)] * 100)
                given.append({"option": option, "driver": "peers", "points": points})
        said.append({"seat": seat, "content": {"rationale": "scored", "ballot": given, "strength": 8}, "repeat": True})
    rules = with_decision(presets.protocol("autogpt_debate"), AUTOGPT_SCORE)
    seats = [{"id": name, "stance": name} for name in names]
    options = [*scores, *(["another"] if len(scores) == 1 else [])]
    return {**rehearsal(rules, *more, *said, options=options, seats=seats), "drivers": PEERS_AND_OWN}


@pytest.mark.parametrize("case", rows("autogpt", lambda c: "combined" in c))
def test_two_weighted_criteria_of_peers_and_confidence_decide(case: Case) -> None:
    state, events = hold(_scored(case))
    count = account(state, events).ruling.count
    assert count is not None
    best = case.get("winner", "d1")
    points = count.result().points
    assert points[best] / 100 == Fraction(str(case["combined"])) == max(points.values()) / 100
    assert (state.outcome and state.outcome.decision) == (best if case["consensus"] else "escalate")


@pytest.mark.parametrize(("sure", "decided"), [(100, "decided"), (98, "decided"), (97, "undecided")])
def test_seven_tenths_are_enough_and_less_is_not(sure: int, decided: str) -> None:
    # The source returns the best one all the same.
    state, events = hold(_scored({"confidence": {"d1": sure / 100}, "scores": {"d1": [0.58]}}))
    assert state.outcome is not None
    assert state.outcome.status == decided
    told = outcome_sentence(account(state, events))
    assert ("No option has 70 % of 100 points: d1 69.7" in told) == (decided == "undecided")


ABOVE_ITS_SCALE, UNREADABLE = case_of("autogpt", 2), case_of("autogpt", 3)


def test_rejected_a_score_above_its_scale_wins_nothing() -> None:
    case = ABOVE_ITS_SCALE
    beyond = [{"option": "d1", "driver": "peers", "points": int(case["score"] * 100)}]
    said: Said = {"seat": "peer", "content": {"rationale": "8 of 10", "ballot": beyond, "strength": 8}, "repeat": True}
    state, _ = hold(_scored({"confidence": {"d1": 0.5}, "scores": {"d1": [0.5]}}, said))
    assert [t.status for t in state.all_turns() if t.seat == "peer"][:1] == ["unparseable"]
    assert state.outcome is not None
    assert state.outcome.status == "undecided"


def test_rejected_an_unreadable_confidence_costs_no_proposal() -> None:
    text = UNREADABLE["text"].removeprefix("CONFIDENCE: ")
    content = {"rationale": "why", "vote": "adopt", "confidence": text, "strength": 8}
    said: Said = {"seat": "s0", "raw": json.dumps(content), "repeat": True}
    state, _ = hold(rehearsal(presets.protocol("autogpt_debate"), said, seats=[{"id": f"s{n}"} for n in range(3)]))
    assert {t.status for t in state.all_turns() if t.seat == "s0"} == {"ok"}
    assert state.ballots["s0"].choice == "adopt"


@pytest.mark.parametrize("name", ["autogpt_debate", "mallm_memory", "mallm_relay", "mallm_collective_refinement"])
def test_half_of_the_votes_suffice_where_the_source_says_so(name: str) -> None:
    # It is inclusive, it warns, and two options that both have half are a tie.
    assert name in TAKE_A_THRESHOLD
    rules = presets.with_threshold(presets.protocol(name), 2)
    for votes, decided in ((("a", "a", "b", "c"), True), (("a", "b", "a", "b"), False)):
        said = [turn(f"s{place}", vote, repeat=True) for place, vote in enumerate(votes)]
        seats = [{"id": f"s{place}"} for place in range(4)]
        state, _ = hold(rehearsal(rules, *said, seats=seats, options=THREE))
        assert state.outcome is not None
        assert any("two options can reach 2 votes" in told for told in warnings(state.spec))
        assert state.outcome.decided_by == ("threshold_vote" if decided else None)
        assert state.outcome.ties == (() if decided else ("a", "b"))


def test_every_other_referee_compares_with_the_sides_swapped() -> None:
    # ChatEval's reversed input
    seats = [Seat(id=name, occupant="human") for name in THREE]
    played = Played(presets.compose("Which?", ["x", "y"], presets.protocol("referees_swapped"), seats))
    seen = [view(played.state, request) for request in played.requests()]
    assert [v.options for v in seen] == [("x", "y"), ("y", "x"), ("x", "y")]
    assert [v.ballot_options[:2] for v in seen] == [v.options for v in seen]
    assert ['"y", "x"' in prompt_for(v).blocks[0] for v in seen] == [False, True, False]


def _society(*said: Said) -> Said:
    seats = [{"id": f"s{i}"} for i in range(3)]
    votes = [turn(f"s{i}", "adopt", repeat=True) for i in range(3)]
    return rehearsal(presets.protocol("society"), *said, *votes, seats=seats)


@pytest.mark.parametrize("text", ["-1", "", "1 or 0", "\u00b2", "0, 1", "not sure", "abstain from both"])
def test_rejected_what_names_no_option_is_no_ballot(text: str) -> None:
    # The sources read "-1" as 1, "0,0,0" as three votes and "not sure" as no
    state, _ = hold(_society(turn("s2", text, repeat=True)))
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.tally.as_dict()) == ("adopt", {"adopt": 2})
    assert (state.ballots["s2"].status, state.ballots["s2"].choice) == ("unparseable", None)


def test_rejected_one_unreadable_answer_does_not_spoil_others() -> None:
    broken: Said = {"seat": "s2", "raw": "I would rather not put it as an object", "repeat": True}
    state, _ = hold(_society(broken))
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.tally.cast, state.outcome.tally.eligible) == ("adopt", 2, 3)


@pytest.mark.parametrize(
    "raw",
    [
        '```json\n{"reasoning": "read", "option": "adopt"}\n```',
        'My verdict: {"reasoning": "read", "verdict": "yes", "option": "adopt", "confidence": null}',
    ],
)
def test_rejected_a_fence_or_a_null_breaks_no_debate(raw: str) -> None:
    # The source runs the moderator's reply as code.
    said: Said = {"phase": "reading", "raw": raw}
    state, _ = hold(rehearsal(presets.protocol("tit_for_tat"), said))
    assert state.outcome is not None
    assert (state.outcome.decision, [t.status for t in state.all_turns()]) == ("adopt", ["ok"] * 3)


def test_rejected_code_in_a_reply_is_text() -> None:
    said: Said = {"phase": "reading", "raw": "__import__('os').system('false')", "repeat": True}
    state, _ = hold(rehearsal(presets.protocol("tit_for_tat"), said, settings={"rounds": 1}))
    assert [t.status for t in state.all_turns() if t.phase == "reading"] == ["unparseable"]


def test_rejected_options_with_one_prefix_stay_distinct() -> None:
    rules = presets.protocol("society")
    state, _ = hold(rehearsal(rules, options=("A) x", "A) other", "B) y")))
    assert state.outcome is not None
    assert (state.spec.options, state.outcome.decision) == (("A) x", "A) other", "B) y"), "A) x")


@pytest.mark.parametrize(
    "rule", [Majority(), Supermajority(), Unanimity(), THREE_QUARTERS], ids=["1-2", "2-3", "all", "3-4"]
)
@pytest.mark.parametrize("paradigm", ["memory", "relay", "report", "debate", "collective_refinement"])
def test_every_paradigm_takes_every_rule(paradigm: str, rule: CountedRule) -> None:
    rules = presets.protocol(f"mallm_{paradigm}").model_copy(update={"decide": rule})
    state, _ = hold(rehearsal(rules))
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.decided_by) == ("adopt", rule.kind)
