"""The crux of a vote in sentences: the result if a claim were false, and the smallest sets that change it."""

from collections.abc import Iterator, Sequence

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Options
from debate_core.engine.count.crux import Supposition
from debate_core.language import _, _n, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import counted_words
from debate_core.report.facts.crux import VOTERS, Crux, CruxRow, crux_of
from debate_core.report.facts.vote_bars import Voters

MAX_SETS = 3
"""Limit on the sets of voters that one sentence lists."""


def crux_sentences(account: Account, electorate: Voters) -> tuple[str, ...]:
    """Sentences on the crux of the last vote of one electorate; () if there is none."""
    found = account.once(crux_of, electorate)
    if found is None:
        return ()
    claims = [claim_sentence(row) for row in found.rows if row.supposed]
    return (*claims, *_of_sets(found), *_of_voters(found), *_not_asked(found))


def crux_headline(account: Account) -> str:
    """The sentence on the most named claim in the deciding electorate, for a wall; "" without a crux."""
    decides = account.state.spec.terms.decides
    # What seats that only advise would do is no headline.
    headlines = [electorate for electorate in VOTERS if electorate != "debaters" or decides == "debaters"]
    order = sorted(headlines, key=lambda electorate: electorate != decides)
    return next((said[0] for electorate in order if (said := crux_sentences(account, electorate))), "")


def claim_sentence(row: CruxRow) -> str:
    """`If claim 4 is false, 5 of 12 switch and B wins. No one has checked claim 4.`"""
    if row.supposed is None:
        return ""
    sentence = _n(
        row.supposed.switched,
        "If claim {number} is false, {n} of {of} switches and {result}.",
        "If claim {number} is false, {n} of {of} switch and {result}.",
        number=row.number,
        of=row.ballots,
        result=supposed_words(row.supposed),
    )
    parts = [sentence]
    if row.unanswered:
        parts.append(_("No answer from {seats}.", seats=spoken_list(row.unanswered)))
    elif row.supposed.unknown and row.electorate != "debaters":
        parts.append(_n(row.supposed.unknown, "{n} did not answer.", "{n} did not answer."))
    if not row.checked:
        parts.append(_("No one has checked claim {number}.", number=row.number))
    return " ".join(parts)


def supposed_words(supposed: Supposition) -> str:
    """`B wins`, `the result stays`, `the result is unknown`."""
    if supposed.flips is None:
        return _("the result is unknown")
    if not supposed.flips:
        return _("the result stays")
    results = supposed.results or ()
    return _("another result follows") if len(results) != 1 else winners_words(results[0])


def winners_words(winners: Options) -> str:
    """`B wins`, `A and B tie`, `no option wins`."""
    if not winners:
        return _("no option wins")
    if len(winners) == 1:
        return _("{option} wins", option=winners[0])
    return _("{options} tie", options=spoken_list(winners))


def _of_sets(found: Crux) -> Iterator[str]:
    numbers = {row.claim_id: str(row.number) for row in found.rows}
    for one in found.claims.sets:
        if len(one.claims) > 1:
            yield _(
                "Only together: if claims {numbers} are false, {result}.",
                numbers=spoken_list([numbers[claim] for claim in one.claims]),
                result=supposed_words(one),
            )
    if not found.claims.sets and found.claims.exact:
        yield _("No set of these claims changes the result.")


def _not_asked(found: Crux) -> Iterator[str]:
    if found.not_asked:
        yield _n(
            len(found.not_asked),
            "{seats} quotes without a model and was not asked: its answer is unknown.",
            "{seats} quote without a model and were not asked: their answers are unknown.",
            seats=spoken_list(found.not_asked),
        )


def _of_voters(found: Crux) -> Iterator[str]:
    size, sets = found.voters.size, found.voters.sets
    if size is None:
        return
    if sets is None:
        yield _n(
            size,
            "{n} other ballot can change the result; which ones, was not searched beyond {bound} counts.",
            "{n} other ballots can change the result; which ones, was not searched beyond {bound} counts.",
            bound=found.counts,
        )
        return
    rows = [_set_words(found, row) for row in sets[:MAX_SETS]]
    if len(sets) > MAX_SETS:
        rows.append(_n(len(sets) - MAX_SETS, "{n} other group", "{n} other groups"))
    yield _n(
        size,
        "{n} other ballot can change the result: {groups}.",
        "{n} other ballots can change the result: {groups}.",
        groups="; ".join(rows),
    )


def _set_words(found: Crux, row: Sequence[tuple[BallotCounted, int]]) -> str:
    """`2 for adopt and 1 without a ballot`."""
    parts = []
    for ballot, number in row:
        if ballot in found.count.ballots:
            said = counted_words(found.count.kind, ballot)
            parts.append(_("{number} with the ballot {ballot}", number=number, ballot=said))
        else:
            parts.append(_("{number} without a ballot", number=number))
    return spoken_list(parts)
