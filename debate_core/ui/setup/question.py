"""What is to be decided, on the set-up page: the question, its options, what weighs in the decision, the documents.

Each piece draws one part of the draft and gives the draft as it stands now.
"""

from collections.abc import Callable

import streamlit as st

from debate_core.documents.decision import read_decision
from debate_core.engine.act_faults import free_source_id
from debate_core.engine.proposition import asks_yes_or_no, option_for_yes
from debate_core.errors import DebateError
from debate_core.host.uploads import SOURCE_TYPES, read_source
from debate_core.language import Words, _, message, said
from debate_core.spec.advice import Task
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import MAX_QUESTION_CHARS, Source
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.setup import taken
from debate_core.ui.setup.draft import MAX_OPTIONS, DriverDraft, OptionDraft, SetupDraft, evenly_weighted, unless_usual
from debate_core.ui.setup.draft_store import change, current
from debate_core.ui.setup.taken_notes import QUESTION_FILLED, draw_note

_REFUSED = "refused_sources"
_HINTS = ("adopt", "reject", "another way, or leave it empty")
_FIRST = 3
"""Options that are there from the start."""
LATER = message("Decide later")
_LATER_KEY = "later"
"""How the key of that option begins, whatever it is called in the language of the page."""
_ICON_ALONE = """<style>
[class*="st-key-cross-"] [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>"""
_MARKS = (
    ":blue[● **A**]",
    ":orange[■ **B**]",
    ":green[▲ **C**]",
    ":violet[◆ **D**]",
    ":yellow[⬟ **E**]",
    ":gray[⬢ **F**]",
    "▬ **G**",
    "✚ **H**",
)
"""Colour, shape and letter of each option, as every drawing of votes has them."""


def question(draft: SetupDraft) -> SetupDraft:
    """What has to be decided."""
    times_filled = st.session_state.get(QUESTION_FILLED, 0)
    text = st.text_area(
        _("What has to be decided?"),
        value=draft.question,
        # Code that has a new question draws a new field: what is being typed is never written over.
        key=f"setup_question_{times_filled}" if times_filled else "setup_question",
        placeholder=_("Should we move the orders database to a managed store this year?"),
        max_chars=MAX_QUESTION_CHARS,
        height=80,
    )
    draft = draft.model_copy(update={"question": text or ""})
    draw_note(draft, "question")
    return draft


def options(draft: SetupDraft) -> SetupDraft:
    """Two to eight ways to decide it."""
    st.markdown(_("Options"))
    typed = []
    for number, (option, letter) in enumerate(zip(draft.options, _letters(draft.options), strict=True), start=1):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(_MARKS[letter], width=32)
            text = st.text_input(
                _("Option {number}", number=number),
                value=option.text,
                key=f"setup_option_{option.key}",
                placeholder=_HINTS[number - 1] if number <= len(_HINTS) else _("another way"),
                max_chars=200,
                label_visibility="collapsed",
            )
            typed.append(option.model_copy(update={"text": text or ""}))
            # A field that is left empty is no option: the first three need no cross.
            if len(draft.options) > _FIRST:
                _option_cross(draft, option, number)
    now = draft.model_copy(update={"options": tuple(typed)})
    draw_note(now, "options")
    # As long as a field is empty there is room for one more.
    if len(typed) == len(now.named_options()) < MAX_OPTIONS:
        st.button(_("Add an option"), icon=":material/add:", type="tertiary", on_click=_add_option, args=(now,))
    return now


def later(draft: SetupDraft) -> None:
    """To leave it undecided is an option too, which is put there in one press."""
    is_there = any(option.key.startswith(_LATER_KEY) and option.text.strip() for option in draft.options)
    if is_there or len(draft.named_options()) == MAX_OPTIONS:
        return
    st.button(_("Add “Decide later”"), icon=":material/schedule:", type="tertiary", on_click=_add_later, args=(draft,))


def _letters(options: tuple[OptionDraft, ...]) -> list[int]:
    """The place of each option among those that have a text; fields left empty come after them."""
    in_order = sorted(range(len(options)), key=lambda n: not options[n].text.strip())
    return [in_order.index(n) for n in range(len(options))]


def _option_cross(draft: SetupDraft, option: OptionDraft, number: int) -> None:
    rest = tuple(o for o in draft.options if o.key != option.key)
    cross(_("option {number}", number=number), f"setup_drop_{option.key}", lambda: change(current(), options=rest))


