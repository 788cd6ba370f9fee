"""`make hosted` against the fault server: what it holds, what it writes, what it may cost, and what it says."""

from decimal import Decimal
from pathlib import Path

import pytest

from bench.hosted import FAILED, MOST_USD, NO_KEY, PASSED, hold_all
from debate_core.record.events import parse_record
from tests.model_faults import Fault
from tests.model_server import ModelServer
from tests.wire.rig import KEY

LINE = """[lines.{dialect}]
provider = "local"
model = "m-{dialect}"
dialect = "{dialect}"
base_url = "{url}"
key_env = "{dialect_upper}_KEY"
parallel = 8
price = {{ input = "{price}", output = "{price}" }}
"""


def environ(server: ModelServer, folder: Path, *dialects: str, price: str = "0.5") -> dict[str, str]:
    """Lines of all dialects, keys of these."""
    lines = [
        LINE.format(dialect=d, dialect_upper=d.upper(), url=server.base_url(d), price=price)
        for d in ("chat", "responses", "messages")
    ]
    (folder / "panels.toml").write_text("\n".join(lines), "utf-8")
    return {"DEBATE_PANELS": str(folder / "panels.toml"), **{f"{d.upper()}_KEY": KEY for d in dialects}}


def test_every_dialect_with_a_key_holds_one_debate(
    server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    server.set(votes=("stay", "move"))
    to = tmp_path / "bodies"
    assert hold_all(to, environ(server, tmp_path, "chat", "responses", "messages")) == PASSED
    said = capsys.readouterr().out
    for dialect in ("chat", "responses", "messages"):
        assert f"{dialect}: passed, m-{dialect}: 5 of 5 turns valid, 0 attempts lost, " in said
        assert len([*to.glob(f"{dialect}-*-sent.json")]) == len([*to.glob(f"{dialect}-*-got-200.txt")]) == 5
        assert '"stream": true' in (to / f"{dialect}-01-sent.json").read_text("utf-8")
        assert "Call" in (to / f"{dialect}-01-got-200.txt").read_text("utf-8")
        assert parse_record((to / f"{dialect}.jsonl").read_bytes())
    assert all(call.has_key for call in server.log)
    assert [path for path in to.iterdir() if KEY[-8:] in path.read_text("utf-8")] == []


def test_a_missing_key_is_named_and_a_refused_one_not_written(
    server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    server.set(faults=[Fault("401")])
    to = tmp_path / "bodies"
    assert hold_all(to, environ(server, tmp_path, "messages")) == FAILED
    said = capsys.readouterr().out
    assert "messages: FAILED" in said
    assert "rejects the key" in said
    assert "chat: not run, for want of a key: CHAT_KEY" in said
    assert "responses: not run, for want of a key: RESPONSES_KEY" in said
    assert [*to.glob("*-got-401.txt")]
    assert [path for path in to.iterdir() if KEY[:8] in path.read_text("utf-8")] == []


def test_all_dialects_together_stay_below_the_limit(
    server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    # About 0.03 USD are reserved for each call of 2,000 tokens or less.
    assert hold_all(tmp_path / "bodies", environ(server, tmp_path, "chat", "messages", price="7")) == FAILED
    said = capsys.readouterr().out
    assert "it did not come to its end" in said
    tokens = [call.tokens.input + call.tokens.output for call in server.log if call.tokens]
    spent = sum(tokens) * Decimal("0.000007")
    assert 0 < spent <= MOST_USD
    assert f"{spent.normalize():f} of at most 0.05 USD" in said


@pytest.mark.parametrize("more", [{}, {"CHAT_KEY": "  "}])
def test_without_any_key_one_sentence_says_so(
    server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: dict[str, str]
):
    to = tmp_path / "bodies"
    assert hold_all(to, {**environ(server, tmp_path), **more}) == NO_KEY
    said = capsys.readouterr().out
    assert said == (
        "no key is set in the environment, so no debate was held: set one of CHAT_KEY, MESSAGES_KEY, RESPONSES_KEY\n"
    )
    assert not to.exists()
    assert server.log == []
