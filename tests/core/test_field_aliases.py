"""Fields as models write them, and as contents have them: names, numbers, lists and ids, one by one."""

from typing import Any

import pytest

from debate_core.engine.field_aliases import own_name, spelt, with_ballot
from debate_core.spec.contents import Gives
from debate_core.spec.values import BallotKind


@pytest.mark.parametrize(
    ("gives", "given", "own"),
    [
        ("argument", "thesis", "rationale"),
        ("argument", "supportingArguments", "claims"),
        ("critique", "ChallengeStrength", "strength"),
        ("rebuttal", "Rebuttals", "claims"),
        ("framing", "keyEvidence", "key_sources"),
        ("evaluation", "contested_points", "unresolved"),
        ("verdict", "winner", "option"),
        ("argument", "winner", "winner"),
        ("synthesis", "thesis", "thesis"),
        ("argument", "somethingElse2Say", "something_else2_say"),
    ],
)
def test_a_field_has_one_name(gives: Gives, given: str, own: str):
    assert own_name(gives, given) == own


@pytest.mark.parametrize(
    ("said", "strength", "confidence"),
    [
        (7, 7, 7),
        ("6", 6, 6),
        ("7.5", 7.5, 7.5),
        ("7/10", 7, 70),
        ("7 of 10", 7, 70),
        ("7 out of 10", 7, 70),
        ("80%", 8, 80),
        ("80 percent", 8, 80),
        ("0.8", 0.8, 80),
        ("1.0", 1.0, 100),
        (0.5, 0.5, 50),
        (0.0, 0.0, 0.0),
        (1.5, 1.5, 1.5),
        (1, 1, 1),
        ("3/0", "3/0", "3/0"),
        ("3/1", 30, 300),
        ("high", "high", "high"),
        ("", "", ""),
        (None, None, None),
    ],
)
def test_strength_is_of_ten_and_confidence_of_a_hundred(said: Any, strength: Any, confidence: Any):
    found = spelt("critique", {"strength": said, "confidence": said})
    assert (found.get("strength"), found.get("confidence")) == (strength, confidence)
    assert [type(found.get("strength")), type(found.get("confidence"))] == [type(strength), type(confidence)]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"claims": "It pays"}, {"claims": ["It pays"]}),
        ({"claims": "  "}, {"claims": []}),
        ({"claims": {"text": "It pays"}}, {"claims": [{"text": "It pays"}]}),
        ({"claims": {"other": "It pays"}}, {"claims": {"other": "It pays"}}),
        (
            {"claims": [{"text": "x", "answers": "s0.1.1, s1.1.2"}]},
            {"claims": [{"text": "x", "answers": ["s0.1.1", "s1.1.2"]}]},
        ),
        ({"claims": [{"text": "x", "answers": "the first"}]}, {"claims": [{"text": "x", "answers": "the first"}]}),
        ({"claims": ["x", 3]}, {"claims": ["x", 3]}),
        ({"answers": "s0.1.1; s1.1.2"}, {"answers": ["s0.1.1", "s1.1.2"]}),
        ({"answers": ""}, {"answers": []}),
        ({"answers": "none"}, {"answers": "none"}),
        ({"answers": "s0.1.1 and the second"}, {"answers": "s0.1.1 and the second"}),
        ({"answers": ["s0.1.1"]}, {"answers": ["s0.1.1"]}),
        ({"concedes": "s0.1.1"}, {"concedes": ["s0.1.1"]}),
        ({"rationale": "x", "stance": None}, {"rationale": "x"}),
        ({"vote": None, "stance": None}, {"vote": None}),
        ({"claims": [{"text": "x", "quote": None}]}, {"claims": [{"text": "x"}]}),
        ({"thesis": "x", "argument": "y"}, {"rationale": "x", "argument": "y"}),
        ({"thesis": "x", "rationale": "y"}, {"thesis": "x", "rationale": "y"}),
        ({"rationale": "x", "evidence_cited": ["a", "b"]}, {"rationale": "x\n\nEvidence: a; b"}),
        ({"rationale": "x", "evidence_cited": []}, {"rationale": "x"}),
        ({"rationale": "x", "evidence_cited": [1]}, {"rationale": "x", "evidence_cited": [1]}),
        ({"rationale": "x", "evidence_cited": "a"}, {"rationale": "x", "evidence_cited": "a"}),
        ({"rationale": 1, "evidence_cited": ["a"]}, {"rationale": 1, "evidence_cited": ["a"]}),
    ],
)
def test_what_a_debater_gives_is_mended_in_form_alone(data: dict[str, Any], found: dict[str, Any]):
    assert spelt("argument", data) == found


