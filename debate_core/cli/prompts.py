"""`prompts`: prints the prompts of a debate as its models get them. Calls no model.

A record provides the actual turns. For a protocol the debate is simulated, with a placeholder for each turn.
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from debate_core.cli.files import read_record
from debate_core.cli.plan import OPTIONS, read_protocol
from debate_core.cli.terminal import answer, say
from debate_core.engine.schedule import request_of
from debate_core.engine.seat_view import View, view
from debate_core.errors import InvalidSpec
from debate_core.record.events import AttemptStarted, Event
from debate_core.record.fold import apply
from debate_core.record.page import is_record_file
from debate_core.record.state import Request, State
from debate_core.seats.forecast import play_on_paper
from debate_core.seats.model import asks_in_two_steps, bounds_for, first_prompt
from debate_core.seats.prompts import Prompt, ballot_prompt, changed, prompt_for
from debate_core.spec import presets
from debate_core.spec.models import ModelLine
from debate_core.spec.protocol import Protocol
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.values import ABSTAIN, Json
from debate_core.text import plain

QUESTION = "Should we take the proposal?"


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """One call to a seat: `step` is "turn", or "ballot" for the second call of a two-step reply."""

    request: Request
    step: str
    prompt: Prompt

    @property
    def place(self) -> str:
        """The place of this call in the debate: `round 2, critique, risk`."""
        attempt = f", attempt {self.request.attempt}" if self.request.attempt > 1 else ""
        step = "" if self.step == "turn" else f", {self.step}"
        return f"round {self.request.round}, {self.request.phase}, {self.request.seat}{attempt}{step}"


def prompts(flags: Namespace) -> int:
    """Print the selected prompts; always 0."""
    is_record = is_record_file(flags.name)
    sent = [*(_of_record(read_record(flags.name)) if is_record else _of_protocol(read_protocol(flags.name)))]
    wanted = (flags.seat, flags.round, flags.phase)
    chosen = []
    for each in sent:
        given = (each.request.seat, each.request.round, each.request.phase)
        if all(want in (None, has) for want, has in zip(wanted, given, strict=True)):
            chosen.append(each)
    if not chosen:
        seats = ", ".join(dict.fromkeys(each.request.seat for each in sent)) or "none"
        raise InvalidSpec(f"no prompt matches this seat, round and phase; seats with prompts: {seats}")
    answer(flags, [_json(each) for each in chosen], "\n".join(_format_prompt(each) for each in chosen))
    return 0


def _of_record(events: Sequence[Event]) -> Iterator[SentPrompt]:
    """The prompt of each attempt by a model, from the state before it."""
    state: State | None = None
    for event in events:
        if state is not None and isinstance(event.body, AttemptStarted):
            yield from _of_attempt(state, event.body)
        state = apply(state, event)
    if state is None or not state.spec.models:
        say("no model sits in this debate, so there are no prompts")
    elif names := changed(state.spec.templates):
        say(f"these prompts have changed since the debate was held: {', '.join(names)}")


def _of_attempt(state: State, attempt: AttemptStarted) -> Iterator[SentPrompt]:
    request = request_of(state, attempt.request)
    line = None if request is None else state.spec.line(seat_in_round(state.spec, request.seat, request.round))
    if request is None or line is None:
        return
    earlier = [turn for turn in state.failed_attempts if turn.address() == request.turn()]
    was_cut = any(turn.status == "cut" for turn in earlier)
    seen = view(state, request)
    if attempt.instructions:
        seen = replace(seen, instructions=(*seen.instructions, attempt.instructions))
    yield from _list_calls(request, seen, line, was_cut=was_cut)


def _of_protocol(rules: Protocol) -> Iterator[SentPrompt]:
    """The prompts of all seats in a debate under this protocol, with its default seats and options."""
    options = () if rules.generates else OPTIONS
    seats = presets.default_seats(rules, QUESTION, options, "model")
    spec = presets.compose(QUESTION, options, rules, seats)

    def placeholder(request: Request) -> str:
        return f"(The {request.gives} of {request.seat} in round {request.round}.)"

    for request, seen in play_on_paper(spec, ABSTAIN, placeholder, with_claims=True):
        yield from _list_calls(request, seen, None, was_cut=False)


def _list_calls(request: Request, seen: View, line: ModelLine | None, *, was_cut: bool) -> Iterator[SentPrompt]:
    if line is None:
        yield SentPrompt(request, "turn", prompt_for(seen))
        return
    yield SentPrompt(request, "turn", first_prompt(line, seen, was_cut=was_cut)[0])
    asks_ballot = seen.ballot_options or seen.phase.min_strength is not None
    if asks_in_two_steps(line, request.gives) and asks_ballot:
        said = "(What the seat said in the first step.)"
        yield SentPrompt(request, "ballot", ballot_prompt(seen, said, bounds_for(line, was_cut=False)))


def _format_prompt(sent: SentPrompt) -> str:
    parts = [f"===== {sent.place}", "--- system", sent.prompt.system.rstrip()]
    parts += ["--- record", "\n".join(sent.prompt.blocks).rstrip(), "--- task", sent.prompt.tail.rstrip(), ""]
    return "\n".join(map(plain, parts))


def _json(sent: SentPrompt) -> Json:
    return {
        "round": sent.request.round,
        "phase": sent.request.phase,
        "seat": sent.request.seat,
        "attempt": sent.request.attempt,
        "step": sent.step,
        "system": sent.prompt.system,
        "record": [*sent.prompt.blocks],
        "task": sent.prompt.tail,
        "schema": dict(sent.prompt.schema),
    }
