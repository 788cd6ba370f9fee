"""Earlier decisions on the question in set-up: at most three, each dismissed or quoted by one press."""

import streamlit as st

from debate_core.errors import DebateError
from debate_core.host.precedents.archive import archive_of
from debate_core.host.precedents.index import MAX_SHOWN, DecidedRecord, RecordStatus
from debate_core.language import Words, _, said
from debate_core.spec.values import Source, free_source_id
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.draft_store import change, current

MAX_REASON_CHARS = 200
STATUS: Words[RecordStatus] = Words(
    {
        "in_force": "In force",
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
        for record in shown:
            _draw_record(record)


def _draw_record(record: DecidedRecord) -> None:
    with st.container(border=True, key=f"precedent-{record.id}"):
        st.markdown(f"**{safe_line(record.question)}**")
        place = record.title if record.title != record.question else ""
        facts = [record.date, STATUS[record.status], place]
        st.caption(" · ".join(safe_line(fact) for fact in facts if fact))
        st.markdown("\n".join(f"- {line}" for line in _lines(record)))
        with st.container(horizontal=True):
            st.button(
                _("Quote as document"), key=f"quote-{record.id}", type="tertiary", on_click=_quote, args=(record,)
            )
            st.button(_("Dismiss"), key=f"dismiss-{record.id}", type="tertiary", on_click=_dismiss, args=(record.id,))


def _lines(record: DecidedRecord) -> list[str]:
    """The choice, the rejected options with votes and reasons, and what became of it."""
    lines = []
    if record.chosen:
        lines.append(_("Chosen: {option}", option=safe_line(_with_votes(record.chosen, record.votes))))
    for option in record.rejected:
        lines.append(_("Rejected: {option}", option=safe_line(_with_votes(option.option, option.votes))))
        lines += [f"  - {safe_line(why, max_chars=MAX_REASON_CHARS)}" for why in option.why[:1]]
    if record.outcome in OUTCOMES:
        lines.append(OUTCOMES[record.outcome])
    if record.replaced_by:
        lines.append(_("Superseded by {records}", records=safe_line(", ".join(record.replaced_by))))
    return lines


def _with_votes(option: str, votes: str) -> str:
    return _("{option} ({votes} votes)", option=option, votes=votes) if votes else option


def _title(record: DecidedRecord) -> str:
    return record.title[:200]


def _dismiss(record_id: str) -> None:
    draft = current()
    change(draft, dismissed=(*draft.dismissed, record_id))


def _quote(record: DecidedRecord) -> None:
    """Add the record to the documents of the draft, so that seats can quote it."""
    draft = current()
    source = Source(id=free_source_id(draft.sources), title=_title(record), text=record.text)
    change(draft, sources=(*draft.sources, source))
