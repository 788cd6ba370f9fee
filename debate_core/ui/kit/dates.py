"""Dates and times on screens: one form in words, and fields in the form of the browser's region.

Records and files keep `2027-03-01`.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import streamlit as st

from debate_core.language import Words, _

_MONTHS: Words[int] = Words(
    {
        1: "Jan",
        2: "Feb",
        3: "Mar",
        4: "Apr",
        5: "May",
        6: "Jun",
        7: "Jul",
        8: "Aug",
        9: "Sep",
        10: "Oct",
        11: "Nov",
        12: "Dec",
    }
)
_ISO_DAY = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")
"""`2027-03-01` in a text, but not within `build-2027-03-01`."""
_FIELD_FORMS = {"en-US": "MM/DD/YYYY", "en-GB": "DD/MM/YYYY", "de": "DD.MM.YYYY"}


def day_words(day: date, *, has_year: bool = True) -> str:
    """Return `2 Oct 2026`, or `2 Oct`."""
    words = _("{day} {month}", day=day.day, month=_MONTHS[day.month])
    return f"{words} {day.year}" if has_year else words


def month_words(at: str) -> str:
    """Return `Oct 2026` for a time of a record."""
    month = date.fromisoformat(at[:10])
    return f"{_MONTHS[month.month]} {month.year}"


def recent_day_words(at: str) -> str:
    """Return `2 Oct`, with the year unless it is the current one. `at` is UTC text."""
    day = datetime.fromisoformat(at)
    return day_words(day, has_year=day.year != datetime.now(UTC).year)


def recent_minute_words(at: str) -> str:
    """Return `2 Oct, 06:54 UTC`, with the year unless it is the current one."""
    return _("{day}, {time} UTC", day=recent_day_words(at), time=at[11:16])


def minute_words(at: str) -> str:
    """Return `2 Oct 2026, 06:54 UTC`."""
    return _("{day}, {time} UTC", day=day_words(datetime.fromisoformat(at)), time=at[11:16])


def times_of_day(times: Sequence[str], *, has_seconds: bool = True) -> tuple[str, list[str]]:
    """Return `1 Dec 2026, times in UTC` and the times, such as `06:54:12`; a time of a later day has its day above."""
    days = [datetime.fromisoformat(at).date() for at in times]
    first = _("{day}, times in UTC", day=day_words(days[0])) if days else ""
    cells, before = [], days[0] if days else None
    for day, at in zip(days, times, strict=True):
        clock = at[11:19] if has_seconds else at[11:16]
        cells.append(clock if day == before else f"{day_words(day, has_year=False)}  \n{clock}")
        before = day
    return first, cells


def spell_days(text: str) -> str:
    """Return a text with its dates in words: `after 2027-03-01` becomes `after 1 Mar 2027`."""
    return _ISO_DAY.sub(_spell_day, text)


def _spell_day(found: re.Match[str]) -> str:
    try:
        return day_words(date.fromisoformat(found[0]))
    except ValueError:
        return found[0]


def field_form() -> Any:
    """Return the form in which the browser's region writes a date: `03/01/2027`; `2027-03-01` for an unknown one."""
    locale = st.context.locale or ""
    return _FIELD_FORMS.get(locale) or _FIELD_FORMS.get(locale.partition("-")[0], "YYYY-MM-DD")
