"""One debate as one reader may see it: an `Account` derives each part on first access and caches it.

Words, files, figures and screens are drawn from it. Content that is sealed from the reader is left out here and
nowhere else.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from debate_core.engine import evidence, stage
from debate_core.engine.count.count import Count
from debate_core.engine.private_sources import shown_look_ups
from debate_core.record.events import Event
from debate_core.record.ids import RequestId
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import State, Turn
from debate_core.report.facts import (
    ballots,
    counts,
    health,
    interventions,
    judgements,
    office_turns,
    polls,
    proposals,
    synthesis,
    tournament,
    turns,
)
from debate_core.report.facts import usage as use
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.contradictions import Contradictions, NamedOtherwise, contradictions, named_otherwise
from debate_core.report.facts.counts import PairRow, TallyRow
from debate_core.report.facts.decision import Decision, decision_of
from debate_core.report.facts.health import HealthRow
from debate_core.report.facts.interventions import OverrideRow, ToAll
from debate_core.report.facts.joint_errors import JointErrors
from debate_core.report.facts.judgements import ComparisonRow, JudgementRow, OptionRow, RubricRow, StrengthRow
from debate_core.report.facts.office_turns import DirectiveRow, EvaluationRow
from debate_core.report.facts.opinion_groups import OpinionGroups, opinion_groups
from debate_core.report.facts.people_marks import MarkRow, mark_rows
from debate_core.report.facts.proposals import ProposalRow
from debate_core.report.facts.recommendation import RankedOptions, recommendation
from debate_core.report.facts.repetition import DebateFinding, Look, looks
from debate_core.report.facts.ruling import Agreement, Ruling, agreement, ruling_of
from debate_core.report.facts.same_vote import SameVoteRow, same_vote_rows
from debate_core.report.facts.synthesis import FlagRow, SynthesisRow, SynthesisVersion
from debate_core.report.facts.tournament import MatchRow, PairedRow, RankedRow
from debate_core.report.facts.turns import ShareRow, TranscriptRow, TurnRow
from debate_core.report.facts.usage import LimitRow, UsageRow
from debate_core.spec.contents import Claim, Content
from debate_core.spec.people import Electorate, Person

PhaseOfRound = tuple[int, str]
"""Round and phase."""
C = TypeVar("C", bound=Content)
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of the debate."""

    holds: tuple[str, ...] = ()
    """Seats that the reader fills: while one of them has an open request, the reader sees what the seat may see."""
    sees_counts_of_open_phases: bool = True
    """True if ballots of a simultaneous phase are counted for this reader before the phase ends."""


PUBLIC = Reader()
"""The reader of exported files."""


