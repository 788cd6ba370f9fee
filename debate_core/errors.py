"""The exception tree. What is raised and is not in it is a bug.

DebateError
├─ InvalidSpec      what was given cannot be used: a debate or protocol that cannot be played, a file, URL or option
├─ RuleViolation    not now, or not this kind of command: lists what is asked
├─ NotAllowed       somebody may not come in: says what to do, and no more than a stranger may know
│  ├─ TooManyTries  wrong codes or links, too many in a minute
│  └─ TooMany       so much is open or was begun that there is no room for more: says when to try again
├─ SeatError        a seat could not answer; `error` is the word of the record
│  ├─ SeatTimeout   it took longer than its deadline
│  ├─ BadReply      it answered, but not with the content that was asked
│  └─ Refused       it declined to answer; never asked again
└─ StoreError
   ├─ Conflict      somebody else appended first: reload, look again
   ├─ Leased        another runner holds this debate
   ├─ UnknownDebate no such debate in this store
   ├─ NewerRecord   written by a newer version of this program
   ├─ NotMigrated   its tables are older than this program: says who brings them up to date
   ├─ BrokenRecord  unreadable, cut short or changed: names the line
   └─ Unwritable    the data folder cannot be written
      ├─ Busy       somebody else is writing, and did not end in time: try again
      └─ DiskFault  the disk is full or fails: naming another file on it would not help

Every message says what, where, and what is allowed. Everybody may raise these, with a template and its values, so that
screens can say it in another language: `RuleViolation("there is no seat {seat!r}", seat=given)`.
"""

from debate_core.sentence import Sentence


class DebateError(Exception):
    """Root of every error this program raises on purpose. Its text is the English sentence."""

    is_bad_input = True
    """False where nothing that was given is wrong: the exit status is then another one."""

    def __init__(self, template: str = "", /, **values: object) -> None:
        self.sentence = template if isinstance(template, Sentence) else Sentence(template, **values)
        super().__init__(self.sentence)


class InvalidSpec(DebateError):
    """What was given cannot be used: a debate that cannot be played, a file, a URL, an option."""


class RuleViolation(DebateError):
    """The rules forbid this command in this state; nothing was changed."""


class NotAllowed(DebateError):
    """This link, code or cookie lets nobody in."""


class TooManyTries(NotAllowed):
    """Too many wrong ones from this place in the last minute."""


class TooMany(NotAllowed):
    """As much is open, or was begun, as one client or all of them may have."""


class SeatError(DebateError):
    """A seat could not answer. `error` is one of `spec.values.TurnError`."""

    error = "failed"


class SeatTimeout(SeatError):
    """The seat took longer than its deadline."""

    error = "timeout"


class BadReply(SeatError):
    """The seat answered with something other than the content that was asked."""

    error = "unparseable"


class Refused(SeatError):
    """The seat declined to answer."""

    error = "refused"


class StoreError(DebateError):
    """The record could not be read or written."""

    @property
    def is_for_operator(self) -> bool:
        """True where the sentence says of a store where it is, or what ails it."""
        return not {"where", "path", "folder"}.isdisjoint(self.sentence.values)


class Conflict(StoreError):
    """Another writer appended first."""


class Leased(StoreError):
    """Another runner holds the lease of this debate, or it is lost; `free_in_s` is for how long if that one is dead.

    0 = not known.
    """

    def __init__(self, template: str = "", /, *, free_in_s: float = 0, **values: object) -> None:
        self.free_in_s = free_in_s
        super().__init__(template, **values)


class UnknownDebate(StoreError):
    """No debate of this id in this store."""


class NewerRecord(StoreError):
    """The record was written by a newer version."""


class NotMigrated(StoreError):
    """The tables were made by an older version, or are not there yet."""


class BrokenRecord(StoreError):
    """The record is unreadable, cut short or changed; `line` counts from 1."""

    def __init__(self, template: str, line: int, /, **values: object) -> None:
        super().__init__(template, **values)
        self.line = line


class Unwritable(StoreError):
    """The place for the data cannot be written."""

    @property
    def is_for_operator(self) -> bool:
        """Whatever it says."""
        return True


class Busy(Unwritable):
    """Somebody else writes there, and took longer than we wait."""

    is_bad_input = False


class DiskFault(Unwritable):
    """The disk is full, or fails."""

    is_bad_input = False
