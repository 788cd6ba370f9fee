"""Side coverage where a seat decides: a silent side blocks the decision and is named with its cause."""

from collections.abc import Collection
from random import Random

import pytest

from debate_core.engine import side_coverage, voting
from debate_core.engine.audit import verify
from debate_core.record import acts
from debate_core.record.commands import Act, SkipTurn
from debate_core.report.facts.account import account
from debate_core.report.files.adr.record import decision_record
from debate_core.report.phrases.outcome import outcome_sentence, summary_report
from debate_core.report.phrases.rules import rule_sentence
from debate_core.spec.contents import Argument, Content, Directive, Synthesis, Verdict
from debate_core.spec.presets import PROTOCOLS, compose, default_seats
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.rules import BySeat, DecisionReached, MaxRounds
from debate_core.spec.values import TurnError
from tests.by_hand import JUDGE, LEAD, OPEN, TALK, small_spec
from tests.laws.play import content_for
from tests.people import ABE, FAY, room_spec
from tests.playing import Played
from tests.silence import outages, over_silence

BY_JUDGE = BySeat(role="judge")


def judged_spec(*, n: int = 2, rounds: int = 1, stances: tuple[str, ...] = (), decide: BySeat = BY_JUDGE) -> Spec:
    """Seats argue in turn before a judge, who speaks at the end."""
    spec = small_spec(
        Phase(name="talk"), n=n, rounds=rounds, after=(JUDGE,), decide=decide, stop=(MaxRounds(),), attempts=1
    )
    sided = [s.model_copy(update={"stance": stances[i]}) if i < len(stances) else s for i, s in enumerate(spec.seats)]
    return spec.model_copy(update={"seats": tuple(sided)})


def hold(spec: Spec, lost: dict[str, TurnError], *, option: str | None = "a") -> Played:
    """Turns `round.seat` that are lost fail so; everything else is given, and the judge names this option."""
    played = Played(spec)
    while asked := played.requests():
        error = lost.get(f"{asked[0].round}.{asked[0].seat}")
        if error:
            played.fail(error)
        elif asked[0].gives == "verdict":
            played.say(Verdict(reasoning="Weighed.", verdict="so", option=option))
        else:
            played.say(Argument(rationale="why"))
    return played


def test_a_judge_does_not_decide_over_a_silent_side():
    # R224: who, since when and why; what the judge wrote stays
    played = hold(judged_spec(rounds=3), {"1.s1": "timeout", "2.s1": "timeout", "3.s1": "failed"})
    outcome = played.outcome()
    assert (outcome.status, outcome.decision, outcome.decided_by) == ("undecided", "escalate", None)
    assert (outcome.ended_by, outcome.decision_rule, outcome.fired) == (
        "side_unheard",
        "side_unheard",
        ("max_rounds_exhausted",),
    )
    (side,) = outcome.unheard
    assert (side.seats, side.asked, side.given, side.since) == (("s1",), 3, 0, 1)
    told = outcome_sentence(account(played.state))
    assert "S1 was not heard: 0 of 3 turns given, the first lost in round 1 (2 late, 1 failed)." in told
    assert "The judge named a (after 3 rounds)." in told
    assert voting.named_by(played.state, "judge") == ("judge", "a")
    assert "decision_rule: side_unheard" in summary_report(account(played.state))
    assert "was not heard" in decision_record(account(played.state)).text
    assert verify(played.events) == ()


@pytest.mark.parametrize(
    ("lost", "decided"),
    [
        ((), True),
        (("1.s1",), True),
        (("1.s1", "4.s1"), True),
        (("1.s1", "2.s1", "3.s1"), False),
        (("1.s0", "2.s0", "3.s1", "4.s1"), True),
        (("1.s0", "2.s0", "3.s0", "4.s1"), False),
    ],
)
def test_heard_is_who_gave_half_of_the_turns(lost: tuple[str, ...], decided: bool):
    outcome = hold(judged_spec(rounds=4), dict.fromkeys(lost, "failed")).outcome()
    assert (outcome.status == "decided", outcome.unheard == ()) == (decided, decided)


def test_who_defends_one_stance_is_heard_together():
    spec = judged_spec(n=3, stances=("Adopt ", "adopt", "reject"))
    assert side_coverage.sides(spec) == (("s0", "s1"), ("s2",))
    assert hold(spec, {"1.s1": "timeout"}).outcome().status == "decided"
    assert hold(spec, {"1.s2": "timeout"}).outcome().ended_by == "side_unheard"
    (side,) = hold(spec, {"1.s0": "timeout", "1.s1": "cut"}).outcome().unheard
    assert (side.seats, side.why) == (("s0", "s1"), ("timeout", "cut"))


def test_a_protocol_may_let_a_seat_decide_over_a_silent_side():
    lost: dict[str, TurnError] = {"1.s1": "timeout"}
    agreed = judged_spec(decide=BySeat(role="judge", decides_unheard=True))
    assert hold(agreed, lost).outcome().decision == "a"
    assert "It decides even if a side is silent." in rule_sentence(agreed.protocol, 2)
    agreed_sides = "unless every side gives at least one turn, and at least half of those requested from it"
    assert agreed_sides in rule_sentence(judged_spec().protocol, 2)


