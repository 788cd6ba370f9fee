"""Ends of a debate, case by case: every stop rule, what fires with it, and what ends nothing."""

from typing import NamedTuple, get_args

import pytest

from debate_core.engine import engine, stopping
from debate_core.engine.stopping import new_claims
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record import acts
from debate_core.record.commands import Pause, Resume, Stop, TakeTurn
from debate_core.report.facts.account import account
from debate_core.report.facts.repetition import looks
from debate_core.report.phrases.ending import ENDED
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec.contents import Argument, Claim, Content, Directive, Evaluation, Synthesis, Verdict
from debate_core.spec.people import Room
from debate_core.spec.presets import DELIBERATION, EXPERT_PANEL, compose, default_seats, protocol
from debate_core.spec.presets.seeds import STANCE_JUDGE
from debate_core.spec.protocol import Phase, asks_another_round
from debate_core.spec.protocol_changes import with_synthesis_each_round
from debate_core.spec.rules import (
    AllAgree,
    AllOf,
    Converged,
    DecisionReached,
    FromRound,
    Majority,
    MaxRounds,
    MaxTurns,
    ModeratorDone,
    NoFurtherRound,
    NoProgress,
    Plurality,
    Simple,
    Stable,
    StopRule,
    Supermajority,
    SynthesiserDone,
    TextMention,
    Unanimity,
)
from debate_core.spec.values import Axis, TurnError
from debate_core.spec.warnings import warnings
from tests.by_hand import ASSESS, GATE, LEAD, OPEN, TALK, preset_spec, small, small_spec
from tests.people import FAY, MO, room_spec
from tests.playing import Played

ALL = ("s0", "s1", "s2")
AGREED = dict.fromkeys(ALL, "a")
SPLIT: dict[str, str | None] = {"s0": "a", "s1": "a", "s2": "b"}


def test_when_every_seat_of_a_phase_failed_nothing_more_is_asked() -> None:
    played = Played(preset_spec(3, EXPERT_PANEL))
    played.vote({})
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.ended_by, outcome.decision) == ("undecided", "provider_down", "escalate")
    assert engine.requests(played.state) == ()


@pytest.mark.parametrize(
    ("errors", "ended_by", "why"),
    [
        (("timeout", "timeout"), "provider_down", "No debater answered the last request, so the"),
        (("failed", "timeout"), "provider_down", "No debater answered the last request"),
        (("unparseable", "unparseable"), "unreadable", "None of the debaters' last replies was readable, so the"),
        (("cut", "timeout"), "unreadable", "None of the debaters' last replies was readable"),
    ],
)
def test_unusable_replies_are_not_reported_as_silence(errors: tuple[TurnError, ...], ended_by: str, why: str) -> None:
    # R225: a provider is down only where nobody answered
    played = small(OPEN, n=2, decide=Unanimity(), attempts=1)
    for error in errors:
        played.fail(error)
    assert (played.outcome().status, played.outcome().ended_by) == ("undecided", ended_by)
    assert why in outcome_sentence(account(played.state))


def test_an_outage_after_a_good_round_names_the_last_request() -> None:
    played = small(OPEN, n=2, rounds=2, decide=Unanimity(), attempts=1)
    played.vote({"s0": "a", "s1": "b"}).vote({})
    told = outcome_sentence(account(played.state))
    assert "No debater answered the last request, so the debate could not go on (after round 2" in told


def test_a_stop_by_a_person_is_no_verdict_and_keeps_turns() -> None:
    played = Played(preset_spec(3))
    played.do(TakeTurn(by="s0", request="1.proposal.s0.1", content=Argument(rationale="why", vote="a")))
    played.do(Stop(by="chair", reason="fire alarm"))
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.ended_by, outcome.decision) == ("aborted", "stopped", "escalate")
    assert [t.seat for t in played.state.all_turns()] == ["s0"]


