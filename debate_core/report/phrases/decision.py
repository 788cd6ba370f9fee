"""The decision of record: sentences for reports, and one object for JSON."""

from collections.abc import Callable, Iterator
from functools import partial

from debate_core.engine.stage import count_of_poll, final_decision, result_of
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.record.acts import Assumption, Signed
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import as_recorded, number
from debate_core.report.facts.decision import (
    DISSENTS,
    RESULTS,
    REVERSIBILITIES,
    Challenge,
    Later,
    Signature,
    SignatureVerdict,
    Who,
)
from debate_core.report.facts.polls import most_first, revealed_results
from debate_core.report.facts.terms import named
from debate_core.report.facts.unresolved import unresolved
from debate_core.report.phrases.counts import points_words, stand_words
from debate_core.report.phrases.evidence import with_mark
from debate_core.report.phrases.names import in_names, mentions
from debate_core.report.phrases.outcome import final_words, obstacle_words, outcome_sentence
from debate_core.report.phrases.rules import STEP_NAMES
from debate_core.report.phrases.voters import NAMES
from debate_core.spec.people import PollResult, poll_words, vote_name
from debate_core.spec.protocol import Protocol
from debate_core.spec.tripwires import check_text
from debate_core.spec.values import Json
from debate_core.text import whole_sentence, with_final_mark

CHANGES_FIRST = message("The changes come first: the decision stays proposed until it is signed with them.")


_SIGNED: Words[SignatureVerdict] = Words(
    {
        "accept": "{who} accepted {option}",
        "accept_with_changes": "{who} accepted {option} with changes",
        "reject": "{who} rejected the decision",
        "escalate": "{who} escalated the decision",
    }
)


SIGNED_BY: Words[SignatureVerdict] = Words(
    {
        "accept": "Accepted by",
        "accept_with_changes": "Accepted with changes by",
        "reject": "Rejected by",
        "escalate": "Escalated by",
    }
)
"""Label before the name of the signer."""


def signed_words(who: str, verdict: SignatureVerdict, option: str | None) -> str:
    """`Kim Ader accepted Redis cluster`."""
    return _(_SIGNED.english(verdict), who=who, option=option or _("the result"))


def decision_sentences(account: Account) -> tuple[str, ...]:
    """Signatures, dissent and later outcomes, in this order; empty without any."""
    return tuple(_decision_sentences(account))


def _decision_sentences(account: Account) -> Iterator[str]:
    decision = account.decision
    if decision.signed and decision.counted_by != "debaters":
        yield _("Deciding count: {count}", count=arithmetic(account))
    if decision.signed:
        yield _signature(account, decision.signed)
    if decision.changes_asked:
        yield _(CHANGES_FIRST)
    for replaced in reversed(decision.earlier):
        yield _("Earlier signature, replaced: {signature}", signature=_signature(account, replaced))
    for dissent in decision.dissents:
        by = dissent.by.name if dissent.by else _("without a name")
        yield f"{DISSENTS[dissent.kind]}, {by}: {dissent.text}"
    for later in decision.later:
        right = _(", right was {option}", option=later.option) if later.option else ""
        yield _(
            "Later, {person} at {at}: {result}{right}: {reason}",
            person=name_and_role(later.by),
            at=later.at,
            result=RESULTS[later.result],
            right=right,
            reason=later.reason,
        )


def _signature(account: Account, signature: Signature) -> str:
    signed = signature.word
    differs = ""
    if signature.differs:
        counted = signature.counted or _("nothing")
        differs = _(
            "; {decider} says {counted}, and both values are kept",
            decider=named(account.decision.decider),
            counted=counted,
        )
    who = name_and_role(signature.by)
    act = _("{act} at {at}", act=signed_words(who, signed.verdict, signed.option), at=signature.at)
    return f"{act}{differs}{''.join(_signed_fields(account, signed))}."


def _signed_fields(account: Account, signed: Signed) -> Iterator[str]:
    in_words = partial(in_names, account)
    assumptions = assumptions_words(signed, in_words)
    for label, text in (
        (_("changes"), signed.changes),
        (_("reason"), signed.reason),
        (_("owner"), signed.owner),
        (_("confirmation"), signed.confirmation),
        (_("revisit"), signed.revisit),
        (_("to be informed"), ", ".join(name for name in signed.informed if name.strip())),
        (_("affects"), ", ".join(part for part in signed.affects if part.strip())),
        (_("reversibility"), reversibility_words(signed)),
        (_("assumptions"), ", ".join(assumptions)),
    ):
        if text.strip():
            yield f"; {label}: {text}"


