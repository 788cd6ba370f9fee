"""Numbers that point at the debate itself are no facts about its subject; others are."""

import pytest

from debate_core.report.facts.references import without_references

IDS = ("s0.1.1", "planner.2.3", "c7")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("In round 2 it was said", "In it was said"),
        ("In round 3 it was said", "In it was said"),
        ("In round 4 it was said", "In round 4 it was said"),
        ("Claims 1.1 and 2.3 say so", "say so"),
        ("Claims 1.1 and 2.4 say so", "Claims 1.1 and 2.4 say so"),
        ("As planner.2.3 says", "As says"),
        ("As PLANNER.2.3 says", "As says"),
        ("As planner.2.4 says", "As planner.2.4 says"),
        ("As c7 says, not c8", "As says, not c8"),
        ("It costs 3 ms", "It costs 3 ms"),
        ("It takes (3) of them", "It takes of them"),
        ("It takes (400) of them", "It takes (400) of them"),
        ("R2 is done", "is done"),
        ("R9 is left", "R9 is left"),
        ("They voted 2 to 1 for it", "They for it"),
        ("They voted 5 to 1 for it", "They voted 5 to 1 for it"),
        ("2 of 3 agree", "agree"),
        ("2 of 9 agree", "2 of 9 agree"),
        ("3 claims and 2 votes", "and"),
        ("4 claims", "4 claims"),
        ("1. It pays\n2) It lasts (3) years", "It pays It lasts years"),
    ],
)
def test_what_points_at_something_there_is_is_taken_out(text: str, left: str):
    assert " ".join(without_references(text, IDS, 3).split()) == left
