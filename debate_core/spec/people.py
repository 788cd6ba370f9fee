"""People in a room, as agreed before the start: who they are, who decides, how they vote. Frozen values only.

Without a Room a debate belongs to whoever sits at the screen. It does not know what people did
(`record.acts`) or what they may do (`engine.rights`). Part of a Spec; written by the set-up page.
"""

from functools import cache
from typing import Annotated, Literal

from pydantic import Field, model_validator

from debate_core.sentence import Sentence
from debate_core.spec.rules import CountedRule, Plurality
from debate_core.spec.values import MAX_TEXT_CHARS, Line, SeatId, TieStep, Value

RoomRole = Literal["facilitator", "moderator", "debater", "judge", "synthesiser", "approver", "voter", "observer"]
"""Several people may have one role; a second facilitator is the co-facilitator."""
Electorate = Literal["panel", "room"]
"""Panel: named people with a mandate. Room: the audience. Never mixed, and neither with the debaters."""
Readers = Literal["members", "link", "hosts"]
"""Members: whoever was let in. Link: after the end also whoever opened the link to the results. Hosts: also every host
of the server where it is held, who finds it in lists."""
PollStage = Literal["pre", "pulse", "final"]
PersonId = Annotated[str, Field(pattern=r"^p-[a-z0-9]{1,32}$")]
PollId = Annotated[str, Field(pattern=r"^(pre|final|pulse-[1-9][0-9]?)$")]
PersonName = Annotated[str, Field(min_length=1, max_length=80)]


class Person(Value):
    """Somebody who takes part. `seats`: seats of the debate that they speak for; `electorate`: where they vote."""

    id: PersonId
    name: PersonName
    role: RoomRole = "voter"
    electorate: Electorate | None = None
    weight: Annotated[int, Field(ge=1, le=100)] = 1
    """How much their ballot weighs, fixed before the first poll."""
    seats: tuple[SeatId, ...] = ()
    interest: Line = ""
    """An interest in the outcome that they declared themselves."""


PreparationStep = Literal["collect", "brief"]
"""Collect: everybody proposes options and drivers, and the facilitator says which ones the debate has. Brief: everybody
reads the question and the documents, and asks."""


class Preparation(Value):
    """What people do together before the first vote. Its clock shows `minutes`, and nothing happens by itself."""

    step: PreparationStep
    minutes: Annotated[int, Field(ge=1, le=240)]


class Room(Value):
    """What is agreed on people before the first turn. Part of the record; nobody can change it afterwards."""

    people: Annotated[tuple[Person, ...], Field(min_length=1)]
    """Who is there from the start: at least one facilitator."""
    joining: Literal["open", "named"] = "open"
    """Named: one link per person, for binding votes. Open: one link for all; duplicates cannot be excluded."""
    decides: Literal["debaters", "panel", "room"] = "debaters"
    """Whose count is the decision: the rule of the protocol, or the final vote of one electorate."""
    vote: Annotated[CountedRule, Field(discriminator="kind")] = Plurality()
    """How each poll is counted, for each electorate by itself."""
    preparation: Annotated[tuple[Preparation, ...], Field(max_length=2)] = ()
    """What comes before the first vote, in this order."""
    pre_vote: Literal["none", "shown_at_close", "shown_at_end"] = "shown_at_end"
    """The same ballot before the first turn, so that the swing can be seen."""
    final_vote: Literal["none", "asked"] = "asked"
    blind: Literal["blind", "named"] = "blind"
    """Blind: judges read aliases drawn for each of them."""
    afterwards: Literal["stepped", "timed"] = "stepped"
    """How those read who judge after the end: round by round, or the whole at once with the time taken."""
    hold: Literal["none", "round"] = "round"
    """Round: the debate waits before each round until the facilitator lets it go on."""
    phase_seconds: Annotated[int, Field(ge=10, le=86_400)] | None = None
    """What the clock of a phase begins with; None = no clock. Its end is shown, and nothing happens by itself."""
    max_chars: Annotated[int, Field(ge=100, le=MAX_TEXT_CHARS)] = 1_000
    """How long a person's turn should be at most; shown while they write."""
    readers: Readers = "hosts"
    """Who may read it on the server where it is held. A record that does not say was agreed when every host could."""

    @model_validator(mode="after")
    def _each_step_once(self) -> "Room":
        steps = [one.step for one in self.preparation]
        if len(set(steps)) < len(steps):
            raise ValueError(Sentence("the preparation has {step!r} twice: every step comes once", step=steps[0]))
        return self

    @property
    def collects(self) -> bool:
        """True if people propose the options of the debate before it begins."""
        return any(one.step == "collect" for one in self.preparation)

    @staticmethod
    def alone() -> "Room":
        """What holds in a debate without people of its own: one who facilitates, no votes, nothing to wait for."""
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
    """What an option has under a rule: a whole number or a fraction (`7/2`) as text.

    Means under twelve drivers, each over its own number of voters, have denominators of up to 59 digits.
    """

    option: Line
    points: Annotated[str, Field(pattern=r"^-?\d{1,64}(/\d{1,64})?$")]


class PollResult(Value):
    """A poll of one electorate, counted when it was closed. `winners` sorted: several are a tie, none = undecided.

    `cast`, `abstained` and `eligible` are heads; `weight_cast` and `weight_eligible` what their ballots weigh.
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
    """What was tried to break a tie."""


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


def poll_words(poll: str) -> Sentence:
    """The same in a sentence: `the pre-vote`, `the quick poll after round 2`."""
    match stage_of(poll):
        case "pre":
            return Sentence("the pre-vote")
        case "final":
            return Sentence("the final vote")
        case "pulse":
            return Sentence("the quick poll after round {number}", number=poll.partition("-")[2])
