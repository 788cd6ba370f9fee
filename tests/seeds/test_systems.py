"""What other debate systems did when their code was run: the adopted cases, through the rules and whole debates.

Not here, because no rule of ours says it: a weighted mean of peers' scores and own confidence (autogpt), a rating
by pairs (elo), a stop when a word is said, a rule that is code and raises, and what marks a case as rejected.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.methods import elect
from debate_core.engine.count.profile import Profile, Vote
from debate_core.spec import presets
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import (
    CountedRule,
    DecisionReached,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Unanimity,
)
from tests.conftest import SHARED
from tests.counts import count
from tests.holding import Said, hold, turn
from tests.rehearsing import course, rehearsal

GOLDEN = SHARED / "golden" / "seed_systems.json"
ALL: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.is_file() else {}
Case = dict[str, Any]
pytestmark = pytest.mark.skipif(not ALL, reason="the reference data (../shared/golden) is not beside this checkout")

THREE = ("a", "b", "c")
THREE_QUARTERS = Supermajority(numerator=3, denominator=4)
LAST_STRICT_TURN = 4
"""The hybrid rule wants all until here, and of small panels always; then three quarters."""


def cases(name: str) -> list[Case]:
    found: list[Case] = ALL.get(name, {}).get("cases", [])
    return found


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


@pytest.mark.parametrize(
    "case", cases("mallm_threshold_consensus"), ids=lambda c: f"{c['rule']}-{c['supporters']}of{c['agents']}"
)
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


@pytest.mark.parametrize("case", cases("mallm_own_tests"), ids=lambda c: f"{c['rule']}-{''.join(c['sequence'])}")
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


@pytest.mark.parametrize(
    "case", [c for c in cases("mallm_vote_counting") if _well_formed(c)], ids=lambda c: f"{c['rule']}-{c['votes']}"
)
def test_one_top_option_wins_and_level_ones_decide_nothing(case: Case) -> None:
    # R040: a tie is a set, never its first member
    winners = _elected(case)
    assert (len(winners) == 1) == case["agreed"]
    if case["agreed"]:
        assert winners == (THREE[case["winner_index"]],)


@pytest.mark.parametrize(
    "case", [c for c in cases("mallm_vote_counting") if c["rule"] == "simple"], ids=lambda c: str(c["votes"])
)
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


@pytest.mark.parametrize("case", [c for c in cases("mad_liang") if "order" in c], ids=lambda c: f"{c['calls']} calls")
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


def test_rejected_one_answer_that_cannot_be_read_does_not_spoil_the_others() -> None:
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


def test_rejected_options_with_the_same_beginning_are_not_one_option() -> None:
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
