"""A reason for the option that most of the others chose, so that a reader of a decision hears the minority, too."""

from debate_core.engine.stage import speaker_name
from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.vote_bars import OptionBar, deciding_bars
from debate_core.report.phrases.names import claim_name, in_names
from debate_core.text import first_words

MAX_WORDS = 30
"""Words of the claim, which a screen shows in a line or two."""


def minority_reason(account: Account) -> tuple[str, str] | None:
    """`Another view, from a seat for B` and `“It needs no code.” (data platform, claim 3)`; None without one."""
    others = _other_bars(account)
    return _reason_for(account, max(others, key=lambda bar: bar.has)) if others else None


def _other_bars(account: Account) -> list[OptionBar]:
    """The other options with votes, if everybody's votes are counted and an option was decided for."""
    bars = deciding_bars(account)
    option = account.decision.option
    if account.state.outcome is None or option is None:
        return []
    if bars is None or bars.is_sealed or not bars.counts_everybody:
        return []
    return [bar for bar in bars.bars if bar.has and bar.option != option]


def _reason_for(account: Account, bar: OptionBar) -> tuple[str, str] | None:
    """The reason for this option that most people marked, else the first claim of a seat that chose it."""
    for reason in account.once(option_reasons)[bar.option]:
        if reason.side in ("for", "said"):
            row = reason.row
            who, claim = speaker_name(account.state, row.seat), claim_name(account, row.claim_id)
            text = first_words(in_names(account, row.claim), MAX_WORDS)
            is_marked = reason.side == "for"
            label = (
                _("Another view, a reason for {option}", option=bar.option)
                if is_marked
                else _("Another view, from a seat for {option}", option=bar.option)
            )
            return label, _("“{text}” ({who}, {claim})", text=text, who=who, claim=claim)
    return None
