"""Decisions and their assumptions, read from files of a folder: decision records, and records of debates.

A decision that is in both is read once, from its decision record, whose claims have numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from debate_core.documents.blocks import front_matter
from debate_core.documents.decision_fields import read_fields
from debate_core.errors import DebateError, InvalidSpec
from debate_core.record.acts import Assumption, Signed
from debate_core.record.events import Event, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.decision import decision_of
from debate_core.report.files.adr.folder import listed_decision
from debate_core.spec.tripwires import Check, read_check
from debate_core.watch.checkout import MAX_FILES, Checkout, NotText
from debate_core.watch.evaluate import CheckVerdict, Evaluator

ENDED_STATUS = ("superseded", "deprecated", "rejected", "proposed", "draft")


@dataclass(frozen=True, slots=True)
class WatchedAssumption:
    """An assumption with its number in the signature, from 1; `fault` = why it has no check that can be evaluated."""

    number: int
    text: str
    check: Check | None
    watched_by: str = ""
    claim: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class WatchedDecision:
    """A decision in force. `place`: its file, or the id of its debate in a database."""

    debate: str
    title: str
    place: str
    assumptions: tuple[WatchedAssumption, ...]
    latest: date | None = None
    """The day of its last event: a clock before that day is wrong."""


@dataclass(frozen=True, slots=True)
class WatchedCheck:
    """One line of the table."""

    decision: WatchedDecision
    assumption: WatchedAssumption
    verdict: CheckVerdict


def watch(decisions: Iterable[WatchedDecision], evaluator: Evaluator, today: date) -> Iterator[WatchedCheck]:
    """Evaluate every check; assumptions that have none are left out."""
    for decision in decisions:
        for assumption in decision.assumptions:
            if assumption.fault or assumption.check is None:
                if assumption.fault:
                    yield WatchedCheck(decision, assumption, CheckVerdict("unknown", assumption.fault))
            elif decision.latest is not None and today < decision.latest:
                early = f"the clock says {today}, before the decision was signed on {decision.latest}"
                yield WatchedCheck(decision, assumption, CheckVerdict("unknown", early))
            else:
                yield WatchedCheck(decision, assumption, evaluator.evaluate(assumption.check))


def read_decisions(checkout: Checkout) -> tuple[tuple[WatchedDecision, ...], tuple[str, ...]]:
    """The decisions in a folder, and a sentence for each file that cannot be read."""
    found = dict[str, WatchedDecision]()
    faults = list[str]()
    for path in [*checkout.matching("*.md"), *checkout.matching("*.jsonl")]:
        try:
            decision = _read(path, checkout.text(path))
        except DebateError as error:
            # A binary document is no decision record.
            if not isinstance(error, NotText):
                faults.append(f"{path}: {error}")
        else:
            if decision is not None:
                found.setdefault(decision.debate or path, decision)
    if checkout.is_cut:
        faults.append(f"files after the first {MAX_FILES:,}: watch a part of the folder")
    return tuple(found.values()), tuple(faults)


def _read(path: str, text: str) -> WatchedDecision | None:
    """The decision of a file; None for a file without checks."""
    if path.endswith(".md"):
        return _of_document(path, text) if text.startswith("---") and "assumptions:" in text else None
    if '"assumptions":' not in text or '"kind":"debate_opened"' not in text:
        return None
    return decision_in(parse_record(text.encode()), path)


def _of_document(path: str, text: str) -> WatchedDecision | None:
    fields = read_fields(text)
    if fields.status.casefold().startswith(ENDED_STATUS):
        return None
    if not fields.assumptions and _has_unread_list(text):
        raise InvalidSpec("its assumptions are no list in JSON on one line")
    assumptions = []
    for number, stated in enumerate(fields.assumptions, start=1):
        check, fault = _checked(stated.check)
        claim = f"claim {stated.claim}" if stated.claim is not None else ""
        assumptions.append(WatchedAssumption(number, stated.text, check, stated.watched_by, claim, fault))
    title = listed_decision(path, text).title or path
    return WatchedDecision(fields.debate, title, path, tuple(assumptions), fields.day)


def _has_unread_list(text: str) -> bool:
    """True if the front matter names assumptions in another form, as in a YAML list; `none` and `[]` are no list."""
    stated = {field.name: field.value for field in front_matter(text)[0]}.get("assumptions", "[]")
    return stated != "[]" and (not stated or stated[0] in "[{")


def _checked(text: str) -> tuple[Check | None, str]:
    try:
        return (read_check(text), "") if text else (None, "")
    except InvalidSpec as error:
        return None, str(error)


def decision_in(events: Sequence[Event], place: str) -> WatchedDecision | None:
    """The signed decision of a record; None if it is not in force, or was replaced by another record."""
    state = replay(events)
    decision = decision_of(state)
    if decision.signed is None or decision.status != "accepted" or state.ownership.replaced_by:
        return None
    assumptions = []
    for number, stated in enumerate(decision.signed.word.assumptions, start=1):
        fault = ""
        if stated.claim_id and stated.claim_id not in state.claims:
            fault = f"the claim {stated.claim_id} is no longer in the record"
        assumptions.append(_watched(number, stated, fault))
    latest = date.fromisoformat(decision.signed.at[:10])
    return WatchedDecision(state.debate, state.spec.question, place, tuple(assumptions), latest)


def _watched(number: int, stated: Assumption, fault: str) -> WatchedAssumption:
    check = None if fault else stated.check
    fault = fault if stated.check else ""
    return WatchedAssumption(number, stated.text, check, stated.watched_by, stated.claim_id or "", fault)


def may_be_watched(event: Event) -> bool:
    """True for a signature with an assumption that has a check."""
    return isinstance(event.body, Signed) and any(one.check for one in event.body.assumptions)
