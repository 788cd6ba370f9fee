"""`probe`: what is found out about servers that keep to the schema, that do not, and that are not there."""

import json
import socket
from datetime import date
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.seats.probe_advice import is_tiny, retirement_warning
from debate_core.spec.models import Dialect, ModelLine
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
    server.set(latency_s=0.05, models=["some-model"])
    status, told = _probed(asking(server, dialect), capsys)
    (line,) = told["lines"]
    (call,) = server.log
    assert call.tokens is not None
    assert (0 <= line["first_token_s"] < 5, line["tokens_per_s"] > 0) == (True, True)
    assert (status, {k: v for k, v in told.items() if k != "lines"}) == (0, {"ok": True, "warnings": []})
    assert line["turn_s"] >= 1
    assert {k: v for k, v in line.items() if k not in ("first_token_s", "tokens_per_s", "turn_s")} == {
        "line": "some-model",
        "model": "some-model",
        "family": "",
        "dialect": dialect,
        "base_url": server.base_url(dialect),
        "reachable": True,
        "n_models": 1,
        "models": ["some-model"],
        "answered": True,
        "status": "complete",
        "schema_honoured": True,
        "prompted_json": None,
        "chat_honours": None,
        "unreadable": False,
        "two_step": None,
        "structured": "schema",
        "context_tokens": None,
        "deadline_s": 120,
        "usage": {
            "calls": 1,
            "input_tokens": call.tokens.input,
            "cached_tokens": call.tokens.cached,
            "output_tokens": call.tokens.output,
            "reasoning_tokens": call.tokens.reasoning,
            "cost_usd": None,
            "estimated": False,
            "model": "some-model",
            "cache_write_tokens": None if dialect == "chat" else 0,
        },
        "usage_reported": True,
        "cached_reported": True,
        "price_known": False,
        "message": "",
        "advice": [],
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("fault", "words", "calls"),
    [("wrong_fields", "ignores the schema", 2), ("garbage", "ignores the schema", 2), ("schema", "refuses", 2)],
)
def test_a_schema_that_is_not_honoured(fault, words, calls, server: ModelServer, capsys):
    server.set(faults=[Fault(fault, at=(1,))], votes=["yes"], models=["some-model"])
    status, told = _probed(asking(server), capsys)
    (line,) = told["lines"]
    assert (status, line["answered"], line["schema_honoured"], line["prompted_json"]) == (0, True, False, True)
    assert [words in warning for warning in line["warnings"]] == [True]
    assert (len(server.log), line["usage"]["calls"]) == (calls, calls)
    assert (line["structured"], ['structured = "prompt"' in s for s in line["advice"]]) == ("prompt", [True])


@pytest.mark.parametrize("dialect", ["responses", "messages"])
def test_where_only_chat_enforces_the_schema_it_says_use_chat(dialect: Dialect, server: ModelServer, capsys):
    server.set(faults=[Fault("wrong_fields", at=(1, 2))], votes=["yes"])
    _, told = _probed(asking(server, dialect), capsys)
    (line,) = told["lines"]
    assert (line["schema_honoured"], line["chat_honours"]) == (False, True)
    assert f"use chat, at {server.base_url('chat')}: it enforces the schema there" in line["advice"]
    assert [call.dialect for call in server.log] == [dialect, dialect, "chat"]
    assert line["usage"]["calls"] == 3


def test_a_reply_in_schema_form_shows_that_it_is_enforced(server: ModelServer, capsys):
    server.set(faults=[Fault("length")])
    _, told = _probed(asking(server), capsys)
    (line,) = told["lines"]
    assert (line["answered"], line["status"], line["schema_honoured"]) == (False, "length", True)
    assert line["tokens_per_s"] is None or line["tokens_per_s"] > 0


