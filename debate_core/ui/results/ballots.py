"""The votes of some voters as charts on the results page: the vote, what is behind it, and its course.

Knows no rule: draws figures and rows from `report`.
"""

import streamlit as st

from debate_core.engine.count.criteria import Cells, tips
from debate_core.language import _, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, Voters, vote_bars
from debate_core.report.figures import result, votes
from debate_core.report.figures.chart import Chart
from debate_core.report.figures.charts import courses_of
from debate_core.report.figures.polls import TRANSITIONS
from debate_core.report.phrases.counts import margin_sentence, tip_words
from debate_core.report.phrases.polls import turnout_words, vote_rule_words
from debate_core.spec.people import poll_name
from debate_core.text import capitalized
from debate_core.ui.kit.chart import draw_chart, draw_table_of
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.text import safe_line, safe_text

_MAX_PX = 760
"""Width of a count, in which a row is read without losing it."""
MIN_FLOWS = 6
"""Ballots from which on a diagram says more than the list of changes."""
_PAIRS = message("Votes that prefer the option of the row to the option of the column.")


def draw_vote(account: Account, voters: Voters) -> None:
    """Draw the current vote of these voters and its course; of a sealed vote only the number of ballots."""
    flows = TRANSITIONS[voters]
    are_few = _are_few_seats(account, voters)
    courses = [chart for chart in courses_of(account, voters) if chart is not flows or not are_few]
    for vote in account.once(vote_bars):
        if vote.voters == voters and vote.is_sealed:
            parts.draw_votes(vote, key=f"sealed-{voters}")
        elif vote.voters == voters:
            _draw_counted(account, vote, flows if flows in courses else None)
    if votes.ROUNDS[voters] in courses:
        st.subheader(_("Votes by round"), anchor=False)
        draw_chart(account, votes.ROUNDS[voters])


def _are_few_seats(account: Account, voters: Voters) -> bool:
    counted = result.vote_of(account, voters)
    return voters == "debaters" and counted is not None and counted.cast < MIN_FLOWS


def _draw_counted(account: Account, vote: VoteBars, flows: Chart | None) -> None:
    """Draw a count as the overview does, or in the form of its rule.

    `flows` have the votes before and after, which bars in a fold have beside the votes needed.
    """
    st.caption(safe_line(_describe(vote)))
    chart = result.RESULT if vote.decides else result.VOTES[vote.voters]
    if flows:
        st.subheader(_flow_title(account, vote.voters), anchor=False)
        draw_chart(account, flows)
        fold = st.expander(
            _("As bars"), icon=":material/bar_chart:", key=f"bars-{vote.voters}", type="compact", on_change="rerun"
        )
        if fold.open:
            with fold:
                draw_chart(account, chart)
    elif vote.count and result.form_of(vote) == "bars":
        with st.container(width=_MAX_PX):
            names = result.names_behind(vote, vote.count)
            parts.draw_votes(vote, key=f"votes-{vote.voters}", title="", names=names)
        draw_table_of(account, chart)
    else:
        draw_chart(account, chart)
    if vote.count and account.state.outcome:
        st.markdown(safe_text(account.once(_describe_margin, vote.voters)))
    for chart in result.charts_behind(account, vote.voters):
        st.subheader(_(chart.title), anchor=False)
        is_pairs = chart is result.PAIRS[vote.voters]
        st.caption(_(_PAIRS) if is_pairs else _("Mean points of the ballots that give any; 0 if none does."))
        draw_chart(account, chart)
    if cells := result.cells_behind(account, vote.voters):
        _draw_tips(cells)


def _describe_margin(account: Account, voters: Voters) -> str:
    # Drawn once for each account, because it counts some hundred times.
    vote = result.vote_of(account, voters)
    return margin_sentence(vote.count) if vote and vote.count else ""


def _flow_title(account: Account, voters: Voters) -> str:
    vote = result.vote_of(account, voters)
    return _("Where the votes went") if vote and vote.unit == "votes" else _("Where the first choices went")


def _describe(vote: VoteBars) -> str:
    """The poll, the winning condition or a note that it decides nothing, and the turnout."""
    rule = vote_rule_words(vote.rule) if vote.decides else _("Advice: it decides nothing.")
    pairs = _(_PAIRS) if result.form_of(vote) == "pairs" else ""
    poll = f"{capitalized(named(poll_name(vote.poll)))}." if vote.poll else ""
    return " ".join(filter(None, (poll, rule, turnout_words(vote), pairs)))


def _draw_tips(cells: Cells) -> None:
    """Draw the weights of drivers that would change the winner, one line each."""
    near = tips(cells)
    if not near:
        st.caption(_("No option leads alone, so there is no winner that other weights could change."))
        return
    heading = _("Weight of one driver at which another option wins, the others scaled in proportion.")
    lines = [f"{tip.driver}: {tip_words(tip)}" for tip in near]
    st.caption("  \n".join(map(safe_line, (heading, *lines))))
