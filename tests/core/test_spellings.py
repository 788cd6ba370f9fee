"""Replies in the words of the sources: other names of fields, null for empty, maps for lists."""

import pytest

from debate_core.engine.field_aliases import with_ballot
from debate_core.engine.reply_parser import read_turn
from debate_core.engine.validate_content import mended_fields, option_spelt, read_content
from debate_core.errors import BadReply
from debate_core.report.facts.debate_facts import facts
from debate_core.report.facts.office_turns import evaluation_rows
from debate_core.spec.contents import (
    Argument,
    Claim,
    Content,
    Directive,
    Evaluation,
    Framing,
    Gives,
    Linked,
    Position,
    Positions,
    Quality,
    Strongest,
    Synthesis,
    Verdict,
)
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Driver, Spec
from debate_core.spec.rules import Elected, Majority
from debate_core.spec.values import BallotKind, Seat
from tests.by_hand import ASSESS, OPEN, small, small_spec
from tests.prompt_views import spec_of


def read(kind: Gives, **fields: object) -> Content:
    return read_content(spec_of(), kind, fields, asks_ballot=False)


def voted(**fields: object) -> Content:
    return read_content(spec_of(), "argument", fields, asks_ballot=True)


def test_a_verdict_names_its_winner():  # R074, R111
    said = {"verdict": "Move it.", "reasoning": "Because."}
    assert read("verdict", winner=" MOVE", **said) == Verdict(verdict="Move it.", reasoning="Because.", option="move")
    assert read("verdict", winner=None, **said) == Verdict(verdict="Move it.", reasoning="Because.")


def test_a_moderators_decision():  # R088, R098
    decision = {"nextSpeakers": ["cost", "Risk "], "briefing": None, "newAngle": "And the bill?", "done": False}
    assert read("directive", **decision) == Directive(
        reason="no reason was given", next_speakers=("cost", "risk"), new_angle="And the bill?"
    )
    assert read("directive", reason="Both matter.", next_speakers=["cost"]) == Directive(
        reason="Both matter.", next_speakers=("cost",)
    )
    with pytest.raises(BadReply, match="there is no debater 'nobody': next_speakers can name risk, cost, load"):  # R096
        read("directive", nextSpeakers=["nobody"], done=False)
    with pytest.raises(BadReply, match="next_speakers is empty and done is false"):  # R095
        read("directive", nextSpeakers=[], done=False)


def test_a_moderator_evaluation():  # R230
    evaluation = read(
        "evaluation",
        argumentQualityScore={"proposer": 8, "critic": 12},
        resolvedPoints=["Both work."],
        unresolvedPoints=[{"text": "The price.", "links": None}],
        recommendAnotherRound=True,
        synthesis="Even.",
        confidenceLevel="Moderate",
        explicitUncertainties=None,
    )
    assert evaluation == Evaluation(
        synthesis="Even.",
        quality=(Quality(seat="proposer", score=8), Quality(seat="critic", score=10)),
        resolved=(Linked(text="Both work."),),
        unresolved=(Linked(text="The price."),),
        recommend_another_round=True,
        confidence_level="MODERATE",
    )
    assert read("evaluation", critique="Vague.", confidence_level="medium") == Evaluation(
        synthesis="Vague.", confidence_level="MODERATE"
    )


def test_how_sure_an_evaluator_is_that_did_not_say_is_unknown():
    given = read("evaluation", critique="Vague.")
    assert given == Evaluation(synthesis="Vague.", confidence_level=None)
    played = small(OPEN, ASSESS, rounds=1, decide=Majority())
    played.vote({"s0": "a", "s1": "b", "s2": "c"})
    played.say(given)
    assert [r.text for r in evaluation_rows(played.state) if r.section == "confidence_level"] == ["unknown"]
    known = facts(played.state, forecast_usd=None)
    assert known is not None
    assert known.low is None


def test_a_framing():  # R245
    assert read("framing", thesis="It pays.", scope=None, keyEvidence=["E1"]) == Framing(
        thesis="It pays.", key_sources=("E1",)
    )


def test_the_positions_of_a_round():  # R227, R228, R229
    proposal = {
        "thesis": "Move.",
        "supporting_arguments": ["It pays."],
        "evidence_cited": ["the load test", "the bill"],
    }
    assert read("argument", **proposal) == Argument(
        rationale="Move.\n\nEvidence: the load test; the bill", claims=(Claim(text="It pays."),)
    )
    critique = {
        "thesis": "It fails.",
        "counter_arguments": ["It breaks."],
        "evidence_cited": [],
        "challengeStrength": 7,
    }
    assert read("critique", **critique) == Argument(
        kind="critique", rationale="It fails.", claims=(Claim(text="It breaks."),), strength=7
    )
    rebuttal = {"thesis": "It holds.", "rebuttals": ["It does not."], "concessions": ["critic.1.1"]}
    assert read("rebuttal", **rebuttal) == Argument(
        kind="rebuttal", rationale="It holds.", claims=(Claim(text="It does not."),), concedes=("critic.1.1",)
    )


