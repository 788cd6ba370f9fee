"""Rules over ballots: known elections, the properties each rule must have, and files that are no ballots."""

import pathlib
from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticUndefined

from debate_core.engine.count.ballot_files import contradicting_in, read_ballots
from debate_core.engine.count.ballots import ballot_for
from debate_core.engine.count.condorcet import smith_set
from debate_core.engine.count.methods import BY_NAME, METHODS, READS_POINTS, elect
from debate_core.engine.count.profile import Profile, Vote, borda, firsts, pairwise
from debate_core.errors import InvalidSpec
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, ElectedKind
from debate_core.spec.values import BallotKind, Given
from tests.counts import condorcet_winner

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "ballots"
RANKED = [name for name in BY_NAME if METHODS[name].ballot not in READS_POINTS]
CONDORCET = ("copeland", "minimax", "ranked_pairs", "schulze")
SHARES = ("majority", "supermajority", "three_quarters", "unanimity")

TENNESSEE = """
=Memphis:[Memphis, TN]
42:Memphis/5>Nashville/2>Chattanooga/1>Knoxville/0
26:Nashville/5>Chattanooga/3>Knoxville/2>Memphis/0
15:Chattanooga/5>Knoxville/3>Nashville/2>Memphis/0
17:Knoxville/5>Chattanooga/3>Nashville/1>Memphis/0
"""


@st.composite
def profiles(draw, options="abcd"):
    """Small elections with level and missing places."""
    votes = []
    for _ in range(draw(st.integers(0, 7))):
        order = draw(st.permutations(options))
        length = draw(st.integers(0, len(options)))
        tiers: list[set[str]] = []
        for option in order[:length]:
            if tiers and draw(st.booleans()):
                tiers[-1].add(option)
            else:
                tiers.append({option})
        votes.append(Vote(Fraction(draw(st.integers(1, 4))), tuple(frozenset(t) for t in tiers)))
    return Profile(tuple(options), tuple(votes))


def renamed(profile: Profile, names: dict[str, str]) -> Profile:
    votes = [Vote(v.weight, tuple(frozenset(names[o] for o in t) for t in v.tiers)) for v in profile.votes]
    return Profile(tuple(names[o] for o in profile.options), tuple(votes))


@pytest.mark.parametrize(
    ("rule", "winner"),
    [("plurality", "Memphis"), ("irv", "Knoxville"), ("irv_put", "Knoxville"), ("star", "Nashville")]
    + [(rule, "Nashville") for rule in (*CONDORCET, "borda", "score", "bucklin", "coombs")],
)
def test_the_capital_of_tennessee_depends_on_the_rule(rule, winner):
    assert elect(rule, read_ballots(TENNESSEE, name="t.abif")).winners == (winner,)


def test_burlington_2009_elects_three_people():
    file = SHARED / "burl2009.abif"
    if not file.exists():
        pytest.skip("the public ballots are not beside this checkout")
    profile = read_ballots(file.read_text(), name=file.name)
    rules = ("plurality", "irv", "borda", *CONDORCET)
    assert {r: elect(r, profile).winners for r in rules} == {
        "plurality": ("Wright",),
        "irv": ("Kiss",),
        **dict.fromkeys(("borda", *CONDORCET), ("Montroll",)),
    }
    pairs = pairwise(profile)
    assert [int(n) for n in (pairs["Montroll", "Kiss"], pairs["Kiss", "Montroll"])] == [4067, 3477]
    assert [int(n) for n in (pairs["Montroll", "Wright"], pairs["Wright", "Montroll"])] == [4597, 3668]
    assert dict(elect("irv", profile).rounds[-1].tally) == {"Kiss": 4314, "Wright": 4064}


