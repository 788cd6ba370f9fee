"""The front matter of a decision record: the fields of MADR, and structured fields that other tools act on.

FrontData values are on one line each, so that readers without a YAML parser find them. A value that is unknown is left
out.
"""

import re
from collections.abc import Iterator

from debate_core.record.acts import Signed
from debate_core.report.facts.decision import review_date
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.files.adr import participants
from debate_core.report.files.adr.case import Case
from debate_core.report.files.document import Front, FrontData, FrontEntry
from debate_core.spec.tripwires import check_text
from debate_core.text import line

_PATH = re.compile(r"[^\s:]*[/*][^\s:]*|[^\s/:]+\.[A-Za-z0-9]{1,10}")
"""`services/checkout/**`, `*.tf` and `pom.xml`, but not `component:default/checkout` and `Orders / Payments`."""


def madr_front(case: Case) -> Front:
    """The metadata that MADR defines."""
    return {
        "status": case.decision.status,
        "date": participants.day(case),
        "decision-makers": participants.makers(case),
        "consulted": participants.consulted(case),
        "informed": participants.informed(case),
    }


def full_front(case: Case) -> Front:
    """The metadata of MADR, then the decision for programs."""
    signed = case.decision.signed
    front = {**madr_front(case), "options": FrontData(tuple(_options(case)))}
    if signed is not None:
        front |= _signed_front(case, signed.word)
    return {**front, "record": FrontData(_record(case))}


def _signed_front(case: Case, word: Signed) -> Front:
    """Fields that the approver gave; a note on the review without a single date is only in the text."""
    due = review_date(word.revisit)
    day = due if due is not None and due.isoformat() == word.revisit.strip() else ""
    return {
        "affects": FrontData(tuple(_affected(part) for part in affected_parts(case, word))),
        "reversibility": word.reversibility or "",
        "review-by": day,
        # adrkit reads the date under this name only.
        "reviewBy": day,
        "assumptions": FrontData(tuple(_assumptions(case, word))),
        "challenged": FrontData(tuple(_challenges(case))),
    }


def _options(case: Case) -> Iterator[FrontEntry]:
    """Every option with its figure in the deciding count, weights included, if that is counted and revealed."""
    bars = case.account.once(who_decided).counted.bars
    unit = "votes" if bars is not None and bars.in_heads else "points"
    counted = {bar.option: bar.has for bar in bars.bars} if bars is not None else {}
    for option in case.state.spec.options:
        entry: dict[str, str | int | float | bool] = {"option": case.names.text(option)}
        if option in counted:
            entry[unit] = counted[option]
        if option == case.decision.option:
            entry["chosen"] = True
        yield entry


def affected_parts(case: Case, word: Signed) -> tuple[str, ...]:
    """The parts of the system as signed, without repetitions."""
    return tuple(dict.fromkeys(case.say(part) for part in word.affects if line(part)))


def _affected(part: str) -> FrontEntry:
    """A matcher of adrkit: a path with wildcards, else an entity of a catalogue or any other name."""
    return {"type": "path" if _PATH.fullmatch(part) else "entity", "pattern": part}


def _assumptions(case: Case, word: Signed) -> Iterator[FrontEntry]:
    """The assumptions; `claim` is the number of the claim, as in the text."""
    numbers = case.state.claim_numbers()
    for assumption in word.assumptions:
        entry: dict[str, str | int] = {"text": case.say(assumption.text)}
        if line(assumption.watched_by):
            entry["watched-by"] = case.say(assumption.watched_by)
        if assumption.claim_id is not None:
            entry["claim"] = numbers[assumption.claim_id]
        if assumption.check is not None:
            entry["check"] = case.say(check_text(assumption.check))
        yield entry


def _challenges(case: Case) -> Iterator[FrontEntry]:
    """Assumptions that broke since the signature; the status stays, because only people decide again."""
    for challenge in case.decision.challenges:
        yield {
            "assumption": case.say(challenge.assumption.text),
            "reason": case.say(challenge.reason),
            "at": challenge.at,
        }


def _record(case: Case) -> FrontEntry:
    """The record that proves the decision; `key` is the public key that signs it."""
    state = case.state
    record: FrontEntry = {"debate": state.debate, "events": state.version, "head": state.head}
    return {**record, "key": case.signing_key} if case.signing_key else record
