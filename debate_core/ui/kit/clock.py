"""The clock of a phase: it ticks in the browser and warns there, without asking the server again.

Knows no rules: `engine.stage.deadline` says when the time is over, and nothing happens by itself then.
"""

from datetime import UTC, datetime
from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.engine import preparation
from debate_core.engine.stage import deadline
from debate_core.language import _
from debate_core.record.state import State

WARN_S = 60
_HTML = '<div class="clock" role="timer"><span class="left"></span> <span class="words"></span></div>'
_CSS = """
.clock { font-family: var(--st-font); color: var(--st-text-color); white-space: nowrap; padding: 0.15rem 0; }
.left { font-weight: 600; font-variant-numeric: tabular-nums; }
.words { font-size: 0.87em; }
.clock[data-state="little"] .left { color: var(--st-orange-text-color); }
.clock[data-state="over"] .left { color: var(--st-red-text-color); }
"""
_JS = """
const TICKS = new WeakMap()

export default function (component) {
  const { data, parentElement } = component
  clearInterval(TICKS.get(parentElement))
  const clock = parentElement.querySelector(".clock")
  // The clock of a phone may be wrong: what counts is how much was left when the server said so.
  const ends = performance.now() + data.left_ms
  let spoken = ""
  function tick() {
    const left = Math.round((ends - performance.now()) / 1000)
    const seconds = Math.abs(left)
    const minutes = Math.floor(seconds / 60)
    clock.querySelector(".left").textContent = `${minutes}:${String(seconds % 60).padStart(2, "0")}`
    const state = left < 0 ? "over" : left <= data.warn_s ? "little" : "enough"
    const words = data.words
    clock.querySelector(".words").textContent = words[state]
    clock.dataset.state = state
    if (state !== spoken) clock.setAttribute("aria-label", `${minutes} ${words.minutes} ${words[state]}`)
    spoken = state
  }
  tick()
  const ticking = setInterval(tick, 500)
  TICKS.set(parentElement, ticking)
  return () => clearInterval(ticking)
}
"""


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("phase_clock", html=_HTML, css=_CSS, js=_JS)


def show(state: State, key: str) -> None:
    """How much time is left of the phase that runs, or how much it is over; nothing where no clock was agreed."""
    ends = deadline(state)
    stands_still = state.paused is not None and preparation.running(state) is None
    if ends is None or stands_still or state.outcome is not None:
        return
    left_ms = round((ends - datetime.now(UTC)).total_seconds() * 1000)
    _component()(key=f"clock-{key}", data={"left_ms": left_ms, "warn_s": WARN_S, "words": _words()})


def _words() -> dict[str, str]:
    return {
        "over": _("over time"),
        "little": _("left: little time"),
        "enough": _("left"),
        "minutes": _("minutes"),
    }
