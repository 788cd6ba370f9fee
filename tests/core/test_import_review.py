"""Reviews of imports: values with their lines, parts that are left out, folders and hostile files."""

import os
import subprocess
import time
from pathlib import Path
from typing import get_args

import pytest

from debate_core.errors import InvalidSpec
from debate_core.host.imports import folder as folders
from debate_core.host.imports.accept import drafts_of, review_file, review_folder
from debate_core.host.imports.reading import read_for_import
from debate_core.host.imports.review import FileReview
from debate_core.language import Language, spoken
from debate_core.record.acts import Signed
from debate_core.report.facts.account import account
from debate_core.report.files.adr.profiles import ProfileName
from debate_core.report.files.adr.record import decision_record
from tests.people import ABE, FAY, room_spec
from tests.playing import Played

MADR = """---
status: accepted
date: 2024-05-02
deciders: Ann, Bo
---
# 12. Where do orders live?

## Decision Drivers
* Cost

## Considered Options
* Postgres
* **Kafka**

## Decision Outcome
Chosen option: "Kafka", because it is fast.

## Pictures
None.
"""
SEVERAL = "several decisions"
# Read by hand: the number of options, and the place of the chosen one, from 0; a record without a list of options has
# the first words of its decision, or None.
READ: dict[str, tuple[int | str, int | str | None]] = {
    "0001-madr-architecture-decisions.md": (0, None),
    "0004-error-handling.md": (7, None),
    "0007-prompt-extract-template-engine.md": (0, "Create a new package"),
    "0010-dotnet-project-structure.md": (2, 1),
    "0013-memory-as-plugin.md": (0, "Move all Memory-related logic"),
    "0016-custom-prompt-template-formats.md": (0, "Obsolete IPromptTemplateEngine"),
    "0019-semantic-function-multiple-model-support.md": (0, "Support use cases 1 & 2"),
    "0021-json-serializable-custom-types.md": (2, None),
    "0023-kernel-streaming.md": (2, 0),
    "0025-planner-telemetry-enhancement.md": (2, 1),
    "0031-feature-branch-strategy.md": (0, "Feature Branch Strategy"),
    "0034-rag-in-sk.md": (4, None),
    "0037-audio-naming.md": (2, None),
    "0040-chat-prompt-xml-support.md": (0, "HTML encode all inserted content"),
    "0043-filters-exception-handling.md": (4, 3),
    "0046-azure-model-as-a-service.md": (4, 2),
    "0047-azure-open-ai-connectors.md": (3, 1),
    "0050-updated-vector-store-design.md": (SEVERAL, None),
    "0052-python-ai-connector-new-abstract-methods.md": (0, None),
    "0055-dotnet-azureopenai-stable-version-strategy.md": (3, 0),
    "0058-vector-search-design.md": (4, 3),
    "0061-function-call-behavior.md": (SEVERAL, None),
    "0064-hybrid-model-orchestration.md": (3, 0),
    "0067-hybrid-search.md": (SEVERAL, None),
    "0070-declarative-agent-schema.md": (3, None),
    "0072-context-based-function-selection.md": (5, None),
    "adr-short-template.md": (0, None),
}


def read(name: str, text: str) -> FileReview:
    return read_for_import(name, text.encode())


def missed(file: FileReview) -> list[str]:
    return [str(part.sentence) for part in file.missed]


def as_read(file: FileReview) -> tuple[int | str, int | str | None]:
    """The options and the choice of a review, in the form of `READ`."""
    options, chosen = file.values("option"), file.value("chosen")
    if any("decisions, so none" in words for words in missed(file)):
        return SEVERAL, None
    if not options:
        return 0, chosen or None
    return len(options), options.index(chosen) if chosen else None


def agrees(found: tuple[int | str, int | str | None], labelled: tuple[int | str, int | str | None]) -> bool:
    """True if options and choice agree; of a choice in words, the first ones."""
    if isinstance(labelled[1], str) and isinstance(found[1], str):
        return found[0] == labelled[0] and found[1].startswith(labelled[1])
    return found == labelled


