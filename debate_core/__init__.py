"""The debate core: rules, records, counting, seats and stores, usable without any screen.

Names load when first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "AnyCommand": "record.commands",
    "Argument": "spec.contents",
    "DebateError": "errors",
    "Event": "record.events",
    "Filler": "seats",
    "Finding": "engine.audit",
    "InvalidSpec": "errors",
    "Outcome": "spec.values",
    "PROTOCOLS": "spec.presets",
    "Protocol": "spec.protocol",
    "Request": "record.state",
    "RuleViolation": "errors",
    "Seat": "spec.values",
    "Source": "spec.values",
    "Spec": "spec.protocol",
    "State": "record.state",
    "TakeTurn": "record.commands",
    "View": "engine.seat_view",
    "apply": "record.fold",
    "compose": "spec.presets",
    "dump_record": "record.events",
    "open_debate": "engine.engine",
    "open_store": "host.stores",
    "parse_record": "record.events",
    "replay": "record.fold",
    "requests": "engine.engine",
    "roles_for_question": "spec.presets",
    "run": "host.runner",
    "submit": "engine.engine",
    "verify": "engine.audit",
    "view": "engine.seat_view",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"debate_core has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"debate_core.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
