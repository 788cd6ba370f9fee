"""What code can notice about turns: restated claims, no new sentence, echo, votes that drift or flip for no reason.

Structure first (ids, ballots), text only as a hint that a person may dismiss. It decides nothing, and it does not
know whether anything is true. Thresholds were set on labelled public text. Called by reports.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from debate_core.model import Argument
from debate_core.protocol import asks_ballot
from debate_core.state import State, Turn

RESTATED = 0.38
"""Two short arguments are the same one in other words from this Dice on: chosen on Perspectrum (precision about .9)."""
SAME_SENTENCE = 0.50
"""A sentence is not new if its Dice with an earlier one is at least this."""
MIN_NEW_SHARE = 0.60
"""A turn of which fewer sentences are new for its speaker makes no progress: genuine rebuttals hardly ever do."""
MIN_OWN_SHARE = 0.70
"""A turn of which fewer sentences differ from the other side's is an echo: of genuine ones 99 % have .84 and more."""
SENTENCE_WORDS = 5
CHARS_PER_WORD = 3
"""For scripts without blanks between words."""

_WORD = re.compile(r"[a-z0-9]+")
_LETTER = re.compile(r"[^\W_]")
_ANY_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_NEGATED = re.compile(r"\b(?:no|not|never|nor|neither|without|against|instead of|rather than|than|cannot)\b|n['’]t\b")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a reader should look at: its name, what was found, and the turns (request ids) it was found in."""

    name: str
    sentence: str
    turns: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def grams(text: str) -> frozenset[str]:
    """Character 4-grams of the words, each padded with blanks, short words whole; 3-grams where it is not Latin."""
    folded = text.lower()
    words = _WORD.findall(folded)
    if 2 * sum(map(len, words)) < len(_LETTER.findall(folded)):
        raw = " ".join(folded.split())
        return frozenset(raw[i : i + 3] for i in range(max(1, len(raw) - 2)))
    padded = (f" {w} " for w in words)
    return frozenset(w[i : i + 4] for w in padded for i in range(max(1, len(w) - 3)))


def dice(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1: shared grams over all grams of both."""
    return _dice(grams(a), grams(b))


