"""The course of a debate for its readers: steps in order, votes with results, and interventions with their reasons."""

import pytest

from debate_core.record.commands import Pause, Resume
from debate_core.report.facts.account import account
from debate_core.report.phrases import timeline as phrases
from debate_core.report.phrases.timeline import TimelineStep, timeline
from tests.people import FAY, room_spec, whole_workshop
from tests.playing import Played


def course(held: Played) -> tuple[TimelineStep, ...]:
    return timeline(account(held.state, held.events))


def test_timeline_has_votes_rounds_and_signature_in_order() -> None:
    steps = course(whole_workshop())
    names = [step.name for step in steps]
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    assert (names[0], names[-1]) == ("Opened", "Signed")
    assert names.index("Pre-vote") < names.index("Round 1") < names.index("Rounds ended") < names.index("Final vote")
    assert names.index("Final vote") < names.index("Final vote revealed")
    (revealed,) = [step for step in steps if step.name == "Final vote revealed"]
    panel, room = revealed.beside.split(" The room: ")
    assert panel.startswith("The named people: ")
    assert panel.endswith("Elected (plurality): adopt.")
    assert "1 abstained" in room
    assert revealed.who == FAY.name
    assert (steps[-1].beside, steps[-1].who) == ("accepted, adopt", "Abe (approver)")
    assert not any(step.intervenes for step in steps)


def test_intervention_has_its_author_and_reason() -> None:
    held = Played(room_spec()).go_on()
    held.do(Pause(by=FAY.id, reason="lunch")).do(Resume(by=FAY.id, reason="back"))
    steps = [step for step in course(held.to_the_end()) if step.intervenes]
    assert [(step.name, step.who) for step in steps] == [
        ("Paused the debate", "Fay (facilitator)"),
        ("Resumed the debate", "Fay (facilitator)"),
    ]
    assert [step.beside for step in steps] == ["running → paused: lunch", "paused → running: back"]


def test_many_rounds_are_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Played(room_spec(rounds=2)).go_on().to_the_end()
    each = [step.name for step in course(held)]
    assert each == ["Opened", "Round 1", "Round 2", "Rounds ended"]
    monkeypatch.setattr(phrases, "MAX_ROUNDS", 1)
    assert [step.name for step in course(held)] == ["Opened", "2 rounds", "Rounds ended"]
