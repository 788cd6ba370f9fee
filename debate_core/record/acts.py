"""What people in the room do, as facts of the record. Each is asked for by the command `Act` and says who in `actor`.

Values only. Originals are never overwritten: an act stands beside what it is about. `engine.rights` says who may.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from debate_core.record.address import TURN_PATTERN
from debate_core.sentence import Sentence
from debate_core.spec.contents import Synthesis
from debate_core.spec.people import Electorate, Person, PersonId, PollId, PollResult, PreparationStep, RoomRole
from debate_core.spec.protocol import MAX_DRIVERS, Driver
from debate_core.spec.values import MAX_GIVEN, Given, Line, Percent, SeatId, Source, Text, Value

MUST_BE_SAID = "must be said"
"""Marks a reason that the engine takes only in words; blanks are none."""
Reason = Annotated[str, Field(min_length=1, max_length=2_000), MUST_BE_SAID]
TurnPlace = Annotated[str, Field(pattern=rf"^{TURN_PATTERN}$")]
"""A turn without its attempt: `2.critique.risk`, and `2.critique.risk~2` for a second one in that phase."""


class PersonJoined(Value):
    """Somebody came in, by a link that the server had checked."""

    person: Person


class PersonChanged(Value):
    """Another name, role, seat or declared interest; all fields as they are now."""

    person: Person
    reason: Line = ""


class PersonLeft(Value):
    """Somebody left or was shown the door; ballots that they cast stay, unless they are withdrawn."""

    person: PersonId
    reason: Line = ""
    withdrawn: bool | None = None
    """True: they should not have been here, so that their ballots in open polls, and their part in what these polls
    are counted against, go with them. What was counted before stays as it was."""


class LinkChanged(Value):
    """A way in was made, replaced or taken back after the debate was opened. What opens it stands in no record.

    `person` None = the link for all. Who is not in the record yet gets `role` and `electorate` by it.
    """

    what: Literal["made", "replaced", "taken_back"]
    person: PersonId | None = None
    role: RoomRole
    electorate: Electorate | None = None
    reason: Line = ""


class PreparationBegun(Value):
    """The room does this step of what was agreed before the first vote; the clock of the step begins."""

    step: PreparationStep


class Suggested(Value):
    """Somebody proposes an option, or what a good decision is measured by."""

    kind: Literal["option", "driver"] = "option"
    text: Annotated[Line, Field(min_length=1, max_length=200)]


class Prepared(Value):
    """Somebody has proposed, or has read, what they wanted to."""

    step: PreparationStep


class OptionsAgreed(Value):
    """What the debate is about from now on: the facilitator has merged what was proposed. It ends the collecting."""

    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=8)]
    drivers: Annotated[tuple[Driver, ...], Field(max_length=MAX_DRIVERS)] = ()


class PollOpened(Value):
    """People may vote; until the poll is revealed only who has voted is shown."""

    poll: PollId


class BallotCast(Value):
    """A person's ballot, the latest counts. `choice` is an option or "abstain"; `given` where the rule asks for more.

    `transcript` is the hash of the last event of the debate that the voter could have read; the engine fills it in.
    """

    poll: PollId
    choice: Line | None = None
    given: Annotated[tuple[Given, ...], Field(max_length=MAX_GIVEN)] = ()
    confidence: Percent | None = None
    reason: Line = ""
    transcript: str = ""


class PollClosed(Value):
    """Nobody can vote any more. The engine fills in the results: derivable, recorded so that `verify` can compare."""

    poll: PollId
    results: tuple[PollResult, ...] = ()


class PollRevealed(Value):
    """Ballots and results of a closed poll can be seen."""

    poll: PollId


class Believed(Value):
    """How likely one option is the right one, in percent."""

    option: Line
    percent: Annotated[int, Field(ge=0, le=100)]


class BeliefReported(Value):
    """A judge's probabilities after a round, all options, together 100. `final` = nothing more is to be read.

    `shown` is the order in which the options stood on the judge's screen.
    """

    round: Annotated[int, Field(ge=0, le=50)]
    beliefs: Annotated[tuple[Believed, ...], Field(min_length=2, max_length=8)]
    explanation: Text = ""
    final: bool = False
    shown: tuple[Line, ...] = ()
    read_s: Annotated[int, Field(ge=0)] | None = None
    """Seconds spent reading, as far as the screen knows."""

    @property
    def percents(self) -> Mapping[str, int]:
        """Option -> what it was given."""
        return {believed.option: believed.percent for believed in self.beliefs}

    @model_validator(mode="after")
    def _together_100(self) -> "BeliefReported":
        total = sum(b.percent for b in self.beliefs)
        if total != 100:
            raise ValueError(Sentence("the probabilities must add up to 100, not {total}", total=total))
        return self


class BeliefsRevealed(Value):
    """The judges' probabilities up to this round can be seen by all."""

    round: Annotated[int, Field(ge=0, le=50)]


