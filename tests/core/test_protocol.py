"""Invalid protocols are refused before the start, in one sentence that names the phase or the rule."""

from typing import Any

import pytest

from debate_core.errors import InvalidSpec
from debate_core.spec.checks import check
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.protocol import Phase, Protocol, Sees
from debate_core.spec.protocol_changes import (
    SOFT_STOPS,
    soft_stops_of,
    with_least_strength,
    with_soft_stops,
    with_votes_told,
)
from debate_core.spec.protocol_files import protocol_from_toml
from debate_core.spec.rule_faults import rule_fault
from debate_core.spec.rules import (
    AllAgree,
    AllOf,
    BySeat,
    Ceiling,
    CountedRule,
    DecisionReached,
    DecisionRule,
    Majority,
    MaxRounds,
    ModeratorDone,
    NoFurtherRound,
    NoProgress,
    Plurality,
    Stable,
    Supermajority,
    Threshold,
    TopSettled,
    Tournament,
    Unanimity,
    on_one_ballot,
    quorum_of,
    votes_needed,
)
from debate_core.spec.values import Occupant, Seat
from debate_core.spec.warnings import warnings
from tests.by_hand import ASSESS, JUDGE, LEAD, OPEN, TALK, preset_spec, small_spec

BAD = [
    ({"question": "  "}, "question is empty"),
    ({"options": ["a"]}, "2 to 8 options"),
    ({"options": ["a", "A"]}, "named twice"),
    ({"options": ["a", "abstain"]}, "abstain"),
    ({"seats": []}, "must not be empty"),
    ({"seats": [Seat(id="x"), Seat(id="x")]}, "named twice"),
    ({"max_rounds": 0}, "max_rounds must be at least 1"),
    ({"max_rounds": 9}, "hard maximum 8"),
    ({"threshold": 0}, "threshold must be 1"),
    ({"threshold": 4}, "threshold must be 1 to 3"),
]


@pytest.mark.parametrize(("change", "why"), BAD)
def test_what_cannot_be_played_is_refused_in_one_sentence(change, why) -> None:
    # R047, R048, R118
    fields = {"question": "Q?", "options": ["a", "b"], "seats": [Seat(id=f"s{i}") for i in range(3)], **change}
    question, options, seats = fields.pop("question"), fields.pop("options"), fields.pop("seats")
    with pytest.raises(InvalidSpec, match=why):
        compose(question, options, BOUNDED_VOTE, seats, **fields)


def test_a_threshold_that_two_options_can_pass_is_reported() -> None:
    own = Protocol(name="own", each_round=(Phase(name="one"),), decide=Threshold(votes=2))
    seats = [Seat(id=f"s{i}") for i in range(4)]
    with pytest.raises(InvalidSpec, match="could elect two options: take 3 to 4"):
        compose("Q?", ["a", "b"], own, seats)
    assert any("tie" in w for w in warnings(compose("Q?", ["a", "b"], BOUNDED_VOTE, seats)))


def test_more_rounds_than_sensible_warn() -> None:
    # R113, R136
    assert any("5 rounds" in w for w in warnings(preset_spec(3, max_rounds=5)))
    assert not any("rounds" in w for w in warnings(preset_spec(3, max_rounds=4)))


@pytest.mark.parametrize(
    ("stances", "occupants", "warned"),
    [
        (("for", " FOR", "against"), ("model", "human", "human"), True),
        (("for", "for", "against"), ("human", "human", "human"), False),
        (("for", "against", ""), ("model", "model", "model"), False),
    ],
)
def test_two_seats_with_the_same_persona_cause_a_warning(stances, occupants, warned) -> None:
    spoken = zip("xyz", stances, occupants, strict=True)
    seats = [Seat(id=i, stance=stance, occupant=occupant) for i, stance, occupant in spoken]
    spec = compose("Q?", ["a", "b"], BOUNDED_VOTE, seats)
    assert any("same stance and persona" in w for w in warnings(spec)) is warned


