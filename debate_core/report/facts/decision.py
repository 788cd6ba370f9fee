"""The decision of record: what the count says, what the approver signed, who dissented, what became of it later.

The count and the signature are two values that stand side by side; neither changes the other.
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
from debate_core.record.acts import Dissented, OutcomeRecorded, OutcomeResult, Signed
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.spec.people import RoomRole
from debate_core.spec.values import Role

RecordStatus = Literal["proposed", "accepted", "rejected"]
SignatureVerdict = Literal["accept", "accept_with_changes", "reject", "escalate"]
VERDICTS: Mapping[SignatureVerdict, str] = Words(
    {
        "accept": "accepted",
        "accept_with_changes": "accepted with changes",
        "reject": "rejected",
        "escalate": "escalated",
    }
)
"""What a signature says."""
DISSENTS: Words[Literal["dissent", "objection"]] = Words({"dissent": "Dissent", "objection": "Objection"})
RESULTS: Words[OutcomeResult] = Words(
    {"held": "held", "revised": "revised", "reversed": "reversed", "unknown": "unknown"}
)
"""What became of a decision."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who acted: the id that the record has, their name, and where the debate has a room their role then."""

    id: str
    name: str
    role: RoomRole | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature; `counted` is what the count said when it was given, and stays so."""

    word: Signed
    by: Who
    at: str
    seq: int
    counted: str | None

    @property
    def differs(self) -> bool:
        """True if the approver accepted another option than the count names."""
        return self.word.verdict.startswith("accept") and self.word.option != self.counted


@dataclass(frozen=True, slots=True)
class Dissent:
    """A dissent or objection, word for word; `by` None if it is recorded without a name."""

    kind: Literal["dissent", "objection"]
    text: str
    by: Who | None
    at: str


@dataclass(frozen=True, slots=True)
class Later:
    """What somebody recorded of how the decision turned out."""

    result: OutcomeResult
    option: str | None
    reason: str
    by: Who
    at: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything that was decided and said about it."""

    counted: str | None
    """What was counted, or named by the seat that decides; None = nothing."""
    counted_by: Literal["debaters", "panel", "room"]
    seat_role: Role | None
    """Who decides by naming an option, where no votes are counted."""
    pending: bool
    """True as long as the count that decides has not been made, or is sealed."""
    ties: tuple[str, ...]
    signed: Signature | None
    earlier: tuple[Signature, ...]
    """Signatures that a later one replaced, in order."""
    dissents: tuple[Dissent, ...]
    later: tuple[Later, ...]
    changes_asked: str = ""
    """What has to be changed before the decision is signed again; empty if nothing is."""
    waits_for: WaitsFor = ""
    """The word that is missing; empty while the debate goes on."""

    @property
    def decider(self) -> str:
        """`the count`, or `the judge` where that seat decides."""
        return decider_words(self.seat_role)

    @property
    def option(self) -> str | None:
        """What holds now: the option that was signed, else the counted one; None after reject and escalate."""
        return self.signed.word.option if self.signed else self.counted

    @property
    def status(self) -> RecordStatus:
        """Proposed until somebody signs; what was escalated, or has to be changed first, is still proposed."""
        if self.signed is None or self.signed.word.verdict == "escalate" or self.changes_asked:
            return "proposed"
        return "rejected" if self.signed.word.verdict == "reject" else "accepted"


def who(state: State, done: Done[Signed] | Done[Dissented] | Done[OutcomeRecorded]) -> Who:
    """The person behind an act; without a room the record has the name itself. A role taken later changes nothing."""
    person = state.room.people.get(done.by)
    if person is None:
        return Who(done.by, done.by)
    return Who(done.by, person.name, known_as(state, done.by, before=done.seq)[-1].role)


def decision_of(state: State) -> Decision:
    """The decision as it stands."""
    final = final_decision(state)
    signatures = tuple(_signature(state, done, final.option) for done in state.room.of(Signed))
    dissents = tuple(_dissent(state, done) for done in state.room.of(Dissented))
    return Decision(
        counted=final.option,
        counted_by=final.by,
        seat_role=final.seat_role,
        pending=final.pending,
        ties=final.ties,
        signed=signatures[-1] if signatures else None,
        earlier=signatures[:-1],
        dissents=dissents,
        later=tuple(_later(state, done) for done in state.room.of(OutcomeRecorded)),
        changes_asked=changes_asked(state),
        waits_for=_waits_for(state, final),
    )


def _waits_for(state: State, final: Final) -> WaitsFor:
    if state.outcome is None:
        return ""
    return waits_for(state.spec, state.outcome, final, signature(state))


def _signature(state: State, done: Done[Signed], counted: str | None) -> Signature:
    return Signature(done.fact, who(state, done), done.at, done.seq, counted)


def _later(state: State, done: Done[OutcomeRecorded]) -> Later:
    return Later(done.fact.result, done.fact.option, done.fact.reason, who(state, done), done.at)


def _dissent(state: State, done: Done[Dissented]) -> Dissent:
    by = who(state, done) if done.fact.named else None
    return Dissent(done.fact.kind, done.fact.text, by, done.at)


def approvers(state: State) -> tuple[str, ...]:
    """Names of those who may sign, where the debate has a room."""
    return tuple(p.name for p in present(state) if p.role == "approver")


_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
"""`2027-03-01`."""


def date_has_come(revisit: str, today: date) -> bool:
    """True if a date of this note on when to look again has come; notes without a date are never due by themselves."""
    for match in _DATE.finditer(revisit):
        with suppress(ValueError):
            if date(*map(int, match.groups())) <= today:
                return True
    return False
