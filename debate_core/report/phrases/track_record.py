"""The track record in sentences: its data, excluded debates, and the data that unknown figures need.

A part with too few cases has one sentence in place of a row of dashes.
"""

from collections.abc import Iterable, Iterator, Sequence

from debate_core.language import Words, _, _n, format_number, spoken_list
from debate_core.report.facts.ballot_moves import Moves
from debate_core.report.facts.calibration import LEAST_TO_FIT, read_with
from debate_core.report.facts.cross_debate_metrics import LEAST, NO_TASK
from debate_core.report.facts.forecasts import StatedBy
from debate_core.report.facts.joint_errors import LEAST_DEBATES, JointErrors
from debate_core.report.facts.judge_statistics import band
from debate_core.report.facts.track_record import (
    Estimate,
    Hint,
    IntervalMethod,
    OrderAudit,
    PeopleAndModels,
    ScoredAs,
    Scores,
    TaskRow,
    TrackRecord,
    Uncounted,
)
from debate_core.report.phrases.limits import HOUR_S, MAX_MINUTES, MINUTE_S
from debate_core.text import line

METHODS: Words[IntervalMethod] = Words(
    {
        "Wilson": "Shares: Wilson's interval",
        "Student": "Means: Student's interval",
        "jackknife": "Agreement: jackknife, leaving out one debate at a time",
    }
)
BY: Words[StatedBy] = Words({"person": "person", "model": "model", "program": "program"})
_GROUPS: Words[ScoredAs] = Words(
    {"judge": "", "people": "All people together", "models": "All models together", "seat": "", "debater": ""}
)
SAID_PERCENT = (60, 70, 80, 90, 95)
"""Stated probabilities of a favourite of two options, for the table of the hint."""
DIGITS = 3
TEN_CENTS = 0.1


def basis_sentences(record: TrackRecord, left_out: Uncounted) -> tuple[str, ...]:
    """Number of debates with a known outcome, then the excluded debates."""
    known = _n(
        record.debates,
        "Outcome known for {known} of {n} debate.",
        "Outcome known for {known} of {n} debates.",
        known=record.known,
    )
    unnamed = _n(
        record.unnamed,
        "{n} decision was reversed without naming the right option: it says nothing about a judge.",
        "{n} decisions were reversed without naming the right option: they say nothing about a judge.",
    )
    return (known, *([unnamed] if record.unnamed else []), *left_out_sentences(left_out))


def left_out_sentences(left_out: Uncounted) -> tuple[str, ...]:
    """Number of excluded debates, one sentence for each reason."""
    rehearsals = _n(left_out.rehearsals, "{n} rehearsal is left out.", "{n} rehearsals are left out.")
    unknown = _n(
        left_out.origin_unknown,
        "{n} debate from a file of unknown origin is left out.",
        "{n} debates from files of unknown origin are left out.",
    )
    judged = _n(
        left_out.still_judged,
        "{n} debate that is still being judged is left out.",
        "{n} debates that are still being judged are left out.",
    )
    transcripts = _n(
        left_out.held_elsewhere,
        "{n} record of a transcript is left out.",
        "{n} records of transcripts are left out.",
    )
    reasons = (
        (left_out.rehearsals, rehearsals),
        (left_out.origin_unknown, unknown),
        (left_out.still_judged, judged),
        (left_out.held_elsewhere, transcripts),
    )
    return tuple(sentence for number, sentence in reasons if number)


def need_sentences(record: TrackRecord) -> tuple[str, ...]:
    """Data that each unknown part needs, one sentence for each part, also for parts without any data."""
    sentences = []
    for needs, found in (*_needs_of_outcomes(record), *_needs_of_judges(record), *_needs_of_debates(record)):
        there = _n(found, "there is 1", "there are {n}") if found else _("there are none")
        sentences.append(_("{needs}; {there}.", needs=needs, there=there))
    return tuple(sentences)


def _needs_of_outcomes(record: TrackRecord) -> Iterator[tuple[str, int]]:
    """Each unmet need of known outcomes, and the number of cases."""
    judges = _rows_of(record, "judge")
    of_a_judge = _max(row.n for row in judges)
    if of_a_judge < LEAST:
        needs = _("Scores and calibration of a judge need {least} decisions with a known outcome", least=LEAST)
        yield needs, of_a_judge
    of_a_seat = _max(row.n for row in _rows_of(record, "seat"))
    if of_a_seat < LEAST:
        yield _("Scores of a seat need {least} decisions with a known outcome", least=LEAST), of_a_seat
    has_hint = any(row.hint for row in record.scores)
    if not has_hint:
        needs = _("A hint on a judge's confidence needs {least} decisions with a known outcome", least=LEAST_TO_FIT)
        yield needs, _max(row.n_sure for row in judges)


def _rows_of(record: TrackRecord, group: ScoredAs) -> list[Scores]:
    return [row for row in record.scores if row.group == group]


