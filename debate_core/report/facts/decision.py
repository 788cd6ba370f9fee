"""The decision: the count, the signature, dissents, and the recorded outcome.

The count and the signature are two separate values; neither changes the other.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Literal

from debate_core.engine.stage import (
    Final,
    WaitsFor,
    changes_asked,
    decider_words,
    final_decision,
    known_as,
    present,
    signature,
    waits_for,
)
from debate_core.language import Words
from debate_core.record.acts import (
    Assumption,
    AssumptionBroken,
    Dissented,
    OutcomeRecorded,
    OutcomeResult,
    PollRevealed,
    Reversibility,
    Signed,
)
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.spec.people import RoomRole
from debate_core.spec.values import Role

Since = Literal["", "challenged", "held", "revised", "reversed"]
"""The known fate of a decision: a broken assumption, or the outcome that people recorded; empty = unknown."""
RecordStatus = Literal["proposed", "accepted", "rejected", "deprecated"]
SignatureVerdict = Literal["accept", "accept_with_changes", "reject", "escalate"]
VERDICTS: Mapping[SignatureVerdict, str] = Words(
    {
        "accept": "accepted",
        "accept_with_changes": "accepted with changes",
        "reject": "rejected",
        "escalate": "escalated",
    }
)
"""Words for the verdict of a signature."""
REVERSIBILITIES: Words[Reversibility] = Words({"two-way-door": "easy to reverse", "one-way-door": "hard to reverse"})
DISSENTS: Words[Literal["dissent", "objection"]] = Words({"dissent": "Dissent", "objection": "Objection"})
RESULTS: Words[OutcomeResult] = Words(
    {"held": "held", "revised": "revised", "reversed": "reversed", "unknown": "unknown"}
)
"""Words for the recorded outcome of a decision."""


@dataclass(frozen=True, slots=True)
class Who:
    """The author of an act: id in the record, name, and role at that time if the debate has a room."""

    id: str
    name: str
    role: RoomRole | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature; `counted` is the counted option at that time."""

    word: Signed
    by: Who
    at: str
    seq: int
    counted: str | None

    @property
    def differs(self) -> bool:
        """True if the approver accepted another option than the counted one."""
        return self.word.verdict.startswith("accept") and self.word.option != self.counted


@dataclass(frozen=True, slots=True)
class Dissent:
    """A dissent or objection, verbatim; `by` is None if recorded anonymously."""

    kind: Literal["dissent", "objection"]
    text: str
    by: Who | None
    at: str


