"""Acts of people in the room, as facts of the record. The command `Act` asks for each; the event's `actor` did it.

Values only. Acts never overwrite what they refer to. `engine.rights` decides which role can do them.
"""

from collections.abc import Mapping
from operator import not_
from typing import Annotated, Literal

from pydantic import Field, model_validator

from debate_core.record.ids import TURN_PATTERN
from debate_core.sentence import Sentence
from debate_core.spec.contents import Synthesis
from debate_core.spec.people import (
    Electorate,
    Person,
    PersonId,
    PollId,
    PollResult,
    PreparationStep,
    RoomRole,
    SilentStep,
)
from debate_core.spec.protocol import MAX_DRIVERS, Driver
from debate_core.spec.tripwires import Check
from debate_core.spec.values import MAX_GIVEN, Given, Line, Percent, SeatId, Source, Text, Value, is_none

MUST_BE_SAID = "must be said"
"""Marks a reason that must not be blank."""
Reason = Annotated[str, Field(min_length=1, max_length=2_000), MUST_BE_SAID]
OPENING_KEY = r"^[A-Za-z0-9_-]{16,100}$"
"""A short key could be found by trying all of them with each option."""
TurnPlace = Annotated[str, Field(pattern=rf"^{TURN_PATTERN}$")]
"""A turn without its attempt: `2.critique.risk`, and `2.critique.risk~2` for a second one in that phase."""


class PersonJoined(Value):
    """A person joined by a link that the server checked."""

    person: Person


class PersonChanged(Value):
    """A change of name, role, seat or declared interest; all fields have their new values."""

    person: Person
    reason: Line = ""


class PersonLeft(Value):
    """A person left or was removed; their ballots stay unless withdrawn."""

    person: PersonId
    reason: Line = ""
    withdrawn: bool | None = None
    """True: the person should not have been here. Their ballots in open polls are withdrawn, and the polls are no
    longer counted against them. Earlier counts do not change."""


class LinkChanged(Value):
    """A link into the room was made, replaced or taken back. The record does not contain the link itself.

    `person` None = the public link. A newcomer gets `role` and `electorate` by it.
    """

    what: Literal["made", "replaced", "taken_back"]
    person: PersonId | None = None
    role: RoomRole
    electorate: Electorate | None = None
    reason: Line = ""


class PreparationBegun(Value):
    """The room begins this step of the preparation; its clock starts."""

    step: PreparationStep


class Suggested(Value):
    """A person proposes an option or a criterion for a good decision."""

    kind: Literal["option", "driver"] = "option"
    text: Annotated[Line, Field(min_length=1, max_length=200)]


class Prepared(Value):
    """A person has finished proposing or reading."""

    step: PreparationStep


MAX_WRITTEN = 5
"""Maximum number of texts of one person in a silent step."""


class TextsWritten(Value):
    """Everything that a person has written in a silent step; the latest one counts, () = nothing."""

    step: SilentStep
    texts: Annotated[tuple[Annotated[Line, Field(min_length=1, max_length=300)], ...], Field(max_length=MAX_WRITTEN)]


class TextsShown(Value):
    """A silent step ends, and all of its texts become visible at once. Facts become claims.

    `texts` keeps their order, and so the numbers of facts, in a record from which a name was removed.
    """

    step: SilentStep
    texts: tuple[Line, ...] | None = Field(default=None, exclude_if=is_none)


class OptionsAgreed(Value):
    """The facilitator settles the options and drivers from the proposals, which ends the collecting."""

    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=8)]
    drivers: Annotated[tuple[Driver, ...], Field(max_length=MAX_DRIVERS)] = ()


class PollOpened(Value):
    """People may vote; until the poll is revealed only who has voted is shown."""

    poll: PollId


class BallotCommitted(Value):
    """A commitment to a ballot that stays hidden: SHA-256 of the choice, a space and the key that opens it.

    For votes in public places. Where one exists, every ballot of the poll opens a commitment.
    """

    poll: PollId
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ExpectedVotes(Value):
    """Number of people who will choose this option, as a voter expects."""

    option: Line
    votes: Annotated[int, Field(ge=0, le=100_000)]


class BallotCast(Value):
    """A person's ballot; the latest one counts. `choice` is an option or "abstain"; `given` for other kinds of ballots.

    `transcript` is the hash of the last event of the debate that the voter could read; the engine fills it in.
    `opens_with` is the key of the commitment that this ballot opens.
    """

    poll: PollId
    choice: Line | None = None
    given: Annotated[tuple[Given, ...], Field(max_length=MAX_GIVEN)] = ()
    confidence: Percent | None = None
    reason: Line = ""
    transcript: str = ""
    opens_with: Annotated[str, Field(pattern=OPENING_KEY)] | None = Field(default=None, exclude_if=is_none)
    decided_by: Line | None = Field(default=None, exclude_if=is_none)
    """The claim that decided the final vote for this person, where `Room.asks_crux` was agreed."""
    expects: Annotated[tuple[ExpectedVotes, ...], Field(max_length=8, exclude_if=not_)] = ()
    """The guess of this person: every option once, where `Room.asks_guess` was agreed. () = no guess."""


