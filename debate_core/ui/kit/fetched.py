"""Components whose script and styles a browser fetches once, by an address with their digest in it, and keeps.

Streamlit sends what it is given with every single drawing. So it is given two lines that fetch the rest from
`debate_core.ui.server`, which serves `FILES`.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.language import LANGUAGES, Language, _, current, spoken
from debate_core.text import without_direction

ROOT = "/drawn/"
FILES: dict[str, str] = {}
"""Script by address: that of every component that this process has drawn."""
# One sheet for all drawings of a kind. It is there with the script, so that nothing is seen undressed.
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
    """What a script says to people, in English."""
    return tuple(dict.fromkeys(map(json.loads, _SAID.findall(script))))


def component(name: str, *, html: str, scripts: Sequence[Path], styles: Sequence[Path]) -> ComponentRenderer:
    """The component that `export default function` of the first script draws; the other scripts are its helpers."""
    drawn = "\n".join(path.read_text("utf-8") for path in scripts).replace("export default function", "function draw")
    dress = "\n".join(path.read_text("utf-8") for path in styles)
    script = f"{drawn}\nconst STYLES = {json.dumps(dress)}\nconst WORDS = {_words(drawn)}\n{_WEAR}"
    address = f"{ROOT}{name}-{hashlib.sha256(script.encode()).hexdigest()[:16]}.js"
    FILES[address] = script
    fetch = f'const found = await import(new URL("{address}", location.origin).href)\nexport default found.default\n'
    renderer = st.components.v2.component(name, html=html, js=fetch)

    def mount(*, data: Mapping[str, object] | None = None, **more: Any) -> Any:
        said = _readable(data)
        return renderer(data=said if current() == "en" else {**(said or {}), "language": current()}, **more)

    return mount


def _readable(value: Any) -> Any:
    """The same with no text that turns the writing direction of what follows it."""
    match value:
        case str():
            return without_direction(value)
        case Mapping():
            return {key: _readable(part) for key, part in value.items()}
        case list() | tuple():
            return [_readable(part) for part in value]
        case _:
            return value


def _words(script: str) -> str:
    """JSON: language -> English sentence -> the same in that language."""
    said = {language: {text: spoken_in(language, text) for text in sentences(script)} for language in LANGUAGES}
    return json.dumps({language: words for language, words in said.items() if language != "en"}, ensure_ascii=False)


def spoken_in(language: Language, text: str) -> str:
    """This sentence in a language, its places left as they are."""
    with spoken(language):
        return _(text)
