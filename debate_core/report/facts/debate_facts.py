"""What one debate that is over adds to the figures over many, which are in `over_debates` and `track_record`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine import ceiling
from debate_core.record.state import State, Turn
from debate_core.report.facts.aftermath import NOTHING_KNOWN, Aftermath, aftermath, first_answer
from debate_core.report.facts.baselines import BaselineRow, baseline_rows
from debate_core.report.facts.health import critique_rows, findings, ratings
from debate_core.report.facts.interventions import steering
from debate_core.report.facts.leaning import leans_first
from debate_core.report.facts.stated import AskedTwice, Stated, asked_twice, stated
from debate_core.report.facts.synthesis import Kept, draft_kept
from debate_core.report.facts.usage import LOST, usage_rows, used_in
from debate_core.spec.contents import Evaluation
from debate_core.spec.panels import diversity
from debate_core.spec.values import Status

SINGLE_CALL = "single_call"
"""The preset that is no debate, but what one has to beat."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What one debate that is over adds to the figures; None where it says nothing to one."""

    debate: str
    protocol: str
    rehearsal: bool
    status: Status
    strengths: tuple[int, ...]
    """What critiques said of themselves."""
    low: bool | None
    """Whether the last evaluation had LOW confidence."""
    uncertainties: int | None
    """How many the last evaluation named."""
    cost_usd: Fraction | None
    """None = unknown, or no model sat in it."""
    forecast_usd: Fraction | None
    as_first: bool | None
    """Whether it was decided as the first proposer had voted at first."""
    one_family: bool | None
    """Whether the models that debated were of one family; None unless it was decided and several debated."""
    findings: int
    turns: int
    lost: int
    reviews: tuple[bool, ...]
    """For every directive that the chair looked at: whether it went through without change."""
    overrides: int = 0
    """How often people changed its course."""
    draft_lines: tuple[bool, ...] = ()
    """For every line of a synthesis that no person wrote and a person revised: whether it stands as it was."""
    later: Aftermath = NOTHING_KNOWN
    """What became of it."""
    leans_first: bool | None = None
    """Whether whoever judges it favoured the debater who stands first, and not the last one."""
    ended_at: str = ""
    seconds: float | None = None
    """From its opening to its end, in a room without waiting for people; None if it was taken at one instant."""
    stated: tuple[Stated, ...] = ()
    """What everybody held at its end."""
    asked_twice: tuple[AskedTwice, ...] = ()
    """Its verdicts that were asked in both orders."""
    baselines: tuple[BaselineRow, ...] = ()
    """What the same models said without it."""

    @property
    def is_single_call(self) -> bool:
        """True if it was no debate but one answer of one model."""
        return self.protocol == SINGLE_CALL


def facts(state: State, *, forecast_usd: str | None) -> Facts | None:
    """What this debate adds, and what its models were to cost; None while it goes on."""
    outcome = state.outcome
    if outcome is None:
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
        status=outcome.status,
        strengths=ratings(critique_rows(state)),
        low=_has_low_confidence(evaluation),
        uncertainties=len(evaluation.uncertainties) if evaluation else None,
        cost_usd=_fraction(spent_usd),
        forecast_usd=_fraction(forecast_usd),
        as_first=_as_first(state, decided),
        one_family=_one_family(state, decided),
        findings=len(findings(state)),
        turns=len(turns),
        lost=n_lost,
        reviews=steered.reviews,
        overrides=steered.acts,
        draft_lines=tuple(stands_as_drafted),
        later=aftermath(state),
        leans_first=leans_first(state),
        ended_at=state.closed_at,
        seconds=ceiling.elapsed_s(state, state.closed_at) or None,
        stated=stated(state),
        asked_twice=asked_twice(state),
        baselines=baseline_rows(state),
    )


def _last_evaluation(turns: Sequence[Turn]) -> Evaluation | None:
    for turn in reversed(turns):
        if isinstance(turn.content, Evaluation):
            return turn.content
    return None


def _has_low_confidence(evaluation: Evaluation | None) -> bool | None:
    if evaluation is None or evaluation.confidence_level is None:
        return None
    return evaluation.confidence_level == "LOW"


def _one_family(state: State, decided: str | None) -> bool | None:
    models = diversity(state.spec)
    if decided is None or models.n_seats < 2:
        return None
    return models.single_family


def _fraction(amount: str | None) -> Fraction | None:
    return None if amount is None else Fraction(amount)


def _as_first(state: State, decided: str | None) -> bool | None:
    """Unknown if nothing was decided, or the first debater's first turn stands for no option."""
    first, _at = first_answer(state)
    if decided is None or first is None:
        return None
    return first == decided
