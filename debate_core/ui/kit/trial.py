"""Scripts that rehearse a protocol: its usual cast, an example question, and one plain sentence a turn.

The sentences name the step and argue nothing. A seat with an option as its stance keeps to it where no votes are
counted. Otherwise all vote for the first option but one, who joins them after the first step, so that the count moves.
"""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from debate_core.language import _
from debate_core.report.facts.terms import named
from debate_core.seats.scripted import Script, ScriptSettings, ScriptTurn
from debate_core.spec.contents import Gives
from debate_core.spec.presets import EXAMPLE_QUESTIONS, default_seats
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.values import Seat, in_words


def trial_script(protocol: Protocol) -> Script:
    """Return a rehearsal of this protocol in the usual number of rounds."""
    question, options = EXAMPLE_QUESTIONS[0]
    if protocol.paired:
        # A scripted verdict names one option, which is then in every pair.
        options = options[:2]
    seats = default_seats(protocol, question, options, "scripted")
    return Script(
        title=protocol.name,
        question=question,
        options=tuple(options),
        protocol=protocol,
        settings=ScriptSettings(rounds=protocol.rounds.default),
        seats=tuple(seats),
        turns=tuple(_turns(protocol, seats, options)),
    )


def _turns(protocol: Protocol, seats: Sequence[Seat], options: Sequence[str]) -> Iterator[ScriptTurn]:
    debaters = [seat for seat in seats if seat.role == "debater"]
    names = [seat.id for seat in debaters]
    sides = dict[str, str]()
    if protocol.deciding_role:
        sides = {seat.id: seat.stance for seat in debaters if seat.stance in options}
    elif len(debaters) > 2:
        first = protocol.each_round[0]
        yield ScriptTurn(phase=first.name, seat=names[-1], round=1, content=_content(first, names, options[1]))
    for phase in protocol.phases():
        for name, side in sides.items():
            yield ScriptTurn(phase=phase.name, seat=name, content=_content(phase, names, side), repeat=True)
        yield ScriptTurn(phase=phase.name, content=_content(phase, names, options[0]), repeat=True)


def _content(phase: Phase, debaters: Sequence[str], option: str) -> JsonValue:
    """Return a content of the requested kind that names this option."""
    step = _("A rehearsal of the step “{step}”.", step=named(phase.name))
    spare = _("Another way")
    fields: dict[Gives, dict[str, JsonValue]] = {
        "synthesis": {"answer": step, "option": option},
        "verdict": {"reasoning": step, "verdict": step, "option": option, "confidence": 70},
        "directive": {"reason": step, "next_speakers": [*debaters], "done": False},
        "evaluation": {"synthesis": step, "recommend_another_round": True},
        "positions": {"reason": step, "positions": [_position(seat, step) for seat in debaters]},
        "candidates": {"reason": step, "candidates": [{"name": spare}]},
        "screening": {"reason": step, "struck": [{"name": spare, "because": step}]},
        "framing": {"thesis": step},
        "review": {"marks": []},
    }
    argued: dict[str, JsonValue] = {
        "rationale": _("{step} I vote for {option}.", step=step, option=option),
        "claims": [{"text": _("{option} has a reason that would be named here.", option=option)}],
        "vote": option,
        "strength": 8,
    }
    return fields.get(phase.gives, argued)


def _position(seat: str, step: str) -> JsonValue:
    return {
        "name": _("Side of {seat}", seat=in_words(seat)),
        "claim": step,
        "because": _("Its reason would be named here."),
    }
