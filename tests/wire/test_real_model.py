"""One whole short debate with real weights: the model file that DEBATE_TEST_GGUF names, in the server of xllamacpp.

Left out, with the reason, where there is no such file or package. It says nothing of what a model argues: only that its
turns can be read and counted, and that the record holds.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine import audit
from debate_core.record.events import parse_record
from debate_core.record.fold import replay
from tests.real_model import MODEL, served_weights

pytestmark = pytest.mark.nightly
LINE = """
[lines.real]
provider = "llama_cpp"
model = "{model}"
dialect = "chat"
base_url = "{address}/v1"
deadline_s = 1800
max_tokens = 700
context_tokens = 4096
temperature = 0
price = {{ input = "0", output = "0" }}

[panels.real]
debaters = ["real"]
"""
SOURCE = """# Load test of March
The old connectors lose 2 of 1,000 orders under load. The new connectors lost none in a test of four hours.
The move takes three weeks of two people. The contract for the old connectors ends in June.
Nobody has tested the new connectors with the largest customer.
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Return the address on which the server listens."""
    with served_weights() as root:
        yield root


def test_a_whole_debate_with_a_real_model(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "panels.toml").write_text(LINE.format(model=MODEL.stem, address=address), "utf-8")
    (tmp_path / "test.md").write_text(SOURCE, "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(tmp_path / "panels.toml"))
    debate = ["run", "Should we adopt the new connectors?", "--options", "adopt,defer", "--source", "test.md"]
    rules = ["--protocol", "bounded_vote", "--panel-size", "2", "--rounds", "1"]
    status = main([*debate, *rules, "--panel", "real", "--out", "r.jsonl"])
    events = parse_record((tmp_path / "r.jsonl").read_bytes())
    state = replay(events)
    valid, asked = [t for t in state.turns if t.status == "ok"], state.turns
    print(f"{MODEL.stem}: {len(valid)} of {len(asked)} turns valid, {len(state.attempts)} attempts, exit {status}")
    # 0 decided, 3 undecided: what a small model thinks is its own affair. Where both agree at once, two turns are all.
    assert status in (0, 3)
    assert len(asked) in (2, 4)
    assert len(valid) >= len(asked) * 3 / 4
    assert audit.verify(events) == ()
