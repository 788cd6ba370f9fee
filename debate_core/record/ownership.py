"""To whom a debate belongs and what they did with it: the fold of its owner's acts. Part of the State of a debate.

Trusts legal histories and knows no rules; `engine.rights` says who may, `host.door.reading` who may look. Lists read it
from a few events, without the record between them.
"""

import dataclasses
from dataclasses import dataclass
from typing import assert_never

from debate_core.record.acts import Archived, HandedOver, Owning, Replaced, Shared
from debate_core.record.events import DebateOpened


@dataclass(frozen=True, slots=True)
class Ownership:
    """As it stands now. `owner` is an account; empty = it belongs to the server, and so to all who host there."""

    owner: str = ""
    shared: bool = False
    """All who log in with the organisation may read it."""
    archived: bool = False
    replaced_by: str = ""
    """The debate that stands for this one, which nobody reads any more."""
    n_acts: int = 0

    def next_key(self) -> str:
        """The key of the next act: of two at once the second is refused, and a list finds them one by one."""
        return f"owned:{self.n_acts + 1}"


NOBODY = Ownership()
"""It belongs to the server."""


def at_opening(opened: DebateOpened) -> Ownership:
    """As it was agreed at the start."""
    return Ownership(owner=opened.owner or "", shared=bool(opened.shared))


def after_act(ownership: Ownership, act: Owning) -> Ownership:
    """After one more act."""
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
