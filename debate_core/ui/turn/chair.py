"""The chair's buttons for a proposal: approve it, or send a directive back with a reason.

The form replaces a proposal; the stop button ends the debate.
"""

from functools import partial

import streamlit as st

from debate_core.engine.schedule import may_send_back
from debate_core.engine.seat_view import View
from debate_core.language import _, message
from debate_core.record.commands import SkipTurn, TakeTurn
from debate_core.record.state import Request, State
from debate_core.spec.contents import Directive, Framing, Positions
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.turn import fields
from debate_core.ui.turn.offices import proposed

APPROVED = message("approved as it stands")
NONE_GIVEN = message("the chair gives none")


def answers(state: State, request: Request, draft: FormDraft, seen: View, me: Me) -> None:
    """Draw the chair's buttons beside the form; nothing for other seats."""
    if seen.seat.role != "chair" or request.gives not in ("framing", "positions", "directive", "screening"):
        return
    label = _("Give none")
    # The record is English; `recorded` translates it.
    reason = NONE_GIVEN
    if _is_proposed(seen):
        label = _("Approve it unchanged")
        reason = APPROVED
    st.button(
        label,
        key=f"{draft.name}:approve",
        icon=":material/check:",
        on_click=_skip,
        args=(state, request, draft, me, reason),
    )
    if may_send_back(state, request):
        fields.area(draft, "back", _("Reason, if you send it back"), max_chars=MAX_TEXT_CHARS, height=70)
        st.button(
            _("Send it back to the moderator"),
            key=f"{draft.name}:redo",
            icon=":material/undo:",
            help=_("The moderator is asked once more in this round and reads your reason."),
            on_click=_send_back,
            args=(state, request, draft, me),
        )


def _is_proposed(seen: View) -> bool:
    match seen.request.gives:
        case "directive":
            return seen.directive is not None
        case "positions":
            return proposed(seen, Positions) is not None
        case "screening":
            return True
        case _:
            return proposed(seen, Framing) is not None


def _skip(state: State, request: Request, draft: FormDraft, me: Me, reason: str) -> None:
    skip = partial(SkipTurn, request=request.id, reason=reason)
    if session.give(state.debate, me, skip, seat=request.seat):
        draft.drop()


def _send_back(state: State, request: Request, draft: FormDraft, me: Me) -> None:
    reason = draft.text("back")
    if not reason:
        session.set_problem(_("say why the directive is sent back: the moderator reads it"))
        return
    turn = partial(TakeTurn, request=request.id, content=Directive(reason=reason, redo=True))
    if session.give(state.debate, me, turn, seat=request.seat):
        draft.drop()
