"""The overview of the results: the decision, its votes and threshold, changes of mind, and the reasons.

Knows no rules: draws values of an account.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine.stage import speaker_name
from debate_core.language import _, _n, spoken_list
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.decision import DISSENTS, approvers
from debate_core.report.facts.option_reasons import OptionReason, option_reasons
from debate_core.report.facts.terms import named
from debate_core.report.facts.unresolved import unresolved
from debate_core.report.facts.vote_bars import deciding_bars, letters, vote_bars
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.baselines import baseline_sentences, baseline_table
from debate_core.report.phrases.contradictions import contradiction_sentence
from debate_core.report.phrases.decision import (
    SIGNED_BY,
    assumptions_words,
    escalation_sentence,
    missing_to_sign,
    since_sentences,
)
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.evidence import STATUS_WORDS, VERDICT_WORDS, rests_sentence, unverified_words
from debate_core.report.phrases.judging import judged_words
from debate_core.report.phrases.marks import reading_sentences
from debate_core.report.phrases.minority import minority_reason
from debate_core.report.phrases.names import claim_name, in_names
from debate_core.report.phrases.voters import ADVICE_OF
from debate_core.text import capitalized, first_words, whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.parts import HeldPart, OptionPart, ReasonPart, SeatPart
from debate_core.ui.kit.components.ranked import draw_ranking
from debate_core.ui.kit.dates import minute_words, spell_days
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_text
from debate_core.ui.results import decision, evidence, sign_off, signatures
from debate_core.ui.results.tabs import open_claim, open_tab

MAX_RANKING_PX = 760
"""A wider ranking separates the names from their intervals."""
MAX_DISSENTS, MAX_DISSENT_WORDS = 2, 40
"""Dissents above the tabs and their words; the desk has all of them, word for word."""
MAX_REASONS, MAX_AGAINST = 2, 1
"""Reasons shown for one option: those with most readers. The tab Evidence has the others."""


def hero(account: Account) -> None:
    """Draw the decision with its signature, its arithmetic and votes, the decider, the advice and the minority."""
    status = account.once(decision_status)
    when = _rounds_words(account.state)
    # The time of a signature is beside the name.
    if account.decision.at and account.decision.signed is None:
        when = f"{minute_words(account.decision.at)}, {when}"
    if names := _list_awaited(account):
        when = _("{when} · still to sign: {names}", when=when, names=spoken_list(names))
    facts = [*list_facts(account)]
    reasons, others = [*list_reason(account)], list_others(account)
    parts.draw_hero(status, deciding_bars(account), facts, others, reasons=reasons, when=when, key="hero")


def _rounds_words(state: State) -> str:
    number = state.current_round()
    if state.outcome is None:
        most = state.spec.max_rounds
        return _("round {current_round} of {max_rounds}", current_round=max(number, 1), max_rounds=most)
    if state.outcome.status == "aborted":
        return _("stopped in round {number}", number=max(number, 1))
    return _("after {rounds}", rounds=_n(number, "{n} round", "{n} rounds"))


def strip(account: Account) -> None:
    """Draw the decision in one line, above the other tabs."""
    parts.draw_strip(account.once(decision_status), key="strip")


def list_facts(account: Account, own: Sequence[tuple[str, str, str]] = ()) -> Iterator[tuple[str, str, str]]:
    """(label, name or option, addition) of the decider, the signature, the reader's `own` vote, advice and judges."""
    decider = account.once(decision_status).decider
    yield decider.label, decider.who, decider.beside
    yield from _list_signature(account)
    yield from own
    for bars in vote_bars(account):
        best = [bar for bar in bars.bars if bar.wins]
        if not bars.decides and best:
            share = _("{has} of {of}", has=best[0].has, of=bars.of) if bars.in_heads else ""
            yield ADVICE_OF[bars.voters], best[0].option, share
    judged = judged_words(account)
    if judged and not judgements.is_plain_reading(account.state):
        yield _("Judges, a reading"), judged, judgements.reading_words(account.state)


def _list_signature(account: Account) -> Iterator[tuple[str, str, str]]:
    signed = account.decision.signed
    if signed is None:
        return
    when = minute_words(signed.at)
    if account.once(who_decided).by_person:
        # The name is that of the decider.
        yield _("Signed"), when, ""
    else:
        yield SIGNED_BY[signed.word.verdict], signed.by.name, when
    if signed.word.option is not None:
        yield _("Owner"), signed.word.owner.strip() or _("no one named"), ""
        if account.decision.latest_outcome is None:
            yield _("Review"), spell_days(signed.word.revisit.strip()) or _("none agreed"), ""


def _list_awaited(account: Account) -> Sequence[str]:
    """Names of the approvers if the decision can be signed and is unsigned."""
    return () if account.decision.signed or missing_to_sign(account) else approvers(account.state)