def test_a_pause_keeps_requests_open_and_is_not_repeated() -> None:
    played = Played(preset_spec(3))
    before = engine.requests(played.state)
    played.do(Pause(by="chair", reason="coffee"))
    assert engine.requests(played.state) == before
    with pytest.raises(RuleViolation, match="paused already"):
        played.do(Pause(by="chair", reason="more coffee"))
    played.do(Resume(by="chair"))
    with pytest.raises(RuleViolation, match="not paused"):
        played.do(Resume(by="chair"))


class Ended(NamedTuple):
    status: str
    decision: str
    fired: tuple[str, ...]
    """The stop rules that ended it, in their order."""
    rounds: int


def _ended(played: Played) -> Ended:
    outcome = played.outcome()
    return Ended(outcome.status, outcome.decision, outcome.fired, outcome.rounds_run)


@pytest.mark.parametrize("rule", get_args(Simple))
def test_every_stop_rule_has_a_clause_for_its_end(rule: type[Simple]) -> None:
    match rule.model_fields["kind"].default:
        case "max_rounds":
            names = [stopping.MAX_ROUNDS]
        case "ceiling":
            names = [stopping.ceiling_name(axis) for axis in get_args(Axis)]
        case kind:
            names = [kind]
    assert set(names) <= set(ENDED), f"{rule.__name__}: why a debate ended is said in report/phrases/ending.py"


def test_rounds_in_which_nobody_would_speak_count_as_held() -> None:
    played = small(OPEN.model_copy(update={"only_in": (1,)}), rounds=4, decide=Unanimity())
    played.vote(SPLIT)
    assert _ended(played) == ("undecided", "escalate", ("max_rounds_exhausted",), 1)


def test_all_agree_ends_at_once_when_every_debater_agrees() -> None:
    # R055: by ballots, not by anybody's feeling; a missing ballot is no agreement
    played = small(OPEN, rounds=4, decide=Unanimity(), stop=(AllAgree(), MaxRounds()))
    played.vote(SPLIT)
    played.vote({"s0": "a", "s1": "a"})
    played.vote({**AGREED, "s2": None})
    assert played.state.outcome is None
    played.vote(AGREED)
    assert _ended(played) == ("decided", "a", ("all_agree", "max_rounds_exhausted"), 4)


def test_stable_ends_after_a_round_in_which_nobody_moved() -> None:
    # R144
    played = small(OPEN, rounds=5, decide=Plurality(), stop=(Stable(), MaxRounds()))
    played.vote({"s0": "a", "s1": "b", "s2": "b"})
    played.vote(SPLIT)
    assert played.state.outcome is None
    played.vote(SPLIT)
    assert _ended(played) == ("decided", "a", ("stable",), 3)


def test_an_outage_is_not_stability() -> None:
    played = small(OPEN, rounds=4, decide=Plurality(), stop=(Stable(), MaxRounds()))
    for _ in range(3):
        played.vote({"s0": "a", "s1": "b"})
    assert played.state.outcome is None


def test_the_round_that_its_moderator_called_the_last_still_runs() -> None:
    # R090, R099
    played = small(LEAD, TALK, rounds=4, decide=Plurality(), stop=(ModeratorDone(), MaxRounds()))
    played.say(Directive(reason="Start.", next_speakers=ALL))
    played.vote(SPLIT)
    played.say(Directive(reason="One more.", next_speakers=("s2",), done=True))
    assert played.asked() == ["2.talk.s2.1"]
    played.vote({"s2": "a"})
    assert _ended(played) == ("decided", "a", ("moderator_done",), 2)


def test_done_and_nobody_named_ends_with_a_round_of_no_turns() -> None:
    # R090, R095
    played = small(LEAD, TALK, rounds=4, decide=Plurality(), stop=(ModeratorDone(), MaxRounds()))
    played.say(Directive(reason="Start.", next_speakers=ALL))
    played.vote(SPLIT)
    played.say(Directive(reason="It is all said.", done=True))
    assert _ended(played) == ("decided", "a", ("moderator_done",), 2)


