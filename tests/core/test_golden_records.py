"""Records written by earlier versions replay, verify and export for ever. Files are added, never changed."""

from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.export import csv_files

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
