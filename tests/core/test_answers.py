"""Signed answers: valid ones are accepted; forged, late, old and replayed ones are refused in one sentence."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_core.errors import BrokenRecord, InvalidSpec
from debate_core.host.agents.answers import (
    AnswerStatement,
    Expected,
    SignedAnswer,
    check_answer,
    is_answer,
    sign_answer,
)
from debate_core.host.signatures import Signatures
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed, Signed
from debate_core.record.events import dump_record, utc_text
from debate_core.report.facts.account import account
from debate_core.report.facts.who_decided import who_decided
from debate_core.spec.values import AskedQuestion
from tests.people import ABE, EVERYBODY, FAY, GUS, room_spec
from tests.playing import AT, Played

NOW = AT + timedelta(hours=1)
SEED = "11" * 32
OTHER_SEED = "22" * 32
DEADLINE = datetime(2026, 3, 5, tzinfo=UTC)
ASKED = AskedQuestion(
    id="q-1", digest="ab" * 32, question="Which?", by="release-bot", at=utc_text(AT), deadline=utc_text(DEADLINE)
)


def signatures(seed: str = SEED) -> Signatures:
    return Signatures(MemoryStore(), seed)


KEY = signatures().public_key
BY_KEY = Expected(KEY)


@cache
def decided() -> Played:
    """A room decides, and Abe signs."""
    spec = room_spec(EVERYBODY, decides="room").model_copy(update={"asked": ASKED})
    played = Played(spec)
    played.go_on()
    played.to_the_end()
    played.act(FAY, PollOpened(poll="final"))
    played.act(GUS, BallotCast(poll="final", choice="adopt"))
    played.act(FAY, PollClosed(poll="final"))
    played.act(FAY, PollRevealed(poll="final"))
    return played.act(ABE, Signed(verdict="accept", option="adopt"))


@cache
def signed(seed: str = SEED, at: datetime = NOW) -> SignedAnswer:
    played = decided()
    debate = account(played.state, played.events)
    return sign_answer(debate, debate.once(who_decided), signatures(seed), at)


def data_of(answer: SignedAnswer) -> bytes:
    return answer.model_dump_json(exclude_none=True).encode()


def resigned(changes: dict[str, Any], seed: str = SEED) -> bytes:
    """A true signature of a changed statement."""
    statement = AnswerStatement.model_validate(signed(seed).statement.model_dump() | changes)
    text = json.dumps(
        statement.model_dump(mode="json", exclude_none=True), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return data_of(SignedAnswer(statement=statement, signature=signatures(seed).sign_text(text)))


def refusal(data: bytes, expected: Expected = BY_KEY, at: datetime = NOW) -> str:
    """The sentence of a refusal."""
    with pytest.raises(BrokenRecord) as error:
        check_answer(data, expected, at=at)
    words = str(error.value)
    assert words.startswith("this answer is refused: ")
    assert "\n" not in words
    return words


def test_answer_of_the_server_is_accepted_in_any_layout():
    data = data_of(signed())
    for layout in (data, json.dumps(json.loads(data), indent=4).encode()):
        statement = check_answer(layout, Expected(KEY, "Which?", "q-1", 3_600), at=NOW)
        assert (statement.outcome, statement.signed_by, statement.head) == ("adopt", "Abe", decided().state.head)
        assert check_answer(layout, Expected(KEY.upper(), asked=ASKED.digest), at=NOW) == statement
        assert is_answer(layout)
    assert not is_answer(dump_record(decided().events).encode())


def test_answers_to_other_questions_are_refused():
    data = data_of(signed())
    assert "another question" in refusal(data, Expected(KEY, asked="q-2"))
    assert "another question: 'Which?'" in refusal(data, Expected(KEY, question="Which one?"))
    without = resigned({"asked": None})
    assert "another question" in refusal(without, Expected(KEY, asked="q-1"))


def test_late_and_old_answers_are_refused():
    data = data_of(signed())
    assert "3,600 s ago" in refusal(data, Expected(KEY, max_age_s=3_600), at=NOW + timedelta(hours=2))
    assert "in the future" in refusal(data, at=NOW - timedelta(hours=1))
    late = resigned({"decided_at": "2026-03-06T00:00:00.000000Z"})
    assert "after the deadline" in refusal(late)


def test_answers_by_other_keys_are_refused():
    assert "not signed by this key" in refusal(data_of(signed(OTHER_SEED)))
    claimed = resigned({"key": KEY}, OTHER_SEED)
    assert "not signed by this key" in refusal(claimed)
    with pytest.raises(InvalidSpec, match="64 hexadecimal digits"):
        check_answer(data_of(signed()), Expected("abc"), at=NOW)


def test_signature_of_an_event_is_no_signature_of_an_answer():
    played = decided()
    store = MemoryStore()
    [attestation] = Signatures(store, SEED).of(played.events[-1:])
    raw = json.loads(data_of(signed()))
    assert "not signed by this key" in refusal(json.dumps(raw | {"signature": attestation.signature}).encode())
    event = {"statement": attestation.statement.model_dump(), "signature": attestation.signature}
    assert "damaged" in refusal(json.dumps(event).encode())


def test_name_given_twice_is_refused():
    text = data_of(signed()).decode()
    twice = text.replace('"outcome":', '"outcome":"reject","outcome":', 1)
    assert "given twice" in refusal(twice.encode())


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        return [leaf for name, part in value.items() for leaf in leaves(part, (*path, name))]
    if isinstance(value, list):
        return [leaf for place, part in enumerate(value) for leaf in leaves(part, (*path, place))]
    return [path]


DATA = data_of(signed())
RAW = json.loads(DATA)
JSON_VALUES = st.one_of(
    st.text(max_size=30),
    st.integers(-(2**70), 2**70),
    st.booleans(),
    st.none(),
    st.lists(st.text(max_size=5), max_size=3),
)


def at_path(value: Any, path: Sequence[str | int]) -> Any:
    return at_path(value[path[0]], path[1:]) if path else value


def with_leaf(path: Sequence[str | int], value: Any) -> bytes:
    """The answer with another value in one place."""
    copy = json.loads(DATA)
    at_path(copy, path[:-1])[path[-1]] = value
    return json.dumps(copy).encode()


def with_longer_leaf(path: Sequence[str | int], more: str) -> bytes:
    old = at_path(RAW, path)
    return with_leaf(path, f"{old}{more}" if isinstance(old, str) else old + 1)


def with_byte(place: int, byte: int) -> bytes:
    return DATA[:place] + bytes([byte]) + DATA[place + 1 :]


def with_field(place: str, name: str, value: Any) -> bytes:
    copy = json.loads(DATA)
    (copy[place] if place else copy)[name] = value
    return json.dumps(copy).encode()


def by_another_key(seed: bytes, outcome: str, *, claims_key: bool) -> bytes:
    key = KEY if claims_key else signatures(seed.hex()).public_key
    return resigned({"outcome": outcome, "key": key}, seed.hex())


def differs(data: bytes) -> bool:
    """False for another layout of the same answer."""
    try:
        return bool(json.loads(data) != RAW)
    except ValueError:
        return True


PATHS = st.sampled_from(leaves(RAW))
PLACES = st.integers(1, len(DATA) - 1)
FORGERIES = st.one_of(
    st.builds(with_leaf, PATHS, JSON_VALUES),
    st.builds(with_longer_leaf, PATHS, st.text(min_size=1, max_size=3)),
    st.builds(with_byte, PLACES, st.integers(0, 255)),
    PLACES.map(lambda end: DATA[:end]),
    st.binary(min_size=1, max_size=20).map(lambda tail: DATA + tail),
    st.builds(
        by_another_key,
        st.binary(min_size=32, max_size=32),
        st.sampled_from(["adopt", "defer", "reject"]),
        claims_key=st.booleans(),
    ),
    st.builds(with_field, st.sampled_from(["", "statement"]), st.text(min_size=1, max_size=8), JSON_VALUES),
).filter(differs)


@settings(max_examples=500, deadline=None)
@given(FORGERIES)
def test_every_forged_answer_is_refused(data: bytes):
    refusal(data)


@settings(max_examples=500, deadline=None)
@given(
    asked=st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=20),
    question=st.text(max_size=40),
    age_s=st.integers(1, 10_000),
)
def test_every_replayed_or_late_answer_is_refused(asked: str, question: str, age_s: int):
    data = data_of(signed())
    if asked not in (ASKED.id, ASKED.digest):
        refusal(data, Expected(KEY, asked=asked))
    if question != ASKED.question:
        refusal(data, Expected(KEY, question=question))
    refusal(data, Expected(KEY, max_age_s=age_s), at=NOW + timedelta(seconds=age_s + 1))
    refusal(resigned({"decided_at": utc_text(DEADLINE + timedelta(seconds=age_s))}))
