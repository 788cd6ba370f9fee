"""Ids within a debate: turns, attempts at turns, claims. Records contain them as text with dots.

No part contains a dot, since names of phases and ids of seats have none. A seat's second turn in a phase has `~2` after
its id. All formatting and parsing of ids is in this module.
"""

from functools import lru_cache
from typing import NamedTuple

_AGAIN = "~"
TURN_PATTERN = r"[0-9]{1,4}\.[a-z][a-z0-9_]*\.[A-Za-z0-9_-]{1,40}(?:~(?:[2-9]|[1-9][0-9]{1,3}))?"
"""The text of a `TurnId`, for fields that people or clients write."""


class TurnId(NamedTuple):
    """A turn, independent of the attempt: `2.critique.risk`, or `2.critique.risk~2` for a second one in that phase."""

    round: int
    phase: str
    seat: str
    nth: int = 1
    """Number of this turn among those of the seat in this phase."""

    @classmethod
    def parse(cls, text: str) -> "TurnId":
        """Parse the text of a TurnId; ValueError if it is not one."""
        number, phase, speaker = _parts(text, 3)
        return cls(int(number), phase, *_seat_and_nth(speaker))

    def request_id(self, attempt: int) -> str:
        """The text of the `RequestId` of this attempt."""
        return f"{self}.{attempt}"

    def __str__(self) -> str:
        return f"{self.round}.{self.phase}.{_speaker(self.seat, self.nth)}"


class RequestId(NamedTuple):
    """One attempt at a turn: `2.critique.risk.1`."""

    round: int
    phase: str
    seat: str
    attempt: int
    nth: int = 1
    """Number of this turn among those of the seat in this phase."""

    @classmethod
    def parse(cls, text: str) -> "RequestId":
        """Parse the text of a RequestId; ValueError if it is not one."""
        return _request(text)

    @property
    def turn(self) -> TurnId:
        return TurnId(self.round, self.phase, self.seat, self.nth)

    def __str__(self) -> str:
        return self.turn.request_id(self.attempt)


ROOM = "room"
"""In place of a seat in the ids of facts that people wrote before the first vote: `room.0.3`."""


class ClaimId(NamedTuple):
    """A claim, numbered within its seat and round: `risk.2.3`."""

    seat: str
    round: int
    number: int

    @classmethod
    def parse(cls, text: str) -> "ClaimId":
        """Parse the text of a ClaimId; ValueError if it is not one."""
        seat, number, place = _parts(text, 3)
        return cls(seat, int(number), int(place))

    def __str__(self) -> str:
        return f"{self.seat}.{self.round}.{self.number}"


@lru_cache(maxsize=4096)
def _request(text: str) -> RequestId:
    """Parse an id once: each turn is looked up by it several times."""
    number, phase, speaker, attempt = _parts(text, 4)
    seat, nth = _seat_and_nth(speaker)
    return RequestId(int(number), phase, seat, int(attempt), nth)


def _speaker(seat: str, nth: int) -> str:
    return f"{seat}{_AGAIN}{nth}" if nth > 1 else seat


def _seat_and_nth(speaker: str) -> tuple[str, int]:
    seat, again, nth = speaker.partition(_AGAIN)
    if not again:
        return seat, 1
    number = int(nth)
    if number < 2 or nth != str(number):
        raise ValueError(f"{speaker[:80]!r} is no address of a seat")
    return seat, number


def _parts(text: str, count: int) -> list[str]:
    parts = text.split(".")
    if len(parts) != count:
        raise ValueError(f"{text[:80]!r} is no address of {count} parts")
    return parts
