"""Reasons why a debate cannot be played: one change of a valid debate each, its sentence, and the valid limit."""

from typing import Any

import pytest

from debate_core.errors import InvalidSpec
from debate_core.spec import rules
from debate_core.spec.checks import check
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person, Preparation, Room
from debate_core.spec.protocol import Driver, Phase, Protocol, Rounds, Sees, Spec
from debate_core.spec.rule_faults import rule_fault
from debate_core.spec.values import Seat, Source
from debate_core.spec.warnings import missing_of_a_debate, warnings

TALK = Phase(name="talk")
OWN = Protocol(name="own", each_round=(TALK,), stop=(rules.MaxRounds(),), decide=rules.Threshold(votes=2))
SEATS = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(3))
STANCES = tuple(Seat(id=f"s{n}", stance=f"side {n}", model="m") for n in range(3))
FAY = Person(id="p-fay", name="Fay", role="facilitator")
JUNE = Person(id="p-june", name="June", role="judge")
ANN = Person(id="p-ann", name="Ann", electorate="panel")
LEAD = Phase(name="lead", gives="directive", role="moderator")
GATE = Phase(name="gate", gives="directive", role="chair")
VERDICT = Phase(name="verdict", gives="verdict", role="judge")
JUDGE = Seat(id="j", role="judge", occupant="scripted")
DUEL = Phase(name="duel", gives="verdict", order="at_once", paired=True)
FRAME = Phase(name="frame", gives="framing", role="framer")
MIRROR = VERDICT.model_copy(update={"name": "again", "sees": Sees(mirrors="verdict")})


def agreed(**fields: Any) -> Spec:
    """A debate that can be played, but for these fields."""
    return Spec(**{"question": "Which?", "options": ("a", "b", "c"), "seats": SEATS, "protocol": OWN, **fields})


def ruled(*, seats: tuple[Seat, ...] = SEATS, max_rounds: int = 2, **fields: Any) -> Spec:
    """The same with these fields of its protocol."""
    return agreed(protocol=OWN.model_copy(update=fields), seats=seats, max_rounds=max_rounds)


def phased(*phases: Phase, **fields: Any) -> Spec:
    """The same with these phases in a round."""
    return ruled(each_round=phases, **fields)


def changed(phase: Phase, **fields: Any) -> Phase:
    return phase.model_copy(update=fields)


def room(*people: Person, **fields: Any) -> Spec:
    return agreed(room=Room(people=people, **fields))


def compared(**fields: Any) -> Spec:
    """A tournament with these fields of its comparisons."""
    return ruled(each_round=(changed(DUEL, **fields),), decide=rules.Tournament())


def duel(*, before: tuple[Phase, ...], preparation: tuple[Preparation, ...], max_rounds: int = 2) -> Spec:
    """A tournament with a room that prepares itself."""
    spec = ruled(before=before, each_round=(DUEL,), decide=rules.Tournament(), max_rounds=max_rounds)
    return spec.model_copy(update={"room": Room(people=(FAY,), preparation=preparation)})


