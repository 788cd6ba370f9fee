"""The evidence panel: seats that quote the sources without arguing, and an automatic closing draft that links claims.

It has no model and no stance: a lens (the words of the persona) finds passages, and people's marks on them are the only
votes.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from debate_core.engine.count.ballots import ballot_for
from debate_core.engine.passages import Passage, passages_of, shared_out, terms
from debate_core.engine.seat_view import View
from debate_core.record.commands import AnyCommand, LookUp, SkipTurn, TakeTurn
from debate_core.record.look_ups import MAX_QUERY_CHARS
from debate_core.record.state import Request, State
from debate_core.seats import FREE, OnText
from debate_core.seats.code_synthesis import draft_synthesis
from debate_core.seats.scripted import speak
from debate_core.spec.contents import ARGUMENT_KINDS, Argument, Claim, Content, Directive, Gives, Mark
from debate_core.spec.presets import PERSONAS
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.values import ABSTAIN, Seat, Source
from debate_core.text import one_line, plural, spoken_list

FIRST_PASSAGES = 4
LATER_PASSAGES = 2
"""Fewer once people have something to mark: three lenses then give about a dozen passages, not the whole text."""
TOPIC_WORDS = 1.0
"""Weight of a word of the question or of an option."""
LENS_WORDS = 0.5
"""Weight of a word of the lens."""
LABEL_CHARS = 90
PASSES: Mapping[Gives, str] = {
    "review": "the evidence panel marks no passage: people mark what each one supports",
    "framing": "no model in this seat: the question is used as it was asked",
    "positions": "no model in this seat: it assigns no sides, and seats without one choose freely",
    "candidates": "no model in this seat: people name the options to compare",
    "screening": "no model in this seat: only repeated names are removed",
    "directive": "no model in this seat: all speak in this round, in the usual order",
    "evaluation": "no model in this seat: arguments are not rated",
    "verdict": "no model in this seat: it names no winner",
    "decisive_claim": "no model in this seat: its vote follows the marks of people, and no claim decides it",
    "suppositions": "no model in this seat: it cannot suppose that a claim is false",
    "premortem": "no model in this seat: it cannot tell which passage speaks against an option, so it names no reason",
}
"""Reasons for skipping contents that code cannot write truthfully."""
NO_MODEL = "No model speaks here: this seat only quotes passages of the sources, and argues nothing."
NOTHING_TO_QUOTE = "The sources have no passage to quote: tables, code and lists of links are not read."


BRIEFS = "No model in this seat: all speak in this round; the briefing quotes what a search for the question found."


class EvidencePanel:
    """Fills debater seats with quotes and closes with a draft; a moderator briefs with what a search finds.

    It skips any other request.
    """

    def __init__(self, panel: tuple[Seat, ...], pace_cps: int) -> None:
        """`panel`: all seats that quote and share the passages."""
        self._panel = panel
        self._pace_cps = pace_cps

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand:
        may_brief = _may_brief(view)
        if may_brief and not view.look_ups:
            query = " ".join(view.question[:MAX_QUERY_CHARS].split())
            return LookUp(by=request.seat, request=request.id, tool="search_sources", query=query, usage=FREE)
        if request.gives in ARGUMENT_KINDS and view.seat.role == "debater":
            # In a thread, because a large source takes seconds and other seats and the lease must go on.
            turn = await asyncio.to_thread(quoting_turn, view, self._panel)
            return await self._say(request, turn, turn.rationale, on_text)
        if request.gives == "synthesis":
            draft = draft_synthesis(view)
            return await self._say(request, view.names.real(draft), draft.answer, on_text)
        if may_brief and any(one.passages for one in view.look_ups):
            directive = briefing_turn(view)
            return await self._say(request, directive, directive.reason, on_text)
        # A referee's critique judges the others.
        kind = "evaluation" if request.gives in ARGUMENT_KINDS else request.gives
        return SkipTurn(by=request.seat, request=request.id, reason=PASSES[kind])

    async def _say(self, request: Request, content: Content, text: str, on_text: OnText) -> TakeTurn:
        await speak(on_text, request.id, text, self._pace_cps)
        return TakeTurn(by=request.seat, request=request.id, content=content, usage=FREE)


def _may_brief(view: View) -> bool:
    """True if this seat briefs and may search, and there are sources that no earlier briefing has searched."""
    has_new_sources = any(source.from_round == view.request.round for source in view.sources)
    return view.request.gives == "directive" and "search_sources" in view.tools and has_new_sources


def briefing_turn(view: View) -> Directive:
    """The instructions of a moderator without a model: all speak, and read what the search found."""
    found = [passage for one in view.look_ups for passage in one.passages]
    lines = [
        f"{number}. {passage.source_id}, passage {passage.number}: “{one_line(passage.text)}”"
        for number, passage in enumerate(found, start=1)
    ]
    return Directive(
        reason=BRIEFS,
        next_speakers=view.speakers,
        briefing="\n".join(["What the sources say about the question, word for word:", *lines]),
    )


def lens_of(seat: Seat) -> str:
    """The subject that a seat looks for: its persona, else its stance."""
    _, shipped_persona = PERSONAS.get(seat.id, ("", ""))
    return seat.persona or shipped_persona or seat.stance


def finds_nothing(sources: Sequence[Source]) -> bool:
    """True if the sources contain no passage that the panel could quote."""
    return not any(passages_of(source) for source in sources)


def quoting_turn(view: View, panel: Sequence[Seat]) -> Argument:
    """The passages for the lens of this seat, as claims with quotes, and the vote by people's marks."""
    chosen = _choose(view, panel)
    claims = tuple(Claim(text=one_line(p.text), source_id=p.source_id, quote=p.text) for p in chosen)
    lines = [NO_MODEL, *_where_from(view.sources, chosen), *_nothing_quoted(view, chosen)]
    if not view.ballot_options:
        return Argument(rationale="\n".join(lines), claims=claims)
    own_claims = {claim.id for turn in view.turns if turn.own for claim in turn.claims}
    marks = [mark for claim_id, mark in view.marks.items() if claim_id in own_claims]
    if chosen or own_claims:
        vote, why = vote_by_marks(view.options, marks)
    else:
        vote, why = ABSTAIN, "It has no passages, so it abstains."
    argument = Argument(rationale="\n".join([*lines, why]), claims=claims)
    return argument.model_copy(update=ballot_for(view.ballot_kind, vote, view.drivers, view.most_points))


