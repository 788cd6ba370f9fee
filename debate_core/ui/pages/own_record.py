"""The first part of the track record: own numbers, however few, and the decisions with their outcomes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from statistics import median

import streamlit as st

from debate_core.host.debate_list import DebateRow
from debate_core.host.runner import now
from debate_core.language import _, _n
from debate_core.record.acts import OutcomeRecorded
from debate_core.report.facts.cross_debate_metrics import Metric, number_words, range_words
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.decision import RESULTS, review_date
from debate_core.report.facts.decision_outcomes import Held
from debate_core.report.facts.track_record import TrackRecord, Uncounted
from debate_core.report.facts.vote_bars import letters
from debate_core.report.facts.who_decided import SIGNED
from debate_core.report.phrases.decision_status import STATUS
from debate_core.report.phrases.limits import about_words
from debate_core.report.phrases.track_record import about_usd_words, basis_sentences
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts as parts_of_rows
from debate_core.ui.kit.dates import day_words, recent_minute_words, spell_days
from debate_core.ui.pages import debate_rows
from debate_core.ui.pages.debate_rows import AFTERMATH, READ, SIGN
from debate_core.ui.results import sign_off

MAX_ROWS = 5
"""Decisions in the list; *All decisions* has the others."""
LATELY_DAYS = 30
MAX_SQUARES = 12
"""Cases drawn as squares; more are a bar."""
_STYLE = """<style>
.st-key-own-numbers {
  [data-testid=stMetricValue] { font-size: 2rem }
  .share { display: flex; gap: 4px; height: 12px; max-width: 190px }
  .share i { flex: 0 1 12px; border: 1.5px solid; border-radius: 3px; opacity: 0.5 }
  .share i.on { background: currentcolor; opacity: 1 }
  .share.bar { gap: 0 }
  .share.bar i { flex: var(--part) 1 0; border-radius: 0 }
}
</style>"""


@dataclass(frozen=True, slots=True)
class _OwnNumber:
    """A number with its base; `hits` of `n` are drawn, too."""

    title: str
    value: str
    beside: str
    hits: int = 0
    n: int = 0


def draw(
    rows: Sequence[DebateRow],
    facts: Sequence[Facts],
    record: TrackRecord,
    figures: Sequence[Metric],
    uncounted: Uncounted,
) -> None:
    """Draw the figures, the debates left out, and the decisions with their outcomes."""
    _draw_numbers(rows, facts, {figure.name: figure for figure in figures})
    known, *others = basis_sentences(record, uncounted)
    if told := [known, *others] if record.known else others:
        st.caption(" ".join(told))
    _draw_decisions(rows, {one.debate: one.later.result for one in facts})


def _draw_numbers(rows: Sequence[DebateRow], facts: Sequence[Facts], figures: Mapping[str, Metric]) -> None:
    """Draw each number with its base."""
    numbers = [*_numbers(rows, facts, figures)]
    st.html(_STYLE)
    with st.container(key="own-numbers"):
        grid = st.grid(len(numbers), min_column_width=150)
    for number in numbers:
        with grid.container(gap="xxsmall", border=True, height="stretch"):
            st.metric(number.title, number.value)
            if number.n:
                st.html(_share(number.hits, number.n))
            if number.beside:
                st.caption(number.beside)


def _share(hits: int, n: int) -> str:
    """Draw the hits among all cases; the number beside it says the same."""
    if n > MAX_SQUARES:
        parts = (("on", hits), ("", n - hits))
        drawn = "".join(f'<i class="{kind}" style="--part: {size}"></i>' for kind, size in parts if size)
        return f'<div class="share bar" aria-hidden="true">{drawn}</div>'
    squares = '<i class="on"></i>' * hits + "<i></i>" * (n - hits)
    return f'<div class="share" aria-hidden="true">{squares}</div>'


def _numbers(rows: Sequence[DebateRow], facts: Sequence[Facts], figures: Mapping[str, Metric]) -> Iterator[_OwnNumber]:
    """Yield the number of each card; duration and cost only if they are known."""
    in_force = [row for row in rows if row.decided_option is not None]
    signed = [row for row in in_force if row.sign_off.standing in SIGNED]
    beside = " · ".join(filter(None, (_lately_words(in_force), _interval_words(figures["decided"]))))
    yield _share_of(_("Debates that decided"), sum(one.status == "decided" for one in facts), len(facts), beside)
    if in_force:
        waiting = _waiting_words(len(in_force) - len(signed))
        yield _share_of(_("Decisions signed"), len(signed), len(in_force), waiting)
    results = [one.later.result for one in facts if one.later.result]
    if results:
        others = _other_results(results, figures["outcome_quality"])
        yield _share_of(_("Decisions that held"), results.count("held"), len(results), others)
    elif signed:
        yield _share_of(_("Outcomes recorded"), 0, len(signed), _next_spell_days(signed))
    yield from _medians(facts)


def _share_of(title: str, hits: int, n: int, beside: str) -> _OwnNumber:
    return _OwnNumber(title, _("{hits} of {n}", hits=hits, n=n), beside, hits, n)


def _lately_words(in_force: Sequence[DebateRow]) -> str:
    """`3 in the last 30 days`; empty without any."""
    since = (now() - timedelta(days=LATELY_DAYS)).isoformat()
    lately = sum((row.decided_at or row.opened_at) >= since for row in in_force)
    if not lately:
        return ""
    return _n(lately, "{n} in the last {days} days", "{n} in the last {days} days", days=LATELY_DAYS)


def _waiting_words(waiting: int) -> str:
    return _n(waiting, "{n} waits for a signature", "{n} wait for a signature") if waiting else ""


def _next_spell_days(signed: Sequence[DebateRow]) -> str:
    dates = [day for row in signed if (day := review_date(row.sign_off.revisit))]
    return _("next review: {date}", date=day_words(min(dates))) if dates else ""


def _medians(facts: Sequence[Facts]) -> Iterator[_OwnNumber]:
    if times := [one.seconds for one in facts if one.seconds]:
        of_times = _n(len(times), "of {n} debate, without pauses", "of {n} debates, without pauses")
        yield _OwnNumber(_("Median time"), about_words(median(times)), of_times)
    if costs := [one.cost_usd for one in facts if one.cost_usd is not None]:
        of_costs = _n(len(costs), "of {n} debate with a known price", "of {n} debates with a known price")
        yield _OwnNumber(_("Median cost"), about_usd_words(float(median(costs))), of_costs)


def _other_results(results: Sequence[Held], figure: Metric) -> str:
    """`1 revised, 0 reversed`, and the interval of those that held."""
    others = _(
        "{revised} revised, {reversed} reversed",
        revised=results.count("revised"),
        reversed=results.count("reversed"),
    )
    return " · ".join(filter(None, (others, _interval_words(figure))))


def _interval_words(figure: Metric) -> str:
    """`0 %, true share 0 to 43 %`; empty while there are too few cases for an interval."""
    interval = range_words(figure)
    share = number_words(figure.unit, figure.value)
    return _("{share}, true share {interval}", share=share, interval=interval) if interval else ""


def _draw_decisions(rows: Sequence[DebateRow], results: Mapping[str, Held | None]) -> None:
    """List decisions with their outcomes: first those that this person may sign, then those that lack an outcome.

    Of both the oldest come first, and of all others the latest.
    """
    decided = [row for row in rows if row.decided_option is not None]
    tasks: dict[str, str] = {}
    found: dict[str, DebateRow] = {}
    checks: Mapping[str, Callable[[DebateRow], bool]] = {SIGN: debate_rows.may_sign, AFTERMATH: _may_record_outcome}
    for word, may in checks.items():
        asked = {row.id: row for row in islice(filter(may, reversed(decided)), MAX_ROWS)}
        tasks |= dict.fromkeys(asked, word)
        found |= asked
    found |= {row.id: row for row in decided if row.id not in found}
    if not found:
        return
    title = _("Decisions and outcomes")
    st.subheader(title, anchor=False)
    shown = [*found.values()][:MAX_ROWS]
    nth = debate_rows.numbers(shown)
    drawn = [
        _make_row(row, _result_line(row, results.get(row.id)), nth[row.id] or 1, tasks.get(row.id, "")) for row in shown
    ]
    pressed = parts_of_rows.draw_list(drawn, label=title, key="record-outcome")
    if pressed in tasks:
        sign_off.open_desk()
    if pressed:
        session.open_page("results.py", pressed)


def _make_row(row: DebateRow, outcome: str, nth: int, task: str) -> parts_of_rows.RowPart:
    ended = recent_minute_words(row.decided_at or row.opened_at)
    option = row.decided_option or ""
    button = _(task or READ)
    beside = f"{STATUS[row.sign_off.standing]} · {ended}"
    return {
        **parts_of_rows.plain_row(row.id, row.question, beside, button=button, count=outcome, primary=task == SIGN),
        "stands": option,
        "letter": letters(row.options).get(option, ""),
        "decided": True,
        "nth": nth,
    }


def _result_line(row: DebateRow, result: Held | None) -> str:
    """`Held`, `Review due: 1 Mar 2027`; without a signature there is nothing to hold."""
    if result is not None:
        return capitalized(RESULTS[result])
    if row.sign_off.standing not in SIGNED:
        return _("To be signed first")
    if row.sign_off.revisit:
        return capitalized(_("review due: {revisit}", revisit=spell_days(row.sign_off.revisit)))
    return _("No outcome yet")


def _may_record_outcome(row: DebateRow) -> bool:
    is_mine = session.may_be_in(row) if row.has_people else session.owns(row)
    if not is_mine or row.rehearsal or row.has_known_outcome or row.sign_off.standing not in SIGNED:
        return False
    state = session.host().state(row.id)
    return session.may(state, session.me(state), OutcomeRecorded)
