"""Properties of each kind of content: its prose, the lines beside it, the options it names."""

from typing import get_args

import pytest

from debate_core.spec.contents import (
    CONTENT_TYPES,
    Argument,
    Candidate,
    Candidates,
    Claim,
    ContentLine,
    CruxAnswer,
    Directive,
    Evaluation,
    Framing,
    Gives,
    Linked,
    Mark,
    Position,
    Positions,
    Premortem,
    Quality,
    Review,
    Strongest,
    StruckCandidate,
    SupposedVote,
    Synthesis,
    TurnContent,
    Verdict,
)
from debate_core.spec.values import Given

ARGUMENT = Argument(
    rationale="It pays.",
    claims=(Claim(id="risk.1.1", text="It is slow.", answers=("eng.1.1",), concedes=("eng.1.2",)),),
    vote="adopt",
)
SYNTHESIS = Synthesis(
    answer="It holds.",
    strongest=(Strongest(option="adopt", text="It pays.", links=("risk.1.1",)),),
    established=(Linked(text="Cheap.", links=("risk.1.1",)),),
    contested=(Linked(text="Slow."),),
    option="adopt",
    confidence=70,
)
CONTENTS: dict[TurnContent, tuple[ContentLine, ...]] = {
    ARGUMENT: (ContentLine("claim", "It is slow.", ("eng.1.1", "eng.1.2"), "risk.1.1"),),
    SYNTHESIS: (
        ContentLine("strongest", "It pays.", ("risk.1.1",), "adopt"),
        ContentLine("established", "Cheap.", ("risk.1.1",)),
        ContentLine("contested", "Slow."),
        ContentLine("option", "adopt"),
        ContentLine("confidence", "70"),
    ),
    Review(marks=(Mark(claim_id="risk.1.1", reading="supports", option="adopt"),)): (
        ContentLine("mark", "supports adopt", subject="risk.1.1"),
    ),
    Framing(thesis="We adopt.", scope="This year.", criteria=("Cost",), key_sources=("E1", "E2")): (
        ContentLine("scope", "This year."),
        ContentLine("criterion", "Cost"),
        ContentLine("key_source", "E1"),
        ContentLine("key_source", "E2"),
    ),
    Positions(reason="Both.", positions=(Position(name="Now", claim="It pays.", because="Of E1."),)): (
        ContentLine("position", "It pays. Because: Of E1.", subject="Now"),
    ),
    Candidates(
        reason="So.",
        candidates=(Candidate(name="Outbox", text="A table.", builds_on=("Relay", "Polling")), Candidate(name="Relay")),
    ): (
        ContentLine("candidate", "A table. (builds on Relay, Polling)", subject="Outbox"),
        ContentLine("candidate", "Relay", subject="Relay"),
    ),
    Candidates(kind="screening", reason="So.", struck=(StruckCandidate(name="Magic", because="It is none."),)): (
        ContentLine("struck", "It is none.", subject="Magic"),
    ),
    Directive(reason="So.", next_speakers=("eng", "risk"), briefing="Be brief.", new_angle="Cost", done=True): (
        ContentLine("speakers", "eng, risk"),
        ContentLine("briefing", "Be brief."),
        ContentLine("new_angle", "Cost"),
        ContentLine("done", "this is the last round"),
    ),
    Evaluation(
        synthesis="Good.",
        quality=(Quality(seat="eng", score=7),),
        resolved=(Linked(text="Cheap.", links=("eng.1.1",)),),
        uncertainties=("When?",),
    ): (
        ContentLine("quality", "7", subject="eng"),
        ContentLine("resolved", "Cheap.", ("eng.1.1",)),
        ContentLine("another_round", "no"),
        ContentLine("confidence_level", "unknown"),
        ContentLine("uncertainty", "When?"),
    ),
    Verdict(reasoning="Because.", verdict="Adopt it.", option="adopt", confidence=60): (
        ContentLine("verdict", "Adopt it."),
        ContentLine("option", "adopt"),
        ContentLine("confidence", "60"),
    ),
    CruxAnswer(decided_by="eng.1.1"): (ContentLine("decided_by", "eng.1.1"),),
    CruxAnswer(kind="suppositions", supposed=(SupposedVote(claim_id="eng.1.1", option="adopt"),)): (
        ContentLine("if_false", "adopt", subject="eng.1.1"),
    ),
    Premortem(reasons=("The load doubled.", "No one ran it.")): (),
}


def test_every_kind_that_can_be_given_is_asked_here():
    assert {type(content) for content in CONTENTS} == set(CONTENT_TYPES)
    kinds = {kind for content in CONTENT_TYPES for kind in get_args(content.model_fields["kind"].annotation)}
    assert kinds == set(get_args(Gives))


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: content.kind)
def test_a_content_says_its_lines(content: TurnContent):
    assert content.lines == CONTENTS[content]


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: content.kind)
def test_the_prose_is_the_one_field_that_has_to_be_written(content: TurnContent):
    required = [name for name, field in type(content).model_fields.items() if field.is_required()]
    if isinstance(content, Premortem):
        # Its prose is a list of reasons.
        assert (required, content.prose) == (["reasons"], "The load doubled.\n\nNo one ran it.")
        return
    assert required == ([content.PROSE_FIELD] if content.PROSE_FIELD else [])
    assert content.prose == (getattr(content, content.PROSE_FIELD) if content.PROSE_FIELD else "")


def test_claims_belong_to_arguments_and_not_to_prose():
    assert ARGUMENT.prose == "It pays."
    assert ARGUMENT.words == "It pays.\nIt is slow."
    assert SYNTHESIS.words == SYNTHESIS.prose


def test_ballots_name_options_and_verdicts_the_chosen_one():
    ballot = (Given(option="adopt", points=1), Given(option="defer", points=1))
    assert ARGUMENT.names == ("adopt",)
    assert Argument(rationale="So.", ballot=ballot).names == ("adopt", "defer")
    assert Argument(rationale="So.", vote="abstain").names == ()
    assert SYNTHESIS.names == ("adopt",)
    assert Verdict(reasoning="So.").names == ()
    assert Directive(reason="So.").names == ()


def test_empty_fields_have_no_line():
    assert Framing(thesis="We adopt.").lines == ()
    assert Directive(reason="Again.", redo=True).lines == (ContentLine("redo", "sent back to the moderator"),)
    assert Synthesis(answer="Nothing.").lines == ()


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (Mark(claim_id="s0.1.1", reading="supports", option="a"), "supports a"),
        (Mark(claim_id="s0.1.1", reading="against", option="a"), "against a"),
        (Mark(claim_id="s0.1.1", reading="neutral", option="a"), "neutral"),
        (Mark(claim_id="s0.1.1", reading="supports"), "supports"),
    ],
)
def test_a_mark_says_for_what_it_reads_a_claim(mark: Mark, words: str) -> None:
    assert mark.words() == words
