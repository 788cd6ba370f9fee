"""Script files: permitted fields, the entry that answers, and refusals."""

import asyncio
import json
from itertools import pairwise

import pytest
from pydantic import JsonValue

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import BadReply, InvalidSpec, NewerRecord
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import FailTurn, StartAttempt, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.seats import fillers_for
from debate_core.seats.reply import read_reply
from debate_core.seats.scripted import Script, read_script, script_from_record, spec_of
from debate_core.spec.contents import Argument
from debate_core.spec.presets import protocol
from debate_core.spec.values import Usage
from tests.playing import Played, filled

BASE: dict[str, JsonValue] = {
    "question": "Release?",
    "options": ["release", "revise"],
    "protocol": "bounded_vote",
    "settings": {"rounds": 1, "threshold": 2},
    "seats": [{"id": "planner"}, {"id": "critic"}],
    "turns": [],
}


def script_with(*turns: JsonValue, **fields: JsonValue) -> Script:
    return read_script(json.dumps({**BASE, "turns": list(turns), **fields}))


def says(vote: str, **keys: JsonValue) -> JsonValue:
    return {"content": {"rationale": f"I say {vote}.", "vote": vote}, **keys}


def played(script: Script) -> State:
    whole = asyncio.run(filled(spec_of(script), script))
    assert verify(whole.events) == ()
    return whole.state


def votes(state: State) -> list[tuple[str, str, str | None]]:
    return [(t.phase, t.seat, getattr(t.content, "vote", None)) for t in state.all_turns()]


def test_the_first_unused_entry_that_matches_answers():
    state = played(
        script_with(
            says("revise", seat="critic", phase="critique"),
            says("release", seat="planner", repeat=True),
            says("abstain", round=1, attempt=1),
            says("revise", seat="planner"),
            says("revise", repeat=True),
            settings={"rounds": 1, "threshold": 2},
        )
    )
    assert votes(state) == [
        ("proposal", "planner", "release"),
        ("proposal", "critic", "abstain"),
        ("critique", "planner", "release"),
        ("critique", "critic", "revise"),
        ("revision", "planner", "release"),
        ("revision", "critic", "revise"),
        ("consensus", "planner", "release"),
        ("consensus", "critic", "revise"),
    ]
    assert state.spec.rehearsal
    assert all(t.usage == Usage(calls=0, cost_usd="0") for t in state.turns)


def test_without_a_match_the_turn_fails_and_casts_no_ballot():
    state = played(script_with(says("release", seat="planner", repeat=True)))
    assert {t.status for t in state.turns if t.seat == "critic"} == {"failed"}
    assert {t.message for t in state.turns if t.seat == "critic" and t.phase == "proposal"} == {
        "the script has no entry for 1.proposal.critic.2"
    }
    assert state.ballots["critic"].status == "failed"


def test_a_scripted_seat_without_its_script_fails():
    state = asyncio.run(filled(spec_of(script_with(says("release"))), None)).state
    assert state.outcome is not None
    assert state.outcome.status == "truncated" or state.outcome.decision == "escalate"
    assert {t.status for t in state.turns} == {"failed"}


@pytest.mark.parametrize(
    ("error", "status"), [("timeout", "timeout"), ("refusal", "refused"), ("cut", "cut"), ("error", "failed")]
)
def test_errors_become_the_words_of_the_record(error: str, status: str):
    broken: JsonValue = {"seat": "critic", "error": error, "text": "I was about to", "repeat": True}
    state = played(script_with(broken, says("release", repeat=True)))
    turns = [t for t in state.turns if t.seat == "critic"]
    assert {(t.status, t.text) for t in turns} == {(status, "I was about to")}
    assert state.ballots["critic"].choice is None


def test_a_cut_streams_half_of_its_content():
    cut: JsonValue = {
        "seat": "critic",
        "error": "cut",
        "content": {"rationale": "Half of this is lost."},
        "repeat": True,
    }
    state = played(script_with(cut, says("release", repeat=True)))
    assert {t.text for t in state.turns if t.seat == "critic"} == {"Half of th"}


