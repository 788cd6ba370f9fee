"""Findings on turns: restated claims, no progress, echo, votes that drift or flip without a reason.

Uses structure first (ids, ballots), text only as a hint that a person may dismiss. Decides nothing, and does not judge
truth. Thresholds were set on labelled public text.
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil

from debate_core.engine.option_names import named_option, negated
from debate_core.engine.schedule import stance_of
from debate_core.engine.similarity import (
    LEAST_DICE,
    asked_words,
    dice,
    grams,
    sentences,
    similar_restates,
    split_sentences,
)
from debate_core.language import Words, _
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Spec, asks_ballot
from debate_core.spec.values import in_words

SAME_SENTENCE = 0.50
"""Dice similarity with an earlier sentence from which a sentence is not new."""
MIN_NEW_SHARE = 0.60
"""Share of new sentences below which a turn makes no progress: genuine rebuttals are rarely below it."""
MIN_OWN_SHARE = 0.70
"""Share of own sentences below which a turn is an echo: 99 % of genuine turns have .84 or more."""
GIVEN_IN_BY = 2
"""Round up to which leaving a side suggests an uncontested question (Debate / Deliberation)."""
MOST_SENTENCES = 60
"""Number of first sentences of a turn that are compared: about 6,000 characters; few turns are longer."""
MOST_RARE = 8
"""Number of rarer grams that a text must share to be compared in full: fewer make more candidates, more make longer
reading; measured on 10,000 sentences."""
ROUNDING = 1e-9
"""Tolerance of bounds computed in floating point, so that they miss no text."""
MOST_PLACES = 4_000
"""Bound on index entries read for one sentence, the rarest grams first, so that a sentence costs the same in every
debate. Up to 200 turns few sentences need as many. Beyond it similarity can be missed but never invented."""

_WORD = re.compile(r"[^\W_]+")
# Without an opening mark inside, because nested opening marks would make the search quadratic.
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|«[^«»]*»")


@dataclass(frozen=True, slots=True)
class DebateFinding:
    """A hint for readers: its name, a sentence, and the turns (request ids) concerned."""

    name: str
    sentence: str
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A debater's turn, after the earlier turns of its seat."""

    turn: Turn
    content: Argument
    own: tuple["Said", ...]


def said(state: State) -> tuple[Said, ...]:
    """Arguments of the debaters in order, from ended phases only."""
    given = state.all_turns() if state.outcome else state.turns
    by_seat: dict[str, list[Said]] = {seat.id: [] for seat in state.spec.debaters()}
    found: list[Said] = []
    for turn in given:
        if turn.seat in by_seat and turn.argument is not None:
            own = by_seat[turn.seat]
            one = Said(turn, turn.argument, tuple(own))
            own.append(one)
            found.append(one)
    return tuple(found)


@dataclass(slots=True)
class _Heard:
    """Earlier texts by gram, to find similar ones without comparing all pairs. Texts are numbered from 0."""

    texts: list[str] = field(default_factory=list)
    seats: dict[str, set[str]] = field(default_factory=dict)
    """Text -> seats that said it."""
    sizes: "array[int]" = field(default_factory=lambda: array("i"))
    """Number of grams of each text."""
    by_gram: dict[str, "array[int]"] = field(default_factory=lambda: defaultdict(lambda: array("i")))
    """Gram -> numbers of the texts with it."""


@dataclass(slots=True)
class _Earlier:
    """Earlier turns, for a comparison. Turns given at the same time are missing, except from `words` and `n_claims`."""

    lines: _Heard = field(default_factory=_Heard)
    claims: _Heard = field(default_factory=_Heard)
    speakers: dict[str, str] = field(default_factory=dict)
    """Id of a claim -> its seat."""
    words: set[tuple[str, str]] = field(default_factory=set)
    """Seat and words of each turn."""
    n_claims: Counter[str] = field(default_factory=Counter)
    """Number of claims of each seat."""


@dataclass(frozen=True, slots=True)
class _Near:
    """The seats that said an earlier text, and its similarity to a new one."""

    seats: frozenset[str]
    alike: float


def _hear(heard: _Heard, seat: str, texts: Iterable[str]) -> None:
    for text in texts:
        if text not in heard.seats:
            number, its_grams = len(heard.texts), grams(text)
            heard.seats[text] = set()
            heard.sizes.append(len(its_grams))
            heard.texts.append(text)
            for gram in its_grams:
                heard.by_gram[gram].append(number)
        heard.seats[text].add(seat)


