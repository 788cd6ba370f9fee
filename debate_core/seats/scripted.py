"""Seats that answer from a script file: rehearsals, replays of a record, golden tests.

`turns` match on the keys that they give (seat, round, phase, attempt, nth). The first unused match answers, a `repeat`
entry every time; without a match the turn fails and never waits. Contents are read like those of a model. Knows no
rules.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, assert_never

from pydantic import Field, JsonValue, StrictBool, StrictInt

from debate_core.engine.reply_parser import read_turn
from debate_core.engine.seat_view import View, spec_read_by
from debate_core.errors import BadReply, InvalidSpec, NewerRecord
from debate_core.record.acts import SourceAdded
from debate_core.record.commands import AnyCommand, TakeTurn
from debate_core.record.events import DebateOpened, Event, TurnFailed, TurnSkipped, TurnTaken
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.state import Request, State
from debate_core.seats import FREE, OnText, failed_turn
from debate_core.seats.reply import prose_in, read_reply
from debate_core.spec.contents import Content
from debate_core.spec.decode import decode_json
from debate_core.spec.presets import compose
from debate_core.spec.presets import protocol as preset
from debate_core.spec.protocol import Driver, Protocol, Spec, asks_ballot, read
from debate_core.spec.protocol_changes import with_escalation
from debate_core.spec.values import ASKED_ABOUT, Seat, Source, TaskType, Text, TurnError, Value

FORMAT = 1
ScriptError = Literal["timeout", "refusal", "cut", "error", "unreadable"]
_ERRORS: dict[ScriptError, TurnError] = {
    "timeout": "timeout",
    "refusal": "refused",
    "cut": "cut",
    "error": "failed",
    "unreadable": "unparseable",
}


class ScriptTurn(Value):
    """The answer of a seat; a missing key matches anything."""

    seat: str | None = None
    round: StrictInt | None = None
    phase: str | None = None
    attempt: StrictInt | None = None
    nth: StrictInt | None = None
    """Number of the turn of the seat in the phase, if a moderator named it more than once."""
    content: JsonValue = None
    """Fields of the requested content kind."""
    raw: Text | None = None
    """Raw text of a model's reply."""
    error: ScriptError | None = None
    text: Text = ""
    """Text that arrived before the error."""
    repeat: StrictBool = False


class ScriptSettings(Value):
    """Settings under the long flag names of the command line."""

    rounds: StrictInt | None = None
    threshold: StrictInt | None = None
    seed: StrictInt | None = None
    max_wait_s: StrictInt | None = None
    escalate_to: str | None = None
    escalate_by: str | None = None
    attempts: Annotated[StrictInt, Field(ge=1, le=4)] | None = None


class Script(Value):
    """A debate and the answers of its seats."""

    format: StrictInt = FORMAT
    title: str = ""
    summary: str = ""
    question: str = ""
    context: str = ""
    drivers: tuple[Driver, ...] = ()
    options: tuple[str, ...] = ()
    yes_option: str | None = None
    task: TaskType | None = None
    protocol: str | Protocol = "expert_panel"
    settings: ScriptSettings = ScriptSettings()
    seats: tuple[Seat, ...] = ()
    sources: tuple[Source, ...] = ()
    turns: tuple[ScriptTurn, ...] = ()

    def rules(self) -> Protocol:
        """The protocol of the script; InvalidSpec lists the known names."""
        return preset(self.protocol) if isinstance(self.protocol, str) else self.protocol


def read_script(text: str) -> Script:
    """Read a script from its file. InvalidSpec in one sentence; NewerRecord for a newer `format`."""
    data = _load_object(text)
    version = data.get("format", FORMAT)
    if isinstance(version, int) and version > FORMAT:
        raise NewerRecord(
            "the script has format {version}, this program reads up to {format}", version=version, format=FORMAT
        )
    if "schema_version" in data and "spec" in data:
        raise InvalidSpec("this is debate.json, which is for reading only: open the record beside it, events.jsonl")
    _refuse_unknown("field", data, Script)
    settings = data.get("settings")
    if isinstance(settings, dict):
        _refuse_unknown("setting", settings, ScriptSettings)
    seats = data.get("seats")
    if isinstance(seats, list):
        data["seats"] = [{"occupant": "scripted", **s} if isinstance(s, dict) else s for s in seats]
    script = read(Script, data)
    for number, turn in enumerate(script.turns, start=1):
        _check_turn(number, turn)
    return script