REFUSED: tuple[tuple[Spec, str], ...] = (
    (agreed(question="  "), "the question is empty"),
    (agreed(options=("a",)), "a debate needs 2 to 8 options, this one has 1"),
    (agreed(options=tuple("abcdefghi")), "a debate needs 2 to 8 options, this one has 9"),
    (agreed(options=("a", "")), "option '' is empty or has blanks around it"),
    (agreed(options=("a", " b")), "option ' b' is empty or has blanks around it"),
    (agreed(options=("a", "Abstain")), "no option may be called 'abstain'"),
    (agreed(options=("a", "A")), "option 'A' is named twice"),
    (agreed(drivers=(Driver(name=" ", weight=100),)), "driver 1 has no name"),
    (agreed(drivers=(Driver(name="Cost", weight=50), Driver(name="cost ", weight=50))), "driver 'cost' is named twice"),
    (agreed(drivers=(Driver(name="Cost", weight=99),)), "the weights of the drivers sum to 99: they must sum to 100"),
    (agreed(seats=(JUDGE,)), "debater_ids must not be empty"),
    (agreed(seats=(*SEATS, Seat(id="S0"))), "seat 'S0' is named twice"),
    (agreed(sources=(Source(id="E1", title="t", text="x"),) * 2), "source 'E1' is named twice"),
    (agreed(models=(ModelLine(id="m", provider="p", dialect="chat"),) * 2), "model line 'm' is named twice"),
    (
        ruled(stances="required", seats=(*STANCES[:2], *SEATS[2:])),
        "own needs a stance for every debater, and seat 's2' has none: give it a side to defend",
    ),
    (ruled(min_debaters=4), "own needs at least 4 debaters, not 3: seat another one"),
    (agreed(max_rounds=0), "max_rounds must be at least 1, not 0"),
    (agreed(max_rounds=9), "max_rounds 9 is above the hard maximum 8 of own"),
    (phased(TALK, TALK), "phase 'talk' is named twice"),
    (phased(changed(TALK, sealed=True)), "phase 'talk' is sealed but its seats speak in turn"),
    (phased(changed(LEAD, role="debater")), "phase 'lead' gives directive: only the moderator or the chair"),
    (phased(TALK, Phase(name="sides", gives="positions", role="assigner")), "only a phase before the rounds can"),
    (phased(LEAD, changed(TALK, directed=True, places=(1,))), "is directed: only a phase of all debaters can be"),
    (phased(changed(TALK, places=(1, 2, 1, 2))), "phase 'talk' asks place 1 twice"),
    (phased(changed(TALK, min_strength=5)), "has a min_strength but gives argument: only a critique has one"),
    (phased(TALK, Phase(name="hit", gives="critique", min_strength=5), attempts=1), "attempts must be 2 or more"),
    (phased(TALK, changed(VERDICT, sees=Sees(mirrors="talk"))), "mirrors 'talk': it must name the phase right before"),
    (ruled(after=(VERDICT, changed(MIRROR, role="synthesiser"))), "mirrors 'verdict': it must name the phase"),
    (
        ruled(after=(VERDICT, changed(MIRROR, order="at_once"))),
        "mirrors 'verdict': it must name the phase right before",
    ),
    (ruled(after=(MIRROR, VERDICT)), "mirrors 'verdict': it must name the phase right before it"),
    (ruled(after=(changed(TALK, name="end", directed=True),)), "outside the rounds: a directive steers a round"),
    (ruled(before=(LEAD,)), "outside the rounds: a directive steers a round"),
    (phased(changed(TALK, directed=True)), "is directed, but no phase before it in the round gives a directive"),
    (
        phased(TALK, changed(TALK, name="more", directed=True)),
        "phase 'more' is directed, but no phase before it in the round gives a directive",
    ),
    (phased(TALK, changed(LEAD, after_redo=True)), "it must give a directive, after one of the chair's in the round"),
    (phased(GATE, changed(TALK, after_redo=True)), "it must give a directive, after one of the chair's in the round"),
    (ruled(after=(changed(VERDICT, when="last"),)), "only phases of a round can say when"),
    (ruled(stop=(rules.MaxRounds(), rules.Ceiling(calls=1), rules.Ceiling(usd="1"))), "there can be only one"),
    (
        ruled(stop=(rules.TextMention(phrase="enough", by=("s1", "s9")), rules.MaxRounds())),
        "stop rule text_mention names seat 's9': this debate has s0, s1, s2",
    ),
    (ruled(stop=(rules.DecisionReached(),)), "one of the stop rules must be max_rounds"),
    (ruled(rounds=Rounds(default=9, hard_max=8)), "the default number of rounds is above the hard maximum"),
    (ruled(stop=(rules.MaxRounds(), rules.FromRound(round=2))), "own: stop rule from_round ends nothing alone"),
    (
        ruled(stop=(rules.MaxRounds(), rules.DecisionReached()), after=(changed(TALK, name="end"),)),
        "phase 'end' asks for a ballot after the rounds, which could undo what stop rule decision_reached found",
    ),
    (phased(changed(TALK, places=(4,))), "phase 'talk' asks debater 4, but there are only 3: seat one more"),
    (phased(changed(TALK, places=(1, 2))), "seat 's2' would never be asked: with max_rounds 2 no phase is for it"),
    (
        phased(changed(TALK, sees=Sees(turns="neighbours")), seats=SEATS[:1], decide=rules.Threshold(votes=1)),
        "sees neighbours, but there is one debater: seat another one",
    ),
    (ruled(decide=rules.BySeat(role="judge"), after=(VERDICT,)), "seat exactly one who gives a synthesis or a verdict"),
    (
        ruled(decide=rules.BySeat(role="judge"), seats=(*SEATS, JUDGE)),
        "own is decided by the judge: seat exactly one who gives a synthesis or a verdict, not 1",
    ),
    (phased(changed(TALK, gives="framing", role="framer")), "own counts votes, but none of its phases asks"),
    (ruled(decide=rules.Threshold(votes=2, quorum=4)), "the quorum must be 1 to 3 (the number of debaters), not 4"),
    (ruled(decide=rules.Threshold(votes=4)), "the threshold must be 1 to 3 (the number of debaters), not 4"),
    (ruled(decide=rules.Elected(kind="weighted_criteria")), "gives points under decision drivers, and none are named"),
    (room(FAY, ANN, ANN), "person 'p-ann' is named twice"),
    (room(FAY, Person(id="p-x", name=" fAY ")), "person 'fAY' is named twice"),
    (
        agreed(room=Room(people=(FAY, ANN)), seats=(*SEATS, Seat(id="p-ann", role="judge"))),
        "p-ann is the id of a seat: a person needs another",
    ),
    (room(ANN), "there is no facilitator"),
    (room(FAY, Person(id="p-x", name="X", seats=("s9",))), "there is no seat 's9' that X could speak for"),
    (room(FAY, Person(id="p-x", name=" ")), "a person needs a name"),
    (room(FAY, Person(id="p-x", name="X", role="observer", electorate="room")), "X only observes"),
    (room(FAY, Person(id="p-x", name="X", role="judge", seats=("s0",))), "X cannot be judge and speak for s0"),
    (
        room(FAY, Person(id="p-x", name="X", seats=("s0",)), Person(id="p-y", name="Y", seats=("s0",))),
        "seat of a person 's0' is named twice",
    ),
    (room(FAY, decides="panel", final_vote="none"), "the vote of the named people decides: final_vote must be asked"),
    (room(FAY, vote=rules.Threshold(votes=9, tie=("lot", "second"))), "the vote of the room: the steps that break"),
    (
        duel(before=(), preparation=(Preparation(step="collect", minutes=5),), max_rounds=1),
        "phase 'duel' compares the options as soon as the debate is opened, so the room cannot collect them first",
    ),
    (
        # Nobody sits there who could frame the question, so that the comparisons come first after all.
        duel(before=(FRAME,), preparation=(Preparation(step="collect", minutes=5),)),
        "phase 'duel' compares the options as soon as the debate is opened, so the room cannot collect them first",
    ),
    (compared(gives="argument"), "phase 'duel' is paired: it must give a verdict, and ask all at once"),
    (compared(order="in_turn"), "phase 'duel' is paired: it must give a verdict, and ask all at once"),
    (compared(paired=False), "phase 'duel': a tournament compares options in every phase of its rounds, and no other"),
    (phased(changed(DUEL)), "phase 'duel': a tournament compares options in every phase of its rounds, and no other"),
    (
        ruled(each_round=(DUEL,), after=(changed(DUEL, name="more"),), decide=rules.Tournament()),
        "phase 'more': a tournament compares options in every phase of its rounds",
    ),
    (room(FAY, vote=rules.Elected(kind="weighted_criteria")), "the vote of the room: weighted_criteria gives points"),
)
PLAYABLE: tuple[Spec, ...] = (
    agreed(),
    agreed(options=("a", "b")),
    agreed(options=tuple("abcdefgh"), max_rounds=8),
    agreed(max_rounds=1),
    agreed(drivers=(Driver(name="cost", weight=60), Driver(name="time", weight=40))),
    # Ids are others with other capitals.
    agreed(
        sources=(Source(id="E1", title="t", text="x"), Source(id="e1", title="t", text="x")),
        models=(ModelLine(id="m", provider="p", dialect="chat"), ModelLine(id="M", provider="p", dialect="chat")),
    ),
    ruled(stop=(rules.TextMention(phrase="enough", by=("s1",)), rules.MaxRounds())),
    ruled(min_debaters=3),
    compared(),
    ruled(stances="required", seats=(*STANCES, JUDGE), after=(VERDICT,)),
    ruled(stances="asked"),
    phased(changed(TALK, sealed=True, order="at_once")),
    phased(TALK, Phase(name="hit", gives="critique", min_strength=5)),
    phased(LEAD, changed(TALK, directed=True), seats=(*SEATS, Seat(id="m", role="moderator"))),
    phased(GATE, changed(LEAD, after_redo=True), TALK),
    phased(changed(TALK, places=(1, 2)), changed(TALK, name="third", places=(3,))),
    ruled(after=(VERDICT, MIRROR), seats=(*SEATS, JUDGE)),
    ruled(rounds=Rounds(default=8, hard_max=8)),
    ruled(decide=rules.BySeat(role="judge"), after=(VERDICT,), seats=(*SEATS, JUDGE)),
    ruled(decide=rules.Threshold(votes=2, quorum=3)),
    ruled(decide=rules.Threshold(votes=3)),
    room(FAY, JUNE, ANN),
    room(FAY, vote=rules.Threshold(votes=9)),
    # Who votes in the room comes later.
    room(FAY, vote=rules.Unanimity(all_but=1)),
    duel(before=(), preparation=(Preparation(step="brief", minutes=5),)),
    duel(before=(changed(TALK, name="frame"),), preparation=(Preparation(step="collect", minutes=5),)),
    room(FAY, Person(id="p-x", name="X", role="debater", seats=("s0", "s1"))),
    room(FAY, decides="panel"),
)


