"""Origin of a record: forged ones are refused or marked, and every document of an unknown one is labelled."""

from collections.abc import Callable
from typing import Any

import pytest

from bench.tampering import Line, exported, lines_of, made_anew, notices
from debate_core.engine.audit import verify
from debate_core.errors import BrokenRecord, InvalidSpec
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import parse_record
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.health import FLAGS
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, export_files, run_json
from debate_core.report.files.report import markdown_report, text_report, transcript_markdown
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.people import whole_workshop
from tests.playing import Played

UNKNOWN = FLAGS["origin_unknown"]


@pytest.fixture(scope="module")
def genuine() -> Any:
    seats = [Seat(id=name, occupant="scripted") for name in ("ana", "ben", "cyd")]
    held = Played(compose("Which store?", ["a", "b"], protocol("bounded_vote"), seats))
    held.to_the_end("a")
    return exported(held.events)


@pytest.fixture
def elsewhere() -> Host:
    return Host(MemoryStore(), HostOptions(worker="none"))


# The six forgeries: each is a whole new chain that keeps every rule


def opener_renamed(lines: list[Line]) -> None:
    lines[0]["actor"] = "The CTO"


def held_in_2020(lines: list[Line]) -> None:
    for line in lines:
        line["at"] = "2020" + line["at"][4:]


def question_replaced(lines: list[Line]) -> None:
    lines[0]["body"]["spec"]["question"] = "Shall we dismiss everybody?"


def rationales_replaced(lines: list[Line]) -> None:
    for line in lines:
        if line["kind"] == "turn_taken":
            line["body"]["content"]["rationale"] = "I was always for it."


def scripts_called_people(lines: list[Line]) -> None:
    for seat in lines[0]["body"]["spec"]["seats"]:
        seat["occupant"] = "human"


def id_is_a_path(lines: list[Line]) -> None:
    for line in lines:
        line["debate"] = "../../etc"


MARKED = (opener_renamed, held_in_2020, question_replaced, rationales_replaced, scripts_called_people)


def forged(record: bytes, how: Callable[[list[Line]], None]) -> bytes:
    lines = lines_of(record)
    how(lines)
    return made_anew(lines)


@pytest.mark.parametrize("how", MARKED, ids=lambda how: how.__name__)
def test_a_consistent_forgery_is_marked_and_has_no_signature(
    genuine: Any, elsewhere: Host, how: Callable[[list[Line]], None]
):
    record = forged(genuine.record, how)
    # Arithmetic cannot tell.
    assert verify(parse_record(record)) == ()
    debate = elsewhere.import_record(record)
    assert [row.origin_unknown for row in elsewhere.debates()] == [True]
    assert notices(record, genuine.signatures, genuine.key)
    with pytest.raises(BrokenRecord, match="not of this record, or not by this key"):
        elsewhere.vouch(debate, genuine.signatures, genuine.key)
    # Nor is one that the forger signed, to whoever knows the right key.
    with pytest.raises(BrokenRecord, match="not of this record, or not by this key"):
        elsewhere.vouch(debate, exported(parse_record(record)).signatures, genuine.key)
    assert elsewhere.is_origin_unknown(debate)


def test_a_forgery_whose_id_is_a_path_is_refused(genuine: Any, elsewhere: Host):
    with pytest.raises(BrokenRecord, match="the id of a debate has 1 to 64 letters"):
        elsewhere.import_record(forged(genuine.record, id_is_a_path))
    assert elsewhere.debates() == ()


# The mark, and how it goes


PAPERS: dict[str, Callable[[Account], str]] = {
    "report for a terminal": text_report,
    "report in Markdown": markdown_report,
    "transcript": transcript_markdown,
    "health.csv": lambda told: csv_files(told)["health.csv"],
    "debate.json": lambda told: str(debate_json(told)),
    **{f"adr {name}": lambda told, name=name: decision_record(told, profile=name).text for name in PROFILES},  # type: ignore[misc]
}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_says_that_the_origin_is_not_known(paper: str):
    held = whole_workshop()
    assert UNKNOWN in PAPERS[paper](account(held.state, held.events, origin_unknown=True)).replace("\\", "")
    assert UNKNOWN not in PAPERS[paper](account(held.state, held.events))


def test_json_results_and_exports_carry_the_origin_flag():
    held = whole_workshop()
    told = account(held.state, held.events, origin_unknown=True)
    assert "origin_unknown" in run_json(told)["flags"]  # type: ignore[operator]
    files = export_files(told, "all")
    documents = [name for name in files if name.endswith((".md", ".json")) or name == "health.csv"]
    assert len(documents) == 5
    assert [name for name in documents if UNKNOWN.encode() not in files[name].replace(b"\\", b"")] == []


def test_checking_signatures_removes_the_mark(genuine: Any, elsewhere: Host):
    debate = elsewhere.import_record(genuine.record)
    # Another process that shows the same debates.
    beside = Host(elsewhere._store, HostOptions(worker="none"))
    assert [row.origin_unknown for host in (elsewhere, beside) for row in host.debates()] == [True, True]
    with pytest.raises(InvalidSpec, match="a key has 64 hexadecimal digits"):
        elsewhere.vouch(debate, genuine.signatures, "key")
    elsewhere.vouch(debate, genuine.signatures, genuine.key.upper())
    assert [row.origin_unknown for host in (elsewhere, beside) for row in host.debates()] == [False, False]
    assert elsewhere.vouched_by(debate) == genuine.key
    # Vouched for is not opened here: what leaves this server is not signed by it.
    assert elsewhere.signed(debate) == []
