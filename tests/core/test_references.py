"""Numbers that point at the debate itself are no facts about its subject; others are."""

import pytest

from debate_core.report.facts.synthesis_checks import without_references

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


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Boats leak (A2).", "Boats leak ."),
        ("[B1.3] Boats leak.", "Boats leak."),
        ("As A2 has it, boats leak.", "As has it, boats leak."),
        ("C-3: boats leak.", ": boats leak."),
        ("Boats leak (see A2, B3).", "Boats leak ."),
        ("Claims A2 and B3 say so.", "say so."),
        ("Boats leak [D1C2; D2C1].", "Boats leak ."),
        ("claim_4: boats leak.", ": boats leak."),
        ("#7: boats leak.", ": boats leak."),
        ("A2 answers B1: boats leak.", "answers : boats leak."),
        ("Boats leak (A-R1-C2).", "Boats leak ."),
    ],
)
def test_id_of_another_form_is_a_reference(text: str, rest: str):
    assert " ".join(without_references(text, IDS, 12).split()) == rest


@pytest.mark.parametrize(
    "text",
    [
        "Boats leak (GPT4).",
        "EC2 holds the boats.",
        "S3 holds the boats.",
        "Boats leaked in (Q3).",
        "It took 40 ms (p95).",
        "A400 says so.",
        "Boats leak (120 ms).",
        "IPv6: boats leak.",
        "V2 holds.",
        "As planner.9.9 has it, boats leak.",
        "It runs on K8s.",
    ],
)
def test_name_or_figure_is_no_reference(text: str):
    assert without_references(text, IDS, 12) == text
