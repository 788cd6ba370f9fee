"""The buttons of the room: for an act or a command, with a question if people are missing, or with a reason.

Knows no rules: the engine refuses what is not allowed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from debate_core.language import _
from debate_core.record.acts import RoomAct
from debate_core.record.commands import Act, AnyCommand
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room.live.component import polled

_ASKS = "asks_first"


def act_button(state: State, me: Me, label: str, act: RoomAct, *, key: str, **button: Any) -> None:
    """Draw a button for one act of this person; `button`: as `st.button` takes it."""
    st.button(label, key=key, on_click=session.act_on_click, args=(state, me, act), **button)


def command_button(
    state: State, me: Me, label: str, command: Callable[..., AnyCommand], *, key: str, **button: Any
) -> None:
    """Draw a button for a command that lacks only `by`, such as `Resume`."""
    st.button(label, key=key, on_click=session.send_on_click, args=(state.debate, me, command), **button)


def _forget_question() -> None:
    st.session_state.pop(_ASKS, None)


def confirm_button(
    state: State,
    label: str,
    *,
    key: str,
    missing: Callable[[], str],
    anyway: str,
    press: Callable[[], object],
    shortcut: str | None = None,
    is_first: bool = True,
    waits: bool = False,
    about: str = "",
) -> None:
    """Draw a button, primary if it `is_first` and nothing `waits`, that asks for confirmation while people are missing.

    `missing` names them in one sentence, empty for none; `anyway` labels the confirmation. The question stays while the
    label stays, or `about` if the label contains a number, and is redrawn as ballots and marks come in.
    """
    question = f"{key} {about or label}"

    def press_now() -> None:
        _forget_question()
        press()

    def press_or_ask() -> None:
        # Asked at the press, because the page is not redrawn for each ballot.
        if missing():
            st.session_state[_ASKS] = question
        else:
            press_now()

    if st.session_state.get(_ASKS) == question and (sentence := missing()):
        with st.container(key=f"{key}-asks"):
            st.warning(f"**{safe_text(sentence)}** {safe_text(anyway)}?", icon=":material/group:")
            polled(state, key=f"{key}-asks", reruns=True)
            with st.container(horizontal=True, gap="small"):
                st.button(anyway, key=f"{key}-anyway", type="primary", on_click=press_now)
                st.button(_("Wait"), key=f"{key}-wait", on_click=_forget_question)
        return
    is_filled = is_first and not waits
    st.button(
        label,
        key=key,
        type="primary" if is_filled else "secondary",
        icon=":material/arrow_forward:" if is_first else None,
        shortcut=shortcut,
        on_click=press_or_ask,
    )


@dataclass(frozen=True, slots=True)
class Reasoned:
    """One field for a reason, and buttons that need it; `name` and `label` distinguish the fields of a page.

    A button without a reason can be pressed and shows an error: disabled until the field is left, it would need two
    clicks.
    """

    state: State
    me: Me
    name: str = ""
    label: str = ""

    def field(self) -> None:
        """Draw the field, and the error of the last press without a reason."""
        st.text_input(self.label or _("Reason, for the record"), key=self._field, max_chars=500)
        if missing := st.session_state.pop(f"missing {self._field}", None):
            st.error(missing, icon=":material/error:")

    @property
    def _field(self) -> str:
        return f"reason-{self.name}" if self.name else "reason"

    def show_missing(self, sentence: str) -> None:
        """Show an error at the field: below a popover, the popover would hide it."""
        st.session_state[f"missing {self._field}"] = sentence

    def button(
        self, label: str, key: str, command: Callable[..., AnyCommand | None], *, icon: str | None = None
    ) -> None:
        """Draw the button of a command that lacks only `by` and `reason`, such as `Stop`.

        `command` itself reads other fields when it is called: a browser may send a choice and the press together. It
        returns None if nothing is chosen.
        """

        def press() -> None:
            reason = str(st.session_state.get(self._field, "")).strip()
            if not reason:
                self.show_missing(_("{label}: write a reason first, the record keeps it.", label=label))
            elif session.give(self.state.debate, self.me, partial(command, reason=reason)):
                st.session_state[self._field] = ""

        st.button(label, key=f"{self.name}-{key}" if self.name else key, icon=icon, on_click=press)

    def act(self, label: str, key: str, fact: Callable[..., RoomAct | None], *, icon: str | None = None) -> None:
        """Draw the button of an act that lacks only `reason`, such as `partial(SeatTaken, seat=seat)`."""

        def command(by: str, reason: str) -> Act | None:
            done = fact(reason=reason)
            return Act(by=by, act=done) if done else None

        self.button(label, key, command, icon=icon)