def test_the_word_done_means_nothing_where_no_rule_goes_by_it() -> None:
    # law 6
    played = small(LEAD, TALK, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
    played.say(Directive(reason="Done.", next_speakers=("s0",), done=True))
    played.vote({"s0": "a"})
    assert played.asked() == ["2.lead.moderator.1"]


def test_the_chair_has_the_last_word_on_being_done() -> None:
    # R090: the last directive of a round counts
    played = small(LEAD, GATE, TALK, rounds=3, decide=Plurality(), stop=(ModeratorDone(), MaxRounds()))
    played.say(Directive(reason="Enough.", done=True))
    played.say(Directive(reason="Not yet.", next_speakers=("s1",)))
    played.vote({"s1": "a"})
    assert played.asked() == ["2.lead.moderator.1"]


def test_the_last_round_comes_first_if_listed_first() -> None:
    # R099: the order of the list is the priority
    played = small(LEAD, TALK, rounds=1, decide=Plurality(), stop=(MaxRounds(), ModeratorDone()))
    played.say(Directive(reason="Go.", next_speakers=ALL, done=True))
    played.vote(SPLIT)
    assert played.outcome().ended_by == "max_rounds_exhausted"
    assert _ended(played) == ("decided", "a", ("max_rounds_exhausted", "moderator_done"), 1)


def assessed(played: Played, *, again: bool) -> None:
    played.vote(SPLIT)
    played.say(Evaluation(synthesis="So far.", recommend_another_round=again))


@pytest.mark.parametrize(
    ("rounds", "again", "why"), [(3, False, "no_further_round"), (2, True, "max_rounds_exhausted")]
)
def test_evaluator_ends_the_rounds_or_the_last_one_does(rounds: int, again: bool, why: str) -> None:
    # R250, R265, R269: max rounds 2 with always-recommend stops at 2
    played = small(OPEN, ASSESS, rounds=rounds, decide=Plurality(), stop=(NoFurtherRound(), MaxRounds()))
    assessed(played, again=True)
    assessed(played, again=again)
    assert _ended(played) == ("decided", "a", (why,), 2)


def test_an_evaluator_who_fails_ends_nothing() -> None:
    played = small(OPEN, ASSESS, rounds=3, decide=Plurality(), stop=(NoFurtherRound(), MaxRounds()))
    played.vote(SPLIT)
    played.fail()
    played.fail()
    assert played.asked() == ["2.open.s0.1", "2.open.s1.1", "2.open.s2.1"]


def test_an_evaluation_that_was_struck_ends_nothing() -> None:
    # R250: the facilitator struck it while the round went on
    spec = small_spec(ASSESS, OPEN, rounds=2, decide=Plurality(), stop=(NoFurtherRound(), MaxRounds()))
    held = Played(spec.model_copy(update={"room": Room(people=(FAY, MO))})).go_on()
    held.say(Evaluation(synthesis="That is all.", recommend_another_round=False))
    held.act(MO, acts.Struck(turn="1.assess.evaluator", reason="it was not asked of them yet"))
    held.vote(SPLIT)
    assert held.state.outcome is None


SUM_UP = Phase(name="sum_up", gives="synthesis", role="synthesiser")


def _summed_up(played: Played, *, another: bool | None) -> None:
    played.vote(SPLIT)
    played.say(Synthesis(answer="So far.", recommend_another_round=another))


def test_a_synthesiser_ends_the_rounds_from_the_minimum_on() -> None:
    played = small(OPEN, SUM_UP, rounds=4, decide=Plurality(), stop=(SynthesiserDone(min_rounds=2), MaxRounds()))
    _summed_up(played, another=False)
    assert played.asked()[0].startswith("2.open")
    _summed_up(played, another=True)
    assert played.asked()[0].startswith("3.open")
    _summed_up(played, another=False)
    assert _ended(played) == ("decided", "a", ("synthesiser_done",), 3)
    assert "the synthesiser did not recommend another round" in outcome_sentence(account(played.state))


def test_a_synthesis_that_does_not_say_ends_nothing() -> None:
    played = small(OPEN, SUM_UP, rounds=3, decide=Plurality(), stop=(SynthesiserDone(min_rounds=1), MaxRounds()))
    _summed_up(played, another=None)
    assert played.asked()[0].startswith("2.open")


@pytest.mark.parametrize("error", ["failed", "unparseable", "refused"])
def test_a_synthesis_that_failed_ends_nothing(error: TurnError) -> None:
    stop = (SynthesiserDone(min_rounds=1), MaxRounds())
    second = SUM_UP.model_copy(update={"name": "again"})
    played = small(OPEN, SUM_UP, second, rounds=3, decide=Plurality(), stop=stop, attempts=1)
    _summed_up(played, another=False)
    played.fail(error)
    assert played.asked()[0].startswith("2.open")


def test_only_a_synthesis_of_a_round_advises_on_rounds() -> None:
    rules = with_synthesis_each_round(DELIBERATION, 2)
    interim, closing = rules.each_round[-1], rules.after[0]
    asked = [asks_another_round(rules, phase, number) for phase in (interim, closing) for number in (1, 2, 3)]
    assert asked == [False, True, True, False, False, False]
    assert with_synthesis_each_round(rules, 2) == rules
    assert with_synthesis_each_round(STANCE_JUDGE, 2) == STANCE_JUDGE


def test_a_minimum_of_all_rounds_is_warned_about() -> None:
    spec = small_spec(OPEN, SUM_UP, rounds=2, decide=Plurality(), stop=(SynthesiserDone(), MaxRounds()))
    assert [str(doubt) for doubt in warnings(spec)] == [
        "stop rule synthesiser_done can never end the rounds early: it holds from round 2 on, and there are 2"
    ]


def test_a_round_that_only_restates_ends_for_want_of_progress() -> None:
    # R162, R167
    played = small(OPEN, rounds=5, decide=Plurality(), stop=(NoProgress(), MaxRounds()))
    played.vote(SPLIT, {"s0": "The migration costs forty hours of work"})
    played.vote(SPLIT, {"s1": "Rollback was never rehearsed by anybody"})
    played.vote(SPLIT, {"s2": "Forty hours of work: the migration costs that"})
    assert _ended(played) == ("decided", "a", ("no_progress",), 3)


def test_prose_without_claims_is_new_until_it_is_said_again() -> None:
    # R162, R167: turns of people often have no numbered claims
    played = small(OPEN, rounds=5, decide=Plurality(), stop=(NoProgress(), MaxRounds()))
    for said in ("It costs too much.", "Nobody has tried it.", "Nobody has  TRIED it."):
        assert played.state.outcome is None
        for seat in ("s0", "s1", "s2"):
            played.say(Argument(rationale=f"{seat}: {said}", vote=SPLIT[seat]))
    assert _ended(played) == ("decided", "a", ("no_progress",), 3)


@pytest.mark.parametrize(
    ("stances", "ends"),
    [
        (("I hold a.", "By now a is right", "a"), True),
        (("I hold a.", "I hold b.", "a"), False),
        (("I hold a.", "a or b", "a"), False),
        (("I hold a.", "", "a"), False),
        (("not a", "never a", "nothing but a, and not b"), False),
        (("not a", "not a", "not a"), False),
    ],
)
def test_rounds_end_on_one_stance_where_nobody_votes(stances: tuple[str, ...], ends: bool) -> None:
    # R144, R162
    played = small(OPEN, rounds=3, decide=Plurality(), stop=(MaxRounds(), Converged()))
    for _ in range(2):
        for seat, stance in zip(("s0", "s1", "s2"), stances, strict=True):
            played.say(Argument(rationale=f"{seat} why", stance=stance, vote=SPLIT[seat]))
    assert (played.state.outcome is not None) == ends
    if ends:
        assert (_ended(played).fired, _ended(played).rounds) == (("converged",), 2)


@pytest.mark.parametrize("name", ["deliberation", "stance_judge"])
def test_long_presets_end_when_everyone_repeats(name: str) -> None:
    # R144, R162, R167: six rounds of restatement are none
    seats = default_seats(protocol(name), "Q?", ["a", "b"], "human")
    played = Played(compose("Q?", ["a", "b"], protocol(name), seats, max_rounds=6))
    played.play(lambda request: _repeats(request.seat, request.gives))
    assert (played.outcome().rounds_run, played.outcome().ended_by) == (2, "no_progress")
    assert played.outcome().decision == "a"


def _repeats(seat: str, gives: str) -> Content:
    if gives == "synthesis":
        return Synthesis(answer="So it is.", option="a")
    if gives == "verdict":
        return Verdict(reasoning="So it is.", verdict="a", option="a")
    return Argument(rationale="As I said.", claims=(Claim(text=f"{seat} measured forty hours of work"),))


def test_a_round_of_paraphrases_ends_without_progress() -> None:
    # R162, R167
    played = small(OPEN, rounds=5, decide=Plurality(), stop=(NoProgress(), MaxRounds()))
    played.vote(SPLIT, {"s0": "The nightly export blocks the import job of the shops", "s1": "Nobody tested it"})
    played.vote(SPLIT, {"s1": "Shops cannot run their import while the export runs at night"})
    assert _ended(played) == ("decided", "a", ("no_progress",), 2)


def test_new_claims_of_short_words_are_new() -> None:
    # R162, R167
    played = small(OPEN, rounds=5, decide=Plurality(), stop=(NoProgress(), MaxRounds()))
    for claim in ("The migration costs forty hours of work", "It is a bad fit", "We can do it", "We can not"):
        played.vote(SPLIT, {"s0": claim})
        assert played.state.outcome is None
    played.vote(SPLIT, {"s2": "It is: a bad fit"})
    assert _ended(played) == ("decided", "a", ("no_progress", "max_rounds_exhausted"), 5)


@pytest.mark.parametrize(
    ("earlier", "later", "is_new"),
    [
        ("It is a bad fit", "It is a good fit", True),
        ("It is a bad fit", "So it is a bad fit", False),
        ("The queue held 9,000 writes", "The queue held 12,000 writes", True),
        ("The queue held 9,000 writes", "9,000 writes were held by the queue", False),
        ("we do 40", "we do 50", True),
        ("so it is", "as it is", True),
        ("so it is", "is it so", False),
        ("it is slow", "it is not slow", True),
        ("надёжность важнее цены", "надёжность важнее, чем цена", False),
    ],
)
def test_stop_rule_and_findings_share_one_test_of_new_claims(earlier: str, later: str, is_new: bool) -> None:
    # R162, R167, R202
    played = small(OPEN, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
    played.vote(SPLIT, {"s0": earlier}).vote(SPLIT, {"s1": later})
    assert tuple(new_claims(played.state)) == (("s1.2.1",) if is_new else ())
    assert sum(look.new_claims for look in looks(played.state)) == 1 + is_new


def test_claims_about_one_subject_are_not_the_same_claim() -> None:
    # R162, R167
    earlier, later = "A second region slows every rollback", "A second region doubles the storage bill"
    new = list[int]()
    for question in ("Do we run a second region?", "What now?"):
        spec = small_spec(OPEN, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
        spec = spec.model_copy(update={"question": question})
        played = Played(spec).vote(SPLIT, {"s0": earlier}).vote(SPLIT, {"s1": later})
        new.append(len([*new_claims(played.state)]))
    # The phrase that both have is what they are about, whether or not the question names it.
    assert new == [1, 1]


def test_the_first_round_is_never_without_progress() -> None:
    # R162
    played = small(OPEN, rounds=3, decide=Plurality(), stop=(NoProgress(), MaxRounds()))
    played.vote(SPLIT)
    assert played.state.outcome is None
    played.vote(SPLIT)
    assert _ended(played) == ("decided", "a", ("no_progress",), 2)


def test_a_first_round_of_refusals_is_followed_by_another() -> None:
    played = small(OPEN, rounds=3, decide=Plurality(), stop=(NoProgress(), MaxRounds()))
    for _ in ALL:
        played.fail("refused")
    assert (played.state.outcome, played.asked()[0]) == (None, "2.open.s0.1")
    for _ in ALL:
        played.fail("refused")
    assert played.outcome().fired == ("no_progress",)


def test_rules_that_must_hold_together() -> None:
    # R144, and of R100 that rules can be joined
    both = AllOf(rules=(DecisionReached(), Stable()))
    played = small(OPEN, rounds=5, decide=Majority(), stop=(both, MaxRounds()))
    played.vote(AGREED)
    played.vote(SPLIT)
    assert played.state.outcome is None
    played.vote(SPLIT)
    assert _ended(played) == ("decided", "a", ("all_of",), 3)


def test_a_phrase_ends_the_rounds_once_a_turn_has_it() -> None:
    rules = (TextMention(phrase="task  DONE"), MaxRounds())
    played = small(OPEN, rounds=4, decide=Plurality(), stop=rules)
    played.vote(SPLIT, {"s0": "The task is done."})
    assert played.state.outcome is None
    played.vote(SPLIT, {"s1": "I say: Task\ndone, then."})
    assert _ended(played) == ("decided", "a", ("text_mention",), 2)


def test_a_phrase_counts_in_its_round_unless_struck() -> None:
    held = Played(room_spec(pre_vote="none", rounds=3))
    rules = held.state.spec.protocol.model_copy(update={"stop": (TextMention(phrase="enough"), MaxRounds())})
    held = Played(held.state.spec.model_copy(update={"protocol": rules})).go_on()
    held.say(Argument(rationale="That is enough.", vote="adopt"))
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="personal"))
    held.play()
    assert held.state.outcome is None
    held.go_on()
    held.play()
    assert held.state.outcome is None


def test_all_agree_applies_always_and_two_thirds_from_its_round() -> None:
    later = AllOf(rules=(FromRound(round=3), DecisionReached()))
    rules = {"decide": Supermajority(), "stop": (AllAgree(), later, MaxRounds())}
    played = small(OPEN, rounds=5, **rules)
    played.vote(SPLIT)
    played.vote(SPLIT)
    assert played.state.outcome is None
    played.vote(SPLIT)
    assert _ended(played) == ("decided", "a", ("all_of",), 3)
    agreed = small(OPEN, rounds=5, **rules)
    agreed.vote(AGREED)
    assert agreed.outcome().ended_by == "all_agree"


def test_a_rule_that_only_waits_cannot_end_anything() -> None:
    with pytest.raises(InvalidSpec, match="stop rule from_round ends nothing alone"):
        small(OPEN, decide=Plurality(), stop=(FromRound(round=2), MaxRounds()))
    late = small(OPEN, decide=Supermajority(), stop=(AllOf(rules=(FromRound(round=3), DecisionReached())), MaxRounds()))
    assert "it waits for round 3, and there are 2" in " ".join(warnings(late.state.spec))
    just = small_spec(OPEN, rounds=3, decide=Supermajority(), stop=late.state.spec.protocol.stop)
    assert not any("stop rule" in w for w in warnings(just))


def test_the_default_cap_holds_whatever_else_is_said() -> None:
    # R036, R136, R141
    played = small(OPEN, rounds=2, decide=Unanimity())
    played.vote(SPLIT)
    played.vote(SPLIT)
    assert _ended(played) == ("undecided", "escalate", ("max_rounds_exhausted",), 2)
    assert played.outcome().tally.as_dict() == {"a": 2, "b": 1}


def test_one_seat_that_fails_in_a_phase_of_its_own_ends_nothing() -> None:
    # R062: the others can go on without it
    alone = Phase(name="reply", gives="rebuttal", places=(2,))
    played = small(OPEN, alone, rounds=2, decide=Unanimity())
    played.vote(SPLIT)
    played.vote({})
    assert played.state.ballots["s1"].status == "failed"
    assert played.asked() == ["2.open.s0.1", "2.open.s1.1", "2.open.s2.1"]


def test_a_debate_ends_when_one_after_the_other_has_failed() -> None:
    # R036: an outage is never a verdict
    first, second = Phase(name="first", places=(1,)), Phase(name="second", places=(2,))
    played = small(first, second, n=2, rounds=3, decide=Unanimity())
    played.vote({"s0": "a"})
    played.vote({})
    played.vote({})
    outcome = played.outcome()
    assert (outcome.status, outcome.ended_by, outcome.tally.cast, outcome.rounds_run) == (
        "undecided",
        "provider_down",
        0,
        2,
    )


def test_what_is_said_after_the_rounds_makes_no_other_rule_hold() -> None:
    # law 6
    end = Phase(name="end", gives="evaluation", role="evaluator")
    played = small(OPEN, ASSESS, rounds=1, after=(end,), decide=Plurality(), stop=(NoFurtherRound(), MaxRounds()))
    assessed(played, again=True)
    played.say(Evaluation(synthesis="No more.", recommend_another_round=False))
    assert played.outcome().fired == ("max_rounds_exhausted",)


def test_closing_phases_do_not_complete_a_shortened_round() -> None:
    # law 6: or the last round would be the reason, where all agreed in the middle of it
    second, end = Phase(name="second"), Phase(name="end", gives="evaluation", role="evaluator")
    played = small(OPEN, second, rounds=1, after=(end,), decide=Plurality(), stop=(MaxRounds(), AllAgree()))
    played.vote(AGREED)
    played.say(Evaluation(synthesis="So it is."))
    assert played.outcome().fired == ("all_agree",)


def test_a_moderator_who_fails_leaves_the_floor_to_everybody() -> None:
    # R093
    played = small(LEAD, TALK, rounds=2, decide=Plurality(), stop=(ModeratorDone(), MaxRounds()))
    played.fail()
    played.fail()
    played.vote(SPLIT)
    assert [t.seat for t in played.state.turns if t.phase == "talk"] == [*ALL]
    assert played.asked() == ["2.lead.moderator.1"]


def test_a_phrase_counts_from_the_seats_that_are_named_alone() -> None:
    # R100
    stop = (TextMention(phrase="enough", by=("s1",)), MaxRounds())
    played = small(OPEN, rounds=3, decide=Plurality(), stop=stop)
    for number in (1, 2):
        assert played.state.outcome is None
        for seat in ALL:
            said = "Enough!" if seat == ("s0", "s1")[number - 1] else "More."
            played.say(Argument(rationale=said, vote=SPLIT[seat]))
    assert (_ended(played).fired, _ended(played).rounds) == (("text_mention",), 2)
    with pytest.raises(InvalidSpec, match="text_mention names seat 's9'"):
        small(OPEN, decide=Plurality(), stop=(TextMention(phrase="enough", by=("s9",)), MaxRounds()))


def test_a_turn_limit_ends_after_the_phase_that_reaches_it() -> None:
    # R100, R294
    played = small(OPEN, rounds=5, decide=Plurality(), stop=(MaxTurns(turns=4), MaxRounds()))
    for _ in range(2):
        assert played.state.outcome is None
        played.vote(SPLIT)
    assert (_ended(played).fired, _ended(played).rounds) == (("max_turns",), 2)


@pytest.mark.parametrize("rule", [NoProgress(), Converged()])
def test_the_first_round_has_no_earlier_one_to_compare_with(rule: StopRule) -> None:
    played = small(OPEN, rounds=3, decide=Unanimity(), stop=(rule, MaxRounds()))
    played.vote(SPLIT)
    assert (played.state.outcome, played.requests()[0].round) == (None, 2)