@pytest.mark.parametrize(
    ("gives", "data", "found"),
    [
        ("framing", {"criteria": "cost"}, {"criteria": ["cost"]}),
        ("framing", {"criteria": ["cost"]}, {"criteria": ["cost"]}),
        (
            "evaluation",
            {"quality": {"s0": "7/10", "s1": 4}},
            {"quality": [{"seat": "s0", "score": 7}, {"seat": "s1", "score": 4}]},
        ),
        ("evaluation", {"quality": [1]}, {"quality": [1]}),
        ("evaluation", {"confidence_level": " medium "}, {"confidence_level": "MODERATE"}),
        ("evaluation", {"confidence_level": "low"}, {"confidence_level": "LOW"}),
        ("evaluation", {"confidence_level": 3}, {"confidence_level": 3}),
        ("positions", {"positions": "x"}, {"reason": "no reason was given", "positions": "x"}),
        (
            "positions",
            {"reason": "y", "positions": [{"seat": "s0", "keyEvidence": ["a", "b"]}, "z"]},
            {"reason": "y", "positions": [{"seat": "s0", "because": "a; b"}, "z"]},
        ),
        (
            "positions",
            {"reason": "y", "positions": [{"seat": "s0", "key_evidence": "one text"}]},
            {"reason": "y", "positions": [{"seat": "s0", "because": "one text"}]},
        ),
        (
            "positions",
            {"reason": "y", "positions": [{"seat": "s0", "because": "c", "key_evidence": "a"}]},
            {"reason": "y", "positions": [{"seat": "s0", "because": "c", "key_evidence": "a"}]},
        ),
        ("directive", {"done": True}, {"reason": "no reason was given", "done": True}),
        ("directive", {"reason": "x"}, {"reason": "x"}),
        (
            "synthesis",
            {"answer": "x", "key_argument_a": "p", "key_arg_b": "q"},
            {"answer": "x", "strongest": [{"option": "a", "text": "p"}, {"option": "b", "text": "q"}]},
        ),
        ("synthesis", {"key_argument_a": 3}, {"key_argument_a": 3}),
        ("synthesis", {"strongest": [], "key_argument_a": "p"}, {"strongest": [], "key_argument_a": "p"}),
    ],
)
def test_what_an_office_gives_is_mended_in_form_alone(gives: Gives, data: dict[str, Any], found: dict[str, Any]):
    assert spelt(gives, data) == found


def gave(**points: Any) -> list[dict[str, Any]]:
    return [{"option": option, "points": p} for option, p in points.items()]


@pytest.mark.parametrize(
    ("kind", "said", "ballot"),
    [
        ("approval", ["a", "b"], gave(a=1, b=1)),
        ("approval", {"a": 1, "b": False}, gave(a=1)),
        ("approval", {"a": True, "b": "yes"}, gave(a=1, b="yes")),
        ("approval", [{"option": "a", "points": 0}, 3], [*gave(a=0), 3]),
        ("ranking", ["adopt", ["b", "c"]], gave(adopt=1, b=2, c=2)),
        ("ranking", [{"option": "a", "place": 1}, "b"], [*gave(a=1), "b"]),
        ("ranking", {"a": 1, "b": 2}, gave(a=1, b=2)),
        ("score", {"a": 5, "b": 0}, gave(a=5, b=0)),
        ("dots", {"a": 3}, gave(a=3)),
        (
            "criteria",
            {"a": {"cost": 4, "risk": 1}},
            [{"option": "a", "driver": d, "points": p} for d, p in (("cost", 4), ("risk", 1))],
        ),
        ("criteria", {"a": 4}, gave(a=4)),
        ("consent", {"a": "agree", "b": " No objection", "c": "consent"}, gave(a=0, b=0, c=0)),
        ("consent", {"a": "concern"}, gave(a=1)),
        ("consent", {"a": "object", "b": "Objection"}, gave(a=2, b=2)),
        ("consent", {"a": "paramount objection", "b": "veto"}, gave(a=2, b=2)),
        ("consent", {"a": {"says": "veto", "reason": "It fails."}}, [{**gave(a=2)[0], "reason": "It fails."}]),
        ("consent", [{"option": "a", "points": "concern"}, {"option": "b", "points": 2}], gave(a=1, b=2)),
        ("consent", {"a": "perhaps"}, gave(a="perhaps")),
        ("consent", [{"option": "a", "reason": "It fails."}], [{"option": "a", "reason": "It fails."}]),
        ("consent", [{"points": "veto"}], [{"points": 2}]),
        ("score", [{"option": "a", "points": "veto", "score": 3}], [{"option": "a", "points": "veto", "score": 3}]),
        ("score", ["a", "b"], ["a", "b"]),
        ("score", {"a": "veto"}, gave(a="veto")),
        ("score", "a", "a"),
    ],
)
def test_a_ballot_is_read_under_the_name_of_its_kind(kind: BallotKind, said: Any, ballot: Any):
    name = {"approval": "approvals", "score": "scores", "criteria": "scores"}.get(kind, kind)
    assert with_ballot(kind, {"rationale": "x", name: said}) == {"rationale": "x", "ballot": ballot}
    given = {"rationale": "x", "ballot": [], name: said}
    assert with_ballot(kind, given) == given


@pytest.mark.parametrize(("kind", "name", "number"), [("approval", "approvals", int), ("score", "scores", bool)])
def test_yes_is_a_point_under_approval_and_no_number_of_points(kind: BallotKind, name: str, number: type):
    (line,) = with_ballot(kind, {name: {"a": True}})["ballot"]
    assert type(line["points"]) is number


def test_one_vote_needs_no_other_name():
    assert with_ballot("one", {"vote": "a"}) == {"vote": "a"}
    assert with_ballot("score", {"vote": "a"}) == {"vote": "a"}