@pytest.mark.parametrize(("spec", "why"), REFUSED)
def test_what_cannot_be_played_is_refused_in_one_sentence(spec: Spec, why: str):
    # R032, R047, R048, R118
    with pytest.raises(InvalidSpec) as told:
        check(spec)
    assert why in str(told.value)


@pytest.mark.parametrize("spec", PLAYABLE)
def test_what_can_just_be_played_is_not_refused(spec: Spec):
    check(spec)


@pytest.mark.parametrize(
    ("rule", "weights", "why"),
    [
        (rules.Supermajority(numerator=1, denominator=2), (1, 1, 1), "more than one half and at most all, not 1/2"),
        (rules.Supermajority(numerator=4, denominator=3), (1, 1, 1), "more than one half and at most all, not 4/3"),
        (rules.Supermajority(numerator=3, denominator=3), (1, 1, 1), ""),
        (rules.Supermajority(numerator=51, denominator=100), (1, 1, 1), ""),
        (rules.Threshold(votes=6), (2, 3), "the threshold must be 1 to 5 (what the ballots weigh together), not 6"),
        (rules.Threshold(votes=2), (1,) * 4, "with 4 debaters a threshold of 2 could elect two options: take 3 to 4"),
        (rules.Threshold(votes=2), (2, 3), "with ballots that weigh 5 together a threshold of 2 could elect two"),
        (rules.Threshold(votes=2, allows_two_winners=True), (1,) * 4, ""),
        (rules.Threshold(votes=3), (1,) * 5, ""),
        (rules.Unanimity(all_but=2), (1,) * 4, "all but 2 of 4 is half or less: take at most 1"),
        (rules.Unanimity(all_but=3), (1,) * 5, "all but 3 of 5 is half or less: take at most 2"),
        (rules.Unanimity(all_but=1), (1,) * 4, ""),
        (rules.Unanimity(), (), ""),
        (rules.Plurality(base="cast"), (1,), "plurality takes no share"),
        (rules.Majority(base="cast"), (1,), ""),
        (rules.Supermajority(base="cast"), (1,), ""),
        (rules.Unanimity(base="cast"), (1,), ""),
        (
            rules.Elected(kind="borda", floor_percent=50),
            (1,),
            "belongs to approval and to weighted_criteria, not to borda",
        ),
        (rules.Elected(kind="approval", floor_percent=50), (1,), ""),
        (rules.Plurality(tie=("lot", "second")), (1,), "nothing comes after lot: lot, second"),
        (rules.Plurality(tie=("approver", "lot")), (1,), "nothing comes after approver: approver, lot"),
        (rules.Plurality(tie=("second", "second")), (1,), "are each tried once, and nothing comes after second"),
        (rules.Plurality(tie=("pairwise", "second", "lot")), (1,), ""),
    ],
)
def test_a_rule_that_these_voters_cannot_decide_by(rule: rules.CountedRule, weights: tuple[int, ...], why: str):
    fault = rule_fault(rule, weights)
    assert (fault or "").find(why) >= 0
    assert (fault is None) == (not why)


