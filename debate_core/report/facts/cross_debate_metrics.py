"""Figures over many finished debates, with the alert levels of the sources.

Each figure has its number of cases; with too few cases or missing data it is unknown and raises no alert. Knows no
store.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeVar, assert_never

from debate_core.language import Words, _, _n, format_number, message
from debate_core.report.facts.baselines import BaselineRow
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.decision_outcomes import Aftermath
from debate_core.report.facts.health import ALERT_MEAN, REVIEW_BELOW
from debate_core.report.facts.judge_statistics import wilson
from debate_core.spec.literature import DEBATE_AGENT, DELIBERATION, HUMAN_GATE, ORCHESTRATION
from debate_core.spec.values import BaselineName

LEAST = 5
"""Our own cut: minimum number of cases for a share or mean."""
LEAST_LABELLED = 20
"""Minimum number of answers with a known outcome: the labelled set of the Debate Agent."""
SURE_PERCENT = 80
"""Our own cut for a confident answer."""
NO_TASK = message("kind not said")
LEAST_REVIEWS = 20
"""With fewer reviews the share of approvals is either 100 % or below the alert level of 95 %."""
QUALIFY_MEAN, QUALIFY_CASES = Fraction(7), 20
"""Minimum mean and minimum number of known cases for qualified critics (Debate Agent)."""

V = TypeVar("V")
Unit = Literal["share", "number", "times"]
Worse = Literal["above", "below", "up to", "away from"]
_WORSE: Words[Worse] = Words({"above": "above", "below": "below", "up to": "up to", "away from": "away from"})


@dataclass(frozen=True, slots=True)
class MetricPart:
    """One figure for one kind of decision, or for one quarter."""

    label: str
    n: int
    value: Fraction | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure. `alert` is None if the value is unknown or the sources set no bar."""

    name: str
    title: str
    unit: Unit
    n: int
    """Number of cases: debates, critiques or reviews, as the sentence says."""
    value: Fraction | None
    bar: Fraction | None
    worse: Worse
    """Side of the bar that raises an alert: `up to` includes the bar, `away from` = the interval excludes it."""
    sentence: str
    source: str
    low: float | None = None
    """Wilson's 95 % interval of a share; None if unknown, or if the cases are not independent."""
    high: float | None = None
    parts: tuple[MetricPart, ...] = ()
    """The figure by kind of decision and by quarter, if it has any cases there."""

    @property
    def alert(self) -> bool | None:
        """True beyond the bar; on the bar only for `up to`."""
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
        """True if there is an interval, and it contains this value."""
        return self.low is not None and self.high is not None and self.low <= value <= self.high


def metrics(held: Sequence[Facts]) -> tuple[Metric, ...]:
    """All figures, in a fixed order, each with its parts."""
    held = with_answers_of_debates(held)
    by_group = {label: _figures(some) for label, some in _groups(held).items()}
    return tuple(replace(m, parts=_parts(m.name, by_group)) for m in _figures(held))


def _figures(held: Sequence[Facts]) -> tuple[Metric, ...]:
    debates = [one.later for one in held if not one.is_single_call]
    single_calls = [one.later for one in held if one.is_single_call]
    right_calls = [call.was_right(call.decision) for call in single_calls]
    return (
        *_ends(held),
        *_critics(held),
        *_evaluations(held),
        _spending(held),
        *_agreement(held),
        _tilt(held),
        *_course(held),
        *_aftermaths(debates),
        _labelled("single_right", _("Single calls that were right"), _("single calls"), right_calls),
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
        *_without_debate(
            held,
            "supervised_answer",
            (_("Decided as a supervised answer"), _("debates with a supervised answer beside them")),
            (
                _("Disagreements with a supervised answer"),
                _("settled disagreements with a supervised answer"),
            ),
        ),
    )


