"""Events of a debate, their JSON form, and the hash chain.

An event is one envelope (`debate, seq, at, actor, kind, key, body, prev_hash, hash`). `hash` is the SHA-256 of the
RFC 8785 bytes of the other fields, so any language can verify a record. Knows no rules: the engine decides what is
allowed, the stores keep events, `audit` derives them again.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from json.encoder import encode_basestring
from typing import Annotated, Any, NamedTuple

from pydantic import Field, StrictInt, ValidationError

from debate_core.errors import BrokenRecord, NewerRecord
from debate_core.record.acts import ROOM_KINDS, AccountId, Reason, RoomAct
from debate_core.record.ids import TURN_PATTERN
from debate_core.record.look_ups import LookedUp
from debate_core.record.page import record_in
from debate_core.sentence import Sentence
from debate_core.spec.contents import MAX_LEFT_OUT, Candidate, Content, LeftOut, Mark
from debate_core.spec.decode import Undecodable, decode_json
from debate_core.spec.protocol import Spec, first_problem
from debate_core.spec.rules import FUNCTION_NAME, Ceiling
from debate_core.spec.values import (
    Axis,
    BaselineName,
    Instructions,
    Line,
    Outcome,
    Percent,
    SeatId,
    Tally,
    Text,
    TurnError,
    Usage,
    Value,
)

FORMAT = 1
"""Version of the record. Additive changes keep it; `read_body` reads every older one."""
EDITION = 2
"""Edition of the rules of play. Edition 1 was never released: a record of it is refused."""
MEASURES = 2
"""Version of the text measures that the rules depend on: whether a claim is new, which option a stance names, whether a
quote is in its source. Raise it when you change one; older records then keep their recorded readings."""
GENESIS = "0" * 64
"""prev_hash of the first event."""


DebateId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Predecessor(Value):
    """The record from which this one was made by removing a person's name; `head` is its last hash."""

    debate: str
    head: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    by: Annotated[str, Field(min_length=1, max_length=200)]
    """The account or operator who asked for it."""
    reason: Reason
    at: str
    """Time of creation (UTC text)."""


class DebateOpened(Value):
    """The first event: everything agreed before the first turn."""

    spec: Spec
    format: Annotated[StrictInt, Field(ge=FORMAT)] = FORMAT
    edition: Annotated[StrictInt, Field(ge=EDITION)]
    measures: Annotated[int, Field(ge=2)] | None = None
    """Version of the text measures; None = 1."""
    owner: AccountId | None = None
    """The owner's account; None = the server."""
    shared: bool | None = None
    """True if everyone in the organisation may read it."""
    successor_of: Predecessor | None = None


class PhaseBegan(Value):
    """A phase opens; `speakers` in schedule order. Derivable, recorded so that `verify` can compare."""

    round: int
    phase: str
    speakers: tuple[SeatId, ...]
    pairs: tuple[tuple[Line, Line], ...] | None = None
    """The two options that each speaker compares, in display order; None if options are not compared in pairs."""
    candidates: tuple[Candidate, ...] | None = None
    """Candidates that become options here, each once, in order of proposal."""


class PhaseEnded(Value):
    """All turns of the phase have ended. `tally` only if the phase asked for ballots."""

    round: int
    phase: str
    tally: Tally | None = None


class StopVerdict(Value):
    """The verdict of a stop function after a complete round; true ends the rounds."""

    round: int
    function: Annotated[str, Field(pattern=FUNCTION_NAME)]
    holds: bool


class AttemptStarted(Value):
    """A seat without a person was asked; recorded before the call, so that a repeated call is visible.

    `reserved` is the maximum use of a paid call; it counts as used until the attempt ends.
    """

    request: str
    reserved: Usage | None = None
    instructions: Instructions | None = None
    """Instructions that a function of the caller gave for this call; those of the agreement are in the first event."""


class TurnTaken(Value):
    """A valid content. The engine numbers its claims."""

    request: str
    content: Content
    usage: Usage | None = None
    left_out: Annotated[tuple[LeftOut, ...], Field(max_length=MAX_LEFT_OUT)] | None = None
    """Unreadable optional parts of the reply; None = none."""
    argues_for: Line | None = None
    """The single option that the text argues for while the ballot ranks another one first; None = no contradiction.
    Recorded once, so that better detection does not change records."""
    no_reason: bool = False
    """True if the ballot was accepted without a reason, because no attempt was left. Recorded once."""
    match: DebateId | None = None
    """The debate that compared the two options of this turn; None = the seat compared them alone."""