def cross(what: str, key: str, remove: Callable[[], None]) -> None:
    """The small button that takes something out of the draft. Its words are its name, and only its icon is seen."""
    label = safe_label(_("Remove {what}", what=what))
    with st.container(width=40, key=f"cross-{key}"):
        st.html(_ICON_ALONE)
        st.button(label, icon=":material/close:", width=40, key=key, help=label, type="tertiary", on_click=remove)


def _option_text(option: OptionDraft) -> str:
    """What stands in its field now."""
    return str(st.session_state.get(f"setup_option_{option.key}", option.text) or "")


def _add_option(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, options=(*draft.options, OptionDraft(key=f"o{made}")), made=made)


def _add_later(draft: SetupDraft) -> None:
    """That nothing is decided yet is an option too; it takes the place of a field that is empty as it is pressed."""
    made = draft.made + 1
    empty = next((o for o in draft.options if not _option_text(o).strip()), None)
    rest = tuple(o for o in draft.options if o is not empty)
    if len(rest) == MAX_OPTIONS:
        return
    change(draft, options=(*rest, OptionDraft(key=f"{_LATER_KEY}{made}", text=_(LATER))), made=made)


def yes_option(draft: SetupDraft) -> SetupDraft:
    """Ask which option answers the question with yes, where it is such a question."""
    options = draft.named_options()
    if len(options) < 2 or not asks_yes_or_no(draft.question):
        return draft
    suggested = option_for_yes(draft.question, options) or ""
    marked = draft.marked_yes()
    choices = ("", *options)
    chosen = st.selectbox(
        _("Option that means yes"),
        choices,
        choices.index(suggested if marked is None else marked),
        key=f"setup_yes_{suggested}",
        format_func=lambda option: safe_line(option) if option else _("None of them"),
        help=_("A text that says “We should ...” in the words of the question argues for this option."),
    )
    return draft.model_copy(update={"yes_option": unless_usual(chosen, suggested)})


_TASKS: Words[Task] = Words(
    {
        "contract": "Contract",
        "security": "Security",
        "architecture": "Architecture",
        "investment": "Investment",
        "compliance": "Compliance",
        "other": "Other",
        "unknown": "Not said",
    }
)


def kind_of_decision(draft: SetupDraft) -> SetupDraft:
    """What it is about: the advice goes by it, and figures over all debates are also given for each kind."""
    kinds = tuple(_TASKS)
    chosen = st.selectbox(
        _("Kind of decision"),
        kinds,
        index=kinds.index(draft.triage.task),
        format_func=_TASKS.__getitem__,
        key="setup_triage_task",
        help=_("The page over all debates compares debates of one kind with each other."),
    )
    return draft.model_copy(update={"triage": draft.triage.model_copy(update={"task": chosen})})


def drivers(draft: SetupDraft) -> SetupDraft:
    """A name and a weight for each; every seat reads them, and the decision record lists them."""
    with st.expander(
        _("Decision drivers (optional)"), icon=":material/flag:", expanded=bool(draft.drivers), key="setup-drivers"
    ):
        st.caption(_("What a good decision is measured by. All seats read them; the weights sum to 100."))
        typed = tuple(_driver_row(draft, n, driver) for n, driver in enumerate(draft.drivers, start=1))
        draft = draft.model_copy(update={"drivers": typed})
        with st.container(horizontal=True):
            if len(typed) < MAX_DRIVERS:
                st.button(
                    _("Add a driver"), icon=":material/add:", type="tertiary", on_click=_add_driver, args=(draft,)
                )
            if len(typed) > 1:
                st.button(
                    _("Same weight for all"),
                    icon=":material/balance:",
                    type="tertiary",
                    on_click=_weigh_evenly,
                    args=(draft,),
                )
        if typed:
            st.caption(_("The weights sum to {typed} of 100.", typed=sum(d.weight for d in typed)))
    return draft


def _driver_row(draft: SetupDraft, number: int, driver: DriverDraft) -> DriverDraft:
    key = f"setup_driver_{driver.key}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        name = st.text_input(
            _("Driver {number}", number=number),
            driver.name,
            key=f"{key}_name",
            max_chars=120,
            placeholder=_("time until it works"),
        )
        weight = st.number_input(
            _("Weight of driver {number}", number=number),
            1,
            100,
            driver.weight,
            key=f"{key}_weight_{driver.shown}",
            width=120,
        )
        rest = tuple(d for d in draft.drivers if d.key != driver.key)
        cross(
            _("driver {number}", number=number), f"{key}_drop", lambda: change(current(), drivers=evenly_weighted(rest))
        )
    return driver.model_copy(update={"name": name or "", "weight": weight})


def _add_driver(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, drivers=evenly_weighted((*draft.drivers, DriverDraft(key=f"d{made}"))), made=made)


