"""Cached accounts of a debate, one for each version and kind of reader, shared by all screens.

Streamlit's own cache is not used: a look-up there costs as much as drawing the account.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from debate_core.language import Language, current
from debate_core.record.state import State
from debate_core.report.facts.account import PUBLIC, Account, Reader, account
from debate_core.report.facts.joint_errors import JointErrors
from debate_core.ui.kit import session


@dataclass(frozen=True, slots=True)
class _AccountKey:
    """A state as a cache key: the hash of its last event identifies it."""

    debate: str
    head: str
    state: State = field(compare=False)


@lru_cache(maxsize=128)
def _account(
    version: _AccountKey,
    reader: Reader,
    language: Language,  # noqa: ARG001
    *,
    origin_unknown: bool,
    joint_errors: JointErrors | None,
) -> Account:
    state, host = version.state, session.host()
    # The record may have grown meanwhile.
    events = host.events(state.debate)[: state.version]
    return account(state, events, reader, origin_unknown=origin_unknown, joint_errors=joint_errors, compare=host.looks)


def _read_by(state: State, reader: Reader) -> Account:
    version = _AccountKey(state.debate, state.head, state)
    host = session.host()
    is_unknown = host.is_origin_unknown(state.debate)
    return _account(version, reader, current(), origin_unknown=is_unknown, joint_errors=host.joint_errors(state))


def of_reader(state: State, holds: Iterable[str]) -> Account:
    """Return the account for a person who gives the turns of these seats."""
    # In one order, so that the page and the live socket share an account.
    reader = Reader(tuple(sorted(holds)), sees_counts_of_open_phases=False)
    return _read_by(state, reader)


def mine(state: State) -> Account:
    """Return the account for the person at this browser."""
    return of_reader(state, session.me(state).answers_for)


def public(account: Account) -> Account:
    """Return the account that the exported files use."""
    return _read_by(account.recorded, PUBLIC)
