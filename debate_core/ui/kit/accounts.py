"""What a debate says, as the people at the screens may read it: one account per version and reader, which they share.

Not Streamlit's own cache: finding an account there costs as much as drawing what it says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from debate_core.language import Language, current
from debate_core.record.state import State
from debate_core.report.facts.account import PUBLIC, Account, Reader, account
from debate_core.ui.kit import session


@dataclass(frozen=True, slots=True)
class _AccountKey:
    """A state as a key: the hash of its last event says all that it holds."""

    debate: str
    head: str
    state: State = field(compare=False)


@lru_cache(maxsize=128)
def _account(version: _AccountKey, reader: Reader, language: Language, *, origin_unknown: bool) -> Account:  # noqa: ARG001
    state = version.state
    # The record may have grown since.
    events = session.host().events(state.debate)[: state.version]
    return account(state, events, reader, origin_unknown=origin_unknown)


def _read_by(state: State, reader: Reader) -> Account:
    version = _AccountKey(state.debate, state.head, state)
    return _account(version, reader, current(), origin_unknown=session.host().is_origin_unknown(state.debate))


def of_reader(state: State, holds: Iterable[str]) -> Account:
    """The debate as whoever gives the turns of these seats may read it on a screen."""
    reader = Reader(tuple(holds), sees_counts_of_open_phases=False)
    return _read_by(state, reader)


def mine(state: State) -> Account:
    """The debate as I may read it."""
    return of_reader(state, session.me(state).answers_for)


def public(account: Account) -> Account:
    """The same debate as its files tell it."""
    return _read_by(account.recorded, PUBLIC)
