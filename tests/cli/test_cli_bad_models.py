"""Bad input where models are asked for: found before the first event, by every command."""

import json
import socket
from pathlib import Path

import pytest

from tests.commanding import refused
from tests.model_faults import Fault
from tests.model_server import ModelServer

LOCAL = ["--base-url", "http://127.0.0.1:9/v1"]
BOTH = ["run", "estimate"]
FLAGS: list[tuple[list[str], tuple[str, ...]]] = [
    (["--panel", "theatre"], ("theatre", "balanced", "local_ollama")),
    (["--panel", ""], ("unknown panel ''", "balanced")),
    (["--panel", "theatre", "--offline"], ("theatre", "balanced")),
    (["--panel", "balanced", "--model", "x"], ("--model", "balanced", "names a model")),
    (["--panel", "balanced", *LOCAL], ("--base-url goes with --model",)),
    (["--panel", "balanced", "--dialect", "chat"], ("--dialect goes with --model",)),
    (["--panel", "balanced", "--key-env", "A_KEY"], ("--key-env goes with --model",)),
    (["--dialect", "chat"], ("--dialect", "--model NAME")),
    (["--key-env", "A_KEY"], ("--key-env", "--model NAME")),
    (["--model", "x"], ("'x'", "--base-url URL", "claude_sonnet")),
    (["--model", "", *LOCAL], ("--model is empty",)),
    (["--model", " "], ("--model is empty",)),
    (["--model", "x" * 201, *LOCAL], ("model", "200")),
    (["--model", "x", *LOCAL, "--dialect", "smoke"], ("--dialect", "chat", "responses", "messages")),
    (["--model", "x", *LOCAL, "--key-env", "my key"], ("key_env", "my key")),
    (["--model", "x", "--base-url", ""], ("http",)),
    (["--model", "x", "--base-url", "ftp://127.0.0.1/v1"], ("ftp", "http")),
    (["--model", "x", "--base-url", "file:///etc/passwd"], ("http",)),
    (["--model", "x", "--base-url", "127.0.0.1:9/v1"], ("http",)),
    (["--model", "x", "--base-url", "http://me:word@127.0.0.1/v1"], ("user", "password")),
    (["--model", "x", "--base-url", "http://127.0.0.1:99999/v1"], ("99999",)),
    (["--model", "x", *LOCAL, "--budget-usd", "-1"], ("--budget-usd", "USD")),
    (["--model", "x", *LOCAL, "--budget-usd", "free"], ("--budget-usd", "USD")),
    (["--model", "x", *LOCAL, "--budget-usd", "1e3"], ("--budget-usd", "USD")),
    (["--model", "x", *LOCAL, "--budget-usd", "nan"], ("--budget-usd", "USD")),
    (["--model", "x", *LOCAL, "--max-calls", "-1"], ("--max-calls", "from 0")),
    (["--model", "x", *LOCAL, "--max-tokens", "1.5"], ("--max-tokens", "whole number")),
    (["--model", "x", *LOCAL, "--max-seconds", "0"], ("seconds", "1")),
    (["--model", "x", *LOCAL, "--prompt", "rules"], ("--prompt", "NAME=FILE")),
    (["--model", "x", *LOCAL, "--prompt", "argument=missing.txt"], ("prompt", "does not exist")),
    (["--model", "x", *LOCAL, "--prompt", f"theatre={__file__}"], ("theatre", "argument")),
    (["--model", "x", *LOCAL, "--rounds", "7"], ("hard maximum",)),
]


@pytest.mark.parametrize(("flags", "words"), FLAGS, ids=lambda v: " ".join(v)[:60])
@pytest.mark.parametrize("command", BOTH)
def test_bad_flags(command: str, flags: list[str], words: tuple[str, ...], capsys):
    # R047, R048, R118
    refused([command, "Q?", *flags, "--json"], capsys, *words)


def test_a_debate_and_its_models_are_asked_for_in_probe_too(capsys):
    for flags, words in FLAGS[:20]:
        if "--offline" not in flags:
            refused(["probe", *flags, "--json"], capsys, *words)


@pytest.mark.parametrize(
    ("flags", "variable"),
    [
        (["--panel", "balanced"], "ANTHROPIC_API_KEY"),
        (["--model", "claude-of-tomorrow"], "ANTHROPIC_API_KEY"),
        (["--model", "gpt-of-tomorrow"], "OPENAI_API_KEY"),
        (["--model", "gpt_luna"], "OPENAI_API_KEY"),
        (["--model", "x", "--base-url", "https://models.example/v1", "--key-env", "MY_KEY"], "MY_KEY"),
        (["--model", "x", *LOCAL, "--key-env", "MY_KEY"], "MY_KEY"),
    ],
)
def test_a_missing_key_is_named_and_so_are_the_ways_on(flags, variable, capsys):
    words = (variable, "secrets.toml", "--offline", "--human")
    refused(["run", "Q?", *flags, "--json"], capsys, *words)


