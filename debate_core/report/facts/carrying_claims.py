"""Claims that carry a decision, and a check for each of them, suggested from its date, version, number or quote."""

import re
from collections import Counter

from debate_core.errors import InvalidSpec
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.decision import review_date
from debate_core.report.facts.option_reasons import claims_that_stand, option_reasons
from debate_core.spec.tripwires import check_text, read_check

MAX_CARRYING = 3
"""A form with more would not be read."""
_VERSION = re.compile(r"\b([A-Za-z][\w.-]*[A-Za-z\d])\s+(?:version\s+)?v?(\d{1,4})\.\d{1,4}(?:\.\d{1,4})?(?![\d%])")
"""`Postgres 15.2`, `redis v4.9.1`."""
_NUMBER = re.compile(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,6})?(?![\w.]*\w)")
_OVER = re.compile(r"\b(?:above|over|at least|more than|no less|minimum)\b", re.IGNORECASE)
_FILE_NAME = re.compile(r"[\w./-]+\.[A-Za-z0-9]{1,8}")


def carrying_claims(account: Account) -> tuple[ClaimRow, ...]:
    """At most three claims: first those that voters named as decisive, then conceded ones.

    After them those for the decision that people marked or a quote supports.
    """
    reasons = option_reasons(account).get(account.decision.option or "", ())
    ranks = Counter[str]()
    for reason in reasons:
        if reason.side in ("for", "said"):
            ranks[reason.row.claim_id] = reason.readers + (reason.row.quote_verified == "verbatim")
    named = named_as_decisive(account)
    rows = claims_that_stand(account)
    found = [row for row in rows if named[row.claim_id] or row.conceded_by or ranks[row.claim_id]]
    found.sort(key=lambda row: (-named[row.claim_id], not row.conceded_by, -ranks[row.claim_id]))
    return tuple(found[:MAX_CARRYING])


def named_as_decisive(account: Account) -> Counter[str]:
    """Claim id -> revealed final ballots that name it and choose no other option than the decision."""
    final = account.state.room.polls.get("final")
    if final is None or not final.revealed:
        return Counter()
    ballots = (cast.fact for cast in final.ballots.values())
    return Counter(
        ballot.decided_by
        for ballot in ballots
        if ballot.decided_by and ballot.choice in (None, account.decision.option)
    )


def suggested_check(account: Account, row: ClaimRow, *, person: str, day: str) -> str:
    """A check in one line. Without a date, version, number or quoted file it asks this person on this day.

    FILE and COLUMN in it are for the signer to fill in.
    """
    text = f"{row.claim} {row.evidence_text}"
    if (first := review_date(text)) is not None:
        return f"date {first}"
    if found := _VERSION.search(text):
        return f"version {found[1].lower()} below {int(found[2]) + 1}"
    if found := _NUMBER.search(text):
        word = "over" if _OVER.search(text) else "under"
        return f"number FILE COLUMN {word} {found[1].replace(',', '')}{found[2] or ''}"
    return _quoted(account, row) or f"ask {' '.join(person.split())} on {day}"


def _quoted(account: Account, row: ClaimRow) -> str:
    """The quote in its file, if the title of the document is the name of one."""
    titles = {source.id: source.title for source in account.state.spec.sources}
    title = titles.get(row.source_ref or "", "")
    if row.quote_verified != "verbatim" or not _FILE_NAME.fullmatch(title):
        return ""
    try:
        return check_text(read_check(f"quote {title} {row.evidence_text}"))
    except InvalidSpec:
        return ""