TWINS = (STANCES[0], Seat(id="t", stance=" SIDE 0", model="m"))
SAME = "two seats have the same stance and persona: their agreement would be no evidence"
ONE_SIDE = "all debaters defend the same side: that is no debate"
TWO_WIN = rules.Threshold(votes=1, allows_two_winners=True)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (agreed(seats=STANCES), ()),
        (agreed(max_rounds=4), ()),
        (agreed(max_rounds=5), ("5 rounds are more than 4: later rounds rarely add arguments",)),
        (agreed(seats=TWINS), (SAME, ONE_SIDE)),
        (agreed(seats=tuple(seat.model_copy(update={"occupant": "scripted"}) for seat in TWINS)), (ONE_SIDE,)),
        (agreed(seats=(*TWINS, STANCES[1])), (SAME,)),
        (
            ruled(decide=TWO_WIN, seats=STANCES[:2]),
            ("with 2 debaters two options can reach 1 votes: that is a tie, not a decision",),
        ),
        (ruled(decide=rules.Threshold(votes=1), seats=STANCES[:1]), ("one debater alone is no debate",)),
        (agreed(seats=STANCES, sources=(Source(id="E1", title="t", text="x", from_round=2),)), ()),
        (
            agreed(seats=STANCES, sources=(Source(id="E1", title="t", text="x", from_round=3),)),
            ("no seat will see the source E1: its round comes after the last one",),
        ),
        (
            ruled(seats=STANCES, max_rounds=1, stop=(rules.MaxRounds(), rules.Stable())),
            ("stop rule stable can never hold: it looks at two rounds, and there is only one",),
        ),
        (ruled(seats=STANCES, stop=(rules.MaxRounds(), rules.Stable(), rules.AllAgree(), rules.DecisionReached())), ()),
        (
            ruled(
                seats=(*STANCES, JUDGE),
                after=(VERDICT,),
                decide=rules.BySeat(role="judge"),
                stop=(rules.MaxRounds(), rules.DecisionReached()),
            ),
            ("stop rule decision_reached can never hold: no seat gives what it needs in the rounds (decision)",),
        ),
        (
            ruled(
                seats=(*STANCES, JUDGE),
                each_round=(TALK, VERDICT),
                decide=rules.BySeat(role="judge"),
                stop=(rules.MaxRounds(), rules.DecisionReached()),
            ),
            (),
        ),
    ],
)
def test_what_should_be_thought_over_before_the_start(spec: Spec, told: tuple[str, ...]):
    # R113
    assert warnings(spec) == told


