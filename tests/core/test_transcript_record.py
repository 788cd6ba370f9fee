"""Records made from transcripts: verified, complete, in order, without a vote, and marked as not held here."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_core.engine import audit, engine
from debate_core.engine.erasure import without_names
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.imports.accept import drafts_of
from debate_core.host.imports.reading import read_for_import
from debate_core.host.imports.review import FileReview, with_stated
from debate_core.host.imports.transcript_record import MAX_SPEAKERS, MAX_TURNS, fault_in_record, play, record_spec
from debate_core.record.commands import Resume, TakeTurn
from debate_core.record.events import Event, Predecessor, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.report import markdown_report, text_report, transcript_markdown
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument

AT = datetime(2026, 11, 29, 9, tzinfo=UTC)
OPTIONS = ("Redis", "Memcached")
MARK = "Not held here: transcript of cache.vtt."
TALK = "WEBVTT\n\n00:03.120 --> 00:07.000\n<v Ann Lee>Redis costs 40 dollars. Fine.\n\n00:07.900 --> 00:09.000\n"
TALK += "<v Bo Kim>Memcached.\n\n01:00:20.000 --> 01:00:21.000\n<v Ann Lee>Which cache?\n"


def reviewed(text: str | bytes, name: str = "cache.vtt") -> FileReview:
    file = read_for_import(name, text.encode() if isinstance(text, str) else text)
    return with_stated(file, question="Which cache?", options=OPTIONS)


def record_of(file: FileReview, leader: str = "Fay") -> Sequence[Event]:
    return play(record_spec(file.meeting, drafts_of([file])[0], leader=leader), file.meeting, at=AT)


def cues(talk: Sequence[tuple[str, str]]) -> str:
    """A WebVTT file with one cue a second."""
    rows = [
        f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}.000 --> {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}.900\n"
        f"<v {who}>{words}\n"
        for n, (who, words) in enumerate(talk)
    ]
    return "WEBVTT\n\n" + "\n".join(rows)


NAMES = ("Ann Lee", "Bo", "Cleo Díaz", "Дина", "Redis", "None", "p-1", "**Eve**", "=1+1", "abstain", "李雷")
WORDS = st.text(
    st.characters(blacklist_categories=("C", "Z"), blacklist_characters="<>&{}"), min_size=1, max_size=8
).filter(lambda word: "-->" not in word)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.lists(WORDS, min_size=1, max_size=30)), min_size=2, max_size=30),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_record_keeps_every_word_of_every_speaker(said: list[tuple[str, list[str]]], encoding: str, end: str):
    # A number makes each cue unlike the one before it.
    talk = [("Ann Lee", "x0"), ("Bo", "x1")] + [(who, f"x{n} {' '.join(w)}") for n, (who, w) in enumerate(said, 2)]
    file = reviewed(cues(talk).replace("\n", end).encode(encoding))
    assert file.missed == ()
    events = record_of(file)
    assert audit.verify(events) == ()
    state = replay(events)
    name_of = {seat: person.name for person in state.spec.people() for seat in person.seats}
    spoken = [(name_of[turn.seat], word) for turn in state.turns for word in turn.content.words.split("\n")[0].split()]  # type: ignore[union-attr]
    assert spoken == [(who, word) for who, words in talk for word in words.split()]
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.tally.cast) == ("undecided", 0)
    assert parse_record(dump_record(events).encode()) == tuple(events)


def test_turns_keep_times_and_claims_of_the_file():
    state = replay(record_of(reviewed(TALK)))
    assert state.spec.held_elsewhere is not None
    assert state.spec.held_elsewhere.starts_s == (3, 7, 3620)
    assert [[claim.text for claim in turn.claims] for turn in state.turns] == [
        ["Redis costs 40 dollars."],
        ["Memcached."],
        [],
    ]
    assert [turn.seat for turn in state.turns] == ["ann_lee", "bo_kim", "ann_lee"]


@pytest.mark.parametrize("write", [text_report, markdown_report, transcript_markdown])
def test_reports_say_that_it_was_not_held_here(write: object):
    events = record_of(reviewed(TALK))
    told = account(replay(events), events)
    assert MARK in write(told).replace("\\", "")  # type: ignore[operator]
    assert "held_elsewhere" in told.flags


def test_a_decision_record_says_that_it_was_not_held_here():
    events = record_of(reviewed(TALK))
    assert MARK in decision_record(account(replay(events), events)).text.replace("\\", "")


def test_a_speaker_who_imports_it_leads_and_keeps_the_seat():
    people = replay(record_of(reviewed(TALK), leader="ann  LEE")).spec.people()
    assert [(p.role, p.seats) for p in people] == [("facilitator", ("ann_lee",)), ("debater", ("bo_kim",))]


def test_a_name_can_be_removed_from_the_record():
    events = record_of(reviewed(TALK.replace("Memcached.", "Memcached, Ann Lee."), name="Ann Lee.vtt"))
    before = Predecessor(debate=events[0].debate, head=events[-1].hash, by="Ann Lee", reason="asked", at=events[-1].at)
    erased = without_names(events, ["Ann Lee"], debate_id="other", predecessor=before)
    assert audit.verify(erased.events) == ()
    assert "Ann Lee" not in dump_record(erased.events)


def test_seats_lose_a_removed_name_and_words_stay():
    talk = [("May", "We may keep Redis."), ("Bo", "No."), ("May", "It costs 4 dollars.")]
    events = record_of(reviewed(cues(talk)))
    before = Predecessor(debate=events[0].debate, head=events[-1].hash, by="x", reason="asked", at=events[-1].at)
    erased = without_names(events, ["May"], debate_id="other", predecessor=before)
    state = replay(erased.events)
    assert [turn.seat for turn in state.turns] == ["nn_1", "bo", "nn_1"]
    assert [*state.claims] == ["nn_1.1.1", "nn_1.1.2"]
    assert re.findall(r"\bmay\b.{5}", dump_record(erased.events)) == ["may keep", "may keep"]


def test_no_one_votes_and_times_fit_the_turns():
    file = reviewed(TALK)
    spec = record_spec(file.meeting, drafts_of([file])[0])
    assert spec.held_elsewhere is not None
    fewer = spec.held_elsewhere.model_copy(update={"starts_s": (3,)})
    with pytest.raises(InvalidSpec, match="has 1 times for 3 turns"):
        check(spec.model_copy(update={"held_elsewhere": fewer}))
    coded = tuple(seat.model_copy(update={"occupant": "scripted"}) for seat in spec.seats)
    with pytest.raises(InvalidSpec, match="seats of people only"):
        check(spec.model_copy(update={"seats": coded}))
    events = engine.open_debate(spec, debate_id="d", at=AT, by="p-1")
    _events, state = engine.advance(replay(events), Resume(by="p-1"), at=AT)
    (request,) = engine.requests(state)
    with pytest.raises(RuleViolation, match="no one votes in the record of a transcript"):
        engine.submit(
            state, TakeTurn(by="p-2", request=request.id, content=Argument(rationale="x", vote="Redis")), at=AT
        )


MANY = [f"Ann {chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(200)]


@pytest.mark.parametrize(
    ("talk", "why"),
    [
        ([("Ann", "One."), ("Ann", "Two.")], "it has 1 speakers"),
        (
            [(MANY[n % 200], f"x{n}") for n in range(400)],
            f"it has 200 speakers: the record of a debate has 2 to {MAX_SPEAKERS}",
        ),
        ([("Ann" if n % 2 else "Bo", f"x{n}") for n in range(5_000)], f"has 2 to {MAX_TURNS:,}"),
        ([("Ann", "One."), ("\u0391nn", "Two.")], "can be mistaken for"),
    ],
)
def test_a_transcript_that_is_no_debate_says_why(talk: Sequence[tuple[str, str]], why: str):
    assert why in str(fault_in_record(reviewed(cues(talk))))


def test_lines_that_are_not_read_are_listed():
    damaged = TALK + "\n00:xx --> 00:10\n<v Bo Kim>Kept.\n\n00:11.000 --> 00:12.000\n\nstray\n\n"
    damaged += "00:12.000 --> 00:13.000\n<v Bo Kim>Twice.\n\n00:12.500 --> 00:14.000\n<v Bo Kim>Twice.\n"
    damaged = damaged.replace("WEBVTT\n", "WEBVTT\n\n00:01.000 --> 00:02.000\nWho speaks?\n")
    file = reviewed(damaged)
    assert [(part.place.line if part.place else None, str(part.sentence)) for part in file.missed] == [
        (4, "no speaker is named for it"),
        (15, "the times of this cue cannot be read, and its words are kept"),
        (18, "it has no words"),
        (20, "it belongs to no cue"),
        (26, "it repeats the cue before it, as rolling captions do"),
    ]
    assert file.meeting.utterances[-1].text == "Kept. Twice."


def test_lines_with_names_are_turns_with_their_times():
    text = "# Minutes\n\n[00:01:02] Ann: We keep it.\nAs it is.\n\n[00:01:09] Bo: No.\n"
    text += "## Later\nText.\n\nAnn: Why?\nBo: No.\n"
    meeting = reviewed(text, name="a.txt").meeting
    assert [(u.speaker, u.text, u.start_s) for u in meeting.utterances] == [
        ("Ann", "We keep it.\nAs it is.", 62),
        ("Bo", "No.", 69),
        ("Ann", "Why?", None),
        ("Bo", "No.", None),
    ]
    assert [unread.line for unread in meeting.unread] == [1, 7, 8]


def test_a_speech_too_long_for_a_turn_continues_in_the_next():
    words = [f"w{n}" for n in range(9_000)]
    state = replay(record_of(reviewed(cues([("Bo", "Yes."), ("Ann", " ".join(words)), ("Bo", "No.")]))))
    assert [turn.seat for turn in state.turns] == ["bo", "ann", "ann", "ann", "bo"]
    spoken = " ".join(turn.content.prose for turn in state.turns[1:4] if turn.content)
    assert spoken.split() == words


@pytest.mark.parametrize("write", [text_report, markdown_report, transcript_markdown])
def test_reports_name_no_vote_of_a_speaker(write: object):
    events = record_of(reviewed(TALK))
    read = account(replay(events), events)
    shown = write(read)  # type: ignore[operator]
    assert not [
        words
        for words in (", votes", "abstain", "ballots cast", "first count", "First tally", '"votes"', "most votes")
        if words in shown
    ]
    assert (read.votes, [row.vote for row in read.turns]) == ((), [None, None, None])


def test_flags_about_ballots_are_not_raised_without_ballots():
    events = record_of(reviewed(cues([("Ann", "Redis."), ("Bo", "Redis or Memcached?"), ("Ann", "Which cache?")])))
    flags = account(replay(events), events).flags
    assert not {"not_blind", "ballot_without_reason"} & {*flags}


@pytest.mark.parametrize(
    "chat",
    [
        "[12.03.24, 10:15] Ann: Redis.\n[12.03.24, 10:16] Bo: No: slow.\nAnd old.\n[12.03.24, 10:17] Ann: Fine.\n",
        "\u200e[12.03.24, 10:15:22] Ann: Redis.\r\n[12.03.24, 10:16:01] ~\u202fBo: No: slow.\r\nAnd old.\r\n"
        "[12.03.24, 10:17:00] Ann: \u200eFine.\r\n",
        "12/3/2024, 10:15 - Ann: Redis.\n12/3/2024, 10:16 - Bo: No: slow.\nAnd old.\n12/3/2024, 10:17 - Ann: Fine.\n",
        "3/12/24, 10:15\u202fAM - Ann: Redis.\n3/12/24, 10:16\u202fAM - Bo: No: slow.\nAnd old.\n"
        "3/12/24, 1:17\u202fPM - Ann: Fine.\n",
        "Ann  10:15 AM\nRedis.\nBo  10:16 AM\nNo: slow.\n10:17\nAnd old.\nAnn  1:18 PM\nFine.\n",
        "Ann\n  10:15 AM\nRedis.\n\nBo\n10:16 AM\nNo: slow.\nAnd old.\n10:17\nAnn\n1:18 PM\nFine.\n",
    ],
)
def test_chat_messages_are_turns_without_a_time_of_meeting(chat: str):
    meeting = read_for_import("chat.txt", chat.encode()).meeting
    said = [(words.speaker, words.text, words.start_s) for words in meeting.utterances]
    assert said == [("Ann", "Redis.", None), ("Bo", "No: slow.\nAnd old.", None), ("Ann", "Fine.", None)]


def test_a_word_above_a_time_is_no_speaker():
    chat = "Ann\n10:15\nRedis.\nBo\n10:16\nNo.\nFine\n10:17\nAnd old.\nAnn\n10:18\nWell.\nBo\n10:19\nYes.\n"
    meeting = read_for_import("chat.txt", chat.encode()).meeting
    assert (meeting.speakers, meeting.utterances[1].text) == (("Ann", "Bo"), "No.\nFine\nAnd old.")


def test_a_name_without_a_time_among_times_is_listed():
    talk = "[00:01] Ann: Redis.\n[00:05] Bo: No.\nCleo Díaz: Memcached.\nNote: slow.\n[00:09] Ann: Fine.\n"
    meeting = read_for_import("talk.txt", talk.encode()).meeting
    assert meeting.speakers == ("Ann", "Bo")
    assert [(line, str(why)) for line, why in meeting.unread] == [
        (3, "Cleo Díaz is named once, without a time: the words stay with Bo")
    ]


@pytest.mark.parametrize("notice", ["Bo added Cy", "Bo changed the subject to: Cache", "Ann left"])
def test_notice_of_a_chat_is_nobodys_words(notice: str):
    chat = "12/3/24, 10:15 - Ann: Redis.\n12/3/24, 10:16 - Bo: No.\n"
    file = read_for_import("chat.txt", f"{chat}12/3/24, 10:17 - {notice}\n12/3/24, 10:18 - Ann: Fine.\n".encode())
    assert [words.text for words in file.meeting.utterances] == ["Redis.", "No.", "Fine."]
    assert [(part.place.line, str(part.sentence)) for part in file.missed if part.place] == [
        (3, "no speaker is named for it")
    ]


def test_chat_with_phone_numbers_keeps_its_speakers():
    lines = ("+49 170 1234567: Redis.", "Bo: No.", "+49 170 1234567: Fine.")
    chat = "".join(f"[12.03.24, 10:1{n}] {words}\n" for n, words in enumerate(lines))
    assert read_for_import("chat.txt", chat.encode()).meeting.speakers == ("+49 170 1234567", "Bo")
