"""Earlier decisions on the question in set-up: at most three, each dismissed or quoted by one press."""

import streamlit as st

from debate_core.errors import DebateError
from debate_core.host.precedents.archive import archive_of
from debate_core.host.precedents.index import MAX_SHOWN, ArchivedStatus, DecidedRecord
from debate_core.language import Words, _, said
from debate_core.spec.values import Source, free_source_id
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.draft_store import change, current

MAX_REASON_CHARS = 200
STATUS: Words[ArchivedStatus] = Words(
    {
        "in_force": "In force",
        "challenged": "Challenged",
        "open": "Not decided",
        "withdrawn": "Withdrawn",
        "superseded": "Superseded",
        "unknown": "No status",
    }
)
OUTCOMES: Words[str] = Words(
    {"held": "It held.", "revised": "It was revised later.", "reversed": "It was reversed later."}
)


def draw_precedents(draft: SetupDraft) -> None:
    """Draw the decided records that fit the question; nothing without any."""
    if not draft.question.strip():
        return
    try:
        index = archive_of(session.host()).index(session.looker(), st.context.cookies)
    except DebateError as error:
        st.caption(safe_text(_("Earlier decisions cannot be read: {why}.", why=said(error))))
        return
    query = " ".join((draft.question, *draft.named_options()))
    hidden = {*draft.dismissed, *(source.title for source in draft.sources)}
    found = [record for record in index.find(query, MAX_SHOWN + len(hidden)) if _title(record) not in hidden]
    shown = [record for record in found if record.id not in hidden][:MAX_SHOWN]
    if shown:
        st.markdown(_("Decided before"))
        for number, record in enumerate(shown, start=1):
            _draw_record(record, number)


def _draw_record(record: DecidedRecord, number: int) -> None:
    with st.container(border=True, key=f"precedent-{number}"):
        st.markdown(f"**{number} · {safe_line(record.question)}**")
        place = record.title if record.title != record.question else ""
        st.caption(" · ".join(safe_line(fact) for fact in (record.date, STATUS[record.status], place) if fact))
        st.markdown("\n".join(_lines(record)))
        with st.container(horizontal=True):
            for label, name, act in (
                (_("Quote precedent {number} as document", number=number), "quote", _quote),
                (_("Dismiss precedent {number}", number=number), "dismiss", _dismiss),
            ):
                st.button(label, key=f"{name}-{record.id}", type="tertiary", on_click=act, args=(record,))


def _lines(record: DecidedRecord) -> list[str]:
    """The choice, the rejected options with votes and reasons, and what became of it, as a list in Markdown."""
    lines = []
    if record.chosen:
        lines.append(_("Chosen: {option}", option=_with_votes(record.chosen, record.votes)))
    for option in record.rejected:
        why = "".join(f"\n  - {safe_line(reason, max_chars=MAX_REASON_CHARS)}" for reason in option.why[:1])
        lines.append(_("Rejected: {option}", option=_with_votes(option.option, option.votes)) + why)
    if record.outcome in OUTCOMES:
        lines.append(OUTCOMES[record.outcome])
    if record.replaced_by:
        lines.append(_("Superseded by {records}", records=safe_line(", ".join(record.replaced_by))))
    return [f"- {line}" for line in lines]


def _with_votes(option: str, votes: str) -> str:
    shown = safe_line(option, max_chars=MAX_REASON_CHARS)
    return _("{option} (votes: {votes})", option=shown, votes=votes) if votes else shown


def _title(record: DecidedRecord) -> str:
    return record.title[:200]


def _dismiss(record: DecidedRecord) -> None:
    draft = current()
    change(draft, dismissed=(*draft.dismissed, record.id))


def _quote(record: DecidedRecord) -> None:
    """Add the record to the documents of the draft, so that seats can quote it."""
    draft = current()
    source = Source(id=free_source_id(draft.sources), title=_title(record), text=record.text)
    change(draft, sources=(*draft.sources, source))