@dataclass(frozen=True)
class Account:
    """One debate at one version, for one reader."""

    state: State
    """The state with the ballots that are counted for this reader."""
    events: tuple[Event, ...]
    """Events up to this version; may be empty if no table of human acts is needed."""
    reader: Reader
    recorded: State
    """The state with all ballots, as in the record."""
    origin_unknown: bool = False
    """True for an imported record whose signature was not checked."""
    joint_errors: JointErrors | None = None
    """Errors that the models of this debate shared in others; None if only this record is known."""
    compare: Callable[[State], Sequence[Look]] = looks
    """Compares all turns; a host keeps the comparison."""

    # Sealed content

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """Descriptions of everything that is sealed from all readers; no file is exported while there is any."""
        return stage.sealed(self.state)

    @cached_property
    def hidden_seats(self) -> frozenset[str]:
        """Seats whose turn in the open phase is sealed from this reader."""
        return turns.sealed_seats(self.state, self.reader.holds)

    @cached_property
    def hides_turns(self) -> bool:
        """True while a turn or a look-up has been given that this reader may not read yet."""
        if self.state.open is None:
            return False
        looked_up = [turn.seat for turn in self.state.open.missing() if self.state.look_ups_of(turn)]
        given = [turn.seat for turn in self.state.open.turns()]
        return any(seat in self.hidden_seats for seat in (*given, *looked_up))

    def hides(self, seat: str, place: PhaseOfRound) -> bool:
        """True for a turn of the open phase that this reader may not read yet."""
        phase = self.state.open
        return phase is not None and place == (phase.round, phase.slot.phase.name) and seat in self.hidden_seats

    # Turns and claims

    @cached_property
    def turns(self) -> tuple[TurnRow, ...]:
        return turns.turn_rows(self.state, self.events, self.reader.holds)

    def look_ups(self, row: TurnRow) -> tuple[LookedUp, ...]:
        """The look-ups before a turn that may be read now."""
        return shown_look_ups(self.state, RequestId.parse(row.turn_id).turn)

    @cached_property
    def transcript(self) -> tuple[TranscriptRow, ...]:
        """Readable turns, and messages and documents given to all seats."""
        return turns.transcript_rows(self.state, self.turns)

    @cached_property
    def readable_turns(self) -> tuple[Turn, ...]:
        """Turns that this reader may read, as recorded."""
        return turns.readable_turns(self.state, self.reader.holds)

    def turns_giving(self, kind: type[C]) -> tuple[tuple[Turn, C], ...]:
        """Turns with this kind of content, in order."""
        return office_turns.turns_giving(self.state, kind, self.reader.holds)

    @cached_property
    def shares(self) -> tuple[ShareRow, ...]:
        """Words and turns of each seat."""
        return turns.share_rows(self.state, self.reader.holds)

    @cached_property
    def claims(self) -> tuple[ClaimRow, ...]:
        """The evidence table."""
        return turns.readable_claims(self.state, self.reader.holds)

    @cached_property
    def marks(self) -> tuple[MarkRow, ...]:
        """Readings of quoted passages by people in the room, once they are shown."""
        return mark_rows(self.state)

    @cached_property
    def opinion_groups(self) -> OpinionGroups | None:
        """Groups of people who read passages alike; None with too few marks. Takes up to 3 s for 500 people."""
        return opinion_groups(self.state)

    @cached_property
    def unverified_claims(self) -> tuple[Claim, ...]:
        """Claims that support nothing because their quote is altered or not in its source, or the source is missing."""
        return evidence.unverified_claims(self.state)

    @cached_property
    def winner_rests_on(self) -> tuple[Claim, ...]:
        """Unverified claims that the decision rests on; () if one claim for it has a support."""
        return evidence.winner_rests_on(self.state)

    @cached_property
    def directives(self) -> tuple[DirectiveRow, ...]:
        return office_turns.directive_rows(self.state, self.reader.holds)

    @cached_property
    def evaluations(self) -> tuple[EvaluationRow, ...]:
        """Lines of all framings, positions, evaluations and verdicts."""
        return office_turns.evaluation_rows(self.state, self.reader.holds)

    # Counts

    @cached_property
    def counts(self) -> tuple[Count, ...]:
        """The debaters' last ballots, then each electorate in each revealed poll."""
        return counts.counts_of(self.state)

    @cached_property
    def votes(self) -> tuple[BallotRow, ...]:
        """Ballots of the debaters; () for a transcript, whose speakers did not vote."""
        return () if self.state.spec.held_elsewhere else ballots.vote_rows(self.state)

    @cached_property
    def poll_votes(self) -> tuple[BallotRow, ...]:
        """Ballots of people in revealed polls."""
        return ballots.poll_ballots(self.state)

    @cached_property
    def tallies(self) -> tuple[TallyRow, ...]:
        """Points of each option in each count of the debaters."""
        return tuple(counts.tally_rows(self.state))

    @cached_property
    def poll_tallies(self) -> tuple[TallyRow, ...]:
        """Points of each option in each revealed poll."""
        return tuple(counts.poll_tally_rows(self.state))

    def final_voters(self, electorate: Electorate) -> tuple[Person, ...]:
        """People whose final vote is counted, or can be given now."""
        return polls.counted_voters(self.state, "final", electorate)

    @cached_property
    def pairs(self) -> tuple[PairRow, ...]:
        """Pairwise comparisons of the options in every count, if ballots compare options."""
        return (*counts.pair_rows(self.state), *counts.poll_pair_rows(self.state))

    # Decision and synthesis

    @cached_property
    def ruling(self) -> Ruling:
        """Result of the agreed rule under all its conditions."""
        return ruling_of(self.state)

    @cached_property
    def agreement(self) -> Agreement | None:
        """Agreement of the debaters' ballots; None if a seat or comparisons decide."""
        if not self.ruling.is_counted:
            return None
        return agreement(self.state)

    @cached_property
    def same_vote(self) -> tuple[SameVoteRow, ...]:
        """Pairs of seats that vote alike, with the overlap of their reasons."""
        return same_vote_rows(self.state)

    @cached_property
    def contradictions(self) -> Contradictions:
        """Last ballots whose own text argues for another option, and the count with and without them."""
        return contradictions(self.state, self.ruling.count)

    @cached_property
    def named_otherwise(self) -> tuple[NamedOtherwise, ...]:
        """Verdicts and syntheses that name another option than their own text argues for."""
        return named_otherwise(self.state)

    @cached_property
    def decision(self) -> Decision:
        return decision_of(self.state)

    @cached_property
    def recommendation(self) -> RankedOptions | None:
        """The options by recommended place; None before the end, and where no ranking was agreed."""
        return recommendation(self.state)

    @cached_property
    def versions(self) -> tuple[SynthesisVersion, ...]:
        """Versions of the synthesis; the last one is current."""
        return synthesis.versions(self.state)

    @cached_property
    def synthesis(self) -> tuple[SynthesisRow, ...]:
        """Lines of the current version, with remarks by code and by the room."""
        return synthesis.synthesis_rows(self.state)

    @cached_property
    def synthesis_flags(self) -> tuple[FlagRow, ...]:
        return synthesis.flag_rows(self.state)

    @property
    def standing(self) -> SynthesisVersion | None:
        """The current version of the synthesis."""
        return self.versions[-1] if self.versions else None

    # Revealed judgements

    @cached_property
    def judgements(self) -> tuple[JudgementRow, ...]:
        """Probabilities by judge, round and option."""
        return judgements.judgement_rows(self.state)

    @cached_property
    def rubrics(self) -> tuple[RubricRow, ...]:
        """Scores by judge, option and criterion."""
        return judgements.rubric_rows(self.state)

    @cached_property
    def comparisons(self) -> tuple[ComparisonRow, ...]:
        """Pairs of turns that judges read side by side."""
        return judgements.comparison_rows(self.state)

    @cached_property
    def judged_options(self) -> tuple[OptionRow, ...]:
        """Pooled probabilities of the judges, by option."""
        return judgements.option_rows(self.state)

    @cached_property
    def strengths(self) -> tuple[StrengthRow, ...]:
        """Strengths of compared turns, where there are enough readings."""
        return judgements.strengths(self.state)

    # Options compared two at a time

    @cached_property
    def compared(self) -> tuple[PairedRow, ...]:
        return tournament.paired_rows(self.state)

    @cached_property
    def matches(self) -> tuple[MatchRow, ...]:
        """The comparisons that were short debates."""
        return tournament.match_rows(self.state)

    @cached_property
    def ranking(self) -> tuple[RankedRow, ...]:
        """Options by strength; empty if none are compared."""
        return tournament.ranked_rows(self.state)

    @cached_property
    def proposals(self) -> tuple[ProposalRow, ...]:
        """Candidates that were proposed during the debate."""
        return proposals.proposal_rows(self.state, self.reader.holds)

    # Usage, human acts and findings

    @cached_property
    def usage(self) -> tuple[UsageRow, ...]:
        """Usage of each seat in each phase of each round."""
        return use.usage_rows(self.state)

    @cached_property
    def limits(self) -> tuple[LimitRow, ...]:
        return use.limit_rows(self.state)

    @cached_property
    def overrides(self) -> tuple[OverrideRow, ...]:
        """Acts of people on the course of the debate."""
        return interventions.override_rows(self.events)

    @cached_property
    def steering(self) -> str:
        """Number of interventions, as one sentence."""
        pauses = sum(row.action == "pause" for row in self.overrides)
        return interventions.steering_sentence(self.state, pauses=pauses)

    @cached_property
    def to_all(self) -> Mapping[PhaseOfRound, tuple[ToAll, ...]]:
        """Messages and documents for all seats, by round and phase."""
        return interventions.said_in(self.state)

    @cached_property
    def findings(self) -> tuple[DebateFinding, ...]:
        """Findings by code; comparing 1,000 turns takes more than a second."""
        return health.findings(self.state, self.compare)

    @cached_property
    def flags(self) -> tuple[str, ...]:
        """Names of the flags that a reader has to know before relying on this debate."""
        return health.flags(self.state, origin_unknown=self.origin_unknown)

    @cached_property
    def health(self) -> tuple[HealthRow, ...]:
        return health.health_rows(self.flags, self.findings)

    # Cache for other modules

    def once(self, make: Callable[..., Made], *args: Hashable) -> Made:
        """Return `make(account, *args)`, computed on the first call."""
        made: dict[Hashable, Made] = self.__dict__.setdefault("made", {})
        key = (make, args)
        if key not in made:
            made[key] = make(self, *args)
        return made[key]


def account(
    state: State,
    events: Iterable[Event] = (),
    reader: Reader = PUBLIC,
    *,
    origin_unknown: bool = False,
    joint_errors: JointErrors | None = None,
    compare: Callable[[State], Sequence[Look]] = looks,
) -> Account:
    """Build the account of a debate for a reader.

    Without `events` the tables of human acts are empty.
    """
    visible = state if reader.sees_counts_of_open_phases else _as_counted(state)
    return Account(visible, tuple(events), reader, state, origin_unknown, joint_errors, compare)


def _as_counted(state: State) -> State:
    """Drop ballots and comparisons of an open simultaneous phase."""
    open_phase = state.open
    if open_phase is None or state.outcome is not None or open_phase.slot.phase.order != "at_once":
        return state
    now = open_phase.compared()
    ended = {turn: pair for turn, pair in state.compared.items() if turn not in now}
    return replace(state, ballots=counts.last_counted_ballots(state), compared=ended)
