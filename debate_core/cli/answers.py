"""`verify` of a signed answer: offline, with the public key of the server that signed it."""

from argparse import Namespace
from collections.abc import Iterator

from debate_core.cli.terminal import answer, say
from debate_core.errors import BrokenRecord, InvalidSpec
from debate_core.host.agents.answers import AnswerStatement, Expected, check_answer
from debate_core.host.runner import now
from debate_core.text import line

MAX_AGE_S = 366 * 86_400


def verify_answer(flags: Namespace, data: bytes) -> bool:
    """Check an answer against the key, the question and the age of the flags; False and a sentence if it is refused."""
    if flags.signatures is not None:
        raise InvalidSpec(f"{flags.record} is a signed answer: --signatures is for a record")
    if flags.key is None:
        raise InvalidSpec(f"{flags.record} is a signed answer: give the key of its server with --key")
    if flags.max_age_s is not None and flags.max_age_s > MAX_AGE_S:
        raise InvalidSpec(f"--max-age-s must be at most {MAX_AGE_S}")
    expected = Expected(flags.key, flags.question, flags.asked, flags.max_age_s)
    try:
        statement = check_answer(data, expected, at=now())
    except BrokenRecord as error:
        answer(flags, {"ok": False, "answer": flags.record, "finding": str(error)}, "")
        say(f"{flags.record}: {error}")
        return False
    said = {"ok": True, "answer": flags.record, "statement": statement.model_dump(mode="json", exclude_none=True)}
    answer(flags, said, "".join(f"{words}\n" for words in _describe(flags, statement)))
    return True


def _describe(flags: Namespace, statement: AnswerStatement) -> Iterator[str]:
    yield f"{flags.record} is valid: {line(statement.question)} {line(statement.outcome)}"
    signed = f"; signed by {line(statement.signed_by)}" if statement.signed_by else ""
    yield f"decided by: {line(statement.decided_by)}{signed}; at {statement.decided_at}. {line(statement.count)}"
    asked = statement.asked
    if asked is None:
        yield "no program asked this question"
    elif asked.question == statement.question:
        yield f"asked by {line(asked.by)} at {asked.at}, as {asked.id}"
    else:
        yield f"asked by {line(asked.by)} at {asked.at}, as {asked.id}, in other words: {line(asked.question)}"
    if flags.asked is None and flags.question is None:
        yield "not compared with a question: name it with --asked or --question"
    yield f"record of {statement.events} events, head {statement.head}; signed at {statement.signed_at}"


def refuse_answer_flags(flags: Namespace) -> None:
    """Raise InvalidSpec for flags of an answer that are given for a record."""
    given = {"--asked": flags.asked, "--question": flags.question, "--max-age-s": flags.max_age_s}
    names = ", ".join(name for name, value in given.items() if value is not None)
    if names:
        raise InvalidSpec(f"{flags.record} is no signed answer: {names} only for one")
