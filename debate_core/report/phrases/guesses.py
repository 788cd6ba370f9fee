"""Surprisingly popular options in sentences, which say that they are advice."""

from debate_core.language import _, _n, format_number
from debate_core.report.facts.account import Account
from debate_core.report.facts.guesses import MIN_GUESSES, GuessRow, guess_rows
from debate_core.report.phrases.voters import NAMES
from debate_core.spec.people import Electorate


def guess_sentences(account: Account, electorate: Electorate) -> tuple[str, ...]:
    """One sentence for each surprisingly popular option of one electorate, or why there is none; () without guesses."""
    rows = account.once(guess_rows, electorate)
    if not rows:
        return ()
    if rows[0].guesses < MIN_GUESSES:
        few = _n(
            rows[0].guesses,
            "Advice of the {electorate}, not counted: {n} guess is too few for surprisingly popular options; "
            "{least} are needed.",
            "Advice of the {electorate}, not counted: {n} guesses are too few for surprisingly popular options; "
            "{least} are needed.",
            electorate=NAMES[electorate],
            least=MIN_GUESSES,
        )
        return (few,)
    popular = tuple(
        _(
            "Advice of the {electorate}, not counted: {option} was chosen by {votes} of {ballots}; voters expected "
            "{expected}. It is surprisingly popular, by {guesses} guesses.",
            electorate=NAMES[row.electorate],
            option=row.option,
            votes=row.votes,
            ballots=row.ballots,
            expected=expected_words(row),
            guesses=row.guesses,
        )
        for row in rows
        if row.surprisingly_popular
    )
    if popular:
        return popular
    none = _(
        "Advice of the {electorate}, not counted: no option was chosen by more voters than expected.",
        electorate=NAMES[electorate],
    )
    return (none,)


def expected_words(row: GuessRow) -> str:
    """`2.1`; three decimals where one would round up to the votes; empty below `MIN_GUESSES`."""
    if row.expected is None:
        return ""
    is_close = abs(row.votes - row.expected) < 0.1
    return format_number(float(row.expected), ".3f" if is_close else ".1f")
