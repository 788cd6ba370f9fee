"""A debate in an issue: comments become commands, the record is kept on a branch, and one comment shows the state.

A run reads all comments that no earlier run has read, so none is lost if runs fail, are delayed or come twice. The
record is pushed before anything is posted. An edited comment counts as it was first read.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from debate_core.documents.decision import read_decision
from debate_core.engine import stage
from debate_core.engine.audit import refuse_broken
from debate_core.engine.engine import open_debate, submit
from debate_core.engine.option_names import name_stated
from debate_core.errors import BrokenRecord, DebateError, InvalidSpec, RuleViolation
from debate_core.host.git.repository import GitFile, GitRepository
from debate_core.host.random_ids import new_debate_id
from debate_core.host.runner import now
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import (
    OPENING_KEY,
    BallotCast,
    BallotCommitted,
    PersonJoined,
    PollClosed,
    PollOpened,
    PollRevealed,
    RoomAct,
)
from debate_core.record.commands import Act, AnyCommand, Resume
from debate_core.record.events import Event, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Spec
from debate_core.spec.values import ABSTAIN, Line, Source, Value
from debate_core.text import line

# /debate open                                  the person who writes it facilitates
# - kafka                                       options; without a list those of the issue
# - rabbit
# /vote kafka because it is cheaper             in an open vote
# /commit 9f86d0…                               in a sealed vote: the digest of option, space and key
# /reveal kafka my-long-secret-key because …    after the commitments
# /close                                        counts the vote

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


_MAX_REFUSALS = 20
_NOT_A_MEMBER = "only people of this repository take part"
_NO_DEBATE = "there is no debate yet: /debate begins one"


@dataclass(frozen=True, slots=True)
class Occasion:
    """A debate that a comment asks for: question, options, documents, people and their vote."""

    question: str
    options: tuple[str, ...]
    sources: tuple[Source, ...]
    room: Room
    may_ask_models: bool


@dataclass(frozen=True, slots=True)
class Program:
    """Plans and plays debates: `plan` checks an occasion, `play` asks the seats as far as possible."""

    plan: Callable[[Occasion], Spec]
    play: Callable[["IssueDebate"], None]


class Answered(Value):
    """Progress in the comments: the last one that was read, the program's own one, and the newest refusals."""

    seen: int = 0
    post: int | None = None
    is_sealed: bool = True
    decision_url: str = ""
    """The pull request with the decision record."""
    refused: tuple[str, ...] = ()


