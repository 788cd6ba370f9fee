"""Ballots of every kind under every rule: what is no ballot, shares and weights, quorum, ties and their ladder."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.count.ballots import BallotCounted, ballot_words, fault_in_ballot, profile_of, tops
from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.elections import CONCERN, CONSENT, OBJECTION
from debate_core.engine.count.methods import METHODS, elect
from debate_core.engine.count.profile import Profile, Vote
from debate_core.report.facts.counts import debaters_count, final_points, rules_to_try, unweighted_points
from debate_core.spec.rules import (
    CountedRule,
    Elected,
    ElectedKind,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
    ballot_kind,
)
from debate_core.spec.values import BallotKind, Given, TieStep
from tests.by_hand import OPEN, small_spec
from tests.counts import condorcet_winner, count
from tests.playing import Played

OPTIONS = ("adopt", "defer", "reject")
KINDS: tuple[ElectedKind, ...] = get_args(ElectedKind)
RULES: tuple[CountedRule, ...] = (
    Plurality(),
    Majority(),
    Majority(base="cast"),
    Supermajority(),
    Supermajority(base="cast"),
    Unanimity(),
    Threshold(votes=2, allows_two_winners=True),
    *(Elected(kind=kind) for kind in KINDS),
)
CONDORCET: tuple[ElectedKind, ...] = ("copeland", "minimax", "schulze", "ranked_pairs")


def gives(**points: int) -> tuple[Given, ...]:
    return tuple(Given(option=o, points=p, reason="why" if p == 2 else "") for o, p in points.items())


def ranks(voter: str, order: str, weight: int = 1) -> BallotCounted:
    """`adopt>defer=reject` as a ballot."""
    tiers = [tier.split("=") for tier in order.split(">")]
    return BallotCounted(
        voter, given=tuple(Given(option=o, points=i) for i, t in enumerate(tiers, 1) for o in t), weight=weight
    )


def counted(rule: CountedRule, cast: Sequence[BallotCounted], eligible: int | None = None, seed: int = 0) -> Result:
    weights = [b.weight for b in cast] + [1] * ((eligible or len(cast)) - len(cast))
    return count(rule, OPTIONS, cast, eligible=weights, seed=seed)


FAULTS: list[tuple[BallotKind, str | None, tuple[Given, ...], str]] = [
    ("one", "maybe", (), "the vote 'maybe' is none of the options: adopt, defer, reject"),
    ("one", None, (), "the ballot is empty: name an option"),
    ("one", None, gives(adopt=1), "this ballot has one choice: adopt, defer, reject or abstain"),
    ("ranking", "adopt", (), "this ballot is no single choice: give options their places, 1 = best, or say abstain"),
    ("approval", None, (), "the ballot is empty: name every option you approve, or say abstain"),
    ("approval", None, gives(adopt=2), "the ballot gives adopt 2: approval takes 1"),
    ("approval", "abstain", gives(adopt=1), "the ballot abstains and names options: do one or the other"),
    ("ranking", None, gives(later=1), "the vote 'later' is none of the options: adopt, defer, reject"),
    ("ranking", None, gives(adopt=0), "the ballot gives adopt 0: ranking takes 1 to 1000"),
    (
        "ranking",
        None,
        (*gives(adopt=1), *gives(adopt=2)),
        "the ballot names 'adopt' twice: name each option at most once",
    ),
    ("score", None, gives(adopt=6), "the ballot gives adopt 6: score takes 0 to 5"),
    ("dots", None, gives(adopt=3, defer=3), "the ballot spends 6 dots: it has 1 to 5 to spend"),
    ("dots", None, gives(adopt=0), "the ballot spends 0 dots: it has 1 to 5 to spend"),
    ("consent", None, gives(adopt=3), "the ballot gives adopt 3: consent takes 0 to 2"),
    (
        *("consent", None, (Given(option="adopt", points=2, reason=" "),)),
        "the objection to adopt has no reason: state it, and what would resolve it",
    ),
]


@pytest.mark.parametrize(("kind", "choice", "given", "why"), FAULTS)
def test_what_is_no_ballot_is_refused_in_one_sentence(kind, choice, given, why):
    assert fault_in_ballot(kind, OPTIONS, choice, given) == why


def test_places_may_be_level_missing_and_far_apart():
    assert fault_in_ballot("ranking", OPTIONS, None, gives(adopt=7, defer=7)) is None
    assert fault_in_ballot("score", OPTIONS, None, gives(adopt=0)) is None
    assert fault_in_ballot("dots", OPTIONS, None, gives(adopt=9), dots=9) is None
    assert fault_in_ballot("consent", OPTIONS, None, gives(adopt=0, defer=1, reject=2)) is None
    assert all(fault_in_ballot(kind, OPTIONS, "abstain", ()) is None for kind in get_args(BallotKind))


def test_ballots_read_as_they_are_meant():
    assert ballot_words("ranking", gives(reject=9, adopt=2, defer=9)) == "adopt > reject = defer"
    assert ballot_words("score", gives(reject=1, adopt=5)) == "adopt 5, reject 1"
    assert ballot_words("approval", gives(reject=1, adopt=1)) == "reject, adopt"
    assert ballot_words("consent", gives(adopt=0, defer=1, reject=2)) == (
        "consent to adopt; concern about defer; objection to reject: why"
    )
    assert tops("ranking", BallotCounted("a", given=gives(reject=9, adopt=2, defer=2))) == ("adopt", "defer")
    assert tops("score", BallotCounted("a", given=gives(reject=0))) == ()
    assert tops("one", BallotCounted("a", "abstain")) == ()


TENNESSEE = [
    *(ranks(f"m{i}", "Memphis>Nashville>Chattanooga>Knoxville") for i in range(42)),
    *(ranks(f"n{i}", "Nashville>Chattanooga>Knoxville>Memphis") for i in range(26)),
    *(ranks(f"c{i}", "Chattanooga>Knoxville>Nashville>Memphis") for i in range(15)),
    *(ranks(f"k{i}", "Knoxville>Chattanooga>Nashville>Memphis") for i in range(17)),
]


def test_the_same_ballots_elect_three_capitals():
    cities = ("Memphis", "Nashville", "Chattanooga", "Knoxville")
    rules: list[CountedRule] = [Plurality(), *(Elected(kind=k) for k in ("irv", "borda", *CONDORCET))]
    elected: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        elected[rule.kind] = count(rule, cities, TENNESSEE, eligible=[1] * 100, kind="ranking").winners
    nashville: dict[str, tuple[str, ...]] = dict.fromkeys((*CONDORCET, "borda"), ("Nashville",))
    assert elected == {"plurality": ("Memphis",), "irv": ("Knoxville",), **nashville}


def test_a_share_is_of_all_who_may_vote_or_of_the_ballots_cast():
    cast = [
        BallotCounted("a", "adopt"),
        BallotCounted("b", "adopt"),
        BallotCounted("c", "defer"),
        BallotCounted("d", "abstain"),
    ]
    assert counted(Majority(), cast, eligible=5).winners == ()
    of_cast = counted(Majority(base="cast"), cast, eligible=5)
    assert (of_cast.winners, of_cast.needed) == (("adopt",), Fraction(2))
    assert (of_cast.cast, of_cast.eligible) == (3, 5)
    assert counted(Supermajority(base="cast"), cast).winners == ("adopt",)
    assert counted(Unanimity(base="cast"), cast[:2], eligible=3).winners == ("adopt",)
    assert counted(Unanimity(base="cast"), (), eligible=5).winners == ()


def test_weights_count_and_the_quorum_is_of_heads():
    cast = [BallotCounted("a", "adopt", weight=3), BallotCounted("b", "defer"), BallotCounted("c", "defer")]
    weighted = counted(Plurality(quorum=3), cast)
    assert (weighted.winners, weighted.cast, weighted.cast_weight) == (("adopt",), 3, 5)
    assert weighted.points == {"adopt": 3, "defer": 2, "reject": 0}
    heads = [BallotCounted(b.voter, b.choice) for b in cast]
    assert counted(Plurality(quorum=3), heads).winners == ("defer",)
    missed = counted(Plurality(quorum=4), cast)
    assert (missed.winners, missed.quorum_met) == ((), False)


def test_approval_may_need_a_share_of_the_ballots():
    cast = [
        BallotCounted("a", given=gives(adopt=1, defer=1)),
        BallotCounted("b", given=gives(adopt=1)),
        BallotCounted("c", given=gives(reject=1)),
    ]
    assert counted(Elected(kind="approval", floor_percent=66), cast).winners == ("adopt",)
    high = counted(Elected(kind="approval", floor_percent=67), cast)
    assert (high.winners, high.needed) == ((), Fraction(3))


def test_nobody_is_elected_over_an_objection():
    cast = [
        BallotCounted("a", given=gives(adopt=0, defer=0, reject=1)),
        BallotCounted("b", given=gives(adopt=2, defer=1)),
        BallotCounted("c", given=gives(adopt=0)),
    ]
    assert counted(Elected(kind="consent"), cast).winners == ("defer",)
    assert counted(Elected(kind="consent"), [BallotCounted("a", given=gives(adopt=1))]).winners == ()
    two = [BallotCounted("a", given=gives(adopt=0, defer=0)), BallotCounted("b", given=gives(adopt=1, defer=1))]
    assert counted(Elected(kind="consent"), two).winners == ("adopt", "defer")


def test_the_ladder_breaks_a_tie_by_the_ballots_first():
    cast = [ranks("a", "adopt>defer"), ranks("b", "defer>adopt"), ranks("c", "reject>adopt>defer")]
    made = count(Plurality(tie=("second", "pairwise")), OPTIONS, cast, eligible=[1, 1, 1], seed=3, kind="ranking")
    assert made.ties == OPTIONS
    assert made.winners == ("adopt",)
    assert made.steps == (TieStep(step="second", left=("adopt",), why="most first and second places"),)
    pairs = count(Plurality(tie=("pairwise",)), OPTIONS, cast, eligible=[1, 1, 1], kind="ranking")
    assert pairs.winners == ("adopt",)


def test_the_ladder_stops_at_the_approver_and_says_what_it_tried():
    cast = [BallotCounted("a", "adopt"), BallotCounted("b", "defer")]
    made = counted(Plurality(tie=("pairwise", "second", "approver")), cast)
    assert (made.winners, made.before_ladder()) == (("adopt", "defer"), ("adopt", "defer"))
    assert [(s.step, s.left, s.why) for s in made.steps] == [
        ("pairwise", ("adopt", "defer"), "these ballots do not compare options pair by pair"),
        ("second", ("adopt", "defer"), "these ballots have no second preferences"),
        ("approver", ("adopt", "defer"), "left to the approver"),
    ]


def test_a_lot_is_drawn_by_seed_and_place_whatever_the_names_are():
    drawn = {}
    for seed in range(40):
        made = counted(Plurality(tie=("lot",)), [BallotCounted("a", "adopt"), BallotCounted("b", "defer")], seed=seed)
        (drawn[seed],) = made.winners
        assert made.steps[0].why.startswith(f"drawn with seed {seed}: ")
        other = count(
            *(Plurality(tie=("lot",)), ("x", "y", "z"), [BallotCounted("b", "y"), BallotCounted("a", "x")]),
            eligible=[1, 1],
            seed=seed,
        )
        assert other.winners == ({"adopt": "x", "defer": "y"}[drawn[seed]],)
    assert set(drawn.values()) == {"adopt", "defer"}


def test_too_many_orders_of_level_pairs_tie_all_possible_winners():
    options = tuple("abcdefgh")
    cast = [
        BallotCounted(str(i), given=tuple(Given(option=o, points=(n + i) % 8 + 1) for n, o in enumerate(options)))
        for i in range(8)
    ]
    made = count(Elected(kind="ranked_pairs"), options, cast, eligible=[1] * 8)
    assert made.winners == options


# --- laws


@st.composite
def elections(draw):
    """A rule, and ballots that it takes."""
    rule = draw(st.sampled_from(RULES))
    kind, cast = ballot_kind(rule), []
    for voter in range(draw(st.integers(0, 6))):
        named = draw(st.lists(st.sampled_from(OPTIONS), min_size=1, unique=True))
        most = {"approval": 1, "ranking": 3, "score": 5, "dots": 1, "consent": 2}.get(kind, 1)
        least = 1 if kind in ("approval", "ranking", "dots") else 0
        given = tuple(Given(option=o, points=draw(st.integers(least, most)), reason="why") for o in named)
        weight = draw(st.integers(1, 3))
        cast.append(
            BallotCounted(f"v{voter}", named[0], weight=weight)
            if kind == "one"
            else BallotCounted(f"v{voter}", None, given, weight)
        )
    return rule, cast


@given(elections(), st.permutations(OPTIONS))
def test_other_names_give_the_same_result_under_other_names(election, order):
    rule, cast = election
    names = dict(zip(OPTIONS, order, strict=True))
    told = [
        BallotCounted(
            b.voter,
            names[b.choice] if b.choice else None,
            tuple(g.model_copy(update={"option": names[g.option]}) for g in b.given),
            b.weight,
        )
        for b in cast
    ]
    one, other = counted(rule, cast), counted(rule, told)
    assert other.winners == tuple(sorted(names[o] for o in one.winners))
    assert other.points == {names[o]: p for o, p in one.points.items()}
    assert other.ties == tuple(sorted(names[o] for o in one.ties))


@given(elections(), st.data())
def test_voters_and_the_order_of_names_on_a_ballot_do_not_matter(election, data):
    rule, cast = election
    order = data.draw(st.permutations(cast))
    told = [BallotCounted(f"x{i}", b.choice, b.given[::-1], b.weight) for i, b in enumerate(order)]
    assert counted(rule, told) == counted(rule, cast)


@given(elections())
def test_a_weight_is_as_many_ballots(election):
    rule, cast = election
    repeated = [BallotCounted(f"{b.voter}.{i}", b.choice, b.given) for b in cast for i in range(b.weight)]
    one, other = counted(rule, cast), counted(rule, repeated)
    assert (one.winners, one.points, one.needed) == (other.winners, other.points, other.needed)


@given(elections())
def test_a_tie_has_all_level_options_and_a_lot_picks_one(election):
    rule, cast = election
    made = counted(rule, cast)
    assert made.winners == tuple(sorted(set(made.winners)))
    drawn = counted(rule.model_copy(update={"tie": ("lot",)}), cast)
    assert drawn.before_ladder() == made.winners
    assert len(drawn.winners) == min(len(made.winners), 1)
    assert set(drawn.winners) <= set(made.winners)


@given(elections())
def test_pairwise_rules_elect_a_condorcet_winner(election):
    rule, cast = election
    if rule.kind not in CONDORCET:
        return
    best = condorcet_winner(profile_of("ranking", OPTIONS, cast))
    assert best is None or counted(rule, cast).winners == (best,)


@given(st.lists(st.sampled_from(OPTIONS), min_size=1, max_size=9))
def test_first_place_rules_elect_an_absolute_majority(votes):
    cast = [ranks(f"v{i}", v) for i, v in enumerate(votes)]
    ahead = [o for o in OPTIONS if 2 * votes.count(o) > len(votes)]
    for rule in (Plurality(), Majority(), Elected(kind="irv"), Elected(kind="bucklin"), Elected(kind="schulze")):
        made = count(rule, OPTIONS, cast, eligible=[1] * len(cast), kind="ranking")
        assert not ahead or made.winners == tuple(ahead)


def test_consent_counts_consenters_and_keeps_the_reasons():
    said = tuple(Given(option=o, points=p) for o, p in zip("abc", (CONSENT, OBJECTION, CONCERN), strict=True))
    (vote,) = profile_of("consent", "abcd", [BallotCounted("v", given=said)]).votes
    assert vote.tiers == (frozenset("a"),)
    assert vote.scores == {"a": CONSENT, "b": OBJECTION, "c": CONCERN}


def test_a_forbidden_option_is_refused_and_others_are_not():
    ballots = tuple(BallotCounted(voter, choice) for voter, choice in zip("123", "aab", strict=True))
    count = Count("test", Majority(), "one", ("a", "b"), ballots)
    assert (count.result().winners, count.result().obstacle) == (("a",), None)
    refused = replace(count, refused=("a",)).result()
    assert (refused.winners, refused.obstacle) == ((), "refused")
    assert replace(count, refused=("b",)).result().winners == ("a",)


@pytest.mark.parametrize(
    ("rule", "choices", "obstacle"),
    [
        (Majority(), "aab", None),
        (Majority(), "aabb", "tie"),
        (Plurality(), "aabb", "tie"),
        (Threshold(votes=2, allows_two_winners=True), "aabb", "tie"),
        (Threshold(votes=3), "aabb", "tie"),
        (Threshold(votes=3), "aab", "bar"),
        (Majority(quorum=4), "aab", "quorum"),
        # Too few have voted, however level they stand.
        (Majority(quorum=4), "ab", "quorum"),
        (Majority(quorum=1), "", "no_ballots"),
        (Majority(ballots_in_a_row=2), "aab", "in_a_row"),
        (Majority(ballots_in_a_row=2), "aabb", "tie"),
    ],
)
def test_the_first_obstacle_to_an_election_is_reported(rule: CountedRule, choices: str, obstacle):
    ballots = tuple(BallotCounted(f"v{place}", choice) for place, choice in enumerate(choices))
    assert Count("test", rule, "one", ("a", "b"), ballots).result().obstacle == obstacle


def test_alternative_rules_are_tried_with_a_movable_majority():
    for voters, votes in ((3, 2), (4, 3), (5, 3)):
        ballots = tuple(BallotCounted(str(n), "a") for n in range(voters))
        rules = rules_to_try(Count("test", Majority(), "one", ("a", "b"), ballots))
        assert rules[0] == Majority()
        assert rules[1] == Threshold(votes=votes, allows_two_winners=True)
        assert len({rule.kind for rule in rules}) == len(rules) > 3
    own = Count("test", Threshold(votes=2), "one", ("a", "b"), ballots)
    assert [rule.kind for rule in rules_to_try(own)].count("threshold_vote") == 1


def test_without_weights_is_told_only_where_somebody_weighs_more():
    spec = small_spec(OPEN, n=3, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    heavy = tuple(seat.model_copy(update={"weight": 3}) if seat.id == "s2" else seat for seat in spec.seats)
    told = []
    for seats in (spec.seats, heavy):
        played = Played(spec.model_copy(update={"seats": seats}))
        for vote in "aab":
            played.say(vote)
        told.append((final_points(played.state), unweighted_points(debaters_count(played.state))))
    assert told == [({"a": 2, "b": 1}, {}), ({"a": 2, "b": 3, "c": 0}, {"a": 2, "b": 1, "c": 0})]


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.ballot == "one"])
def test_a_rule_as_it_is_offered_elects_as_its_name_does(name: str):
    for votes in ("a", "aa", "ab", "aab", "aaab", "aaabb", "aaaab", "abc", "aabbc"):
        by_name = elect(name, Profile(("a", "b", "c"), tuple(Vote(Fraction(1), (frozenset(vote),)) for vote in votes)))
        ballots = tuple(BallotCounted(f"v{place}", vote) for place, vote in enumerate(votes))
        offered = Count("test", METHODS[name].rule, "one", ("a", "b", "c"), ballots).result()
        assert offered.winners == by_name.winners, votes