def _check_turn(number: int, turn: ScriptTurn) -> None:
    fields = [name for name in ("content", "raw", "error") if getattr(turn, name) is not None]
    # An error with a content breaks off in the middle of that content.
    if fields != ["content", "error"] and len(fields) != 1:
        raise InvalidSpec(
            "turn {number} of the script must give one of content, raw, error, not {fields}",
            number=number,
            fields=fields or "none",
        )


def _load_object(text: str) -> dict[str, JsonValue]:
    try:
        data = decode_json(text)
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidSpec("the script is not readable JSON: {error}", error=str(error)) from None
    if not isinstance(data, dict):
        raise InvalidSpec("the script is not a JSON object with question, options, protocol, seats and turns")
    return data


def _refuse_unknown(what: str, data: dict[str, JsonValue], kind: type[Value]) -> None:
    unknown = [name for name in data if name not in kind.model_fields]
    if unknown:
        raise InvalidSpec(
            "unknown {what} {unknown!r} in the script: allowed are {model_fields}",
            what=what,
            unknown=unknown[0],
            model_fields=", ".join(kind.model_fields),
        )


def spec_of(
    script: Script,
    *,
    question: str | None = None,
    options: Sequence[str] | None = None,
    protocol: Protocol | None = None,
    rounds: int | None = None,
    threshold: int | None = None,
    seed: int | None = None,
    max_wait_s: int | None = None,
    escalate_to: str | None = None,
    escalate_by: str | None = None,
    sources: Sequence[Source] | None = None,
    seats: Sequence[Seat] | None = None,
    task: TaskType | None = None,
    yes_option: str | None = None,
) -> Spec:
    """The checked Spec of a script; arguments override the script. InvalidSpec in one sentence."""
    fields = {
        "question": question,
        "options": options,
        "protocol": protocol,
        "seats": seats,
        "sources": sources,
        "task": task,
        "yes_option": yes_option,
    }
    # The script's yes option belongs to its own options.
    if options is not None and yes_option is None:
        script = script.model_copy(update={"yes_option": None})
    flags = {
        "rounds": rounds,
        "threshold": threshold,
        "seed": seed,
        "max_wait_s": max_wait_s,
        "escalate_to": escalate_to,
        "escalate_by": escalate_by,
    }
    script = script.model_copy(update=_without_gaps(fields))
    settings = script.settings.model_copy(update=_without_gaps(flags))
    rules = with_escalation(script.rules(), settings.escalate_to, settings.escalate_by)
    if settings.attempts is not None:
        rules = rules.model_copy(update={"attempts": settings.attempts})
    return compose(
        script.question,
        script.options,
        rules,
        script.seats,
        sources=script.sources,
        task=script.task,
        yes_option=script.yes_option,
        max_rounds=settings.rounds,
        threshold=settings.threshold,
        seed=settings.seed or 0,
        max_wait_s=settings.max_wait_s,
        context=script.context,
        drivers=script.drivers,
    )


