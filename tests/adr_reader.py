"""Reads a decision record back with a Markdown parser of other people, and looks for what Markdown linters object to.

The rules are those of markdownlint that MADR keeps: all but the length of lines.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Read:
    """A decision record as a stranger reads it: texts are what a reader sees, without markup."""

    front: dict[str, Any]
    """Values of the front matter; structured ones as their JSON says."""
    headings: list[tuple[int, str]]
    sections: dict[str, list[str]]
    """Second and third headings -> their paragraphs and list items, in order."""
    kinds: set[str]
    """Kinds of blocks and spans that there are."""

    def chosen(self) -> str | None:
        """The option of "Chosen option: ..., because ..."; None if it says none."""
        where = "Decision Outcome" if "Decision Outcome" in self.sections else "Decision"
        found = re.match(r'Chosen option: (?:"(.*?)"|none), because .+', self.sections[where][0])
        assert found, self.sections[where]
        return found[1]


def read_adr(text: str) -> Read:
    """Front matter, headings and texts."""
    front, body = _split(text)
    tokens = _PARSER.parse(body)
    headings, sections, kinds = list[tuple[int, str]](), dict[str, list[str]](), set[str]()
    for before, token in zip([None, *tokens], tokens, strict=False):
        kinds.add(token.type)
        kinds |= {child.type for child in token.children or ()}
        if token.type != "inline" or before is None:
            continue
        if before.type == "heading_open":
            headings.append((int(before.tag[1]), _seen(token)))
            sections[_seen(token)] = []
        elif headings:
            sections[headings[-1][1]].append(_seen(token))
    return Read(front, headings, sections, kinds)


def first_page(found: Read) -> dict[str, str]:
    """Label -> sentences of the list below the title."""
    below_title = found.sections[found.headings[0][1]]
    return {label: words for row in below_title for label, _, words in [row.partition(": ")]}


def _seen(token: Token) -> str:
    shown = [("\n" if c.type == "softbreak" else c.content) for c in token.children or ()]
    return "".join(shown)


_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NOT_IN_YAML = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_KEY = 1_000
"""YAML parsers read no longer keys."""


def _split(text: str) -> tuple[dict[str, Any], str]:
    """Front matter and body. Every value is a date or JSON on one line, which all versions of YAML read alike."""
    if not text.startswith("---\n"):
        return {}, text
    head, body = text[4:].split("\n---\n", 1)
    assert head.splitlines() == head.split("\n"), "a value is on several lines"
    assert not _NOT_IN_YAML.search(head), "a sign that YAML does not allow"
    lines = [line.split(": ", 1) for line in head.split("\n")]
    front = {key: value if _ISO_DATE.fullmatch(value) else json.loads(value) for key, value in lines}
    assert len(front) == len(lines), "a key is there twice"
    assert all(re.fullmatch(r"[A-Za-z-]+", key) for key in front), list(front)
    assert all(len(key) <= _LONGEST_KEY for entry in _entries(front.values()) for key in entry)
    return front, body


def _entries(values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for value in values:
        if isinstance(value, dict):
            yield value
        elif isinstance(value, list):
            yield from _entries(value)


def status_in_backstage(text: str) -> str:
    """The status as the ADR plugin of Backstage shows it; it reads front matter alone."""
    return str(_split(text)[0].get("status", "unknown"))


def status_in_log4brains(text: str) -> str:
    """The status as log4brains reads it: from a list between the title and the first section."""
    head = re.split(r"(?m)^##", text, maxsplit=1)[0]
    found = re.search(r"(?m)^[-*] Status: (draft|proposed|rejected|accepted|deprecated|superseded)$", head)
    return found[1] if found else "unknown"


def status_in_adr_viewer(text: str) -> str:
    """The status as adr-viewer 1.4 shows it, from the text below a heading Status; it does not know "rejected"."""
    for status, shown in (("Accepted", "accepted"), ("Superseded by", "superseded"), ("Proposed", "pending")):
        if any(paragraph.startswith(status) for paragraph in read_adr(text).sections.get("Status", ())):
            return shown
    return "unknown"


def lint(text: str) -> list[str]:
    """List the markdownlint findings by rule name."""
    found = [f"MD047 {text[-20:]!r}"] if not text.endswith("\n") or text.endswith("\n\n") else []
    _, body = _split(text)
    lines = body.strip("\n").split("\n")
    found += [f"MD009 {line!r}" for line in lines if line != line.rstrip()]
    found += [f"MD010 {line!r}" for line in lines if "\t" in line]
    found += ["MD012" for a, b in pairwise(lines) if a == b == ""]
    found += [f"MD027 {line!r}" for line in lines if re.match(r">\s{2,}", line)]
    shapes = [line[:1] for line in lines]
    found += ["MD028" for three in zip(shapes, shapes[1:], shapes[2:], strict=False) if three == (">", "", ">")]
    return found + _headings(lines) + _blocks(body)


def _headings(lines: list[str]) -> list[str]:
    found, levels, seen = list[str](), list[int](), set[str]()
    for number, line in enumerate(lines):
        if not (heading := re.match(r"(#{1,6}) (.*)$", line)):
            continue
        level, title = len(heading[1]), heading[2]
        found += ["MD001"] if levels and level > levels[-1] + 1 else []
        found += ["MD025"] if level == 1 and 1 in levels else []
        found += ["MD041"] if not levels and (level != 1 or number) else []
        found += [f"MD026 {title!r}"] if title[-1] in ".,;:!。，；：！" else []
        found += [f"MD024 {title!r}"] if title in seen else []
        around = [*lines[max(0, number - 1) : number], *lines[number + 1 : number + 2]]
        found += ["MD022"] if any(around) else []
        levels.append(level)
        seen.add(title)
    return found or (["MD041"] if not levels else [])


def _blocks(body: str) -> list[str]:
    tokens = _PARSER.parse(body)
    lines = body.split("\n")
    found = [f"MD033 {t.content!r}" for t in tokens if t.type in ("html_block", "code_block", "fence", "hr")]
    found += ["MD004" for _ in [0] if len({t.markup for t in tokens if t.type == "bullet_list_open"}) > 1]
    found += ["MD003" for t in tokens if t.type == "heading_open" and not set(t.markup) <= {"#"}]
    for token in tokens:
        if token.type == "bullet_list_open" and token.map:
            begin, end = token.map
            after = lines[end : end + 1]
            found += ["MD032"] if lines[begin - 1].strip() or (after and after[0].strip() and lines[end - 1]) else []
        for child in token.children or ():
            if child.type in ("html_inline", "link_open", "image", "em_open", "strong_open"):
                found.append(f"MD033 or MD034 {child.type} {child.content!r}")
    bare = re.findall(r"(?<!\\)(?:https?|ftp)://\S+|\bwww\.\S+|[\w.+-]+@[\w-]+\.\w+", body)
    return found + [f"MD034 {text!r}" for text in bare]
