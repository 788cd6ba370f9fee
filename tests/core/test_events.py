"""Records: canonical bytes, the hash chain, and the detection of a changed record."""

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from debate_core.engine import audit, engine
from debate_core.errors import BrokenRecord, NewerRecord, RuleViolation
from debate_core.record import events as events_module
from debate_core.record.commands import Stop, TakeTurn
from debate_core.record.events import (
    GENESIS,
    KINDS,
    Body,
    Closed,
    DebateOpened,
    Event,
    Partial,
    PhaseEnded,
    TurnTaken,
    canonical,
    dump_event,
    dump_record,
    make_event,
    parse_record,
    read_body,
)
from debate_core.record.fold import replay
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import OptionVotes, Seat, Tally, Usage
from tests.laws.play import play
from tests.playing import AT

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
    """A forger's record: one body changed and every later hash recomputed."""
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


@pytest.fixture
def _unchanged_lines_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is read once after the same event, however often it is read again beside a changed one."""
    read, kept = events_module._parse_line, dict[tuple[bytes, int, str], Event]()

    def once(raw: bytes, number: int, previous: Event | None) -> Event:
        key = (raw, number, previous.hash if previous else GENESIS)
        if key not in kept:
            kept[key] = read(raw, number, previous)
        return kept[key]

    monkeypatch.setattr(events_module, "_parse_line", once)


@pytest.mark.usefixtures("_unchanged_lines_once")
def test_any_changed_byte_is_noticed() -> None:
    # law 9, R257; of R296 the tampering alone: there are no spans
    data = dump_record(_record()).encode()
    for i in range(len(data)):
        changed = data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :]
        with pytest.raises((BrokenRecord, NewerRecord)):
            parse_record(changed)


@pytest.mark.usefixtures("_unchanged_lines_once")
def test_any_cut_is_noticed() -> None:
    data = dump_record(_record()).encode()
    for end in range(0, len(data), 7):
        with pytest.raises(BrokenRecord) as caught:
            parse_record(data[:end])
        assert str(caught.value).startswith(f"line {caught.value.line}")


def test_a_missing_line_is_named() -> None:
    lines = dump_record(_record()).splitlines(keepends=True)
    with pytest.raises(BrokenRecord, match="line 3") as caught:
        parse_record("".join(lines[:2] + lines[3:]).encode())
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"hello\n",
        b"[1]\n",
        b"{}\n{}\n",
        b"\xff\xfe\n\n",
        pytest.param(b"[" * 99_999 + b"\n{}\n", id="deep"),
        pytest.param(b'{"seq":NaN}\n{}\n', id="not a number"),
        pytest.param(b"9" * 5_000 + b"\n{}\n", id="a huge number"),
        pytest.param(b'{"kind":"\\ud800"}\n{}\n', id="half a character"),
        pytest.param(b"\n" * 1_000_000, id="empty lines"),
    ],
)
def test_what_is_no_record_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(BrokenRecord, match=r"^line \d") as caught:
        parse_record(data)
    assert str(caught.value).startswith(f"line {caught.value.line}")


def test_what_cannot_be_followed_is_refused_with_its_line() -> None:
    events = _record()
    turn = next(e for e in events if isinstance(e.body, TurnTaken))
    for told, line, followed in (
        ("the record is empty", 1, ()),
        ("a record must begin with debate_opened", 1, events[1:]),
        ("a debate can be opened only once", 2, (events[0], events[0]._replace(seq=2))),
        ("a turn outside a phase", turn.seq, (events[0], turn)),
    ):
        with pytest.raises(BrokenRecord, match=f"^line {line}: {told}") as caught:
            replay(followed)
        assert caught.value.line == line


def test_a_line_with_a_field_twice_is_no_line_of_a_record() -> None:
    first, rest = dump_record(_record()).encode().split(b"\n", 1)
    twice = first.replace(b'"seq":1', b'"seq":9,"seq":1', 1)
    assert twice != first
    with pytest.raises(BrokenRecord, match=r"^line 1 "):
        parse_record(twice + b"\n" + rest)


@pytest.mark.parametrize("field", ["debate", "seq", "prev_hash", "at", "actor", "kind", "key", "hash"])
def test_a_field_of_the_wrong_type_is_refused_in_one_sentence(field: str) -> None:
    first, rest = dump_record(_record()).encode().split(b"\n", 1)
    wrong: Any
    for wrong in (None, True, [], {}):
        line = json.dumps(json.loads(first) | {field: wrong}).encode()
        with pytest.raises(BrokenRecord, match=r"^line 1: a field of the event has the wrong type$"):
            parse_record(line + b"\n" + rest)


def test_a_record_of_a_later_format_says_update() -> None:
    events = _record()
    opened = events[0].body.model_copy(update={"format": 2})
    newer = _rechained(events, 0, opened)
    with pytest.raises(NewerRecord, match="format 2"):
        parse_record(dump_record(newer).encode())


def test_a_record_of_a_later_edition_of_the_rules_says_update() -> None:
    events = _record()
    opened = events[0].body.model_copy(update={"edition": 99})
    with pytest.raises(NewerRecord, match="edition 99 of the rules"):
        parse_record(dump_record(_rechained(events, 0, opened)).encode())


@pytest.mark.parametrize("edition", [1, None])
def test_a_record_from_before_the_first_release_is_refused(edition: int | None) -> None:
    """Edition 1 of the rules was never released; records that name none are of it."""
    opened = json.loads(_record()[0].body_json)
    del opened["edition"]
    if edition is not None:
        opened["edition"] = edition
    with pytest.raises(BrokenRecord, match="the record has edition 1 of the rules"):
        read_body("debate_opened", canonical(opened))


@pytest.mark.parametrize("field", ["format", "edition"])
@pytest.mark.parametrize("value", [0, -1, "1", True, [1]])
def test_a_format_or_an_edition_that_never_was_is_refused(field: str, value: Any) -> None:
    opened = json.loads(_record()[0].body_json) | {field: value}
    with pytest.raises(BrokenRecord, match=f"debate_opened is not readable: {field}") as caught:
        read_body("debate_opened", canonical(opened))
    assert caught.value.line == 0


@pytest.mark.parametrize("closing", [b'{"format":0}', b'{"format":"1"}', b'{"edition":"1"}', b"[]", b'{"events":2}'])
def test_a_closing_line_that_is_none_is_named(closing: bytes) -> None:
    events = _record()[:2]
    record = dump_record(events).encode().rsplit(b"\n", 2)[0]
    with pytest.raises(BrokenRecord, match=r"^line 3: the closing line") as caught:
        parse_record(record + b"\n" + closing + b"\n")
    assert caught.value.line == 3


def test_a_closing_line_of_a_later_format_says_update() -> None:
    # Its events may well be ones that this program cannot read.
    record = dump_record(_record()).encode().rsplit(b"\n", 2)[0]
    with pytest.raises(NewerRecord, match="format 2"):
        parse_record(record + b'\n{"events":2,"format":2,"head":"x","more":true}\n')


def _forged(event: Event, *, at: str | None = None, actor: str | None = None) -> Event:
    """The same event with another time or actor, and the hash that goes with it."""
    at, actor = event.at if at is None else at, event.actor if actor is None else actor
    return make_event(event.debate, event.seq, event.prev_hash, at, actor, event.key, event.body)


@pytest.mark.parametrize("at", ["yesterday", "", "2026-01-02T03:04:05Z", "2026-13-02T03:04:05.000000Z"])
def test_a_time_that_is_none_is_found(at: str) -> None:
    events = _record()
    (finding,) = audit.verify((_forged(events[0], at=at), *events[1:]))
    assert (finding.seq, repr(at) in finding.message) == (1, True)


@pytest.mark.parametrize("actor", ["critic", "engine", ""])
def test_a_turn_in_the_name_of_another_seat_is_found(actor: str) -> None:
    # R043: who spoke is part of the record
    events = _record()
    at = next(i for i, e in enumerate(events) if isinstance(e.body, TurnTaken))
    assert events[at].actor == "operator"
    (finding,) = audit.verify((*events[:at], _forged(events[at], actor=actor)))
    assert (finding.seq, f"not by {actor!r}" in finding.message) == (at + 1, True)
    state = replay(events[:at])
    request = engine.requests(state)[0].id
    command = TakeTurn(by="critic", request=request, content=Argument(rationale="r", vote="release"))
    with pytest.raises(RuleViolation, match="not by 'critic'"):
        engine.submit(state, command, at=AT)


def test_a_number_that_is_no_whole_one_is_found() -> None:
    # RFC 8785 writes 1.0 as 1: a record with the former was not written by us.
    first = dump_event(_record()[0])
    assert '"max_rounds":' in first
    with pytest.raises(BrokenRecord, match="line 1: not a line of JSON"):
        parse_record(first.replace('"format":1', '"format":1.0').encode() + b"\n{}\n")


def test_partial_texts_and_costs_are_what_they_say() -> None:
    for request in ("nonsense", "1.talk.s0", "1.talk.s0~x.1", "1.talk.s0~1.1", f"{'9' * 5_000}.talk.s0.1"):
        with pytest.raises(ValueError, match="request"):
            Stop(by="chair", reason="late", partials=(Partial(request=request, text="t"),))
    assert Partial(request="1.talk.s0~2.1", text="t").text == "t"
    for cost in ("much", "NaN", "1e999999", "-1"):
        with pytest.raises(ValueError, match="cost_usd"):
            Usage(calls=1, cost_usd=cost)
    assert Usage(calls=1, cost_usd="0.000045").cost_usd == "0.000045"


def test_a_forged_tally_is_counted_again_and_found() -> None:
    # R062: no consensus without a count
    events = _record()
    at = next(i for i, e in enumerate(events) if isinstance(e.body, PhaseEnded))
    forged = PhaseEnded(
        round=1, phase="proposal", tally=Tally(counts=(OptionVotes(option="release", votes=9),), cast=9)
    )
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


def test_of_what_was_forged_only_what_differs_is_said() -> None:
    events = _record()
    at, ended = next((i, e.body) for i, e in enumerate(events) if isinstance(e.body, PhaseEnded))
    assert (ended.round, ended.phase) == (1, "proposal")
    (of_the_round,) = audit.verify(_rechained(events, at, ended.model_copy(update={"round": 2})))
    assert of_the_round.message.endswith("re-counted, it should be PhaseEnded with round = 1")
    of_both = ended.model_copy(update={"round": 2, "phase": "critique"})
    (finding,) = audit.verify(_rechained(events, at, of_both))
    assert finding.message.endswith("re-counted, it should be PhaseEnded with round = 1, phase = proposal")


def test_a_forged_vote_is_detected_by_its_count() -> None:
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


def test_a_record_may_end_before_its_close_but_not_skip_events() -> None:
    events = _record()
    assert audit.verify(events[:3]) == ()
    assert "the rules require another event" in audit.verify(events[:-1])[0].message


def test_a_changed_hash_alone_is_found() -> None:
    events = _record()
    touched = (*events[:4], events[4]._replace(hash="0" * 64), *events[5:])
    (finding,) = audit.verify(touched)
    assert (finding.seq, "changed" in finding.message) == (5, True)
    assert "0" * 64 in dump_event(touched[4])


def test_claims_with_forged_numbers_are_found() -> None:
    # R195
    events = _record()
    at, body = next((i, e.body) for i, e in enumerate(events) if isinstance(e.body, TurnTaken))
    assert isinstance(body.content, Argument)
    content = body.content.model_copy(update={"claims": (Claim(text="mine", id="critic.1.1"),)})
    (finding,) = audit.verify(_rechained(events, at, body.model_copy(update={"content": content})))
    assert "numbers that follow" in finding.message


def _other(events: tuple[Event, ...], at: int, **fields: Any) -> tuple[Event, ...]:
    """A forger's record: one event has other fields, and every later hash is recomputed."""
    out: list[Event] = list(events[:at])
    for i, event in enumerate(events[at:], start=at):
        told = event._replace(**fields) if i == at else event
        head = out[-1].hash if out else GENESIS
        out.append(make_event(told.debate, told.seq, head, told.at, told.actor, told.key, told.body))
    return tuple(out)