def _alike(heard: _Heard, text: str, least: float) -> Iterator[tuple[str, float]]:
    """Yield earlier texts with at least this similarity, and that.

    A text that shares at least n grams shares at least n - m of any but m grams. So the commonest m are not read, and
    the few texts that may be similar are compared in full.
    """
    # Imported here, because numpy would be a sixth of the start of every command.
    import numpy as np

    mine = grams(text)
    entries = sorted([entry for gram in mine if (entry := heard.by_gram.get(gram))], key=len)
    # A text has all grams that it shares, so a similar one shares at least this many.
    n_needed = ceil(least * len(mine) / (2 - least) - ROUNDING)
    n_skipped = max(0, n_needed - MOST_RARE)
    if len(entries) < max(1, n_needed):
        return
    read = np.frombuffer(b"".join(entries[: len(entries) - n_skipped]), np.intc)[:MOST_PLACES]
    n_read = np.bincount(read)
    found = np.flatnonzero(n_read >= n_needed - n_skipped)
    both = len(mine) + np.frombuffer(heard.sizes, np.intc)[found]
    for number in found[2 * (n_read[found] + n_skipped) >= least * both - ROUNDING].tolist():
        earlier = heard.texts[number]
        alike = dice(text, earlier)
        if alike >= least:
            yield earlier, alike


LookFigures = tuple[Fraction | None, Fraction | None, bool, int, int, int]
"""The fields of a `Look` besides its turn, in order."""


@dataclass(frozen=True, slots=True)
class Look:
    """A turn and its share of new content. A share is None if the turn has no sentence to compare."""

    said: Said
    new_share: Fraction | None
    """Share of sentences unlike every earlier one of the same seat."""
    own_share: Fraction | None
    """Share of sentences, without quotes, unlike every earlier one of other seats."""
    restated: bool
    """True if all its claims, or its words if it has none, repeat its own seat."""
    new_claims: int
    """Claims that restate no earlier one, by the test of the stop rule."""
    answerable: int
    """Claims of other seats that the seat had heard: not those of turns that were given at the same time."""
    answered: int
    """Those among them that it answers."""

    @property
    def figures(self) -> LookFigures:
        return self.new_share, self.own_share, self.restated, self.new_claims, self.answerable, self.answered


def looks_of(state: State, figures: Iterable[LookFigures]) -> tuple[Look, ...]:
    """Return the looks with these figures, one for each argument. ValueError if their number differs."""
    return tuple(Look(one, *its_figures) for one, its_figures in zip(said(state), figures, strict=True))


@dataclass(slots=True)
class _TurnComparison:
    """The comparison of all turns so far; it depends on these and the agreement alone, so later turns extend it."""

    spec: Spec
    found: list[Look] = field(default_factory=list)
    earlier: _Earlier = field(default_factory=_Earlier)
    unheard: list[tuple[Said, Sequence[str]]] = field(default_factory=list)
    """Turns of the last phase, with their sentences, that a turn given at the same time has not heard."""

    def precedes(self, state: State, given: Sequence[Said]) -> bool:
        """True if these are the first turns of `given`. A turn that was struck since then is not equal."""
        compared = [look.said.turn for look in self.found]
        return self.spec == state.spec and compared == [one.turn for one in given[: len(compared)]]

    def add(self, state: State, one: Said, figures: LookFigures | None = None) -> None:
        """Compare the next turn with those before it, unless its figures are known."""
        place = (one.turn.round, one.turn.phase)
        is_later = any((before.turn.round, before.turn.phase) != place for before, _ in self.unheard)
        if is_later or state.phase(one.turn.phase).order == "in_turn":
            for before, its_sentences in self.unheard:
                _hear(self.earlier.lines, before.turn.seat, its_sentences)
                _hear(self.earlier.claims, before.turn.seat, (c.text for c in before.content.claims))
                self.earlier.speakers |= {claim.id: before.turn.seat for claim in before.content.claims}
            self.unheard = []
        own = _own_sentences(state, one)
        self.found.append(Look(one, *figures) if figures else _look(state, one, own, self.earlier))
        self.unheard.append((one, own))
        self.earlier.n_claims[one.turn.seat] += len(one.content.claims)
        self.earlier.words.add(_words(one))


@lru_cache(maxsize=8)
def kept_comparison(debate: str) -> list[_TurnComparison]:  # noqa: ARG001
    """The last comparison in this debate, empty while a thread extends it."""
    return []


def has_comparison(state: State) -> bool:
    """True if turns of this debate were compared in this process, which later turns extend."""
    return bool(kept_comparison(state.debate))


