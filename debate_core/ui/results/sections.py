"""The pieces of the results page: counts, transcript, acts, files.

Knows no rules: draws rows of an account, which has nothing in it that is still hidden from this person.
"""

import io
import zipfile
from collections.abc import Callable, Iterator

import streamlit as st

from debate_core.engine.count.methods import METHODS
from debate_core.engine.voting import first_is_blind
from debate_core.host.signatures import VERIFIER, file_of
from debate_core.language import Words, _, _n, current, later, message, spoken
from debate_core.record.events import dump_record
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.counts import counts_heads, final_points, points_by_option, unweighted_points
from debate_core.report.facts.interventions import OverrideRow, ToAll
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import TurnRow
from debate_core.report.files.export import csv_files, file_bytes
from debate_core.report.files.report import markdown_report
from debate_core.report.words.names import claim_name, in_names
from debate_core.report.words.overrides import override_words, sides
from debate_core.report.words.polls import sealed_words
from debate_core.report.words.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.spec.values import TurnStatus
from debate_core.ui.kit import accounts, debate_header, session
from debate_core.ui.kit.badges import seat_badges
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_id, safe_line, safe_text

SHORT_TRANSCRIPT_TURNS = 5
MAX_CLAIM_CHARS = 160
UNWEIGHTED = message("Final, every ballot 1")
_STATUS_WORDS: Words[TurnStatus] = Words(
    {
        "ok": "given",
        "skipped": "skipped",
        "timeout": "ran out of time",
        "refused": "declined to answer",
        "cut": "cut short",
        "unparseable": "not readable",
        "failed": "failed",
        "weak": "too weak",
        "contradicts": "text and ballot differ",
        "struck": "struck",
    }
)


def heading(account: Account) -> None:
    """The question, the way to the room and the record, and who sits here, if it is nobody who argues."""
    state = account.state
    debate_header.show(state, "results")
    with st.container(horizontal=True, gap="small"):
        seat_badges(state)


def counts(account: Account) -> None:
    """First and final tally side by side, options without a vote too."""
    state = account.state
    if not state.counted:
        is_counted = account.ruling.is_counted
        st.caption(_("No ballot has been counted.") if is_counted else _("These rules count no ballots."))
        return
    first = state.counted[0]
    spec = state.spec
    last = state.outcome.tally if state.outcome else state.counted[-1].tally
    then = points_by_option(state, first.ballots)
    now = final_points(state)
    blind = _("First count, blind") if first_is_blind(state.spec.protocol) else _("First count")
    alone = unweighted_points(state)
    rows = [{_("Option"): name, blind: then.get(name, 0), _("Final count"): now.get(name, 0)} for name in spec.options]
    rows.append(
        {
            _("Option"): _("no vote (abstained or failed)"),
            blind: first.tally.eligible - first.tally.cast,
            _("Final count"): last.eligible - last.cast,
        }
    )
    if alone:
        for row, number in zip(rows, [*alone.values(), last.eligible - last.cast], strict=True):
            row[_(UNWEIGHTED)] = number
    if account.ruling.is_counted and not counts_heads(state):
        st.caption(_("In {unit}, as the agreed rule counts them.", unit=named(METHODS[spec.protocol.decide.kind].unit)))
    # Narrow, so that a long option does not push the counts out of sight.
    option = st.column_config.TextColumn(width=140)
    draw_table(rows, column_config={_("Option"): option}, alt=_("First and final tally"))


def changes(account: Account) -> None:
    """Ballots that changed, and the claims that the voter named for it."""
    lines = [_change_line(account, row, was) for row, was in _changed_ballots(account)]
    st.markdown("\n".join(lines) or _("No ballot changed."))


def _changed_ballots(account: Account) -> Iterator[tuple[BallotRow, str]]:
    """Each ballot that says something else than the one before it of the same voter, and what that one said."""
    before: dict[str, str] = {}
    for row in account.votes:
        now = _said(row)
        was = before.get(row.voter, now)
        before[row.voter] = now
        if was != now:
            yield row, was


def _said(row: BallotRow) -> str:
    return row.said or row.status


def _change_line(account: Account, row: BallotRow, was: str) -> str:
    return _(
        "- **{voter}**: {was} → **{now}** in {phase}, round {round}. Changed by: {why}",
        voter=safe_id(row.voter),
        was=safe_line(was),
        now=safe_line(_said(row)),
        phase=safe_line(named(row.phase)),
        round=row.round,
        why=_why_changed(account, row),
    )


def _why_changed(account: Account, row: BallotRow) -> str:
    if row.changed_by:
        return "; ".join(claim_words(account, claim_id) for claim_id in row.changed_by)
    if row.voter in {seat.id for seat in account.state.spec.evidence_panel()}:
        return _("people's marks on its passages")
    return _("no claim was named for it")


def claim_words(account: Account, claim_id: str) -> str:
    """The name of a claim and its beginning; of another place, such as a turn, the name alone."""
    name = f"**{safe_line(claim_name(account, claim_id))}**"
    claim = account.state.claims.get(claim_id)
    return f"{name} “{safe_line(claim.text, max_chars=MAX_CLAIM_CHARS)}”" if claim else name


def rule_title(rule: str, *, agreed: bool) -> str:
    """`majority (agreed)`, or the name alone."""
    return _("{rule} (agreed)", rule=rule) if agreed else rule


