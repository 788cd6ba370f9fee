"""Answers of people to the quarterly proposals for the threshold of triage: notes of the store, one a quarter.

Each account has its own; those without an account, and accounts without an accepted one, use that of the server.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.host.stores import Store
from debate_core.record.events import utc_text
from debate_core.report.facts.decision_outcomes import quarter_of
from debate_core.report.facts.triage_threshold import ThresholdProposal
from debate_core.spec.advice import DOWNSIDE_TIMES
from debate_core.spec.protocol import read
from debate_core.spec.values import Line, Value

_KIND = "triage_threshold"


class ThresholdAnswer(Value):
    """The answer of a person to one proposal, with the outcomes that led to it."""

    quarter: str
    times: Annotated[int, Field(ge=1)]
    accepted: bool
    by: Annotated[str, Field(min_length=1, max_length=200)]
    """The id of an account, or a name."""
    at: str
    reason: Line = ""
    n: int
    corrected: int
    worsened: int


class TriageThresholds:
    """The thresholds of one store. `owner`: an account; empty = the server."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock

    def quarter(self) -> str:
        """The current quarter."""
        return quarter_of(utc_text(self._clock()))

    def answers(self, owner: str = "") -> tuple[ThresholdAnswer, ...]:
        """All answers, latest quarter first."""
        kept = self._store.notes(_kind_of(owner))
        return tuple(ThresholdAnswer.model_validate_json(kept[quarter]) for quarter in sorted(kept, reverse=True))

    def current(self, owner: str = "") -> int:
        """The threshold that advice uses: the last accepted one, else that of the server, else the published one."""
        accepted = [answer.times for answer in self.answers(owner) if answer.accepted]
        if accepted:
            return accepted[0]
        return self.current() if owner else DOWNSIDE_TIMES

    def answer(
        self, proposal: ThresholdProposal, *, accepted: bool, by: str, reason: str = "", owner: str = ""
    ) -> ThresholdAnswer:
        """Keep the answer to the proposal of its quarter. InvalidSpec without a proposal, or after another answer."""
        if proposal.times is None:
            raise InvalidSpec("the outcomes known in {quarter} lead to no proposal", quarter=proposal.quarter)
        counts = {"n": proposal.n, "corrected": proposal.corrected, "worsened": proposal.worsened}
        said = {"accepted": accepted, "by": by, "at": utc_text(self._clock()), "reason": reason}
        answer = read(ThresholdAnswer, {"quarter": proposal.quarter, "times": proposal.times, **said, **counts})
        if not self._store.add_note(_kind_of(owner), answer.quarter, answer.model_dump_json()):
            raise InvalidSpec("the proposal of {quarter} is answered already", quarter=answer.quarter)
        return answer


def _kind_of(owner: str) -> str:
    return f"{_KIND}/{owner}" if owner else _KIND
