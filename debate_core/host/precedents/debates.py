"""A decided debate as a decided record, and links between those on one question; nothing that is sealed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from textwrap import shorten

from debate_core.documents.choices import compared
from debate_core.host.debate_list import DebateRow
from debate_core.host.host import Host
from debate_core.host.precedents.index import ArchivedStatus, DecidedRecord, RejectedOption
from debate_core.host.withheld import why_withheld
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.decision_outcomes import aftermath
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.who_decided import WhoDecided, who_decided

MAX_REASONS = 5
MAX_REASON_CHARS = 300


def read_account(host: Host, row: DebateRow) -> Account:
    """The debate as an outside reader of its files sees it."""
    state = host.state_now(row.id)
    # The record may have grown meanwhile.
    events = host.events(row.id)[: state.version]
    return account(state, events, origin_unknown=row.origin_unknown)


def read_decision(host: Host, row: DebateRow) -> DecidedRecord | None:
    """The decision of a debate; None for a rehearsal, and while it is sealed, waits for a signature, or is none."""
    if row.rehearsal or row.decision is None or row.awaits_judges:
        return None
    debate = read_account(host, row)
    told = debate.once(who_decided)
    if told.option is None or not told.is_decided or told.waits_for:
        return None
    if why_withheld(debate, imported=host.is_imported(row.id)):
        return None
    spec = debate.recorded.spec
    return DecidedRecord(
        id=row.id,
        question=row.question,
        status=_status(debate),
        options=row.options,
        chosen=told.option,
        votes=_votes(told).get(told.option, ""),
        rejected=rejected_options(debate, told),
        date=debate.decision.at[:10],
        outcome=aftermath(debate.recorded).result or "",
        kind=spec.task,
        replaces=(spec.parent,) if spec.parent else (),
        is_debate=True,
        title=row.question,
        text="\n\n".join(_texts(debate, told)),
    )


def _status(debate: Account) -> ArchivedStatus:
    since = debate.decision.since
    if since == "reversed":
        return "withdrawn"
    return "challenged" if since == "challenged" else "in_force"


def linked(records: Sequence[DecidedRecord]) -> tuple[DecidedRecord, ...]:
    """The records with links to and from decided debates that were set up from them and ask the same question."""
    asked = {record.id: compared(record.question) for record in records}
    older = {
        record.id: tuple(parent for parent in record.replaces if asked.get(parent) == asked[record.id])
        for record in records
    }
    newer = defaultdict[str, list[str]](list)
    for record in records:
        for parent in older[record.id]:
            newer[parent].append(record.id)
    return tuple(
        replace(
            record,
            status="superseded" if record.id in newer else record.status,
            replaces=older[record.id],
            replaced_by=tuple(newer.get(record.id, ())),
        )
        for record in records
    )


def rejected_options(debate: Account, told: WhoDecided) -> tuple[RejectedOption, ...]:
    """The options that were not decided, each with its votes and the claims against it."""
    reasons = option_reasons(debate)
    votes = _votes(told)
    rejected = []
    for option in debate.recorded.spec.options:
        if option != told.option:
            against = [shortened(reason.row.claim) for reason in reasons[option] if reason.side == "against"]
            why = tuple(against[:MAX_REASONS])
            rejected.append(RejectedOption(option=option, votes=votes.get(option, ""), why=why))
    return tuple(rejected)


def shortened(text: str) -> str:
    """A reason in one line, cut between words."""
    return shorten(text, MAX_REASON_CHARS, placeholder=" …")


def _votes(told: WhoDecided) -> dict[str, str]:
    return {bar.option: str(bar.has) for bar in told.counted.bars.bars} if told.counted.bars else {}


def _texts(debate: Account, told: WhoDecided) -> list[str]:
    """Question, choice, claims, reasons on ballots of people, and the reason of the signature."""
    reasons = [ballot.reason for ballot in debate.poll_votes if ballot.reason]
    signed = [told.signed.word.reason] if told.signed and told.signed.word.reason else []
    decided = [debate.recorded.spec.question, f"Chosen: {told.option}"]
    return [*decided, *(row.claim for row in debate.claims), *reasons, *signed]
