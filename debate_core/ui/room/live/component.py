"""The live transcript: a component whose script follows one debate through the socket, without reruns.

`transcript` makes its data and `socket` sends them; this module only mounts it.
"""

import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.record.state import State
from debate_core.ui.kit import fetched
from debate_core.ui.room.live import transcript, visibility

_HERE = Path(__file__).parent
_HTML = """
<div class="frame">
  <div class="notice" role="note" hidden></div>
  <div class="lost" role="alert" hidden></div>
  <button class="unfold" type="button" aria-expanded="false" hidden></button>
  <div class="log" role="log" aria-live="off" aria-label="Transcript" tabindex="0">
    <div class="empty" hidden></div>
  </div>
  <div class="closing" hidden></div>
  <button class="jump" type="button" hidden></button>
  <div class="said" role="status"></div>
</div>
"""


# Not a fragment with a timer: inside the fragment of the room, a crossing of both leaves a blank page.
_POLLED_JS = """
const LINES = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  document.removeEventListener("debate-polled", LINES.get(parentElement))
  const line = parentElement.querySelector(".polled")
  const ring = parentElement.querySelector(".ring")
  const show = () => {
    const news = globalThis.debatePolled
    const words = (news?.debate === data.debate && news.words) || data.polled
    // `room: 9 of 12 ballots in`, in any language; of several groups each has its words and none a ring.
    const figures = [...words.matchAll(/(\\d+) \\p{L}+ (\\d+)/gu)]
    const drawn = data.ring && figures.length === 1 && Number(figures[0][2])
    line.textContent = words
    if (data.reruns && words !== data.polled) setStateValue("words", words)
    ring.hidden = !drawn
    if (!drawn) return
    ring.firstChild.textContent = figures[0][0]
    ring.style.setProperty("--in", `${(100 * figures[0][1]) / figures[0][2]}%`)
  }
  show()
  LINES.set(parentElement, show)
  document.addEventListener("debate-polled", show)
  return () => document.removeEventListener("debate-polled", show)
}
"""


_POLLED_CSS = """
.polled { font-family: var(--st-font); color: var(--st-text-color); }
.ring { display: grid; place-items: center; width: 120px; height: 120px; margin: 4px auto 12px; border-radius: 50%;
  background: radial-gradient(closest-side, var(--st-background-color) 84%, transparent 85%),
    conic-gradient(var(--st-text-color) var(--in), var(--st-border-color) 0); }
.ring[hidden] { display: none; }
.ring b { font: 680 24px var(--st-font); color: var(--st-text-color); }
.ring:not([hidden]) + .polled { text-align: center; }
"""


@cache
def _polled_component() -> ComponentRenderer:
    html = '<div class="ring" aria-hidden="true" hidden><b></b></div><div class="polled"></div>'
    return st.components.v2.component("debate_polled", html=html, css=_POLLED_CSS, js=_POLLED_JS)


@cache
def _component() -> ComponentRenderer:
    return fetched.component("debate_transcript", html=_HTML, scripts=[_HERE / "live.js"], styles=[_HERE / "live.css"])


Reruns = Literal["at_once", "in_turn", "for_forms"]
"""When a page reruns: at once after each change of a phase, turn or status; so that many viewers follow one after
another; or only when something changes that is no shared part of the panel, such as a form."""


Fold = Literal["", "waits", "vote", "all"]
"""What is out of sight until a reader unfolds it: on phones all but the latest turn, with `all` every turn everywhere;
with `waits` the whole transcript until something is said. With `vote` the line at the end is away, because the status
says the same."""


def live_transcript(
    state: State,
    seats: Sequence[str],
    *,
    reruns: Reruns,
    narrow: bool,
    fold: Fold = "",
    person: str = "",
    link: str = "",
    here: Sequence[str] = (),
) -> None:
    """Show the transcript of a debate for the viewer of this id who holds these seats.

    Reruns its fragment as `reruns` says, when the viewer votes in another window, when this window becomes narrow, and
    when others are `here` now, if that is given: people on the list leave no event when they come.
    With the token of a `link`, the browser first fetches its cookie.
    """
    data = {
        "debate": state.debate,
        "seats": list(seats),
        "news": transcript.form_news(state) if reruns == "for_forms" else transcript.news(state),
        "own_news": visibility.own_news(state, person),
        "link": link,
        "reruns": reruns,
        "narrow": narrow,
        "fold": fold,
        "here": list(here),
        "now": round(time.time() * 1000),
    }
    _component()(key=_key(state.debate), data=data, on_news_change=_rerun, on_narrow_change=_rerun)


def polled(state: State, *, ring: bool = False, key: str = "", reruns: bool = False) -> None:
    """Draw the number of ballots in the open poll or of people who have looked at the passages, also as a ring.

    Follows the transcript on the same page. Two of them on a page need different keys.

    `reruns`: redraw the page when the figure changes. Otherwise a ballot reruns nothing.
    """
    data = {"debate": state.debate, "polled": transcript.polled(state), "ring": ring, "reruns": reruns}
    _polled_component()(key=f"polled-{state.debate}{key}", data=data, on_words_change=_rerun)


def _rerun() -> None:
    """Do nothing: that the component has sent a value reruns the fragment."""


def is_narrow(debate_id: str) -> bool:
    """True if this browser has the width of a phone; a guess by its name until it has reported its width.

    A wrong guess moves the ballot to another place while it is read, and a tap on it may be lost.
    """
    reported = (st.session_state.get(_key(debate_id)) or {}).get("narrow")
    return _is_phone() if reported is None else bool(reported)


def _is_phone() -> bool:
    """True if the browser calls itself mobile, as those of phones do."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def _key(debate_id: str) -> str:
    return f"transcript-{debate_id}"
