"""The question of a program, as recorded in the debate that a person started from it."""

from typing import Annotated

from pydantic import Field

from debate_core.spec.values import MAX_QUESTION_CHARS, Value


class AskedQuestion(Value):
    """A question as a program asked it; the people of the debate may have changed it since."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    """The id of the debate that answers it."""
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the canonical JSON of its question, options, context and deadline."""
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)]
    by: Annotated[str, Field(min_length=1, max_length=80)]
    """The name that the program gave itself; nothing proves it."""
    at: str
    """UTC text."""
    deadline: str = ""
    """UTC text: a later decision does not answer it. Empty = no deadline."""
