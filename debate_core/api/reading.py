"""The debates that a token reads, and what it reads of them: as the pages show them to a reader without a part.

The rules are those of `host.access.reading` for the maker of the token. Knows no route.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from debate_core.api.answers import DebateDetail, DebateSummary
from debate_core.errors import UnknownDebate
from debate_core.host.access.tokens import ApiToken
from debate_core.host.debate_list import DebateRow
from debate_core.host.host import Host
from debate_core.host.withheld import why_withheld
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.joint_errors import JointErrors
from debate_core.report.phrases.who_decided import decided_sentence


@dataclass(frozen=True, slots=True)
class TokenReader:
    """The debates of a host for one token."""

    host: Host
    token: ApiToken

    def rows(self) -> tuple[DebateRow, ...]:
        """The debates of the list that this token reads, latest opened first."""
        found = self.host.debates_for({}, self.token.looker)
        named = self.named()
        return tuple(row for row in found if named is None or row.id in named)

    def debate(self, debate_id: str) -> str:
        """The id of this debate, or of the one whose record replaces it. UnknownDebate if the token does not read it.

        A debate of others and a missing one are the same.
        """
        now = self.host.stands_for(debate_id)
        if not self.reads(now):
            raise UnknownDebate("the token does not read {debate_id}", debate_id=debate_id)
        return now

    def reads(self, debate_id: str) -> bool:
        """True if the token reads this debate now. UnknownDebate if it does not exist."""
        named = self.named()
        return (named is None or debate_id in named) and self.host.may_look(debate_id, {}, self.token.looker)

    def is_valid(self, debate_id: str) -> bool:
        """True if the token is still valid and still reads this debate, for a stream that is open."""
        return self.host.door.tokens.is_valid(self.token) and self.reads(debate_id)

    def account(self, debate_id: str) -> Account:
        """The debate as a reader of its files sees it."""
        state = self.host.state(debate_id)
        # The record may have grown meanwhile.
        events = self.host.events(debate_id)[: state.version]
        version = _AccountOf(debate_id, state.head, state, events)
        is_unknown = self.host.is_origin_unknown(debate_id)
        return _account(version, origin_unknown=is_unknown, joint_errors=self.host.joint_errors(state))

    def detail(self, debate_id: str) -> DebateDetail:
        """A debate with its options, and its outcome unless that is withheld."""
        row = self.host.row(debate_id)
        debate = self.account(debate_id)
        state = debate.recorded
        why = self.withheld(debate)
        is_readable = state.outcome is not None and not why
        outcome = decided_sentence(debate) if is_readable else None
        head = None if why else state.head
        return DebateDetail(
            **summary(row).model_dump(),
            options=state.spec.options,
            context=state.spec.context,
            waiting_for=row.waiting_for,
            closed_at=state.closed_at or None,
            outcome=outcome,
            head=head,
            withheld=why or None,
        )

    def withheld(self, debate: Account) -> str:
        """The reason why no plain reader may have the record now, in one sentence; empty if it can be read.

        The same as for the record page and for downloads.
        """
        return why_withheld(debate, imported=self.host.is_imported(debate.recorded.debate))

    def named(self) -> frozenset[str] | None:
        """The debates that the token names, or their successors; None = all."""
        return frozenset(self._present_ids()) if self.token.debates else None

    def _present_ids(self) -> Iterator[str]:
        for debate_id in self.token.debates:
            yield self.host.stands_for(debate_id)


def summary(row: DebateRow) -> DebateSummary:
    """A row of the list; without the result while judges are at work."""
    sign_off = row.sign_off
    standing, since = sign_off.standing, sign_off.since
    if row.awaits_judges:
        standing, since = "open", ""
    return DebateSummary(
        id=row.id,
        question=row.question,
        protocol=row.protocol,
        status=_status(row),
        standing=standing,
        since=since,
        decision=row.decided_option,
        step_if_undecided=row.step_if_undecided,
        signed=bool(sign_off.signed),
        round=row.round,
        max_rounds=row.max_rounds,
        opened_at=row.opened_at,
        moved_at=row.moved_at,
        events=row.version,
        rehearsal=row.rehearsal,
        archived=row.ownership.archived,
        origin_unknown=row.origin_unknown,
        transcript_of=row.held_elsewhere.file if row.held_elsewhere else None,
    )


def _status(row: DebateRow) -> str:
    """The status with the vote of people and the signature: decided exactly if `decision` names an option."""
    if row.awaits_judges or row.sign_off.waits_for in ("vote", "changes"):
        return "over"
    if row.is_over and row.decided_option:
        return "decided"
    return "undecided" if row.status == "decided" else row.status


@dataclass(frozen=True, slots=True)
class _AccountOf:
    """A state as a cache key: the hash of its last event identifies it."""

    debate: str
    head: str
    state: State = field(compare=False)
    events: tuple[Event, ...] = field(compare=False)


@lru_cache(maxsize=32)
def _account(version: _AccountOf, *, origin_unknown: bool, joint_errors: JointErrors | None) -> Account:
    return account(version.state, version.events, origin_unknown=origin_unknown, joint_errors=joint_errors)