def _weigh_evenly(draft: SetupDraft) -> None:
    change(draft, drivers=evenly_weighted(draft.drivers))


def sources(draft: SetupDraft) -> SetupDraft:
    """Documents that the seats quote from and quotes are checked against."""
    with st.container(key="setup_sources"):
        _drop(draft, _("Documents that seats may quote"), "files")
        for source in draft.sources:
            _source_row(draft, source)
        if not draft.sources:
            st.caption(_("No documents yet. Seats quote from them word for word, and every quote is checked."))
    return draft


def beginning(draft: SetupDraft) -> None:
    """A document to begin with: what it names fills what is empty, and it can be quoted in the debate."""
    if not draft.sources:
        _drop(draft, _("Begin with a decision record or a design note (optional)"), "beginning")
    for sentence in _said_of_documents(draft):
        st.caption(sentence)


def _drop(draft: SetupDraft, label: str, place: str) -> None:
    upload = st.session_state.setdefault("setup_uploads", 0)
    files = st.file_uploader(
        label,
        accept_multiple_files=True,
        type=SOURCE_TYPES,
        key=f"setup_{place}_{upload}",
        help=_(
            "Markdown, plain text, PDF, or a transcript (.vtt, .srt) without its times; up to 10 MB and 200 PDF pages "
            "each. Its question, options and drivers are filled in where you have written nothing."
        ),
    )
    if files:
        st.session_state["setup_uploads"] += 1
        _add_files(draft, [(f.name, f.getvalue()) for f in files])
        st.rerun()
    for sentence in st.session_state.pop(_REFUSED, ()):
        st.error(safe_text(sentence), icon=":material/error:")


def _said_of_documents(draft: SetupDraft) -> list[str]:
    titles = [safe_line(source.title, max_chars=60) for source in draft.sources]
    return [_(":material/description: **{title}** can be quoted in the debate.", title=title) for title in titles]


def _add_files(draft: SetupDraft, files: list[tuple[str, bytes]], *, title: str = "") -> None:
    """Every readable file is kept; each of the others gets its own sentence. A `title` beats the text's own."""
    kept = list(draft.sources)
    refused = []
    for name, data in files:
        try:
            source = read_source(name, data, source_id=free_source_id(kept))
        except DebateError as error:
            refused.append(said(error))
        else:
            kept.append(source.model_copy(update={"title": title}) if title else source)
            draft = taken.with_taken(draft, name, read_decision(source))
    st.session_state[_REFUSED] = refused
    if draft.question != current().question:
        st.session_state[QUESTION_FILLED] = st.session_state.get(QUESTION_FILLED, 0) + 1
    change(draft, sources=tuple(kept))


def paste(draft: SetupDraft) -> None:
    """A text instead of a file."""
    st.text_input(_("Title"), key="setup_paste_title", placeholder=_("its first heading"), max_chars=200)
    st.text_area(_("Text"), key="setup_paste_text", height=140)
    st.button(_("Add this text"), icon=":material/add:", on_click=_add_paste, args=(draft,))


def _add_paste(draft: SetupDraft) -> None:
    text = st.session_state["setup_paste_text"]
    if not text.strip():
        st.session_state[_REFUSED] = [_("There is no text to add: paste it into the field first.")]
        return
    _add_files(draft, [(_("Pasted text.md"), text.encode())], title=st.session_state["setup_paste_title"].strip())
    st.session_state["setup_paste_title"] = ""
    st.session_state["setup_paste_text"] = ""


def _source_row(draft: SetupDraft, source: Source) -> None:
    rest = tuple(s for s in draft.sources if s.id != source.id)
    with st.container(horizontal=True, vertical_alignment="center", border=True, wrap=False):
        title = safe_line(source.title, max_chars=80)
        st.markdown(
            _(":material/description: **{title}** :gray[{length:,} characters]", title=title, length=len(source.text)),
            width="stretch",
        )
        cross(source.title, f"setup_drop_source_{source.id}", lambda: change(current(), sources=rest))


def from_rounds(draft: SetupDraft) -> SetupDraft:
    """Nobody sees a document before its round: evidence that comes one after the other."""
    last = draft.rules().rounds.hard_max
    if last == 1:
        return draft
    listed = []
    for source in draft.sources:
        first = st.number_input(
            safe_label(_("{title} from round", title=source.title)),
            1,
            last,
            min(source.from_round, last),
            key=f"setup_from_round_{source.id}",
            help=_("1 = all seats have it from the start. Later, they see what each seat makes of new evidence."),
        )
        listed.append(source.model_copy(update={"from_round": int(first)}))
    return draft.model_copy(update={"sources": tuple(listed)})
