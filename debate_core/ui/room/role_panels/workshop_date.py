"""The time of a planned workshop, as a calendar file with the link to join."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from debate_core.host.runner import now
from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.files.calendar import workshop_entry
from debate_core.ui.kit.dates import field_form

USUAL_START = time(10)
LENGTHS_MIN = (30, 45, 60, 90, 120, 180)
USUAL_LENGTH_MIN = 60


def draw_calendar_entry(state: State, link: str, *, last_day: date) -> None:
    """Draw date, time and length, and the download; the link is valid until `last_day`."""
    zone = _browser_zone()
    today = now().astimezone(zone).date()
    with st.popover(_("Calendar entry"), icon=":material/event:", type="tertiary", key="calendar-entry"):
        day = st.date_input(
            _("Day"),
            value=min(today + timedelta(days=1), last_day),
            min_value=today,
            max_value=max(today, last_day),
            key="calendar-day",
            format=field_form(),
            help=_("Until the link expires."),
        )
        begins = st.time_input(_("Begins ({zone})", zone=zone.key), USUAL_START, key="calendar-time")
        minutes = st.selectbox(
            _("Minutes"), LENGTHS_MIN, index=LENGTHS_MIN.index(USUAL_LENGTH_MIN), key="calendar-minutes"
        )
        starts = datetime.combine(day, begins or USUAL_START, zone)
        st.download_button(
            _("Download the calendar file"),
            lambda: workshop_entry(state, link=link, begins=starts, minutes=minutes, made=now()).encode(),
            "workshop.ics",
            "text/calendar",
            icon=":material/download:",
            on_click="ignore",
        )


def _browser_zone() -> ZoneInfo:
    """The time zone that the browser names; UTC if it names none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
