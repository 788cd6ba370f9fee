"""Records: canonical bytes, the hash chain, and what happens to a record that somebody touched."""

import json
from dataclasses import replace
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from debate_core import audit
from debate_core.errors import BrokenRecord, NewerRecord
from debate_core.events import (
    GENESIS,
    KINDS,
    Body,
    Closed,
    Event,
    PhaseEnded,
    TurnTaken,
    canonical,
    dump_event,
    dump_record,
    make_event,
    parse_record,
)
from debate_core.model import Argument, Count, Seat, Tally
from debate_core.presets import BOUNDED_VOTE, compose
from tests.laws.play import SPECS, play

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), inner),
    max_leaves=12,
)


def _record() -> tuple[Event, ...]:
    seats = [Seat(id=i, occupant="scripted") for i in ("planner", "critic", "operator")]
    spec = compose("Release?", ["release", "revise"], BOUNDED_VOTE, seats)
    return tuple(play(spec, 5, faults=0.1, asides=False).events)


def _rechained(events: tuple[Event, ...], at: int, body: Body) -> tuple[Event, ...]:
    """A forger's record: one body changed and every later hash made anew."""
    out: list[Event] = list(events[:at])
    for i, event in enumerate(events[at:], start=at):
        head = out[-1].hash if out else GENESIS
        new = body if i == at else event.body
        out.append(make_event(event.debate, event.seq, head, event.at, event.actor, event.key, new))
    return tuple(out)


@given(JSON)
def test_canonical_text_is_rfc_8785(value: Any) -> None:
    assert canonical(value).encode() == rfc8785.dumps(value)


def test_every_line_of_a_record_is_rfc_8785() -> None:
    for line in dump_record(_record()).splitlines():
        assert rfc8785.dumps(json.loads(line)) == line.encode()


def _number_types(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        found = {schema["type"]} if isinstance(schema.get("type"), str) else set()
        return found.union(*(_number_types(v) for v in schema.values()))
    return set().union(*(_number_types(v) for v in schema)) if isinstance(schema, list) else set()


def test_no_event_has_a_float() -> None:
    for body in KINDS.values():
        assert "number" not in _number_types(TypeAdapter(body).json_schema()), body


def test_any_changed_byte_is_noticed() -> None:
    # law 9, R257
    data = dump_record(_record()).encode()
    for i in range(len(data)):
        changed = data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :]
        with pytest.raises((BrokenRecord, NewerRecord)):
            parse_record(changed)


def test_any_cut_is_noticed() -> None:
    data = dump_record(_record()).encode()
    for end in range(0, len(data), 7):
        with pytest.raises(BrokenRecord):
            parse_record(data[:end])


def test_a_missing_line_is_named() -> None:
    lines = dump_record(_record()).splitlines(keepends=True)
    with pytest.raises(BrokenRecord, match="line 3") as caught:
        parse_record("".join(lines[:2] + lines[3:]).encode())
    assert caught.value.line == 3


@pytest.mark.parametrize("data", [b"", b"\n", b"hello\n", b"[1]\n", b"{}\n{}\n", b"\xff\xfe\n\n"])
def test_what_is_no_record_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(BrokenRecord, match=r"^line \d"):
        parse_record(data)


def test_a_record_of_a_later_format_says_update() -> None:
    events = _record()
    opened = events[0].body.model_copy(update={"format": 2})
    newer = _rechained(events, 0, opened)
    with pytest.raises(NewerRecord, match="format 2"):
        parse_record(dump_record(newer).encode())


def test_a_forged_tally_is_counted_again_and_found() -> None:
    # R062: no consensus without a count
    events = _record()
    at = next(i for i, e in enumerate(events) if isinstance(e.body, PhaseEnded))
    forged = PhaseEnded(round=1, phase="proposal", tally=Tally(counts=(Count(option="release", votes=9),), cast=9))
    (finding,) = audit.verify(_rechained(events, at, forged))
    assert finding.seq == at + 1
    assert "re-counted" in finding.message


def test_a_forged_outcome_is_found() -> None:
    events = _record()
    closed = events[-1].body
    assert isinstance(closed, Closed)
    other = closed.outcome.model_copy(update={"decision": "something else", "status": "decided"})
    (finding,) = audit.verify(_rechained(events, len(events) - 1, Closed(outcome=other)))
    assert finding.seq == len(events)


def test_a_forged_vote_is_found_because_the_count_no_longer_follows() -> None:
    events = _record()
    at = next(i for i, e in enumerate(events) if isinstance(e.body, TurnTaken))
    body = events[at].body
    assert isinstance(body, TurnTaken)
    assert isinstance(body.content, Argument)
    vote = "revise" if body.content.vote == "release" else "release"
    forged = body.model_copy(update={"content": body.content.model_copy(update={"vote": vote})})
    assert audit.verify(_rechained(events, at, forged)) != ()


def test_an_event_that_nobody_asked_for_is_found() -> None:
    events = _record()
    at = next(i for i, e in enumerate(events) if isinstance(e.body, TurnTaken))
    stray = TurnTaken(request="9.consensus.planner.1", content=Argument(rationale="me too", vote="release"))
    (finding,) = audit.verify(_rechained(events, at, stray))
    assert "is not asked now" in finding.message


def test_a_record_that_ends_before_its_close_still_verifies_but_not_one_that_lacks_what_follows() -> None:
    events = _record()
    assert audit.verify(events[:3]) == ()
    assert "more follows" in audit.verify(events[:-1])[0].message


@given(SPECS, st.integers(0, 10**6))
def test_dumping_what_was_parsed_gives_the_same_bytes(spec, seed: int) -> None:
    data = dump_record(play(spec, seed).events)
    assert dump_record(parse_record(data.encode())) == data


def test_a_changed_hash_alone_is_found() -> None:
    events = _record()
    touched = (*events[:4], replace(events[4], hash="0" * 64), *events[5:])
    (finding,) = audit.verify(touched)
    assert (finding.seq, "changed" in finding.message) == (5, True)
    assert "0" * 64 in dump_event(touched[4])
