"""Cached accounts of a debate, one for each version and kind of reader, shared by all screens.

Streamlit's own cache is not used: a look-up there costs as much as drawing the account.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from debate_core.host.debate_reader import DebateReader
from debate_core.language import Language, current
from debate_core.record.state import State
from debate_core.report.facts.account import PUBLIC, Account, Reader, account
from debate_core.report.facts.joint_errors import JointErrors
from debate_core.ui.kit import session


@dataclass(frozen=True, slots=True)
class _AccountKey:
    """A state of a host as a cache key: the hash of its last event identifies it."""

    debate: str
    head: str
    state: State = field(compare=False)
    host: DebateReader = field(compare=False)


@lru_cache(maxsize=128)
def _account(
    version: _AccountKey,
    reader: Reader,
    language: Language,  # noqa: ARG001
    *,
    origin_unknown: bool,
    joint_errors: JointErrors | None,
) -> Account:
    state, host = version.state, version.host
    # The record may have grown meanwhile.
    events = host.events(state.debate)[: state.version]
    return account(state, events, reader, origin_unknown=origin_unknown, joint_errors=joint_errors, compare=host.looks)


def _read_by(host: DebateReader, state: State, reader: Reader) -> Account:
    version = _AccountKey(state.debate, state.head, state, host)
    is_unknown, errors = facts_beside_record(host, state)
    return _account(version, reader, current(), origin_unknown=is_unknown, joint_errors=errors)


def facts_beside_record(host: DebateReader, state: State) -> tuple[bool, JointErrors | None]:
    """Return what an account has from outside of the record: whether its origin is unknown, and joint errors."""
    return host.is_origin_unknown(state.debate), host.joint_errors(state)


def of_reader(host: DebateReader, state: State, holds: Iterable[str]) -> Account:
    """Return the account of a host's debate for a person who gives the turns of these seats."""
    # In one order, so that the page and the live socket share an account.
    reader = Reader(tuple(sorted(holds)), sees_counts_of_open_phases=False)
    return _read_by(host, state, reader)


def mine(state: State) -> Account:
    """Return the account for the person at this browser."""
    return at_page(state, session.me(state).answers_for)


def at_page(state: State, holds: Iterable[str]) -> Account:
    """Return the same as `of_reader` from the host of the page."""
    return of_reader(session.host(), state, holds)


def public(account: Account) -> Account:
    """Return the account that the exported files of the page use."""
    return _read_by(session.host(), account.recorded, PUBLIC)