def test_a_second_attempt_can_go_well():
    state = played(
        script_with({"seat": "critic", "phase": "proposal", "attempt": 1, "raw": "no"}, says("release", repeat=True))
    )
    assert [(t.request, t.status, t.text) for t in state.failed_attempts] == [
        ("1.proposal.critic.1", "unparseable", "no")
    ]
    assert [(t.request, t.status, t.attempts) for t in state.turns] == [
        ("1.proposal.planner.1", "ok", 1),
        ("1.proposal.critic.2", "ok", 2),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "text",
        [],
        {"vote": "release"},
        {"rationale": "", "vote": "release"},
        {"rationale": "r"},
        {"rationale": "r", "vote": "something else"},
        {"rationale": 5, "vote": "release"},
        {"kind": "synthesis", "answer": "a"},
    ],
)
def test_malformed_content_is_unparseable_and_never_a_ballot(content: JsonValue):
    state = played(script_with({"seat": "critic", "content": content, "repeat": True}, says("release", repeat=True)))
    assert {t.status for t in state.turns if t.seat == "critic"} == {"unparseable"}
    assert state.ballots["critic"].status == "unparseable"


@pytest.mark.parametrize(
    "raw",
    [
        '{"rationale": "r", "vote": "Release "}',
        'Sure, here it is:\n{"rationale": "r", "vote": "release"}',
        '```json\n{"rationale": "r", "vote": "release"}\n```\nDone.',
        '{"rationale": "r", "vote": "release", "confidence": 1e999}',
    ],
)
def test_a_reply_of_a_model_is_read(raw: str):
    state = played(script_with({"raw": raw, "repeat": True}))
    assert [getattr(t.content, "vote", None) for t in state.turns] == ["release", "release"]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("release!", "the reply holds no JSON object"),
        ('{"a": 1} or {"a": 2}', "the reply holds more than one JSON object"),
        ('{"rationale": "cut of', "the reply is not readable JSON"),
        ('{"a": "\\ud800"}', "the reply is not readable JSON"),
        ('{"a":' * 100_000, "the reply is not readable JSON"),
        ('{"a":' * 900 + "1" + "}" * 900, "the reply is nested in more than 100 levels"),
    ],
)
def test_what_is_no_reply(raw: str, message: str):
    with pytest.raises(BadReply, match=message):
        read_reply(raw)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": 2}, "unknown field 'rounds' in the script: allowed are format, title, summary, question"),
        (
            {"settings": {"max_rounds": 2}},
            "unknown setting 'max_rounds' in the script: allowed are rounds, threshold, seed",
        ),
        ({"settings": {"rounds": "two"}}, "settings.rounds: input should be a valid integer"),
        ({"settings": {"attempts": 9}}, "settings.attempts: input should be less than or equal to 4"),
        ({"settings": 5}, "settings: input should be"),
        ({"seats": [{"id": "no spaces please"}]}, r"seats.0.id: string should match pattern"),
        ({"seats": ["planner"]}, "seats.0: input should be"),
        ({"turns": [{"seat": "planner"}]}, "turn 1 of the script must give one of content, raw, error, not none"),
        ({"turns": [{"raw": "x", "error": "cut"}]}, "turn 1 of the script must give one of"),
        ({"turns": [{"error": "boom"}]}, "turns.0.error: input should be 'timeout', 'refusal', 'cut', 'error' or"),
        ({"turns": [{"raw": "x", "sat": "y"}]}, "turns.0.sat: extra inputs are not permitted"),
        ({"turns": [{"raw": "x", "repeat": 1}]}, "turns.0.repeat: input should be a valid boolean"),
    ],
)
def test_a_bad_script_is_refused_in_one_sentence(change: dict[str, JsonValue], message: str):
    with pytest.raises(InvalidSpec, match=message) as refused:
        read_script(json.dumps({**BASE, **change}))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"question": NaN}', '{"question": "\\ud800"}', "[" * 100_000])
