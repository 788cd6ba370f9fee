"""The question, options, drivers and documents on the set-up page.

Each function draws one part of the draft and returns the updated draft.
"""

import streamlit as st

from debate_core.documents.decision import read_decision
from debate_core.engine.proposition import asks_yes_or_no, option_for_yes
from debate_core.errors import DebateError, InvalidSpec
from debate_core.host.uploads import SOURCE_TYPES, read_source
from debate_core.language import _, _n, message, quoted, said
from debate_core.report.files.follow_up import MAX_CONTEXT_CHARS
from debate_core.report.phrases.base_rates import KINDS
from debate_core.report.phrases.source_claims import readers_words
from debate_core.spec.candidates import read_candidates
from debate_core.spec.protocol import MAX_DRIVERS, MOST_COMPARED
from debate_core.spec.values import MAX_QUESTION_CHARS, Source, free_source_id, in_words
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.setup import taken
from debate_core.ui.setup.draft import MAX_OPTIONS, DriverDraft, OptionDraft, SetupDraft, evenly_weighted, unless_usual
from debate_core.ui.setup.draft_store import change, current
from debate_core.ui.setup.fields import draw_cross, select_word
from debate_core.ui.setup.taken import LEAST_OPTIONS, QUESTION_FILLED, draw_note

_REFUSED = "refused_sources"
_REFUSED_CANDIDATES = "refused_candidates"
_CANDIDATES_FILLED = "setup_candidates_filled"
"""Number of times that code has filled the field of candidates."""
_HINTS = (message("For example: adopt"), message("For example: reject"), message("Optional: another way"))
LATER = message("Decide later")
_LATER_KEY = "later"
"""Prefix of the key of that option, independent of the language."""
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
"""Colour, shape and letter of each option, as in every chart of votes."""


def edit_question(draft: SetupDraft) -> SetupDraft:
    """Draw the field of the question."""
    times_filled = st.session_state.get(QUESTION_FILLED, 0)
    text = st.text_area(
        _("What needs to be decided?"),
        value=draft.question,
        # A question filled in by code gets a new field: text that is being typed is never overwritten.
        key=f"setup_question_{times_filled}" if times_filled else "setup_question",
        placeholder=_("For example: should we move the orders database to a managed store this year?"),
        max_chars=MAX_QUESTION_CHARS,
        height=80,
    )
    draft = draft.replace(question=text or "")
    draw_note(draft, "question")
    return draft


def edit_options(draft: SetupDraft) -> SetupDraft:
    """Draw fields for two to eight options."""
    st.markdown(_("Options"))
    # Letters count only the options with a text; empty fields come after them.
    in_order = sorted(range(len(draft.options)), key=lambda n: not draft.options[n].text.strip())
    typed = []
    for number, option in enumerate(draft.options, start=1):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(_MARKS[in_order.index(number - 1)], width=32)
            text = st.text_input(
                _("Option {number}", number=number),
                value=option.text,
                key=f"setup_option_{option.key}",
                placeholder=_(_HINTS[number - 1]) if number <= len(_HINTS) else _("Optional: another way"),
                max_chars=200,
                label_visibility="collapsed",
            )
            typed.append(option.replace(text=text or ""))
            # Empty fields are ignored, so the first three need no cross.
            if len(draft.options) > LEAST_OPTIONS:
                _draw_option_cross(draft, option, number)
    edited = draft.replace(options=tuple(typed))
    draw_note(edited, "options")
    with st.container(horizontal=True):
        if len(typed) < MAX_OPTIONS:
            st.button(_("Add an option"), icon=":material/add:", type="tertiary", on_click=_add_option, args=(edited,))
        _offer_later(edited)
    if stances := edited.stances_to_decide():
        named = ", ".join(quoted(safe_line(stance, max_chars=60)) for stance in stances)
        st.caption(_("Without options the debate decides among the stances of the seats: {stances}.", stances=named))
    return edited


def _draw_option_cross(draft: SetupDraft, option: OptionDraft, number: int) -> None:
    rest = tuple(o for o in draft.options if o.key != option.key)
    draw_cross(_("option {number}", number=number), f"setup_drop_{option.key}", lambda: change(current(), options=rest))


def _add_option(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, options=(*draft.options, OptionDraft(key=f"o{made}")), made=made)


def _offer_later(draft: SetupDraft) -> None:
    """Draw a button that adds the option to decide later, once there is a choice to put off."""
    exists = any(option.key.startswith(_LATER_KEY) and option.text.strip() for option in draft.options)
    if not exists and 2 <= len(draft.named_options()) < MAX_OPTIONS:
        label = _("Add “Decide later”")
        st.button(label, icon=":material/schedule:", type="tertiary", on_click=_add_later, args=(draft,))