def list_reason(account: Account) -> Iterator[tuple[str, str]]:
    """Label and text of the recorded outcome, and of the signature's reason and assumptions, all shortened."""
    if account.decision.signed is None:
        return
    # A challenge has a notice of its own.
    if account.decision.since not in ("", "challenged"):
        since = spell_days(" ".join(filter(None, since_sentences(account))))
        yield _("Since then"), first_words(since, MAX_DISSENT_WORDS)
    word = account.decision.signed.word
    yield _("Reason"), whole_sentence(first_words(word.reason, MAX_DISSENT_WORDS) or _("None given"))
    if conditions := "; ".join(assumptions_words(word, partial(in_names, account))):
        yield _("Holds as long as"), first_words(conditions, MAX_DISSENT_WORDS)


def list_minority(account: Account) -> list[tuple[str, str]]:
    """Label and text of a reason of the minority; [] without one."""
    reason = account.once(minority_reason)
    return [reason] if reason else []


def list_others(account: Account) -> list[tuple[str, str]]:
    """Label and text of a reason of the minority, and of the first dissents."""
    found = list_minority(account)
    for dissent in account.decision.dissents[:MAX_DISSENTS]:
        by = dissent.by.name if dissent.by else _("without a name")
        found.append((f"{DISSENTS[dissent.kind]}, {by}", first_words(dissent.text, MAX_DISSENT_WORDS)))
    return found


def alarms(account: Account) -> None:
    """Draw alarms: quotes that are not in their source, ballots that contradict their own text."""
    for words in filter(None, (rests_sentence(account), unverified_words(account))):
        st.error(safe_text(in_names(account, words)), icon=":material/format_quote:")
    if words := contradiction_sentence(account):
        st.error(safe_text(words), icon=":material/contrast:")
    signatures.challenges(account)


def buttons(account: Account) -> None:
    """Draw the buttons for the next act on the decision and for the decision record."""
    state = account.state
    if state.outcome is None:
        if pressed(_("Go to the room"), key="go-to-room", icon=":material/forum:"):
            session.open_page("room.py", state.debate)
        return
    if goes_to := escalation_sentence(account):
        st.markdown(f":material/forward: {safe_text(spell_days(goes_to))}")
    label, is_next = next_act(account)
    files = partial(open_tab, _("Files"))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        kind: Literal["primary", "secondary"] = "primary" if is_next else "secondary"
        st.button(label, key="open-decision", type=kind, icon=":material/draw:", on_click=sign_off.open_desk)
        st.button(_("Decision record"), key="open-files", icon=":material/description:", on_click=files)
        is_challenged = bool(account.decision.challenges)
        if (is_challenged or account.once(unresolved)) and session.may_host():
            st.page_link(
                "setup.py",
                label=_("Debate it again") if is_challenged else _("Prepare the follow-up debate"),
                icon=":material/forward:",
                query_params={"follow": state.debate},
            )


def desk(account: Account) -> None:
    """Draw the dialog for signature and dissent if it is open."""
    if account.state.outcome and st.session_state.get(sign_off.OPEN):
        _draw_desk(account)


def next_act(account: Account) -> tuple[str, bool]:
    """The label of the button to the desk, and True if this person should press it next."""
    state = account.state
    me = session.me(state)
    if session.may(state, me, OutcomeRecorded) and sign_off.is_due(account):
        return _("Record the outcome"), True
    if not sign_off.is_next(account, me):
        return _("Signature and dissent"), False
    if not state.spec.rehearsal:
        return _("Sign the decision"), True
    # People in a room practise the signature, too; a person who only watches a rehearsal has nothing to sign.
    return _("Practise the signature"), state.spec.has_people


def _close_desk() -> None:
    st.session_state[sign_off.OPEN] = False


def _draw_desk(account: Account) -> None:
    label, _is_next = next_act(account)
    st.dialog(label, width="medium", on_dismiss=_close_desk)(_fill_desk)(account)


def _fill_desk(account: Account) -> None:
    if account.state.spec.rehearsal:
        st.caption(_("A rehearsal: the decision record marks a signature here as practice."))
    sign_off.show(account, session.me(account.state), in_dialog=True)


def section(account: Account) -> None:
    """Draw the ranking, or the moves of the seats and the strongest reasons, then the decision in sentences."""
    with st.container():
        if account.decision.signed:
            signatures.signature(account, account.decision.signed, key="signature-above", is_told=True, in_card=True)
    if account.ruling.is_compared:
        _draw_ranking(account)
    else:
        _draw_moves_and_reasons(account)
    for words in baseline_sentences(account):
        st.caption(safe_text(words))
    if rows := baseline_table(account):
        with st.expander(_("Cost and time without a debate"), icon=":material/table:", key="baselines-as-table"):
            draw_table(
                rows, key="baselines", height="content", alt=_("Answer, calls, tokens, cost and time of each method")
            )
    with st.expander(_("How it was decided, in full"), icon=":material/balance:", key="in-full"):
        decision.in_full(account)


