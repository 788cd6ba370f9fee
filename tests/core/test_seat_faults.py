"""Names of call faults, their permitted details, and the time of the next attempt."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from debate_core.seats.providers.faults import (
    SOON_MS,
    CallTerms,
    ErrorAnswer,
    Fault,
    event_fault,
    http_fault,
    retry_after_ms,
)
from debate_core.seats.providers.provider_errors import Server, scrub

KEY = "sk-proj-Zq7TtLw9XkP3vB5nM8rQ"
SERVER = Server("models.example", "the-model-5-20260101", KEY, "SOME_KEY")
OPTIONAL = ("stream_options", "reasoning_effort", "max_tokens", "schema")


def fault(status: int, error: object, headers: dict[str, str] | None = None) -> Fault:
    answer = ErrorAnswer(status, {"error": error}, headers or {})
    return http_fault(SERVER, answer, CallTerms(60, OPTIONAL))


@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Incorrect API key provided: {KEY[:8]}***{KEY[-4:]}.",
        f"The key ending in {KEY[-4:]} is disabled.",
        f"Bad header 'Bearer {KEY}'",
        f"{KEY[3:13]} and {KEY[10:20]}",
        "You sent gsk_0123456789abcdef, which is somebody else's key.",
        "Token 0123456789abcdef0123456789ABCDEF is unknown.",
    ],
)
def test_a_provider_shows_nothing_of_a_key(said: str):
    shown = scrub(said, SERVER)
    assert not any(KEY[i : i + 6] in shown for i in range(3, len(KEY) - 5))
    assert KEY[-4:] not in shown
    assert "0123456789" not in shown


def test_what_is_no_key_stays_and_is_short():
    said = "The model the-model-5-20260101 does not take\nresponse_format: exceed_context_size_error."
    assert scrub(said, SERVER) == said.replace("\n", " ")
    assert len(scrub("word " * 1_000, SERVER)) == 200


def test_a_key_is_named_by_its_variable_alone():
    refused = fault(401, {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"})
    message = (
        "models.example rejects the key in SOME_KEY for the-model-5-20260101 (401): Incorrect API key provided: [...]"
    )
    assert refused == Fault(message, permanent=True, billed=False, transport=True)
    none = http_fault(Server("models.example", "m", "", "SOME_KEY"), ErrorAnswer(401, None, {}), CallTerms(60))
    assert none.message == "models.example asks for a key, so set SOME_KEY (401)"


@pytest.mark.parametrize(
    ("error", "part"),
    [
        ({"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."}, "max_tokens"),
        ({"message": "max_tokens is too large: 9000. This model has at most 4096."}, ""),
        ({"message": "Unsupported value: 'low'.", "param": "reasoning_effort"}, "reasoning_effort"),
        ({"message": "Unrecognized request argument supplied: stream_options"}, "stream_options"),
        ({"message": "Invalid schema for response_format 'turn'"}, "schema"),
        ({"message": "Failed to parse grammar"}, "schema"),
        ({"message": "messages: at least one message is required"}, ""),
        ("not an object", ""),
        (None, ""),
    ],
)
def test_which_part_of_a_call_a_server_does_not_take(error: object, part: str):
    refused = fault(400, error)
    assert (refused.refused, refused.permanent, refused.billed) == (part, not part, False)
    # Once it is left out, the same complaint is a refusal of the call.
    again = http_fault(SERVER, ErrorAnswer(400, {"error": error}, {}), CallTerms(60))
    assert again.permanent


def test_a_long_prompt_is_not_taken_for_a_parameter():
    said = "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
    refused = fault(400, {"message": said})
    assert refused.message == f"the prompt is longer than the-model-5-20260101 takes at models.example (400): {said}"
    assert refused.permanent


def test_when_to_come_back():
    assert retry_after_ms({"retry-after": "2.5"}) == 2_500
    assert retry_after_ms({"retry-after-ms": "40", "retry-after": "9"}) == 40
    assert retry_after_ms({"retry-after": "99999999"}) == 86_400_000
    soon = retry_after_ms({"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=30))})
    assert soon is not None
    assert 28_000 < soon <= 30_000
    assert retry_after_ms({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    odd = ("", "nan", "-1", "soon", "inf", "1e999", f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT")
    assert [retry_after_ms({"retry-after": said}) for said in odd] == [None] * len(odd)


def test_a_wait_that_is_longer_than_a_turn_is_told_as_that():
    busy = fault(429, {"message": "Slow down.", "type": "rate_limit_error"}, {"retry-after": "3600"})
    message = "models.example limits how often it is called (429): Slow down.; it asks to wait 3600 s, "
    expected = Fault(f"{message}a turn may take 60 s", retry_after_ms=3_600_000, billed=False, transport=True)
    assert busy == expected
    assert fault(429, {"message": "x"}, {"retry-after": "60"}).retry_after_ms == 60_000


def test_without_a_word_the_wait_is_the_usual_one():
    assert fault(503, {"message": "x"}).retry_after_ms == SOON_MS


@pytest.mark.parametrize(
    ("error", "permanent", "status"),
    [
        ({"type": "overloaded_error", "message": "x"}, False, "error"),
        ({"code": "server_error", "message": "x"}, False, "error"),
        ({"code": 502, "message": "x"}, False, "error"),
        ({"code": "rate_limit_exceeded", "message": "x"}, False, "error"),
        ({"type": "insufficient_quota", "code": "insufficient_quota"}, True, "error"),
        ({"type": "invalid_request_error", "message": "x"}, True, "error"),
        ({"code": "bio_policy", "message": "x"}, False, "filtered"),
        ({"message": "x"}, False, "error"),
        ("x", False, "error"),
    ],
)
def test_errors_in_mid_stream_are_told_apart(error: object, permanent: bool, status: str):
    found = event_fault(SERVER, error)
    assert (found.permanent, found.status) == (permanent, status)
    assert bool(found.retry_after_ms) == (status == "error" and not permanent)


MISTRAL_WRONG = {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "41s"}


@pytest.mark.parametrize(
    ("status", "body", "refused", "said"),
    [
        # Google: a list of one error, a wrong key as 400.
        (
            400,
            [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}],
            "",
            "rejects the key",
        ),
        (400, [{"error": {"message": "x", "status": "UNAUTHENTICATED"}}], "", "rejects the key"),
        (404, [{"error": {"message": "models/m is not found", "status": "NOT_FOUND"}}], "", "models/m is not found"),
        # Mistral: a message that holds a detail.
        (422, {"object": "error", "message": {"detail": [MISTRAL_WRONG]}}, "stream_options", "Extra inputs"),
        (401, {"message": "Unauthorized", "request_id": "r"}, "", "rejects the key"),
        # FastAPI, as vLLM and others use it.
        (
            422,
            {"detail": [{"loc": ["body", "reasoning_effort"], "msg": "Extra inputs", "type": "x"}]},
            "reasoning_effort",
            "",
        ),
        (400, {"detail": "Something is wrong with it"}, "", "Something is wrong with it"),
        (422, {"detail": [{"msg": "Field required"}]}, "", "Field required"),
        # xAI: the error in words.
        (400, {"code": "invalid", "error": "Incorrect API key provided: xx."}, "", "rejects the key"),
        (400, {"error": "Streaming is not supported"}, "stream", "Streaming is not supported"),
        (
            400,
            {"error": {"message": "Must be verified to stream this model.", "param": "stream"}},
            "stream",
            "verified",
        ),
        (400, {"error": {"message": "The stream broke."}}, "", "The stream broke"),
        (
            400,
            {"error": {"message": "Unknown field", "param": "response_format.json_schema.strict"}},
            "strict",
            "Unknown",
        ),
        (400, [], "", "refuses the call (400)"),
        (400, {"detail": [7, None]}, "", "refuses the call (400)"),
    ],
)
def test_every_vendors_body_is_read(status: int, body: object, refused: str, said: str):
    optional = ("stream", *OPTIONAL[:-1], "strict", "schema")
    found = http_fault(SERVER, ErrorAnswer(status, body, {}), CallTerms(60, optional))
    assert (found.refused, found.permanent) == (refused, not refused)
    assert said in found.message


def test_a_wait_that_the_body_asks_for_is_kept():
    busy = ErrorAnswer(429, [{"error": {"message": "Quota", "details": [{"@type": "x"}, RETRY_INFO]}}], {})
    assert http_fault(SERVER, busy, CallTerms(60)).retry_after_ms == 41_000
    endless = {**RETRY_INFO, "retryDelay": "9" * 400 + "s"}
    odd = ErrorAnswer(429, {"error": {"message": "Wait.", "details": [endless]}}, {})
    assert http_fault(SERVER, odd, CallTerms(60)).retry_after_ms == SOON_MS
    by_header = ErrorAnswer(429, busy.body, {"retry-after": "3"})
    assert http_fault(SERVER, by_header, CallTerms(60)).retry_after_ms == 3_000
