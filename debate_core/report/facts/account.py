"""Everything a debate says, in one value: each part is derived when it is first read, and once.

Words, files, figures and screens are drawn from an account. What is sealed from its reader is not in it: it is left
out here and nowhere else.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from debate_core.engine import evidence, stage
from debate_core.engine.count.count import Count
from debate_core.record.events import Event
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
from debate_core.report.facts.judgements import ComparisonRow, JudgementRow, OptionRow, RubricRow, StrengthRow
from debate_core.report.facts.office_turns import DirectiveRow, EvaluationRow
from debate_core.report.facts.opinion_groups import OpinionGroups, opinion_groups
from debate_core.report.facts.people_marks import MarkRow, mark_rows
from debate_core.report.facts.proposals import ProposalRow
from debate_core.report.facts.repetition import DebateFinding
from debate_core.report.facts.ruling import Agreement, Ruling, agreement, ruling_of
from debate_core.report.facts.synthesis import FlagRow, SynthesisRow, SynthesisVersion
from debate_core.report.facts.tournament import PairedRow, RankedRow
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
    """Who reads."""

    holds: tuple[str, ...] = ()
    """Seats whose turns they give: while one of them has to answer, they see what it may see."""
    sees_counts_of_open_phases: bool = True
    """Whether ballots that seats give at once are counted for them before the phase has ended."""


PUBLIC = Reader()
"""Whoever reads the files of a debate."""


@dataclass(frozen=True)
class Account:
    """One debate at one version, as one reader may read it."""

    state: State
    """With the ballots that are counted for this reader."""
    events: tuple[Event, ...]
    """Up to this version; empty where nobody asks what people did when."""
    reader: Reader
    recorded: State
    """The same with all ballots, as the record has it."""
    origin_unknown: bool = False
    """True for a record from a file of which nobody has checked a signature."""

    # What is sealed from whom

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """What nobody may read yet, in words: while there is something, no file leaves the room."""
        return stage.sealed(self.state)

    @cached_property
    def hidden_seats(self) -> frozenset[str]:
        """Seats whose turn of the open phase this reader may not read yet, only that it is in."""
        return turns.sealed_seats(self.state, self.reader.holds)

    @cached_property
    def hides_turns(self) -> bool:
        """True while a turn is in that this reader may not read yet."""
        given = self.state.open.turns() if self.state.open else ()
        return any(turn.seat in self.hidden_seats for turn in given)

    def hides(self, seat: str, place: PhaseOfRound) -> bool:
        """True for a turn of the open phase that this reader may not read yet."""
        phase = self.state.open
        return phase is not None and place == (phase.round, phase.slot.phase.name) and seat in self.hidden_seats

    # What was said

    @cached_property
    def turns(self) -> tuple[TurnRow, ...]:
        """One row per turn."""
        return turns.turn_rows(self.state, self.events, self.reader.holds)

    @cached_property
    def notes(self) -> Mapping[str, Sequence[str]]:
        """Turn id -> what the turn says beside its prose, a line each."""
        return office_turns.notes(self.state, self.reader.holds)

    @cached_property
    def transcript(self) -> tuple[TranscriptRow, ...]:
        """The turns as read, and what was given to all seats."""
        return turns.transcript_rows(self.state, self.turns)

    @cached_property
    def readable_turns(self) -> tuple[Turn, ...]:
        """The turns as they are in the record."""
        return turns.readable_turns(self.state, self.reader.holds)

    def turns_giving(self, kind: type[C]) -> tuple[tuple[Turn, C], ...]:
        """Every turn that gave this kind of content, in order."""
        return office_turns.turns_giving(self.state, kind, self.reader.holds)

    @cached_property
    def shares(self) -> tuple[ShareRow, ...]:
        """Who said how much."""
        return turns.share_rows(self.state, self.reader.holds)

    @cached_property
    def claims(self) -> tuple[ClaimRow, ...]:
        """The evidence table."""
        return turns.readable_claims(self.state, self.reader.holds)

    @cached_property
    def marks(self) -> tuple[MarkRow, ...]:
        """What people in the room made of quoted passages, as far as it is shown."""
        return mark_rows(self.state)

    @cached_property
    def opinion_groups(self) -> OpinionGroups | None:
        """Which people read the passages alike; up to three seconds for 500 people. None where too few have marked."""
        return opinion_groups(self.state)

    @cached_property
    def unverified_claims(self) -> tuple[Claim, ...]:
        """Claims that support nothing: their quote is altered or not in its source, or the source is not there."""
        return evidence.unverified_claims(self.state)

    @cached_property
    def winner_rests_on(self) -> tuple[Claim, ...]:
        """Those of them that the decision rests on; () if one claim for it has a support."""
        return evidence.winner_rests_on(self.state)

    @cached_property
    def directives(self) -> tuple[DirectiveRow, ...]:
        """How each round was opened."""
        return office_turns.directive_rows(self.state, self.reader.holds)

    @cached_property
    def evaluations(self) -> tuple[EvaluationRow, ...]:
        """Every line of all framings, positions, evaluations and verdicts."""
        return office_turns.evaluation_rows(self.state, self.reader.holds)

    # How it was counted

    @cached_property
    def counts(self) -> tuple[Count, ...]:
        """The debaters' last ballots, then each electorate in each revealed poll."""
        return counts.counts_of(self.state)

    @cached_property
    def votes(self) -> tuple[BallotRow, ...]:
        """Every ballot of the debaters."""
        return ballots.vote_rows(self.state)

    @cached_property
    def poll_votes(self) -> tuple[BallotRow, ...]:
        """Every ballot of people in revealed polls."""
        return ballots.poll_ballots(self.state)

    @cached_property
    def tallies(self) -> tuple[TallyRow, ...]:
        """What every option has in every count of the debaters."""
        return tuple(counts.tally_rows(self.state))

    @cached_property
    def poll_tallies(self) -> tuple[TallyRow, ...]:
        """The same for every revealed poll of people."""
        return tuple(counts.poll_tally_rows(self.state))

    def final_voters(self, electorate: Electorate) -> tuple[Person, ...]:
        """Whose final vote is counted, or can be given now."""
        return polls.counted_voters(self.state, "final", electorate)

    @cached_property
    def pairs(self) -> tuple[PairRow, ...]:
        """Every pair of options in every count, of people too, if ballots compare options."""
        return (*counts.pair_rows(self.state), *counts.poll_pair_rows(self.state))

    # What was decided

    @cached_property
    def ruling(self) -> Ruling:
        """What the agreed rule made of the debate, under all its conditions."""
        return ruling_of(self.state)

    @cached_property
    def agreement(self) -> Agreement | None:
        """How far the ballots of the debaters agree; None where a seat decides, and none are cast."""
        if not self.ruling.is_counted:
            return None
        return agreement(self.state)

    @cached_property
    def contradictions(self) -> Contradictions:
        """The debaters' last ballots whose own text argues for another option, and the count with and without them."""
        return contradictions(self.state, self.ruling.count)

    @cached_property
    def named_otherwise(self) -> tuple[NamedOtherwise, ...]:
        """Verdicts and syntheses that name another option than their own text argues for."""
        return named_otherwise(self.state)

    @cached_property
    def decision(self) -> Decision:
        """Counted and signed."""
        return decision_of(self.state)

    @cached_property
    def versions(self) -> tuple[SynthesisVersion, ...]:
        """Every version of the synthesis; the last one stands."""
        return synthesis.versions(self.state)

    @cached_property
    def synthesis(self) -> tuple[SynthesisRow, ...]:
        """Every line of the version that stands, with what code and the room say of it."""
        return synthesis.synthesis_rows(self.state)

    @cached_property
    def synthesis_flags(self) -> tuple[FlagRow, ...]:
        """What the room flagged."""
        return synthesis.flag_rows(self.state)

    @property
    def standing(self) -> SynthesisVersion | None:
        """The version of the synthesis that stands."""
        return self.versions[-1] if self.versions else None

    # What judges gave, as far as it is revealed

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
        """What the judges give each option, all of them together."""
        return judgements.option_rows(self.state)

    @cached_property
    def strengths(self) -> tuple[StrengthRow, ...]:
        """How strong compared turns are, where there are readings enough to say."""
        return judgements.strengths(self.state)

    # Options compared two at a time

    @cached_property
    def compared(self) -> tuple[PairedRow, ...]:
        """Every comparison of two options."""
        return tournament.paired_rows(self.state)

    @cached_property
    def ranking(self) -> tuple[RankedRow, ...]:
        """The options by strength; empty where none are compared."""
        return tournament.ranked_rows(self.state)

    @cached_property
    def proposals(self) -> tuple[ProposalRow, ...]:
        """Candidates that were proposed in the debate itself."""
        return proposals.proposal_rows(self.state, self.reader.holds)

    # What it took, what people did, and what code noticed

    @cached_property
    def usage(self) -> tuple[UsageRow, ...]:
        """What each seat used in each phase of each round."""
        return use.usage_rows(self.state)

    @cached_property
    def limits(self) -> tuple[LimitRow, ...]:
        """How near the debate came to its limits."""
        return use.limit_rows(self.state)

    @cached_property
    def overrides(self) -> tuple[OverrideRow, ...]:
        """Every act of a person on the course of the debate."""
        return interventions.override_rows(self.events)

    @cached_property
    def steering(self) -> str:
        """How often people stepped in, as one sentence."""
        return interventions.steering_sentence(self.state)

    @cached_property
    def to_all(self) -> Mapping[PhaseOfRound, tuple[ToAll, ...]]:
        """What people gave to all seats, words and documents, by round and phase."""
        return interventions.said_in(self.state)

    @cached_property
    def findings(self) -> tuple[DebateFinding, ...]:
        """What code noticed; comparing every turn with every other takes up to half a second."""
        return health.findings(self.state)

    @cached_property
    def flags(self) -> tuple[str, ...]:
        """What a reader has to know of this debate before they rely on it."""
        return health.flags(self.state, origin_unknown=self.origin_unknown)

    @cached_property
    def health(self) -> tuple[HealthRow, ...]:
        """The flags, then the findings."""
        return health.health_rows(self.flags, self.findings)

    # What others make of it

    def once(self, make: Callable[..., Made], *args: Hashable) -> Made:
        """`make(account, *args)`, made once; `make` lives as long as its module."""
        made: dict[Hashable, Made] = self.__dict__.setdefault("made", {})
        key = (make, args)
        if key not in made:
            made[key] = make(self, *args)
        return made[key]


def account(
    state: State, events: Iterable[Event] = (), reader: Reader = PUBLIC, *, origin_unknown: bool = False
) -> Account:
    """The account of a debate for a reader, by default for one who may see what is public.

    Without its events nothing is known of what people did when.
    """
    visible = state if reader.sees_counts_of_open_phases else _as_counted(state)
    return Account(visible, tuple(events), reader, state, origin_unknown)


def _as_counted(state: State) -> State:
    """The debate with the ballots, and the comparisons, that stood when seats began to answer at once."""
    open_phase = state.open
    if open_phase is None or state.outcome is not None or open_phase.slot.phase.order != "at_once":
        return state
    now = open_phase.compared()
    ended = {turn: pair for turn, pair in state.compared.items() if turn not in now}
    return replace(state, ballots=counts.last_counted_ballots(state), compared=ended)
