"""Figures over many debates that are over, with the bars at which the sources say to look again.

Each figure says how many it rests on; from too few, or without what it would need, it is unknown and warns of nothing.
Knows no store.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeVar, assert_never

from debate_core.language import Words, _, _n, format_number, message
from debate_core.report.facts.aftermath import Aftermath, Held
from debate_core.report.facts.baselines import BaselineRow
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.health import ALERT_MEAN, REVIEW_BELOW
from debate_core.report.facts.judge_statistics import wilson
from debate_core.spec.literature import DEBATE_AGENT, DELIBERATION, HUMAN_GATE, ORCHESTRATION
from debate_core.spec.values import BaselineName

LEAST = 5
"""Our own cut: a share or mean of fewer says nothing."""
LEAST_LABELLED = 20
"""Fewer answers of which it is known whether they were right say nothing: the labelled set of the Debate Agent."""
SURE_PERCENT = 80
"""Our own cut for an answer that is sure of itself."""
NO_TASK = message("kind not said")
LEAST_REVIEWS = 20
"""Of fewer reviews the share of approvals is either 100 % or below the bar of 95 %."""
QUALIFY_MEAN, QUALIFY_CASES = Fraction(7), 20
"""Critics are relied on once so many known cases have a higher mean than this (Debate Agent)."""

V = TypeVar("V")
Unit = Literal["share", "number", "times"]
Worse = Literal["above", "below", "up to", "away from"]
_WORSE: Words[Worse] = Words({"above": "above", "below": "below", "up to": "up to", "away from": "away from"})


@dataclass(frozen=True, slots=True)
class MetricPart:
    """One figure of some of the debates: of one kind of decision, or of those that ended in one quarter."""

    label: str
    n: int
    value: Fraction | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure. `alert` is None where the value is unknown or the sources set no bar."""

    name: str
    title: str
    unit: Unit
    n: int
    """What the value rests on: debates, critiques or reviews, as the sentence says."""
    value: Fraction | None
    bar: Fraction | None
    worse: Worse
    """On which side of the bar it warns: `up to` on the bar too, `away from` where the interval leaves it out."""
    sentence: str
    source: str
    low: float | None = None
    """Of a share its interval of 95 % (Wilson); None where the value is unknown, or no share of independent cases."""
    high: float | None = None
    parts: tuple[MetricPart, ...] = ()
    """The same figure by kind of decision and by quarter, as far as there is anything to count."""

    @property
    def alert(self) -> bool | None:
        """True past the bar; on it is still fine, unless more than the bar is asked."""
        if self.value is None or self.bar is None:
            return None
        match self.worse:
            case "above":
                return self.value > self.bar
            case "below":
                return self.value < self.bar
            case "up to":
                return self.value <= self.bar
            case "away from":
                return self.low is not None and not self.interval_holds(self.bar)
            case _:
                assert_never(self.worse)

    def interval_holds(self, value: Fraction) -> bool:
        """True if there is an interval, and this value lies in it."""
        return self.low is not None and self.high is not None and self.low <= value <= self.high


def metrics(held: Sequence[Facts]) -> tuple[Metric, ...]:
    """Every figure there is, in a fixed order, each also for some of the debates."""
    held = with_answers_of_debates(held)
    by_group = {label: _figures(some) for label, some in _groups(held).items()}
    return tuple(replace(m, parts=_parts(m.name, by_group)) for m in _figures(held))


def _figures(held: Sequence[Facts]) -> tuple[Metric, ...]:
    debates = [one.later for one in held if not one.is_single_call]
    single_calls = [one.later for one in held if one.is_single_call]
    return (
        *_ends(held),
        *_critics(held),
        *_evaluations(held),
        _spending(held),
        *_agreement(held),
        _tilt(held),
        *_course(held),
        *_aftermaths(debates),
        _single_calls(single_calls),
        _confident_wrong([f.later for f in held]),
        *_without_debate(
            held,
            "single_call",
            (_("Decided as a single answer"), _("debates with a single answer beside them")),
            (_("Disagreements with a single answer"), _("settled disagreements with a single answer")),
        ),
        *_without_debate(
            held,
            "self_consistency",
            (_("Decided as a vote of single answers"), _("debates with a vote of single answers beside them")),
            (
                _("Disagreements with a vote of single answers"),
                _("settled disagreements with a vote of single answers"),
            ),
        ),
    )


