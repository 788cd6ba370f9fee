"""The track record in sentences: what it rests on, what is left out, what each figure that is unknown would need.

One sentence for each part with too few cases, in place of a row of dashes.
"""

from collections.abc import Iterable, Iterator, Sequence

from debate_core.language import Words, _, _n, format_number, spoken_list
from debate_core.report.facts.calibration import LEAST_TO_FIT, read_with
from debate_core.report.facts.judge_statistics import band
from debate_core.report.facts.over_debates import LEAST, NO_TASK
from debate_core.report.facts.stated import StatedBy
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
from debate_core.text import line

METHODS: Words[IntervalMethod] = Words(
    {
        "Wilson": "Wilson's interval of 95 %, one case a debate",
        "Student": "Student's interval of 95 % for a mean, one case a debate",
        "jackknife": "jackknife interval of 95 %, leaving out one debate at a time",
    }
)
BY: Words[StatedBy] = Words({"person": "person", "model": "model", "program": "program"})
_GROUPS: Words[ScoredAs] = Words(
    {"judge": "", "people": "All people together", "models": "All models together", "seat": "", "debater": ""}
)
SAID_PERCENT = (60, 70, 80, 90, 95)
"""What a judge may say of their favourite of two options, for the table of the hint."""
DIGITS = 3


def basis_sentences(record: TrackRecord, left_out: Uncounted) -> tuple[str, ...]:
    """What the track record rests on, and what is left out."""
    return (*_basis(record), *left_out_sentences(left_out))


def _basis(record: TrackRecord) -> Iterator[str]:
    yield _n(
        record.debates,
        "Outcome known for {known} of {n} debate.",
        "Outcome known for {known} of {n} debates.",
        known=record.known,
    )
    if record.unnamed:
        yield _n(
            record.unnamed,
            "{n} decision was reversed without a word on which option was right: it says nothing of a judge.",
            "{n} decisions were reversed without a word on which option was right: they say nothing of a judge.",
        )


def left_out_sentences(left_out: Uncounted) -> tuple[str, ...]:
    """How many debates are not counted, a sentence for each reason."""
    rehearsals = _n(left_out.rehearsals, "{n} rehearsal is left out.", "{n} rehearsals are left out.")
    unknown = _n(
        left_out.origin_unknown,
        "{n} debate from a file of unknown origin is left out.",
        "{n} debates from files of unknown origin are left out.",
    )
    judged = _n(
        left_out.still_judged,
        "{n} debate that somebody still judges is left out.",
        "{n} debates that somebody still judges are left out.",
    )
    told = ((left_out.rehearsals, rehearsals), (left_out.origin_unknown, unknown), (left_out.still_judged, judged))
    return tuple(sentence for number, sentence in told if number)


def need_sentences(record: TrackRecord) -> tuple[str, ...]:
    """What is needed for each part of which nothing can be told yet; a part that nobody took up is told too."""
    return tuple(_needs(record))


def _needs(record: TrackRecord) -> Iterator[str]:
    judges = [row for row in record.scores if row.group == "judge"]
    of_a_judge = _most(row.n for row in judges)
    if of_a_judge < LEAST:
        yield _(
            "The scores and the calibration of a judge need {least} decisions whose outcome is known; {there}.",
            least=LEAST,
            there=_there(of_a_judge),
        )
    of_a_seat = _most(row.n for row in record.scores if row.group == "seat")
    if of_a_seat < LEAST:
        yield _(
            "The scores of a seat need {least} decisions whose outcome is known; {there}.",
            least=LEAST,
            there=_there(of_a_seat),
        )
    has_hint = any(row.hint for row in record.scores)
    if not has_hint:
        yield _(
            "A hint on how sure a judge may really be needs {least} decisions whose outcome is known; {there}.",
            least=LEAST_TO_FIT,
            there=_there(_most(row.n_sure for row in judges)),
        )
    yield from _needs_without_outcome(record)


def _most(cases: Iterable[int]) -> int:
    return max(cases, default=0)


def _needs_without_outcome(record: TrackRecord) -> Iterator[str]:
    twice = _most(row.n for row in record.orders)
    if twice < LEAST:
        yield _(
            "How often a judge changes with the order needs {least} verdicts of one judge in both orders; {there}.",
            least=LEAST,
            there=_there(twice),
        )
    if record.together.same is None:
        yield _(
            "How far people and models agree needs {least} debates that both judged; {there}.",
            least=LEAST,
            there=_there(record.together.n),
        )
    yield from _needs_of_debates(record)


def _needs_of_debates(record: TrackRecord) -> Iterator[str]:
    """What the figures of the debates themselves need, whoever judged them."""
    is_known = any(row.usd is not None or row.seconds is not None for row in record.tasks)
    if not is_known:
        yield _(
            "Cost and time need {least} debates of one kind of decision; {there}.",
            least=LEAST,
            there=_there(_most(row.n for row in record.tasks)),
        )
    if all(row.strength is None for row in record.strength):
        yield _(
            "The strength of critiques over time needs {least} debates of a quarter with rated critiques; {there}.",
            least=LEAST,
            there=_there(_most(row.n for row in record.strength)),
        )


