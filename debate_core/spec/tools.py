"""Tools of seats in a protocol: which phases have them, and the option for the moderator in set-up.

`debate_core/engine/look_ups.py` answers their calls.
"""

from typing import Literal

from debate_core.sentence import Sentence
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.protocol_changes import change_phases
from debate_core.spec.values import SEARCH_SOURCES

ModeratorSearch = Literal["allowed", "none"]


def fault_in_tools(protocol: Protocol) -> Sentence | None:
    """The reason why these tools or their limits cannot be agreed, or None."""
    for phase in protocol.phases():
        tools = phase.tools or ()
        if phase.calls_per_turn is not None and not tools:
            return Sentence(
                'phase {name!r} has calls_per_turn but no tools: add tools = ["search_sources"], or leave it out',
                name=phase.name,
            )
        if len(set(tools)) < len(tools):
            return Sentence("phase {name!r} names a tool twice: name each tool once", name=phase.name)
    if protocol.max_look_ups is not None and not has_tools(protocol):
        return Sentence(
            "{name} has max_look_ups, but no phase has tools: give them to a phase, or leave it out",
            name=protocol.name,
        )
    return None


def has_tools(protocol: Protocol) -> bool:
    """True if a seat may look something up."""
    return any(phase.tools for phase in protocol.phases())


def server_tools(protocol: Protocol) -> tuple[str, ...]:
    """The tools of MCP servers that seats may call, each once."""
    tools = [tool for phase in protocol.phases() for tool in phase.tools or () if is_server_tool(tool)]
    return tuple(dict.fromkeys(tools))


def is_server_tool(tool: str) -> bool:
    """True for a tool of an MCP server."""
    return tool.startswith("mcp__")


def leads(phase: Phase) -> bool:
    """True for a phase whose findings all seats read: a directive with its briefing, or a framing."""
    return phase.gives in ("directive", "framing")


def moderator_search(protocol: Protocol) -> ModeratorSearch | None:
    """`allowed` if a phase that leads the debate may search the sources; None if no phase leads it."""
    leading = [phase for phase in protocol.phases() if leads(phase)]
    if not leading:
        return None
    return "allowed" if any(phase.tools for phase in leading) else "none"


def with_moderator_search(protocol: Protocol, search: ModeratorSearch) -> Protocol:
    """The protocol with the search in the sources allowed, or not, for the phases that lead the debate."""

    def searching(phase: Phase) -> Phase:
        if not leads(phase):
            return phase
        if search == "none":
            return phase.model_copy(update={"tools": None, "calls_per_turn": None})
        return phase.model_copy(update={"tools": phase.tools or (SEARCH_SOURCES,)})

    changed = change_phases(protocol, searching)
    return changed if has_tools(changed) else changed.model_copy(update={"max_look_ups": None})
