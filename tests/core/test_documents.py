"""Documents as one value: the words of Markdown, blocks with their places, fields, titles, status and speakers."""

import subprocess
import sys

import pytest

from debate_core.documents.blocks import TitledLine
from debate_core.documents.document import read_document, without_number
from debate_core.documents.inline import plain_words
from debate_core.documents.section_names import SECTION_NAMES, kinds_of
from debate_core.documents.transcripts import transcript_text
from debate_core.engine.passages import passages_of
from debate_core.host.uploads import read_source


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("p95 < 200 ms and uptime > 99.9 %", "p95 < 200 ms and uptime > 99.9 %"),
        ("Load <50 %, errors >1 %", "Load <50 %, errors >1 %"),
        ("`Vec<T>` and Vec<Box<T>>", "Vec<T> and Vec<Box<T>>"),
        ("if a<b and c>d", "if a<b and c>d"),
        ("List<a>, Map<String, List<i>>", "List<a>, Map<String, List<i>>"),
        ("<https://example.org/a%20b>", "https://example.org/a%20b"),
        ("Lantern (<https://example.org>)", "Lantern (https://example.org)"),
        ("__init__.py or __main__", "__init__.py or __main__"),
        ("__Bold__ and snake_case_name", "Bold and snake_case_name"),
        ("width*height*depth", "width*height*depth"),
        ("2**8 or *args and **kwargs", "2**8 or *args and **kwargs"),
        ("C:\\temp\\new and \\*stars\\*", "C:\\temp\\new and *stars*"),
        ("&lt;T&gt; &amp; more", "<T> & more"),
        ("10<sup>6</sup> rows, H<sub>2</sub>O", "10^6 rows, H2O"),
        ("<b>bold</b><br>and <kbd>Ctrl</kbd>", "bold and Ctrl"),
        ("at <time> o'clock, for <name>", "at <time> o'clock, for <name>"),
        ("**Use** [C#](x) `now`<!-- soon -->", "Use C# now"),
        ("[text][ref] and [Option 1] as it is", "[text][ref] and [Option 1] as it is"),
        ("~~Move~~ it", "Move it"),
        ("$x_1$ and $y_2$", "$x_1$ and $y_2$"),
    ],
)
def test_words_lose_only_markup(markdown: str, words: str):
    assert plain_words(markdown) == words


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("- - both\n- one", ["item both", "item one"]),
        ("a) one\nb) two", ["item one", "item two"]),
        ("A. Smith wrote it.", ["paragraph A. Smith wrote it."]),
        ("• one\n• two – three", ["item one", "item two – three"]),
        ("1. one\n\ntext\n\n2. two", ["item one", "paragraph text", "item two"]),
        ("Options:\n\n    * one\n    * two", ["heading Options:", "item one", "item two"]),
        ("##\u00a0Options\n\n-\u00a0one", ["heading Options", "item one"]),
        ("##Options\n- one", ["heading Options", "item one"]),
        ("# C# or F# #\n", ["heading C# or F#"]),
        ("Title\n~~~~~\n\ntext", ["heading Title", "paragraph text"]),
        ("| a |\n|---|\n| `b<c>` |", ["row | a |", "row | `b<c>` |"]),
        ("```\n# no\n```\ntext", ["code ```\n# no\n```", "paragraph text"]),
        ("<details>\n<summary>More</summary>\n\n- one\n\n</details>\ntext", ["item one", "paragraph text"]),
        ("<table>\n\n<tr><td>a</td></tr>\n\nb\n</table>\ntext", ["paragraph text"]),
        ("Status: open\n* **Date:** 2024\n\ntext", ["field Status: open", "field **Date:** 2024", "paragraph text"]),
    ],
)
def test_blocks_are_slices_of_the_text(text: str, blocks: list[str]):
    assert [f"{block.kind} {text[block.start : block.end]}" for block in read_document(text).blocks] == blocks


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Drop the fax gateway", "Drop the fax gateway"),
        ("Drone or Buildkite", "Drone or Buildkite"),
        ("12-factor config", "12-factor config"),
        ("2-phase commit or sagas?", "2-phase commit or sagas?"),
        ("3.14 or 3.13?", "3.14 or 3.13?"),
        ("RFC 7231 or RFC 9110?", "RFC 7231 or RFC 9110?"),
        ("DR site: warm or cold?", "DR site: warm or cold?"),
        ("Address book: keep it?", "Address book: keep it?"),
        ("2024 budget", "2024 budget"),
        ("14. Drone or Buildkite", "Drone or Buildkite"),
        ("[ADR-0001] Use X", "Use X"),
        ("ADR021: Do we share it?", "Do we share it?"),
        ("PEP 8 – Style Guide", "Style Guide"),
        ("Architecture Decision Record: Use X", "Use X"),
        ("9.1 Message bus", "Message bus"),
        ("ADR-5", ""),
    ],
)
def test_number_of_a_title_is_no_part_of_its_words(title: str, bare: str):
    assert without_number(title) == bare


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 'ADR021: It''s one?'\n---\n## Context\n\na", "ADR021: It's one?"),
        ('---\ntitle: "A \\"B\\" # C" # x\n---\na', 'A "B" # C'),
        ("+++\ntitle = 'One?'\n+++\na", "One?"),
        ("PEP: 9\nTitle: One way\n\nThe way\n=======\n\na\n\nOpen parts\n==========\n\nb", "One way"),
        ("PEP: 8\nTitle: Style Guide\nStatus: Active\n\nAbstract\n========\n\na", "Style Guide"),
        ("- Feature Name: `two_phase`\n- Start Date: 2024-01-01\n\n# Summary\n\na", "two_phase"),
        ("# Architecture Decision Record\n\n## Title\n\nUse X\n\n## Status\n\nopen", "Use X"),
        ("# ADR 5\n\n## Use X\n\n### Status\n\nopen", "Use X"),
        ("# Summary\n\na\n\n# Motivation\n\nb", ""),
    ],
)
def test_title_is_found_in_every_form(text: str, title: str):
    assert read_document(text).title == title