Criterion = Literal["evidence", "facts", "clash", "responsiveness", "clarity", "feasibility", "risk"]


class Rated(Value):
    """One cell of the rubric: 1 to 5, None = not enough to judge."""

    option: Line
    criterion: Criterion
    score: Annotated[int, Field(ge=1, le=5)] | None = None


class Judged(Value):
    """A judge's rubric; the latest of each judge counts."""

    ratings: Annotated[tuple[Rated, ...], Field(min_length=1, max_length=56)]
    comment: Text = ""


class Compared(Value):
    """Two turns side by side, read blind: which is better."""

    a: TurnPlace
    b: TurnPlace
    winner: Literal["a", "b", "tie", "both_weak"]
    reason: Line = ""


class PassageMarked(Value):
    """What somebody in the room reads in a passage that was quoted; of each person the last one stands.

    It is no ballot. Skipped: they looked at it and say nothing. `option` where it speaks for or against one.
    """

    claim_id: Line
    reading: Literal["supports", "against", "neutral", "skipped"]
    option: Line | None = None


class MarksRevealed(Value):
    """The room's marks on these passages can be seen, and stand. The engine fills in which: all that are open."""

    claims: Annotated[tuple[Line, ...], Field(max_length=2_000)] = ()


class Struck(Value):
    """A turn is hidden from judges and later speakers. It stays in the record, and so does its vote."""

    turn: TurnPlace
    reason: Reason


class Noted(Value):
    """A person's correction of a row of the evidence table; None = as code found it. The latest note stands."""

    claim_id: Line
    duplicate_of: Line | None = None
    has_evidence: bool | None = None
    resolved: bool | None = None
    reason: Reason


class Intervened(Value):
    """Words of whoever moderates to all seats, from the next turn on; never in the name of a seat."""

    kind: Literal["briefing", "question", "burden"] = "briefing"
    text: Annotated[str, Field(min_length=1, max_length=4_000)]


class Asked(Value):
    """A question or a concern from the floor; its id is the number of its event."""

    kind: Literal["question", "concern"] = "question"
    text: Annotated[str, Field(min_length=1, max_length=1_000)]


class Upvoted(Value):
    """A question of somebody else that one would like answered too."""

    question: Annotated[int, Field(ge=1)]


class SeatTaken(Value):
    """A person speaks for a seat from now on, in their own name; whoever sat there is not asked."""

    seat: SeatId
    reason: Reason


class SeatReturned(Value):
    """The seat is filled again as agreed before the start."""

    seat: SeatId
    reason: Line = ""


class Poked(Value):
    """A person who is waited for is reminded."""

    seat: SeatId


class Extended(Value):
    """More time for the phase that runs, or one more round within the hard maximum; never less."""

    seconds: Annotated[int, Field(ge=0, le=86_400)] = 0
    rounds: Annotated[int, Field(ge=0, le=1)] = 0
    reason: Reason


class LastRound(Value):
    """The round that runs is the last one; it still ends as agreed."""

    reason: Reason


class OwnWords(Value):
    """A line of a synthesis that its links do not bear out and that a person answers for: their own judgement."""

    line: Line
    """The text of the line as it stands in this version; of the answer, one sentence."""
    reason: Reason


class SynthesisRevised(Value):
    """A person's version of the synthesis, beside the one that was given."""

    content: Synthesis
    own_words: Annotated[tuple[OwnWords, ...], Field(max_length=200)] = ()
    reason: Line = ""


class Flagged(Value):
    """Somebody says of a line of the synthesis that it was not said, or not so. Its id is the number of its event."""

    line: Line
    reason: Line = ""


class FlagResolved(Value):
    """What became of a flag."""

    flag: Annotated[int, Field(ge=1)]
    reason: Reason


class Dissented(Value):
    """A dissent or an objection, word for word as it will stand in the decision record."""

    kind: Literal["dissent", "objection"] = "dissent"
    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    named: bool = True
    """False: the decision record does not say by whom."""


