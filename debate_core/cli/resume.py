"""`resume`: continues a debate of a database where its record ends."""

from argparse import Namespace
from contextlib import closing

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.models import limits_of
from debate_core.cli.run import OPERATOR, hold
from debate_core.cli.terminal import say
from debate_core.engine import stage
from debate_core.engine.audit import refuse_broken
from debate_core.errors import InvalidSpec
from debate_core.host import runner
from debate_core.host.fillers import SeatSetup, seat_setup_of
from debate_core.host.matches import refuse_commands_to_match
from debate_core.host.settings import Settings
from debate_core.host.signatures import Signatures
from debate_core.host.stores import open_store
from debate_core.record.commands import RaiseLimit, Resume
from debate_core.record.events import utc_text
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.seats.model import unfillable
from debate_core.seats.prompts import changed
from debate_core.spec.protocol import read
from debate_core.spec.rules import Ceiling


def resume(flags: Namespace, settings: Settings) -> int:
    """Continue a debate where its record ends. Leased if another runner holds it."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        signatures = Signatures(store, settings.signing_key)
        events = store.load(flags.debate_id)
        refuse_broken(events, f"debate {flags.debate_id}")
        state = replay(events)
        refuse_commands_to_match(state)
        setup = seat_setup_of(store, state.debate)
        if settings.offline:
            setup = SeatSetup(setup.script_text, setup.pace_cps, opened_here=False)
        for sentence in _list_silent_models(state, setup, settings):
            say(sentence)
        if command := _first_command(state, flags):
            submitted(store, settings, state, command)
        return hold(store, state.debate, setup, signatures, settings, flags, out=None)


def _first_command(state: State, flags: Namespace) -> RaiseLimit | Resume | None:
    """The command that lets the debate continue, if one is needed. The runner ends an expired wait itself."""
    limits = limits_of(flags)
    if flags.give_up and not stage.unreached(state):
        raise InvalidSpec("--give-up is for a debate that waits for seats out of reach; this one does not")
    if flags.give_up and limits:
        raise InvalidSpec(
            "--give-up and a new limit are separate acts in the record: resume with one, then with the other"
        )
    if state.outcome is not None or stage.waited_too_long(state, at=utc_text(runner.now())):
        return None
    if limits:
        return RaiseLimit(by=OPERATOR, to=read(Ceiling, limits), reason="raised at the terminal")
    if state.limit_met is not None:
        raise InvalidSpec(
            f"{state.paused}: raise it with --budget-usd, --max-calls, --max-tokens or --max-seconds, or end the "
            "debate in the app"
        )
    if state.paused is None:
        return None
    return Resume(by=OPERATOR, reason="resumed at the terminal", gives_up=flags.give_up)


def _list_silent_models(state: State, setup: SeatSetup, settings: Settings) -> tuple[str, ...]:
    """Reasons why models will not speak, or with other prompts than the recorded ones."""
    spec = state.spec
    seats = ", ".join(seat.id for seat in spec.seats_with("model"))
    if not seats or state.outcome:
        return ()
    if settings.offline:
        return (f"no model is asked (SWARM_MOCK): {seats} wait for people",)
    if not setup.opened_here:
        return (f"this debate was not opened here, so its models are not asked: {seats} wait for people",)
    reasons = list(unfillable(spec, settings.keys))
    if prompts := changed(spec.templates):
        reasons.append(f"the prompts {', '.join(prompts)} have changed since this debate was opened")
    return tuple(reasons)
