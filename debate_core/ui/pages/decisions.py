"""The page of decisions: a timeline with chains of superseding, contradictions and base rates; search in all texts.

Shows only what this person may read. Decides nothing: links, contradictions and rates come from the index.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from debate_core.engine.passages import terms
from debate_core.errors import DebateError
from debate_core.host.precedents.archive import Archive, archive_of
from debate_core.host.precedents.index import DecidedRecord, RecordConflict, RecordIndex, threads
from debate_core.host.precedents.texts import TextHit, TextKind
from debate_core.language import Words, _, _n, said
from debate_core.report.phrases.base_rates import KINDS, base_rate_sentences
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.setup.precedents import (
    STATUS,
    chosen_line,
    fate_lines,
    place_name,
    record_list,
    rejected_lines,
)

FilterWord = TypeVar("FilterWord", bound=str)
MAX_ROWS = 60
"""Rows at first, and the number that one press adds."""
MAX_CONTRADICTIONS = 5
"""Contradictions above the timeline at first, and the number that one press adds."""
MAX_FOUND = 20
"""Texts at first, and the number that one press adds."""
MAX_LABEL_CHARS = 80
MAX_REASONS = 5
_ROWS = """<style>
[class*="st-key-thread-"] { padding-bottom: 8px; border-bottom: 1px solid rgba(128, 128, 128, 0.3) }
</style>"""
_DECISIONS, _TEXTS = "decisions", "texts"
_MODES: Words[str] = Words({_DECISIONS: "Decisions", _TEXTS: "In all texts"})
_TEXT_KINDS: Words[TextKind] = Words(
    {"question": "Question", "turn": "Turn", "claim": "Claim", "reason": "Reason", "document": "Document"}
)


def link() -> None:
    """Draw a link to this page."""
    st.page_link("decisions.py", label=_("All decisions"), icon=":material/history:")


def show() -> None:
    """Draw the page."""
    st.title(_("Decisions"), anchor=False)
    archive = archive_of(session.host())
    with_folder = _check_folder(archive)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = st.segmented_control(
            _("Search"),
            [*_MODES],
            key="decisions-mode",
            default=_DECISIONS,
            format_func=_MODES.__getitem__,
            required=True,
        )
        words = st.text_input(_("Words"), key="decisions-words", max_chars=200, placeholder=_("such as: retry queue"))
    if mode == _TEXTS:
        _draw_texts(archive, words, with_folder=with_folder)
    else:
        with st.spinner(_("Reading the debates")):
            index = archive.index(session.looker(), st.context.cookies, with_folder=with_folder)
        _draw_decisions(index, words)


def _check_folder(archive: Archive) -> bool:
    """Report a folder that cannot be read; the debates are shown all the same."""
    try:
        with st.spinner(_("Reading the decision records")):
            archive.read_folder()
    except DebateError as error:
        st.warning(
            _("The folder of DEBATE_PRECEDENTS is left out: {why}.", why=safe_text(said(error))),
            icon=":material/warning:",
        )
        return False
    return True


# The timeline


def _draw_decisions(index: RecordIndex, words: str) -> None:
    if not index.records:
        st.info(
            _(
                "No decision yet. A debate appears here after its count and all agreed signatures. To add decision "
                "records that you already have, set DEBATE_PRECEDENTS to their folder and start the server again."
            )
        )
        return
    _draw_contradictions(index.contradictions)
    _draw_base_rates(index)
    records = _filtered(index.find(words, None) if words.split() else index.timeline)
    if not records:
        st.caption(_("No matches."))
        return
    st.caption(_n(len(records), "{n} decision", "{n} decisions"))
    left = _most("records", MAX_ROWS)
    st.html(_ROWS)
    with st.container(gap="xsmall"):
        for number, thread in enumerate(threads(records)):
            _draw_thread(thread[:left], index, number)
            left -= len(thread)
            if left <= 0:
                break
    _offer_more("records", len(records) - _most("records", MAX_ROWS), MAX_ROWS)


def _ask_filter(label: str, words: Words[FilterWord], found: Container[FilterWord], *, key: str) -> FilterWord | None:
    """Draw a filter that offers the values found in the list. None: all."""
    return st.selectbox(
        label,
        [value for value in words if value in found],
        index=None,
        key=key,
        format_func=words.__getitem__,
        placeholder=_("All"),
    )


def _filtered(records: Sequence[DecidedRecord]) -> list[DecidedRecord]:
    """Draw the two filters, and apply them."""
    found = {record.status for record in records}
    kinds = {record.kind for record in records if record.kind}
    with st.container(horizontal=True):
        status = _ask_filter(_("Status"), STATUS, found, key="decisions-status")
        kind = _ask_filter(_("Kind of decision"), KINDS, kinds, key="decisions-kind")
    return [record for record in records if status in (None, record.status) and kind in (None, record.kind)]


def _draw_thread(thread: Sequence[DecidedRecord], index: RecordIndex, number: int) -> None:
    """Draw records that supersede each other in one row of the list, each above those that it supersedes."""
    with st.container(gap="xxsmall", key=f"thread-{number}"):
        for place, record in enumerate(thread):
            if place:
                st.caption(_("Earlier"))
            _draw_record(record, index)


def _draw_record(record: DecidedRecord, index: RecordIndex) -> None:
    """Draw a decision in a row: its question, the choice with its date, status and outcome, the rejected options."""
    kind = KINDS[record.kind] if record.kind else ""
    file_name = "" if record.is_debate else record.title
    facts = [safe_line(fact) for fact in (record.date, STATUS[record.status], kind, file_name) if fact]
    asked, decided, rejected = st.columns([4, 5, 2], gap="xxsmall", vertical_alignment="center")
    with asked:
        if record.is_debate:
            _draw_link(record.id, record.question, is_over=True)
        else:
            st.markdown(f"**{safe_line(record.question)}**")
    decided.markdown(" · ".join([*chosen_line(record), *facts, *fate_lines(record, index)]))
    if record.rejected:
        label = _n(len(record.rejected), "{n} rejected option", "{n} rejected options")
        with rejected.popover(label, key=f"rejected-{record.id}", type="tertiary"):
            st.markdown(record_list(rejected_lines(record, most_reasons=MAX_REASONS)))


def _draw_link(debate_id: str, question: str, *, is_over: bool) -> None:
    st.page_link(
        "results.py" if is_over else "room.py",
        label=f"**{safe_label(question, max_chars=MAX_LABEL_CHARS)}**",
        icon=":material/arrow_forward:",
        query_params={"id": debate_id},
    )


def _draw_contradictions(pairs: Sequence[RecordConflict]) -> None:
    """Draw one sentence for each contradiction, with links; only some at first."""
    shown = pairs[: _most("contradictions", MAX_CONTRADICTIONS)]
    for number, pair in enumerate(shown):
        with st.container(border=True, key=f"contradiction-{number}"):
            st.markdown(
                _(
                    "Contradiction: “{first}” chose {ours}, “{second}” chose {theirs}, and each rejected what the "
                    "other chose.",
                    first=safe_line(place_name(pair.first)),
                    ours=f"**{safe_line(pair.first.chosen)}**",
                    second=safe_line(place_name(pair.second)),
                    theirs=f"**{safe_line(pair.second.chosen)}**",
                )
            )
            with st.container(horizontal=True):
                for one in pair:
                    if one.is_debate:
                        _draw_link(one.id, one.question, is_over=True)
    _offer_more("contradictions", len(pairs) - len(shown), MAX_CONTRADICTIONS)


def _draw_base_rates(index: RecordIndex) -> None:
    if not index.base_rates:
        return
    with st.expander(_("Outcomes by kind of decision"), icon=":material/percent:", key="base-rates"):
        st.markdown(record_list(map(base_rate_sentences, index.base_rates.values())))
        st.caption(
            _(
                "Shares with Wilson's interval of 95 %, of the decisions whose outcome is known. A decision without a "
                "recorded outcome does not count as held."
            )
        )


# Texts


def _draw_texts(archive: Archive, words: str, *, with_folder: bool) -> None:
    """Draw the texts with every one of these words, each with a quote around one of them."""
    if not terms(words):
        st.caption(_("Turns, claims, reasons and documents of all debates and records that you may read. Type words."))
        return
    with st.spinner(_("Reading the debates")):
        found = archive.find_texts(words, session.looker(), st.context.cookies, with_folder=with_folder)
    if not found:
        st.caption(_("No text has all these words."))
        return
    st.caption(_n(len(found), "{n} text", "{n} texts"))
    shown = found[: _most("texts", MAX_FOUND)]
    for number, one in enumerate(shown):
        with st.container(border=True, key=f"text-{number}"):
            _draw_text(one)
    _offer_more("texts", len(found) - len(shown), MAX_FOUND)


def _draw_text(one: TextHit) -> None:
    source = one.source
    name = source.question if source.is_debate else source.id
    facts = [name, _TEXT_KINDS[one.text.kind], one.text.author]
    st.caption(" · ".join(safe_line(fact) for fact in facts if fact))
    before, word, after = one.quote()
    st.markdown(f"{_in_line(before)}**{safe_line(word)}**{_in_line(after)}")
    if source.is_debate:
        _draw_link(source.id, source.question, is_over=source.is_over)


def _in_line(text: str) -> str:
    """Escape a part of a line, with a blank where it begins or ends with one."""
    before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
    return f"{before}{safe_line(text)}{after}"


# Long lists


def _most(what: str, step: int) -> int:
    most: int = st.session_state.get(f"decisions-most-{what}", step)
    return most


def _offer_more(what: str, n_left: int, step: int) -> None:
    """Draw a button for the rest of a list, if there is any."""

    def add() -> None:
        st.session_state[f"decisions-most-{what}"] = _most(what, step) + step

    if n_left > 0:
        label = _MORE[what](n_left)
        st.button(label, key=f"decisions-more-{what}", on_click=add)


_MORE: Mapping[str, Callable[[int], str]] = {
    "records": lambda n: _n(n, "Show more: {n} decision is left", "Show more: {n} decisions are left"),
    "contradictions": lambda n: _n(n, "Show more: {n} contradiction is left", "Show more: {n} contradictions are left"),
    "texts": lambda n: _n(n, "Show more: {n} text is left", "Show more: {n} texts are left"),
}
