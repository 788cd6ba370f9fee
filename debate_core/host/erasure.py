"""Removes a person's name from a finished debate: a rewritten record replaces the former one.

The former record stays in the append-only store and in exported files; no page, list or link leads to it. Knows no
screen.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from debate_core.engine import engine, erasure, rights
from debate_core.errors import Conflict, RuleViolation
from debate_core.host import kept_values, origin
from debate_core.host.matches import match_id, matches_of
from debate_core.host.random_ids import debate_id_from
from debate_core.host.signatures import Signatures
from debate_core.host.stores import Store
from debate_core.names import is_same_name
from debate_core.record.acts import Replaced
from debate_core.record.commands import Act
from debate_core.record.events import DebateOpened, Event, Predecessor, utc_text
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.protocol import read


@dataclass(frozen=True, slots=True)
class Wish:
    """The name to remove, who asks for it (an account or the operator), and why."""

    name: str
    by: str
    reason: str


def erase_name(store: Store, signatures: Signatures, debate_id: str, wish: Wish, *, at: datetime) -> erasure.Erased:
    """Replace a debate, and its matches, by records without this name. InvalidSpec or RuleViolation in one sentence.

    The caller checks permission. Repeat the call to finish an interrupted erasure.
    """
    kept = store.load(debate_id)
    half_way = isinstance(kept[-1].body, Replaced) and not origin.replaced_by(store, debate_id)
    events = kept[:-1] if half_way else kept
    state = replay(events)
    if state.ownership.replaced_by:
        raise RuleViolation(rights.REPLACED)
    # Derived from the head, so that a repeated call makes the same id; not from the name, which could be guessed from
    # it.
    successor = debate_id_from(hashlib.sha256(state.head.encode()).digest())
    act = read(Replaced, {"by_debate": successor, "reason": wish.reason, "who": wish.by})
    replaced = engine.submit(state, Act(by=rights.HOST, act=act), at=at)
    predecessor = Predecessor(debate=debate_id, head=state.head, by=wish.by, reason=wish.reason, at=utc_text(at))
    *matches, erased = _rewritten(store, state, events, wish.name, predecessor=predecessor, successor=successor)
    if not half_way:
        # First: a record that grew meanwhile raises Conflict and loses nothing, and the name is hidden from now on.
        store.append(debate_id, replaced, after=state.version)
        signatures.written(replaced)
    kept_values.forget(store, [debate_id, *(_former(match) for match in matches)])
    for match in matches:
        # A conflict means that an interrupted erasure has written it.
        with suppress(Conflict):
            _keep(store, signatures, match)
    _keep(store, signatures, erased)
    _rename_invites(store, debate_id, wish.name)
    # Last: these notes complete the erasure.
    for one in (*matches, erased):
        origin.keep_replaced(store, _former(one), one.events[0].debate)
    return replace(erased, left=erased.left + sum(match.left for match in matches))


def _rewritten(
    store: Store, state: State, events: Sequence[Event], name: str, *, predecessor: Predecessor, successor: str
) -> list[erasure.Erased]:
    """The records without this name: those of the matches, then that of the debate itself."""
    names = erasure.names_of(state, events, name)
    matches = matches_of(store, state)
    turns = {match_id(state.debate, turn): turn for turn in state.compared}
    new_ids = {match[0].debate: match_id(successor, turns[match[0].debate]) for match in matches}
    new_ids[state.debate] = successor
    found = []
    for record in (*matches, events):
        former = record[0].debate
        made_from = predecessor.model_copy(update={"debate": former, "head": record[-1].hash})
        found.append(
            erasure.without_names(record, names, debate_id=new_ids[former], predecessor=made_from, others=new_ids)
        )
    return found


def _rename_invites(store: Store, debate_id: str, name: str) -> None:
    """Links keep their person, so that people find the debate again; only the name goes."""
    kind = f"invite/{debate_id}"
    for invite_id, text in store.notes(kind).items():
        invite = json.loads(text)
        if is_same_name(str(invite.get("name", "")), name):
            store.put_note(kind, invite_id, json.dumps({**invite, "name": erasure.NOBODY}))


def _keep(store: Store, signatures: Signatures, erased: erasure.Erased) -> None:
    """Store and sign a rewritten record, with the origin of the former one."""
    debate_id = erased.events[0].debate
    origin.keep_as(store, _former(erased), debate_id, len(erased.events))
    store.append(debate_id, erased.events, after=0)
    signatures.written(erased.events)


def _former(erased: erasure.Erased) -> str:
    opened = erased.events[0].body
    assert isinstance(opened, DebateOpened)
    assert opened.successor_of is not None
    return opened.successor_of.debate
