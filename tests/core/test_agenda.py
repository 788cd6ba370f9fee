"""The agenda: exactly one step is now until the last is done, and no step that is done comes back."""

from debate_core.record import acts
from debate_core.report.facts.agenda import AgendaStep, agenda
from debate_core.spec.people import Person
from tests.by_hand import preset_spec
from tests.people import ABE, FAY, room_spec
from tests.playing import Played

VOTER = Person(id="p-vic", name="Vic", role="voter", electorate="room")


def told(held: Played) -> str:
    """`Lobby+ First vote* Round 1-`: done, now, to come."""
    signs = {"done": "+", "now": "*", "next": "-"}
    return " ".join(f"{step.name}{signs[step.when]}" for step in agenda(held.state))


def test_a_workshop_goes_from_the_lobby_to_the_signature() -> None:
    held = Played(room_spec((FAY, ABE, VOTER), rounds=1, decides="room"))
    seen = [told(held)]
    held.act(FAY, acts.PollOpened(poll="pre"))
    seen.append(told(held))
    held.act(FAY, acts.PollClosed(poll="pre")).begin()
    seen.append(told(held))
    held.to_the_end()
    seen.append(told(held))
    held.act(FAY, acts.PollOpened(poll="final")).ballot(VOTER, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final")).act(FAY, acts.PollRevealed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    seen.append(told(held))
    held.act(ABE, acts.Signed(verdict="accept", option="adopt"))
    seen.append(told(held))
    assert seen == [
        "Lobby* First vote- Round 1- Final vote- Sign-",
        "Lobby+ First vote* Round 1- Final vote- Sign-",
        "Lobby+ First vote+ Round 1* Final vote- Sign-",
        "Lobby+ First vote+ Round 1+ Final vote* Sign-",
        "Lobby+ First vote+ Round 1+ Final vote+ Sign*",
        "Lobby+ First vote+ Round 1+ Final vote+ Sign+",
    ]


def test_rounds_that_are_not_held_any_more_are_left_out() -> None:
    held = Played(preset_spec(max_rounds=2))
    assert [step.when for step in agenda(held.state)][:2] == ["now", "next"]
    held.play("a")
    assert held.state.outcome is not None
    assert agenda(held.state) == (AgendaStep("Round 1", "done"), AgendaStep("Sign", "now"))
