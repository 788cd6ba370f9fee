"""A folder of decision records as a whole: what each file says of itself, the index page, and superseding links.

Reads records of all four profiles, and records that other tools wrote in one of these forms.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from debate_core.documents.blocks import front_matter
from debate_core.errors import InvalidSpec
from debate_core.report.files.adr.record_number import is_numbered
from debate_core.report.files.document import Document, Heading, Own, Paragraph
from debate_core.text import line, md_text

INDEX = "README.md"
"""Git hosts show this file below the list of files."""
_INDEX_BEGIN = "<!-- decisions: begin, written by the debate room -->"
_INDEX_END = "<!-- decisions: end -->"
_STATUS_HEADING = re.compile(r"(?im)^(#{1,6}[ \t]+status[ \t]*#*[ \t]*\n(?:[ \t]*\n)*)([^\n#][^\n]*)")
"""`## Status`, and the first line of text below it."""
_STATUS_LINE = re.compile(r"(?im)^([ \t]*[-*]?[ \t]*\**status\**[ \t]*:\**[ \t]*)(\S[^\n]*)")
"""`- Status: accepted`, also in front matter."""
_DATE_LINE = re.compile(r"(?im)^[ \t]*[-*]?[ \t]*\**date\**[ \t]*:\**[ \t]*[\"']?(\d{4}-\d{2}-\d{2})")
_TITLE = re.compile(r"(?m)^#[ \t]+(.+?)[ \t]*#*[ \t]*$")
_NUMBER_BEFORE = re.compile(r"^(?:ADR[- ]?)?\d+[.:)]?\s+")
_LINKABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}\.md")


@dataclass(frozen=True, slots=True)
class ListedDecision:
    """One decision record of a folder, as the file describes itself; unknown values are empty."""

    file: str
    title: str
    status: str
    date: str


def listed_decision(file: str, text: str) -> ListedDecision:
    """Read title, status and date of a decision record."""
    fields = {field.name: field.value for field in front_matter(text)[0]}
    title = _TITLE.search(text)
    heading = _NUMBER_BEFORE.sub("", title[1]) if title else fields.get("title", "")
    dated = _DATE_LINE.search(text)
    status = fields.get("status") or _status_below_heading(text) or _status_in_line(text)
    return ListedDecision(file, _unescaped(heading), _unescaped(status), dated[1] if dated else "")


def _status_below_heading(text: str) -> str:
    found = _STATUS_HEADING.search(text)
    return found[2] if found else ""


def _status_in_line(text: str) -> str:
    found = _STATUS_LINE.search(text)
    return found[2] if found else ""


def _unescaped(text: str) -> str:
    """Text without links and escapes of Markdown, on one line."""
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return line(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", without_links))


def index_page(folder: Mapping[str, str], before: str | None) -> str | None:
    """The index page of a folder (file name -> text); None if its page was written by someone else.

    Text that people write above and below the list stays.
    """
    listing = "\n".join((_INDEX_BEGIN, *_index_lines(folder), _INDEX_END))
    if before is None:
        return f"# Decisions\n\n{listing}\n"
    above, begin, rest = before.partition(_INDEX_BEGIN)
    _, end, below = rest.partition(_INDEX_END)
    return f"{above}{listing}{below}" if begin and end else None


def _index_lines(folder: Mapping[str, str]) -> Iterator[str]:
    yield "| Record | Decision | Status | Date |"
    yield "|---|---|---|---|"
    for file in sorted(name for name in folder if is_numbered(name) and _LINKABLE.fullmatch(name)):
        row = listed_decision(file, folder[file])
        cells = (md_text(text) or "unknown" for text in (row.title, row.status, row.date))
        yield f"| [{file.removesuffix('.md')}]({file}) | {' | '.join(cells)} |"


def with_predecessor(document: Document, file: str) -> Document:
    """The document with a link to the record that it supersedes, in its front matter and below its title."""
    check_linkable(file)
    title, *blocks = document.blocks
    link = Paragraph((Own(f"Supersedes [{file.removesuffix('.md')}]({file})."),))
    front = {**document.front, "supersedes": file} if document.front else document.front
    # The status of the forms without front matter comes first; a link above it would be read as the status.
    place = next((n for n, block in enumerate(blocks) if isinstance(block, Heading)), len(blocks))
    return Document((title, *blocks[:place], link, *blocks[place:]), front, document.marker)


def superseded(file: str, text: str, by: str) -> str:
    """The text of an old record whose status names its successor. InvalidSpec if it states no status.

    A record that names this successor already is not changed.
    """
    check_linkable(by)
    status = f"superseded by [{by.removesuffix('.md')}]({by})"
    if listed_decision(file, text).status.startswith("superseded by"):
        if f"]({by})" in text:
            return text
        raise InvalidSpec("{file} is superseded by another record already", file=file)
    end_of_front = front_matter(text)[1]
    front, body = text[:end_of_front], text[end_of_front:]
    if _STATUS_LINE.search(front):
        return _STATUS_LINE.sub(lambda found: f'{found[1]}"{status}"', front, count=1) + body
    if _STATUS_HEADING.search(body):
        return front + _STATUS_HEADING.sub(lambda found: f"{found[1]}{status[0].upper()}{status[1:]}", body, count=1)
    if _STATUS_LINE.search(body):
        return front + _STATUS_LINE.sub(lambda found: f"{found[1]}{status}", body, count=1)
    raise InvalidSpec("{file} has no status that could be changed: add a line such as `Status: accepted`", file=file)


def check_linkable(file: str) -> None:
    """Raise InvalidSpec for the name of a file that no record can link to."""
    if not _LINKABLE.fullmatch(file):
        raise InvalidSpec(
            "{file!r} is no name of a decision record: letters, digits, `.`, `-` and `_`, and .md at the end", file=file
        )
