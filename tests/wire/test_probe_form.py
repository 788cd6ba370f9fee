"""A probe judges the form of a reply by its fields and enums, and the reason apart from it."""

import json
from typing import Any

import pytest

from debate_core.__main__ import main
from debate_core.spec.models import Dialect
from tests.wire.canned import Canned, serving, stream
from tests.wire.replying import block, chat, delta, ended, message, messages

# To load a vendor's package takes seconds.
pytestmark = pytest.mark.slow
REASON = "Three comes after two, so it is larger."


def reply_in(dialect: Dialect, text: str) -> Canned:
    match dialect:
        case "chat":
            return chat({"content": text})
        case "responses":
            return stream("responses", [delta(text), ended(message(text))])
        case "messages":
            return messages(block(text))


def probe(*replies: object, dialect: Dialect = "chat", flags: tuple[str, ...] = (), capsys: Any) -> dict[str, Any]:
    """The findings on a server that gives these replies in turn, the last one again and again."""
    texts = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]
    with serving(*(reply_in(dialect, text) for text in texts)) as server:
        argv = ["--model", "m", "--base-url", server.base_url(dialect), "--dialect", dialect, *flags]
        main(["probe", *argv, "--json"])
    (line,) = json.loads(capsys.readouterr().out)["lines"]
    return dict(line, calls=line["usage"]["calls"])


THIN = ["Yes", "yes", "", "Can this be read?", "Yes, yes."]


@pytest.mark.parametrize("reason", THIN)
@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_thin_reason_leaves_the_schema_enforced(reason: str, dialect: Dialect, capsys):
    found = probe({"rationale": reason, "vote": "yes"}, dialect=dialect, capsys=capsys)
    assert (found["schema_honoured"], found["structured"], found["calls"]) == (True, "schema", 1)
    assert (found["advice"], found["warnings"], found["unreadable"]) == ([], [], False)
    assert not found["answered"]
    assert "rationale" in found["message"]


@pytest.mark.parametrize(
    "reply",
    [
        {"rationale": REASON, "vote": "yes", "confidence": 80},
        {"rationale": REASON, "vote": "Yes"},
        {"rationale": REASON, "vote": ["yes"]},
        {"reason": REASON, "vote": "yes"},
        {"rationale": REASON},
        [REASON, "yes"],
        f"```json\n{json.dumps({'rationale': REASON, 'vote': 'yes'})}\n```",
    ],
)
def test_other_fields_or_values_show_that_no_schema_is_enforced(reply: object, capsys):
    found = probe(reply, {"rationale": REASON, "vote": "yes"}, capsys=capsys)
    assert (found["schema_honoured"], found["prompted_json"], found["structured"]) == (False, True, "prompt")
    assert found["answered"]


@pytest.mark.parametrize("structured", ["json", "prompt"])
@pytest.mark.parametrize("reason", ["Yes", "Can this be read?"])
def test_a_thin_reason_leaves_json_in_words_usable(structured: str, reason: str, capsys):
    flags = ("--structured", structured)
    found = probe({"rationale": reason, "vote": "yes"}, flags=flags, capsys=capsys)
    assert (found["prompted_json"], found["structured"], found["calls"]) == (True, structured, 1)
    assert (found["answered"], found["advice"]) == (False, [])


def test_a_thin_reason_leaves_two_steps_usable(capsys):
    found = probe("Yes.", {"vote": "yes"}, flags=("--structured", "two_step"), capsys=capsys)
    assert (found["two_step"], found["structured"], found["answered"]) == (True, "two_step", False)
