"""Extracts names of options and drivers from items, headings and cells: without label, number, mark of a choice,
explanation."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse

from debate_core.documents.inline import InlineText, without_pictures
from debate_core.documents.section_names import (
    CHOSEN,
    LABELS_WITHOUT_NUMBER,
    NOT_CHOSEN,
    NOTHING_NAMED,
    OPTION_LABELS,
    is_named,
    normal_name,
    normal_names,
)

MAX_OPTION_CHARS = 200
MAX_DRIVER_CHARS = 120
SHORT_OPTION_CHARS = 70
"""Maximum length of an option, or else of the name before its explanation."""


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name in a list of a document, and the parts that were left out."""

    name: str
    is_shortened: bool = False
    has_mark: bool = False
    """True if a mark of a choice was left out: "(rejected)"."""
    is_chosen: bool = False
    """True if that mark means chosen."""


# A label of an option: "Option 2: ", "[Option 1] ", "Alternative B - ", "Option 4 [Proposal] - ", "Option two: ", also
# without a number, such as "Option: "
_LABEL = re.compile(
    rf"(?:\[[^\[\]]{{1,40}}\][ ]+)?[\[(]?(?:(?i:{LABELS_WITHOUT_NUMBER})(?=:[ ]+\S)|(?i:{OPTION_LABELS})s?[ ]*[#№]?[ ]?"
    r"(?:\d{1,2}(?:\.\d{1,2})?[a-zA-Z]?|[A-Z]\d{0,2}|[IVX]{1,4}"
    r"|(?i:one|two|three|four|five|eins|zwei|drei|vier)|[a-z](?=[ ]*[:.)])))"
    r"(?:[\])][ ]*)?(?:[ ]*\[[^\[\]]{1,40}\])?"
    r"(?:[ ]*[:.)–—-]+(?:[ ]+|$)|(?<=[\])])[ ]*|[ ]+(?=[A-ZÄÖÜ\"“`(\[])|$)"
)
_MAY_BE_LABEL = re.compile(rf"[^\w\n]{{0,10}}(?i:{OPTION_LABELS})")
# The number of an item: "2. ", "(3) ", "1.2) ", "1A. "
_NUMBER = re.compile(r"(?:\(\d{1,2}[a-zA-Z]?\)|\d{1,2}(?:\.\d{1,2})*[a-zA-Z]?[.)])\s+")
_SECTION_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,2}\.(\d{1,2})[.)]?[ ]+(?=\S)")
# "A: ", "B1 - ", "2: ", of which the first of a list has a first letter or number: "S3: cheap" is a name
_LETTER = re.compile(r"([A-Z]?\d{0,2})(?:[.:)]|[ ]+[–—-])[ ]+(?=\S)")
_FIRST_LETTER = re.compile(r"A|A?1|[A-Z]1")
_MARK = re.compile(
    rf"[ ]*[\[(](?:the )?(?P<mark>{CHOSEN}|{NOT_CHOSEN})(?: option| solution)?[\])]"
    rf"|[ ]+[–—-][ ]+(?P<end>{CHOSEN}|{NOT_CHOSEN})\.?$|(?P<sign>[✅✔❌✓☑✗✘⭐])\ufe0f?",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(r": | [–—-] | -- |\. (?=[A-ZÄÖÜ])|, (?:because|so that|which|i\.e\.|e\.g\.)| \(| i\.e\.| e\.g\.")
_SEPARATES = re.compile(r"[:.,;(\[–—-]")
# Placeholders: "{title of option 1}", "[option 1]" and "…" of templates, "(no other option known)"
_PLACEHOLDER = re.compile(
    r"\{[^{}]*[a-zA-Z][^{}]*\}|\[[a-z ,]*(?:short|title|option|driver|name)[a-z ,\d]*\]"
    r"|\(?no other (?:known )?(?:options?|alternatives?)(?: (?:known|considered|found|exists?))?\)?"
    r"|…|\.\.\.|tbd|todo|[-–—]*",
    re.IGNORECASE,
)
_LONGEST_PLACEHOLDER = 300
# A full stop at the end is not part of a name; those of "etc." and "e.g." are.
_ABBREVIATED = re.compile(r"(?:\b[a-zA-Z]\.[a-zA-Z]|\betc|\bInc|\bLtd|\bCo|\busw|\.\.)\.$")


def option_names(listed: Sequence[InlineText]) -> tuple[ListedName, ...]:
    """The options of one list, each once, without aspects of an option such as "Pros"."""
    kept = list(filterfalse(_is_aspect, listed))
    if not kept or _names_nothing(kept):
        return ()
    kept = _without_section_numbers(kept)
    has_letters = _have_letters([item.words for item in kept])
    names = [_option_name(item, has_letters=has_letters) for item in kept]
    times = Counter(named.name.casefold() for named in names)
    # Names that would be cut to the same words keep their explanations.
    unclear = [place for place, named in enumerate(names) if named.is_shortened and times[named.name.casefold()] > 1]
    for place in unclear:
        names[place] = _shortened_option(kept[place], MAX_OPTION_CHARS, has_letters=has_letters)
    return _distinct(names)


def driver_names(listed: Sequence[str]) -> tuple[ListedName, ...]:
    named = [_shortened(_without_number(words), MAX_DRIVER_CHARS, MAX_DRIVER_CHARS) for words in listed]
    found = _distinct(named)
    return () if len(found) == 1 and _is_nothing(found[0].name) else found


def is_labelled(words: str) -> bool:
    """Return True if a heading or paragraph begins with a label: "Option 2: keep it"."""
    return _LABEL.match(words) is not None


def may_be_labelled(markdown: str) -> bool:
    """Return True if a block can begin with a label, before its markup is read."""
    return _MAY_BE_LABEL.match(markdown) is not None


def without_label(words: str) -> str:
    """The words after a number and a label of an option: "Option 2: keep it" without "Option 2: "."""
    return _bare(words, has_letters=False)


def is_placeholder(words: str) -> bool:
    """Return True for words of a template that are still to be filled in."""
    return len(words) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(words.strip()) is not None


def _is_nothing(words: str) -> bool:
    return normal_name(words) in normal_names(NOTHING_NAMED)


def _names_nothing(items: Sequence[InlineText]) -> bool:
    """True for a list that only says "None"; among other items it is an option."""
    return len(items) == 1 and _is_nothing(items[0].words)


def _is_aspect(item: InlineText) -> bool:
    """Return True for an item about an option: "Pros: it is fast", "**Risk**"."""
    before_colon = item.words.partition(": ")[0]
    return any(is_named(words, "aspect") for words in (before_colon, item.lead.rstrip(":.")) if words)


def _without_section_numbers(items: Sequence[InlineText]) -> list[InlineText]:
    """The items without the numbers of sections that count them: "2.1 Kafka", "2.2 NATS"; "3.11 LTS" is a name."""
    found = [_SECTION_NUMBER.match(item.words) for item in items]
    if [number and number[1] for number in found] != [str(n) for n in range(1, len(items) + 1)]:
        return list(items)
    return [InlineText(item.words[number.end() :], "", "") for item, number in zip(items, found, strict=True) if number]


def _have_letters(words: Sequence[str]) -> bool:
    """Return True if every item begins with a letter or number, and one of them with the first: "A: keep it"."""
    matches = [_LETTER.match(_without_number(item)) for item in words]
    letters = [letter[1] for letter in matches if letter and letter[1]]
    return len(letters) == len(words) > 1 and any(map(_FIRST_LETTER.fullmatch, letters))


def _option_name(item: InlineText, *, has_letters: bool) -> ListedName:
    if item.rest and _is_name_of_its_own(item):
        lead = _unmarked(item.lead.rstrip(":. "))
        bare = _bare(lead.name, has_letters=has_letters)
        if bare and not _is_label(lead.name):
            marked = _unmarked(item.words)
            return replace(marked, name=_tidy(bare), is_shortened=True)
    return _shortened_option(item, SHORT_OPTION_CHARS, has_letters=has_letters)


def _is_name_of_its_own(item: InlineText) -> bool:
    """Return True if bold words at the beginning are a name, and not the stressed words of a sentence."""
    separated = _SEPARATES.match(item.rest) is not None or item.lead.endswith((":", "."))
    is_sentence = item.rest[:1].isupper() and item.rest.endswith(".") and " " in item.rest
    return separated or is_sentence or len(item.words) > SHORT_OPTION_CHARS


def _is_label(words: str) -> bool:
    label = _LABEL.match(words)
    return label is not None and label.end() == len(words)


def _shortened_option(item: InlineText, enough: int, *, has_letters: bool) -> ListedName:
    unmarked = _unmarked(item.words)
    short = _shortened(_bare(unmarked.name, has_letters=has_letters), enough, MAX_OPTION_CHARS)
    return replace(unmarked, name=short.name, is_shortened=short.is_shortened)


def _unmarked(words: str) -> ListedName:
    marks = [found["mark"] or found["end"] or found["sign"] for found in _MARK.finditer(words)]
    chosen = any(mark in "✅✔✓☑⭐" or re.fullmatch(CHOSEN, mark, re.IGNORECASE) for mark in marks)
    return ListedName(without_pictures(" ".join(_MARK.sub("", words).split())), has_mark=bool(marks), is_chosen=chosen)


def _bare(words: str, *, has_letters: bool) -> str:
    """Remove number and label; keep a label with nothing after it."""
    bare = _without_number(words)
    label = _LABEL.match(bare) or (_LETTER.match(bare) if has_letters else None)
    without = bare[label.end() :] if label else bare
    return _without_number(without) or bare


def _without_number(words: str) -> str:
    number = _NUMBER.match(words)
    return words[number.end() :] if number else words


def _shortened(words: str, enough: int, most: int) -> ListedName:
    """The whole if it is short, else the text before the explanation, else the beginning."""
    words = _tidy(words)
    if len(words) <= enough:
        return ListedName(words)
    explained = words[: most + 1]
    leads = (_tidy(words[: found.start()]) for found in _EXPLAINS.finditer(explained) if found.start() > 2)
    lead = next((lead for lead in leads if not _is_label(lead) and is_balanced(lead)), words)
    if len(lead) <= most:
        return ListedName(lead, is_shortened=lead != words)
    return ListedName(f"{lead[: most - 1].rsplit(' ', 1)[0]}…", is_shortened=True)


def is_balanced(words: str) -> bool:
    """Return True if brackets and quotation marks come in pairs: a name that lacks one was cut."""
    pairs = all(words.count(opening) == words.count(closing) for opening, closing in ("()", "[]", "{}", "“”", "«»"))
    return pairs and words.count('"') % 2 == 0


def _tidy(words: str) -> str:
    """Remove the signs at both ends that join it to its list."""
    words = words.strip().lstrip(",;: ").rstrip(",;: ")
    return words if _ABBREVIATED.search(words) else words.removesuffix(".").rstrip()


def _distinct(names: Sequence[ListedName]) -> tuple[ListedName, ...]:
    kept: dict[str, ListedName] = {}
    for named in names:
        if named.name and not is_placeholder(named.name):
            kept.setdefault(named.name.casefold(), named)
    return tuple(kept.values())
