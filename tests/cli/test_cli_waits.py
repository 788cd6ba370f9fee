"""`resume` of debates that wait: at a limit, and for people beyond the agreed time."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, submit
from debate_core.host.stores import open_store
from debate_core.record.commands import WaitAtLimit
from debate_core.record.fold import replay
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from tests.commanding import printed_json, refused
from tests.paid import RESERVED


def kept(tmp_path: Path, *, opened: timedelta, at_limit: bool = False) -> str:
    """The URL of a database with the debate d1, which people were asked in so long ago."""
    url = f"sqlite:///{tmp_path}/d.db"
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cyd")]
    rules = BOUNDED_VOTE.model_copy(update={"stop": (*BOUNDED_VOTE.stop, Ceiling(calls=0, usd="0.50"))})
    spec = compose("Ship it?", ["release", "revise"], rules, seats, max_wait_s=86_400)
    at = datetime.now(UTC) - opened
    store = open_store(url)
    store.append("d1", open_debate(spec, debate_id="d1", at=at), after=0)
    if at_limit:
        reason = "the limit of 0 calls does not allow the next call"
        wait = WaitAtLimit(by="runner", request="1.proposal.ana.1", reserved=RESERVED, reason=reason)
        state = replay(store.load("d1"))
        store.append("d1", submit(state, wait, at=at), after=state.version)
    store.close()
    return url


def test_resume_ends_a_wait_whose_time_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # R291: abort, never proceed
    url = kept(tmp_path, opened=timedelta(days=2))
    assert main(["resume", "d1", "--db", url, "--json"]) == 1
    told = printed_json(capsys)
    assert (told["status"], told["ended_by"], told["waits_until"]) == ("aborted", "deadline", None)
    store = open_store(url)
    assert verify(store.load("d1")) == ()
    store.close()


def test_resume_says_until_when_people_are_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # R291
    url = kept(tmp_path, opened=timedelta(hours=1))
    assert main(["resume", "d1", "--db", url, "--json"]) == 5
    told = printed_json(capsys)
    until = datetime.fromisoformat(told["waits_until"]) - datetime.now(UTC)
    assert timedelta(hours=22) < until < timedelta(hours=23)
    assert main(["resume", "d1", "--db", url]) == 5
    assert "ends without a decision at" in capsys.readouterr().out


def test_resume_raises_the_limit_that_a_debate_waits_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # R294
    url = kept(tmp_path, opened=timedelta(minutes=1), at_limit=True)
    refused(["resume", "d1", "--db", url, "--json"], capsys, "raise it with", "--max-calls")
    refused(["resume", "d1", "--db", url, "--json", "--max-calls", "0"], capsys, "can only be raised")
    refused(["resume", "d1", "--db", url, "--json", "--max-tokens", "9"], capsys, "no limit of tokens was agreed")
    assert main(["resume", "d1", "--db", url, "--json", "--max-calls", "9"]) == 5
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["limit_met"], told["waiting_for"]) == ("waiting", None, ["ana", "ben", "cyd"])
