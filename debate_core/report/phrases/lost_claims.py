"""The share of claims for options that lost in a synthesis, in one sentence."""

from debate_core.language import _, _n
from debate_core.report.facts.account import Account
from debate_core.report.facts.lost_claims import lost_claims


def lost_claims_sentence(account: Account) -> str:
    """`Claims of options that lost: 2 of 9 appear in it.`; empty before the end and without a synthesis."""
    found = account.once(lost_claims)
    if found is None:
        return ""
    if found.appear is None:
        return _("Claims of options that lost: unknown, because no option was decided.")
    if not found.of:
        return _("Claims of options that lost: unknown, because no claim is known to support one.")
    return _n(
        found.appear,
        "Claims of options that lost: {n} of {of} appears in it.",
        "Claims of options that lost: {n} of {of} appear in it.",
        of=found.of,
    )
