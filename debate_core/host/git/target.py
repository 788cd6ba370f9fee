"""The git repository for decisions, and the server of its pull requests; values only, without a call of git."""

from dataclasses import dataclass, field

from debate_core.seats.providers.network import DIRECT, Network


@dataclass(frozen=True, slots=True)
class GitTarget:
    """A repository, and the server at which pull requests for it are opened."""

    repository: str
    """A folder, or an address. Empty = none is set."""
    token: str = field(default="", repr=False)
    api: str = ""
    """REST interface of the server; empty = derived from the address."""
    network: Network = field(default=DIRECT, repr=False)


NO_TARGET = GitTarget("")
