"""Faults of one attempt to deliver a message, as values; the page of messages has the sentences."""

from dataclasses import dataclass
from typing import Literal

FaultReason = Literal["inside", "late", "connection", "redirect", "status", "login", "no_tls", "no_channel", "broken"]
"""The detail of each is a host, seconds, the error of the system, a status, a status, nothing, a host, nothing,
the kind of an error in this program."""


@dataclass(frozen=True, slots=True)
class DeliveryFault:
    """An attempt that failed. `permanent`: another one would fail as well; `wait_s`: the receiver asks to wait."""

    reason: FaultReason
    detail: str = ""
    permanent: bool = False
    wait_s: float = 0
