"""Stop functions: named pure functions of the program that holds a debate, asked after every complete round.

The record has their verdicts, so that it can be read and verified without the functions. An exception of a function
goes to the caller, and nothing of the command that ended the round is recorded.
"""

import re
from collections.abc import Callable, Iterable
from types import TracebackType

from debate_core.engine import schedule
from debate_core.errors import InvalidSpec
from debate_core.record.state import State
from debate_core.spec.protocol import Protocol
from debate_core.spec.rules import FUNCTION_NAME, StopFunction

StopTest = Callable[[State], bool]
"""True ends the rounds. It must be pure and return a boolean for every state."""
GiveVerdict = Callable[[State, str], bool]
"""Gives the verdict of the function of this name."""
_BROKE = "raised by the stop function "
_functions: dict[str, StopTest] = {}


def register_stop(name: str, function: StopTest) -> None:
    """Make a function available to protocols under this name, replacing an earlier one. InvalidSpec for a bad name."""
    if not re.fullmatch(FUNCTION_NAME, name):
        raise InvalidSpec(
            "a stop function is named with 1 to 40 of a-z, 0-9 and _, a letter first, not {name!r}", name=name[:80]
        )
    _functions[name] = function


def names_in(protocol: Protocol) -> tuple[str, ...]:
    """The stop functions of a protocol, in its order."""
    return tuple(part.function for part in protocol.stop_parts() if isinstance(part, StopFunction))


def refuse_unknown(protocol: Protocol) -> None:
    """Raise InvalidSpec if this program lacks a stop function of the protocol."""
    for name in names_in(protocol):
        _function(name)


def next_asked(state: State) -> str | None:
    """The first stop function without a verdict on the round that is now complete; None if there is none."""
    if not schedule.round_is_complete(state):
        return None
    number = state.current_round()
    return next((name for name in names_in(state.spec.protocol) if (number, name) not in state.stop_verdicts), None)


def ask(state: State, name: str) -> bool:
    """The verdict of a registered function. Its exception has a note with its name."""
    function = _function(name)
    with _Naming(name):
        verdict = function(state)
        if not isinstance(verdict, bool):
            raise TypeError(f"a stop function returns True or False, not {verdict!r}")
    return verdict


def broken_function(error: BaseException | None) -> str | None:
    """The name of the stop function that raised this exception; None if none did."""
    notes: Iterable[str] = getattr(error, "__notes__", ())
    for note in notes:
        if note.startswith(_BROKE):
            return note.removeprefix(_BROKE)
    return None


def _function(name: str) -> StopTest:
    if name not in _functions:
        raise InvalidSpec(
            "the protocol asks the stop function {name!r}, which this program does not have; it has {known}",
            name=name,
            known=", ".join(sorted(_functions)) or "none",
        )
    return _functions[name]


class _Naming:
    """Adds the name of the function to its exception."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None: ...

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _where: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"{_BROKE}{self._name}")
