"""Labels that authors put before reasons, as in decision records: `Good, because ...`, `Con: ...`.

Splits reasons, reads the side of a label, removes labels, and detects marks that contradict them.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, cast

from debate_core.documents.document import headings_at
from debate_core.engine.option_names import named_option
from debate_core.spec.values import Source
from debate_core.text import continuing

ReasonLabel = Literal["good", "bad", "neutral"]
_ADJECTIVES: dict[ReasonLabel, str] = {"good": "good|gut", "bad": "bad|schlecht", "neutral": "neutral"}
_NOUNS: dict[ReasonLabel, str] = {
    "good": "good|gut|pros?|advantages?|benefits?|vorteile?",
    "bad": "bad|schlecht|cons?|contra|disadvantages?|drawbacks?|nachteile?",
    "neutral": "neutral",
}
_MARKUP = r"[*_]{0,3}"
_BEFORE_BECAUSE = "|".join(f"(?P<{label}>{words})" for label, words in _ADJECTIVES.items())
_BEFORE_COLON = "|".join(f"(?P<{label}_>{words})" for label, words in _NOUNS.items())
# Adjective, sign and "because", or a word and a colon: `Good, because it is fast`, `**Con:** a second store`
_LABEL = re.compile(
    rf"(?<!\w){_MARKUP}(?:"
    rf"(?:{_BEFORE_BECAUSE}){_MARKUP}"
    rf"(?:[ \t]*[,;:–—-]{_MARKUP}\s+(?:because|as|since|weil|da)|\s+(?:because|weil))\b{_MARKUP}[,:]?"
    rf"|(?:{_BEFORE_COLON}){_MARKUP}:{_MARKUP}(?=\s)"
    rf")\s*",
    re.IGNORECASE,
)
# Text before a reason: a new line, or the end of a sentence or clause; then blanks and list markers
_BREAK = re.compile(r"""(?:[\r\n]|[.;!?]["')”’*_\]]*[ \t]+)[ \t>*+•-]*\Z""")
# "cheap, but bad, because slow": after a reason with a label, a comma is enough
_COMMA = re.compile(r",[ \t]+(?:(?:but|and|yet|aber|und)[ \t]+)?\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:,[ \t]+(?:but|and|yet|aber|und)?)?[\s>*+•-]*\Z", re.IGNORECASE)
# "Because it is cheap", "weil, wie gesagt, ..."
_BECAUSE = re.compile(r"\A(?:because|weil|denn)\b[,:]?\s+", re.IGNORECASE)
# "* ", "> - ": markers of list items and quotations
_ITEM = re.compile(r"\s*(?:[-*+•>]\s+)*")
# A heading of one side: "Pros", "Advantages of Redis", "Redis: Nachteile", "Arguments against Redis"
_SIDE_OF_HEADING = re.compile(
    rf"(?:.{{1,100}}?(?:\s*[:–—(]|\s[/-])\s*)?(?:{_BEFORE_COLON})"
    r"(?:\s*\)|\s*[:–—(].*|\s-\s.*|\s+(?:of|for|von|für|der|des)\b.*)?"
    r"|(?:arguments?|reasons?|argumente|gründe)\s+(?:(?P<good__>for|für)|(?P<bad__>against|gegen))\b.*",
    re.IGNORECASE,
)
_LONGEST_BREAK = 24
"""Characters before a label that are searched for a break."""


def label_of(text: str) -> ReasonLabel | None:
    """The label at the start of a reason; None without one."""
    found = _LABEL.match(_ITEM.sub("", text, count=1))
    if found is None or found.lastgroup is None:
        return None
    return cast("ReasonLabel", found.lastgroup.rstrip("_"))


def without_label(text: str) -> str:
    """The reason without its labels: `Good, because it is fast` becomes `it is fast`."""
    reason = _ITEM.sub("", text, count=1)
    while (found := _LABEL.match(reason)) and found.end() < len(reason):
        reason = reason[found.end() :]
    return reason


def as_clause(text: str, everyday: Collection[str] = ()) -> str:
    """The reason as a clause after "because": `Because the load grows` and `Pro: The load grows` become
    `the load grows`. `everyday`: words that are no names, as in `continuing`.
    """
    reason = without_label(text)
    return continuing(_BECAUSE.sub("", reason, count=1) or reason, everyday)


def split_reasons(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split `start:end` into slices with one label each at most, in order, without list markers between them."""
    bounds = [start, *_later_reasons(text, start, end)]
    slices = []
    for low, high in pairwise(bounds):
        tail = text[max(low, high - _LONGEST_BREAK) : high]
        between = _BETWEEN.search(tail)
        slices.append((low, high - len(between.group()) if between else high))
    return [*slices, (bounds[-1], end)]


def _later_reasons(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the start of each labelled reason after the first words of the slice."""
    low = start
    for found in _LABEL.finditer(text, start, end):
        before = text[max(low, found.start() - _LONGEST_BREAK) : found.start()]
        if _BREAK.search(before) or (_COMMA.search(before) and label_of(text[low : found.start()])):
            low = found.start()
            yield low


@dataclass(frozen=True, slots=True)
class AuthorReason:
    """The side on which the author puts a passage, and the option that the headings above it name."""

    label: ReasonLabel | None
    words: str = ""
    """The label as written, without markup, or the heading that is one: `Bad, because`, `Con:`, `Pros of Redis`."""
    option: str | None = None
    headings: tuple[str, ...] = ()
    """All headings above the passage, outermost first."""

    def is_contradicted(self, reading: str, option: str | None) -> bool:
        """True for a mark for an option whose reason the author labelled as against it, or vice versa.

        A label under the heading of another option does not apply.
        """
        opposite = {"supports": "bad", "against": "good"}.get(reading)
        return self.label is not None and self.label == opposite and self.option in (None, option)


def author_reason(sources: Sequence[Source], source_id: str | None, text: str, options: Sequence[str]) -> AuthorReason:
    """Read the label and the headings of a passage that was quoted from one of these documents.

    The label is at its start, else it is the nearest heading of one side.
    """
    headings = _headings_above(sources, source_id, text)
    named = [named_option(heading, options) for heading in reversed(headings)]
    label, words = label_of(text), _label_words(text)
    if label is None:
        label, words = next((one for one in map(_side_of_heading, reversed(headings)) if one[0]), (None, ""))
    return AuthorReason(label, words, next(filter(None, named), None), headings)


def _headings_above(sources: Sequence[Source], source_id: str | None, text: str) -> tuple[str, ...]:
    source = next((source for source in sources if source.id == source_id), None)
    place = source.text.find(text) if source and text else -1
    return headings_at(source.text, place) if source and place >= 0 else ()


def _side_of_heading(heading: str) -> tuple[ReasonLabel | None, str]:
    found = _SIDE_OF_HEADING.fullmatch(heading.removesuffix(":").strip())
    if found is None or found.lastgroup is None:
        return None, ""
    return cast("ReasonLabel", found.lastgroup.rstrip("_")), heading


def _label_words(text: str) -> str:
    found = _LABEL.match(_ITEM.sub("", text, count=1))
    return " ".join(re.sub(r"[*_]", "", found.group()).split()) if found else ""