def _needs_of_judges(record: TrackRecord) -> Iterator[tuple[str, int]]:
    """Each unmet need of judgements, with or without an outcome, and the number of cases."""
    in_both_orders = _max(row.n for row in record.orders)
    if in_both_orders < LEAST:
        yield _("Order effects need {least} verdicts of one judge in both orders", least=LEAST), in_both_orders
    joint = record.joint_errors
    if joint.debates < LEAST_DEBATES:
        needs = _(
            "The effective number of independent voters needs {least} debates with a known outcome and two votes of "
            "models",
            least=LEAST_DEBATES,
        )
        yield needs, joint.debates
    if record.together.same is None:
        needs = _("Agreement of people and models needs {least} debates that both judged", least=LEAST)
        yield needs, record.together.n


def _needs_of_debates(record: TrackRecord) -> Iterator[tuple[str, int]]:
    """Each unmet need of other data, and the number of cases."""
    if not record.spending:
        needs = _("Cost and time need {least} debates of one kind of decision", least=LEAST)
        yield needs, _max(row.n for row in record.tasks)
    if all(row.strength is None for row in record.strength):
        needs = _(
            "The strength of critiques over time needs {least} debates with rated critiques in a quarter", least=LEAST
        )
        yield needs, _max(row.n for row in record.strength)


def _max(cases: Iterable[int]) -> int:
    return max(cases, default=0)


def too_few_sentence(rows: Sequence[Scores]) -> str:
    """Names with too few decisions for a row; empty if there are none, or if all have too few."""
    few = _names_with_few(rows)
    if len(few) in (0, len(rows)):
        return ""
    return _("A row needs {least} decisions: {few}.", least=LEAST, few=spoken_list(few))


def practice_few_sentence(rows: Sequence[Scores]) -> str:
    """Names with too few practice debates for a row; empty if there are none."""
    few = _names_with_few(rows)
    return _("A row needs {least} practice debates: {few}.", least=LEAST, few=spoken_list(few)) if few else ""


def _names_with_few(rows: Sequence[Scores]) -> list[str]:
    return [_("{who} has {n}", who=line(row.who), n=row.n) for row in rows if row.n < LEAST]


def who_words(row: Scores) -> str:
    """Name of the judge, seat or group on one line."""
    return line(row.who) or _GROUPS[row.group]


def percent_words(found: Estimate | None) -> str:
    """`66 % (51 to 78)`; empty for None."""
    if found is None:
        return ""
    if found.low is None or found.high is None:
        return f"{100 * found.value:.0f} %"
    return _(
        "{value:.0f} % ({low:.0f} to {high:.0f})", value=100 * found.value, low=100 * found.low, high=100 * found.high
    )


def points_words(found: Estimate | None) -> str:
    """`10 points (-4 to 24)`; empty for None."""
    if found is None or found.low is None or found.high is None:
        return ""
    return _(
        "{value:.0f} points ({low:.0f} to {high:.0f})",
        value=100 * found.value,
        low=100 * found.low,
        high=100 * found.high,
    )


def number_with_interval(found: Estimate | None, digits: int = DIGITS) -> str:
    """`0.162 (0.121 to 0.203)`; empty for None."""
    if found is None:
        return ""
    spec = f".{digits}f"
    value = format_number(found.value, spec)
    if found.low is None or found.high is None:
        return value
    low = format_number(found.low, spec)
    high = format_number(found.high, spec)
    return _("{value} ({low} to {high})", value=value, low=low, high=high)


def usd_digits(usd: float) -> int:
    """Decimals of a measured cost: cents, a tenth of a cent for cheap debates."""
    return 2 if usd >= TEN_CENTS else DIGITS


def about_usd_words(usd: float) -> str:
    """`1.38 USD`, `0.004 USD`."""
    return _("{amount} USD", amount=format_number(usd, f".{usd_digits(usd)}f"))


def time_words(seconds: Estimate | None) -> str:
    """`4.4 min (2.1 to 6.7)`, `2.1 h (1.5 to 2.7)`, `under 1 min`; empty for None."""
    if seconds is None:
        return ""
    if seconds.value < MINUTE_S:
        return _("under 1 min")
    length, unit = (MINUTE_S, "min") if seconds.value < MAX_MINUTES * MINUTE_S else (HOUR_S, "h")
    if seconds.low is None or seconds.high is None:
        return _("{value:.1f} {unit}", value=seconds.value / length, unit=unit)
    return _(
        "{value:.1f} {unit} ({low:.1f} to {high:.1f})",
        value=seconds.value / length,
        unit=unit,
        low=seconds.low / length,
        high=seconds.high / length,
    )


def task_words(row: TaskRow) -> str:
    """The kind of decision."""
    return row.task or _(NO_TASK)


def calibration_sentence(row: Scores) -> str:
    """Stated confidence against the share of right verdicts; empty if unknown."""
    found = row.too_sure
    if found is None or found.low is None or found.high is None:
        return ""
    who, low, high = who_words(row), 100 * found.low, 100 * found.high
    if low > 0:
        return _("{who} is too sure: by {low:.0f} to {high:.0f} points.", who=who, low=low, high=high)
    if high < 0:
        return _("{who} is too unsure: by {low:.0f} to {high:.0f} points.", who=who, low=-high, high=-low)
    return _(
        "So far {who} is neither clearly too sure nor clearly too unsure: at most {low:.0f} points too unsure, at most "
        "{high:.0f} points too sure.",
        who=who,
        low=-low,
        high=high,
    )


