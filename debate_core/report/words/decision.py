"""The decision of record as sentences for reports and as one object for JSON.

Knows no file format but JSON's values.
"""

from collections.abc import Iterator
from fractions import Fraction

from debate_core.engine.stage import final_decision, result_of
from debate_core.language import Words, _, _n, format_number, message, spoken_list
from debate_core.record.acts import Signed
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import number
from debate_core.report.facts.decision import (
    DISSENTS,
    RESULTS,
    Decision,
    Dissent,
    Later,
    Signature,
    SignatureVerdict,
    Who,
)
from debate_core.report.facts.terms import named
from debate_core.report.words.evidence import with_mark
from debate_core.report.words.outcome import final_words, outcome_sentence
from debate_core.spec.people import PollResult, poll_name, poll_words
from debate_core.spec.values import Json

CHANGES_FIRST = message("The changes come first: the decision stays proposed until it is signed with them.")


_SIGNED: Words[SignatureVerdict] = Words(
    {
        "accept": "{who} accepted {option}",
        "accept_with_changes": "{who} accepted {option} with changes",
        "reject": "{who} rejected the decision",
        "escalate": "{who} escalated the decision",
    }
)


def signed_words(who: str, verdict: SignatureVerdict, option: str | None) -> str:
    """`Kim Ader accepted Redis cluster`."""
    return _(_SIGNED.english(verdict), who=who, option=option or _("the result"))


def decision_sentences(account: Account) -> tuple[str, ...]:
    """What was signed, by whom, and who dissented; empty as long as nobody said anything on the decision."""
    return tuple(_decision_sentences(account))


def _decision_sentences(account: Account) -> Iterator[str]:
    decision = account.decision
    if decision.signed and decision.counted_by != "debaters":
        yield _("What decided by count: {count}", count=arithmetic(account))
    if decision.signed:
        yield _signature(decision, decision.signed)
    if decision.changes_asked:
        yield _(CHANGES_FIRST)
    for replaced in reversed(decision.earlier):
        yield _("Earlier signature, replaced: {signature}", signature=_signature(decision, replaced))
    for dissent in decision.dissents:
        by = dissent.by.name if dissent.by else _("without a name")
        yield f"{DISSENTS[dissent.kind]}, {by}: {dissent.text}"
    for later in decision.later:
        yield _later(later)


def _later(later: Later) -> str:
    """What became of a decision."""
    right = _(", right was {option}", option=later.option) if later.option else ""
    return _(
        "Later, {person} at {at}: {result}{right}: {reason}",
        person=_person(later.by),
        at=later.at,
        result=RESULTS[later.result],
        right=right,
        reason=later.reason,
    )


def _signature(decision: Decision, signature: Signature) -> str:
    word = signature.word
    differs = ""
    if signature.differs:
        counted = signature.counted or _("nothing")
        differs = _(
            "; {decider} says {counted}, and both values are kept", decider=named(decision.decider), counted=counted
        )
    act = _("{act} at {at}", act=signed_words(_person(signature.by), word.verdict, word.option), at=signature.at)
    return f"{act}{differs}{''.join(_fields(word))}."


def _fields(word: Signed) -> Iterator[str]:
    for label, text in (
        (_("changes"), word.changes),
        (_("reason"), word.reason),
        (_("owner"), word.owner),
        (_("confirmation"), word.confirmation),
        (_("revisit"), word.revisit),
        (_("to be informed"), ", ".join(name for name in word.informed if name.strip())),
    ):
        if text.strip():
            yield f"; {label}: {text}"


def _person(by: Who) -> str:
    return f"{by.name} ({named(by.role)})" if by.role else by.name


def decision_json(account: Account) -> dict[str, Json]:
    """Counted, signed, dissent and what became of it, each as it was given."""
    decision = account.decision
    earlier = [_signed_json(signature) for signature in decision.earlier]
    return {
        "status": decision.status,
        "option": decision.option,
        "counted": _counted_json(account),
        "signed": _signed_json(decision.signed),
        "earlier_signatures": earlier,
        "dissent": [_dissent_json(dissent) for dissent in decision.dissents],
        "outcomes": [_later_json(later) for later in decision.later],
    }


