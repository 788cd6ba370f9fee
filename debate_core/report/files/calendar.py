"""A calendar file with the review of a signed decision, an all-day entry by RFC 5545. Only if the review has a date."""

import re
from datetime import datetime, timedelta

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import review_date
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.text import line, plain

CALENDAR_FILE = "review.ics"
MAX_LINE_BYTES = 75


def calendar_file(account: Account) -> dict[str, str]:
    """`review.ics`; {} unless the decision was accepted with a date for its review.

    A later signature gives the same entry a higher sequence, by which calendars replace the former one.
    """
    decision = account.decision
    day = review_date(decision.signed.word.revisit) if decision.signed else None
    if day is None or decision.signed is None or decision.status != "accepted":
        return {}
    text = f"{decided_sentence(account)}\n{decision.signed.word.revisit}"
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Debate room//Review of a decision//EN",
        "BEGIN:VEVENT",
        f"UID:{account.state.debate}-review@debate-room",
        f"SEQUENCE:{len(decision.earlier)}",
        datetime.fromisoformat(decision.signed.at).strftime("DTSTAMP:%Y%m%dT%H%M%SZ"),
        day.strftime("DTSTART;VALUE=DATE:%Y%m%d"),
        (day + timedelta(days=1)).strftime("DTEND;VALUE=DATE:%Y%m%d"),
        f"SUMMARY:{_escape(_('Review: {question}', question=line(account.state.spec.question)))}",
        f"DESCRIPTION:{_escape(text)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return {CALENDAR_FILE: "".join(f"{_fold(one)}\r\n" for one in lines)}


def _escape(text: str) -> str:
    r"""The text with `\n`, `\,`, `\;` and `\\`, and without control characters."""
    return re.sub(r"[\\;,]", lambda mark: f"\\{mark[0]}", plain(text)).replace("\n", "\\n")


def _fold(text: str) -> str:
    """The line in pieces of at most 75 bytes, no character cut; each piece after the first begins with a blank."""
    pieces = [b""]
    for char in text:
        if len(pieces[-1]) + len(char.encode()) > MAX_LINE_BYTES:
            pieces.append(b" ")
        pieces[-1] += char.encode()
    return b"\r\n".join(pieces).decode()
