"""Signatures over the events of a record, checked by the program and by a separate script."""

import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.errors import BrokenRecord, Busy, DebateError, InvalidSpec
from debate_core.host.host import Host, HostOptions
from debate_core.host.signatures import SIGNED, VERIFIER, check_signatures, file_of
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.record import acts
from debate_core.record.commands import Pause, Resume, Stop
from debate_core.record.events import KINDS, Event, canonical, dump_record, make_event, parse_record
from debate_core.report.facts.interventions import override_rows
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.people import FAY, GUS, MO, whole_workshop

TALK = {
    *(
        "debate_opened",
        "phase_began",
        "attempt_started",
        "looked_up",
        "turn_taken",
        "turn_failed",
        "person_joined",
        "asked",
        "upvoted",
    ),
    *("poll_opened", "ballot_committed", "ballot_cast", "belief_reported", "beliefs_revealed", "judged", "compared"),
    *("supposed", "poked", "flagged"),
    *(
        "flag_resolved",
        "preparation_begun",
        "suggested",
        "prepared",
        "texts_written",
        "texts_shown",
        "passage_marked",
        "marks_revealed",
    ),
}
"""What seats, voters and judges say: it is signed with what ends it."""
SEATS = [Seat(id=i, occupant="human") for i in ("ana", "ben")]


@pytest.fixture
def host() -> Host:
    return Host(MemoryStore(), HostOptions(worker="none"))


@pytest.fixture
def debate(host: Host) -> str:
    made = host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), SEATS), by="fay")
    host.submit(made, Stop(by="fay", reason="enough"))
    return made


def forged(events: tuple[Event, ...], place: int, **changes: object) -> tuple[Event, ...]:
    """The record with one body changed and every hash recomputed: a valid chain."""
    made: list[Event] = []
    for number, event in enumerate(events):
        body = event.body.model_copy(update=changes) if number == place else event.body
        head = made[-1].hash if made else "0" * 64
        made.append(make_event(event.debate, event.seq, head, event.at, event.actor, event.key, body))
    return tuple(made)


def by_script(folder: Path, record: bytes, signatures: str, *key: str) -> subprocess.CompletedProcess[str]:
    """Run the script that ships with the files, outside this project."""
    (folder / "verify_record.py").write_text(VERIFIER.read_text("utf-8"))
    (folder / "events.jsonl").write_bytes(record)
    (folder / "signatures.json").write_text(signatures)
    command = [sys.executable, "-I", "verify_record.py", "events.jsonl", "signatures.json", *key]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_record_of_this_server_is_vouched_for_to_its_end(host: Host, debate: str, tmp_path: Path):
    events = host.events(debate)
    signed, key = file_of(host.signed(debate)), host.signatures.public_key
    assert check_signatures(events, signed, key) == events[-1].at
    said = by_script(tmp_path, dump_record(events).encode(), signed, key)
    assert said.returncode == 0, said.stderr
    assert f"events 1 to {len(events)} are vouched for by the key {key}" in said.stdout


def test_script_without_a_file_names_its_arguments():
    said = subprocess.run([sys.executable, "-I", str(VERIFIER)], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.startswith("Check a record without the program that wrote it: python verify_record.py events.js")
    assert "Error" not in said.stderr


def test_a_whole_new_chain_is_not_vouched_for(host: Host, debate: str, tmp_path: Path):
    # Everything in it fits together: without a signature nobody could tell.
    events = host.events(debate)
    signed, key = file_of(host.signed(debate)), host.signatures.public_key
    other = forged(events, len(events) - 2, reason="everybody agreed")
    assert parse_record(dump_record(other).encode()) == other
    with pytest.raises(BrokenRecord, match="is not of this record, or not by this key"):
        check_signatures(other, signed, key)
    assert by_script(tmp_path, dump_record(other).encode(), signed, key).returncode == 1


def test_another_key_vouches_for_nothing_here(host: Host, debate: str, tmp_path: Path):
    events = host.events(debate)
    stranger = Host(MemoryStore(), HostOptions(worker="none")).signatures
    theirs = file_of(stranger.of(events))
    key = host.signatures.public_key
    with pytest.raises(BrokenRecord):
        check_signatures(events, theirs, key)
    assert by_script(tmp_path, dump_record(events).encode(), theirs, key).returncode == 1
    # Who names their own key is told whose it is.
    assert check_signatures(events, theirs, stranger.public_key) == events[-1].at


def test_a_new_key_vouches_for_records_and_old_files_keep_theirs(tmp_path: Path):
    store = MemoryStore()
    before = Host(store, HostOptions(worker="none", signing_key="aa" * 32))
    debate = before.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), SEATS), by="fay")
    before.submit(debate, Pause(by="fay", reason="lunch"))
    then, taken = before.events(debate), file_of(before.signed(debate))
    after = Host(store, HostOptions(worker="none", signing_key="bb" * 32))
    for command in (Resume(by="fay"), Stop(by="fay", reason="enough")):
        after.submit(debate, command)
        events, signed = after.events(debate), file_of(after.signed(debate))
        assert check_signatures(events, signed, after.signatures.public_key)
        assert by_script(tmp_path, dump_record(events).encode(), signed).returncode == 0
    assert check_signatures(then, taken, before.signatures.public_key)