def reversibility_words(signed: Signed) -> str:
    """`easy to reverse`; empty if the approver did not say."""
    return REVERSIBILITIES[signed.reversibility] if signed.reversibility else ""


def assumptions_words(signed: Signed, in_words: Callable[[str], str]) -> list[str]:
    """Each assumption of a signature; one item if the approver said that there is none."""
    if signed.assumes_nothing:
        return [_("none: it rests on nothing that can change")]
    return [assumption_words(assumption, in_words) for assumption in signed.assumptions]


def assumption_words(assumption: Assumption, in_words: Callable[[str], str]) -> str:
    """`Load stays below 2,000 orders a minute (claim 4; watched by Ana)`. `in_words` names claims in a text."""
    text = in_words(assumption.text)
    claim = in_words(assumption.claim_id) if assumption.claim_id else ""
    known = [claim] if claim and not mentions(text, claim) else []
    if assumption.watched_by.strip():
        known.append(_("watched by {who}", who=in_words(assumption.watched_by)))
    if assumption.check is not None:
        known.append(_("check: {check}", check=in_words(check_text(assumption.check))))
    return f"{text} ({'; '.join(known)})" if known else text


def since_sentences(account: Account) -> Iterator[str]:
    """Sentences on the fate of the decision in force: its recorded outcome, if known, and broken assumptions."""
    decision = account.decision
    latest = decision.latest_outcome
    if latest is not None and latest.result != "unknown":
        yield _("{day}: {result}.", day=latest.at[:10], result=RESULTS[latest.result])
        yield whole_sentence(latest.reason)
        yield _("Right was: {option}.", option=latest.option) if latest.option else ""
    for challenge in decision.challenges:
        yield challenge_sentence(challenge)


def challenge_sentence(challenge: Challenge) -> str:
    """The assumption that broke since the signature, and how the server knows."""
    return _(
        "The decision is challenged: “{assumption}” no longer holds. {reason}",
        assumption=challenge.assumption.text,
        reason=with_final_mark(challenge.reason),
    )


def name_and_role(by: Who) -> str:
    """`Kim Ader (approver)`; the name alone without a role."""
    return f"{by.name} ({named(by.role)})" if by.role else by.name


def decision_json(account: Account) -> dict[str, Json]:
    """Count, signatures, dissent and later outcomes, each with its fields."""
    decision = account.decision
    counted: Json = {
        "option": decision.counted,
        "by": decision.seat_role or decision.counted_by,
        "pending": decision.pending,
        "ties": decision.ties,
        "sentence": arithmetic(account),
    }
    signed = _signed_json(decision.signed) if decision.signed else None
    earlier = [_signed_json(signature) for signature in decision.earlier]
    return {
        "status": decision.status,
        "option": decision.option,
        "counted": counted,
        "signed": signed,
        "earlier_signatures": earlier,
        "dissent": [
            {"kind": dissent.kind, "text": dissent.text, "by": _who_json(dissent.by), "at": dissent.at}
            for dissent in decision.dissents
        ],
        "outcomes": [_later_json(later) for later in decision.later],
    }


def _signed_json(signature: Signature) -> Json:
    return {
        **signature.word.model_dump(mode="json"),
        "by": _who_json(signature.by),
        "at": signature.at,
        "event": signature.seq,
        "differs_from_count": signature.differs,
    }


def _later_json(later: Later) -> Json:
    by = _who_json(later.by)
    return {"result": later.result, "option": later.option, "reason": later.reason, "by": by, "at": later.at}


def _who_json(by: Who | None) -> Json:
    return {"id": by.id, "name": by.name, "role": by.role} if by else None


