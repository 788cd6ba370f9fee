"""The room of a debate that waits at a limit: the sentence for everyone, and the choices of the facilitator."""

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.language import spoken
from debate_core.record.commands import WaitAtLimit
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from tests.app.visiting import press_label, room, words
from tests.paid import RESERVED

NEXT = "1.proposal.ana.1"


def at_its_limit(host: Host) -> str:
    """No call at all was allowed, and the program would have asked the first seat."""
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cyd")]
    rules = BOUNDED_VOTE.model_copy(update={"stop": (*BOUNDED_VOTE.stop, Ceiling(calls=0, seconds=3_600))})
    debate = host.create(compose("Ship it?", ["release", "revise"], rules, seats, max_wait_s=86_400), by="ann")
    reason = "the limit of 0 calls does not allow the next call"
    host.submit(debate, WaitAtLimit(by="runner", request=NEXT, reserved=RESERVED, reason=reason))
    return debate


def test_a_leader_raises_the_limit_with_a_reason(app: AppTest, host: Host):
    # R294
    debate = at_its_limit(host)
    room(app, debate, "facilitator")
    assert "waits at the limit of 0 calls" in words(app)
    assert "Resume" not in [b.label for b in app.button]
    press_label(app, "Raise the limit")
    assert "write a reason first" in words(app)
    app.text_input(key="raise-calls").input("none at all")
    app.text_input(key="reason-limit").input("it is worth it").run()
    assert "enter a whole number of at least 1" in words(app)
    app.text_input(key="raise-calls").input("9").run()
    # The last change and the press come together, in one run.
    app.text_input(key="raise-calls").input("12")
    press_label(app, "Raise the limit")
    state = host.state(debate)
    assert (state.spec.ceiling(), state.paused) == (Ceiling(calls=12, seconds=3_600), None)
    # R291: when the wait for people ends is said all the time
    assert "ends without a decision at" in words(app)


def test_limit_is_raised_on_a_german_page(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    debate = at_its_limit(host)
    monkeypatch.setattr(ContextProxy, "cookies", {"language": "de"})
    with spoken("de"):
        room(app, debate, "facilitator")
        app.text_input(key="raise-calls").input("12")
        app.text_input(key="raise-seconds").input("90")
        app.text_input(key="reason-limit").input("es lohnt sich").run()
        assert not app.exception
        press_label(app, "Limit erhöhen")
    assert host.state(debate).spec.ceiling() == Ceiling(calls=12, seconds=5_400)


def test_whoever_leads_may_end_the_debate_at_its_limit(app: AppTest, host: Host):
    # R248
    debate = at_its_limit(host)
    room(app, debate, "facilitator")
    press_label(app, "End the debate here")
    outcome = host.state(debate).outcome
    assert outcome is not None
    assert (outcome.status, outcome.ended_by) == ("truncated", "ceiling_calls")


def test_whoever_only_watches_reads_why_it_waits(app: AppTest, host: Host):
    room(app, at_its_limit(host), "")
    assert "waits at the limit of 0 calls" in words(app)
    assert {"Raise the limit", "End the debate here"} & {b.label for b in app.button} == set()
