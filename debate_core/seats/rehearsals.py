"""The rehearsals that ship with the program: script files, by name. Called by the host and the command line."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from debate_core.seats.scripted import Script, read_script


@cache
def shipped_texts() -> Mapping[str, str]:
    """Text of every shipped script by name, in the order of names."""
    found = (p for p in (files("debate_core") / "rehearsals").iterdir() if p.name.endswith(".json"))
    return {p.name.removesuffix(".json"): p.read_text("utf-8") for p in sorted(found, key=lambda p: p.name)}


@cache
def shipped() -> Mapping[str, Script]:
    """The same, read."""
    return {name: read_script(text) for name, text in shipped_texts().items()}
