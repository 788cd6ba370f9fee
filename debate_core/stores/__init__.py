"""Append-only event stores. One interface, the same questions asked of each in tests/contracts.

A store keeps events, the lease of the one runner a debate may have, and loose papers (drafts, scripts) that are
no part of any record. It knows no rules. Called by the runner, the host and the command line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from debate_core.events import Event


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run one debate. `fence` grows with every new holder; an append with an older one is refused."""

    debate: str
    owner: str
    fence: int


class Store(Protocol):
    """Synchronous and thread-safe; every append is one transaction and durable when it returns."""

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        """Events with seq > after, in order. UnknownDebate if there is no such debate."""

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        """Add events after version `after`. Conflict if the version moved or a key exists; Leased if fenced off."""

    def debates(self) -> tuple[str, ...]:
        """Ids of all debates, latest opened first."""

    def acquire(self, debate_id: str, owner: str, *, ttl_s: float) -> Lease:
        """Become the runner. Leased if another living owner holds it; an expired or dead owner is taken over."""

    def renew(self, lease: Lease, *, ttl_s: float) -> None:
        """Hold it for longer. Leased if it was taken over."""

    def release(self, lease: Lease) -> None:
        """Give it back; no error if it was taken over."""

    def put_paper(self, kind: str, name: str, text: str) -> None:
        """Keep or replace a loose paper (kind: draft, script, setup)."""

    def paper(self, kind: str, name: str) -> str | None:
        """The paper of this kind and name, or None."""

    def papers(self, kind: str) -> tuple[tuple[str, str], ...]:
        """(name, text) of every paper of a kind, latest first."""

    def drop_paper(self, kind: str, name: str) -> None:
        """Forget a paper; no error if there is none."""

    def close(self) -> None:
        """Let go of files and connections."""
