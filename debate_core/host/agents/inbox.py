"""The inbox: questions that programs asked, until a person starts a debate from one or declines it.

A question is a note beside the records and costs nothing: no seat is asked and no model is called. The debate that a
person starts from it gets the id of the question, so that a question leads to at most one debate.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Annotated

from pydantic import Field

from debate_core.errors import InvalidSpec, TooMany
from debate_core.host.random_ids import new_debate_id
from debate_core.host.stores import Store
from debate_core.names import visible_name, without_unseen
from debate_core.record.events import canonical, utc_text
from debate_core.sentence import Sentence
from debate_core.spec.presets import EXPERT_PANEL, compose, default_seats
from debate_core.spec.protocol import read
from debate_core.spec.values import MAX_QUESTION_CHARS, MAX_TEXT_CHARS, AskedQuestion, Line, Source, Text, Value
from debate_core.text import line, plain

MAX_ASKED_OPTIONS = 8
"""As many as set-up has fields for."""
MAX_OPTION_CHARS = 200
MAX_DEADLINE = timedelta(days=366)
MAX_NAME_CHARS = 80
_WAITING, _CLOSED, _PER_DAY = "question", "question-closed", "questions-of-day"
_UNNAMED = "an unnamed program"


class Declined(Value):
    """The refusal of a question by a person."""

    reason: Annotated[str, Field(min_length=1, max_length=2_000)]
    by: str
    at: str


class InboxQuestion(Value):
    """A question in the inbox, as asked."""

    asked: AskedQuestion
    options: tuple[Line, ...]
    context: Text = ""
    declined: Declined | None = None
    token: str = ""
    """Id of the access token with which it was asked; empty = by the command `mcp`."""

    def sources(self) -> tuple[Source, ...]:
        """Its context as a document of the debate, which prompts fence like every document; () without one."""
        if not self.context:
            return ()
        return (Source(id="E1", title=f"Context given by {self.asked.by}", text=self.context),)


def question_digest(question: str, options: Sequence[str], context: str, deadline: str) -> str:
    """SHA-256 of the canonical JSON of a question; `deadline` is UTC text."""
    asked = {"question": question, "options": list(options), "context": context, "deadline": deadline}
    return hashlib.sha256(canonical(asked).encode()).hexdigest()


class Inbox:
    """The questions of one store. `daily`: the maximum of new ones in a day (UTC), by each token and without one."""

    def __init__(self, store: Store, *, clock: Callable[[], datetime], daily: int) -> None:
        self._store = store
        self._clock = clock
        self._daily = daily

    def ask(
        self,
        question: str,
        options: Sequence[str],
        *,
        context: str = "",
        deadline: str = "",
        by: str = "",
        token: str = "",
    ) -> InboxQuestion:
        """Keep a question. `deadline`: a date, valid to its end (UTC), or a time with its zone; empty = none.

        InvalidSpec explains a fault; TooMany if the places of this day are taken. A refused question leaves no trace.
        """
        now = self._clock()
        until = _read_deadline(deadline, now)
        _refuse_unfit(question, options, context)
        asked_by = visible_name(by)[:MAX_NAME_CHARS].strip() or _UNNAMED
        asked = read(
            AskedQuestion,
            {
                "id": new_debate_id(),
                "digest": question_digest(question, options, context, until),
                "question": question,
                "by": asked_by,
                "at": utc_text(now),
                "deadline": until,
            },
        )
        kept = read(InboxQuestion, {"asked": asked, "options": tuple(options), "context": context, "token": token})
        self._count(asked.id, token, now)
        self._store.put_note(_WAITING, asked.id, kept.model_dump_json())
        return kept

    def find(self, question_id: str) -> InboxQuestion | None:
        """The question of this id, in any state."""
        text = self._store.note(_CLOSED, question_id) or self._store.note(_WAITING, question_id)
        return InboxQuestion.model_validate_json(text) if text else None

    def waiting(self) -> tuple[InboxQuestion, ...]:
        """The questions that a person can start or decline, latest first."""
        texts = self._store.notes(_WAITING)
        if not texts:
            return ()
        started = self._store.debates()
        found = [InboxQuestion.model_validate_json(text) for name, text in texts.items() if name not in started]
        return tuple(one for one in found if one.declined is None and not self.is_expired(one))

    def is_expired(self, question: InboxQuestion) -> bool:
        """True after its deadline."""
        return bool(question.asked.deadline) and utc_text(self._clock()) > question.asked.deadline

    def decline(self, question_id: str, *, reason: str, by: str) -> None:
        """Decline a question. InvalidSpec without a reason, or if it no longer waits."""
        if not visible_name(reason):
            raise InvalidSpec("write the reason: the program that asked gets it as its answer")
        waits = next((one for one in self.waiting() if one.asked.id == question_id), None)
        if waits is None:
            raise _no_longer_waits()
        said = read(Declined, {"reason": reason.strip(), "by": by, "at": utc_text(self._clock())})
        if not self._store.add_note(
            _CLOSED, question_id, waits.model_copy(update={"declined": said}).model_dump_json()
        ):
            raise _no_longer_waits()
        self._store.drop_note(_WAITING, question_id)

    def refuse_closed(self, asked: AskedQuestion) -> None:
        """Raise InvalidSpec unless a debate can be started from this question now."""
        if not any(one.asked == asked for one in self.waiting()):
            raise _no_longer_waits()

    def take_out(self, question_id: str) -> None:
        """Take a question out of the list: a debate was started from it, or it has expired."""
        if text := self._store.note(_WAITING, question_id):
            self._store.add_note(_CLOSED, question_id, text)
            self._store.drop_note(_WAITING, question_id)

    def _count(self, question_id: str, token: str, now: datetime) -> None:
        """Take one of the places of this day. TooMany if all are taken."""
        day = now.date().isoformat()
        kept = self._store.notes(_PER_DAY)
        if not any(place.startswith(day) for place in kept):
            self._tidy(day)
        # Other processes may take a place at the same time; each has one winner.
        own = f"{day} {token} " if token else f"{day} "
        taken = sum(place.startswith(own) and place.removeprefix(own).isdigit() for place in kept)
        for number in range(taken, self._daily):
            if self._store.add_note(_PER_DAY, f"{own}{number}", question_id):
                return
        raise TooMany(
            "this server takes {most} questions of programs in a day, and has them: ask tomorrow (UTC), or let its "
            "operator raise DEBATE_DAILY_QUESTIONS",
            most=self._daily,
        )

    def _tidy(self, today: str) -> None:
        """Delete the places of earlier days, and take expired questions out of the list."""
        for place in self._store.notes(_PER_DAY):
            if place < today:
                self._store.drop_note(_PER_DAY, place)
        for question_id, text in self._store.notes(_WAITING).items():
            if self.is_expired(InboxQuestion.model_validate_json(text)):
                self.take_out(question_id)


def _no_longer_waits() -> InvalidSpec:
    return InvalidSpec(
        "this question no longer waits in the inbox: a debate was started from it, it was declined, or its deadline "
        "has passed"
    )


def _read_deadline(text: str, now: datetime) -> str:
    """The deadline as UTC text; empty without one."""
    given = line(text)
    if not given:
        return ""
    try:
        # 2027-01-15, or 2027-01-15T12:00Z
        is_day = re.fullmatch(r"\d{4}-\d\d-\d\d", given) is not None
        at = datetime.fromisoformat(given)
        until = datetime.combine(at, time.max, UTC) if is_day else at.astimezone(UTC)
    except (ValueError, OverflowError):
        at = None
    if at is None or (at.tzinfo is None and not is_day):
        raise InvalidSpec(
            "the deadline {deadline!r} is no date, as in 2027-01-15, and no time with its zone, as in "
            "2027-01-15T12:00Z",
            deadline=given[:40],
        )
    if not now < until <= now + MAX_DEADLINE:
        raise InvalidSpec(
            "the deadline {deadline} is not in the future and within {days} days",
            deadline=given[:40],
            days=MAX_DEADLINE.days,
        )
    return utc_text(until)


def _refuse_unfit(question: str, options: Sequence[str], context: str) -> None:
    """Raise InvalidSpec for a question that no debate could be started from."""
    _refuse_long(Sentence("the question"), question, MAX_QUESTION_CHARS)
    _refuse_long(Sentence("the context"), context, MAX_TEXT_CHARS)
    if not 2 <= len(options) <= MAX_ASKED_OPTIONS:
        raise InvalidSpec(
            "a question has 2 to {most} options, this one has {n_options}",
            most=MAX_ASKED_OPTIONS,
            n_options=len(options),
        )
    for option in options:
        _refuse_long(Sentence("an option"), option, MAX_OPTION_CHARS)
    if line(question) != question or without_unseen(question) != question:
        raise InvalidSpec(
            "the question has line ends, blanks at an end or in a row, or characters that cannot be seen: write it as "
            "one line"
        )
    for option in options:
        if line(option) != option:
            raise InvalidSpec("option {option!r} is not one line without blanks around it", option=option)
    # Joiners stay: emoji and some scripts need them.
    if plain(context) != context or any(0xD800 <= ord(char) < 0xE000 for char in context):
        raise InvalidSpec("the context has control characters, direction marks or CR line ends: send it as plain text")
    # The checks of every debate: empty, repeated and confusable names.
    compose(question, options, EXPERT_PANEL, default_seats(EXPERT_PANEL, question, options, "offline"))


def _refuse_long(what: Sentence, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidSpec("{what} has {has:,} characters: at most {most:,} fit", what=what, has=len(text), most=most)
