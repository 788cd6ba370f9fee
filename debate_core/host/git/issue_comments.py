"""Commands in the comments of an issue: `/debate`, `/vote`, `/commit`, `/reveal`, `/close`. Values and parsing only.

/debate open                                  the person who writes it facilitates
- kafka                                       options; without a list those of the issue
- rabbit
/vote kafka because it is cheaper             in an open vote
/commit 9f86d0…                               in a sealed vote: the digest of option, space and key
/reveal kafka my-long-secret-key because …    after the commitments
/close                                        counts the vote
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.option_names import name_stated
from debate_core.errors import InvalidSpec
from debate_core.record.acts import OPENING_KEY
from debate_core.spec.values import ABSTAIN, Line, Value
from debate_core.text import line

MEMBERS = ("OWNER", "MEMBER", "COLLABORATOR")
"""Associations of people who belong to the repository; GitHub sends one with every comment."""
IssueAct = Literal["debate", "vote", "commit", "reveal", "close"]
_COMMAND = re.compile(r"/(?P<act>debate|vote|commit|reveal|close)\b[ \t]*(?P<rest>[^\r\n]*)")
_LISTED = re.compile(r"[-*] +(?P<option>\S.*)")
_BECAUSE = re.compile(r"\s+because\s+", re.IGNORECASE)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MAX_REASON_CHARS = 300


class Comment(Value):
    """One comment of an issue. Ids increase with time."""

    id: int
    author: Line
    author_id: int
    is_member: bool
    text: str


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue or a pull request of a repository, with its comments in order of their ids."""

    number: int
    title: str
    body: str
    comments: tuple[Comment, ...]
    from_fork: bool = False
    """True for a pull request whose branch is in another repository."""


@dataclass(frozen=True, slots=True)
class IssueCommand:
    """A command of a comment; `rest` is the text after it on its line, `below` are the lines below."""

    act: IssueAct
    rest: str
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommentVote:
    """An option with its reason; `key` opens a commitment, empty in an open vote."""

    option: str
    reason: str
    key: str = ""


def read_command(text: str) -> IssueCommand | None:
    """The command with which a comment begins; None for a comment without one."""
    first, *below = text.strip().splitlines() or [""]
    found = _COMMAND.fullmatch(first.strip())
    if found is None:
        return None
    act: IssueAct = found["act"]  # type: ignore[assignment]
    return IssueCommand(act, found["rest"].strip(), tuple(below))


def listed_options(command: IssueCommand) -> tuple[str, ...]:
    """The options in a list below `/debate`."""
    found = (_LISTED.fullmatch(text.strip()) for text in command.below)
    return tuple(one["option"].strip() for one in found if one)


def is_sealed(command: IssueCommand) -> bool:
    """True for a vote with commitments: `/debate` or `/debate sealed`. InvalidSpec for another word."""
    if command.rest not in ("", "open", "sealed"):
        raise InvalidSpec("/debate takes nothing, open or sealed, not {given}", given=line(command.rest)[:80])
    return command.rest != "open"


def read_digest(command: IssueCommand) -> str:
    """The digest of `/commit`. InvalidSpec for anything else."""
    digest = command.rest.casefold().removeprefix("sha256:")
    if not _DIGEST.fullmatch(digest):
        raise InvalidSpec("/commit takes the 64 hex digits of a SHA-256, not {given}", given=line(digest)[:80])
    return digest


def read_vote(command: IssueCommand, options: Sequence[str]) -> CommentVote:
    """The ballot of `/vote` or `/reveal`. InvalidSpec if it names no option of the debate, or no possible key."""
    said, *reasons = _BECAUSE.split(command.rest, maxsplit=1)
    key = ""
    if command.act == "reveal":
        said, _, key = said.rpartition(" ")
        if not re.fullmatch(OPENING_KEY, key):
            raise InvalidSpec("/reveal takes an option and its key: 16 to 100 letters, digits, - and _")
    option = name_stated(said, (*options, ABSTAIN))
    if option is None:
        raise InvalidSpec(
            "{given} is none of {options}", given=line(said)[:80] or "nothing", options=", ".join((*options, ABSTAIN))
        )
    return CommentVote(option, line(reasons[0])[:_MAX_REASON_CHARS] if reasons else "", key)