@pytest.mark.parametrize("evidence", ["the load test; the bill", ["the load test", "the bill"]])
def test_what_a_position_rests_on_is_its_reason(evidence: object):  # R227
    given = {"name": "for", "claim": "Move.", "key_evidence": evidence}
    because = "the load test; the bill"
    assert read("positions", reason="x", positions=[given]) == Positions(
        reason="x", positions=(Position(name="for", claim="Move.", because=because),)
    )
    assert read("positions", reason="x", positions=[{"name": "for", "claim": "Move.", "because": because}])
    with pytest.raises(BadReply, match="because"):
        read("positions", reason="x", positions=[{**given, "key_evidence": [1, 2]}])


@pytest.mark.parametrize("name", ["key_argument", "key_arg"])
def test_the_best_argument_of_each_side(name: str):  # R159
    given = {"answer": "So.", "confidence": 0.8, f"{name}_a": "Cheap.", f"{name}_b": "Safe."}
    assert read("synthesis", **given) == Synthesis(
        answer="So.",
        strongest=(Strongest(option="a", text="Cheap."), Strongest(option="b", text="Safe.")),
        confidence=80,
    )


@pytest.mark.parametrize(
    ("given", "read_as"),
    [(0.7, 70), (1.0, 100), (1, 1), (0, 0), (0.0, 0), (55.4, 55), (140, 100), pytest.param(10**400, 100, id="huge")],
)
def test_a_confidence_between_nothing_and_one_is_a_share(given: float, read_as: int):
    content = read("argument", rationale="r", confidence=given)
    assert isinstance(content, Argument)
    assert content.confidence == read_as


def test_an_unrepresentable_confidence_is_refused():
    for given in (f"{10**400}", f"{10**400}%", f"1 of {10**400}", float("inf")):
        with pytest.raises(BadReply, match="confidence: "):
            read("argument", rationale="r", confidence=given)


def test_a_missing_vote_is_no_vote_and_null_is_an_abstention():
    with pytest.raises(BadReply, match="the reply has no vote"):
        voted(rationale="r")
    assert voted(rationale="r", vote=None) == Argument(rationale="r")
    assert voted(rationale="r", Vote="Move") == Argument(rationale="r", vote="move")


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("verdict", {"reasoning": "r", "option": "move", "winner": "stay"}, "verdict.winner: extra inputs"),
        ("verdict", {"reasoning": "r", "champion": "move"}, "verdict.champion: extra inputs"),
        ("verdict", {"reasoning": "r", "winner": "the bold one"}, "the option 'the bold one' is none of the options"),
        ("argument", {"rationale": "r", "thesis": "t"}, "argument.thesis: extra inputs"),
        ("argument", {"rationale": "r", "evidence_cited": [5]}, "argument.evidence_cited: extra inputs"),
        ("framing", {"thesis": None}, "framing.thesis: field required"),
        ("evaluation", {"synthesis": "s", "quality": {"a": "good"}}, "evaluation.quality.0.score: input should be"),
        ("evaluation", {"synthesis": "s", "confidenceLevel": "sure"}, "evaluation.confidence_level: input should be"),
    ],
)
def test_what_has_no_place_is_refused_by_its_name(kind: Gives, fields: dict[str, object], why: str):
    with pytest.raises(BadReply, match=why):
        read(kind, **fields)


BALLOTS: list[tuple[BallotKind, str, object, object]] = [
    ("score", "scores", {"a": 5}, [("a", 5)]),
    ("score", "scores", {"a": True}, [("a", True)]),
    ("score", "scores", {"a": {"score": 4}}, [("a", 4)]),
    ("score", "scores", {"a": {"points": 3, "score": 4}}, [{"option": "a", "points": 3, "score": 4}]),
    ("score", "scores", {"a": {"score": 4, "rank": 1}}, [{"option": "a", "points": 4, "rank": 1}]),
    ("score", "scores", {"a": {"says": "veto"}}, [("a", "veto")]),
    ("score", "scores", {"a": "veto", "b": False}, [("a", "veto"), ("b", False)]),
    ("score", "scores", [3, {"option": "a", "score": 2}], [3, ("a", 2)]),
    ("dots", "dots", {"a": {"dots": 2}}, [("a", 2)]),
    (
        "consent",
        "consent",
        {"a": " Veto ", "b": "No objection", "c": "perhaps"},
        [("a", 2), ("b", 0), ("c", "perhaps")],
    ),
    ("consent", "consent", {"a": {"says": "Object"}, "b": {"points": 1}}, [("a", 2), ("b", 1)]),
    ("consent", "consent", {"a": {"says": ["veto"]}, "b": True}, [("a", ["veto"]), ("b", True)]),
    ("consent", "consent", ["veto"], ["veto"]),
    ("approval", "approvals", {"a": True, "b": False, "c": 1}, [("a", 1), ("c", 1)]),
    ("approval", "approvals", ["a", {"option": "b"}], [("a", 1), {"option": "b"}]),
    ("approval", "approvals", "a", "a"),
    ("ranking", "ranking", ["a", ["b", "c"], "d"], [("a", 1), ("b", 2), ("c", 2), ("d", 3)]),
    ("ranking", "ranking", [{"option": "a", "place": 2}, "b"], [("a", 2), "b"]),
    ("ranking", "ranking", {"a": False}, [("a", False)]),
    ("criteria", "scores", {"a": {"cost": 4}, "b": 3}, [{"option": "a", "driver": "cost", "points": 4}, ("b", 3)]),
]


