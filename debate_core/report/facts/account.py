"""Everything a debate says, in one value: each part is derived when it is first read, and once.

Words, files, figures and screens are drawn from this; what is sealed from its reader is not in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from debate_core.record.events import Event
from debate_core.record.state import State


@dataclass(frozen=True)
class Account:
    """One debate at one version."""

    state: State
    events: tuple[Event, ...]


def account(state: State, events: Iterable[Event] = ()) -> Account:
    """The account of a debate; without its events nothing is known of what people did when."""
    return Account(state, tuple(events))
