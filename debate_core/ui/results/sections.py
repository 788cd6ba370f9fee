"""Parts of the results page: header, counts, acts, files.

Knows no rules: draws rows of an account, which contains nothing that is hidden from this person.
"""

from collections.abc import Callable
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.host.signatures import VERIFIER, file_of
from debate_core.language import _, current, later, quoted, spoken
from debate_core.record.events import dump_record
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.terms import named
from debate_core.report.files.archive import zip_file
from debate_core.report.files.calendar import calendar_file
from debate_core.report.files.export import csv_files, deliverable_file, file_bytes
from debate_core.report.files.page import html_page
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.names import claim_name, in_names
from debate_core.report.phrases.overrides import override_clause, sides
from debate_core.report.phrases.polls import withheld_words
from debate_core.text import capitalized
from debate_core.ui.kit import accounts, debate_header, session
from debate_core.ui.kit.badges import seat_badges
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_id, safe_line

MAX_CLAIM_CHARS = 160


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
                "- **{voter}**, round {round} ({phase}): {was} → **{now}**, {why}",
                voter=capitalized(safe_id(row.voter)),
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
        named_claims = "; ".join(claim_words(account, claim_id) for claim_id in row.changed_by)
        return _("because of {claims}", claims=named_claims)
    if row.voter in {seat.id for seat in account.state.spec.evidence_panel()}:
        return _("because people marked its passages")
    return _("without naming a claim")


def claim_words(account: Account, claim_id: str) -> str:
    """The name of a claim and its first words; for another id, such as a turn, only the name."""
    name = f"**{safe_line(claim_name(account, claim_id))}**"
    claim = account.state.claims.get(claim_id)
    return f"{name} {quoted(safe_line(claim.text, max_chars=MAX_CLAIM_CHARS))}" if claim else name


def rule_title(rule: str, *, agreed: bool) -> str:
    """`majority (agreed)`, or only the name."""
    return _("{rule} (agreed)", rule=rule) if agreed else rule


def acts(account: Account) -> None:
    """Draw the interventions of people, with their reasons."""
    rows = []
    for row in account.overrides:
        before, after = sides(row)
        rows.append(
            {
                _("When"): row.at[:19].replace("T", " "),
                _("Who"): row.actor if row.role in ("", row.actor) else f"{row.actor}, {named(row.role)}",
                _("What"): in_names(account, override_clause(row)),
                _("Before"): in_names(account, before),
                _("After"): in_names(account, after),
                _("Reason"): row.reason,
            }
        )
    draw_table(rows, alt=_("What people did"))


def sealed_here(account: Account) -> str:
    """The reason why no file leaves the room now, in one sentence; empty if downloads are possible."""
    return withheld_words(account.state)


def table_button(account: Account, label: str, name: str) -> None:
    """Draw the download of one CSV table; nothing while a turn is sealed or hidden."""
    if sealed_here(account) or account.hides_turns:
        return
    # Tables are English, and contain what everyone may read.
    with spoken("en"):
        tables = accounts.public(account)
    made = session.while_let_in(account.state, later("en", lambda: file_bytes(name, csv_files(tables)[name])))
    file_name = f"debate-{account.state.debate}-{name}"
    st.download_button(label, made, file_name, "text/csv", icon=":material/download:", on_click="ignore")


def page_button(account: Account, label: str, *, primary: bool = False) -> None:
    """Draw the download of the debate as a page for readers, in their language."""
    whole = accounts.public(account)
    made = session.while_let_in(account.state, later(current(), lambda: html_page(whole)))
    kind: Literal["primary", "secondary"] = "primary" if primary else "secondary"
    name = f"debate-{whole.state.debate}.html"
    st.download_button(label, made, name, "text/html", type=kind, icon=":material/download:", on_click="ignore")


def draw_card(place: DeltaGenerator, title: str, beside: str) -> DeltaGenerator:
    """A card for a download: what it is for, and what it has."""
    card = place.container(border=True, height="stretch", gap="xsmall")
    card.markdown(f"**{title}**")
    card.caption(beside)
    return card


def exports(account: Account, place: DeltaGenerator, *, with_page: bool) -> None:
    """Draw the downloads, made on request; none while something is sealed or hidden. `place`: for all files in one."""
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
    with draw_card(place, _("To check or analyse"), _("Every turn, vote and event, also as tables.")):
        if with_page:
            page_button(account, _("Page with full record (HTML)"))
        made = later("en", lambda: _zip_files(tables))
        _file_button(account, _("All tables and the full record (zip)"), f"{name}.zip", "application/zip", made)
    more = st.expander(_("Single files: report, transcript, full record"), icon=":material/folder:", key="single-files")
    with more, st.container(horizontal=True):
        for file_name, text in calendar_file(whole).items():
            label = _("Review date (calendar)")
            _file_button(account, label, f"{name}-{file_name}", "text/calendar", text.encode)
        report = later(current(), lambda: markdown_report(whole))
        _file_button(account, _("Report (Markdown)"), f"{name}.md", "text/markdown", report)
        table_button(account, _("Transcript (CSV)"), "transcript.csv")
        record = _("Full record (every event, for checking)")
        _file_button(account, record, f"{name}.jsonl", "application/jsonl", lambda: dump_record(whole.events))
        for file_name, text in deliverable_file(whole).items():
            label = _("Deliverable (JSON)")
            _file_button(account, label, f"{name}-{file_name}", "application/json", text.encode)


def _file_button(account: Account, label: str, name: str, mime: str, data: Callable[[], str | bytes]) -> None:
    made = session.while_let_in(account.state, data)
    st.download_button(label, made, name, mime, icon=":material/download:", on_click="ignore")


def _zip_files(whole: Account) -> bytes:
    """A zip file with every table, the record, its signatures, and a script that verifies them."""
    files = {**csv_files(whole), **deliverable_file(whole), "events.jsonl": dump_record(whole.events)}
    if signed := session.host().signed(whole.state.debate):
        files["signatures.json"] = file_of(signed)
        files["verify_record.py"] = VERIFIER.read_text("utf-8")
    return zip_file({name: file_bytes(name, text) for name, text in files.items()})