def with_answers_of_debates(held: Sequence[Facts]) -> tuple[Facts, ...]:
    """What turned out right in the debates of a question is right for its single calls, unless they disagree."""
    right: dict[str, set[str]] = {}
    for one in held:
        if one.later.right is not None:
            right.setdefault(one.later.question, set()).add(one.later.right)

    def completed(one: Facts) -> Facts:
        known = right.get(one.later.question, set())
        if not one.is_single_call or one.later.right is not None or len(known) != 1:
            return one
        return replace(one, later=replace(one.later, right=next(iter(known))))

    return tuple(completed(one) for one in held)


def _groups(held: Sequence[Facts]) -> dict[str, list[Facts]]:
    """The debates of each kind of decision, then those that ended in each quarter; nothing where there is but one."""
    by_task: dict[str, list[Facts]] = {}
    by_quarter: dict[str, list[Facts]] = {}
    for one in held:
        by_task.setdefault(one.later.task or "", []).append(one)
        by_quarter.setdefault(one.later.quarter, []).append(one)
    tasks = {task or _(NO_TASK): by_task[task] for task in sorted(by_task, key=lambda task: (not task, task))}
    quarters = {quarter: by_quarter[quarter] for quarter in sorted(by_quarter)}
    groups: dict[str, list[Facts]] = {}
    for division in (tasks, quarters):
        if len(division) > 1:
            groups |= division
    return groups


def _parts(name: str, by_group: Mapping[str, Sequence[Metric]]) -> tuple[MetricPart, ...]:
    """What one figure is in each group that has anything for it."""
    parts = []
    for label, figures in by_group.items():
        for m in figures:
            if m.name == name and m.n:
                parts.append(MetricPart(label, m.n, m.value, m.low, m.high))
    return tuple(parts)


def _known(values: Iterable[V | None]) -> list[V]:
    return [value for value in values if value is not None]


def _ends(held: Sequence[Facts]) -> tuple[Metric, ...]:
    decided = [f.status == "decided" for f in held]
    handed_on = [f.status == "undecided" for f in held]
    return (
        _share("decided", _("Decided"), decided, _("debates"), _("were decided")),
        _share(
            "escalated", _("Left undecided"), handed_on, _("debates"), _("ended undecided, for somebody else to settle")
        ),
    )


def _critics(held: Sequence[Facts]) -> tuple[Metric, ...]:
    given = [s for f in held for s in f.strengths]
    weak = sum(s < REVIEW_BELOW for s in given)
    told = _n(
        len(given),
        "{weak} of {n} critique rated themselves below {review_below} of 10.",
        "{weak} of {n} critiques rated themselves below {review_below} of 10.",
        weak=weak,
        review_below=REVIEW_BELOW,
    )
    return (
        _mean(
            "strength",
            _("Strength of critiques"),
            given,
            _("rated critiques"),
            _("of 10"),
            DEBATE_AGENT,
            ALERT_MEAN,
            "below",
        ),
        Metric(
            name="very_weak",
            title=_("Critiques below {review_below}", review_below=REVIEW_BELOW),
            unit="number",
            n=len(given),
            value=Fraction(weak) if given else None,
            bar=Fraction(0),
            worse="above",
            sentence=told if given else _("Unknown: no critique rated itself."),
            source=DEBATE_AGENT,
        ),
        _qualification(held),
    )


