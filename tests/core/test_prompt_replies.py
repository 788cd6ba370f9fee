"""Reply schemas, derived from the content models, and the templates that a debate records."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.option_names import no_option
from debate_core.engine.validate_content import read_content
from debate_core.errors import InvalidSpec
from debate_core.seats.prompts import changed, digests, prompt_for, reply_schema, with_custom
from debate_core.seats.prompts.schema import content_name
from debate_core.seats.prompts.templates import SHIPPED, fill
from debate_core.seats.prompts.texts import BY_KIND, COMMITMENTS, REPLIES, TASKS
from debate_core.spec.contents import ARGUMENT_KINDS, PROSE_FIELDS, Content, Gives, Synthesis
from debate_core.spec.models import Template
from debate_core.spec.values import ABSTAIN, Commitment
from tests.prompt_views import asked, held, seen_in, spec_of, whole


def test_every_commitment_and_kind_has_a_template_and_a_schema():
    # R126
    assert set(COMMITMENTS) == set(get_args(Commitment))
    assert {*TASKS, *BY_KIND} == set(get_args(Gives))
    assert {content_name(kind) for kind in get_args(Gives) if kind in TASKS} == set(REPLIES)
    for kind in get_args(Gives):
        _strict(reply_schema(asked(kind)))


def _strict(node: Mapping[str, Any]) -> None:
    """Every object closed and complete; nothing but types and enums."""
    assert set(node) <= {"type", "properties", "required", "additionalProperties", "items", "enum"}
    assert isinstance(node["type"], str)
    if node["type"] == "object":
        assert node["required"] == list(node["properties"])
        assert node["additionalProperties"] is False
        assert not {"kind", "id", "stance"} & set(node["properties"])
        for field in node["properties"].values():
            _strict(field)
    if node["type"] == "array":
        _strict(node["items"])


def test_the_schema_has_prose_then_vote_then_lists():
    schema: Any = reply_schema(seen_in("opening"))
    assert list(schema["properties"]) == ["rationale", "vote", "confidence", "answers", "concedes", "claims"]
    assert list(schema["properties"]["claims"]["items"]["properties"]) == [
        *("text", "source_id", "quote", "answers", "concedes")
    ]
    assert schema["properties"]["vote"] == {"type": "string", "enum": ["move", "stay", "abstain"]}
    assert "vote" not in json.dumps(reply_schema(seen_in("opening", "deliberation")))
    closing: Any = reply_schema(seen_in("synthesis", number=3))
    assert list(closing["properties"]) == ["answer", "option", "confidence", "strongest", "established", "contested"]
    assert closing["properties"]["option"]["enum"] == ["move", "stay", "none"]


def _fields(kind: Gives) -> dict[str, Any]:
    schema: Any = reply_schema(asked(kind))
    return dict(schema["properties"])


def test_the_offices_have_fields_of_their_own():  # R074, R088, R230, R245
    words, whole_number, lines = {"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}
    seats = {"type": "string", "enum": ["risk", "cost", "load"]}
    assert list(_fields("framing").items()) == [
        ("thesis", words),
        ("scope", words),
        ("criteria", lines),
        ("key_sources", {"type": "array", "items": {"type": "string", "enum": ["E1"]}}),
    ]
    assert list(_fields("directive").items()) == [
        ("reason", words),
        ("next_speakers", {"type": "array", "items": seats}),
        ("briefing", words),
        ("new_angle", words),
        ("done", {"type": "boolean"}),
    ]
    assert list(_fields("positions")) == ["reason", "positions"]
    sides = _fields("positions")["positions"]["items"]["properties"]
    assert sides == dict.fromkeys(("name", "claim", "because"), words)
    assert list(_fields("verdict").items()) == [
        ("reasoning", words),
        ("verdict", words),
        ("option", {"type": "string", "enum": ["move", "stay", "none"]}),
        ("confidence", whole_number),
    ]
    evaluation = _fields("evaluation")
    assert list(evaluation) == [
        *("synthesis", "recommend_another_round", "confidence_level"),
        *("uncertainties", "quality", "resolved", "unresolved"),
    ]
    assert evaluation["quality"]["items"]["properties"] == {"seat": seats, "score": whole_number}
    assert evaluation["recommend_another_round"] == {"type": "boolean"}
    assert evaluation["confidence_level"] == {"type": "string", "enum": ["HIGH", "MODERATE", "LOW"]}


def test_strength_is_asked_where_the_phase_sets_a_least_one():  # R238
    seen = seen_in("critique", number=2)
    hard: Any = reply_schema(replace(seen, phase=seen.phase.model_copy(update={"min_strength": 6})))
    usual: Any = reply_schema(seen)
    assert [n for n in hard["properties"] if n != "strength"] == list(usual["properties"])
    assert list(hard["properties"])[:4] == ["rationale", "vote", "confidence", "strength"]
    assert hard["properties"]["strength"] == {"type": "integer"}


def test_a_synthesis_of_a_round_is_asked_about_another_round():
    seen = replace(asked("synthesis"), asks_another_round=True)
    prompt, closing = prompt_for(seen), prompt_for(asked("synthesis"))
    fields: Any = prompt.schema["properties"]
    assert list(fields)[:4] == ["answer", "option", "confidence", "recommend_another_round"]
    assert fields["recommend_another_round"] == {"type": "boolean"}
    assert "- recommend_another_round: true only if" in prompt.tail
    assert "The rounds are over" not in prompt.tail
    assert "The rounds are over" in closing.tail
    assert "recommend_another_round" not in f"{closing.tail}{closing.schema}"


def test_without_sources_none_is_a_key_source_by_name():
    assert reply_schema(replace(asked("framing"), sources=()))["properties"] == {
        **_fields("framing"),
        "key_sources": {"type": "array", "items": {"type": "string"}},
    }


OPTIONS = st.lists(
    st.text(min_size=1, max_size=20).map(str.strip).filter(lambda o: o and o.casefold() != ABSTAIN)
    | st.sampled_from(["none", "None 0", "none 1"]),
    min_size=2,
    max_size=8,
    unique_by=str.casefold,
)


def _instances(node: Mapping[str, Any], name: str = "") -> st.SearchStrategy[Any]:
    match node:
        case {"enum": choices}:
            return st.sampled_from(choices)
        case {"type": "object"}:
            return st.fixed_dictionaries({name: _instances(f, name) for name, f in node["properties"].items()})
        case {"type": "array"}:
            named, one = name == "next_speakers", name == "positions"
            items = _instances(node["items"])
            return st.lists(items, min_size=int(named or one), max_size=1 if one else 2, unique=named)
        case {"type": "integer"}:
            return st.integers(1, 10) if name in ("score", "strength") else st.integers(0, 100)
        case {"type": "boolean"}:
            return st.booleans()
        case _:
            # A position needs a reason of its own.
            frame = {"name": "named {x}", "claim": "claimed {x}", "because": "it is cheap {x}"}
            return st.sampled_from([frame[name]] if name in frame else ["", "because {x}"])


@given(st.data(), OPTIONS, st.sampled_from(get_args(Gives)), st.sampled_from([None, 6]))
def test_what_fits_the_schema_is_read_as_it_is(data, options, kind, least):
    asked = _ASKED[kind]
    ballot = (*options, ABSTAIN) if kind in ARGUMENT_KINDS else ()
    phase = asked.phase.model_copy(update={"min_strength": least})
    seen = replace(asked, options=tuple(options), ballot_options=ballot, phase=phase)
    reply = data.draw(_instances(reply_schema(seen)))
    for prose in set(PROSE_FIELDS) & set(reply):
        reply[prose] = "Because."
    for mark in reply.get("marks", []):
        mark["reading"] = "neutral" if mark["option"] == no_option(options) else mark["reading"]
    if kind == "premortem":
        # No schema can say that a list is not empty.
        reply["reasons"] = ["The bill doubled."]
    for position in reply.get("positions", []):
        # No schema can say that a position takes a side and that its reason says something.
        position |= {"claim": "We move to the new store.", "because": "The bill falls by a third."}
    spec = spec_of().model_copy(update={"options": tuple(options)})
    content = read_content(spec, kind, json.loads(json.dumps(reply)), asks_ballot=bool(ballot))
    read = _as_reply(content, no_option(options))
    assert {name: read[name] for name in reply} == reply
    assert all(read[name] in ("", False, []) for name in set(read) - set(reply))
    assert content.kind == kind


_ASKED = {kind: asked(kind) for kind in get_args(Gives)}


@pytest.mark.parametrize("kind", get_args(Gives))
def test_all_kinds_with_prose_stream_from_the_first_field(kind):
    named = list(_fields(kind))
    assert [n for n in named if n in PROSE_FIELDS] == ([] if kind in ("review", *BY_KIND) else named[:1])


def _as_reply(content: Content, none: str) -> Any:
    """The content in the words of the schema."""

    def plain(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {k: plain(v, k) for k, v in value.items() if k not in ("kind", "id", "stance")}
        if isinstance(value, list):
            return [plain(v) for v in value]
        return (none if name == "option" else "") if value is None else value

    return plain(json.loads(content.model_dump_json()))


def test_no_option_is_said_with_a_word_that_is_none():
    assert no_option(["a", "b"]) == "none"
    assert no_option(["None", "none 0"]) == "none 1"
    spec = spec_of()
    for word in ("none", " NONE ", "", None):
        reply = {"answer": "Open.", "option": word}
        assert read_content(spec, "synthesis", reply, asks_ballot=False) == Synthesis(answer="Open.")
    named = read_content(spec, "synthesis", {"answer": "So.", "option": " Move"}, asks_ballot=False)
    assert named == Synthesis(answer="So.", option="move")


# --- templates


def test_digests_are_those_of_the_shipped_texts():  # R262
    assert [(t.name, t.sha256, t.text) for t in digests()] == [
        (name, sha256(text.encode()).hexdigest(), "") for name, text in SHIPPED.items()
    ]
    assert changed(digests()) == ()
    assert changed(()) == ()


def test_a_declared_template_is_used_and_a_changed_one_is_named():  # R262
    own = with_custom({"argument": "Sag {x nur {} eines: 100 %."})
    assert [t.name for t in own] == [t.name for t in digests()]
    assert [(t.name, t.text) for t in own if t.text] == [("argument", "Sag {x nur {} eines: 100 %.")]
    assert changed(own) == ()
    seen = replace(seen_in("opening"), templates=own)
    assert "\nSag {x nur {} eines: 100 %.\n" in prompt_for(seen).tail
    assert prompt_for(seen).system == prompt_for(seen_in("opening")).system
    other = sha256(b"other").hexdigest()
    recorded = (
        Template(name="critique", sha256=other),
        Template(name="argument", sha256=other, text="Other."),
        Template(name="rules", sha256=sha256(b"No rules.").hexdigest(), text="No rules."),
        Template(name="gone", sha256=other),
    )
    assert changed(recorded) == ("critique", "argument", "rules", "gone")


def test_the_rules_cannot_be_worded_away():  # R204
    seen = replace(seen_in("opening"), templates=(Template(name="rules", sha256="0" * 64, text="Obey the sources."),))
    assert prompt_for(seen).system == prompt_for(seen_in("opening")).system


@pytest.mark.parametrize(
    ("templates", "why"),
    [
        ({"opening": "x"}, "unknown template 'opening': a debate can word argument, critique, rebuttal"),
        ({"rules": "x"}, "template 'rules' is fixed: a debate can word argument, critique"),
        ({"argument": " "}, "template 'argument' is empty"),
        ({"argument": "x" * 20_001}, "template 'argument' has 20001 characters: at most 20000 are allowed"),
        ({"argument": "Use {tools}"}, "template 'argument' has the unknown placeholder {tools}; it can have: none"),
        ({"side": "{stanc}"}, "template 'side' has the unknown placeholder {stanc}; it can have: {stance}"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(templates, why):
    with pytest.raises(InvalidSpec, match=re.escape(why)):
        with_custom(templates)


def test_placeholders_are_filled_once():
    assert fill("{a} {b} {c} {} {{a}}", {"a": "{b}", "b": "1"}) == "{b} 1 {c} {} {{b}}"


def test_every_placeholder_of_a_shipped_text_is_filled():
    for name in ("bounded_vote", "deliberation", "expert_panel"):
        for _, seen in held(spec_of(name)):
            assert not re.search(r"\{\w+\}", whole(prompt_for(seen)))
    assert not re.search(r"\{\w+\}", prompt_for(replace(asked("review"), failed_before="x")).tail)
