"""The course of a protocol as a small drawing: its steps, who speaks in each, where votes are counted, what decides.

Made from the data of the protocol, so an uploaded protocol is drawn like a shipped one. The browser draws it as SVG.
"""

from typing import Literal, TypedDict

from debate_core.language import _
from debate_core.report.facts.terms import named
from debate_core.spec.presets import panel_size
from debate_core.spec.protocol import Phase, Protocol, asks_ballot
from debate_core.text import capitalized
from debate_core.ui.kit.protocol_words import WHEN_WORDS, phases_line, who_decides

OPTIONS = ("adopt", "reject", "defer")
"""Options that drawings and figures of protocols assume, for protocols with one seat for each option."""
MAX_DOTS = 4
"""Debaters drawn in a step."""


class CourseStep(TypedDict):
    """A step. `speaks`: for each debater drawn, whether it speaks; empty for a support role."""

    name: str
    speaks: list[bool]
    in_turn: bool
    votes: bool
    when: str
    """The rounds of the step, if it is not in all."""


class CoursePart(TypedDict):
    """The steps before the rounds, in each round and at the end, the number of rounds, and what decides."""

    before: list[CourseStep]
    each: list[CourseStep]
    after: list[CourseStep]
    rounds: str
    decides: Literal["count", "seat"]
    decided: str
    alt: str


def course_of(protocol: Protocol) -> CoursePart:
    """Return the drawing of a protocol in its usual number of rounds."""
    dots = min(panel_size(protocol, OPTIONS), MAX_DOTS)
    before, each, after = (
        [_step(protocol, phase, dots) for phase in phases]
        for phases in (protocol.before, protocol.each_round, protocol.after)
    )
    decided = who_decides(protocol)
    line = phases_line(protocol, protocol.rounds.default)
    return CoursePart(
        before=before,
        each=each,
        after=after,
        rounds=f"× {protocol.rounds.default}" if protocol.rounds.default > 1 else "",
        decides="seat" if protocol.deciding_role else "count",
        decided=decided,
        alt=f"{line}. {_('Decides: {decided}.', decided=decided)}",
    )


def _step(protocol: Protocol, phase: Phase, dots: int) -> CourseStep:
    speaks = list[bool]()
    if phase.role == "debater":
        speaks = [not phase.places or place in phase.places for place in range(1, dots + 1)]
    return CourseStep(
        name=capitalized(named(phase.name)),
        speaks=speaks,
        in_turn=phase.order != "at_once" and sum(speaks) > 1,
        votes=asks_ballot(protocol, phase),
        when=_when(phase),
    )


def _when(phase: Phase) -> str:
    if phase.only_in:
        return _("only in round {rounds}", rounds=", ".join(map(str, phase.only_in)))
    return WHEN_WORDS[phase.when]
