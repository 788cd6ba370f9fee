"""`estimate`: every turn with its calls, tokens and price, without a key and without a call."""

import json

import pytest

from debate_core.__main__ import main
from tests.model_server import ModelServer

QUESTION = "Should we move the orders database?"


def _estimated(argv: list[str], capsys: pytest.CaptureFixture[str]) -> dict:  # type: ignore[type-arg]
    assert main(["estimate", QUESTION, *argv, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    told = json.loads(out)
    assert isinstance(told, dict)
    return told


def test_every_turn_of_a_panel(capsys):
    # R116, R200, and of R222 the price beside a single call: how long it takes is not forecast
    told = _estimated(["--panel", "two_families"], capsys)
    assert set(told) == {
        *("rows", "total", "with_retries", "earliest", "single_call", "multiple", "multiple_tokens"),
        *("rule", "assumptions", "warnings"),
    }
    assert told["rule"].startswith("An option is decided with 2 of 3 current votes on 2 consecutive counts")
    rows = told["rows"]
    assert [(r["stage"], r["round"], r["phase"]) for r in rows] == [
        *[("round", 1, "opening")] * 3,
        *[("round", 2, "critique")] * 3,
        ("after", 2, "synthesis"),
    ]
    assert len({r["model"] for r in rows}) == 2
    assert all(r["calls"] == 1 and r["input_tokens"] and r["output_tokens"] and r["cost_usd"] for r in rows)
    for key in ("calls", "input_tokens", "output_tokens"):
        assert told["total"][key] == sum(r[key] for r in rows)
    assert told["total"]["cost_usd"] == pytest.approx(sum(r["cost_usd"] for r in rows))
    assert (told["with_retries"]["calls"], told["earliest"]["calls"], told["single_call"]["calls"]) == (20, 4, 1)
    assert told["multiple"] == pytest.approx(told["total"]["cost_usd"] / told["single_call"]["cost_usd"], abs=0.01)


def test_an_unknown_price_is_unknown(server: ModelServer, capsys):
    told = _estimated(["--model", "nobody-knows", "--base-url", server.base_url("chat")], capsys)
    assert {r["cost_usd"] for r in told["rows"]} == {None}
    assert [told[key]["cost_usd"] for key in ("total", "with_retries", "earliest", "single_call")] == [None] * 4
    assert (told["multiple"], told["multiple_tokens"] > 1) == (None, True)
    assert "the price of nobody-knows" in " ".join(told["warnings"])
    assert main(["estimate", QUESTION, "--model", "nobody-knows", "--base-url", server.base_url("chat")]) == 0
    assert "In all: 7 calls" in (said := capsys.readouterr().out)
    assert "price unknown" in said


def test_a_model_that_the_server_would_choose(server: ModelServer, capsys):
    told = _estimated(["--base-url", server.base_url("chat")], capsys)
    assert {(r["model"], r["cost_usd"]) for r in told["rows"]} == {("unknown", None)}
    said = " ".join(told["warnings"])
    assert "names no model: it would use the only one that its server offers" in said
    assert "the price of the model (line" in said
    assert "the price of unknown" not in said
    assert server.log == []


def test_without_models_nothing_is_paid(capsys):
    told = _estimated(["--offline", "--human", "synthesiser"], capsys)
    assert [(r["calls"], r["cost_usd"]) for r in told["rows"]] == [(0, 0.0)] * 7
    assert told["rows"][-1]["note"] == "a person: no call"
    assert (told["total"], told["single_call"], told["multiple"]) == (
        {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0},
        None,
        None,
    )


def test_a_family_alone_is_warned_of(capsys):
    # R059, R163
    told = _estimated(["--panel", "one_family"], capsys)
    assert "one family (anthropic)" in " ".join(told["warnings"])