@pytest.mark.parametrize(("kind", "field", "said", "ballot"), BALLOTS)
def test_each_kind_of_ballot_in_the_words_of_models(kind: BallotKind, field: str, said: object, ballot: object):
    given = ballot
    if isinstance(ballot, list):
        given = [{"option": g[0], "points": g[1]} if isinstance(g, tuple) else g for g in ballot]
    assert with_ballot(kind, {"rationale": "why", field: said}) == {"rationale": "why", "ballot": given}
    there_already = {field: said, "ballot": []}
    assert with_ballot(kind, there_already) == there_already


def test_ballot_names_match_in_any_case_and_are_else_unchanged():
    drivers = (Driver(name="Cost", weight=60), Driver(name="Risk", weight=40))
    spec = small_spec(OPEN, decide=Elected(kind="weighted_criteria")).model_copy(update={"drivers": drivers})
    ballot = [{"option": " B ", "driver": " COST", "points": 4}, {"option": "b", "driver": "taste", "points": 1}]
    read = mended_fields(
        spec, "argument", {"rationale": "why", "ballot": [*ballot, {"option": 7}, {}, "b", None]}, asks_ballot=True
    )
    assert read["ballot"] == [
        {"option": "b", "driver": "Cost", "points": 4},
        {"option": "b", "driver": "taste", "points": 1},
        *({"option": 7}, {}, "b", None),
    ]
    assert mended_fields(spec, "argument", {"vote": " C ", "ballot": "b"}, asks_ballot=True) == {
        "kind": "argument",
        "vote": "c",
        "ballot": "b",
    }


MARKED = ("**move**", '"move"', "move.", "`Move`", "(move)", " *move*! ", "\u201cmove.\u201d", "- move", "__move__")


@pytest.mark.parametrize("vote", MARKED)
def test_marks_around_a_vote_are_stripped(vote: str):
    read = read_turn(marked_spec("move", "stay"), "argument", {"rationale": "It pays.", "vote": vote}, asks_ballot=True)
    assert read.content.names == ("move",)


@pytest.mark.parametrize(
    ("options", "vote", "named"),
    [
        (("C", "C#"), "C#", "C#"),
        (("C", "C#"), "c", "C"),
        (("C", "C#"), '"C"', None),
        (("C#", "F#"), "**C#**", "C#"),
        (("C#", "F#"), "C", "C#"),
        (("+", "-"), "+", "+"),
        (("+", "-"), '"+"', None),
        (("move", "stay"), "move or stay", None),
        (("move", "stay"), "**move** it", None),
        (("move", "stay"), "*abstain*", "abstain"),
    ],
)
def test_marks_are_stripped_only_where_one_option_remains(options: tuple[str, str], vote: str, named: str | None):
    assert option_spelt(marked_spec(*options), vote) == named


def test_marks_around_other_names_are_stripped_too():
    verdict = {"reasoning": "It pays.", "verdict": "So.", "option": "**none**"}
    assert read_turn(marked_spec("move", "stay"), "verdict", verdict, asks_ballot=False).content.names == ()
    named = {**verdict, "option": '"Stay".'}
    assert read_turn(marked_spec("move", "stay"), "verdict", named, asks_ballot=False).content.names == ("stay",)
    directive = {"reason": "All.", "next_speakers": ["**ana**", "bo."]}
    read = read_turn(marked_spec("move", "stay"), "directive", directive, asks_ballot=False)
    assert isinstance(read.content, Directive)
    assert read.content.next_speakers == ("ana", "bo")


def marked_spec(*options: str) -> Spec:
    seats = [Seat(id="ana", occupant="scripted"), Seat(id="bo", occupant="scripted")]
    return compose("Which?", options, protocol("bounded_vote"), seats)