ALONE, AGAIN = "several separate positions", "more than one exchange"
DEAF = "reading one another"
ONCE = changed(TALK, order="at_once")


@pytest.mark.parametrize(
    ("spec", "lacks"),
    [
        (agreed(), ()),
        (agreed(seats=SEATS[:1], protocol=OWN), (ALONE, DEAF)),
        (agreed(max_rounds=1), (AGAIN,)),
        (phased(TALK, seats=SEATS[:2], max_rounds=1), (AGAIN,)),
        (phased(changed(TALK, sees=Sees(turns="own"))), (DEAF,)),
        (phased(ONCE), ()),
        (phased(ONCE, max_rounds=1), (AGAIN, DEAF)),
        (phased(ONCE, changed(ONCE, name="more"), max_rounds=1), ()),
        (phased(ONCE, changed(ONCE, name="more", sees=Sees(turns="earlier_rounds")), max_rounds=1), (DEAF,)),
        (phased(changed(ONCE, sees=Sees(turns="last_round"))), ()),
        (phased(changed(TALK, sees=Sees(turns="last_round")), max_rounds=1), (AGAIN, DEAF)),
        (phased(changed(TALK, places=(1,)), changed(TALK, name="more", places=(1,)), seats=SEATS[:2]), (ALONE, DEAF)),
        (phased(changed(TALK, places=(1,)), changed(TALK, name="more", places=(2,)), seats=SEATS[:2]), ()),
    ],
)
def test_what_is_no_debate_lacks_this(spec: Spec, lacks: tuple[str, ...]):
    # R065, R130
    assert missing_of_a_debate(spec) == lacks
