"""Cost forecast of a debate: calls, tokens and USD of each turn, before any call.

The engine plays the debate with answers of assumed length, so that the speakers and their views are those of the real
debate. Knows no server and no clock.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import assert_never

from debate_core.engine import comparisons
from debate_core.engine.count.ballots import ballot_for
from debate_core.engine.engine import advance, open_debate, requests
from debate_core.engine.limits import total
from debate_core.engine.schedule import may_repeat, may_send_back
from debate_core.engine.seat_view import View, view
from debate_core.record.commands import TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import prompt_for
from debate_core.seats.prompts.bounds import MOST_CANDIDATES
from debate_core.seats.providers.exchange import CHARS_PER_TOKEN, tokens_of
from debate_core.spec import contents
from debate_core.spec.models import ModelLine
from debate_core.spec.presets.baselines import baseline_spec
from debate_core.spec.presets.matches import match_spec
from debate_core.spec.protocol import Protocol, Spec, agenda, asks_ballot
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.rules import asks_function
from debate_core.spec.values import ABSTAIN, BaselineName, Seat, Usage

INSTRUCTION_TOKENS = 150
"""Instructions of a single call, beside the question and the sources."""
ANSWER_TOKENS: Mapping[contents.Gives, int] = {
    "argument": 450,
    "critique": 450,
    "rebuttal": 450,
    "synthesis": 900,
    "review": 200,
    "framing": 300,
    "positions": 400,
    "candidates": 900,
    "screening": 250,
    "directive": 200,
    "evaluation": 700,
    "verdict": 500,
    "decisive_claim": 30,
    "suppositions": 90,
    "premortem": 200,
}
THINKING_TOKENS: Mapping[str, int] = {
    "": 350,
    "none": 0,
    "minimal": 50,
    "low": 150,
    "medium": 350,
    "high": 1_000,
    "xhigh": 2_000,
    "max": 4_000,
}
ASSUMPTIONS = (
    f"{CHARS_PER_TOKEN} characters a token; {ANSWER_TOKENS['argument']} tokens a turn, "
    f"{ANSWER_TOKENS['synthesis']} the synthesis, thinking by effort; "
    "every round is held, no attempt fails, nothing is read from a cache"
)
"""The assumptions of all figures, in words."""
_ON_PAPER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ForecastTurn:
    """One turn. Seats without a model have 0 calls; `note` gives the reason, or a problem."""

    stage: str
    """before, round, or after."""
    round: int
    phase: str
    seat: str
    model: str
    usage: Usage
    note: str = ""

    @property
    def calls(self) -> int:
        return self.usage.calls

    @property
    def input_tokens(self) -> int:
        return self.usage.input_tokens

    @property
    def output_tokens(self) -> int:
        return self.usage.output_tokens

    @property
    def cost_usd(self) -> str | None:
        return self.usage.cost_usd


@dataclass(frozen=True, slots=True)
class CostForecast:
    """Usage of all turns of a debate together; a cost of None is unknown."""

    rows: tuple[ForecastTurn, ...]
    total: Usage
    """Usage if every round is held and no attempt fails."""
    earliest: Usage | None
    """Usage if the decision falls as early as its rule allows; None if it cannot fall before the last round."""
    with_retries: Usage
    """Usage if every turn takes all attempts of the protocol, and one more if its ballot may contradict its text, and
    every look-up is used."""
    single_call: Usage | None
    """Usage of one answer to the question and all sources by the first model; None without a model."""
    may_repeat: bool = False
    """True if a moderator can give one debater several turns in a round; the forecast assumes one."""

    @property
    def multiple(self) -> Fraction | None:
        """Cost of the debate divided by that of the single call; None if a cost is unknown, or nothing is paid."""
        if self.single_call is None or not self.total.cost_usd or not self.single_call.cost_usd:
            return None
        cost_of_one = Fraction(self.single_call.cost_usd)
        if not cost_of_one:
            return None
        return Fraction(self.total.cost_usd) / cost_of_one

    @property
    def multiple_tokens(self) -> Fraction | None:
        """Tokens of the debate divided by those of the single call; None without a model."""
        if self.single_call is None:
            return None
        return Fraction(self.total.all_tokens, self.single_call.all_tokens)

    def by_phase(self) -> dict[str, Usage]:
        """Phase -> its usage, in the order of the debate."""
        usages: dict[str, list[Usage]] = {}
        for row in self.rows:
            usages.setdefault(row.phase, []).append(row.usage)
        return {phase: total(shares) for phase, shares in usages.items()}


def forecast_when_opened(state: State) -> str | None:
    """Forecast in USD at the prices of the opening day; None if no seat has a model."""
    if not state.spec.models:
        return None
    return forecast(state.spec, at=datetime.fromisoformat(state.opened_at)).total.cost_usd


def forecast(spec: Spec, *, at: datetime | None = None) -> CostForecast:
    """The forecast of a playable debate, at the prices of `at` (None = now)."""
    rows = _rows(spec, vote=ABSTAIN, at=at)
    when_agreed = _rows(spec, vote=next(iter(spec.options), ABSTAIN), at=at)
    ends_earlier = len(when_agreed) < len(rows)
    usages = [row.usage for row in rows]
    phases_with_ballot = [phase.name for phase in spec.protocol.phases() if asks_ballot(spec.protocol, phase)]
    usages_with_ballot = [row.usage for row in rows if row.phase in phases_with_ballot]
    return CostForecast(
        rows=rows,
        total=total(usages),
        earliest=total(row.usage for row in when_agreed) if ends_earlier else None,
        with_retries=total([*usages * spec.protocol.attempts, *usages_with_ballot, *_look_ups(spec.protocol, rows)]),
        may_repeat=may_repeat(spec.protocol),
        single_call=_single_call(spec, at),
    )


def _look_ups(protocol: Protocol, rows: Sequence[ForecastTurn]) -> list[Usage]:
    """Usage of the calls that could ask for look-ups: each repeats the prompt of its turn."""
    most = {phase.name: phase.max_look_ups for phase in protocol.phases()}
    return [row.usage for row in rows for _ in range(most[row.phase])]


def baselines_forecast(spec: Spec, names: Collection[BaselineName]) -> Usage:
    """Usage of the baselines of this debate, if it makes as many calls as forecast."""
    # A supervised answer has its own number of calls.
    calls = {"self_consistency": max(1, forecast(spec).total.calls)}
    return total(forecast(baseline_spec(spec, name, calls=calls.get(name, 1))).total for name in names)


def _rows(spec: Spec, *, vote: str, at: datetime | None) -> tuple[ForecastTurn, ...]:
    """A row for every turn of the debate if every ballot is `vote`."""
    stage_of = _stages(spec)
    # Played without the texts of the sources, whose tokens are added to each prompt.
    source_tokens = {source.id: tokens_of(len(source.text)) for source in spec.sources}
    empty_sources = tuple(source.model_copy(update={"text": ""}) for source in spec.sources)
    rows = []
    matches: dict[Seat, Usage] = {}
    for request, seat_view in play_on_paper(spec.model_copy(update={"sources": empty_sources}), vote):
        seat = seat_in_round(spec, request.seat, request.round)
        line = spec.line(seat)
        model = ""
        usage = Usage(cost_usd="0")
        if line is not None and comparisons.has_matches(spec) and seat_view.phase.paired:
            model = line.model
            if seat not in matches:
                matches[seat] = _match_usage(spec, request, seat_view, at)
            usage = matches[seat]
        elif line is not None:
            model = line.model
            prompt = prompt_for(seat_view)
            text = "".join((prompt.system, *prompt.blocks, prompt.tail, json.dumps(prompt.schema)))
            tokens = tokens_of(len(text)) + sum(source_tokens.get(source.id, 0) for source in seat_view.sources)
            usage = _usage(line, request.gives, tokens, at)
        note = _note(seat, line, usage)
        rows.append(ForecastTurn(stage_of(request), request.round, request.phase, seat.id, model, usage, note))
    return tuple(rows)


def _stages(spec: Spec) -> Callable[[Request], str]:
    """The section of a request; a round that is not on the agenda uses the section of its phase in other rounds."""
    slots = agenda(spec)
    of_phase = {slot.phase.name: slot.section for slot in slots}
    of_slot = {(slot.round, slot.phase.name): slot.section for slot in slots}
    return lambda request: of_slot.get((request.round, request.phase)) or of_phase[request.phase]


def _match_usage(spec: Spec, request: Request, seat_view: View, at: datetime | None) -> Usage:
    """Usage of a match with this judge; those of other pairs differ only by their documents."""
    first, second = seat_view.options
    read = {source.id for source in seat_view.sources}
    sources = [source for source in spec.sources if source.id in read]
    match = match_spec(spec, (first, second), request.seat, request.round, sources=sources)
    return total(row.usage for row in _rows(match, vote=ABSTAIN, at=at))


def _padded(request: Request) -> str:
    return f"{request.id} ".ljust(ANSWER_TOKENS[request.gives] * CHARS_PER_TOKEN, "x")


def play_on_paper(
    spec: Spec, vote: str, says: Callable[[Request], str] = _padded, *, with_claims: bool = False
) -> list[tuple[Request, View]]:
    """Every request of the debate, with the view of its seat, if every ballot is `vote`.

    `says` gives the text of a turn; `with_claims` gives every argument a new claim.
    """
    # Without people, who would have to open the lobby and every round.
    paper = spec.model_copy(update={"protocol": _without_early_ends(spec.protocol), "room": None})
    state = replay(open_debate(paper, debate_id="forecast", at=_ON_PAPER))
    # Nothing is asked about a claim in a debate without any.
    with_claims = with_claims or any(phase.gives in contents.CRUX_KINDS for phase in spec.protocol.phases())
    asked: list[tuple[Request, View]] = []
    while open_requests := requests(state):
        request = open_requests[0]
        seat_view = view(state, request)
        asked.append((request, seat_view))
        answer = _answer(request, seat_view.speakers, says(request))
        if request.gives == "decisive_claim":
            answer = contents.CruxAnswer(decided_by=seat_view.to_review[0])
        answer = seat_view.names.real(answer)
        if isinstance(answer, contents.Argument):
            claim = f"Claim {len(asked)} of {request.seat}." if with_claims else ""
            answer = _with_ballot(answer, seat_view, vote, claim)
        if may_send_back(state, request):
            answer = contents.Directive(reason="x" * 200, redo=True)
        match = "forecast" if comparisons.has_matches(spec) and seat_view.phase.paired else None
        turn = TakeTurn(by=request.seat, request=request.id, content=answer, match=match)
        state = advance(state, turn, at=_ON_PAPER)[1]
    return asked


def _with_ballot(answer: contents.Argument, seat_view: View, vote: str, claim: str) -> contents.Argument:
    """The argument with this claim, unless it is empty, and a ballot for `vote` if one is asked."""
    if claim:
        answer = answer.model_copy(update={"claims": (contents.Claim(text=claim),)})
    if seat_view.ballot_options:
        ballot = ballot_for(seat_view.ballot_kind, vote, seat_view.drivers, seat_view.most_points)
        answer = answer.model_copy(update=ballot)
    return answer


def _without_early_ends(protocol: Protocol) -> Protocol:
    """The protocol without limits and stop functions, whose verdicts on a real debate cannot be known."""
    stop = tuple(rule for rule in protocol.with_ceiling(None).stop if not asks_function(rule))
    return protocol.model_copy(update={"stop": stop})


def _answer(request: Request, speakers: tuple[str, ...], text: str) -> contents.Content:
    """The answer to a request; it says something new and always recommends another round, so that no round is
    skipped."""
    gives = request.gives
    match gives:
        case "synthesis":
            return contents.Synthesis(answer=text)
        case "review":
            return contents.Review()
        case "framing":
            return contents.Framing(thesis=text)
        case "positions":
            sides = tuple(
                contents.Position(name=f"side {seat}", claim="x" * 200, because="y" * 200) for seat in speakers
            )
            return contents.Positions(reason="x" * 200, positions=sides)
        case "directive":
            return contents.Directive(reason=text, next_speakers=speakers)
        case "evaluation":
            return contents.Evaluation(synthesis=text, recommend_another_round=True)
        case "verdict":
            return contents.Verdict(reasoning=text)
        case "candidates":
            each = max(1, len(text) // MOST_CANDIDATES)
            new = (contents.Candidate(name=f"{request.id} {n}", text=text[:each]) for n in range(MOST_CANDIDATES))
            return contents.Candidates(reason="x" * 200, candidates=tuple(new))
        case "screening":
            return contents.Candidates(kind=gives, reason=text)
        case "decisive_claim" | "suppositions":
            return contents.CruxAnswer(kind=gives)
        case "premortem":
            return contents.Premortem(reasons=(text[:300],))
        case _:
            return contents.Argument(kind=gives, rationale=text)


def _usage(line: ModelLine, gives: contents.Gives, prompt_tokens: int, at: datetime | None) -> Usage:
    thinking = THINKING_TOKENS[line.effort]
    usage = Usage(
        calls=1,
        input_tokens=prompt_tokens,
        output_tokens=min(ANSWER_TOKENS[gives] + thinking, line.max_tokens),
        reasoning_tokens=thinking,
        estimated=True,
    )
    return usage.model_copy(update={"cost_usd": cost_usd(usage, line, at=at)})


def _note(seat: Seat, line: ModelLine | None, usage: Usage) -> str:
    if line is not None:
        needed = usage.input_tokens + line.max_tokens
        if line.context_tokens and needed > line.context_tokens:
            return f"{needed} tokens are more than the {line.context_tokens} that fit into one call"
        return ""
    match seat.occupant:
        case "human":
            return "a person: no call"
        case "offline":
            return "the evidence panel: no call"
        case "scripted":
            return "a script: no call"
        case "model":
            return "no model is set up: no call"
        case _:
            assert_never(seat.occupant)


def _single_call(spec: Spec, at: datetime | None) -> Usage | None:
    debaters_first = sorted(spec.seats, key=lambda seat: seat.role != "debater")
    lines = [line for seat in debaters_first if (line := spec.line(seat)) is not None]
    if not lines:
        return None
    texts = (spec.question, spec.context, *(source.text for source in spec.sources))
    return _usage(lines[0], "synthesis", INSTRUCTION_TOKENS + sum(tokens_of(len(text)) for text in texts), at)
