"""Commands: requests to the engine. A command names its sender (`by`); the engine derives a fact from it or refuses it.

Values only. The runner, the pages and the command line send them; `events` has the facts.
"""

from typing import Annotated

from pydantic import Field

from debate_core.record.acts import Reason, RoomAct
from debate_core.record.events import BaselineReply, DebateId, Failure, Partial
from debate_core.record.look_ups import ToolAnswer
from debate_core.spec.contents import Content, LeftOut, Mark
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import BaselineName, Instructions, Line, Usage, Value


class Command(Value):
    """A request to the engine. `by` is a seat id, or a person's name in the room."""

    by: Annotated[str, Field(min_length=1, max_length=80)]


class StartAttempt(Command):
    """The runner is about to ask a seat; `reserved` is the maximum use of the call, None for a seat without costs."""

    request: str
    reserved: Usage | None = None
    instructions: Instructions | None = None


class LookUp(Command):
    """A seat calls a tool before its turn; the request stays open. `query` None = the call was not readable."""

    request: str
    tool: Annotated[str, Field(max_length=64)]
    query: Line | None = None
    usage: Usage | None = None
    answer: ToolAnswer | None = None
    """The answer of an MCP server; None for a search, which the engine answers."""


class TakeTurn(Command):
    """Content for an open request; `request` is its id."""

    request: str
    content: Content
    usage: Usage | None = None
    left_out: tuple[LeftOut, ...] = ()
    match: DebateId | None = None


class FailTurn(Command, Failure):
    """An attempt of a seat failed."""


class SkipTurn(Command):
    """Skip an open turn, with a reason."""

    request: str
    reason: Reason


class SetMark(Command):
    """Mark one claim, at any time; the reason is optional."""

    mark: Mark
    reason: Line = ""


class Pause(Command):
    """Ask no seat until Resume."""

    reason: Reason


class Resume(Command):
    """Resume after a pause; `gives_up` = without the turns of seats that could not be reached."""

    reason: Line = ""
    gives_up: bool = False


class Stop(Command):
    """End the debate now. The host adds the partial texts of unfinished turns."""

    reason: Reason
    partials: tuple[Partial, ...] = ()


class Act(Command):
    """Record an act of a person; `by` is the id of a person, if the debate has a room.

    The engine fills in fields that follow from the record, such as poll results.
    """

    act: RoomAct


class Truncate(Command):
    """End the debate before the call for this request: its reservation exceeds a limit."""

    request: str
    reserved: Usage | None = None


class WaitAtLimit(Command):
    """Pause before that call instead, so that a facilitator can raise the limit."""

    request: str
    reserved: Usage | None = None
    reason: Reason


class RaiseLimit(Command):
    """Raise limits above the agreed ones: `to` has the limits that change."""

    to: Ceiling
    reason: Reason


class EndWait(Command):
    """End a debate that has waited longer than was agreed."""


class AskBaselines(Command):
    """Ask the agreed baselines now."""

    names: tuple[BaselineName, ...]


class HoldBaseline(Command):
    """The answers of a baseline, after the debate. The engine counts them."""

    name: BaselineName
    replies: tuple[BaselineReply, ...]
    took_ms: int
    why: Line = ""


AnyCommand = (
    StartAttempt
    | LookUp
    | TakeTurn
    | FailTurn
    | SkipTurn
    | SetMark
    | Pause
    | Resume
    | Stop
    | Act
    | Truncate
    | WaitAtLimit
    | RaiseLimit
    | EndWait
    | AskBaselines
    | HoldBaseline
)
