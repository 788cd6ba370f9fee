"""The pieces of the track record: which debates count, what warns, and the table of the figures that are known.

Counts nothing itself: `debate_core.report.facts.over_debates` does.
"""

from collections.abc import Sequence

import streamlit as st

from debate_core.errors import DebateError
from debate_core.host.debate_list import DebateRow
from debate_core.language import _, _n, message
from debate_core.report.facts.debate_facts import Facts, facts
from debate_core.report.facts.over_debates import LEAST, Metric, bar_words, interval_words, number_words
from debate_core.report.facts.track_record import Uncounted, WhyUncounted, left_out, why_left_out
from debate_core.report.words.track_record import left_out_sentences
from debate_core.seats.forecast import forecast_when_opened
from debate_core.ui.kit import session
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.protocol_words import title_of
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line

ALL = message("All protocols")


def chosen(rows: Sequence[DebateRow]) -> tuple[tuple[DebateRow, ...], Uncounted]:
    """The debates that count, and how many do not: by protocol, and without rehearsals unless they are wanted."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = sorted({r.protocol for r in rows})
        protocol = st.selectbox(_("Protocol"), ["", *names], format_func=_protocol_words, key="metrics_protocol")
        rehearsed = st.toggle(_("Count rehearsals too"), key="metrics_rehearsals")
    wanted = [(r, _why_left_out(r, rehearsed=rehearsed)) for r in rows if protocol in ("", r.protocol)]
    return tuple(row for row, why in wanted if why is None), left_out(why for _row, why in wanted)


def _why_left_out(row: DebateRow, *, rehearsed: bool) -> WhyUncounted | None:
    return why_left_out(
        rehearsal=row.rehearsal and not rehearsed,
        origin_unknown=row.origin_unknown,
        still_judged=row.awaits_judges,
    )


def _protocol_words(name: str) -> str:
    return title_of(name) if name else _(ALL)


def facts_of(rows: Sequence[DebateRow]) -> tuple[Facts, ...]:
    """What each of these debates adds; those that cannot be read are named and left out."""
    all_facts: list[Facts] = []
    unreadable: list[str] = []
    for row in rows:
        try:
            of_debate = _facts(row.id, row.version)
        except DebateError:
            unreadable.append(row.id)
        else:
            if of_debate:
                all_facts.append(of_debate)
    if unreadable:
        st.warning(
            _("Left out, as they cannot be read: {unreadable}", unreadable=safe_line(", ".join(unreadable))),
            icon=":material/warning:",
        )
    return tuple(all_facts)


@st.cache_data(max_entries=5_000, show_spinner="Reading the debates")
def _facts(debate_id: str, version: int) -> Facts | None:  # noqa: ARG001
    """Kept for as long as the record has this version: what became of a decision is recorded after the end."""
    state = session.host().state(debate_id)
    return facts(state, forecast_usd=forecast_when_opened(state))


def empty(uncounted: Uncounted, *, any_over: bool) -> None:
    """There is nothing to count, and what to do about it."""
    if any_over:
        st.info(
            _("None of the debates that are over is counted here: choose another protocol, or count rehearsals too.")
        )
        st.caption(" ".join(left_out_sentences(uncounted)))
        return
    st.info(_("No debate is over yet. A figure is made from at least {least} that are.", least=LEAST))
    if pressed(_("New debate"), key="first-debate", type="primary", icon=":material/add_circle:"):
        st.switch_page("setup.py")


def alerts(figures: Sequence[Metric], n: int) -> None:
    """What is past its bar, or that nothing is; and what it needs for the figures that are unknown."""
    past_bar = [figure for figure in figures if figure.alert]
    for figure in past_bar:
        words = _(
            "{title}: {sentence} It warns {bar}.",
            title=figure.title,
            sentence=figure.sentence,
            bar=bar_words(figure),
        )
        st.markdown(f":orange[:material/warning: {safe_line(words)}]")
    known = sum(figure.value is not None for figure in figures)
    none = _("All known figures are within their limits. ") if known and not past_bar else ""
    needs = _(" The others need at least {least} cases each, or what nobody has recorded yet.", least=LEAST)
    if not known:
        needs = _(" A figure needs at least {n} debates that are over, or what became of {n} decisions.", n=LEAST)
    st.caption(
        _n(
            n,
            "{none}From {n} debate: {known} of {figures} figures are known.{needs}",
            "{none}From {n} debates: {known} of {figures} figures are known.{needs}",
            none=none,
            known=known,
            figures=len(figures),
            needs=needs,
        )
    )


def table(figures: Sequence[Metric]) -> None:
    """Every figure that is known, with its bar and what it rests on."""
    rows = [
        {
            _("Figure"): m.title,
            _("Value"): number_words(m.unit, m.value),
            _("95% interval"): interval_words(m),
            _("Warns"): bar_words(m) or _("no bar"),
            _("Alert"): _alert_words(m),
            _("From"): m.n,
            _("What it says"): m.sentence,
        }
        for m in figures
        if m.value is not None
    ]
    if rows:
        draw_table(
            rows,
            key="metrics_table",
            height="content",
            column_config={_("What it says"): st.column_config.TextColumn(width="large")},
            alt=_("Figures over all debates with the bars that warn"),
        )


def unknown(figures: Sequence[Metric]) -> None:
    """What each figure needs that is not known yet, folded away."""
    lines = [f"**{safe_line(m.title)}**: {safe_line(m.sentence)}" for m in figures if m.value is None]
    if lines:
        with st.expander(
            _n(len(lines), "What {n} more figure would need", "What {n} more figures would need"),
            icon=":material/help:",
            key="unknown-figures",
        ):
            st.markdown("\n".join(f"- {line}" for line in lines))


def parts(figures: Sequence[Metric]) -> None:
    """One figure by kind of decision and by quarter; nothing where all debates are of one kind and one quarter."""
    divided = {figure.title: figure for figure in figures if figure.parts}
    if not divided:
        return
    st.subheader(_("By kind of decision and over time"), anchor=False)
    figure = divided[st.selectbox(_("Figure"), [*divided], key="metrics_parts")]
    rows = [
        {
            _("Of"): part.label,
            _("Value"): number_words(figure.unit, part.value) if part.value is not None else _("too few to say"),
            _("95% interval"): interval_words(part),
            _("From"): part.n,
        }
        for part in figure.parts
    ]
    draw_table(
        rows,
        key="metrics_parts_table",
        height="content",
        alt=_("{title} in parts", title=figure.title),
    )


def _alert_words(metric: Metric) -> str:
    if metric.bar is None:
        return ""
    return _("look again") if metric.alert else _("none")