def test_front_matter_and_lines_are_fields():
    fields = read_document("---\nstatus: accepted # today\n---\n* **Deciders:** Ann\n\ntext").fields
    assert fields == (TitledLine("status", "accepted"), TitledLine("deciders", "Ann"))


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("---\nstatus: { accepted }\n---\n", "settled"),
        ("Status: Accepted\n\nIt was superseded for one layer.", "settled"),
        ("## Status\n\nAccepted\n\nAmended by 9: what was there is superseded for this layer.", "settled"),
        ("## Status\n\nAccepted, superseded by [ADR-9](9.md)", "unsettled"),
        ("## Status\n\n~~Accepted~~ Deprecated", "unsettled"),
        ("## Status\n\n- 2024-01-01 proposed\n- 2024-02-01 accepted", "settled"),
        ("## Status\n\n- 2024-02-01 rejected\n- 2024-01-01 accepted", "unsettled"),
        ("## Status\n\nNot yet accepted", "open"),
        ("## Status\n\nSupersedes ADR-3.", "unknown"),
        ("## Estado\n\nAceptada", "settled"),
        ("## Statut\n\nRemplacée par 9", "unsettled"),
        ("## Stato\n\nIn attesa", "open"),
    ],
)
def test_first_word_of_the_status_counts(text: str, standing: str):
    assert read_document(text).standing == standing


def test_every_kind_of_section_has_a_name_in_seven_languages():
    assert {len(languages) for languages in SECTION_NAMES.values()} == {7}
    for kind, languages in SECTION_NAMES.items():
        for names in languages:
            for noun in names.nouns.split("|"):
                assert kind in kinds_of(f"2.1 {noun.upper()}:"), (kind, noun)