class Failure(Value):
    """A failed attempt. `partial` is the text received so far; it is never read as a turn."""

    request: str
    error: TurnError
    message: Line = ""
    partial: Text = ""
    usage: Usage | None = None
    permanent: bool = False
    """True if a retry would fail the same way: the turn ends with this attempt."""
    retry_after_ms: Annotated[int, Field(ge=0, le=86_400_000)] = 0
    """The minimum delay before the seat is asked again."""
    content: Content | None = None
    """The complete turn that the seat is asked about (`contradicts`); it counts if the question gets no answer."""
    argues_for: Line | None = None
    """The option that the text argues for, as in TurnTaken."""
    transport: bool = False
    """True if no complete reply came: the server was unreachable, could not answer, or broke off. Such a call uses up
    no attempt."""
    began: bool = False
    """True with `transport` if a reply had begun: it costs money, so the call is retried only a few times."""
    reached: bool = False
    """True if the connection worked: the server refused the call for good or was late, or the call did not fit. An
    outage in which all seats were reached is not reported as a provider outage."""


class TurnFailed(Failure):
    """An attempt gave no content."""


class TurnSkipped(Value):
    """The turn was skipped, by its seat or a facilitator or moderator; counts as an abstention."""

    request: str
    reason: Reason


class Marked(Value):
    """A person marked a claim as supporting, opposing or neutral. The latest mark counts."""

    mark: Mark
    reason: Line = ""


class LimitMet(Value):
    """A call that was not made because it could exceed a limit."""

    request: str
    axis: Axis
    reserved: Usage | None = None


class Paused(Value):
    """No seat is asked until a person resumes the debate."""

    reason: Reason
    limit: LimitMet | None = None
    """The limit that caused the pause; a facilitator can raise it, or end the debate there."""
    unreached: bool = False
    """True if no seat asked in the open phase could be reached: all are asked again, unless given up."""


class LimitRaised(Value):
    """A facilitator raises limits. `to` has the limits that change; a debate that waited continues."""

    to: Ceiling
    reason: Reason


class Resumed(Value):
    """The debate continues."""

    reason: Line = ""
    gives_up: bool = False
    """True: without the turns of seats that could not be reached."""


class Partial(Value):
    """Text that a seat had given when its turn was interrupted."""

    request: Annotated[str, Field(pattern=rf"^{TURN_PATTERN}\.[0-9]{{1,6}}$")]
    text: Text


class Stopped(Value):
    """A person ended the debate; unfinished turns are kept as partial text."""

    reason: Reason
    partials: tuple[Partial, ...] = ()


class DeadlinePassed(Value):
    """The debate ends undecided after waiting longer for people than was agreed."""

    seats: tuple[SeatId, ...]
    """Seats whose turn was awaited; () = a person had to resume the debate. Derivable, like `since`."""
    since: str
    """Start of the wait (UTC text)."""


class Truncated(LimitMet):
    """The debate ends at a limit; everything is kept."""


class Closed(Value):
    """The debate is over. No flow event follows it; marks may."""

    outcome: Outcome


class BaselineReply(Value):
    """A single answer of one model after the debate; `vote` None = abstained, or failed with `error`."""

    line: Annotated[str, Field(max_length=200)]
    """Id of the ModelLine that was asked."""
    vote: Line | None = None
    confidence: Percent | None = None
    rationale: Text = ""
    error: TurnError | None = None
    message: Line = ""
    usage: Usage | None = None
    """Use of all attempts; None = unknown."""


class BaselineHeld(Value):
    """Answers to the question of a finished debate without a debate; no count of the debate reads them.

    `answer` is the option that most replies name, if more than half of all calls named an option and there is no tie.
    Of a supervised answer it is the option of the last reply, if no reply failed.
    """

    name: BaselineName
    calls: Annotated[int, Field(ge=1)]
    """Number of replies asked for; those missing in `reply_parser` were not asked."""
    replies: tuple[BaselineReply, ...]
    tally: Tally
    answer: Line | None = None
    took_ms: Annotated[int, Field(ge=0)]
    """Time from the first call to the last answer."""
    why: Line = ""
    """The reason why not all were asked."""


class BaselinesAsked(Value):
    """Baselines were asked; without a BaselineHeld the answer is missing."""

    names: Annotated[tuple[BaselineName, ...], Field(min_length=1)]


