"""Decides which debates a viewer may look at: one rule for pages, lists, files, routes and live sockets.

Roles, seals and blindness decide what a viewer sees inside a debate; this module does not know them.
"""

from dataclasses import dataclass

from debate_core.host.access.hosting import Caller
from debate_core.record.ownership import Ownership
from debate_core.record.state import State
from debate_core.spec.protocol import Spec


@dataclass(frozen=True, slots=True)
class Looker:
    """A viewer, apart from any debate. `account`: the login; empty = not logged in."""

    standing: Caller
    account: str = ""

    @property
    def is_operator(self) -> bool:
        """True at the machine itself without a login: this viewer could read the database, too."""
        return self.standing == "machine" and not self.account


OPERATOR = Looker("machine")
STRANGER = Looker("stranger")


def is_for_hosts(spec: Spec, *, imported: bool) -> bool:
    """True if every host finds the debate, when no one owns it.

    Always for an imported record: its importer has read it, and its people have no links here.
    """
    return imported or spec.terms.readers == "hosts"


def is_owner(ownership: Ownership, looker: Looker) -> bool:
    """True for the owner; for every host if the debate belongs to the server."""
    if ownership.owner:
        return looker.is_operator or looker.account == ownership.owner
    return looker.standing != "stranger"


def finds(ownership: Ownership, looker: Looker, *, for_hosts: bool) -> bool:
    """True if the viewer finds the debate in a list without taking part. `for_hosts` as in `is_for_hosts`.

    An owned debate is found by its owner and, if it is shared, by every account; one of the server by every host.
    """
    if ownership.replaced_by:
        return False
    if looker.is_operator:
        return True
    if ownership.owner:
        return bool(looker.account) and (looker.account == ownership.owner or ownership.shared)
    return looker.standing != "stranger" and for_hosts


def may_look(state: State, looker: Looker, *, is_in: bool, has_link: bool, imported: bool) -> bool:
    """True if the viewer finds the debate in a list, takes part, or is among the agreed readers.

    `is_in`: a person of the debate, or its projector. `has_link`: the browser has opened the link to its results.
    """
    if state.ownership.replaced_by:
        return False
    if is_in or finds(state.ownership, looker, for_hosts=is_for_hosts(state.spec, imported=imported)):
        return True
    return has_link and state.spec.terms.readers == "link" and state.outcome is not None


def is_open_here(state: State) -> bool:
    """True if everyone who hosts here, or has an account, finds the debate: a shared channel may then name it."""
    if state.ownership.owner:
        return state.ownership.shared
    return is_for_hosts(state.spec, imported=False)
