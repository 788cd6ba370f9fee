"""Text said at a reading pace, for seats that know it beforehand. Called by the offline and the scripted seats."""

import asyncio

from debate_core.seats import OnText

TICK_S = 0.04


async def speak(on_text: OnText, request: str, text: str, pace_cps: int) -> None:
    """Stream the text at `pace_cps` characters per second; 0 = at once."""
    step = max(1, round(pace_cps * TICK_S))
    if pace_cps > 0:
        for end in range(step, len(text), step):
            on_text(request, text[:end])
            await asyncio.sleep(step / pace_cps)
    on_text(request, text)