def _add_later(draft: SetupDraft) -> None:
    """Add the option in place of the first field that is empty now."""
    made = draft.made + 1
    now = {option.key: st.session_state.get(f"setup_option_{option.key}", option.text) for option in draft.options}
    empty = next((option for option in draft.options if not (now[option.key] or "").strip()), None)
    rest = tuple(option for option in draft.options if option is not empty)
    if len(rest) < MAX_OPTIONS:
        change(draft, options=(*rest, OptionDraft(key=f"{_LATER_KEY}{made}", text=_(LATER))), made=made)


def edit_candidates(draft: SetupDraft) -> SetupDraft:
    """Draw the options of a tournament: one field with an option a line, or a file with a text for each."""
    times_filled = st.session_state.get(_CANDIDATES_FILLED, 0)
    text = st.text_area(
        _("Candidates, one a line"),
        value="\n".join(draft.named_options()),
        key=f"setup_candidates_{times_filled}",
        height=220,
        help=_("At most {most}. They are compared in pairs, the most informative pair next.", most=MOST_COMPARED),
    )
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    st.caption(_n(len(lines), "{n} candidate", "{n} candidates"))
    if draft.rules().generates:
        st.caption(_("A seat proposes more of them; you may leave this empty."))
    file = st.file_uploader(
        _("Or a CSV file with the columns option and text"),
        type=["csv", "txt"],
        key=f"setup_candidates_file_{times_filled}",
    )
    if file is not None:
        _replace_candidates(file.name, file.getvalue())
        st.session_state[_CANDIDATES_FILLED] = times_filled + 1
        st.rerun()
    if problem := st.session_state.pop(_REFUSED_CANDIDATES, ""):
        st.error(safe_text(problem), icon=":material/error:")
    return draft.replace(options=_option_drafts(lines))


def _option_drafts(texts: list[str]) -> tuple[OptionDraft, ...]:
    return tuple(OptionDraft(key=f"o{number}", text=text) for number, text in enumerate(texts, start=1))


def _replace_candidates(name: str, data: bytes) -> None:
    """Replace the options with the candidates of a file, and add their texts as documents."""
    try:
        options, sources = read_candidates(data.decode("utf-8"), where=name)
    except UnicodeDecodeError:
        st.session_state[_REFUSED_CANDIDATES] = _("{name} is not UTF-8 text.", name=name)
        return
    except InvalidSpec as error:
        st.session_state[_REFUSED_CANDIDATES] = f"{said(error)}."
        return
    draft = current()
    ids_of_file = {source.id for source in sources}
    kept = [source for source in draft.sources if source.id not in ids_of_file]
    change(draft, options=_option_drafts(list(options)), sources=(*kept, *sources), made=len(options))


def edit_yes_option(draft: SetupDraft) -> SetupDraft:
    """Ask which option means yes, if the question is a yes-or-no question."""
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
    return draft.replace(yes_option=unless_usual(chosen, suggested))


def edit_kind_of_decision(draft: SetupDraft) -> SetupDraft:
    """Ask for the kind of decision, which the advice depends on and by which debates are compared."""
    chosen = select_word(
        _("Kind of decision"),
        KINDS,
        draft.triage.task,
        key="setup_triage_task",
        help=_("The page over all debates compares debates of one kind with each other."),
    )
    return draft.replace(triage=draft.triage.model_copy(update={"task": chosen}))


def edit_drivers(draft: SetupDraft) -> SetupDraft:
    """Draw a name and a weight for each decision driver."""
    st.caption(_("Criteria for a good decision. All seats read them; the weights sum to 100."))
    typed = tuple(_edit_driver(draft, n, driver) for n, driver in enumerate(draft.drivers, start=1))
    draft = draft.replace(drivers=typed)
    with st.container(horizontal=True):
        if len(typed) < MAX_DRIVERS:
            st.button(_("Add a driver"), icon=":material/add:", type="tertiary", on_click=_add_driver, args=(draft,))
        if len(typed) > 1:
            st.button(
                _("Same weight for all"),
                icon=":material/balance:",
                type="tertiary",
                on_click=lambda: change(draft, drivers=evenly_weighted(typed)),
            )
    if typed:
        st.caption(_("The weights sum to {typed} of 100.", typed=sum(d.weight for d in typed)))
    return draft


def _edit_driver(draft: SetupDraft, number: int, driver: DriverDraft) -> DriverDraft:
    key = f"setup_driver_{driver.key}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        name = st.text_input(
            _("Driver {number}", number=number),
            driver.name,
            key=f"{key}_name",
            max_chars=120,
            placeholder=_("For example: time until it works"),
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
        draw_cross(
            _("driver {number}", number=number), f"{key}_drop", lambda: change(current(), drivers=evenly_weighted(rest))
        )
    return driver.replace(name=name or "", weight=weight)


def _add_driver(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, drivers=evenly_weighted((*draft.drivers, DriverDraft(key=f"d{made}"))), made=made)


