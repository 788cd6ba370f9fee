"""Stance detection: the option that a text argues for, from its line "My position: ...", else its recommendation.

Works on words, in English and partly in German. Without a clear sentence there is no result. Delays, conditions,
quotes, questions, irony and the views of others count for no option.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from debate_core.engine.option_names import name_stated, no_option, only_option
from debate_core.engine.proposition import DELAYS, Proposition, proposition_of, side_of
from debate_core.engine.similarity import split_sentences
from debate_core.engine.word_forms import GRAMMAR, WORD, is_form_of
from debate_core.spec.contents import Argument


class _Named(NamedTuple):
    """A place in a clause that names an option."""

    option: str
    start: int
    end: int
    whole: bool
    """True if all words of the option appear."""


# `My position: adopt.`, `Our recommendation is to defer.`, `Meine Position: verschieben.`
_POSITION = re.compile(
    r"\b(?:my|our) (?:own |final |current |present )?(?:position|recommendation|vote|verdict|conclusion|choice)"
    r"(?: now)?(?: ?:| is| remains| goes to)(?: that| to)?"
    r"|\b(?:meine|unsere) (?:position|empfehlung|stimme)(?: ?:| ist)",
    re.I,
)
# `We should`, `I recommend`, `is the better choice`, `wir sollten`; hindsight such as `we should have` advises nothing
_RECOMMENDS = re.compile(
    r"\b(?:should|must|ought to|has to|have to) (?!not\b|never\b|have\b)"
    r"|\bi (?:would |therefore |thus |also |strongly |clearly )?(?:recommend|propose|support|favou?r|vote)\b"
    r"|\bi would (?!have\b)\w+"
    r"|\b(?:better|best|right|safer|safest|sound|soundest|wiser|wisest|only) (?:sound )?"
    r"(?:choice|option|decision|answer|course|path|way)\b"
    r"|\b(?:sollten?|müssen|muss) (?![^.]{0,60}\b(?:nicht|kein\w*)\b)|\bich (?:empfehle|stimme|schlage)\b"
    r"|\bneeds? to\b|\bit is time to\b|\bbelongs? (?:in|on|to)\b|\bwins\b",
    re.I,
)
# `My position: adopt` as a separate line, which prompts ask for
_CLOSED = re.compile(r"^(?:[^\w\n]|_)*(?:my|our|meine|unsere) (?:final )?position\W{0,4}[:=](.+)$", re.I | re.M)
# `We should not`, `I do not recommend`, `wir sollten das nicht`
_ADVISES_AGAINST = re.compile(
    r"\b(?:should|must|ought|would|do|does|need|sollten?|darf|dürfen)\b[^.]{0,60}?\b(?:not|never|nicht|kein\w*)\b|n't\b"
    r"|\b(?:would be|is) (?:a mistake|an error|wrong|premature|too early)\b|\bi (?:oppose|am against)\b",
    re.I,
)
_ANSWER = re.compile(r"^\W*(?:(?:my|the) answer is )?(yes|no|ja|nein)\W*$", re.I)
_LEADS_IN = re.compile(r"^(?:so|therefore|thus|hence|in short|also|then|please)\b[, ]*", re.I)
# `Adopt it and you lose the weekend crew.`
_THREATENS = re.compile(r"\band (?:you|we|they)\b", re.I)
# `waiting`, `adoption`, `delays`: no base form of a verb
_INFLECTED = re.compile(r"(?:(?<!\bbr)ing|ions?|[^e]ed|[^s]s)$", re.I)
_ORDER_ENDS = re.compile(r"[,;:.!]|\b(?:until|because|since|while|if|so|and|that|which|who)\b", re.I)
_ORDERS = re.compile(
    r"^\W*(?:use|choose|pick|take|go|opt|select|prefer|stay|stick|keep|start|begin|put|buy|build|switch|move|migrate|adopt"
    r"|issue|run|deploy|introduce|approve|launch|place|let us|let's|nehmt|wählt)\b",
    re.I,
)
_OBJECT = re.compile(
    r"^ (?:the|a|an|it|this|that|these|those|our|its|all|any|both|now|today|to|by|with|at|in|on|for|as|before|after"
    r"|until|once|only|early|first)\b",
    re.I,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|will|would|has|have|had|does|did|can|could|may|might|should|must|cost|costs|takes?|needs?|adds?"
    r"|means?|gives?|fails?|makes?|brings?)\b",
    re.I,
)
# A delayed or conditional option is not supported now.
_HEDGED = re.compile(
    r"(?<!even )(?<!as )\bif\b|(?<!at )\bonce\b(?! and for all| more| again)"
    r"|\bafter (?!all\b|weighing|considering|reading|reviewing|hearing|having)|(?<!even )\bwhen\b"
    r"|\b(?:unless|provided|providing|assuming|on (?:the )?condition|conditional(?:ly)?|should the|as (?:soon|long) as"
    r"|later|eventually|some ?day|one day|at some point|in the (?:long|longer) run|in time"
    r"|not (?:before|until|now|yet|this (?:year|quarter|month))|only not|but not|only (?:if|after|with)"
    r"|next (?:year|quarter|month|spring|summer|autumn|winter)|falls|wenn|sobald|sofern|erst|später|irgendwann)\b",
    re.I,
)
# Reasons and concessions mention other options without supporting them.
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
# A quote ends before the next one begins; otherwise an unclosed mark would be followed to the end of the text.
_QUOTED = re.compile(r'"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»')
# `not adopt`, `rather than adopt`, `keine Einführung`
_AGAINST_BEFORE = re.compile(
    r"\b(?:no|not|never|nor|neither|without|against|instead of|rather than|than|over|cannot|can't|avoid|oppose"
    r"|anything but|(?:mistake|error|wrong|premature|unwise|early|risky) to"
    r"|nicht|keine?[mnrs]?|statt|anstatt|gegen|ohne|weder|noch)\b|n['’]t\b",
    re.I,
)
# `adopting would be a mistake`
_AGAINST_AFTER = re.compile(
    r"^\W*(?:\S+ ){0,6}?(?:(?:is|are|was|were|would be|seems?) (?:not|no|never|wrong|premature|too|out of"
    r"|a mistake|an error|the wrong)|would be a|fails?|can wait|must wait|makes no sense"
    r"|(?:will|does|should|must) not|should never|cannot|wäre ein fehler|ist falsch)",
    re.I,
)
_CLAUSE = re.compile(r"[,;:—–]| (?<!anything )but | sondern ", re.I)
_NEGATES = frozenset({"no", "not", "never", "without", "kein", "keine", "nicht", "ohne"})
MORE_WORDS = 2
"""Words allowed after an option in a first or last sentence that recommends it by name: `So adopt it now.`"""


class _ReadingAim(NamedTuple):
    """The options to look for, and the proposition of a yes-or-no question."""

    options: tuple[str, ...]
    proposition: Proposition | None


def argued_by(content: Argument, options: Sequence[str], question: str = "", yes: str | None = None) -> str | None:
    """The single option that an argument supports by its prose, else by its claims; None if that is unclear.

    `question` and `yes`, the option that answers it with yes ("" = none, None = derive it from the options' words),
    resolve texts in the words of the question: `We should move to Kafka`.
    """
    by_prose = argued_option(content.rationale, options, question, yes)
    if by_prose is not None or _POSITION.search(_unquoted(content.rationale)):
        return by_prose
    asked = _asked(options, question, yes)
    return only_option(_recommended((claim.text for claim in content.claims), asked))


def argued_option(text: str, options: Sequence[str], question: str = "", yes: str | None = None) -> str | None:
    """The single option that a text supports; None for none, several, or an unclear text.

    Decided by its line `My position: adopt`, else by its last such sentence, else by its recommendations.
    """
    closed = _CLOSED.findall(text)
    if closed and (stated := name_stated(closed[-1], (*options, no_option(options)))):
        return stated if stated in options else None
    asked = _asked(options, question, yes)
    plain = _unquoted(text)
    statements = [*_POSITION.finditer(plain)]
    if statements:
        after_the_last = split_sentences(plain[statements[-1].end() :])
        return only_option(_stated(after_the_last[:2], asked))
    return only_option(_recommended(split_sentences(plain), asked))


def _asked(options: Sequence[str], question: str, yes: str | None) -> _ReadingAim:
    return _ReadingAim(tuple(options), proposition_of(question, tuple(options), yes))


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


def _stated(sentences: Sequence[str], asked: _ReadingAim) -> Iterator[str | None]:
    """Options supported by the first sentence that supports any: `We cannot wait. Adopt.`"""
    for sentence in sentences:
        supported = [*_options_supported(sentence, asked)]
        if supported:
            yield from supported
            return


def _recommended(sentences: Iterable[str], asked: _ReadingAim) -> Iterator[str | None]:
    """Options supported by each recommending sentence; None for an unclear one."""
    stripped = [sentence.strip() for sentence in sentences]
    for place, sentence in enumerate(stripped):
        if _is_own_word(sentence):
            yield from _recommended_by(sentence, asked, is_at_an_end=place in (0, len(stripped) - 1))


def _recommended_by(sentence: str, asked: _ReadingAim, *, is_at_an_end: bool) -> Iterator[str | None]:
    """Options that one sentence recommends. Answers and orders count only in the first or last sentence of a text."""
    proposition = asked.proposition
    answer = _ANSWER.match(sentence) if is_at_an_end else None
    if answer and proposition:
        yield proposition.yes if answer[1].casefold() in ("yes", "ja") else proposition.no
    elif _RECOMMENDS.search(sentence) or (is_at_an_end and _is_order(sentence, asked)):
        yield from _options_supported(sentence, asked)
    elif proposition and _ADVISES_AGAINST.search(sentence):
        yield from _by_proposition(_plain_clauses(sentence), proposition)


def _is_own_word(sentence: str) -> bool:
    """False for a question, irony, a concession, or a report of what others say."""
    if sentence.endswith("?") or _IRONIC.search(sentence) or _CONCEDED.search(sentence):
        return False
    tells_of_others = _OF_OTHERS.search(_REASON.sub("", sentence)) is not None
    return not tells_of_others or _OWN.search(sentence) is not None


def _is_order(sentence: str, asked: _ReadingAim) -> bool:
    """True for `So adopt it.`, `Adopt the bus for orders.`, `Use Kafka.`, and `Move to Kafka.` if that is asked."""
    order = _LEADS_IN.sub("", sentence)
    if _THREATENS.search(order) or _begins_with_subject(order, asked.options):
        return False
    clause = _ORDER_ENDS.split(order, maxsplit=1)[0]
    if _orders_option(clause, asked.options):
        return True
    return asked.proposition is not None and side_of(asked.proposition, clause, opens=True) is not None


def _orders_option(clause: str, options: tuple[str, ...]) -> bool:
    for named in _named_in(clause, options):
        behind = clause[named.end :]
        begins = named.start == 0 and named.whole
        if begins and (len(WORD.findall(behind)) <= MORE_WORDS or _is_object(behind)):
            return True
        if named.start > 0 and _ORDERS.match(clause):
            return True
    return False


def _begins_with_subject(order: str, options: Sequence[str]) -> bool:
    """True for `Waiting keeps the risk.` and `Adoption costs a month.`, unless an option has this word."""
    first = WORD.search(order)
    if first is None or _INFLECTED.search(first.group()) is None:
        return False
    return first.group().casefold() not in _folded(word for option in options for word in WORD.findall(option))


def _is_object(text: str) -> bool:
    """True for text that can follow a verb in an order, but not a subject."""
    return _OBJECT.match(text) is not None and _FINITE.search(text) is None


def _options_supported(sentence: str, asked: _ReadingAim) -> Iterator[str | None]:
    """Options that a sentence supports, followed by None if it delays them or makes them conditional."""
    clauses = _plain_clauses(sentence)
    supported: list[_Named] = []
    for clause in clauses:
        supported += _supported_in(clause, asked.options)
    whole = [named for named in supported if named.whole]
    by_question: list[str | None] = []
    if asked.proposition and not whole:
        by_question += _by_proposition(clauses, asked.proposition)
    if by_question:
        yield from by_question
        return
    for option in dict.fromkeys(named.option for named in whole or supported):
        yield from _with_hedge(option, clauses)


def _by_proposition(clauses: Sequence[str], proposition: Proposition) -> Iterator[str | None]:
    """The option that clauses support in the words of the question, followed by None if they delay it."""
    for clause in clauses:
        found = side_of(proposition, clause, opens=False)
        if found is None:
            continue
        option, start, end = found
        if _is_against(clause, start, end):
            option = proposition.no if option == proposition.yes else None
        if option is not None:
            yield from _with_hedge(option, clauses)


def _with_hedge(option: str, clauses: Iterable[str]) -> Iterator[str | None]:
    """The option, followed by None if its clauses delay it or make it conditional."""
    yield option
    if not DELAYS.search(option) and any(_HEDGED.search(clause) for clause in clauses):
        yield None


def _plain_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence without its reasons and concessions."""
    without_reason = _REASON.sub("", sentence)
    return [clause for clause in _CLAUSE.split(without_reason) if not _CONCEDES.search(clause)]


def _supported_in(clause: str, options: tuple[str, ...]) -> list[_Named]:
    """Places where a clause names options without opposing them."""
    return [named for named in _named_in(clause, options) if not _is_against(clause, named.start, named.end)]


def _is_against(clause: str, start: int, end: int) -> bool:
    return bool(_AGAINST_BEFORE.search(clause[:start]) or _AGAINST_AFTER.search(clause[end:]))


def _named_in(clause: str, options: tuple[str, ...]) -> list[_Named]:
    """Places where a clause names options; `modular monolith` does not also name `monolith`."""
    named = [place for option in options if (place := _place_of(option, clause, options))]
    return [place for place in named if not any(_contains(other, place) for other in named)]


def _place_of(option: str, clause: str, options: tuple[str, ...]) -> _Named | None:
    """The place where a clause names an option, by all its words or by those that distinguish it from the others."""
    own, telling = _words_of(option, options)
    is_option_alone = clause.strip(" .!").casefold() == option.casefold()
    if _folded(own) <= GRAMMAR and not is_option_alone:
        # `We do it later`, where the option is `Do it`.
        return None
    forms = [(word, name) for word in WORD.finditer(clause) for name in own if is_form_of(word.group(), name)]
    if not forms:
        # `We wait`, where it is `adopt Kafka`.
        return None
    names = {name for _, name in forms}
    # `adopting Kafka now`
    is_whole = names == own
    if not is_whole and not _is_enough(names & telling, own, telling):
        return None
    # Without all words: `Kafka it is`
    return _Named(option, forms[0][0].start(), forms[-1][0].end(), whole=is_whole)


def _folded(words: Iterable[str]) -> set[str]:
    return {word.casefold() for word in words}


def _is_enough(there: Collection[str], own: Collection[str], telling: Collection[str]) -> bool:
    """True if the distinguishing words found name the option although some of its words are missing.

    False for `adopt it` if other options start with `adopt` too, and for `a queue` if the option is `no queue`.
    """
    are_most = 2 * len(there) >= len(telling)
    return bool(there) and are_most and _NEGATES.isdisjoint(_folded(own))


def _contains(longer: _Named, named: _Named) -> bool:
    """True for `monolith` in `modular monolith`."""
    is_inside = longer.start <= named.start and named.end <= longer.end
    if not is_inside or not longer.whole or longer == named:
        return False
    return named.option.casefold() in longer.option.casefold()


@lru_cache(maxsize=512)
def _words_of(option: str, options: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """(the content words of an option, those of them that distinguish it from the other options)."""
    words = WORD.findall(option)
    own = frozenset(word for word in words if word.casefold() not in GRAMMAR) or frozenset(words)
    of_others = WORD.findall(" ".join(other for other in options if other != option))
    shared = {name for name in own for word in of_others if is_form_of(word, name)}
    return own, own - shared
