"""Parts of the results page: header, counts, transcript, acts, files.

Knows no rules: draws rows of an account, which contains nothing that is hidden from this person.
"""

from collections.abc import Callable, Iterator

import streamlit as st

from debate_core.host.signatures import VERIFIER, file_of
from debate_core.language import Words, _, _n, current, later, spoken
from debate_core.record.events import dump_record
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import TurnRow
from debate_core.report.files.archive import zip_file
from debate_core.report.files.calendar import calendar_file
from debate_core.report.files.export import csv_files, deliverable_file, file_bytes
from debate_core.report.files.page import html_page
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.look_ups import look_up_lines
from debate_core.report.phrases.names import claim_name, in_names
from debate_core.report.phrases.overrides import override_words, sides
from debate_core.report.phrases.polls import withheld_words
from debate_core.report.phrases.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.spec.values import TurnStatus
from debate_core.ui.kit import accounts, debate_header, session
from debate_core.ui.kit.badges import seat_badges
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_id, safe_line, safe_text

SHORT_TRANSCRIPT_TURNS = 5
MAX_CLAIM_CHARS = 160
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
        "mismatch": "deliverable does not match",
        "struck": "struck",
    }
)


def heading(account: Account) -> None:
    """Draw the question, the links to the room and the record, and the badges of the seats."""
    state = account.state
    debate_header.show(state, "results")
    with st.container(horizontal=True, gap="small"):
        seat_badges(state)


def changes(account: Account) -> None:
    """Draw the ballots that changed, and the claims that the voter named as the reason."""
    before: dict[str, str] = {}
    lines = []
    for row in account.votes:
        now = row.said or row.status
        was = before.get(row.voter, now)
        before[row.voter] = now
        if was == now:
            continue
        lines.append(
            _(
                "- **{voter}**: {was} → **{now}** in {phase}, round {round}. Changed by: {why}",
                voter=safe_id(row.voter),
                was=safe_line(was),
                now=safe_line(now),
                phase=safe_line(named(row.phase)),
                round=row.round,
                why=_explain_change(account, row),
            )
        )
    st.markdown("\n".join(lines) or _("No ballot changed."))


def _explain_change(account: Account, row: BallotRow) -> str:
    if row.changed_by:
        return "; ".join(claim_words(account, claim_id) for claim_id in row.changed_by)
    if row.voter in {seat.id for seat in account.state.spec.evidence_panel()}:
        return _("people's marks on its passages")
    return _("no claim was named for it")


def claim_words(account: Account, claim_id: str) -> str:
    """The name of a claim and its first words; for another id, such as a turn, only the name."""
    name = f"**{safe_line(claim_name(account, claim_id))}**"
    claim = account.state.claims.get(claim_id)
    return f"{name} “{safe_line(claim.text, max_chars=MAX_CLAIM_CHARS)}”" if claim else name


def rule_title(rule: str, *, agreed: bool) -> str:
    """`majority (agreed)`, or only the name."""
    return _("{rule} (agreed)", rule=rule) if agreed else rule


def transcript(account: Account) -> None:
    """Draw all turns as one element, which stays fast with hundreds of turns."""
    if not account.turns:
        st.caption(_("No one has spoken yet."))
        return
    is_short = len(account.turns) <= SHORT_TRANSCRIPT_TURNS
    name = _n(len(account.turns), "Transcript: {n} turn", "Transcript: {n} turns")
    with st.expander(name, icon=":material/forum:", expanded=is_short, key="transcript"):
        st.markdown("\n\n".join(_format_transcript(account)))


def _format_transcript(account: Account) -> Iterator[str]:
    for number, phase in account.state.ran:
        blocks = []
        for row in account.turns:
            if (row.round, row.phase) == (number, phase):
                text = "" if row.status == "struck" else row.text
                head = " · ".join(_describe_turn(row))
                blocks.append(f"{head}\n\n{safe_text(in_names(account, text))}" if text else head)
                look_ups = () if row.status == "struck" else account.look_ups(row)
                blocks += [f"- {safe_line(found)}" for found in look_up_lines(look_ups)]
        for given in account.to_all.get((number, phase), ()):
            blocks.append(f"**{safe_line(given.speaker)}**\n\n{safe_text(given.text)}")
        if blocks:
            yield _("### Round {number} · {phase}", number=number, phase=safe_line(named(phase)))
        yield from blocks


def _describe_turn(row: TurnRow) -> Iterator[str]:
    """Seat, stance, vote, model, failed attempts, and doubts about the turn."""
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
    else:
        yield from _describe_doubts(row)


def _describe_doubts(row: TurnRow) -> Iterator[str]:
    if row.left_out:
        yield f":orange[{safe_line(left_out_words(row.left_out))}]"
    if row.argues_for:
        yield f":orange[{safe_line(argues_for_words(row.argues_for))}]"
    if row.no_reason:
        yield f":orange[{_(NO_REASON_GIVEN)}]"


def acts(account: Account) -> None:
    """Draw the interventions of people, with their reasons."""
    if not account.overrides:
        st.caption(_("No one intervened."))
        return
    st.caption(account.steering)
    rows = []
    for row in account.overrides:
        before, after = sides(row)
        rows.append(
            {
                _("When"): row.at[:19].replace("T", " "),
                _("Who"): row.actor if row.role in ("", row.actor) else f"{row.actor}, {named(row.role)}",
                _("What"): in_names(account, override_words(row)),
                _("Before"): in_names(account, before),
                _("After"): in_names(account, after),
                _("Reason"): row.reason,
            }
        )
    draw_table(rows, alt=_("What people did"))


def sealed_here(account: Account) -> str:
    """The reason why no file leaves the room now, in one sentence; empty if downloads are possible."""
    return withheld_words(account.state)


def exports(account: Account) -> None:
    """Draw the downloads, made on request; none while something is sealed or hidden."""
    if why := sealed_here(account):
        st.caption(safe_line(why))
        return
    if account.hides_turns:
        st.caption(_("Downloads are available after the open phase: some turns are still hidden."))
        return
    # Files contain what everyone may read, and nothing that only this person may.
    whole = accounts.public(account)
    # Tables and records are English; the report is in the language of the reader.
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
            later("en", lambda: _zip_files(tables)),
        ),
        (_("Report (Markdown)"), f"{name}.md", "text/markdown", later(current(), lambda: markdown_report(whole))),
        (
            _("Page with record (HTML)"),
            f"{name}.html",
            "text/html",
            later(current(), lambda: html_page(whole)),
        ),
        (_("Record (JSON lines)"), f"{name}.jsonl", "application/jsonl", lambda: dump_record(whole.events)),
    )
    for file_name, text in deliverable_file(whole).items():
        files = (*files, (_("Deliverable (JSON)"), f"{name}-{file_name}", "application/json", text.encode))
    for file_name, text in calendar_file(whole).items():
        files = (*files, (_("Review date (calendar)"), f"{name}-{file_name}", "text/calendar", text.encode))
    with st.container(horizontal=True):
        for label, file_name, mime, data in files:
            made = session.while_let_in(account.state, data)
            st.download_button(label, made, file_name, mime, icon=":material/download:", on_click="ignore")


def _zip_files(whole: Account) -> bytes:
    """A zip file with every table, the record, its signatures, and a script that verifies them."""
    files = {**csv_files(whole), **deliverable_file(whole), "events.jsonl": dump_record(whole.events)}
    if signed := session.host().signed(whole.state.debate):
        files["signatures.json"] = file_of(signed)
        files["verify_record.py"] = VERIFIER.read_text("utf-8")
    return zip_file({name: file_bytes(name, text) for name, text in files.items()})