def edit_sources(draft: SetupDraft) -> SetupDraft:
    """Draw the documents that seats quote from and that quotes are checked against."""
    with st.container(key="setup_sources"):
        _draw_upload(draft, _("Documents that seats may quote"), "files")
        for source in draft.sources:
            _draw_source(draft, source)
        if not draft.sources:
            st.caption(
                _(
                    "No documents yet. They are optional for people and models; programs can only quote what you add "
                    "here. Every quote is checked word for word."
                )
            )
    return draft


def edit_background(draft: SetupDraft) -> SetupDraft:
    """Draw the background that a follow-up debate brings; nothing for other debates."""
    if not draft.background:
        return draft
    text = st.text_area(
        _("Background that every seat reads"), draft.background, key="setup_background", max_chars=MAX_CONTEXT_CHARS
    )
    return draft.replace(background=text or "")


def draw_beginning(draft: SetupDraft) -> None:
    """Draw the upload of a first document, which fills empty fields and can be quoted in the debate."""
    if not draft.sources:
        _draw_upload(draft, _("Begin with a decision record or a design note (optional)"), "beginning")
    for source in draft.sources:
        title = safe_line(source.title, max_chars=60)
        st.caption(_(":material/description: **{title}** can be quoted in the debate.", title=title))


def _draw_upload(draft: SetupDraft, label: str, place: str) -> None:
    upload = st.session_state.setdefault("setup_uploads", 0)
    files = st.file_uploader(
        label,
        accept_multiple_files=True,
        type=SOURCE_TYPES,
        key=f"setup_{place}_{upload}",
        help=_(
            "Markdown, plain text, PDF, Word, HTML, tables and data (.csv, .json, .yaml), or a transcript (.vtt, .srt) "
            "without its times; up to 10 MB and 200 PDF pages each. Its question, options and drivers are filled in "
            "where you have written nothing."
        ),
    )
    if files:
        st.session_state["setup_uploads"] += 1
        _add_files(draft, [(f.name, f.getvalue()) for f in files])
        st.rerun()
    for sentence in st.session_state.pop(_REFUSED, ()):
        st.error(safe_text(sentence), icon=":material/error:")


def _add_files(draft: SetupDraft, files: list[tuple[str, bytes]], *, title: str = "") -> None:
    """Add every readable file, and keep an error for each of the others. A `title` overrides the document's own."""
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


def draw_paste(draft: SetupDraft) -> None:
    """Draw fields for a pasted text in a fold, as an alternative to a file."""
    with st.expander(_("Or paste a text"), icon=":material/description:", key="setup-paste"):
        _draw_paste_fields(draft)


def _draw_paste_fields(draft: SetupDraft) -> None:
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


def _draw_source(draft: SetupDraft, source: Source) -> None:
    rest = tuple(s for s in draft.sources if s.id != source.id)
    with st.container(horizontal=True, vertical_alignment="center", border=True, wrap=False):
        title = safe_line(source.title, max_chars=80)
        st.markdown(
            _(":material/description: **{title}** :gray[{length:,} characters]", title=title, length=len(source.text)),
            width="stretch",
        )
        if words := readers_words(source):
            st.caption(safe_line(words))
        draw_cross(source.title, f"setup_drop_source_{source.id}", lambda: change(current(), sources=rest))


def draw_readers(draft: SetupDraft) -> None:
    """Ask which seats alone read each document; a marked seat that is gone stays marked until someone decides."""
    is_marked = any(source.only_for for source in draft.sources)
    if draft.rules().paired and not is_marked:
        return
    seats = [seat.id for seat in draft.panel()]
    for source in draft.sources:
        key = f"setup_readers_{source.id}"
        st.multiselect(
            safe_label(_("Only these seats read {title}", title=source.title)),
            [*dict.fromkeys((*seats, *(source.only_for or ())))],
            source.only_for or (),
            key=key,
            format_func=in_words,
            placeholder=_("all seats"),
            on_change=_mark_readers,
            args=(source.id, key),
            help=_(
                "The others learn what is quoted from it. Leaders of the debate read it too, and the end opens it to "
                "everyone, with what rested on it."
            ),
        )


def _mark_readers(source_id: str, key: str) -> None:
    readers = tuple(st.session_state[key]) or None
    draft = current()
    marked = [s.model_copy(update={"only_for": readers}) if s.id == source_id else s for s in draft.sources]
    change(draft, sources=tuple(marked))


def edit_first_rounds(draft: SetupDraft) -> SetupDraft:
    """Ask from which round each document is visible, for evidence that arrives step by step."""
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
            help=_("1 = all seats have it from the start. A later round shows how seats respond to new evidence."),
        )
        listed.append(source.model_copy(update={"from_round": int(first)}))
    return draft.replace(sources=tuple(listed))
