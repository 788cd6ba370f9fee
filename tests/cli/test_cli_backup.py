"""A copy of a database file that is being used, and what is refused."""

import stat
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.record.events import Event
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests.playing import Played

SEATS = [Seat(id=name, occupant="scripted", stance="for") for name in ("ana", "ben", "cyd")]


def played(name: str) -> list[Event]:
    return Played(compose("Ship it?", ["adopt", "defer"], BOUNDED_VOTE, SEATS), name).play().events


def test_a_backup_is_the_state_of_one_moment_while_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    database, to, meanwhile = (tmp_path / f"{name}.db" for name in ("debates", "monday", "meanwhile"))
    command = ["backup", "--db", f"sqlite:///{database}", "--to", str(to)]
    first, second = played("d1"), played("d2")
    with closing(SqliteStore(database)) as store:
        store.append("d1", first, after=0)
        store.put_note("draft", "form", "half a sentence")
        # A transaction of somebody else is under way: it is not in the copy, and the copy does not wait for it.
        with store._writing() as writing:
            writing.exec_driver_sql("DELETE FROM papers")
            store.copy_to(meanwhile)
        assert main(command) == 0
        store.append("d2", second, after=0)
    said = capsys.readouterr().out
    with closing(SqliteStore(meanwhile)) as copy:
        assert (copy.debates(), copy.note("draft", "form")) == ({"d1": len(first)}, "half a sentence")
    assert said.startswith(f"{to}: 1 debate with {len(first)} events, read again. The two key files")
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    with closing(SqliteStore(to)) as copy:
        assert (copy.debates(), copy.load("d1")) == ({"d1": len(first)}, tuple(first))
        copy.append("d2", second, after=0)
    # Nothing is written over.
    before = to.read_bytes()
    assert main(command) == 2
    assert capsys.readouterr().err == f"debate_core: {to} is there already: name a file that is not\n"
    assert to.read_bytes() == before


@pytest.mark.parametrize(
    ("db", "to", "told"),
    [
        ("sqlite:///{folder}/none.db", "{folder}/copy.db", "there is no database {folder}/none.db"),
        ("sqlite:///{folder}/debates.db", "{folder}/no/copy.db", "{folder}/no/copy.db cannot be written: No such file"),
        (
            "postgresql+psycopg://ann:secret@db/debates",
            "{folder}/copy.db",
            "debates is no file: back it up with pg_dump",
        ),
    ],
)
def test_what_cannot_be_backed_up_is_said_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], db: str, to: str, told: str
):
    SqliteStore(tmp_path / "debates.db").close()
    url, file = db.format(folder=tmp_path), to.format(folder=tmp_path)
    assert main(["backup", "--db", url, "--to", file]) == 2
    said = capsys.readouterr().err
    assert told.format(folder=tmp_path) in said
    assert (said.count("\n"), "secret" in said, Path(file).exists()) == (1, False, False)
