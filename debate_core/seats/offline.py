"""The evidence panel: seats that quote the sources and argue nothing, and a closing draft that only links claims.

No model and no stance: a lens (the persona's words) finds passages; people's marks on them are the only votes.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from debate_core.engine.count.ballots import ballot_for
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.record.commands import AnyCommand, SkipTurn, TakeTurn
from debate_core.record.state import Request
from debate_core.seats import FREE, OnText
from debate_core.seats.code_synthesis import draft_synthesis
from debate_core.seats.passages import Passage, passages_of, rank, terms
from debate_core.seats.scripted import speak
from debate_core.spec.contents import ARGUMENT_KINDS, Argument, Claim, Gives
from debate_core.spec.presets import PERSONAS
from debate_core.spec.values import ABSTAIN, Seat, Source

FIRST_PASSAGES = 4
LATER_PASSAGES = 2
"""Fewer once people have something to mark: three lenses then give about a dozen passages, not all of the text."""
SEAT_WORDS, QUESTION_WORDS = 0.5, 0.3
"""Weights beside the 1.0 of a word of the persona: they break ties, and find nothing by themselves."""
LABEL_CHARS = 90
PASSES: Mapping[Gives, str] = {
    "review": "the evidence panel marks no passage: what one speaks for is read by people",
    "framing": "no model sits here, and code does not word what is in dispute: the question stands as it was asked",
    "positions": "no model sits here, and code gives nobody a side: whoever has none argues without one",
    "directive": "no model sits here, and code prefers nobody: all speak in this round, in their usual order",
    "evaluation": "no model sits here, and code does not rate how good an argument is",
    "verdict": "no model sits here, and code names no winner",
}
"""What code cannot say truly, and what happens instead."""
NO_MODEL = "No model speaks here: this seat only quotes passages that its search words find, and argues nothing."


class EvidencePanel:
    """Fills debater seats with quotes and closes with a draft; any other request it passes over."""

    def __init__(self, pace_cps: int) -> None:
        self._pace_cps = pace_cps

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand:
        if request.gives in ARGUMENT_KINDS and view.seat.role == "debater":
            # In a thread: a large source takes seconds, and other seats and the lease must go on meanwhile.
            content = await asyncio.to_thread(quoting_turn, view)
            await speak(on_text, request.id, content.rationale, self._pace_cps)
            return TakeTurn(by=request.seat, request=request.id, content=content, usage=FREE)
        if request.gives == "synthesis":
            draft = draft_synthesis(view)
            await speak(on_text, request.id, draft.answer, self._pace_cps)
            return TakeTurn(by=request.seat, request=request.id, content=view.names.real(draft), usage=FREE)
        # A referee's critique is a judgement of the others.
        kind = "evaluation" if request.gives in ARGUMENT_KINDS else request.gives
        return SkipTurn(by=request.seat, request=request.id, reason=PASSES[kind])


@dataclass(frozen=True, slots=True)
class Lens:
    """What a seat looks for: weighted search terms, and the phrases it says when it found nothing on them."""

    own: frozenset[str]
    weights: dict[str, float]
    phrases: tuple[str, ...]


def lens_of(seat: Seat, question: str) -> Lens:
    """Persona first, else stance, else the question itself; the words of the seat's id and the question weigh less."""
    _, shipped_persona = PERSONAS.get(seat.id, ("", ""))
    persona = seat.persona or shipped_persona
    own = terms(persona or seat.stance) or terms(question)
    weights = dict.fromkeys(terms(question), QUESTION_WORDS)
    weights |= dict.fromkeys(terms(seat.id), SEAT_WORDS)
    weights |= dict.fromkeys(own, 1.0)
    phrases = [phrase.strip().lower() for phrase in re.split(r"[,.;]", persona)]
    short_phrases = tuple(phrase for phrase in phrases if phrase and len(phrase.split()) <= 3)
    return Lens(frozenset(own), weights, short_phrases)


def finds_nothing(seat: Seat, question: str, sources: Sequence[Source]) -> bool:
    """True if no passage has a word that this seat looks for: it would quote nothing in the whole debate."""
    own = lens_of(seat, question).own
    return all(own.isdisjoint(_words(source)) for source in sources)


@lru_cache(maxsize=32)
def _words(source: Source) -> frozenset[str]:
    return frozenset(term for passage in passages_of(source) for term in terms(passage.text))