SCHULZE = """
5:A>C>B>E>D
5:A>D>E>C>B
8:B>E>D>A>C
3:C>A>B>E>D
7:C>A>E>B>D
2:C>B>A>D>E
7:D>C>E>B>A
8:E>B>A>D>C
"""
"""Schulze's own example (2011, section 3): 45 voters, and A beats B by 20 to 25, A beats C by 26 to 19, and so on."""
CIRCLE = "1:A>B>C\n1:B>C>A\n1:C>A>B"
EVEN = "1:A>B>C\n1:B>A>C"
UPSIDE_DOWN = "1:A>B>C\n1:C>B>A"
STARS = "4:A/5,B/4,C/0\n3:B/5,C/1,A/0\n2:C/5,A/4,B/0"
"""A beats B, B beats C and C beats A; with 13 points C is not among the first two."""


@pytest.mark.parametrize(
    ("rule", "text", "winners", "tally"),
    [
        ("schulze", SCHULZE, "E", (3, 1, 2, 0, 4)),
        ("copeland", SCHULZE, "E", (2, 2, 2, 1, 3)),
        ("minimax", SCHULZE, "E", (-5, -13, -11, -21, -3)),
        ("ranked_pairs", SCHULZE, "A", (1, 0, 0, 0, 0)),
        ("plurality", SCHULZE, "C", (10, 8, 12, 7, 8)),
        ("schulze", CIRCLE, "ABC", (2, 2, 2)),
        ("copeland", CIRCLE, "ABC", (1, 1, 1)),
        ("minimax", CIRCLE, "ABC", (-1, -1, -1)),
        ("ranked_pairs", CIRCLE, "ABC", (1, 1, 1)),
        ("anti_plurality", CIRCLE, "ABC", (-1, -1, -1)),
        ("copeland", EVEN, "AB", (Fraction(3, 2), Fraction(3, 2), 0)),
        ("schulze", EVEN, "AB", (2, 2, 0)),
        ("minimax", EVEN, "AB", (0, 0, -2)),
        ("ranked_pairs", EVEN, "AB", (1, 1, 0)),
        ("anti_plurality", EVEN, "AB", (0, 0, -2)),
        ("ranked_pairs", UPSIDE_DOWN, "ABC", (1, 1, 1)),
        ("anti_plurality", UPSIDE_DOWN, "B", (-1, 0, -1)),
        ("anti_plurality", "2:A>B=C\n1:B", "A", (Fraction(-1, 2), -1, Fraction(-3, 2))),
        ("bucklin", CIRCLE, "ABC", (2, 2, 2)),
        ("bucklin", "2:A>B>C\n1:B>C>A", "A", (2, 1, 0)),
        ("bucklin", "1:A\n1:B", "AB", (1, 1)),
        ("bucklin", "2:A>C>B\n2:B>C>A", "C", (2, 2, 4)),
        ("star", STARS, "A", (28, 31, 13)),
        ("star", "2:A/5,B/3\n3:B/3,A/2", "B", (16, 15)),
        ("star", "1:A/5,B/2,C/2", "A", (5, 2, 2)),
        ("coombs", "3:A>B>C\n2:C>B>A\n2:B>C>A", "B", (3, 2, 2)),
        ("irv", "2:A\n2:B\n1:C>B", "B", (2, 2, 1)),
        ("irv", EVEN, "AB", (1, 1, 0)),
        ("irv_put", "2:A\n2:B\n1:C>B", "B", (2, 2, 1)),
        ("irv_put", EVEN, "AB", (1, 1, 0)),
        ("score", STARS, "B", (28, 31, 13)),
        ("weighted_criteria", "1:A>B", "", (0, 0)),
    ],
)
def test_worked_examples_have_these_winners_and_these_points(rule, text, winners, tally):
    profile = read_ballots(text, name="b.abif")
    options = sorted(profile.options)
    found = METHODS[rule].elect(profile) if rule == "weighted_criteria" else elect(rule, profile)
    assert "".join(found.winners) == winners
    assert tuple(found.tally[option] for option in options) == tally


def test_consent_elects_the_fewest_concerns_without_objection():
    said = ({"a": 0, "b": 0, "c": 0}, {"a": 1, "b": 0, "c": 2}, {"a": 1, "b": 1, "c": 0}, {"d": 1})
    votes = tuple(Vote(Fraction(1), (), {o: Fraction(p) for o, p in says.items()}) for says in said)
    found = elect("consent", Profile(("a", "b", "c", "d"), votes))
    assert found.winners == ("b",)
    assert dict(found.tally) == {"a": 1, "b": 2, "c": 2, "d": 0}