def with_answers_of_debates(held: Sequence[Facts]) -> tuple[Facts, ...]:
    """Copy the known right answer of a question's debates to its single calls, unless the debates disagree."""
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
    """Debates by kind of decision, then by quarter; a division with a single group is left out."""
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
    """Parts of one figure, for groups with at least one case."""
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
    undecided = [f.status == "undecided" for f in held]
    return (
        _share("decided", _("Decided"), decided, _("debates"), _("were decided")),
        _share("escalated", _("Left undecided"), undecided, _("debates"), _("ended undecided")),
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
    title, cases = _("Strength of critiques"), _("rated critiques")
    very_weak = Metric(
        name="very_weak",
        title=_("Critiques below {review_below}", review_below=REVIEW_BELOW),
        unit="number",
        n=len(given),
        value=Fraction(weak) if given else None,
        bar=Fraction(0),
        worse="above",
        sentence=told if given else _("Unknown: no critique rated itself."),
        source=DEBATE_AGENT,
    )
    mean = _mean("strength", title, given, cases, _("of 10"), DEBATE_AGENT, ALERT_MEAN, "below")
    return mean, very_weak, _qualification(held)


def _qualification(held: Sequence[Facts]) -> Metric:
    """Qualified critics: mean self-rating above 7 of 10 over at least 20 cases with a known outcome."""
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
    what, title, words = _("evaluated debates"), _("LOW confidence"), _("ended with LOW confidence")
    return (
        _share("low_confidence", title, low, what, words, DEBATE_AGENT, Fraction(3, 10)),
        _uncertainties(held, _mean("uncertainties", _("Uncertainties named"), named, what, _("each"), DEBATE_AGENT)),
    )


def _uncertainties(held: Sequence[Facts], mean: Metric) -> Metric:
    """Add the number of debates that are far from the usual number for their kind of decision."""
    by_task: dict[str, list[int]] = {}
    for one in held:
        if one.later.task is not None and one.uncertainties is not None:
            by_task.setdefault(one.later.task, []).append(one.uncertainties)
    usual = [named for named in by_task.values() if len(named) >= LEAST]
    far = sum(map(_far_from_usual, usual))
    if mean.value is None or not usual:
        return mean
    told = _n(
        far,
        "{n} debate named far more or fewer than is usual for the kind of decision.",
        "{n} debates named far more or fewer than is usual for the kind of decision.",
    )
    return replace(mean, sentence=f"{mean.sentence} {told}")


def _far_from_usual(numbers: Sequence[int]) -> int:
    """Count the numbers that differ from the mean by more than two standard deviations."""
    mean = Fraction(sum(numbers), len(numbers))
    squares = [(number - mean) ** 2 for number in numbers]
    variance = sum(squares) / len(numbers)
    return sum(square > 4 * variance for square in squares)


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
            "{n} debate cost {ratio:.2f} times the forecast.",
            "{n} debates cost {ratio:.2f} times the forecast.",
            ratio=float(value),
        )
    return Metric("cost", _("Cost against forecast"), "times", n, value, Fraction(3, 2), "above", told, DEBATE_AGENT)


def _agreement(held: Sequence[Facts]) -> tuple[Metric, ...]:
    first = _known(f.as_first for f in held)
    family = _known(f.one_family for f in held)
    reviews = [r for f in held for r in f.reviews]
    drafted = [kept for f in held for kept in f.draft_lines]
    as_first = _("Decided as first proposed"), first, _("decisions"), _("match the first proposal")
    one_family = _("One family"), family, _("decisions of models"), _("came from a single family")
    unchanged = _("Directives let through"), reviews, _("reviewed directives"), _("went through without change")
    kept = _("Drafts kept by people"), drafted, _("lines of drafted syntheses"), _("were kept as drafted")
    return (
        _share("as_first", *as_first, DEBATE_AGENT),
        _share("one_family", *one_family, ORCHESTRATION),
        _share("unchanged", *unchanged, HUMAN_GATE, Fraction(95, 100), LEAST_REVIEWS),
        _share("draft_kept", *kept),
    )


def _tilt(held: Sequence[Facts]) -> Metric:
    """Position bias of judges: without bias the first debater is favoured as often as the last."""
    first = _known(f.leans_first for f in held)
    what = _("judged debates in which the first or the last debater was favoured")
    title = _("Judges favouring the first debater")
    share = _share("tilt", title, first, what, _("went to the first"), DEBATE_AGENT, Fraction(1, 2))
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
    stepped_in = _(
        "People changed the course {times} over {turns}: by striking, skipping or correcting a turn, speaking to all "
        "seats, taking a seat, or changing the end.",
        times=_n(overrides, "{n} time", "{n} times"),
        turns=_n(turns, "{n} turn", "{n} turns"),
    )
    if not turns:
        told = stepped_in = _("Unknown: no turn was held.")
    share_lost = Fraction(lost, turns) if turns else None
    override_rate = Fraction(overrides, turns) if turns else None
    return (
        _mean("findings", _("Health findings"), per_debate, _("debates"), _("each"), ORCHESTRATION),
        Metric("lost_turns", _("Turns lost"), "share", turns, share_lost, None, "above", told, ""),
        Metric("overrides", _("Interventions by people"), "share", turns, override_rate, None, "above", stepped_in, ""),
    )


