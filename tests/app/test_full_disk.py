"""Pages on a full disk: the page stays, no draft is lost, and one sentence says what is not in."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.errors import Busy, DiskFault, NotAllowed, StoreError, Unwritable
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.events import dump_record
from debate_core.ui.kit import session
from tests.app.visiting import at, brings, cookie_of, did, opened, told
from tests.people import ANN, EVERYBODY, FAY, JUNE, room_spec
from tests.playing import Played

PATH = "debates.db"
DRAFT = f"{ANN.id}/poll-pre"


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may grow, which the system refuses as it refuses a write to a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception


@pytest.fixture
def debate(host: Host, monkeypatch: pytest.MonkeyPatch) -> str:
    """A debate in whose first poll Ann votes at this browser."""
    made = opened(host)
    did(host, made, FAY, acts.PollOpened(poll="pre"))
    brings(monkeypatch, made, cookie_of(host, made, ANN))
    return made


@pytest.mark.slow
def test_ballot_on_full_disk_is_said_not_to_be_in(app: AppTest, host: Host, debate: str, elsewhere: None):
    at(app, debate)
    with full_disk():
        app.radio[0].set_value("adopt").run()
        assert not app.exception
        assert "Your draft is not saved, and your vote" in told(app)
        press(app, "Cast my vote")
        assert "Your last action, such as a vote or a turn, was not recorded: the server cannot save" in told(app)
    assert PATH not in told(app)
    assert app.radio[0].value == "adopt"
    press(app, "Cast my vote")
    assert ANN.id in host.state(debate).room.polls["pre"].ballots


def test_draft_is_saved_whole_after_a_full_disk(app: AppTest, host: Host, debate: str):
    at(app, debate)
    with full_disk():
        app.radio[0].set_value("defer").run()
    assert host.drafts.text(f"{debate}/{DRAFT}") is None
    app.text_input[0].set_value("later").run()
    kept = json.loads(host.drafts.text(f"{debate}/{DRAFT}") or "{}")
    assert (kept["vote"], kept["why"]) == ("defer", "later")


def test_changed_ballot_on_full_disk_keeps_the_first(app: AppTest, host: Host, debate: str):
    did(host, debate, ANN, acts.BallotCast(poll="pre", choice="adopt"))
    at(app, debate)
    with full_disk():
        app.radio[0].set_value("defer").run()
    assert "Your previous vote counts" in told(app)


def test_operator_reads_the_path_of_the_database(app: AppTest, debate: str):
    at(app, debate)
    with full_disk():
        app.radio[0].set_value("adopt").run()
    assert PATH in told(app)


def test_setup_on_full_disk_keeps_what_was_written(app: AppTest):
    app.run()
    app.switch_page("setup.py").run()
    with full_disk():
        app.text_area[0].set_value("Should we?").run()
    assert not app.exception
    assert "This draft is not saved" in told(app)
    assert app.text_area[0].value == "Should we?"


def test_script_on_full_disk_is_not_started_and_says_so(app: AppTest, host: Host):
    app.run()
    app.switch_page("home.py").run()
    with full_disk():
        press(app, "Watch a debate")
    assert "cannot read or save" in told(app)
    assert not host.debates()


def test_switch_of_single_keys_on_full_disk_holds_here(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    debate = opened(host)
    brings(monkeypatch, debate, cookie_of(host, debate, FAY))
    app.session_state["who"] = True
    at(app, debate)
    with full_disk():
        app.toggle(key="single-keys").set_value(False).run()
    assert not app.exception
    assert "This setting is not saved" in told(app)
    assert app.toggle(key="single-keys").value is False


def test_judge_on_full_disk_goes_on_reading(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    held = Played(room_spec((*EVERYBODY,), rounds=1, afterwards="timed"))
    held.to_the_end()
    debate = host.import_record(dump_record(held.events).encode())
    brings(monkeypatch, debate, cookie_of(host, debate, JUNE))
    with full_disk():
        at(app, debate)
    assert "You judge" in told(app)
    assert "Your time is not saved" in told(app)


@pytest.mark.parametrize(
    ("error", "is_public"),
    [
        (DiskFault("{where} is full", where="/srv/secret/x.db"), False),
        (Unwritable("{where} is a folder", where="/srv/secret/x.db"), False),
        (Busy("another program writes"), False),
        (StoreError("nothing in {path}", path="/srv/secret"), False),
        (StoreError("line 3: the record is cut short"), True),
        (NotAllowed("not you"), True),
    ],
    ids=str,
)
def test_words_of_the_store_are_for_the_operator(
    host: Host, request: pytest.FixtureRequest, error: StoreError, is_public: bool
):
    assert str(error) in session.told(error)
    request.getfixturevalue("elsewhere")
    assert (str(error) in session.told(error)) is is_public
    assert "secret" not in session.told(error)
