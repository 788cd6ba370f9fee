"""Counts for tests that begin with ballots and not with a debate."""

from collections.abc import Sequence

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.profile import Profile, margins
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, ballot_kind
from debate_core.spec.values import BallotKind


def count(
    rule: CountedRule,
    options: Sequence[str],
    cast: Sequence[BallotCounted],
    *,
    eligible: Sequence[int],
    seed: int = 0,
    kind: BallotKind | None = None,
    drivers: tuple[Driver, ...] = (),
) -> Result:
    """The result of these ballots; `eligible` has the weights of who cast them, then of everybody else."""
    silent = {f"silent {n}": weight for n, weight in enumerate(eligible[len(cast) :])}
    kind = kind or ballot_kind(rule)
    return Count("test", rule, kind, tuple(options), tuple(cast), silent, seed=seed, drivers=drivers).result()


def condorcet_winner(profile: Profile) -> str | None:
    """The option that a majority of those who distinguish puts above each other one."""
    pairs = margins(profile)
    beats_all = (a for a in profile.options if all(pairs[a, b] > 0 for b in profile.options if b != a))
    return next(beats_all, None)
