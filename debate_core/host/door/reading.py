"""Which debates somebody may look at: one rule for pages, lists, files, routes and live sockets.

What they see of a debate that they may look at is not said here: roles, seals and blindness do that.
"""

from dataclasses import dataclass

from debate_core.host.door.hosting import Caller
from debate_core.record.ownership import Ownership
from debate_core.record.state import State
from debate_core.spec.protocol import Spec


@dataclass(frozen=True, slots=True)
class Looker:
    """Whoever looks, whoever they are in a debate. `account`: as whom they are logged in; empty = they are not."""

    standing: Caller
    account: str = ""

    @property
    def is_operator(self) -> bool:
        """True for whoever sits at the machine itself and is nobody in particular: they could read the database."""
        return self.standing == "machine" and not self.account


OPERATOR = Looker("machine")
STRANGER = Looker("stranger")


def is_for_hosts(spec: Spec, *, imported: bool) -> bool:
    """True for a debate that every host finds, if nobody owns it.

    A record from a file is one: whoever brought it has read it, and its people have no links here.
    """
    return imported or spec.terms.readers == "hosts"


def is_owner(ownership: Ownership, looker: Looker) -> bool:
    """True for the owner; of a debate that belongs to the server, for every host."""
    if ownership.owner:
        return looker.is_operator or looker.account == ownership.owner
    return looker.standing != "stranger"


def finds(ownership: Ownership, looker: Looker, *, for_hosts: bool) -> bool:
    """True if they find it in a list without being in it. `for_hosts` as in `is_for_hosts`.

    What somebody owns is found by them, and by whoever logs in where it was opened to the organisation; what belongs
    to the server, by every host.
    """
    if ownership.replaced_by:
        return False
    if looker.is_operator:
        return True
    if ownership.owner:
        return bool(looker.account) and (looker.account == ownership.owner or ownership.shared)
    return looker.standing != "stranger" and for_hosts


def may_look(state: State, looker: Looker, *, is_in: bool, has_link: bool, imported: bool) -> bool:
    """True for who finds it in a list, for who is in the debate, and for those that its people agreed on.

    `is_in`: a person of the debate, or its projector. `has_link`: the browser has opened the link to its results.
    """
    if state.ownership.replaced_by:
        return False
    if is_in or finds(state.ownership, looker, for_hosts=is_for_hosts(state.spec, imported=imported)):
        return True
    return has_link and state.spec.terms.readers == "link" and state.outcome is not None
