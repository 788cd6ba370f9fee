"""Reads the words of a line of Markdown, without markup.

Code spans keep their text, links their label, autolinks their address. Only tags of HTML are markup: `Vec<T>` is text.
Emphasis signs within a name are text too: `__init__.py`, `a*b*c`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_core.text import one_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARS = 20_000
"""Maximum length of text whose markup is read: a hostile paragraph of this length takes a second."""
_VOID = frozenset({"br", "hr", "img", "wbr"})
# Elements that can end in another paragraph, or have no end.
_STRUCTURE = re.compile(
    "blockquote|center|dd|details|div|dl|dt|font|h[1-6]|li|ol|p|pre|span|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
# Elements of the WHATWG list that end in the same paragraph: without an end `List<a>` is a type.
_PHRASE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|figcaption|i|ins|kbd|mark|q|s|samp|section|small|strike|strong"
    "|style|sub|sup|svg|time|tt|u|var"
)
# `</a>`, `<td align="left">`, `<br/>`; not `<b and c>`, which no attribute of HTML looks like
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))*)\s*/?>")
# Text after underscores that belong to a name: `__init__.py`, `__call__(x)`
_GOES_ON = re.compile(r"\w|\.\w|[(\[]")
_DUNDER = re.compile(
    r"all|call|del|dict|doc|enter|eq|exit|file|future|hash|init|iter|len|main|module|name|new|next|repr|slots|str|\w+_\w+"
)


@lru_cache(maxsize=1)
def markdown_parser() -> "MarkdownIt":
    """The parser of blocks: CommonMark, tables and strikethrough. Inline text is parsed on demand, as most of a long
    document is never used.

    Imported here: it takes a tenth of a second, and most commands read no document.
    """
    from markdown_it import MarkdownIt

    class MarkdownReader(MarkdownIt):
        def normalizeLinkText(self, link: str) -> str:  # noqa: N802
            """Show an address as its writer wrote it."""
            return link

    parser = MarkdownReader("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


# The number of a footnote: "Kafka[^1]"
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,30}\]")
# Soft hyphens and other signs that only allow a line break within a word
_BREAKS = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))
_PICTURE = r"[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d]*"
# Signs that decorate a title at its beginning or end: "📝 Title 🚀"; not the arrow of "REST → gRPC"
_PICTURES = re.compile(rf"^(?:{_PICTURE}[ \t]+)+|(?:[ \t]+{_PICTURE})+$")


def without_pictures(words: str) -> str:
    """The words without the pictures before and after them."""
    return _PICTURES.sub("", words.strip())


class InlineText(NamedTuple):
    """The words of a text: all of them, the bold ones at its beginning, and the rest."""

    words: str
    lead: str
    rest: str


def read_inline(markdown: str, definitions: Mapping[str, Any] | None = None) -> InlineText:
    """Read one paragraph, item, heading or cell; `definitions` are the link targets of its document."""
    tokens: list[Token] = []
    parser = markdown_parser()
    parser.inline.parse(markdown[:MAX_CHARS], parser, {"references": dict(definitions or {})}, tokens)
    found = _InlineWords(tokens).read()
    beyond = one_line(markdown[MAX_CHARS:])
    return InlineText(f"{found.words} {beyond}", found.lead, f"{found.rest} {beyond}") if beyond else found


def plain_words(markdown: str) -> str:
    """A text without its markup: "**Use** [C#](x) `now`" is "Use C# now"."""
    return read_inline(markdown).words


class _InlineWords:
    """Collects the words of inline tokens."""

    def __init__(self, tokens: Sequence["Token"]) -> None:
        self._tokens = tokens
        self._parts: list[str] = []
        self._open: list[tuple[int, str]] = []  # place of an emphasis sign among the parts, and the sign before it
        self._closing = Counter(tag[2].lower() for token in tokens if (tag := _tag(token)) and tag[1])
        self._opened: Counter[str] = Counter()
        self._lead_end = 0

    def read(self) -> InlineText:
        for number, token in enumerate(self._tokens):
            self._add(number, token)
        parts = self._parts
        return InlineText(
            _joined(parts),
            _joined(parts[: self._lead_end]),
            _joined(parts[self._lead_end :]),
        )

    def _add(self, number: int, token: "Token") -> None:
        match token.type:
            case "softbreak" | "hardbreak":
                self._parts.append(" ")
            case "em_open" | "strong_open":
                self._open.append((len(self._parts), self._last_sign()))
                self._parts.append("")
            case "em_close" | "strong_close":
                self._close_emphasis(number, token)
            case "html_inline":
                self._parts.append(self._html(token))
            case "text":
                self._parts.append(_FOOTNOTE.sub("", token.content))
            case "image":
                self._parts.append(read_inline(token.content).words)
            case _:
                self._parts.append(token.content)

    def _close_emphasis(self, number: int, token: "Token") -> None:
        at, before = self._open.pop()
        following = self._tokens[number + 1].content if number + 1 < len(self._tokens) else ""
        inner = "".join(self._parts[at + 1 :])
        if _belongs_to_name(token.markup, before, inner, following):
            self._parts[at] = token.markup
            self._parts.append(token.markup)
        elif token.type == "strong_close" and not self._lead_end and not "".join(self._parts[:at]).strip():
            self._lead_end = len(self._parts)

    def _last_sign(self) -> str:
        return next((part[-1] for part in reversed(self._parts) if part), "")

    def _html(self, token: "Token") -> str:
        """The text that remains of a tag: none for HTML, a blank for a line break, the whole tag for any other."""
        if token.content.startswith("<!--"):
            return " "
        tag = _tag(token)
        name = tag[2].lower() if tag else ""
        if name in _VOID:
            return " "
        is_in_word = self._last_sign().isalnum()
        if tag is None or not self._is_markup(name, is_closing=bool(tag[1]), is_in_word=is_in_word):
            return token.content
        # "10<sup>6</sup>" is no 106.
        return "^" if name == "sup" and not tag[1] and is_in_word else ""

    def _is_markup(self, name: str, *, is_closing: bool, is_in_word: bool) -> bool:
        """True for an HTML tag whose other half is in this paragraph, or that needs none."""
        if is_closing:
            self._closing[name] -= 1
            self._opened[name] -= 1
            has_other_half = self._opened[name] >= 0
        else:
            has_other_half = self._closing[name] > 0
            self._opened[name] += has_other_half
        if _PHRASE.fullmatch(name):
            return has_other_half
        return _STRUCTURE.fullmatch(name) is not None and (has_other_half or not is_in_word)


def _joined(parts: Sequence[str]) -> str:
    return one_line("".join(parts).translate(_BREAKS))


def _tag(token: "Token") -> re.Match[str] | None:
    return _TAG.fullmatch(token.content) if token.type == "html_inline" else None


def _belongs_to_name(markup: str, before: str, inner: str, following: str) -> bool:
    """True for signs that only look like emphasis: `__init__.py`, `width*height*depth`."""
    if markup.startswith("_"):
        is_in_path = before in (".", "/") or _GOES_ON.match(following) is not None
        return inner.isidentifier() and (is_in_path or _DUNDER.fullmatch(inner) is not None)
    return before.isalnum() and following[:1].isalnum()