class PollClosed(Value):
    """The poll is closed. The engine fills in the results: derivable, recorded so that `verify` can compare."""

    poll: PollId
    results: tuple[PollResult, ...] = ()


class Supposed(Value):
    """The option that a voter would have chosen if this claim were false, or "abstain"; the latest answer counts.

    Given between the close of the final vote and its reveal, and sealed with it. Advice: no count reads it.
    """

    claim_id: Line
    choice: Line
    poll: Literal["final"] = "final"


class PollRevealed(Value):
    """The ballots and results of a closed poll become visible."""

    poll: PollId


class Believed(Value):
    """The probability that one option is the right one, in percent."""

    option: Line
    percent: Annotated[int, Field(ge=0, le=100)]


class BeliefReported(Value):
    """A judge's probabilities after a round, for all options, 100 in total. `final` = after reading everything.

    `shown` is the order of the options on the judge's screen.
    """

    round: Annotated[int, Field(ge=0, le=50)]
    beliefs: Annotated[tuple[Believed, ...], Field(min_length=2, max_length=8)]
    explanation: Text = ""
    final: bool = False
    shown: tuple[Line, ...] = ()
    read_s: Annotated[int, Field(ge=0)] | None = None
    """Reading time in seconds, as measured by the screen."""

    @property
    def percents(self) -> Mapping[str, int]:
        """Option -> probability in percent."""
        return {believed.option: believed.percent for believed in self.beliefs}

    @model_validator(mode="after")
    def _together_100(self) -> "BeliefReported":
        total = sum(b.percent for b in self.beliefs)
        if total != 100:
            raise ValueError(Sentence("the probabilities must add up to 100, not {total}", total=total))
        return self


class BeliefsRevealed(Value):
    """The judges' probabilities up to this round become visible."""

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
    """A blind comparison of two turns."""

    a: TurnPlace
    b: TurnPlace
    winner: Literal["a", "b", "tie", "both_weak"]
    reason: Line = ""


class PassageMarked(Value):
    """A person's reading of a quoted passage; the latest one of each person counts. It is no ballot.

    Skipped: seen without a reading. `option` is set if the passage supports or opposes one.
    """

    claim_id: Line
    reading: Literal["supports", "against", "neutral", "skipped"]
    option: Line | None = None
    together: Annotated[Line, Field(exclude_if=not_)] = ""
    """The author's words under which it was marked in one step with others: `Pros of Redis`."""


class MarksRevealed(Value):
    """The room's marks on these passages become visible and final. The engine fills in all open passages."""

    claims: Annotated[tuple[Line, ...], Field(max_length=2_000)] = ()


class Struck(Value):
    """A turn is hidden from judges and later speakers. It stays in the record, and its vote counts."""

    turn: TurnPlace
    reason: Reason


class Noted(Value):
    """A person's correction of a row in the evidence table; None = as computed. The latest note counts."""

    claim_id: Line
    duplicate_of: Line | None = None
    has_evidence: bool | None = None
    resolved: bool | None = None
    reason: Reason


class Intervened(Value):
    """A message of the facilitator or moderator to all seats, from the next turn on, under their own name."""

    kind: Literal["briefing", "question", "burden"] = "briefing"
    text: Annotated[str, Field(min_length=1, max_length=4_000)]


class Asked(Value):
    """A question or a concern from the floor; its id is the number of its event."""

    kind: Literal["question", "concern"] = "question"
    text: Annotated[str, Field(min_length=1, max_length=1_000)]


class Upvoted(Value):
    """Support for another person's question."""

    question: Annotated[int, Field(ge=1)]


class SeatTaken(Value):
    """A person speaks for a seat from now on, in their own name; its previous occupant is no longer asked."""

    seat: SeatId
    reason: Reason


class SeatReturned(Value):
    """The seat returns to its agreed occupant."""

    seat: SeatId
    reason: Line = ""


class Poked(Value):
    """A reminder to a person whose turn is awaited."""

    seat: SeatId


class Extended(Value):
    """More time for the current phase, or one more round within the hard maximum; never less."""

    seconds: Annotated[int, Field(ge=0, le=86_400)] = 0
    rounds: Annotated[int, Field(ge=0, le=1)] = 0
    reason: Reason


class LastRound(Value):
    """The current round is the last one; it still ends as agreed."""

    reason: Reason


class OwnWords(Value):
    """A line of a synthesis that its links do not support; a person takes responsibility for it."""

    line: Line
    """The text of the line in this version; of the answer, one sentence."""
    reason: Reason


class SynthesisRevised(Value):
    """A person's version of the synthesis; the original is kept."""

    content: Synthesis
    own_words: Annotated[tuple[OwnWords, ...], Field(max_length=200)] = ()
    reason: Line = ""


class Flagged(Value):
    """A person disputes a line of the synthesis. The flag's id is the number of its event."""

    line: Line
    reason: Line = ""