Flow = (
    DebateOpened
    | PhaseBegan
    | PhaseEnded
    | StopVerdict
    | AttemptStarted
    | LookedUp
    | TurnTaken
    | TurnFailed
    | TurnSkipped
    | Marked
    | Paused
    | Resumed
    | Stopped
    | LimitRaised
    | DeadlinePassed
    | Truncated
    | Closed
)
"""Events of the debate itself; other acts of people are room acts."""
Body = Flow | RoomAct | BaselinesAsked | BaselineHeld
KINDS: dict[str, type[Body]] = {
    "debate_opened": DebateOpened,
    "phase_began": PhaseBegan,
    "phase_ended": PhaseEnded,
    "stop_verdict": StopVerdict,
    "attempt_started": AttemptStarted,
    "looked_up": LookedUp,
    "turn_taken": TurnTaken,
    "turn_failed": TurnFailed,
    "turn_skipped": TurnSkipped,
    "marked": Marked,
    "paused": Paused,
    "resumed": Resumed,
    "stopped": Stopped,
    "limit_raised": LimitRaised,
    "deadline_passed": DeadlinePassed,
    "truncated": Truncated,
    "closed": Closed,
    "baselines_asked": BaselinesAsked,
    "baseline_held": BaselineHeld,
    **ROOM_KINDS,
}
_KIND_OF = {body: kind for kind, body in KINDS.items()}


class Event(NamedTuple):
    """One line of a record. `seq` counts from 1; `body_json` is the canonical text that was hashed."""

    debate: str
    seq: int
    at: str
    actor: str
    kind: str
    key: str
    body: Body
    body_json: str
    prev_hash: str
    hash: str


# Values and parsed JSON contain no cycles, so the check is off.
_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


def canonical(value: object) -> str:
    """RFC 8785 text of JSON data. Keys must be ASCII and numbers integers below 2**53, as in all bodies."""
    return _CANONICAL.encode(value)


