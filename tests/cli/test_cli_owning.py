"""Acts of the operator on debates of others: a new owner, and a record without a name."""

from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine import erasure
from debate_core.host.access.invites import Invitations
from debate_core.host.drafts import Drafts
from debate_core.host.host import Host, HostOptions
from debate_core.host.runner import now
from debate_core.host.stores import open_store
from debate_core.record.acts import HandedOver, Replaced
from debate_core.record.events import dump_record
from tests.commanding import printed_json, refused

WHO = ["--by", "Operations", "--reason", "Bo has left"]


def test_a_debate_gets_another_owner_and_goes_back_to_the_server(url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["hand-over", "d-room", "--to", "una@example.org", *WHO, "--db", url]) == 0
    assert "it now belongs to Una" in capsys.readouterr().out
    assert main(["hand-over", "d-room", "--to", "server", *WHO, "--db", url, "--json"]) == 0
    assert printed_json(capsys) == {"debate_id": "d-room", "owner": None}
    with closing(open_store(url)) as store:
        first, second = (event.body for event in store.load("d-room")[-2:])
    assert isinstance(first, HandedOver)
    assert (first.who, first.reason) == ("Operations", "Bo has left")
    assert isinstance(second, HandedOver)
    assert second.to is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hand-over", "d-room", "--to", "", *WHO], "write the e-mail address"),
        (["hand-over", "d-room", "--to", "eve@example.org", *WHO], "no one has logged in here as eve@example.org"),
        (["hand-over", "d-room", "--to", "server", *WHO], "the debate belongs to the server already"),
        (["hand-over", "d-room", "--to", "server", "--by", " ", "--reason", "x"], "--by is empty"),
        (["hand-over", "d-none", "--to", "server", *WHO], "there is no debate 'd-none'"),
        (["erase", "d-room", "--person", "Zoe", *WHO], "no one in this debate is called 'Zoe'"),
        (["erase", "d-room", "--person", "Ann", "--by", "x", "--reason", ""], "--reason is empty"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    url: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
):
    refused([*words, "--db", url], capsys, said)


def test_a_name_is_taken_out_and_verify_says_so(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["erase", "d-room", "--person", "Ann", *WHO, "--db", url]) == 0
    told = capsys.readouterr()
    assert "replaces d-room now, without this name" in told.out
    assert "the former record stays in this append-only database" in told.err
    with closing(open_store(url)) as store:
        former, new_id = store.load("d-room"), told.out.split()[0]
        new = store.load(new_id)
    assert former[-1].body == Replaced(by_debate=new_id, reason="Bo has left", who="Operations")
    assert "Ann" not in dump_record(new)
    file = tmp_path / "new.jsonl"
    file.write_text(dump_record(new), "utf-8")
    assert main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert f"from the record with head {former[-2].hash}, with one name replaced, at the request of Operations" in said
    assert main(["verify", str(file), "--json"]) == 0
    made_from = printed_json(capsys)["successor_of"]
    assert (made_from["debate"], made_from["head"]) == ("d-room", former[-2].hash)
    assert main(["metrics", "--db", url, "--json"]) == 0
    # It is still judged, and so left out: once, not with the former one.
    assert sum(printed_json(capsys)["left_out"].values()) == 1


def test_a_copy_can_leave_behind_the_records_with_the_name(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with closing(open_store(url)) as store:
        Drafts(store).save("turn-d-room-p-ann", "Ann writes")
        Invitations(store, clock=now).make("d-room", "voter", name="Ann", person="p-ann", electorate="panel")
    assert main(["erase", "d-room", "--person", "Ann", *WHO, "--db", url, "--json"]) == 0
    new_id = printed_json(capsys)["debate_id"]
    whole, without = (f"sqlite:///{tmp_path / name}" for name in ("whole.db", "without.db"))
    for target, more, debates in ((whole, [], {"d-room", new_id}), (without, ["--without-replaced"], {new_id})):
        assert main(["copy", "--from", url, "--to", target, *more, "--json"]) == 0
        assert printed_json(capsys)["copied"] == len(debates)
        with closing(open_store(target)) as store:
            assert set(store.debates()) == debates
    file = (tmp_path / "without.db").read_bytes()
    assert b"Ann" in (tmp_path / "whole.db").read_bytes()
    assert b"Ann" not in file
    assert erasure.NOBODY.encode() in file
    # Whoever has the old address or cookie still finds the new one.
    with closing(Host(open_store(without), HostOptions(worker="none"))) as host:
        assert host.stands_for("d-room") == new_id
        assert len(host.door.invitations.of("d-room")) == 1
