"""Signed answers: the decision of a debate as one statement, which anyone checks offline with the public key.

A statement holds the question as asked, so that the answer to another question is refused, and the times of decision
and signature, so that a late or an old answer is refused.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from debate_core.errors import BrokenRecord
from debate_core.host.signatures import Signatures, is_signed, read_public_key
from debate_core.record.events import canonical, utc_text
from debate_core.report.facts.account import Account
from debate_core.report.facts.who_decided import WhoDecided
from debate_core.report.phrases.who_decided import count_sentence, decider_words
from debate_core.sentence import Sentence
from debate_core.spec.decode import Undecodable, decode_json
from debate_core.spec.values import AskedQuestion, Value
from debate_core.text import line

MAX_CLOCK_SKEW = timedelta(minutes=5)
# {"statement": ..., in the spelling of any JSON writer
_BEGINNING = re.compile(rb'\s*\{\s*"(?:statement|signature)"')
_UTC = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"


class AnswerStatement(Value):
    """The decision in force at `signed_at`, in words and with the hash of the record that it follows from."""

    kind: Literal["debate_answer"] = "debate_answer"
    format: Literal[1] = 1
    debate: str
    asked: AskedQuestion | None = None
    """The question of a program; None for a debate that people began."""
    question: str
    """As debated: the people may have changed it."""
    options: tuple[str, ...]
    outcome: str
    """The decided option."""
    decided_by: str
    """`The room`, or `Kim Ader, against the count`."""
    count: str
    """The counted result as a sentence."""
    signed_by: str = ""
    """The person who signed the decision; empty where no one had to."""
    decided_at: Annotated[str, Field(pattern=_UTC)]
    head: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """The hash of the last event of the record."""
    events: int
    signed_at: Annotated[str, Field(pattern=_UTC)]
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class SignedAnswer(Value):
    """A statement, and the Ed25519 signature of its canonical JSON in hex."""

    statement: AnswerStatement
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]


@dataclass(frozen=True, slots=True)
class Expected:
    """The demands on an answer: `asked`: id or digest of the question; `max_age_s`: None = any age."""

    key: str
    question: str | None = None
    asked: str | None = None
    max_age_s: int | None = None


def sign_answer(debate: Account, told: WhoDecided, signatures: Signatures, at: datetime) -> SignedAnswer:
    """Sign the decision in force. The caller makes sure that there is one and that everyone may read it."""
    state = debate.recorded
    statement = AnswerStatement(
        debate=state.debate,
        asked=state.spec.asked,
        question=state.spec.question,
        options=state.spec.options,
        outcome=told.option or "",
        decided_by=decider_words(told).who,
        count=count_sentence(told),
        signed_by=told.signed.by.name if told.signed else "",
        decided_at=debate.decision.at,
        head=state.head,
        events=state.version,
        signed_at=utc_text(at),
        key=signatures.public_key,
    )
    return SignedAnswer(statement=statement, signature=signatures.sign_text(_signed_text(statement)))


def _signed_text(statement: AnswerStatement) -> str:
    return canonical(statement.model_dump(mode="json", exclude_none=True))


def is_answer(data: bytes) -> bool:
    """True if a file begins like an answer, and not like a record."""
    return _BEGINNING.match(data) is not None


def check_answer(data: bytes, expected: Expected, *, at: datetime) -> AnswerStatement:
    """Check a signed answer; returns its statement.

    BrokenRecord in one sentence for an answer that is damaged, forged, late, too old, or of another question;
    InvalidSpec for a malformed key.
    """
    public = read_public_key(expected.key)
    answer = _read_answer(data)
    statement = answer.statement
    is_by_key = statement.key == expected.key.lower() and is_signed(public, _signed_text(statement), answer.signature)
    if not is_by_key:
        raise _refused("it was changed, or is not signed by this key")
    asked = statement.asked
    if expected.asked is not None and (asked is None or expected.asked not in (asked.id, asked.digest)):
        raise _refused("it answers another question than the one that was asked")
    if expected.question is not None and (asked.question if asked else statement.question) != expected.question:
        raise _refused("it answers another question: {other!r}", other=(asked or statement).question[:200])
    _refuse_untimely(statement, expected.max_age_s, at)
    return statement


def _refuse_untimely(statement: AnswerStatement, max_age_s: int | None, at: datetime) -> None:
    deadline = statement.asked.deadline if statement.asked else ""
    if deadline and statement.decided_at > deadline:
        raise _refused(
            "it was decided at {at}, after the deadline of the question, {deadline}",
            at=statement.decided_at,
            deadline=deadline,
        )
    if statement.signed_at > utc_text(at + MAX_CLOCK_SKEW):
        raise _refused("its signature is of {at}, which is in the future", at=statement.signed_at)
    if max_age_s is not None and statement.signed_at < utc_text(at - timedelta(seconds=max_age_s)):
        raise _refused("it was signed at {at}, more than {most:,} s ago", at=statement.signed_at, most=max_age_s)


def _read_answer(data: bytes) -> SignedAnswer:
    try:
        text = data.decode()
        decode_json(text)
        return SignedAnswer.model_validate_json(text, strict=True)
    except (UnicodeDecodeError, Undecodable) as error:
        raise _refused("it is damaged: {fault}", fault=error) from None
    except ValidationError as error:
        field = line(".".join(map(str, error.errors()[0]["loc"])))[:80]
        raise _refused("it is damaged, or not from this program: see {field!r}", field=field) from None


def _refused(why: str, **values: object) -> BrokenRecord:
    return BrokenRecord("this answer is refused: {why}", 1, why=Sentence(why, **values))
