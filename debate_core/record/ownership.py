"""Ownership of a debate: the fold of its owner's acts, part of the State.

Trusts legal histories and knows no rules; `engine.rights` checks acts, `host.door.reading` checks readers. Lists
derive it from a few events without the rest of the record.
"""

import dataclasses
from dataclasses import dataclass
from typing import assert_never

from debate_core.record.acts import Archived, HandedOver, Owning, Replaced, Shared
from debate_core.record.events import DebateOpened


@dataclass(frozen=True, slots=True)
class Ownership:
    """The current ownership. `owner` is an account; "" = the server, and so everyone who hosts there."""

    owner: str = ""
    shared: bool = False
    """Everyone in the organisation may read it."""
    archived: bool = False
    replaced_by: str = ""
    """The id of the debate that replaces this one."""
    n_acts: int = 0

    def next_key(self) -> str:
        """The key of the next act: of two concurrent acts the second is refused, and lists can read them by key."""
        return f"owned:{self.n_acts + 1}"


NOBODY = Ownership()
"""The server owns the debate."""


def at_opening(opened: DebateOpened) -> Ownership:
    """The ownership agreed at the start."""
    return Ownership(owner=opened.owner or "", shared=bool(opened.shared))


def after_act(ownership: Ownership, act: Owning) -> Ownership:
    """The ownership after one more act."""
    n_acts = ownership.n_acts + 1
    match act:
        case HandedOver():
            return dataclasses.replace(ownership, n_acts=n_acts, owner=act.to or "")
        case Shared():
            return dataclasses.replace(ownership, n_acts=n_acts, shared=act.shared)
        case Archived():
            return dataclasses.replace(ownership, n_acts=n_acts, archived=act.archived)
        case Replaced():
            return dataclasses.replace(ownership, n_acts=n_acts, replaced_by=act.by_debate)
        case _:
            assert_never(act)