def _without_gaps(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


class Player:
    """Fills every scripted seat of one debate; the attempts in the record decide which entries are used."""

    def __init__(self, script: Script, state: State, pace_cps: int) -> None:
        self._turns = script.turns
        self._spec = state.spec
        self._pace_cps = pace_cps
        self._entry_of: dict[RequestId, int | None] = {}
        """Request -> index of the entry that answers it."""
        own_seats = {seat.id for seat in state.spec.seats_with("scripted")}
        for request in state.attempts:
            address = RequestId.parse(request)
            if address.seat in own_seats:
                self._entry(address)

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand:
        turn = self._entry(RequestId.parse(request.id))
        if turn is None:
            return failed_turn(request, "failed", f"the script has no entry for {request.id}", "")
        if turn.error is not None:
            prose = prose_in(turn.content)
            partial = turn.text or prose[: len(prose) // 2]
            if partial:
                await speak(on_text, request.id, partial, self._pace_cps)
            return failed_turn(request, _ERRORS[turn.error], f"the script says: {turn.error}", partial)
        try:
            data = turn.content if turn.raw is None else read_reply(turn.raw)
            await speak(on_text, request.id, prose_in(data), self._pace_cps)
            ballot = asks_ballot(self._spec.protocol, view.phase)
            read = read_turn(
                spec_read_by(view, self._spec),
                request.gives,
                data,
                asks_ballot=ballot,
                is_last=view.is_last_attempt,
                asks_another_round=view.asks_another_round,
            )
        except BadReply as error:
            text = json.dumps(turn.content, ensure_ascii=False) if turn.raw is None else turn.raw
            return failed_turn(request, "unparseable", str(error), text)
        return TakeTurn(by=request.seat, request=request.id, content=read.content, usage=FREE, left_out=read.left_out)

    def _entry(self, request: RequestId) -> ScriptTurn | None:
        """The entry that answers this request, always the same one.

        A second attempt without an entry of its number ends as the first one did.
        """
        if request not in self._entry_of:
            used = set(self._entry_of.values())
            keys = request._asdict().items()
            self._entry_of[request] = None
            for index, turn in enumerate(self._turns):
                is_match = all(getattr(turn, key) in (None, value) for key, value in keys)
                if is_match and (turn.repeat or index not in used):
                    self._entry_of[request] = index
                    break
        index_of_entry = self._entry_of[request]
        if index_of_entry is None and request.attempt > 1:
            return self._entry(request._replace(attempt=request.attempt - 1))
        return None if index_of_entry is None else self._turns[index_of_entry]


_AS_ERROR: dict[TurnError, ScriptError] = {error: word for word, error in _ERRORS.items()}


def script_from_record(events: Iterable[Event]) -> Script:
    """Make a record a rehearsal of the same debate. Marks of people are not repeated; a skip becomes a refusal.

    A critique that was too weak is given again with the lowest rating, as the record has its prose. A turn that
    its seat was asked about ends with the content that the seat finally gave.
    """
    record = [event.body for event in events]
    spec = next((body.spec for body in record if isinstance(body, DebateOpened)), None)
    added = tuple(body.source for body in record if isinstance(body, SourceAdded))
    turns = _script_turns([body for body in record if isinstance(body, TurnTaken | TurnFailed | TurnSkipped)])
    if spec is None:
        raise InvalidSpec("this record has no first event to rehearse from")
    return Script(
        question=spec.question,
        context=spec.context,
        drivers=spec.drivers,
        options=spec.options,
        yes_option=spec.yes_option,
        task=spec.task,
        protocol=spec.protocol,
        settings=ScriptSettings(rounds=spec.max_rounds, seed=spec.seed),
        seats=tuple(s.model_copy(update={"occupant": "scripted"}) for s in spec.seats),
        sources=(*spec.sources, *added),
        turns=tuple(turns),
    )


def _script_turns(record: Sequence[TurnTaken | TurnFailed | TurnSkipped]) -> Iterator[ScriptTurn]:
    closed_turns = {RequestId.parse(body.request).turn for body in record if not isinstance(body, TurnFailed)}
    asked_about = set[TurnId]()
    for body in record:
        address = RequestId.parse(body.request)
        was_asked = address.turn in asked_about
        is_closed = address.turn in closed_turns
        if isinstance(body, TurnFailed) and body.error in ASKED_ABOUT:
            asked_about.add(address.turn)
            if not is_closed:
                yield _script_turn(address, content=_without_ids(body.content))
        elif is_closed or not was_asked:
            yield _replay_turn(body, address._replace(attempt=address.attempt - was_asked))


def _replay_turn(body: TurnTaken | TurnFailed | TurnSkipped, address: RequestId) -> ScriptTurn:
    match body:
        case TurnTaken():
            return _script_turn(address, content=_without_ids(body.content))
        case TurnSkipped():
            return _script_turn(address, error="refusal")
        case TurnFailed(error="weak"):
            return _script_turn(address, content={"rationale": body.partial, "vote": None, "strength": 1})
        case TurnFailed():
            return _script_turn(address, error=_AS_ERROR[body.error], text=body.partial)
        case _:
            assert_never(body)


def _without_ids(content: Content | None) -> object:
    """The fields of a content without the ids of its claims, which the engine assigns."""
    return content and content.model_dump(mode="json", exclude={"claims": {"__all__": {"id"}}})


def _script_turn(address: RequestId, **answer: object) -> ScriptTurn:
    keys = address._asdict()
    if keys["nth"] == 1:
        del keys["nth"]
    return ScriptTurn.model_validate({**keys, **answer})


TICK_S = 0.04


async def speak(on_text: OnText, request: str, text: str, pace_cps: int) -> None:
    """Stream the text at `pace_cps` characters per second; 0 = at once."""
    step = max(1, round(pace_cps * TICK_S))
    if pace_cps > 0:
        for end in range(step, len(text), step):
            on_text(request, text[:end])
            await asyncio.sleep(step / pace_cps)
    on_text(request, text)


@cache
def shipped_script_texts() -> Mapping[str, str]:
    """Text of every script that ships with the program, by name, sorted."""
    folder = files("debate_core.seats") / "rehearsals"
    texts = {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.name.endswith(".json")}
    return {name.removesuffix(".json"): texts[name] for name in sorted(texts)}


@cache
def shipped_scripts() -> Mapping[str, Script]:
    return {name: read_script(text) for name, text in shipped_script_texts().items()}