def test_what_is_no_script(text: str):
    with pytest.raises(InvalidSpec, match="the script is not"):
        read_script(text)


def test_a_script_of_a_newer_version_is_refused():
    with pytest.raises(NewerRecord, match="format 2"):
        read_script(json.dumps({**BASE, "format": 2, "something": "new"}))


def test_what_is_given_beside_the_script_beats_it():
    script = script_with(says("release"), settings={"rounds": 2, "threshold": 2, "seed": 9, "attempts": 1})
    own = spec_of(script)
    assert (own.question, own.max_rounds, own.seed, own.protocol.attempts) == ("Release?", 2, 9, 1)
    given = spec_of(script, question="Ship?", options=["yes", "no"], rounds=3, threshold=1, seed=0)
    assert (given.question, given.options, given.max_rounds, given.seed) == ("Ship?", ("yes", "no"), 3, 0)
    assert getattr(given.protocol.decide, "votes", None) == 1


def test_a_threshold_needs_a_protocol_that_counts_against_one():
    with pytest.raises(InvalidSpec, match="expert_panel has no threshold: it decides by majority"):
        spec_of(script_with(says("release"), protocol="expert_panel"))
    with pytest.raises(InvalidSpec, match="expert_panel has no threshold"):
        spec_of(script_with(says("release")), protocol=protocol("expert_panel"))


def test_a_person_among_scripted_seats_is_waited_for():
    script = script_with(says("release", repeat=True), seats=[{"id": "planner"}, {"id": "me", "occupant": "human"}])
    state = asyncio.run(filled(spec_of(script), script)).state
    assert [r.id for r in requests(state)] == ["1.proposal.me.1"]
    assert state.spec.rehearsal


def test_after_a_restart_the_same_attempt_gets_the_same_entry():
    script = script_with(*(says("release", seat="planner") for _ in range(2)), says("revise"), says("release"))
    spec = spec_of(script)
    debate = Played(spec)
    asked = debate.requests()
    for request in reversed(asked):
        debate.do(StartAttempt(by="runner", request=request.id))
    # Crashed before either answered: both are asked again, in the other order.
    given = []
    for request in asked:
        debate.do(StartAttempt(by="runner", request=request.id))
        filler = fillers_for(debate.state, script=script, pace_cps=0)[request.seat]
        command = asyncio.run(filler(request, view(debate.state, request), lambda *_: None))
        assert isinstance(command, TakeTurn)
        given.append((request.seat, getattr(command.content, "vote", None)))
    assert given == [("planner", "release"), ("critic", "revise")]


def test_prose_is_streamed_at_the_pace():
    script = script_with(says("release", repeat=True))
    state = Played(spec_of(script)).state
    request = requests(state)[0]
    heard: list[str] = []
    filler = fillers_for(state, script=script, pace_cps=200)[request.seat]
    command = asyncio.run(filler(request, view(state, request), lambda _, text, thinking="": heard.append(text)))
    assert not isinstance(command, FailTurn)
    assert heard[-1] == "I say release."
    assert len(heard) > 1
    assert all(later.startswith(earlier) for earlier, later in pairwise(heard))


def test_a_record_replays_as_a_rehearsal():
    script = script_with(
        {"seat": "critic", "phase": "critique", "error": "timeout", "text": "so far"},
        {"seat": "critic", "phase": "proposal", "raw": "not an answer", "repeat": True},
        {"content": {"rationale": "r", "vote": "release", "claims": ["A claim."]}, "repeat": True},
        settings={"rounds": 2, "threshold": 2, "seed": 4},
    )
    whole = asyncio.run(filled(spec_of(script), script))
    events, state = whole.events, whole.state
    again = script_from_record(events)
    replayed = asyncio.run(filled(spec_of(again), again)).state
    assert replayed.outcome == state.outcome
    assert [(t.request, t.status, t.content, t.text) for t in replayed.turns] == [
        (t.request, t.status, t.content, t.text) for t in state.turns
    ]
    assert read_script(again.model_dump_json()) == again
    assert any(isinstance(t.content, Argument) and t.content.claims for t in replayed.turns)