def pointed(*said: dict[str, int]) -> Profile:
    """One vote each with these points."""
    votes = tuple(Vote(Fraction(1), (), {o: Fraction(p) for o, p in says.items()}) for says in said)
    return Profile(("a", "b"), votes)


def test_other_points_are_neither_consent_nor_approval():
    with pytest.raises(InvalidSpec, match="consent reads 0 = consent, 1 = concern, 2 = objection"):
        elect("consent", pointed({"a": 0}, {"a": 5}))
    assert elect("consent", pointed({"a": 0}, {"a": 1})).winners == ("a",)
    assert dict(elect("approval", pointed({"a": 1, "b": 0}, {"a": 1})).tally) == {"a": 2, "b": 0}


def test_a_blank_ballot_adds_nothing_and_blocks_no_other():
    assert dict(elect("score", pointed({}, {"a": 5, "b": 3})).tally) == {"a": 5, "b": 3}
    assert borda(read_ballots("1:A>B>C", name="b.abif")) == borda(blank_beside("1:A>B>C"))


def blank_beside(ballots: str) -> Profile:
    """These ballots, and two that name nobody."""
    votes = read_ballots(ballots, name="b.abif")
    return Profile(votes.options, (*votes.votes, Vote(Fraction(2))))


COST = Driver(name="cost", weight=100)


@pytest.mark.parametrize(
    ("kind", "option", "says"),
    [
        ("one", "a", {"vote": "a"}),
        ("score", "abstain", {"vote": "abstain"}),
        ("approval", "a", {"ballot": (Given(option="a", points=1),)}),
        ("ranking", "a", {"ballot": (Given(option="a", points=1),)}),
        ("dots", "a", {"ballot": (Given(option="a", points=1),)}),
        ("score", "a", {"ballot": (Given(option="a", points=5),)}),
        ("consent", "a", {"ballot": (Given(option="a", points=0),)}),
        ("criteria", "a", {"ballot": (Given(option="a", points=5, driver="cost"),)}),
    ],
)
def test_a_vote_for_one_option_on_each_kind_of_ballot(kind: BallotKind, option: str, says: dict[str, object]):
    assert ballot_for(kind, option, (COST,)) == says


def test_a_run_off_goes_on_until_somebody_has_more_than_half():
    found = elect("irv", read_ballots("4:A\n3:B>A\n2:C>B", name="b.abif"))
    rounds: object = [(dict(r.tally), r.exhausted, r.eliminated) for r in found.rounds]
    assert rounds == [({"A": 4, "B": 3, "C": 2}, 0, ("C",)), ({"A": 4, "B": 5}, 0, ())]
    level = elect("irv_put", read_ballots("1:A\n1:B\n2:C", name="b.abif"))
    assert level.rounds[0].eliminated == ("A",)
    nobody = elect("irv_put", Profile(("a", "b"), (Vote(Fraction(2)),)))
    assert (nobody.winners, set(nobody.tally.values()), nobody.rounds) == ((), {Fraction(0)}, ())


@pytest.mark.parametrize(
    ("text", "votes"),
    [
        ("3:A>B=C\n", [(3, ("A", "BC"))]),
        ("\ufeff# a comment\n{'k': 1}\n=A:[Tea]\n3: \"B\" > [C] # so\n", [(3, ("B", "C"))]),
        ("3:A/1>B/5", [(3, ("A", "B"))]),
        ("3:A/1,B/5", [(3, ("B", "A"))]),
        ("3:A/1,B/5,C", [(3, ("B", "A", "C"))]),
        ("3:A=B", [(3, ("AB",))]),
        ("3:A>", [(3, ("A",))]),
        ("3:A>B/2", [(3, ("A", "B"))]),
        ("1/2:A", [(Fraction(1, 2), ("A",))]),
        ("1000000000000:A\n0:B", [(10**12, ("A",)), (0, ("B",))]),
    ],
)
def test_each_way_to_write_a_ballot(text, votes):
    found = read_ballots(text, name="b.ABIF").votes
    assert [(v.weight, tuple("".join(sorted(tier)) for tier in v.tiers)) for v in found] == votes


