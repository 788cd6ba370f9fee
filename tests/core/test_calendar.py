"""The calendar file of a review, read by the rules of RFC 5545."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from debate_core.errors import InvalidSpec
from debate_core.record import acts
from debate_core.report.facts.account import Account
from debate_core.report.facts.account import account as account_of
from debate_core.report.files.calendar import calendar_file, workshop_entry
from debate_core.report.files.export import export_files
from tests.messaging import ABE, people_spec, played_by_people, signed
from tests.playing import Played

REJECTED = {"revisit": "2027-01-01", "verdict": "reject", "option": None, "reason": "Too dear."}


def account(played: Played) -> Account:
    return account_of(played.state, played.events)


def fields(text: str) -> dict[str, str]:
    """The properties, unfolded and without their escapes."""
    unfolded = text.replace("\r\n ", "").split("\r\n")
    pairs = (one.partition(":") for one in unfolded if one)
    return {
        name: value.replace("\\n", "\n").replace("\\,", ",").replace("\\;", ";").replace("\\\\", "\\")
        for name, _colon, value in pairs
    }


def test_review_date_is_an_all_day_entry() -> None:
    played = signed(revisit="2027-02-28, or at 1,000 users")
    (text,) = calendar_file(account(played)).values()
    found = fields(text)
    assert found["DTSTART;VALUE=DATE"] == "20270228"
    assert found["DTEND;VALUE=DATE"] == "20270301"
    assert found["UID"] == "d-room-review@debate-room"
    assert found["SUMMARY"] == "Review: Which?"
    assert found["DESCRIPTION"].endswith("\n2027-02-28, or at 1,000 users")
    assert text.endswith("END:VCALENDAR\r\n")


def test_file_stays_the_same_and_a_later_signature_replaces_it() -> None:
    played = signed(revisit="2027-02-28")
    first = calendar_file(account(played))
    assert calendar_file(account(played)) == first
    played.act(ABE, acts.Signed(verdict="accept", option="adopt", revisit="2028-01-01"))
    second = fields(calendar_file(account(played))["review.ics"])
    before = fields(first["review.ics"])
    assert (before["UID"], before["SEQUENCE"]) == (second["UID"], "0")
    assert (second["SEQUENCE"], second["DTSTART;VALUE=DATE"]) == ("1", "20280101")


@given(st.integers(1_767_312_000, 2_082_758_400), st.sampled_from(("UTC", "Asia/Kolkata", "Europe/Berlin")))
@example(1_774_744_200, "Europe/Berlin")
def test_workshop_begins_at_the_moment_of_its_zone(moment_s: int, zone: str) -> None:
    """The example ends after the change to summer time."""
    state, begins = signed(revisit="2027-02-28").state, datetime.fromtimestamp(moment_s, ZoneInfo(zone))
    link = "https://debates.example.org/join/a.b-c_d" + "e" * 60
    made = datetime.fromisoformat(state.opened_at) + timedelta(seconds=90)
    found = fields(workshop_entry(state, link=link, begins=begins, minutes=45, made=made))
    moments = [datetime.strptime(f"{found[name]}+0000", "%Y%m%dT%H%M%SZ%z") for name in ("DTSTART", "DTEND")]
    assert [at.timestamp() for at in moments] == [moment_s, moment_s + 45 * 60]
    assert (found["URL"], found["SEQUENCE"], found["SUMMARY"]) == (link, "90", "Which?")


def test_long_and_hostile_question_is_folded_and_escaped() -> None:
    question = "Ähnlich; wie, früher\\n: " + "größer 🎉 " * 30 + "END:VEVENT?"
    played = played_by_people(people_spec().model_copy(update={"question": question}))
    played.act(ABE, acts.Signed(verdict="accept", option="adopt", revisit="2027-02-28"))
    text = calendar_file(account(played))["review.ics"]
    lines = text.encode().split(b"\r\n")
    assert max(map(len, lines)) <= 75
    for one in lines:
        one.decode()
    assert fields(text)["SUMMARY"].startswith("Review: Ähnlich; wie, früher")
    assert lines.count(b"END:VEVENT") == 1


@pytest.mark.parametrize("word", [{"revisit": "after the launch"}, {}, REJECTED])
def test_no_file_without_a_date_or_an_acceptance(word: dict[str, object]) -> None:
    debate = account(signed(**word))
    assert calendar_file(debate) == {}
    with pytest.raises(InvalidSpec, match="no date for a calendar"):
        export_files(debate, "calendar")


def test_export_writes_the_calendar_file() -> None:
    debate = account(signed(revisit="2027-02-28"))
    assert list(export_files(debate, "calendar")) == ["review.ics"]
    assert "review.ics" in export_files(debate, "all")
