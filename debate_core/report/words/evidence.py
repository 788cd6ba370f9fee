"""What code found of quotes: for each how it stands to its source, and what that means for the decision."""

from collections.abc import Sequence

from debate_core.engine.evidence import checked, rests_on
from debate_core.engine.quotes import QuoteCheck, QuoteVerdict
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimStatus
from debate_core.text import line

RESTS = message("rests on unverified quotes")
"""What stands beside a decision for which nothing else speaks, wherever it is told."""
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
    """`, without “under load”`: what the ellipses leave out; empty if they leave out nothing."""
    left_out = [f"“{_shortened(gap)}”" for gap in gaps if gap]
    if not left_out:
        return ""
    return _(", without {left_out}", left_out=spoken_list(left_out))


def _shortened(gap: str) -> str:
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
    """What has to be known of quotes at once; empty if every quote stands in its source. Ids tell who speaks."""
    false = account.unverified_claims
    if not false:
        return ""
    each = [f"{line(claim.id)} ({_state_of(account, claim.id)})" for claim in false]
    ids = f": {_listed(each)}" if with_ids else ""
    return _n(
        len(false),
        "{n} quote without a source that says so{ids}. Such a claim supports nothing.",
        "{n} quotes without a source that says so{ids}. Such a claim supports nothing.",
        ids=ids,
    )


def _listed(names: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    first = ", ".join(names[:MAX_NAMED])
    more = len(names) - MAX_NAMED
    if more <= 0:
        return first
    return _("{names} and {more} more", names=first, more=more)


def with_mark(account: Account, option: str) -> str:
    """An option that wins, with what has to be said where nothing but unverified quotes speaks for it."""
    if rests_on(account.state, option):
        return f"{option} ({_(RESTS)})"
    return option


def _state_of(account: Account, claim_id: str) -> str:
    check = checked(account.state.spec.sources, account.state.claims[claim_id])
    if check.verdict == "no_source":
        return _("there is no such source")
    return VERDICT_WORDS[check.verdict]


def rests_sentence(account: Account, *, with_ids: bool = True) -> str:
    """What a decision stands on for which nothing but unverified quotes speaks; empty for every other one."""
    false = account.winner_rests_on
    if not false:
        return ""
    named = f" ({_listed([line(claim.id) for claim in false])})" if with_ids else ""
    return _("What wins {rests}{named}: no claim of those who chose it has another support.", rests=RESTS, named=named)
