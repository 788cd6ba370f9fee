"""Steps before a vote: everyone proposes options and drivers, reads the brief, or writes in silence.

Knows no rules: the engine says which step runs and refuses what does not fit.
"""

from collections.abc import Iterator
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine import preparation
from debate_core.language import Words, _, _n
from debate_core.names import name_key
from debate_core.record import acts
from debate_core.record.acts import MAX_WRITTEN
from debate_core.record.state import State
from debate_core.report.phrases.polls import missing_sentence
from debate_core.spec.people import SILENT, SilentStep
from debate_core.spec.protocol import MAX_DRIVERS, Driver
from debate_core.text import line
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.room.buttons import act_button, confirm_button
from debate_core.ui.setup.draft import DriverDraft, evenly_weighted

Kind = Literal["option", "driver"]
KINDS: Words[Kind] = Words({"option": "An option", "driver": "What matters"})
_SHOWN_CHARS = 20_000
"""Characters of a document on the page; the rest is in its file."""
_THUMB = """<style>.st-key-preparation button { min-height: 48px; }</style>"""


def draw_preparation(state: State, me: Me) -> None:
    """Draw the step that runs for this person, and the texts of silent steps once they are shown."""
    if me.person is None:
        return
    for step in SILENT:
        _draw_shown(state, step)
    now = preparation.running(state)
    if now is None:
        return
    with st.container(border=True, key="preparation"):
        st.html(_THUMB)
        if now.step == "collect":
            _draw_collection(state, me)
        elif now.step == "brief":
            _draw_brief(state, me)
        else:
            _draw_silent(state, me, now.step)


def _draw_collection(state: State, me: Me) -> None:
    st.subheader(_("Which options are there?"), anchor=False)
    labels: dict[Kind, str] = {"option": _("Options"), "driver": _("What matters")}
    for kind, label in labels.items():
        if known := [*_proposals(state, kind)]:
            st.markdown(f"**{label}**\n" + "\n".join(f"- {safe_line(text)}" for _, text in known))
    if session.may(state, me, acts.Suggested):
        _draw_proposal(state, me)
    _draw_done(state, me, _("I have nothing to add"))
    if me.facilitator:
        _draw_list(state, me)


def _draw_proposal(state: State, me: Me) -> None:
    key = f"proposed_text {state.debate}"

    def send() -> None:
        text = line(str(st.session_state.get(key, "")))
        kind: Kind = st.session_state.get(f"{key} kind") or "option"
        # Enter sends, and then the button finds an empty field.
        if text and session.act(state, me, acts.Suggested(kind=kind, text=text)):
            st.session_state[key] = ""

    kind = st.segmented_control(
        _("What you propose"),
        list(KINDS),
        key=f"{key} kind",
        default="option",
        format_func=lambda k: f":gray[{KINDS[k]}]",
        label_visibility="collapsed",
        width="stretch",
    )
    st.text_input(_("Your proposal, in a few words"), key=key, max_chars=200, on_change=send)
    st.button(_("Propose"), key="propose", icon=":material/add:", width="stretch", on_click=send)
    if kind == "driver":
        st.caption(_("A criterion for a good decision, such as cost or time."))
    if not me.facilitator:
        session.show_problem()


def _proposals(state: State, kind: Kind) -> Iterator[tuple[str, str]]:
    """List what the spec contains, then new proposals: the name of a field, and the text."""
    given = state.spec.options if kind == "option" else tuple(d.name for d in state.spec.drivers)
    yield from ((f"given {number}", text) for number, text in enumerate(given))
    seen = {name_key(text) for text in given}
    for done in preparation.proposals(state, kind):
        if name_key(done.fact.text) not in seen:
            yield f"proposed {done.seq}", done.fact.text


def _draw_list(state: State, me: Me) -> None:
    """Draw the list for the facilitator to edit and set: duplicates are cleared, unclear words are changed."""
    st.divider()
    st.markdown(_("**The list for the debate.** Edit the words, and clear duplicates."))
    draft = _list_draft(state, me)
    for kind in KINDS:
        for name, text in _proposals(state, kind):
            label = safe_label(f"{KINDS[kind]}: {text}", max_chars=80)
            st.text_input(label, label_visibility="collapsed", max_chars=200, **draft.value(f"{kind} {name}", text))
    confirm_button(
        state,
        _("Set these {options} options", options=len(_typed(state, me, "option"))),
        key="agree-options",
        about="options",
        missing=lambda: missing_sentence(session.host().state(state.debate), None),
        anyway=_("Set them anyway"),
        press=partial(_agree, state, me),
        shortcut=single_keys.single_key(state, me, "n"),
    )


def _list_draft(state: State, me: Me) -> FormDraft:
    return FormDraft(f"{state.debate}/options.{me.actor}", state.debate, me)


