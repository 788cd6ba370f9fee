"""`eval`: figures of detectors beside their bars, and protocols on judged questions."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copyfile, copytree
from uuid import UUID

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.host.stores import open_store
from debate_core.record.events import AttemptStarted, TurnTaken, parse_record
from tests.commanding import asking, printed_json, refused
from tests.model_faults import Fault
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
DECIDED = ROOT / "tests" / "decided"

PAIRS = (
    '{"a": "Queues lose no order of a customer", "b": "Queues lose no customer order", "label": 1, "claim_id": 1}\n'
    '{"a": "Calls are simple to follow", "b": "Rents rise in towns", "label": 0, "claim_id": 1}\n'
)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    (tmp_path / "data" / "text").mkdir(parents=True)
    (tmp_path / "data" / "text" / "restate_x.jsonl").write_text(PAIRS, "utf-8")
    return tmp_path / "data"


def test_every_detector_stands_beside_its_bar(labelled: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["eval", str(labelled)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "restatement (2 cases)"
    assert " ".join(lines[2].split()) == "precision 1.000 0.025 to 1.000 at least 0.9 met"
    assert "judge_swap: not measured, too little in judge/judge_swap*.jsonl" in lines


def test_the_same_as_json(labelled: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["eval", str(labelled), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told) == 11
    found = told["restatement"]
    assert (found["n"], found["precision"], found["bar"]["precision"]) == (2, 1, 0.9)
    assert (found["interval"]["precision"], found["verdict"]["precision"]) == ([pytest.approx(0.025), 1], "met")
    assert told["calibration"] == {"n": 0, "bar": {}, "bar_is_the_most": [], "interval": {}, "verdict": {}}


@pytest.mark.parametrize(
    ("make", "said"),
    [(False, "nowhere is not a folder: name one"), (True, "nowhere holds neither labelled sets nor questions")],
)
def test_a_folder_without_sets_is_refused(make: bool, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if make:
        (tmp_path / "nowhere").mkdir()
    assert main(["eval", "nowhere"]) == 2
    assert said in capsys.readouterr().err


QUESTIONS = "".join(
    f"Question number {n}?,adopt|defer|reject,{'adopt' if n % 2 else 'defer'},architecture,We run one database.\n"
    for n in range(6)
)
HEAD = "question,options,answer,task,background\n"
CALLS = 6 * (4 + 1 + 5)
"""What six questions take under expert_panel, single_call and self_consistency."""


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    (tmp_path / "judged").mkdir()
    (tmp_path / "judged" / "questions.csv").write_text(HEAD + QUESTIONS, "utf-8")
    return tmp_path / "judged"


@pytest.mark.slow
def test_killed_half_way_it_goes_on_and_makes_no_call_twice(
    judged: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
):
    server.set(latency_s=0.02)
    asked, runs = ["eval", str(judged), *asking(server), "--json"], judged / "runs"
    with subprocess.Popen([sys.executable, "-m", "debate_core", *asked], cwd=ROOT, stdout=subprocess.DEVNULL) as child:
        server.wait_for("ended_at", calls=CALLS // 2)
        child.kill()
    with closing(open_store(f"sqlite:///{runs / 'under_way.db'}")) as store:
        bodies = [event.body for debate in store.debates() for event in store.load(debate)]
    kept = sum(isinstance(body, TurnTaken) for body in bodies)
    under_way = sum(isinstance(body, AttemptStarted) for body in bodies) - kept
    assert 0 < kept < CALLS
    assert main([*asked, "--fail-below", "0.5"]) == 0
    assert CALLS <= len(server.log) <= CALLS + under_way
    told, made = printed_json(capsys), len(server.log)
    assert (told["debates"], told["over"]) == (18, 18)
    found = {one["protocol"]: one for one in told["contenders"]}
    assert [*found] == ["expert_panel", "single_call", "self_consistency"]
    assert {one["accuracy"] for one in found.values()} == {0.5}
    assert [(one["against"], one["accuracy"], one["verdict"]) for one in told["differences"]] == [
        ("single_call", 0, "cannot tell"),
        ("self_consistency", 0, "cannot tell"),
    ]
    records = sorted(runs.glob("*.jsonl"))
    assert len(records) == 18
    assert verify(parse_record(records[0].read_bytes())) == ()
    assert {UUID(parse_record(record.read_bytes())[0].debate).version for record in records} == {4}
    report = (runs / "report.md").read_text("utf-8")
    assert "| expert\\_panel | some-model | all | 6 | 50% |" in report
    assert "    single_call / some-model       [        ------------o------------        ]\n" in report
    assert (
        "    expert_panel / some-model against single_call       [                    o                    ]\n"
        in report
    )
    # Whoever asks again asks the folder; a gate that is not reached is an exit status.
    assert main([*asked, "--fail-below", "0.6"]) == 1
    assert len(server.log) == made


def test_an_absent_server_leaves_its_items_for_the_next_run(
    judged: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
):
    (judged / "questions.csv").write_text(f"{HEAD}A?,adopt|defer,adopt,,\n", "utf-8")
    server.set(faults=[Fault("401")])
    asked = ["eval", str(judged), *asking(server), "--protocols", "single_call", "--json"]
    assert main(asked) == 5
    out, err = capsys.readouterr()
    assert json.loads(out)["over"] == 0
    # One line says why calls fail, before the debate is given up.
    assert len([line for line in err.splitlines() if "(failed): " in line]) == 1
    server.reset(votes=["adopt"])
    assert main([*asked, "--fail-below", "1"]) == 0
    assert printed_json(capsys)["over"] == 2


@pytest.mark.slow
def test_of_a_decision_record_no_model_is_sent_what_was_decided(
    tmp_path: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "decisions"
    copytree(DECIDED, folder)
    assert main(["eval", str(folder), *asking(server), "--json"]) == 0
    out, err = capsys.readouterr()
    sent = json.dumps([call.body for call in server.log], ensure_ascii=False).casefold()
    assert len(server.log) >= 4 * (4 + 1 + 5)
    assert "which option is best here? an order must be published once it is stored." in sent
    assert "because row and event are written together" not in sent  # its neighbour carries a verdict
    assert "because each request reads a row" in sent
    hidden = ("secret", "chosen option", "(chosen)", "decision outcome", "accepted", "use the outbox table")
    assert [words for words in hidden if words in sent] == []
    left_out = json.loads(out)["left_out"]
    assert left_out[0] == {"file": "0005-one-option.md", "reason": "names fewer than two options"}
    assert len(left_out) == 9
    assert "left out: 0005-one-option.md names fewer than two options.\n" in err
    assert "- 0005-one-option.md names fewer than two options." in (folder / "runs" / "report.md").read_text("utf-8")


def test_a_folder_of_records_without_a_choice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "decisions").mkdir()
    copyfile(DECIDED / "0005-one-option.md", tmp_path / "decisions" / "0005-one-option.md")
    refused(
        ["eval", str(tmp_path / "decisions")],
        capsys,
        "has no usable decision record: 0005-one-option.md names fewer than two options",
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("", "holds neither labelled sets nor questions"),
        ("A?,adopt|defer,,,\n", "questions.csv, line 2, has no answer"),
        (",adopt|defer,adopt,,\n", "questions.csv, line 2, has no question"),
        ("A?,adopt|defer,wait,,\n", "line 2: the answer 'wait' is none of its options: adopt, defer"),
        ("A?,adopt,adopt,,\n", "line 2, needs two options or more"),
        ("A?,adopt|Adopt,adopt,,\n", "line 2, needs two options or more"),
        ("A?,adopt|defer,adopt,lunch,\n", "line 2: there is no task 'lunch', only contract"),
        ("A?,a|b,a,,\n\na?,a|b,b,,\n", "questions.csv, line 4, has the same question as questions.csv, line 2"),
        ('A?,"a|b,a,,\n', "questions.csv, line 2, is no CSV"),
        ("A?,a|b,a,,One database, and one queue.\n", "line 2, has more cells than columns: put quotes around a cell"),
    ],
)
def test_questions_that_cannot_be_judged_are_named(
    rows: str, said: str, judged: Path, capsys: pytest.CaptureFixture[str]
):
    (judged / "questions.csv").write_text(HEAD + rows, "utf-8")
    refused(["eval", str(judged), "--model", "m", "--base-url", "http://127.0.0.1:9/v1"], capsys, said)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ([], "there is no model to ask: add --panel NAME or --model NAME"),
        (["--protocols", "nonsense"], "nonsense"),
        (["--seeds", "0", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"], "held once or more"),
        (["--base-url", "http://127.0.0.1:9/v1"], "names no model: add --model NAME"),
        (["--fail-below", "80"], "must be a share from 0 to 1, as in 0.8"),
    ],
)
def test_flags_that_say_no_evaluation_are_refused(
    flags: list[str], said: str, judged: Path, capsys: pytest.CaptureFixture[str]
):
    refused(["eval", str(judged), *flags], capsys, said)


def test_a_table_without_its_columns_is_refused(judged: Path, capsys: pytest.CaptureFixture[str]):
    (judged / "questions.csv").write_text("question,options\nA?,a|b\n", "utf-8")
    refused(["eval", str(judged)], capsys, "questions.csv has no column 'answer'")


def test_a_place_that_takes_nothing_is_named(judged: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]):
    """It is no fault of what was asked for: exit status 1."""
    taken = judged / "taken"
    taken.write_text("a file", "utf-8")
    assert main(["eval", str(judged), *asking(server), "--runs", str(taken)]) == 1
    assert f"debate_core: {taken}: File exists\n" in capsys.readouterr().err


def test_a_gate_of_accuracy_is_no_gate_of_detectors(labelled: Path, capsys: pytest.CaptureFixture[str]):
    refused(["eval", str(labelled), "--fail-below", "0.8"], capsys, "--fail-below is for judged questions")
