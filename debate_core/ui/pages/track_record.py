"""The parts of the track record: who was right how often, how far probabilities can be believed, order, cost, strength.

A part is drawn where there is enough for it; what the others need stands in one line each. Counts nothing itself:
`debate_core.report.facts.track_record` does.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from debate_core.language import _
from debate_core.report.facts.calibration import read_with
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.over_debates import LEAST
from debate_core.report.facts.track_record import (
    Hint,
    IntervalMethod,
    MarginRow,
    Scores,
    TaskRow,
    TrackRecord,
    Uncounted,
    track_record,
)
from debate_core.report.figures.calibration import calibration_alt, calibration_chart, calibration_table
from debate_core.report.words.track_record import (
    BY,
    METHODS,
    SAID_PERCENT,
    basis_sentences,
    calibration_sentence,
    hint_sentence,
    minutes_words,
    need_sentences,
    number_with_interval,
    order_sentence,
    percent_words,
    points_words,
    practice_few_sentence,
    task_words,
    together_sentence,
    too_few_sentence,
    who_words,
)
from debate_core.ui.kit.chart import theme
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text

TableRow = Mapping[str, str | int]


@st.cache_data(max_entries=20, show_spinner=False)
def of(debates: tuple[tuple[str, int], ...], _facts: Sequence[Facts]) -> TrackRecord:  # noqa: ARG001
    """The track record of these debates (id, version): kept as long as none of their records has grown."""
    return track_record(_facts)


def basis(record: TrackRecord, uncounted: Uncounted) -> None:
    """What it rests on, and what is left out."""
    st.caption(" ".join(basis_sentences(record, uncounted)))


def draw(record: TrackRecord) -> None:
    """Every part of which something is known, and one line for each of the others."""
    judges = [row for row in record.scores if row.group in ("judge", "people", "models")]
    _scores(_("How often were judges right?"), judges, _("Judges"))
    _calibration([row for row in judges if row.bins])
    _order(record)
    if told := together_sentence(record.together):
        st.subheader(_("Do people and models agree?"), anchor=False)
        st.markdown(safe_text(told))
        _method("Wilson", "jackknife")
    _scores(_("How often were seats right?"), [row for row in record.scores if row.group == "seat"], _("Seats"))
    debaters = [row for row in record.scores if row.group == "debater"]
    _scores(_("How often were debating models right?"), debaters, _("Models that debated"))
    _spending(record)
    _strength(record)
    needs = need_sentences(record)
    if needs:
        st.subheader(_("What more outcomes would tell"), anchor=False)
        st.markdown("\n".join(f"- {sentence}" for sentence in needs))


def practice(judges: Sequence[Scores]) -> None:
    """How judges did with practice debates, under a heading of its own; nothing if nobody has practised."""
    if not judges:
        return
    st.subheader(_("Practice"), anchor=False)
    st.caption(
        _("Debates whose truth was known before: they count here alone, and in none of the figures of decisions.")
    )
    known = [row for row in judges if row.n >= LEAST]
    if known:
        _table([_score_row(row, _("Practice debates")) for row in known], _("Judges in practice"))
        _method("Wilson", "Student")
    if few := practice_few_sentence(judges):
        st.caption(safe_line(few))
    for row in judges:
        if row.hint:
            st.markdown(f":material/lightbulb: {safe_text(hint_sentence(row, row.hint))}")


def _scores(heading: str, rows: Sequence[Scores], alt: str) -> None:
    known = [row for row in rows if row.n >= LEAST]
    if not known:
        return
    st.subheader(heading, anchor=False)
    _table([_score_row(row) for row in known], alt)
    if few := too_few_sentence(rows):
        st.caption(safe_line(few))
    _method("Wilson", "Student")


def _score_row(row: Scores, cases: str = "Decisions") -> TableRow:
    return {
        _("Of"): who_words(row),
        _("Kind"): BY[row.by] if row.by and row.group == "judge" else "",
        cases: row.n,
        _("Right"): percent_words(row.accuracy),
        _("Brier score, 0 is best"): number_with_interval(row.brier),
        _("Log score, 0 is best"): number_with_interval(row.log_score, 2),
        _("Own word, on average"): "" if row.sure is None else f"{100 * row.sure:.0f} %",
        _("Too sure by"): points_words(row.too_sure),
    }


def _calibration(rows: Sequence[Scores]) -> None:
    if not rows:
        return
    st.subheader(_("Can their probabilities be believed?"), anchor=False)
    at = 0
    if len(rows) > 1:
        at = st.selectbox(_("Of"), range(len(rows)), format_func=lambda i: who_words(rows[i]), key="calibration_of")
    row = rows[at]
    st.markdown(safe_text(calibration_sentence(row)))
    drawn = calibration_chart(row, theme())
    st.plotly_chart(drawn, key="calibration", config={"displayModeBar": False}, theme=None, alt=calibration_alt(row))
    with st.expander(_("The same as a table"), icon=":material/table:", key="calibration-as-table"):
        _table(calibration_table(row), calibration_alt(row))
    st.caption(_("The number beside a dot says of how many decisions it is; its bar is {how}.", how=METHODS["Wilson"]))
    if row.hint:
        _hint(row, row.hint)


def _hint(row: Scores, hint: Hint) -> None:
    st.markdown(f":material/lightbulb: {safe_text(hint_sentence(row, hint))}")
    suggested = {
        percent: read_with(hint.slope.value, {"favourite": percent / 100, "other": 1 - percent / 100})["favourite"]
        for percent in SAID_PERCENT
    }
    rows = [
        {_("Said"): f"{said} %", _("The record suggests"): f"{100 * read:.0f} %"} for said, read in suggested.items()
    ]
    with st.expander(_("Other probabilities of one of two options"), icon=":material/table:", key="hint-as-table"):
        _table(rows, _("What the record suggests for what is said"))


def _order(record: TrackRecord) -> None:
    known = [row for row in record.orders if row.flips]
    if not known:
        return
    st.subheader(_("Does the order change the verdict?"), anchor=False)
    st.markdown("\n".join(f"- {safe_line(order_sentence(row))}" for row in known))
    rows = [_margin_row(row.who, margin) for row in known for margin in row.margins if margin.same]
    if rows:
        _table(rows, _("How often both orders agreed, by the margin of the verdict"))
    _method("Wilson")


def _margin_row(who: str, margin: MarginRow) -> TableRow:
    return {
        _("Who"): safe_line(who),
        _("Lead of the verdict"): _("{low:.0f} to {high:.0f} points", low=100 * margin.low, high=100 * margin.high),
        _("Same option in both orders"): percent_words(margin.same),
        _("Decisions"): margin.n,
    }


def _spending(record: TrackRecord) -> None:
    known = [row for row in record.tasks if row.usd or row.seconds]
    if not known:
        return
    st.subheader(_("What does a debate cost, and how long does it take?"), anchor=False)
    _table([_task_row(row) for row in known], _("Mean cost and time of a debate by kind of decision"))
    _method("Student")


def _task_row(row: TaskRow) -> TableRow:
    return {
        _("Kind of decision"): task_words(row),
        _("Debates"): row.n,
        _("USD"): number_with_interval(row.usd),
        _("Time"): minutes_words(row.seconds),
    }


def _strength(record: TrackRecord) -> None:
    known = [row for row in record.strength if row.strength]
    if not known:
        return
    st.subheader(_("How strong do critics call their critiques?"), anchor=False)
    rows: list[TableRow] = [
        {_("Quarter"): row.quarter, _("Strength, 0 to 10"): number_with_interval(row.strength, 1), _("Debates"): row.n}
        for row in known
    ]
    _table(rows, _("Mean strength of critiques as critics rated them, by quarter"))
    _method("Student")


def _table(rows: Sequence[Mapping[str, str | int | float]], alt: str) -> None:
    """Without the columns in which nothing is known."""
    known = [column for column in rows[0] if any(row.get(column, "") != "" for row in rows)]
    shown = [{column: row.get(column, "") for column in known} for row in rows]
    draw_table(shown, height="content", alt=alt)


def _method(*methods: IntervalMethod) -> None:
    st.caption(" ".join(f"{METHODS[method]}." for method in methods))