def _counted_json(account: Account) -> Json:
    decision = account.decision
    return {
        "option": decision.counted,
        "by": decision.seat_role or decision.counted_by,
        "pending": decision.pending,
        "ties": decision.ties,
        "sentence": arithmetic(account),
    }


def _signed_json(signature: Signature | None) -> Json:
    if signature is None:
        return None
    return {
        **signature.word.model_dump(mode="json"),
        "by": _who_json(signature.by),
        "at": signature.at,
        "event": signature.seq,
        "differs_from_count": signature.differs,
    }


def _dissent_json(dissent: Dissent) -> Json:
    return {"kind": dissent.kind, "text": dissent.text, "by": _who_json(dissent.by), "at": dissent.at}


def _later_json(later: Later) -> Json:
    by = _who_json(later.by)
    return {"result": later.result, "option": later.option, "reason": later.reason, "by": by, "at": later.at}


def _who_json(by: Who | None) -> Json:
    """None for whoever gave no name."""
    if by is None:
        return None
    return {"id": by.id, "name": by.name, "role": by.role}


def arithmetic(account: Account) -> str:
    """The count that decides, in one sentence with its numbers."""
    final = final_decision(account.state)
    if final.by == "debaters":
        return outcome_sentence(account)
    if final.pending:
        return _("The final vote of the {by} decides; it is not counted and revealed yet.", by=named(final.by))
    result = result_of(account.state, "final", final.by)
    if result is None:
        return _("The {by} decided nothing: nobody belongs to it.", by=named(final.by))
    return f"{_elected(account, result)}: {poll_points(result)}."


def _elected(account: Account, result: PollResult) -> str:
    if len(result.winners) == 1:
        return _(
            "The {electorate} elected {option}",
            electorate=named(result.electorate),
            option=with_mark(account, result.winners[0]),
        )
    if not result.quorum_met:
        return _("The {electorate} decided nothing, its quorum was not met", electorate=named(result.electorate))
    level = ""
    if result.winners:
        level = _(", {winners} stand level", winners=spoken_list(result.winners))
    return _("The {electorate} decided nothing{level}", electorate=named(result.electorate), level=level)


def poll_points(result: PollResult) -> str:
    """`adopt 2, defer 0 (2 of 3 ballots cast, 1 abstained, weight 3 of 4; rule plurality)`."""
    points = ", ".join(f"{each.option} {format_number(number(Fraction(each.points)))}" for each in result.points)
    abstained = _(", {abstained} abstained", abstained=result.abstained) if result.abstained else ""
    weight = ""
    if result.weight_eligible != result.eligible:
        weight = _(
            ", weight {weight_cast} of {weight_eligible}",
            weight_cast=result.weight_cast,
            weight_eligible=result.weight_eligible,
        )
    steps = "".join(
        _(", {step} left {left}", step=named(step.step), left=spoken_list(step.left)) for step in result.steps
    )
    cast = _n(
        result.eligible,
        "{cast} of {n} ballot cast{abstained}{weight}",
        "{cast} of {n} ballots cast{abstained}{weight}",
        cast=result.cast,
        abstained=abstained,
        weight=weight,
    )
    return _("{points} ({cast}; rule {rule}{steps})", points=points, cast=cast, rule=named(result.rule), steps=steps)


def tallies(account: Account) -> Iterator[tuple[str, str]]:
    """Every count that may be read, with its name: the debaters, then each electorate in each revealed poll."""
    state = account.state
    if state.counted and account.ruling.is_counted:
        yield "debaters", final_words(account)
    for poll in state.room.polls.values():
        results = poll.closed.fact.results if poll.closed and poll.revealed else ()
        for result in results:
            yield (
                _(
                    "{poll_name} of the {electorate}",
                    poll_name=named(poll_name(poll.id)),
                    electorate=named(result.electorate),
                ),
                poll_points(result),
            )


def missing_to_sign(account: Account) -> str:
    """What keeps everybody from signing, in one sentence; empty if a signature can be given."""
    state = account.state
    if state.outcome is None:
        return _("The debate goes on: it is signed when it is over.")
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
