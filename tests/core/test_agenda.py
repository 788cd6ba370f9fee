"""The agenda: exactly one step is now until the last is done, and no step that is done comes back."""

import pytest

from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.report.facts.agenda import AgendaStep, agenda
from debate_core.spec.contents import Verdict
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, MaxRounds
from tests.by_hand import OPEN, preset_spec, small
from tests.people import ABE, FAY, room_spec
from tests.playing import Played

VOTER = Person(id="p-vic", name="Vic", role="voter", electorate="room")


def told(played: Played) -> str:
    """`Lobby+ Pre-vote* Round 1-`: done, now, to come."""
    signs = {"done": "+", "now": "*", "next": "-"}
    return " ".join(f"{step.name}{signs[step.when]}" for step in agenda(played.state))


def test_a_workshop_goes_from_the_lobby_to_the_signature() -> None:
    held = Played(room_spec((FAY, ABE, VOTER), rounds=1, decides="room"))
    seen = [told(held)]
    held.act(FAY, acts.PollOpened(poll="pre"))
    seen.append(told(held))
    held.act(FAY, acts.PollClosed(poll="pre")).go_on()
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
        "Lobby* Pre-vote- Round 1- Final vote- Sign-",
        "Lobby+ Pre-vote* Round 1- Final vote- Sign-",
        "Lobby+ Pre-vote+ Round 1* Final vote- Sign-",
        "Lobby+ Pre-vote+ Round 1+ Final vote* Sign-",
        "Lobby+ Pre-vote+ Round 1+ Final vote+ Sign*",
        "Lobby+ Pre-vote+ Round 1+ Final vote+ Sign+",
    ]


def test_what_was_never_held_is_not_done() -> None:
    # Without a pre-vote, and with a final vote that is no more than advice: it can be signed before that is counted.
    held = Played(room_spec((FAY, ABE, VOTER)))
    stopped = held.copy().do(Stop(by=FAY.id, reason="called off"))
    assert told(stopped) == "Lobby+ Final vote* Sign*"
    held.go_on()
    assert told(held) == "Lobby+ Round 1* Round 2- Final vote- Sign-"
    held.play()
    assert told(held) == "Lobby+ Round 1+ Round 2* Final vote- Sign-"
    assert told(held.copy().do(Stop(by=FAY.id, reason="late"))) == "Lobby+ Round 1+ Final vote* Sign*"
    held.go_on().say().do(Stop(by=FAY.id, reason="late"))
    assert told(held) == "Lobby+ Round 1+ Round 2+ Final vote* Sign*"


def test_votes_of_people_that_were_not_agreed_are_no_steps() -> None:
    held = Played(room_spec((FAY, ABE, VOTER), pre_vote="none", final_vote="none"))
    assert told(held) == "Lobby* Round 1- Round 2- Sign-"
    held.go_on().to_the_end()
    assert told(held) == "Lobby+ Round 1+ Round 2+ Sign*"


@pytest.mark.parametrize(("seconds", "minutes"), [(None, ""), (10, "1 min"), (61, "3 min"), (120, "4 min")])
def test_a_round_shows_its_phase_or_its_time_limit(seconds: int | None, minutes: str) -> None:
    nobody = Phase(name="ruling", gives="verdict", role="judge")
    spec = room_spec((FAY, ABE), phase_seconds=seconds, decides="debaters")
    phases = (*spec.protocol.each_round, nobody)
    held = Played(spec.model_copy(update={"protocol": spec.protocol.model_copy(update={"each_round": phases})}))

    def beside() -> list[str]:
        return [step.beside for step in agenda(held.state) if step.name.startswith("Round")]

    assert beside() == [minutes, minutes]
    assert (held.go_on(), beside()) == (held, ["opening, 0 of 3 in", minutes])
    assert (held.say(), beside()) == (held, ["opening, 1 of 3 in", minutes])
    assert (held.say().say(), beside()) == (held, ["reply, 0 of 3 in", minutes])
    assert (held.play(), beside()) == (held, ["", "opening, 0 of 3 in"])


def test_rounds_that_are_not_held_any_more_are_left_out() -> None:
    held = Played(preset_spec(max_rounds=2))
    assert [step.when for step in agenda(held.state)][:2] == ["now", "next"]
    held.play("a")
    assert held.state.outcome is not None
    assert agenda(held.state) == (AgendaStep("Round 1", "done"), AgendaStep("Sign", "now"))


def test_the_last_phase_names_what_closes_and_its_place() -> None:
    verdict = Phase(name="verdict", gives="verdict", role="judge")
    framing = Phase(name="last_word")
    for after, name, phases in (((verdict,), "Verdict", ["", ""]), ((framing, verdict), "Verdict", ["", "last word"])):
        held = small(
            OPEN, n=2, rounds=1, after=after, decide=BySeat(role="judge", if_undecided="wait"), stop=(MaxRounds(),)
        )
        seen = [agenda(held.state)[:2]]
        held.say(None).say(None)
        seen.append(agenda(held.state)[:2])
        assert [[(step.name, step.when) for step in steps] for steps in seen] == [
            [("Round 1", "now"), (name, "next")],
            [("Round 1", "done"), (name, "now")],
        ]
        assert [steps[-1].beside for steps in seen] == phases
        assert [steps[0].beside for steps in seen] == ["open, 0 of 2 in", ""]
        while held.state.outcome is None:
            request = held.requests()[0]
            held.say(None if request.gives == "argument" else Verdict(reasoning="why", verdict="a", option="a"))
        assert [step.when for step in agenda(held.state)] == ["done", "done", "now"][: len(agenda(held.state))]
