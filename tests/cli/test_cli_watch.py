"""`watch`: decisions of a folder or a database, their checks, and the challenge in the record."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.engine.rights import HOST
from debate_core.errors import Conflict, RuleViolation
from debate_core.host.debate_list import sign_off_of
from debate_core.host.stores import open_store
from debate_core.record import acts
from debate_core.record.commands import Act
from debate_core.record.events import Closed, DebateOpened, Event, dump_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.decision import decision_of
from debate_core.report.facts.messages import DebateMoment, new_messages
from debate_core.report.files.adr.record import decision_record
from debate_core.report.phrases.decision import since_sentences
from debate_core.report.phrases.messages import Addressee, message_sentence
from debate_core.spec.tripwires import read_check
from tests.commanding import printed_json, refused
from tests.core.test_adr import argued, signed
from tests.messaging import signed as signed_by_people
from tests.people import ABE, FAY
from tests.playing import AT, Played

LOAD = {"text": "Load stays low", "claim_id": "s0.1.1", "check": read_check("number load.csv load under 2000")}
LICENCE = {"text": "Ann keeps it", "watched_by": "Ben", "check": read_check("files *.py lacks import gpl")}
GONE = {"text": "The price holds", "check": read_check("quote price.md nine euros a seat")}
LATER = datetime(2026, 5, 1, tzinfo=UTC)
PLAIN = {"text": "Nobody leaves"}


def decided(*assumptions: dict[str, Any]) -> Played:
    return signed(argued(), assumptions=assumptions or (PLAIN, LOAD, LICENCE, GONE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "checkout"
    found.mkdir()
    (found / "a.py").write_text("import outbox\n", "utf-8")
    return set_load(found, 1500)


def set_load(folder: Path, load: int) -> Path:
    (folder / "load.csv").write_text(f"day,load\n1,{load}\n", "utf-8")
    return folder


def put_record(folder: Path, played: Played, name: str = "r") -> None:
    (folder / f"{name}.jsonl").write_text(dump_record(played.events), "utf-8")


def put_adr(folder: Path, played: Played) -> None:
    adr = decision_record(account(replay(played.events), played.events))
    (folder / adr.name).write_text(adr.text, "utf-8")


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    keep(url, decided())
    return url


def keep(url: str, played: Played) -> None:
    with closing(open_store(url)) as store:
        store.append(played.state.debate, played.events, after=0)


def events_in(url: str) -> tuple[Event, ...]:
    with closing(open_store(url)) as store:
        return tuple(store.load("d-room"))


@pytest.mark.parametrize("put", [put_record, put_adr])
def test_folder_with_a_decision_exits_7_once_it_moved(put: Any, folder: Path, capsys: pytest.CaptureFixture[str]):
    put(folder, decided())
    assert main(["watch", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3 checks of 1 decision: 2 hold, 0 moved, 1 unknown\n")
    assert "there is no file price.md" in out
    set_load(folder, 2100)
    assert main(["watch", str(folder), "--json"]) == 7
    rows = printed_json(capsys)["checks"]
    assert [row["result"] for row in rows] == ["moved", "holds", "unknown"]
    assert rows[0]["reason"] == "load.csv: load is 2100, not under 2000"


def test_decision_in_two_files_is_watched_once(folder: Path, capsys: pytest.CaptureFixture[str]):
    put_record(folder, decided())
    put_adr(folder, decided())
    assert main(["watch", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("3 checks of 1 decision")


def test_broken_record_is_named_and_others_are_watched(folder: Path, capsys: pytest.CaptureFixture[str]):
    put_record(folder, decided())
    whole = (folder / "r.jsonl").read_text("utf-8")
    (folder / "cut.jsonl").write_text(whole[:-20], "utf-8")
    assert main(["watch", str(folder)]) == 0
    printed = capsys.readouterr()
    assert "not read: cut.jsonl: line" in printed.err
    assert printed.out.startswith("3 checks of 1 decision")


@pytest.mark.parametrize("stated", ['[{"text": "Load', "\n  - text: Load"])
def test_document_with_broken_assumptions_is_named(stated: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    put_record(folder, decided())
    text = f"---\nstatus: accepted\nassumptions: {stated}\n---\n# Which?\n"
    (folder / "0001-which.md").write_text(text, "utf-8")
    (folder / "0002-none.md").write_text(text.replace(stated, "none"), "utf-8")
    assert main(["watch", str(folder), "--json"]) == 0
    told = printed_json(capsys)
    assert told["not_read"] == ["0001-which.md: its assumptions are no list in JSON on one line"]
    assert len(told["checks"]) == 3


def test_decisions_after_too_many_files_are_named(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch):
    put_record(folder, decided())
    monkeypatch.setattr("debate_core.watch.checkout.MAX_FILES", 2)
    assert main(["watch", str(folder), "--json"]) == 0
    assert "watch a part of the folder" in printed_json(capsys)["not_read"][0]


def test_unreadable_check_of_a_record_is_unknown(folder: Path, capsys: pytest.CaptureFixture[str]):
    put_adr(folder, decided(LOAD, LICENCE))
    (adr,) = folder.glob("*.md")
    adr.write_text(adr.read_text("utf-8").replace("number load.csv", "run rm -rf"), "utf-8")
    assert main(["watch", str(folder), "--json"]) == 0
    rows = printed_json(capsys)["checks"]
    assert [row["result"] for row in rows] == ["unknown", "holds"]
    assert "is no check: write one of" in rows[0]["reason"]


def test_clock_before_the_signature_proves_nothing(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch):
    put_record(folder, decided(LOAD))
    set_load(folder, 9000)
    monkeypatch.setattr("debate_core.host.runner.now", lambda: AT.replace(year=2020))
    assert main(["watch", str(folder), "--json"]) == 0
    assert "before the decision was signed" in printed_json(capsys)["checks"][0]["reason"]


def test_database_challenges_a_decision_once(url: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["watch", str(folder), "--db", url]) == 0
    capsys.readouterr()
    before = events_in(url)
    set_load(folder, 2100)
    assert main(["watch", str(folder), "--db", url, "--json"]) == 7
    assert printed_json(capsys)["challenged"] == ["d-room"]
    assert main(["watch", str(folder), "--db", url, "--json"]) == 7
    assert printed_json(capsys)["challenged"] == []
    after = events_in(url)
    (broken,) = after[len(before) :]
    assert broken.body == acts.AssumptionBroken(
        signature=before[-1].seq, assumption=2, reason="load.csv: load is 2100, not under 2000"
    )
    assert verify(after) == ()
    (challenge,) = decision_of(replay(after)).challenges
    assert challenge.assumption.text == "Load stays low"


def test_refused_challenge_is_one_sentence(url: str, folder: Path, capsys, monkeypatch: pytest.MonkeyPatch):
    set_load(folder, 2100)

    def submitted(*_given: object) -> None:
        raise Conflict("someone was faster")

    monkeypatch.setattr("debate_core.cli.watch.submitted", submitted)
    assert main(["watch", str(folder), "--db", url]) == 7
    printed = capsys.readouterr()
    assert "not challenged: d-room: someone was faster" in printed.err
    assert "load is 2100, not under 2000" in printed.out


def test_database_without_a_folder_checks_only_dates(url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["watch", "--db", url, "--json"]) == 0
    reasons = {row["reason"] for row in printed_json(capsys)["checks"]}
    assert reasons == {"no folder was named: give the checkout that this check reads"}


def test_neither_folder_nor_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    refused(["watch"], capsys, "name a folder with decisions, or a database")
    refused(["watch", str(tmp_path / "none")], capsys, "is no folder")


def challenged() -> Played:
    held = decided(LOAD)
    broken = acts.AssumptionBroken(signature=held.events[-1].seq, assumption=1, reason="load is 2100")
    return held.do(Act(by=HOST, act=broken))


def is_challenged(held: Played) -> bool:
    opened, end = held.events[0].body, next(e for e in held.events if isinstance(e.body, Closed))
    assert isinstance(opened, DebateOpened)
    assert isinstance(end.body, Closed)
    listed = sign_off_of(opened, end.body.outcome, held.events[end.seq :]).since
    assert listed == decision_of(held.state).since
    return listed == "challenged"


def test_new_signature_or_outcome_answers_a_challenge():
    assert is_challenged(challenged())
    assert not is_challenged(signed(challenged(), assumptions=(LOAD,)))
    assert not is_challenged(challenged().act(ABE, acts.OutcomeRecorded(result="held", reason="still right")))


def test_reasons_of_challenges_are_whole_sentences():
    held = challenged()
    *_others, told = since_sentences(account(held.state, held.events))
    assert (told.endswith("."), told.count("no longer holds. ")) == (True, 1)


def test_challenge_is_a_message_to_those_who_decide():
    held = signed_by_people(assumptions=(acts.Assumption.model_validate({**LOAD, "claim_id": None}),))
    before = held.state
    held.do(Act(by=HOST, act=acts.AssumptionBroken(signature=held.events[-1].seq, assumption=1, reason="gone")))
    (told,) = new_messages(DebateMoment(before, LATER), DebateMoment(held.state, LATER))
    assert (told.topic, told.kind, told.people) == ("assumption", "challenged", (FAY.id, ABE.id))
    assert message_sentence(held.state, told, Addressee()).endswith("no longer holds.")


def test_challenge_is_in_the_front_matter():
    after, before = challenged(), decided(LOAD)
    text = decision_record(account(after.state, after.events)).text
    assert 'challenged: [{"assumption": "Load stays low", "reason": "load is 2100", "at": ' in text
    assert "challenged" not in decision_record(account(before.state, before.events)).text


@pytest.mark.parametrize(
    ("by", "signature", "assumption", "said"),
    [
        (ABE.id, 0, 1, "only the server itself"),
        (HOST, -1, 1, "is not the latest signature"),
        (HOST, 0, 2, "no assumption 2 with a check"),
        (HOST, 0, 3, "no assumption 3 with a check"),
    ],
)
def test_unfounded_challenge_is_refused(by: str, signature: int, assumption: int, said: str):
    held = decided(LOAD, PLAIN)
    seq = held.events[-1].seq + signature
    with pytest.raises(RuleViolation, match=said):
        held.do(Act(by=by, act=acts.AssumptionBroken(signature=seq, assumption=assumption, reason="x")))


def test_second_challenge_of_one_assumption_is_refused():
    held = challenged()
    with pytest.raises(RuleViolation, match="broken already"):
        held.do(Act(by=HOST, act=held.state.room.facts(acts.AssumptionBroken)[0]))