def test_declared_options_without_votes_count_up_to_500():
    assert read_ballots("=T:[Tea]\n3:A", name="b.abif").options == ("T", "A")
    assert read_ballots("# ALTERNATIVE NAME 7:\n\n# x\n2: 7", name="b.soi").options == ("7",)
    rows = "\n".join(f"1:o{n}" for n in range(500))
    assert len(read_ballots(rows, name="b.abif").options) == 500
    with pytest.raises(InvalidSpec, match="501 options are more than 500"):
        read_ballots(f"{rows}\n1:one_more", name="b.abif")


def test_two_thirds_of_seven_are_five():
    votes = Profile(("a", "b"), (Vote(Fraction(4), (frozenset("a"),)), Vote(Fraction(3), (frozenset("b"),))))
    assert elect("supermajority", votes).winners == ()
    five = Profile(("a", "b"), (Vote(Fraction(5), (frozenset("a"),)), Vote(Fraction(2), (frozenset("b"),))))
    assert elect("supermajority", five).winners == ("a",)


def test_half_is_no_majority():
    votes = Profile(("a", "b"), (Vote(Fraction(2), (frozenset("a"),)), Vote(Fraction(2), (frozenset("b"),))))
    assert elect("majority", votes).winners == ()
    assert elect("plurality", votes).winners == ("a", "b")


def test_every_rule_has_a_row_with_its_condition_and_source():
    bars = {"plurality", "majority", "supermajority", "unanimity", "threshold_vote"}
    assert set(METHODS) == {*get_args(ElectedKind), *bars, "three_quarters"}
    assert {member.model_fields["kind"].default for member in get_args(CountedRule)} <= {*bars, PydanticUndefined}
    for name, method in METHODS.items():
        assert method.rule.kind == name or name == "three_quarters"
        assert all((method.wins, method.source, method.unit))
    assert {method.ballot for method in METHODS.values()} == set(get_args(BallotKind))


@pytest.mark.parametrize("rule", RANKED)
def test_nobody_is_elected_by_blank_ballots(rule):
    assert elect(rule, Profile(("a", "b"), (Vote(Fraction(3)),))).winners == ()
    assert elect(rule, Profile(("a", "b"), ())).winners == ()


@pytest.mark.parametrize("rule", RANKED)
@given(profile=profiles(), order=st.permutations("abcd"))
def test_names_do_not_matter(rule, profile, order):
    names = dict(zip("abcd", order, strict=True))
    expected = tuple(sorted(names[o] for o in elect(rule, profile).winners))
    assert elect(rule, renamed(profile, names)).winners == expected


@pytest.mark.parametrize("rule", RANKED)
@given(profile=profiles(), data=st.data())
def test_voters_do_not_matter(rule, profile, data):
    shuffled = Profile(profile.options, tuple(data.draw(st.permutations(profile.votes))))
    split = [Vote(v.weight / 2, v.tiers) for v in shuffled.votes for _ in range(2)]
    assert elect(rule, Profile(profile.options, tuple(split))) == elect(rule, profile)


@pytest.mark.parametrize("rule", CONDORCET)
@given(profile=profiles())
def test_whoever_beats_everybody_is_elected(rule, profile):
    winner = condorcet_winner(profile)
    if winner is not None:
        assert elect(rule, profile).winners == (winner,)


@pytest.mark.parametrize("rule", ["plurality", "majority", "irv", "irv_put", "bucklin", *CONDORCET])
@given(profile=profiles(), n=st.integers(1, 30))
def test_more_than_half_of_all_first_places_win(rule, profile, n):
    """Whoever stands alone at the top of more than half of all ballots wins."""
    votes = (*profile.votes, Vote(profile.weight() + n, (frozenset("a"), frozenset("b"))))
    assert elect(rule, Profile(profile.options, votes)).winners == ("a",)