def utc_text(at: datetime) -> str:
    """ISO 8601 in UTC with microseconds: one spelling per instant."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def make_event(debate: str, seq: int, prev_hash: str, at: str, actor: str, key: str, body: Body) -> Event:
    """The next event of a chain."""
    kind = _KIND_OF[type(body)]
    text = canonical(body.model_dump(mode="json", exclude_none=True))
    digest = digest_of(debate, seq, prev_hash, at, actor, kind, key, text)
    return Event(debate, seq, at, actor, kind, key, body, text, prev_hash, digest)


def _line(event_parts: tuple[str, str, str, str, str], body_json: str, prev_hash: str, seq: int, own: str = "") -> str:
    """The canonical line of (actor, at, debate, key, kind); `own` is the hash field, left out when hashing."""
    actor, at, debate, key, kind = map(encode_basestring, event_parts)
    return (
        f'{{"actor":{actor},"at":{at},"body":{body_json},"debate":{debate},{own}"key":{key},"kind":{kind},'
        f'"prev_hash":"{prev_hash}","seq":{seq}}}'
    )


def digest_of(debate: str, seq: int, prev_hash: str, at: str, actor: str, kind: str, key: str, body_json: str) -> str:
    """SHA-256 (hex) of the RFC 8785 bytes of an event without its hash."""
    text = _line((actor, at, debate, key, kind), body_json, prev_hash, seq)
    return hashlib.sha256(text.encode()).hexdigest()


def _refuse_newer(data: Any) -> None:
    """Raise NewerRecord if a later version of this program wrote these fields."""
    fields = data if isinstance(data, dict) else {}
    version = fields.get("format", FORMAT)
    if type(version) is int and version > FORMAT:
        raise NewerRecord(
            "the record has format {version}; this program reads up to {known}: update it",
            version=version,
            known=FORMAT,
        )
    edition = fields.get("edition", EDITION)
    if type(edition) is int and edition > EDITION:
        raise NewerRecord(
            "the record has edition {edition} of the rules; this program knows {known}: update it",
            edition=edition,
            known=EDITION,
        )


def _refuse_unreleased(data: Any) -> None:
    """Raise BrokenRecord for edition 1, which records of that time did not always name."""
    edition = data.get("edition", 1) if isinstance(data, dict) else EDITION
    if type(edition) is int and edition == 1:
        raise BrokenRecord(
            "the record has edition 1 of the rules, from before version 0.1.0: this program reads edition {known}",
            0,
            known=EDITION,
        )


def read_body(kind: str, body_json: str) -> Body:
    """The typed body of a stored event. Raises BrokenRecord (line 0) if invalid, NewerRecord if it is newer."""
    known = KINDS.get(kind)
    if known is None:
        raise BrokenRecord("unknown kind of event {kind!r}", 0, kind=kind)
    try:
        if known is DebateOpened:
            data = decode_json(body_json)
            _refuse_newer(data)
            _refuse_unreleased(data)
            return DebateOpened.model_validate(data)
        return known.model_validate_json(body_json)
    except (ValidationError, Undecodable) as error:
        why = first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise BrokenRecord("the body of this {kind} is not readable: {why}", 0, kind=kind, why=why) from None


def dump_event(event: Event) -> str:
    """One canonical line of an exported record, without the line break."""
    own = f'"hash":"{event.hash}",'
    parts = (event.actor, event.at, event.debate, event.key, event.kind)
    return _line(parts, event.body_json, event.prev_hash, event.seq, own)


def dump_record(events: Iterable[Event]) -> str:
    """A complete record: one line per event, and a closing line that reveals truncation."""
    lines = []
    head = GENESIS
    for event in events:
        lines.append(dump_event(event))
        head = event.hash
    lines.append(canonical({"head": head, "events": len(lines), "format": FORMAT}))
    return "\n".join(lines) + "\n"


_ENVELOPE = {"debate": str, "seq": int, "at": str, "actor": str, "kind": str, "key": str, "prev_hash": str, "hash": str}


def parse_record(data: bytes) -> tuple[Event, ...]:
    """Read an exported record, also from an HTML page; the raw bytes of each line must be what its event says.

    BrokenRecord names the first line that is changed, missing or unreadable; NewerRecord is for later formats.
    """
    lines = record_in(data).split(b"\n")
    if lines[-1] != b"":
        raise BrokenRecord(
            "line {n_lines}: the record is cut short, its last line has no end", len(lines), n_lines=len(lines)
        )
    n_lines = len(lines) - 1
    if n_lines:
        # Checked first: a newer record may have events that are unreadable here.
        _refuse_newer(_read_json(lines[-2], n_lines))
    events: list[Event] = []
    previous = None
    for number, raw in enumerate(lines[:-2], start=1):
        previous = _parse_line(raw, number, previous)
        events.append(previous)
    if previous is None:
        raise BrokenRecord("line 1: there is no event in this file", 1)
    closing = canonical({"head": previous.hash, "events": len(events), "format": FORMAT}).encode()
    if lines[-2] != closing:
        raise BrokenRecord(
            "line {line}: the closing line (head and number of events) is missing or changed", n_lines, line=n_lines
        )
    return tuple(events)


def _no_float(text: str) -> int:
    raise ValueError(f"{text} is no whole number")


def _read_json(raw: bytes, number: int) -> Any:
    try:
        return json.loads(raw.decode("utf-8"), parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError):
        raise BrokenRecord("line {number}: not a line of JSON as records have it", number, number=number) from None


def _parse_line(raw: bytes, number: int, previous: Event | None) -> Event:
    where = Sentence("line {number}", number=number)
    data = _read_envelope(raw, number, where)
    body = data.pop("body")
    try:
        text = canonical(body)
        event = Event(body=read_body(data["kind"], text), body_json=text, **data)
        same = dump_event(event).encode() == raw
    except BrokenRecord as error:
        raise BrokenRecord("{where}: {error}", number, where=where, error=error.sentence) from None
    except ValueError as error:
        raise BrokenRecord("{where}: {error}", number, where=where, error=str(error)) from None
    if not same:
        raise BrokenRecord(
            "{where} (event {number}): the bytes are not the canonical ones; it was changed",
            number,
            where=where,
            number=number,
        )
    fault = chain_fault(event, previous)
    if fault:
        raise BrokenRecord(
            "{where} (event {number}, {kind}): {fault}",
            number,
            where=where,
            number=number,
            kind=event.kind,
            fault=fault,
        )
    return event


def _read_envelope(raw: bytes, number: int, where: Sentence) -> dict[str, Any]:
    """The fields of an event with their types checked; its body is not checked yet."""
    data = _read_json(raw, number)
    if not isinstance(data, dict) or set(data) != {*_ENVELOPE, "body"}:
        raise BrokenRecord("{where}: not an event of a debate record", number, where=where)
    for name, kind in _ENVELOPE.items():
        if type(data[name]) is not kind:
            raise BrokenRecord("{where}: a field of the event has the wrong type", number, where=where)
    return data


def chain_fault(event: Event, previous: Event | None) -> Sentence | None:
    """The reason why this event cannot follow `previous`, or None."""
    digest = digest_of(
        event.debate, event.seq, event.prev_hash, event.at, event.actor, event.kind, event.key, event.body_json
    )
    if digest != event.hash:
        return Sentence("its content does not give its hash; it was changed")
    if previous is None:
        follows = event.prev_hash == GENESIS
        is_next = event.seq == 1
    else:
        follows = event.prev_hash == previous.hash
        is_next = event.seq == previous.seq + 1 and event.debate == previous.debate
    if not follows:
        return Sentence("it does not follow the event before it")
    if not is_next:
        return Sentence("its number or debate is not the next one")
    return None
