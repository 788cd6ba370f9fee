"""The deliverable of a synthesis: its JSON Schema, what seats are asked for, what is kept, flagged and exported."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.reply_parser import read_turn
from debate_core.engine.seat_view import view
from debate_core.errors import BadReply, InvalidSpec, RuleViolation
from debate_core.record.commands import FailTurn, TakeTurn
from debate_core.record.events import dump_record, parse_record
from debate_core.report.facts.account import account
from debate_core.report.files.export import export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.seats.prompts import digests, prompt_for
from debate_core.seats.scripted import script_from_record
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Linked, Synthesis
from debate_core.spec.output_schema import mismatch, schema_fault
from debate_core.spec.presets import EXPERT_PANEL, compose, synthesiser
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.values import MAX_TEXT_CHARS, Seat
from tests.model_seats import SaidBefore, complete, line, seat_of
from tests.playing import Played, filled, silent

OPTIONS = ("adopt", "keep")
TEXTS: Mapping[str, Any] = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"decision": {"type": "string", "enum": ["adopt", "keep"]}, "cost": {"type": "number"}},
    "required": ["decision", "cost"],
    "additionalProperties": False,
}
GOOD = '{"decision": "adopt", "cost": 1.5}'
BAD = '{"decision": "sell"}'


def rules(schema: object = SCHEMA, **changes: object) -> Protocol:
    return EXPERT_PANEL.model_copy(update={"output_schema": json.dumps(schema), **changes})


def spec_of(protocol: Protocol, occupant: Any = "model") -> Spec:
    model = "m1" if occupant == "model" else None
    seats = [Seat(id=s, occupant=occupant, model=model) for s in ("cost", "risk")]
    closing = synthesiser(occupant).model_copy(update={"model": model})
    spec = compose("Shall we?", OPTIONS, protocol, [*seats, closing], max_rounds=1)
    return spec.model_copy(update={"models": (line(),) if model else ()})


def at_synthesis(protocol: Protocol) -> Played:
    played = Played(spec_of(protocol))
    while requests(played.state)[0].gives != "synthesis":
        played.say("adopt")
    return played


def closed(deliverable: str | None) -> Played:
    return at_synthesis(rules()).say(Synthesis(answer="It pays.", deliverable=deliverable))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not readable JSON"),
        ("[]", "is not a JSON object"),
        ('{"type": "strin"}', "no valid JSON Schema at $.type"),
        ('{"$schema": "http://example.org/own"}', "unknown version 'http://example.org/own'"),
        ('{"$ref": "https://example.org/schema.json"}', "nothing is read from the network"),
        ('{"properties": {"a": {"$ref": "other.json"}}}', "nothing is read from the network"),
        ('{"properties": {"a": {"$ref": "#/$defs/none"}}}', "refers to '#/$defs/none', which it lacks"),
        ('{"properties": {"a": {"pattern": "(a+)+$"}}}', "a regular expression can take too long"),
        ('{"title": "' + "x" * MAX_TEXT_CHARS + '"}', "at most 20000 are allowed"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(text: str, words: str):
    with pytest.raises(InvalidSpec, match="output schema") as refused:
        check(spec_of(EXPERT_PANEL.model_copy(update={"output_schema": text})))
    assert words in str(refused.value)


def test_names_and_data_of_a_schema_are_no_keywords():
    named = {"properties": {"pattern": TEXTS, "$ref": TEXTS}, "enum": [{"$ref": "http://example.org"}]}
    assert schema_fault(json.dumps(named)) is None
    draft_7 = {"$schema": "http://json-schema.org/draft-07/schema#", **SCHEMA}
    assert schema_fault(json.dumps(draft_7)) is None


@pytest.mark.parametrize("without", ["phase", "seat"])
def test_a_schema_without_a_synthesis_is_refused(without: str):
    # R085
    protocol, spec = rules(), spec_of(rules())
    if without == "phase":
        spec = spec.model_copy(update={"protocol": protocol.model_copy(update={"after": ()})})
    else:
        spec = spec.model_copy(update={"seats": spec.debaters()})
    with pytest.raises(InvalidSpec, match="expert_panel has an output schema, but no seat writes a synthesis"):
        check(spec)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (GOOD, None),
        (None, "the deliverable is missing"),
        ('{"decision": "adopt"}', "at $: 'cost' is missing"),
        ('{"decision": "sell", "cost": 1}', '$.decision: it must be one of "adopt", "keep", not "sell"'),
        ('{"decision": "keep", "cost": "1"}', '$.cost: it must be of type number, not "1"'),
        ('{"decision": "keep", "cost": 1, "more": 2}', "('more' was unexpected)"),
    ],
)
def test_a_mismatch_names_the_place_and_the_problem(given: str | None, words: str | None):
    found = mismatch(json.dumps(SCHEMA), given)
    assert (found is None) if words is None else (found is not None and words in found)


def test_a_comparison_stops_after_its_limit():
    parts: dict[str, Any] = {f"a{i}": {"anyOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(40)}
    doubling = {"$ref": "#/$defs/a0", "$defs": parts | {"a40": TEXTS}}
    for schema in (doubling, {"$ref": "#"}):
        assert mismatch(json.dumps(schema), "1") == (
            "the deliverable cannot be compared with its schema: one of them is too complex"
        )


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        ({"items": {"enum": list(range(1_000))}}, [999] * 200),
        ({"items": {"required": [f"a{i}" for i in range(1_000)]}}, [{}] * 200),
        ({"allOf": [{"items": {}}] * 200}, [0] * 1_000),
        ({"uniqueItems": True}, [value for i in range(300) for value in (i, {"a": i})]),
    ],
)
def test_long_lists_count_towards_the_limit_of_a_comparison(schema: object, given: object):
    assert schema_fault(json.dumps(schema)) is None
    assert mismatch(json.dumps(schema), json.dumps(given)) == (
        "the deliverable cannot be compared with its schema: one of them is too complex"
    )


def test_long_lists_of_plain_rows_are_compared():
    row = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}}, "required": ["a"]}
    given = json.dumps([{"a": i, "b": "y"} for i in range(900)])
    assert mismatch(json.dumps({"items": row, "uniqueItems": False}), given) is None
    ids = json.dumps([f"id-{i}" for i in range(1_500)])
    assert mismatch(json.dumps({"items": TEXTS, "uniqueItems": True}), ids) is None


def test_a_protocol_file_gives_a_schema_as_a_table_or_text():
    table = protocol_to_toml(EXPERT_PANEL) + '[output_schema]\ntype = "object"\nrequired = ["decision"]\n'
    protocol = protocol_from_toml(table, where="own.toml")
    assert json.loads(protocol.output_schema or "") == {"type": "object", "required": ["decision"]}
    assert protocol_from_toml(protocol_to_toml(protocol), where="own.toml") == protocol


def test_a_debate_without_a_schema_is_recorded_as_before():
    played = Played(spec_of(EXPERT_PANEL)).play(
        lambda asked: Synthesis(answer="So.") if asked.gives == "synthesis" else Argument(rationale="why", vote="keep")
    )
    files = export_files(account(played.state, played.events), "all")
    assert b"deliverable" not in dump_record(played.events).encode() + files["debate.json"]
    assert b"output_schema" not in dump_record(played.events).encode() + files["debate.json"]
    assert "deliverable.json" not in files
    assert "deliverable" not in {template.name for template in digests(EXPERT_PANEL)}
    assert "deliverable" in {template.name for template in digests(rules())}


# --- what a model is asked for, and how its reply is read


def asked_for(schema: object) -> tuple[str, Mapping[str, Any]]:
    played = at_synthesis(rules(schema))
    prompt = prompt_for(view(played.state, requests(played.state)[0]), shows_form=True)
    properties: Any = prompt.schema["properties"]
    assert list(properties)[-1] == "deliverable"
    return prompt.tail, properties["deliverable"]


def test_a_plain_schema_is_asked_for_as_an_object():
    shared = {"$defs": {"Cost": {"type": "number", "minimum": 0}}}
    cost = {"type": "array", "items": {"$ref": "#/$defs/Cost"}, "minItems": 1}
    tail, field = asked_for({**SCHEMA, **shared, "properties": {**SCHEMA["properties"], "cost": cost}})
    assert field == {
        **SCHEMA,
        "properties": {**SCHEMA["properties"], "cost": {"type": "array", "items": {"type": "number"}}},
    }
    assert "as one JSON object" in tail
    # The author wrote the schema, so it is fenced.
    assert '<data-1>\n{\n  "type": "object",' in tail
    assert '"deliverable": {<fields of its schema>}' in tail


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
        {"type": "object", "properties": {"a": {"anyOf": [TEXTS]}}},
        {"type": "object", "properties": {"a": {"$ref": "#"}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": TEXTS, "minItems": 20}}},
        {"type": "object", "required": ["a"]},
        {"type": "array", "items": TEXTS},
        {},
    ],
)
def test_any_other_schema_is_asked_for_as_text(schema: object):
    tail, field = asked_for(schema)
    assert field == {"type": "string"}
    assert "as one text that holds JSON" in tail


def read(deliverable: object, protocol: Protocol) -> Synthesis:
    data = {"answer": "It pays.", "deliverable": deliverable}
    reading = read_turn(spec_of(protocol), "synthesis", data, asks_ballot=False)
    assert isinstance(reading.content, Synthesis)
    assert [part.field for part in reading.left_out] == ([] if protocol.output_schema else ["deliverable"])
    return reading.content


@pytest.mark.parametrize("given", [{"decision": "adopt", "cost": 1.5}, GOOD, f"  {GOOD}\n"])
def test_a_deliverable_is_read_as_an_object_or_as_text(given: object):
    assert read(given, rules()).deliverable == GOOD
    # No schema, no deliverable.
    assert read(given, EXPERT_PANEL).deliverable is None


@pytest.mark.parametrize(("given", "kept"), [("", None), ("It pays.", '"It pays."'), ([1], "[1]"), (float("nan"), "")])
def test_text_around_or_instead_of_json_is_kept_as_a_string(given: object, kept: str | None):
    if kept == "":
        with pytest.raises(BadReply, match="the deliverable is not readable JSON"):
            read(given, rules())
    else:
        assert read(given, rules()).deliverable == kept


def test_words_of_a_deliverable_are_not_read_as_ids():
    schema = {"type": "object", "properties": {"links": {"type": "array", "items": TEXTS}, "source_id": TEXTS}}
    played = at_synthesis(rules(schema))
    request = requests(played.state)[0]
    given = {"links": ["none"], "source_id": "none"}
    reply = {"answer": "It pays.", "option": "none", "deliverable": given}
    seat = seat_of(played.state.spec, SaidBefore(complete(json.dumps(reply))))
    turn = asyncio.run(seat(request, view(played.state, request), silent))
    assert isinstance(turn, TakeTurn)
    assert isinstance(turn.content, Synthesis)
    assert json.loads(turn.content.deliverable or "") == given


# --- what is kept and flagged


def asked_again() -> Played:
    played = at_synthesis(rules())
    request = requests(played.state)[0]
    told = mismatch(json.dumps(SCHEMA), BAD)
    first = Synthesis(answer="It pays.", deliverable=BAD)
    return played.do(FailTurn(by=request.seat, request=request.id, error="mismatch", message=str(told), content=first))


def test_the_writer_reads_why_and_the_second_reply_counts():
    played = asked_again()
    seen = view(played.state, requests(played.state)[0])
    assert (seen.failed_as, seen.is_last_attempt) == ("mismatch", False)
    assert "'cost' is missing" in prompt_for(seen).tail
    played.say(Synthesis(answer="It pays.", deliverable=GOOD))
    assert account(played.state, played.events).standing.content.deliverable == GOOD  # type: ignore[union-attr]
    assert verify(played.events) == ()
    replayed = [turn.content for turn in script_from_record(played.events).turns if turn.phase == "synthesis"]
    assert [said["deliverable"] for said in replayed if isinstance(said, dict)] == [GOOD]


def test_the_first_reply_counts_if_no_second_one_comes():
    played = asked_again().fail().fail()
    assert played.state.turns[-1].status == "ok"
    assert played.state.turns[-1].content == Synthesis(answer="It pays.", deliverable=BAD)
    assert verify(played.events) == ()


def test_a_seat_is_asked_about_its_deliverable_only_once():
    played = asked_again()
    request = requests(played.state)[0]
    again = FailTurn(by=request.seat, request=request.id, error="mismatch", content=Synthesis(answer="So."))
    with pytest.raises(RuleViolation, match="asked about this once already"):
        played.do(again)
    without = at_synthesis(EXPERT_PANEL)
    other = again.model_copy(update={"request": requests(without.state)[0].id})
    with pytest.raises(RuleViolation, match="no deliverable is asked for here"):
        without.do(other)


@pytest.mark.parametrize("kept", [BAD, GOOD, None])
def test_a_deliverable_that_does_not_match_is_flagged(kept: str | None):
    played = closed(kept)
    whole = account(played.state, played.events)
    names = [finding.name for finding in whole.findings]
    assert ("deliverable_mismatch" in names) == (kept != GOOD)
    result = run_json(whole)
    assert result["deliverable"] == (json.loads(kept) if kept else None)
    why = result["deliverable_mismatch"]
    assert (why is None) == (kept == GOOD)
    for report in (markdown_report(whole), text_report(whole)):
        assert ("does not match its schema at" in report) == (kept == BAD)
        assert ('"decision": "adopt"' in report.replace("\\", "")) == (kept == GOOD)
    files = export_files(whole, "all")
    assert ("deliverable.json" in files) == (kept is not None)
    if kept is None:
        with pytest.raises(InvalidSpec, match="there is no deliverable"):
            export_files(whole, "deliverable")
        return
    assert export_files(whole, "deliverable") == {"deliverable.json": files["deliverable.json"]}
    assert json.loads(files["deliverable.json"]) == json.loads(kept)
    assert parse_record(files["events.jsonl"]) == tuple(played.events)


def test_a_deliverable_is_kept_only_as_json_and_only_if_asked():
    with pytest.raises(RuleViolation, match="the deliverable is not readable JSON"):
        closed("no JSON")
    with pytest.raises(RuleViolation, match="expert_panel has no output schema"):
        at_synthesis(EXPERT_PANEL).say(Synthesis(answer="So.", deliverable=GOOD))


def test_the_evidence_panel_fills_only_what_code_knows():
    both = {"question": TEXTS, "options": {"type": "array", "items": TEXTS}}
    spec = spec_of(rules({"type": "object", "properties": {**both, "owner": TEXTS}, "required": ["owner"]}), "offline")
    whole = asyncio.run(filled(spec))
    given = account(whole.state, whole.events).standing
    assert given is not None
    assert json.loads(given.content.deliverable or "") == {"question": "Shall we?", "options": list(OPTIONS)}
    assert "The deliverable needs a person or a model: code cannot fill owner." in given.content.answer
    spec = spec_of(rules({"type": "object", "properties": both, "required": [*both]}), "offline")
    whole = asyncio.run(filled(spec))
    result = run_json(account(whole.state, whole.events))
    assert result["deliverable_mismatch"] is None
    assert "cannot fill" not in str(result["synthesis"])


def test_a_version_by_a_person_shows_what_changed():
    from debate_core.report.facts.synthesis import differences

    before = Synthesis(answer="It pays.", established=(Linked(text="Cheap."),))
    after = before.model_copy(update={"deliverable": GOOD})
    changed = differences(before, after)
    assert ("in", '  "cost": 1.5') in changed["deliverable"]
    assert "deliverable" not in differences(before, before)
