"""The exception tree. Any other exception is a bug.

DebateError
├─ InvalidSpec      unusable input: a debate or protocol that cannot be held, a file, URL or option
├─ RuleViolation    not now, or not this kind of command: lists what is asked
├─ NotAllowed       no entry; says what to do without telling strangers more than they may know
│  ├─ TooManyTries  too many wrong codes or links in a minute
│  └─ TooMany       a quota is used up: says when to try again
├─ SeatError        a seat could not answer; `error` is the word of the record
│  ├─ SeatTimeout   it exceeded its deadline
│  ├─ BadReply      it answered, but not with the requested content
│  └─ Refused       it declined to answer; never asked again
└─ StoreError
   ├─ Conflict      another writer appended first: reload and retry
   ├─ Leased        another runner holds this debate
   ├─ UnknownDebate no such debate in this store
   ├─ NewerRecord   written by a newer version of this program
   ├─ NotMigrated   its tables are older than this program: says who migrates them
   ├─ BrokenRecord  unreadable, cut short or changed: names the line
   └─ Unwritable    the data folder cannot be written
      ├─ Busy       another process is writing and did not finish in time: retry
      └─ DiskFault  the disk is full or fails: another file name would not help

Every message says what, where, and what is allowed. Raise these with a template and its values, so that screens can
translate them: `RuleViolation("there is no seat {seat!r}", seat=given)`.
"""

from debate_core.sentence import Sentence


class DebateError(Exception):
    """Root of every error this program raises on purpose. Its text is the English sentence."""

    is_bad_input = True
    """False if the input is not at fault; the exit status then differs."""

    def __init__(self, template: str = "", /, **values: object) -> None:
        self.sentence = template if isinstance(template, Sentence) else Sentence(template, **values)
        super().__init__(self.sentence)


class InvalidSpec(DebateError):
    """Unusable input: a debate that cannot be held, a file, a URL, an option."""


class RuleViolation(DebateError):
    """The rules forbid this command in this state; nothing has changed."""


class NotAllowed(DebateError):
    """This link, code or cookie gives no access."""


class TooManyTries(NotAllowed):
    """Too many wrong codes or links from this address in the last minute."""


class TooMany(NotAllowed):
    """One client, or all together, have used up a quota."""


class SeatError(DebateError):
    """A seat could not answer. `error` is one of `spec.values.TurnError`."""

    error = "failed"


class SeatTimeout(SeatError):
    """The seat took longer than its deadline."""

    error = "timeout"


class BadReply(SeatError):
    """The seat answered with something other than the requested content."""

    error = "unparseable"


class Refused(SeatError):
    """The seat declined to answer."""

    error = "refused"


class StoreError(DebateError):
    """The record could not be read or written."""

    @property
    def is_for_operator(self) -> bool:
        """True if the sentence reveals where a store is, or what is wrong with it."""
        return not {"where", "path", "folder"}.isdisjoint(self.sentence.values)


class Conflict(StoreError):
    """Another writer appended first."""


class Leased(StoreError):
    """Another runner holds the lease of this debate, or it is lost. `free_in_s`: seconds until the lease expires.

    0 = unknown.
    """

    def __init__(self, template: str = "", /, *, free_in_s: float = 0, **values: object) -> None:
        self.free_in_s = free_in_s
        super().__init__(template, **values)


class UnknownDebate(StoreError):
    """No debate of this id in this store."""


class NewerRecord(StoreError):
    """The record was written by a newer version."""


class NotMigrated(StoreError):
    """The tables are missing or from an older version."""


class BrokenRecord(StoreError):
    """The record is unreadable, cut short or changed; `line` counts from 1."""

    def __init__(self, template: str, line: int, /, **values: object) -> None:
        super().__init__(template, **values)
        self.line = line


class Unwritable(StoreError):
    """The data folder cannot be written."""

    @property
    def is_for_operator(self) -> bool:
        """True for every sentence."""
        return True


class Busy(Unwritable):
    """Another process is writing and took longer than the timeout."""

    is_bad_input = False


class DiskFault(Unwritable):
    """The disk is full, or fails."""

    is_bad_input = False
