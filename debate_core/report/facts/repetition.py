"""What code can notice about turns: restated claims, no new sentence, echo, votes that drift or flip for no reason.

Structure first (ids, ballots), text only as a hint that a person may dismiss. It decides nothing, and it does not
know whether anything is true. Thresholds were set on labelled public text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, islice

from debate_core.engine.option_names import named_option, negated
from debate_core.engine.schedule import stance_of
from debate_core.engine.similarity import LEAST_DICE, asked_words, grams, restates, sentences, split_sentences
from debate_core.language import _n
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.values import in_words

SAME_SENTENCE = 0.50
"""A sentence is not new if its Dice with an earlier one is at least this."""
MIN_NEW_SHARE = 0.60
"""A turn of which fewer sentences are new for its speaker makes no progress: genuine rebuttals hardly ever do."""
MIN_OWN_SHARE = 0.70
"""A turn of which fewer sentences differ from the other side's is an echo: of genuine ones 99 % have .84 and more."""
GIVEN_IN_BY = 2
"""Whoever leaves a side in this round or before may have had none that could be argued (Debate / Deliberation)."""
MOST_SENTENCES = 60
"""Of one turn, its first ones: of ordinary length they are 6,000 characters, and hardly any turn has more."""
MOST_PLACES = 10_000
"""At how many places an earlier text is looked for by the grams of one sentence: most debates have fewer in all.
Where there are more, the commonest grams are left out, and a likeness may be missed; none is ever found that is not."""

_WORD = re.compile(r"[^\W_]+")
# No opening mark within: a text of nothing but these would be read to its end from each of them.
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|«[^«»]*»")


@dataclass(frozen=True, slots=True)
class DebateFinding:
    """Something a reader should look at: its name, what was found, and the turns (request ids) it was found in."""

    name: str
    sentence: str
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A debater's turn, and what had been said when it was given: by its own seat, and by the others."""

    turn: Turn
    content: Argument
    own: tuple["Said", ...]
    others: tuple["Said", ...]


def said(state: State) -> tuple[Said, ...]:
    """The arguments of the debaters in order, of phases that are over: nothing that is still sealed.

    What was given at once cannot have been heard: it is not among `others` of its own phase.
    """
    given = state.all_turns() if state.outcome else state.turns
    debaters = {seat.id for seat in state.spec.debaters()}
    found: list[Said] = []
    for turn in given:
        if turn.seat not in debaters or turn.argument is None:
            continue
        own = tuple(earlier for earlier in found if earlier.turn.seat == turn.seat)
        others = tuple(_heard_from_others(state, turn, found))
        found.append(Said(turn, turn.argument, own, others))
    return tuple(found)


def _heard_from_others(state: State, turn: Turn, earlier: Iterable[Said]) -> Iterator[Said]:
    at_once = state.phase(turn.phase).order == "at_once"
    for one in earlier:
        is_same_phase = one.turn.phase == turn.phase and one.turn.round == turn.round
        if one.turn.seat != turn.seat and not (at_once and is_same_phase):
            yield one