WEAK = Phase(name="attack", gives="critique", min_strength=6)
BAD_RULES: list[tuple[tuple[Phase, ...], dict[str, Any], str]] = [
    ((TALK,), {}, "phase 'talk' is directed, but no phase before it in the round gives a directive"),
    ((TALK, LEAD), {}, "phase 'talk' is directed, but no phase before it"),
    ((OPEN,), {"after": (LEAD,)}, "phase 'lead' is directed or gives a directive outside the rounds"),
    ((LEAD, OPEN), {"before": (TALK,)}, "phase 'talk' is directed or gives a directive outside the rounds"),
    ((OPEN, LEAD.model_copy(update={"role": "judge"})), {}, "'lead' gives directive: only the moderator or the chair"),
    ((LEAD, TALK.model_copy(update={"places": (1,)})), {}, "'talk' is directed: only a phase of all debaters can be"),
    ((OPEN,), {"stop": (ModeratorDone(), MaxRounds())}, "moderator_done needs a phase of the rounds that gives a dir"),
    ((OPEN,), {"stop": (NoFurtherRound(), MaxRounds())}, "no_further_round needs a phase of the rounds that gives an"),
    (
        (OPEN,),
        {"stop": (NoFurtherRound(), MaxRounds()), "after": (ASSESS,)},
        "no_further_round needs a phase of the rounds",
    ),
    (
        (OPEN,),
        {"stop": (AllOf(rules=(Stable(), ModeratorDone())), MaxRounds())},
        "stop rule moderator_done needs a phase",
    ),
    (
        (OPEN,),
        {"stop": (AllOf(rules=(Stable(), MaxRounds())), MaxRounds())},
        "all_of contains max_rounds: this rule must work alone",
    ),
    (
        (OPEN,),
        {"stop": (AllOf(rules=(Stable(), Ceiling(calls=3))), MaxRounds())},
        "all_of contains ceiling: this rule must work alone",
    ),
    ((OPEN,), {"stop": (AllAgree(),)}, "one of the stop rules must be max_rounds"),
    ((OPEN,), {"decide": Plurality()}, "stop rule decision_reached would end a plurality at its first ballot"),
    ((Phase(name="talk", places=(4,)),), {}, "phase 'talk' asks debater 4, but there are only 3: seat one more"),
    ((Phase(name="talk", places=(1, 1)),), {}, "phase 'talk' asks place 1 twice: a seat has one turn in a phase"),
    ((Phase(name="talk", min_strength=6),), {}, "phase 'talk' has a min_strength but gives argument: only a critique"),
    ((WEAK,), {"attempts": 1}, "phase 'attack' has a min_strength: to ask once more, attempts must be 2 or more"),
    (
        (Phase(name="talk", sees=Sees(turns="neighbours")),),
        {"n": 1},
        "phase 'talk' sees neighbours, but there is one debater: seat another one",
    ),
    ((OPEN,), {"decide": BySeat(role="judge"), "stop": (MaxRounds(),)}, "is decided by the judge: seat exactly one"),
    (
        (OPEN,),
        {"decide": BySeat(role="judge"), "after": (JUDGE,), "absent": "judge"},
        "is decided by the judge: seat exactly one who gives a synthesis or a verdict, not 0",
    ),
    ((JUDGE,), {"decide": BySeat(role="judge"), "n": 0}, "seat at least one debater"),
    ((OPEN,), {"decide": Supermajority(numerator=1, denominator=2)}, "more than one half and at most all, not 1/2"),
    ((OPEN,), {"decide": Supermajority(numerator=4, denominator=3)}, "more than one half and at most all, not 4/3"),
    ((OPEN,), {"decide": Unanimity(quorum=4)}, r"the quorum must be 1 to 3 \(the number of debaters\), not 4"),
    ((ASSESS,), {}, "own counts votes, but none of its phases asks the debaters for one"),
    (
        (Phase(name="talk", when="middle"),),
        {"rounds": 2},
        "seat 's0' would never be asked: with max_rounds 2 no phase is for it",
    ),
    ((Phase(name="talk", places=(1, 2)),), {}, "seat 's2' would never be asked: with max_rounds 2 no phase is for it"),
    (
        (OPEN,),
        {"after": (Phase(name="vote"),)},
        "phase 'vote' asks for a ballot after the rounds, which could undo what stop rule decision_reached found",
    ),
]


@pytest.mark.parametrize(("phases", "rules", "why"), BAD_RULES)
def test_rules_without_anything_to_go_by_are_refused(
    phases: tuple[Phase, ...], rules: dict[str, Any], why: str
) -> None:
    # R118, R236
    with pytest.raises(InvalidSpec, match=why) as error:
        check(small_spec(*phases, **{"decide": Unanimity(), **rules}))
    assert "\n" not in str(error.value)


