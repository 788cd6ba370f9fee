"""The app without a browser: every test has its own store, and the router that `app.py` starts."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.ui.kit.launched import set_launched
from debate_core.ui.server import launch
from tests.app.visiting import ELSEWHERE, SERVER, WebClient, new_browser


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """The host of this process on an empty store, without the API keys of the machine that runs the tests."""
    for name in [n for n in os.environ if n.endswith("_API_KEY") or n in ("DEBATE_PANELS", "DEBATE_BASE_URLS")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DEBATE_DB", f"sqlite:///{tmp_path / 'debates.db'}")
    reset_shared_host()
    yield shared_host()
    reset_shared_host()


@pytest.fixture(autouse=True, scope="session")
def _packages_are_looked_through_once() -> Iterator[None]:
    """Every simulated browser would look for components in all that is installed: a third of its time."""
    scan = manifest_scanner.scan_component_manifests
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(scan))
        yield


@pytest.fixture(autouse=True, scope="session")
def _pages_are_compiled_once() -> Iterator[None]:
    """Every run of a simulated browser would compile its page anew: no test changes the source of a page."""

    @cache
    def compiled(script_path: str) -> Any:
        return get_bytecode(ScriptCache(), script_path)

    get_bytecode = ScriptCache.get_bytecode
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptCache, "get_bytecode", lambda _scripts, script_path: compiled(script_path))
        yield


@pytest.fixture(autouse=True)
def _no_cookies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulated browser has no cookies; the debate that it opened identifies its person.

    It has no headers either: Streamlit's own stand-in for them is empty too, and slow to make.
    """
    monkeypatch.setattr(ContextProxy, "cookies", {})
    monkeypatch.setattr(ContextProxy, "headers", {})


@pytest.fixture
def browser(host: Host) -> Callable[[], WebClient]:
    """A new browser without cookies each time it is called."""
    app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))
    return lambda: WebClient(app)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages are read from another machine of the network."""
    set_launched(up=True)
    monkeypatch.setattr(ContextProxy, "headers", {"host": f"{SERVER}:8501"})
    monkeypatch.setattr(ContextProxy, "ip_address", ELSEWHERE)
    yield
    set_launched(up=False)


@pytest.fixture
def app(host: Host) -> AppTest:
    """The app as a first visitor finds it."""
    return new_browser()
