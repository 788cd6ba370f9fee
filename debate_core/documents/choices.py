"""Finds choices and proposals in a document, and the options that they name."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from debate_core.documents.blocks import SAYS
from debate_core.documents.decision_fields import read_fields
from debate_core.documents.document import DocumentSection, Prose, ReadDocument, without_number
from debate_core.documents.option_names import MAX_OPTION_CHARS, ListedName, is_placeholder
from debate_core.documents.section_names import (
    CHOSEN_OPTION,
    OPTION_LABELS,
    PROPOSES,
    REJECTED,
    SectionKind,
    is_named,
    kinds_of,
)

# As in 'Chosen option: "Kafka", because', or in "**Chosen option**: 4"
_SAYS_CHOSEN = re.compile(rf"\b(?:{CHOSEN_OPTION})\b\s*(?:is\b|was\b|:|-|–)?\s*(.*)", re.IGNORECASE)
_REASON = re.compile(
    r",?\s+(?:because|since|as|so that|instead of|rather than|over|in order to|due to|weil|da|statt|porque|parce que"
    r"|car|perché|omdat)\b|[.;](?:\s|$)",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:we(?:'ll| will| shall| have)?|let us|wir) (?:\w+ )?(?:use|adopt|keep|move|take|choose|chose|chosen|select|"
    r"selected|pick|picked|prefer|retry|build|run|store|nehmen|verwenden|nutzen)\b|\bwe will\b|\b(?:decided|opted)\b|"
    r"\bnous (?:retenons|choisissons|utilis(?:ons|erons)|adoptons|optons|avons (?:retenu|choisi|opté))\b|"
    r"\b(?:elegimos|usaremos|utilizaremos|adoptamos|optamos|hemos elegido|escolhemos|adotamos|vamos usar)\b|"
    r"\b(?:scegliamo|usiamo|useremo|adottiamo|abbiamo scelto)\b|\bwe (?:kiezen|gebruiken|nemen)\b|"
    r"\b(?:entscheiden|entschieden) (?:wir )?uns für\b|\b(?:haben|wir) uns für\b|"
    r"\b(?:est retenue?|è stat[oa] scelt[oa]|foi escolhid[oa]|se (?:ha elegido|elige)|is gekozen)\b|"
    r"\b(?:is|was|are|were) (?:chosen|selected|picked|preferred|adopted)\b|\b(?:proceed|go|going|went) with\b|"
    r"^(?:use|adopt|keep|move|take)\b",
    re.IGNORECASE,
)
# "we decided for A and against B and C, to achieve ...", within one sentence
DECIDED_AGAINST = re.compile(
    r"\bwe (?:have )?decided (?:to use|for|to|on)\s+(?P<chosen>.{3,100}?),?\s+"
    r"(?:and (?:against|not|neglected|rejected)|(?:and )?neglecting|instead of|rather than)\s+"
    r"(?P<others>.{3,300}?)(?:,? (?:to achieve|in order to|because|since|so that|accepting)\b|[.;]|$)",
    re.IGNORECASE,
)
_AROUND_NAME = " \"'“”*:.,"
_DENIES = re.compile(
    r"\b(?:not|no|never|against|reject\w*|discard\w*|temporar\w*|later|nicht|kein\w*|gegen|ne|pas|niet|geen|non|não)"
    r"\b|n't",
    re.IGNORECASE,
)
_NUMBERED = re.compile(rf"\b(?:{OPTION_LABELS})\s*[#№]?\s*(\d{{1,2}})\b(?!\.\d)", re.IGNORECASE)
# The option that is abandoned: "move from Jenkins to Buildkite"
_LEAVES = re.compile(r"\b(?:from|von)\b.{1,80}?\b(?=to\b|zu\b|nach\b)", re.IGNORECASE)
_NAME = re.compile(r"\b[A-ZÄÖÜ][\w#+.-]+")


def chosen_places(document: ReadDocument, options: Sequence[str]) -> set[int]:
    """The places of the options that the decision of a document chooses."""
    chosen = read_fields(document.text).chosen
    if chosen in options:
        return {options.index(chosen)}
    says_chosen = [found[1] for prose in document.outcome if (found := _SAYS_CHOSEN.search(prose.words))]
    if says_chosen:
        # A decision with "Chosen option: ..." names the option there, and nowhere else.
        return set[int]().union(*(_first_named(words, options) for words in says_chosen))
    sentences = [*_choices_under(document, "outcome")] or _headings_below(document.outcome)
    named = set[int]().union(*(named_places(words, options) for words in sentences))
    return named or _equal_places(document, options) or _decided_places(document, options)


def choice_start(document: ReadDocument, options: Sequence[str], place: int) -> int | None:
    """The start of the paragraph in the decision that names this option, or says which one is chosen."""
    says_chosen = [prose for prose in document.outcome if _SAYS_CHOSEN.search(prose.words)]
    naming = [prose for prose in document.outcome if place in named_places(prose.words, options)]
    deciding = (start for words, start in _decided_in_sentences(document) if place in named_places(words, options))
    return next(chain((prose.start for prose in (*says_chosen, *naming)), deciding), None)


def _equal_places(document: ReadDocument, options: Sequence[str]) -> set[int]:
    """The places of options whose name or number is a whole paragraph or item of the decision."""
    whole = {compared(prose.words) for prose in document.outcome}
    numbers = {int(found[1]) for words in whole if (found := _NUMBERED.fullmatch(words))}
    return {place for place, option in enumerate(options) if compared(option) in whole or place + 1 in numbers}


def _decided_places(document: ReadDocument, options: Sequence[str]) -> set[int]:
    """The places of options that a sentence decides for: a Y-statement, or a line such as `Decision: Kafka`."""
    return set[int]().union(*(named_places(words, options) for words, _start in _decided_in_sentences(document)))


def _decided_in_sentences(document: ReadDocument) -> Iterator[tuple[str, int]]:
    """The words of each decision, and the start of its paragraph."""
    for prose in document.prose:
        says = SAYS.match(prose.block.markdown)
        if says and is_named(says[1], "outcome"):
            until = _until_reason(prose.words.partition(":")[2])
            yield from [] if _DENIES.search(until) else [(until, prose.start)]
        elif "decided" in prose.block.markdown and (decided := DECIDED_AGAINST.search(prose.words)):
            yield decided["chosen"], prose.start


class StatedChoice(NamedTuple):
    """The words of a decision, and the heading above them."""

    words: str
    heading: str


def stated_choice(document: ReadDocument) -> StatedChoice | None:
    """The choice of a document that lists no options, in its words; None if it states none."""
    for prose in document.outcome:
        if found := _SAYS_CHOSEN.search(prose.words):
            words = _until_reason(found[1]).strip(_AROUND_NAME)
            return StatedChoice(words, prose.headings[-1]) if words and not is_placeholder(words) else None
    first = next((prose for prose in document.outcome if not is_placeholder(prose.words)), None)
    if first is None:
        return None
    sentence = re.split(r"(?<=[.!?])\s+", first.words)[0]
    return StatedChoice(_as_option(sentence), first.headings[-1])


def _headings_below(outcome: Sequence[Prose]) -> list[str]:
    """The headings above these paragraphs that are below the heading of the decision."""
    headings = [heading for prose in outcome for heading in prose.headings]
    return [heading for heading in headings if not is_named(heading, "outcome")]


def named_places(said: str, options: Sequence[str]) -> set[int]:
    """The places of the options that a text names, by name or number; longer names first, each word once."""
    numbers = {int(found[1]) - 1 for found in _NUMBERED.finditer(said)}
    rest = f" {compared(said)} "
    named = {number for number in numbers if 0 <= number < len(options)}
    for place in sorted(range(len(options)), key=lambda n: -len(options[n])):
        name = f" {compared(options[place])} "
        if name in rest:
            named.add(place)
            rest = rest.replace(name, "  ")
    return named


def compared(text: str) -> str:
    """The words of a text in the form for comparing names: "C#" is not "C"."""
    return " ".join(re.findall(r"\w+(?:[#+]+(?!\w))?", text.casefold()))


def _first_named(said: str, options: Sequence[str]) -> set[int]:
    """Options named after `Chosen option:`; a number, or a part of the name of one option, is enough."""
    short = _until_reason(said).strip(_AROUND_NAME)
    if is_placeholder(short):
        return set()
    if re.fullmatch(r"#?\d{1,2}", short):
        short = f"option {short}"
    named = named_places(short, options)
    part = compared(short)
    if named or not part:
        return named
    return {place for place, option in enumerate(options) if f" {part} " in f" {compared(option)} "}


def _choices_under(document: ReadDocument, *kinds: SectionKind) -> Iterator[str]:
    """Sentences directly under headings of these kinds that state a choice, such as `We will use Kafka`."""
    for prose in document.prose:
        if not prose.headings or not is_named(prose.headings[-1], *kinds):
            continue
        for sentence in re.split(r"(?<=[.!?])\s+", prose.words):
            until = _until_reason(sentence)
            if _CHOOSES.search(until) and not _DENIES.search(until):
                yield until


def _until_reason(said: str) -> str:
    found = _REASON.search(said)
    return said[: found.start()] if found else said


# --- what is proposed beside alternatives


def has_proposal(document: ReadDocument, alternatives: DocumentSection) -> bool:
    """Return True if a document has a proposal to which these are the alternatives.

    They are called rejected, the document has a section for its decision or proposal, its title proposes an action, or
    a section before them has a subject.
    """
    if re.search(REJECTED, alternatives.name, re.IGNORECASE):
        return True
    if next(document.sections("outcome", "proposal"), None) is not None or _proposes(without_number(document.title)):
        return True
    before = (heading for heading in document.headings if heading.start < alternatives.heading.start)
    return any(heading.level == alternatives.heading.level and not kinds_of(heading.words) for heading in before)


def includes_proposal(document: ReadDocument, alternatives: Sequence[ListedName]) -> bool:
    """Return True if one of the alternatives is the proposal itself."""
    names = [alternative.name for alternative in alternatives]
    title = compared(without_number(document.title))
    is_title = any(title.split(" ", 1)[-1] == compared(name) or title == compared(name) for name in names)
    proposing = _choices_under(document, "outcome", "proposal")
    sentences = [_LEAVES.sub("", sentence) for sentence in (*_said_chosen(document), *proposing)]
    is_said = any(named_places(sentence, names) for sentence in sentences) or bool(_equal_places(document, names))
    return is_title or is_said or any(alternative.is_chosen for alternative in alternatives)


def proposal(document: ReadDocument) -> tuple[str, str]:
    """The proposal of a document, and its place; empty if no single sentence states it.

    The chosen option; the title if it proposes an action or shares a name with the decision; else the decision.
    """
    title = without_number(document.title)
    chosen = next(_said_chosen(document), "")
    sentence = next(_choices_under(document, "outcome", "proposal"), "")
    if chosen:
        return _as_option(chosen), _OUTCOME
    names = [name for name in _NAME.findall(sentence)[1:] if name in title]
    if title and not title.endswith("?") and (_proposes(title) or names or not sentence):
        return _as_option(title), "its title"
    return _as_option(sentence), _OUTCOME if sentence else ""


_OUTCOME = "its decision"


def _proposes(title: str) -> bool:
    return re.fullmatch(PROPOSES, title, re.IGNORECASE) is not None


def _said_chosen(document: ReadDocument) -> Iterator[str]:
    for prose in document.prose:
        if found := _SAYS_CHOSEN.search(prose.words):
            yield _until_reason(found[1]).strip(" \"'“”*:,")


def _as_option(words: str) -> str:
    words = words.strip().removesuffix(".")
    return words if len(words) <= MAX_OPTION_CHARS else f"{words[: MAX_OPTION_CHARS - 1].rsplit(' ', 1)[0]}…"
