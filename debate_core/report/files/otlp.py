"""Spans as one JSON object of the OpenTelemetry protocol (OTLP 1, JSON encoding), as collectors receive it over HTTP.

https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from debate_core.report.facts.spans import Attributes, AttributeValue, TraceSpan
from debate_core.spec.values import Json

SERVICE = "debate-room"
_INTERNAL, _CLIENT = 1, 3
_ERROR = 2
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def otlp_json(spans: Iterable[TraceSpan], *, service: str = SERVICE) -> str:
    """One line of JSON with the spans and the name of the service."""
    shown: Json = {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes({"service.name": service})},
                "scopeSpans": [{"scope": {"name": "debate_core"}, "spans": [_span_json(span) for span in spans]}],
            }
        ]
    }
    return json.dumps(shown, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _span_json(span: TraceSpan) -> Json:
    shown: dict[str, Json] = {"traceId": span.trace, "spanId": span.id}
    if span.parent:
        shown["parentSpanId"] = span.parent
    shown |= {
        "name": span.name,
        "kind": _CLIENT if span.calls_model else _INTERNAL,
        "startTimeUnixNano": _nanoseconds(span.start),
        "endTimeUnixNano": _nanoseconds(span.end),
        "attributes": _attributes(span.attributes),
        "status": {},
    }
    if span.error:
        shown["status"] = {"code": _ERROR, "message": span.error}
    return shown


def _nanoseconds(at: str) -> str:
    """Whole nanoseconds as text, because they exceed a JSON number."""
    return f"{(datetime.fromisoformat(at) - _EPOCH) // timedelta(microseconds=1) * 1000}"


def _attributes(attributes: Attributes) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items()]


def _value(value: AttributeValue) -> Json:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
