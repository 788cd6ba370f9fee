"""A synthesis after it was given: versions of people, flags of the room, its draft, and claims for losing options."""

import csv
import io
import json

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.errors import RuleViolation
from debate_core.record import acts
from debate_core.record.commands import SetMark, TakeTurn
from debate_core.report.facts.account import account
from debate_core.report.facts.debate_facts import facts
from debate_core.report.facts.health import findings
from debate_core.report.facts.lost_claims import LostClaims, lost_claims
from debate_core.report.facts.synthesis import (
    Kept,
    differences,
    draft_kept,
    flag_rows,
    lines_said,
    standing,
    synthesis_rows,
    version_sentence,
    versions,
)
from debate_core.report.files.export import csv_files, debate_json, dumps
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.lost_claims import lost_claims_sentence
from debate_core.spec.contents import Argument, Claim, Linked, Mark, Strongest, Synthesis
from debate_core.spec.people import Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from tests.by_hand import small
from tests.people import ABE, EVERYBODY, FAY, GUS, MO, OLA, OPTIONS, SYD
from tests.playing import Played

FAST = "The new queue handled 4,000 messages per second in our load test."
DEAR = "Running it costs $900 a month and needs a second operator."
DRAFT = Synthesis(
    answer="The queue is fast enough.",
    strongest=tuple(Strongest(option=o, text=FAST, links=("s0.1.1",)) for o in OPTIONS),
    established=(Linked(text=FAST, links=("s0.1.1",)),),
    contested=(Linked(text="It saves 40 % of the cost.", links=("s1.1.1",)),),
)
VERSION = DRAFT.model_copy(
    update={
        "answer": "The queue is fast enough. It costs $900 a month.",
        "contested": (Linked(text="It costs $900 a month and 12 hours of training.", links=("s1.1.1",)),),
        "option": "adopt",
        "confidence": 70,
    }
)
OWN = acts.OwnWords(line="It costs $900 a month and 12 hours of training.", reason="I asked the vendor in the break.")


@pytest.fixture
def played() -> Played:
    """One round of three seats, a synthesis by code at the end."""
    played = before_the_synthesis()
    return played.say(DRAFT)


