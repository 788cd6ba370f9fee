"""Records on the command line: verified byte for byte, reported, exported, taken in again."""

import csv
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bench.measure import holds
from debate_core.__main__ import main
from debate_core.documents.decision_fields import read_fields
from debate_core.host.host import Host, HostOptions
from debate_core.host.signatures import VERIFIER, file_of
from debate_core.host.stores import open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import Signed
from debate_core.record.commands import Stop
from debate_core.record.events import Closed, canonical, dump_record, make_event, parse_record
from debate_core.report.facts.health import FLAGS
from debate_core.spec.presets import PROTOCOLS, compose, protocol
from debate_core.spec.values import Seat
from tests.commanding import refused
from tests.holding import NINE_LINES, SEATS, script, steady
from tests.people import ABE, room_spec
from tests.playing import Played

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def rehearsal(tmp_path: Path) -> Path:
    said = script(steady({"planner": "release", "critic": "revise", "operator": "revise"}), title="Release")
    path = tmp_path / "release.json"
    path.write_text(json.dumps(said), "utf-8")
    return path


@pytest.fixture
def record(rehearsal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "r.jsonl"
    assert main(["run", "--script", str(rehearsal), "--out", str(path), "--json"]) == 0
    capsys.readouterr()
    return path


def test_a_record_that_holds(record: Path, capsys):
    events = parse_record(record.read_bytes())
    assert main(["verify", str(record), "--json"]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out), err) == (
        {
            "ok": True,
            "record": str(record),
            "debate_id": events[0].debate,
            "events": len(events),
            "head": events[-1].hash,
            "findings": [],
        },
        "",
    )
    assert main(["verify", str(record)]) == 0
    assert "holds" in capsys.readouterr().out


def test_one_changed_letter_is_found_and_its_event_named(record: Path, capsys):
    lines = record.read_text("utf-8").split("\n")
    where = next(i for i, line in enumerate(lines, start=1) if "critic rationale" in line)
    record.write_text("\n".join(lines).replace("critic rationale", "cretic rationale"), "utf-8")
    assert main(["verify", str(record)]) == 6
    out, err = capsys.readouterr()
    assert (out, f"line {where} (event {where}, turn_taken)" in err) == ("", True)
    assert main(["verify", str(record), "--json"]) == 6
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["findings"][0]["event"]) == (False, where)


@pytest.mark.parametrize("keep", [1, 5, -1, -2])
def test_a_record_cut_short_is_found(record: Path, keep: int, capsys):
    lines = record.read_bytes().split(b"\n")
    record.write_bytes(b"\n".join(lines[:keep]) + b"\n" if keep != -1 else b"\n".join(lines)[:-1])
    assert main(["verify", str(record)]) == 6
    assert "line" in capsys.readouterr().err


def test_a_count_that_was_forged_with_new_hashes_is_found(record: Path, capsys):
    events = list(parse_record(record.read_bytes()))
    forged, head = [], "0" * 64
    for event in events:
        body = event.body
        if isinstance(body, Closed):
            body = body.model_copy(update={"outcome": body.outcome.model_copy(update={"decision": "release"})})
        forged.append(make_event(event.debate, event.seq, head, event.at, event.actor, event.key, body))
        head = forged[-1].hash

    record.write_text(dump_record(forged), "utf-8")
    assert main(["verify", str(record)]) == 6
    assert f"event {len(events)} (closed)" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["verify", "report", "export", "import"])
def test_a_newer_record_and_an_empty_file_are_bad_input(command: str, record: Path, tmp_path: Path, capsys):
    more = ["--to", str(tmp_path / "out")] if command == "export" else []
    lines = record.read_text("utf-8").split("\n")
    first = json.loads(lines[0])
    first["body"]["format"] = 99
    record.write_text("\n".join([canonical(first), *lines[1:]]), "utf-8")
    assert main([command, str(record), *more]) == 2
    assert "format 99" in capsys.readouterr().err
    record.write_bytes(b"")
    assert main([command, str(record), *more]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), "empty" in err) == ("", 1, True)


