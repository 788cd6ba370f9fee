"""Documents that only some seats read, in sentences: what rested on each one, and what each one could have shown."""

from collections.abc import Callable, Iterator, Sequence

from debate_core.language import _, _n, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.source_claims import SourceClaims, source_claims
from debate_core.spec.values import Source, in_words
from debate_core.text import capitalized, line

Say = Callable[[str], str]


def readers_words(source: Source, seat: Say = in_words) -> str:
    """`Read only by ann and ben until the end`; empty for a document for all."""
    if source.only_for is None:
        return ""
    return _("Read only by {readers} until the end", readers=_named(source.only_for, seat))


def private_source_sentences(account: Account, seat: Say = in_words, say: Say = line) -> tuple[str, ...]:
    """For each document of some seats: who could read it, who quoted it, and whether the decision rests on it."""
    rows = [row for row in account.once(source_claims) if row.source.only_for]
    return tuple(" ".join(_of_private(row, seat, say)) for row in rows)


def _of_private(row: SourceClaims, seat: Say, say: Say) -> Iterator[str]:
    yield _(
        "Of the seats, only {readers} could read “{title}”.",
        readers=_named(row.source.only_for or (), seat),
        title=say(row.source.title),
    )
    if not row.claims:
        yield _("It was never quoted, so no other seat knew it.")
    else:
        seats = _named(row.seats, seat)
        yield _n(len(row.claims), "{n} claim quotes it, by {seats}.", "{n} claims quote it, by {seats}.", seats=seats)
        yield from _carried(row)
    if row.false_quotes:
        yield _n(row.false_quotes, "{n} other quote of it is false.", "{n} other quotes of it are false.")


def _named(seats: Sequence[str], seat: Say) -> str:
    return spoken_list([capitalized(line(seat(one))) for one in seats])


def _carried(row: SourceClaims) -> Iterator[str]:
    if row.decisive:
        yield _n(row.decisive, "{n} was named as decisive.", "{n} were named as decisive.")
    elif row.carrying:
        yield _n(row.carrying, "{n} carries the decision.", "{n} carry the decision.")
    elif row.carrying is not None:
        yield _n(len(row.claims), "It does not carry the decision.", "None of them carries the decision.")


def each_source_sentences(account: Account) -> tuple[str, ...]:
    """For each document, the options that the claims quoting it alone are for; () if all seats read all."""
    return tuple(map(_shown_by, account.once(source_claims)))


def source_sentences(account: Account) -> tuple[str, ...]:
    """Both kinds of sentences, one below the other."""
    return (*private_source_sentences(account), *each_source_sentences(account))


def _shown_by(row: SourceClaims) -> str:
    counts = ", ".join(_("{n} for {option}", n=count, option=line(option)) for option, count in row.options.items())
    return _("“{title}”: claims that quote only this source: {counts}.", title=line(row.source.title), counts=counts)