@pytest.mark.parametrize("rule", RANKED)
@given(profile=profiles("ab"))
def test_swapped_sides_are_mirrored(rule, profile):
    mirrored = renamed(profile, {"a": "b", "b": "a"})
    swap = {"a": "b", "b": "a"}
    assert elect(rule, mirrored).winners == tuple(sorted(swap[o] for o in elect(rule, profile).winners))


@given(profile=profiles(), extra=profiles())
def test_adding_ballots_is_counting_them_all(profile, extra):
    both = Profile(profile.options, profile.votes + extra.votes)
    points = [borda(p) for p in (profile, extra, both)]
    tops = [firsts(p, "abcd")[0] for p in (profile, extra, both)]
    for one, other, together in (points, tops):
        assert together == {key: one[key] + other[key] for key in one}
    pairs = [pairwise(p) for p in (profile, extra, both)]
    assert pairs[2] == {key: pairs[0][key] + pairs[1][key] for key in pairs[0]}


@given(profile=profiles())
def test_every_run_off_winner_wins_in_some_elimination_order(profile):
    """Both run-offs agree wherever no tie occurs at the bottom."""
    plain = elect("irv", profile)
    if all(len(r.eliminated) <= 1 for r in plain.rounds):
        assert elect("irv_put", profile).winners == plain.winners


@given(profile=profiles())
def test_a_run_off_loses_no_vote(profile):
    for round_ in elect("irv", profile).rounds:
        assert sum(round_.tally.values()) + round_.exhausted == profile.weight()


VOTES = "poll_id,stage,voter_alias,status,choice\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("b.txt", "1:A", "ballots are read from .abif"),
        ("b.abif", "", "no option is named"),
        ("b.abif", "A>B", "line 1: 'A>B' is no ballot"),
        ("b.abif", "x:A>B", "line 1: 'x' is no number of ballots"),
        ("b.abif", "-3:A>B", "must be 0 to"),
        ("b.abif", "1e999999999:A>B", "line 1: '1e999999999' is no number of ballots"),
        ("b.abif", "1/0:A>B", "line 1: '1/0' is no number of ballots"),
        ("b.abif", "1:A>A", "named twice on one ballot"),
        ("b.abif", "1:A>>B", "names no option"),
        ("b.soc", "# ALTERNATIVE NAME 1: a\n2: 1,9", "line 2: there is no alternative '9'"),
        ("b.soc", "# ALTERNATIVE NAME 1: a\n2: 1,1", "named twice"),
        ("b.toc", "# ALTERNATIVE NAME 1: a\n2: {1,1}", "named twice"),
        ("b.abif", "1000000000001:A", "must be 0 to 1000000000000, not 1000000000001"),
        ("b.abif", "=A", "line 1: '=A' names no option, as in =A:[a name]"),
        ("b.abif", "=>", "line 1: '=>' names no option"),
        ("b.abif", "1:A B", "between options stands >, = or a comma, not 'B'"),
        ("b.abif", "1:A[B]", "between options stands >, = or a comma, not '['"),
        ("b.soc", "# ALTERNATIVE NAME 1: a\n2 1", "line 2: '2 1' is no ballot, as in 12: 1,2,{3,4}"),
        ("b.soc", "# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: a\n2: 1", "two alternatives of this file have the"),
        ("ballots", "1:A", "ballots: ballots are read from .abif"),
        ("abif", "1:A", "abif: ballots are read from .abif"),
        ("votes.csv", "a,b\n1,2\n", "has no ballots"),
        ("votes.csv", VOTES + "final.room,poll,a1\n", "votes.csv, line 2: the row ends before"),
        ("votes.csv", VOTES + "final.room,poll,a1,cast,x,y\n", "votes.csv, line 2: the row has more cells"),
        ("votes.csv", VOTES.replace("status", "choice") + "final.room,poll,a1,x,y\n", "has the column 'choice' twice"),
        (
            "votes.csv",
            VOTES + "pre.room,poll,a1,cast,x\nfinal.room,poll,a1,cast,y\n",
            "several counts: choose one with",
        ),
        (
            "b.toc",
            "# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: a\n2: {1,2}",
            "two alternatives of this file have the",
        ),
        (
            "votes.csv",
            "voter_alias,status,choice,poll_id,stage,replaced_by\nv1,cast,a,final.room,final,final.9\n",
            "each ballot of this count was replaced by one that is not in the table",
        ),
        (
            "votes.csv",
            "kind,voter_alias,status,choice\nlot,risk,cast,a\n",
            "there is no kind of ballot 'lot': choose_one, approval, ranking, score, dots, consent, criteria",
        ),
        (
            "votes.csv",
            'kind,voter_alias,status,choice,scores_json\nscore,a,cast,x,"{""x"":3}"\n,b,cast,y,\n',
            "this count has ballots of several kinds: score, choose_one",
        ),
        (
            "votes.csv",
            'kind,voter_alias,status,choice,scores_json\nscore,a,cast,x,"{""x"":3,""x"":1}"\n',
            "scores_json of 'a': 'x' is given twice",
        ),
    ],
)
def test_what_is_no_ballot_is_refused_in_one_sentence(name, text, said):
    with pytest.raises(InvalidSpec) as refused:
        read_ballots(text, name=name)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("weight", "read"),
    [
        ("", 1),
        ("7", 7),
        ("9" * 12, 10**12 - 1),
        ("9" * 13, None),
        ("-1", None),
        ("1.5", None),
        ("²", None),
        ("٣", None),
    ],
)
def test_a_table_ballot_weighs_a_whole_number_of_twelve_digits(weight: str, read: int | None):
    table = f"voter_alias,status,choice,weight\nrisk,cast,a,{weight}\n"
    if read is None:
        with pytest.raises(InvalidSpec, match="the weight of 'risk' is no whole number"):
            read_ballots(table, name="votes.csv")
    else:
        assert read_ballots(table, name="votes.csv").weight() == read


