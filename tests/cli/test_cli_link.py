"""A way back into a debate whose people have no link: taken in from elsewhere, or lost with a laptop."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.errors import NotAllowed
from debate_core.host.access.admission import BY_THE_SERVER as BY
from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.door import REVOKED
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.acts import LinkChanged, PersonChanged, PersonLeft
from debate_core.record.commands import Act
from debate_core.record.events import dump_record
from debate_core.record.fold import replay
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.commanding import printed_json, refused
from tests.joining import ready_invite
from tests.people import ANN, EVERYBODY, FAY, GUS, OLA, room_spec
from tests.playing import Played

SEATS = [Seat(id=i, occupant="human") for i in ("ana", "ben", "cid")]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch):
    for name in ("DEBATE_DB", "DEBATE_SECRET", "DEBATE_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kept.db'}"


@pytest.fixture
def host(database: str) -> Iterator[Host]:
    """The server that uses the same database at the same time."""
    with closing(Host(open_store(database), HostOptions(worker="none"))) as running:
        yield running


def changes(database: str, debate: str) -> list[str]:
    """Return the link changes in the record."""
    with closing(open_store(database)) as store:
        return [d.fact.what for d in replay(store.load(debate)).room.of(LinkChanged)]


def test_a_room_of_another_installation_is_entered_and_led(database: str, tmp_path: Path, capsys):
    held = Played(room_spec())
    (tmp_path / "r.jsonl").write_text(dump_record(held.events), "utf-8")
    assert main(["import", "r.jsonl", "--db", database]) == 0
    capsys.readouterr()
    assert main(["link", "d-room", "--db", database]) == 0
    out, err = capsys.readouterr()
    *listed, address = out.splitlines()
    assert listed == [
        "d-room: Which?",
        *(f"  {p.id}  {p.name}, {p.role}" for p in EVERYBODY),
        "For Fay alone, once, within 14 days:",
    ]
    found = re.fullmatch(r"http://localhost:8501/join/([\w.-]+)", address)
    assert found is not None
    assert ("set DEBATE_PUBLIC_URL" in err, "DEBATE_SECRET" in err, found[1] in err) == (True, True, False)
    with closing(Host(open_store(database), HostOptions(worker="none"))) as host:
        invite = ready_invite(host.door, found[1])
        assert host.admit(invite) == FAY.id
        cookies = {cookie_name("d-room"): host.door.cookies.of(invite, FAY.id)}
        assert host.viewer("d-room", cookies) == FAY
        assert host.door_for("d-room", by=FAY.id) is host.door
        last = host.events("d-room")[-1]
        made = LinkChanged(what="made", person=FAY.id, role="facilitator", reason=BY)
        assert (last.actor, last.body) == ("host", made)
        assert found[1] not in dump_record(host.events("d-room"))
        assert verify(host.events("d-room")) == ()


def test_the_older_link_and_the_browser_that_used_it_are_out(
    host: Host, database: str, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.setenv("DEBATE_PUBLIC_URL", "https://room.example")
    debate = host.create(room_spec((FAY, ANN), seats=SEATS), by=FAY.id)
    used, unused, other = (host.door.invitations.make_for(debate, p) for p in (FAY, FAY, ANN))
    host.admit(used)
    assert main(["link", debate, "--db", database, "--json"]) == 0
    told = printed_json(capsys)
    token = told.pop("link").removeprefix("https://room.example/join/")
    new = ready_invite(host.door, token)
    assert told == {
        "debate_id": debate,
        "question": "Which?",
        "people": [{"id": p.id, "name": p.name, "role": p.role} for p in (FAY, ANN)],
        "person": FAY.id,
        "expires_at": new.expires_at,
        "taken_back": 2,
    }
    for gone in (used, unused):
        with pytest.raises(NotAllowed, match=REVOKED):
            ready_invite(host.door, host.door.token(gone))
    assert host.viewer(debate, {cookie_name(debate): host.door.cookies.of(used, FAY.id)}) is None
    assert ready_invite(host.door, host.door.token(other)) == other
    assert host.admit(new) == FAY.id
    assert changes(database, debate) == ["replaced"]
    # Again, now that it is used: the newest one counts alone.
    assert main(["link", debate, "--db", database]) == 0
    assert "; 1 older link taken back:" in capsys.readouterr().out


def test_somebody_named_and_a_secret_of_the_server(host: Host, database: str, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setenv("DEBATE_SECRET", "a secret of the server, long enough")
    debate = host.create(room_spec((FAY, ANN), seats=SEATS), by=FAY.id)
    assert main(["link", debate, "--person", ANN.id, "--db", database]) == 0
    out, err = capsys.readouterr()
    assert ("For Ann alone" in out, "DEBATE_SECRET" in err) == (True, False)
    with pytest.raises(NotAllowed, match="was not made here"):
        ready_invite(host.door, out.splitlines()[-1].rpartition("/")[2])


def test_a_list_makes_no_link(host: Host, database: str, capsys):
    debate = host.create(room_spec((FAY, ANN), seats=SEATS), by=FAY.id)
    assert main(["link", debate, "--list", "--db", database]) == 0
    assert capsys.readouterr() == (f"{debate}: Which?\n  p-fay  Fay, facilitator\n  p-ann  Ann, voter\n", "")
    assert (host.door.invitations.of(debate), changes(database, debate)) == ((), [])


def test_a_name_sends_no_signs_to_the_terminal(host: Host, database: str, capsys):
    nasty = ANN.model_copy(update={"name": "An\x1b[31m\u202en"})
    debate = host.create(room_spec((FAY, nasty), seats=SEATS), by=FAY.id)
    refused(
        ["link", debate, "--person", "x", "--db", database], capsys, "p-fay (Fay, facilitator), p-ann (An[31mn, voter)"
    )
    assert main(["link", debate, "--list", "--db", database]) == 0
    assert "  p-ann  An[31mn, voter\n" in capsys.readouterr().out


def test_whom_no_link_can_be_made_for(host: Host, database: str, capsys):
    debate = host.create(room_spec((FAY, ANN, GUS, OLA), seats=SEATS), by=FAY.id)
    host.submit(debate, Act(by=FAY.id, act=PersonLeft(person=OLA.id, reason="asked to")))
    at = ["--db", database]
    refused(["link", "d-none", *at], capsys, "no debate 'd-none'")
    refused(["link", debate, "--db", "sqlite:///none.db"], capsys, "there is no database none.db")
    refused(["link", debate, "--person", "fay", *at], capsys, "'fay'", "p-fay (Fay, facilitator), p-ann (Ann, voter)")
    refused(["link", debate, "--person", OLA.id, *at], capsys, "Ola (p-ola) has left", "or was removed")
    refused(["link", debate, "--person", "", *at], capsys, "''", "p-fay")
    refused(["link", *at], capsys, "DEBATE")
    second = GUS.model_copy(update={"role": "facilitator"})
    host.submit(debate, Act(by=FAY.id, act=PersonChanged(person=second)))
    refused(["link", debate, *at], capsys, "2 facilitators", "--person", "p-fay (Fay, facilitator), p-gus (Gus,")
    alone = host.create(compose("Which?", ["a", "b"], protocol("bounded_vote"), SEATS), by="tests")
    for more in ([], ["--list"], ["--person", "p-fay"]):
        refused(["link", alone, *more, *at], capsys, "without people")
    assert (host.door.invitations.of(debate), changes(database, debate)) == ((), [])


def test_a_new_secret_ends_every_link_that_is_out(database: str, host: Host, monkeypatch: pytest.MonkeyPatch, capsys):
    debate = host.create(room_spec(seats=SEATS), by=FAY.id)
    token = host.door.token(host.door.invitations.make(debate, "judge", name="June"))
    assert main(["rotate-secret", "--db", database]) == 0
    assert "new secret" in capsys.readouterr().out
    with closing(Host(open_store(database), HostOptions(worker="none"))) as again, pytest.raises(NotAllowed):
        ready_invite(again.door, token)
    monkeypatch.setenv("DEBATE_SECRET", "a secret of the server, long enough")
    assert main(["rotate-secret", "--db", database]) == 2
    assert "DEBATE_SECRET is set" in capsys.readouterr().err
