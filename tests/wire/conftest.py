"""Fault servers that live as long as the tests of this folder."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.model_server import ModelServer


@pytest.fixture(scope="session")
def three_servers() -> Iterator[tuple[ModelServer, ...]]:
    """Side by side, so that debates with the same fault in different places can be held at once."""
    with ExitStack() as entered:
        yield tuple(entered.enter_context(ModelServer()) for _ in range(3))


@pytest.fixture
def server(three_servers: tuple[ModelServer, ...]) -> ModelServer:
    """One that has forgotten what was before."""
    three_servers[0].reset()
    return three_servers[0]