def test_a_struck_turn_is_not_given_and_passing_is_no_silence():
    def skipped(by: str, *, rounds: int) -> Played:
        played = Played(judged_spec(rounds=rounds))
        while asked := played.requests():
            said: Content = Argument(rationale="why")
            if asked[0].gives == "verdict":
                said = Verdict(reasoning="Weighed.", verdict="so", option="a")
            if (asked[0].seat, asked[0].round) in (("s1", 1), ("s1", 2)):
                played.do(SkipTurn(by=by, request=asked[0].id, reason="nothing to add"))
            else:
                played.say(said)
        return played

    assert skipped("anna", rounds=3).outcome().unheard[0].why == ("skipped", "skipped")
    assert skipped("s1", rounds=3).outcome().decision == "a"
    assert skipped("s1", rounds=2).outcome().ended_by == "side_unheard"
    room = Played(judged_spec())
    room.say(Argument(rationale="why")).say(Argument(rationale="rude"))
    room.do(Act(by="anna", act=acts.Struck(turn="1.talk.s1", reason="an insult")))
    room.say(Verdict(reasoning="Weighed.", verdict="so", option="a"))
    assert room.outcome().unheard[0].why == ("struck",)


def test_rounds_continue_until_every_side_has_spoken():
    spec = small_spec(OPEN, JUDGE, n=2, rounds=3, decide=BY_JUDGE, stop=(DecisionReached(), MaxRounds()), attempts=1)
    played = hold(spec, {"1.s1": "timeout"})
    assert (played.outcome().decision, played.outcome().rounds_run) == ("a", 2)


def test_a_verdict_from_before_a_side_spoke_decides_nothing():
    spec = small_spec(OPEN, JUDGE, n=2, rounds=2, decide=BY_JUDGE, stop=(MaxRounds(),), attempts=1)
    played = hold(spec, {"1.s1": "timeout", "2.judge": "timeout"})
    assert (played.outcome().status, played.outcome().ended_by) == ("undecided", "side_unheard")
    assert played.outcome().unheard[0].asked == 1


def test_whom_a_moderator_never_calls_was_not_heard():
    spec = small_spec(LEAD, TALK, n=2, rounds=1, after=(JUDGE,), decide=BY_JUDGE, stop=(MaxRounds(),))
    played = Played(spec)
    played.say(Directive(reason="Costs first.", next_speakers=("s0",)))
    played.say(Argument(rationale="why")).say(Verdict(reasoning="Weighed.", verdict="so", option="a"))
    assert played.outcome().ended_by == "side_unheard"
    assert "S1 was not heard: no turn was requested until then" in outcome_sentence(account(played.state))


def test_an_approver_may_still_decide_with_a_reason():
    by_judge = judged_spec()
    spec = room_spec((FAY, ABE)).model_copy(update={"protocol": by_judge.protocol, "seats": by_judge.seats})
    spec = spec.model_copy(update={"max_rounds": 1, "options": ("a", "b")})
    played = Played(spec).go_on()
    played.say(Argument(rationale="why")).fail("timeout")
    played.say(Verdict(reasoning="Weighed.", verdict="so", option="a"))
    assert played.outcome().ended_by == "side_unheard"
    played.act(ABE, acts.Signed(verdict="accept", option="a", reason="The other side told me the same by telephone."))
    told = account(played.state).decision
    assert (told.counted, told.option) == (None, "a")


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_no_preset_decides_over_silence_whoever_is_out_of_reach(name: str):
    # R036, R224: all who live are for one option; each seat, and each two of them, is dead for the whole debate
    rules = PROTOCOLS[name]
    seats = default_seats(rules, "Which?", ("a", "b"), "scripted")
    # One comparison or two tell nothing apart.
    rounds = rules.rounds.default if rules.paired else min(2, rules.rounds.hard_max)
    spec = compose("Which?", ("a", "b"), rules, seats, max_rounds=rounds)
    assert _held_without(spec, ()).outcome().status == "decided"
    for dead in outages(spec):
        played = _held_without(spec, dead)
        assert (dead, over_silence(played.state)) == (dead, False)
        assert verify(played.events) == ()


def _held_without(spec: Spec, dead: Collection[str]) -> Played:
    """The debate with these seats dead: all the others vote, argue and name the same option, and call everybody."""
    played, rng = Played(spec), Random(1)
    debaters = tuple(seat.id for seat in spec.debaters())
    while asked := played.requests():
        if asked[0].seat in dead:
            played.fail("timeout")
            continue
        content = content_for(spec, asked[0], rng)
        match content:
            case Argument():
                content = Argument(rationale="why", vote="a", strength=9)
            case Verdict() if "a" not in played.state.compared.get(asked[0].turn(), ("a",)):
                # Two that were proposed on the way.
                content = content.model_copy(update={"option": None})
            case Verdict() | Synthesis():
                content = content.model_copy(update={"option": "a"})
            case Directive():
                content = Directive(reason="all", next_speakers=debaters)
            case _:
                pass
        played.say(content)
    return played
