"""The options of a tournament, on the set-up page: one a line, or a file with a text for each."""

import streamlit as st

from debate_core.errors import InvalidSpec
from debate_core.language import _, _n, said
from debate_core.spec.candidates import read_candidates
from debate_core.spec.protocol import MOST_COMPARED
from debate_core.ui.kit.text import safe_text
from debate_core.ui.setup.draft import OptionDraft, SetupDraft
from debate_core.ui.setup.draft_store import change, current

_REFUSED = "refused_candidates"
_FILLED = "setup_candidates_filled"
"""How often code has put candidates into their field."""


def candidates(draft: SetupDraft) -> SetupDraft:
    """Two to two hundred options, as many lines."""
    times_filled = st.session_state.get(_FILLED, 0)
    text = st.text_area(
        _("Candidates, one a line"),
        value="\n".join(draft.named_options()),
        key=f"setup_candidates_{times_filled}",
        height=220,
        help=_("At most {most}. They are compared two at a time, those that say most next.", most=MOST_COMPARED),
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
        _take(file.name, file.getvalue())
        st.session_state[_FILLED] = times_filled + 1
        st.rerun()
    if why := st.session_state.pop(_REFUSED, ""):
        st.error(safe_text(why), icon=":material/error:")
    return draft.model_copy(update={"options": _drafts(lines)})


def _drafts(texts: list[str]) -> tuple[OptionDraft, ...]:
    return tuple(OptionDraft(key=f"o{number}", text=text) for number, text in enumerate(texts, start=1))


def _take(name: str, data: bytes) -> None:
    """The candidates of a file in the place of those that were typed, their texts as documents."""
    try:
        options, sources = read_candidates(data.decode("utf-8"), where=name)
    except UnicodeDecodeError:
        st.session_state[_REFUSED] = _("{name} is not UTF-8 text.", name=name)
        return
    except InvalidSpec as error:
        st.session_state[_REFUSED] = f"{said(error)}."
        return
    draft = current()
    ids_of_file = {source.id for source in sources}
    kept = [source for source in draft.sources if source.id not in ids_of_file]
    change(draft, options=_drafts(list(options)), sources=(*kept, *sources), made=len(options))
