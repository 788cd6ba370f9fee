"""Finds the fillers of a debate's seats: scripts, the evidence panel and models.

A model is asked only in debates opened on this installation, at allowed addresses and with local keys: an imported
record can name any address. Knows no screen.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from debate_core.errors import InvalidSpec
from debate_core.host import origin
from debate_core.host.mcp_tools import NO_TOOLS, McpTools, read_mcp_tools
from debate_core.host.server_health import StoreBoard
from debate_core.host.settings import Settings, read_panel_file
from debate_core.host.stores import Store
from debate_core.record.state import State
from debate_core.seats import Filler, fillers_for
from debate_core.seats.model import model_fillers, unfillable
from debate_core.seats.probe import probe
from debate_core.seats.probe_advice import Probe
from debate_core.seats.providers.dialects import server_models
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.seats.providers.wire import Offer
from debate_core.seats.scripted import read_script
from debate_core.seats.server_queue import Servers
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import PanelFile
from debate_core.spec.presets.baselines import read_baselines
from debate_core.spec.protocol import Spec
from debate_core.spec.values import BaselineName

LOOK_DEADLINE_S = 30.0
"""Time limit for listing a server's models."""


@dataclass(frozen=True, slots=True)
class Access:
    """The models that this process may ask: lines of its panel file, allowed servers, its keys.

    `probe` and `server_models` are for threads without a running loop.
    """

    panels: PanelFile = field(default_factory=PanelFile)
    base_urls: tuple[str, ...] = ()
    """Allowed in addition to the addresses in the panel file."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    turn_deadline_s: float = 120
    servers: Servers = field(default_factory=Servers, compare=False)
    """The queues of servers, shared by all debates of this process, or by all processes with a shared board."""
    network: Network = field(default=DIRECT, repr=False)
    """Proxy and certificate authorities."""
    mcp: McpTools = NO_TOOLS
    """The tools of MCP servers that seats may call."""

    def refuse_address(self, line: ModelLine) -> None:
        """Raise InvalidSpec if this server may not ask at this address, or not with this key."""
        server = (line.base_url, line.key_env, line.dialect)
        if server in [(known.base_url, known.key_env, known.dialect) for known in self.panels.lines]:
            return
        if line.base_url not in self.base_urls or line.key_env:
            raise InvalidSpec(
                "this server is not set up to ask {model} at {base_url}: its operator can add the "
                "line to the panel file, or the address to DEBATE_BASE_URLS",
                model=line.model or line.id,
                base_url=line.base_url or Sentence("its vendor"),
            )

    def probe(self, line: ModelLine) -> Probe:
        """Ask a model for one short turn; each call may take as long as a turn. InvalidSpec if it is not allowed."""
        self.refuse_address(line)
        key = self.keys.get(line.key_env)
        return asyncio.run(probe(line, key, deadline_s=self.turn_deadline_s, network=self.network))

    def server_models(self, line: ModelLine) -> tuple[Offer, ...]:
        """List the models of a server. SeatError if it does not answer, InvalidSpec if it is not allowed."""
        self.refuse_address(line)
        key = self.keys.get(line.key_env)
        return asyncio.run(server_models(line, key, deadline_s=LOOK_DEADLINE_S, network=self.network))


def access_of(settings: Settings, store: Store) -> Access:
    """The models that the settings allow, none if offline; processes that share `store` share the limits."""
    if settings.offline:
        return Access(turn_deadline_s=settings.turn_deadline_s)
    return Access(
        read_panel_file(settings),
        settings.base_urls,
        settings.keys,
        settings.turn_deadline_s,
        Servers(StoreBoard(store)),
        settings.network,
        read_mcp_tools(settings),
    )


def refuse_empty_seats(spec: Spec, fillers: Mapping[str, Filler], keys: Mapping[str, str]) -> None:
    """Raise InvalidSpec if a seat other than a person's has no filler."""
    models = unfillable(spec, keys)
    if models:
        raise InvalidSpec(models[0])
    empty = [s.id for s in spec.seats if s.occupant != "human" and s.id not in fillers]
    if empty:
        raise InvalidSpec(
            "there is no occupant for {empty}: choose people, the evidence panel, a model or a script",
            empty=", ".join(empty),
        )


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """The seat setup of a debate on this installation; kept in notes beside the record."""

    script_text: str | None = None
    pace_cps: int = 0
    opened_here: bool = True
    """False for an imported record: its models are not asked."""
    baselines: tuple[BaselineName, ...] = ()
    """Baselines to ask after the end."""

    def keep(self, store: Store, debate_id: str) -> None:
        """Keep it before the first event, so that an opened debate survives a crash."""
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
    names = store.note("baselines", debate_id)
    baselines = read_baselines(names) if names else ()
    return SeatSetup(script, int(pace or "0"), origin.is_own(store, debate_id), baselines)


def fillers_of(state: State, setup: SeatSetup, access: Access) -> Mapping[str, Filler]:
    """Fillers by seat id, as far as this installation has one; other seats wait for people.

    A scripted seat without its script waits, too: the record of a rehearsal may have been imported alone.
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
            ask_tool=access.mcp.ask,
        )
    return fillers
