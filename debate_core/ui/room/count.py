"""The count beside the transcript: tally against the bar, how near a decision is, every ballot with its status.

Shows what the rules counted and counts nothing itself; what an open phase still hides stays hidden.
"""

from collections.abc import Collection, Mapping

import streamlit as st

from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import ballot_said
from debate_core.report.facts.counts import counts_heads
from debate_core.report.facts.vote_bars import vote_bars
from debate_core.report.figures import votes
from debate_core.report.words.contradictions import contradiction_sentence
from debate_core.report.words.counts import lead_words
from debate_core.report.words.evidence import rests_sentence, unverified_words
from debate_core.report.words.names import in_names
from debate_core.report.words.outcome import agreement_words, final_words
from debate_core.report.words.rules import agreed_words
from debate_core.report.words.turns import argues_for_words
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import Ballot, BallotKind
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit import accounts
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.live.transcript import blind_seats, may_see_count
from debate_core.ui.room.live.visibility import seat_name


def show(state: State, holds: Collection[str], names: Mapping[str, str] | None = None) -> None:
    """Rule, tally, distance to a decision, ballots. Without a counted rule only the rule is shown.

    `names`: aliases of seats for whoever must not know who speaks.
    """
    st.subheader(_("The count of the debaters") if state.spec.has_people else _("The count"), anchor=False)
    st.caption(safe_line(agreed_words(state.spec)))
    if state.spec.protocol.deciding_role:
        return
    if not may_see_count(state, holds):
        st.caption(_("Shown once you have answered: your seat does not see the others' votes before."))
        return
    account = accounts.of_reader(state, holds)
    # What a phase at once asks for is counted, and shown, when it has ended.
    shown = account.state
    for bars in vote_bars(account):
        if bars.are_of_seats:
            parts.draw_votes(bars, key="tally", title="")
    if not shown.ballots:
        return
    st.markdown(lead_line(account))
    ballot_list(shown, names)
    if account.agreement != "no_ballots":
        st.caption(safe_line(_agreement_line(account)))
    # Drawn when somebody opens it: a table costs as much as all the rest of the panel.
    twin = st.expander(_("The same as a table"), key="tally_twin", on_change="rerun")
    if twin.open:
        with twin:
            draw_table(votes.tally_table(account), key="tally_table", alt=_("Votes of every option"))


def false_quotes(state: State, holds: Collection[str], names: Mapping[str, str] | None = None) -> None:
    """What code did not find in its source, at once, and whether what would win rests on it alone."""
    if blind_seats(state, holds):
        return
    account = accounts.of_reader(state, holds)
    if words := unverified_words(account, with_ids=not names):
        st.error(safe_text(in_names(account, words)), icon=":material/format_quote:")
    if account.winner_rests_on and may_see_count(state, holds):
        words = in_names(account, rests_sentence(account, with_ids=not names))
        st.error(safe_text(words), icon=":material/gavel:")


def contradicting_ballots(state: State, holds: Collection[str], names: Mapping[str, str] | None = None) -> None:
    """Ballots whose own text argues for another option, at once, and the count with and without them."""
    account = accounts.of_reader(state, holds)
    if may_see_count(state, holds) and (words := contradiction_sentence(account, with_ids=not names)):
        st.error(safe_text(words), icon=":material/contrast:")


def lead_line(account: Account) -> str:
    """How near a decision is: `migrate: 2 of 3, needed 2`, with a tick once the rule has all that it asks."""
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
    """Every debater's ballot: cast for what, or why it does not count."""
    kind = ballot_kind(state.spec.protocol.decide)
    lines = []
    for seat in state.spec.debaters():
        words = _ballot_words(kind, state.ballots.get(seat.id))
        lines.append(f"- **{safe_line(capitalized(seat_name(seat.id, names)))}**: {safe_line(words)}")
    st.markdown("\n".join(lines))


def _agreement_line(account: Account) -> str:
    """`Consensus: the rule elects one option.`; in mid-debate it is no verdict yet."""
    words = account.once(agreement_words)
    if account.state.outcome:
        return whole_sentence(words)
    return _("So far: {agreement}.", agreement=words)


def _ballot_words(kind: BallotKind, ballot: Ballot | None) -> str:
    """`adopt`; the status of a ballot that does not count."""
    if ballot is None:
        return _("not yet")
    status = "" if ballot.status == "cast" else votes.NO_VOTE[ballot.status]
    words = [status, ballot_said(kind, ballot), argues_for_words(ballot.argues_for)]
    return ", ".join(word for word in words if word)