def _aftermaths(debates: Sequence[Aftermath]) -> tuple[Metric, ...]:
    """Decisions that held, and the accuracy of debates and of first proposals."""
    decisions = [d.was_right(d.decision) for d in debates]
    first_proposals = [d.was_right(d.first) for d in debates]
    results = _known(d.result for d in debates)
    held = [result == "held" for result in results]
    revised, was_reversed = results.count("revised"), results.count("reversed")
    words = _("held; {revised} revised, {reversed} reversed", revised=revised, reversed=was_reversed)
    cases = _("decisions whose outcome is recorded")
    return (
        _share("outcome_quality", _("Decisions that held"), held, cases, words, DEBATE_AGENT),
        _labelled("debate_right", _("Debates that were right"), _("decisions"), decisions),
        _labelled("first_right", _("First proposals that were right"), _("proposals"), first_proposals),
    )


def _without_debate(
    held: Sequence[Facts], name: BaselineName, same: tuple[str, str], beat: tuple[str, str]
) -> tuple[Metric, ...]:
    """Baseline figures: the share of equal answers, and the share of disagreements that the debate won.

    `same` and `beat` are title and cases.
    """
    pairs = [(f.later, row) for f in held for row in f.baselines if row.name == name]
    agreed = _known(row.same for _later, row in pairs)
    won = _known(_won_by_debate(later, row) for later, row in pairs)
    wins = _share(f"beats_{name}", beat[0], won, beat[1], _("went to the debate"), DEBATE_AGENT)
    if wins.interval_holds(Fraction(1, 2)):
        wins = replace(wins, sentence=_("{said} It is not clear yet which is right more often.", said=wins.sentence))
    return _share(f"same_{name}", same[0], agreed, same[1], _("decided the same"), DEBATE_AGENT), wins


def _won_by_debate(later: Aftermath, row: BaselineRow) -> bool | None:
    """True if only the debate was right, False if only the baseline was; None otherwise."""
    debate_was_right = later.was_right(row.debate_answer)
    other_was_right = later.was_right(row.answer)
    if debate_was_right is None or other_was_right is None or debate_was_right == other_was_right:
        return None
    return debate_was_right


def _labelled(name: str, title: str, what: str, known: Sequence[bool | None]) -> Metric:
    """Share of right answers, among those with a known outcome."""
    hits = _known(known)
    rest_on = _("{what} whose right answer is recorded", what=what)
    return _share(name, title, hits, rest_on, _("were right"), DEBATE_AGENT, least=LEAST_LABELLED)


def _confident_wrong(answers: Sequence[Aftermath]) -> Metric:
    """Confident and wrong first answers, among all with a stated confidence."""
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
        _("were at least {sure_percent} % sure and wrong", sure_percent=SURE_PERCENT),
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
        "{hits} of {total} {what} ({share:.0f} %) {result}.",
        hits=sum(hits),
        total=n,
        what=what,
        share=100 * float(value),
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
    """`60 %`, `6.5`, `1.50 times`; `unknown` for None."""
    if value is None:
        return _("unknown")
    match unit:
        case "share":
            return f"{100 * float(value):.0f} %"
        case "number":
            return str(value.numerator) if value.denominator == 1 else format_number(float(value), ".1f")
        case "times":
            return _("{number:.2f} times", number=float(value))
        case _:
            assert_never(unit)


def range_words(figure: Metric) -> str:
    """`38 to 96 %`: the interval of a share; empty without one."""
    if figure.low is None or figure.high is None:
        return ""
    return _("{low:.0f} to {high:.0f} %", low=100 * figure.low, high=100 * figure.high)


def bar_words(metric: Metric) -> str:
    """Alert range, such as `above 95 %`; empty without a bar."""
    if metric.bar is None:
        return ""
    return f"{_WORSE[metric.worse]} {number_words(metric.unit, metric.bar)}"


def value_words(unit: Unit, figure: Metric | MetricPart) -> str:
    """The value, with the interval of a share: `60 % (35 to 88)`."""
    value = number_words(unit, figure.value)
    if figure.low is None or figure.high is None:
        return value
    return _("{value} ({low:.0f} to {high:.0f})", value=value, low=100 * figure.low, high=100 * figure.high)
