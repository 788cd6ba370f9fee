"""Facts of one finished debate that enter the figures of `cross_debate_metrics` and `track_record`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine import limits
from debate_core.engine.option_names import named_option, negated
from debate_core.engine.schedule import stance_of
from debate_core.engine.stage import Final, final_decision
from debate_core.engine.voting import named_by
from debate_core.record.state import State, Turn
from debate_core.report.facts.ballot_moves import BallotMove, ballot_moves
from debate_core.report.facts.baselines import BaselineRow, baseline_rows
from debate_core.report.facts.decision_outcomes import NOTHING_KNOWN, Aftermath, aftermath, first_answer
from debate_core.report.facts.forecasts import AskedTwice, Stated, asked_twice, stated
from debate_core.report.facts.health import findings, ratings
from debate_core.report.facts.interventions import steering
from debate_core.report.facts.synthesis import Kept, draft_kept
from debate_core.report.facts.usage import LOST, usage_rows, used_in
from debate_core.spec.contents import Evaluation, Quality
from debate_core.spec.panels import diversity
from debate_core.spec.values import Outcome, Status

SINGLE_CALL = "single_call"
"""The preset of a single answer, which is the baseline of a debate."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One finished debate's contribution to the figures; None where it has none."""

    debate: str
    protocol: str
    rehearsal: bool
    status: Status
    strengths: tuple[int, ...] = ()
    """Self-ratings of critiques."""
    low: bool | None = None
    """True if the last evaluation had LOW confidence."""
    uncertainties: int | None = None
    """Number named by the last evaluation."""
    cost_usd: Fraction | None = None
    """None = unknown, or no model took part."""
    forecast_usd: Fraction | None = None
    as_first: bool | None = None
    """True if the decision equals the first proposer's first vote."""
    one_family: bool | None = None
    """True if all debating models are of one family; None unless it was decided and several debated."""
    findings: int = 0
    turns: int = 0
    lost: int = 0
    reviews: tuple[bool, ...] = ()
    """For each directive reviewed by the chair: True if it was kept unchanged."""
    overrides: int = 0
    """Number of human interventions."""
    draft_lines: tuple[bool, ...] = ()
    """For each line of a drafted synthesis that a person revised: True if it was kept."""
    later: Aftermath = NOTHING_KNOWN
    """The recorded outcome."""
    leans_first: bool | None = None
    """True if the judge favoured the first debater, False the last one."""
    ended_at: str = ""
    seconds: float | None = None
    """Duration, in a room without time spent waiting for people; None if zero."""
    stated: tuple[Stated, ...] = ()
    """Final positions of all speakers."""
    asked_twice: tuple[AskedTwice, ...] = ()
    """Verdicts asked in both orders."""
    baselines: tuple[BaselineRow, ...] = ()
    """Answers of the same models without a debate."""
    moves: tuple[BallotMove, ...] = ()
    """First and last ballots of the debaters."""

    @property
    def is_single_call(self) -> bool:
        """True for a single answer of one model."""
        return self.protocol == SINGLE_CALL


def facts(state: State, *, forecast_usd: str | None) -> Facts | None:
    """Facts of a finished debate, with its forecast cost; None while it is running or people have to decide it."""
    outcome, final = state.outcome, final_decision(state)
    if outcome is None or (final.pending and outcome.status in ("decided", "undecided")):
        return None
    turns = state.all_turns()
    decided = outcome.decision if outcome.status == "decided" else None
    evaluation = _last_evaluation(turns)
    spent_usd = used_in(usage_rows(state)).cost_usd if state.spec.models else None
    steered = steering(state)
    drafted = draft_kept(state) or Kept(0, 0)
    stands_as_drafted = [True] * drafted.kept + [False] * (drafted.of - drafted.kept)
    n_lost = sum(turn.status in LOST for turn in turns)
    return Facts(
        debate=state.debate,
        protocol=state.spec.protocol.name,
        rehearsal=state.spec.rehearsal,
        status=_status(outcome, final),
        strengths=ratings(state),
        low=_has_low_confidence(evaluation),
        uncertainties=len(evaluation.uncertainties) if evaluation else None,
        cost_usd=_fraction(spent_usd),
        forecast_usd=_fraction(forecast_usd),
        as_first=_is_as_first(state, decided),
        one_family=_is_one_family(state, decided),
        findings=len(findings(state)),
        turns=len(turns),
        lost=n_lost,
        reviews=steered.reviews,
        overrides=steered.acts,
        draft_lines=tuple(stands_as_drafted),
        later=aftermath(state),
        leans_first=leans_first(state),
        ended_at=state.closed_at,
        seconds=limits.elapsed_s(state, state.closed_at) or None,
        stated=stated(state),
        asked_twice=asked_twice(state),
        baselines=baseline_rows(state),
        moves=ballot_moves(state),
    )


def _status(outcome: Outcome, final: Final) -> Status:
    """The status by the count that decides: the debaters' votes are advice where people decide."""
    if final.by == "debaters" or final.pending:
        return outcome.status
    return "undecided" if final.option is None else "decided"


def _last_evaluation(turns: Sequence[Turn]) -> Evaluation | None:
    for turn in reversed(turns):
        if isinstance(turn.content, Evaluation):
            return turn.content
    return None


def _has_low_confidence(evaluation: Evaluation | None) -> bool | None:
    if evaluation is None or evaluation.confidence_level is None:
        return None
    return evaluation.confidence_level == "LOW"


def _is_one_family(state: State, decided: str | None) -> bool | None:
    models = diversity(state.spec)
    if decided is None or models.n_seats < 2:
        return None
    return models.single_family


def _is_as_first(state: State, decided: str | None) -> bool | None:
    first, _confidence = first_answer(state)
    if decided is None or first is None:
        return None
    return first == decided


def _fraction(amount: str | None) -> Fraction | None:
    return None if amount is None else Fraction(amount)


def leans_first(state: State) -> bool | None:
    """Position bias of the judging seat: True if it favours the first debater, False the last; None otherwise.

    The best rated debater counts as favoured, else the one whose side was named. A bias over many debates is one of
    the judge, not of the arguments.
    """
    debaters = [seat.id for seat in state.spec.debaters()]
    favoured = _favoured(state, debaters)
    if len(favoured) != 1 or len(debaters) < 2 or favoured[0] not in (debaters[0], debaters[-1]):
        return None
    return favoured[0] == debaters[0]


def _favoured(state: State, debaters: list[str]) -> list[str]:
    """The debaters who were rated best, else those whose side was named."""
    ratings = [turn.content.quality for turn in state.turns if isinstance(turn.content, Evaluation)]
    if ratings:
        return [seat for seat in _best_rated(ratings[-1]) if seat in debaters]
    option = _named_option(state)
    return [seat for seat in debaters if option is not None and defended_option(state, seat) == option]


def _named_option(state: State) -> str | None:
    """The option that the deciding seat named."""
    role = state.spec.protocol.deciding_role
    named = named_by(state, role) if role else None
    return named[1] if named else None


def _best_rated(ratings: Sequence[Quality]) -> list[str]:
    best = max((rating.score for rating in ratings), default=None)
    return [rating.seat for rating in ratings if rating.score == best]


def defended_option(state: State, seat: str) -> str | None:
    """The option that the side of a seat names; None for a free seat, and for a side against an option."""
    side = stance_of(state, seat)
    return None if negated(side) else named_option(side, state.spec.options)