def _qualification(held: Sequence[Facts]) -> Metric:
    """Whether critics hit hard enough to be relied on: more than 7 of 10 on average, over at least 20 known cases.

    A case is known once somebody has recorded which option was right.
    """
    rated = [f.strengths for f in held if f.strengths and f.later.right is not None]
    cases = [Fraction(sum(strengths), len(strengths)) for strengths in rated]
    n = len(cases)
    value = None
    told = _too_few(_("debates with a rated critique and a recorded right answer"), n, QUALIFY_CASES)
    if n >= QUALIFY_CASES:
        value = sum(cases, Fraction(0)) / n
        result = _("are qualified") if value > QUALIFY_MEAN else _("are not qualified")
        told = _(
            "The critics {verdict}: in {n_cases} known cases they rated themselves {mean:.1f} of 10 on average.",
            verdict=result,
            n_cases=n,
            mean=float(value),
        )
    return Metric(
        "qualification", _("Qualified critics"), "number", n, value, QUALIFY_MEAN, "up to", told, DEBATE_AGENT
    )


def _evaluations(held: Sequence[Facts]) -> tuple[Metric, ...]:
    low = _known(f.low for f in held)
    named = _known(f.uncertainties for f in held)
    what = _("evaluated debates")
    return (
        _share(
            "low_confidence",
            _("LOW confidence"),
            low,
            what,
            _("ended with LOW confidence"),
            DEBATE_AGENT,
            Fraction(3, 10),
        ),
        _uncertainties(held, _mean("uncertainties", _("Uncertainties named"), named, what, _("each"), DEBATE_AGENT)),
    )


def _uncertainties(held: Sequence[Facts], mean: Metric) -> Metric:
    """The mean, and how many debates are far from what is usual for their kind of decision."""
    by_task: dict[str, list[int]] = {}
    for one in held:
        if one.later.task is not None and one.uncertainties is not None:
            by_task.setdefault(one.later.task, []).append(one.uncertainties)
    usual = [named for named in by_task.values() if len(named) >= LEAST]
    far = sum(_far_from_usual(named) for named in usual)
    if mean.value is None or not usual:
        return mean
    told = _n(
        far,
        "{n} debate named far more or fewer than is usual for the kind of decision.",
        "{n} debates named far more or fewer than is usual for the kind of decision.",
    )
    return replace(mean, sentence=f"{mean.sentence} {told}")


def _far_from_usual(named: Sequence[int]) -> int:
    """How many of these numbers lie more than two standard deviations from their mean."""
    mean = Fraction(sum(named), len(named))
    variance = sum((number - mean) ** 2 for number in named) / len(named)
    return sum((number - mean) ** 2 > 4 * variance for number in named)


def _spending(held: Sequence[Facts]) -> Metric:
    known = [(f.cost_usd, f.forecast_usd) for f in held if f.cost_usd is not None and f.forecast_usd]
    n = len(known)
    value = None
    told = _(
        "Unknown: it needs at least {least} debates with a known cost and forecast; there {are}.",
        least=LEAST,
        are=_are(n),
    )
    if n >= LEAST:
        spent = sum((cost for cost, _ in known), Fraction(0))
        due = sum((forecast for _, forecast in known), Fraction(0))
        value = spent / due
        told = _n(
            n,
            "{n} debate cost {ratio:.2f} times what was forecast.",
            "{n} debates cost {ratio:.2f} times what was forecast.",
            ratio=float(value),
        )
    return Metric("cost", _("Cost against forecast"), "times", n, value, Fraction(3, 2), "above", told, DEBATE_AGENT)


def _agreement(held: Sequence[Facts]) -> tuple[Metric, ...]:
    first = _known(f.as_first for f in held)
    family = _known(f.one_family for f in held)
    reviews = [r for f in held for r in f.reviews]
    drafted = [kept for f in held for kept in f.draft_lines]
    return (
        _share(
            "as_first",
            _("Decided as first proposed"),
            first,
            _("decisions"),
            _("are what was proposed first"),
            DEBATE_AGENT,
        ),
        _share(
            "one_family",
            _("One family"),
            family,
            _("decisions of models"),
            _("came from a single family"),
            ORCHESTRATION,
        ),
        _share(
            "unchanged",
            _("Directives let through"),
            reviews,
            _("reviewed directives"),
            _("went through without change"),
            HUMAN_GATE,
            bar=Fraction(95, 100),
            least=LEAST_REVIEWS,
        ),
        _share(
            "draft_kept",
            _("Drafts kept by people"),
            drafted,
            _("lines of drafted syntheses"),
            _("stand as they were drafted"),
        ),
    )