def _typed(state: State, me: Me, kind: Kind) -> tuple[str, ...]:
    """The texts in the fields now, each once, without the cleared ones."""
    draft = _list_draft(state, me)
    typed = [line(str(draft.get(f"{kind} {name}", text) or "")) for name, text in _proposals(state, kind)]
    once: dict[str, str] = {}
    for text in typed:
        if key := name_key(text):
            once.setdefault(key, text)
    return tuple(once.values())


def _agree(state: State, me: Me) -> None:
    # Read at the press, because the last change and the press reach the server together.
    options, drivers = _typed(state, me, "option"), _typed(state, me, "driver")
    if not 2 <= len(options) <= 8:
        session.set_problem(_("a debate needs 2 to 8 options: this list has {options}", options=len(options)))
        return
    weighted = evenly_weighted(tuple(DriverDraft(key=name, name=name) for name in drivers[:MAX_DRIVERS]))
    given = tuple(Driver(name=row.name, weight=row.weight) for row in weighted)
    session.act(state, me, acts.OptionsAgreed(options=options, drivers=given))


def _draw_brief(state: State, me: Me) -> None:
    st.subheader(_("Read, and ask"), anchor=False)
    st.markdown(f"**{safe_line(state.spec.question)}**")
    st.markdown("\n".join(f"- {safe_line(option)}" for option in state.spec.options))
    if state.spec.drivers:
        names = ", ".join(safe_line(driver.name) for driver in state.spec.drivers)
        st.markdown(_("**What matters:** {names}", names=names))
    if state.spec.context.strip():
        st.markdown(safe_text(state.spec.context))
    # Those of some seats have their own desk.
    for source in (source for source in state.spec.sources if source.only_for is None):
        title = safe_label(source.title, max_chars=80)
        with st.expander(title, icon=":material/description:", key=f"read-{source.id}", type="compact"):
            st.markdown(safe_text(source.text[:_SHOWN_CHARS]))
    if session.may(state, me, acts.Asked):
        st.caption(_("Questions and concerns go under “Ask, or raise a concern”."))
    _draw_done(state, me, _("I have read it"))


ASKED: Words[SilentStep] = Words(
    {
        "facts": "What do you know that the others may not?",
        "premortem": "A year later the decision was reversed: why?",
    }
)
_SHOWN: Words[SilentStep] = Words({"facts": "What people know", "premortem": "Why it might be reversed"})


def _draw_silent(state: State, me: Me, step: SilentStep) -> None:
    st.subheader(ASKED[step], anchor=False)
    may_write = session.may(state, me, acts.TextsWritten)
    if may_write:
        words = _("One per line, {n} at most. No one else reads it until all is shown.", n=MAX_WRITTEN)
    else:
        words = _("The others write. All texts are shown together.")
    st.caption(words)
    own = preparation.own_texts(state, step, me.actor)
    if may_write:
        draft = FormDraft(f"{state.debate}/{step}.{me.actor}", state.debate, me)
        st.text_area(
            ASKED[step],
            max_chars=MAX_WRITTEN * 300,
            height=120,
            label_visibility="collapsed",
            **draft.value("texts", "\n".join(own)),
        )
        label = _("Seal it again") if own else _("Seal it")
        st.button(
            label,
            key=f"write-{step}",
            icon=":material/lock:",
            width="stretch",
            on_click=_seal,
            args=(state, me, step, draft),
        )
        if own:
            st.markdown(_n(len(own), ":material/lock: {n} text is sealed.", ":material/lock: {n} texts are sealed."))
        if not me.facilitator:
            session.show_problem()
    if not own:
        _draw_done(state, me, _("I have nothing to write"))


def _seal(state: State, me: Me, step: SilentStep, draft: FormDraft) -> None:
    texts = tuple(filter(None, map(line, draft.text("texts").splitlines())))
    if not texts and not preparation.own_texts(state, step, me.actor):
        session.set_problem(_("write something first, or press “I have nothing to write”"))
    elif len(texts) > MAX_WRITTEN or any(len(text) > 300 for text in texts):
        session.set_problem(_("at most {max_written} lines of 300 characters", max_written=MAX_WRITTEN))
    else:
        session.act(state, me, acts.TextsWritten(step=step, texts=texts))


def _draw_shown(state: State, step: SilentStep) -> None:
    texts = preparation.shown_texts(state, step)
    if not texts:
        return
    # Facts are the first claims of the debate, so they have the numbers of claims.
    lines = "\n".join(f"{number}. {safe_line(text)}" for number, text in enumerate(texts, start=1))
    is_past = step == "facts" and state.room.begun
    with st.expander(f"{_SHOWN[step]} · {len(texts)}", expanded=not is_past, key=f"shown-{step}"):
        st.markdown(lines)


def _draw_done(state: State, me: Me, label: str) -> None:
    now = preparation.running(state)
    if now is None or me.actor not in {person.id for person in preparation.asked(state)}:
        return
    if me.actor in preparation.prepared(state, now.step):
        st.markdown(_(":material/check: You are done. The room continues when everyone is."))
        return
    done = acts.Prepared(step=now.step)
    act_button(state, me, label, done, key=f"done-{now.step}", icon=":material/check:", width="stretch")