def test_real_records_agree_with_a_reader(shared: Path):
    files = sorted((shared / "data" / "adr").glob("*.md"))
    reviews = {path.name: read_for_import(path.name, path.read_bytes()) for path in files}
    assert set(reviews) == set(READ)
    wrong = [name for name, labelled in READ.items() if not agrees(as_read(reviews[name]), labelled)]
    assert len(wrong) <= len(READ) // 10, wrong


def test_real_records_values_have_lines(shared: Path):
    reviews = review_folder(shared / "data" / "adr").files
    values = [value for file in reviews for value in file.found]
    assert sum(value.place is not None for value in values) >= 0.99 * len(values)
    for file in reviews:
        lines = file.text.splitlines()
        for value in file.found:
            if value.place:
                assert lines[value.place.line - 1].strip().startswith(value.place.quote)


def test_a_record_gives_each_value_with_its_line():
    file = read("0012-orders.md", MADR)
    places = {(value.field, value.value): value.place.line for value in file.found if value.place}
    assert file.kind == "decision"
    assert places == {
        ("question", "Where do orders live?"): 6,
        ("option", "Postgres"): 12,
        ("option", "Kafka"): 13,
        ("chosen", "Kafka"): 16,
        ("driver", "Cost"): 9,
        ("status", "accepted"): 2,
        ("date", "2024-05-02"): 3,
        ("decided_by", "Ann, Bo"): 4,
    }
    assert [(str(part.sentence), part.place.quote) for part in file.missed if part.place] == [
        ("this section is kept as text only", "## Pictures")
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Entscheidung: Redis\n\nOptionen:\n- Redis\n- Memcached\n", 3),
        ("**Options**: Redis, Memcached\n\n**Decision**: Redis\n", 5),
    ],
)
def test_a_choice_in_a_line_of_its_own_has_that_line(text: str, line: int):
    file = read("cache.md", f"# Which cache?\n\n{text}")
    assert [(value.value, value.place and value.place.line) for value in file.found if value.field == "chosen"] == [
        ("Redis", line)
    ]


@pytest.mark.parametrize(
    "day",
    ["2024/5/1", "12.03.24", "1. Mai 2024", "1st of May 2024", "May 1st, 2024", "May 1 2024", "5 de mayo de 2024"],
)
def test_a_date_keeps_its_day(day: str):
    file = read("cache.md", f"# Which cache?\n\nDate: {day}\n\n## Options\n\n- Redis\n- Memcached\n")
    assert file.value("date") == day


def test_a_note_lists_everything_that_it_lacks():
    file = read("note.md", "# Ideas\n\nA few words.\n")
    assert file.kind == "document"
    assert missed(file) == [
        "it does not list two options",
        "it does not name one chosen option",
        "it states no status",
        "it states no date",
    ]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("context", ["", "The season begins in June."])
@pytest.mark.parametrize("profile", get_args(ProfileName))
def test_an_own_record_comes_back_to_its_decision(profile: ProfileName, context: str, language: Language):
    question = "Should we defer the release?"
    held = Played(room_spec((FAY, ABE)).model_copy(update={"question": question, "context": context}))
    held.to_the_end("defer")
    held.act(ABE, Signed.model_validate({"verdict": "accept", "option": "defer"}))
    with spoken(language):
        record = decision_record(account(held.state, held.events), profile=profile)
    file = read("0001-decision.md", record.text)
    assert file.values("option") == held.state.spec.options
    assert (file.value("question").rstrip("?"), file.value("chosen")) == (question.rstrip("?"), "defer")
    assert file.value("status").casefold() in ("accepted", "angenommen", "akzeptiert")


def test_ballots_are_counted_by_the_named_rule():
    ballots = "=C:[C]\n42:A>B>C>D\n26:B>C>D>A\n15:C>D>B>A\n17:D>C>B>A\n"
    file = read_for_import("votes.abif", ballots.encode(), rule="borda")
    assert file.kind == "ballots"
    assert file.values("option")[0] == "B"
    assert file.value("count") == "borda: B (100 ballots, 100 name an option)"
    places = {value.value: value.place.line for value in file.found if value.place}
    assert places == {"A": 2, "B": 2, "C": 1, "D": 2}
    assert missed(file) == ["ballots ask no question"]


