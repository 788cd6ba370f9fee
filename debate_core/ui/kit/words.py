"""What the screens say about a debate beside the report's sentences: the phases as a line, each event as a sentence.

Pure: takes values and gives plain text that is not yet made safe for a screen (`safe_text` does that). Knows
neither streamlit nor who is reading.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from debate_core.record.acts import ROOM_KINDS
from debate_core.record.address import RequestId
from debate_core.record.events import (
    AttemptStarted,
    Closed,
    DeadlinePassed,
    DebateOpened,
    Event,
    LimitMet,
    LimitRaised,
    Marked,
    Paused,
    PhaseBegan,
    PhaseEnded,
    Resumed,
    Stopped,
    Truncated,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
)
from debate_core.report.facts.interventions import act_reason
from debate_core.report.words.costs import usd_words
from debate_core.report.words.events import act_phrase
from debate_core.report.words.outcome import end_words, raised_words, tally_words
from debate_core.spec.contents import (
    Argument,
    Content,
    Directive,
    Evaluation,
    Framing,
    Positions,
    Review,
    Synthesis,
    Verdict,
)
from debate_core.spec.protocol import Spec
from debate_core.spec.values import TurnStatus, Usage, in_words
from debate_core.text import plural
from debate_core.ui.kit.protocol_words import title_of

KIND_WORDS = {
    "debate_opened": "opened",
    "phase_began": "phase began",
    "phase_ended": "phase ended",
    "attempt_started": "asked",
    "turn_taken": "turn given",
    "turn_failed": "turn failed",
    "turn_skipped": "turn skipped",
    "marked": "marked",
    "paused": "paused",
    "resumed": "resumed",
    "stopped": "stopped",
    "limit_raised": "limit raised",
    "deadline_passed": "deadline passed",
    "truncated": "limit reached",
    "closed": "closed",
    **{kind: in_words(kind) for kind in ROOM_KINDS},
}
FAILURE_WORDS: dict[TurnStatus, str] = {
    "timeout": "ran out of time",
    "refused": "declined to answer",
    "cut": "was cut short",
    "unparseable": "gave something other than was asked",
    "failed": "failed",
    "weak": "stayed too weak by its own rating",
    "contradicts": "was asked which it holds, its text or its ballot",
}
"""What became of an attempt that gave no turn."""


def _seats(ids: Sequence[str]) -> str:
    return ", ".join(map(in_words, ids))


def where_words(request_id: str) -> str:
    """`2.critique.risk.1` -> `critique, round 2`."""
    request = RequestId.parse(request_id)
    return f"{in_words(request.phase)}, round {request.round}"


def amount_words(tokens: int) -> str:
    """`840`, `12.4 k`, `3.1 M`: for places too small for every digit."""
    if tokens < 10_000:
        return f"{tokens:,}"
    return f"{tokens / 1_000:.1f} k" if tokens < 1_000_000 else f"{tokens / 1_000_000:.1f} M"


def event_line(event: Event, names: Mapping[str, str] | None = None) -> str:
    """One event as one sentence: who did what, and why if a reason was given. `names` of people by their id."""
    body = event.body
    who = (names or {}).get(event.actor, in_words(event.actor))
    match body:
        case DebateOpened():
            return f"{who} {_opened(body.spec)}"
        case PhaseBegan():
            return f"Round {body.round}, {in_words(body.phase)} began; to speak: {_seats(body.speakers)}"
        case PhaseEnded():
            counted = f"; counted: {tally_words(body.tally)}" if body.tally else ""
            return f"Round {body.round}, {in_words(body.phase)} ended{counted}"
        case Marked():
            return f"{who} marked {body.mark.claim_id}: {body.mark.words()}{_because(body.reason)}"
        case Paused(limit=LimitMet()):
            return f"The debate waits for whoever leads: {body.reason}"
        case Paused(unreached=True):
            return f"The debate waits: {body.reason}"
        case Paused():
            return f"{who} paused the debate{_because(body.reason)}"
        case Resumed(gives_up=True):
            return f"{who} let the debate go on without those who could not be reached{_because(body.reason)}"
        case Resumed():
            return f"{who} let the debate go on{_because(body.reason)}"
        case Stopped():
            kept = f"; {plural(len(body.partials), 'partial text')} kept" if body.partials else ""
            return f"{who} stopped the debate{_because(body.reason)}{kept}"
        case LimitRaised():
            return f"{who} raised the limits to {raised_words(body.to)}{_because(body.reason)}"
        case DeadlinePassed():
            waited = _seats(body.seats) or "somebody to let the debate go on"
            return f"The time to wait for {waited} was over"
        case Truncated():
            seat = in_words(RequestId.parse(body.request).seat)
            return f"A limit ({body.axis}) was reached before {seat} could be asked"
        case Closed():
            outcome = body.outcome
            return f"Closed: {outcome.status}, {outcome.decision}; {end_words(outcome)}"
        case AttemptStarted() | TurnTaken() | TurnFailed() | TurnSkipped():
            return _turn_line(body, who)
        case _:
            return f"{who} {act_phrase(body, names)}{_because(act_reason(body))}"


def _because(reason: str) -> str:
    return f", because: {reason}" if reason else ""


def _opened(spec: Spec) -> str:
    rehearsal = " as a rehearsal" if spec.rehearsal else ""
    return (
        f"opened the debate{rehearsal}: {spec.question} Options: {', '.join(spec.options)}. "
        f"{title_of(spec.protocol.name)}, {plural(len(spec.seats), 'seat')}, up to {plural(spec.max_rounds, 'round')}"
    )


def _turn_line(body: AttemptStarted | TurnTaken | TurnFailed | TurnSkipped, actor: str) -> str:
    seat, where = in_words(RequestId.parse(body.request).seat), where_words(body.request)
    for_seat = "" if actor == seat else f" for {seat}"
    match body:
        case AttemptStarted():
            return f"{seat} was asked for {where}{_again(body.request)}{_reserved(body.reserved)}"
        case TurnTaken():
            return f"{actor} gave {where}{for_seat}{_content_words(body.content)}"
        case TurnFailed():
            if body.error == "contradicts":
                return f"{seat} {FAILURE_WORDS[body.error]} ({where}){_because(body.message)}"
            why = f"{FAILURE_WORDS.get(body.error, in_words(body.error))}{_because(body.message)}{_what_follows(body)}"
            return f"{seat} gave no usable answer ({where}{_again(body.request)}): {why}"
        case TurnSkipped():
            return f"{actor} skipped {where}{for_seat}{_because(body.reason)}"
        case _:
            assert_never(body)


def _again(request_id: str) -> str:
    attempt = RequestId.parse(request_id).attempt
    return "" if attempt == 1 else f", attempt {attempt}"


def _reserved(usage: Usage | None) -> str:
    if usage is None:
        return ""
    cost = "price unknown" if usage.cost_usd is None else usd_words(usage.cost_usd)
    return f"; reserved: at most {usage.input_tokens + usage.output_tokens:,} tokens, {cost}"


def _what_follows(body: TurnFailed) -> str:
    kept = "; the partial text is kept" if body.partial else ""
    if body.permanent:
        return f"; asking again would give the same{kept}"
    if body.retry_after_ms:
        return f"; the server asked for a wait of {-(-body.retry_after_ms // 1000)} s{kept}"
    return kept


def _vote_words(content: Argument) -> str:
    if content.vote:
        return f"; vote: {content.vote}"
    return "; a ballot on the options" if content.ballot else ""


def _content_words(content: Content) -> str:
    match content:
        case Argument():
            return f"{_vote_words(content)}; {plural(len(content.claims), 'claim')}"
        case Synthesis():
            return f"; names {content.option}" if content.option else "; names no option"
        case Review():
            return f"; {plural(len(content.marks), 'mark')}"
        case Framing():
            return f"; criteria: {len(content.criteria)}"
        case Positions():
            return f"; {', '.join(p.name for p in content.positions)}"
        case Directive(redo=True):
            return "; sent back to the moderator"
        case Directive():
            done = "; this round is the last" if content.done else ""
            return f"; to speak: {_seats(content.next_speakers) or 'nobody'}{done}"
        case Evaluation():
            another = "another round" if content.recommend_another_round else "no further round"
            return f"; {content.confidence_level or 'unknown'} confidence, recommends {another}"
        case Verdict():
            return f"; names {content.option}" if content.option else "; a mixture: names no option"
        case _:
            assert_never(content)