def _where_from(sources: Sequence[Source], chosen: Sequence[Passage]) -> Iterator[str]:
    """One sentence for each quoted source, with its headings or speakers."""
    for source in sources:
        passages = [passage for passage in chosen if passage.source_id == source.id]
        if not passages:
            continue
        headings = [f"“{passage.heading}”" for passage in passages if passage.heading and not passage.speaker]
        speakers = [passage.speaker for passage in passages if passage.speaker]
        where = _clause("under", headings) + _clause("said by", speakers)
        yield f"It quotes {plural(len(passages), 'passage')} from {_shorten(source.title)}{where}."


def _clause(words: str, names: Sequence[str]) -> str:
    """`, under “Context” and “Options”`; "" without names."""
    return f", {words} {spoken_list([*dict.fromkeys(names)])}" if names else ""


def _choose(view: View, panel: Sequence[Seat]) -> tuple[Passage, ...]:
    """The next unquoted passages of this seat's share, as far as it sees; new sources first."""
    quotes = {claim.quote for turn in view.turns for claim in turn.claims}
    shares = _shares(tuple(panel), view.question, tuple(sorted(view.options)), view.sources)
    fresh = [passage for passage in shares.get(view.seat.id, ()) if passage.text not in quotes]
    first_round = {source.id: source.from_round for source in view.sources}
    fresh.sort(key=lambda passage: -first_round[passage.source_id])
    has_spoken = any(turn.own for turn in view.turns)
    most = LATER_PASSAGES if has_spoken else FIRST_PASSAGES
    return tuple(fresh[:most])


