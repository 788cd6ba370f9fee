"""The proposition of a yes-or-no question such as `Should we move to Kafka?`, and clauses that support or oppose it.

Works on words, in English and partly in German. A question with alternatives, or with "which", has no proposition.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from debate_core.engine.option_names import only_option
from debate_core.engine.word_forms import GRAMMAR, WORD, is_form_of
from debate_core.spec.protocol import Spec

_SAYS_YES = frozenset(
    (
        *("yes", "adopt", "approve", "accept", "agree", "proceed", "go", "go ahead", "do it", "adopt it"),
        *("approve it", "accept it", "in favour", "in favor", "ja", "zustimmen", "annehmen", "einführen", "umsetzen"),
    )
)
"""Options that answer a question with yes."""
DELAYS = re.compile(r"\b(?:defer|postpone|delay|wait|hold off|verschieben|warten)", re.I)
"""A delay that is itself an option is a clear stance, not a hedge."""
_ASKS_YES_OR_NO = re.compile(
    r"^\W*(?:[^?]*[,:.] )?(?:should|shall|must|may|can|could|will|would|do|does|is it"
    r"|sollen|sollten|sollte|soll|müssen|muss|wollen) (?P<rest>[^?]+)",
    re.I,
)
# `Do we want to move?`, `is it time to move?`
_WANTS = re.compile(r"\b(?:want|need|plan|decide|agree|have|time|wise|right) to\b ?", re.I)
_PRONOUN = re.compile(r"^(?:we|i|they|one|it|you|wir|man|ich)\b ?", re.I)
_GETS = frozenset({
    "adopt", "use", "introduce", "buy", "build", "add", "choose", "take", "deploy", "launch", "install",
    "implement", "accept", "enable", "hire", "open", "start", "ship", "release", "support", "approve", "fund",
    "sign", "try", "pilot", "offer", "keep", "allow", "invest", "make", "write", "create", "roll", "set", "give",
    "run", "join", "acquire", "procure", "test", "publish", "expose", "einführen", "kaufen", "nutzen", "bauen",
})  # fmt: skip
"""Verbs whose object is the result of a yes."""
_OTHER_VERBS = frozenset({
    "move", "migrate", "switch", "change", "shift", "convert", "upgrade", "go", "split", "port", "transfer",
    "merge", "commit", "rewrite", "turn", "umsteigen", "wechseln", "migrieren", "replace", "drop", "remove",
    "retire", "stop", "close", "cancel", "sell", "abandon", "delete", "deprecate", "end", "refactor", "rename",
    "require", "extend", "raise", "lower", "reduce", "increase", "cut", "outsource", "insource", "automate",
    "encrypt", "freeze", "block", "ban", "enforce", "mandate", "redesign", "restructure", "reorganise",
    "reorganize", "postpone", "centralise", "centralize", "consolidate", "standardise", "standardize", "modernise",
    "modernize", "pay", "store", "keep", "host", "renew", "limit", "pause", "delay", "decouple", "simplify",
    "scale", "document", "monitor", "share", "aufteilen", "abschaffen", "ersetzen", "ablösen",
})  # fmt: skip
"""Verbs whose object is what a yes changes; its result follows `to` or `with`."""
_VERBS = _GETS | _OTHER_VERBS
"""Used to find the verb after a subject of several words: `Should the order service move ...?`"""
_GERMAN = re.compile(r"\b(?:das|die|der|den|dem|wir|eine?n?)\b", re.I)
_UNTIL = re.compile(
    r"\b(?:before|by|until|after|this|next|within|instead|rather|while|because|as|if|when|for|vor|bis|nach)\b", re.I
)
_INTO = re.compile(r"\b(?:to|into|onto|with|by|auf|zu|in)\b", re.I)
_TRIED = re.compile(
    r"\b(?:use|choose|pick|take|adopt|introduce|switch|move|migrate|go|buy|build|deploy|get|want|need|support|favou?r"
    r"|recommend\w*|endorse)\w*\b|\b(?:right|best|better|safe\w*|sound\w*|wis\w+|only) (?:sound )?"
    r"(?:choice|option|answer|way|decision|path|course)\b",
    re.I,
)
"""With one of these, a clause that names the result of a yes supports it."""
_KEEPS = re.compile(r"\b(?:keep|kept|retain|stay|stick|leave|remain|continue|behalten|bleiben)\w*\b", re.I)
# `tested before it moves`
_SUBORDINATE = re.compile(r"\b(?:before|after|until|when|while|once|if|than|whether|depends on)\b", re.I)
_ADVERBS = re.compile(
    r"^\W*(?:(?:now|soon|today|first|ahead|so|it|at once|this (?:year|quarter|month|spring|summer|autumn|winter)|happen"
    r"|before|by|in|while|and|as|because|since|is|was|be|any\w*|already|anyway|the sooner)\b.*)?\W*$",
    re.I | re.DOTALL,
)
"""Text that may follow a verb without its object: `The service should move, and soon.`"""


class Proposition(NamedTuple):
    """The words of a yes-or-no question, and the options that answer it."""

    yes: str
    no: str | None
    """None if more than one option means no."""
    delay: str | None
    """The one option that delays it."""
    verb: str
    changed: frozenset[str]
    """Words for the present state: `the nightly export`."""
    goal: frozenset[str]
    """Words for the result of a yes: `event bus`."""


@lru_cache(maxsize=256)
def proposition_of(question: str, options: tuple[str, ...], yes: str | None) -> Proposition | None:
    """The proposition of a question; None if it is no yes-or-no question, or no option answers it with yes.

    `yes` is the option marked as yes, "" = no option; None derives it from the words of the options.
    """
    found = _ASKS_YES_OR_NO.match(question)
    if found is None or yes == "":
        return None
    predicate = _predicate(found["rest"])
    if predicate is None:
        return None
    verb, rest = predicate
    meant = yes or option_for_yes(question, options)
    if meant not in options:
        return None
    no = only_option(option for option in options if option != meant)
    delay = only_option(option for option in options if DELAYS.search(option))
    changed, goal = _objects(verb, _UNTIL.split(rest)[0])
    return Proposition(meant, no, delay, verb, changed, goal)


def asks_yes_or_no(question: str) -> bool:
    """True for `Should we move?`, but not for `Build or buy?` or `Which queue?`."""
    found = _ASKS_YES_OR_NO.match(question)
    return found is not None and _predicate(found["rest"]) is not None


def yes_option_of(spec: Spec) -> str | None:
    """The option that answers a debate's question with yes: the marked one, else by its words."""
    if spec.yes_option is None:
        return option_for_yes(spec.question, spec.options)
    return spec.yes_option if spec.yes_option in spec.options else None


