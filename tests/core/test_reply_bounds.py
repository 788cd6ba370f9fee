"""Length of a reply where a server enforces it, and the form of a reply in words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest

from debate_core.seats.prompts import bounds_of, gaps_left, prompt_for, reply_schema, without_none
from debate_core.seats.prompts.bounds import CHARS_PER_TOKEN, Bounds
from debate_core.seats.prompts.schema import form_of
from debate_core.spec.contents import Gives
from debate_core.spec.values import BallotKind
from tests.prompt_views import SOURCE, asked, seen_in

USUAL = bounds_of(800, was_cut=False)


@pytest.mark.parametrize(
    ("max_tokens", "was_cut", "bounds"),
    [
        (64, False, Bounds(76, 40, 3)),
        (800, False, Bounds(960, 192, 3)),
        (800, True, Bounds(480, 192, 1)),
        (16_000, False, Bounds(2_600, 400, 3)),
    ],
)
def test_bounds_follow_from_the_tokens_of_the_line(max_tokens: int, was_cut: bool, bounds: Bounds):
    assert bounds_of(max_tokens, was_cut=was_cut) == bounds


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for inner in (*node.get("properties", {}).values(), *([node["items"]] if "items" in node else [])):
        yield from _nodes(inner)


@pytest.mark.parametrize("kind", get_args(Gives))
def test_within_bounds_no_text_list_or_number_is_without_an_end(kind: Gives):
    for node in _nodes(reply_schema(asked(kind), USUAL)):
        match node["type"]:
            case "string":
                assert "maxLength" in node or node["enum"]
                assert "" not in node.get("enum", [])
            case "integer":
                assert 0 <= node["minimum"] < node["maximum"] <= 100
            case "array":
                assert node["maxItems"] >= 1


@pytest.mark.parametrize("kind", get_args(BallotKind))
def test_ballots_of_every_kind_are_bounded_by_the_options(kind: BallotKind):
    seen = replace(seen_in("opening"), ballot_kind=kind, dots=6)
    schema: Any = reply_schema(seen, USUAL)
    ballot = list(schema["properties"])[1]
    if kind == "one":
        assert schema["properties"][ballot]["enum"] == ["move", "stay", "abstain"]
    elif kind != "criteria":  # these need drivers
        assert schema["properties"][ballot]["maxItems"] == 2
    assert list(schema["properties"])[2] == "confidence"


@pytest.mark.parametrize("max_tokens", [400, 800, 4_000])
def test_the_longest_allowed_texts_fit_the_token_limit(max_tokens: int):
    schema: Any = reply_schema(seen_in("critique", "expert_panel", 2, SOURCE), bounds_of(max_tokens, was_cut=False))
    texts = [schema["properties"]["rationale"]["maxLength"]]
    item = schema["properties"]["claims"]["items"]["properties"]
    texts += [item[name]["maxLength"] for name in ("text", "quote")] * 3
    assert sum(texts) <= max_tokens * CHARS_PER_TOKEN


def test_ids_are_those_that_the_seat_has_read():
    seen = seen_in("critique", "expert_panel", 2, SOURCE)
    fields: Any = reply_schema(seen, USUAL)["properties"]
    others = [c.id for t in seen.turns if not t.own for c in t.content.claims]  # type: ignore[union-attr]
    assert fields["answers"] == {"type": "array", "items": {"type": "string", "enum": [*others, "none"]}, "maxItems": 6}
    assert fields["claims"]["items"]["properties"]["source_id"]["enum"] == ["E1", "none"]
    opening: Any = reply_schema(seen_in("opening"), USUAL)["properties"]
    assert opening["concedes"]["items"]["enum"] == ["none"]
    closing: Any = reply_schema(seen_in("synthesis", number=3), USUAL)["properties"]
    mine = seen_in("critique", number=3)
    assert any(t.own for t in mine.turns)
    assert len(closing["established"]["items"]["properties"]["links"]["items"]["enum"]) == 28  # 3 x 3 x 3, and none


def test_a_schema_that_must_not_change_is_bounded_without_ids():
    bounds = replace(USUAL, names_ids=False)
    early, late = seen_in("critique", "expert_panel", 2, SOURCE), seen_in("critique", "expert_panel", 3, SOURCE)
    schemas = [prompt_for(replace(seen, place=n), bounds).schema for n, seen in enumerate((early, late))]
    assert schemas[0] == schemas[1]
    fields: Any = schemas[0]["properties"]
    assert fields["answers"] == {"type": "array", "items": {"type": "string", "maxLength": 192}, "maxItems": 8}
    assert fields["claims"]["maxItems"] == 3


def test_none_is_neither_claim_nor_source_unless_so_named():
    seen = seen_in("critique", "expert_panel", 2, SOURCE)
    claim = {"text": "none", "source_id": " None", "quote": "none", "answers": ["none", "a.1.1"], "concedes": ["none"]}
    reply = {"rationale": "none", "claims": [claim], "vote": "none"}
    told = {"text": "none", "source_id": "", "quote": "none", "answers": ["a.1.1"], "concedes": []}
    assert without_none(reply, seen) == {"rationale": "none", "claims": [told], "vote": "none"}
    called = replace(seen, sources=(SOURCE.model_copy(update={"id": "none"}),))
    assert without_none({"source_id": "none"}, called) == {"source_id": "none"}


@pytest.mark.parametrize("kind", get_args(Gives))
def test_a_form_names_every_field_and_is_no_answer_by_itself(kind: Gives):
    schema: Any = reply_schema(asked(kind), USUAL)
    form = form_of(schema, 137)
    at = [form.index(f'"{name}": ') for name in schema["properties"]]
    assert at == sorted(at)
    assert "\n" not in form
    filled = form.replace("<true or false>", "true").replace("<0 to 100>", "5").replace("<1 to 10>", "5")
    assert gaps_left(form, json.loads(filled))
    assert not gaps_left(form, {"rationale": "It costs <10 ms.", "claims": [{"text": "a <b>"}], "confidence": 7})