def _dice(a: frozenset[str], b: frozenset[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def _like_any(text: str, earlier: Iterable[str], bar: float) -> bool:
    mine = grams(text)
    most = len(mine) * (2 - bar) / bar
    # A set more than this much larger or smaller cannot reach the bar.
    near = (g for g in map(grams, earlier) if len(mine) * bar <= len(g) * (2 - bar) and len(g) <= most)
    return any(_dice(mine, g) >= bar for g in near)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of at least five words: shorter ones are alike by chance."""
    return tuple(s for part in _END.split(text) if _is_long(s := part.strip()))


def _is_long(sentence: str) -> bool:
    words = _ANY_WORD.findall(sentence)
    foreign = sum(len(w) for w in words if not w.isascii())
    return len(words) >= SENTENCE_WORDS or foreign >= SENTENCE_WORDS * CHARS_PER_WORD


def new_share(text: str, earlier: Sequence[str]) -> Fraction | None:
    """Share of a text's sentences that are unlike every earlier sentence; None if it has no sentence to judge."""
    own = sentences(text)
    if not own:
        return None
    return Fraction(sum(not _like_any(s, earlier, SAME_SENTENCE) for s in own), len(own))


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
    debaters = {s.id for s in state.spec.debaters()}
    found: list[Said] = []
    for turn in given:
        if turn.seat not in debaters or not isinstance(turn.content, Argument):
            continue
        place, at_once = (turn.round, turn.phase), state.phase(turn.phase).order == "at_once"
        own = tuple(s for s in found if s.turn.seat == turn.seat)
        heard = (s for s in found if s.turn.seat != turn.seat)
        others = tuple(s for s in heard if not (at_once and (s.turn.round, s.turn.phase) == place))
        found.append(Said(turn, turn.content, own, others))
    return tuple(found)


def _in_own_words(state: State, one: Said) -> bool:
    """False for the evidence panel, whose sentences are a form that repeats itself; its claims are quotes."""
    return state.spec.seat(one.turn.seat).occupant != "offline" or one.turn.by != one.turn.seat


def _claims(turns: Iterable[Said]) -> list[str]:
    return [c.text for s in turns for c in s.content.claims]


def _sentences(turns: Iterable[Said]) -> list[str]:
    return [line for s in turns for line in sentences(s.content.rationale)]


def restates(one: Said) -> bool:
    """True if every claim of the turn restates one of its own seat, or its words are those of an earlier turn."""
    words = _ANY_WORD.findall(one.content.rationale.casefold())
    if not one.content.claims:
        return any(words == _ANY_WORD.findall(s.content.rationale.casefold()) for s in one.own)
    earlier = _claims(one.own)
    return all(_like_any(c.text, earlier, RESTATED) for c in one.content.claims)


def stands_still(state: State, one: Said) -> bool:
    """True if too few of the turn's sentences are new for its speaker; closings sum up and are exempt."""
    if state.phase(one.turn.phase).when == "last" or not one.own:
        return False
    share = new_share(one.content.rationale, _sentences(one.own))
    return share is not None and share < MIN_NEW_SHARE


def restatement(state: State) -> Finding | None:
    """Turns that only restate what their own seat had said (R167, R202)."""
    found = [s for s in said(state) if _in_own_words(state, s) and restates(s)]
    return _finding("restatement", found, "restated only what the same seat had said before")


def no_progress(state: State) -> Finding | None:
    """Turns in which fewer than 60 % of the sentences are new for their speaker (R162, R167)."""
    found = [s for s in said(state) if _in_own_words(state, s) and stands_still(state, s)]
    return _finding("no_progress", found, "brought hardly a sentence that was new for its speaker")


def echo(state: State) -> Finding | None:
    """Turns in which fewer than 70 % of the sentences differ from what other debaters had said (R164)."""
    found = []
    for one in said(state):
        share = new_share(one.content.rationale, _sentences(one.others)) if _in_own_words(state, one) else None
        if share is not None and share < MIN_OWN_SHARE:
            found.append(one)
    return _finding("echo", found, "repeated sentences of other debaters")


def conceded(content: Argument) -> tuple[str, ...]:
    """Every id that a turn concedes, as a whole or in one of its claims."""
    return (*content.concedes, *(i for c in content.claims for i in c.concedes))


def staged_agreement(state: State) -> Finding | None:
    """Votes that changed right after a restatement, with no new claim and nothing conceded (R164)."""
    found = []
    for one in said(state):
        before = next((v for s in reversed(one.own) if (v := vote_of(state, s)) is not None), None)
        changed = before is not None and vote_of(state, one) not in (None, before)
        if changed and not conceded(one.content) and not _new_claim(one) and _repeats(state, (*one.own[-1:], one)):
            found.append(one)
    what = "changed the vote right after a restatement, without a new claim or a concession"
    return _finding("staged_agreement", found, what)


def vote_of(state: State, one: Said) -> str | None:
    """The option that a turn votes for; None if it was not asked, or abstains."""
    asked = asks_ballot(state.spec.protocol, state.phase(one.turn.phase))
    return one.content.vote if asked and one.content.vote in state.spec.options else None


def _new_claim(one: Said) -> bool:
    known = _claims((*one.own, *one.others))
    return any(not _like_any(c.text, known, RESTATED) for c in one.content.claims)


def _repeats(state: State, turns: Iterable[Said]) -> bool:
    return any(restates(s) or stands_still(state, s) for s in turns)


def drift(state: State) -> Finding | None:
    """Turns that leave the side their seat was given (R154, R155): the vote, or the sentence they close with.

    A vote is no drift once the seat has conceded a claim. Seats that may follow the evidence have no side to leave.
    """
    found = [s for s in said(state) if _drifts(state, s)]
    return _finding("drift", found, "left the assigned stance without conceding a claim")


def _drifts(state: State, one: Said) -> bool:
    seat, options = state.spec.seat(one.turn.seat), state.spec.options
    side = named_option(seat.stance, options)
    if side is None or seat.commitment == "open" or any(conceded(s.content) for s in (*one.own, one)):
        return False
    if vote_of(state, one) not in (None, side):
        return True
    last = next((s for part in reversed(_END.split(one.content.rationale)) if (s := part.strip())), "")
    closing = named_option(last, options) if _in_own_words(state, one) else None
    return closing not in (None, side) and not _NEGATED.search(last.casefold())


def named_option(text: str, options: Sequence[str]) -> str | None:
    """The one option that a text names in whole words; None if it names none, or several."""
    folded = " ".join(text.casefold().split())
    named = [o for o in options if re.search(rf"(?<!\w){re.escape(' '.join(o.casefold().split()))}(?!\w)", folded)]
    whole = [o for o in named if not any(o != p and o.casefold() in p.casefold() for p in named)]
    return whole[0] if len(whole) == 1 else None


def _finding(name: str, found: Sequence[Said], what: str) -> Finding | None:
    """One finding for all turns of one kind; None if there are none."""
    if not found:
        return None
    seats = ", ".join(dict.fromkeys(s.turn.seat for s in found))
    turns = "1 turn" if len(found) == 1 else f"{len(found)} turns"
    return Finding(name, f"{turns} {what} ({seats}).", tuple(s.turn.request for s in found))


def turn_findings(state: State) -> tuple[Finding, ...]:
    """Everything that is noticed about single turns."""
    checks = (restatement, no_progress, echo, staged_agreement, drift)
    return tuple(found for check in checks if (found := check(state)) is not None)
