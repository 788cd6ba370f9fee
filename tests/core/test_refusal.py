"""Content that is refused, with its sentence, and formal faults that are repaired."""

import pytest

from debate_core.engine.validate_content import fault_in_content, read_content, weak
from debate_core.errors import BadReply, RuleViolation
from debate_core.record.commands import SetMark, TakeTurn
from debate_core.spec.contents import (
    Argument,
    Claim,
    Content,
    Directive,
    Evaluation,
    Framing,
    Gives,
    Mark,
    Review,
    Verdict,
)
from tests.by_hand import preset_spec
from tests.playing import Played


def test_a_mark_must_name_a_claim_and_an_option() -> None:
    played = Played(preset_spec(2, threshold=2))
    content = Argument(rationale="why", vote="a", claims=(Claim(text="x"),))
    played.do(TakeTurn(by="s0", request="1.proposal.s0.1", content=content))
    with pytest.raises(RuleViolation, match="no claim"):
        played.do(SetMark(by="anna", mark=Mark(claim_id="s9.1.1", reading="neutral")))
    with pytest.raises(RuleViolation, match="which option"):
        played.do(SetMark(by="anna", mark=Mark(claim_id="s0.1.1", reading="supports")))


REPLIES = [
    ({"rationale": "x"}, "no vote"),
    ({"rationale": "x", "vote": "maybe"}, "none of the options"),
    ({"rationale": "", "vote": "a"}, "rationale"),
    ({"rationale": "  ", "vote": "a"}, "rationale"),
    ({"vote": "a"}, "rationale"),
    ([], "not a JSON object"),
    ("a", "not a JSON object"),
    ({"rationale": "x", "vote": 7}, "vote"),
    ({"rationale": "x", "vote": "a", "verdict": "b"}, "verdict"),
]


@pytest.mark.parametrize(("reply", "why"), REPLIES)
def test_a_malformed_reply_is_never_a_ballot(reply, why) -> None:
    # R062
    with pytest.raises(BadReply, match=why):
        read_content(preset_spec(3), "argument", reply, asks_ballot=True)


def test_only_the_form_of_a_reply_is_mended() -> None:
    reply = {"rationale": "x", "vote": " A ", "confidence": 250}
    content = read_content(preset_spec(3), "argument", reply, asks_ballot=True)
    assert content == Argument(rationale="x", vote="a", confidence=100)


def test_what_a_mark_names_is_mended_as_a_vote_is() -> None:
    marks = [
        {"claim_id": "s0.1.1", "reading": "supports", "option": " A "},
        {"claim_id": "s0.1.2", "reading": "neutral", "option": "None"},
    ]
    content = read_content(preset_spec(3), "review", {"marks": marks}, asks_ballot=False)
    assert isinstance(content, Review)
    assert [mark.option for mark in content.marks] == ["a", None]


def test_a_review_must_say_which_option_a_passage_supports() -> None:
    played = Played(preset_spec(2, threshold=2))
    mark = Mark(claim_id="s0.1.1", reading="supports")
    assert (
        fault_in_content(played.state.spec, "review", Review(marks=(mark,)))
        == "say which option s0.1.1 supports: a, b, c"
    )
    neutral = mark.model_copy(update={"reading": "neutral"})
    assert fault_in_content(played.state.spec, "review", Review(marks=(neutral,))) is None


EMPTY: list[tuple[Gives, Content, str | None]] = [
    ("framing", Framing(thesis=" "), "the thesis is empty: write it"),
    ("framing", Framing(thesis="It pays."), None),
    ("evaluation", Evaluation(synthesis=" "), "the synthesis is empty: write it"),
    ("verdict", Verdict(reasoning=" "), "the reasoning is empty: write it"),
    ("verdict", Verdict(reasoning="x", option="z"), "the option 'z' is none of the options: a, b, c"),
    ("verdict", Verdict(reasoning="x"), None),
    ("directive", Directive(reason="x", done=True), None),
    ("verdict", Framing(thesis="x"), "this request asks for verdict, not for framing"),
    ("critique", Argument(rationale="x"), None),
    ("critique", Framing(thesis="x"), "this request asks for critique, not for framing"),
    ("framing", Argument(rationale="x"), "this request asks for framing, not for argument"),
]


@pytest.mark.parametrize(("gives", "content", "why"), EMPTY)
def test_what_each_office_gives_needs_words_and_known_options(gives: Gives, content: Content, why: str | None) -> None:
    # R062
    assert fault_in_content(preset_spec(3), gives, content) == why


@pytest.mark.parametrize(
    ("gives", "reply", "why"),
    [
        ("review", {"marks": ["s0.1.1 supports a"]}, "marks"),
        ("directive", {"reason": "x", "next_speakers": [7]}, "next_speakers"),
        ("positions", {"reason": "x", "positions": ["for"]}, "positions"),
    ],
)
def test_an_entry_of_the_wrong_kind_is_named_in_the_refusal(gives: Gives, reply: dict[str, object], why: str) -> None:
    with pytest.raises(BadReply, match=why):
        read_content(preset_spec(3), gives, reply, asks_ballot=False)


def test_a_weak_critique_is_told_its_own_rating() -> None:
    # R238
    said = Argument(kind="critique", rationale="Hm.", strength=4)
    assert weak(6, said) == "it rates its own strength 4 of 10, below 6: strike harder, and at what matters most"
    assert weak(6, said.model_copy(update={"strength": 6})) is None
    assert weak(6, said.model_copy(update={"strength": None})) is None
    assert weak(None, said) is None