@pytest.mark.parametrize("options", ['{""a"": 1}', '[""a"", 1]', "a, b"])
def test_the_options_of_our_own_table_are_a_list_of_names(options: str):
    with pytest.raises(InvalidSpec, match="options is no list of names"):
        read_ballots(f'voter_alias,status,choice,options\nrisk,cast,a,"{options}"\n', name="votes.csv")


def test_only_unreplaced_ballots_of_people_count():
    head = "ballot_id,voter_alias,status,choice,poll_id,stage,replaced_by\n"
    rows = "1,v1,cast,a,final.room,final,2\n2,v1,cast,b,final.room,final,\n3,v2,cast,b,final.room,final,4\n"
    assert dict(elect("plurality", read_ballots(head + rows, name="votes.csv")).tally) == {"b": 1}


def test_an_abstention_is_no_option():
    profile = read_ballots("voter_alias,status,choice\nv1,cast,a\nv2,cast,abstain\n", name="votes.csv")
    assert profile.options == ("a",)


def test_a_cell_that_no_table_can_have_is_refused_too():
    with pytest.raises(InvalidSpec, match=r"votes\.csv, line .: field larger than"):
        read_ballots(VOTES + f"final.room,poll,a1,cast,{'x' * 140_000}\n", name="votes.csv")


def test_a_rule_that_does_not_exist_or_needs_points():
    ranked = read_ballots("3:A>B", name="b.abif")
    with pytest.raises(InvalidSpec, match="choose one of anti_plurality"):
        elect("lottery", ranked)
    with pytest.raises(InvalidSpec, match="these ballots give none"):
        elect("star", ranked)


def test_an_empty_level_of_a_preflib_ballot_is_none():
    (vote,) = read_ballots("# ALTERNATIVE NAME 1: tea\n2: {},1", name="drinks.toc").votes
    assert vote.tiers == (frozenset({"tea"}),)


