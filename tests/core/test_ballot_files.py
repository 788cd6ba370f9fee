"""Files of ballots: signs within names, and tables that a spreadsheet saved."""

import pytest

from debate_core.engine.count.ballot_files import read_ballots
from debate_core.engine.count.methods import elect
from debate_core.errors import InvalidSpec


@pytest.mark.parametrize(
    ("ballots", "order"),
    [
        ("12:[C#]>[F#]", ["C#", "F#"]),
        ("12:[C#]>[F#] # by hand", ["C#", "F#"]),
        ("12:[C#]>[F#]# by hand", ["C#", "F#"]),
        ("12:C#>F#", ["C#", "F#"]),
        ("12:C#/5>F#/3", ["C#", "F#"]),
        ("12:Go>C# #by hand", ["Go", "C#"]),
        ('12:"a # b">C', ["a # b", "C"]),
        ("12:A>B\t# C", ["A", "B"]),
    ],
)
def test_abif_reads_a_hash_within_a_name(ballots: str, order: list[str]):
    (vote,) = read_ballots(ballots, name="votes.abif").votes
    assert [*map(min, vote.tiers)] == order


@pytest.mark.parametrize("ballots", ["12:A>B#hand", "12:A>#B", "12:C#8>F#"])
def test_abif_refuses_a_hash_that_can_be_a_comment(ballots: str):
    with pytest.raises(InvalidSpec, match="is a name or a comment: put brackets around a name"):
        read_ballots(ballots, name="votes.abif")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("before", ["", "\ufeff", "sep={}\r\n"])
def test_votes_saved_by_a_spreadsheet_are_counted(separator: str, before: str):
    rows = [("voter_alias", "status", "choice"), ("v1", "cast", "queue"), ("v2", "cast", "queue"), ("", "", "")]
    table = before.format(separator) + "".join(f"{separator.join(row)}\r\n" for row in rows)
    profile = read_ballots(table, name="votes.csv")
    assert dict(elect("plurality", profile).tally) == {"queue": 2}
    assert profile.weight() == 2


@pytest.mark.parametrize("ballots", ["3:A;B", "3:A;B>C", "3:A>B;C/2"])
def test_abif_refuses_a_semicolon_between_options(ballots: str):
    with pytest.raises(InvalidSpec, match="line 1: between options stands >, = or a comma, not ';'"):
        read_ballots(ballots, name="votes.abif")
    assert read_ballots("3:[A;B]>C", name="votes.abif").options == ("A;B", "C")


def test_votes_refuse_two_spellings_of_one_option():
    table = "voter_alias,status,choice\nv1,cast,Queue\nv2,cast,queue\n"
    with pytest.raises(InvalidSpec, match="'Queue' and 'queue' are the same option"):
        read_ballots(table, name="votes.csv")
