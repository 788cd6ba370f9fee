"""First run with real keys: one short debate in each dialect with a key, for at most 0.05 USD in total.

Keys come only from the environment, models from the panel file (`DEBATE_PANELS`). In each dialect the cheapest model
debates; the remaining money is the limit of the next debate. Writes the record of each debate and the bodies of all
calls, without keys, into a folder. Exit status: 0 if every debate with a key has all its turns and a valid record, 1 if
not, 2 if no key is set. Importable only in a checkout.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path

import httpx2

from debate_core.engine import limits
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.errors import InvalidSpec
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.settings import read_panel_file, read_settings
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import dump_record
from debate_core.record.state import State
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.report.phrases.costs import cost_words
from debate_core.seats.model import model_fillers
from debate_core.seats.pricing import price_of_a_call
from debate_core.seats.prompts import digests
from debate_core.seats.providers.client import transport_to
from debate_core.seats.providers.dialects import wire_for
from debate_core.seats.providers.network import Network
from debate_core.seats.providers.redact import without_key
from debate_core.seats.providers.token_limits import ServerLimits
from debate_core.seats.providers.wire import Wire
from debate_core.spec.dialects import DIALECTS, VENDOR_DIALECTS
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.panels import PanelFile
from debate_core.spec.presets import EXPERT_PANEL, compose, synthesiser
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat, Source
from debate_core.text import plural

MOST_USD = Decimal("0.05")
"""Limit for all dialects together."""
MAX_TOKENS = 2_000
"""Maximum of one reply: each call reserves the maximum in advance."""
QUESTION = "Should the records of debates stay in one SQLite file, or move to a database server?"
OPTIONS = ("stay", "move")
SEATS = {"operations": "the operator of the program", "audit": "an auditor who checks a record years later"}
PASSED, FAILED, NO_KEY = 0, 1, 2


class _Copied(httpx2.AsyncByteStream):
    """A streamed reply that is also copied into a file."""

    def __init__(self, stream: httpx2.AsyncByteStream, path: Path, key: str) -> None:
        self._stream, self._path, self._key, self._got = stream, path, key, bytearray()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._got += piece
            yield piece

    async def aclose(self) -> None:
        self._path.write_text(without_key(self._got.decode("utf-8", "replace"), self._key), "utf-8")
        await self._stream.aclose()


class BodyFiles(httpx2.AsyncBaseTransport):
    """Writes the bodies of all calls into files, without headers and without the key."""

    def __init__(self, folder: Path, name: str, key: str, network: Network) -> None:
        self._folder, self._name, self._key, self._n_calls = folder, name, key, 0
        self._network = network
        self._inner: dict[str, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._n_calls += 1
        begins = f"{self._name}-{self._n_calls:02}"
        (self._folder / f"{begins}-sent.json").write_text(without_key(_indented(request.content), self._key), "utf-8")
        address = f"{request.url.scheme}://{request.url.host}"
        inner = self._inner.setdefault(address, transport_to(address, self._network))
        response = await inner.handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Copied(response.stream, self._folder / f"{begins}-got-{response.status_code}.txt", self._key)
        return response

    async def aclose(self) -> None:
        for inner in self._inner.values():
            await inner.aclose()


def _indented(body: bytes) -> str:
    return json.dumps(json.loads(body), indent=1, ensure_ascii=False) + "\n"


@dataclass
class Hosted:
    """The debates of one run of this module."""

    keys: Mapping[str, str]
    folder: Path
    deadline_s: float
    network: Network
    left_usd: Decimal = field(default=MOST_USD)

    def held(self, line: ModelLine) -> bool:
        """Hold one debate and print the result; False if a turn is missing or the record is invalid."""
        store, began_s = MemoryStore(), time.monotonic()
        store.append("hosted", open_debate(debate(line, self.left_usd), debate_id="hosted", at=now()), after=0)
        fillers = partial(
            model_fillers, keys=self.keys, deadline_s=self.deadline_s, network=self.network, make_wire=self._wire
        )
        state = asyncio.run(run("hosted", store, fillers, RunOptions(deadline_s=self.deadline_s)))
        took_s, events = time.monotonic() - began_s, store.load("hosted")
        # A call without a reply may have cost its whole reservation.
        self.left_usd -= Decimal(limits.spent(state).cost_usd or self.left_usd)
        (self.folder / f"{line.dialect}.jsonl").write_text(dump_record(events), "utf-8")
        problems = [*missing(state), *(f"its record: {problem}" for problem in verify(events))]
        print(f"{line.dialect}: {'passed' if not problems else 'FAILED'}, {figures(line, state, took_s)}", flush=True)
        for problem in problems:
            print(f"  {problem}")
        return not problems

    def _wire(self, line: ModelLine, key: str | None, limits: ServerLimits, network: Network) -> Wire:
        return wire_for(line, key, limits, transport=BodyFiles(self.folder, line.dialect, key or "", network))


def cheapest(file: PanelFile, dialect: Dialect, keys: Mapping[str, str]) -> ModelLine | None:
    """Return the cheapest model of this dialect with a key and a known price; None if there is none."""
    for lines in (_lines(file, dialect), _also(file, dialect)):
        can_be_asked = [line for line in lines if line.model and keys.get(line.key_env)]
        priced = [(price, line) for line in can_be_asked if (price := price_of_a_call(line)) is not None]
        if priced:
            return min(priced, key=lambda found: found[0])[1]
    return None


def _lines(file: PanelFile, dialect: Dialect) -> Sequence[ModelLine]:
    return [line for line in file.lines if line.dialect == dialect]


def _key_names(lines: Sequence[ModelLine]) -> list[str]:
    return sorted({line.key_env for line in lines if line.key_env})


def _also(file: PanelFile, dialect: Dialect) -> Sequence[ModelLine]:
    """Return models of vendors that also support this dialect, although the panel file uses another one."""
    at_vendors = [f for f in file.lines if not f.base_url and dialect in VENDOR_DIALECTS.get(f.provider, ())]
    return [f.model_copy(update={"dialect": dialect, "max_key": "max_completion_tokens"}) for f in at_vendors]


def debate(line: ModelLine, limit_usd: Decimal) -> Spec:
    """Build a debate of at most five turns by this model, with a source worth caching."""
    line = line.model_copy(update={"max_tokens": min(line.max_tokens, MAX_TOKENS)})
    limited = EXPERT_PANEL.model_copy(update={"stop": (Ceiling(usd=f"{limit_usd:f}"), *EXPERT_PANEL.stop)})
    seats = [Seat(id=name, persona=f"You look at it as {who}.", model=line.id) for name, who in SEATS.items()]
    seats.append(synthesiser("model").model_copy(update={"model": line.id}))
    _, _, record = Path("docs/architecture.md").read_text("utf-8").partition("## The record")
    source = Source(id="E1", title="How records are kept", text=record.partition("\n## ")[0].strip())
    return compose(
        *(QUESTION, OPTIONS, limited, seats), sources=[source], max_rounds=2, models=[line], templates=digests()
    )


def missing(state: State) -> list[str]:
    """List what is wrong with this debate, one sentence each."""
    said = [f"turn {turn.request}: {turn.message or turn.status}" for turn in state.all_turns() if turn.status != "ok"]
    if state.paused is not None:
        said.append(f"it waits: {state.paused}")
    if state.outcome is None or state.outcome.status == "truncated":
        said.append("it did not come to its end")
    return said


def figures(line: ModelLine, state: State, took_s: float) -> str:
    """`claude-small: 5 of 5 turns valid, 0 attempts lost, 2,048 of 9,000 tokens from a cache, 0.003 USD, 21 s`."""
    turns, used = state.all_turns(), used_in(usage_rows(state))
    known = used.known()
    parts = (
        f"{sum(turn.status == 'ok' for turn in turns)} of {len(turns)} turns valid",
        f"{plural(used.failed_attempts, 'attempt')} lost",
        f"{known.cached_tokens:,} of {known.input_tokens:,} tokens from a cache",
        cost_words(used),
        f"{took_s:.0f} s",
    )
    return f"{line.model}: {', '.join(parts)}"


def hold_all(folder: Path, environ: Mapping[str, str]) -> int:
    """Hold the possible debates, cheapest first, and report the others; returns the exit status."""
    # Ignore the secrets file: only keys in the environment may spend money.
    settings = read_settings(environ=environ, secrets=Path(os.devnull))
    if settings.offline:
        raise InvalidSpec("no model may be asked: SWARM_MOCK is set")
    file = read_panel_file(settings)
    found = {dialect: cheapest(file, dialect, settings.keys) for dialect in DIALECTS}
    lines = sorted(filter(None, found.values()), key=lambda line: price_of_a_call(line) or 0)
    if not lines:
        names = ", ".join(_key_names(file.lines))
        print(f"no key is set in the environment, so no debate was held: set one of {names}")
        return NO_KEY
    folder.mkdir(parents=True, exist_ok=True)
    hosted = Hosted(settings.keys, folder, settings.turn_deadline_s, settings.network)
    passed = [hosted.held(line) for line in lines]
    for dialect, line in found.items():
        if line is None:
            _say_not_run(file, dialect)
    print(f"{MOST_USD - hosted.left_usd:f} of at most {MOST_USD} USD; bodies and records are in {folder}")
    return PASSED if all(passed) else FAILED


def _say_not_run(file: PanelFile, dialect: Dialect) -> None:
    names = " or ".join(_key_names(_lines(file, dialect)))
    print(f"{dialect}: not run, for want of a key: {names or 'the panel file has no line with one'}")


def main() -> int:
    """Run the debates; returns the exit status."""
    parser = argparse.ArgumentParser(description="One short debate in each dialect for which a key is set.")
    parser.add_argument(
        "--to", type=Path, default=Path("hosted"), metavar="FOLDER", help="folder of the bodies and records"
    )
    try:
        return hold_all(parser.parse_args().to, os.environ)
    except InvalidSpec as error:
        print(error)
        return NO_KEY


if __name__ == "__main__":
    sys.exit(main())
