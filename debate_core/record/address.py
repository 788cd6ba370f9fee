"""Addresses within a debate: which turn, which attempt at it, which claim. Records have them as text with dots.

No part holds a dot itself: the names of phases and the ids of seats have none. Here alone the text is made and read.
"""

from typing import NamedTuple


class TurnId(NamedTuple):
    """A turn, whichever attempt gave it: `2.critique.risk`."""

    round: int
    phase: str
    seat: str

    @classmethod
    def parse(cls, text: str) -> "TurnId":
        """ValueError if it is not the address of a turn."""
        number, phase, seat = _parts(text, 3)
        return cls(int(number), phase, seat)

    def __str__(self) -> str:
        return f"{self.round}.{self.phase}.{self.seat}"


class RequestId(NamedTuple):
    """One attempt at a turn: `2.critique.risk.1`."""

    round: int
    phase: str
    seat: str
    attempt: int

    @classmethod
    def parse(cls, text: str) -> "RequestId":
        """ValueError if it is not the address of an attempt."""
        number, phase, seat, attempt = _parts(text, 4)
        return cls(int(number), phase, seat, int(attempt))

    @property
    def turn(self) -> TurnId:
        """The turn that this is an attempt at."""
        return TurnId(self.round, self.phase, self.seat)

    def __str__(self) -> str:
        return f"{self.round}.{self.phase}.{self.seat}.{self.attempt}"


class ClaimId(NamedTuple):
    """A claim, numbered within its seat and round: `risk.2.3`."""

    seat: str
    round: int
    number: int

    @classmethod
    def parse(cls, text: str) -> "ClaimId":
        """ValueError if it is not the address of a claim."""
        seat, number, place = _parts(text, 3)
        return cls(seat, int(number), int(place))

    def __str__(self) -> str:
        return f"{self.seat}.{self.round}.{self.number}"


def _parts(text: str, count: int) -> list[str]:
    parts = text.split(".")
    if len(parts) != count:
        raise ValueError(f"{text[:80]!r} is no address of {count} parts")
    return parts
