"""Votes of the room on the results page: result, swing and moves of each electorate, and a recount.

Knows no rules: draws rows and sentences of revealed polls, and of sealed polls only the number of ballots.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import streamlit as st

from debate_core.engine.count.count import Count
from debate_core.engine.stage import count_of_poll
from debate_core.language import _, _n, later
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import (
    Number,
    agrees,
    ballot_by_ballot,
    number,
    pairs_of,
)
from debate_core.report.facts.crux import CruxRow, crux_of
from debate_core.report.facts.guesses import guess_rows
from debate_core.report.facts.polls import count_id, poll_progress, revealed_results
from debate_core.report.facts.swing import Moved, confidence_rows, moved_rows
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import Voters
from debate_core.report.figures.chart import FigureRow
from debate_core.report.figures.polls import pair_table
from debate_core.report.figures.result import criteria_rows, round_table
from debate_core.report.files.export import file_bytes, votes_csv
from debate_core.report.phrases.crux import crux_sentences, supposed_words
from debate_core.report.phrases.guesses import expected_words, guess_sentences
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.polls import progress_words, result_words, swing_words
from debate_core.report.phrases.voters import NAMES, VOTES_OF
from debate_core.spec.people import Electorate, PollResult, poll_name, poll_words
from debate_core.text import capitalized
from debate_core.ui.kit import accounts
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results import ballots
from debate_core.ui.results.sections import sealed_here


def show(account: Account, electorates: Sequence[Electorate]) -> None:
    """Draw the votes of these electorates: charts first, then sentences."""
    state = account.state
    st.header(VOTES_OF[electorates[0]] if len(electorates) == 1 else _("Votes of the people"), anchor=False)
    if not state.room.polls:
        st.caption(_("No vote has been called yet."))
        return
    for electorate in electorates:
        if len(electorates) > 1:
            st.subheader(capitalized(NAMES[electorate]), anchor=False)
        ballots.draw_vote(account, electorate)
        _draw_sentences(account, electorate)
    _name_sealed(state, electorates)


def _name_sealed(state: State, electorates: Sequence[Electorate]) -> None:
    """Name each sealed poll with the number of its ballots."""
    for poll in state.room.polls.values():
        if not poll.revealed:
            rows = [row for row in poll_progress(state, poll.id) if row.electorate in electorates]
            words = progress_words(rows)
            st.caption(_("Sealed: {poll}; {words}.", poll=named(poll_words(poll.id)), words=words))


def _draw_sentences(account: Account, electorate: Electorate) -> None:
    state = account.state
    revealed = [(poll, result) for poll, result in revealed_results(state) if result.electorate == electorate]
    if not revealed:
        return
    with st.expander(_("The same in words"), icon=":material/notes:", key=f"in-words-{electorate}", type="compact"):
        for poll, result in revealed:
            name = capitalized(named(poll_name(poll.id)))
            st.markdown(f"**{name}**: {safe_line(result_words(state, poll, result))}")
        if swing := swing_words(state, electorate):
            st.markdown(safe_line(swing))
    draw_crux(account, electorate)
    _draw_guesses(account, electorate)
    _draw_confidence(state, electorate)


def moved_of(account: Account, electorate: Electorate) -> Sequence[Moved]:
    """The changes of mind of these voters between the revealed votes."""
    moved = moved_rows(account.state, account.events, account.poll_votes)
    return [row for row in moved if row.electorate == electorate]


def draw_moves(account: Account, electorates: Sequence[Electorate]) -> None:
    """Draw the voters who moved, with the turns that they had read."""
    if rows := [_move_row(account, row) for electorate in electorates for row in moved_of(account, electorate)]:
        st.caption(_("Under aliases, with the last turn that was readable when each of the two ballots was cast."))
        draw_table(rows, key=f"moved-{electorates[0]}", alt=_("Changes of mind and the turns between"))


def draw_crux(account: Account, electorate: Voters) -> None:
    """Draw the claims that decided the last vote of these voters, and the results if they were false."""
    found = account.once(crux_of, electorate)
    if found is None:
        return
    st.markdown(_("**What decided it, and if that were not so** (advice, not counted)"))
    for sentence in crux_sentences(account, electorate):
        st.markdown(safe_line(sentence))
    rows = [_crux_row(row) for row in found.rows]
    draw_table(rows, key=f"crux-{electorate}", alt=_("Claims that decided the final vote"))


def _crux_row(row: CruxRow) -> FigureRow:
    supposed = row.supposed
    cells: FigureRow = {
        _("Claim"): row.number,
        _("Text"): row.claim,
        _("Decided it for"): _("{n} of {of}", n=row.named_by, of=row.ballots),
        _("Checked"): _("yes") if row.checked else _("no"),
    }
    if supposed is None:
        return {**cells, _("Switch"): "", _("Unknown"): "", _("If it is false"): _("not asked")}
    return {
        **cells,
        _("Switch"): supposed.switched,
        _("Unknown"): supposed.unknown,
        _("If it is false"): supposed_words(supposed),
    }


def _draw_guesses(account: Account, electorate: Electorate) -> None:
    """Draw the options that more people chose than voters expected."""
    sentences = guess_sentences(account, electorate)
    if not sentences:
        return
    st.markdown(_("**Chosen by more than expected** (advice, not counted)"))
    for sentence in sentences:
        st.markdown(safe_line(sentence))
    rows: list[FigureRow] = [
        {_("Option"): row.option, _("Chosen by"): row.votes, _("Expected"): expected_words(row)}
        for row in account.once(guess_rows, electorate)
        if row.expected is not None
    ]
    if rows:
        draw_table(rows, key=f"guesses-{electorate}", alt=_("Votes beside those that voters expected"))


def _draw_confidence(state: State, electorate: Electorate) -> None:
    means = [
        _(
            "{poll_name} {mean:.0f} %, from {lowest} to {highest} ({said} of {ballots} answered)",
            poll_name=named(poll_name(row.poll)),
            mean=float(row.mean),
            lowest=row.lowest,
            highest=row.highest,
            said=row.said,
            ballots=row.ballots,
        )
        for row in confidence_rows(state)
        if row.electorate == electorate and row.mean is not None
    ]
    if means:
        st.caption(_("Stated confidence, mean: {means}.", means=", ".join(means)))


def _move_row(account: Account, row: Moved) -> FigureRow:
    return {
        _("Who"): row.alias,
        _("From"): row.before,
        _("To"): row.after,
        _("Ballots"): " → ".join(map(poll_name, row.polls)),
        _("Had read, before"): in_names(account, row.read_before) if row.read_before else _("no turn"),
        _("Had read, after"): in_names(account, row.read_after) if row.read_after else _("no turn"),
    }


# --- recount


def recount(account: Account) -> None:
    """Draw every ballot of people by its receipt and the count step by step, so that they can contest the result."""

    def name_count(count: str) -> str:
        poll, result = by_id[count]
        return f"{named(poll_name(poll.id))}, {NAMES[result.electorate]}"

    state = account.state
    by_id = {count_id(poll.id, result.electorate): (poll, result) for poll, result in revealed_results(state)}
    ids = [*by_id]
    chosen = st.selectbox(_("Count"), ids, index=len(ids) - 1, key="recount", format_func=name_count)
    poll, result = by_id[chosen]
    count = count_of_poll(state, poll, result.electorate)
    if agrees(count, result):
        read = _n(len(count.ballots), "{n} ballot", "{n} ballots")
        st.success(_("{read} counted again, including abstentions: same result as recorded.", read=read))
    else:
        st.error(_("The recount gives another result than the recorded one."))
    st.markdown(safe_line(result_words(state, poll, result)))
    _draw_ballots(count, result)
    if rounds := round_table(count):
        st.caption(_("Each round eliminates the last option; its ballots go to their next remaining option."))
        draw_table(rounds, key="recount-rounds", alt=_("The rounds of the elimination"))
    if cells := count.matrix():
        draw_table(criteria_rows(cells), key="recount-criteria", alt=_("Mean points of each option under each driver"))
    if pairs := pairs_of(chosen, count):
        draw_table(pair_table(pairs, count.options), key="recount-pairs", alt=_("Pair by pair"))
    _draw_download(account, chosen, result)


def _draw_download(account: Account, chosen: str, result: PollResult) -> None:
    """Draw the download of the ballots, and the command that counts them."""
    if why := sealed_here(account):
        st.caption(safe_line(why))
        return
    st.download_button(
        _("Ballots (CSV)"),
        later("en", lambda: file_bytes("votes.csv", votes_csv(accounts.public(account)))),
        f"debate-{account.state.debate}-votes.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
    if result.rule == "weighted_criteria":
        st.caption(_("The weights of the drivers are in the record and not in this table."))
        return
    st.caption(
        _(
            "To count it elsewhere: python -m debate_core count votes.csv --poll {chosen} --rule {rule}",
            chosen=chosen,
            rule=safe_line(result.rule),
        )
    )


def _draw_ballots(count: Count, result: PollResult) -> None:
    each = ballot_by_ballot(count)
    rows: list[FigureRow] = [
        {_("Receipt"): b.voter, _("Weight"): b.weight, _("Ballot"): b.said, **_under_options(b.points or {})}
        for b in each
    ]
    if any(b.points for b in each):
        sums = _under_options({p.option: number(Fraction(p.points)) for p in result.points})
        weight = sum(b.weight for b in each)
        rows.append({_("Receipt"): _("all, as recorded"), _("Weight"): weight, _("Ballot"): "", **sums})
    draw_table(rows, key="recount-ballots", alt=_("Every ballot by its receipt and what it gives"))


def _under_options(points: Mapping[str, Number]) -> Mapping[str, Number]:
    return {f"→ {option}": n for option, n in points.items()}
