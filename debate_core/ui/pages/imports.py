"""Imports: the review of an uploaded file beside its source, and imported drafts that wait for set-up."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from pathlib import PurePath

import streamlit as st
from pydantic import ValidationError

from debate_core.documents.decision import MAX_OPTIONS
from debate_core.documents.findings import FoundField, FoundValue, MissedPart
from debate_core.errors import DebateError
from debate_core.host.imports.accept import (
    MAX_DRIVER_CHARS,
    MAX_OPTION_CHARS,
    ImportedDraft,
    ImportedDriver,
    drafts_of,
    review_file,
)
from debate_core.host.imports.reading import IMPORT_FILES
from debate_core.host.imports.review import FileReview, with_stated
from debate_core.host.imports.transcript_record import FACILITATOR, play, record_spec
from debate_core.host.runner import now
from debate_core.language import Words, _, _n, said
from debate_core.record.page import holds_record
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import MAX_QUESTION_CHARS
from debate_core.text import plain
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room import invitations
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import DriverDraft, SetupDraft, evenly_weighted, example
from debate_core.ui.setup.taken import LEAST_OPTIONS

TYPES = [ending.removeprefix(".") for ending in IMPORT_FILES]
"""Extensions of files with a review, for uploads."""
_REVIEW, _NTH = "import-review", "import-nth"
_MAX_ROWS, _LIST_HEIGHT = 8, 480
"""Rows of a list that does not scroll, and height of one that does, in pixels."""
_FIRST_LINES, _LINES_AROUND, _MAX_LINE_CHARS = 40, 3, 400
"""The shown part of a source: its first lines, and those around each marked line."""
_FIELDS: Words[FoundField] = Words(
    {
        "question": "Question",
        "option": "Option",
        "chosen": "Chosen option",
        "driver": "Criterion",
        "status": "Status",
        "date": "Date",
        "decided_by": "Decided by",
        "speaker": "Speaker",
        "count": "Count",
    }
)
_EDITED: Sequence[FoundField] = ("question", "option", "driver")
_STYLE = """<style>
.import-source { max-height: 32rem; overflow: auto; border: 1px solid light-dark(#8f9092, #74767a);
  border-radius: .5rem; padding: .5rem 0; font: .8rem/1.5 monospace }
.import-source div { display: grid; grid-template-columns: 3.5rem 1fr; padding-right: .5rem }
.import-source div span { text-align: right; padding-right: .75rem; color: light-dark(#5b5e66, #a9adb7) }
.import-source div :last-child { white-space: pre-wrap; overflow-wrap: anywhere }
.import-source mark { color: inherit; background: light-dark(#fff0b3, #4d4000) }
.import-source i { font-style: normal }
.import-source u { text-decoration: underline dotted; text-underline-offset: .2em }
</style>"""


def is_reviewed(name: str, data: bytes) -> bool:
    """Return whether a file is reviewed before it is taken over: all but records and scripts."""
    return PurePath(name).suffix.lower() in IMPORT_FILES and not holds_record(name, data)


def read(name: str, data: bytes) -> None:
    """Read an uploaded file once; `draw_review` shows it, or the reason why it cannot be read."""
    st.session_state[_NTH] = st.session_state.get(_NTH, 0) + 1
    try:
        st.session_state[_REVIEW] = review_file(name, data).files[0]
    except DebateError as error:
        st.session_state[_REVIEW] = error


def draw_review() -> None:
    """Draw the values of the uploaded file, which can be edited, beside its source with marked lines."""
    review: FileReview | DebateError | None = st.session_state.get(_REVIEW)
    if isinstance(review, DebateError):
        st.error(safe_text(f"{session.told(review)}."), icon=":material/error:")
    if not isinstance(review, FileReview):
        return
    understood, source = st.columns([5, 6], gap="medium")
    with understood:
        st.subheader(_("Values found"), anchor=False)
        draft = _edit(review, drafts_of([review])[0])
        _draw_others(review)
        _draw_missed(with_stated(review, question=draft.question, options=()))
    with source:
        st.subheader(safe_line(review.name, max_chars=60), anchor=False)
        st.html(_STYLE + _source_html(review))
        st.caption(_("Marked: values found. Underlined: sections that stay text only."))
    with understood:
        if len(draft.options) > MAX_OPTIONS:
            st.error(_("A debate has at most {most} options: take some out.", most=MAX_OPTIONS))
            return
        has_turns = bool(review.meeting.utterances)
        if has_turns:
            _offer_record(review, draft)
        if pressed(_("Take over into set-up"), key="take-import", type="secondary" if has_turns else "primary"):
            draft_store.begin(of_import(draft))
            st.switch_page("setup.py")


def _offer_record(review: FileReview, draft: ImportedDraft) -> None:
    """Draw the button that makes the record of a transcript, which then opens in its room."""
    n_turns = len(review.meeting.utterances)
    st.caption(
        _n(
            n_turns,
            "The record has {n} turn and no vote, and says that it was not held here. People can read, mark and judge "
            "it.",
            "The record has {n} turns and no vote, and says that it was not held here. People can read, mark and judge "
            "it.",
        )
    )
    name = st.text_input(_("Your name: you facilitate"), session.known_name(), key="import-leader", max_chars=80)
    if not pressed(_("Make a record to judge"), key="make-record", type="primary"):
        return
    try:
        spec = record_spec(review.meeting, draft, leader=name or FACILITATOR)
        events = play(spec, review.meeting, at=now(), owner=session.owner())
        session.as_host(partial(session.host().keep_played, events, client=session.client()))
    except DebateError as error:
        st.error(safe_text(f"{session.told(error)}."), icon=":material/error:")
        return
    invitations.open_door(events[0].debate)
    session.open_room_as_facilitator(events[0].debate)


def _edit(review: FileReview, draft: ImportedDraft) -> ImportedDraft:
    """Draw the fields of question, options and criteria; return the draft with their contents."""
    nth = st.session_state[_NTH]
    question = st.text_area(
        _label(_("Question"), review, "question"),
        draft.question,
        key=f"import-question-{nth}",
        max_chars=MAX_QUESTION_CHARS,
        height=80,
    )
    options = st.text_area(
        _label(_("Options, one a line"), review, "option"),
        "\n".join(draft.options),
        key=f"import-options-{nth}",
    )
    criteria = st.text_area(
        _label(_("Criteria, one a line"), review, "driver"),
        "\n".join(driver.name for driver in draft.drivers),
        key=f"import-criteria-{nth}",
    )
    weights = {driver.name: driver.weight for driver in draft.drivers}
    names = _typed(criteria, MAX_DRIVER_CHARS)[:MAX_DRIVERS]
    return draft.model_copy(
        update={
            "question": (question or "").strip(),
            "options": _typed(options, MAX_OPTION_CHARS),
            "drivers": tuple(ImportedDriver(name=name, weight=weights.get(name)) for name in names),
        }
    )


def _typed(text: str | None, max_chars: int) -> tuple[str, ...]:
    """Return the lines of a field, each once."""
    lines = (" ".join(line.split())[:max_chars] for line in (text or "").splitlines())
    return tuple(dict.fromkeys(filter(None, lines)))


def _label(name: str, review: FileReview, field: FoundField) -> str:
    """Return the label of a field with the lines of its values: `Options, one a line (from lines 7, 8)`."""
    lines = dict.fromkeys(value.place.line for value in review.found if value.field == field and value.place)
    if not lines:
        return name
    named = ", ".join(map(str, lines))
    return f"{name} ({_n(len(lines), 'from line {lines}', 'from lines {lines}', lines=named)})"


def _draw_others(review: FileReview) -> None:
    """Draw the values that are not edited, each with its line."""
    rows = [_value_words(value) for value in review.found if value.field not in _EDITED]
    if rows:
        st.markdown("\n".join(f"- {row}" for row in rows))


def _value_words(value: FoundValue) -> str:
    words = f"**{_FIELDS[value.field]}**: {safe_line(value.value, max_chars=160)}"
    if value.number is not None:
        words += f", {_n(value.number, '{n} turn', '{n} turns')}"
    return f"{words} :gray[{_('line {line}', line=value.place.line)}]" if value.place else words


def _draw_missed(review: FileReview) -> None:
    """Draw the parts that are not taken over."""
    if not review.missed:
        return
    st.markdown(f"**{_('Not found, or not taken over')}**")
    rows = []
    for part in review.missed:
        words = safe_line(said(part.sentence))
        if part.place:
            line = _("line {line}", line=part.place.line)
            words = f"{safe_line(part.place.quote, max_chars=80)} :gray[{line}]: {words}"
        rows.append(f"- {words}")
    st.markdown("\n".join(rows))


def _source_html(review: FileReview) -> str:
    """Return the numbered lines of the source as HTML, without those far from any marked one."""
    label = escape(_("Source with marked lines"))
    return f'<div class="import-source" role="region" tabindex="0" aria-label="{label}">{"".join(_rows(review))}</div>'


def _line_numbers(parts: Iterable[FoundValue | MissedPart]) -> set[int]:
    return {part.place.line for part in parts if part.place}


def _rows(review: FileReview) -> Iterator[str]:
    lines = re.split(r"\r\n|\r|\n", review.text)
    found = _line_numbers(review.found)
    missed = _line_numbers(review.missed)
    shown = {line + away for line in found | missed for away in range(-_LINES_AROUND, _LINES_AROUND + 1)}
    shown |= set(range(1, _FIRST_LINES + 1))
    before = 0
    for number in sorted(shown & set(range(1, len(lines) + 1))):
        if number != before + 1:
            yield "<div><span>⋮</span><i></i></div>"
        tag = "mark" if number in found else "u" if number in missed else "i"
        words = escape(plain(lines[number - 1])[:_MAX_LINE_CHARS])
        yield f"<div><span>{number}</span><{tag}>{words}</{tag}></div>"
        before = number
    if before < len(lines):
        yield "<div><span>⋮</span><i></i></div>"


def draw_kept() -> None:
    """Draw the drafts of imported files, of this account and for all; one click opens one in set-up."""
    kept = _read_kept()
    if not kept:
        return
    st.subheader(_n(len(kept), "{n} imported draft", "{n} imported drafts"), anchor=False)
    rows = [
        parts.plain_row(name, draft.title, " · ".join(draft.options) or draft.name, button=_("Set it up"))
        for name, (draft, _owner) in kept.items()
    ]
    with st.container(height=_LIST_HEIGHT if len(rows) > _MAX_ROWS else "content", border=False):
        chosen = parts.draw_list(rows, label=_("Imported drafts"), key="imported")
    if not chosen:
        return
    draft, owner = kept[chosen]
    draft_store.begin(of_import(draft))
    session.as_host(partial(session.host().drafts.drop_imported, chosen, owner=owner))
    st.switch_page("setup.py")


def _read_kept() -> dict[str, tuple[ImportedDraft, str]]:
    """Return the readable drafts by name, each with its owner; empty = for all."""
    kept: dict[str, tuple[ImportedDraft, str]] = {}
    for owner in dict.fromkeys((session.owner(), "")):
        for name, text in session.host().drafts.imported(owner).items():
            # A draft of an older version may be invalid.
            try:
                kept.setdefault(name, (ImportedDraft.model_validate_json(text), owner))
            except ValidationError:
                continue
    return kept


def of_import(imported: ImportedDraft) -> SetupDraft:
    """Return a draft with the question, options, criteria and documents of an imported file."""
    empty = [""] * (LEAST_OPTIONS - len(imported.options))
    draft = example(imported.question, (*imported.options, *empty))
    return draft.replace(drivers=_weighted(imported.drivers), background=imported.background, sources=imported.sources)


def _weighted(drivers: Sequence[ImportedDriver]) -> tuple[DriverDraft, ...]:
    """Return the criteria with the weights of the file if these sum to 100, else with even ones."""
    rows = tuple(DriverDraft(key=f"i{n}", name=driver.name) for n, driver in enumerate(drivers, start=1))
    weights = [driver.weight for driver in drivers if driver.weight is not None]
    if len(weights) < len(drivers) or sum(weights) != 100:
        return evenly_weighted(rows)
    return tuple(row.replace(weight=weight) for row, weight in zip(rows, weights, strict=True))
