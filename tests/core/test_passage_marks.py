"""The marks of the room on quoted passages: sealed, shown by the facilitator, counted, and part of no vote."""

import pytest

from debate_core.engine import passage_marks
from debate_core.engine.audit import verify
from debate_core.engine.next_step import SHOW_MARKS, next_step
from debate_core.engine.stage import sealed
from debate_core.errors import InvalidSpec
from debate_core.record.acts import MarksRevealed, Struck
from debate_core.record.commands import Stop
from debate_core.record.events import dump_record, parse_record
from debate_core.report.facts.account import account
from debate_core.report.facts.people_marks import MarkRow, by_option, by_passage, marking_progress, most_marked
from debate_core.report.files.export import export_files
from debate_core.report.phrases.marks import marking_words, marks_words
from tests.marking import CHAIR, IDS, marked, quoted
from tests.people import ANN, BEN, FAY, GUS, OLA, refused
from tests.playing import Played


def by_three() -> Played:
    """Three people have marked the first passage, two of them alike; Ann has looked at every one."""
    held = quoted()
    for who, words in ((ANN, "supports adopt"), (BEN, "supports adopt"), (GUS, "against defer")):
        held.act(who, marked(IDS[0], words))
    held.act(ANN, marked(IDS[1], "neutral"))
    for claim_id in IDS[2:]:
        held.act(ANN, marked(claim_id, "skipped"))
    return held


def test_marks_are_sealed_until_whoever_leads_shows_them():
    held = quoted()
    assert passage_marks.open_passages(held.state) == IDS
    before = next_step(held.state, FAY.id)
    assert before is not None
    assert before.words == "Let round 2 begin"
    held = by_three()
    assert account(held.state).marks == ()
    assert "the room's marks" in sealed(held.state)
    assert marking_words(held.state) == "1 of 3 people have seen every passage"
    step = next_step(held.state, FAY.id)
    assert step is not None
    assert step.words == SHOW_MARKS
    assert step.command is not None
    held.do(step.command)
    rows = by_passage(account(held.state).marks)
    assert marks_words(rows[IDS[0]]) == "2 for adopt, 1 against defer"
    assert marks_words(rows[IDS[1]]) == "1 neutral"
    assert [row.people for row in rows[IDS[2]]] == [1]
    assert marks_words(rows[IDS[2]]) == ""
    assert by_option(held.state, account(held.state).marks)["adopt"] == (2, 0)
    assert sealed(held.state) == ()
    assert passage_marks.open_passages(held.state) == ()
    assert marking_progress(held.state) is None
    assert verify(held.events) == ()
    assert parse_record(dump_record(held.events).encode()) == tuple(held.events)


def test_the_last_mark_of_each_person_stands_and_is_no_vote():
    held, plain = quoted(), quoted()
    for words in ("supports adopt", "skipped", "supports defer"):
        held.act(ANN, marked(IDS[0], words))
    held.act(FAY, MarksRevealed())
    (row,) = account(held.state).marks
    assert (row.reading, row.option, row.people, row.marked_by) == ("supports", "defer", 1, 1)
    assert (held.state.ballots, held.state.counted, held.state.marks) == (
        plain.state.ballots,
        plain.state.counted,
        plain.state.marks,
    )


def test_a_level_room_has_no_majority_reading():
    held = by_three().act(BEN, marked(IDS[0], "against defer")).act(GUS, marked(IDS[0], "supports adopt"))
    held.act(FAY, MarksRevealed())
    rows = by_passage(account(held.state).marks)
    most = most_marked(rows[IDS[0]])
    assert most is not None
    assert (most.reading, most.option) == ("supports", "adopt")
    assert most_marked(rows[IDS[2]]) is None
    level = quoted().act(ANN, marked(IDS[0], "neutral")).act(BEN, marked(IDS[0], "supports adopt"))
    level.act(FAY, MarksRevealed())
    assert most_marked(account(level.state).marks) is None


@pytest.mark.parametrize(
    ("who", "act", "words"),
    [
        (OLA, marked(IDS[0], "neutral"), "observer"),
        (ANN, marked("cost.9.9", "neutral"), "not a passage that waits for marks"),
        (ANN, marked(IDS[0], "supports nothing"), "none of the options: adopt, defer, reject"),
        (ANN, marked(IDS[0], "supports"), "none of the options"),
        (ANN, marked(IDS[0], "neutral adopt"), "speaks for no option"),
        (ANN, MarksRevealed(), "facilitator"),
        (CHAIR, MarksRevealed(), "no marks of the room to show"),
    ],
)
def test_a_mark_that_does_not_fit_is_refused(who, act, words):
    refused(quoted(), who, act, words)


def test_what_was_shown_stands():
    held = by_three().act(FAY, MarksRevealed())
    refused(held, ANN, marked(IDS[0], "neutral"), "can no longer change")
    refused(held, CHAIR, MarksRevealed(), "no marks of the room to show")


def test_marks_on_a_struck_turn_stay_hidden_until_the_end():
    held = by_three().act(FAY, Struck(turn="1.opening.cost", reason="another source"))
    assert account(held.state).marks == ()
    assert "the room's marks" in sealed(held.state)
    held.do(Stop(by=FAY.id, reason="enough"))
    assert passage_marks.open_passages(held.state) == ()
    assert {row.claim_id for row in account(held.state).marks} == set(IDS)
    assert sealed(held.state) == ()


def test_the_files_have_the_marks_by_number_and_nobodys_name():
    held = by_three()
    with pytest.raises(InvalidSpec, match="the room's marks"):
        export_files(account(held.state, held.events), "csv")
    held.do(Stop(by=FAY.id, reason="enough"))
    told = account(held.state, held.events)
    files = export_files(told, "all")
    lines = files["marks.csv"].decode("utf-8-sig").splitlines()
    assert lines[0] == '"debate_id","claim_id","reading","option","people","marked_by"'
    assert '"cost.1.1","supports","adopt","2","3"' in lines[1]
    assert len(lines) == 6
    report = files["report.md"].decode()
    assert "### Marks of the room" in report
    assert "2 for adopt, 1 against defer" in report
    assert "no count reads them" in report
    assert "marks.csv" not in export_files(account(quoted().do(Stop(by=FAY.id, reason="x")).state), "csv")


@pytest.mark.parametrize(
    ("given", "most"),
    [
        ((), None),
        ((("supports", "a", 1),), "supports a"),
        ((("supports", "a", 2), ("against", "a", 1)), "supports a"),
        ((("supports", "a", 1), ("neutral", "", 3)), "neutral "),
        ((("supports", "a", 2), ("against", "b", 2)), None),
        ((("supports", "a", 2), ("against", "b", 2), ("neutral", "", 3)), "neutral "),
        # Who skipped it has said nothing.
        ((("skipped", "", 9),), None),
        ((("supports", "a", 1), ("skipped", "", 9)), "supports a"),
    ],
)
def test_what_most_say_of_a_passage_is_one_reading_alone(given, most: str | None):
    rows = [MarkRow("s0.1.1", reading, option, people, 9) for reading, option, people in given]
    found = most_marked(rows)
    assert (found and f"{found.reading} {found.option}") == most
