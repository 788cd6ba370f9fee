"""What a debate waits at: a limit, which whoever leads raises or ends it there; servers that cannot be reached.

Knows no rules: the engine refuses what is not allowed.
"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from debate_core.engine.ceiling import AXES
from debate_core.engine.engine import requests
from debate_core.engine.stage import unreached
from debate_core.errors import InvalidSpec
from debate_core.language import Words, _, said
from debate_core.record.commands import RaiseLimit, Resume, Truncate
from debate_core.record.state import State
from debate_core.report.facts.usage import LimitRow
from debate_core.report.words.limits import agreed_limit
from debate_core.report.words.outcome import limit_sentence, unreached_sentence
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Axis
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room import typed_candidates
from debate_core.ui.room.reason_field import Reasoned
from debate_core.ui.setup.draft import LimitsDraft
from debate_core.ui.setup.mapping import ceiling_from

_FIELDS: dict[Axis, str] = {"calls": "calls", "tokens": "tokens", "seconds": "minutes", "usd": "usd"}
"""Axis -> its field in the limits of the set-up page, which counts minutes."""
_LABELS = Words({"calls": "Calls", "tokens": "Tokens", "seconds": "Minutes", "usd": "USD"})


def show(state: State, me: Me) -> None:
    """What the limit stopped, for everybody; what can follow, for whoever leads. Nothing unless a limit was met."""
    if state.limit_met is None:
        return
    with st.container(border=True, key="limit-met"):
        st.markdown(
            _(
                ":material/speed: **A limit was reached.** {limit}",
                limit=safe_text(limit_sentence(state)),
            )
        )
        if me.facilitator:
            _raise(state, me)
            met = state.limit_met
            end = partial(Truncate, request=met.request, reserved=met.reserved)
            send = session.send_on_click
            st.button(_("End the debate here"), key="end-at-limit", on_click=send, args=(state.debate, me, end))


def show_unreached(state: State, me: Me) -> None:
    """Why nobody could be reached, for everybody; the two ways on, for whoever may resume. Nothing unless it waits."""
    if not unreached(state):
        return
    nobody_proposed = any(request.gives == "candidates" for request in requests(state))
    with st.container(border=True, key="unreached"):
        sentence = safe_text(unreached_sentence(state))
        if nobody_proposed:
            words = _(":material/lightbulb: **Nobody has proposed what is compared.** {sentence}", sentence=sentence)
        else:
            words = _(":material/cloud_off: **Nobody could be reached.** {sentence}", sentence=sentence)
        st.markdown(words)
        if me.facilitator or me.role == "moderator":
            if nobody_proposed:
                typed_candidates.show(state, me)
            with st.container(horizontal=True):
                again = state.debate, me, Resume
                without = state.debate, me, partial(Resume, gives_up=True)
                send = session.send_on_click
                st.button(_("Ask again"), key="ask-again", type="primary", on_click=send, args=again)
                st.button(_("Go on without them"), key="go-on-without", on_click=send, args=without)


def before_it_is_met(state: State, me: Me, rows: tuple[LimitRow, ...]) -> None:
    """The same fields as soon as a limit is near."""
    is_near = state.limit_met is None and any(row.near for row in rows)
    if me.facilitator and state.outcome is None and is_near:
        with st.expander(_("Raise a limit"), key="raise-limit"):
            _raise(state, me)


def _raise(state: State, me: Me) -> None:
    """One field for each limit that was agreed."""
    bound = state.spec.ceiling() or Ceiling()
    axes = [axis for axis in AXES if getattr(bound, axis) is not None]
    grid = st.grid(max(len(axes), 1), min_column_width=130)
    for axis in axes:
        grid.text_input(
            _LABELS[axis], key=_key(axis), placeholder=_("now {agreed_limit}", agreed_limit=agreed_limit(state, axis))
        )
    why = Reasoned(state, me, "limit", _("Reason for the limit"))
    why.field()
    try:
        _typed(axes)
    except InvalidSpec as error:
        st.error(safe_text(said(error)), icon=":material/error:")
        return
    why.button(_("Raise the limit"), "raise", partial(_raised, axes), icon=":material/arrow_upward:")


def _raised(axes: Sequence[Axis], by: str, reason: str) -> RaiseLimit | None:
    """With what is typed as the button is pressed; None where it cannot be read: the page says why, in its place."""
    try:
        return RaiseLimit(by=by, to=_typed(axes), reason=reason)
    except InvalidSpec:
        return None


def _typed(axes: Sequence[Axis]) -> Ceiling:
    """InvalidSpec says what cannot be read."""
    typed = {_FIELDS[axis]: str(st.session_state.get(_key(axis)) or "") for axis in axes}
    return ceiling_from(LimitsDraft(**typed)) or Ceiling()


def _key(axis: str) -> str:
    return f"raise-{axis}"
