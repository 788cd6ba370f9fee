"""The clock of a phase, which runs and warns in the browser without further requests.

Knows no rules: `engine.stage.deadline` gives the end of the phase. The clock ends nothing.
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
  // The clock of a phone may be wrong: count down the time left that the server sent.
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
    """Draw the time left in the current phase, or the overtime, if the debate has a clock."""
    ends = deadline(state)
    is_stopped = state.paused is not None and preparation.running(state) is None
    if ends is None or is_stopped or state.outcome is not None:
        return
    left_ms = round((ends - datetime.now(UTC)).total_seconds() * 1000)
    words = {"over": _("over time"), "little": _("left: little time"), "enough": _("left"), "minutes": _("minutes")}
    _component()(key=f"clock-{key}", data={"left_ms": left_ms, "warn_s": WARN_S, "words": words})
