"""Models for the seats of a draft: which can be chosen here, ready panels of them, and what is missing for the others.

Which servers and keys there are is for the host to say; no key is ever shown. Servers that somebody names there are in
`servers`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from debate_core.errors import InvalidSpec
from debate_core.language import _, said
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import Panel, is_loopback
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import SetupDraft, with_panel, with_rules_for
from debate_core.ui.setup.draft_store import current, keep
from debate_core.ui.setup.seat_fields import as_typed


def label(line: ModelLine) -> str:
    """The name of the model and its family: `NAME · FAMILY`."""
    return " · ".join(filter(None, (line.model or line.id, line.family)))


def needs_key(line: ModelLine) -> bool:
    """True if the variable of its key is not set here; servers on this machine are asked without one."""
    return bool(line.key_env) and not session.host().access.keys.get(line.key_env) and not is_loopback(line.base_url)


def known(draft: SetupDraft) -> tuple[ModelLine, ...]:
    """Every line with a model: those of the panel file, and those that a person has added to the draft."""
    lines = {line.id: line for line in session.host().access.panels.lines}
    for line in draft.lines:
        # The file may leave the model of a line open.
        if line.id not in lines or not lines[line.id].model:
            lines[line.id] = line
    return tuple(line for line in lines.values() if line.model)


def usable(draft: SetupDraft) -> tuple[ModelLine, ...]:
    """Lines that can be asked from this server, as far as can be known without asking them."""
    return tuple(line for line in known(draft) if why_not(line) is None)


def why_not(line: ModelLine) -> str | None:
    """Why this line cannot be asked from here, or None."""
    if needs_key(line):
        return _(
            "the model {model} needs a key: set {key_env} in the environment or in .streamlit/secrets.toml",
            model=line.model,
            key_env=line.key_env,
        )
    try:
        session.host().access.refuse_address(line)
    except InvalidSpec as error:
        return said(error)
    return None


def choices(draft: SetupDraft) -> dict[str, str]:
    """Line id -> its words, for the lists of who sits in a seat."""
    labels = {line.id: label(line) for line in usable(draft)}
    times = Counter(labels.values())
    return {i: words if times[words] == 1 else f"{words} ({i})" for i, words in labels.items()}


def named_ids(draft: SetupDraft) -> set[str]:
    """Ids of the lines that the seats of the draft name."""
    return {sits.model for sits in draft.everybody() if sits.who == "model"}


def with_named_lines(draft: SetupDraft) -> SetupDraft:
    """The draft with the lines that its seats name, as the panel file has them now, and those added to it."""
    in_file = {line.id for line in session.host().access.panels.lines if line.model}
    not_needed = in_file - named_ids(draft)
    return draft.model_copy(update={"lines": tuple(line for line in known(draft) if line.id not in not_needed)})


def cannot_sit(draft: SetupDraft) -> str | None:
    """Why a model that was chosen cannot be asked, or None: a key may have gone since."""
    named = named_ids(draft)
    reasons = (why_not(line) for line in draft.lines if line.id in named)
    return next((reason for reason in reasons if reason), None)


def panel_row(draft: SetupDraft) -> None:
    """A ready panel for all debaters and every office; nothing where no panel can sit."""
    lines = {line.id for line in usable(draft)}
    panels = {p.name: p for p in session.host().access.panels.panels if lines.issuperset(p.line_ids())}
    if not panels:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            _("Seat a panel of models"), list(panels), key="setup_panel", format_func=lambda n: panels[n].title or n
        )
        st.button(_("Seat this panel"), icon=":material/groups:", on_click=_seat_panel, args=(panels,))


def _seat_panel(panels: Mapping[str, Panel]) -> None:
    """The panel that is chosen, in seats as they are typed, as the button is pressed."""
    draft = current()
    panel = panels[st.session_state["setup_panel"]]
    file = session.host().access.panels.model_copy(update={"lines": usable(draft)})
    typed = tuple(map(as_typed, draft.panel()))
    if typed == draft.panel():
        draft = with_rules_for(draft, panel, file)
        typed = draft.panel()
    draft = draft.model_copy(update={"seats": typed})
    seated = with_panel(draft, panel, file)
    made = draft.made + 1
    # Other keys: the fields of the rows would go on showing what was chosen there before.
    seats = tuple(seat.model_copy(update={"key": f"{seat.key}-{made}"}) for seat in seated.panel())
    keep(seated.model_copy(update={"seats": seats, "made": made}))


def about(draft: SetupDraft) -> None:
    """What should be known of the models here: that there are none, or which ones wait for a key."""
    if not usable(draft):
        st.caption(
            _("No model is set up on this server, and none is needed: people and the evidence panel can debate.")
        )
    waiting = [line for line in session.host().access.panels.lines if needs_key(line)]
    if waiting:
        with st.expander(_("Models that need a key"), icon=":material/key:", key="models-without-key"):
            _needed_keys(waiting)


def _needed_keys(lines: Sequence[ModelLine]) -> None:
    st.caption(
        _(
            "Set the variable in the environment of this server or in .streamlit/secrets.toml, and start the "
            "server again. People and the evidence panel need no key."
        )
    )
    if as_of := session.host().access.panels.as_of:
        st.caption(_("These names of models are as of {as_of}.", as_of=safe_line(as_of)))
    for variable in dict.fromkeys(line.key_env for line in lines):
        named = ", ".join(safe_line(label(line)) for line in lines if line.key_env == variable)
        st.markdown(f"`{variable}`: {named}")
