"""People in a room, as agreed before the start: who they are, who decides, how they vote. Frozen values only.

Without a Room a debate has a single user. `record.acts` has the acts of people, `engine.rights` what they may do. Part
of a Spec; written by the set-up page.
"""

from collections.abc import Mapping
from functools import cache
from operator import not_
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from debate_core.sentence import Sentence
from debate_core.spec.rules import CountedRule, Plurality, ballot_kind
from debate_core.spec.values import MAX_TEXT_CHARS, Line, SeatId, TieStep, Value

RoomRole = Literal["facilitator", "moderator", "debater", "judge", "synthesiser", "approver", "voter", "observer"]
"""Several people may have one role; a second facilitator is the co-facilitator."""
LEADS: tuple[RoomRole, ...] = ("facilitator", "moderator")
"""Roles that lead the rounds."""
Electorate = Literal["panel", "room"]
"""Panel: named people with a mandate. Room: the audience. Both are separate from each other and from the debaters."""
VOTER_NAMES: Mapping[Literal["debaters", "panel", "room"], str] = MappingProxyType(
    {"debaters": "debaters", "panel": "named people", "room": "room"}
)
"""The words of screens and papers: a panel is a choice of models there, and the evidence panel a kind of seat."""
Readers = Literal["members", "link", "hosts"]
"""Members: people who were let in. Link: after the end also everyone with the link to the results. Hosts: also every
host of the server, in lists."""
PollStage = Literal["pre", "pulse", "final"]
PersonId = Annotated[str, Field(pattern=r"^p-[a-z0-9]{1,32}$")]
PollId = Annotated[str, Field(pattern=r"^(pre|final|pulse-[1-9][0-9]?)$")]
PersonName = Annotated[str, Field(min_length=1, max_length=80)]


class Person(Value):
    """A participant. `seats`: seats that they speak for; `electorate`: where they vote."""

    id: PersonId
    name: PersonName
    role: RoomRole = "voter"
    electorate: Electorate | None = None
    weight: Annotated[int, Field(ge=1, le=100)] = 1
    """The weight of their ballot, fixed before the first poll."""
    seats: tuple[SeatId, ...] = ()
    interest: Line = ""
    """A self-declared interest in the outcome."""


PreparationStep = Literal["collect", "brief", "facts", "premortem"]
"""Collect: people propose options and drivers, and the facilitator settles the list. Brief: people read the question
and the documents, and ask questions. Facts, premortem: the `SilentStep`s."""
SilentStep = Literal["facts", "premortem"]
"""Steps in which all write alone, sealed until the facilitator shows all texts at once. Facts: what the others may not
know, before the first vote. Premortem: why the decision might be reversed, after the end and before the final vote."""

SILENT: tuple[SilentStep, ...] = get_args(SilentStep)


def can_ask_guess(rule: CountedRule) -> bool:
    """True if each ballot under this rule names one option; only then a vote has shares to guess."""
    return ballot_kind(rule) == "one"


class Preparation(Value):
    """A step before a vote. The clock shows `minutes` and triggers nothing."""

    step: PreparationStep
    minutes: Annotated[int, Field(ge=1, le=240)]
    named: Annotated[bool, Field(exclude_if=not_)] = False
    """True: the texts of a silent step are shown with the names of their authors."""


