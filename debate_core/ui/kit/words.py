"""Sentences about events, amounts and dates for the screens, in addition to those of the report.

Pure: returns plain text, which `safe_text` escapes for a screen. Knows neither Streamlit nor the reader.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from debate_core.engine.rights import ENGINE
from debate_core.language import Words, _, _n, format_number
from debate_core.record import events
from debate_core.record.acts import ROOM_KINDS
from debate_core.record.ids import RequestId
from debate_core.record.look_ups import LookedUp
from debate_core.report.facts.interventions import act_reason
from debate_core.report.facts.terms import named, recorded
from debate_core.report.phrases.costs import usd_words
from debate_core.report.phrases.ending import end_words
from debate_core.report.phrases.events import act_phrase
from debate_core.report.phrases.limits import raised_words
from debate_core.report.phrases.look_ups import look_up_words
from debate_core.report.phrases.marks import reading_words
from debate_core.report.phrases.outcome import tally_words
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.report.phrases.turns import another_round_words
from debate_core.spec import contents
from debate_core.spec.people import RoomRole
from debate_core.spec.protocol import Spec
from debate_core.spec.values import ASKED_ABOUT, TurnStatus, Usage, in_words

KIND_WORDS = Words(
    {
        "debate_opened": "opened",
        "phase_began": "next phase",
        "phase_ended": "phase ended",
        "stop_verdict": "stop function asked",
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
        "baselines_asked": "baselines requested",
        "baseline_held": "baseline answered",
        **{kind: in_words(kind) for kind in ROOM_KINDS},
    }
)
HEADS: Mapping[RoomRole, tuple[str, str]] = {
    "facilitator": ("{n} facilitator", "{n} facilitators"),
    "moderator": ("{n} moderator", "{n} moderators"),
    "debater": ("{n} debater", "{n} debaters"),
    "judge": ("{n} judge", "{n} judges"),
    "synthesiser": ("{n} synthesiser", "{n} synthesisers"),
    "approver": ("{n} approver", "{n} approvers"),
    "voter": ("{n} voter", "{n} voters"),
    "observer": ("{n} observer", "{n} observers"),
}
CONFIDENCE_WORDS: Words[str | None] = Words({"HIGH": "high", "MODERATE": "moderate", "LOW": "low", None: "unknown"})
FAILURE_WORDS: Words[TurnStatus] = Words(
    {
        "timeout": "ran out of time",
        "refused": "declined to answer",
        "cut": "was cut short",
        "unparseable": "answered in the wrong format",
        "failed": "failed",
        "weak": "stayed too weak by its own rating",
        "contradicts": "was asked to choose between its text and its ballot",
        "mismatch": "was asked for a deliverable that matches its schema",
    }
)
"""Descriptions of attempts without a turn."""


def _seat_names(ids: Sequence[str]) -> str:
    return ", ".join(map(in_words, ids))


def where_words(request_id: str) -> str:
    """Return `critique, round 2` for `2.critique.risk.1`."""
    request = RequestId.parse(request_id)
    return _("{phase}, round {round}", phase=named(request.phase), round=request.round)


def amount_words(tokens: int) -> str:
    """Return `840`, `12.4 k` or `3.1 M`, for places without room for every digit."""
    if tokens < 10_000:
        return format_number(tokens, ",")
    if tokens < 1_000_000:
        return f"{format_number(tokens / 1_000, '.1f')} k"
    return f"{format_number(tokens / 1_000_000, '.1f')} M"


def price_words(cost_usd: str | None) -> str:
    """Return `0.03 USD`; `cost_usd` is None if a price is unknown."""
    return _("price unknown") if cost_usd is None else usd_words(cost_usd)


def event_line(event: events.Event, names: Mapping[str, str] | None = None) -> str:
    """Describe an event in one sentence: actor, action, and reason if there is one. `names` of people by id."""
    body = event.body
    who = _("The program") if event.actor == ENGINE else (names or {}).get(event.actor, in_words(event.actor))
    match body:
        case events.DebateOpened():
            return f"{who} {_opening_words(body.spec)}"
        case events.PhaseBegan():
            return _(
                "Next: round {round}, {phase}; to speak: {seats}",
                round=body.round,
                phase=named(body.phase),
                seats=_seat_names(body.speakers),
            )
        case events.PhaseEnded():
            counted = _(". Votes of the seats: {tally}", tally=tally_words(body.tally)) if body.tally else ""
            return _(
                "Round {round}, {phase} ended{counted}", round=body.round, phase=named(body.phase), counted=counted
            )
        case events.StopVerdict():
            ends = _("ends the rounds") if body.holds else _("lets them go on")
            return _("After round {round} the function {name} {ends}", round=body.round, name=body.function, ends=ends)
        case events.Marked():
            return _(
                "{who} marked {claim_id}: {words}{because}",
                who=who,
                claim_id=body.mark.claim_id,
                words=reading_words(body.mark),
                because=_because(body.reason),
            )
        case events.Paused() | events.Resumed() | events.Stopped():
            return _halt_line(body, who)
        case events.LimitRaised():
            return _(
                "{who} raised the limits to {limits}{because}",
                who=who,
                limits=raised_words(body.to),
                because=_because(body.reason),
            )
        case events.DeadlinePassed():
            return _deadline_line(body)
        case events.Truncated():
            seat = in_words(RequestId.parse(body.request).seat)
            return _("A limit ({axis}) was reached before the turn of {seat}", axis=body.axis, seat=seat)
        case events.Closed():
            outcome = body.outcome
            return _(
                "Closed: {status}, {decision}; {end}",
                status=outcome.status,
                decision=outcome.decision,
                end=end_words(outcome),
            )
        case events.AttemptStarted() | LookedUp() | events.TurnTaken() | events.TurnFailed() | events.TurnSkipped():
            return _turn_line(body, who)
        case events.BaselinesAsked():
            return _("After the debate, the same question is asked without a debate")
        case events.BaselineHeld():
            return _baseline_line(body)
        case _:
            return f"{who} {act_phrase(body, names)}{_because(act_reason(body))}"


def rounds_end_line(body: events.Closed) -> str:
    """The end of the rounds where people vote after it: the count of the seats is advice."""
    outcome = body.outcome
    return _("The rounds ended; count of the seats, advice: {decision}", decision=outcome.decision)


def _baseline_line(body: events.BaselineHeld) -> str:
    return _n(
        body.calls,
        "After the debate, {n} answer was requested without it ({answered} received): {answer}",
        "After the debate, {n} answers were requested without it ({answered} received): {answer}",
        answered=sum(reply.error is None for reply in body.replies),
        answer=body.answer or _("no option"),
    )


def _halt_line(body: events.Paused | events.Resumed | events.Stopped, who: str) -> str:
    match body:
        case events.Paused(limit=events.LimitMet()):
            return _("The debate waits for the facilitator: {reason}", reason=recorded(body.reason))
        case events.Paused(unreached=True):
            return _("The debate waits: {reason}", reason=recorded(body.reason))
        case events.Paused():
            return _("{who} paused the debate{because}", who=who, because=_because(body.reason))
        case events.Resumed(gives_up=True):
            return _(
                "{who} resumed the debate without the unreachable seats{because}",
                who=who,
                because=_because(body.reason),
            )
        case events.Resumed():
            return _("{who} resumed the debate{because}", who=who, because=_because(body.reason))
        case events.Stopped():
            kept = (
                _n(len(body.partials), "; {n} partial text kept", "; {n} partial texts kept") if body.partials else ""
            )
            return _("{who} stopped the debate{because}{kept}", who=who, because=_because(body.reason), kept=kept)
        case _:
            assert_never(body)


def _compared_in(match: str | None) -> str:
    return f", {_('compared in the short debate {match}', match=match)}" if match else ""


def _because(reason: str) -> str:
    if not reason:
        return ""
    return _(", because: {reason}", reason=recorded(reason))


def _opening_words(spec: Spec) -> str:
    rehearsal = _(" as a rehearsal") if spec.rehearsal else ""
    return _(
        "opened the debate{rehearsal}: {question} Options: {options}. {protocol}, {seats}, up to {rounds}",
        rehearsal=rehearsal,
        question=spec.question,
        options=", ".join(spec.options),
        protocol=title_of(spec.protocol.name),
        seats=_n(len(spec.seats), "{n} seat", "{n} seats"),
        rounds=_n(spec.max_rounds, "{n} round", "{n} rounds"),
    )


def _turn_line(
    body: events.AttemptStarted | LookedUp | events.TurnTaken | events.TurnFailed | events.TurnSkipped, actor: str
) -> str:
    seat = in_words(RequestId.parse(body.request).seat)
    where = where_words(body.request)
    for_seat = "" if actor == seat else _(" for {seat}", seat=seat)
    match body:
        case LookedUp():
            return f"{actor} {look_up_words(body)}"
        case events.AttemptStarted():
            return _(
                "{seat} was asked for {where}{again}{reserved}{instructions}",
                seat=seat,
                where=where,
                again=_again(body.request),
                reserved=_reserved(body.reserved),
                instructions=_(", with instructions: {text}", text=body.instructions) if body.instructions else "",
            )
        case events.TurnTaken():
            return _(
                "{actor} gave {where}{for_seat}{content}",
                actor=actor,
                where=where,
                for_seat=for_seat,
                content=f"{_content_words(body.content)}{_compared_in(body.match)}",
            )
        case events.TurnFailed():
            if body.error in ASKED_ABOUT:
                return f"{seat} {FAILURE_WORDS[body.error]} ({where}){_because(body.message)}"
            failure = FAILURE_WORDS.get(body.error, in_words(body.error))
            why = f"{failure}{_because(body.message)}{_retry_words(body)}"
            return _(
                "{seat} gave no usable answer ({where}{again}): {why}",
                seat=seat,
                where=where,
                again=_again(body.request),
                why=why,
            )
        case events.TurnSkipped():
            return _(
                "{actor} skipped {where}{for_seat}{because}",
                actor=actor,
                where=where,
                for_seat=for_seat,
                because=_because(body.reason),
            )
        case _:
            assert_never(body)


def _deadline_line(body: events.DeadlinePassed) -> str:
    if not body.seats:
        return _("The time to wait for someone to resume the debate was over")
    return _("The time to wait for {waited} was over", waited=_seat_names(body.seats))


def _again(request_id: str) -> str:
    attempt = RequestId.parse(request_id).attempt
    if attempt == 1:
        return ""
    return _(", attempt {attempt}", attempt=attempt)


def _reserved(usage: Usage | None) -> str:
    if usage is None:
        return ""
    return _(
        "; reserved: at most {input_tokens:,} tokens, {cost}",
        input_tokens=usage.input_tokens + usage.output_tokens,
        cost=price_words(usage.cost_usd),
    )


def _retry_words(body: events.TurnFailed) -> str:
    kept = _("; the partial text is kept") if body.partial else ""
    if body.began:
        # The wait is not the server's, and another attempt can succeed.
        return kept
    if body.permanent:
        return _("; another attempt would fail, too{kept}", kept=kept)
    if body.retry_after_ms:
        return _(
            "; the server asked for a wait of {retry_after_ms} s{kept}",
            retry_after_ms=-(-body.retry_after_ms // 1000),
            kept=kept,
        )
    return kept


def _vote_words(argument: contents.Argument) -> str:
    if argument.vote:
        return _("; vote: {vote}", vote=argument.vote)
    return _("; a ballot on the options") if argument.ballot else ""


def _directive_words(directive: contents.Directive) -> str:
    if directive.redo:
        return _("; sent back to the moderator")
    done = _("; this round is the last") if directive.done else ""
    speakers = _seat_names(directive.next_speakers) or _("no one")
    return _("; to speak: {seats}{done}", seats=speakers, done=done)


def _content_words(content: contents.Content) -> str:
    match content:
        case contents.Argument():
            return f"{_vote_words(content)}; {_n(len(content.claims), '{n} claim', '{n} claims')}"
        case contents.Synthesis():
            names = _("; names {option}", option=content.option) if content.option else _("; names no option")
            recommended = content.recommend_another_round
            return names if recommended is None else f"{names}, {another_round_words(recommended=recommended)}"
        case contents.Verdict(option=None) | contents.Verdict(option=""):
            return _("; a mixture: names no option")
        case contents.Verdict():
            return _("; names {option}", option=content.option)
        case contents.Review():
            return f"; {_n(len(content.marks), '{n} mark', '{n} marks')}"
        case contents.Framing():
            return _("; criteria: {criteria}", criteria=len(content.criteria))
        case contents.Positions():
            return f"; {', '.join(p.name for p in content.positions)}"
        case contents.Candidates(kind="candidates"):
            return f"; {_n(len(content.candidates), '{n} candidate', '{n} candidates')}"
        case contents.Candidates():
            return _("; struck: {names}", names=", ".join(s.name for s in content.struck) or _("nothing"))
        case contents.Directive():
            return _directive_words(content)
        case contents.Evaluation():
            another = _("another round") if content.recommend_another_round else _("no further round")
            return _(
                "; {confidence_level} confidence, recommends {another}",
                confidence_level=CONFIDENCE_WORDS[content.confidence_level],
                another=another,
            )
        case contents.CruxAnswer(kind="decisive_claim"):
            return _("; a decisive claim") if content.decided_by else _("; no decisive claim")
        case contents.CruxAnswer():
            return f"; {_n(len(content.supposed), '{n} answer', '{n} answers')}"
        case contents.Premortem():
            return f"; {_n(len(content.reasons), '{n} reason', '{n} reasons')}"
        case _:
            assert_never(content)
