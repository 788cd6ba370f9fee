"""What is to be decided, on the set-up page: the question, its options, what weighs in the decision, the documents.

Each piece draws one part of the draft and gives the draft as it stands now.
"""

from collections.abc import Callable
from typing import get_args

import streamlit as st

from debate_core.engine.act_faults import free_source_id
from debate_core.errors import DebateError
from debate_core.host.uploads import read_source
from debate_core.spec.advice import Task
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import MAX_QUESTION_CHARS, Source
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup.draft import MAX_OPTIONS, DriverDraft, OptionDraft, SetupDraft
from debate_core.ui.setup.draft_store import change, current

_REFUSED = "refused_sources"
_HINTS = ("adopt", "reject", "defer: decide later, and say when")


def question(draft: SetupDraft) -> SetupDraft:
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


def options(draft: SetupDraft) -> SetupDraft:
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
                _option_cross(draft, option, number)
    now = draft.model_copy(update={"options": tuple(typed)})
    if len(typed) < MAX_OPTIONS:
        st.button("Add an option", icon=":material/add:", type="tertiary", on_click=_add_option, args=(now,))
    return now


def _option_cross(draft: SetupDraft, option: OptionDraft, number: int) -> None:
    rest = tuple(o for o in draft.options if o.key != option.key)
    cross(f"option {number}", f"setup_drop_{option.key}", lambda: change(current(), options=rest))


def cross(what: str, key: str, remove: Callable[[], None]) -> None:
    """The small button that takes something out of the draft."""
    help_text = f"Remove {what}"
    st.button("", icon=":material/close:", width=40, key=key, help=help_text, type="tertiary", on_click=remove)


def _add_option(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, options=(*draft.options, OptionDraft(key=f"o{made}")), made=made)


def kind_of_decision(draft: SetupDraft) -> SetupDraft:
    """What it is about: the advice goes by it, and figures over all debates are also given for each kind."""
    kinds = get_args(Task)
    chosen = st.selectbox(
        "Kind of decision",
        kinds,
        index=kinds.index(draft.triage.task),
        format_func=lambda task: "Not said" if task == "unknown" else task.capitalize(),
        key="setup_triage_task",
        help="The page over all debates compares debates of one kind with each other.",
    )
    return draft.model_copy(update={"triage": draft.triage.model_copy(update={"task": chosen})})


def drivers(draft: SetupDraft) -> SetupDraft:
    """A name and a weight for each; every seat reads them, and the decision record lists them."""
    with st.expander("Decision drivers (optional)", icon=":material/flag:", expanded=bool(draft.drivers)):
        st.caption("What a good decision is measured by. All seats read them; the weights sum to 100.")
        typed = tuple(_driver_row(draft, n, driver) for n, driver in enumerate(draft.drivers, start=1))
        draft = draft.model_copy(update={"drivers": typed})
        with st.container(horizontal=True):
            if len(typed) < MAX_DRIVERS:
                st.button("Add a driver", icon=":material/add:", type="tertiary", on_click=_add_driver, args=(draft,))
            if len(typed) > 1:
                st.button(
                    "Same weight for all",
                    icon=":material/balance:",
                    type="tertiary",
                    on_click=_weigh_evenly,
                    args=(draft,),
                )
        if typed:
            st.caption(f"The weights sum to {sum(d.weight for d in typed)} of 100.")
    return draft


def _driver_row(draft: SetupDraft, number: int, driver: DriverDraft) -> DriverDraft:
    key = f"setup_driver_{driver.key}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        name = st.text_input(
            f"Driver {number}", driver.name, key=f"{key}_name", max_chars=120, placeholder="time until it works"
        )
        weight = st.number_input("Weight", 1, 100, driver.weight, key=f"{key}_weight_{driver.shown}", width=120)
        rest = tuple(d for d in draft.drivers if d.key != driver.key)
        cross(f"driver {number}", f"{key}_drop", lambda: change(current(), drivers=_with_even_weights(rest)))
    return driver.model_copy(update={"name": name or "", "weight": weight})


