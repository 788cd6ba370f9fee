"""Takes the name of a person out of a debate that is over: another record stands for it from now on.

The former record stays in the store, which forgets nothing, and in whatever files others have of it; no page, list or
link leads to it. Knows no screen.
"""

import base64
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from debate_core.engine import engine, erasure, rights
from debate_core.errors import RuleViolation
from debate_core.host import origin
from debate_core.host.signatures import Signatures
from debate_core.host.stores import Store
from debate_core.names import is_same_name
from debate_core.record.acts import Replaced
from debate_core.record.commands import Act
from debate_core.record.events import Predecessor, utc_text
from debate_core.record.fold import replay
from debate_core.spec.protocol import read


@dataclass(frozen=True, slots=True)
class Wish:
    """Whose name is to be taken out, who asks for it (an account, or whoever runs the server), and why."""

    name: str
    by: str
    reason: str


def erase_name(store: Store, signatures: Signatures, debate_id: str, wish: Wish, *, at: datetime) -> erasure.Erased:
    """Put a record without this name in the place of a debate. InvalidSpec or RuleViolation in one sentence.

    Who may ask for it is not asked here. What broke off half way is finished when it is asked for again.
    """
    kept = store.load(debate_id)
    half_way = isinstance(kept[-1].body, Replaced) and not origin.replaced_by(store, debate_id)
    events = kept[:-1] if half_way else kept
    state = replay(events)
    if state.ownership.replaced_by:
        raise RuleViolation(rights.REPLACED)
    # Drawn from the head: whoever asks again makes the same one. Not from the name, which could be guessed from it.
    drawn = hashlib.sha256(state.head.encode()).digest()
    successor = "d-" + base64.b32encode(drawn).decode().lower()[:10]
    act = read(Replaced, {"by_debate": successor, "reason": wish.reason, "who": wish.by})
    replaced = engine.submit(state, Act(by=rights.HOST, act=act), at=at)
    predecessor = Predecessor(debate=debate_id, head=state.head, by=wish.by, reason=wish.reason, at=utc_text(at))
    erased = erasure.without_name(events, wish.name, debate_id=successor, predecessor=predecessor)
    if not half_way:
        # First of all: if the record has grown meanwhile nothing of that is lost, and nobody reads the name any more.
        store.append(debate_id, replaced, after=state.version)
        signatures.written(replaced)
    origin.keep_as(store, debate_id, successor, len(erased.events))
    store.append(successor, erased.events, after=0)
    signatures.written(erased.events)
    _rename_invites(store, debate_id, wish.name)
    # Last: with this note it is done.
    origin.keep_replaced(store, debate_id, successor)
    return erased


def _rename_invites(store: Store, debate_id: str, name: str) -> None:
    """Links keep who they were for: without them nobody finds back into the debate."""
    kind = f"invite/{debate_id}"
    for invite_id, text in store.notes(kind).items():
        invite = json.loads(text)
        if is_same_name(str(invite.get("name", "")), name):
            store.put_note(kind, invite_id, json.dumps({**invite, "name": erasure.NOBODY}))
