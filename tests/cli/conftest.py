"""A folder of their own for all tests of the command line, and no key but those that a test gives."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.host.access.accounts import Accounts
from debate_core.host.origin import keep_own
from debate_core.host.stores import open_store
from tests.model_server import ModelServer
from tests.people import whole_workshop


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name in [n for n in os.environ if n.endswith("_API_KEY")] + ["DEBATE_PANELS", "DEBATE_BASE_URLS"]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C is heard here and in children, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Answers in all dialects; everybody votes adopt."""
    with ModelServer(votes=["adopt"], models=["only-model"]) as running:
        yield running


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a workshop in it, in which Una has logged in once."""
    monkeypatch.delenv("DEBATE_DB", raising=False)
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    with closing(open_store(url)) as store:
        keep_own(store, "d-room")
        store.append("d-room", whole_workshop().events, after=0)
        Accounts(store).of_login({"iss": "i", "sub": "s", "name": "Una", "email": "una@example.org"})
    return url
