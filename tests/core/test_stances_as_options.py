"""Debates that name no options decide among the stances of their debaters: counts, records and files name them."""

import json
from pathlib import Path
from typing import Any

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.errors import InvalidSpec
from debate_core.record.events import parse_record
from debate_core.report.facts.account import account
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, run_json
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.presets import BOUNDED_VOTE, PROTOCOLS, compose
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import SeatDraft, SetupDraft
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.readiness import problem
from tests.playing import Played

SHIP, WAIT = "ship now", "do not ship now"


def spec_with(*stances: str, options: tuple[str, ...] = (), protocol: str = BOUNDED_VOTE.name) -> Spec:
    seats = [Seat(id=f"s{n}", occupant="human", stance=stance) for n, stance in enumerate(stances)]
    return compose("When do we ship?", options, PROTOCOLS[protocol], seats, max_rounds=1)


def test_ballots_counts_and_files_name_the_stances():
    spec = spec_with(SHIP, WAIT, "")
    assert spec.options == (SHIP, WAIT)
    played = Played(spec).play(SHIP)
    assert (played.outcome().decision, played.outcome().tally.as_dict()) == (SHIP, {SHIP: 3})
    assert verify(played.events) == ()
    whole = account(played.state, played.events)
    assert run_json(whole)["tally"] == {SHIP: 3}
    files = csv_files(whole)
    assert [f'"{SHIP}"' in files[name] for name in ("votes.csv", "tally.csv", "decision.csv")] == [True] * 3
    record = decision_record(whole).text
    assert [f"* {option}" in record for option in (SHIP, WAIT)] == [True, True]


def test_debaters_of_one_stance_argue_for_one_option():
    assert spec_with(SHIP, WAIT, " Ship  now ").options == (SHIP, WAIT)


def test_named_options_go_before_the_stances():
    assert spec_with(SHIP, WAIT, options=("adopt", "defer")).options == ("adopt", "defer")
    assert spec_with("", "", options=("adopt", "defer")).options == ("adopt", "defer")


@pytest.mark.parametrize(
    ("stances", "words"),
    [
        ((SHIP, " Ship  now "), "'ship now' is the only one"),
        ((SHIP, ""), "'ship now' is the only one"),
        (("", ""), "a debate needs 2 to 8 options, this one has 0"),
        ((SHIP, "abstain"), "no option may be called 'abstain'"),
    ],
)
def test_a_single_stance_is_refused(stances: tuple[str, ...], words: str):
    with pytest.raises(InvalidSpec) as refused:
        spec_with(*stances)
    assert words in str(refused.value)


def test_a_script_without_options_decides_among_its_stances(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    seats = [{"id": "advocate", "stance": SHIP}, {"id": "skeptic", "stance": WAIT}]
    turns = [{"seat": seat["id"], "repeat": True, "content": {"rationale": "So.", "vote": WAIT}} for seat in seats]
    script: dict[str, Any] = {"question": "When?", "protocol": BOUNDED_VOTE.name, "seats": seats, "turns": turns}
    assert spec_of(read_script(json.dumps(script))).options == (SHIP, WAIT)
    file, record = tmp_path / "script.json", tmp_path / "r.jsonl"
    file.write_text(json.dumps(script))
    assert main(["run", "--script", str(file), "--threshold", "2", "--out", str(record), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["decision"], told["tally"]) == (WAIT, {WAIT: 2})
    assert verify(parse_record(record.read_bytes())) == ()


def test_a_draft_without_options_decides_among_its_stances():
    seats = tuple(SeatDraft(key=s, id=s, who="human", stance=stance) for s, stance in (("a", SHIP), ("b", WAIT)))
    draft = SetupDraft(question="When do we ship?", seats=seats)
    assert (problem(draft), draft.stances_to_decide()) == (None, (SHIP, WAIT))
    spec = spec_from(draft)
    assert spec.options == (SHIP, WAIT)
    assert spec_from(draft_of(spec)) == spec
    same = draft.replace(seats=(seats[0], seats[1].replace(stance=SHIP.upper())))
    assert "is the only one" in str(problem(same))
    # Suggested sides follow from the options, so there are none to decide among yet.
    for name in ("adversary", "proposer_critic", "stance_judge"):
        bare = SetupDraft(question="When?", protocol=name)
        assert (bare.stances_to_decide(), "2 to 8 options" in str(problem(bare))) == ((), True)
