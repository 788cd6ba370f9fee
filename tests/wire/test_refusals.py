"""Refusals by an HTTP status: each is named by its cause, with the reason of the server."""

import pytest

from debate_core.spec.models import Dialect
from tests.wire.canned import error, page, stream
from tests.wire.replying import TURN, asked, asked_with_bodies, block, chat, delta, ended, message, messages, of

# To load a vendor's package takes seconds.
pytestmark = pytest.mark.slow

AZURE_FILTER = {
    "error": {
        "message": "The response was filtered due to the prompt triggering the content management policy.",
        "type": None,
        "param": "prompt",
        "code": "content_filter",
        "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
}
XAI = "Content violates usage guidelines. Team: t, API key ID: k, Model: m, Failed check: SAFETY_CHECK_TYPE_BIO"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, AZURE_FILTER),
        (400, {"error": {"message": "Invalid prompt: flagged.", "code": "invalid_prompt"}}),
        (400, {"error": {"message": "Content Exists Risk", "type": "invalid_request_error"}}),
        (400, {"error": {"code": "data_inspection_failed", "message": "Input text data may be inappropriate."}}),
        (
            400,
            {
                "type": "error",
                "error": {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"},
            },
        ),
        (
            403,
            {
                "error": {
                    "code": 403,
                    "message": "Your input was flagged",
                    "metadata": {"reasons": ["violence"], "flagged_input": "x"},
                }
            },
        ),
        (403, {"code": "The caller does not have permission to execute the specified operation", "error": XAI}),
        (422, {"detail": [{"loc": ["body", "prompt"], "msg": "flagged", "type": "content_policy_violation"}]}),
    ],
)
@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_filter_by_status_is_a_filter(status: int, body: object, dialect: Dialect):
    (reply,) = asked(error(status, body), dialect=dialect)
    assert (reply.status, reply.transport, reply.permanent) == ("filtered", False, False)
    assert "filter" in reply.message


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            403,
            {
                "error": {
                    "code": "unsupported_country_region_territory",
                    "message": "Country, region, or territory not supported",
                    "type": "request_forbidden",
                }
            },
            "Country, region, or territory not supported",
        ),
        (
            403,
            {"error": {"code": "AccessDenied", "message": "Access denied due to Virtual Network/Firewall rules."}},
            "Access denied due to Virtual Network/Firewall rules.",
        ),
        (
            403,
            {"error": {"message": "Consumer 'p' has been suspended.", "status": "PERMISSION_DENIED"}},
            "Consumer 'p' has been suspended.",
        ),
        (
            403,
            {"message": "You don't have access to the model with the specified model ID."},
            "You don't have access to the model",
        ),
        (403, {"detail": "Model terms are not accepted."}, "Model terms are not accepted."),
        (401, {"error": {"message": "Your IP address is not allowed here."}}, "Your IP address is not allowed here."),
        (
            401,
            {"error": {"message": "You must be a member of an organization to use the API."}},
            "member of an organization",
        ),
    ],
)
@pytest.mark.parametrize("dialect", ["chat", "messages"])
def test_a_refusal_without_a_word_on_keys_blames_no_key(status: int, body: object, said: str, dialect: Dialect):
    (reply,) = asked(error(status, body), dialect=dialect)
    assert (reply.permanent, reply.transport) == (True, True)
    assert said in reply.message
    assert "rejects the key" not in reply.message


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, {"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}, "Incorrect API key"),
        (401, {"message": "Unauthorized"}, "Unauthorized"),
        (403, {"error": {"message": "The API key is expired.", "type": "x"}}, "The API key is expired."),
        (
            403,
            {"error": {"type": "permission_error", "message": "Your API key does not have permission to use m."}},
            "does not have permission",
        ),
        (
            401,
            {
                "error": {
                    "code": "401",
                    "message": "Access denied due to invalid subscription key or wrong API endpoint.",
                }
            },
            "invalid subscription key",
        ),
    ],
)
def test_a_rejected_key_is_told_with_the_reason(status: int, body: object, said: str):
    (reply,) = asked(error(status, body))
    assert f"rejects the key in TEST_KEY for m ({status})" in reply.message
    assert said in reply.message


@pytest.mark.parametrize("status", [401, 403, 404, 400])
def test_a_page_is_told_as_something_in_between(status: int):
    (reply,) = asked(page(status, "<!DOCTYPE html><html><title>Blocked &amp; logged</title><p>No.</p></html>"))
    assert (reply.permanent, reply.transport) == (True, True)
    assert "a web page instead of JSON" in reply.message
    assert "Blocked & logged" in reply.message
    assert "key" not in reply.message


def test_a_page_with_status_200_is_told_as_something_in_between():
    (reply,) = asked(page(200, "<html><head><title>Sign in</title></head></html>"))
    assert reply.status == "malformed"
    assert "a web page instead of" in reply.message
    assert "Sign in" in reply.message


@pytest.mark.parametrize("status", [502, 503])
def test_a_page_of_a_gateway_in_trouble_is_passing(status: int):
    (reply,) = asked(page(status, "<html><title>502 Bad Gateway</title></html>"))
    assert (reply.permanent, reply.transport, reply.retry_after_ms > 0) == (False, True, True)
    assert "Bad Gateway" in reply.message


