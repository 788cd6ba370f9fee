"""Documents for a new debate on a challenged decision: the decision record, and the broken assumptions with quotes."""

from collections.abc import Iterator
from textwrap import shorten

from debate_core.errors import InvalidSpec
from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import Challenge
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.document import Block, Code, Document, Heading, Paragraph, items
from debate_core.report.files.follow_up import MAX_TITLE_CHARS, quote_words
from debate_core.spec.tripwires import check_text
from debate_core.spec.values import Source, free_source_id


def broken_assumptions(account: Account) -> Document:
    """Each broken assumption with its reason, its check, its claim and the claim's quote."""
    if not account.decision.challenges:
        raise InvalidSpec("no assumption of this decision is broken")
    blocks: list[Block] = [
        Heading(1, account.state.spec.question),
        Paragraph((_("Broken assumptions of debate "), Code(account.state.debate))),
    ]
    for challenge in account.decision.challenges:
        blocks += [Heading(2, challenge.assumption.text), *items(_facts(account, challenge))]
    return Document(tuple(blocks))


def _facts(account: Account, challenge: Challenge) -> Iterator[str]:
    yield _("Found on {day}: {reason}", day=challenge.at[:10], reason=challenge.reason)
    if challenge.assumption.check is not None:
        yield _("Check: {check}", check=check_text(challenge.assumption.check))
    for row in account.claims:
        if row.claim_id == challenge.assumption.claim_id:
            yield _("Claim of {seat}: {claim}", seat=row.seat, claim=row.claim)
            yield from quote_words(account, row)


def background(account: Account) -> str:
    """The origin of the new debate, and the background of the first one."""
    origin = _(
        "This reopens the debate {debate}: an assumption of its decision for {option} no longer holds. The decision "
        "record and the broken assumptions are among the documents.",
        debate=account.state.debate,
        option=account.decision.option or _("nothing"),
    )
    return "\n\n".join(filter(None, (origin, account.state.spec.context.strip())))


def documents(account: Account) -> tuple[Source, ...]:
    """The documents of the debate, then its decision record and the broken assumptions."""
    sources = [source.model_copy(update={"from_round": 1}) for source in account.state.spec.sources]
    for title, text in (
        (_("Decision record: {question}", question=account.state.spec.question), decision_record(account).text),
        (
            _("Broken assumptions: {question}", question=account.state.spec.question),
            broken_assumptions(account).terminal(),
        ),
    ):
        short = shorten(title, MAX_TITLE_CHARS, placeholder=" …")
        sources.append(Source(id=free_source_id(sources), title=short, text=text))
    return tuple(sources)
