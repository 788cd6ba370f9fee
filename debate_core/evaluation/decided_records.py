"""Decision records as judged questions: what was asked, among which options, and what was chosen, kept apart.

Reads MADR and Nygard with alternatives, from Markdown. What is asked is taken from places that come before a decision
(context, drivers, pros and cons) and from nowhere else; of these, what carries a verdict is left out too. A record is
left out as a whole if its question or its answer is not plain: nothing is guessed.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from debate_core.engine.outline import heading_places, paragraphs_of
from debate_core.errors import InvalidSpec
from debate_core.evaluation.questions import JudgedQuestion
from debate_core.host.decision_document import DecisionDocument, is_named, plain_words, read_decision
from debate_core.host.uploads import source_from_file

MAX_BACKGROUND_CHARS = 12_000
"""About 3,000 tokens in every prompt of every debate; what comes later in a record is left out."""


class UnusableRecord(NamedTuple):
    """A record that gives no judged question, and why: the end of a sentence that begins with its name."""

    file: str
    reason: str

    @property
    def sentence(self) -> str:
        """`0007-cache.md names fewer than two options.`"""
        return f"{self.file} {self.reason}."


class _NotPlain(Exception):
    """A record whose question or answer is not plain; its text is the reason."""


class _RecordParagraph(NamedTuple):
    """Words without markup and addresses, and the headings that they stand under, outermost first."""

    words: str
    headings: tuple[str, ...]

    def stands_under(self, names: re.Pattern[str]) -> bool:
        return any(is_named(heading, names) for heading in self.headings)


def read_records(folder: Path) -> Iterator[tuple[str, JudgedQuestion | UnusableRecord]]:
    """Name and question of every .md file of the folder itself, in order; what cannot be used is said, not raised."""
    for path in sorted(folder.glob("*.md")):
        try:
            yield path.name, _hidden(path)
        except _NotPlain as error:
            yield path.name, UnusableRecord(path.name, str(error))
        except InvalidSpec as error:
            yield path.name, UnusableRecord(path.name, f"cannot be read: {error}")


def _hidden(path: Path) -> JudgedQuestion:
    source = source_from_file(path, source_id="E1")
    document = read_decision(source)
    text = "\n".join(source.text.splitlines())
    options = document.options.values
    if len(options) < 2:
        raise _NotPlain("names fewer than two options")
    if document.options.n_left:
        raise _NotPlain(f"names more than {len(options)} options")
    if any(_VERDICT.search(option) for option in options):
        raise _NotPlain("says in the name of an option what was chosen")
    _refuse_unsettled(text)
    paragraphs = _paragraphs(text)
    answer = options[_chosen(text, paragraphs, options)]
    context = [paragraph.words for paragraph in paragraphs if _is_even_context(paragraph, options)]
    return JudgedQuestion(
        question=_question(document, context, options, answer),
        # The place in the list says nothing: many writers name first what they chose.
        options=tuple(sorted(options, key=str.casefold)),
        answer=answer,
        background=_background([*context, _drivers(document, options), *_pros_and_cons(paragraphs)]),
    )


def _is_even_context(paragraph: _RecordParagraph, options: Sequence[str]) -> bool:
    if not paragraph.stands_under(_CONTEXT) or not _is_neutral_part(paragraph):
        return False
    return _speaks_evenly(paragraph.words, options)


# --- what was chosen

_OUTCOME = re.compile(
    r"(?:the )?(?:(?:final |our )?decision(?:s)?(?: outcome| result)?|outcome|resolution|chosen (?:option|solution)|"
    r"entscheidung(?:sergebnis)?|ergebnis)",
    re.IGNORECASE,
)
# As in 'Chosen option: "Kafka", because', or in "**Chosen option**: 4"
_SAYS_CHOSEN = re.compile(
    r"\b(?:chosen|selected|gewählte)\s+(?:option|alternative|solution|lösung)\b\s*(?:is\b|was\b|:|-|–)?\s*(.*)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r",?\s+(?:because|since|as|so that|instead of|rather than|over|in order to|due to|weil|da|statt)\b"
    r"|[.;](?:\s|$)",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:we(?:'ll| will| shall| have)?|let us|wir) (?:\w+ )?(?:use|adopt|keep|move|take|choose|chose|chosen|select|"
    r"selected|pick|picked|prefer|retry|build|run|store|nehmen|verwenden|nutzen)\b|\bwe will\b|\b(?:decided|opted)\b|"
    r"\b(?:is|was|are|were) (?:chosen|selected|picked|preferred|adopted)\b|\b(?:proceed|go|going|went) with\b|"
    r"^(?:use|adopt|keep|move|take)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no|never|against|reject\w*|discard\w*|temporar\w*|later|nicht|kein\w*|gegen)\b|n't", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"\b(?:option|alternative|variante?|solution|approach)\s*[#№]?\s*(\d{1,2})\b(?!\.\d)", re.IGNORECASE
)


def _chosen(text: str, paragraphs: Sequence[_RecordParagraph], options: Sequence[str]) -> int:
    """The place of the one option that the record says was chosen; _NotPlain if it says none, or several."""
    headings = [plain_words(text[low:high]) for low, high in heading_places(text)]
    if sum(is_named(heading, _OUTCOME) for heading in headings) > 1:
        raise _NotPlain("records more than one decision")
    meant = _meant_by([p for p in paragraphs if p.stands_under(_OUTCOME)], options)
    if len(meant) != 1:
        raise _NotPlain("does not say plainly which one of its options was chosen")
    return meant.pop()


def _meant_by(outcome: Sequence[_RecordParagraph], options: Sequence[str]) -> set[int]:
    """The places of the options that the paragraphs on the decision name as what is done."""
    meant = set[int]()
    says_chosen = [found[1] for paragraph in outcome if (found := _SAYS_CHOSEN.search(paragraph.words))]
    for words in says_chosen:
        # Whoever writes "Chosen option: ..." says it there, and nowhere else.
        meant |= _first_meant(words, options)
    if says_chosen:
        return meant
    for words in _choosing_sentences(outcome) or _headings_below(outcome):
        meant |= _meant(words, options)
    return meant


def _choosing_sentences(outcome: Sequence[_RecordParagraph]) -> list[str]:
    """Those that stand directly under the heading of the decision."""
    direct = [paragraph for paragraph in outcome if is_named(paragraph.headings[-1], _OUTCOME)]
    return [sentence for paragraph in direct for sentence in _choosing(paragraph.words)]


def _headings_below(outcome: Sequence[_RecordParagraph]) -> list[str]:
    """Headings that the decision has within it."""
    headings = [heading for paragraph in outcome for heading in paragraph.headings]
    return [heading for heading in headings if not is_named(heading, _OUTCOME)]


def _first_meant(said: str, options: Sequence[str]) -> set[int]:
    """Of what follows `Chosen option:`; a number alone, or a part of a name that only one option has, is enough."""
    short = _until_reason(said).strip(" \"'“”*:.,")
    if re.fullmatch(r"#?\d{1,2}", short):
        short = f"option {short}"
    meant = _meant(short, options)
    part = _normal(short)
    if meant or not part:
        return meant
    return {place for place, option in enumerate(options) if f" {part} " in f" {_normal(option)} "}


def _choosing(words: str) -> Iterator[str]:
    """The sentences that say what is done, as `We will use Kafka`."""
    for sentence in re.split(r"(?<=[.!?])\s+", words):
        until = _until_reason(sentence)
        if _CHOOSES.search(until) and not _DENIES.search(until):
            yield until


def _until_reason(said: str) -> str:
    found = _REASON.search(said)
    return said[: found.start()] if found else said


def _meant(said: str, options: Sequence[str]) -> set[int]:
    """The places of the options that a text names, by name or by number; longer names first, each word once."""
    numbers = {int(found[1]) - 1 for found in _NUMBERED.finditer(said)}
    rest = f" {_normal(said)} "
    meant = {number for number in numbers if 0 <= number < len(options)}
    for place in sorted(range(len(options)), key=lambda n: -len(options[n])):
        name = f" {_normal(options[place])} "
        if name in rest:
            meant.add(place)
            rest = rest.replace(name, "  ")
    return meant


_UNSETTLED = re.compile(r"\b(?:superseded|deprecated|rejected|withdrawn|abgelehnt|ersetzt)\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:proposed|draft|pending|in review|vorgeschlagen|entwurf)\b", re.IGNORECASE)
_SETTLED = re.compile(r"\b(?:accepted|approved|decided|implemented|angenommen)\b", re.IGNORECASE)
# "status: accepted", "* **Status:** superseded by 7", and the lines below "## Status"
_STATUS_LINE = re.compile(r"(?im)^[ \t*_-]*status[ \t*_]*:[ \t*_]*(.+)$")
_STATUS_PART = re.compile(r"(?im)^(?:#+[ \t]*(?:\d+\.?[ \t]*)?status[ \t:]*|status[ \t]*\n-+[ \t]*)\n((?:(?!#).*\n?)*)")


def _refuse_unsettled(text: str) -> None:
    """A choice that was only proposed, or that did not hold, is no answer that held."""
    status = " ".join(found[1] for pattern in (_STATUS_LINE, _STATUS_PART) for found in pattern.finditer(text))
    if gone := _UNSETTLED.search(status):
        raise _NotPlain(f"has a choice that did not hold: its status is {gone[0].lower()}")
    if (is_open := _OPEN.search(status)) and not _SETTLED.search(status):
        raise _NotPlain(f"has decided nothing yet: its status is {is_open[0].lower()}")


# --- what is asked

_CONTEXT = re.compile(
    r"(?:context|background|kontext|ausgangslage|problemstellung|problem)"
    r"(?:(?: and|,|&|/| und) (?:problem(?: statement)?|motivation|background|problemstellung))?(?: statement)?",
    re.IGNORECASE,
)
_PROS_AND_CONS = re.compile(r"(?:pros and cons|vor- und nachteile)(?: (?:of|der).*)?", re.IGNORECASE)
_AFTERWARDS = re.compile(
    r"(?:positive |negative )?consequences|konsequenzen|folgen|confirmation|validation|implications|status|history",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"\b(?:chosen|chose|selected|decided|decision outcome|the decision (?:is|was)|(?:become|is) clear|preferred|"
    r"recommend\w*|rejected|adopted|accepted|approved|agreed|winner|wins|we will|we'll|go(?:ing)? with|went with|"
    r"settled (?:on|for)|opt(?:ed)? for|conclu\w+|best (?:option|choice|fit)|discarded|dismissed|ruled out|"
    r"supersede\w*|deprecated|this (?:adr|record) (?:adopts|introduces|moves|proposes|replaces)|"
    r"gewählt\w*|entschieden|verworfen|abgelehnt|bevorzugt\w*|empfohlen\w*)\b",
    re.IGNORECASE,
)
# Addresses and names of files often have the decision in them.
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+\.(?:md|markdown|html?|pdf)\b\S*", re.IGNORECASE)
# A target of links, which stands below a text: `[adr]: 0042-use-kafka.md`
_LINK_TARGET = re.compile(r"\[[^\]]{1,200}\]:")
_FIRST_SENTENCE = re.compile(r".{12,400}?[.!?](?=\s|$)")


def _question(document: DecisionDocument, context: Sequence[str], options: Sequence[str], answer: str) -> str:
    """What the record asks; else a question around the first neutral sentence of its context, else _NotPlain."""
    asked = "".join(document.question.values)
    if asked and not _gives_away(asked, options, answer):
        return asked
    for told in context:
        first = _FIRST_SENTENCE.match(told)
        if first and not _gives_away(first[0], options, answer):
            return f"Which option is best here? {first[0]}"
    raise _NotPlain("names the chosen option in its title and has no context that asks without it")


def _gives_away(text: str, options: Sequence[str], answer: str) -> bool:
    """True for a verdict, or for words of the chosen option alone; what speaks of every option is fair."""
    if _VERDICT.search(text):
        return True
    said = _stems(text)
    speaks_of = {option: bool(said & _own_stems(option, options)) for option in options}
    return speaks_of[answer] and not all(speaks_of.values())


def _own_stems(option: str, options: Sequence[str]) -> set[str]:
    """What no other option has in its name."""
    return _stems(option) - set[str]().union(*(_stems(other) for other in options if other != option))


_SMALL_WORDS = re.compile(
    r"an?|and|are|as|at|be|by|do|for|from|have|how|in|into|is|it|of|on|or|our|per|should|that|the|this|to|use|via|we|"
    r"what|where|which|will|with|without|der|die|das|eine?|für|im|ist|mit|oder|und|von|wie|wir|zu"
)


def _stems(text: str) -> set[str]:
    """Words without a plural s: enough to know a name again."""
    return {word.rstrip("s") for word in _normal(text).split() if not _SMALL_WORDS.fullmatch(word)}


def _normal(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _drivers(document: DecisionDocument, options: Sequence[str]) -> str:
    """Without weights: a record has none."""
    without_verdict = [driver for driver in document.drivers.values if not _VERDICT.search(driver)]
    neutral = [driver for driver in without_verdict if _speaks_evenly(driver, options)]
    if not neutral:
        return ""
    return f"What a good decision is measured by: {'; '.join(neutral)}."


def _pros_and_cons(paragraphs: Sequence[_RecordParagraph]) -> list[str]:
    """All of them with the option they belong to, or none where one carries a verdict: the rest would tell it too."""
    own = [p for p in paragraphs if p.stands_under(_PROS_AND_CONS)]
    if not all(_is_neutral_part(p) for p in own):
        return []
    return [f"{plain_words(p.headings[-1])}: {p.words}" for p in own]


def _speaks_evenly(words: str, options: Sequence[str]) -> bool:
    """False where some options are named and others are not, whichever they are: a gap then tells nothing."""
    return len(_meant(words, options)) in (0, len(options))


def _is_neutral_part(paragraph: _RecordParagraph) -> bool:
    told = f"{' '.join(paragraph.headings)} {paragraph.words}"
    afterwards = paragraph.stands_under(_OUTCOME) or paragraph.stands_under(_AFTERWARDS)
    return not afterwards and not _VERDICT.search(told)


def _background(parts: Sequence[str]) -> str:
    """As many whole paragraphs as there is room for."""
    kept: list[str] = []
    for part in filter(None, parts):
        if sum(map(len, kept)) + len(part) > MAX_BACKGROUND_CHARS:
            break
        kept.append(part)
    return "\n\n".join(kept)


def _paragraphs(text: str) -> tuple[_RecordParagraph, ...]:
    read: list[_RecordParagraph] = []
    for paragraph in paragraphs_of(text):
        words = text[paragraph.start : paragraph.end]
        if not _LINK_TARGET.match(words):
            without_addresses = plain_words(_ADDRESS.sub("", plain_words(words)))
            read.append(_RecordParagraph(without_addresses, paragraph.headings))
    return tuple(read)