@pytest.mark.parametrize(("status", "said"), [(407, "a proxy asks for a login"), (511, "the network asks for a login")])
def test_a_login_in_between_is_told(status: int, said: str):
    (reply,) = asked(page(status, "<html><title>Login</title></html>"))
    assert reply.permanent
    assert said in reply.message


LIMITS = [
    (
        (
            "max_tokens is too large: 8000. This model supports at most 4096 completion "
            "tokens, whereas you provided 8000."
        ),
        4096,
    ),
    (
        ("max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022"),
        4096,
    ),
    (
        (
            "`max_tokens` must be less than or equal to `4096`, the maximum value for "
            "`max_tokens` is less than the `context_window` for this model"
        ),
        4096,
    ),
    ("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", 4096),
    ("<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 4096]", 4096),
    (
        (
            "Unable to submit request because it has a maxOutputTokens value of 8000 but the "
            "supported range is from 1 (inclusive) to 4097 (exclusive)."
        ),
        4096,
    ),
    (
        ("Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 4096, but got 8000 instead."),
        4096,
    ),
    (
        (
            "The maximum tokens you requested exceeds the model limit of 4,096. Try again "
            "with a maximum tokens value that is lower than 4,096."
        ),
        4096,
    ),
    (
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's "
            "maximum context length is 8192 tokens and your request has 1500 input tokens "
            "(8000 > 8192 - 1500)."
        ),
        6692,
    ),
    (
        (
            "This model's maximum context length is 8192 tokens. However, you requested 9500 "
            "tokens (1500 in the messages, 8000 in the completion). Please reduce the length "
            "of the messages or completion."
        ),
        6692,
    ),
]


@pytest.mark.parametrize(("said", "most"), LIMITS)
@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_limit_of_tokens_that_is_named_is_used(said: str, most: int, dialect: Dialect):
    whole = {
        "chat": chat({"content": TURN}),
        "responses": stream("responses", [delta(TURN), ended(message(TURN))]),
        "messages": messages(block(TURN)),
    }
    refused = error(400, {"error": {"message": said, "type": "invalid_request_error", "param": "max_tokens"}})
    replies, bodies = asked_with_bodies(refused, whole[dialect], dialect=dialect, calls=2)
    field = "max_output_tokens" if dialect == "responses" else "max_tokens"
    assert [body[field] for body in bodies] == [8_000, most]
    assert (replies[0].permanent, replies[0].transport) == (False, True)
    assert "left out" not in replies[0].message
    assert f"{most:,}" in replies[0].message
    assert of(replies[1]) == ("complete", TURN)


def test_a_limit_of_tokens_without_a_number_is_permanent():
    (reply,) = asked(
        error(400, {"error": {"message": "max_tokens is too large for this model", "param": "max_tokens"}})
    )
    assert reply.permanent
    assert "left out" not in reply.message
    assert "max_tokens is too large" in reply.message


def test_a_limit_of_tokens_that_is_refused_again_is_permanent():
    said = {"error": {"message": LIMITS[0][0], "param": "max_tokens"}}
    first, second = asked(error(400, said), calls=2)
    assert (first.permanent, second.permanent) == (False, True)


def test_a_limit_field_of_another_name_is_still_found():
    said = {
        "error": {
            "message": (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead."
            ),
            "param": "max_tokens",
            "code": "unsupported_parameter",
        }
    }
    _, bodies = asked_with_bodies(error(400, said), chat({"content": TURN}), calls=2)
    assert [body.get("max_completion_tokens") for body in bodies] == [None, 8_000]


TOO_LARGE = (
    "Request too large for m in organization org-VDAWofJASuLH0vVz8o9tiQZr on tokens "
    "per min (TPM): Limit 30000, Requested 30601. The input or output tokens must be "
    "reduced in order to run successfully."
)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (429, TOO_LARGE),
        (
            413,
            (
                "Request too large for model `m` on tokens per minute (TPM): Limit 8,000, "
                "Requested 20,449, please reduce your message size and try again."
            ),
        ),
        (429, ("Rate limit reached for m on tokens per min (TPM): Limit 10000, Used 0, Requested 13082.")),
    ],
)
def test_a_request_larger_than_a_minute_allows_is_permanent(status: int, said: str):
    body = {"error": {"message": said, "type": "tokens", "code": "rate_limit_exceeded"}}
    (reply,) = asked(error(status, body, retry_after="5"))
    assert (reply.permanent, reply.transport, reply.retry_after_ms) == (True, False, 0)
    assert "larger than" in reply.message
    assert "a minute" in reply.message


@pytest.mark.parametrize(
    "said",
    [
        (
            "Rate limit reached for m on tokens per min (TPM): Limit 10000, Used 8554, "
            "Requested 3082. Please try again in 9.816s."
        ),
        ("This request would exceed your organization's rate limit of 10,000 input tokens per minute."),
    ],
)
def test_a_full_minute_is_waited_for(said: str):
    (reply,) = asked(error(429, {"error": {"message": said, "code": "rate_limit_exceeded"}}, retry_after="5"))
    assert (reply.permanent, reply.transport, reply.retry_after_ms) == (False, True, 5_000)
