"""What somebody asks the engine to do. A command says who (`by`); the engine makes a fact of it, or refuses it.

Values only. Sent by the runner, the pages and the command line; `events` has the facts.
"""

from typing import Annotated

from pydantic import Field

from debate_core.record.acts import Reason, RoomAct
from debate_core.record.events import BaselineReply, Failure, Partial
from debate_core.spec.contents import Content, LeftOut, Mark
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import BaselineName, Line, Usage, Value


class Command(Value):
    """What somebody asks the engine to do. `by` is a seat id, or a person's name in the room."""

    by: Annotated[str, Field(min_length=1, max_length=80)]


class StartAttempt(Command):
    """The runner is about to ask a seat; `reserved` is the most that the call may use, None if nobody is paid."""

    request: str
    reserved: Usage | None = None


class TakeTurn(Command):
    """Content for an open request; `request` is its id."""

    request: str
    content: Content
    usage: Usage | None = None
    left_out: tuple[LeftOut, ...] = ()


class FailTurn(Command, Failure):
    """An attempt of a seat failed."""


class SkipTurn(Command):
    """Pass over an open turn, with a reason."""

    request: str
    reason: Reason


class SetMark(Command):
    """Mark one claim, at any time; the reason is free."""

    mark: Mark
    reason: Line = ""


class Pause(Command):
    """Ask no seat until Resume."""

    reason: Reason


class Resume(Command):
    """Go on after a pause; `gives_up` = without the turns of those who could not be reached."""

    reason: Line = ""
    gives_up: bool = False


class Stop(Command):
    """End the debate now. The host adds the partial texts of the turns that are being given."""

    reason: Reason
    partials: tuple[Partial, ...] = ()


class Act(Command):
    """Somebody in the room does something beside the turns; `by` is the id of a person, where the debate has a room.

    What follows from the record (results of a poll, the transcript voted on) is filled in by the engine.
    """

    act: RoomAct


class Truncate(Command):
    """End the debate before the call for this request: its reservation passes the debate's ceiling."""

    request: str
    reserved: Usage | None = None


class WaitAtLimit(Command):
    """The same call is not made, and the debate waits for whoever leads, who may raise the limit."""

    request: str
    reserved: Usage | None = None
    reason: Reason


class RaiseLimit(Command):
    """Allow more than was agreed: `to` has the limits that change."""

    to: Ceiling
    reason: Reason


class EndWait(Command):
    """End a debate that has waited for people longer than was agreed."""


class AskBaselines(Command):
    """What was wished for beside the debate is asked now."""

    names: tuple[BaselineName, ...]


class HoldBaseline(Command):
    """What came of asking without a debate, once the debate is over. The engine counts it."""

    name: BaselineName
    replies: tuple[BaselineReply, ...]
    took_ms: int
    why: Line = ""


AnyCommand = (
    StartAttempt
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
