"""How long the property tests look, who runs beside whom, and the reference data that may lie beside the repository."""

import fcntl
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

SHARED = Path(__file__).resolve().parents[2] / "shared"

# The short run is the same every time; the nightly one looks further.
settings.register_profile(
    "short", max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("nightly", max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


class OneBrowser(LoadScopeScheduling):  # type: ignore[misc]
    """Every test goes to whichever worker is free, but those that drive a browser, which are begun first, to one."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/e2e/") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    """Marks of groups would say the same, but this pytest and this xdist do not understand each other there."""
    return OneBrowser(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """While a test that measures time is running, no other worker runs any."""
    folder = item.config.cache.mkdir("alone")
    how = fcntl.LOCK_EX if item.get_closest_marker("alone") else fcntl.LOCK_SH
    with (folder / "room").open("w") as room:
        # Whoever waits for an empty room stands in its door, so that nobody goes in before them.
        with (folder / "door").open("w") as door:
            fcntl.flock(door, fcntl.LOCK_EX)
            fcntl.flock(room, how)
        try:
            return (yield)
        finally:
            fcntl.flock(room, fcntl.LOCK_UN)


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes where the person who runs it keeps debates, or depends on their settings."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))
    for name in ("DEBATE_DB", "DEBATE_WORKER", "DEBATE_TURN_DEADLINE_S", "SWARM_MOCK"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shared() -> Path:
    """The folder of public reference data; the test is skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("the reference data (../shared) is not beside this checkout")
    return SHARED