@pytest.mark.parametrize(
    ("said", "status", "ballot"),
    [
        ({"error": "timeout"}, "timeout", "failed"),
        ({"error": "cut"}, "cut", "failed"),
        ({"error": "refusal"}, "refused", "abstained"),
        ({"raw": "well, release it then"}, "unparseable", "unparseable"),
    ],
)
def test_a_fault_said_once_is_the_fault_of_the_turn(said, status: str, ballot: str):
    # The protocol asks twice; a script with nothing of its own for the second attempt ends as the first did.
    others = [
        {"seat": s, "content": {"rationale": "r", "vote": "release"}, "repeat": True} for s in ("critic", "operator")
    ]
    text = json.dumps(
        {
            "question": "Release?",
            "options": ["release", "revise"],
            "protocol": "bounded_vote",
            "seats": [{"id": s} for s in ("planner", "critic", "operator")],
            "turns": [{"seat": "planner", **said}, *others],
        }
    )
    script = read_script(text)
    state = asyncio.run(filled(spec_of(script), script)).state
    assert [(t.seat, t.status) for t in state.turns] == [("planner", status), ("critic", "ok"), ("operator", "ok")]
    assert state.ballots["planner"].status == ballot


def test_a_script_may_spell_contents_as_its_source_does():  # R088, R111, R230
    told: list[JsonValue] = [
        {
            "phase": "direction",
            "round": 1,
            "content": {"nextSpeakers": ["critic", "planner"], "newAngle": "Cost?", "done": True},
        },
        {
            "phase": "argument",
            "content": {"thesis": "Too dear.", "counter_arguments": ["It costs more."]},
            "repeat": True,
        },
        {"phase": "verdict", "content": {"verdict": "Not yet.", "winner": "revise", "reasoning": "It is too dear."}},
    ]
    seats: list[JsonValue] = [
        {"id": "planner", "stance": "release"},
        {"id": "critic", "stance": "revise"},
        {"id": "moderator", "role": "moderator"},
        {"id": "judge", "role": "judge"},
    ]
    state = played(script_with(*told, protocol="moderated_judge", seats=seats, settings={"rounds": 3}))
    assert [(t.round, t.seat, t.status) for t in state.turns] == [
        (1, "moderator", "ok"),
        (1, "critic", "ok"),
        (1, "planner", "ok"),
        (1, "judge", "ok"),
    ]
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.ended_by) == ("revise", "moderator_done")


def test_a_critique_that_was_too_weak_is_so_again():  # R238
    def held(script: Script) -> tuple[Event, ...]:
        store = MemoryStore()
        store.append("d1", Played(spec_of(script)).events, after=0)
        asyncio.run(run("d1", store, lambda state: fillers_for(state, script=script, pace_cps=0)))
        return store.load("d1")

    soft: JsonValue = {"phase": "critique", "attempt": 1, "content": {"rationale": "It may cost.", "strength": 4}}
    hard: JsonValue = {"phase": "critique", "attempt": 2, "content": {"rationale": "It fails.", "strength": 8}}
    said: JsonValue = {"content": {"rationale": "Yes."}, "repeat": True}
    verdict: JsonValue = {"phase": "verdict", "content": {"reasoning": "Both were read."}}
    seats: list[JsonValue] = [{"id": "planner"}, {"id": "critic"}, {"id": "judge", "role": "judge"}]
    script = script_with(soft, hard, verdict, said, protocol="adversary", seats=seats, settings={"rounds": 1})
    first = held(script)
    for state in (replay(first), replay(held(script_from_record(first)))):
        assert [(t.seat, t.status, t.text) for t in state.failed_attempts] == [("critic", "weak", "It may cost.")]
        assert [getattr(t.content, "strength", None) for t in state.turns if t.seat == "critic"] == [8]
