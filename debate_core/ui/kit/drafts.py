"""Drafts of forms: unsent input, saved on the server after every change and restored after a reload.

A reload starts a new browser session with empty fields. A draft is one JSON object for each debate, seat and phase, and
in a room for each person. This module does not know what the fields mean.

A redraw and an input can cross: a page that writes into a field would undo a choice made meanwhile. So a field gets its
value only once, when it appears. If code fills it again, a new field replaces it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import streamlit as st

from debate_core.record.state import Request, State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED
from debate_core.ui.kit.session import Me

Plain = str | int | None | list[str]
WidgetArgs = dict[str, Any]
"""Arguments of a widget: its key, its first value, and a callback that saves changes."""


@dataclass(slots=True)
class _Book:
    """The state of a draft in a browser session, beside its widgets. Keys are those of widgets."""

    values: dict[str, Plain]
    """Saved and unsaved values, by the name of the field."""
    unsaved: dict[str, Plain] = field(default_factory=dict)
    """Values that are not saved on the server yet."""
    names: set[str] = field(default_factory=set)
    times_filled: dict[str, int] = field(default_factory=dict)
    first_values: dict[str, Plain] = field(default_factory=dict)
    last_values: dict[str, Plain] = field(default_factory=dict)
    """Values of the widgets in this window at the last save."""
    times_dropped: int = 0


@dataclass(frozen=True, slots=True)
class FormDraft:
    """The input of one person in a form. `name` is its key on the server."""

    name: str
    debate: str
    me: Me
    unsaved: str = UNSAVED
    """Error message if it cannot be saved."""
    starts: Mapping[str, Plain] = field(default_factory=dict, hash=False)
    """Values of fields before any input, such as those of a ballot that is being changed."""

    @classmethod
    def of(cls, state: State, request: Request, me: Me) -> "FormDraft":
        """Return the draft of a turn, the same for all attempts. In a room, everyone has a separate draft."""
        own = f".{me.actor}" if state.spec.has_people else ""
        again = f"-{request.nth}" if request.nth > 1 else ""
        name = f"{state.debate}/{request.seat}/{request.round}.{request.phase}{again}{own}"
        return cls(name, state.debate, me)

    def value(self, name: str, default: str = "") -> WidgetArgs:
        """Return the arguments of a text field."""
        return self._args(name, default, "value", lambda value: value)

    def day(self, name: str, default: str = "") -> WidgetArgs:
        """Return the arguments of a date field, which is saved as `2027-03-01`."""
        return self._args(name, default, "value", lambda value: value or None)

    def number(self, name: str, least: int, most: int, default: int | None = None) -> WidgetArgs:
        """Return the arguments of a number field or slider; a saved value outside the bounds is ignored."""

        def fits(value: Plain) -> Plain:
            is_within = isinstance(value, int) and least <= value <= most
            return value if value is None or is_within else default

        return self._args(name, default, "value", fits) | {"min_value": least, "max_value": most}

    def step_of(self, name: str, options: Sequence[str]) -> WidgetArgs:
        """Return the arguments of a slider over words; the first is the default."""
        return self._args(name, options[0], "value", lambda v: v if v in options else options[0])

    def tick(self, name: str, *, default: bool = False) -> WidgetArgs:
        """Return the arguments of a checkbox."""
        return self._args(name, int(default), "value", bool)

    def one_of(self, name: str, options: Sequence[str], default: str | None = None) -> WidgetArgs:
        """Return the arguments of a list or radio buttons; a saved value that is no option is ignored."""
        return self._args(name, default, "index", lambda v: options.index(v) if v in options else None)

    def pill_of(self, name: str, options: Sequence[str], default: str | None = None) -> WidgetArgs:
        """Return the arguments of pills or segments with a single choice."""
        return self._args(name, default, "default", lambda v: v if v in options else None)

    def some_of(self, name: str, options: Sequence[str], default: Sequence[str] = ()) -> WidgetArgs:
        """Return the arguments of a multiple choice."""
        return self._args(name, [*default], "default", lambda value: [v for v in _listed(value) if v in options])

    def typed_of(self, name: str, options: Sequence[str]) -> WidgetArgs:
        """Return the arguments of a multiple choice that accepts new options, which Streamlit needs in `options`."""
        args = self._args(name, [], "default", _listed)
        typed = args.get("default", ())
        return args | {"options": [*dict.fromkeys((*options, *typed))]}

    def _args(self, name: str, default: Plain, as_what: str, fits: Callable[[Plain], Any]) -> WidgetArgs:
        book = self._book()
        key = self.key(name)
        book.names.add(name)
        args: WidgetArgs = {"key": key, "on_change": self.save}
        if key not in st.session_state:
            book.last_values.pop(key, None)
            book.first_values[key] = book.values.get(name, self.starts.get(name, default))
        return {**args, as_what: fits(book.first_values.get(key, default))}

    def key(self, name: str) -> str:
        """Return the current widget key of a field."""
        filled = self._book().times_filled.get(name, 0)
        first_key = f"{self.name}:{name}"
        return f"{first_key}~{filled}" if filled else first_key

    def place(self, name: str) -> str:
        """Return the key of a box around fields. A browser replaces a box without a key as soon as it moves, and text
        being typed in it is lost."""
        return f"{self.name}:{name}:box"

    def part(self, name: str) -> str:
        """Return the key of a component with its own input. It changes after `drop`, because a browser keeps reporting
        the input of the old component, which was already submitted."""
        return f"{self.name}:{name}:part{self._book().times_dropped}"

    def get(self, name: str, default: Plain = None) -> Plain:
        """Return the current value of a field."""
        value: Plain = st.session_state.get(
            self.key(name), self._book().values.get(name, self.starts.get(name, default))
        )
        return value

    def text(self, name: str) -> str:
        """Return the stripped text of a field; empty if it was never shown."""
        return str(self.get(name) or "").strip()

    def choices(self, name: str) -> list[str]:
        """Return the choices of a field."""
        return _listed(self.get(name))

    def fill(self, values: Mapping[str, Plain]) -> None:
        """Set fields from a callback; visible fields that change are replaced by new ones."""
        book = self._book()
        for name, value in values.items():
            key = self.key(name)
            if key in st.session_state and st.session_state[key] != value:
                book.times_filled[name] = book.times_filled.get(name, 0) + 1
        self._keep(values)

    def save(self) -> None:
        """Save the fields that changed in this window."""
        book = self._book()
        changes: dict[str, Plain] = {}
        for name in book.names:
            key = self.key(name)
            before = book.last_values.get(key, book.first_values.get(key))
            # A field without changes here may have been changed in another window.
            if key in st.session_state and (now := _plain(st.session_state[key])) != before:
                changes[name] = book.last_values[key] = now
        self._keep(changes)

    def catch_up(self, names: Iterable[str]) -> bool:
        """Take over what another window has saved; True if one of these fields has another value there."""
        book = self._book()
        before = book.values
        book.values = {**before, **_read(session.kept(self.name)), **book.unsaved}
        return any(book.values.get(name) != before.get(name) for name in names)

    def drop(self) -> None:
        """Delete the draft after the turn was given."""
        session.forget(self.name)
        book = self._book()
        times_filled = book.times_filled | {name: book.times_filled.get(name, 0) + 1 for name in book.names}
        for key in [k for k in st.session_state if isinstance(k, str) and k.startswith(f"{self.name}:")]:
            del st.session_state[key]
        st.session_state[f"{self.name}#"] = _Book({}, times_filled=times_filled, times_dropped=book.times_dropped + 1)

    def _keep(self, values: Mapping[str, Plain]) -> None:
        book = self._book()
        book.unsaved |= values
        book.values |= values

        def save_merged() -> None:
            # Another window of the same person may have saved other fields.
            book.values = {**_read(session.host().drafts.text(self.name)), **book.unsaved}
            session.host().drafts.save(self.name, json.dumps(book.values))
            book.unsaved.clear()

        session.keep(self.debate, self.me, save_merged, unsaved=self.unsaved)

    def _book(self) -> _Book:
        at = f"{self.name}#"
        if at not in st.session_state:
            st.session_state[at] = _Book(_read(session.kept(self.name)))
        book: _Book = st.session_state[at]
        return book


def _read(text: str | None) -> dict[str, Plain]:
    values: dict[str, Plain] = json.loads(text) if text else {}
    return values


def _listed(value: Plain) -> list[str]:
    return [*value] if isinstance(value, list) else []


def _plain(value: Any) -> Plain:
    found: Plain = value.isoformat() if isinstance(value, date) else value
    return found
