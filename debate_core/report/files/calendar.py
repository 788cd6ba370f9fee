"""Calendar files by RFC 5545: the review of a signed decision as an all-day entry, and the time of a workshop."""

import re
from datetime import UTC, datetime, timedelta

from debate_core.language import _
from debate_core.record.state import State
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
    day = review_date(decision.review)
    if day is None or decision.signed is None or decision.status != "accepted":
        return {}
    text = f"{decided_sentence(account)}\n{decision.review}"
    entry = (
        f"UID:{account.state.debate}-review@debate-room",
        f"SEQUENCE:{len(decision.earlier)}",
        _moment("DTSTAMP", datetime.fromisoformat(decision.signed.at)),
        day.strftime("DTSTART;VALUE=DATE:%Y%m%d"),
        (day + timedelta(days=1)).strftime("DTEND;VALUE=DATE:%Y%m%d"),
        f"SUMMARY:{_escape(_('Review: {question}', question=line(account.state.spec.question)))}",
        f"DESCRIPTION:{_escape(text)}",
        "TRANSP:TRANSPARENT",
    )
    return {CALENDAR_FILE: _calendar("Review of a decision", entry)}


def workshop_entry(state: State, *, link: str, begins: datetime, minutes: int, made: datetime) -> str:
    """A calendar file for the workshop of this debate; `begins` and `made` have a time zone.

    A file that is made later gives the same entry a higher sequence, so calendars replace the earlier time.
    """
    entry = (
        f"UID:{state.debate}-workshop@debate-room",
        f"SEQUENCE:{int(made.timestamp()) - int(datetime.fromisoformat(state.opened_at).timestamp())}",
        _moment("DTSTAMP", made),
        _moment("DTSTART", begins),
        _moment("DTEND", begins.astimezone(UTC) + timedelta(minutes=minutes)),
        f"SUMMARY:{_escape(line(state.spec.question))}",
        f"DESCRIPTION:{_escape(_('Join: {link}', link=link))}",
        f"URL:{link}",
    )
    return _calendar("Workshop", entry)


def _calendar(product: str, entry: tuple[str, ...]) -> str:
    """A calendar with one entry; `product` is the kind of entry that this program writes."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Debate room//{product}//EN",
        "BEGIN:VEVENT",
        *entry,
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{_fold(one)}\r\n" for one in lines)


def _moment(name: str, at: datetime) -> str:
    return at.astimezone(UTC).strftime(f"{name}:%Y%m%dT%H%M%SZ")


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