class Room(Value):
    """The agreement on people before the first turn. Recorded and unchangeable."""

    people: Annotated[tuple[Person, ...], Field(min_length=1)]
    """People from the start: at least one facilitator."""
    joining: Literal["open", "named"] = "open"
    """Named: one link per person, for binding votes. Open: one link for all; duplicates cannot be excluded."""
    decides: Literal["debaters", "panel", "room"] = "debaters"
    """The deciding count: the protocol's rule, or the final vote of one electorate."""
    vote: Annotated[CountedRule, Field(discriminator="kind")] = Plurality()
    """The rule of every poll, applied to each electorate separately."""
    preparation: Annotated[tuple[Preparation, ...], Field(max_length=4)] = ()
    """Steps before the first vote, in order; a premortem comes before the final one."""
    pre_vote: Literal["none", "shown_at_close", "shown_at_end"] = "shown_at_end"
    """A ballot before the first turn, to show how votes change."""
    final_vote: Literal["none", "asked"] = "asked"
    blind: Literal["blind", "named"] = "blind"
    """Blind: judges read aliases, drawn for each of them."""
    afterwards: Literal["stepped", "timed"] = "stepped"
    """How late judges read: round by round, or everything at once with the time measured."""
    hold: Literal["none", "round"] = "round"
    """Round: the debate waits before each round for the facilitator."""
    phase_seconds: Annotated[int, Field(ge=10, le=86_400)] | None = None
    """Length of a phase's clock; None = no clock. Its end is shown and triggers nothing."""
    max_chars: Annotated[int, Field(ge=100, le=MAX_TEXT_CHARS)] = 1_000
    """Recommended maximum length of a person's turn, shown while they write."""
    readers: Readers = "hosts"
    """Readers of the debate on its server. Older records without this field were agreed as `hosts`."""
    asks_crux: Annotated[bool, Field(exclude_if=not_)] = False
    """The final vote also asks for the decisive claim, and then "if that were not so?". Neither is counted."""

    asks_guess: Annotated[bool, Field(exclude_if=not_)] = False
    """The question is one of fact: the final vote also asks how many will choose each option. Never counted."""

    @model_validator(mode="after")
    def _each_step_once(self) -> "Room":
        steps = [one.step for one in self.preparation]
        if len(set(steps)) < len(steps):
            raise ValueError(Sentence("the preparation has {step!r} twice: every step comes once", step=steps[0]))
        return self

    @model_validator(mode="after")
    def _crux_of_a_vote(self) -> "Room":
        if self.asks_crux and self.final_vote == "none":
            raise ValueError(Sentence("asks_crux needs a final vote: set final_vote to 'asked'"))
        return self

    @model_validator(mode="after")
    def _guess_of_a_vote(self) -> "Room":
        if self.asks_guess and self.final_vote == "none":
            raise ValueError(Sentence("asks_guess needs a final vote: set final_vote to 'asked'"))
        if self.asks_guess and not can_ask_guess(self.vote):
            raise ValueError(
                Sentence("asks_guess needs ballots that name one option, and {rule!r} has others", rule=self.vote.kind)
            )
        return self

    @property
    def collects(self) -> bool:
        """True if people propose the options of the debate before it begins."""
        return any(one.step == "collect" for one in self.preparation)

    @staticmethod
    def alone() -> "Room":
        """The terms of a debate with a single user: a facilitator, no votes, no waiting."""
        return _alone()


@cache
def _alone() -> Room:
    whoever = Person(id="p-screen", name="Whoever sits at the screen", role="facilitator")
    return Room(
        people=(whoever,),
        joining="named",
        pre_vote="none",
        final_vote="none",
        blind="named",
        hold="none",
        max_chars=MAX_TEXT_CHARS,
    )


class Points(Value):
    """Points of an option: a whole number or a fraction (`7/2`) as text.

    Means under twelve drivers, each over another number of voters, have denominators of up to 59 digits.
    """

    option: Line
    points: Annotated[str, Field(pattern=r"^-?\d{1,64}(/\d{1,64})?$")]


class PollResult(Value):
    """The result of a poll in one electorate, counted at its close. `winners` sorted: several = a tie, () = undecided.

    `cast`, `abstained` and `eligible` count voters; `weight_cast` and `weight_eligible` are their weights.
    """

    electorate: Electorate
    rule: str
    winners: tuple[Line, ...] = ()
    points: tuple[Points, ...] = ()
    cast: int = 0
    abstained: int = 0
    eligible: int = 0
    weight_cast: int = 0
    weight_eligible: int = 0
    quorum_met: bool = True
    steps: tuple[TieStep, ...] = ()
    """Tie-break steps that were tried."""


def stage_of(poll: str) -> PollStage:
    """`pulse-2` -> `pulse`."""
    if poll == "pre":
        return "pre"
    if poll == "final":
        return "final"
    return "pulse"


def poll_name(poll: str) -> Sentence:
    """`pre-vote`, `final vote`, `quick poll after round 2`."""
    match stage_of(poll):
        case "pre":
            return Sentence("pre-vote")
        case "final":
            return Sentence("final vote")
        case "pulse":
            return Sentence("quick poll after round {number}", number=poll.partition("-")[2])


def vote_name(poll: str, electorate: Literal["debaters", "panel", "room"]) -> Sentence:
    """`final vote of the room`."""
    voters = Sentence(VOTER_NAMES[electorate])
    return Sentence("{poll_name} of the {electorate}", poll_name=poll_name(poll), electorate=voters)


def poll_words(poll: str) -> Sentence:
    """The name in a sentence: `the pre-vote`, `the quick poll after round 2`."""
    match stage_of(poll):
        case "pre":
            return Sentence("the pre-vote")
        case "final":
            return Sentence("the final vote")
        case "pulse":
            return Sentence("the quick poll after round {number}", number=poll.partition("-")[2])