def looks(state: State, known: Sequence[LookFigures] = ()) -> tuple[Look, ...]:
    """Compare the debaters' arguments with everything said before them; turns that were compared before are kept.

    `known`: figures of the first arguments from an earlier comparison, which are not compared again.
    The first MOST_SENTENCES sentences of each turn are compared, which bounds the time to open a record.
    """
    given = said(state)
    kept = kept_comparison(state.debate)
    compared = _TurnComparison(state.spec)
    # Not `if kept`: another thread may take it in between.
    with suppress(IndexError):
        compared = kept.pop()
    if not compared.precedes(state, given):
        compared = _TurnComparison(state.spec)
    for place in range(len(compared.found), len(given)):
        compared.add(state, given[place], known[place] if place < len(known) else None)
    kept[:] = [compared]
    return tuple(compared.found)


def _look(state: State, one: Said, own: Sequence[str], earlier: _Earlier) -> Look:
    seat = one.turn.seat
    unquoted = _unquoted_sentences(state, one, own)
    said_by = {sentence: _seats_near(earlier.lines, sentence) for sentence in {*own, *unquoted}}
    subject = grams(asked_words(state.spec))
    restated = [_restated(earlier.claims, claim.text, subject) for claim in one.content.claims]
    only_repeats = _only_own(seat, restated) if restated else _words(one) in earlier.words
    is_new = [seat not in said_by[sentence] for sentence in own]
    is_own = [said_by[sentence] <= {seat} for sentence in unquoted]
    return Look(
        said=one,
        new_share=_share(is_new),
        own_share=_share(is_own),
        restated=only_repeats and in_own_words(state, one.turn),
        new_claims=restated.count([]),
        answerable=len(earlier.speakers) - earlier.n_claims[seat],
        answered=sum(earlier.speakers.get(claim, seat) != seat for claim in answered_ids(one.content)),
    )


def _seats_near(heard: _Heard, sentence: str) -> set[str]:
    """Seats that have said a similar sentence."""
    return set[str]().union(*(heard.seats[earlier] for earlier, _ in _alike(heard, sentence, SAME_SENTENCE)))


def _restated(heard: _Heard, claim: str, subject: frozenset[str]) -> list[_Near]:
    """Earlier claims that this one restates; `subject`: the grams of what is asked."""
    return [
        _Near(frozenset(heard.seats[earlier]), alike)
        for earlier, alike in _alike(heard, claim, LEAST_DICE)
        if similar_restates(claim, earlier, subject)
    ]


def _words(one: Said) -> tuple[str, str]:
    """The seat, and the words of its turn."""
    return one.turn.seat, " ".join(_WORD.findall(one.content.rationale.casefold()))


def _only_own(seat: str, restated: Sequence[Sequence[_Near]]) -> bool:
    """True if each claim restates one of the seat's own. A single claim has to match more closely."""
    least = LEAST_DICE if len(restated) > 1 else SAME_SENTENCE
    alike = [[near for near in earlier if near.alike >= least] for earlier in restated]
    return all(any(seat in near.seats for near in earlier) for earlier in alike)


def _share(holds: Sequence[bool]) -> Fraction | None:
    return Fraction(sum(holds), len(holds)) if holds else None


def _own_sentences(state: State, one: Said) -> tuple[str, ...]:
    if not in_own_words(state, one.turn):
        return ()
    return sentences(one.content.rationale)[:MOST_SENTENCES]


def _unquoted_sentences(state: State, one: Said, own: Sequence[str]) -> Sequence[str]:
    """Sentences without their quotes, because both sides may quote the same source; `own`: with them."""
    said_here = one.content.rationale
    unquoted = _QUOTED.sub(" ", said_here)
    if unquoted == said_here or not in_own_words(state, one.turn):
        return own
    return sentences(unquoted)[:MOST_SENTENCES]


def in_own_words(state: State, turn: Turn) -> bool:
    """False for the evidence panel: its sentences are a fixed form, and its claims are passages."""
    return state.spec.seat(turn.seat).occupant != "offline" or turn.by != turn.seat


def stands_still(state: State, look: Look) -> bool:
    """True if too few sentences are new for the speaker; closings sum up and are exempt."""
    return look.new_share is not None and float(look.new_share) < MIN_NEW_SHARE and not _closes(state, look)


def _closes(state: State, look: Look) -> bool:
    phase = state.phase(look.said.turn.phase)
    return phase.when == "last" or phase in state.spec.protocol.after


def restatement(state: State, seen: Sequence[Look]) -> DebateFinding | None:
    """Turns that only restate their own seat; closings sum up and are exempt."""
    found = [s.said for s in seen if s.restated and not _closes(state, s)]
    return _finding("restatement", found, len(seen))


