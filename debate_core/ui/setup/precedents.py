"""Earlier decisions on the question in set-up: at most three, each dismissed or quoted by one press."""

from collections.abc import Iterable, Iterator

import streamlit as st

from debate_core.errors import DebateError
from debate_core.host.precedents.archive import archive_of
from debate_core.host.precedents.index import MAX_SHOWN, ArchivedStatus, DecidedRecord, RecordIndex
from debate_core.language import Words, _, said
from debate_core.report.phrases.base_rates import base_rate_sentences
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
    found = index.find(query, MAX_SHOWN + len(hidden))
    shown = [record for record in found if hidden.isdisjoint((record.id, _title(record)))][:MAX_SHOWN]
    if shown:
        st.markdown(_("Decided before"))
        for number, record in enumerate(shown, start=1):
            _draw_record(record, number, index)
        task = draft.triage.task
        if task != "unknown" and (rate := index.base_rates.get(task)):
            st.caption(base_rate_sentences(rate))


def _draw_record(record: DecidedRecord, number: int, index: RecordIndex) -> None:
    with st.container(border=True, key=f"precedent-{number}"):
        st.markdown(f"**{number} · {safe_line(record.question)}**")
        place = record.title if record.title != record.question else ""
        st.caption(" · ".join(safe_line(fact) for fact in (record.date, STATUS[record.status], place) if fact))
        st.markdown(
            record_list([*chosen_line(record), *rejected_lines(record, most_reasons=1), *fate_lines(record, index)])
        )
        with st.container(horizontal=True):
            for label, name, act in (
                (_("Quote precedent {number} as document", number=number), "quote", _quote),
                (_("Dismiss precedent {number}", number=number), "dismiss", _dismiss),
            ):
                st.button(label, key=f"{name}-{record.id}", type="tertiary", on_click=act, args=(record,))


def record_list(lines: Iterable[str]) -> str:
    """The lines as a list in Markdown."""
    return "\n".join(f"- {line}" for line in lines)


def chosen_line(record: DecidedRecord) -> Iterator[str]:
    """The choice with its votes; nothing without one."""
    if record.chosen:
        yield _("Chosen: {option}", option=_with_votes(record.chosen, record.votes))


def rejected_lines(record: DecidedRecord, *, most_reasons: int) -> Iterator[str]:
    """Each rejected option with its votes, and reasons against it."""
    for option in record.rejected:
        why = "".join(f"\n  - {safe_line(reason, max_chars=MAX_REASON_CHARS)}" for reason in option.why[:most_reasons])
        yield _("Rejected: {option}", option=_with_votes(option.option, option.votes)) + why


def fate_lines(record: DecidedRecord, index: RecordIndex) -> Iterator[str]:
    """The recorded outcome, and the records that supersede it."""
    if record.outcome in OUTCOMES:
        yield OUTCOMES[record.outcome]
    if record.replaced_by:
        newer = [place_name(index.by_id[one]) if one in index.by_id else one for one in record.replaced_by]
        yield _("Superseded by {records}", records=safe_line(", ".join(newer)))


def place_name(record: DecidedRecord) -> str:
    """The name by which people find a record: the question of a debate with its day, or the path of a file."""
    return f"{record.question} ({record.date})" if record.is_debate else record.title


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
