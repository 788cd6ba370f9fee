"""The pieces of the set-up page: each draws one part of a draft and gives the draft as it stands now.

Knows no rules beyond the draft's own; starts nothing.
"""

import secrets
from collections.abc import Callable

import streamlit as st
from pydantic import ValidationError

from debate_core.errors import DebateError
from debate_core.host.uploads import read_source
from debate_core.report.words.rules import chance_sentence, rule_sentence
from debate_core.spec.rules import Threshold
from debate_core.spec.values import MAX_QUESTION_CHARS, Source
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import single_family_badge
from debate_core.ui.kit.protocol_words import phases_line
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup.draft import MAX_OPTIONS, Draft, OptionDraft, doubts, problem, single_family

_DRAFT, _NAME, _REFUSED = "setup_draft", "setup_draft_name", "refused_sources"
_HINTS = ("adopt", "reject", "defer: decide later, and say when")


def load() -> Draft:
    """The draft of this browser: from this visit, else what the server kept under the name in the address."""
    name = st.session_state.get(_NAME) or st.query_params.get("draft") or secrets.token_urlsafe(9)
    st.session_state[_NAME] = st.query_params["draft"] = name
    if _DRAFT not in st.session_state:
        kept = session.host().draft(_kept_as(name))
        try:
            st.session_state[_DRAFT] = Draft.model_validate_json(kept) if kept else Draft()
        except ValidationError:
            # Kept by an older version of this page: start afresh.
            st.session_state[_DRAFT] = Draft()
    draft: Draft = st.session_state[_DRAFT]
    return draft


def _kept_as(name: str) -> str:
    return f"setup-{name[:40]}"


def keep(draft: Draft) -> None:
    """Hold the draft, here and on the server, so that a reload finds it."""
    if draft != st.session_state.get(_DRAFT):
        st.session_state[_DRAFT] = draft
        session.host().save_draft(_kept_as(st.session_state[_NAME]), draft.model_dump_json())


def begin(draft: Draft) -> None:
    """Another draft instead of the one at hand; its widgets start afresh."""
    forget()
    st.session_state[_NAME] = secrets.token_urlsafe(9)
    keep(draft)


def forget() -> None:
    """The draft became a debate, or is given up."""
    name = st.session_state.pop(_NAME, None)
    st.query_params.pop("draft", None)
    if name:
        session.host().drop_draft(_kept_as(name))
    for key in [k for k in st.session_state if str(k).startswith("setup_")]:
        del st.session_state[key]


def held() -> Draft:
    """The draft as it stands in this visit, for callbacks."""
    draft: Draft = st.session_state[_DRAFT]
    return draft


def put(draft: Draft, **changes: object) -> None:
    """Hold the draft with these changes."""
    keep(draft.model_copy(update=changes))


def question(draft: Draft) -> Draft:
    """What has to be decided."""
    text = st.text_area(
        "What has to be decided?",
        value=draft.question,
        key="setup_question",
        placeholder="Should we move the orders database to a managed store this year?",
        max_chars=MAX_QUESTION_CHARS,
        height=80,
    )
    return draft.model_copy(update={"question": text or ""})


def options(draft: Draft) -> Draft:
    """Two to eight ways to decide it."""
    typed = []
    grid = st.grid(3, min_column_width=160)
    for number, option in enumerate(draft.options, start=1):
        with grid.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            hint = _HINTS[number - 1] if number <= len(_HINTS) else "another way"
            text = st.text_input(
                f"Option {number}", value=option.text, key=f"setup_option_{option.key}", placeholder=hint, max_chars=200
            )
            typed.append(option.model_copy(update={"text": text or ""}))
            if len(draft.options) > 2:
                _remove_option(draft, option, number)
    now = draft.model_copy(update={"options": tuple(typed)})
    if len(typed) < MAX_OPTIONS:
        st.button("Add an option", icon=":material/add:", type="tertiary", on_click=_add_option, args=(now,))
    return now


def _remove_option(draft: Draft, option: OptionDraft, number: int) -> None:
    rest = tuple(o for o in draft.options if o.key != option.key)
    cross(f"option {number}", f"setup_drop_{option.key}", lambda: put(held(), options=rest))


def cross(what: str, key: str, act: Callable[[], None]) -> None:
    """The small button that takes something out of the draft."""
    help_text = f"Remove {what}"
    st.button("", icon=":material/close:", width=40, key=key, help=help_text, type="tertiary", on_click=act)


