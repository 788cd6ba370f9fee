"""Parts of the track record page: the debates that count, judges and probabilities, order, cost, and the figures.

Draws a part if there is enough data, and otherwise one line that says how much it needs. Counts nothing itself:
`report.facts.track_record` and `report.facts.over_debates` do.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from debate_core.host.debate_list import DebateRow
from debate_core.language import Words, _, _n, current, message
from debate_core.report.facts.calibration import read_with
from debate_core.report.facts.cross_debate_metrics import (
    LEAST,
    Metric,
    bar_words,
    metrics,
    range_words,
    value_words,
)
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.example_record import DECISIONS, example_facts
from debate_core.report.facts.track_record import (
    Estimate,
    Hint,
    ScoredAs,
    Scores,
    TaskRow,
    TrackRecord,
    Uncounted,
    left_out,
    track_record,
)
from debate_core.report.figures.calibration import calibration_alt, calibration_chart, calibration_table
from debate_core.report.figures.chart import FigureRow
from debate_core.report.figures.intervals import IntervalRow, interval_alt, interval_chart, mark_example
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.report.phrases.track_record import (
    BY,
    METHODS,
    SAID_PERCENT,
    calibration_sentence,
    hint_sentence,
    joint_errors_sentence,
    left_out_sentences,
    moves_sentence,
    need_sentences,
    number_with_interval,
    order_sentence,
    percent_words,
    points_words,
    practice_few_sentence,
    task_words,
    time_words,
    together_sentence,
    too_few_sentence,
    usd_digits,
    who_words,
)
from debate_core.ui.kit import session
from debate_core.ui.kit.chart import draw_with_table
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.tables import draw_table, draw_wrapping
from debate_core.ui.kit.text import safe_line, safe_text

if TYPE_CHECKING:
    from plotly import graph_objects as go

ALL = message("All protocols")
_LEFT_ON_PHONES = "<style>@media (max-width: 640px) { .st-key-metrics-filters { justify-content: start } }</style>"
ALL_AND_ONE = 2
HELD = "outcome_quality"
"""The name of the figure on decisions that held."""
ROLES: Words[ScoredAs] = Words(
    {"judge": "judge", "people": "", "models": "", "seat": "seat", "debater": "model that debated"}
)
TableRow = Mapping[str, str | int]


def chosen(rows: Sequence[DebateRow]) -> tuple[tuple[DebateRow, ...], Uncounted]:
    """Let the user filter by protocol and rehearsals; return the debates that count, and why others do not.

    A filter is drawn if it can change something.
    """
    protocol, with_rehearsals = "", False
    st.html(_LEFT_ON_PHONES)
    place = st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="right", key="metrics-filters"
    )
    with place:
        names = ["", *sorted({row.protocol for row in rows})]
        if len(names) > ALL_AND_ONE:
            protocol = st.selectbox(
                _("Protocol"),
                names,
                format_func=lambda name: title_of(name) if name else _(ALL),
                key="metrics_protocol",
                label_visibility="collapsed",
                width=280,
            )
        if any(row.rehearsal for row in rows):
            with_rehearsals = st.toggle(_("Count rehearsals too"), key="metrics_rehearsals")
    counted = []
    reasons = []
    for row in rows:
        if protocol not in ("", row.protocol):
            continue
        why = row.why_left_out(with_rehearsals=with_rehearsals)
        reasons.append(why)
        if why is None:
            counted.append(row)
    return tuple(counted), left_out(reasons)


def facts_of(rows: Sequence[DebateRow]) -> tuple[Facts, ...]:
    """The facts of each debate; a warning names those that cannot be read."""
    all_facts, unreadable = readable_facts(rows)
    if unreadable:
        st.warning(
            _("Left out because they cannot be read: {unreadable}", unreadable=safe_line(", ".join(unreadable))),
            icon=":material/warning:",
        )
    return all_facts


def readable_facts(rows: Sequence[DebateRow]) -> tuple[tuple[Facts, ...], list[str]]:
    """The facts of each debate, and the ids of those that cannot be read."""
    with st.spinner("Reading the debates"):
        figures = session.host().figures(rows)
    all_facts = tuple(one.facts for one in figures.values() if one.facts)
    return all_facts, [row.id for row in rows if row.id not in figures]


def empty(uncounted: Uncounted, *, any_over: bool) -> None:
    """Explain why there is nothing to count."""
    if any_over:
        st.info(_("None of the finished debates is counted here: choose another protocol, or count rehearsals too."))
        st.caption(" ".join(left_out_sentences(uncounted)))
        return
    st.info(_("No debate is over yet. A figure needs at least {least} finished debates.", least=LEAST))
    if pressed(_("New debate"), key="first-debate", type="primary", icon=":material/add_circle:"):
        st.switch_page("setup.py")


# --- judges, probabilities, order, cost


def figures_of(rows: Sequence[DebateRow], facts: Sequence[Facts]) -> tuple[TrackRecord, tuple[Metric, ...]]:
    """The track record and the figures of these debates, cached until one of their records grows."""
    known = {one.debate for one in facts}
    versions = repr([(row.id, row.version) for row in rows if row.id in known])
    # Streamlit takes longer to hash 10,000 pairs than one text of them.
    return _figures_of(sha256(versions.encode()).hexdigest(), current(), facts)


@st.cache_data(max_entries=20, show_spinner=False)
def _figures_of(
    versions: str,  # noqa: ARG001
    language: str,  # noqa: ARG001
    _facts: Sequence[Facts],
) -> tuple[TrackRecord, tuple[Metric, ...]]:
    return track_record(_facts), metrics(_facts)


def pictures(record: TrackRecord, figures: Sequence[Metric], *, invented: bool = False) -> None:
    """Draw what is known: calibration, accuracy, decisions that held, and cost, each with its table.

    Pictures of `invented` outcomes are marked as an example.
    """
    shown = _known_pictures(record, figures)
    for at in range(0, len(shown), 2):
        for column, draw_one in zip(st.columns(2, gap="large"), shown[at : at + 2], strict=False):
            with column:
                draw_one(invented=invented)


def _known_pictures(record: TrackRecord, figures: Sequence[Metric]) -> list[Callable[..., None]]:
    """A function that draws it for each picture with data."""
    shown: list[Callable[..., None]] = []
    if record.calibrated:
        shown.append(partial(_draw_calibration, record.calibrated))
    if record.scored:
        shown.append(partial(_draw_accuracy, record))
    shown += [partial(_draw_held, figure) for figure in figures if figure.name == HELD and _has_known_part(figure)]
    if len(record.spending) > 1 or any(row.usd for row in record.spending):
        shown.append(partial(_draw_spending, record.spending))
    return shown


def _has_known_part(figure: Metric) -> bool:
    return any(part.value is not None for part in figure.parts)


def draw(record: TrackRecord) -> None:
    """Draw the parts without a picture that have enough data."""
    for row in record.spending:
        if len(record.spending) == 1 and not row.usd:
            time = _n(
                row.n_time,
                "A debate took {time} on average, over {n} debate.",
                "A debate took {time} on average, over {n} debates.",
                time=time_words(row.seconds),
            )
            st.markdown(safe_line(time))
    _draw_order(record)
    if agreement := together_sentence(record.together):
        st.subheader(_("Do people and models agree?"), anchor=False)
        st.markdown(safe_text(agreement))
    for sentence in filter(None, (joint_errors_sentence(record.joint_errors), moves_sentence(record.moves))):
        st.markdown(safe_text(sentence))
    _draw_strength(record)


def lacks_pictures(record: TrackRecord, rows: Sequence[DebateRow]) -> bool:
    """True for those whose own pictures wait for an outcome: an example is never beside own pictures."""
    return not record.known and any(row.decided_option for row in rows if not row.rehearsal)


def example() -> None:
    """Draw the pictures of invented outcomes, marked as such, computed as the own ones are."""
    words = _("Example: this page with {n} invented decisions", n=DECISIONS)
    fold = st.expander(words, icon=":material/science:", key="example", on_change="rerun")
    if not fold.open:
        return
    with fold:
        facts = example_facts()
        pictures(track_record(facts), metrics(facts), invented=True)
        ranges()


def practice(judges: Sequence[Scores]) -> None:
    """Draw the scores of judges in practice debates, if there are any."""
    if not judges:
        return
    st.subheader(_("Practice"), anchor=False)
    st.caption(_("Debates with a known answer. They count only here, not in the figures on decisions."))
    known = [row for row in judges if row.n >= LEAST]
    if known:
        _draw_rows([_score_row(row, _("Practice debates")) for row in known], _("Judges in practice"))
    if few := practice_few_sentence(judges):
        st.caption(safe_line(few))
    for row in judges:
        if row.hint:
            st.markdown(f":material/lightbulb: {safe_text(hint_sentence(row, row.hint))}")


def _draw_accuracy(record: TrackRecord, *, invented: bool) -> None:
    dots = [_interval_row(_role_words(row), row.accuracy) for row in record.scored if row.accuracy]
    rows = [{_("As"): ROLES[row.group], **_score_row(row, _("Decisions"))} for row in record.scored]
    heading = _("Who was right how often?")
    st.subheader(heading, anchor=False)
    _draw_intervals(dots, heading, _("right"), rows, key="accuracy", invented=invented)
    for group in ("judge", "seat", "debater"):
        if few := too_few_sentence([row for row in record.scores if row.group == group]):
            st.caption(safe_line(few))


def _role_words(row: Scores) -> str:
    """The name, and how it took part unless that is the name."""
    role = ROLES[row.group]
    return f"{who_words(row)}, {role}" if role else who_words(row)


def _interval_row(label: str, found: Estimate) -> IntervalRow:
    return IntervalRow(label, found.n, found.value, found.low, found.high)


def _draw_intervals(
    dots: Sequence[IntervalRow],
    heading: str,
    axis: str,
    rows: Sequence[TableRow],
    *,
    key: str,
    invented: bool,
    percent: bool = True,
) -> None:
    """Draw figures with their intervals, and their table."""

    def drawn(theme: str) -> "go.Figure":
        return _marked(interval_chart(dots, theme, axis=axis, percent=percent), invented=invented)

    title = _title(heading, invented=invented)
    alt = interval_alt(dots, axis=title, percent=percent)
    draw_with_table(drawn, key=_key(key, invented=invented), title=title, alt=alt, rows=_known_columns(rows))


def _marked(figure: "go.Figure", *, invented: bool) -> "go.Figure":
    return mark_example(figure) if invented else figure


def _title(heading: str, *, invented: bool) -> str:
    return _("Example: {title}", title=heading) if invented else heading


def _key(key: str, *, invented: bool) -> str:
    return f"example-{key}" if invented else key


def _score_row(row: Scores, cases: str) -> TableRow:
    kind = BY[row.by] if row.by and row.group == "judge" else ""
    return {
        _("Of"): who_words(row),
        _("Kind"): kind,
        cases: row.n,
        _("Right"): percent_words(row.accuracy),
        _("Brier score, 0 is best"): number_with_interval(row.brier),
        _("Log score, 0 is best"): number_with_interval(row.log_score, 2),
        _("Stated confidence, mean"): "" if row.sure is None else f"{100 * row.sure:.0f} %",
        _("Too sure by"): points_words(row.too_sure),
    }


def _draw_calibration(rows: Sequence[Scores], *, invented: bool) -> None:
    heading = _("Are their probabilities reliable?")
    st.subheader(heading, anchor=False)
    at = 0
    if len(rows) > 1:
        at = st.selectbox(
            _("Whose"),
            range(len(rows)),
            format_func=lambda i: who_words(rows[i]),
            key=_key("calibration_of", invented=invented),
        )
    row = rows[at]
    draw_with_table(
        lambda theme: _marked(calibration_chart(row, theme), invented=invented),
        key=_key("calibration", invented=invented),
        title=_title(heading, invented=invented),
        alt=calibration_alt(row),
        rows=_known_columns(calibration_table(row)),
    )
    st.markdown(safe_text(calibration_sentence(row)))
    st.caption(_("The number beside a dot counts the decisions."))
    if row.hint and not invented:
        _draw_hint(row, row.hint)


def _draw_held(figure: Metric, *, invented: bool) -> None:
    heading = _("Did the decisions hold?")
    known = [part for part in figure.parts if part.value is not None]
    dots = [IntervalRow(_("all"), figure.n, float(figure.value or 0), figure.low, figure.high)]
    dots += [IntervalRow(part.label, part.n, float(part.value or 0), part.low, part.high) for part in known]
    rows: list[TableRow] = [
        {
            _("Of"): dot.label,
            _("Held"): percent_words(Estimate(dot.n, dot.value, dot.low, dot.high, "Wilson")),
            _("Decisions"): dot.n,
        }
        for dot in dots
    ]
    st.subheader(heading, anchor=False)
    _draw_intervals(dots, heading, _("held"), rows, key="held", invented=invented)


def _draw_hint(row: Scores, hint: Hint) -> None:
    st.markdown(f":material/lightbulb: {safe_text(hint_sentence(row, hint))}")
    rows = []
    for percent in SAID_PERCENT:
        read = read_with(hint.slope.value, {"favourite": percent / 100, "other": 1 - percent / 100})["favourite"]
        rows.append({_("Stated"): f"{percent} %", _("The record suggests"): f"{100 * read:.0f} %"})
    with st.expander(_("Other probabilities of one of two options"), icon=":material/table:", key="hint-as-table"):
        _draw_rows(rows, _("Stated probabilities and the ones that the record suggests"))


def _draw_order(record: TrackRecord) -> None:
    known = [row for row in record.orders if row.flips]
    if not known:
        return
    st.subheader(_("Does the order change the verdict?"), anchor=False)
    st.markdown("\n".join(f"- {safe_line(order_sentence(row))}" for row in known))
    rows: list[TableRow] = [
        {
            _("Who"): safe_line(row.who),
            _("Lead of the verdict"): _("{low:.0f} to {high:.0f} points", low=100 * margin.low, high=100 * margin.high),
            _("Same option in both orders"): percent_words(margin.same),
            _("Decisions"): margin.n,
        }
        for row in known
        for margin in row.margins
        if margin.same
    ]
    if rows:
        _draw_rows(rows, _("How often both orders agreed, by the margin of the verdict"))


def _spending_row(row: TaskRow, *, names_kind: bool) -> TableRow:
    return {
        _("Kind of decision"): task_words(row) if names_kind else "",
        _("Debates"): row.n,
        _("USD"): number_with_interval(row.usd, usd_digits(row.usd.value)) if row.usd else "",
        _("Time"): time_words(row.seconds),
    }


def _draw_spending(known: Sequence[TaskRow], *, invented: bool) -> None:
    dots = [_interval_row(task_words(row), row.usd) for row in known if row.usd]
    # `_draw_rows` leaves out empty columns.
    names_kinds = any(row.task for row in known)
    heading = _("What does a debate cost?") if dots else _("How long does a debate take?")
    rows = [_spending_row(row, names_kind=names_kinds) for row in known]
    st.subheader(heading, anchor=False)
    if dots:
        _draw_intervals(dots, heading, _("USD for a debate"), rows, key="cost", invented=invented, percent=False)
    else:
        _draw_rows(rows, _("Mean time of a debate by kind of decision"))


def _draw_strength(record: TrackRecord) -> None:
    known = [row for row in record.strength if row.strength]
    if not known:
        return
    st.subheader(_("How strong do critics call their critiques?"), anchor=False)
    rows: list[TableRow] = [
        {_("Quarter"): row.quarter, _("Strength, 0 to 10"): number_with_interval(row.strength, 1), _("Debates"): row.n}
        for row in known
    ]
    _draw_rows(rows, _("Mean strength of critiques as critics rated them, by quarter"))


def _draw_rows(rows: Sequence[FigureRow], alt: str) -> None:
    """Draw a table without its empty columns."""
    draw_table(_known_columns(rows), height="content", alt=alt)


def _known_columns(rows: Sequence[FigureRow]) -> list[FigureRow]:
    known = {column for row in rows for column, value in row.items() if value != ""}
    columns = [column for column in rows[0] if column in known]
    return [{column: row.get(column, "") for column in columns} for row in rows]


def has_ranges(record: TrackRecord, figures: Sequence[Metric]) -> bool:
    """True if a range is drawn or written in brackets."""
    if record.calibrated or record.scored:
        return True
    return any(figure.low is not None for figure in figures)


def ranges() -> None:
    """Explain the bars and the ranges in brackets once for the page; the methods are in the help."""
    st.caption(
        _("Bars and brackets: the range of the true figure at 95 % confidence. Every debate counts once."),
        help=". ".join(METHODS.values()),
    )


# --- figures over all debates


def alerts(figures: Sequence[Metric]) -> None:
    """Draw the figures past their limits, or that there are none."""
    past_bar = [figure for figure in figures if figure.alert]
    for figure in past_bar:
        words = _(
            "{title}: {sentence} It warns {bar}.",
            title=figure.title,
            sentence=figure.sentence,
            bar=bar_words(figure),
        )
        st.markdown(f":orange[:material/warning: {safe_line(words)}]")
    if all(figure.value is None for figure in figures):
        st.caption(_("A figure needs at least {n} finished debates, or {n} recorded outcomes.", n=LEAST))
    elif not past_bar and any(figure.alert is False for figure in figures):
        st.caption(_("All figures with a limit are within it."))


def table(figures: Sequence[Metric]) -> None:
    """Draw every known figure with its interval and its limit."""
    rows: list[TableRow] = []
    for figure in figures:
        if figure.value is None:
            continue
        alert = ""
        if figure.bar is not None:
            alert = _("look again") if figure.alert else _("none")
        rows.append(
            {
                _("Figure"): figure.title,
                _("What it says"): safe_line(figure.sentence),
                _("True share, 95 %"): range_words(figure),
                _("Warns"): bar_words(figure),
                _("Alert"): alert,
            }
        )
    if rows:
        alt = _("Figures over all debates with the bars that warn")
        draw_wrapping(_known_columns(rows), alt=alt, key="figures")


def unknown(record: TrackRecord, figures: Sequence[Metric]) -> None:
    """Draw a fold for all that is not known yet, with the data that each figure needs."""
    lines = [*need_sentences(record)]
    lines += [f"**{safe_line(m.title)}**: {safe_line(m.sentence)}" for m in figures if m.value is None]
    if lines:
        with st.expander(_("What more debates and outcomes will show"), type="compact", key="unknown-figures"):
            st.markdown("\n".join(f"- {line}" for line in lines))


def in_full(record: TrackRecord, figures: Sequence[Metric]) -> None:
    """Draw a fold with all figures: the known ones, these by kind and over time, and the data that others need."""
    with st.expander(_("How debates go: all figures"), icon=":material/table:", key="all-figures"):
        table(figures)
        if has_ranges(record, figures):
            ranges()
        parts(figures)
        unknown(record, figures)


def parts(figures: Sequence[Metric]) -> None:
    """Draw one figure by kind of decision and by quarter, if the debates differ in these."""
    divided = {figure.title: figure for figure in figures if figure.parts}
    if not divided:
        return
    fold = st.expander(
        _("By kind of decision and over time"), icon=":material/table:", key="metrics-in-parts", on_change="rerun"
    )
    if not fold.open:
        return
    figure = divided[fold.selectbox(_("Figure"), [*divided], key="metrics_parts")]
    rows = [
        {
            _("Of"): part.label,
            _("Value"): value_words(figure.unit, part) if part.value is not None else _("too few to say"),
            _("From"): part.n,
        }
        for part in figure.parts
    ]
    with fold:
        draw_table(rows, key="metrics_parts_table", height="content", alt=_("{title} in parts", title=figure.title))
