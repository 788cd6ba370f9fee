"""Reads one file for an import: decision records, ballots, tables of options and criteria, transcripts.

The kind follows from the extension; a text is a transcript if its lines name speakers, and otherwise a document.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import PurePath

from debate_core.csv_text import separated
from debate_core.documents.decision import MAX_OPTIONS
from debate_core.documents.findings import (
    MAX_UNREAD,
    FoundValue,
    MissedPart,
    TextLines,
    TextPlace,
    decision_findings,
    records_decision,
)
from debate_core.documents.option_tables import read_option_table
from debate_core.documents.transcripts import Meeting, read_meeting
from debate_core.engine.count.ballot_files import NEEDED, PREFLIB, read_ballots
from debate_core.engine.count.election_lines import election_lines, most_first
from debate_core.engine.count.methods import elect
from debate_core.errors import InvalidSpec
from debate_core.host.imports.review import NO_QUESTION, FileReview, ImportKind
from debate_core.host.uploads import DOCUMENT_FILES, MAX_BYTES, TRANSCRIPT_FILES, read_source, utf8
from debate_core.sentence import Sentence
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import Source
from debate_core.text import line

BALLOT_FILES = (".abif", *PREFLIB)
IMPORT_FILES = (*DOCUMENT_FILES, ".csv", *BALLOT_FILES)
"""Accepted file extensions."""
USUAL_RULE = "plurality"
MAX_CELL_CHARS = 120
"""Maximum length of an option or criterion of a table, as of drivers in set-up."""


def read_for_import(name: str, data: bytes, *, rule: str = USUAL_RULE, poll: str | None = None) -> FileReview:
    """Read a file by the extension of its name. InvalidSpec in one sentence without the name of the file.

    `rule` and `poll` are those of `count`, for ballots.
    """
    if len(data) > MAX_BYTES:
        raise InvalidSpec("it has more than {most_mb} MB", most_mb=MAX_BYTES // 1_000_000)
    suffix = PurePath(name).suffix.lower()
    if suffix in BALLOT_FILES:
        return _read_ballots(name, _text(data), rule, poll)
    if suffix == ".csv":
        text = _text(data)
        is_ballots = set(NEEDED) <= _head(text)
        return _read_ballots(name, text, rule, poll) if is_ballots else _read_table(name, text)
    if suffix not in DOCUMENT_FILES:
        raise InvalidSpec("an import is read from {endings}", endings=", ".join(IMPORT_FILES))
    source = read_source(PurePath(name).name, data, source_id="E1")
    original = source.text
    if suffix in (*TRANSCRIPT_FILES, ".txt"):
        original = _text(data)
    meeting = read_meeting(original)
    if suffix in TRANSCRIPT_FILES or meeting.utterances:
        return _read_transcript(name, source, original, meeting)
    return _read_document(name, source)


def _text(data: bytes) -> str:
    text = utf8(Sentence("the file"), data)
    if "\0" in text:
        raise InvalidSpec("the file is not text but binary data")
    if not text.strip():
        raise InvalidSpec("the file is empty")
    return text


def _head(text: str) -> set[str]:
    table, separator = separated(text, NEEDED)
    return {cell.strip(' "\r').casefold() for cell in table.lstrip().split("\n", 1)[0].split(separator)}


# --- documents


def _read_document(name: str, source: Source) -> FileReview:
    findings = decision_findings(source)
    kind: ImportKind = "decision" if records_decision(findings) else "document"
    return FileReview(name, kind, source.text, findings.found, findings.missed, (source,))


# --- transcripts


def _read_transcript(name: str, source: Source, original: str, meeting: Meeting) -> FileReview:
    lines = TextLines(original)
    speakers = _speakers(meeting, lines)
    # Lines of the original: the source has no times and cue numbers.
    stated = [
        value._replace(place=lines.first_with(value.value))
        for value in decision_findings(source).found
        if value.field in ("option", "driver") or _is_question(value)
    ]
    missed = []
    if not any(map(_is_question, stated)):
        missed.append(MissedPart(NO_QUESTION))
    if not speakers:
        missed.append(MissedPart(Sentence("it names no speakers")))
    missed += _unread_lines(meeting, lines, known={value.place.line for value in stated if value.place})
    return FileReview(name, "transcript", original, (*speakers, *stated), tuple(missed), (source,), meeting)


def _speakers(meeting: Meeting, lines: TextLines) -> list[FoundValue]:
    """Each speaker with the number of turns and the line of the first one."""
    turns = Counter(utterance.speaker for utterance in meeting.utterances)
    firsts = {utterance.speaker: utterance.line for utterance in reversed(meeting.utterances)}
    return [
        FoundValue("speaker", line(speaker), lines.first_with(speaker) or lines.numbered(firsts[speaker]), n)
        for speaker, n in turns.items()
    ]


def _is_question(value: FoundValue) -> bool:
    return value.field == "question" and value.value.endswith("?")


def _unread_lines(meeting: Meeting, lines: TextLines, *, known: Collection[int]) -> Iterator[MissedPart]:
    unread = [one for one in meeting.unread if one.line not in known]
    for one in unread[:MAX_UNREAD]:
        yield MissedPart(one.why, lines.numbered(one.line))
    if more := len(unread[MAX_UNREAD:]):
        yield MissedPart(Sentence.counted(more, "{n} more line is not read", "{n} more lines are not read"))


# --- ballots and tables


def _read_ballots(name: str, text: str, rule: str, poll: str | None) -> FileReview:
    """The options in the order of the count, and the count by one rule."""
    votes = read_ballots(text, name=name, poll=poll)
    election = elect(rule, votes)
    count = election_lines(rule, votes, election)
    ranked = [option for option, _points in most_first(election.tally)]
    options = [*ranked, *(option for option in votes.options if option not in ranked)]
    lines = TextLines(text)
    found = [FoundValue("option", option, _ballot_line(text, lines, option)) for option in options[:MAX_OPTIONS]]
    found += [FoundValue("count", words.strip()) for words in count]
    missed = (MissedPart(Sentence("ballots ask no question")), *_left_out(len(options) - MAX_OPTIONS))
    title = Sentence("Count of {file}", file=PurePath(name).name[:180])
    return FileReview(
        name, "ballots", text, tuple(found), missed, (Source(id="E1", title=title, text="\n".join(count)),)
    )


def _ballot_line(text: str, lines: TextLines, option: str) -> TextPlace | None:
    """The line that declares an option, else the first ballot with it; comments and descriptions are neither."""
    name = re.escape(option)
    declared = re.search(rf"(?m)^(?:=\[?{name}\]?:|# ALTERNATIVE NAME \d+:[ \t]*{name}[ \t]*$)", text)
    found = declared or re.search(rf"(?m)^[^#{{\n][^\n]*?(?<!\w){name}(?!\w)", text)
    return lines.place(found.start()) if found else None


def _left_out(n_options: int) -> Iterator[MissedPart]:
    if n_options > 0:
        yield MissedPart(Sentence.counted(n_options, "{n} more option is left out", "{n} more options are left out"))


def _read_table(name: str, text: str) -> FileReview:
    """Options, criteria with weights, and a document for each option."""
    table = read_option_table(text)
    options, criteria = table.options[:MAX_OPTIONS], table.criteria[:MAX_DRIVERS]
    lines = TextLines(text)
    found = [FoundValue("option", cell.words[:MAX_CELL_CHARS], lines.numbered(cell.line)) for cell in options]
    found += [
        FoundValue("driver", cell.words[:MAX_CELL_CHARS], lines.numbered(cell.line), weight)
        for cell, weight in zip(criteria, table.weights, strict=False)
    ]
    missed = [MissedPart(Sentence("a table asks no question")), *_left_out(len(table.options) - MAX_OPTIONS)]
    if len(table.criteria) > MAX_DRIVERS:
        more = len(table.criteria) - MAX_DRIVERS
        missed.append(
            MissedPart(Sentence.counted(more, "{n} more criterion is left out", "{n} more criteria are left out"))
        )
    sources = [
        Source(id=f"E{number}", title=option.words[:200], text=words)
        for number, (option, words) in enumerate(zip(options, table.texts, strict=False), start=1)
        if words
    ]
    return FileReview(name, "options", text, tuple(found), tuple(missed), tuple(sources))
