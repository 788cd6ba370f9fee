"""The count beside the transcript: votes and threshold, distance to a decision, ballots; in a tournament the ranking.

Shows what the rules counted and counts nothing itself; what an open phase still hides stays hidden.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import ballot_said
from debate_core.report.facts.counts import counts_heads
from debate_core.report.facts.vote_bars import vote_bars
from debate_core.report.figures import votes
from debate_core.report.figures.ranking import ranking_table
from debate_core.report.phrases.contradictions import contradiction_sentence
from debate_core.report.phrases.counts import lead_words
from debate_core.report.phrases.evidence import rests_sentence, unverified_words
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.outcome import agreement_words, final_words
from debate_core.report.phrases.rules import agreed_words
from debate_core.report.phrases.tournament import next_words, progress_words, settled_words
from debate_core.report.phrases.turns import argues_for_words
from debate_core.spec.rules import ballot_kind
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit import accounts
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.ranked import draw_proposals, draw_ranking
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.live.transcript import blind_seats, may_see_count
from debate_core.ui.room.live.visibility import seat_name


def show(state: State, holds: Collection[str], names: Mapping[str, str] | None = None) -> None:
    """Draw the rule, the votes, the distance to a decision and the ballots; without a counted rule only the rule.

    `names`: aliases of seats for a viewer who must not know who speaks.
    """
    st.subheader(_("The count of the debaters") if state.spec.has_people else _("The count"), anchor=False)
    st.caption(safe_line(agreed_words(state.spec)))
    if state.spec.protocol.deciding_role:
        return
    if not may_see_count(state, holds):
        st.caption(_("Shown once you have answered. Until then your seat does not see the other votes."))
        return
    account = accounts.of_reader(state, holds)
    # Its ballots are those of ended phases: an open phase is counted and shown when it has ended.
    shown = account.state
    for bars in vote_bars(account):
        if bars.are_of_seats:
            parts.draw_votes(bars, key="tally", title="")
    if not shown.ballots:
        return
    st.markdown(lead_line(account))
    ballot_list(shown, names)
    if account.agreement != "no_ballots":
        words = account.once(agreement_words)
        # In mid-debate it is no verdict yet.
        so_far = whole_sentence(words) if shown.outcome else _("So far: {agreement}.", agreement=words)
        st.caption(safe_line(so_far))
    _draw_twin("tally", partial(votes.tally_table, account), alt=_("Votes of every option"))


def _draw_twin(key: str, table: Callable[[], Sequence[Mapping[str, object]]], *, alt: str) -> None:
    # Drawn only when open, because a table costs as much as the rest of the panel.
    twin = st.expander(_("The same as a table"), key=f"{key}_twin", on_change="rerun")
    if twin.open:
        with twin:
            draw_table(table(), key=f"{key}_table", alt=alt)


def draw_warnings(state: State, holds: Collection[str], names: Mapping[str, str] | None = None) -> None:
    """Draw false quotes, a leading option that rests on them alone, and ballots that contradict their own text."""
    account = accounts.of_reader(state, holds)
    with_ids = not names
    may_see_votes = may_see_count(state, holds)
    if not blind_seats(state, holds):
        if words := unverified_words(account, with_ids=with_ids):
            st.error(safe_text(in_names(account, words)), icon=":material/format_quote:")
        if account.winner_rests_on and may_see_votes:
            words = in_names(account, rests_sentence(account, with_ids=with_ids))
            st.error(safe_text(words), icon=":material/gavel:")
    if may_see_votes and (words := contradiction_sentence(account, with_ids=with_ids)):
        st.error(safe_text(words), icon=":material/contrast:")


def lead_line(account: Account) -> str:
    """Distance to a decision, such as `migrate: 2 of 3, needed 2`, with a tick once the rule is satisfied."""
    ruling = account.ruling
    if ruling.count is None or not counts_heads(account.state):
        return safe_line(final_words(account))
    leading, near = lead_words(ruling)
    words = safe_line(near)
    if leading:
        words = f"**{safe_line(leading)}**: {words}"
    if ruling.has_reached:
        words += " :material/check:"
    return words


def ballot_list(state: State, names: Mapping[str, str] | None = None) -> None:
    """Draw the ballot of every debater, or why it does not count."""
    kind = ballot_kind(state.spec.protocol.decide)
    lines = []
    for seat in state.spec.debaters():
        ballot = state.ballots.get(seat.id)
        words = _("not yet")
        if ballot is not None:
            status = "" if ballot.status == "cast" else votes.NO_VOTE[ballot.status]
            parts_of_ballot = (status, ballot_said(kind, ballot), argues_for_words(ballot.argues_for))
            words = ", ".join(part for part in parts_of_ballot if part)
        lines.append(f"- **{safe_line(capitalized(seat_name(seat.id, names)))}**: {safe_line(words)}")
    st.markdown("\n".join(lines))


def show_ranking(state: State, holds: Collection[str]) -> None:
    """Draw the progress of a tournament, and the ranking for viewers who have nothing to compare now.

    Names no winner: the rule does, once the tournament has ended.
    """
    st.subheader(_("The ranking so far") if state.outcome is None else _("The ranking"), anchor=False)
    st.caption(safe_line(f"{progress_words(state)}."))
    if blind_seats(state, holds):
        st.caption(_("Shown after your comparisons of this round, so that it does not influence you."))
        return
    account = accounts.of_reader(state, holds)
    if not state.spec.options:
        st.caption(_("No comparisons yet: candidates are still being proposed."))
        draw_proposals(account)
        return
    st.markdown(safe_line(f"{settled_words(account)}."))
    if words := next_words(state):
        st.caption(safe_line(f"{words}."))
    draw_proposals(account)
    if not account.compared:
        st.caption(_("The ranking appears once the first round has ended."))
        return
    draw_ranking(account)
    _draw_twin("ranking", partial(ranking_table, account), alt=_("Options by strength"))
