"""What each seat does now, or why it gave no turn, in one sentence: the one place for these words.

All of it is read from the record, but for the words of a turn that are not in it yet. `{seconds}` in a sentence is put
in by the browser, which counts on. `{time}` is a time of day, by the clock of whoever reads.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import urlsplit

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.host.patience import PARK_S
from debate_core.language import Words, _, message
from debate_core.record.address import TurnId
from debate_core.record.state import Request, State, Turn
from debate_core.spec.panels import calls_at_once, server_of
from debate_core.spec.values import TurnStatus

Pending = Literal["waiting", "asked", "answering", "thinking", "again", "queued", "away", "hidden", "later"]
"""What a seat can be at before its turn can be read. `away`: its server gives no reply."""

HAS_ANSWERED = message("has answered; shown when everybody has")
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
        "struck": "struck",
    }
)
"""How a turn ended; nothing for one that counts."""
TRIES: Words[TurnStatus] = Words(
    {
        "timeout": "try {n} of {most}: there was no reply in time",
        "cut": "try {n} of {most}: the reply was cut short",
        "unparseable": "try {n} of {most}: the reply could not be read",
        "failed": "try {n} of {most}: the call failed",
        "weak": "try {n} of {most}: the critique was too weak by its own rating",
    }
)
"""Why a seat is asked for the same turn again."""
WHICH = message("asked which it holds, its text or its ballot")
CALLS = message("asked {n} times")


@dataclass(frozen=True, slots=True)
class PartialTurn:
    """What a reader may have of a turn as far as it came; `is_open` False = what it says is kept from them."""

    text: str = ""
    thinking: str = ""
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Doing:
    """What a seat does now; the seconds run from `since_ms` or to `until_ms`, in milliseconds since 1970."""

    state: Pending
    words: str
    since_ms: int | None = None
    until_ms: int | None = None


def doing(state: State, turn: TurnId, request: Request | None, heard: PartialTurn) -> Doing:
    """Of a turn of the open phase that has not ended; no request = it is not its turn yet."""
    if request is None:
        return Doing("waiting", _("speaks later in this phase"))
    is_by_people = stage.by_people(state, turn.seat)
    if is_by_people and not stage.waits_as_agreed(state):
        return Doing("asked", _("is asked"))
    if request.id in state.attempts and not is_by_people:
        return _answering(state, turn, heard)
    if state.paused is not None:
        return Doing("waiting", _("is asked when the debate goes on"))
    return _before_the_call(state, turn, request)


def _before_the_call(state: State, turn: TurnId, request: Request) -> Doing:
    """Of a model that will be asked as soon as its server can be."""
    if lost := _lost_call(state, turn.seat):
        return _while_away(state, turn.seat, lost)
    if asked := _asked_to_wait(state, turn.seat):
        server = urlsplit(asked.server).netloc or asked.server
        words = _("the server {server} asks to wait until {time}", server=server, time="{time}")
        return Doing("away", words, until_ms=asked.until_ms)
    if broken := _broken_off(state, turn):
        until_ms = _epoch_ms(broken.at) + broken.retry_after_ms
        return Doing("again", _("the reply broke off; is asked again in {seconds} s"), until_ms=until_ms)
    if _waits_at_server(state, turn.seat):
        return Doing("queued", _("waits for its turn at the server"))
    if request.attempt > 1:
        return Doing("again", _("is asked again"))
    return Doing("waiting", _("is asked next"))


def tried(state: State, turn: TurnId, *, has_ended: bool) -> str:
    """That this turn was asked for more than once, and why; empty if it was not."""
    failed = [attempt for attempt in state.failed_attempts if attempt.address() == turn]
    if not failed:
        return ""
    latest = next((attempt for attempt in reversed(failed) if not attempt.transport), None)
    if has_ended or latest is None:
        return _(CALLS).format(n=len(failed) + 1)
    if latest.status == "contradicts":
        return _(WHICH)
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


def _while_away(state: State, seat: str, lost: Turn) -> Doing:
    """Of a seat that is not asked, because no reply came to the latest call to its server."""
    if any(started >= lost.at for started in _calls_under_way(state, seat)):
        return Doing("away", _("no reply from the server; another seat looks whether it is back"))
    until_ms = _epoch_ms(lost.at) + lost.retry_after_ms
    return Doing("away", _("no reply from the server; looks again in {seconds} s"), until_ms=until_ms)


def _lost_call(state: State, seat: str) -> Turn | None:
    """The latest call to the server of this seat that has ended, if no reply came to it; None without a server."""
    if not any(attempt.transport for attempt in state.failed_attempts):
        return None
    latest = _latest_call(state, _at_its_server(state, seat))
    if latest is None or not latest.transport or latest.began or _is_asked(latest):
        return None
    return latest if latest.retry_after_ms else None


def _latest_call(state: State, seats: Collection[str]) -> Turn | None:
    """The latest call to one of these seats that has ended."""
    ended = [turn for turn in (*state.failed_attempts, *state.all_turns()) if turn.seat in seats]
    return max(ended, key=lambda turn: turn.at, default=None)


def _is_asked(lost: Turn) -> bool:
    """True if the server itself said how long to wait: our own looks come sooner."""
    return lost.retry_after_ms > PARK_S * 1000


@dataclass(frozen=True, slots=True)
class _AskedToWait:
    server: str
    until_ms: int


def _asked_to_wait(state: State, seat: str) -> _AskedToWait | None:
    """What the server said to the latest call for the line of this seat, if it asked for a long wait."""
    line = state.spec.line(state.spec.seat(seat))
    if line is None:
        return None
    same_line = {other.id for other in state.spec.seats if state.spec.line(other) == line}
    latest = _latest_call(state, same_line)
    if latest is None or not latest.transport or not _is_asked(latest):
        return None
    return _AskedToWait(server_of(line), _epoch_ms(latest.at) + latest.retry_after_ms)


def _broken_off(state: State, turn: TurnId) -> Turn | None:
    """The latest attempt at this turn, if its reply had begun and broke off."""
    for attempt in reversed(state.failed_attempts):
        if attempt.address() == turn:
            return attempt if attempt.began else None
    return None


def _waits_at_server(state: State, seat: str) -> bool:
    """True for a model whose server answers as many others of this debate as it can."""
    line = state.spec.line(state.spec.seat(seat))
    return line is not None and len(_calls_under_way(state, seat)) >= calls_at_once(line)


def _calls_under_way(state: State, seat: str) -> list[str]:
    """When each call of this debate began that the server of this seat is answering now (UTC texts)."""
    here = _at_its_server(state, seat)
    asked = [request.turn() for request in requests(state) if request.seat in here and request.id in state.attempts]
    return [state.open.started[turn] for turn in asked] if state.open else []


def _at_its_server(state: State, seat: str) -> set[str]:
    """Every seat that asks the server of this one; none for a seat without a model."""
    lines = {other.id: state.spec.line(other) for other in state.spec.seats}
    servers = {other: server_of(line) for other, line in lines.items() if line is not None}
    return {other for other, server in servers.items() if server == servers.get(seat)}


def _epoch_ms(utc: str) -> int:
    return round(datetime.fromisoformat(utc).timestamp() * 1000)