def test_500_changed_bytes_are_all_noticed(host: Host, debate: str):
    events = host.events(debate)
    record, signed = dump_record(events).encode(), file_of(host.signed(debate))
    rng, key = random.Random(7), host.signatures.public_key
    for _ in range(500):
        place = rng.randrange(len(record))
        changed = record[:place] + bytes([record[place] ^ (1 << rng.randrange(7))]) + record[place + 1 :]
        with pytest.raises(DebateError):
            check_signatures(parse_record(changed), signed, key)


@pytest.mark.parametrize("how", ["signature", "seq", "head", "key"])
def test_a_changed_signature_is_none(host: Host, debate: str, how: str):
    events, key = host.events(debate), host.signatures.public_key
    [first, *rest] = host.signed(debate)
    statement = first.statement
    changes: dict[str, dict[str, object]] = {
        "signature": {"signature": f"{int(first.signature[:2], 16) ^ 1:02x}{first.signature[2:]}"},
        "seq": {"statement": statement.model_copy(update={"seq": statement.seq - 1})},
        "head": {"statement": statement.model_copy(update={"head": events[0].hash})},
        "key": {"key": "00" * 32},
    }
    with pytest.raises(BrokenRecord):
        check_signatures(events, file_of([first.model_copy(update=changes[how]), *rest]), key)


@pytest.mark.parametrize(("text", "key"), [("{}", "aa" * 32), ("[{}]", "aa" * 32), ("[]", "aa"), ("[]", "xyz")])
def test_an_invalid_key_or_signature_is_refused_in_one_sentence(text: str, key: str):
    with pytest.raises(InvalidSpec, match=r"^(a key has 64|these are no signatures)"):
        check_signatures((), text, key)


def test_results_signatures_and_overrides_are_signed_at_once():
    assert set(KINDS) == SIGNED | TALK
    assert not SIGNED & TALK
    held = whole_workshop()
    held.act(MO, acts.Struck(turn="1.reply.s1", reason="not on the question"))
    held.act(FAY, acts.PersonChanged(person=GUS.model_copy(update={"name": "Gustav"})))
    overridden = [held.events[row.event_id - 1].kind for row in override_rows(held.events)]
    assert set(overridden) >= {"signed", "struck", "person_changed"}
    assert set(overridden) <= SIGNED
    store = MemoryStore()
    host = Host(store, HostOptions(worker="none"))
    debate = host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), SEATS), by="fay")
    assert store.notes("signature") == {}
    host.submit(debate, Pause(by="fay", reason="lunch"))
    host.submit(debate, Stop(by="fay", reason="enough"))
    written = [f"{debate}/{event.seq}" for event in host.events(debate) if event.kind in SIGNED]
    assert sorted(store.notes("signature")) == sorted(written)
    assert len(written) == 3


def test_a_recorded_result_shows_even_if_unsigned(caplog: pytest.LogCaptureFixture):
    class Away(MemoryStore):
        """A store whose notes cannot be read once a debate is stopped."""

        def note(self, kind: str, name: str) -> str | None:
            if self.find(name, "stopped") is not None:
                raise Busy("the database is busy: try again")
            return super().note(kind, name)

    host = Host(Away(), HostOptions(worker="none"))
    debate = host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), SEATS), by="fay")
    state = host.submit(debate, Stop(by="fay", reason="enough"))
    assert state.outcome is not None
    assert f"events of {debate} have no signature" in caplog.text


def test_a_record_from_elsewhere_is_never_signed(host: Host, debate: str):
    elsewhere = Host(MemoryStore(), HostOptions(worker="none"))
    elsewhere.import_record(dump_record(host.events(debate)).encode())
    assert elsewhere.signed(debate) == []


def test_the_key_lies_beside_the_database_for_its_owner_alone(tmp_path: Path):
    with closing(SqliteStore(tmp_path / "debates.db")) as store:
        first = Host(store, HostOptions(worker="none")).signatures.public_key
        assert Host(store, HostOptions(worker="none")).signatures.public_key == first
    path = tmp_path / "debates.db.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text().strip() not in canonical({"key": first})


def test_the_script_is_short_enough_to_be_read():
    assert len(VERIFIER.read_text("utf-8").splitlines()) <= 80


def test_an_imported_record_is_never_listed_as_one_of_ours(host: Host, debate: str):
    elsewhere = Host(MemoryStore(), HostOptions(worker="none"))
    elsewhere.import_record(dump_record(host.events(debate)).encode())
    assert [row.origin_unknown for row in elsewhere.debates()] == [True]
    assert [row.origin_unknown for row in host.debates()] == [False]
