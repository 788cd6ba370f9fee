"""Prints to the terminal: the answer of a command on standard output, live lines and notes on standard error.

Knows events and texts, not who gives them.
"""

import math
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence

from debate_core.record.events import AttemptStarted, Event, PhaseEnded, TurnFailed, TurnTaken
from debate_core.record.ids import RequestId
from debate_core.report.files.export import dumps
from debate_core.report.phrases.outcome import tally_words
from debate_core.report.phrases.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.seats import OnText
from debate_core.spec.values import Json
from debate_core.text import line, plain


def answer(flags: Namespace, data: Json, text: str) -> None:
    """Print the result of a command: as JSON with --json, else in words."""
    print(dumps(data) if flags.json else text, end="")


def say(text: str) -> None:
    """Print one line on standard error, without control characters."""
    print(line(text), file=sys.stderr)


def listeners(
    texts: dict[str, str], limit_s: Callable[[RequestId], float]
) -> tuple[OnText, Callable[[Sequence[Event]], None]]:
    """Store live texts in `texts`; on a terminal also show them in one changing line, and whole at the end.

    Elsewhere only failures are shown. `limit_s`: how long the seat of a request retries a server without an answer.
    """
    is_terminal = sys.stderr.isatty()
    failed: dict[str, str] = {}

    def on_text(request: str, text: str, /, thinking: str = "") -> None:
        texts[request] = text
        if not is_terminal:
            return
        if thinking and not text:
            text = f"(thinking) {thinking}"
        print(f"\r\x1b[K{request}: {line(text)[-60:]}", end="", file=sys.stderr, flush=True)

    def on_events(events: Sequence[Event]) -> None:
        for event in events:
            if words := _event_words(event, texts, failed, limit_s):
                print(f"\r\x1b[K{words}", file=sys.stderr)

    return on_text, on_events if is_terminal else failure_listener(limit_s)


def failure_listener(limit_s: Callable[[RequestId], float] | None = None) -> Callable[[Sequence[Event]], None]:
    """Print the reason of failed attempts, each once, so that no command waits for a server in silence."""
    known = set[str]()

    def on_events(events: Sequence[Event]) -> None:
        for event in events:
            body = event.body
            if isinstance(body, TurnFailed) and body.message and body.message not in known:
                known.add(body.message)
                say(f"{body.request} ({body.error}): {body.message}{_next_attempt(body, limit_s)}")

    return on_events


def _next_attempt(failed: TurnFailed, limit_s: Callable[[RequestId], float] | None) -> str:
    """Format the wait before the next attempt, and the limit for an unreachable server."""
    if failed.permanent:
        return ""
    words = "; tries again"
    if failed.retry_after_ms:
        words += f" in {math.ceil(failed.retry_after_ms / 1000)} s"
    if failed.transport and not failed.began and limit_s is not None:
        words += f", for at most {limit_s(RequestId.parse(failed.request)):g} s"
    return words


def _event_words(
    event: Event, texts: dict[str, str], failed: dict[str, str], limit_s: Callable[[RequestId], float]
) -> str:
    """The line for one event, empty if it needs none. `failed`: turn -> fault of its last attempt."""
    body = event.body
    match body:
        case AttemptStarted():
            attempt = RequestId.parse(body.request)
            if attempt.attempt == 1:
                return ""
            return f"{attempt.turn}: attempt {attempt.attempt} after {failed.get(str(attempt.turn), 'a failure')}"
        case TurnTaken():
            words = f"{body.request}: {plain(texts.get(body.request, ''))}\n"
            if body.argues_for:
                words += f"  ({argues_for_words(body.argues_for)})\n"
            if body.no_reason:
                words += f"  ({NO_REASON_GIVEN})\n"
            if body.left_out:
                words += f"  ({left_out_words(body.left_out)})\n"
            return words
        case TurnFailed():
            failed[str(RequestId.parse(body.request).turn)] = body.error
            why = f": {line(body.message)}" if body.message else ""
            again = _next_attempt(body, limit_s)
            return f"{body.request} ({body.error}{why}{again}): {plain(texts.get(body.request, ''))}\n"
        case PhaseEnded():
            result = f": {tally_words(body.tally)}" if body.tally else " ended"
            return f"round {body.round}, {body.phase}{result}"
        case _:
            return ""