def quoting_turn(view: View) -> Argument:
    """Passages for the lens of this seat, as claims with their quotes, and the vote that people's marks give."""
    lens = lens_of(view.seat, view.question)
    chosen = _choose(view, lens)
    titles = {s.id: _short(s.title) for s in view.sources}
    vote, why = _vote(view)
    lines = [NO_MODEL]
    lines += [f"{n}. {p.id}, from {titles[p.source_id]}: {_short(p.text)}" for n, p in enumerate(chosen, start=1)]
    lines += _not_found(view, lens, chosen)
    if view.ballot_options:
        lines.append(why)
    claims = tuple(Claim(text=_one_line(p.text), source_id=p.source_id, quote=p.text) for p in chosen)
    argument = Argument(rationale="\n".join(lines), claims=claims)
    if not view.ballot_options:
        return argument
    return argument.model_copy(update=ballot_for(view.ballot_kind, vote, view.drivers, view.most_points))


def _choose(view: View, lens: Lens) -> tuple[Passage, ...]:
    """The best passages this seat has not quoted yet, those that nobody has quoted first."""
    own_turns = [turn for turn in view.turns if turn.own]
    own_quotes = _quotes(own_turns)
    others_quotes = _quotes([turn for turn in view.turns if not turn.own])
    # Two sources can hold the same passage: the better one of them is quoted.
    fresh: dict[str, Passage] = {}
    for passage in rank(_all_passages(view.sources), lens.weights):
        is_new = (passage.source_id, passage.text) not in own_quotes
        if is_new and not lens.own.isdisjoint(terms(passage.text)):
            fresh.setdefault(passage.text, passage)
    ordered = sorted(fresh.values(), key=lambda p: (p.source_id, p.text) in others_quotes)
    return tuple(ordered[: LATER_PASSAGES if own_turns else FIRST_PASSAGES])


def _quotes(turns: Sequence[SeenTurn]) -> set[tuple[str | None, str | None]]:
    """(source, quote) of every claim of these turns."""
    return {(claim.source_id, claim.quote) for turn in turns for claim in _claims(turn)}


def _claims(turn: SeenTurn) -> tuple[Claim, ...]:
    return turn.content.claims if isinstance(turn.content, Argument) else ()


def _all_passages(sources: Sequence[Source]) -> tuple[Passage, ...]:
    return tuple(p for source in sources for p in passages_of(source))


def _not_found(view: View, lens: Lens, chosen: tuple[Passage, ...]) -> list[str]:
    if not view.sources:
        return ["There is no source to quote from."]
    if not chosen:
        further = "further " if any(t.own for t in view.turns) else ""
        sources = "1 source" if len(view.sources) == 1 else f"{len(view.sources)} sources"
        return [f"No {further}passage of the {sources} holds its words."]
    words_of_passages = [set(terms(passage.text)) for passage in _all_passages(view.sources)]
    missing = []
    for phrase in lens.phrases:
        words_of_phrase = set(terms(phrase))
        if not any(words_of_phrase <= words for words in words_of_passages):
            missing.append(phrase)
    return [f"No passage on {_or(missing)} was found."] if missing else []


def _or(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _vote(view: View) -> tuple[str, str]:
    """The option with the highest net marks on this seat's own passages, if it is above 0 and alone; and why."""
    own_claims = {claim.id for turn in view.turns if turn.own for claim in _claims(turn)}
    marks = [mark for claim_id, mark in view.marks.items() if claim_id in own_claims]
    if not marks:
        return ABSTAIN, "It abstains: nobody has marked its passages."
    number = Counter((mark.reading, mark.option) for mark in marks)
    net: dict[str, int] = {}
    words = []
    for option in view.options:
        supports, against = number["supports", option], number["against", option]
        net[option] = supports - against
        if supports or against:
            words.append(f"{option}: {supports} for, {against} against")
    counts = "; ".join(words)
    best = max(net.values())
    leading = [option for option, value in net.items() if value == best]
    if best <= 0:
        return ABSTAIN, f"It abstains: people's marks favour no option ({counts or 'all neutral'})."
    if len(leading) > 1:
        return ABSTAIN, f"It abstains: people's marks are level ({counts})."
    return leading[0], f"It votes {leading[0]} by people's marks on its passages ({counts})."


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    line = _one_line(text)
    return line if len(line) <= LABEL_CHARS else line[:LABEL_CHARS].rsplit(" ", 1)[0] + " …"
