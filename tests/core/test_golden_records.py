"""Records written by earlier versions replay, verify and export for ever. Files are added, never changed."""

import re
from pathlib import Path
from typing import get_args

import pytest

from debate_core import language
from debate_core.engine.audit import verify
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.export import csv_files
from debate_core.report.files.report import markdown_report
from debate_core.spec.contents import LineSection
from debate_core.spec.values import BallotStatus, Occupant, Role, TurnStatus

RECORDS = Path(__file__).parents[1] / "records"
EXPECTED = {
    "format1_baselines": ("decided", "adopt", {"adopt": 3}),
    "format1_change_of_mind": ("decided", "modularise in place", {"split": 1, "modularise in place": 2}),
    "format1_models": ("truncated", "escalate", {"release": 1, "revise": 1, "escalate": 1}),
    "format1_people": ("decided", "adopt", {"adopt": 2}),
    "format1_split": ("undecided", "escalate", {"events": 2, "calls with a breaker": 2}),
    "format1_stopped": ("aborted", "escalate", {}),
    "format1_waiting_for_a_person": None,
}


def test_every_record_has_an_expected_outcome() -> None:
    assert sorted(p.stem for p in RECORDS.glob("*.jsonl")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_golden_record_means_what_it_meant(name: str) -> None:
    # law 11, R257
    data = (RECORDS / f"{name}.jsonl").read_bytes()
    events = parse_record(data)
    assert verify(events) == ()
    assert dump_record(events).encode() == data
    state = replay(events)
    outcome = state.outcome
    found = outcome and (outcome.status, outcome.decision, outcome.tally.as_dict())
    assert found == EXPECTED[name]
    rows = csv_files(account(state, events))
    assert rows["claims.csv"].count("\n") >= len(state.claims)


CODES = {code for kind in (TurnStatus, BallotStatus, LineSection, Occupant, Role) for code in get_args(kind)}
OWN_WORDS = re.compile("\\[[^\\[\\]]*\\]")
IN_TEXTS_OF_PEOPLE = {"failed", "rationale", "synthesiser"}
"""Words of people in these records, and the name of a seat, that are codes as well."""


@pytest.mark.parametrize("name", ["format1_models", "format1_people", "format1_stopped"])
def test_a_report_has_no_code_beside_its_own_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events = parse_record((RECORDS / f"{name}.jsonl").read_bytes())
    known = language._catalogue("de")
    monkeypatch.setattr(language, "_translated", lambda text: tuple(map(bracketed, text)) if text in known else text)
    with language.spoken("de"):
        report = markdown_report(account(replay(events), events)).replace("\\", "")
    while report != (shorter := OWN_WORDS.sub("", report)):
        report = shorter
    assert {*re.findall(r"[a-z_]+", report)} & CODES <= IN_TEXTS_OF_PEOPLE


def bracketed(text: str) -> str:
    """Own words in brackets, without the values in braces."""
    return "".join(part if part.startswith("{") else f"[{part}]" for part in re.split(r"({[^{}]*})", text) if part)


def test_a_report_names_people_whose_marks_seats_followed() -> None:
    events = parse_record((RECORDS / "format1_people.jsonl").read_bytes())
    report = markdown_report(account(replay(events), events))
    assert "The seats only quote documents: their votes follow the marks of anna and bert." in report