ROWS = "Option;Cost;Risk;Text\nWeight;60;40;\nRedis;low, 30;known;Runs here.\nMemcached;lower;;\n"
COLUMNS = 'Criterion,Weight,Redis,Memcached\nCost,60,"low, 30",lower\nRisk,40,known,\n'


@pytest.mark.parametrize(("table", "text"), [(ROWS, "Cost: low, 30\nRisk: known\nRuns here."), (COLUMNS, None)])
def test_a_table_gives_options_criteria_and_weights(table: str, text: str | None):
    file = read("options.csv", table)
    assert file.values("option") == ("Redis", "Memcached")
    assert [(v.value, v.number) for v in file.found if v.field == "driver"] == [("Cost", 60), ("Risk", 40)]
    assert [(s.title, s.text) for s in file.sources] == [
        ("Redis", text or "Cost: low, 30\nRisk: known"),
        ("Memcached", "Cost: lower"),
    ]


TALKS = {
    "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann Lee>We keep it.\n\n00:02.000 --> 00:03.000\n<v Bo>No.\n\n"
    "00:03.000 --> 00:04.000\n<v Ann Lee>Why?\n",
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\nAnn Lee: We keep it.\n\n2\n00:00:02,000 --> 00:00:03,000\nBo: No.\n\n"
    "3\n00:00:03,000 --> 00:00:04,000\nAnn Lee: Why?\n",
    "a.txt": "Minutes\n\nAnn Lee: We keep it.\n\nBo: No.\n\nAnn Lee: Why?\n",
}


@pytest.mark.parametrize(("name", "line"), [("a.vtt", 4), ("a.srt", 3), ("a.txt", 3)])
def test_a_transcript_gives_speakers_and_their_turns(name: str, line: int):
    file = read(name, TALKS[name])
    assert file.kind == "transcript"
    assert [(v.value, v.number) for v in file.found] == [("Ann Lee", 2), ("Bo", 1)]
    assert file.found[0].place is not None
    assert file.found[0].place.line == line
    assert "Ann Lee: We keep it." in file.sources[0].text


def test_a_transcript_without_names_says_so():
    file = read("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n")
    assert (file.kind, missed(file)) == ("transcript", ["it asks no question", "it names no speakers"])


def test_options_of_a_transcript_have_lines_of_the_file():
    cues = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Options: keep it; replace it.\n\n" + TALKS["a.vtt"][8:]
    places = {value.value: value.place.line for value in read("a.vtt", cues).found if value.place}
    assert places["keep it"] == places["replace it"] == 4


@pytest.mark.slow
def test_a_large_text_is_reviewed_within_seconds():
    began = time.process_time()
    assert read("big.md", MADR + "One more line with some words.\n" * 300_000).value("chosen") == "Kafka"
    assert time.process_time() - began < 20


def test_a_draft_has_the_earlier_decision_as_background():
    (draft,) = drafts_of([read("0012-orders.md", MADR)])
    assert (draft.question, draft.options) == ("Where do orders live?", ("Postgres", "Kafka"))
    assert draft.background == "0012-orders.md records an earlier decision: “Kafka” (accepted, 2024-05-02)."
    assert draft.sources[0].text == MADR


# --- hostile files


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.md", b"\x00\x01\x02" * 100, "binary"),
        ("a.md", "Straße".encode("latin-1"), "not UTF-8"),
        ("a.md", b"", "empty"),
        ("a.exe", b"MZ", "read from"),
        ("a.csv", b"Name,Price\nA,1\n", "name it option or criterion"),
        ("a.csv", b"Option\n", "no row below"),
        ("a.csv", b"Option," * 101 + b"x\nA\n", "100 columns"),
        ("a.csv", b"option\n" + b"x\n" * 1_001, "1000 rows"),
        ("a.csv", b"option,x\n" + b"a,b\n" * 2_500_001, "10 MB"),
        ("a.abif", b"once upon a time", "line 1"),
        ("big.md", b"x" * 10_000_001, "10 MB"),
    ],
)
def test_an_unusable_file_is_refused_in_one_sentence(name: str, data: bytes, words: str):
    with pytest.raises(InvalidSpec, match=words) as refused:
        review_file(name, data)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"{name} cannot be imported: ")