@dataclass(frozen=True, slots=True)
class Later:
    """A recorded outcome of the decision."""

    result: OutcomeResult
    option: str | None
    reason: str
    by: Who
    at: str
    seq: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """A broken assumption of the signature in force; `seq` is the number of the event."""

    assumption: Assumption
    reason: str
    at: str
    seq: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The counted and the signed decision, with dissents and outcomes."""

    counted: str | None
    """The option that was counted, or named by the deciding seat; None = no option."""
    counted_by: Literal["debaters", "panel", "room"]
    seat_role: Role | None
    """Role of the seat that decides by naming an option; None if votes are counted."""
    pending: bool
    """True until the deciding count is made and revealed."""
    ties: tuple[str, ...]
    signed: Signature | None
    earlier: tuple[Signature, ...]
    """Signatures replaced by a later one, in order."""
    dissents: tuple[Dissent, ...]
    later: tuple[Later, ...]
    changes_asked: str = ""
    """Changes required before the decision is signed again; empty if none."""
    challenges: tuple[Challenge, ...] = ()
    """Broken assumptions since the latest signature and the latest recorded outcome."""
    waits_for: WaitsFor = ""
    """The missing act; empty while the debate is running."""
    at: str = ""
    """Time of the decision in force: of its signature, else of the reveal of the deciding vote, else of the end of the
    debate (UTC text); empty before."""

    @property
    def decider(self) -> str:
        """`the count`, or `the judge` if that seat decides."""
        return decider_words(self.seat_role)

    @property
    def option(self) -> str | None:
        """The option in force: the signed one, else the counted one; None after reject and escalate."""
        return self.signed.word.option if self.signed else self.counted

    @property
    def latest_outcome(self) -> Later | None:
        """The latest outcome that people recorded since the signature in force; None without one."""
        signed = self.signed.seq if self.signed else 0
        return self.later[-1] if self.later and self.later[-1].seq > signed else None

    @property
    def since(self) -> Since:
        """The known fate of the decision since its signature, or since its count without one."""
        if self.challenges:
            return "challenged"
        latest = self.latest_outcome
        return "" if latest is None or latest.result == "unknown" else latest.result

    @property
    def review(self) -> str:
        """The note on the review that is still to come; empty without an option, and once an outcome was recorded."""
        if self.signed is None or self.signed.word.option is None or self.latest_outcome is not None:
            return ""
        return self.signed.word.revisit.strip()

    @property
    def status(self) -> RecordStatus:
        """Proposed until it is signed; an escalated decision and one with changes required stay proposed.

        Deprecated if people recorded that it was reversed.
        """
        if self.signed is None or self.signed.word.verdict == "escalate" or self.changes_asked:
            return "proposed"
        if self.since == "reversed":
            return "deprecated"
        return "rejected" if self.signed.word.verdict == "reject" else "accepted"


def who(state: State, done: Done[Signed] | Done[Dissented] | Done[OutcomeRecorded]) -> Who:
    """The author of an act, with the role held at that time; without a room the record has the name itself."""
    person = state.room.people.get(done.by)
    if person is None:
        return Who(done.by, done.by)
    return Who(done.by, person.name, known_as(state, done.by, before=done.seq)[-1].role)


def decision_of(state: State) -> Decision:
    final = final_decision(state)
    signatures = tuple(
        Signature(done.fact, who(state, done), done.at, done.seq, final.option) for done in state.room.of(Signed)
    )
    dissents = []
    for dissent in state.room.of(Dissented):
        by = who(state, dissent) if dissent.fact.named else None
        dissents.append(Dissent(dissent.fact.kind, dissent.fact.text, by, dissent.at))
    outcomes = []
    for done in state.room.of(OutcomeRecorded):
        fact = done.fact
        outcomes.append(Later(fact.result, fact.option, fact.reason, who(state, done), done.at, done.seq))
    missing: WaitsFor = ""
    if state.outcome is not None:
        missing = waits_for(state.spec, state.outcome, final, signature(state))
    return Decision(
        counted=final.option,
        counted_by=final.by,
        seat_role=final.seat_role,
        pending=final.pending,
        ties=final.ties,
        signed=signatures[-1] if signatures else None,
        earlier=signatures[:-1],
        dissents=tuple(dissents),
        later=tuple(outcomes),
        changes_asked=changes_asked(state),
        challenges=_challenges(state),
        waits_for=missing,
        at=_decided_at(state, final),
    )


def _decided_at(state: State, final: Final) -> str:
    if signed := state.room.of(Signed):
        return signed[-1].at
    if final.pending:
        return ""
    revealed = [done.at for done in state.room.of(PollRevealed) if done.fact.poll == "final"]
    return revealed[0] if revealed and final.by != "debaters" else state.closed_at


def _challenges(state: State) -> tuple[Challenge, ...]:
    """A new signature and a recorded outcome both answer a challenge."""
    broken = state.room.of(AssumptionBroken)
    if not broken:
        return ()
    signed = state.room.of(Signed)[-1]
    answered = max((done.seq for done in state.room.of(OutcomeRecorded)), default=0)
    return tuple(
        Challenge(signed.fact.assumptions[done.fact.assumption - 1], done.fact.reason, done.at, done.seq)
        for done in broken
        if done.fact.signature == signed.seq and done.seq > answered
    )


def approvers(state: State) -> tuple[str, ...]:
    """Names of people with the right to sign."""
    return tuple(p.name for p in present(state) if p.role == "approver")


_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
"""`2027-03-01`."""


def review_date(revisit: str) -> date | None:
    """The first date in this note on the next review; None for a note without a date."""
    dates = []
    for match in _DATE.finditer(revisit):
        with suppress(ValueError):
            dates.append(date(*map(int, match.groups())))
    return min(dates, default=None)


def date_has_come(revisit: str, today: date) -> bool:
    """True if a date in this note on the next review has come; a note without a date never comes due."""
    first = review_date(revisit)
    return first is not None and first <= today