@pytest.mark.parametrize("budget", ["0", "1.50"])
def test_a_budget_without_a_price(budget: str, capsys):
    flags = ["--model", "nobody-knows-this", *LOCAL, "--budget-usd", budget, "--json"]
    refused(["run", "Q?", *flags], capsys, "nobody-knows-this", "panel file", "--max-calls", "--max-tokens")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[lines", ("line 1", "TOML")),
        ("", ("lines",)),
        ('[lines.a]\nprovider = "openai"\nmodel = "m"\ndialect = "smoke"\n', ("line 4", "dialect", "chat")),
        ('[lines.a]\nprovider = "openai"\nmodel = "m"\ndialect = "chat"\nkey = "x"\n', ("line 5", "key")),
        ('[lines.a]\nprovider = "x"\ndialect = "chat"\nbase_url = "ftp://x"\n', ("line 4", "base_url", "http")),
        (
            '[lines.a]\nprovider = "openai"\ndialect = "chat"\n[panels.p]\ndebaters = ["b"]\n',
            ("line 5", "debaters", "b"),
        ),
    ],
)
def test_an_error_in_the_panel_file(text: str, words, tmp_path: Path, monkeypatch, capsys):
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(path))
    refused(["run", "Q?", "--panel", "p", "--json"], capsys, "own.toml", *words)
    refused(["probe", "--json"], capsys, "own.toml", *words)


def test_a_panel_file_that_is_not_there(monkeypatch, capsys):
    monkeypatch.setenv("DEBATE_PANELS", "missing.toml")
    refused(["run", "Q?", "--panel", "p", "--json"], capsys, "missing.toml", "DEBATE_PANELS")


def test_the_server_offers_several_models(server: ModelServer, capsys):
    server.set(models=[f"model-{i:02}" for i in range(12)])
    flags = ["--base-url", server.base_url("chat"), "--json"]
    refused(["run", "Q?", *flags], capsys, "--model NAME", "model-00", "model-09 and 2 more")
    assert server.log == []


def test_the_server_offers_no_model(server: ModelServer, capsys):
    flags = ["--base-url", server.base_url("chat"), "--json"]
    server.set(models=[])
    refused(["run", "Q?", *flags], capsys, "names no model", "lists no")
    server.set(models_fault="401")
    refused(["run", "Q?", *flags], capsys, "names no model")


def test_nobody_listens_there(capsys):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
        refused(["run", "Q?", "--base-url", url, "--json"], capsys, "names no model", "refuses the connection")


def test_a_bad_record_path_is_found_before_any_model_call(server: ModelServer, capsys):
    flags = ["--model", "m", "--base-url", server.base_url("chat"), "--json"]
    refused(["run", "Q?", *flags, "--out", "no/such/place.jsonl"], capsys, "does not exist")
    refused(["run", "Q?", *flags, "--db", "postgres://x"], capsys, "sqlite")
    assert server.log == []


@pytest.mark.parametrize(
    ("seats", "word"),
    [
        ([{"id": "a", "occupant": "model"}, {"id": "b"}], "seat 'a'"),
        ([{"id": "a", "occupant": "model", "model": "theatre"}, {"id": "b"}], "seat 'a'"),
        ([{"id": "a", "occupant": "model", "model": "claude_opus"}, {"id": "b"}], "ANTHROPIC_API_KEY"),
    ],
)
def test_models_of_a_script_that_nobody_knows(seats, word: str, tmp_path: Path, capsys):
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"question": "Q?", "options": ["x", "y"], "protocol": "bounded_vote", "seats": seats}))
    refused(["run", "--script", str(path), "--json"], capsys, word)


def test_the_chair_is_never_a_model(tmp_path: Path, capsys):
    seats = [{"id": s} for s in "ab"] + [{"id": "boss", "role": "chair", "occupant": "model"}]
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"question": "Q?", "options": ["x", "y"], "protocol": "bounded_vote", "seats": seats}))
    refused(["run", "--script", str(path), "--model", "m", *LOCAL, "--json"], capsys, "chair", "--human boss")


def test_probe_without_a_key_says_what_to_name(capsys):
    refused(["probe", "--json"], capsys, "ANTHROPIC_API_KEY", "--panel NAME", "local_ollama")


def test_probe_in_mock_mode(monkeypatch, capsys):
    monkeypatch.setenv("SWARM_MOCK", "true")
    refused(["probe", "--panel", "local_ollama", "--json"], capsys, "SWARM_MOCK")


def test_the_fault_server_is_not_asked_in_estimate(server: ModelServer, capsys):
    server.set(faults=[Fault("500")], models_fault="500")
    refused(["estimate", "--base-url", server.base_url("chat"), "--json"], capsys, "there is no question")
    assert server.log == []