def _tilt(held: Sequence[Facts]) -> Metric:
    """Whether judges and moderators favour a place: by chance the first debater is favoured as often as the last."""
    first = _known(f.leans_first for f in held)
    what = _("judged debates in which the first or the last debater was favoured")
    share = _share(
        "tilt", _("Judges for who stands first"), first, what, _("went to the first"), DEBATE_AGENT, Fraction(1, 2)
    )
    return replace(share, worse="away from")


def _course(held: Sequence[Facts]) -> tuple[Metric, ...]:
    turns = sum(f.turns for f in held)
    lost = sum(f.lost for f in held)
    overrides = sum(f.overrides for f in held)
    per_debate = [f.findings for f in held]
    told = _n(
        turns,
        "{lost} of {n} turn were lost: failed, cut, late, unreadable, refused or too weak.",
        "{lost} of {n} turns were lost: failed, cut, late, unreadable, refused or too weak.",
        lost=lost,
    )
    return (
        _mean("findings", _("Health findings"), per_debate, _("debates"), _("each"), ORCHESTRATION),
        Metric(
            name="lost_turns",
            title=_("Turns lost"),
            unit="share",
            n=turns,
            value=Fraction(lost, turns) if turns else None,
            bar=None,
            worse="above",
            sentence=told if turns else _("Unknown: no turn was held."),
            source="",
        ),
        _overrides(overrides, turns),
    )


def _overrides(acts: int, turns: int) -> Metric:
    """How often people steered, against the number of turns."""
    told = _(
        "People stepped in {times} over {turns}.",
        times=_n(acts, "{n} time", "{n} times"),
        turns=_n(turns, "{n} turn", "{n} turns"),
    )
    value = Fraction(acts, turns) if turns else None
    said = told if turns else _("Unknown: no turn was held.")
    return Metric("overrides", _("Override rate"), "share", turns, value, None, "above", said, "")


def _aftermaths(debates: Sequence[Aftermath]) -> tuple[Metric, ...]:
    """What became of the decisions, and how often the debate and its first proposal were right."""
    decisions = [d.was_right(d.decision) for d in debates]
    first_proposals = [d.was_right(d.first) for d in debates]
    return (
        _held(_known(d.result for d in debates)),
        _labelled("debate_right", _("Debates that were right"), _("decisions"), decisions),
        _labelled("first_right", _("First proposals that were right"), _("proposals"), first_proposals),
    )


def _held(results: Sequence[Held]) -> Metric:
    held = [result == "held" for result in results]
    words = _(
        "held; {revised} revised, {reversed} reversed",
        revised=results.count("revised"),
        reversed=results.count("reversed"),
    )
    return _share(
        "outcome_quality", _("Decisions that held"), held, _("decisions whose outcome is recorded"), words, DEBATE_AGENT
    )


def _single_calls(calls: Sequence[Aftermath]) -> Metric:
    right = [call.was_right(call.decision) for call in calls]
    return _labelled("single_right", _("Single calls that were right"), _("single calls"), right)


def _without_debate(
    held: Sequence[Facts], name: BaselineName, same: tuple[str, str], beat: tuple[str, str]
) -> tuple[Metric, ...]:
    """What the same models say without the debate: how often the same, and who was right where it was not.

    `same` and `beat` are title and cases. Where both were right or wrong nothing is said of their difference.
    """
    pairs = [(f.later, row) for f in held for row in f.baselines if row.name == name]
    agreed = _known(row.same for _later, row in pairs)
    won = _known(_won_by_debate(later, row) for later, row in pairs)
    wins = _share(f"beats_{name}", beat[0], won, beat[1], _("went to the debate"), DEBATE_AGENT)
    if wins.interval_holds(Fraction(1, 2)):
        wins = replace(wins, sentence=_("{said} Which is right more often cannot be told yet.", said=wins.sentence))
    return _share(f"same_{name}", same[0], agreed, same[1], _("decided the same"), DEBATE_AGENT), wins


