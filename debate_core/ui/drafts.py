"""What a person has typed and not yet sent: kept in the host after every change, put back after a reload.

A reload is a new browser session, so the fields alone would be empty. One draft is one JSON object per debate,
seat and phase, and in a room per person. Knows nothing of what the fields mean. Called by `forms`.
"""

import json
import time
from dataclasses import dataclass

import streamlit as st

from debate_core.state import Request, State
from debate_core.ui import session

SURE_S = 3.0
"""A field that code has filled is filled again when it is drawn within this time: of two drawings that follow each
other closely the browser may get the second alone, and would show an empty field."""
Plain = str | int | None | list[str]


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields of one open request. `name` is where the host keeps them."""

    name: str

    @classmethod
    def of(cls, state: State, request: Request, by: str) -> "Draft":
        """The same draft for every attempt at one turn. In a room whoever gets a seat reads nobody's draft for it."""
        own = f".{by}" if state.spec.room is not None else ""
        return cls(f"{state.debate}/{request.seat}/{request.round}.{request.phase}{own}")

    def field(self, name: str, default: Plain) -> str:
        """The key of a widget, filled from the kept draft if this browser session does not know it yet."""
        key = f"{self.name}:{name}"
        names: set[str] = st.session_state.setdefault(f"{self.name}#", set())
        names.add(name)
        if key not in st.session_state:
            value = self._kept().get(name, default)
            # An empty field shows itself. Filled again, it would take back what somebody has chosen meanwhile.
            if value:
                self._fill(key, value)
            else:
                st.session_state[key] = value
        elif time.monotonic() - st.session_state.get(f"{key}@", 0.0) < SURE_S:
            st.session_state[key] = st.session_state[key]
        return key

    def _fill(self, key: str, value: Plain) -> None:
        st.session_state[key] = value
        st.session_state[f"{key}@"] = time.monotonic()

    def get(self, name: str, default: Plain = None) -> Plain:
        """The value of a field now."""
        value: Plain = st.session_state.get(f"{self.name}:{name}", default)
        return value

    def text(self, name: str) -> str:
        """A field of text, without blanks around it; empty if it was never shown."""
        return str(self.get(name) or "").strip()

    def choices(self, name: str) -> list[str]:
        """A field of several choices."""
        value = self.get(name)
        return [*value] if isinstance(value, list) else []

    def set(self, name: str, value: Plain) -> None:
        """Change a field from a callback, shown or not yet."""
        st.session_state.setdefault(f"{self.name}#", set()).add(name)
        self._fill(f"{self.name}:{name}", value)

    def save(self) -> None:
        """Keep what is typed so far, over what was kept before."""
        shown: set[str] = st.session_state.get(f"{self.name}#", set())
        now = {name: self.get(name) for name in shown if f"{self.name}:{name}" in st.session_state}
        session.host().save_draft(self.name, json.dumps({**self._kept(), **now}))

    def drop(self) -> None:
        """Forget it: the turn was given."""
        session.host().drop_draft(self.name)
        for key in [
            k for k in st.session_state if isinstance(k, str) and k.startswith((f"{self.name}:", f"{self.name}#"))
        ]:
            del st.session_state[key]

    def _kept(self) -> dict[str, Plain]:
        text = session.host().draft(self.name)
        kept: dict[str, Plain] = json.loads(text) if text else {}
        return kept
