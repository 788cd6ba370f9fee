"""Decision records as judged questions: what was asked, among which options, and what was chosen, kept apart.

Reads MADR and Nygard with alternatives, from Markdown. What is asked is taken from places that come before a decision
(context, drivers, pros and cons) and from nowhere else; of these, what carries a verdict is left out too. A record is
left out as a whole if its question or its answer is not plain: nothing is guessed.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from debate_core.documents.choices import chosen_places, compared, named_places
from debate_core.documents.decision import DecisionDocument, read_decision
from debate_core.documents.document import ReadDocument, read_document
from debate_core.documents.section_names import SectionKind, is_named
from debate_core.errors import InvalidSpec
from debate_core.evaluation.questions import JudgedQuestion
from debate_core.host.uploads import MARKDOWN_FILES, source_from_file

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

    def stands_under(self, *kinds: SectionKind) -> bool:
        return any(is_named(heading, *kinds) for heading in self.headings)


def read_records(folder: Path) -> Iterator[tuple[str, JudgedQuestion | UnusableRecord]]:
    """Name and question of every Markdown file of the folder itself, in order; unusable ones give their reason."""
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() in MARKDOWN_FILES):
        try:
            yield path.name, _hidden(path)
        except _NotPlain as error:
            yield path.name, UnusableRecord(path.name, str(error))
        except InvalidSpec as error:
            yield path.name, UnusableRecord(path.name, f"cannot be read: {error}")


def _hidden(path: Path) -> JudgedQuestion:
    source = source_from_file(path, source_id="E1")
    decision = read_decision(source)
    document = read_document(source.text)
    options = decision.options.values
    if decision.decisions:
        raise _NotPlain(f"holds {len(decision.decisions)} decisions")
    if decision.options.proposal_from:
        raise _NotPlain("names only alternatives to what it decides")
    if len(options) < 2:
        raise _NotPlain("names fewer than two options")
    if decision.options.n_left:
        raise _NotPlain(f"names more than {len(options)} options")
    if any(_VERDICT.search(option) for option in options):
        raise _NotPlain("says in the name of an option what was chosen")
    _refuse_unsettled(document)
    paragraphs = _paragraphs(document)
    answer = options[_chosen(document, options)]
    context = [paragraph.words for paragraph in paragraphs if _is_even_context(paragraph, options)]
    return JudgedQuestion(
        question=_question(decision, context, options, answer),
        # The place in the list says nothing: many writers name first what they chose.
        options=tuple(sorted(options, key=str.casefold)),
        answer=answer,
        background=_background([*context, _drivers(decision, options), *_pros_and_cons(paragraphs)]),
    )


def _is_even_context(paragraph: _RecordParagraph, options: Sequence[str]) -> bool:
    if not paragraph.stands_under("context") or not _is_neutral_part(paragraph):
        return False
    return _speaks_evenly(paragraph.words, options)


# --- what was chosen


def _chosen(document: ReadDocument, options: Sequence[str]) -> int:
    """The place of the one option that the record says was chosen; _NotPlain if it says none, or several."""
    if sum(1 for _ in document.sections("outcome")) > 1:
        raise _NotPlain("records more than one decision")
    named = chosen_places(document, options)
    if len(named) != 1:
        raise _NotPlain("does not say plainly which one of its options was chosen")
    return named.pop()


def _refuse_unsettled(document: ReadDocument) -> None:
    """A choice that was only proposed, or that did not hold, is no answer that held."""
    match document.standing:
        case "unsettled":
            raise _NotPlain(f"has a choice that did not hold: its status is {document.status.lower()}")
        case "open":
            raise _NotPlain(f"has decided nothing yet: its status is {document.status.lower()}")


# --- what is asked

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
    return {word.rstrip("s") for word in compared(text).split() if not _SMALL_WORDS.fullmatch(word)}


def _drivers(document: DecisionDocument, options: Sequence[str]) -> str:
    """Without weights: a record has none."""
    without_verdict = [driver for driver in document.drivers.values if not _VERDICT.search(driver)]
    neutral = [driver for driver in without_verdict if _speaks_evenly(driver, options)]
    if not neutral:
        return ""
    return f"What a good decision is measured by: {'; '.join(neutral)}."


def _pros_and_cons(paragraphs: Sequence[_RecordParagraph]) -> list[str]:
    """All of them with the option they belong to, or none where one carries a verdict: the rest would tell it too."""
    own = [p for p in paragraphs if p.stands_under("pros_and_cons")]
    if not all(_is_neutral_part(p) for p in own):
        return []
    return [f"{p.headings[-1]}: {p.words}" for p in own]


def _speaks_evenly(words: str, options: Sequence[str]) -> bool:
    """False where some options are named and others are not, whichever they are: a gap then tells nothing."""
    return len(named_places(words, options)) in (0, len(options))


def _is_neutral_part(paragraph: _RecordParagraph) -> bool:
    told = f"{' '.join(paragraph.headings)} {paragraph.words}"
    return not paragraph.stands_under("outcome", "afterwards") and not _VERDICT.search(told)


def _background(parts: Sequence[str]) -> str:
    """As many whole paragraphs as there is room for."""
    kept: list[str] = []
    for part in filter(None, parts):
        if sum(map(len, kept)) + len(part) > MAX_BACKGROUND_CHARS:
            break
        kept.append(part)
    return "\n\n".join(kept)


def _paragraphs(document: ReadDocument) -> tuple[_RecordParagraph, ...]:
    return tuple(
        _RecordParagraph(" ".join(_ADDRESS.sub("", prose.words).split()), prose.headings) for prose in document.prose
    )
