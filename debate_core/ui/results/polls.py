"""Votes of the room on the results page: what decides, each electorate's result, swing and moves, and a recount.

Knows no rules: draws rows and sentences of revealed polls; of sealed ones only how many are in.
"""

from fractions import Fraction

import streamlit as st

from debate_core.engine.stage import ELECTORATES
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import number
from debate_core.report.facts.matrix import poll_matrix
from debate_core.report.facts.polls import casts, count_id, other_rules, poll_pair_rows, poll_progress, revealed_results
from debate_core.report.facts.recount import agrees, ballot_by_ballot, round_rows
from debate_core.report.facts.swing import confidence_rows, has_swing, moved_rows, swing_rows
from debate_core.report.figures import polls
from debate_core.report.figures.votes import Row
from debate_core.report.files.export import votes_csv
from debate_core.report.words.polls import deciding_words, progress_words, result_words, swing_words
from debate_core.spec.people import Electorate, PollResult, poll_name, poll_words
from debate_core.spec.values import in_words
from debate_core.text import plural
from debate_core.ui.kit import session
from debate_core.ui.kit.chart import figure, theme
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results import ballots
from debate_core.ui.results.sections import sealed_here

_NAMES: dict[Electorate, str] = {"panel": "Panel: named people with a mandate", "room": "Room: the audience"}
_TRANSITIONS = {"panel": polls.panel_transitions, "room": polls.room_transitions}


def deciding(state: State) -> None:
    """Whose count decides, right below the outcome of the debaters."""
    if words := deciding_words(state):
        st.markdown(safe_line(words))


def show(state: State) -> None:
    """The whole section; nothing without people."""
    if state.spec.room is None:
        return
    st.header("Votes of the room", anchor=False)
    if not state.room.polls:
        st.caption("Nobody has been asked for a vote yet.")
        return
    for poll in state.room.polls.values():
        if not poll.revealed:
            words = progress_words(poll_progress(state, poll.id))
            st.caption(f"Sealed: {poll_words(poll.id)}; {words}.")
    found = [*revealed_results(state)]
    for electorate in ELECTORATES:
        mine = [(p, r) for p, r in found if r.electorate == electorate]
        if mine:
            st.subheader(_NAMES[electorate], anchor=False)
            _electorate(state, electorate, mine)
    if found:
        _recount(state, found)


def _electorate(state: State, electorate: Electorate, found: list[tuple[PollState, PollResult]]) -> None:
    for poll, result in found:
        name = poll_name(poll.id)
        st.markdown(f"**{name[:1].upper()}{name[1:]}**: {safe_line(result_words(state, poll, result))}")
    if has_swing(state):
        st.markdown(safe_line(swing_words(state, electorate)))
        told, drawn = st.columns(2, gap="medium")
        with told:
            _swing(state, electorate)
        with drawn:
            _transitions(state, electorate)
    _confidence(state, electorate)
    _moved(state, electorate)
    _other_rules(state, *found[-1])


def _swing(state: State, electorate: Electorate) -> None:
    rows = [
        {
            "Option": r.option,
            "Before": number(r.before),
            "After": number(r.after),
            "Share before": _percent(float(r.share_before)),
            "Share after": _percent(float(r.share_after)),
            "Swing": f"{float(r.swing() * 100):+.1f}",
        }
        for r in swing_rows(state)
        if r.electorate == electorate
    ]
    st.caption("Ballots that put an option highest, by weight; shares are of all ballots handed in.")
    st.dataframe(rows, hide_index=True, key=f"swing-{electorate}", alt=f"Votes of the {electorate} before and after")


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _transitions(state: State, electorate: Electorate) -> None:
    drawn = figure(_TRANSITIONS[electorate], state, theme())
    alt = polls.transition_alt(state, electorate)
    st.plotly_chart(drawn, key=f"moves-{electorate}", config={"displayModeBar": False}, alt=alt)
    with st.expander("The same as a table"):
        rows = polls.transition_table(state, electorate)
        st.dataframe(rows, hide_index=True, key=f"moves-table-{electorate}", alt=alt)


def _confidence(state: State, electorate: Electorate) -> None:
    rows = [r for r in confidence_rows(state) if r.electorate == electorate and r.mean is not None]
    if rows:
        told = [f"{poll_name(r.poll)} {float(r.mean or 0):.0f} % ({r.said} of {r.ballots} said it)" for r in rows]
        st.caption(f"How sure they were, on average: {', '.join(told)}.")


