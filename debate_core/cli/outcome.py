"""`outcome`: records in a database how a decision turned out. `metrics` reads it.

The engine checks permission; this module finds the name to use.
"""

from argparse import Namespace
from contextlib import closing

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.terminal import answer
from debate_core.engine.audit import refuse_broken
from debate_core.engine.rights import MAY
from debate_core.engine.stage import present
from debate_core.errors import InvalidSpec
from debate_core.host.settings import Settings
from debate_core.host.stores import open_store
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.commands import Act
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.protocol import read
from debate_core.text import line

OPERATOR = "the operator"
"""The default name; no seat can have it."""


def record(flags: Namespace, settings: Settings) -> int:
    """Record it as an act of a person; 0. InvalidSpec or RuleViolation in one sentence changes nothing."""
    if not flags.reason.strip():
        raise InvalidSpec("--reason is empty: say how you know how the decision turned out")
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        events = store.load(flags.debate_id)
        refuse_broken(events, f"the record of {flags.debate_id}")
        state = replay(events)
        by = _find_recorder(state, flags.by)
        fields = {"result": flags.result, "option": flags.right, "reason": flags.reason}
        act = read(OutcomeRecorded, fields)
        new = submitted(store, settings, state, Act(by=by, act=act))
    right = f", right was {line(act.option)}" if act.option else ""
    words = f"recorded: {line(state.spec.question)}: {act.result}{right}\n"
    answer(flags, {"debate_id": state.debate, **fields, "by": by, "at": new[0].at}, words)
    return 0


def _names_of_permitted(state: State) -> dict[str, str]:
    return {person.id: line(person.name) for person in present(state) if person.role in MAY[OutcomeRecorded]}


def _find_recorder(state: State, named: str | None) -> str:
    """The id or name to record: a permitted person if people have roles, else any name."""
    if not state.spec.has_people:
        return named or OPERATOR
    names = _names_of_permitted(state)
    if named is None and len(names) == 1:
        return next(iter(names))
    known = ", ".join(f"{person_id} ({name})" for person_id, name in names.items()) or "no one in the room"
    if named is None:
        raise InvalidSpec(f"say who records it with --by ID: {known}")
    if named not in names:
        raise InvalidSpec(f"--by {named[:60]!r} may not record it: {known} may")
    return named