def _add_option(draft: Draft) -> None:
    made = draft.made + 1
    put(draft, options=(*draft.options, OptionDraft(key=f"o{made}")), made=made)


def sources(draft: Draft) -> Draft:
    """Documents that the seats quote from and quotes are checked against."""
    with st.container(key="setup_sources"):
        round_trip = st.session_state.setdefault("setup_uploads", 0)
        files = st.file_uploader(
            "Files",
            accept_multiple_files=True,
            type=["md", "txt", "pdf"],
            key=f"setup_files_{round_trip}",
            help="Markdown, plain text or PDF; up to 10 MB and 200 PDF pages each.",
        )
        if files:
            st.session_state["setup_uploads"] += 1
            _add_files(draft, [(f.name, f.getvalue()) for f in files])
            st.rerun()
        _paste(draft)
        for sentence in st.session_state.pop(_REFUSED, ()):
            st.error(safe_text(sentence), icon=":material/error:")
        for source in draft.sources:
            _kept_source(draft, source)
    return draft


def _add_files(draft: Draft, files: list[tuple[str, bytes]], *, title: str = "") -> None:
    """Every readable file is kept; each of the others gets its own sentence. A `title` beats the text's own."""
    kept, refused = list(draft.sources), []
    for name, data in files:
        try:
            source = read_source(name, data, source_id=_free_id(kept))
        except DebateError as error:
            refused.append(str(error))
        else:
            kept.append(source.model_copy(update={"title": title}) if title else source)
    st.session_state[_REFUSED] = refused
    put(draft, sources=tuple(kept))


def _free_id(sources: list[Source]) -> str:
    taken = {s.id for s in sources}
    return next(name for n in range(1, len(taken) + 2) if (name := f"E{n}") not in taken)


def _paste(draft: Draft) -> None:
    with st.expander("Paste a text instead", icon=":material/content_paste:"):
        st.text_input("Title", key="setup_paste_title", placeholder="its first heading", max_chars=200)
        st.text_area("Text", key="setup_paste_text", height=140)
        st.button("Add this text", icon=":material/add:", on_click=_add_paste, args=(draft,))


def _add_paste(draft: Draft) -> None:
    text = st.session_state["setup_paste_text"]
    if not text.strip():
        st.session_state[_REFUSED] = ["There is no text to add: paste it into the field first."]
        return
    _add_files(draft, [("Pasted text.md", text.encode())], title=st.session_state["setup_paste_title"].strip())
    st.session_state["setup_paste_title"] = st.session_state["setup_paste_text"] = ""


def _kept_source(draft: Draft, source: Source) -> None:
    rest = tuple(s for s in draft.sources if s.id != source.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/description: **{source.id}** {safe_line(source.title, max_chars=80)}")
        st.caption(f"{len(source.text):,} characters")
        cross(f"source {source.id}", f"setup_drop_source_{source.id}", lambda: put(draft, sources=rest))


def readiness(draft: Draft, cannot_sit: str | None) -> bool:
    """What stands in the way (red) and what should be thought over (amber); True if it can be started.

    `cannot_sit` says why a seat would stay empty, None if none would.
    """
    stop, open_doubts = problem(draft) or cannot_sit, doubts(draft)
    if single_family(draft):
        single_family_badge()
    if stop:
        st.markdown(f":red[:material/block: **Not ready:**] {safe_text(stop[0].upper() + stop[1:])}.")
    for doubt in open_doubts:
        st.markdown(f":orange[:material/warning: **Think about:**] {safe_text(doubt)}")
    if stop is None and not open_doubts:
        st.markdown(":green[:material/check_circle: **Ready to start.**]")
    return stop is None


def agreed(draft: Draft) -> None:
    """The rules in words, as they will be fixed with the first turn."""
    rules, n, weight = draft.rules(), len(draft.panel()), draft.total_weight()
    if isinstance(rules.decide, Threshold):
        rules = rules.model_copy(update={"decide": rules.decide.model_copy(update={"votes": draft.votes()})})
    st.markdown(f"**{safe_text(rule_sentence(rules, n, weight=weight))}**")
    if chance := chance_sentence(rules.decide, n, len(draft.named_options()), weight=weight):
        st.caption(safe_text(chance))
    st.markdown(phases_line(rules, draft.max_rounds()))