@lru_cache(maxsize=8)
def _shares(
    panel: tuple[Seat, ...], question: str, options: tuple[str, ...], sources: tuple[Source, ...]
) -> dict[str, tuple[Passage, ...]]:
    """Seat id -> its share of the passages, the best first.

    The question and the options give most of the weights, the lens the rest. Sources of later rounds do not change
    earlier shares. A source that only some seats read is shared by them alone.
    """
    topic_words = terms(" ".join((question, *options)))
    lenses = []
    for seat in panel:
        # A word of both the topic and the lens has the sum of both weights.
        weights = Counter(dict.fromkeys(topic_words, TOPIC_WORDS))
        weights.update(dict.fromkeys(terms(lens_of(seat)), LENS_WORDS))
        lenses.append(weights)
    shares: dict[str, tuple[Passage, ...]] = {seat.id: () for seat in panel}
    for only_for, passages in _by_readers(sources):
        readers = [number for number, seat in enumerate(panel) if not only_for or seat.id in only_for]
        for number, more in zip(readers, shared_out(passages, [lenses[n] for n in readers]), strict=True):
            shares[panel[number].id] += more
    return shares


def _by_readers(sources: Sequence[Source]) -> Iterator[tuple[tuple[str, ...], list[Passage]]]:
    """The passages of each round's new sources without the text of earlier ones, and their readers; () = all.

    Those for all come first, so that no other source changes how they are shared.
    """
    groups = defaultdict[tuple[tuple[str, ...], int], list[Passage]](list)
    for source in sources:
        groups[source.only_for or (), source.from_round] += passages_of(source)
    known = set[str]()
    for (only_for, _first_round), passages in sorted(groups.items()):
        yield only_for, [passage for passage in passages if passage.text not in known]
        known.update(passage.text for passage in passages)


def _nothing_quoted(view: View, chosen: tuple[Passage, ...]) -> list[str]:
    """The reason for quoting nothing; empty if the seat quotes a passage."""
    if not view.sources:
        return ["There is no source to quote from."]
    if finds_nothing(view.sources):
        return [NOTHING_TO_QUOTE]
    if not chosen:
        return ["No passage is left for it: each is quoted once."]
    return []


def vote_by_marks(options: Sequence[str], marks: Sequence[Mark]) -> tuple[str, str]:
    """The ballot of a seat by the marks on its passages, and the reason: the option with the highest net marks.

    It abstains without a mark, without an option above 0, and in a tie.
    """
    if not marks:
        return ABSTAIN, "It abstains until people have marked its passages."
    supports = _count_marks(marks, "supports")
    against = _count_marks(marks, "against")
    net = {option: supports[option] - against[option] for option in options}
    counts = _counts_in_words(options, supports, against)
    best = max(net.values())
    if best <= 0:
        return ABSTAIN, f"It abstains: people's marks favour no option ({counts})."
    leading = [option for option, value in net.items() if value == best]
    if len(leading) > 1:
        return ABSTAIN, f"It abstains: people's marks are level ({counts})."
    return leading[0], f"It votes {leading[0]} by people's marks on its passages ({counts})."


def _counts_in_words(options: Sequence[str], supports: Counter[str | None], against: Counter[str | None]) -> str:
    marked = [option for option in options if supports[option] or against[option]]
    counts = [f"{option}: {supports[option]} for, {against[option]} against" for option in marked]
    return "; ".join(counts) or "all neutral"


def _count_marks(marks: Sequence[Mark], reading: str) -> Counter[str | None]:
    return Counter(mark.option for mark in marks if mark.reading == reading)


def next_votes(state: State) -> Mapping[str, str]:
    """Seat of the panel -> its next ballot if no passage is marked before; empty if no ballot is asked for."""
    spec = state.spec
    is_asked = any(asks_ballot(spec.protocol, slot.phase) for slot in state.slots[max(state.position, 0) :])
    if not is_asked:
        return {}
    return {seat.id: vote_by_marks(spec.options, _marks_on(state, seat.id))[0] for seat in spec.evidence_panel()}


def _marks_on(state: State, seat: str) -> list[Mark]:
    turns = [turn for turn in state.turns if turn.seat == seat and turn.status == "ok"]
    quoted = [claim.id for turn in turns for claim in turn.claims]
    return [state.marks[claim_id].mark for claim_id in quoted if claim_id in state.marks]


def _shorten(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= LABEL_CHARS else line[:LABEL_CHARS].rsplit(" ", 1)[0] + " …"
