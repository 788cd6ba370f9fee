"""Components whose script and styles a browser fetches once, by an address with their digest in it, and keeps.

Streamlit sends what it is given with every single drawing. So it is given two lines that fetch the rest from
`debate_core.ui.server`, which serves `FILES`.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.language import _, message

ROOT = "/drawn/"
FILES: dict[str, str] = {}
"""Script by address: that of every component that this process has drawn."""
# One sheet for all drawings of a kind. It is there with the script, so that nothing is seen undressed.
_WEAR = message(
    "\nconst SHEET = new CSSStyleSheet()\nSHEET.replaceSync(STYLES)\nfunction wear(parent) {\n  const "
    "tree = (parent.firstElementChild ?? parent).getRootNode()\n  if "
    "(!tree.adoptedStyleSheets.includes(SHEET)) tree.adoptedStyleSheets.push(SHEET)\n}\nexport default "
    "function (component) {\n  wear(component.parentElement)\n  return draw(component)\n}\n"
)


def component(name: str, *, html: str, scripts: Sequence[Path], styles: Sequence[Path]) -> ComponentRenderer:
    """The component that `export default function` of the first script draws; the other scripts are its helpers."""
    drawn = "\n".join(path.read_text("utf-8") for path in scripts).replace("export default function", "function draw")
    dress = "\n".join(path.read_text("utf-8") for path in styles)
    script = f"{drawn}\nconst STYLES = {json.dumps(dress)}\n{_(_WEAR)}"
    address = f"{ROOT}{name}-{hashlib.sha256(script.encode()).hexdigest()[:16]}.js"
    FILES[address] = script
    fetch = f'const found = await import(new URL("{address}", location.origin).href)\nexport default found.default\n'
    return st.components.v2.component(name, html=html, js=fetch)
