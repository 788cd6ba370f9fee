"""The decision of a decision record: chosen option with its reason, consequences, confirmation.

A consequence is good or bad only by the marks of people on its claims; without marks it is just established.
"""

from debate_core.engine.reason_labels import ReasonLabel
from debate_core.language import _
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.files.adr.case import Case
from debate_core.report.files.document import Block, Paragraph, Quote, items
from debate_core.report.phrases.decision import arithmetic
from debate_core.report.phrases.decision_status import decision_status, nothing_words
from debate_core.report.phrases.marks import labelled_reason
from debate_core.report.phrases.recommendation import no_count_sentence, place_lines, ranked_by_sentence
from debate_core.report.phrases.who_decided import count_sentence
from debate_core.spec.contents import Linked
from debate_core.text import with_final_mark


def outcome(case: Case) -> list[Block]:
    """The chosen option with its reason, the changes asked for, and the ranked recommendation."""
    signed = case.decision.signed
    changes = signed.word.changes if signed else ""
    asked: list[Block] = [Paragraph(_("Accepted with these changes:")), Quote(case.names.text(changes))]
    option = case.decision.option
    words = f'"{case.say(option)}"' if option else _("none")
    because = _signed_reason(case) or _count_reason(case)
    chosen = [
        Paragraph(with_final_mark(_("Chosen option: {chosen}, because {because}", chosen=words, because=because)))
    ]
    return [*chosen, *(asked if changes.strip() else ()), *_recommendation(case)]


def _recommendation(case: Case) -> list[Block]:
    """The ranked recommendation, if one was agreed."""
    found = case.account.recommendation
    if found is None:
        return []
    words = _("Ranked recommendation. {ranked_by}", ranked_by=ranked_by_sentence(found))
    no_count = case.say(no_count_sentence(case.account))
    return [Paragraph(words), *items(map(case.say, place_lines(found))), Paragraph(no_count)]


def _signed_reason(case: Case) -> str:
    """The signer's reason as a clause; empty without one."""
    signed = case.decision.signed
    return case.clause(signed.word.reason) if signed and signed.word.reason.strip() else ""


def _count_reason(case: Case) -> str:
    """The numbers of the count, else the reason why it decided nothing, as a clause."""
    decision = case.decision
    sentence = ""
    if decision.counted is not None and decision.counted == decision.option:
        sentence = decision_status(case.account, with_cautions=False).line
    elif case.account.once(who_decided).standing == "undecided":
        sentence = nothing_words(case.account)
    sentence = sentence or count_sentence(case.account.once(who_decided)) or arithmetic(case.account)
    clause = case.say(sentence)
    result = case.account.ruling.result
    named = (decision.counted, *((*result.ties, *result.on_last_ballots) if result else ()))
    if any(clause.startswith(case.say(option)) for option in named if option):
        return clause
    return f"{clause[:1].lower()}{clause[1:]}"


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
        return _("Established: {text} ({rests})", text=case.say(established.text).rstrip("."), rests=rests)
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