def test_a_probe_asks_for_a_short_reply_and_gives_thinking_room(server: ModelServer, capsys):
    _probed(asking(server), capsys)
    assert [call.body["max_tokens"] for call in server.log if call.body] == [256]
    server.reset(faults=[Fault("length", at=(1,))], thinking="I weigh what each side has said.", models=["some-model"])
    _, told = _probed(asking(server), capsys)
    assert [call.body["max_tokens"] for call in server.log if call.body] == [256, 2000]
    assert (told["lines"][0]["answered"], told["lines"][0]["usage"]["calls"]) == (True, 2)


WEAK = [
    ("some-model", "garbage", (1, 2), [True, False, True], "two_step"),
    ("some-model", "length", (1, 2), [True, None, True], "two_step"),
    ("some-model", "garbage", (1, 2, 4), [False, False, False], "two_step"),
    ("smollm2-135m", "garbage", (1,), [True, True, True], "two_step"),
    ("smollm2-135m", "garbage", (1, 4), [True, True, False], "prompt"),
]
"""Model, fault, at which of the calls; whether it gives a turn at all, in words, in two steps; what is chosen."""


@pytest.mark.parametrize(("model", "fault", "at", "found", "chosen"), WEAK)
def test_a_weak_model_is_asked_in_two_steps_and_this_is_shown(
    model, fault, at, found, chosen, server: ModelServer, capsys
):
    server.set(faults=[Fault(fault, at=at)], votes=["yes"], models=[model])
    status, told = _probed(asking(server, model=model), capsys)
    (line,) = told["lines"]
    assert status == (0 if found[0] else 1)
    assert [line["answered"], line["prompted_json"], line["two_step"]] == found
    assert (line["structured"], line["usage"]["calls"], len(server.log)) == (chosen, 4, 4)
    assert [f"--structured {chosen}" in sentence for sentence in line["advice"]] == [True]


def test_structured_of_the_flag_is_how_the_line_is_asked(server: ModelServer, capsys):
    server.set(votes=["yes"])
    status, told = _probed([*asking(server), "--structured", "two_step"], capsys)
    (line,) = told["lines"]
    assert (status, line["two_step"], line["schema_honoured"], line["advice"]) == (0, True, None, [])
    assert [call.body["max_tokens"] for call in server.log if call.body] == [256, 256]
    assert main(["probe", "--panel", "balanced", "--structured", "two_step"]) == 2
    assert "--structured goes with --model, not with --panel" in capsys.readouterr().err


CONTEXTS = [
    ({"meta": {"n_ctx": 4096, "n_ctx_train": 32768}}, {}, 4096),
    ({"max_model_len": 8192}, {}, 8192),
    ({"context_length": 16384}, {}, 16384),
    ({}, {"/api/ps": {"models": [{"name": "some-model:latest", "context_length": 4096}]}}, 4096),
    ({}, {"/api/show": {"parameters": "stop x\nnum_ctx   2048\n", "model_info": {"x.context_length": 131072}}}, 2048),
    ({}, {"/api/show": {"model_info": {"x.context_length": 131072}}}, None),
    ({"max_model_len": "8192"}, {"/api/ps": ["?"]}, None),
]


@pytest.mark.parametrize(("facts", "ollama", "tokens"), CONTEXTS)
def test_the_context_is_read_where_the_server_says_it(facts, ollama, tokens, server: ModelServer, capsys):
    server.set(model_facts=facts, ollama=ollama, models=["some-model"])
    _, told = _probed(asking(server), capsys)
    (line,) = told["lines"]
    assert line["context_tokens"] == tokens
    if tokens is not None:
        assert f"write context_tokens = {tokens} in its line" in line["advice"][0]
    # Replies of 4,000 tokens, and 3,500 for what is read before them.
    small = tokens is not None and tokens < 7_500
    assert [f"its context is {tokens:,} tokens" in w for w in line["warnings"]] == ([True] if small else [])


def test_a_silently_cut_prompt_gives_no_turn(server: ModelServer, capsys):
    server.set(reads_at_most=300, models=["some-model"])
    status, told = _probed(asking(server), capsys)
    assert (status, told["lines"][0]["answered"]) == (1, False)
    assert "the server read 301 tokens of a prompt of more than" in told["lines"][0]["message"]


