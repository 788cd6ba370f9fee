"""What a person has typed and not yet sent: kept in the host after every change, put back after a reload.

A reload is a new browser session, so the fields alone would be empty. One draft is one JSON object per debate,
seat and phase, and in a room per person. Knows nothing of what the fields mean.

News of the room and a hand cross: a page that writes into a field takes back what somebody has chosen there meanwhile.
So a field gets its value once, as it appears; where code fills it again, another field appears in its place.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from debate_core.record.state import Request, State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED
from debate_core.ui.kit.session import Me

Plain = str | int | None | list[str]
WidgetArgs = dict[str, Any]
"""What a widget is called with: its key, what it begins with, and that its change is kept."""


@dataclass(slots=True)
class _Book:
    """What a browser session knows of one draft, beside what its fields hold. Keys are those of widgets."""

    values: dict[str, Plain]
    """What the host keeps, by the name of the field, and what it is to keep."""
    unsaved: dict[str, Plain] = field(default_factory=dict)
    """What it could not be given yet."""
    names: set[str] = field(default_factory=set)
    times_filled: dict[str, int] = field(default_factory=dict)
    first_values: dict[str, Plain] = field(default_factory=dict)
    last_values: dict[str, Plain] = field(default_factory=dict)
    """What stood in a field of this window when it was last looked at."""
    times_dropped: int = 0


@dataclass(frozen=True, slots=True)
class FormDraft:
    """What one person writes in a form. `name` is where the host keeps it."""

    name: str
    debate: str
    me: Me
    unsaved: str = UNSAVED
    """What is said where it cannot be kept."""

    @classmethod
    def of(cls, state: State, request: Request, me: Me) -> "FormDraft":
        """The same draft for every attempt at one turn. In a room whoever gets a seat reads nobody's draft for it."""
        own = f".{me.actor}" if state.spec.has_people else ""
        again = f"-{request.nth}" if request.nth > 1 else ""
        name = f"{state.debate}/{request.seat}/{request.round}.{request.phase}{again}{own}"
        return cls(name, state.debate, me)

    # --- what a widget is called with

    def value(self, name: str, default: str = "") -> WidgetArgs:
        """A field of text."""
        return self._begins(name, default, "value", lambda value: value)

    def number(self, name: str, least: int, most: int, default: int | None = None) -> WidgetArgs:
        """A number or a slider, with its bounds; what was kept and lies outside of them is left out."""

        def fits(value: Plain) -> Plain:
            is_within = isinstance(value, int) and least <= value <= most
            return value if value is None or is_within else default

        return self._begins(name, default, "value", fits) | {"min_value": least, "max_value": most}

    def step_of(self, name: str, options: Sequence[str]) -> WidgetArgs:
        """A slider over words; it begins with the first."""
        return self._begins(name, options[0], "value", lambda v: v if v in options else options[0])

    def tick(self, name: str, *, default: bool = False) -> WidgetArgs:
        """A checkbox."""
        return self._begins(name, int(default), "value", bool)

    def one_of(self, name: str, options: Sequence[str], default: str | None = None) -> WidgetArgs:
        """A list or radio buttons; nothing is chosen where what was kept is no option any more."""
        return self._begins(name, default, "index", lambda v: options.index(v) if v in options else None)

    def pill_of(self, name: str, options: Sequence[str], default: str | None = None) -> WidgetArgs:
        """Pills or segments of which one is chosen."""
        return self._begins(name, default, "default", lambda v: v if v in options else None)

    def some_of(self, name: str, options: Sequence[str], default: Sequence[str] = ()) -> WidgetArgs:
        """A choice of several."""
        return self._begins(name, [*default], "default", lambda value: [v for v in _listed(value) if v in options])

    def typed_of(self, name: str, options: Sequence[str]) -> WidgetArgs:
        """A choice of several to which others may be typed, with its options: Streamlit refuses a field that begins
        with anything else."""
        args = self._begins(name, [], "default", _listed)
        typed = args.get("default", ())
        return args | {"options": [*dict.fromkeys((*options, *typed))]}

    def _begins(self, name: str, default: Plain, as_what: str, fits: Callable[[Plain], Any]) -> WidgetArgs:
        book = self._book()
        key = self.key(name)
        book.names.add(name)
        args: WidgetArgs = {"key": key, "on_change": self.save}
        if key not in st.session_state:
            book.last_values.pop(key, None)
            book.first_values[key] = book.values.get(name, default)
        return {**args, as_what: fits(book.first_values.get(key, default))}

    def key(self, name: str) -> str:
        """The key of the widget of this field as it stands now."""
        filled = self._book().times_filled.get(name, 0)
        first_key = f"{self.name}:{name}"
        return f"{first_key}~{filled}" if filled else first_key

    def place(self, name: str) -> str:
        """The key of a box around fields: what has none is another box for the browser as soon as it moves, and what
        somebody types in it just then is lost."""
        return f"{self.name}:{name}:box"

    def part(self, name: str) -> str:
        """The key of a drawn part that tells by itself what is given in it. After `drop` it is another part: a browser
        goes on telling what stands in the one before, which is given by then and belongs into no draft."""
        return f"{self.name}:{name}:part{self._book().times_dropped}"

    # --- what stands in a field

    def get(self, name: str, default: Plain = None) -> Plain:
        """The value of a field now."""
        value: Plain = st.session_state.get(self.key(name), self._book().values.get(name, default))
        return value

    def text(self, name: str) -> str:
        """A field of text, without blanks around it; empty if it was never shown."""
        return str(self.get(name) or "").strip()

    def choices(self, name: str) -> list[str]:
        """A field of several choices."""
        return _listed(self.get(name))

    # --- changes by code, from callbacks, and keeping

    def fill(self, values: Mapping[str, Plain]) -> None:
        """Put values into fields, shown or not yet; those that change appear anew."""
        book = self._book()
        for name, value in values.items():
            key = self.key(name)
            if key in st.session_state and st.session_state[key] != value:
                book.times_filled[name] = book.times_filled.get(name, 0) + 1
        self._keep(values)

    def save(self) -> None:
        """Keep what is typed so far, over what was kept before."""
        book = self._book()
        changes: dict[str, Plain] = {}
        for name in book.names:
            key = self.key(name)
            before = book.last_values.get(key, book.first_values.get(key))
            # What nobody has touched here may have been written in another window meanwhile.
            if key in st.session_state and st.session_state[key] != before:
                changes[name] = st.session_state[key]
                book.last_values[key] = changes[name]
        self._keep(changes)

    def drop(self) -> None:
        """Forget it: the turn was given."""
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
        session.keep(self.debate, self.me, self._write, unsaved=self.unsaved)

    def _write(self) -> None:
        book = self._book()
        # Another window of the same person may have kept more.
        book.values = {**_read(session.host().drafts.text(self.name)), **book.unsaved}
        session.host().drafts.save(self.name, json.dumps(book.values))
        book.unsaved.clear()

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
