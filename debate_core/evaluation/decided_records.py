"""Decision records as judged questions: question and options, without the chosen answer.

The module reads MADR, and Nygard with alternatives, from Markdown. A question uses only parts that precede a decision
(context, drivers, pros and cons), without passages that contain a verdict. A record with an unclear question or answer
is excluded.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from debate_core.documents.choices import chosen_places, compared, named_places
from debate_core.documents.decision import DecisionDocument, read_decision
from debate_core.documents.document import ReadDocument, read_document
from debate_core.documents.section_names import SectionKind, is_named
from debate_core.errors import InvalidSpec
from debate_core.evaluation.questions import COLUMNS, JudgedQuestion, read_questions
from debate_core.host.uploads import MARKDOWN_FILES, source_from_file

MAX_BACKGROUND_CHARS = 12_000
"""About 3,000 tokens in every prompt of every debate; the rest of a record is omitted."""


class UnusableRecord(NamedTuple):
    """A record without a judged question; the reason completes a sentence that begins with the file name."""

    file: str
    reason: str

    @property
    def sentence(self) -> str:
        """`0007-cache.md names fewer than two options.`"""
        return f"{self.file} {self.reason}."


class _NotPlain(Exception):
    """A record with an unclear question or answer; the text is the reason."""


class _RecordParagraph(NamedTuple):
    """Words without markup and addresses, and their headings, outermost first."""

    words: str
    headings: tuple[str, ...]

    def is_under(self, *kinds: SectionKind) -> bool:
        return any(is_named(heading, *kinds) for heading in self.headings)

    def is_neutral(self) -> bool:
        """True if neither its words nor its headings contain a verdict."""
        text = f"{' '.join(self.headings)} {self.words}"
        return not self.is_under("outcome", "afterwards") and not _VERDICT.search(text)


def read_records(folder: Path) -> Iterator[tuple[str, JudgedQuestion | UnusableRecord]]:
    """Name and question of every Markdown file directly in the folder, in order; unusable files give a reason."""
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() in MARKDOWN_FILES):
        try:
            yield path.name, _read_question(path)
        except _NotPlain as error:
            yield path.name, UnusableRecord(path.name, str(error))
        except InvalidSpec as error:
            yield path.name, UnusableRecord(path.name, f"cannot be read: {error}")


def _read_question(path: Path) -> JudgedQuestion:
    source = source_from_file(path, source_id="E1")
    decision = read_decision(source)
    document = read_document(source.text)
    options = decision.options.values
    if decision.decisions:
        raise _NotPlain(f"holds {len(decision.decisions)} decisions")
    if decision.options.proposal_from:
        raise _NotPlain("names only alternatives to its decision")
    if len(options) < 2:
        raise _NotPlain("names fewer than two options")
    if decision.options.n_left:
        raise _NotPlain(f"names more than {len(options)} options")
    if any(_VERDICT.search(option) for option in options):
        raise _NotPlain("reveals the chosen option in the name of an option")
    answer = options[_chosen_place(document, options)]
    # Without addresses: the name of a file may give the answer away.
    paragraphs = [
        _RecordParagraph(" ".join(_ADDRESS.sub("", prose.words).split()), prose.headings) for prose in document.prose
    ]
    context = _neutral_context(paragraphs, options)
    kept: list[str] = []
    for part in filter(None, [*context, _drivers(decision, options), *_pros_and_cons(paragraphs)]):
        if sum(map(len, kept)) + len(part) > MAX_BACKGROUND_CHARS:
            break
        kept.append(part)
    return JudgedQuestion(
        question=_question(decision, context, options, answer),
        # Sorted, because many writers list the chosen option first.
        options=tuple(sorted(options, key=str.casefold)),
        answer=answer,
        background="\n\n".join(kept),
    )


def _neutral_context(paragraphs: Sequence[_RecordParagraph], options: Sequence[str]) -> list[str]:
    neutral = [paragraph.words for paragraph in paragraphs if paragraph.is_under("context") and paragraph.is_neutral()]
    return [words for words in neutral if _names_all_or_none(words, options)]


def _chosen_place(document: ReadDocument, options: Sequence[str]) -> int:
    """Place of the chosen option; _NotPlain if the choice is open, withdrawn, unclear or not single."""
    match document.standing:
        case "unsettled":
            raise _NotPlain(f"has a choice that did not hold: its status is {document.status.lower()}")
        case "open":
            raise _NotPlain(f"has decided nothing yet: its status is {document.status.lower()}")
    if sum(1 for _ in document.sections("outcome")) > 1:
        raise _NotPlain("records more than one decision")
    named = chosen_places(document, options)
    if len(named) != 1:
        raise _NotPlain("does not clearly name one chosen option")
    return named.pop()


_VERDICT = re.compile(
    r"\b(?:chosen|chose|selected|decided|decision outcome|the decision (?:is|was)|(?:become|is) clear|preferred|"
    r"recommend\w*|rejected|adopted|accepted|approved|agreed|winner|wins|we will|we'll|go(?:ing)? with|went with|"
    r"settled (?:on|for)|opt(?:ed)? for|conclu\w+|best (?:option|choice|fit)|discarded|dismissed|ruled out|"
    r"supersede\w*|deprecated|this (?:adr|record) (?:adopts|introduces|moves|proposes|replaces)|"
    r"gewählt\w*|entschieden|verworfen|abgelehnt|bevorzugt\w*|empfohlen\w*)\b",
    re.IGNORECASE,
)
# Addresses and file names often contain the decision: "https://example.org/use-postgres", "0007-use-redis.md"
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+\.(?:md|markdown|html?|pdf)\b\S*", re.IGNORECASE)
_FIRST_SENTENCE = re.compile(r".{12,400}?[.!?](?=\s|$)")


def _question(document: DecisionDocument, context: Sequence[str], options: Sequence[str], answer: str) -> str:
    """The question of the record, else one with the first neutral sentence of its context, else _NotPlain."""
    asked = "".join(document.question.values)
    if asked and not _gives_away(asked, options, answer):
        return asked
    for words in context:
        first = _FIRST_SENTENCE.match(words)
        if first and not _gives_away(first[0], options, answer):
            return f"Which option is best here? {first[0]}"
    raise _NotPlain("names the chosen option in its title and has no neutral context")


def _gives_away(text: str, options: Sequence[str], answer: str) -> bool:
    """True if a text contains a verdict, or words of the chosen option but not of all options."""
    if _VERDICT.search(text):
        return True
    stems = _stems(text)
    is_mentioned: dict[str, bool] = {}
    for option in options:
        other_stems = set[str]().union(*(_stems(other) for other in options if other != option))
        is_mentioned[option] = bool(stems & (_stems(option) - other_stems))
    return is_mentioned[answer] and not all(is_mentioned.values())


_SMALL_WORDS = re.compile(
    r"an?|and|are|as|at|be|by|do|for|from|have|how|in|into|is|it|of|on|or|our|per|should|that|the|this|to|use|via|we|"
    r"what|where|which|will|with|without|der|die|das|eine?|für|im|ist|mit|oder|und|von|wie|wir|zu"
)


def _stems(text: str) -> set[str]:
    """Words without a plural s, which is enough to recognise a name."""
    return {word.rstrip("s") for word in compared(text).split() if not _SMALL_WORDS.fullmatch(word)}


def _drivers(document: DecisionDocument, options: Sequence[str]) -> str:
    """The neutral drivers in one sentence; empty without any."""
    neutral = [
        driver
        for driver in document.drivers.values
        if not _VERDICT.search(driver) and _names_all_or_none(driver, options)
    ]
    return f"Criteria of a good decision: {'; '.join(neutral)}." if neutral else ""


def _pros_and_cons(paragraphs: Sequence[_RecordParagraph]) -> list[str]:
    """All pros and cons with their options; [] if one contains a verdict, because the gap would reveal it."""
    own = [paragraph for paragraph in paragraphs if paragraph.is_under("pros_and_cons")]
    if not all(paragraph.is_neutral() for paragraph in own):
        return []
    return [f"{paragraph.headings[-1]}: {paragraph.words}" for paragraph in own]


def _names_all_or_none(words: str, options: Sequence[str]) -> bool:
    """True if a text names all options or none, so that its selection reveals nothing."""
    return len(named_places(words, options)) in (0, len(options))


@dataclass(frozen=True, slots=True)
class JudgedFolder:
    """Questions, those of tables first; and the excluded records with the reason."""

    questions: tuple[JudgedQuestion, ...]
    left_out: tuple[UnusableRecord, ...]


def read_folder(folder: Path) -> JudgedFolder:
    """All judged questions of a folder. InvalidSpec for a table that is wrong, and where no question is left."""
    asked = {question.question.casefold(): question for question in read_questions(folder)}
    left_out: list[UnusableRecord] = []
    for file, found in read_records(folder):
        if isinstance(found, UnusableRecord):
            left_out.append(found)
        elif found.question.casefold() in asked:
            left_out.append(UnusableRecord(file, "has the same question as another file of the folder"))
        else:
            asked[found.question.casefold()] = found
    if asked:
        return JudgedFolder(tuple(asked.values()), tuple(left_out))
    if left_out:
        raise InvalidSpec(
            f"{folder} has no usable decision record: {left_out[0].sentence[:-1]}"
            + (f", and {len(left_out) - 1} more are left out" if left_out[1:] else "")
        )
    raise InvalidSpec(
        f"{folder} holds neither labelled sets nor questions: a .csv file with the columns {', '.join(COLUMNS)} or "
        "decision records in Markdown are needed; docs/command-line.md lists the labelled sets"
    )