def hint_sentence(row: Scores, hint: Hint) -> str:
    """Recalibrated reading of a judge's probabilities, as a hint; the stated probability is never changed."""
    read = read_with(hint.slope.value, {"favourite": 0.9, "other": 0.1})["favourite"]
    suggestion = _(
        "When {who} gives one of two options 90 %, the record suggests {read:.0f} % (slope {slope:.2f}, likelihood "
        "interval {low:.2f} to {high:.2f}, from {n} judgements). This hint is never applied automatically.",
        who=who_words(row),
        read=100 * read,
        slope=hint.slope.value,
        low=hint.slope.low,
        high=hint.slope.high,
        n=hint.slope.n,
    )
    return f"{suggestion} {_test_sentence(hint)}"


def _test_sentence(hint: Hint) -> str:
    gain = hint.gain
    if gain is None or hint.as_said is None or hint.as_read is None:
        return _("A test of the hint needs {least} later judgements.", least=LEAST)
    span = number_with_interval(gain)
    if gain.low is not None and gain.low > 0:
        return _(
            "Fitted on earlier judgements only, it lowered the Brier score of {n} later ones from {said:.3f} to "
            "{read:.3f}; gain {span}.",
            n=gain.n,
            said=hint.as_said,
            read=hint.as_read,
            span=span,
        )
    return _(
        "It is not clear yet whether the hint helps: fitted on earlier judgements only, the Brier score of {n} later "
        "ones is {said:.3f} without and {read:.3f} with the hint; gain {span}.",
        n=gain.n,
        said=hint.as_said,
        read=hint.as_read,
        span=span,
    )


def order_sentence(row: OrderAudit) -> str:
    """Share of verdicts that change with the order of the options, and their margin; empty for too few."""
    if row.flips is None:
        return ""
    flips = _(
        "{who} named another option in the other order in {flips} of {n} debates.",
        who=line(row.who),
        flips=percent_words(row.flips),
        n=row.n,
    )
    if row.mean_margin is None:
        return flips
    margin = _("Its verdicts led by {margin:.0f} points on average.", margin=100 * row.mean_margin)
    return f"{flips} {margin}"


def together_sentence(found: PeopleAndModels) -> str:
    """Agreement of people and models on the favoured option; empty for too few debates."""
    if found.same is None:
        return ""
    same = _(
        "People and models favoured the same option in {same} of {n} debates that both judged.",
        same=percent_words(found.same),
        n=found.n,
    )
    if found.alpha is None:
        return same
    return f"{same} {_alpha_sentence(found.alpha)}"


def _alpha_sentence(alpha: Estimate) -> str:
    """Agreement by Krippendorff's alpha; an interval with 0 is compatible with chance."""
    figure = number_with_interval(alpha, 2)
    low = alpha.value if alpha.low is None else alpha.low
    high = alpha.value if alpha.high is None else alpha.high
    if low <= 0 <= high:
        return _("Chance alone could agree as much (Krippendorff's alpha {alpha}).", alpha=figure)
    if high < 0:
        return _("They disagree more than by chance (Krippendorff's alpha {alpha}).", alpha=figure)
    return _("They {agree} (Krippendorff's alpha {alpha}).", agree=_(band(alpha.value)), alpha=figure)


def joint_errors_sentence(found: JointErrors) -> str:
    """Independent voters that models are worth who voted together; empty if that is unknown."""
    if found.correlation is None or found.effective is None:
        return ""
    worth = _(
        "With a correlation of {correlation} between the errors of models that voted together, over {n} debates, "
        "{voters} votes count like {effective} independent ones.",
        correlation=format_number(found.correlation, ".2f"),
        n=found.debates,
        voters=found.voters,
        effective=format_number(found.effective, ".1f"),
    )
    if not found.both_wrong:
        return worth
    same = _n(
        found.both_wrong,
        "Where two were wrong, they named the same option in {same} of {n} pair.",
        "Where two were wrong, they named the same option in {same} of {n} pairs.",
        same=found.same_wrong,
    )
    return f"{worth} {same}"


def moves_sentence(moves: Moves) -> str:
    """Moves from the first to the last ballot where the right option is known; empty without such ballots."""
    if not moves.debaters:
        return ""
    return _n(
        moves.debaters,
        "Of {n} debater with two votes and a known right option: {corrected} moved to it, {talked_out} away from it, "
        "{elsewhere} between wrong options.",
        "Of {n} debaters with two votes and a known right option: {corrected} moved to it, {talked_out} away from it, "
        "{elsewhere} between wrong options.",
        corrected=moves.corrected,
        talked_out=moves.talked_out,
        elsewhere=moves.elsewhere,
    )