def test_preflib_with_level_and_missing_alternatives():
    text = "# ALTERNATIVE NAME 1: tea\n# ALTERNATIVE NAME 2: milk\n# ALTERNATIVE NAME 3: water\n4: {1,3}\n3: 2,1\n"
    profile = read_ballots(text, name="drinks.toi")
    assert elect("plurality", profile).winners == ("milk",)
    assert elect("approval", profile).winners == ("tea",)


def test_our_own_table_counts_the_last_ballot_of_a_seat():
    text = "voter_alias,status,choice\nrisk,cast,a\ncost,cast,b\nrisk,cast,b\nlead,failed,\n"
    election = elect("plurality", read_ballots(text, name="votes.csv"))
    assert election.winners == ("b",)
    assert dict(election.tally) == {"a": Fraction(0), "b": Fraction(2)}
    assert elect("unanimity", read_ballots(text, name="votes.csv")).winners == ()


def test_a_table_with_several_counts_uses_debaters_or_the_named():
    people = "final.room,poll,a1,cast,y\npre.room,poll,a1,cast,x\npre.room,poll,a2,cast,x\n"
    table = VOTES + people + ",debater,risk,cast,z\n"
    counted = read_ballots(table, name="votes.csv")
    assert dict(elect("plurality", counted).tally) == {"z": 1}
    named = read_ballots(table, name="votes.csv", poll="pre.room")
    assert dict(elect("plurality", named).tally) == {"x": 2}
    with pytest.raises(InvalidSpec, match=r"there is no such count in this table: final\.room, pre\.room"):
        read_ballots(table, name="votes.csv", poll="pulse.room")
    with pytest.raises(InvalidSpec, match=r"--poll chooses a count in our own votes\.csv"):
        read_ballots("1:A", name="b.abif", poll="pre.room")


def test_a_leading_apostrophe_is_no_part_of_an_option():
    rows = """voter_alias,status,choice,options\nrisk,cast,'=a,"[""=a"", ""b""]"\ncost,cast,'c,"[""=a"", ""b""]"\n"""
    assert dict(elect("plurality", read_ballots(rows, name="votes.csv")).tally) == {"=a": 1, "b": 0, "'c": 1}


HUNDREDS = [("copeland", ("o002",)), ("minimax", ("o002",)), ("schulze", ("o002",)), ("irv_put", ("o001", "o002"))]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "winners"), HUNDREDS)
def test_hundreds_of_options_of_which_most_are_nobodys_first(rule: str, winners: tuple[str, ...]):
    names = [f"o{i:03}" for i in range(200)]
    rows = [f"{n + 1}:{'>'.join(names[n:] + names[:n])}" for n in range(3)]
    assert elect(rule, read_ballots("\n".join(rows), name="b.abif")).winners == winners


def one_majority_each(pairs: Sequence[str]) -> Profile:
    """In each pair the first option has a majority of two votes; all others are level."""
    names = sorted({*"".join(pairs)})
    votes = []
    for pair in pairs:
        others = [name for name in names if name not in pair]
        for order in ([*pair, *others], [*reversed(others), *pair]):
            votes.append(Vote(Fraction(1), tuple(frozenset(name) for name in order)))
    return Profile(tuple(names), tuple(votes))


def test_ranked_pairs_stops_at_two_thousand_orders():
    """A cycle of three locks at most two pairs, which are 7 sets; any other pair locks one or none."""
    circle, others = ("xy", "yz", "zx"), ("aA", "bB", "cC", "dD", "eE", "fF", "gG", "hH", "iI")
    assert elect("ranked_pairs", one_majority_each((*circle, *others[:8]))).winners == tuple("abcdefghxyz")
    with pytest.raises(InvalidSpec, match="can be ordered in more than 2,000 ways: take schulze or minimax"):
        elect("ranked_pairs", one_majority_each((*circle, *others)))


@pytest.mark.slow
def test_too_many_ways_to_go_out_are_refused_in_a_sentence():
    level = read_ballots("\n".join(f"1:o{i}" for i in range(40)), name="b.abif")
    with pytest.raises(InvalidSpec, match="irv_put: level options can go out in more than 20,000 ways: take irv"):
        elect("irv_put", level)


