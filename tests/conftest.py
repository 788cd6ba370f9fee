"""Number of examples in property tests, and the reference data beside the repository."""

import gc
import logging
import os
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import SHORT

# What is made while tests are collected stays until the end.
gc.disable()
_HOMES = count()
SHARED = Path(__file__).resolve().parents[2] / "shared"

ANY_SPEED = settings(deadline=None, suppress_health_check=list(HealthCheck))
# The short run is the same every time, as is the quick one while the code is written; the nightly one looks further.
settings.register_profile("quick", ANY_SPEED, max_examples=SHORT // 10, derandomize=True)
settings.register_profile("short", ANY_SPEED, max_examples=SHORT, derandomize=True)
settings.register_profile("nightly", ANY_SPEED, max_examples=SHORT * 10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


def pytest_collection_finish() -> None:
    """Keep what lasts for the whole run out of garbage collections, make these rare, and library loggers quiet.

    Without that a full collection stops a worker for seconds on a busy machine, and pytest would listen at each logger
    in every step of a test.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    # The default, 700, takes a few percent of the CPU time of tests that play many debates.
    gc.set_threshold(20_000, 20, 50)
    for name in tuple(logging.root.manager.loggerDict):
        logging.getLogger(name).propagate = True


def pytest_sessionfinish() -> None:
    """Leave the PostgreSQL of the tests, if any of them asked for it here."""
    if postgres := sys.modules.get("tests.postgres"):
        postgres.leave()


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes where the person who runs it keeps debates, or depends on their settings."""
    # Numbered here: pytest would look through the folders of all tests before it. Whoever writes there makes it.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"))
    for name in ("DEBATE_DB", "DEBATE_WORKER", "DEBATE_TURN_DEADLINE_S", "DEBATE_DRAIN_S", "SWARM_MOCK"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shared() -> Path:
    """The folder of public reference data; the test is skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("the reference data (../shared) is not beside this checkout")
    return SHARED


@pytest.fixture(autouse=True)
def _soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that cannot be reached is asked again at once."""
    monkeypatch.setattr("debate_core.seats.server_state.BACK_OFF_S", (0.01,))
