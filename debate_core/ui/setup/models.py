"""Models for the seats of a draft: which can be chosen here, ready panels of them, and what is missing for the others.

Which servers and keys there are is for the host to say; no key is ever shown. Servers that somebody names there are in
`setup_servers`.
"""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from debate_core.errors import InvalidSpec
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import Panel, is_loopback
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import Draft, with_panel
from debate_core.ui.setup.question import held, keep


def label(line: ModelLine) -> str:
    """The name of the model and its family: `NAME · FAMILY`."""
    return " · ".join(filter(None, (line.model or line.id, line.family)))


def needs_key(line: ModelLine) -> bool:
    """True if the variable of its key is not set here; servers on this machine are asked without one."""
    return bool(line.key_env) and not session.host().access.keys.get(line.key_env) and not is_loopback(line.base_url)


def known(draft: Draft) -> tuple[ModelLine, ...]:
    """Every line with a model: those of the panel file, and those that a person has added to the draft."""
    added = {line.id: line for line in draft.lines}
    in_file = session.host().access.panels.lines
    own = [line for line in draft.lines if line.id not in {f.id for f in in_file}]
    named = [line if line.model else added.get(line.id, line) for line in in_file]
    return tuple(line for line in (*named, *own) if line.model)


def usable(draft: Draft) -> tuple[ModelLine, ...]:
    """Lines that can be asked from this server, as far as can be known without asking them."""
    return tuple(line for line in known(draft) if why_not(line) is None)


def why_not(line: ModelLine) -> str | None:
    """Why this line cannot be asked from here, or None."""
    if needs_key(line):
        return (
            f"the model {line.model} needs a key: set {line.key_env} in the environment or in .streamlit/secrets.toml"
        )
    try:
        session.host().access.refuse_address(line)
    except InvalidSpec as error:
        return str(error)
    return None


def choices(draft: Draft) -> dict[str, str]:
    """Line id -> its words, for the lists of who sits in a seat."""
    lines = usable(draft)
    same = Counter(label(line) for line in lines)
    return {line.id: label(line) if same[label(line)] == 1 else f"{label(line)} ({line.id})" for line in lines}


def named_ids(draft: Draft) -> set[str]:
    """Ids of the lines that the seats of the draft name."""
    debaters = {s.model for s in draft.panel() if s.who == "model"}
    return debaters | {o.model for o in draft.held_offices() if o.who == "model"}


def with_named_lines(draft: Draft) -> Draft:
    """The draft with the lines that its seats name, as the panel file has them now, and those added to it."""
    named, in_file = named_ids(draft), {f.id for f in session.host().access.panels.lines if f.model}
    lines = tuple(line for line in known(draft) if line.id in named or line.id not in in_file)
    return draft.model_copy(update={"lines": lines})


def cannot_sit(draft: Draft) -> str | None:
    """Why a model that was chosen cannot be asked, or None: a key may have gone since."""
    named = named_ids(draft)
    return next((why for line in draft.lines if line.id in named and (why := why_not(line))), None)


def panel_row(draft: Draft) -> None:
    """A ready panel for all debaters and every office; nothing where no panel can sit."""
    lines = {line.id for line in usable(draft)}
    panels = {p.name: p for p in session.host().access.panels.panels if lines.issuperset(p.line_ids())}
    if not panels:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.selectbox(
            "Seat a panel of models", list(panels), key="setup_panel", format_func=lambda n: panels[n].title or n
        )
        st.button("Seat this panel", icon=":material/groups:", on_click=_seat_panel, args=(panels[name],))


def _seat_panel(panel: Panel) -> None:
    draft = held()
    file = session.host().access.panels.model_copy(update={"lines": usable(draft)})
    filled, made = with_panel(draft, panel, file), draft.made + 1
    # Other keys: the fields of the rows would go on showing what was chosen there before.
    seats = tuple(s.model_copy(update={"key": f"{s.key}-{made}"}) for s in filled.panel())
    keep(filled.model_copy(update={"seats": seats, "made": made}))


def about(draft: Draft) -> None:
    """What should be known of the models here: that there are none, or which ones wait for a key."""
    if not usable(draft):
        st.caption("No model is set up on this server, and none is needed: people and the evidence panel can debate.")
    waiting = [line for line in session.host().access.panels.lines if needs_key(line)]
    if waiting:
        with st.expander("Models that need a key", icon=":material/key:"):
            _needed_keys(waiting)


def _needed_keys(lines: Sequence[ModelLine]) -> None:
    st.caption(
        "Set the variable in the environment of this server or in .streamlit/secrets.toml, and start the server again. "
        "People and the evidence panel need no key."
    )
    for variable in dict.fromkeys(line.key_env for line in lines):
        named = ", ".join(safe_line(label(line)) for line in lines if line.key_env == variable)
        st.markdown(f"`{variable}`: {named}")