def _won_by_debate(later: Aftermath, row: BaselineRow) -> bool | None:
    """Whether the debate alone was right; None where both were or neither was, or it is not known."""
    debate_was_right = later.was_right(row.debate_answer)
    other_was_right = later.was_right(row.answer)
    if debate_was_right is None or other_was_right is None or debate_was_right == other_was_right:
        return None
    return debate_was_right


def _labelled(name: str, title: str, what: str, known: Sequence[bool | None]) -> Metric:
    """A share of answers of which it is known what turned out right."""
    hits = _known(known)
    rest_on = _("{what} whose right answer is recorded", what=what)
    return _share(name, title, hits, rest_on, _("were right"), DEBATE_AGENT, least=LEAST_LABELLED)


def _confident_wrong(answers: Sequence[Aftermath]) -> Metric:
    """First answers that were sure of themselves and wrong, among all that said how sure they were."""
    hits = []
    for answer in answers:
        was_right = answer.was_right(answer.first)
        if was_right is not None and answer.first_confidence is not None:
            hits.append(not was_right and answer.first_confidence >= SURE_PERCENT)
    return _share(
        "confident_wrong",
        _("Confident and wrong"),
        hits,
        _("first answers with a confidence and a recorded right answer"),
        _("were at least {sure_percent}% sure and wrong", sure_percent=SURE_PERCENT),
        DELIBERATION,
        Fraction(15, 100),
        LEAST_LABELLED,
    )


def _share(
    name: str,
    title: str,
    hits: Sequence[bool],
    what: str,
    words: str,
    source: str = "",
    bar: Fraction | None = None,
    least: int = LEAST,
) -> Metric:
    n = len(hits)
    if n < least:
        return Metric(name, title, "share", n, None, bar, "above", _too_few(what, n, least), source)
    value = Fraction(sum(hits), n)
    low, high = wilson(sum(hits), n)
    told = _(
        "{hits} of {total} {what} ({share:.0%}) {result}.",
        hits=sum(hits),
        total=n,
        what=what,
        share=float(value),
        result=words,
    )
    return Metric(name, title, "share", n, value, bar, "above", told, source, low, high)


def _mean(
    name: str,
    title: str,
    numbers: Sequence[int],
    what: str,
    words: str,
    source: str = "",
    bar: Fraction | None = None,
    worse: Worse = "above",
) -> Metric:
    n = len(numbers)
    value = None
    told = _too_few(what, n, LEAST)
    if n >= LEAST:
        value = Fraction(sum(numbers), n)
        told = _("{mean:.1f} {unit} on average over {total} {what}.", mean=float(value), unit=words, total=n, what=what)
    return Metric(name, title, "number", n, value, bar, worse, told, source)


def _too_few(what: str, n: int, least: int) -> str:
    return _("Unknown: it needs at least {least} {what}; there {are}.", least=least, what=what, are=_are(n))


def _are(n: int) -> str:
    return _("is 1") if n == 1 else _("are {number}", number=n or _("none"))


def number_words(unit: Unit, value: Fraction | None) -> str:
    """`60%`, `6.5`, `1.50 times`; `unknown` for None."""
    if value is None:
        return _("unknown")
    match unit:
        case "share":
            return format_number(float(value), ".0%")
        case "number":
            return str(value.numerator) if value.denominator == 1 else format_number(float(value), ".1f")
        case "times":
            return _("{number:.2f} times", number=float(value))
        case _:
            assert_never(unit)


def bar_words(metric: Metric) -> str:
    """`above 95%`: where it warns; empty if the sources set no bar."""
    if metric.bar is None:
        return ""
    return f"{_WORSE[metric.worse]} {number_words(metric.unit, metric.bar)}"


def interval_words(figure: Metric | MetricPart) -> str:
    """`35% to 88%`; empty where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    return _("{low:.0%} to {high:.0%}", low=figure.low, high=figure.high)
