"""Dates on screens: in words, and in the form of the browser's region."""

import pytest
from streamlit.runtime.context import ContextProxy

from debate_core.language import spoken
from debate_core.ui.kit.dates import field_form, minute_words, spell_days


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2027-03-01", "1 Mar 2027"),
        ("2027-03-01, after the load test", "1 Mar 2027, after the load test"),
        ("after 2027-01-15.", "after 15 Jan 2027."),
        ("2027-02-31, or never", "2027-02-31, or never"),
        ("tag build-2027-03-01", "tag build-2027-03-01"),
        ("", ""),
    ],
)
def test_days_in_a_text_are_spelled(text: str, words: str):
    assert spell_days(text) == words


def test_minute_is_spelled_in_both_languages():
    assert minute_words("2026-03-04T05:06:07.000000Z") == "4 Mar 2026, 05:06 UTC"
    with spoken("de"):
        assert minute_words("2026-03-04T05:06:07.000000Z") == "4. März 2026, 05:06 UTC"


@pytest.mark.parametrize(
    ("locale", "form"),
    [
        ("en-US", "MM/DD/YYYY"),
        ("en-GB", "DD/MM/YYYY"),
        ("de-AT", "DD.MM.YYYY"),
        ("fr-FR", "YYYY-MM-DD"),
        (None, "YYYY-MM-DD"),
    ],
)
def test_field_has_the_form_of_the_region(locale: str | None, form: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ContextProxy, "locale", locale)
    assert field_form() == form