def option_for_yes(question: str, options: Sequence[str]) -> str | None:
    """The option that answers the question with yes by its words: `adopt`, `go ahead`, or the question's verb."""
    found = _ASKS_YES_OR_NO.match(question)
    predicate = _predicate(found["rest"]) if found else None
    if predicate is None:
        return None
    plain = {option: " ".join(WORD.findall(option.casefold())) for option in options}
    for meanings in ((plain[o] in _SAYS_YES for o in options), (_begins_with(o, predicate[0]) for o in options)):
        meant = [option for option, is_meant in zip(options, meanings, strict=True) if is_meant]
        if len(meant) == 1:
            return meant[0]
    return None


def _begins_with(option: str, verb: str) -> bool:
    words = WORD.findall(option)
    return bool(words) and is_form_of(words[0], verb)


def _predicate(rest: str) -> tuple[str, str] | None:
    """The verb of a question and the text after it; in German the last word and the text before it."""
    if re.search(r"\b(?:or|oder)\b", rest, re.I):
        return None
    rest, is_shortened = _WANTS.subn("", rest)
    pronoun = _PRONOUN.match(rest)
    words = [*WORD.finditer(rest)]
    if not words:
        return None
    last = words[-1]
    if _GERMAN.search(rest):
        return last.group(), rest[pronoun.end() if pronoun else 0 : last.start()]
    first_place = 0 if is_shortened else 1
    verb = _english_verb(words, has_pronoun=pronoun is not None, first_place=first_place)
    return None if verb is None else (verb.group(), rest[verb.end() :])


