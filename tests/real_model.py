"""Real weights for tests that run at night: the model file that DEBATE_TEST_GGUF names, in the server of xllamacpp."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

MODEL = Path(os.environ.get("DEBATE_TEST_GGUF", ""))
_SERVER = """
import os, sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel = sys.argv[1], 4096, 1
# Threads wait for each other at every token: where others use the cores too, all of them are forty times slower.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
params.hostnames, params.port = ["127.0.0.1"], 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def served_weights() -> Iterator[str]:
    """The root of the server, which answers one call at a time; the test is left out where there is no model."""
    if not MODEL.is_file():
        pytest.skip("DEBATE_TEST_GGUF names no model file")
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(MODEL)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.communicate()