def _add_driver(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, drivers=_with_even_weights((*draft.drivers, DriverDraft(key=f"d{made}"))), made=made)


def _weigh_evenly(draft: SetupDraft) -> None:
    change(draft, drivers=_with_even_weights(draft.drivers))


def _with_even_weights(rows: tuple[DriverDraft, ...]) -> tuple[DriverDraft, ...]:
    """Weights as level as whole numbers allow; what is over goes to the first."""
    if not rows:
        return ()
    each, over = divmod(100, len(rows))
    weights = [each + 1] * over + [each] * (len(rows) - over)
    # Another number of the widget: what it holds would beat the value given here.
    return tuple(
        row.model_copy(update={"weight": weight, "shown": row.shown + 1})
        for row, weight in zip(rows, weights, strict=True)
    )


def sources(draft: SetupDraft) -> SetupDraft:
    """Documents that the seats quote from and quotes are checked against."""
    with st.container(key="setup_sources"):
        upload = st.session_state.setdefault("setup_uploads", 0)
        files = st.file_uploader(
            "Files",
            accept_multiple_files=True,
            type=["md", "txt", "pdf"],
            key=f"setup_files_{upload}",
            help="Markdown, plain text or PDF; up to 10 MB and 200 PDF pages each.",
        )
        if files:
            st.session_state["setup_uploads"] += 1
            _add_files(draft, [(f.name, f.getvalue()) for f in files])
            st.rerun()
        _paste(draft)
        for sentence in st.session_state.pop(_REFUSED, ()):
            st.error(safe_text(sentence), icon=":material/error:")
        listed = tuple(_source_row(draft, source) for source in draft.sources)
    return draft.model_copy(update={"sources": listed})


def _add_files(draft: SetupDraft, files: list[tuple[str, bytes]], *, title: str = "") -> None:
    """Every readable file is kept; each of the others gets its own sentence. A `title` beats the text's own."""
    kept = list(draft.sources)
    refused = []
    for name, data in files:
        try:
            source = read_source(name, data, source_id=free_source_id(kept))
        except DebateError as error:
            refused.append(str(error))
        else:
            kept.append(source.model_copy(update={"title": title}) if title else source)
    st.session_state[_REFUSED] = refused
    change(draft, sources=tuple(kept))


def _paste(draft: SetupDraft) -> None:
    with st.expander("Paste a text instead", icon=":material/content_paste:"):
        st.text_input("Title", key="setup_paste_title", placeholder="its first heading", max_chars=200)
        st.text_area("Text", key="setup_paste_text", height=140)
        st.button("Add this text", icon=":material/add:", on_click=_add_paste, args=(draft,))


def _add_paste(draft: SetupDraft) -> None:
    text = st.session_state["setup_paste_text"]
    if not text.strip():
        st.session_state[_REFUSED] = ["There is no text to add: paste it into the field first."]
        return
    _add_files(draft, [("Pasted text.md", text.encode())], title=st.session_state["setup_paste_title"].strip())
    st.session_state["setup_paste_title"] = ""
    st.session_state["setup_paste_text"] = ""


def _source_row(draft: SetupDraft, source: Source) -> Source:
    rest = tuple(s for s in draft.sources if s.id != source.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/description: **{source.id}** {safe_line(source.title, max_chars=80)}")
        st.caption(f"{len(source.text):,} characters")
        if draft.rules().rounds.hard_max > 1:
            source = _from_round(draft, source)
        cross(f"source {source.id}", f"setup_drop_source_{source.id}", lambda: change(draft, sources=rest))
    return source


def _from_round(draft: SetupDraft, source: Source) -> Source:
    """Nobody sees it before this round: evidence that comes one after the other."""
    first = st.number_input(
        f"{source.id} from round",
        1,
        draft.rules().rounds.hard_max,
        min(source.from_round, draft.rules().rounds.hard_max),
        key=f"setup_from_round_{source.id}",
        help="1 = all seats have it from the start. Later, they see what each seat makes of new evidence.",
        width=140,
    )
    return source.model_copy(update={"from_round": int(first)})