class Signed(Value):
    """The approver's word on the counted decision, which stays as it is. The latest signature stands.

    `option` is what is decided by it: None = nothing (rejected or escalated).
    """

    verdict: Literal["accept", "accept_with_changes", "reject", "escalate"]
    option: Line | None = None
    changes: Text = ""
    reason: Line = ""
    owner: Line = ""
    confirmation: Text = ""
    """How it will be checked that the decision was carried out."""
    revisit: Line = ""
    """A date or what would have to happen for the decision to be looked at again."""
    informed: tuple[Line, ...] = ()


OutcomeResult = Literal["held", "revised", "reversed", "unknown"]


class OutcomeRecorded(Value):
    """What became of the decision, later. `option` is the one that turned out right, where that is known."""

    result: OutcomeResult
    option: Line | None = None
    reason: Reason


AccountId = Annotated[str, Field(pattern=r"^u-[a-z0-9]{1,32}$")]
"""Somebody who logs in with the organisation. Drawn by lot: who it is stands in the store, and in no record."""


class OwnerAct(Value):
    """What its owner does with a debate, or the server (`engine.rights.HOST`) for the person named in `who`."""

    reason: Reason
    who: Annotated[str, Field(max_length=200)] = ""


class HandedOver(OwnerAct):
    """The debate belongs to somebody else from now on. `to` None = to the server, as debates without an owner do."""

    to: AccountId | None = None


class Shared(OwnerAct):
    """All who log in with the organisation may read it from now on; `shared` False = no longer."""

    shared: bool = True


class Archived(OwnerAct):
    """It stands in no list but that of the archive; `archived` False = it is back."""

    archived: bool = True


class Replaced(OwnerAct):
    """Another record stands for this one: the same without the name of a person. Nothing follows here."""

    by_debate: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class SourceAdded(Value):
    """A document that came in while the debate ran: later prompts and forms have it, and quotes of it are checked.

    The engine fills in the id, and the round from which it is there: never one that is over.
    """

    source: Source


PeopleAct = PersonJoined | PersonChanged | PersonLeft | LinkChanged
PollAct = PollOpened | BallotCast | PollClosed | PollRevealed
PreparingAct = PreparationBegun | Suggested | Prepared | OptionsAgreed
JudgeAct = BeliefReported | BeliefsRevealed | Judged | Compared
MarkAct = PassageMarked | MarksRevealed
Remark = Struck | Noted | Asked | Upvoted | Flagged | FlagResolved | Dissented
Procedure = Intervened | SeatTaken | SeatReturned | Poked | Extended | LastRound | SourceAdded
Conclusion = SynthesisRevised | Signed | OutcomeRecorded
Owning = HandedOver | Shared | Archived | Replaced
RoomAct = PeopleAct | PreparingAct | PollAct | JudgeAct | MarkAct | Remark | Procedure | Conclusion | Owning
ROOM_KINDS: dict[str, type[RoomAct]] = {
    "person_joined": PersonJoined,
    "person_changed": PersonChanged,
    "person_left": PersonLeft,
    "link_changed": LinkChanged,
    "preparation_begun": PreparationBegun,
    "suggested": Suggested,
    "prepared": Prepared,
    "options_agreed": OptionsAgreed,
    "poll_opened": PollOpened,
    "ballot_cast": BallotCast,
    "poll_closed": PollClosed,
    "poll_revealed": PollRevealed,
    "belief_reported": BeliefReported,
    "beliefs_revealed": BeliefsRevealed,
    "judged": Judged,
    "compared": Compared,
    "passage_marked": PassageMarked,
    "marks_revealed": MarksRevealed,
    "struck": Struck,
    "noted": Noted,
    "intervened": Intervened,
    "asked": Asked,
    "upvoted": Upvoted,
    "seat_taken": SeatTaken,
    "seat_returned": SeatReturned,
    "poked": Poked,
    "extended": Extended,
    "last_round": LastRound,
    "source_added": SourceAdded,
    "synthesis_revised": SynthesisRevised,
    "flagged": Flagged,
    "flag_resolved": FlagResolved,
    "dissented": Dissented,
    "signed": Signed,
    "outcome_recorded": OutcomeRecorded,
    "handed_over": HandedOver,
    "shared": Shared,
    "archived": Archived,
    "replaced": Replaced,
}