@dataclass
class IssueDebate:
    """The debate of one issue, as far as it has come. `record` is empty before `/debate`."""

    issue: Issue
    program: Program
    store: MemoryStore = field(default_factory=MemoryStore)
    debate_id: str = ""
    answered: Answered = field(default_factory=Answered)

    def events(self) -> Sequence[Event]:
        """The record so far."""
        return self.store.load(self.debate_id) if self.debate_id else ()

    def state(self) -> State:
        """The state after the record. InvalidSpec before there is one."""
        if not self.debate_id:
            raise InvalidSpec(_NO_DEBATE)
        return replay(self.events())

    def read_new(self) -> bool:
        """Carry out the commands of all comments that were not read before. False if there were none."""
        new = [one for one in self.issue.comments if one.id > self.answered.seen and one.id != self.answered.post]
        for comment in new:
            if command := read_command(comment.text):
                self._carry_out(command, comment)
            self.answered = self.answered.model_copy(update={"seen": comment.id})
        return bool(new)

    def _carry_out(self, command: IssueCommand, comment: Comment) -> None:
        try:
            if not comment.is_member:
                raise InvalidSpec(_NOT_A_MEMBER)
            match command.act:
                case "debate":
                    self._debate(command, comment)
                case "vote" | "reveal" | "commit":
                    self._vote(command, comment)
                case "close":
                    self._close(comment)
        except DebateError as error:
            refused = f"{comment.author}, /{command.act}: {error}"
            newest = (*self.answered.refused, refused)[-_MAX_REFUSALS:]
            self.answered = self.answered.model_copy(update={"refused": newest})

    def _debate(self, command: IssueCommand, comment: Comment) -> None:
        """Open the debate, or continue one that waits for seats out of reach; then open the vote."""
        if not self.debate_id:
            sealed = is_sealed(command)
            spec = self.program.plan(self._occasion(command, comment))
            debate_id = new_debate_id()
            self.store.append(
                debate_id, open_debate(spec, debate_id=debate_id, at=now(), by=_person_id(comment)), after=0
            )
            self.debate_id = debate_id
            self.answered = self.answered.model_copy(update={"is_sealed": sealed})
            self._submit(Resume(by=_person_id(comment)))
        elif self.state().outcome is not None:
            raise RuleViolation("the debate of this issue is over")
        elif self.state().paused is not None:
            self._submit(Resume(by=_person_id(comment)))
        self.program.play(self)
        state = self.state()
        if state.outcome is not None:
            # To begin the debate was to ask for its vote.
            self._submit(Act(by=state.spec.terms.people[0].id, act=PollOpened(poll="final")))

    def _occasion(self, command: IssueCommand, comment: Comment) -> Occasion:
        document = Source(id="s1", title=f"Issue {self.issue.number}", text=self.issue.body.strip() or self.issue.title)
        options = listed_options(command) or read_decision(document).options.values
        if len(options) < 2:
            raise InvalidSpec("name the options: a list below /debate, or below a heading Options in the issue")
        opener = Person(id=_person_id(comment), name=comment.author, role="facilitator", electorate="room")
        room = Room(
            people=(opener,),
            joining="open",
            decides="room",
            pre_vote="none",
            blind="named",
            hold="none",
            readers="link",
        )
        return Occasion(self.issue.title, options, (document,), room, may_ask_models=not self.issue.from_fork)

    def _vote(self, command: IssueCommand, comment: Comment) -> None:
        state = self.state()
        if command.act == "vote" and self.answered.is_sealed:
            raise RuleViolation("this vote is sealed: /commit first, and /reveal when everyone has")
        if command.act != "vote" and not self.answered.is_sealed:
            raise RuleViolation("this vote is open: /vote OPTION because REASON")
        act: RoomAct
        if command.act == "commit":
            act = BallotCommitted(poll="final", digest=read_digest(command))
        else:
            vote = read_vote(command, state.spec.options)
            act = BallotCast(poll="final", choice=vote.option, reason=vote.reason, opens_with=vote.key or None)
        if "final" not in state.room.polls:
            raise RuleViolation("the vote begins when the debate is over")
        if stage.person(state, _person_id(comment)) is None:
            voter = Person(id=_person_id(comment), name=comment.author, role="voter", electorate="room")
            self._act(comment, PersonJoined(person=voter))
        self._act(comment, act)

    def _close(self, comment: Comment) -> None:
        self.state()
        self._act(comment, PollClosed(poll="final"))
        self._act(comment, PollRevealed(poll="final"))

    def _act(self, comment: Comment, act: RoomAct) -> None:
        self._submit(Act(by=_person_id(comment), act=act))

    def _submit(self, command: AnyCommand) -> None:
        state = self.state()
        self.store.append(self.debate_id, submit(state, command, at=now()), after=state.version)


def _person_id(comment: Comment) -> str:
    """`p-u1234`: by the number of the account, because logins can change hands."""
    return f"p-u{comment.author_id}"


# --- the branch


def branch_of(number: int) -> str:
    """The branch that has the record of an issue's debate."""
    return f"debate/issue-{number}"


_RECORD, _ANSWERED = "record.jsonl", "answered.json"


def load(repository: GitRepository, issue: Issue, program: Program) -> IssueDebate:
    """The debate of an issue as its branch has it; a new one without a branch. InvalidSpec for a changed record."""
    tip = repository.tip(branch_of(issue.number))
    debate = IssueDebate(issue, program)
    if (data := repository.read(tip, _ANSWERED)) is not None:
        debate.answered = Answered.model_validate_json(data)
    if (data := repository.read(tip, _RECORD)) is not None:
        events = _checked(data, branch_of(issue.number))
        debate.debate_id = events[0].debate
        debate.store.append(debate.debate_id, events, after=0)
    return debate


def _checked(data: bytes, branch: str) -> tuple[Event, ...]:
    try:
        events = parse_record(data)
        refuse_broken(events, "its record")
        return events
    except BrokenRecord as error:
        raise InvalidSpec("the branch {branch} was changed by someone else: {why}", branch=branch, why=error) from None


def save(repository: GitRepository, debate: IssueDebate) -> None:
    """Commit record and answers to the branch, and push it. InvalidSpec if the branch has moved on."""
    branch = branch_of(debate.issue.number)
    parent, before = repository.tip(branch), repository.tip(branch, here_only=True)
    answered = json.dumps(debate.answered.model_dump(), indent=1, ensure_ascii=False)
    files = [GitFile(".gitattributes", b"* -text\n"), GitFile(_ANSWERED, answered.encode())]
    if debate.debate_id:
        files.append(GitFile(_RECORD, dump_record(debate.events()).encode()))
    changed = [file for file in files if repository.read(parent, file.path) != file.data]
    if changed:
        commit = repository.commit(branch, parent, changed, f"Record the debate of issue {debate.issue.number}\n")
        repository.push(branch, commit, before)
