"""Which option a text argues for: its sentence "My position: ...", or failing that what it recommends.

Words only, in English and in some German: it knows nothing of meaning, and says nothing where a text is not plain. What
is put off or made a condition, quotes, questions, irony and what others are said to want name no option.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from debate_core.engine.similarity import split_sentences
from debate_core.spec.contents import Argument


class _Named(NamedTuple):
    """A place in a clause that names an option."""

    option: str
    start: int
    end: int
    whole: bool
    """True if all its words are there."""


# `My position: adopt.`, `Our recommendation is to defer.`, `Meine Position: verschieben.`
_POSITION = re.compile(
    r"\b(?:my|our) (?:own |final |current |present )?(?:position|recommendation|vote|verdict|conclusion|choice)"
    r"(?: now)?(?: ?:| is| remains| goes to)(?: that| to)?"
    r"|\b(?:meine|unsere) (?:position|empfehlung|stimme)(?: ?:| ist)",
    re.I,
)
# `We should`, `I recommend`, `is the better choice`, `wir sollten`
_RECOMMENDS = re.compile(
    r"\b(?:should|must|ought to|has to|have to) (?!not\b|never\b)"
    r"|\bi (?:would |therefore |thus |also |strongly |clearly )?(?:recommend|propose|support|favou?r|vote)\b"
    r"|\bi would \w+"
    r"|\b(?:better|best|right|safer|safest|sound|soundest|wiser|wisest|only) (?:sound )?"
    r"(?:choice|option|decision|answer|course|path|way)\b"
    r"|\b(?:wir|man|das team) (?:sollten?|müssen|muss)\b|\bich (?:empfehle|stimme|schlage)\b",
    re.I,
)
# What is put off or made a condition is not held now.
_HEDGED = re.compile(
    r"(?<!even )(?<!as )\bif\b|(?<!at )\bonce\b(?! and for all| more| again)"
    r"|\bafter (?!all\b|weighing|considering|reading|reviewing|hearing|having)|(?<!even )\bwhen\b"
    r"|\b(?:unless|provided|providing|assuming|on (?:the )?condition|conditional(?:ly)?|should the|as (?:soon|long) as"
    r"|later|eventually|some ?day|one day|at some point|in the (?:long|longer) run|in time"
    r"|not (?:before|until|now|yet|this (?:year|quarter|month))|only not|but not|only (?:if|after|with)"
    r"|next (?:year|quarter|month|spring|summer|autumn|winter)|falls|wenn|sobald|sofern|erst|später|irgendwann)\b",
    re.I,
)
_DELAYS = re.compile(r"\b(?:defer|postpone|delay|wait|hold off|verschieben|warten)", re.I)
"""Options that are a delay themselves: what ends it makes them no less plain."""
# Reasons and concessions name other options without holding them.
_REASON = re.compile(
    r"(?:,? \b(?:because|since|given that|so that|weil|denn|solange)\b|, (?:as|for|da)\b(?! soon| long)"
    r"|(?<!soon )(?<!long )\bas (?:no|the)\b).*",
    re.I,
)
_CONCEDES = re.compile(
    r"^\W*(?:although|though|even (?:though|if|when)|while|whereas|granted|admittedly|yes|however|despite|in spite of"
    r"|it is true|true|i (?:concede|grant|accept|admit|know)|obwohl|auch wenn|zwar)\b",
    re.I,
)
# `It would be faster, admittedly.`
_CONCEDED = re.compile(r", (?:admittedly|granted|i (?:know|admit|grant)|perhaps|no doubt|true|zugegeben)\b", re.I)
_IRONIC = re.compile(
    r"^\W*(?:sure|of course|wonderful|great|brilliant|by all means|naturally|splendid|perfect|certainly)\b"
    r"|\bof course,|\bwhy not\b|\bwhat could (?:possibly )?go wrong\b",
    re.I,
)
_OF_OTHERS = re.compile(
    r"\b(?:says?|said|argues?|argued|claims?|claimed|writes?|wrote|wants?|asks?|asked|recommends|insists?|believes?"
    r"|thinks?|proposes|prefers|according to|would rather|others?|critics?|opponents|they|side [a-z])\b",
    re.I,
)
_OWN = re.compile(r"\b(?:I|ich|Ich)\b")
# A quote ends before the next one begins: else each mark that is never closed would be followed to the end of the text.
_QUOTED = re.compile(r'"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»')
# `not adopt`, `rather than adopt`, `keine Einführung`
_AGAINST_BEFORE = re.compile(
    r"\b(?:no|not|never|nor|neither|without|against|instead of|rather than|than|over|cannot|can't|avoid|oppose"
    r"|anything but|nicht|keine?[mnrs]?|statt|anstatt|gegen|ohne|weder|noch)\b|n['’]t\b",
    re.I,
)
# `adopting would be a mistake`
_AGAINST_AFTER = re.compile(
    r"^\W*(?:\S+ ){0,6}?(?:(?:is|are|was|were|would be|seems?) (?:not|no|never|wrong|premature|too|out of"
    r"|a mistake|an error|the wrong)|would be a|fails?|can wait|must wait|makes no sense"
    r"|will not|does not|cannot|wäre ein fehler|ist falsch)",
    re.I,
)
_CLAUSE = re.compile(r"[,;:—–]| (?<!anything )but | sondern ", re.I)
_WORD = re.compile(r"[^\W_]+")
_NEGATES = frozenset({"no", "not", "never", "without", "kein", "keine", "nicht", "ohne"})
_GRAMMAR = frozenset(
    _WORD.findall(
        "a an the to on in at of for by with from and or it its this that we our us be is are as per one each between "
        "do der die das ein eine auf bei zu im und oder wir es"
    )
)
_ENDINGS = re.compile(r"(?:ations?|ings?|ions?|als?|ed|es|s|e)$")
MIN_STEM = 3
MIN_PREFIX = 6
"""Letters that two words must share to be forms of one name: Postgres, PostgreSQL."""
MORE_WORDS = 2
"""After an option, in a first or last sentence that recommends it by naming it: `So adopt it now.`"""


def argued_by(content: Argument, options: Sequence[str]) -> str | None:
    """The one option that an argument speaks for by its prose, else by its claims; None if that is not plain."""
    held = argued_option(content.rationale, options)
    if held is None and _POSITION.search(_unquoted(content.rationale)) is None:
        return _only(_recommended((claim.text for claim in content.claims), options))
    return held


def argued_option(text: str, options: Sequence[str]) -> str | None:
    """The one option that a text argues for; None if it is for none, for several, or not plain."""
    plain = _unquoted(text)
    stated = [*_POSITION.finditer(plain)]
    if stated:
        return _only(_held(split_sentences(plain[stated[-1].end() :])[:2], tuple(options)))
    return _only(_recommended(split_sentences(plain), options))


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


def _only(held: Iterable[str | None]) -> str | None:
    """The one option that is held; None if there are several, or something is not plain."""
    found = {*held}
    return found.pop() if len(found) == 1 else None


def _held(sentences: Sequence[str], options: tuple[str, ...]) -> Iterator[str | None]:
    """What the first sentence that is for something is for: `We cannot wait. Adopt.`"""
    for sentence in sentences:
        held = [*_options_held(sentence, options)]
        if held:
            yield from held
            return


def _recommended(sentences: Iterable[str], options: Sequence[str]) -> Iterator[str | None]:
    """What each sentence that recommends something is for; None for one that is not plain."""
    said = [sentence.strip() for sentence in sentences]
    for place, sentence in enumerate(said):
        if sentence.endswith("?") or _IRONIC.search(sentence) or _CONCEDED.search(sentence):
            continue
        if _OF_OTHERS.search(_REASON.sub("", sentence)) and not _OWN.search(sentence):
            continue
        is_at_an_end = place in (0, len(said) - 1)
        if _RECOMMENDS.search(sentence) or (is_at_an_end and _is_option_alone(sentence, tuple(options))):
            yield from _options_held(sentence, tuple(options))


def _is_option_alone(sentence: str, options: tuple[str, ...]) -> bool:
    """True for `So adopt it.`"""
    start = re.sub(r"^(?:so|therefore|thus|hence|in short|also)\b[, ]*", "", sentence, flags=re.I)
    return any(n.start == 0 and len(_WORD.findall(start[n.end :])) <= MORE_WORDS for n in _named_in(start, options))


def _options_held(sentence: str, options: tuple[str, ...]) -> Iterator[str | None]:
    """The options that a sentence is for, None beside them if it puts them off or makes them a condition."""
    core = _REASON.sub("", sentence)
    clauses = [clause for clause in _CLAUSE.split(core) if not _CONCEDES.search(clause)]
    held = [named for clause in clauses for named in _named_in(clause, options) if not _is_against(clause, named)]
    whole = [named for named in held if named.whole]
    for option in dict.fromkeys(named.option for named in whole or held):
        yield option
        if not _DELAYS.search(option) and any(_HEDGED.search(clause) for clause in clauses):
            yield None


def _is_against(clause: str, named: _Named) -> bool:
    return bool(_AGAINST_BEFORE.search(clause[: named.start]) or _AGAINST_AFTER.search(clause[named.end :]))


def _named_in(clause: str, options: tuple[str, ...]) -> list[_Named]:
    """Where a clause names options; `modular monolith` does not name `monolith` too."""
    found = [named for option in options if (named := _place_of(option, clause, options))]
    return [named for named in found if not any(_contains(other, named) for other in found)]


def _place_of(option: str, clause: str, options: tuple[str, ...]) -> _Named | None:
    """Where a clause names one of the options, by all of its words or by those that tell it from the others."""
    own, telling = _words_of(option, options)
    folded = {word.casefold() for word in own}
    if folded <= _GRAMMAR and clause.strip(" .!").casefold() != option.casefold():
        # `We do it later`, where the option is `Do it`.
        return None
    places = [(said, word) for said in _WORD.finditer(clause) for word in own if _is_form_of(said.group(), word)]
    if not places:
        # `We wait`, where it is `adopt Kafka`.
        return None
    start, end = min(said.start() for said, _ in places), max(said.end() for said, _ in places)
    there = {word for _, word in places}
    if there == own:
        # `adopting Kafka now`
        return _Named(option, start, end, whole=True)
    told = there & telling
    if not told or 2 * len(told) < len(telling) or folded & _NEGATES:
        # `adopt it`, where the others begin with `adopt` too; `a queue`, where it is `no queue`.
        return None
    # `Kafka it is`
    return _Named(option, start, end, whole=False)


def _contains(longer: _Named, named: _Named) -> bool:
    """True for `monolith` in `modular monolith`."""
    inside = longer.start <= named.start and named.end <= longer.end
    return inside and longer.whole and named.option.casefold() in longer.option.casefold() and longer != named


@lru_cache(maxsize=512)
def _words_of(option: str, options: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """(the words of an option that are no grammar, those of them that tell it from the other options)."""
    words = _WORD.findall(option)
    own = frozenset(w for w in words if w.casefold() not in _GRAMMAR) or frozenset(words)
    others = [w for other in options if other != option for w in _WORD.findall(other)]
    return own, frozenset(w for w in own if not any(_is_form_of(other, w) for other in others))


def _is_form_of(word: str, name: str) -> bool:
    """True if a word of a text is a form of this word of an option; an abbreviation only as it is written: REST."""
    if len(name) > 1 and name.isupper():
        return word == name
    mine, its = word.casefold(), name.casefold()
    if mine == its or _stem(mine) == _stem(its):
        return True
    short, long = sorted((mine, its), key=len)
    return len(short) >= MIN_PREFIX and long.startswith(short)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """`adopting`, `adoption` -> `adopt`; `deferral` -> `defer`."""
    short = _ENDINGS.sub("", word)
    if len(short) < MIN_STEM:
        return word
    return short[:-1] if len(short) > MIN_STEM and short[-1] == short[-2] and short[-1] not in "aeiou" else short
