"""Time that passes only where a runner waits with nobody answering: hours of back-off take no time of a test."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta


@dataclass
class VirtualTime:
    """Hand `clock` and `sleep` to a runner."""

    at: datetime = field(default=datetime(2026, 1, 1, tzinfo=UTC))

    def clock(self) -> datetime:
        """Now."""
        return self.at

    async def sleep(self, seconds: float) -> None:
        """It is later."""
        self.at += timedelta(seconds=seconds)
        await asyncio.sleep(0)


@dataclass
class Outage:
    """Begins when it is first looked at, and lasts so many seconds of this time."""

    time: VirtualTime
    seconds: float
    began: datetime | None = None

    def lasts(self) -> bool:
        """True until it is over."""
        self.began = self.began or self.time.at
        return self.time.at < self.began + timedelta(seconds=self.seconds)