def test_utf16_is_read():
    assert read_for_import("a.md", MADR.encode("utf-16")).value("chosen") == "Kafka"


def test_nested_lists_and_quotes_are_read_in_time():
    deep = "".join(f"{'  ' * n}- a\n" for n in range(2_000)) + ">" * 5_000 + " x\n" + "[" * 5_000
    assert read("deep.md", deep).kind in ("document", "decision")


def write(folder: Path, name: str, text: str = MADR) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_a_folder_is_read_without_links_and_pipes(tmp_path: Path):
    secret = write(tmp_path, "secret.md", "# secret\n\n## Status\nAccepted\n")
    folder = tmp_path / "docs"
    write(folder, "0001-a.md")
    write(folder, "deeper/0002-b.md")
    write(folder, "README.md", "# Index\n")
    write(folder, "picture.png", "x")
    (folder / "0003-link.md").symlink_to(secret)
    (folder / "outside").symlink_to(tmp_path)
    os.mkfifo(folder / "0004-pipe.md")
    review = review_folder(folder)
    assert [file.name for file in review.files] == ["0001-a.md", "deeper/0002-b.md"]
    left_out = {one.name: str(one.reason) for one in review.left_out}
    assert left_out["0003-link.md"] == "it cannot be read: it is a link"
    assert left_out["0004-pipe.md"] == "it is no ordinary file"
    assert left_out["README.md"] == "it states no decision"
    assert left_out["*.png"] == "1 file of another type"


def test_a_name_with_control_characters_is_shown_without(tmp_path: Path):
    os.makedirs(os.fsencode(tmp_path) + b"/docs")
    with open(os.fsencode(tmp_path) + b"/docs/a\x1b[2J\n\xff.md", "w") as file:
        file.write(MADR)
    (reviewed,) = review_folder(tmp_path / "docs").files
    assert reviewed.name.isprintable()
    assert reviewed.name.endswith(".md")


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path):
    for number in range(folders.MAX_FILES + 1):
        (tmp_path / f"{number:04}.md").write_text("x")
    with pytest.raises(InvalidSpec, match="has 501 files to read: at most 500"):
        review_folder(tmp_path)


@pytest.mark.slow
def test_ten_thousand_other_files_are_counted(tmp_path: Path):
    for number in range(10_000):
        (tmp_path / f"{number}.bin").touch()
    with pytest.raises(InvalidSpec, match="has no file to read"):
        review_folder(tmp_path)
    write(tmp_path, "0001-a.md")
    assert [str(one.reason) for one in review_folder(tmp_path).left_out] == ["10000 files of another type"]


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True)


def test_a_checkout_gives_its_tracked_files_and_runs_nothing(tmp_path: Path):
    folder, ran = tmp_path / "repo", tmp_path / "ran"
    write(folder, "docs/0001-a.md")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    write(folder, "docs/0002-untracked.md")
    program = write(tmp_path, "program.sh", f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    git(folder, "config", "core.fsmonitor", str(program))
    git(folder, "config", "core.hooksPath", str(tmp_path))
    assert [file.name for file in review_folder(folder).files] == ["docs/0001-a.md"]
    assert not ran.exists()


def test_a_tracked_path_behind_a_link_is_left_out(tmp_path: Path):
    folder = tmp_path / "repo"
    write(folder, "docs/0001-a.md")
    write(folder, "0002-b.md")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    outside = tmp_path / "outside"
    (folder / "docs").rename(outside)
    (folder / "docs").symlink_to(outside)
    review = review_folder(folder)
    assert [file.name for file in review.files] == ["0002-b.md"]
    assert ("docs/0001-a.md", "a link leads out of the folder") in [(n, str(r)) for n, r in review.left_out]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        ("option,cost\nRedis,3\nKafka,2\nredis,4\n", (4, 2)),
        ("criterion,Redis\ncost,3\nload,2\nCost,4\n", (4, 2)),
        ("option,cost,Cost\nRedis,3,4\n", (1, 1)),
    ],
)
def test_a_table_with_a_name_twice_is_refused(table: str, lines: tuple[int, int]):
    with pytest.raises(InvalidSpec, match=f"line {lines[0]}: the name '.*' is in line {lines[1]} already"):
        read_for_import("options.csv", table.encode())
