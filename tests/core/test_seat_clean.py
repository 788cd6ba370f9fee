"""Server texts enter a record only in writable form, and never with the key."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.seats.providers.dialects import wire_for
from debate_core.seats.providers.redact import Redactor, name_of
from debate_core.seats.providers.wire import Call, Reply
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.values import Usage
from tests.model_faults import Fault
from tests.model_server import ModelServer

KEY = "sk-proj-Zq7TtLw9XkP3vB5nM8rQ"
CALL = Call("", (), (), "t", {}, 100, "prompt")


def cleaned(pieces: list[str], key: str = KEY) -> str:
    redact = Redactor(key)
    return "".join([*map(redact, pieces), redact.rest()])


@given(st.integers(1, len(KEY) - 1), st.text(max_size=5), st.text(max_size=5))
def test_a_key_is_not_passed_on_whole_or_in_two_pieces(cut: int, before: str, after: str):
    assert cleaned([before + KEY[:cut], KEY[cut:] + after]) == f"{before}[...]{after}"


@given(st.lists(st.text()))
def test_all_else_is_passed_on_as_it_is(pieces: list[str]):
    assert cleaned(pieces) == "".join(pieces)
    assert cleaned(pieces, key="none") == "".join(pieces)


def test_most_of_a_key_is_hidden_too():
    assert cleaned(["The key: " + KEY[:-1]]) == "The key: [...]"
    assert cleaned(["The word: sk-"]) == "The word: sk-"


def test_halves_of_a_character():
    assert cleaned(["a\ud83d", "\ude00b"]) == "a\N{GRINNING FACE}b"
    assert cleaned(["a\ud83d", "b", "\ude00"]) == "a\ufffdb\ufffd"
    assert cleaned(["\ud83d"]) == "\ufffd"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("the-model-5-20260101", "the-model-5-20260101"),
        ("m" * 300, "m" * 200),
        ("a\ud800\x00\nb", "a   b"),
        (f"org/{KEY}", ""),
        ("", ""),
    ],
)
def test_the_name_of_a_model_can_be_recorded(said: str, name: str):
    assert name_of(said, KEY) == name
    Usage(model=name)


def asked(server: ModelServer, dialect: Dialect) -> Reply:
    line = ModelLine(id="m1", model="m", provider="local", dialect=dialect, base_url=server.base_url(dialect))

    async def ask() -> Reply:
        wire = wire_for(line, KEY)
        try:
            return await wire.ask(CALL, lambda _text, _thinking: None, deadline_s=5)
        finally:
            await wire.close()

    return asyncio.run(ask())


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_server_that_names_itself_badly_harms_no_record(dialect: Dialect):
    with ModelServer() as server:
        server.set(model="m" * 300)
        assert asked(server, dialect).usage.model == "m" * 200
        server.set(model="a\ud800b", faults=[Fault("garbage")])
        assert asked(server, dialect).usage.model == "a b"
        server.set(model=KEY)
        reply = asked(server, dialect)
        assert (reply.status, reply.usage.calls, reply.usage.model) == ("complete", 1, None)
