"""Components whose script and styles a browser fetches once, under an address with their hash, and caches.

Streamlit sends the script of a component with every drawing. So it gets two lines, which fetch the rest from
`debate_core.ui.server`; that package serves `FILES`.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.component_registry import BidiComponentDefinition
from streamlit.components.v2.types import ComponentRenderer
from streamlit.elements.lib.layout_utils import LayoutConfig
from streamlit.elements.lib.utils import compute_and_register_element_id
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.runtime import Runtime

from debate_core.language import LANGUAGES, _, current, spoken
from debate_core.text import without_direction

ROOT = "/drawn/"
FILES: dict[str, str] = {}
"""The script of every component used in this process, by address."""
# One style sheet for all instances of a component. It loads with the script, so nothing appears unstyled.
_WEAR = """
const SHEET = new CSSStyleSheet()
SHEET.replaceSync(STYLES)
function wear(parent) {
  const tree = (parent.firstElementChild ?? parent).getRootNode()
  if (!tree.adoptedStyleSheets.includes(SHEET)) tree.adoptedStyleSheets.push(SHEET)
}
let said = {}
let figures = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 6 })
function message(text) {
  return text
}
function formatNumber(value) {
  return typeof value === "number" ? figures.format(value) : String(value)
}
function _(text, values = {}) {
  return (said[text] ?? text).replace(/\\{(\\w+)\\}/g, (place, name) => formatNumber(values[name] ?? place))
}
export default function (component) {
  const { language } = component.data ?? {}
  said = WORDS[language] ?? {}
  figures = new Intl.NumberFormat(language ?? "en", { useGrouping: false, maximumFractionDigits: 6 })
  if (language) document.documentElement.lang = language
  wear(component.parentElement)
  return draw(component)
}
"""
_SAID = re.compile(r'\b(?:_|message)\(("(?:[^"\\]|\\.)*")')
"""`_("Claims")` in a script."""


def sentences(script: str) -> tuple[str, ...]:
    """Return the translatable sentences of a script, in English."""
    return tuple(dict.fromkeys(map(json.loads, _SAID.findall(script))))


def component(name: str, *, html: str, scripts: Sequence[Path], styles: Sequence[Path]) -> ComponentRenderer:
    """Return a component drawn by `export default function` of the first script; the other scripts are helpers."""
    drawn = "\n".join(path.read_text("utf-8") for path in scripts).replace("export default function", "function draw")
    dress = "\n".join(path.read_text("utf-8") for path in styles)
    script = f"{drawn}\nconst STYLES = {json.dumps(dress)}\nconst WORDS = {_translations(drawn)}\n{_WEAR}"
    address = f"{ROOT}{name}-{hashlib.sha256(script.encode()).hexdigest()[:16]}.js"
    FILES[address] = script
    fetch = f'const found = await import(new URL("{address}", location.origin).href)\nexport default found.default\n'
    renderer = st.components.v2.component(name, html=html, js=fetch)

    def mount(*, data: Mapping[str, object] | None = None, **more: Any) -> Any:
        said = _readable(data) or {}
        if current() != "en":
            said["language"] = current()
        # Without anything that it reports, of which `more` has the functions.
        if more.keys() == {"key"} and _draw_only(name, said, more["key"]):
            return None
        return renderer(data=said, **more)

    return mount


def _draw_only(name: str, data: Mapping[str, object], key: str) -> bool:
    """Draw a component that reports nothing, without the widgets that Streamlit registers for reports.

    That takes a fifth of the time. False while Streamlit does not know the component yet, and without its runtime.
    """
    known = Runtime.instance().bidi_component_registry.get(name) if Runtime.exists() else None
    if known is None:
        return False
    drawn = BidiComponent(
        id=compute_and_register_element_id("bidi_component", user_key=key, key_as_main_identity=True, dg=st._main),
        component_name=name,
        isolate_styles=True,
        json=json.dumps(data),
    )
    for field, value in _content(known).items():
        if value:
            setattr(drawn, field, value)
    st._main._enqueue("bidi_component", drawn, layout_config=LayoutConfig(width="stretch", height="content"))
    return True


def _content(known: BidiComponentDefinition) -> Mapping[str, str | None]:
    return {
        "js_content": known.js_content,
        "js_source_path": known.js_url,
        "html_content": known.html_content,
        "css_content": known.css_content,
        "css_source_path": known.css_url,
    }


def _readable(value: Any) -> Any:
    """Return the data without characters that change the writing direction of the following text."""
    match value:
        case str():
            return without_direction(value)
        case Mapping():
            return {key: _readable(part) for key, part in value.items()}
        case list() | tuple():
            return [_readable(part) for part in value]
        case _:
            return value


def _translations(script: str) -> str:
    """Return JSON: for each other language, the translation of each sentence of a script."""
    translated = {}
    for language in LANGUAGES:
        if language != "en":
            with spoken(language):
                translated[language] = {text: _(text) for text in sentences(script)}
    return json.dumps(translated, ensure_ascii=False)