def no_progress(state: State, seen: Sequence[Look]) -> DebateFinding | None:
    """Turns in which fewer than 60 % of the sentences are new for their speaker."""
    found = [s.said for s in seen if stands_still(state, s)]
    return _finding("no_progress", found, len(seen))


def echo(seen: Sequence[Look]) -> DebateFinding | None:
    """Turns in which fewer than 70 % of the sentences differ from those of other debaters."""
    found = [s.said for s in seen if s.own_share is not None and float(s.own_share) < MIN_OWN_SHARE]
    return _finding("echo", found, len(seen))


def conceded(content: Argument) -> tuple[str, ...]:
    """Ids that a turn concedes, as a whole or in one of its claims."""
    ids = list(content.concedes)
    for claim in content.claims:
        ids += claim.concedes
    return tuple(ids)


def answered_ids(content: Argument) -> frozenset[str]:
    """Ids that a turn answers, as a whole or in one of its claims."""
    return frozenset(content.answers).union(*(claim.answers for claim in content.claims))


def staged_agreement(state: State, seen: Sequence[Look]) -> DebateFinding | None:
    """Votes that changed in or right after a restatement, without a new claim or a concession."""
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
    return _finding("staged_agreement", found, len(seen))


def vote_of(state: State, one: Said) -> str | None:
    """The option that a turn votes for; None if it was not asked, or abstains."""
    if not asks_ballot(state.spec.protocol, state.phase(one.turn.phase)):
        return None
    return one.content.vote if one.content.vote in state.spec.options else None


def drift(state: State) -> DebateFinding | None:
    """Turns that leave the side assigned to their seat, by vote or closing sentence.

    A vote is no drift once the seat has conceded a claim. Seats with an open commitment have no side to leave.
    """
    found = []
    have_conceded = set[str]()
    every = said(state)
    for one in every:
        if conceded(one.content):
            have_conceded.add(one.turn.seat)
        if one.turn.seat not in have_conceded and _leaves_side(state, one):
            found.append(one)
    return _finding("drift", found, len(every))


def gave_in(state: State) -> DebateFinding | None:
    """Seats that held their side and left it by the second round, with or without a concession."""
    found = []
    every = said(state)
    for one in every:
        is_early = one.turn.round <= GIVEN_IN_BY
        if not one.own or not is_early or not _leaves_side(state, one):
            continue
        if not any(_leaves_side(state, earlier) for earlier in one.own):
            found.append(one)
    return _finding("gave_in", found, len(every))


def _leaves_side(state: State, one: Said) -> bool:
    """True if the vote or the closing sentence of a committed seat is for another side."""
    seat = state.spec.seat(one.turn.seat)
    options = state.spec.options
    stance = stance_of(state, seat.id)
    side = named_option(stance, options)
    against = negated(stance)
    if side is None or seat.commitment == "open":
        return False
    last = next(reversed(split_sentences(one.content.rationale)), "")
    held = [vote_of(state, one)]
    if in_own_words(state, one.turn) and not negated(last):
        held.append(named_option(last, options))
    return any(option is not None and (option == side) == against for option in held)


_SENTENCES = Words(
    {
        "restatement": "{n} of {of} turns only said again what their seat had said before ({seats}).",
        "no_progress": "{n} of {of} turns said hardly anything that was new for their seat ({seats}).",
        "echo": "{n} of {of} turns repeated sentences of other seats ({seats}).",
        "staged_agreement": (
            "{n} of {of} turns changed the vote after a mere repetition, without a new claim or a concession: the "
            "agreement may be for show ({seats})."
        ),
        "drift": "{n} of {of} turns spoke against the side that their seat was given, and conceded nothing ({seats}).",
        "gave_in": (
            "{n} of {of} turns dropped the option that their seat had to argue for, by the second round: the question "
            "may be too easy for a debate ({seats})."
        ),
    }
)


def _finding(name: str, found: Sequence[Said], of: int) -> DebateFinding | None:
    """One finding for all turns of one kind, `of` turns that were checked; None if there are none."""
    if not found:
        return None
    seats = ", ".join(dict.fromkeys(in_words(s.turn.seat) for s in found))
    sentence = _(_SENTENCES.english(name), n=len(found), of=of, seats=seats)
    return DebateFinding(name, sentence, tuple(s.turn.request for s in found))


def turn_findings(state: State, seen: Sequence[Look]) -> tuple[DebateFinding, ...]:
    """All findings on single turns; `seen` is `looks` of this state."""
    found = (
        restatement(state, seen),
        no_progress(state, seen),
        echo(seen),
        staged_agreement(state, seen),
        drift(state),
        gave_in(state),
    )
    return tuple(filter(None, found))