@pytest.mark.parametrize("command", ["report", "export", "import"])
def test_what_verify_refuses_nobody_takes(command: str, record: Path, tmp_path: Path, capsys):
    more = ["--to", str(tmp_path / "out")] if command == "export" else []
    record.write_bytes(record.read_bytes().replace(b"critic rationale", b"cretic rationale"))
    assert main([command, str(record), *more]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), (tmp_path / "out").exists()) == ("", 1, False)


def test_reports(record: Path, capsys):
    # R046, R058
    assert main(["report", str(record), "--format", "summary"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == (f"{NINE_LINES}\n", f"{FLAGS['origin_unknown']}\n")
    assert main(["report", str(record), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["decision"] == "revise"
    assert main(["report", str(record), "--format", "md"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("**Rehearsal")
    assert main(["report", str(record)]) == 0
    assert f"{NINE_LINES}\n" in capsys.readouterr().out


def test_a_decision_record_takes_its_number_from_its_folder(record: Path, tmp_path: Path):
    folder = tmp_path / "decisions"
    folder.mkdir()
    (folder / "0041-use-git.md").write_text("# Use git")
    for _ in range(2):
        assert main(["export", str(record), "--to", str(folder), "--format", "adr"]) == 0
    names = sorted(p.name for p in folder.iterdir())
    assert [name[:5] for name in names] == ["0041-", "0042-"]
    assert (folder / "0041-use-git.md").read_text() == "# Use git"


def test_an_export_makes_its_folder_and_can_be_taken_in_again(record: Path, tmp_path: Path, capsys):
    # R014
    folder = tmp_path / "new" / "folder"
    assert main(["export", str(record), "--to", str(folder)]) == 0
    assert capsys.readouterr().out == ""
    assert len(list(folder.iterdir())) == 17
    with (folder / "transcript.csv").open(newline="", encoding="utf-8") as file:
        assert [row["agentName"] for row in csv.DictReader(file)] == list(SEATS)
    assert (folder / "events.jsonl").read_bytes() == record.read_bytes()
    assert main(["export", str(record), "--to", str(folder / "pdf"), "--format", "pdf"]) == 2
    assert "no export format 'pdf'" in capsys.readouterr().err
    assert not (folder / "pdf").exists()
    assert main(["export", str(record), "--to", str(folder / "otlp"), "--format", "otlp"]) == 0
    trace = json.loads((folder / "otlp" / "trace.json").read_text("utf-8"))
    assert trace["resourceSpans"][0]["scopeSpans"][0]["spans"][-1]["name"] == "debate"


def test_an_export_without_a_folder_is_refused(record: Path, capsys):
    assert main(["export", str(record), "--to", ""]) == 2
    assert "--to" in capsys.readouterr().err


def test_output_is_utf_8_wherever_it_goes(rehearsal: Path, tmp_path: Path, capsys):
    record = tmp_path / "r.jsonl"
    main(["run", "Café → …?", "--script", str(rehearsal), "--out", str(record)])
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-m", "debate_core", "report", str(record)]
    done = subprocess.run(argv, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode("utf-8").splitlines()
    assert [line for line in lines if "origin not known" not in line] == capsys.readouterr().out.splitlines()


def test_a_record_is_taken_in_once_and_never_overwritten(record: Path, rehearsal: Path, tmp_path: Path, capsys):
    url = f"sqlite:///{tmp_path}/d.db"
    events = parse_record(record.read_bytes())
    for _ in range(2):
        assert main(["import", str(record), "--db", url, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {
            "kind": "record",
            "debate_id": events[0].debate,
            "question": "Release the migration?",
            "options": ["release", "revise", "escalate"],
            "sources": [],
            "warnings": [],
        }
    store = open_store(url)
    assert store.load(events[0].debate) == events
    store.close()


def test_a_script_is_taken_in_as_a_set_up(rehearsal: Path, tmp_path: Path, capsys):
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["import", str(rehearsal), "--db", url, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["debate_id"], told["options"]) == ("script", None, ["release", "revise", "escalate"])
    store = open_store(url)
    assert store.notes("setup") == {"Release": rehearsal.read_text("utf-8")}
    store.close()


def test_signatures_are_for_a_record_alone(rehearsal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A key on the command line suggests a check that only records have."""
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"question": "Q?", "options": ["a", "b"], "rounds": [], "right": "a"}), "utf-8")
    for file, what in ((rehearsal, "a script"), (own, "a file of practice debates")):
        said = f"is {what}: --signatures and --key are for a record"
        refused(["import", str(file), "--db", f"sqlite:///{tmp_path}/d.db", "--key", "0" * 64], capsys, said)
    assert not (tmp_path / "d.db").exists()


def test_words_of_a_record_are_no_commands_of_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out, url = str(tmp_path / "r.jsonl"), f"sqlite:///{tmp_path}/d.db"
    assert main(["run", "Adopt \x1b[2Jit?", "--offline", "--out", out]) == 3
    capsys.readouterr()
    assert main(["import", out, "--db", url]) == 0
    assert capsys.readouterr().out == "record imported: Adopt [2Jit?\n"
    refused(["report", f"no\x1b[2J{out}"], capsys, "does not exist")
    assert main(["report", f"no\x1b[2J{out}"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_protocols(capsys):
    assert main(["protocols", "--json"]) == 0
    assert [p["name"] for p in json.loads(capsys.readouterr().out)] == sorted(PROTOCOLS)
    assert main(["protocols", "bounded_vote", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == {"default": 2, "warn_above": 4, "hard_max": 8}
    assert main(["protocols"]) == 0
    assert "Debate / Deliberation" in capsys.readouterr().out


@pytest.mark.slow
def test_bench_tells_every_figure(capsys, monkeypatch):
    # Its bars are for a quiet machine: here only that every figure is there and plausible, so one run will do.
    for part in ("engine", "models"):
        monkeypatch.setattr(f"bench.{part}.RUNS", 1)
    monkeypatch.setattr("bench.models.LONG_CALL_S", 0.1)
    main(["bench", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert set(figures) >= {
        "cpu_ms_per_turn",
        "wall_overhead_ms_per_turn",
        "replay_1000_turns_ms",
        "storage_ratio",
        "core_import_cpu_s",
        "tail_check_p99_ms",
        "span_ratio",
        "span_ratio_2s",
        "prefix_share",
        "reconnect_extra_calls",
        "first_token_to_room_ms",
    }
    assert figures.pop("reconnect_extra_calls") == 0
    assert all(isinstance(value, float) and value > 0 for value in figures.values())
    assert figures["storage_ratio"] <= 2
    assert [holds("prefix_share", value) for value in (0.74, 0.75)] == [False, True]
    assert [holds("span_ratio", value) for value in (1.10, 1.11)] == [True, False]
    assert [holds("span_ratio_2s", value) for value in (1.01, 1.02)] == [True, False]
    assert holds("prefix_share", figures["prefix_share"])
    # Modelled, not measured: no machine is too busy for these.
    paid = {name: value for name, value in figures.items() if name.startswith("tokens_paid_")}
    assert len(paid) == 6
    assert all(holds(name, value) for name, value in paid.items())


def test_a_record_is_a_script_and_replays_to_the_same_count(rehearsal, tmp_path, capsys):
    # a replay of a record is a rehearsal of its own, with the same turns and the same count
    first, second = str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")
    assert main(["run", "--script", str(rehearsal), "--out", first, "--json"]) == 0
    held = json.loads(capsys.readouterr().out)
    assert main(["run", "--script", first, "--out", second, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    different = {"debate_id", "record"}
    assert {k: v for k, v in again.items() if k not in different} == {
        k: v for k, v in held.items() if k not in different
    }
    assert "rehearsal" in again["flags"]
    assert again["debate_id"] != held["debate_id"]


def test_a_reading_export_is_refused_as_a_record_with_a_hint(record: Path, tmp_path, capsys):
    files, db = tmp_path / "files", f"sqlite:///{tmp_path / 'd.db'}"
    assert main(["export", str(record), "--to", str(files), "--format", "json"]) == 0
    capsys.readouterr()
    refused(["import", str(files / "debate.json"), "--db", db], capsys, "debate.json", "events.jsonl")
    assert main(["import", str(files / "events.jsonl"), "--db", db]) == 0


def test_verify_says_how_much_of_a_record_a_key_vouches_for(tmp_path: Path, capsys):
    host = Host(MemoryStore(), HostOptions(worker="none"))
    seats = [Seat(id=i, occupant="human") for i in ("ana", "ben")]
    debate = host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), seats), by="fay")
    host.submit(debate, Stop(by="fay", reason="enough"))
    key = host.signatures.public_key
    Path("r.jsonl").write_text(dump_record(host.events(debate)))
    Path("signatures.json").write_text(file_of(host.signed(debate)))
    assert main(["verify", "r.jsonl", "--signatures", "signatures.json", "--key", key]) == 0
    assert f"signed up to its last event, of {host.events(debate)[-1].at}, by the key {key}" in capsys.readouterr().out
    assert main(["verify", "r.jsonl", "--signatures", "signatures.json", "--key", "00" * 32]) == 6
    assert "not of this record, or not by this key" in capsys.readouterr().err
    refused(["verify", "r.jsonl", "--key", key], capsys, "--key and --signatures belong together")


def signed_run(tmp_path: Path, capsys) -> tuple[str, str, str]:
    """A debate held in a database and written to a file: the database, the file and the key."""
    db, out = f"sqlite:///{tmp_path / 'd.db'}", str(tmp_path / "r.jsonl")
    main(["run", "Four-day week?", "--offline", "--db", db, "--out", out, "--json"])
    told = capsys.readouterr().err
    return db, out, told.split("is signed with the key ")[1].split()[0]


def test_the_command_line_signs_as_the_app_does(tmp_path: Path, capsys):
    db, out, key = signed_run(tmp_path, capsys)
    assert main(["verify", out, "--signatures", str(tmp_path / "r.signatures.json"), "--key", key]) == 0
    kinds = {event.seq: event.kind for event in parse_record(Path(out).read_bytes())}
    signed = json.loads((tmp_path / "r.signatures.json").read_text())
    assert {kinds[s["statement"]["seq"]] for s in signed} >= {"closed", "phase_ended"}
    files = tmp_path / "files"
    assert main(["export", out, "--to", str(files), "--db", db]) == 0
    assert (
        main(["verify", str(files / "events.jsonl"), "--signatures", str(files / "signatures.json"), "--key", key]) == 0
    )
    assert (files / "verify_record.py").read_text() == VERIFIER.read_text("utf-8")
    (record,) = files.glob("0*.md")
    assert read_fields(record.read_text("utf-8")).key == key
    # By the host of the app on the same database the same is signed.
    with closing(open_store(db)) as store:
        host = Host(store, HostOptions(worker="none"))
        assert host.signatures.public_key == key
        assert file_of(host.signed(next(iter(store.debates())))) == (files / "signatures.json").read_text()


def test_stale_signatures_are_not_left_beside_another_record(tmp_path: Path, capsys):
    db, out, _ = signed_run(tmp_path, capsys)
    signatures, files = tmp_path / "r.signatures.json", tmp_path / "files"
    main(["export", out, "--to", str(files), "--db", db])
    # The same record again, by somebody without the database: they still fit.
    main(["export", str(files / "events.jsonl"), "--to", str(files)])
    assert (files / "signatures.json").exists()
    main(["run", "Two-day week?", "--offline", "--out", out])
    main(["export", out, "--to", str(files)])
    assert not signatures.exists()
    assert not (files / "signatures.json").exists()


def test_terminal_acts_on_a_stored_debate_are_signed(tmp_path: Path, capsys):
    db, _, _ = signed_run(tmp_path, capsys)
    with closing(open_store(db)) as store:
        debate = next(iter(store.debates()))
    assert main(["outcome", debate, "held", "--reason", "nobody complained", "--db", db]) == 0
    with closing(open_store(db)) as store:
        last = store.load(debate)[-1]
        assert last.kind == "outcome_recorded"
        assert store.note("signature", f"{debate}/{last.seq}") is not None


@pytest.mark.parametrize("report", ["text", "summary", "md", "json"])
def test_a_file_of_unknown_origin_is_labelled_until_checked(tmp_path: Path, capsys, report: str):
    db, out, key = signed_run(tmp_path, capsys)
    signatures = ["--signatures", str(tmp_path / "r.signatures.json")]
    mark = "origin_unknown" if report == "json" else "origin not known"

    def told(*flags: str) -> str:
        assert main(["report", out, "--format", report, *flags]) == 0
        told = capsys.readouterr()
        # The nine lines stand alone on standard output.
        return str(told.err if report == "summary" else told.out)

    assert mark in told()
    assert mark not in told("--db", db)
    assert mark not in told(*signatures, "--key", key)
    refused(["report", out, *signatures, "--key", "00" * 32], capsys, "not of this record, or not by this key")


def test_an_unsigned_imported_record_has_unknown_origin(tmp_path: Path, capsys):
    _, out, key = signed_run(tmp_path, capsys)
    unsigned, signed = (f"sqlite:///{tmp_path / name}" for name in ("a.db", "b.db"))
    assert main(["import", out, "--db", unsigned]) == 0
    signatures = str(tmp_path / "r.signatures.json")
    assert main(["import", out, "--db", signed, "--signatures", signatures, "--key", key]) == 0
    for url, is_unknown in ((unsigned, True), (signed, False)):
        with closing(open_store(url)) as store:
            assert [row.origin_unknown for row in Host(store, HostOptions(worker="none")).debates()] == [is_unknown]


def test_nothing_is_signed_without_a_database_or_lasting_key(tmp_path: Path, capsys, monkeypatch):
    main(["run", "Four-day week?", "--offline", "--out", str(tmp_path / "r.jsonl")])
    assert not list(tmp_path.glob("*.signatures.json"))
    monkeypatch.setenv("DEBATE_SIGNING_KEY", "ab" * 32)
    main(["run", "Four-day week?", "--offline", "--out", str(tmp_path / "s.jsonl")])
    assert [path.name for path in tmp_path.glob("*.signatures.json")] == ["s.signatures.json"]


def test_summary_keeps_nine_lines_beside_a_signature(tmp_path: Path, capsys):
    held = Played(room_spec(rounds=1, hold="none"))
    held.to_the_end()
    held.act(ABE, Signed(verdict="accept", option="defer", reason="no staff"))
    record = tmp_path / "r.jsonl"
    record.write_text(dump_record(held.events), "utf-8")
    decided = "Decided by Abe, against the count: defer. 3 of 3 seats chose adopt."
    assert main(["report", str(record), "--format", "summary"]) == 0
    told = capsys.readouterr()
    assert told.out.count("\n") == 9
    assert "decision: adopt\n" in told.out
    assert told.err.splitlines() == [FLAGS["origin_unknown"], decided]
    for name, text in (("text", ""), ("md", "- Decision: "), ("json", "")):
        assert main(["report", str(record), "--format", name]) == 0
        assert f"{text}{decided}" in " ".join(capsys.readouterr().out.split()), name
