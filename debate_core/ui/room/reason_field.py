"""Buttons that want a reason: one field for several of them, and what is missing said where the reason is written.

Such a button can be pressed without a reason, and then says so: one that waits for the field to be left needs two
clicks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from debate_core.language import _
from debate_core.record.acts import RoomAct
from debate_core.record.commands import Act, AnyCommand
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me


@dataclass(frozen=True, slots=True)
class Reasoned:
    """The acts under one field. `name` and `label` tell the fields of a page apart; empty where there is only one."""

    state: State
    me: Me
    name: str = ""
    label: str = ""

    def field(self) -> None:
        """The field, and what was missing when a button was pressed last."""
        st.text_input(self.label or _("Reason, for the record"), key=self._field, max_chars=500)
        if missing := st.session_state.pop(f"missing {self._field}", None):
            st.error(missing, icon=":material/error:")

    @property
    def _field(self) -> str:
        return f"reason-{self.name}" if self.name else "reason"

    def say_missing(self, sentence: str) -> None:
        """Say it where the reason is written: below a popover it would be hidden by it."""
        st.session_state[f"missing {self._field}"] = sentence

    def button(
        self, label: str, key: str, command: Callable[..., AnyCommand | None], *, icon: str | None = None
    ) -> None:
        """One command that lacks `by` and `reason` alone: `Stop`.

        What is chosen or typed beside the button, `command` reads itself, as it is called: a browser may send the
        choice and the press together. None = nothing is chosen any more.
        """
        st.button(
            label,
            key=f"{self.name}-{key}" if self.name else key,
            icon=icon,
            on_click=self._press,
            args=(label, command),
        )

    def act(self, label: str, key: str, fact: Callable[..., RoomAct | None], *, icon: str | None = None) -> None:
        """The same for a fact of the room: `partial(SeatTaken, seat=seat)`."""

        def command(by: str, reason: str) -> Act | None:
            done = fact(reason=reason)
            return Act(by=by, act=done) if done else None

        self.button(label, key, command, icon=icon)

    def _press(self, label: str, command: Callable[..., AnyCommand | None]) -> None:
        reason = str(st.session_state.get(self._field, "")).strip()
        if not reason:
            self.say_missing(_("{label}: write a reason first, the record keeps it.", label=label))
            return
        if session.give(self.state.debate, self.me, partial(command, reason=reason)):
            st.session_state[self._field] = ""
