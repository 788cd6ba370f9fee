"""Who answers for the seats of a debate: scripts, the evidence panel and models, and what a model may cost us.

A model is asked only in debates that this installation opened itself, at addresses it allows, with keys that stay
here: a record from elsewhere can name any address. Knows no screen.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from debate_core.errors import InvalidSpec
from debate_core.host import origin
from debate_core.host.server_board import StoreBoard
from debate_core.host.settings import Settings, read_panel_file
from debate_core.host.stores import Store
from debate_core.record.state import State
from debate_core.seats import Filler, fillers_for
from debate_core.seats.model import model_fillers, unfillable
from debate_core.seats.probe import probe
from debate_core.seats.probe_advice import Probe
from debate_core.seats.scripted import read_script
from debate_core.seats.server_queue import Servers
from debate_core.seats.wires.dialects import server_models
from debate_core.seats.wires.network import DIRECT, Network
from debate_core.seats.wires.wire import Offer
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import PanelFile
from debate_core.spec.presets.baselines import read_baselines
from debate_core.spec.protocol import Spec
from debate_core.spec.values import BaselineName

LOOK_DEADLINE_S = 30.0
"""How long a look at a server's models may take."""


@dataclass(frozen=True, slots=True)
class Access:
    """Which models this process may ask: lines of its panel file, servers it allows, keys it was given.

    `probe` and `server_models` are for threads without a running loop.
    """

    panels: PanelFile = field(default_factory=PanelFile)
    base_urls: tuple[str, ...] = ()
    """Allowed beside the addresses in the panel file."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    turn_deadline_s: float = 120
    servers: Servers = field(default_factory=Servers, compare=False)
    """The queues before their servers, shared by all debates of this process, or of all who share a board."""
    network: Network = field(default=DIRECT, repr=False)
    """The proxy and the certificate authorities of calls."""

    def refuse_address(self, line: ModelLine) -> None:
        """InvalidSpec if this server is not configured to ask there, or to send that key there."""
        if any(_asks_the_same_server(line, known) for known in self.panels.lines):
            return
        if line.base_url not in self.base_urls or line.key_env:
            raise InvalidSpec(
                "this server is not set up to ask {model} at {base_url}: whoever runs it can add the "
                "line to the panel file, or the address to DEBATE_BASE_URLS",
                model=line.model or line.id,
                base_url=line.base_url or Sentence("its vendor"),
            )

    def probe(self, line: ModelLine) -> Probe:
        """One short turn on a model; each call may take as long as a turn. InvalidSpec if it may not be asked."""
        self.refuse_address(line)
        key = self.keys.get(line.key_env)
        return asyncio.run(probe(line, key, deadline_s=self.turn_deadline_s, network=self.network))

    def server_models(self, line: ModelLine) -> tuple[Offer, ...]:
        """The models that a server offers. SeatError says why it does not answer, InvalidSpec that it may not."""
        self.refuse_address(line)
        key = self.keys.get(line.key_env)
        return asyncio.run(server_models(line, key, deadline_s=LOOK_DEADLINE_S, network=self.network))


def _asks_the_same_server(line: ModelLine, known: ModelLine) -> bool:
    return (line.base_url, line.key_env, line.dialect) == (known.base_url, known.key_env, known.dialect)


def access_of(settings: Settings, store: Store) -> Access:
    """What the settings allow, no model at all if none may be asked; all who share `store` keep the limits together."""
    if settings.offline:
        return Access(turn_deadline_s=settings.turn_deadline_s)
    return Access(
        read_panel_file(settings),
        settings.base_urls,
        settings.keys,
        settings.turn_deadline_s,
        Servers(StoreBoard(store)),
        settings.network,
    )


def refuse_empty_seats(spec: Spec, fillers: Mapping[str, Filler], keys: Mapping[str, str]) -> None:
    """InvalidSpec in one sentence if a seat of no person has nobody to fill it."""
    models = unfillable(spec, keys)
    if models:
        raise InvalidSpec(models[0])
    empty = [s.id for s in spec.seats if s.occupant != "human" and s.id not in fillers]
    if empty:
        raise InvalidSpec(
            "nobody can sit in {empty}: choose people, the evidence panel, a model or a script", empty=", ".join(empty)
        )


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """How this installation fills the seats of a debate; kept in notes beside the record."""

    script_text: str | None = None
    pace_cps: int = 0
    opened_here: bool = True
    """False for a record from elsewhere: no model is asked on its behalf."""
    baselines: tuple[BaselineName, ...] = ()
    """What is asked without a debate once it is over."""

    def keep(self, store: Store, debate_id: str) -> None:
        """Before the first event: a debate that was opened can always go on after a crash."""
        if self.script_text is not None:
            store.put_note("script", debate_id, self.script_text)
        store.put_note("pace", debate_id, str(self.pace_cps))
        if self.baselines:
            store.put_note("baselines", debate_id, ",".join(self.baselines))
        origin.keep_own(store, debate_id)


def seat_setup_of(store: Store, debate_id: str) -> SeatSetup:
    """The seat setup of a debate; an imported one has no notes."""
    script = store.note("script", debate_id)
    pace = store.note("pace", debate_id)
    wished = store.note("baselines", debate_id)
    return SeatSetup(
        script, int(pace or "0"), origin.is_own(store, debate_id), read_baselines(wished) if wished else ()
    )


def fillers_of(state: State, setup: SeatSetup, access: Access) -> Mapping[str, Filler]:
    """Seat id -> filler, as far as this installation has one; every other seat waits for a person.

    Without its script a scripted seat waits instead of failing: the record of a rehearsal may have come alone.
    """
    script = read_script(setup.script_text) if setup.script_text is not None else None
    fillers = fillers_for(state, script=script, pace_cps=setup.pace_cps)
    if script is None:
        scripted = {seat.id for seat in state.spec.seats if seat.occupant == "scripted"}
        fillers = {seat: filler for seat, filler in fillers.items() if seat not in scripted}
    has_models = any(seat.is_model for seat in state.spec.seats)
    if setup.opened_here and has_models:
        fillers |= model_fillers(
            state,
            access.keys,
            deadline_s=access.turn_deadline_s,
            servers=access.servers,
            network=access.network,
        )
    return fillers
