"""`--output-schema`: the deliverable on the command line, in the record, and as a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from debate_core.__main__ import main
from tests.commanding import asking, printed_json, refused
from tests.model_server import ModelServer

QUESTION = "Should we adopt a four-day week?"
SCHEMA = {"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]}


@pytest.fixture
def schema(tmp_path: Path) -> str:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA), "utf-8")
    return str(path)


def opened(record: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(record).read_text("utf-8").splitlines()[0])["body"]["spec"]
    return found


def test_run_gives_a_deliverable_and_export_writes_it(schema: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", QUESTION, "--offline", "--output-schema", schema, "--out", "r.jsonl", "--json"]) == 3
    told = printed_json(capsys)
    assert (told["deliverable"], told["deliverable_mismatch"]) == ({"question": QUESTION}, None)
    for form, name in (("deliverable", "one"), ("all", "every")):
        assert main(["export", "r.jsonl", "--to", name, "--format", form]) == 0
        assert json.loads(Path(name, "deliverable.json").read_text("utf-8")) == {"question": QUESTION}
    assert [path.name for path in Path("one").iterdir()] == ["deliverable.json"]
    # A rehearsal of the record keeps the schema and gives the same.
    capsys.readouterr()
    assert main(["run", "--script", "r.jsonl", "--json", "--out", "again.jsonl"]) == 3
    assert printed_json(capsys)["deliverable"] == {"question": QUESTION}


def test_a_model_fills_the_deliverable_by_the_schema(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    # R083
    Path("answer.json").write_text(json.dumps({"type": "object", "properties": {"answer": {"type": "string"}}}))
    flags = ["--output-schema", "answer.json", "--out", "r.jsonl", "--rounds", "1", "--json"]
    assert main(["run", QUESTION, *asking(server), *flags]) == 0
    told = printed_json(capsys)
    assert list(told["deliverable"]) == ["answer"]
    assert told["deliverable_mismatch"] is None
    assert [template for template in opened("r.jsonl")["templates"] if template["name"] == "deliverable"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "output schema bad.json is empty"),
        ('{"type": 7}', "the output schema is no valid JSON Schema at $.type"),
        ('{"$ref": "https://example.org/x"}', "nothing is read from the network"),
        (" " * 20_001 + "{", "the output schema is not readable JSON"),
        (json.dumps({"title": "x" * 20_001}), "at most 20000 are allowed"),
    ],
)
def test_a_bad_schema_is_refused_in_one_sentence(text: str, words: str, capsys: pytest.CaptureFixture[str]):
    Path("bad.json").write_text(text, "utf-8")
    refused(["run", QUESTION, "--offline", "--output-schema", "bad.json", "--out", "r.jsonl"], capsys, words)


def test_a_schema_is_refused_where_no_seat_writes_a_synthesis(schema: str, capsys: pytest.CaptureFixture[str]):
    flags = ["--protocol", "bounded_vote", "--output-schema", schema, "--out", "r.jsonl"]
    refused(["run", QUESTION, "--offline", *flags], capsys, "bounded_vote has an output schema, but no seat writes a")
    refused(["run", QUESTION, "--offline", "--output-schema", "none.json"], capsys, "output schema none.json")


def test_export_refuses_a_deliverable_that_is_not_there(capsys: pytest.CaptureFixture[str]):
    assert main(["run", QUESTION, "--offline", "--out", "r.jsonl"]) == 3
    capsys.readouterr()
    refused(["export", "r.jsonl", "--to", "files", "--format", "deliverable"], capsys, "there is no deliverable")
