"""Parses a text into blocks with their places: headings, paragraphs, list items, table rows and code.

markdown-it-py reads CommonMark and tables. Other formats are converted to it line by line before: headings of AsciiDoc
and reStructuredText, bullets of word processors, lists by letters, no-break spaces. Knows no meaning of a section,
except that its bare name in a line is a heading.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from debate_core.documents.inline import InlineText, markdown_parser, read_inline
from debate_core.documents.section_names import is_field, kinds_of, normal_name
from debate_core.documents.transcripts import known_speakers, speaker_of

if TYPE_CHECKING:
    from markdown_it.token import Token

BlockKind = Literal["heading", "item", "paragraph", "row", "code", "field"]
BARE_LEVEL = 6
"""Level of a heading that is only the name of a section in a line."""
BOLD_LEVEL = 7
"""Level of a heading that is a bold line, below every heading of Markdown."""


@dataclass(frozen=True)
class TextBlock:
    """One block: its words are the slice `start:end` of the text, without the signs of a heading or item."""

    kind: BlockKind
    start: int
    end: int
    markdown: str
    level: int = 0
    """Level of a heading, 1 is the highest; otherwise the number of lists around the block."""
    number: int | None = None
    """Number of an item in a numbered list."""
    speaker: str = ""
    cells: tuple[str, ...] = ()
    """Markdown of each cell of a row."""
    is_head: bool = False
    """True for the head of a table."""
    definitions: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def inline(self) -> InlineText:
        """The words, with the bold ones at the beginning."""
        return read_inline(self.markdown, self.definitions)

    @property
    def words(self) -> str:
        """The words without markup, on one line."""
        return self.inline.words

    def cell(self, column: int) -> InlineText:
        """The words of a cell; "" beyond the last one."""
        return read_inline(self.cells[column] if column < len(self.cells) else "", self.definitions)


class TitledLine(NamedTuple):
    """A line of metadata: `Status: accepted` is "status" and "accepted"."""

    name: str
    value: str


class _SourceLine(NamedTuple):
    """A line converted to Markdown, with the place and the text of its original."""

    markdown: str
    start: int
    raw: str


# --- front matter

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)(?P<inside>.*?)(?<=[\r\n])(?:\1|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)",
    re.DOTALL,  # "---\nstatus: accepted\n---\n"
)
# `title: "Which store?"`, `title = 'x'`
_KEY = re.compile(r"([A-Za-z][\w -]{0,40}?)[ \t]*[:=][ \t]*(.*)")


def front_matter(text: str) -> tuple[tuple[TitledLine, ...], int]:
    """The fields of the front matter between two lines of dashes, and the place of its end; 0 without one."""
    block = _FRONT_MATTER.match(text)
    if block is None:
        return (), 0
    found = [_KEY.match(line) for line in block["inside"].splitlines()]
    return tuple(TitledLine(normal_name(key[1]), _scalar(key[2])) for key in found if key), block.end()


def _scalar(value: str) -> str:
    """Read a YAML scalar: `'x' # comment` is x. A list or an object on one line stays as written."""
    value = value.strip()
    quoted = re.match(r"'((?:[^']|'')*)'|\"((?:[^\"\\]|\\.)*)\"", value)
    if quoted is None:
        return value if value.startswith(("[", "{")) else re.split(r"(?:^|\s)#", value)[0].strip()
    if quoted[1] is not None:
        return quoted[1].replace("''", "'")
    with suppress(ValueError):
        return str(json.loads(quoted[0]))
    return re.sub(r"\\(.)", r"\1", quoted[2])


# --- lines in the form of Markdown

_SPACES = dict.fromkeys([0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0xFEFF], " ")
# "= Title", "== Title ==" of AsciiDoc and wikis
_ASCIIDOC = re.compile(r"(={1,5})(?=[ \t]+[^=\s])(.*?)(?:[ \t]=+)?[ \t]*$")
# ". item" of a numbered list in AsciiDoc
_ASCIIDOC_ITEM = re.compile(r"^\.(?=[ \t]+\S)")
# "##Title"
_TIGHT_HEADING = re.compile(r"^(#{2,6})(?=[^\W\d_])")
_BULLET = re.compile(r"^([ \t>]*)[•–◦▪●·‣](?=[ \t])")
# "- - text", which is one item to its reader
_BULLETS = re.compile(r"^([ \t>]*[-*+][ \t]+)(?:[-*+][ \t]+)+(?=[^\s*+-])")
# A letter or number before an item: "a) text", "(b) text", "(1) text", "A. text"
_LETTER = re.compile(r"([ \t>]*)(?:\(?([a-zA-Z])\)|\((\d{1,2})\)|([a-zA-Z])\.)(?=[ \t]+\S)")
_UNDERLINE = re.compile(r"([~^\"'+*.:=-])\1{3,}[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+][ \t]|\d{1,3}[.)][ \t])")
_HTML_END = re.compile(r"[ \t]*</(?:table|details|div|p|ul|ol|svg|center|summary)>[ \t]*$|.*</h[1-6]>[ \t]*$", re.I)


def _lines(text: str, begin: int) -> list[_SourceLine]:
    last_comment = text.rfind("<!--") if text.rfind("<!--") > text.rfind("-->") else -1
    lines: list[_SourceLine] = []
    for found in _LINE.finditer(text, begin):
        raw, start = found[1], found.start()
        markdown = raw.translate(_SPACES)
        if start <= last_comment < found.end():
            # An unclosed comment would hide all text after it.
            markdown = markdown.replace("<!--", "\\<!--")
        lines.append(_SourceLine(markdown, start, raw))
    return _with_ends_of_html(_with_tables_whole(_in_markdown(lines)))


def _in_markdown(lines: Sequence[_SourceLine]) -> list[_SourceLine]:
    letters = _letters(lines)
    done: list[_SourceLine] = []
    shift = 0  # blanks before a list that is indented like code
    in_letters = False
    for line in lines:
        before = done[-1].markdown if done else ""
        markdown = line.markdown
        if heading := _ASCIIDOC.match(markdown):
            markdown = "#" * len(heading[1]) + heading[2]
        markdown = _ASCIIDOC_ITEM.sub("1.", markdown)
        markdown = _TIGHT_HEADING.sub(r"\1 ", markdown)
        markdown = _BULLETS.sub(r"\1", _BULLET.sub(r"\1-", markdown))
        letter = _LETTER.match(markdown)
        if letter and _letter(letter) in letters and (in_letters or _may_begin_list(before)):
            markdown = f"{letter[1]}-{' ' * (letter.end() - letter.end(1) - 1)}{markdown[letter.end() :]}"
            in_letters = True
        in_letters = in_letters and bool(markdown.strip())
        shift = _shift(shift, markdown, done)
        if len(markdown) - len(markdown.lstrip()) >= shift:
            markdown = markdown[shift:]
        done.append(_SourceLine(markdown, line.start, line.raw))
        _underline(done)
    return done


def _may_begin_list(before: str) -> bool:
    """Return True if a list by letters can begin below this line, and not in the middle of a sentence."""
    ends_sentence = before.rstrip().endswith(":")
    return not before.strip() or ends_sentence or before.startswith("#") or _is_bare_heading(before, is_first=True)


def _letter(found: re.Match[str]) -> str:
    """The letter or number with its form: "a)", "(1)", "A."."""
    return f"{found[2] or found[3] or found[4]}{found.group()[-1]}"


def _letters(lines: Sequence[_SourceLine]) -> frozenset[str]:
    """Letters and numbers with a neighbour: "A. Smith wrote it" alone is no item."""
    found = {_letter(letter) for line in lines if (letter := _LETTER.match(line.markdown))}
    return frozenset(name for name in found if _next_to(name, 1) in found or _next_to(name, -1) in found)


def _next_to(name: str, step: int) -> str:
    mark, form = name[:-1], name[-1]
    return f"{int(mark) + step if mark.isdecimal() else chr(ord(mark) + step)}{form}"


def _shift(shift: int, markdown: str, done: Sequence[_SourceLine]) -> int:
    """The indentation of a list that would be read as code without a list around it."""
    if not markdown.strip():
        return shift
    indent = len(markdown) - len(markdown.lstrip())
    if shift and indent >= shift:
        return shift
    item = _ITEM.match(markdown)
    if item is None or indent < _CODE_INDENT:
        return 0
    outer = next((line.markdown for line in reversed(done) if line.markdown.strip()), "")
    return 0 if _ITEM.match(outer) or outer.startswith((" ", "\t")) else len(item[1])


_CODE_INDENT = 4


def _underline(done: list[_SourceLine]) -> None:
    """Convert a title of another format, underlined or with lines above and below, to Markdown."""
    line = done[-1]
    underline = line.markdown.strip()
    overline, title = ["", "", *(above.markdown.strip() for above in done[-3:-1])][-2:]
    mark = _UNDERLINE.match(line.markdown)
    if mark is None or not title or len(underline) < len(title):
        return
    if overline == underline:
        done[-3] = done[-3]._replace(markdown="")
        overline = ""
    is_words = title[0].isalnum() or title[0] in "`*\"'(¿¡"
    if not overline and is_words and mark[1] not in "=-":
        done[-1] = line._replace(markdown="-" * len(line.markdown))


def _with_tables_whole(lines: list[_SourceLine]) -> list[_SourceLine]:
    """Fill empty lines within HTML tables, which would end them."""
    ends = [number for number, line in enumerate(lines) if "</table" in line.markdown.casefold()]
    in_table, at = False, 0
    for end in ends:
        for number in range(at, end):
            in_table = in_table or lines[number].markdown.lstrip().casefold().startswith("<table")
            if in_table and not lines[number].markdown.strip():
                lines[number] = lines[number]._replace(markdown="<!-- -->")
        in_table, at = False, end + 1
    return lines


def _with_ends_of_html(lines: Sequence[_SourceLine]) -> list[_SourceLine]:
    """Add an empty line after a block of tags: CommonMark would include the next paragraph in it."""
    done: list[_SourceLine] = []
    for line in lines:
        done.append(line)
        if _HTML_END.match(line.markdown):
            done.append(_SourceLine("", line.start + len(line.raw), ""))
    return done


# --- blocks

# A line that is bold as a whole, such as "**Pros**" or "__Cons:__"
_BOLD = re.compile(r"(\*\*|__)(?!\s)((?:(?!\1).){2,200}?)\1:?$")
_BARE = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?[ \t]+)?[^\W\d_][\w/&' -]{3,50}?:?$")
# A name and its text in one line, such as "Options: keep it; replace it"
SAYS = re.compile(r"[*_]{0,2}([^\W\d_][\w '-]{3,30}?)(?:[*_]{0,2}:|:[*_]{0,2})[ \t]+(?=\S)")
_FIELD = re.compile(r"[*_]{0,2}([^\W\d_][\w /-]{1,40}?)(?:[*_]{0,2}[ \t]*:|:[*_]{0,2})[*_]{0,2}(?:[ \t]+|$)(.*)")
_TASK = re.compile(r"\[[ xX]\][ \t]+")
# Tables, scripts and pictures written as tags are left out.
_HIDDEN = re.compile(r"[ \t]*<(?:table|pre|script|style|svg)\b", re.IGNORECASE)
# `<h2 id="options">Options</h2>`, also over several lines
_HTML_HEADING = re.compile(r"<h([1-6])(?:\s[^>]{0,200})?>\s*+(.{0,300}?)\s{0,50}</h\1\s?>", re.IGNORECASE | re.DOTALL)
_ELEMENT = re.compile(r"</?[a-zA-Z!]|<\?")
_CONTAINER = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:>[ \t]*)*")
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]*)*")
# A picture, a row of a table that has no head, a ruled line, a comment that never ends
_NO_WORDS = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?$|\||<!--|[-=*_| :+]+$")


def _is_bare_heading(line: str, *, is_first: bool) -> bool:
    """Return True for the name of a section alone in a line: "Options:", "3. Decision Drivers", "ALTERNATIVES"."""
    if not _BARE.match(line) or not (line.isupper() or line.endswith(":") or is_first):
        return False
    return line.lstrip("0123456789. \t")[:1].isupper() and not kinds_of(line).isdisjoint(_HEADING_KINDS)


_HEADING_KINDS = frozenset(
    {"options", "alternatives", "pros_and_cons", "drivers", "goals", "question", "context", "introduction", "outcome"}
)


def blocks_of(text: str, begin: int) -> list[TextBlock]:
    """Every block after the front matter, in reading order."""
    lines = _lines(text, begin)
    environment: dict[str, Any] = {}
    tokens = markdown_parser().parse("\n".join(line.markdown for line in lines), environment)
    # `[^1]: LinkedIn` is a footnote and no address.
    targets = {name: target for name, target in environment.get("references", {}).items() if name[0] != "^"}
    return _BlockReader(text, lines, targets).read(tokens)


class _BlockReader:
    """Converts the parser's tokens to blocks."""

    def __init__(self, text: str, lines: Sequence[_SourceLine], definitions: Mapping[str, Any]) -> None:
        self._text = text
        self._lines = lines
        self._definitions = definitions
        self._speakers = known_speakers([line.raw for line in lines])
        self._speaker = ""
        self._blocks: list[TextBlock] = []
        self._lists: list[int] = []  # of each list around: the number of its next item, 0 without numbers
        self._item: int | None = None  # the number of an item whose first block comes next

    def read(self, tokens: Sequence["Token"]) -> list[TextBlock]:
        cells: list[str] = []
        in_head = False
        lines_of_row = (0, 0)
        for token, following in pairwise((*tokens, *tokens[-1:])):
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    self._lists.append(int(token.attrGet("start") or 1) if token.type.startswith("o") else 0)
                case "bullet_list_close" | "ordered_list_close":
                    self._lists.pop()
                case "list_item_open":
                    self._item = self._lists[-1]
                    self._lists[-1] += bool(self._item)
                case "list_item_close":
                    self._item = None
                case "heading_open":
                    self._heading(token, following.content)
                case "paragraph_open":
                    self._paragraph(*_range(token), following.content)
                case "thead_open" | "thead_close":
                    in_head = token.type == "thead_open"
                case "tr_open":
                    cells, lines_of_row = [], _range(token)
                case "th_open" | "td_open":
                    cells.append(following.content)
                case "tr_close":
                    row = self._lines_block("row", *lines_of_row)
                    self._alone(replace(row, cells=tuple(cells), is_head=in_head))
                case "fence" | "code_block":
                    self._alone(self._lines_block("code", *_range(token)))
                case "html_block":
                    self._html(*_range(token))
        return self._blocks

    def _heading(self, token: "Token", words: str) -> None:
        first, last = _range(token)
        if "\n" in words:
            # "Two\nlines\n---": the line under them divides, in every format but CommonMark.
            self._paragraph(first, last - 1, words)
            return
        line = self._lines[first]
        start = line.start + max(line.raw.translate(_SPACES).rfind(words), 0)
        self._alone(TextBlock("heading", start, start + len(words), words, int(token.tag[1])))

    def _alone(self, block: TextBlock) -> None:
        """Add a block that ends what came before, as a heading does."""
        if block.kind == "heading":
            self._speaker = ""
        self._item = None
        self._blocks.append(replace(block, definitions=self._definitions))

    def _lines_block(self, kind: Literal["row", "code"], first: int, last: int) -> TextBlock:
        start, end = self._lines[first].start, self._end_of(last - 1)
        raw = self._text[start:end]
        start += len(raw) - len(raw.lstrip())
        return TextBlock(kind, start, max(start, end), self._text[start:end], len(self._lists))

    def _end_of(self, line: int) -> int:
        return self._lines[line].start + len(self._lines[line].raw.rstrip())

    def _html(self, first: int, last: int) -> None:
        """Add the headings of a block of tags, and its lines that begin with words."""
        begin, end = self._lines[first].start, self._end_of(last - 1)
        raw = self._text[begin:end]
        if _HIDDEN.match(raw):
            return
        for low, high in _without_comments(raw):
            at = low
            for found in _HTML_HEADING.finditer(raw, low, high):
                self._html_words(begin, raw[: found.start()], at)
                heading = TextBlock("heading", begin + found.start(2), begin + found.end(2), found[2], int(found[1]))
                if heading.words:
                    self._alone(heading)
                at = found.end()
            self._html_words(begin, raw[:high], at)

    def _html_words(self, begin: int, raw: str, low: int) -> None:
        for found in _LINE.finditer(raw, low):
            words = found[1].strip()
            if words and not _ELEMENT.match(words):
                at = begin + found.start() + len(found[1]) - len(found[1].lstrip())
                self._add_words([(at, words)])

    def _paragraph(self, first: int, last: int, content: str) -> None:
        lines: list[tuple[int, str]] = []
        for number in range(first, last):
            raw = self._lines[number].raw
            words = raw.rstrip()
            if number == first:
                # The signs of an item or a quotation come first; the parser gives its end.
                at = max(len(words) - len(content.split("\n", 1)[0].rstrip()), 0)
            else:
                quoted = _QUOTED.match(raw)
                at = quoted.end() if quoted else 0
            lines.append((self._lines[number].start + at, words[at:]))
        self._add_words(lines)

    def _add_words(self, lines: Sequence[tuple[int, str]]) -> None:
        """Add the lines of a paragraph as headings, fields, speeches or words."""
        group: list[tuple[int, str]] = []
        for start, words in lines:
            task = _TASK.match(words) if self._item is not None and not group else None
            sign = task.end() if task else 0
            group = self._add_line(group, start + sign, words[sign:])
        self._close(group)

    def _add_line(self, group: list[tuple[int, str]], start: int, words: str) -> list[tuple[int, str]]:
        """The open paragraph after this line, which continues `group`, begins another one, or is a block itself."""
        spoken = speaker_of(words, self._speakers)
        if spoken is not None:
            self._close(group)
            self._speaker, at = spoken
            return [(start + at, words[at:])] if words[at:] else []
        block = self._line_block(start, words, is_first=not group)
        if block is not None:
            self._close(group)
            self._alone(block)
            return []
        has_words = bool(words) and not _NO_WORDS.match(words)
        if not has_words or _begins_section(words):
            self._close(group)
            group = []
        if has_words:
            group.append((start, words))
        return group

    def _line_block(self, start: int, words: str, *, is_first: bool) -> TextBlock | None:
        """The heading or field of a single line."""
        end = start + len(words)
        bold = None if self._lists else _BOLD.match(words)
        if bold:
            return TextBlock("heading", start + bold.start(2), start + bold.end(2), bold[2], BOLD_LEVEL)
        if _is_bare_heading(words, is_first=is_first):
            return TextBlock("heading", start, end, words, BARE_LEVEL)
        named = _FIELD.match(words) if is_first else None
        if named and is_field(named[1]):
            return TextBlock("field", start, end, words, cells=(named[1], named[2]))
        return None

    def _close(self, group: Sequence[tuple[int, str]]) -> None:
        """Add the words of these lines, without the comments among them."""
        if not group:
            return
        begin, end = group[0][0], group[-1][0] + len(group[-1][1])
        raw = self._text[begin:end]
        for low, high in _without_comments(raw):
            words = raw[low:high].strip()
            if not words:
                continue
            start = begin + raw.index(words, low)
            kind: BlockKind = "paragraph" if self._item is None else "item"
            block = TextBlock(kind, start, start + len(words), _CONTAINER.sub("\n", words), len(self._lists))
            said = replace(block, number=self._item or None, speaker=self._speaker, definitions=self._definitions)
            self._blocks.append(said)
            self._item = None


def _begins_section(line: str) -> bool:
    """Return True for a section within one line: "Options: keep it; replace it"."""
    says = SAYS.match(line)
    return says is not None and not kinds_of(says[1]).isdisjoint(_HEADING_KINDS)


def _without_comments(raw: str) -> Iterator[tuple[int, int]]:
    """The ranges between HTML comments."""
    at = 0
    while (start := raw.find("<!--", at)) >= 0 and (end := raw.find("-->", start)) >= 0:
        yield at, start
        at = end + len("-->")
    yield at, len(raw)


def _range(token: "Token") -> tuple[int, int]:
    """The first line of a token, and the line after its last one."""
    first, last = token.map or (0, 0)
    return first, last