@dataclass(slots=True)
class _Heard:
    """Texts said so far, by gram, so that the nearest ones are found without comparing with each."""

    seats: dict[str, set[str]] = field(default_factory=dict)
    """Who said it, by text."""
    by_gram: dict[str, list[str]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    """How many grams each text has."""


@dataclass(frozen=True, slots=True)
class _Near:
    """An earlier text that is like a new one: who said it, and how alike they are."""

    seats: frozenset[str]
    text: str
    alike: float


def _hear(heard: _Heard, seat: str, texts: Iterable[str]) -> None:
    for text in texts:
        if text not in heard.seats:
            its_grams = grams(text)
            heard.seats[text] = set()
            heard.sizes[text] = len(its_grams)
            for gram in its_grams:
                heard.by_gram.setdefault(gram, []).append(text)
        heard.seats[text].add(seat)


def _near(heard: _Heard, text: str, least: float) -> list[_Near]:
    """Every text that is at least so much like this one; among very many, those that share its rarer grams."""
    mine = grams(text)
    rarest_first = sorted((heard.by_gram.get(gram, []) for gram in mine), key=len)
    shared = Counter(islice(chain.from_iterable(rarest_first), MOST_PLACES))
    near = []
    for earlier, n_shared in shared.items():
        alike = 2 * n_shared / (len(mine) + heard.sizes[earlier])
        if alike >= least:
            near.append(_Near(frozenset(heard.seats[earlier]), earlier, alike))
    return near


@dataclass(frozen=True, slots=True)
class Look:
    """A turn, and how much of it is new. A share is None if the turn has no sentence to judge."""

    said: Said
    new_share: Fraction | None
    """Sentences that are unlike every earlier one of the same seat."""
    own_share: Fraction | None
    """Sentences without their quotes that are unlike every earlier one of the others."""
    restated: bool
    """All it claims, or its words if it claims nothing, are what the same seat had said."""
    new_claims: int
    """Claims that restate nobody's, as the stop rule has it."""


def looks(state: State) -> tuple[Look, ...]:
    """The arguments of the debaters, compared with what had been said before each.

    Of each turn the first MOST_SENTENCES sentences: who opens a record of the longest turns does not wait for more.
    """
    lines = _Heard()
    claims = _Heard()
    found = list[Look]()
    unheard = list[Said]()
    place = (0, "")
    for one in said(state):
        now = (one.turn.round, one.turn.phase)
        if now != place or state.phase(one.turn.phase).order == "in_turn":
            for before in unheard:
                _hear(lines, before.turn.seat, _own_sentences(state, before))
                _hear(claims, before.turn.seat, (c.text for c in before.content.claims))
            unheard = []
            place = now
        found.append(_look(state, one, lines, claims))
        unheard.append(one)
    return tuple(found)


def _look(state: State, one: Said, lines: _Heard, claims: _Heard) -> Look:
    seat = one.turn.seat
    own = _own_sentences(state, one)
    unquoted = _unquoted_sentences(state, one)
    said_by = {sentence: _seats_near(lines, sentence) for sentence in {*own, *unquoted}}
    asked = asked_words(state.spec)
    earlier = [_restated(claims, claim.text, asked) for claim in one.content.claims]
    only_repeats = _only_own(seat, earlier) if earlier else _same_words(one)
    is_new = [seat not in said_by[sentence] for sentence in own]
    is_own = [said_by[sentence] <= {seat} for sentence in unquoted]
    return Look(
        said=one,
        new_share=_share(is_new),
        own_share=_share(is_own),
        restated=only_repeats and _in_own_words(state, one),
        new_claims=earlier.count([]),
    )


def _seats_near(heard: _Heard, sentence: str) -> set[str]:
    """Who has said something like this sentence."""
    seats = set[str]()
    for near in _near(heard, sentence, SAME_SENTENCE):
        seats |= near.seats
    return seats


def _restated(heard: _Heard, claim: str, asked: str) -> list[_Near]:
    """The earlier claims that this one restates."""
    return [near for near in _near(heard, claim, LEAST_DICE) if restates(claim, near.text, asked)]


def _only_own(seat: str, restated: Sequence[Sequence[_Near]]) -> bool:
    """True if each claim restates one of the seat's own. A single one is alike by chance: it takes nearly the words."""
    least = LEAST_DICE if len(restated) > 1 else SAME_SENTENCE
    alike = [[near for near in earlier if near.alike >= least] for earlier in restated]
    return all(any(seat in near.seats for near in earlier) for earlier in alike)


def _share(holds: Sequence[bool]) -> Fraction | None:
    return Fraction(sum(holds), len(holds)) if holds else None


def _own_sentences(state: State, one: Said) -> tuple[str, ...]:
    if not _in_own_words(state, one):
        return ()
    return sentences(one.content.rationale)[:MOST_SENTENCES]


def _unquoted_sentences(state: State, one: Said) -> tuple[str, ...]:
    """What the seat says itself: both sides may quote the same source."""
    if not _in_own_words(state, one):
        return ()
    return sentences(_QUOTED.sub(" ", one.content.rationale))[:MOST_SENTENCES]


def _in_own_words(state: State, one: Said) -> bool:
    """False for the evidence panel: its sentences are a form that repeats itself, and its claims are passages."""
    return state.spec.seat(one.turn.seat).occupant != "offline" or one.turn.by != one.turn.seat


def _same_words(one: Said) -> bool:
    words = _WORD.findall(one.content.rationale.casefold())
    earlier = (_WORD.findall(s.content.rationale.casefold()) for s in one.own)
    return words in earlier


def stands_still(state: State, look: Look) -> bool:
    """True if too few of the turn's sentences are new for its speaker; closings sum up and are exempt."""
    return look.new_share is not None and look.new_share < MIN_NEW_SHARE and not _closes(state, look)


def _closes(state: State, look: Look) -> bool:
    phase = state.phase(look.said.turn.phase)
    return phase.when == "last" or phase in state.spec.protocol.after


def restatement(state: State, seen: Sequence[Look]) -> DebateFinding | None:
    """Turns that only restate what their own seat had said; closings sum up and are exempt."""
    found = [s.said for s in seen if s.restated and not _closes(state, s)]
    return _finding("restatement", found)


def no_progress(state: State, seen: Sequence[Look]) -> DebateFinding | None:
    """Turns in which fewer than 60 % of the sentences are new for their speaker."""
    found = [s.said for s in seen if stands_still(state, s)]
    return _finding("no_progress", found)


def echo(seen: Sequence[Look]) -> DebateFinding | None:
    """Turns in which fewer than 70 % of the sentences differ from what other debaters had said."""
    found = [s.said for s in seen if s.own_share is not None and s.own_share < MIN_OWN_SHARE]
    return _finding("echo", found)


def conceded(content: Argument) -> tuple[str, ...]:
    """Every id that a turn concedes, as a whole or in one of its claims."""
    ids = list(content.concedes)
    for claim in content.claims:
        ids += claim.concedes
    return tuple(ids)


def staged_agreement(state: State, seen: Sequence[Look]) -> DebateFinding | None:
    """Votes that changed in or right after a restatement, with no new claim and nothing conceded."""
    found = list[Said]()
    votes = dict[str, str]()
    repeated = dict[str, bool]()
    for look in seen:
        seat = look.said.turn.seat
        repeats = look.restated or stands_still(state, look)
        has_reason = look.new_claims or conceded(look.said.content)
        vote = vote_of(state, look.said)
        if vote is not None:
            changed = votes.get(seat, vote) != vote
            if changed and not has_reason and (repeats or repeated[seat]):
                found.append(look.said)
            votes[seat] = vote
        repeated[seat] = repeats
    return _finding("staged_agreement", found)


def vote_of(state: State, one: Said) -> str | None:
    """The option that a turn votes for; None if it was not asked, or abstains."""
    if not asks_ballot(state.spec.protocol, state.phase(one.turn.phase)):
        return None
    return one.content.vote if one.content.vote in state.spec.options else None


def drift(state: State) -> DebateFinding | None:
    """Turns that leave the side their seat was given: the vote, or the sentence they close with.

    A vote is no drift once the seat has conceded a claim. Seats that may follow the evidence have no side to leave.
    """
    found = [s for s in said(state) if _drifts(state, s)]
    return _finding("drift", found)


def gave_in(state: State) -> DebateFinding | None:
    """Seats that held their side and left it by the second round, conceding or not: was it contested?"""
    found = []
    for one in said(state):
        is_early = one.turn.round <= GIVEN_IN_BY
        if not one.own or not is_early or not _leaves_side(state, one):
            continue
        if not any(_leaves_side(state, earlier) for earlier in one.own):
            found.append(one)
    return _finding("gave_in", found)


def _drifts(state: State, one: Said) -> bool:
    has_conceded = any(conceded(earlier.content) for earlier in (*one.own, one))
    return not has_conceded and _leaves_side(state, one)


def _leaves_side(state: State, one: Said) -> bool:
    """Whether the vote or the closing sentence of a seat that has a side to hold is for another one."""
    seat = state.spec.seat(one.turn.seat)
    options = state.spec.options
    stance = stance_of(state, seat.id)
    side = named_option(stance, options)
    against = negated(stance)
    if side is None or seat.commitment == "open":
        return False
    last = next(reversed(split_sentences(one.content.rationale)), "")
    held = [vote_of(state, one)]
    if _in_own_words(state, one) and not negated(last):
        held.append(named_option(last, options))
    return any(option is not None and (option == side) == against for option in held)


_TOLD = {
    "restatement": (
        "{n} turn only restated what the same seat had said ({seats}).",
        "{n} turns only restated what the same seat had said ({seats}).",
    ),
    "no_progress": (
        "{n} turn brought few sentences that were new for the speaker ({seats}).",
        "{n} turns brought few sentences that were new for the speaker ({seats}).",
    ),
    "echo": (
        "{n} turn repeated sentences of other debaters ({seats}).",
        "{n} turns repeated sentences of other debaters ({seats}).",
    ),
    "staged_agreement": (
        "{n} turn changed the vote right after a restatement, without a new claim or a concession ({seats}).",
        "{n} turns changed the vote right after a restatement, without a new claim or a concession ({seats}).",
    ),
    "drift": (
        "{n} turn left the assigned stance without conceding a claim ({seats}).",
        "{n} turns left the assigned stance without conceding a claim ({seats}).",
    ),
    "gave_in": (
        "{n} turn gave the assigned side up by the second round: the question may not be contested enough for a debate "
        "({seats}).",
        "{n} turns gave the assigned side up by the second round: the question may not be contested enough for a "
        "debate ({seats}).",
    ),
}


def _finding(name: str, found: Sequence[Said]) -> DebateFinding | None:
    """One finding for all turns of one kind; None if there are none."""
    if not found:
        return None
    seats = ", ".join(dict.fromkeys(in_words(s.turn.seat) for s in found))
    one, many = _TOLD[name]
    return DebateFinding(name, _n(len(found), one, many, seats=seats), tuple(s.turn.request for s in found))


def turn_findings(state: State) -> tuple[DebateFinding, ...]:
    """Everything that is noticed about single turns."""
    seen = looks(state)
    found = (
        restatement(state, seen),
        no_progress(state, seen),
        echo(seen),
        staged_agreement(state, seen),
        drift(state),
        gave_in(state),
    )
    return tuple(filter(None, found))
