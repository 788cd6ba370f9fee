"""The debate core: rules, records, counting, seats and stores, usable without any screen.

Names load when first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "AnyCommand": "record.commands",
    "Argument": "spec.contents",
    "DebateError": "errors",
    "Directive": "spec.contents",
    "Evaluation": "spec.contents",
    "Event": "record.events",
    "Filler": "seats",
    "Finding": "engine.audit",
    "Framing": "spec.contents",
    "InvalidSpec": "errors",
    "MatchSetting": "host.matches",
    "MemoryStore": "host.stores.memory",
    "ModelLine": "spec.models",
    "Outcome": "spec.values",
    "PROTOCOLS": "spec.presets",
    "Positions": "spec.contents",
    "Protocol": "spec.protocol",
    "Request": "record.state",
    "Review": "spec.contents",
    "RuleViolation": "errors",
    "RunOptions": "host.run_options",
    "Seat": "spec.values",
    "Source": "spec.values",
    "Spec": "spec.protocol",
    "State": "record.state",
    "Synthesis": "spec.contents",
    "TakeTurn": "record.commands",
    "Verdict": "spec.contents",
    "View": "engine.seat_view",
    "account": "report.facts.account",
    "apply": "record.fold",
    "compose": "spec.presets",
    "dump_record": "record.events",
    "fillers_for": "seats",
    "from_callback": "seats.callback",
    "markdown_report": "report.files.report",
    "matches_of": "host.matches",
    "model_fillers": "seats.model",
    "open_debate": "engine.engine",
    "open_store": "host.stores",
    "parse_record": "record.events",
    "prompt_for": "seats.prompts",
    "protocol_from_toml": "spec.protocol_files",
    "protocol_to_toml": "spec.protocol_files",
    "register_stop": "engine.stop_functions",
    "replay": "record.fold",
    "reply_schema": "seats.prompts",
    "requests": "engine.engine",
    "roles_for_question": "spec.presets",
    "run": "host.runner",
    "run_json": "report.files.export",
    "submit": "engine.engine",
    "summary_report": "report.phrases.outcome",
    "text_report": "report.files.report",
    "transcript_for": "seats.prompts",
    "verify": "engine.audit",
    "view": "engine.seat_view",
    "with_matches": "host.matches",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"debate_core has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"debate_core.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
