"""`probe`: what is found out about servers that keep to the schema, that do not, and that are not there."""

import json
import socket
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.seats.probe import is_tiny
from debate_core.spec.models import Dialect
from tests.commanding import asking
from tests.model_faults import Fault
from tests.model_server import ModelServer


def _probed(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict]:  # type: ignore[type-arg]
    status = main(["probe", *argv, "--json"])
    out, err = capsys.readouterr()
    assert err == ""
    return status, json.loads(out)


@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_good_server_in_every_dialect(dialect: Dialect, server: ModelServer, capsys):
    server.set(latency_s=0.05)
    status, told = _probed(asking(server, dialect), capsys)
    (line,) = told["lines"]
    (call,) = server.log
    assert call.tokens is not None
    assert (0 <= line["first_token_s"] < 5, line["tokens_per_s"] > 0) == (True, True)
    assert (status, {k: v for k, v in told.items() if k != "lines"}) == (0, {"ok": True, "warnings": []})
    assert {k: v for k, v in line.items() if k not in ("first_token_s", "tokens_per_s")} == {
        "line": "some-model",
        "model": "some-model",
        "family": "",
        "dialect": dialect,
        "base_url": server.base_url(dialect),
        "reachable": True,
        "n_models": 1,
        "models": ["only-model"],
        "answered": True,
        "status": "complete",
        "schema_honoured": True,
        "prompted_json": None,
        "usage": {
            "calls": 1,
            "input_tokens": call.tokens.input,
            "cached_tokens": call.tokens.cached,
            "output_tokens": call.tokens.output,
            "reasoning_tokens": call.tokens.reasoning,
            "cost_usd": None,
            "estimated": False,
            "model": "some-model",
        },
        "usage_reported": True,
        "cached_reported": True,
        "price_known": False,
        "message": "",
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("fault", "words", "calls"),
    [("wrong_fields", "ignores the schema", 2), ("garbage", "ignores the schema", 2), ("schema", "refuses", 2)],
)
def test_a_schema_that_is_not_honoured(fault, words, calls, server: ModelServer, capsys):
    server.set(faults=[Fault(fault, at=(1,))], votes=["yes"])
    status, told = _probed(asking(server), capsys)
    (line,) = told["lines"]
    assert (status, line["answered"], line["schema_honoured"], line["prompted_json"]) == (0, True, False, True)
    assert [words in warning for warning in line["warnings"]] == [True]
    assert (len(server.log), line["usage"]["calls"]) == (calls, calls)


def test_a_model_that_thinks_aloud_gives_a_turn_as_in_a_debate(server: ModelServer, capsys):
    server.set(faults=[Fault("think_tags")], votes=["yes"])
    status, told = _probed(asking(server), capsys)
    (line,) = told["lines"]
    assert (status, line["answered"], line["schema_honoured"], line["prompted_json"]) == (0, True, False, True)


def test_a_model_that_never_gives_a_turn(server: ModelServer, capsys):
    server.set(faults=[Fault("garbage")])
    status, told = _probed(asking(server, model="smollm2-135m"), capsys)
    (line,) = told["lines"]
    assert (status, told["ok"], line["answered"], line["reachable"]) == (1, False, False, True)
    assert (line["schema_honoured"], line["prompted_json"]) == (False, False)
    assert line["message"]
    assert "very small model" in line["warnings"][0]


@pytest.mark.parametrize(
    ("fault", "status"), [("401", "error"), ("500", "error"), ("cut", "cut"), ("html", "malformed")]
)
def test_a_fault_is_named_and_the_call_is_not_repeated(fault, status, server: ModelServer, monkeypatch, capsys):
    monkeypatch.setenv("SOME_KEY", "key-of-nobody-1234567890")
    server.set(faults=[Fault(fault)])
    code, told = _probed([*asking(server), "--key-env", "SOME_KEY"], capsys)
    (line,) = told["lines"]
    assert (code, line["status"], line["reachable"], line["schema_honoured"]) == (1, status, True, None)
    assert line["message"]
    assert "nobody-1234" not in json.dumps(told)
    assert len(server.log) == 1


def test_a_server_without_a_list_of_models_is_asked_all_the_same(server: ModelServer, capsys):
    server.set(models_fault="404")
    status, told = _probed(asking(server), capsys)
    (line,) = told["lines"]
    assert (status, line["answered"], line["n_models"], line["reachable"]) == (0, True, None, True)


def test_a_server_that_is_not_there(capsys):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
        status, told = _probed(["--model", "m", "--base-url", url], capsys)
    (line,) = told["lines"]
    assert (status, line["reachable"], line["answered"], line["usage"]["calls"]) == (1, False, False, 0)
    assert "no connection" in line["message"]


def test_the_model_that_is_offered_alone(server: ModelServer, capsys):
    status, told = _probed(["--base-url", server.base_url("chat")], capsys)
    assert (status, told["lines"][0]["model"]) == (0, "only-model")
    server.reset(models=["a", "b"])
    status, told = _probed(["--base-url", server.base_url("chat")], capsys)
    (line,) = told["lines"]
    assert (status, line["models"], line["message"]) == (1, ["a", "b"], "the server offers 2 models: name one of them")
    assert server.log == []


def test_a_missing_key_is_a_finding_and_nothing_is_sent(capsys):
    status, told = _probed(["--panel", "one_family"], capsys)
    assert (status, told["ok"], len(told["lines"])) == (1, False, 4)
    assert {"ANTHROPIC_API_KEY" in line["message"] for line in told["lines"]} == {True}
    assert {line["status"] for line in told["lines"]} == {None}
    assert ["one family (anthropic)" in warning for warning in told["warnings"]] == [True]


def test_every_line_that_can_be_asked(server: ModelServer, tmp_path: Path, monkeypatch, capsys):
    line = '[lines.{0}]\nprovider = "x"\nmodel = "{0}"\ndialect = "chat"\nbase_url = "{1}"\nkey_env = "{2}"\n'
    path = tmp_path / "panels.toml"
    named = (("one", "ONE_KEY"), ("two", "TWO_KEY"), ("three", ""))
    path.write_text("".join(line.format(name, server.base_url("chat"), key) for name, key in named), "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(path))
    monkeypatch.setenv("ONE_KEY", "key-of-nobody-1234567890")
    status, told = _probed([], capsys)
    assert (status, [line["line"] for line in told["lines"]]) == (0, ["one", "three"])


def test_in_words(server: ModelServer, capsys):
    assert main(["probe", *asking(server)]) == 0
    out = capsys.readouterr().out
    assert f"some-model: some-model (chat, {server.base_url('chat')}): a turn that counts\n" in out
    assert "models offered: 1: only-model" in out
    assert "enforced schema: yes; JSON asked for in words: not tried" in out
    assert "price: unknown" in out


@pytest.mark.parametrize("name", ["SmolLM2-135M-Instruct", "llama3.2:1b", "qwen3:0.6b", "gemma-3-270m-it", "x-1.7B-q4"])
def test_small_models_are_known_by_their_names(name: str):
    assert is_tiny(name)


@pytest.mark.parametrize(
    "name", ["llama3.2:3b", "qwen2.5-7b-instruct-1m", "Qwen3.8-2.4T-A95B", "gpt-6-luna", "qwen3-30b-a3b", "phi-4-mini"]
)
def test_others_are_not(name: str):
    assert not is_tiny(name)