def transcript(account: Account) -> None:
    """Every turn as read, as one block: hundreds of turns stay one element."""
    if not account.turns:
        st.caption(_("Nobody has spoken yet."))
        return
    is_short = len(account.turns) <= SHORT_TRANSCRIPT_TURNS
    name = _n(len(account.turns), "Transcript: {n} turn", "Transcript: {n} turns")
    with st.expander(name, icon=":material/forum:", expanded=is_short, key="transcript"):
        st.markdown("\n\n".join(_transcript_blocks(account)))


def _transcript_blocks(account: Account) -> Iterator[str]:
    for number, phase in account.state.ran:
        turns = [_turn_block(account, row) for row in account.turns if (row.round, row.phase) == (number, phase)]
        to_all = [_to_all_block(given) for given in account.to_all.get((number, phase), ())]
        if turns or to_all:
            yield _("### Round {number} · {phase}", number=number, phase=safe_line(named(phase)))
        yield from (*turns, *to_all)


def _to_all_block(given: ToAll) -> str:
    return f"**{safe_line(given.speaker)}**\n\n{safe_text(given.text)}"


def _turn_block(account: Account, row: TurnRow) -> str:
    head = " · ".join(_turn_head(row))
    if row.status == "struck" or not row.text:
        return head
    return f"{head}\n\n{safe_text(in_names(account, row.text))}"


def _turn_head(row: TurnRow) -> Iterator[str]:
    """Whose turn it is, what it holds and votes for, who answered, and what went wrong with it."""
    yield f"**{safe_id(row.seat)}**"
    if row.stance and row.stance != row.seat:
        yield safe_line(row.stance, max_chars=120)
    if row.vote:
        yield _("vote: **{vote}**", vote=safe_line(row.vote))
    if row.model:
        yield safe_line(row.model)
    if row.failures:
        failed = "; ".join(
            _("attempt {number}: {why}", number=n, why=why) for n, why in enumerate(row.failures, start=1)
        )
        yield _(":orange[attempt {retries}] ({failed})", retries=row.retries + 1, failed=safe_line(failed))
    if row.status != "ok":
        yield f":red[{_STATUS_WORDS[row.status]}] {safe_line(row.message)}"
        return
    if row.left_out:
        yield f":orange[{safe_line(left_out_words(row.left_out))}]"
    if row.argues_for:
        yield f":orange[{safe_line(argues_for_words(row.argues_for))}]"
    if row.no_reason:
        yield f":orange[{_(NO_REASON_GIVEN)}]"


def acts(account: Account) -> None:
    """What people did to the course of the debate, with their reasons."""
    if not account.overrides:
        st.caption(_("Nobody intervened."))
        return
    st.caption(account.steering)
    draw_table([_act_cells(account, row) for row in account.overrides], alt=_("What people did"))


def _act_cells(account: Account, row: OverrideRow) -> dict[str, str]:
    before, after = sides(row)
    return {
        _("When"): row.at[:19].replace("T", " "),
        _("Who"): _who(row),
        _("What"): in_names(account, override_words(row)),
        _("Before"): in_names(account, before),
        _("After"): in_names(account, after),
        _("Reason"): row.reason,
    }


def _who(row: OverrideRow) -> str:
    if row.role in ("", row.actor):
        return row.actor
    return f"{row.actor}, {named(row.role)}"


def sealed_here(account: Account) -> str:
    """Why nobody can take files out of a room with people now, in one sentence; empty if they can."""
    if not account.state.spec.has_people:
        return ""
    return sealed_words(account.state)


def exports(account: Account) -> None:
    """Files of this debate, made when they are asked for; none while something is sealed or hidden."""
    if why := sealed_here(account):
        st.caption(safe_line(why))
        return
    if account.hides_turns:
        st.caption(_("The files can be had again when the phase that is open has ended: some turns are still hidden."))
        return
    # Whoever takes a file takes what everybody may read.
    whole = accounts.public(account)
    # Tables and records are English; a report is in the language of whoever takes it.
    with spoken("en"):
        tables = accounts.public(account)
    name = f"debate-{whole.state.debate}"
    files: tuple[tuple[str, str, str, Callable[[], str | bytes]], ...] = (
        (
            _("Transcript (CSV)"),
            f"{name}-transcript.csv",
            "text/csv",
            later("en", lambda: file_bytes("transcript.csv", csv_files(tables)["transcript.csv"])),
        ),
        (
            _("All tables and the record (zip)"),
            f"{name}.zip",
            "application/zip",
            later("en", lambda: _zipped(_pack(tables))),
        ),
        (_("Report (Markdown)"), f"{name}.md", "text/markdown", later(current(), lambda: markdown_report(whole))),
        (_("Record (JSON lines)"), f"{name}.jsonl", "application/jsonl", lambda: dump_record(whole.events)),
    )
    with st.container(horizontal=True):
        for label, file_name, mime, data in files:
            made = session.while_let_in(account.state, data)
            st.download_button(label, made, file_name, mime, icon=":material/download:", on_click="ignore")


def _pack(whole: Account) -> dict[str, str]:
    """Every table, and the record, which can be opened here again, with who vouches for it and a way to check that."""
    files = {**csv_files(whole), "events.jsonl": dump_record(whole.events)}
    if signed := session.host().signed(whole.state.debate):
        files["signatures.json"] = file_of(signed)
        files["verify_record.py"] = VERIFIER.read_text("utf-8")
    return files


def _zipped(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in files.items():
            pack.writestr(name, file_bytes(name, text))
    return packed.getvalue()
