"""A record as spans: the same tree from any beginning of it, the names of the conventions, and no word of anybody's."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as conventions

from debate_core.record.commands import SkipTurn, StartAttempt, Stop, TakeTurn
from debate_core.record.events import Event, parse_record
from debate_core.report.facts.spans import PROVIDERS, SpanReader, TraceSpan, spans
from debate_core.report.files.otlp import otlp_json
from debate_core.spec.contents import Argument
from debate_core.spec.models import ModelLine
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import MaxRounds, Plurality
from tests.by_hand import OPEN, small
from tests.paid import OPTIONS, RESERVED, Hand, paid_spec, use

RECORDS = sorted((Path(__file__).parent.parent / "records").glob("*.jsonl"))
(MODELS,) = (path for path in RECORDS if "models" in path.name)


def record(path: Path) -> tuple[Event, ...]:
    return parse_record(path.read_bytes())


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def clock(span: TraceSpan) -> str:
    return f"{at(span.start):%M:%S} to {at(span.end):%M:%S}"


def models() -> tuple[TraceSpan, ...]:
    return spans(record(MODELS))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_spans_of_a_finished_record_are_nested(path: Path):
    events = record(path)
    found = {span.id: span for span in spans(events)}
    assert len(found) == len(spans(events))
    for span in found.values():
        assert at(span.start) <= at(span.end)
        if span.parent in found:
            around = found[span.parent]
            assert at(around.start) <= at(span.start) <= at(span.end) <= at(around.end)
            assert (around.name, span.name.split()[0]) in {
                ("debate", "round"),
                ("round", "turn"),
                ("turn", "attempt"),
                ("turn", "chat"),
            }
    if events[-1].kind == "closed":
        assert [span.name for span in found.values() if span.parent not in found] == ["debate"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_live_spans_equal_the_final_ones(path: Path):
    events = record(path)
    whole = spans(events)
    assert SpanReader().seq == 0
    for length in range(len(events)):
        told = spans(events[:length])
        assert told == whole[: len(told)]
        assert all(span.ended_by > length for span in whole[len(told) :])


def test_a_model_attempt_has_the_conventional_attributes():
    # R296
    calls = [span for span in models() if span.calls_model]
    assert [(span.name, span.error) for span in calls] == [
        ("chat north-large", "timeout"),
        ("chat north-large", ""),
        ("chat north-large", "failed"),
        ("chat south-1", "interrupted"),
        ("chat south-1", "failed"),
        ("chat south-1", ""),
        ("chat north-large", ""),
        ("chat north-large", ""),
    ]
    assert calls[1].attributes == {
        "gen_ai.conversation.id": record(MODELS)[0].debate,
        "debate.attempt": 2,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "north-large",
        "gen_ai.request.max_tokens": 4_000,
        "gen_ai.usage.input_tokens": 1_000,
        "gen_ai.usage.output_tokens": 200,
        "gen_ai.usage.cache_read.input_tokens": 800,
        "gen_ai.usage.reasoning.output_tokens": 0,
        "debate.usage.estimated": False,
        "gen_ai.response.model": "north-large-0901",
        "debate.cost_usd": "0.02",
    }
    assert calls[0].attributes["error.type"] == "timeout"


def test_a_turn_tells_how_it_ended_and_who_sits_there_by_number():
    turns = [span for span in models() if span.name == "turn"]
    told = [(clock(span), span.error, span.calls_model, span.attributes["debate.seat.number"]) for span in turns]
    assert told == [
        ("04:06 to 05:06", "", False, 1),
        ("05:06 to 05:13", "", False, 3),
        ("05:06 to 05:06", "failed", False, 2),
        ("05:22 to 05:22", "", False, 1),
        ("05:31 to 05:31", "", False, 2),
    ]
    assert turns[2].attributes == {
        "gen_ai.conversation.id": record(MODELS)[0].debate,
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "north-large",
        "debate.round": 1,
        "debate.turn.status": "failed",
        "debate.seat.number": 2,
        "debate.seat.occupant": "model",
        "error.type": "failed",
    }


def test_rounds_without_models_have_spans_to_their_last_phase():
    """Two rounds of two phases: an answer, a person's who took a seat over, a turn left out, and a stop."""
    held = small(OPEN, Phase(name="reply", places=(1, 2)), n=2, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
    held.after(10).do(StartAttempt(by="s0", request="1.open.s0.1")).after(10).say("a")
    held.do(StartAttempt(by="s1", request="1.open.s1.1")).after(10).say("a", by="ann")
    held.after(10).do(SkipTurn(by="ann", request="1.reply.s0.1", reason="no need")).after(10).say("a")
    held.after(10).do(StartAttempt(by="s0", request="2.open.s0.1")).after(10).do(Stop(by="ann", reason="enough"))
    told = [(span.name, clock(span), span.error, span.ended_by) for span in spans(held.events)]
    assert told == [
        ("attempt", "06:17 to 06:27", "", 4),
        ("turn", "06:17 to 06:27", "", 4),
        ("attempt", "06:27 to 06:37", "interrupted", 6),
        ("turn", "06:27 to 06:37", "", 6),
        ("turn", "06:37 to 06:47", "", 9),
        ("turn", "06:37 to 06:57", "", 10),
        ("round", "06:07 to 06:57", "", 12),
        ("attempt", "07:07 to 07:17", "interrupted", 15),
        ("turn", "07:07 to 07:17", "interrupted", 15),
        ("round", "06:57 to 07:17", "", 15),
        ("debate", "06:07 to 07:17", "", 15),
    ]
    found = spans(held.events)
    assert not any(span.calls_model for span in found)
    about = {"gen_ai.conversation.id": held.state.debate}
    assert found[0].attributes == {**about, "debate.attempt": 1}
    assert found[4].attributes == {
        **about,
        "debate.round": 1,
        "debate.turn.status": "skipped",
        "debate.seat.number": 1,
        "debate.seat.occupant": "scripted",
    }
    assert found[6].attributes == {**about, "debate.round": 1}
    # The name of a protocol of one's own may say anything.
    assert found[-1].attributes == {
        **about,
        "gen_ai.operation.name": "invoke_workflow",
        "debate.seats": 2,
        "debate.status": "aborted",
        "debate.rounds": 2,
    }
    assert models()[-1].attributes["gen_ai.workflow.name"] == "bounded_vote"


def test_a_persons_answer_has_no_model_usage():
    played = Hand(paid_spec())
    request = played.asked()[0]
    said = Argument(rationale="why", vote="release")
    played.ask(request).after(3).do(TakeTurn(by="ann", request=request, content=said, usage=use(1, 1, "0.01")))
    (call, turn) = spans(played.events)
    assert (call.error, call.calls_model, turn.error) == ("interrupted", True, "")
    assert turn.attributes["debate.turn.status"] == "ok"
    assert not [name for name in call.attributes if "usage" in name or "cost" in name]


def test_which_model_answered_is_told_where_its_server_says_so():
    played = Hand(paid_spec())
    first, second = played.asked()[:2]
    played.take(first, "release", use(1, 1, None, model="")).take(second, "release", use(1, 1, None, model="large-2"))
    calls = [span.attributes for span in spans(played.events) if span.calls_model]
    assert [call.get("gen_ai.response.model") for call in calls] == [None, "large-2"]
    assert not any("debate.cost_usd" in call for call in calls)


def test_the_names_are_those_of_the_conventions():
    named = {name for span in models() for name in span.attributes if name.startswith("gen_ai.")}
    known = {value for value in vars(conventions).values() if isinstance(value, str)}
    assert named - known == set()
    operations = {span.attributes.get("gen_ai.operation.name") for span in models()} - {None}
    assert operations == {"chat", "invoke_agent", "invoke_workflow"}
    assert operations <= {value.value for value in conventions.GenAiOperationNameValues}
    assert {*PROVIDERS.values()} <= {value.value for value in conventions.GenAiProviderNameValues}


def test_a_call_that_a_crash_cut_off_has_a_span_of_its_own():
    played = Hand(paid_spec())
    request = played.asked()[0]
    played.ask(request).after(30).do(StartAttempt(by="planner", request=request, reserved=RESERVED)).after(5)
    played.take(played.asked()[1], "release", None)
    first = spans(played.events)[0]
    assert (first.name, first.error, first.attributes["debate.attempt"]) == ("chat north-large", "interrupted", 1)
    assert (at(first.end) - at(first.start)).total_seconds() == 30


def test_nobody_s_word_stands_in_an_attribute():
    marked = "Marked word of somebody"
    line = ModelLine(
        id="north",
        model="qwen",
        provider="ollama",
        dialect="chat",
        base_url="http://127.0.0.1:1/v1",
        temperature="0.7",
        seed=7,
    )
    spec = paid_spec(lines="north north north").model_copy(
        update={
            "question": f"{marked}?",
            "options": tuple(f"{marked} {option}" for option in OPTIONS),
            "models": (line,),
        }
    )
    own = spec.protocol.model_copy(update={"name": "marked_word"})
    seats = tuple(seat.model_copy(update={"stance": marked, "family": "north"}) for seat in spec.seats)
    played = Hand(spec.model_copy(update={"protocol": own, "seats": seats}))
    while played.state.outcome is None:
        played.take(played.asked()[0], f"{marked} release", use(1, 1, "0.01"))
    told = otlp_json(spans(played.events))
    assert "qwen" in told
    for word in ("Marked", "marked_word", "planner", "rationale"):
        assert word in json.dumps([event.body_json for event in played.events])
        assert word not in told
    asked = next(span.attributes for span in spans(played.events) if span.calls_model)
    assert (asked["server.address"], asked["gen_ai.request.temperature"], asked["gen_ai.request.seed"]) == (
        "127.0.0.1",
        0.7,
        7,
    )


def test_the_json_is_that_of_the_protocol():
    """Ids in hexadecimal digits, whole numbers of 64 bits as text, enumerations as numbers."""
    shown = json.loads(otlp_json(models(), service="ours"))
    (resource,) = shown["resourceSpans"]
    assert resource["resource"]["attributes"] == [{"key": "service.name", "value": {"stringValue": "ours"}}]
    told = resource["scopeSpans"][0]["spans"]
    failed, debate = told[0], told[-1]
    assert {name: failed[name] for name in ("name", "kind", "status", "startTimeUnixNano", "endTimeUnixNano")} == {
        "name": "chat north-large",
        "kind": 3,
        "status": {"code": 2, "message": "timeout"},
        "startTimeUnixNano": failed["endTimeUnixNano"],
        "endTimeUnixNano": f"{int(at(models()[0].end).timestamp())}{at(models()[0].end).microsecond:06}000",
    }
    assert [len(failed[name]) for name in ("traceId", "spanId", "parentSpanId")] == [32, 16, 16]
    values = {value["key"]: value["value"] for value in failed["attributes"]}
    assert values["gen_ai.usage.input_tokens"] == {"intValue": "900"}
    assert values["debate.usage.estimated"] == {"boolValue": True}
    assert (debate["name"], debate["kind"], debate["status"], "parentSpanId" in debate) == ("debate", 1, {}, False)