def arithmetic(account: Account) -> str:
    """The deciding count in one sentence with its numbers."""
    final = final_decision(account.state)
    if final.by == "debaters":
        return outcome_sentence(account)
    if final.pending:
        return _("The final vote of the {by} decides; it is not counted and revealed yet.", by=NAMES[final.by])
    result = result_of(account.state, "final", final.by)
    if result is None:
        return _("The {by} decided nothing: there are no voters.", by=NAMES[final.by])
    mark = ":" if len(result.winners) == 1 else "."
    points = poll_points(account.state, "final", result)
    return f"{elected_words(account, result)}{mark} {points}."


def elected_words(account: Account, result: PollResult) -> str:
    """`The room elected adopt`, or the reason why its final vote decided nothing."""
    electorate = NAMES[result.electorate]
    if len(result.winners) == 1:
        option = with_mark(account, result.winners[0])
        return _("The {electorate} elected {option}", electorate=electorate, option=option)
    count = count_of_poll(account.state, account.state.room.polls["final"], result.electorate)
    why = obstacle_words(count.rule, as_recorded(count.result(), result))
    return _("The {electorate} decided nothing: {why}", electorate=electorate, why=why)


def poll_points(state: State, poll: str, result: PollResult) -> str:
    """`adopt 2, defer 0 (2 of 3 ballots cast, weight 3 of 4, 1 abstained)`; no points if no one voted."""
    has = {option: number(points) for option, points in most_first(state, result).items()}
    count = count_of_poll(state, state.room.polls[poll], result.electorate)
    points = ", ".join(
        f"{option} {points_words(each, has.values())}{stand_words(count, option)}" for option, each in has.items()
    )
    abstained = _(", {abstained} abstained", abstained=result.abstained) if result.abstained else ""
    weight = ""
    if result.weight_eligible != result.eligible:
        weight = _(
            ", weight {weight_cast} of {weight_eligible}",
            weight_cast=result.weight_cast,
            weight_eligible=result.weight_eligible,
        )
    steps = ""
    if result.steps and len(result.winners) == 1:
        step = STEP_NAMES[result.steps[-1].step]
        steps = _(", tie-break by {step}: {left}", step=step, left=result.winners[0])
    cast = _n(
        result.eligible,
        "{cast} of {n} ballot cast{weight}{abstained}",
        "{cast} of {n} ballots cast{weight}{abstained}",
        cast=result.cast,
        abstained=abstained,
        weight=weight,
    )
    if not result.cast:
        return cast
    return _("{points} ({cast}{steps})", points=points, cast=cast, steps=steps)


def tallies(account: Account) -> Iterator[tuple[str, str]]:
    """Name and result of every count that may be read: the debaters, then each electorate in each revealed poll."""
    state = account.state
    if state.counted and account.ruling.is_counted:
        yield named("debaters"), final_words(account)
    for poll, result in revealed_results(state):
        yield named(vote_name(poll.id, result.electorate)), poll_points(state, poll.id, result)


def missing_to_sign(account: Account) -> str:
    """The obstacle to a signature, in one sentence; empty if a signature can be given."""
    state = account.state
    if state.outcome is None:
        return _("The debate is still running: it can be signed after the end.")
    hidden = [poll.id for poll in state.room.polls.values() if poll.closed is None or not poll.revealed]
    if final_decision(state).pending and "final" not in state.room.polls:
        hidden.append("final")
    if not hidden:
        return ""
    votes = spoken_list([named(poll_words(poll)) for poll in hidden])
    return _n(
        len(hidden),
        "Not yet: {votes} is not counted and revealed.",
        "Not yet: {votes} are not counted and revealed.",
        votes=votes,
    )


def agreed_escalation(protocol: Protocol) -> str:
    """`If nothing is decided, the open points go to the board, due on 2027-01-15.`; empty without an addressee."""
    escalation = protocol.escalation
    if escalation is None:
        return ""
    if escalation.by is None:
        return _("If nothing is decided, the open points go to {to}.", to=escalation.to)
    return _("If nothing is decided, the open points go to {to}, due on {by}.", to=escalation.to, by=escalation.by)


def escalation_sentence(account: Account) -> str:
    """`The open points go to the board, due on 2027-01-15.`; empty if decided, or without an addressee."""
    found = account.once(unresolved)
    if found is None or found.escalation is None:
        return ""
    escalation = found.escalation
    if escalation.by is None:
        return _("The open points go to {to}.", to=escalation.to)
    return _("The open points go to {to}, due on {by}.", to=escalation.to, by=escalation.by)
