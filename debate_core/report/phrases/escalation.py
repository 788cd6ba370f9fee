"""The addressee of an unresolved outcome in sentences: as agreed before the start, and after the end."""

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.unresolved import unresolved
from debate_core.spec.protocol import Protocol


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
