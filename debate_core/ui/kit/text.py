"""Parts that several screens share: safe text, badges, figures that are drawn once per version and theme.

`show_text` is the one door for words of seats, documents and people on their way to the screen. Knows no rules.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.host.debate_list import DebateRow
from debate_core.record.state import State
from debate_core.spec.panels import diversity
from debate_core.spec.values import in_words
from debate_core.text import plain

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$^=&:\"'])")
_LINKS = re.compile(r"(?<=:)(?=[A-Za-z/+])|(?<=@)(?=\w)|(?<=www)(?=\.)", re.IGNORECASE)
_BREAK = "\u200b"
_IN_LABEL = re.compile(r"[\\`*\[\]<$~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])")
_CODES = re.compile(r"(?<=:)(?=[^\s\u200b])")
_LABEL_START = re.compile(r"^(?=[#>+=-]|\d+[.)])")


def show_text(text: str) -> str:
    """Text as Markdown that shows exactly this text: no formula, HTML, link, image, emoji code or heading.

    Zero-width breaks keep addresses from turning into links, which escapes alone do not prevent.
    """
    safe = _MARKDOWN.sub(r"\\\1", _LINKS.sub(_BREAK, plain(text)))
    lines = (re.sub(r"^[ \t]+|^(?=\d+\\[.)])", _BREAK, line) for line in safe.split("\n"))
    return "  \n".join(lines).replace("  \n  \n", "\n\n")


def show_line(text: str, *, max_chars: int = 0) -> str:
    """The same on one line, for captions and table-like rows; 0 = whole."""
    return show_text(_flat(text, max_chars))


def show_label(text: str, *, max_chars: int = 0) -> str:
    """The same for the label of a field, which screen readers get as it is written: no escape that is not needed."""
    flat = _LINKS.sub(_BREAK, plain(_flat(text, max_chars)))
    return _LABEL_START.sub(_BREAK, _CODES.sub(_BREAK, _IN_LABEL.sub(r"\\\g<0>", flat)))


def _flat(text: str, max_chars: int) -> str:
    flat = " ".join(text.split())
    return flat if not max_chars or len(flat) <= max_chars else flat[: max_chars - 1].rstrip() + "…"


def show_id(name: str) -> str:
    """The id of a seat or the name of a phase, in words."""
    return show_line(in_words(name))


TITLE_CHARS = 140


def question_title(question: str) -> None:
    """The question as the title of a page. A long one only begins there: what is to be done must not lie below it."""
    st.title(show_line(question, max_chars=TITLE_CHARS), anchor=False)
    if len(" ".join(question.split())) > TITLE_CHARS:
        with st.expander("The whole question"):
            st.markdown(show_text(question))


_STATUS: dict[str, tuple[str, Colour, str]] = {
    "running": ("Running", "green", ":material/play_circle:"),
    "waiting": ("Waiting for people", "orange", ":material/hourglass_top:"),
    "paused": ("Paused", "yellow", ":material/pause_circle:"),
    "lobby": ("Lobby open", "orange", ":material/meeting_room:"),
    "prevote": ("Vote before the start", "orange", ":material/how_to_vote:"),
    "held": ("Waiting for the facilitator", "orange", ":material/hourglass_top:"),
    "vote": ("The vote decides", "orange", ":material/how_to_vote:"),
    "decided": ("Decided", "blue", ":material/check_circle:"),
    "undecided": ("Undecided", "violet", ":material/balance:"),
    "truncated": ("Cut short", "red", ":material/content_cut:"),
    "over": ("Over", "gray", ":material/flag:"),
    "aborted": ("Stopped", "red", ":material/stop_circle:"),
}


def status_badge(status: str) -> None:
    """The status with its colour, icon and word."""
    words, colour, icon = _STATUS[status]
    st.badge(words, color=colour, icon=icon)


def rehearsal_badge() -> None:
    """Says that scripted seats speak."""
    st.badge("Rehearsal", color="gray", icon=":material/theater_comedy:")


def seat_badges(state: State) -> None:
    """Says which kinds of seats are no model and no person, and that models of one family debate."""
    if state.spec.rehearsal:
        rehearsal_badge()
    if state.spec.evidence_panel():
        st.badge("Evidence panel: no model", color="gray", icon=":material/menu_book:")
    if diversity(state.spec).single_family:
        single_family_badge()


def single_family_badge() -> None:
    """Says that the models that debate may share their errors."""
    st.badge("Single family: shared-bias risk", color="orange", icon=":material/group_work:")


def status_of(state: State) -> str:
    """How the debate stands: its outcome, else running, waiting for people or the facilitator, or paused."""
    if state.outcome:
        final = stage.final_decision(state)
        # What the debaters decided is advice where people vote on it.
        if final.by != "debaters" and state.outcome.status in ("decided", "undecided"):
            return "vote" if final.pending else "decided" if final.option else "undecided"
        return state.outcome.status
    if stage.held(state):
        return stage.why_held(state)
    return flow(state)


def flow(state: State) -> Literal["running", "waiting", "paused"]:
    """Whether a debate that is not over goes on by itself, waits for people only, or is paused."""
    if state.paused is not None:
        return "paused"
    people = all(stage.by_people(state, r.seat) for r in requests(state))
    return "waiting" if people else "running"


def waiting_words(row: DebateRow) -> str:
    """Who is waited for, or an empty text."""
    return f"waiting for {', '.join(map(in_words, row.waiting_for))}" if row.waiting_for else ""


def by_version(state: State) -> tuple[str, int]:
    """What tells two states apart for whatever is kept in memory."""
    return state.debate, state.version


@dataclass(frozen=True, slots=True)
class _Version:
    """A state as a key. The ballots are part of it: while seats answer at once they are shown as counted before."""

    debate: str
    version: int
    ballots: int
    state: State = field(compare=False)


def _key(state: State) -> _Version:
    return _Version(state.debate, state.version, id(state.ballots), state)


_drawing = Lock()


# Not Streamlit's own cache: finding a figure there costs as much as drawing the rest of the count.
@lru_cache(maxsize=64)
def _drawn(draw: Callable[[State, str], go.Figure], of: _Version, theme: str) -> go.Figure:
    return draw(of.state, theme)


@lru_cache(maxsize=256)
def _told(tell: Callable[[State], str], of: _Version) -> str:
    return tell(of.state)


def figure(draw: Callable[[State, str], go.Figure], state: State, theme: str) -> go.Figure:
    """A figure drawn once per version and theme: drawing costs more than the rest of the page."""
    # One at a time: of a hundred who want the same one at once, all but the first find it drawn.
    with _drawing:
        return _drawn(draw, _key(state), theme)


def told(tell: Callable[[State], str], state: State) -> str:
    """A sentence that is counted anew only for a new version: a hundred people look at the same one."""
    return _told(tell, _key(state))


def theme() -> Literal["light", "dark"]:
    """The theme this browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"
