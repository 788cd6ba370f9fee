"""Which debates somebody may look at: one rule for pages, lists, files, routes and live sockets.

What they see of a debate that they may look at is not said here: roles, seals and blindness do that.
"""

from debate_core.host.door.hosting import Caller
from debate_core.record.state import State
from debate_core.spec.protocol import Spec


def is_listed(spec: Spec, *, imported: bool) -> bool:
    """True for a debate that every host finds and may look at.

    A record from a file is one: whoever brought it has read it, and its people have no links here.
    """
    return imported or spec.terms.readers == "hosts"


def may_look(state: State, standing: Caller, *, is_in: bool, has_link: bool, imported: bool) -> bool:
    """True for the machine itself, for who is in the debate, and for those that its people agreed on.

    `is_in`: a person of the debate, or its projector. `has_link`: the browser has opened the link to its results.
    """
    if standing == "machine" or is_in:
        return True
    if standing == "host" and is_listed(state.spec, imported=imported):
        return True
    return has_link and state.spec.terms.readers == "link" and state.outcome is not None
