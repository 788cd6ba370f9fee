"""Pauses that need a decision: a limit that the facilitator raises or ends at, and seats that could not be reached.

Knows no rules: the engine refuses what is not allowed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.engine.limits import AXES
from debate_core.engine.stage import unreached
from debate_core.errors import BadReply, InvalidSpec
from debate_core.language import Words, _, message, said
from debate_core.record.acts import SeatReturned, SeatTaken
from debate_core.record.commands import RaiseLimit, Resume, TakeTurn, Truncate
from debate_core.record.state import State
from debate_core.report.facts.usage import LimitRow
from debate_core.report.phrases.limits import agreed_limit
from debate_core.report.phrases.outcome import limit_sentence, unreached_sentence
from debate_core.spec.contents import Candidates
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import MAX_TEXT_CHARS, Axis
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room.buttons import Reasoned, command_button
from debate_core.ui.setup.draft import LimitsDraft
from debate_core.ui.setup.mapping import ceiling_from
from debate_core.ui.turn.offices import typed_candidate

_FIELDS: dict[Axis, str] = {"calls": "calls", "tokens": "tokens", "seconds": "minutes", "usd": "usd"}
"""Axis -> its field in the limits of the set-up page, which counts minutes."""
_LABELS = Words({"calls": "Calls", "tokens": "Tokens", "seconds": "Minutes", "usd": "USD"})
_TYPED = "typed_candidates"
TYPED = message("typed by hand")
"""The reason of typed candidates in the record."""


FOR_OTHERS = message("The facilitator asks them again or goes on without them. Votes that were cast stay.")
"""The sentence for people who do not lead: faults of a server say nothing to them."""


def show(state: State, me: Me) -> None:
    """Draw which limit was met, and for the facilitator the next steps; nothing unless a limit was met."""
    met = state.limit_met
    if met is None:
        return
    with st.container(border=True, key="limit-met"):
        limit = safe_text(limit_sentence(state))
        st.markdown(_(":material/speed: **A limit was reached.** {limit}", limit=limit))
        if me.facilitator:
            _draw_limits(state, me)
            end = partial(Truncate, request=met.request, reserved=met.reserved)
            command_button(state, me, _("End the debate here"), end, key="end-at-limit")


def show_unreached(state: State, me: Me) -> None:
    """Draw why no seat could be reached, and for those who lead the next steps; nothing unless the debate waits."""
    if not unreached(state):
        return
    lacks_candidates = any(request.gives == "candidates" for request in requests(state))
    with st.container(border=True, key="unreached"):
        leads = me.facilitator or me.role == "moderator"
        st.markdown(_unreached_words(state, leads=leads, lacks_candidates=lacks_candidates))
        if leads:
            if state.spec.has_people and state.spec.terms.final_vote != "none":
                st.caption(_("The final vote of the people follows in either case."))
            if lacks_candidates:
                _draw_candidates_form(state, me)
            with st.container(horizontal=True):
                command_button(state, me, _("Ask again"), Resume, key="ask-again", type="primary")
                without = partial(Resume, gives_up=True)
                command_button(state, me, _("Go on without them"), without, key="go-on-without")


def _unreached_words(state: State, *, leads: bool, lacks_candidates: bool) -> str:
    sentence = safe_text(unreached_sentence(state)) if leads or lacks_candidates else _(FOR_OTHERS)
    if lacks_candidates:
        return _(":material/lightbulb: **No candidates were proposed.** {sentence}", sentence=sentence)
    return _(":material/cloud_off: **No seat answers.** {sentence}", sentence=sentence)


def _draw_candidates_form(state: State, me: Me) -> None:
    label = _("Candidates, one a line: name, or name: what it is")
    st.text_area(label, key=_TYPED, max_chars=MAX_TEXT_CHARS, height=160)
    compare = (state, me)
    st.button(_("Compare these"), key="compare-typed", type="primary", on_click=_give_candidates, args=compare)


def _give_candidates(state: State, me: Me) -> None:
    request = next((asked for asked in requests(state) if asked.gives == "candidates"), None)
    if request is None:
        return
    lines = str(st.session_state.get(_TYPED) or "").splitlines()
    try:
        candidates = [typed_candidate(line.strip()) for line in lines if line.strip()]
        content = Candidates.model_validate({"reason": TYPED, "candidates": candidates})
    except ValueError:
        session.set_problem(BadReply("each candidate needs a name: write one a line"))
        return
    if _give_for_seat(state, me, request.seat, partial(TakeTurn, request=request.id, content=content)):
        session.send_on_click(state.debate, me, Resume)


def _give_for_seat(state: State, me: Me, seat: str, turn: Callable[..., TakeTurn]) -> bool:
    """In a room the facilitator takes the seat for this one turn, on the record; the seat is asked again later."""
    if not state.spec.has_people:
        return session.give(state.debate, me, turn)
    if not session.act(state, me, SeatTaken(seat=seat, reason=TYPED)):
        return False
    is_given = session.give(state.debate, me, turn)
    return session.act(state, me, SeatReturned(seat=seat)) and is_given


def before_it_is_met(state: State, me: Me, rows: tuple[LimitRow, ...]) -> None:
    """Draw the same fields as soon as a limit is near."""
    is_near = state.limit_met is None and any(row.near for row in rows)
    if me.facilitator and state.outcome is None and is_near:
        with st.expander(_("Raise a limit"), key="raise-limit", type="compact"):
            _draw_limits(state, me)


def _draw_limits(state: State, me: Me) -> None:
    bound = state.spec.ceiling() or Ceiling()
    axes = [axis for axis in AXES if getattr(bound, axis) is not None]
    grid = st.grid(max(len(axes), 1), min_column_width=130)
    for axis in axes:
        now = _("now {agreed_limit}", agreed_limit=agreed_limit(state, axis))
        grid.text_input(_LABELS[axis], key=f"raise-{axis}", placeholder=now)
    why = Reasoned(state, me, "limit", _("Reason for the limit"))
    why.field()
    try:
        _typed_limits(axes)
    except InvalidSpec as error:
        st.error(safe_text(said(error)), icon=":material/error:")
        return

    def raised(by: str, reason: str) -> RaiseLimit | None:
        # None if it cannot be read at the press: the page then shows the error at the fields.
        with suppress(InvalidSpec):
            return RaiseLimit(by=by, to=_typed_limits(axes), reason=reason)
        return None

    why.button(_("Raise the limit"), "raise", raised, icon=":material/arrow_upward:")


def _typed_limits(axes: Sequence[Axis]) -> Ceiling:
    """The limits in the fields; raises `InvalidSpec` for one that cannot be read."""
    typed = {_FIELDS[axis]: str(st.session_state.get(f"raise-{axis}") or "") for axis in axes}
    return ceiling_from(LimitsDraft(**typed)) or Ceiling()