@pytest.mark.parametrize(("rule", "most"), [("schulze", 200), ("ranked_pairs", 60)])
def test_too_many_options_are_refused_in_one_sentence(rule: str, most: int):
    def ranked(count: int) -> Profile:
        names = tuple(f"o{i:03}" for i in range(count))
        return Profile(names, (Vote(Fraction(1), tuple(frozenset({n}) for n in names)),))

    assert elect("ranked_pairs", ranked(60)).winners == ("o000",)
    why = f"^{rule} takes up to {most} options, and here are {most + 1}: take copeland or minimax"
    with pytest.raises(InvalidSpec, match=why):
        elect(rule, ranked(most + 1))


@pytest.mark.parametrize(
    ("ballots", "inside"),
    [
        ("3:A>B>C", "A"),
        ("2:A>B>C\n1:B>A>C", "A"),
        ("1:A>B>C\n1:B>A>C", "AB"),
        ("1:A>B>C>D\n1:B>C>A>D\n1:C>A>B>D", "ABC"),
        ("1:D>A>B>C\n1:D>B>C>A\n1:C>A>B>D", "D"),
        ("1:A>B\n1:B>A\n1:C>A=B\n1:A=B>C", "AB"),
        ("1:A>B>C\n1:C>A=B", "ABC"),
    ],
)
def test_the_smallest_dominating_set_contains_a_winner(ballots: str, inside: str):
    profile = read_ballots(ballots, name="b.abif")
    assert smith_set(profile) == tuple(inside)
    for rule in ("copeland", "schulze", "ranked_pairs"):
        assert {*elect(rule, profile).winners} <= {*inside}, rule


@pytest.mark.parametrize(
    ("ballots", "points"),
    [
        ("1:A>B>C", {"A": 2, "B": 1, "C": 0}),
        ("1:A>B=C", {"A": 2, "B": Fraction(1, 2), "C": Fraction(1, 2)}),
        ("1:A=B>C", {"A": Fraction(3, 2), "B": Fraction(3, 2), "C": 0}),
        ("3:B\n1:A>B>C", {"A": Fraction(7, 2), "B": 7, "C": Fraction(3, 2)}),
    ],
)
def test_borda_points_fall_by_one_and_ties_share(ballots: str, points):
    assert borda(read_ballots(ballots, name="b.abif")) == points


def test_people_of_one_count_alone_need_not_be_named():
    people = "final.room,poll,a1,cast,y\nfinal.room,poll,a2,cast,x\nfinal.room,poll,a3,cast,x\n"
    assert dict(elect("plurality", read_ballots(VOTES + people, name="votes.csv")).tally) == {"x": 2, "y": 1}


def test_of_contradicting_ballots_those_that_count_are_counted():
    table = "voter_alias,status,choice,argues_for\nrisk,cast,a,\ncost,cast,a,b\nlead,cast,a,c\nlead,abstained,,c\n"
    assert contradicting_in(table, name="votes.csv") == 1
    assert contradicting_in(table, name="VOTES.CSV") == 1
    assert contradicting_in("1:A>B", name="b.abif") == 0
    assert dict(elect("plurality", read_ballots(table, name="votes.csv")).tally)["a"] == 2


@pytest.mark.parametrize(("name", "told"), [*zip(SHARES, ("1/2", "2/3", "3/4", "1"), strict=True)])
def test_a_rule_tells_the_share_by_which_it_elects(name: str, told: str):
    method = METHODS[name]
    assert method.share == Fraction(told)
    for for_a in range(13):
        tiers = [(frozenset("a"),)] * for_a + [(frozenset("b"),)] * (12 - for_a)
        elected = "a" in method.elect(Profile(("a", "b"), tuple(Vote(Fraction(1), one) for one in tiers))).winners
        share = Fraction(for_a, 12)
        assert elected == (share > method.share if name == "majority" else share >= method.share)