def before_the_synthesis() -> Played:
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening"),),
        after=(Phase(name="synthesis", gives="synthesis", role="synthesiser"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    seats = (
        *(Seat(id=f"s{i}", occupant="scripted") for i in range(3)),
        Seat(id="syn", role="synthesiser", occupant="offline"),
    )
    room = Room(people=EVERYBODY)
    played = Played(Spec(question="Which?", options=OPTIONS, seats=seats, protocol=protocol, max_rounds=1, room=room))
    played.go_on()
    while (asked := requests(played.state)[0]).gives == "argument":
        said = FAST if asked.seat == "s0" else DEAR
        argument = Argument(rationale=said, claims=(Claim(text=said),), vote="adopt")
        played.do(TakeTurn(by=asked.seat, request=asked.id, content=argument))
    return played


def test_a_synthesis_by_a_stand_in_carries_their_name():
    played = before_the_synthesis().act(FAY, acts.SeatTaken(seat="syn", reason="It does not answer."))
    played.do(TakeTurn(by=FAY.id, request=requests(played.state)[0].id, content=DRAFT))
    assert version_sentence(versions(played.state)) == "Given by Fay."


def test_a_persons_latest_version_stands_and_the_first_is_kept(played):
    assert version_sentence(()) == ""
    assert version_sentence(versions(played.state)) == "Given by syn (code, no judgement)."
    played.act(SYD, acts.SynthesisRevised(content=VERSION, own_words=(OWN,), reason="after the break"))
    assert verify(played.events) == ()
    assert [(v.content, v.by, v.drafted) for v in versions(played.state)] == [
        (DRAFT, "syn", "offline"),
        (VERSION, "Syd", ""),
    ]
    words = "Version 2 of 2, by Syd; first given by syn (code, no judgement). All are kept."
    assert version_sentence(versions(played.state)) == words
    version = standing(played.state)
    assert version is not None
    assert (version.own_words, version.reason) == ((OWN,), "after the break")
    # A narrative changes no count.
    assert played.state.outcome is not None
    assert played.state.outcome.decided_by == "threshold_vote"


def test_only_a_synthesiser_writes_versions_with_sources(played):
    with pytest.raises(RuleViolation, match="synthesis revised is for the synthesiser"):
        played.act(GUS, acts.SynthesisRevised(content=VERSION))
    loose = VERSION.model_copy(update={"established": (Linked(text="Bare"),)})
    with pytest.raises(RuleViolation, match="no claim is linked to the line 'Bare'"):
        played.act(SYD, acts.SynthesisRevised(content=loose))
    assert len(versions(played.state)) == 1


def test_rows_have_links_coverage_flags_and_who_accepted(played):
    rows = {r.line_id: r for r in synthesis_rows(played.state)}
    assert {i: r.flags for i, r in rows.items()} == {
        "answer.1": (),
        **{f"strongest.{n}": () for n in (1, 2, 3)},
        "established.1": (),
        "contested.1": ("not_said",),
    }
    assert (rows["established.1"].coverage, rows["established.1"].accepted_by) == (1.0, ())
    assert (rows["answer.1"].coverage, rows["strongest.1"].text) == (None, f"{OPTIONS[0]}: {FAST}")
    assert [f.sentence for f in findings(played.state) if f.name.startswith("synthesis")] == [
        "1 line of the synthesis contains facts that no one stated: 40 %."
    ]
    played.act(SYD, acts.SynthesisRevised(content=VERSION, own_words=(OWN,)))
    rows = {r.line_id: r for r in synthesis_rows(played.state)}
    assert rows["contested.1"].flags == ("not_said", "own_words")
    assert {r.accepted_by for r in rows.values()} == {("Syd",)}
    assert [f.name for f in findings(played.state) if f.name.startswith("synthesis")] == []


def test_who_signed_the_decision_accepted_the_synthesis_too(played):
    played.act(SYD, acts.SynthesisRevised(content=VERSION))
    for act in (acts.PollOpened(poll="final"), acts.PollClosed(poll="final"), acts.PollRevealed(poll="final")):
        played.act(FAY, act)
    played.act(ABE, acts.Signed(verdict="accept", option="adopt"))
    assert {r.accepted_by for r in synthesis_rows(played.state)} == {("Syd", "Abe")}
    # The last signature holds: whoever rejects it accepts nothing, and may accept it again.
    for signature, accepted in (
        (acts.Signed(verdict="reject", reason="late"), ("Syd",)),
        (acts.Signed(verdict="accept_with_changes", option="adopt", changes="Later."), ("Syd", "Abe")),
    ):
        played.act(ABE, signature)
        assert {r.accepted_by for r in synthesis_rows(played.state)} == {accepted}
    # What is written afterwards nobody has signed.
    played.act(SYD, acts.SynthesisRevised(content=VERSION.model_copy(update={"option": "reject"})))
    assert {r.accepted_by for r in synthesis_rows(played.state)} == {("Syd",)}


def test_flags_stay_beside_their_line_until_settled(played):
    line = DRAFT.contested[0].text
    played.act(GUS, acts.Flagged(line=line, reason="nobody said 40 %"))
    with pytest.raises(RuleViolation, match="observer"):
        played.act(OLA, acts.Flagged(line=line))
    assert synthesis_rows(played.state)[-1].flags == ("not_said", "flagged")
    # Where the line was rewritten the flag is still exported, with the words it was put on.
    played.act(SYD, acts.SynthesisRevised(content=VERSION))
    last = synthesis_rows(played.state)[-1]
    number = flag_rows(played.state)[0].flag
    assert (last.line_id, last.section, last.text, last.flags) == (f"flag.{number}", "flag", line, ("flagged",))
    played.act(SYD, acts.FlagResolved(flag=number, reason="rewritten"))
    told = flag_rows(played.state)[0]
    assert (told.by, told.reason, told.resolved, told.resolved_by) == ("Gus", "nobody said 40 %", "rewritten", "Syd")
    assert [r.section for r in synthesis_rows(played.state)][-1] == "contested"


def test_a_line_is_settled_when_all_who_flagged_it_were_answered(played):
    for who in (GUS, ABE):
        played.act(who, acts.Flagged(line=FAST, reason="of which queue?"))
    for flag, told in zip(flag_rows(played.state), ("flagged", "flag_settled"), strict=True):
        played.act(SYD, acts.FlagResolved(flag=flag.flag, reason="the new one"))
        assert {r.flags for r in synthesis_rows(played.state) if r.section == "established"} == {(told,)}


@pytest.mark.parametrize(("by_person", "flags"), [(False, ()), (True, ("not_said",))])
def test_a_persons_answer_cites_turns_and_codes_answer_counts(by_person: bool, flags: tuple[str, ...]):
    counts = DRAFT.model_copy(update={"answer": "It rests on 17 claims."})
    played = before_the_synthesis()
    if by_person:
        played.act(FAY, acts.SeatTaken(seat="syn", reason="It does not answer.")).say(counts, by=FAY.id)
    else:
        played.say(counts)
    assert {r.flags for r in synthesis_rows(played.state) if r.section == "answer"} == {flags}


def test_how_much_of_a_draft_was_kept_and_what_was_changed(played):
    assert draft_kept(played.state) is None
    played.act(SYD, acts.SynthesisRevised(content=VERSION))
    # The sentence of the answer, three strongest arguments and the established line; not option and contested.
    assert draft_kept(played.state) == Kept(5, 7)
    added = facts(played.state, forecast_usd=None)
    assert added is not None
    assert added.draft_lines == (True,) * 5 + (False,) * 2
    assert differences(DRAFT, VERSION) == {
        "answer": (("kept", "The queue is fast enough."), ("in", "It costs $900 a month.")),
        "option": (("out", "none"), ("in", "adopt")),
        "confidence": (("in", "70 %"),),
        "strongest": tuple(("kept", f"{o}: {FAST}") for o in OPTIONS),
        "established": (("kept", FAST),),
        "contested": (("out", DRAFT.contested[0].text), ("in", VERSION.contested[0].text)),
    }


def test_files_name_the_standing_version_and_keep_the_first(played):
    played.act(GUS, acts.Flagged(line=FAST, reason="of which queue?"))
    played.act(SYD, acts.SynthesisRevised(content=VERSION, own_words=(OWN,)))
    state, events = played.state, played.events
    rows = list(csv.DictReader(io.StringIO(csv_files(account(state, events))["synthesis.csv"])))
    assert rows[-1]["flags"] == "not_said; own_words"
    assert {r["accepted_by"] for r in rows} == {"Syd"}
    whole = debate_json(account(state, events))
    told = json.loads(json.dumps(whole))
    assert told["result"]["synthesis"] == VERSION.model_dump(mode="json")
    assert [(v["by"], v["drafted_by"]) for v in told["synthesis_versions"]] == [("syn", "offline"), ("Syd", None)]
    assert [(f["line"], f["resolved"]) for f in told["synthesis_flags"]] == [(FAST, "")]
    for report in (text_report(account(state, events)), markdown_report(account(state, events))):
        plain = report.replace("\\", "")
        for words in ("Version 2 of 2, by Syd", "I asked the vendor in the break", "of which queue?", "not settled"):
            assert words in plain
    assert "It saves 40 % of the cost" in markdown_report(account(state, events)).replace("\\", "")


def test_each_sentence_and_line_is_flagged_once():
    assert lines_said(VERSION) == (
        "The queue is fast enough.",
        "It costs $900 a month.",
        FAST,
        "It costs $900 a month and 12 hours of training.",
    )


NEW_TEAM = "No one in the team has operated such a store before."
LATE = "The vendor promised the migration tool for the coming spring."
CLAIMS = {"s0": (FAST,), "s1": (FAST, "It is quick to set up on our own machines."), "s2": (DEAR, NEW_TEAM, LATE)}
"""The claims of each seat: the last seat votes for another option than the first two."""
LINKS_ONE = Linked(text="Its cost is disputed.", links=("s2.1.1",))


def synthesised(votes: str, *lines: Linked, answer: str = "We adopt it.") -> Played:
    """One round of three seats with these votes, and a synthesis with these contested points."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening"),),
        after=(Phase(name="synthesis", gives="synthesis", role="synthesiser"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    seats = (
        *(Seat(id=seat, occupant="scripted") for seat in CLAIMS),
        Seat(id="syn", role="synthesiser", occupant="offline"),
    )
    spec = Spec(
        question="Which?", options=OPTIONS, seats=seats, protocol=protocol, max_rounds=1, room=Room(people=EVERYBODY)
    )
    held = Played(spec).go_on()
    for (seat, texts), vote in zip(CLAIMS.items(), votes.split(), strict=True):
        claims = tuple(Claim(text=text) for text in texts)
        held.say(Argument(rationale="why", vote=vote, claims=claims), by=seat)
    return held.say(Synthesis(answer=answer, contested=lines), by="syn")


def told(held: Played) -> tuple[LostClaims | None, str]:
    found = account(held.state, held.events)
    return lost_claims(found), lost_claims_sentence(found)


@pytest.mark.parametrize(
    ("lines", "answer", "appear"),
    [
        ((), "We adopt it.", 0),
        ((LINKS_ONE,), "We adopt it.", 1),
        ((LINKS_ONE,), f"We adopt it. {NEW_TEAM}", 2),
        ((Linked(text="All agree.", links=("s2.1.1", "s2.1.2", "s2.1.3")),), "We adopt it.", 3),
        ((Linked(text=FAST, links=("s0.1.1",)),), "We adopt it.", 0),
    ],
)
def test_claims_of_the_losing_side_count_if_linked_or_said(lines: tuple[Linked, ...], answer: str, appear: int):
    held = synthesised("adopt adopt defer", *lines, answer=answer)
    verb = "appears" if appear == 1 else "appear"
    sentence = f"Claims of options that lost: {appear} of 3 {verb} in it."
    assert told(held) == (LostClaims(appear, 3), sentence)
    found = account(held.state, held.events)
    for report in (text_report(found), markdown_report(found)):
        assert sentence in report
    assert json.loads(dumps(debate_json(found)))["lost_claims"] == {"appear": appear, "of": 3}


def test_a_later_version_of_a_person_is_counted_instead():
    held = synthesised("adopt adopt defer", LINKS_ONE)
    held.act(SYD, acts.SynthesisRevised(content=Synthesis(answer="We adopt it.")))
    assert told(held)[0] == LostClaims(0, 3)


def test_marks_of_people_precede_ballots_for_lost_claims():
    held = synthesised("adopt adopt defer", LINKS_ONE)
    for claim, reading, option in (
        ("s2.1.1", "supports", "adopt"),
        ("s2.1.2", "neutral", "defer"),
        ("s0.1.1", "supports", "reject"),
    ):
        held.do(SetMark(by=MO.id, mark=Mark.model_validate({"claim_id": claim, "reading": reading, "option": option})))
    # Only the third claim of s2 and the first one of s0 are left, and no line links them.
    assert told(held)[0] == LostClaims(0, 2)


def test_lost_claims_are_unknown_without_a_loser():
    undecided = synthesised("adopt defer reject", LINKS_ONE)
    assert told(undecided)[1] == "Claims of options that lost: unknown, because no option was decided."
    unanimous = synthesised("adopt adopt adopt", LINKS_ONE)
    assert told(unanimous)[1] == "Claims of options that lost: unknown, because no claim is known to support one."


def test_lost_claims_need_an_end_and_a_synthesis():
    held = small(Phase(name="opening"), decide=Threshold(votes=2))
    assert told(held) == (None, "")
    assert told(held.play("a")) == (None, "")