def _draw_ranking(account: Account) -> None:
    st.subheader(_("Ranking"), anchor=False)
    if account.state.outcome is None:
        st.caption(_("The tab Votes shows the ranking so far."))
    elif account.compared:
        with st.container(width=MAX_RANKING_PX):
            draw_ranking(account)
    else:
        st.caption(_("Nothing has been compared."))


def _draw_moves_and_reasons(account: Account) -> None:
    moved, why = st.columns([3, 2], gap="medium")
    with moved:
        beside = "" if account.state.spec.terms.decides == "debaters" else f" :gray[· {_('advice')}]"
        st.subheader(f"{_('How the seats moved')}{beside}", anchor=False)
        if account.votes:
            counts, seats = _list_moves(account)
            parts.draw_moves(counts, seats, key="moves")
        elif account.ruling.is_counted and not account.state.spec.held_elsewhere:
            st.caption(_("No vote was counted.") if account.state.outcome else _("No vote has been counted yet."))
        else:
            st.caption(_("No votes are counted here."))
    with why:
        options = [*_list_reasons(account)]
        beside = _whose_reasons([line["side"] for option in options for line in option["lines"]])
        st.subheader(f"{_('Reasons')}{beside}", anchor=False)
        if account.claims:
            parts.draw_reasons(options, key="reasons", on_open=open_claim)
        else:
            st.caption(evidence.no_claim_words(account))


def _list_moves(account: Account) -> tuple[list[str], list[SeatPart]]:
    """The counts in order, and for each seat its ballots in these counts."""
    counts = list(dict.fromkeys((row.round, row.phase) for row in account.votes))
    rows = {(row.voter, row.round, row.phase): row for row in account.votes}
    seats = []
    for voter in dict.fromkeys(row.voter for row in account.votes):
        ballots = [rows.get((voter, *place)) for place in counts]
        seats.append(SeatPart(name=capitalized(speaker_name(account.state, voter)), cells=_cells(account, ballots)))
    return [_("Round {number} · {phase}", number=number, phase=named(phase)) for number, phase in counts], seats


def _cells(account: Account, ballots: Sequence[BallotRow | None]) -> list[HeldPart]:
    """One cell for each count (None = no ballot); with words for the first ballot, a change and a missing ballot."""
    letter = letters(account.state.spec.options)
    cells = list[HeldPart]()
    before = ""
    for ballot in ballots:
        option, words = _read_ballot(ballot)
        moved = bool(before) and words != before
        is_news = moved or not before or ballot is None
        why = _explain_change(account, ballot) if moved and ballot else ""
        cells.append(HeldPart(letter=letter.get(option, ""), words=words if is_news else "", moved=moved, why=why))
        before = words
    return cells


def _read_ballot(ballot: BallotRow | None) -> tuple[str, str]:
    """The one option at the top of a ballot, else an empty string; and the ballot in words."""
    if ballot is None:
        return "", _("no ballot")
    words = ballot.said or named(ballot.status)
    if len(ballot.tops) != 1:
        return "", words
    return ballot.tops[0], ballot.top() if ballot.status == "cast" else words


def _explain_change(account: Account, row: BallotRow) -> str:
    """The first claim that the seat named for its change of mind."""
    claims = account.state.claims
    for claim_id in row.changed_by or ():
        if claim_id in claims:
            return f"{capitalized(claim_name(account, claim_id))}: {claims[claim_id].text}"
    return ""


def _list_reasons(account: Account) -> Iterator[OptionPart]:
    letter = letters(account.state.spec.options)
    for option, found in account.once(option_reasons).items():
        against = [reason for reason in found if reason.side == "against"]
        others = [reason for reason in found if reason.side != "against"]
        chosen = (*others[:MAX_REASONS], *against[:MAX_AGAINST])
        lines = [_make_reason(account, option, reason) for reason in chosen]
        yield OptionPart(letter=letter[option], option=option, lines=lines)


def _whose_reasons(sides: Sequence[str]) -> str:
    """Say that unmarked claims under an option are from seats that voted for it."""
    if "said" not in sides:
        return ""
    are_all = set(sides) == {"said"}
    words = (
        _("said by seats while they voted for it") if are_all else _("marked, or said by seats while they voted for it")
    )
    return f" :gray[· {words}]"


def _make_reason(account: Account, option: str, reason: OptionReason) -> ReasonPart:
    row = reason.row
    known = [*reading_sentences(account.state, option, reason)]
    known += [
        speaker_name(account.state, row.seat),
        _("round {round}", round=row.round),
        STATUS_WORDS[row.status].lower(),
    ]
    if row.evidence_text:
        known.append(_("quote {verdict}", verdict=VERDICT_WORDS[row.quote_verified]))
    name = claim_name(account, row.claim_id)
    return ReasonPart(claim=row.claim_id, name=name, side=reason.side, text=row.claim, beside=", ".join(known))