NEVER: list[tuple[tuple[Phase, ...], dict[str, Any], list[str]]] = [
    ((OPEN,), {"stop": (Stable(), MaxRounds()), "rounds": 1}, ["stable"]),
    ((OPEN,), {"stop": (NoProgress(), MaxRounds()), "rounds": 1}, ["no_progress"]),
    ((OPEN,), {"stop": (TopSettled(), MaxRounds())}, ["top_settled"]),
    ((LEAD, TALK), {"stop": (ModeratorDone(), MaxRounds()), "absent": "moderator"}, ["moderator_done"]),
    ((OPEN, ASSESS), {"stop": (NoFurtherRound(), MaxRounds()), "absent": "evaluator"}, ["no_further_round"]),
    ((OPEN,), {"after": (JUDGE,), "decide": BySeat(role="judge")}, ["decision_reached"]),
    ((OPEN, JUDGE), {"decide": BySeat(role="judge")}, []),
    ((OPEN, JUDGE), {"decide": BySeat(role="judge"), "stop": (AllAgree(), MaxRounds())}, ["all_agree"]),
    ((OPEN,), {"stop": (AllOf(rules=(AllAgree(), Stable())), MaxRounds()), "rounds": 1}, ["stable"]),
    ((LEAD, TALK), {"stop": (ModeratorDone(), DecisionReached(), AllAgree(), Stable(), MaxRounds())}, []),
    ((OPEN,), {"decide": Majority()}, []),
]


@pytest.mark.parametrize(("phases", "rules", "never"), NEVER)
def test_stop_rules_that_can_never_hold_are_warned_of(
    phases: tuple[Phase, ...], rules: dict[str, Any], never: list[str]
) -> None:
    spec = small_spec(*phases, **{"decide": Unanimity(), **rules})
    check(spec)
    found = [w for w in warnings(spec) if w.startswith("stop rule")]
    assert [w.split()[2] for w in found] == never
    assert all("can never hold" in w for w in found)


@pytest.mark.parametrize(
    ("names", "left"),
    [
        ((), ["decision_reached", "max_rounds"]),
        (("no_progress",), ["no_progress", "decision_reached", "max_rounds"]),
        (("stable", "all_agree"), ["decision_reached", "max_rounds", "all_agree", "stable"]),
        (("nothing_moves", "no_progress"), ["no_progress", "decision_reached", "max_rounds", "all_of"]),
        (
            tuple(SOFT_STOPS),
            ["no_progress", "decision_reached", "max_rounds", "all_of", "converged", "all_agree", "stable"],
        ),
    ],
)
def test_chosen_soft_stops_replace_earlier_ones_only(names, left) -> None:
    own = Protocol(
        name="own", each_round=(OPEN,), decide=Majority(), stop=(NoProgress(), DecisionReached(), MaxRounds())
    )
    changed = with_soft_stops(own, names)
    assert [rule.kind for rule in changed.stop] == left
    assert changed.model_copy(update={"stop": own.stop}) == own


def test_soft_stops_that_look_at_ballots_need_ballots() -> None:
    counted = Protocol(name="own", each_round=(OPEN,), decide=Majority())
    ruled = Protocol(name="own", each_round=(OPEN,), after=(JUDGE,), decide=BySeat(role="judge"))
    assert soft_stops_of(counted) == ("no_progress", "nothing_moves", "all_agree", "stable")
    assert soft_stops_of(ruled) == ("no_progress", "converged")


def test_what_compares_pairs_ends_by_its_comparisons_alone() -> None:
    duel = Phase(name="duel", gives="verdict", order="at_once", paired=True)
    assert soft_stops_of(Protocol(name="own", each_round=(duel,), decide=Tournament())) == ()


def test_votes_are_told_to_the_models_that_vote_or_to_none() -> None:
    own = Protocol(name="own", before=(OPEN,), each_round=(TALK, ASSESS), after=(JUDGE,), decide=Majority())
    assert own.votes_told == "hidden"
    shown = with_votes_told(own, "shown")
    assert shown.votes_told == "shown"
    assert [phase.sees.votes for phase in shown.phases()] == ["shown", "shown", None, None]
    assert with_votes_told(shown, "hidden") == own
    assert own.model_copy(update={"each_round": shown.each_round}).votes_told == "shown"


def test_critique_strength_is_offered_where_it_applies() -> None:
    plain = Phase(name="plain", gives="critique")
    strict = Phase(name="strict", gives="critique", min_strength=6)
    assert Protocol(name="own", each_round=(OPEN, plain), decide=Majority()).least_strength is None
    own = Protocol(name="own", before=(plain,), each_round=(OPEN, strict), after=(strict,), decide=Majority())
    assert own.least_strength == 6
    changed = with_least_strength(own, 8)
    assert [phase.min_strength for phase in changed.phases()] == [None, None, 8, 8]
    assert [phase.name for phase in changed.phases()] == [phase.name for phase in own.phases()]