def _english_verb(words: Sequence[re.Match[str]], *, has_pronoun: bool, first_place: int) -> re.Match[str] | None:
    """`move` in `Should we move?`, `moved` in `Should it be moved?`, else the first known verb."""
    for place, word in enumerate(words):
        if word.group() == "be" and place + 1 < len(words):
            return words[place + 1]
        if (has_pronoun and place == 1) or (place >= first_place and word.group() in _VERBS):
            return word
    return None


def _objects(verb: str, rest: str) -> tuple[frozenset[str], frozenset[str]]:
    """(words for the present state, words for the result of a yes)."""
    direct, _, behind = _INTO.sub("\n", rest, count=1).partition("\n")
    is_gained = verb.casefold() in _GETS
    return (_content(behind), _content(direct)) if is_gained else (_content(direct), _content(behind))


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in WORD.findall(text) if word.casefold() not in GRAMMAR)


class ArguedSide(NamedTuple):
    """The option that a clause supports, and the start and end of the words for it in the clause."""

    option: str | None
    start: int
    end: int


def side_of(proposition: Proposition, clause: str, *, opens: bool) -> ArguedSide | None:
    """The option that a recommending clause supports in the words of the question; None if there is none.

    `opens`: the clause may begin with an order such as `Move to Kafka.` The caller decides whether the clause supports
    or opposes these words; `keep the export` opposes replacing it.
    """
    delays = DELAYS.search(clause) if proposition.delay else None
    if delays and _may_count(delays, clause, opens=opens):
        return ArguedSide(proposition.delay, *delays.span())
    main = _SUBORDINATE.split(clause, maxsplit=1)[0]
    words = [*WORD.finditer(main)]
    named = _objects_named(words, proposition)
    verb = next((word for word in words if is_form_of(word.group(), proposition.verb)), None)
    if verb is None:
        return _side_without_verb(proposition, clause, named, opens=opens)
    is_imperative = verb.group().casefold() == proposition.verb.casefold()
    if opens and not (is_imperative and _may_count(verb, clause, opens=opens)):
        return None
    return _side_of_verb(proposition, clause, verb, named)


def _may_count(found: re.Match[str], clause: str, *, opens: bool) -> bool:
    """True for a place in the clause; an order counts only at its start."""
    return not opens or found.start() == len(clause) - len(clause.lstrip())


def _objects_named(words: Iterable[re.Match[str]], proposition: Proposition) -> list[re.Match[str]]:
    objects = proposition.changed | proposition.goal
    return [word for word in words if any(is_form_of(word.group(), name) for name in objects)]


def _side_without_verb(
    proposition: Proposition, clause: str, named: Sequence[re.Match[str]], *, opens: bool
) -> ArguedSide | None:
    """The side of a clause without the verb of the question: it keeps what a yes changes, or wants its result."""
    keeps = _KEEPS.search(clause)
    if keeps and _may_count(keeps, clause, opens=opens) and _names_enough(named, proposition.changed):
        return ArguedSide(proposition.no, *keeps.span())
    wants = _TRIED.search(_SUBORDINATE.split(clause, maxsplit=1)[0])
    if wants and _may_count(wants, clause, opens=opens) and _names_enough(named, proposition.goal):
        return ArguedSide(proposition.yes, named[0].start(), named[-1].end())
    return None


def _side_of_verb(
    proposition: Proposition, clause: str, verb: re.Match[str], named: Sequence[re.Match[str]]
) -> ArguedSide | None:
    """The side of a clause with the verb of the question; it has to name one of its objects, or end with the verb."""
    if named:
        return ArguedSide(proposition.yes, verb.start(), max(verb.end(), named[-1].end()))
    has_objects = bool(proposition.changed | proposition.goal)
    if has_objects and not _ADVERBS.match(clause[verb.end() :]):
        return None
    return ArguedSide(proposition.yes, *verb.span())


def _names_enough(named: Sequence[re.Match[str]], names: Collection[str]) -> bool:
    """True if at least half of these names appear."""
    there = {name for name in names for word in named if is_form_of(word.group(), name)}
    return bool(names) and 2 * len(there) >= len(names)