def _there(number: int) -> str:
    return _n(number, "there is 1", "there are {n}") if number else _("there are none")


def too_few_sentence(rows: Sequence[Scores]) -> str:
    """Who has too few decisions for a row of their own; empty where nobody has, or nobody has enough."""
    few = [_("{who} has {n}", who=line(row.who), n=row.n) for row in rows if row.n < LEAST]
    if len(few) in (0, len(rows)):
        return ""
    return _("A row needs {least} decisions: {few}.", least=LEAST, few=spoken_list(few))


def practice_few_sentence(rows: Sequence[Scores]) -> str:
    """Who has judged too few practice debates for a row of their own; empty where nobody has."""
    few = [_("{who} has {n}", who=line(row.who), n=row.n) for row in rows if row.n < LEAST]
    return _("A row needs {least} practice debates: {few}.", least=LEAST, few=spoken_list(few)) if few else ""


def who_words(row: Scores) -> str:
    """Whom these figures are of, as one name on one line."""
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
    value = 100 * found.value
    low = 100 * found.low
    high = 100 * found.high
    return _("{value:.0f} points ({low:.0f} to {high:.0f})", value=value, low=low, high=high)


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


def minutes_words(seconds: Estimate | None) -> str:
    """`4.4 min (2.1 to 6.7)`; empty for None."""
    if seconds is None:
        return ""
    if seconds.low is None or seconds.high is None:
        return _("{value:.1f} min", value=seconds.value / 60)
    value = seconds.value / 60
    low = seconds.low / 60
    high = seconds.high / 60
    return _("{value:.1f} min ({low:.1f} to {high:.1f})", value=value, low=low, high=high)


def task_words(row: TaskRow) -> str:
    """The kind of decision."""
    return row.task or _(NO_TASK)


def calibration_sentence(row: Scores) -> str:
    """How sure somebody was against how often right; empty where that is not known."""
    found = row.too_sure
    if found is None or found.low is None or found.high is None:
        return ""
    points = f"{abs(100 * found.value):.0f}"
    span = _("95 % interval {low:.0f} to {high:.0f} points", low=100 * found.low, high=100 * found.high)
    if found.low > 0:
        return _("{who} is too sure by {points} points ({span}).", who=who_words(row), points=points, span=span)
    if found.high < 0:
        return _("{who} is too careful by {points} points ({span}).", who=who_words(row), points=points, span=span)
    return _("Whether {who} is too sure cannot be told yet ({span}).", who=who_words(row), span=span)


def hint_sentence(row: Scores, hint: Hint) -> str:
    """How a judge's own words are to be read, as a hint; the probability that was said stays as it is."""
    read = read_with(hint.slope.value, {"favourite": 0.9, "other": 0.1})["favourite"]
    said = _(
        "Where {who} says 90 % of one of two options, the record suggests {read:.0f} % (slope {slope:.2f}, likelihood "
        "interval {low:.2f} to {high:.2f}, from {n} judgements). It is a hint and is never applied by itself.",
        who=who_words(row),
        read=100 * read,
        slope=hint.slope.value,
        low=hint.slope.low,
        high=hint.slope.high,
        n=hint.slope.n,
    )
    return f"{said} {_tested_sentence(hint)}"


def _tested_sentence(hint: Hint) -> str:
    gain = hint.gain
    if gain is None or hint.as_said is None or hint.as_read is None:
        return _("Whether it helps needs {least} later judgements.", least=LEAST)
    span = number_with_interval(gain)
    if gain.low is not None and gain.low > 0:
        return _(
            "Fitted on earlier judgements alone it lowered the Brier score of {n} later ones from {said:.3f} to "
            "{read:.3f}; gain {span}.",
            n=gain.n,
            said=hint.as_said,
            read=hint.as_read,
            span=span,
        )
    return _(
        "Whether it helps cannot be told yet: fitted on earlier judgements alone, the Brier score of {n} later ones is "
        "{said:.3f} as said and {read:.3f} as read; gain {span}.",
        n=gain.n,
        said=hint.as_said,
        read=hint.as_read,
        span=span,
    )


def order_sentence(row: OrderAudit) -> str:
    """How often a judge names another option in the other order, and by which margin; empty for too few."""
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
    """Whether people and models favour the same; empty for too few."""
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
    """Agreement whose interval contains 0 is none that can be told from chance."""
    figure = number_with_interval(alpha, 2)
    low = alpha.value if alpha.low is None else alpha.low
    high = alpha.value if alpha.high is None else alpha.high
    if low <= 0 <= high:
        return _("Chance alone could agree as much (Krippendorff's alpha {alpha}).", alpha=figure)
    if high < 0:
        return _("They disagree more than by chance (Krippendorff's alpha {alpha}).", alpha=figure)
    return _("They {agree} (Krippendorff's alpha {alpha}).", agree=_(band(alpha.value)), alpha=figure)
