"""What the person at the terminal sees while a debate is held: live lines and notes, all on standard error.

Knows events and texts, not who gives them.
"""

import sys
from collections.abc import Callable, Sequence

from debate_core.record.events import AttemptStarted, Event, PhaseEnded, TurnFailed, TurnTaken
from debate_core.report.words.outcome import tally_words
from debate_core.seats import OnText
from debate_core.text import line, plain


def say(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr)


def screen(texts: dict[str, str]) -> tuple[OnText, Callable[[Sequence[Event]], None]]:
    """Keeps live texts; on a terminal also shows them, as one changing line, and whole when ended."""
    shown = sys.stderr.isatty()
    failed: dict[str, str] = {}

    def watch(request: str, text: str, /, thinking: str = "") -> None:
        texts[request] = text
        if shown:
            now = text or (f"(thinking) {thinking}" if thinking else "")
            print(f"\r\x1b[K{request}: {line(now)[-60:]}", end="", file=sys.stderr, flush=True)

    def tell(events: Sequence[Event]) -> None:
        for event in events if shown else ():
            told = _told(event, texts, failed)
            if told:
                print(f"\r\x1b[K{told}", file=sys.stderr)

    return watch, tell


def _told(event: Event, texts: dict[str, str], failed: dict[str, str]) -> str:
    """The line for one event, empty if it needs none. `failed`: turn -> why its last attempt was no answer."""
    body = event.body
    match body:
        case AttemptStarted():
            turn, _, number = body.request.rpartition(".")
            return f"{turn}: attempt {number} after {failed.get(turn, 'a failure')}" if number != "1" else ""
        case TurnTaken():
            return f"{body.request}: {plain(texts.get(body.request, ''))}\n"
        case TurnFailed():
            failed[body.request.rpartition(".")[0]] = body.error
            why = f": {line(body.message)}" if body.message else ""
            return f"{body.request} ({body.error}{why}): {plain(texts.get(body.request, ''))}\n"
        case PhaseEnded():
            return f"round {body.round}, {body.phase}" + (f": {tally_words(body.tally)}" if body.tally else " ended")
        case _:
            return ""
