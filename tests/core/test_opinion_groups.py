"""Opinion groups: planted ones are found, random marks make none, and names and places have no effect."""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import mean

import pytest

from debate_core.record.acts import PassageMarked
from debate_core.record.commands import Stop
from debate_core.report.facts.account import account
from debate_core.report.facts.clusters import LEAST_SILHOUETTE, clusters
from debate_core.report.facts.judge_statistics import wilson
from debate_core.report.facts.opinion_groups import OpinionGroups, RoomMarks, grouped
from debate_core.report.files.export import export_files
from debate_core.report.phrases.opinion_groups import groups_words
from tests.marking import crowd
from tests.people import FAY

READ = ("00000000000001", "11111111000001", "00001111111101")
"""What each planted group reads in 14 passages: any two differ in 8 of them, and all agree on the last two."""
Table = Sequence[Sequence[int]]
"""Row = person, column = passage; 0 and 1 = for that option, 2 = neutral, -1 = skipped."""


def planted(seed: int, groups: int, each: int = 12) -> Table:
    """Generate marks in which one of ten differs from the group's reading."""
    chance = random.Random(seed)
    return [[int(read) ^ (chance.random() < 0.1) for read in READ[n // each]] for n in range(groups * each)]


def coins(seed: int) -> Table:
    """Twenty-four people who read ten passages as coins fall."""
    chance = random.Random(seed)
    return [[chance.randrange(2) for _ in range(10)] for _ in range(24)]


def three_ways(seed: int) -> Table:
    """The same with neutral, and a third not marked."""
    chance = random.Random(seed)
    return [[chance.choice((0, 1, 2, 0, 1, -1, -1)) for _ in range(12)] for _ in range(40)]


def leaning(seed: int) -> Table:
    """Passages that nearly everybody reads alike, and others: each by chance, whoever marks."""
    chance = random.Random(seed)
    often = [chance.random() for _ in range(8)]
    return [[int(chance.random() < p) for p in often] for _ in range(30)]


def given(table: Table, people: Sequence[int] = (), passages: Sequence[int] = ()) -> RoomMarks:
    """Return marks by person and passage; row and column 0, 1 ... are person and passage 0, 1 ... by default."""
    who, what = people or range(len(table)), passages or range(len(table[0]))
    by_claim = {
        n: {f"p{person:03}": mark(n, row[column]) for person, row in sorted(zip(who, table, strict=True))}
        for column, n in enumerate(what)
    }
    return {f"c{n:02}": by_claim[n] for n in sorted(by_claim)}


def mark(passage: int, read: int) -> PassageMarked:
    claim_id = f"c{passage:02}"
    if read in (0, 1):
        return PassageMarked(claim_id=claim_id, reading="supports", option=("adopt", "defer")[read])
    return PassageMarked(claim_id=claim_id, reading="neutral" if read == 2 else "skipped")


def in_their_group(labels: Sequence[int], groups: int) -> float:
    """The share of people who are in the cluster of most of their planted group."""
    most = [Counter(labels[12 * n : 12 * n + 12]).most_common(1)[0] for n in range(groups)]
    assert len({label for label, _ in most}) == groups
    return sum(number for _, number in most) / len(labels)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [2, 3])
def test_planted_groups_are_found(groups):
    found = [clusters(planted(seed, groups)) for seed in range(5)]
    right = [one.labels for one in found if one and len(set(one.labels)) == groups]
    assert len(right) == 5
    assert mean(in_their_group(labels, groups) for labels in right) > 0.97


@pytest.mark.parametrize(("few", "many", "is_group"), [(3, 17, False), (4, 16, True), (4, 36, True), (4, 37, False)])
def test_a_group_is_of_four_people_and_of_a_tenth_of_them(few: int, many: int, is_group: bool):
    table = [[int(read) for read in READ[place >= many]] for place in range(many + few)]
    found = clusters(table)
    assert (found is not None) == is_group
    assert found is None or sorted(Counter(found.labels).values()) == [few, many]


@pytest.mark.slow
@pytest.mark.parametrize("by_chance", [coins, three_ways, leaning])
def test_marks_by_chance_make_no_groups(by_chance: Callable[[int], Table]):
    assert sum(clusters(by_chance(seed)) is None for seed in range(100)) >= 95


@pytest.mark.parametrize(("passages", "are_groups"), [(1, False), (2, True)])
def test_answers_to_one_question_form_no_groups(passages: int, are_groups: bool):
    # Dealt out anew, the answers to a single question stand apart as well as before.
    assert (clusters([[answer] * passages for answer in (0, 1) * 6]) is not None) == are_groups


@pytest.mark.slow
def test_what_all_accept_and_what_divides_is_told_with_intervals():
    found = grouped(given(planted(8, 3)))
    assert found is not None
    assert (found.people, found.sizes) == (36, (12, 12, 12))
    assert found.silhouette is not None
    assert found.silhouette > LEAST_SILHOUETTE
    told = {(row.claim_id, row.option): row for row in found.statements}
    accepted = {place for place, row in told.items() if row.found == "accepted"}
    assert accepted == {("c12", "adopt"), ("c13", "defer")}
    divides = {claim_id for (claim_id, _), row in told.items() if row.found == "divides"}
    assert divides < {f"c{n:02}" for n in range(12)}
    assert len(divides) == 11
    for row in found.statements:
        for share in row.groups:
            assert (share.low, share.high) == wilson(share.agree, share.marked_by)
            assert share.marked_by == 12
        if row.found == "accepted":
            assert all(share.low > 0.5 for share in row.groups)
        else:
            assert any(share.low > 0.5 for share in row.groups)
            assert any(share.high < 0.5 for share in row.groups)
    assert [row.found for row in found.statements] == sorted(row.found for row in found.statements)


@pytest.mark.slow
def test_names_and_order_do_not_change_the_groups():
    table = planted(2, 3)
    found = grouped(given(table))
    assert found is not None
    chance = random.Random(3)
    people, passages = chance.sample(range(36), 36), chance.sample(range(14), 14)
    assert grouped(given(table, people)) == found
    renamed = grouped(given(table, people, passages))
    assert renamed is not None
    places = [f"c{passages.index(n):02}" for n in range(14)]
    assert sorted(renamed.sizes) == sorted(found.sizes)
    assert shares(renamed, [f"c{n:02}" for n in range(14)]) == shares(found, places)


@pytest.mark.parametrize(
    ("people", "passages", "enough"), [(19, 14, 19), (15, 4, 0), (14, 14, None), (36, 4, 0), (19, 3, 0)]
)
def test_too_few_marks_form_no_groups_and_name_what_is_missing(people, passages, enough):
    found = grouped(given([row[:passages] for row in planted(1, 3)][:people]))
    assert found == (None if enough is None else OpinionGroups(enough))
    if found:
        assert groups_words(found) == (
            f"Opinion groups need 20 people with 5 marked passages each; there are {enough} so far."
        )


def test_a_skipped_passage_is_no_mark():
    table = [[*row[:4], *[-1] * 10] for row in planted(1, 2)]
    assert grouped(given(table)) == OpinionGroups(0)


def test_who_reads_everything_alike_is_one_room_and_no_group():
    found = grouped(given([[0, 1, 0, 1, 2, 0]] * 24))
    assert found == OpinionGroups(24)
    assert groups_words(found) == "The marks of 24 people show no distinct groups."


def test_report_and_json_have_numbered_groups_and_no_names():
    held = crowd(["00000001"] * 12 + ["11111101"] * 10)
    told = account(held.do(Stop(by=FAY.id, reason="enough")).state, held.events)
    files = export_files(told, "all")
    report = files["report.md"].decode()
    assert "By their marks, 22 people form 2 groups." in report
    part = report.split("### Common ground")[1].split("\n## ")[0]
    accepted, divides = part.split("#### Differences between groups")
    assert "| Group 1, 12 people | Group 2, 10 people |" in accepted
    assert "for defer | 12 of 12, 76 to 100 % | 10 of 10, 72 to 100 %" in accepted
    assert "for adopt | 12 of 12, 76 to 100 % | 0 of 10, 0 to 28 %" in divides
    assert "(mean silhouette 1.00)" in divides
    assert "Voter" not in part
    groups = json.loads(files["debate.json"])["opinion_groups"]
    assert (groups["people"], groups["sizes"]) == (22, [12, 10])
    assert "p-3" not in json.dumps(groups)


def shares(found: OpinionGroups, names: Sequence[str]) -> set[tuple[object, ...]]:
    """Every statement with its passage by place in `names`, and its shares in whatever order the groups stand."""
    return {
        (names.index(row.claim_id), row.reading, row.option, row.found, tuple(sorted(s.agree for s in row.groups)))
        for row in found.statements
    }
