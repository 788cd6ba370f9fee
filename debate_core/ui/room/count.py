"""The count beside the transcript: votes and threshold, distance to a decision, ballots; in a tournament the ranking.

Shows what the rules counted and counts nothing itself; what an open phase still hides stays hidden.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TypedDict

import streamlit as st

from debate_core.engine.anchoring import is_vote_ahead
from debate_core.engine.stage import waits_as_agreed
from debate_core.host.debate_reader import DebateReader
from debate_core.language import _, _n
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import ballot_said
from debate_core.report.facts.counts import Number, counts_heads
from debate_core.report.facts.vote_bars import VoteBars, vote_bars
from debate_core.report.figures import votes
from debate_core.report.figures.ranking import ranking_table
from debate_core.report.phrases.contradictions import contradiction_sentence
from debate_core.report.phrases.counts import lead_words
from debate_core.report.phrases.evidence import rests_sentence, unverified_words
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.outcome import final_words
from debate_core.report.phrases.rules import advice_sentence, agreed_words
from debate_core.report.phrases.tournament import comparing_words, next_words, progress_words, settled_words
from debate_core.report.phrases.turns import argues_for_words
from debate_core.report.phrases.voters import ADVICE_OF
from debate_core.spec.rules import ballot_kind
from debate_core.text import capitalized
from debate_core.ui.kit import accounts
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.ranked import draw_proposals, draw_ranking
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.live.transcript import blind_seats, may_see_count, polled
from debate_core.ui.room.live.visibility import hides_sides, seat_name

TWIN = "tally_twin"
"""Key of the table that repeats the count."""


class CountPart(TypedDict):
    """The votes of the seats, the distance to a decision, the ballot of each seat, and warnings."""

    part: str
    votes: list[parts.VotesPart]
    lead: tuple[str, str]
    """The leading option, or an empty text, and its votes: `migrate`, `2 of 3, needed 2`."""
    ballots: list[tuple[str, str]]
    """Name of a seat, and its ballot or why it does not count."""
    warnings: list[str]


def _may_see_seats(state: State, holds: Collection[str]) -> bool:
    """False before a vote of people, and for a person whose seat does not see the other votes yet."""
    return not is_vote_ahead(state) and may_see_count(state, holds)


def draw_rule(state: State, holds: Collection[str]) -> None:
    """Draw the heading and the rule of the count."""
    st.subheader(_("The count of the seats") if state.spec.has_people else _("The count"), anchor=False)
    st.caption(safe_line(agreed_words(state.spec)))
    if not state.spec.protocol.deciding_role and not may_see_count(state, holds):
        st.caption(_("Shown once you have answered. Until then your seat does not see the other votes."))


def part(
    host: DebateReader, state: State, holds: Collection[str], names: Mapping[str, str]
) -> Mapping[str, object] | None:
    """Return the count so far for a holder of these seats, without a counted rule only warnings; None without both.

    `names`: aliases of seats for a viewer who must not know who speaks.
    """
    if state.spec.held_elsewhere:
        return None
    account = accounts.of_reader(host, state, holds)
    drawn = CountPart(part="count", votes=[], lead=("", ""), ballots=[], warnings=[])
    drawn["warnings"] = [*_warnings(account, state, holds, names)]
    if not _is_counted_here(state) or not _may_see_seats(state, holds):
        return {**drawn} if drawn["warnings"] else None
    # Its ballots are those of ended phases: an open phase is counted and shown when it has ended.
    drawn["votes"] = [parts.votes_part(bars, title="") for bars in vote_bars(account) if bars.are_of_seats]
    if account.state.ballots:
        leading, near = lead_line(account)
        drawn["lead"] = leading, ", ".join(filter(None, (near, _before_words(state))))
        drawn["ballots"] = [] if hides_sides(state, names) else ballot_list(account.state, names)
    return {**drawn}


def _is_counted_here(state: State) -> bool:
    """False without a counted rule, and where the count is elsewhere: in the status for advice, in the decision."""
    protocol = state.spec.protocol
    is_told = state.outcome is not None and not state.spec.has_people
    return not (protocol.deciding_role or protocol.paired or is_told or advice_sentence(state.spec))


class SmallCount(TypedDict):
    """The present count in one line: options with their points, and the votes needed or the ballots in."""

    title: str
    options: list[tuple[str, str, Number]]
    """Letter, option and points of the first options, best first; [] while sealed."""
    words: str
    alt: str


MAX_IN_LINE = 4
"""Options that fit into the line on a phone."""


def small_part(host: DebateReader, state: State, holds: Collection[str]) -> SmallCount | None:
    """Return the progress of an open vote or of the marks, else the deciding vote, else the first advice.

    None before the first ballot.
    """
    if words := polled(state):
        return SmallCount(title="", options=[], words=words, alt=words)
    if state.spec.held_elsewhere or state.spec.protocol.paired or not may_see_count(state, holds):
        return None
    bars = _first_cast(accounts.of_reader(host, state, holds), seats=not is_vote_ahead(state))
    if bars is None:
        return None
    return _small_count(bars, _before_words(state) if bars.are_of_seats else "")


def _first_cast(account: Account, *, seats: bool) -> VoteBars | None:
    """The first vote with ballots, of the seats too if `seats`; none while it is sealed advice."""
    cast = (bars for bars in vote_bars(account) if bars.cast)
    first = next((bars for bars in cast if seats or not bars.are_of_seats), None)
    if first is None or (first.is_sealed and not first.decides):
        return None
    return first


def _before_words(state: State) -> str:
    """Say that an open phase is not in the count of the seats; empty between phases and after the end."""
    is_open = state.open is not None and state.outcome is None and not waits_as_agreed(state)
    return _("before this phase") if is_open else ""


def _small_count(bars: VoteBars, before: str) -> SmallCount:
    best = sorted(bars.bars, key=lambda bar: -bar.has)[:MAX_IN_LINE]
    return SmallCount(
        title=parts.votes_title(bars) if bars.decides else ADVICE_OF[bars.voters],
        options=[(bar.letter, bar.option, bar.has) for bar in best],
        words=", ".join(filter(None, (*_progress(bars), before))),
        alt=parts.votes_alt(bars),
    )


def _progress(bars: VoteBars) -> Iterator[str]:
    """The ballots in while the vote is sealed, and the votes needed if the rule has a line."""
    if bars.is_sealed:
        yield _n(bars.eligible, "{cast} of {n} ballot in", "{cast} of {n} ballots in", cast=bars.cast)
    if bars.needed is not None:
        yield _("{needed} needed", needed=bars.needed)


def draw_twin(state: State, holds: Collection[str]) -> None:
    """Draw the count as a table; nothing while this person may not see it, or without a counted rule."""
    if state.spec.protocol.deciding_role or not _may_see_seats(state, holds):
        return
    account = accounts.at_page(state, holds)
    _draw_twin(TWIN, partial(votes.tally_table, account), alt=_("Votes of every option"))


def _draw_twin(key: str, table: Callable[[], Sequence[Mapping[str, object]]], *, alt: str) -> None:
    # Drawn only when open, because a table costs as much as the rest of the panel.
    twin = st.expander(_("The same as a table"), key=key, type="compact", on_change="rerun")
    if twin.open:
        with twin:
            draw_table(table(), key=f"{key}_table", alt=alt)


def _warnings(account: Account, state: State, holds: Collection[str], names: Mapping[str, str]) -> Iterator[str]:
    """List false quotes, a leading option that rests on them alone, and ballots that contradict their own text."""
    with_ids = not names
    may_see_votes = may_see_count(state, holds)
    if not blind_seats(state, holds):
        if words := unverified_words(account, with_ids=with_ids):
            yield in_names(account, words)
        if account.winner_rests_on and may_see_votes and not is_vote_ahead(state):
            yield in_names(account, rests_sentence(account, with_ids=with_ids))
    if may_see_votes and (words := contradiction_sentence(account, with_ids=with_ids)):
        yield words


def lead_line(account: Account) -> tuple[str, str]:
    """Return the leading option and its distance to a decision, with a tick once the rule is satisfied."""
    ruling = account.ruling
    if ruling.count is None or not counts_heads(account.state):
        return "", final_words(account)
    leading, near = lead_words(ruling)
    return leading, f"{near} ✓" if ruling.has_reached else near


def ballot_list(state: State, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the name of every debater and their ballot, or why it does not count."""
    kind = ballot_kind(state.spec.protocol.decide)
    rows = []
    for seat in state.spec.debaters():
        ballot = state.ballots.get(seat.id)
        words = _("not yet")
        if ballot is not None:
            status = "" if ballot.status == "cast" else votes.NO_VOTE[ballot.status]
            parts_of_ballot = (status, ballot_said(kind, ballot), argues_for_words(ballot.argues_for))
            words = ", ".join(part for part in parts_of_ballot if part)
        rows.append((capitalized(seat_name(seat.id, names)), words))
    return rows


def show_ranking(state: State, holds: Collection[str]) -> None:
    """Draw the progress of a tournament, and the ranking for viewers who have nothing to compare now.

    Names no winner: the rule does, once the tournament has ended.
    """
    st.subheader(_("The ranking so far") if state.outcome is None else _("The ranking"), anchor=False)
    st.caption(safe_line(f"{progress_words(state)}."))
    if blind_seats(state, holds):
        st.caption(_("Shown after your comparisons of this round, so that it does not influence you."))
        return
    account = accounts.at_page(state, holds)
    if not state.spec.options:
        st.caption(_("No comparisons yet: candidates are still being proposed."))
        draw_proposals(account)
        return
    # The status of the debate has the number of pairs that people compare.
    if not comparing_words(state) and (words := next_words(state)):
        st.caption(safe_line(f"{words}."))
    draw_proposals(account)
    if not account.compared:
        st.caption(_("The ranking appears once the first round has ended."))
        return
    st.markdown(safe_line(f"{settled_words(account)}."))
    draw_ranking(account)
    _draw_twin("ranking_twin", partial(ranking_table, account), alt=_("Options by strength"))
