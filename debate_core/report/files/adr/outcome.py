"""The decision of a decision record: chosen option with its reason, consequences, confirmation.

A consequence is good or bad only by the marks of people on its claims; without marks it is just established.
"""

from debate_core.engine.reason_labels import ReasonLabel
from debate_core.language import _
from debate_core.report.facts.decision import Decision, Signature
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.files.adr.case import Case
from debate_core.report.files.document import Block, Paragraph, Quote, items
from debate_core.report.phrases.decision import CHANGES_FIRST, arithmetic
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.escalation import escalation_sentence
from debate_core.report.phrases.marks import labelled_reason
from debate_core.report.phrases.recommendation import no_count_sentence, place_lines, ranked_by_sentence
from debate_core.report.phrases.who_decided import count_sentence, decided_sentence, no_person_sentence
from debate_core.spec.contents import Linked


def outcome(case: Case) -> list[Block]:
    """The chosen option with its reason, the decider, the count, the addressee of open points, and a note."""
    signed = case.decision.signed
    chosen = _option_words(case, case.decision.option, _("none"))
    name = case.who(signed.by.id) if signed else ""
    blocks = [
        Paragraph(_("Chosen option: {chosen}, because {because}", chosen=chosen, because=_reason(case))),
        Paragraph(case.say(decided_sentence(case.account, name=name))),
        Paragraph(_("Count: {count}", count=case.say(arithmetic(case.account)))),
    ]
    if goes_to := escalation_sentence(case.account):
        blocks.append(Paragraph(case.say(goes_to)))
    if of_no_person := no_person_sentence(case.account):
        blocks.append(Paragraph(of_no_person))
    signature = _signature_blocks(case, signed) if signed else [Paragraph(_unsigned(case.decision))]
    return [*blocks, *signature, *_recommendation(case)]


def _recommendation(case: Case) -> list[Block]:
    """The ranked recommendation, if one was agreed."""
    found = case.account.recommendation
    if found is None:
        return []
    words = _("Ranked recommendation. {ranked_by}", ranked_by=ranked_by_sentence(found))
    no_count = case.say(no_count_sentence(case.account))
    return [Paragraph(words), *items(map(case.say, place_lines(found))), Paragraph(no_count)]


def _signature_blocks(case: Case, signed: Signature) -> list[Block]:
    """Difference from the count, requested changes, escalation."""
    decision = case.decision
    blocks = list[Block]()
    if signed.differs:
        blocks.append(Paragraph(_both_values(case)))
    if signed.word.changes.strip():
        blocks += [Paragraph(_("Accepted with these changes:")), Quote(case.names.text(signed.word.changes))]
    if decision.changes_asked:
        blocks.append(Paragraph(_(CHANGES_FIRST)))
    if signed.word.verdict == "escalate":
        blocks.append(Paragraph(_("Escalated: it stays proposed until someone with the mandate signs.")))
    return blocks


def _both_values(case: Case) -> str:
    """The counted or named option, and the signed one."""
    decision = case.decision
    chosen = _option_words(case, decision.option, _("none"))
    counted = _option_words(case, decision.counted, _("nothing"))
    if decision.seat_role:
        return _(
            "Named by {decider}: {option}. Signed: {chosen}. The record keeps both.",
            decider=named(decision.decider),
            option=counted,
            chosen=chosen,
        )
    return _("Counted: {counted}. Signed: {chosen}. The record keeps both.", counted=counted, chosen=chosen)


def _reason(case: Case) -> str:
    """The signer's reason, else the numbers of the count, else the reason why it decided nothing, as a clause."""
    decision = case.decision
    if decision.signed is not None and decision.signed.word.reason.strip():
        return case.clause(decision.signed.word.reason)
    sentence = ""
    if decision.counted is not None and decision.counted == decision.option:
        sentence = decision_status(case.account, with_cautions=False).line
    sentence = sentence or count_sentence(case.account.once(who_decided)) or arithmetic(case.account)
    clause = case.say(sentence)
    return f"{clause[:1].lower()}{clause[1:]}"


def _option_words(case: Case, option: str | None, otherwise: str) -> str:
    return f'"{case.say(option)}"' if option else otherwise


def _unsigned(decision: Decision) -> str:
    if decision.counted is None:
        return _(
            "Proposed: {decider} decided nothing, so a person must decide. Not signed yet.",
            decider=named(decision.decider),
        )
    return _("Proposed: this decision is not signed yet.")


def consequences(case: Case) -> list[Block]:
    """Established points of the synthesis; good or bad only by marks of people on their claims."""
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
    """`good` or `bad` if people read all its claims in the same way."""
    sides = {reason.row.claim_id: reason.side for reason in case.account.once(option_reasons)[option]}
    readings = {sides.get(link) for link in established.links}
    if readings == {"for"}:
        return "good"
    return "bad" if readings == {"against"} else None


def confirmation(case: Case) -> list[Block]:
    """The signed way to confirm the decision."""
    signed = case.decision.signed
    if signed is None or not signed.word.confirmation.strip():
        return []
    return [Quote(case.names.text(signed.word.confirmation))]
