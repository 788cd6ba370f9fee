"""Documents as headings and prose: what stands under what, and what is left out because nobody argues with it."""

import pytest

from debate_core.documents.document import (
    MAX_READ_CHARS,
    document_title,
    heading_of,
    heading_places,
    headings_at,
    paragraphs_of,
)
from debate_core.engine.passages import is_prose, passages_of
from debate_core.spec.values import Source

TEXT = """---
status: accepted
---
# **Use** [C#](https://example.org) ##

Opening words.

## Options

Two of them.

### Keep it

It works.

**Pros:**

It is cheap.

Costs
-----

What it costs.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("words", "headings"),
    [
        ("Opening words.", ()),
        ("Two of them.", ("Options",)),
        ("It works.", ("Options", "Keep it")),
        ("It is cheap.", ("Options", "Keep it", "Pros")),
        ("What it costs.", ("Costs",)),
    ],
)
def test_what_stands_under_which_headings(words: str, headings: tuple[str, ...], end: str):
    text = TEXT.replace("\n", end)
    assert headings_at(text, text.index(words)) == headings
    assert heading_of(Source(id="E1", title="t", text=text), words) == " / ".join(headings[-2:])
    assert document_title(text) == "Use C#"
    assert words in [text[p.start : p.end] for p in paragraphs_of(text)]


def test_a_document_in_parts_has_no_overall_title():
    text = "# Context\n\nIt is old.\n\n# Decision\n\nWe keep it."
    assert [headings_at(text, text.index(words)) for words in ("It is", "We keep")] == [("Context",), ("Decision",)]


def test_words_that_are_not_in_the_source_stand_under_nothing():
    source = Source(id="E1", title="t", text="## Costs\n\nIt is cheap.")
    quotes = ("It is cheap.", "## Costs", "It is dear.", "")
    assert [heading_of(source, quote) for quote in quotes] == ["Costs", "Costs", "", ""]


def test_a_heading_is_read_without_its_markup():
    text = "# One ##\n---\n\n**Two:**\n\n__Three__\n\nFour\n----\n\ntext"
    assert [text[start:end] for start, end in heading_places(text)] == ["One", "Two:", "Three", "Four"]
    assert headings_at(text, text.index("__Three__")) == ("Three",)


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("a\nb\n\nc", ["a\nb", "c"]),
        ("a\r\nb\r\rc", ["a\r\nb", "c"]),
        ("- a\n  b\n- [x] c\n> 2) d", ["a\n  b", "c", "d"]),
        ("a <!-- b\nc --> d", ["a", "d"]),
        ("a\n\n<!-- never ends\n\nb", ["a", "b"]),
        ("a\n~~~\nb\n~~~\nc", ["a", "c"]),
        ("a\n\n    code()\n\nb", ["a", "b"]),
        ("| a | b |\n|---|---|\n| c | d |\n\ne", ["e"]),
        ("a | b\n--- | ---\nc | d\ne | f\n\ng", ["g"]),
        ("<table>\n<tr><td>a\n</table>\nb", ["b"]),
        ("<script>\na\n\nb</script>\nc", ["c"]),
        ("![a picture](b.png)\nc", ["c"]),
        ("Status: a\nDate: b\n\nThe date: c", ["The date: c"]),
        ("* **Deciders:** a\n* b", ["b"]),
        ("a\nb\n---\nc", ["a\nb", "c"]),
        ("a\n---\nc", ["c"]),
        ("## Status\n\na\n\n## 2. Links\n\n- b\n\n## Status of the disks\n\nc", ["c"]),
        ("## Links\n\na\n\n### More\n\nb\n\n## Costs\n\nc", ["c"]),
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("- one\n- two\nthree", ["one", "two\nthree"]),
        ("> one\n> two", ["one\n> two"]),
        ("1. one\n2. two\nin 1234. three", ["one", "two\nin 1234. three"]),
        ("- [x] one\n- [ ] two", ["one", "two"]),
        ("one\n    two\n\n    three", ["one\n    two"]),
        ("    - one", ["one"]),
        ("\tone\n\ntwo", ["two"]),
        ("Status: accepted\n\none\nStatus: open", ["one\nStatus: open"]),
        ("* **Deciders:** Ann\n\none", ["one"]),
        ("one <!-- two --> three", ["one", "three"]),
        ("one <!-- two", ["one <!-- two"]),
        ("<!-- one\n\ntwo -->\nthree", ["three"]),
        ("---\nwords of the file\n---\none", ["one"]),
        ("a | b\r\n--- | ---\r\none | two\r\n\r\nthree", ["three"]),
        ("<!-- one -->\n<!-- two -->\nthree", ["three"]),
        ("```\none\n```\ntwo", ["two"]),
        ("````\none\n```\ntwo\n````\nthree", ["three"]),
        ("~~~\none\n```\ntwo\n~~~\nthree", ["three"]),
        ("- ```\n  one\n  ```\ntwo", ["two"]),
        ("<table>\none\n</table>\ntwo", ["two"]),
        ("<pre>one</pre>\ntwo", ["two"]),
        ("<style>\none\n\ntwo\n</style>\nthree", ["three"]),
        ("a | b\n--|--\none | two\n\nthree", ["three"]),
        ("| a | b |\n|---|---|\n| one | two |\nthree", []),
        ("| a | b |\none", ["one"]),
        ("---\nstatus: x\n---\none", ["one"]),
        ("one\n---\nstatus: x\n---\ntwo", ["two"]),
        ("## References\n\none\n\n## Costs\n\ntwo", ["two"]),
        ("## 2. Status:\n\none\n\n### More\n\ntwo\n\n## Costs\n\nthree", ["three"]),
        ("![one](two.png)\n\nthree", ["three"]),
    ],
)
def test_paragraphs_are_prose_alone(text: str, paragraphs: list[str]):
    assert [text[p.start : p.end] for p in paragraphs_of(text)] == paragraphs


@pytest.mark.parametrize(
    ("text", "says_something"),
    [
        ("The store answers a query in 12 ms, as it did last year.", True),
        ("Use `HttpClient` of the platform, and keep `HttpClientFactory` as it is.", True),
        ("Nobody knows [what it costs](https://example.org/a/b/c), so we ask the vendor for a price.", True),
        ("The library is licensed under the GPL, which our customers do not accept.", True),
        ("It was slow in March. These are the reasons for that:", True),
        ("Too short to say much here.", False),
        ("The options that we looked at in March are these:", False),
        ("[The minutes of the meeting in which all of this was said](https://example.org/minutes)", False),
        ("https://example.org/a-page/with/many/words/in/its/address and one more", False),
        ("var store = new Store(options); store.Open(); return store.Find(id) ?? throw new Missing(id);", False),
        ("{decision driver 1, e.g., a force that the team is facing, or a concern}", False),
        ("[Describe the context and the problem in two or three sentences of your own]", False),
        ("What is the issue that we're seeing that is motivating this decision or change?", False),
        ("Copyright 2021 the authors of this record and of all the others beside it.", False),
        ("This document is licensed under the terms that the file beside it gives.", False),
    ],
)
def test_a_passage_says_something_in_words_of_its_own(text: str, says_something: bool):
    assert is_prose(text) is says_something


def test_a_passage_knows_its_headings():
    text = "# Title\n\n## Options\n\n### Keep\n\n#### Pros\n\nIt answers a query for one order in 12 ms."
    assert [p.heading for p in passages_of(Source(id="E1", title="t", text=text))] == ["Keep / Pros"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("## Second\n\n# First\n\n# Other", "First"),
        ("First\n=====\n\nText", "First"),
        ("First\n-----\n\nText", "First"),
        ("## First\n\nText\n\n## Second", ""),
        ("**First**\n\nText", ""),
        ("= First =\n\nText", "First"),
        ("# First: #\n", "First"),
        ("# `Use` **it** [now](https://example.org):", "Use it now"),
        ("# " + "x" * 130, "x" * 120),
        ("#\n\nText", ""),
        ("####### Seven\n\nText", ""),
    ],
)
def test_the_title_is_the_first_heading_of_the_first_level(text: str, title: str):
    assert document_title(text) == title


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree\n\n## D\n\nfour", ["", "B", "B/C", "D"]),
        ("## B\n\none\n\n**Bold**\n\ntwo\n\n### C\n\nthree\n\n**Bold**\n\nfour", ["B", "B/Bold", "B/C", "B/C/Bold"]),
        ("# A\n\none\n\n# B\n\ntwo\n\n## C\n\nthree", ["A", "B", "B/C"]),
        ("one\n\n# A\n\ntwo", ["", ""]),
        ("A\n=\none\n\nB\n--\ntwo", ["", "B"]),
    ],
)
def test_what_stands_under_a_heading_stands_under_all_above_it(text: str, paths: list[str]):
    prose = [p for p in paragraphs_of(text) if text[p.start : p.end] in ("one", "two", "three", "four")]
    assert ["/".join(p.headings) for p in prose] == paths


def test_title_is_looked_for_at_the_beginning_of_a_long_text():
    late = "Some words of it.\n\n" * (MAX_READ_CHARS // 10) + "# Late title\n"
    assert (document_title(late), document_title("# Use C#\n\n" + late)) == ("", "Use C#")
