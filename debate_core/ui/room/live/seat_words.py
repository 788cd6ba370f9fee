"""The state of each seat, or the reason why it gave no turn, in one sentence: the one place for these words.

All of it comes from the record, except the text of a turn in progress. The browser fills in `{seconds}` and counts
them; `{time}` is a time of day by the clock of the reader.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import urlsplit

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.host.retry_policy import PARK_S
from debate_core.language import Words, _, message
from debate_core.record.ids import TurnId
from debate_core.record.state import Request, State, Turn
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import calls_at_once, server_of
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.values import TurnStatus

Pending = Literal["waiting", "asked", "answering", "thinking", "again", "queued", "away", "hidden", "later"]
"""States of a seat before its turn can be read. `away`: its server gives no reply."""

HAS_ANSWERED = message("has answered; shown when everyone has")
READ_LATER = message("to be read later")
ENDED: Words[TurnStatus] = Words(
    {
        "ok": "",
        "skipped": "skipped; counts as an abstention",
        "refused": "declined to answer",
        "timeout": "ran out of time; no ballot",
        "cut": "was cut short; this is no turn",
        "unparseable": "gave something other than was asked; no ballot",
        "failed": "failed; no ballot",
        "weak": "stayed too weak by its own rating; no ballot",
        "contradicts": "",
        "mismatch": "",
        "struck": "struck",
    }
)
"""The end of a turn; empty for one that counts."""
TRIES: Words[TurnStatus] = Words(
    {
        "timeout": "try {n} of {most}: there was no reply in time",
        "cut": "try {n} of {most}: the reply was cut short",
        "unparseable": "try {n} of {most}: the reply could not be read",
        "failed": "try {n} of {most}: the call failed",
        "weak": "try {n} of {most}: the critique was too weak by its own rating",
    }
)
"""The reason why a seat is asked again for the same turn."""
WHICH = message("asked which it holds, its text or its ballot")
NOT_MATCHING = message("asked for a deliverable that matches its schema")
CALLS = message("asked {n} times")


@dataclass(frozen=True, slots=True)
class PartialTurn:
    """The part of a turn in progress that a reader may have; `is_open` False = hidden from this reader."""

    text: str = ""
    thinking: str = ""
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Doing:
    """The state of a seat; the seconds run from `since_ms` or to `until_ms`, in milliseconds since 1970."""

    state: Pending
    words: str
    since_ms: int | None = None
    until_ms: int | None = None


def doing(state: State, turn: TurnId, request: Request | None, heard: PartialTurn) -> Doing:
    """The state of the seat of an unfinished turn in the open phase; without a request it has to wait for others."""
    if request is None:
        return Doing("waiting", _("speaks later in this phase"))
    is_by_people = stage.by_people(state, turn.seat)
    if is_by_people and not stage.waits_as_agreed(state):
        return Doing("asked", _("has the turn"))
    if request.id in state.attempts and not is_by_people:
        return _answering(state, turn, heard)
    if state.paused is not None:
        return Doing("waiting", _("is asked when the debate goes on"))
    return _before_the_call(state, turn, request)


def _before_the_call(state: State, turn: TurnId, request: Request) -> Doing:
    """The state of a model that will be asked as soon as its server is free."""
    if lost := _lost_call(state, turn.seat):
        return _after_lost_call(state, turn.seat, lost)
    line = _line_now(state, turn.seat)
    if line and (until_ms := _asked_to_wait_ms(state, line)):
        address = server_of(line)
        server = urlsplit(address).netloc or address
        words = _("the server {server} asks to wait until {time}", server=server, time="{time}")
        return Doing("away", words, until_ms=until_ms)
    if broken := _broken_off(state, turn):
        until_ms = _epoch_ms(broken.at) + broken.retry_after_ms
        return Doing("again", _("the reply broke off; is asked again in {seconds} s"), until_ms=until_ms)
    if line and len(_calls_under_way(state, turn.seat)) >= calls_at_once(line):
        return Doing("queued", _("waits for its turn at the server"))
    if request.attempt > 1:
        return Doing("again", _("is asked again"))
    return Doing("waiting", _("is asked next"))


def tried(state: State, turn: TurnId, *, has_ended: bool) -> str:
    """A remark that this turn was asked for more than once, and the reason; empty if it was not."""
    failed = [attempt for attempt in state.failed_attempts if attempt.address() == turn]
    if not failed:
        return ""
    latest = next((attempt for attempt in reversed(failed) if not attempt.transport), None)
    if has_ended or latest is None:
        return _(CALLS).format(n=len(failed) + 1)
    if latest.status == "contradicts":
        return _(WHICH)
    if latest.status == "mismatch":
        return _(NOT_MATCHING)
    return TRIES[latest.status].format(n=state.replies_lost(turn) + 1, most=state.spec.protocol.attempts)


def _answering(state: State, turn: TurnId, heard: PartialTurn) -> Doing:
    started = state.open.started[turn] if state.open else ""
    since_ms = _epoch_ms(started)
    if not heard.is_open:
        return Doing("answering", _("asked {seconds} s ago"), since_ms)
    if heard.text:
        return Doing("answering", _("writes"))
    if heard.thinking:
        return Doing("thinking", _("thinks; asked {seconds} s ago"), since_ms)
    lost = _lost_call(state, turn.seat)
    if lost and lost.at <= started:
        return Doing("answering", _("looks whether the server is back; asked {seconds} s ago"), since_ms)
    return Doing("answering", _("asked {seconds} s ago, no word yet"), since_ms)


def _after_lost_call(state: State, seat: str, lost: Turn) -> Doing:
    if any(started >= lost.at for started in _calls_under_way(state, seat)):
        return Doing("away", _("no reply from the server; another seat looks whether it is back"))
    until_ms = _epoch_ms(lost.at) + lost.retry_after_ms
    return Doing("away", _("no reply from the server; looks again in {seconds} s"), until_ms=until_ms)


def _lost_call(state: State, seat: str) -> Turn | None:
    """The latest finished call to the server of this seat, if it got no reply; None without a server."""
    if not any(attempt.transport for attempt in state.failed_attempts):
        return None
    latest = _latest_call(state, _at_its_server(state, seat))
    if latest is None or not latest.transport or latest.began or _is_asked_wait(latest):
        return None
    return latest if latest.retry_after_ms else None


def _latest_call(state: State, seats: Collection[str]) -> Turn | None:
    ended = [turn for turn in (*state.failed_attempts, *state.all_turns()) if turn.seat in seats]
    return max(ended, key=lambda turn: turn.at, default=None)


def _is_asked_wait(lost: Turn) -> bool:
    """True if the server itself asked for the wait: our own retries come sooner."""
    return lost.retry_after_ms > PARK_S * 1000


def _asked_to_wait_ms(state: State, line: ModelLine) -> int | None:
    """The end of the long wait that the server asked for in the latest call for this line; None if it did not."""
    same_line = {other.id for other in state.spec.seats if _line_now(state, other.id) == line}
    latest = _latest_call(state, same_line)
    if latest is None or not latest.transport or not _is_asked_wait(latest):
        return None
    return _epoch_ms(latest.at) + latest.retry_after_ms


def _broken_off(state: State, turn: TurnId) -> Turn | None:
    """The latest attempt at this turn, if its reply had begun and broke off."""
    for attempt in reversed(state.failed_attempts):
        if attempt.address() == turn:
            return attempt if attempt.began else None
    return None


def _calls_under_way(state: State, seat: str) -> list[str]:
    """The starts (UTC texts) of the calls of this debate that the server of this seat is answering now."""
    here = _at_its_server(state, seat)
    asked = [request.turn() for request in requests(state) if request.seat in here and request.id in state.attempts]
    return [state.open.started[turn] for turn in asked] if state.open else []


def _at_its_server(state: State, seat: str) -> set[str]:
    """Every seat with the server of this one; none for a seat without a model."""
    lines = {other.id: _line_now(state, other.id) for other in state.spec.seats}
    servers = {other: server_of(line) for other, line in lines.items() if line is not None}
    return {other for other, server in servers.items() if server == servers.get(seat)}


def _line_now(state: State, seat_id: str) -> ModelLine | None:
    return state.spec.line(seat_in_round(state.spec, seat_id, max(state.current_round(), 1)))


def _epoch_ms(utc: str) -> int:
    return round(datetime.fromisoformat(utc).timestamp() * 1000)