def _moved(state: State, electorate: Electorate) -> None:
    moved = moved_rows(state, session.host().events(state.debate))
    rows = [
        {
            "Who": m.alias,
            "From": m.before,
            "To": m.after,
            "Ballots": " → ".join(poll_name(p) for p in m.polls),
            "Had read, before": m.read_before or "no turn",
            "Had read, after": m.read_after or "no turn",
        }
        for m in moved
        if m.electorate == electorate
    ]
    if rows:
        with st.expander(f"Who moved, and after which turn: {plural(len(rows), 'change')}"):
            st.caption("Under aliases. The last turn that could be read when each of the two ballots was cast.")
            st.dataframe(rows, hide_index=True, key=f"moved-{electorate}", alt="Changes of mind and the turns between")


def _other_rules(state: State, poll: PollState, result: PollResult) -> None:
    rows = [
        {
            "Rule": f"{in_words(o.rule)}{' (agreed)' if o.agreed else ''}",
            "Elects": " and ".join(o.winners) + (" (level)" if len(o.winners) > 1 else "") or "nothing",
            "Needed": "" if o.needed is None else str(o.needed),
        }
        for o in other_rules(state, poll, result)
    ]
    if len(rows) > 1:
        with st.expander(f"The same ballots of the {poll_name(poll.id)} under other rules"):
            st.dataframe(rows, hide_index=True, key=f"rules-{result.electorate}", alt="What other rules would elect")


# --- recount


def _recount(state: State, found: list[tuple[PollState, PollResult]]) -> None:
    """Every ballot by its receipt and the count step by step, for whoever contests it."""
    st.subheader("Count it again", anchor=False)
    by_id = {count_id(p.id, r.electorate): (p, r) for p, r in found}
    ids = [*by_id]
    chosen = st.selectbox("Count", ids, index=len(ids) - 1, key="recount", format_func=_count_name)
    poll, result = by_id[chosen]
    if agrees(state, poll, result):
        read = len(casts(state, poll, result.electorate))
        st.success(f"{plural(read, 'ballot')} read again, abstentions too: the count is the recorded one.")
    else:
        st.error("Counted again, these ballots give another result than the recorded one.")
    st.markdown(safe_line(result_words(state, poll, result)))
    _ballots(state, poll, result)
    _rounds(state, poll, result)
    _criteria(state, poll, result)
    _pairs(state, chosen)
    _to_take(state, chosen, result)


def _to_take(state: State, chosen: str, result: PollResult) -> None:
    """The ballots as a file, and the command that counts it."""
    if why := sealed_here(state):
        st.caption(safe_line(why))
        return
    st.download_button(
        "Ballots (CSV)",
        lambda: votes_csv(account(state)).encode(),
        f"debate-{state.debate}-votes.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
    if result.rule == "weighted_criteria":
        st.caption("The weights of the drivers are in the record and not in this table.")
        return
    st.caption(
        f"To count it elsewhere: python -m debate_core count votes.csv --poll {chosen} --rule {safe_line(result.rule)}"
    )


def _count_name(count: str) -> str:
    poll, electorate = count.split(".")
    return f"{poll_name(poll)}, {electorate}"


def _ballots(state: State, poll: PollState, result: PollResult) -> None:
    given = ballot_by_ballot(state, poll, result)
    rows: list[Row] = [
        {
            "Receipt": g.receipt,
            "Weight": g.weight,
            "Ballot": g.said,
            **{f"→ {option}": points for option, points in (g.gives or {}).items()},
        }
        for g in given
    ]
    if any(g.gives for g in given):
        sums = {f"→ {p.option}": number(Fraction(p.points)) for p in result.points}
        rows.append({"Receipt": "all, as recorded", "Weight": sum(g.weight for g in given), "Ballot": "", **sums})
    st.dataframe(rows, hide_index=True, key="recount-ballots", alt="Every ballot by its receipt and what it gives")


def _rounds(state: State, poll: PollState, result: PollResult) -> None:
    if rows := round_rows(state, poll, result):
        ballots.rounds_table(rows, key="recount-rounds")


def _criteria(state: State, poll: PollState, result: PollResult) -> None:
    if cells := poll_matrix(state, poll, result):
        ballots.criteria_tables(cells, key="recount-criteria")


def _pairs(state: State, chosen: str) -> None:
    """Row above column: by how many votes."""
    if found := [p for p in poll_pair_rows(state) if p.poll_id == chosen]:
        ballots.matrix(found, state.spec.options, key="recount-pairs")