def test_the_time_of_a_turn_is_held_against_the_deadline(server: ModelServer, tmp_path: Path, monkeypatch, capsys):
    server.set(latency_s=0.6, first_s=0.2, text_chars=100, votes=["yes"])
    line = '[lines.slow]\nprovider = "x"\nmodel = "only-model"\ndialect = "chat"\ndeadline_s = 2\n'
    (tmp_path / "own.toml").write_text(f'{line}base_url = "{server.base_url("chat")}"\n', "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(tmp_path / "own.toml"))
    _, told = _probed([], capsys)
    (found,) = told["lines"]
    assert (found["deadline_s"], found["turn_s"] > 2) == (2, True)
    # What was written in 0.4 s, by the server's own count.
    assert server.log[0].tokens is not None
    most = server.log[0].tokens.output / 0.2
    assert 10 < found["tokens_per_s"] < most
    assert ["give it more time: deadline_s = " in s for s in found["advice"]] == [True]


def test_a_model_that_is_gone_or_goes_is_warned_of(server: ModelServer, capsys):
    server.set(models=["only-model", "some-model"], model_facts={"shutdown_date": "2026-01-31"})
    _, told = _probed(asking(server), capsys)
    assert told["lines"][0]["warnings"] == ["some-model was to be retired on 2026-01-31: choose another model"]
    server.set(models=["only-model"])
    _, told = _probed(asking(server), capsys)
    assert ["is not among the models that its server lists" in w for w in told["lines"][0]["warnings"]] == [True]


@pytest.mark.parametrize(
    ("model", "provider", "today", "words"),
    [
        ("claude-sonnet-4-5", "anthropic", date(2026, 11, 1), "will be retired on 2026-11-30"),
        ("claude-sonnet-4-5", "anthropic", date(2026, 11, 30), "was to be retired on 2026-11-30"),
        ("claude-of-nobody", "anthropic", date(2026, 11, 30), ""),
        ("claude-sonnet-4-5", "gateway", date(2026, 11, 30), ""),
    ],
)
def test_what_the_vendors_library_knows_of_retirements(model: str, provider: str, today: date, words: str):
    line = ModelLine(id="x", model=model, provider=provider, dialect="messages", base_url="http://127.0.0.1:9")
    assert words in (told := retirement_warning(line, today=today))
    assert bool(told) == bool(words)


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
    assert (line["structured"], ['structured = "two_step"' in s for s in line["advice"]]) == ("two_step", [True])


@pytest.mark.parametrize(
    ("fault", "status", "honoured"),
    [("401", "error", None), ("500", "error", None), ("cut", "cut", True), ("html", "malformed", None)],
)
def test_a_fault_is_named_and_the_call_is_not_repeated(
    fault, status, honoured, server: ModelServer, monkeypatch, capsys
):
    monkeypatch.setenv("SOME_KEY", "key-of-nobody-1234567890")
    server.set(faults=[Fault(fault)])
    code, told = _probed([*asking(server), "--key-env", "SOME_KEY"], capsys)
    (line,) = told["lines"]
    assert (code, line["status"], line["reachable"], line["schema_honoured"]) == (1, status, True, honoured)
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
    assert "refuses the connection" in line["message"]


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
    assert "enforced schema: yes; JSON asked for in words: not known" in out
    assert "price: unknown" in out
    assert " s for a first turn here; the deadline is 120 s\n" in out


@pytest.mark.parametrize("name", ["SmolLM2-135M-Instruct", "llama3.2:1b", "qwen3:0.6b", "gemma-3-270m-it", "x-1.7B-q4"])
def test_small_models_are_known_by_their_names(name: str):
    assert is_tiny(name)


@pytest.mark.parametrize(
    "name", ["llama3.2:3b", "qwen2.5-7b-instruct-1m", "Qwen3.8-2.4T-A95B", "gpt-6-luna", "qwen3-30b-a3b", "phi-4-mini"]
)
def test_others_are_not(name: str):
    assert not is_tiny(name)
