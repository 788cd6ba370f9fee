"""Waiting time of others while a person opens the largest records and documents that the server accepts.

`python bench/waiting.py [--only NAME]` starts a server on a free port with a new store. One browser uploads each record
and opens every page of it; meanwhile `/healthz` is called fifty times a second. Prints one line of JSON per record: the
longest wait in milliseconds for each step. Needs the development requirements and Chromium.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402
from playwright.sync_api import TimeoutError as Late  # noqa: E402

from bench.watchers import free_port, server  # noqa: E402
from debate_core.record.acts import Asked, BallotCast, PollOpened  # noqa: E402
from debate_core.record.events import dump_record  # noqa: E402
from debate_core.spec.contents import Argument, Claim  # noqa: E402
from debate_core.spec.presets import compose, protocol  # noqa: E402
from debate_core.spec.values import Seat, Source  # noqa: E402
from tests.e2e.conftest import CHROMIUM, FLAGS  # noqa: E402
from tests.people import ANN, FAY, GUS, room_spec  # noqa: E402
from tests.playing import Played  # noqa: E402

MOST_BYTES = 10_000_000
"""Maximum size of an upload."""
ASK_EACH_S = 0.02
MOST_WAIT_S = 300.0
TURN_CHARS = 20_000
MOST_SEATS = 20


def one_document() -> bytes:
    """Create one document that fills the file, of a single sentence, and quotes that it does not contain."""
    text = "chat restored within four hours and " * (9_600_000 // 36)
    seats = [Seat(id=i, occupant="human", stance=i) for i in ("a", "b", "c")]
    spec = compose("Which?", ["a", "b"], protocol("bounded_vote"), seats)
    held = Played(spec.model_copy(update={"sources": (Source(id="E1", title="Notes", text=text),)}))

    def quoting(request: object) -> Argument:
        quotes = (f"the chat was restored in four hours and then nothing {n} {request}" for n in range(5))
        claims = tuple(Claim(text=f"Point {n}", source_id="E1", quote=quote) for n, quote in enumerate(quotes))
        return Argument(rationale="As the notes say.", claims=claims, vote="a")

    return dump_record(held.play(quoting).events).encode()


def long_turns() -> bytes:
    """Create as many turns of the maximum length as fit into one file."""
    seats = [Seat(id=f"s{n}", occupant="human") for n in range(MOST_SEATS)]
    spec = compose("Which?", ["a", "b"], protocol("bounded_vote"), seats)
    spec = spec.model_copy(update={"max_rounds": 8})
    held, size = Played(spec), 0
    text = "**bold** [link](https://example.org) $x^2$ <b> and so on. " * 400
    while held.requests() and size < MOST_BYTES - 40 * TURN_CHARS:
        number = len(held.events)
        claim = Claim(text=f"Point {number}", quote=f"{text[:TURN_CHARS]}")
        held.say(Argument(rationale=f"{number} {text}"[:TURN_CHARS], claims=(claim,), vote="ab"[number % 2]))
        size += len(held.events[-1].body_json) + 400
    return dump_record(held.events).encode()


def many_events() -> bytes:
    """Create as many small events as fit into one file: repeated ballots of one voter, and questions."""
    held = Played(room_spec(seats=[Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]))
    held.act(FAY, PollOpened(poll="pre"))
    for n in range(22_000):
        held.act(ANN, BallotCast(poll="pre", choice=("adopt", "defer")[n % 2], reason=f"because {n}"))
        if n % 120 == 0:
            held.act(GUS, Asked(text=f"Question {n}?"))
    return dump_record(held.events).encode()


RECORDS: dict[str, Callable[[], bytes]] = {
    "one document": one_document,
    "long turns": long_turns,
    "many events": many_events,
}


class Waits:
    """Polls `/healthz` and records the time of each answer."""

    def __init__(self, url: str) -> None:
        self._url = f"{url}/healthz"
        self._stop = threading.Event()
        self._took: list[float] = []
        self._asking = threading.Thread(target=self._ask, daemon=True)
        self._asking.start()

    def _ask(self) -> None:
        while not self._stop.wait(ASK_EACH_S):
            began = time.monotonic()
            with urllib.request.urlopen(self._url, timeout=MOST_WAIT_S) as answer:
                answer.read()
            self._took.append(time.monotonic() - began)

    @contextmanager
    def during(self, found: dict[str, dict[str, float]], step: str) -> Iterator[None]:
        """Record the longest wait within the block, the 99th percentile, and the duration of the block."""
        self._took, began = [], time.monotonic()
        yield
        time.sleep(0.5)
        took = sorted(self._took) or [0.0]
        found[step] = {
            "longest_ms": round(took[-1] * 1000),
            "p99_ms": round(took[len(took) * 99 // 100] * 1000),
            "took_s": round(time.monotonic() - began, 1),
        }

    def close(self) -> None:
        """Stop polling."""
        self._stop.set()
        self._asking.join()


def measure(page: Page, url: str, waits: Waits, file: Path) -> dict[str, dict[str, float]]:
    """Upload the record and open each page of it."""
    found: dict[str, dict[str, float]] = {}
    with waits.during(found, "nothing"):
        page.goto(url)
        page.get_by_text("Examples to watch, and files to open").click()
        time.sleep(3)
    with waits.during(found, "import"):
        page.locator("input[type=file]").first.set_input_files(file)
        page.get_by_text("The record is consistent").wait_for(timeout=MOST_WAIT_S * 1000)
    debate = json.loads(file.read_bytes().partition(b"\n")[0])["debate"]
    for name in ("room", "screen", "results", "record"):
        with waits.during(found, name):
            page.goto(f"{url}/{name}?id={debate}")
            _quiet(page)
    with waits.during(found, "home"):
        page.goto(url)
        _quiet(page)
    return found


def _quiet(page: Page) -> None:
    """Wait until the page is completely drawn."""
    page.wait_for_timeout(1_000)
    try:
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=MOST_WAIT_S * 1000)
    except Late:
        print("the page was not drawn in time", file=sys.stderr)
    page.wait_for_timeout(2_000)


def main() -> None:
    """Measure each record on a separate server."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", choices=RECORDS)
    only = parser.parse_args().only
    for name in [only] if only else RECORDS:
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            file, port = Path(folder) / "events.jsonl", free_port()
            file.write_bytes(RECORDS[name]())
            with server(Path(folder), port, Path(folder) / "said"):
                waits = Waits(f"http://127.0.0.1:{port}")
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                found = measure(browser.new_page(), f"http://127.0.0.1:{port}", waits, file)
                browser.close()
                waits.close()
            print(json.dumps({"file": name, "MB": round(file.stat().st_size / 1e6, 1), **found}), flush=True)


if __name__ == "__main__":
    main()
