"""`prompts`: what each seat of a record or of a protocol is sent."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.record.events import AttemptStarted, parse_record
from debate_core.seats.prompts.texts import RULES, TASKS
from debate_core.spec.presets import PROTOCOLS

RECORD = Path(__file__).resolve().parents[1] / "records" / "format1_models.jsonl"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_preset_prints_a_prompt_for_each_phase_of_models(name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["prompts", name, "--json"]) == 0
    sent = json.loads(capsys.readouterr().out)
    asked = {phase.name for phase in PROTOCOLS[name].phases() if phase.role != "chair"}
    late = {phase.name for phase in PROTOCOLS[name].phases() if phase.after_redo or phase.only_in}
    assert asked - late <= {prompt["phase"] for prompt in sent}
    assert all(prompt["system"].startswith(RULES) and prompt["record"] and prompt["task"] for prompt in sent)


def test_one_seat_phase_and_round_can_be_chosen(capsys: pytest.CaptureFixture[str]):
    assert main(["prompts", "proposer_critic", "--seat", "rebuttal"]) == 0
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if line.startswith("=====")] == ["===== round 1, rebuttal, rebuttal"]
    assert TASKS["rebuttal"] in said
    assert "Others defend, and it is not yours to argue for: against adopt\n" in said
    assert main(["prompts", "expert_panel", "--round", "9"]) == 2
    assert "no prompt matches this seat, round and phase; seats with prompts: " in capsys.readouterr().err


def test_record_prints_a_prompt_for_each_attempt_of_a_model(capsys: pytest.CaptureFixture[str]):
    events = parse_record(RECORD.read_bytes())
    started = [event.body.request for event in events if isinstance(event.body, AttemptStarted)]
    assert main(["prompts", str(RECORD), "--json"]) == 0
    shown = capsys.readouterr()
    sent = json.loads(shown.out)
    assert 0 < len(sent) <= len(started)
    assert "these prompts have changed since the debate was held: rules" in shown.err
    later = [prompt for prompt in sent if prompt["round"] > 1]
    assert any("# Turn: round 1" in "".join(prompt["record"]) for prompt in later or sent)


def test_record_without_models_sends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = RECORD.with_name("format1_split.jsonl")
    assert main(["prompts", str(record)]) == 2
    assert "no model sits in this debate" in capsys.readouterr().err