def test_a_forgery_is_reported_with_its_event_and_fault() -> None:
    events = _record()
    turn = next(i for i, e in enumerate(events) if isinstance(e.body, TurnTaken))
    ended = next(i for i, e in enumerate(events) if isinstance(e.body, PhaseEnded))
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    told = [
        audit.verify(_other(events, 0, body=events[turn].body)),
        audit.verify(_other(events, 0, key="opened")),
        audit.verify(_other(events, 1, actor="planner")),
        audit.verify(_other(events, 1, body=events[turn].body)),
        audit.verify(_other(events, 1, seq=3)),
        audit.verify(_other(events, 1, debate="other")),
        audit.verify(_other(events, turn, key="mine")),
        audit.verify(_other(events, ended, body=events[-1].body)),
        audit.verify(()),
    ]
    assert [(found.seq, found.message.partition(": ")[2] or found.message) for (found,) in told] == [
        (1, "a record must begin with debate_opened"),
        (1, "its key is 'opened', not 'open'"),
        (2, "the engine adds this event, but it names 'planner' as its actor"),
        (2, "re-counted, it should be PhaseBegan (the record has TurnTaken)"),
        (3, "its number or debate is not the next one"),
        (2, "its number or debate is not the next one"),
        (turn + 1, f"its key is 'mine', not {events[turn].key!r}"),
        (ended + 1, "re-counted, it should be PhaseEnded (the record has Closed)"),
        (0, "the record has no event"),
    ]


def test_a_broken_record_is_refused_with_its_first_fault() -> None:
    events = _record()
    audit.refuse_broken(events, "record x.jsonl")
    with pytest.raises(BrokenRecord, match=r"^record x\.jsonl: event 2 \(phase_began\): the engine adds") as told:
        audit.refuse_broken(_other(events, 1, actor="planner"), "record x.jsonl")
    assert told.value.line == 2
