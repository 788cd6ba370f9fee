"""The package as another program uses it: a whole debate by the exported names alone."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import debate_core as dc

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
VOTES = {"ann": "adopt", "bob": "adopt", "cyd": "reject"}


def spec() -> Any:
    seats = [dc.Seat(id=name, occupant="scripted") for name in VOTES]
    return dc.compose("Adopt it?", ["adopt", "reject"], dc.PROTOCOLS["bounded_vote"], seats)


def answer(request: Any, vote: str = "") -> Any:
    said = dc.Argument(rationale="Because of the load.", vote=vote or VOTES[request.seat])
    return dc.TakeTurn(by=request.seat, request=request.id, content=said)


def test_a_program_holds_a_debate_step_by_step():
    # R011, R176: no screen is needed for any rule
    events = list(dc.open_debate(spec(), debate_id="d1", at=AT))
    state = dc.replay(events)
    while asked := dc.requests(state):
        assert dc.view(state, asked[0]).ballot_options == ("adopt", "reject", "abstain")
        new = dc.submit(state, answer(asked[0]), at=AT)
        events += new
        state = dc.replay(new, state)
    assert (state.outcome.status, state.outcome.decision) == ("decided", "adopt")
    assert dc.verify(dc.parse_record(dc.dump_record(events).encode())) == ()


def test_a_program_leaves_the_asking_to_the_runner(tmp_path: Path):
    # R176
    async def filler(request, view, on_text):
        on_text(request.id, "Because")
        return answer(request)

    store = dc.open_store(f"sqlite:///{tmp_path / 'debates.db'}")
    store.append("d1", dc.open_debate(spec(), debate_id="d1", at=AT), after=0)
    state = asyncio.run(dc.run("d1", store, dict.fromkeys(VOTES, filler)))
    assert state == dc.replay(store.load("d1"))
    assert state.outcome.tally.as_dict() == {"adopt": 2, "reject": 1}
    store.close()


def test_a_program_finds_what_seats_give_and_the_reports_by_name():
    # R126: contents of every office, whoever fills seats without a person, a debate as text
    state = dc.replay(dc.open_debate(spec(), debate_id="d1", at=AT))
    assert set(dc.fillers_for(state, script=None, pace_cps=0)) == set(VOTES)
    assert dc.text_report(dc.account(state)).startswith("Rehearsal: ")
    assert dc.markdown_report(dc.account(state)).startswith("**Rehearsal: ")
    contents = (dc.Argument, dc.Directive, dc.Evaluation, dc.Framing, dc.Positions, dc.Review, dc.Synthesis, dc.Verdict)
    kinds = {content.model_fields["kind"].default for content in contents}
    assert kinds == {"argument", "directive", "evaluation", "framing", "positions", "review", "synthesis", "verdict"}


def test_prompt_schema_and_transcript_of_a_seat_are_public():
    events = list(dc.open_debate(spec(), debate_id="d1", at=AT))
    state = dc.replay(events)
    first = dc.view(state, dc.requests(state)[0])
    assert dc.transcript_for(first) == ""
    assert list(dc.reply_schema(first)["properties"])[:2] == ["rationale", "vote"]
    while dc.requests(state)[0].phase == "proposal":
        new = dc.submit(state, answer(dc.requests(state)[0], vote="abstain"), at=AT)
        state = dc.replay(new, state)
    seen = dc.view(state, dc.requests(state)[0])
    prompt = dc.prompt_for(seen)
    assert (prompt.schema, "Adopt it?" in prompt.blocks[0]) == (dc.reply_schema(seen), True)
    transcript = dc.transcript_for(seen)
    assert transcript == "\n".join(prompt.blocks[1:])
    assert transcript.count("# Turn: round 1, proposal\n") == 3
    assert not any(name in transcript for name in VOTES)


def test_memory_store_holds_a_debate_like_any_store():
    store = dc.MemoryStore()
    store.append("d1", dc.open_debate(spec(), debate_id="d1", at=AT), after=0)

    async def filler(request, view, on_text):
        return answer(request)

    state = asyncio.run(dc.run("d1", store, dict.fromkeys(VOTES, filler), dc.RunOptions(deadline_s=5)))
    assert state.outcome.decision == "adopt"
    assert dc.verify(store.load("d1")) == ()
