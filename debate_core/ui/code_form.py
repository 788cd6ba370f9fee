"""The field for the code on the screen: a form of the browser itself, which goes to the route that lets people in.

Knows no debate. Called by the home page and by the lobby for strangers.
"""

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = """
<form action="/join" method="get">
  <label for="code">Join a debate: code</label>
  <input id="code" name="code" maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false"
         placeholder="ABC123" required>
  <button>Join</button>
</form>
"""
_CSS = """
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; font-family: var(--st-font);
  color: var(--st-text-color); }
input, button { font: inherit; padding: 0.4rem 0.75rem; border-radius: var(--st-button-radius);
  border: 1px solid var(--st-border-color); min-height: 2.5rem;
  box-sizing: border-box; }
input { width: 8.5rem; letter-spacing: 0.1em; text-transform: uppercase; color: var(--st-text-color);
  background: var(--st-secondary-background-color); }
button { cursor: pointer; color: var(--st-text-color); background: var(--st-background-color); }
button:hover { border-color: var(--st-primary-color); }
input:focus-visible, button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
"""


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("join_by_code", html=_HTML, css=_CSS)


def show(where: str) -> None:
    """The field and its button; `where` tells two of them apart."""
    _component()(key=f"join-{where}")
