"""Debates and rehearsals as rows of a list, and the pending signature of a finished debate.

A finished debate is read from its opening, its end and the few events after it, so that long lists stay fast.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Literal, get_args

from debate_core.engine.engine import requests
from debate_core.engine.judge_view import still_judging
from debate_core.engine.stage import (
    WaitsFor,
    final_of,
    sitting,
    unreached,
    waits_as_agreed,
    waits_for,
    why_it_waits,
)
from debate_core.errors import UnknownDebate
from debate_core.host.access.reading import is_for_hosts
from debate_core.host.debate_cache import DebateCaches
from debate_core.host.fillers import SeatSetup, seat_setup_of
from debate_core.host.kept_values import KeptValues, ValueKind
from debate_core.host.origin import all_vouched, is_imported, vouched_by
from debate_core.host.stores import Store
from debate_core.record.acts import AssumptionBroken, OutcomeRecorded, Owning, PollClosed, PollRevealed, Signed
from debate_core.record.events import Closed, DebateOpened, Event, Predecessor
from debate_core.record.fold import replay
from debate_core.record.ownership import NOBODY, Ownership, after_act, at_opening
from debate_core.record.state import State
from debate_core.report.facts.decision import Since
from debate_core.report.facts.track_record import WhyUncounted, why_left_out
from debate_core.report.facts.who_decided import DecisionState, is_against_count, standing_of
from debate_core.spec.people import PollResult
from debate_core.spec.protocol import Spec
from debate_core.spec.values import HeldElsewhere, Outcome, Seat, Status

PausedFor = Literal["", "limit", "unreached", "people"]
ENDED = frozenset(get_args(Status))
"""The statuses of a debate that has an outcome."""


@dataclass(frozen=True, slots=True)
class SignOff:
    """Signatures on a decision so far, and whose is missing. `option` is the current decision, None = nothing."""

    waits_for: WaitsFor = ""
    signed: Literal["", "accept", "accept_with_changes", "reject", "escalate"] = ""
    option: str | None = None
    revisit: str = ""
    """Review date, as signed; empty after someone recorded the actual result."""
    since: Since = ""
    """The known fate of the decision since the latest signature, or since its count without one."""
    standing: DecisionState = "open"
    against_count: bool = False
    """True if the signature names another option than the count elected, or rejects it."""
    at: str = field(default="", compare=False)
    """Time of the signature, else of the reveal of the vote that decides; empty without them."""


@dataclass(frozen=True, slots=True)
class DebateRow:
    """One debate in a list. `status`: running, waiting, paused, lobby, prevote, held, or that of the outcome."""

    id: str
    question: str
    options: tuple[str, ...]
    protocol: str
    status: str
    decision: str | None
    """The current decision: as signed, else as counted, else by the rule for an undecided debate."""
    round: int
    max_rounds: int
    opened_at: str
    rehearsal: bool
    waiting_for: tuple[str, ...]
    """Seats with an open request, none in a blind room; with status waiting, all of them need a person."""
    sign_off: SignOff = SignOff()
    origin_unknown: bool = False
    """True for an imported record without a checked signature."""
    version: int = 0
    """Number of events in its record."""
    for_hosts: bool = True
    """False if only its people find it in a list."""
    ownership: Ownership = NOBODY
    former: tuple[str, ...] = ()
    """Debates that its record replaces, latest first."""
    awaits_judges: bool = False
    """True if it is over and judges are still at work: they must not see the result."""
    practice: bool = False
    """True for a practice debate for judges."""
    is_match: bool = False
    """True for a comparison of a tournament of this installation, which is found through its tournament."""
    held_elsewhere: HeldElsewhere | None = None
    """The transcript from which its record was made."""
    has_people: bool = False
    """True for a debate with a room."""
    moved_at: str = ""
    """Time of its last event."""
    closed_at: str = ""
    """Time of its end; empty while it goes on."""
    has_known_outcome: bool = False
    """True if someone recorded the actual result."""
    paused_for: PausedFor = ""
    """With status paused, what would resume it: a higher limit, reachable models, or people."""

    @property
    def decided_at(self) -> str:
        """Time of the decision in force; empty before it."""
        return self.sign_off.at or self.closed_at

    @property
    def is_over(self) -> bool:
        """True if the debate has an outcome."""
        return self.status in ENDED

    def why_left_out(self, *, with_rehearsals: bool = False) -> WhyUncounted | None:
        """Reason for leaving this finished debate out of figures over many; None if it counts."""
        return why_left_out(
            rehearsal=self.rehearsal and not with_rehearsals,
            origin_unknown=self.origin_unknown,
            still_judged=self.awaits_judges,
            held_elsewhere=self.held_elsewhere is not None,
        )

    @property
    def is_open_here(self) -> bool:
        """True if everyone who hosts here, or has an account, finds the debate."""
        return self.ownership.shared if self.ownership.owner else self.for_hosts

    @property
    def decided_option(self) -> str | None:
        """The option in force; None while none is decided, changes to it are not signed, or judges are at work."""
        is_open = self.awaits_judges or self.sign_off.waits_for == "changes"
        return None if is_open else self.sign_off.option

    @property
    def step_if_undecided(self) -> str | None:
        """The agreed step of a debate that is over and decided no option, until someone signs; None for others."""
        is_settled = self.awaits_judges or self.sign_off.signed or self.sign_off.option is not None
        return None if is_settled else self.decision


@dataclass(frozen=True, slots=True)
class RehearsalRow:
    """A rehearsal included in the program."""

    name: str
    title: str
    summary: str


def matching_rows(rows: Iterable[DebateRow], search: str) -> tuple[DebateRow, ...]:
    """Debates whose question, options or decision contain every word of the search."""
    words = search.casefold().split()
    if not words:
        return tuple(rows)
    found = []
    for row in rows:
        text = "\n".join((row.question, *row.options, row.decision or "")).casefold()
        if all(word in text for word in words):
            found.append(row)
    return tuple(found)


ROWS = ValueKind("row", DebateRow, rules="4")


def _names_no_erased_person(row: DebateRow) -> bool:
    return not row.ownership.replaced_by


class DebateList:
    """The debates of one store. A row is derived only when its record grew or its signatures were checked."""

    def __init__(self, store: Store, caches: DebateCaches) -> None:
        self._store = store
        self._caches = caches
        self._kept = KeptValues(store, ROWS, keeps=_names_no_erased_person)

    def rows(self) -> tuple[DebateRow, ...]:
        """Every debate, latest opened first; unreadable records are left out and logged."""
        versions, vouched = self._store.versions(), all_vouched(self._store)
        marks = {name: f"{version} vouched" if name in vouched else str(version) for name, version in versions.items()}
        rows = self._kept.of(marks, lambda debate_id: replace(self._load_row(debate_id), version=versions[debate_id]))
        return tuple(sorted(rows.values(), key=attrgetter("opened_at"), reverse=True))

    def _load_row(self, debate_id: str) -> DebateRow:
        opening = self._store.find(debate_id, "open")
        end = self._store.find(debate_id, "closed")
        if opening is None or not isinstance(opening.body, DebateOpened):
            raise UnknownDebate("{debate_id} has no beginning", debate_id=debate_id)
        if end is not None and isinstance(end.body, Closed):
            later = self._store.load(debate_id, after=end.seq)
            row = replace(_make_ended_row(opening, opening.body, end.body.outcome, later), closed_at=end.at)
            moved_at = later[-1].at if later else end.at
        else:
            cache = self._caches.of(debate_id)
            cache.look()
            row = _make_open_row(opening, cache.state, seat_setup_of(self._store, debate_id))
            moved_at = cache.events()[-1].at
        imported = is_imported(self._store, debate_id)
        spec = opening.body.spec
        return replace(
            row,
            origin_unknown=imported and not vouched_by(self._store, debate_id),
            for_hosts=is_for_hosts(spec, imported=imported),
            ownership=_load_ownership(self._store, debate_id, opening.body),
            former=former_debates(self._store, opening.body.successor_of),
            awaits_judges=self._awaits_judges(spec, end, imported=imported),
            is_match=spec.match_of is not None and not imported,
            moved_at=moved_at,
        )

    def _awaits_judges(self, spec: Spec, end: Event | None, *, imported: bool) -> bool:
        if end is None or imported or not spec.has_people:
            return False
        return bool(still_judging(replay(self._store.load(end.debate))))


def _load_ownership(store: Store, debate_id: str, opened: DebateOpened) -> Ownership:
    # One lookup per act of an owner: most debates have none.
    ownership = at_opening(opened)
    while (done := store.find(debate_id, ownership.next_key())) and isinstance(done.body, Owning):
        ownership = after_act(ownership, done.body)
    return ownership


def former_debates(store: Store, predecessor: Predecessor | None) -> tuple[str, ...]:
    """The debates that a record replaces, latest first, up to the first that was deleted."""
    former = list[str]()
    while predecessor is not None:
        former.append(predecessor.debate)
        before = store.find(predecessor.debate, "open")
        if before is None or not isinstance(before.body, DebateOpened):
            break
        predecessor = before.body.successor_of
    return tuple(former)


def _make_open_row(opening: Event, state: State, setup: SeatSetup) -> DebateRow:
    spec = state.spec
    asked = [spec.seat(request.seat) for request in requests(state)]
    status = _open_status(state, asked, setup)
    # Everyone reads this list, including readers of aliases: do not reveal which seat is asked.
    is_blind = spec.terms.blind == "blind"
    waiting_for = () if is_blind else tuple(seat.id for seat in asked)
    paused_for: PausedFor = ""
    if status == "paused" and state.limit_met is not None:
        paused_for = "limit"
    elif status == "paused":
        paused_for = "unreached" if unreached(state) else "people"
    return replace(
        _make_row(opening, spec, status, state.current_round()), waiting_for=waiting_for, paused_for=paused_for
    )


def _make_row(opening: Event, spec: Spec, status: str, round_number: int) -> DebateRow:
    return DebateRow(
        id=opening.debate,
        question=spec.question,
        options=spec.options,
        protocol=spec.protocol.name,
        status=status,
        decision=None,
        round=round_number,
        max_rounds=spec.max_rounds,
        opened_at=opening.at,
        rehearsal=spec.rehearsal,
        waiting_for=(),
        held_elsewhere=spec.held_elsewhere,
        practice=spec.practice is not None,
        has_people=spec.has_people,
    )


def _open_status(state: State, asked: Iterable[Seat], setup: SeatSetup) -> str:
    if state.paused is not None:
        return why_it_waits(state) if waits_as_agreed(state) else "paused"
    taken_over = sitting(state)
    # Occupants that answer here without a person.
    answers = {
        "offline": True,
        "scripted": setup.script_text is not None,
        "model": setup.opened_here,
        "human": False,
    }
    goes_on = any(answers[seat.occupant] for seat in asked if seat.id not in taken_over)
    return "running" if goes_on else "waiting"


def _make_ended_row(opening: Event, opened: DebateOpened, outcome: Outcome, later: Sequence[Event]) -> DebateRow:
    """`later`: the events after its end."""
    spec = opened.spec
    sign_off = sign_off_of(opened, outcome, later)
    row = _make_row(opening, spec, outcome.status, outcome.rounds_run)
    return replace(
        row,
        decision=_current_decision(spec, outcome, sign_off),
        sign_off=sign_off,
        has_known_outcome=any(isinstance(event.body, OutcomeRecorded) for event in later),
    )


def _current_decision(spec: Spec, outcome: Outcome, sign_off: SignOff) -> str | None:
    signed_away = {"reject": "rejected", "escalate": "escalated"}.get(sign_off.signed)
    if signed_away or sign_off.option or sign_off.waits_for == "vote":
        return signed_away or sign_off.option
    if spec.terms.decides != "debaters":
        return spec.terms.vote.if_undecided
    return outcome.decision


def sign_off_of(opened: DebateOpened, outcome: Outcome, later: Iterable[Event]) -> SignOff:
    """Signatures after the end, and whose is missing."""
    signed: Signed | None = None
    revisit = ""
    since: Since = ""
    final_results = tuple[PollResult, ...]()
    is_revealed = False
    at = ""
    for event in later:
        match event.body:
            case Signed() as latest:
                signed, at = latest, event.at
                revisit, since = latest.revisit.strip(), ""
            case OutcomeRecorded(result=result):
                revisit, since = "", "" if result == "unknown" else result
            case AssumptionBroken():
                since = "challenged"
            case PollClosed(poll="final") as closed:
                final_results = closed.results
            case PollRevealed(poll="final"):
                is_revealed = True
                if signed is None and opened.spec.terms.decides != "debaters":
                    at = event.at
            case _:
                pass
    final = final_of(opened.spec, outcome, final_results if is_revealed else None)
    sign_off = SignOff(
        waits_for(opened.spec, outcome, final, signed),
        option=final.option,
        standing=standing_of(outcome, final, signed),
        against_count=is_against_count(final, signed),
        at=at,
        since=since,
    )
    if signed is None:
        return sign_off
    revisit = revisit if signed.option is not None else ""
    return replace(sign_off, signed=signed.verdict, option=signed.option, revisit=revisit)