class FlagResolved(Value):
    """The resolution of a flag."""

    flag: Annotated[int, Field(ge=1)]
    reason: Reason


class Dissented(Value):
    """A dissent or an objection, word for word as in the decision record."""

    kind: Literal["dissent", "objection"] = "dissent"
    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    named: bool = True
    """False: the decision record leaves out the author."""


Reversibility = Literal["two-way-door", "one-way-door"]
"""Easy or hard to reverse, in the words of adrkit, which reads decision records."""


class Assumption(Value):
    """A condition that has to stay true for a decision to hold; `claim_id` is the claim of the debate that states it.

    `watched_by` is the person or team that notices a change; empty = no one is named. `check` is evaluated by
    `debate_core.watch`.
    """

    text: Annotated[Line, Field(min_length=1)]
    watched_by: Annotated[Line, Field(exclude_if=not_)] = ""
    claim_id: Annotated[Line | None, Field(exclude_if=is_none)] = None
    check: Annotated[Check | None, Field(exclude_if=is_none)] = None


class Signed(Value):
    """The approver's verdict on the counted decision, which does not change. The latest signature counts.

    `option` is the decision; None = none (rejected or escalated).
    """

    verdict: Literal["accept", "accept_with_changes", "reject", "escalate"]
    option: Line | None = None
    changes: Text = ""
    reason: Line = ""
    owner: Line = ""
    confirmation: Text = ""
    """How implementation of the decision will be confirmed."""
    revisit: Line = ""
    """A date or an event after which the decision is reviewed."""
    informed: tuple[Line, ...] = ()
    affects: Annotated[tuple[Line, ...], Field(exclude_if=not_)] = ()
    """Parts of the system, as paths or names."""
    reversibility: Annotated[Reversibility | None, Field(exclude_if=is_none)] = None
    assumptions: Annotated[tuple[Assumption, ...], Field(exclude_if=not_)] = ()
    assumes_nothing: Annotated[bool, Field(exclude_if=not_)] = False
    """True if the approver said that the decision rests on nothing that can change."""


OutcomeResult = Literal["held", "revised", "reversed", "unknown"]


class OutcomeRecorded(Value):
    """The later outcome of the decision. `option` is the one that turned out right, if known."""

    result: OutcomeResult
    option: Line | None = None
    reason: Reason


class AssumptionBroken(Value):
    """The server found an assumption broken: the decision is challenged until someone signs or records its outcome.

    `signature` is the number of the event with the signature, `assumption` the place in it, from 1.
    """

    signature: Annotated[int, Field(ge=1)]
    assumption: Annotated[int, Field(ge=1)]
    reason: Reason


AccountId = Annotated[str, Field(pattern=r"^u-[a-z0-9]{1,32}$")]
"""A member of the organisation, by a random id; only the store knows the person."""


class OwnerAct(Value):
    """An act of a debate's owner, or of the server (`engine.rights.HOST`) for the person named in `who`."""

    reason: Reason
    who: Annotated[str, Field(max_length=200)] = ""


class HandedOver(OwnerAct):
    """The debate gets another owner. `to` None = the server, as for debates without an owner."""

    to: AccountId | None = None


class Shared(OwnerAct):
    """Everyone in the organisation may read the debate from now on; `shared` False = no longer."""

    shared: bool = True


class Archived(OwnerAct):
    """The debate is listed only in the archive; `archived` False = it is back."""

    archived: bool = True


class Replaced(OwnerAct):
    """Another record replaces this one: the same without a person's name. No event follows."""

    by_debate: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class SourceAdded(Value):
    """A document added during the debate; later prompts and forms contain it, and quotes from it are checked.

    The engine fills in the id and the round from which it is visible, never a round that is over.
    """

    source: Source


PeopleAct = PersonJoined | PersonChanged | PersonLeft | LinkChanged
PollAct = PollOpened | BallotCommitted | BallotCast | PollClosed | Supposed | PollRevealed
PreparingAct = PreparationBegun | Suggested | Prepared | OptionsAgreed | TextsWritten | TextsShown
JudgeAct = BeliefReported | BeliefsRevealed | Judged | Compared
MarkAct = PassageMarked | MarksRevealed
Remark = Struck | Noted | Asked | Upvoted | Flagged | FlagResolved | Dissented
Procedure = Intervened | SeatTaken | SeatReturned | Poked | Extended | LastRound | SourceAdded
Conclusion = SynthesisRevised | Signed | OutcomeRecorded | AssumptionBroken
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
    "texts_written": TextsWritten,
    "texts_shown": TextsShown,
    "poll_opened": PollOpened,
    "ballot_committed": BallotCommitted,
    "ballot_cast": BallotCast,
    "poll_closed": PollClosed,
    "supposed": Supposed,
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
    "assumption_broken": AssumptionBroken,
    "handed_over": HandedOver,
    "shared": Shared,
    "archived": Archived,
    "replaced": Replaced,
}
