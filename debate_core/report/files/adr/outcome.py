"""The decision of a decision record: what was chosen and why, what follows from it, and how it will be checked.

Whether a consequence is good or bad is never guessed: people have marked the claims behind it, or it is only said that
it was established.
"""

from debate_core.language import _
from debate_core.report.facts.decision import Decision, Signature
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.reason_labels import ReasonLabel
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.files.adr.case import Case
from debate_core.report.files.document import Block, Paragraph, Quote, items
from debate_core.report.words.decision import CHANGES_FIRST, arithmetic
from debate_core.report.words.decision_status import decision_status
from debate_core.report.words.marks import labelled_reason
from debate_core.report.words.who_decided import count_sentence, decided_sentence, no_person_sentence
from debate_core.spec.contents import Linked


def outcome(case: Case) -> list[Block]:
    """The chosen option with its reason, the decider, the count, and a note if no person voted."""
    signed = case.decision.signed
    chosen = _option_words(case, case.decision.option, _("none"))
    because = _reason_signed(case) or _numbers(case) or _why_none(case)
    name = case.who(signed.by.id) if signed else ""
    blocks = [
        Paragraph(_("Chosen option: {chosen}, because {because}", chosen=chosen, because=because)),
        Paragraph(case.say(decided_sentence(case.account, name=name))),
        Paragraph(_("Count: {count}", count=case.say(arithmetic(case.account)))),
    ]
    if of_no_person := no_person_sentence(case.account):
        blocks.append(Paragraph(of_no_person))
    return [*blocks, *(_signed(case, signed) if signed else [Paragraph(_unsigned(case.decision))])]


def _signed(case: Case, signed: Signature) -> list[Block]:
    """What a signature adds: that it differs from the count, the changes it asks for, that it escalates."""
    decision = case.decision
    blocks = list[Block]()
    if signed.differs:
        blocks.append(Paragraph(_both(case)))
    if signed.word.changes.strip():
        blocks += [Paragraph(_("Accepted with these changes:")), Quote(case.names.text(signed.word.changes))]
    if decision.changes_asked:
        blocks.append(Paragraph(_(CHANGES_FIRST)))
    if signed.word.verdict == "escalate":
        blocks.append(Paragraph(_("Escalated: it stays proposed until somebody with the mandate signs.")))
    return blocks


def _both(case: Case) -> str:
    """What was counted, or what a seat named, and what was signed instead."""
    decision = case.decision
    chosen = _option_words(case, decision.option, _("none"))
    counted = _option_words(case, decision.counted, _("nothing"))
    if decision.seat_role:
        return _(
            "Named by {decider}: {option}. Signed: {chosen}. Both stand in the record.",
            decider=named(decision.decider),
            option=counted,
            chosen=chosen,
        )
    return _("Counted: {counted}. Signed: {chosen}. Both stand in the record.", counted=counted, chosen=chosen)


def _reason_signed(case: Case) -> str:
    """The reason of whoever signed; empty where none was given."""
    signed = case.decision.signed
    if signed is None or not signed.word.reason.strip():
        return ""
    return case.clause(signed.word.reason)


def _numbers(case: Case) -> str:
    """`3 of 4 voters chose it. 3 were needed.`; empty unless what holds is what was counted."""
    decision = case.decision
    if decision.counted is None or decision.counted != decision.option:
        return ""
    return _within(case.say(decision_status(case.account, with_cautions=False).line))


def _why_none(case: Case) -> str:
    """Reason why the count decided nothing, or what it waits for."""
    return _within(case.say(count_sentence(case.account.once(who_decided)) or arithmetic(case.account)))


def _within(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}"


def _option_words(case: Case, option: str | None, otherwise: str) -> str:
    return f'"{case.say(option)}"' if option else otherwise


def _unsigned(decision: Decision) -> str:
    if decision.counted is None:
        return _(
            "Proposed: {decider} decides nothing, so somebody has to, and nobody has signed yet.",
            decider=named(decision.decider),
        )
    return _("Proposed: nobody has signed this decision yet.")


def consequences(case: Case) -> list[Block]:
    """What the synthesis calls established. Good or bad only where people's marks on its claims say so."""
    synthesis = case.account.standing
    option = case.decision.option
    if synthesis is None or option is None:
        return []
    return items(_consequence(case, established, option) for established in synthesis.content.established)


def _consequence(case: Case, established: Linked, option: str) -> str:
    rests = _("rests on no claim")
    if established.links:
        rests = _("rests on {claims}", claims=case.say(", ".join(established.links)))
    side = _side(case, established, option)
    if side is None:
        return _("Established: {text} ({rests})", text=case.say(established.text), rests=rests)
    return f"{labelled_reason(side, case.within(established.text))} ({rests})"


def _side(case: Case, established: Linked, option: str) -> ReasonLabel | None:
    """Known only if people read all the claims behind it in the same way."""
    sides = {reason.row.claim_id: reason.side for reason in case.account.once(option_reasons)[option]}
    readings = {sides.get(link) for link in established.links}
    if readings == {"for"}:
        return "good"
    return "bad" if readings == {"against"} else None


def confirmation(case: Case) -> list[Block]:
    """How it will be checked, as signed."""
    signed = case.decision.signed
    if signed is None or not signed.word.confirmation.strip():
        return []
    return [Quote(case.names.text(signed.word.confirmation))]
