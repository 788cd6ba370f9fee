"""Results of the quote check in words, and their meaning for the decision."""

from collections.abc import Sequence

from debate_core.engine.evidence import checked, rests_on
from debate_core.engine.quotes import QuoteCheck, QuoteVerdict
from debate_core.language import Words, _, _n, message, quoted, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimStatus
from debate_core.text import line

RESTS = message("rests on unverified quotes")
"""Mark of a decision that no other evidence supports."""
MAX_GAP_WORDS = 30
MAX_NAMED = 6

STATUS_WORDS: Words[ClaimStatus] = Words(
    {
        "established": "Agreed",
        "contested": "Contested",
        "unanswered": "Unanswered",
    }
)
VERDICT_WORDS: Words[QuoteVerdict] = Words(
    {
        "verbatim": "verbatim",
        "near": "near the source's words",
        "altered": "altered",
        "not_found": "not found in the source",
        "no_source": "not checkable",
    }
)


def quote_words(check: QuoteCheck) -> str:
    """`verbatim, without “under load”`."""
    return f"{VERDICT_WORDS[check.verdict]}{gap_words(check.left_out)}"


def gap_words(gaps: Sequence[str]) -> str:
    """`, without “under load”`: the words that the ellipses omit; empty if they omit none."""
    left_out = [quoted(_shorten(gap)) for gap in gaps if gap]
    return _(", without {left_out}", left_out=spoken_list(left_out)) if left_out else ""


def _shorten(gap: str) -> str:
    words = gap.split()
    if len(words) <= MAX_GAP_WORDS:
        return line(gap)
    half = MAX_GAP_WORDS // 2
    return line(
        _(
            "{beginning} … ({n_words} words) … {end}",
            beginning=" ".join(words[:half]),
            n_words=len(words),
            end=" ".join(words[-half:]),
        )
    )


def unverified_words(account: Account, *, with_ids: bool = True) -> str:
    """Warning about unverified quotes, with the ids of their claims; empty if there are none."""
    false = account.unverified_claims
    if not false:
        return ""
    ids = ""
    if with_ids:
        ids = f": {_list_first([f'{line(claim.id)} ({_verdict_words(account, claim.id)})' for claim in false])}"
    return _n(
        len(false),
        "{n} quote is not in its source{ids}. Such a claim supports nothing.",
        "{n} quotes are not in their sources{ids}. Such a claim supports nothing.",
        ids=ids,
    )


def _list_first(names: Sequence[str]) -> str:
    """The first `MAX_NAMED` names, and the number of the others."""
    first = ", ".join(names[:MAX_NAMED])
    more = len(names) - MAX_NAMED
    if more <= 0:
        return first
    return _("{names} and {more} more", names=first, more=more)


def with_mark(account: Account, option: str) -> str:
    """A winning option, marked if only unverified quotes support it."""
    if rests_on(account.state, option):
        return f"{option} ({_(RESTS)})"
    return option


def _verdict_words(account: Account, claim_id: str) -> str:
    check = checked(account.state.spec.sources, account.state.claims[claim_id])
    return _("there is no such source") if check.verdict == "no_source" else VERDICT_WORDS[check.verdict]


def rests_sentence(account: Account, *, with_ids: bool = True) -> str:
    """Warning that only unverified quotes support the decision; empty for every other decision."""
    false = account.winner_rests_on
    if not false:
        return ""
    ids = f" ({_list_first([line(claim.id) for claim in false])})" if with_ids else ""
    return _("The winner {rests}{ids}: no claim of those who chose it has other support.", rests=RESTS, ids=ids)