SRT = """1
00:00:01,000 --> 00:00:04,000
Ann: The queue needs

2
00:00:04,100 --> 00:00:06,000
a second broker &amp; a node,
which costs more than we have.

3
00:00:06,100 --> 00:00:08,000
Bob: <i>No</i>, p95 < 200 ms.

4
00:00:08,100 --> 00:00:09,000
Ann: Yes.
"""
VTT = """WEBVTT

NOTE made by hand

intro
00:03.120 --> 00:07.480 align:start
<v.loud Ann Lee>It has to be known by June.</v>

00:07.900 --> 00:14.020
<v Bo>Why?</v> <v Ann Lee>Because the season begins.</v>
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cues_become_speeches_without_times(end: str):
    spoken = "Ann: The queue needs a second broker & a node, which costs more than we have."
    assert transcript_text(SRT.replace("\n", end)).split("\n\n") == [spoken, "Bob: No, p95 < 200 ms.", "Ann: Yes."]
    assert transcript_text(VTT.replace("\n", end)).split("\n\n") == [
        "Ann Lee: It has to be known by June.",
        "Bo: Why?",
        "Ann Lee: Because the season begins.",
    ]


def test_a_document_that_shows_cues_is_no_transcript():
    assert transcript_text(f"# How cues look\n\n```\n{SRT}```\n") == ""
    assert transcript_text("graph: a --> b") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Ann: The queue needs a second broker at night.\nBo: It does not.\n"
        "Ann: It failed twice in May, as all of us know.",
        "**Ann:** The queue needs a second broker at night.\n\n**Bo:** It does not.\n\n"
        "**Ann:** It failed twice in May, as all of us know.",
        "[00:01:02] Ann: The queue needs a second broker at night.\n[00:01:09] Bo: It does not.\n"
        "[00:01:12] Ann: It failed twice in May, as all of us know.",
        "Ann   0:01\nThe queue needs a second broker at night.\n\nBo   0:05\nIt does not.\n\n"
        "Ann   0:09\nIt failed twice in May, as all of us know.",
        "00:00:01 Ann\nThe queue needs a second broker at night.\n\n00:00:05 Bo\nIt does not.\n\n"
        "00:00:09 Ann\nIt failed twice in May, as all of us know.",
    ],
)
def test_lines_with_names_are_speeches(text: str):
    source = read_source("meeting.txt", text.encode(), source_id="E1")
    assert [(p.speaker, p.text) for p in passages_of(source)] == [
        ("Ann", "The queue needs a second broker at night."),
        ("Ann", "It failed twice in May, as all of us know."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Latency: the time until a reply begins.\nCost: the price of a month.\nRisk: what can go wrong.",
        "Pros: it is known to all of us.\nCons: it is slow.\nPros: it is cheap for us.",
        "Low Risk: it is known.\nHigh Risk: it is new.\n" * 2 + "Text about both of them.\n\n" * 40,
        "When to use: it is known.\nHow to use: it is new.\n" * 2,
        "Note: this is a note on it.\n\nSome text.\n\nNote: and another one of them.\n\nWarning: it is hot.",
    ],
)
def test_a_list_of_terms_is_no_conversation(text: str):
    assert not any(block.speaker for block in read_document(text).blocks)


def test_transcript_files_are_read_in_common_encodings():
    for name, text in (("a.vtt", VTT), ("a.srt", SRT), ("a.txt", SRT)):
        assert "-->" not in read_source(name, text.encode("utf-16"), source_id="E1").text


def test_the_parser_is_imported_when_a_document_is_read():
    modules = "debate_core.documents.decision, debate_core.host.uploads"
    code = f"import sys, {modules}; assert 'markdown_it' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    "text",
    [
        "<h1>Which cache?</h1>\n\n<h2 id='options'>Options</h2>\n\n* Redis\n* Kafka\n",
        '<h1 align="center">\n  Which <b>cache</b>?\n</h1>\n<h2>Options</h2>\n* Redis\n* Kafka\n',
        "<div>\n<h1>Which cache?</h1>\n</div>\n\n## Options\n- Redis\n- Kafka\n",
    ],
)
def test_headings_written_as_tags_are_headings(text: str):
    document = read_document(text)
    assert document.title == "Which cache?"
    assert [block.words for block in document.blocks if block.kind == "heading"] == ["Which cache?", "Options"]
    assert [block.words for block in document.blocks if block.kind == "item"] == ["Redis", "Kafka"]