@pytest.mark.parametrize(
    ("phases", "told"),
    [
        ('[[each_round]]\nname = "one"\ngives = "song"\n', "phase 'one' of each_round: gives"),
        ('[[each_round]]\nname = "one"\n[[each_round]]\ngives = "song"\n', "phase 2 of each_round: "),
        ('[[each_round]]\ngives = "song"\n', "phase 1 of each_round: "),
    ],
)
def test_an_unreadable_phase_is_named_or_numbered(phases: str, told: str) -> None:
    with pytest.raises(InvalidSpec) as refused:
        protocol_from_toml(f'name = "own"\n{phases}', where="own.toml")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("occupants", "has_room", "alone"),
    [
        (("human",), False, True),
        (("human", "human"), False, False),
        (("scripted",), False, False),
        (("human",), True, False),
    ],
)
def test_one_person_at_the_screen_decides_alone(occupants: tuple[Occupant, ...], has_room: bool, alone: bool) -> None:
    seats = [Seat(id=f"s{n}", occupant=occupant) for n, occupant in enumerate(occupants)]
    judge = Seat(id="j", role="judge", occupant="human")
    room = Room(people=(Person(id="p-fay", name="Fay", role="facilitator"),)) if has_room else None
    spec = compose("Q?", ["a", "b"], Protocol(name="own", each_round=(OPEN,), decide=Majority()), seats)
    assert spec.model_copy(update={"room": room, "seats": (*seats, judge)}).is_decided_alone() is alone


def test_in_a_poll_a_majority_holds_at_once() -> None:
    assert on_one_ballot(Majority(ballots_in_a_row=3, quorum=2)) == Majority(quorum=2)
    assert on_one_ballot(Plurality(quorum=2)) == Plurality(quorum=2)


@pytest.mark.parametrize(
    ("rule", "eligible", "cast", "needed"),
    [
        (Threshold(votes=3), 9, None, 3),
        (Majority(), 4, None, 3),
        (Majority(), 5, None, 3),
        (Majority(base="cast"), 9, 4, 3),
        (Majority(base="cast"), 9, None, None),
        (Supermajority(), 7, None, 5),
        (Supermajority(), 6, None, 4),
        (Supermajority(base="cast"), 9, 3, 2),
        (Supermajority(base="cast"), 9, None, None),
        (Unanimity(), 4, None, 4),
        (Unanimity(all_but=1), 4, None, 3),
        (Unanimity(all_but=2), 4, None, 3),
        (Unanimity(base="cast"), 9, 3, 3),
        (Unanimity(base="cast"), 9, None, None),
        (Plurality(), 9, 9, None),
        (BySeat(), 9, 9, None),
    ],
)
def test_how_many_votes_a_rule_asks_for(
    rule: DecisionRule, eligible: int, cast: int | None, needed: int | None
) -> None:
    assert votes_needed(rule, eligible, cast) == needed


@pytest.mark.parametrize(("quorum", "eligible", "asked"), [(None, 4, 3), (None, 5, 3), (None, 1, 1), (2, 9, 2)])
def test_a_quorum_is_more_than_half_unless_the_rule_names_one(quorum: int | None, eligible: int, asked: int) -> None:
    assert quorum_of(Plurality(quorum=quorum), eligible) == asked


@pytest.mark.parametrize(
    ("rule", "weights", "fault"),
    [
        (Threshold(votes=1, allows_two_winners=True), (1, 1, 1), None),
        (Threshold(votes=3), (1, 1, 1), None),
        (Threshold(votes=4), (1, 1, 1), "1 to 3 (the number of debaters), not 4"),
        (Threshold(votes=6), (2, 3), "1 to 5 (what the ballots weigh together), not 6"),
        (Threshold(votes=2), (1, 1, 1, 1), "with 4 debaters a threshold of 2 could elect two options: take 3 to 4"),
        (Threshold(votes=2), (2, 3), "with ballots that weigh 5 together a threshold of 2 could elect two"),
        (Threshold(votes=3), (2, 3), None),
        (Supermajority(numerator=1, denominator=2), (1, 1), "more than one half and at most all, not 1/2"),
        (Supermajority(numerator=3, denominator=2), (1, 1), "more than one half and at most all, not 3/2"),
        (Supermajority(numerator=2, denominator=2), (1, 1), None),
        (Unanimity(all_but=1), (1, 1, 1), None),
        (Unanimity(all_but=1), (1, 1), "all but 1 of 2 is half or less: take at most 0"),
        (Unanimity(all_but=2), (1, 1, 1, 1, 1), None),
        (Unanimity(all_but=3), (1, 1, 1, 1, 1), "all but 3 of 5 is half or less: take at most 2"),
        (Unanimity(), (1,), None),
        (Majority(base="cast"), (1, 1), None),
    ],
)
def test_a_rule_must_be_satisfiable_and_by_one_option_alone(
    rule: CountedRule, weights: tuple[int, ...], fault: str | None
) -> None:
    found = rule_fault(rule, weights)
    assert found == fault or (fault is not None and found is not None and fault in found)
