"""The follow-up of a debate that decided nothing: a brief with the open points, and a debate file drafted from it.

The brief is a task for the addressee, and a document of the next debate. Claims in it are no evidence.
"""

from collections.abc import Iterator, Mapping
from textwrap import shorten

from debate_core.errors import InvalidSpec
from debate_core.language import _, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.claim_reading import rows_by_wording
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.terms import named
from debate_core.report.facts.unresolved import Unresolved, unresolved
from debate_core.report.files.document import Block, Code, Document, Heading, Paragraph, items
from debate_core.report.phrases.decision import escalation_sentence
from debate_core.report.phrases.evidence import gap_words
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec.checks import check
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Json, Seat, Source, free_source_id

MAX_CONTEXT_CHARS = 16_000
"""Leaves room for more background in set-up, within the limit of 20,000."""
MAX_TITLE_CHARS = 120


def open_points(account: Account) -> Unresolved:
    """The open points of this debate. InvalidSpec while it runs, and if it is decided."""
    found = account.once(unresolved)
    if found is not None:
        return found
    if account.state.outcome is None or account.decision.pending:
        raise InvalidSpec("the debate is not decided yet: a follow-up is prepared after the end")
    raise InvalidSpec("the debate is decided, so that no point is left for a follow-up")


def brief(account: Account) -> Document:
    """The open points as a document: outcome, addressee, options left, contested claims with their quotes."""
    found = open_points(account)
    claims = items(_claim_line(account, row) for row in found.contested)
    blocks: list[Block] = [
        Heading(1, account.state.spec.question),
        Paragraph((_("Open points of debate "), Code(account.state.debate))),
        Paragraph(outcome_sentence(account)),
        *map(Paragraph, filter(None, (escalation_sentence(account),))),
        Heading(2, _("Options left")),
        *items(found.options),
        *map(Paragraph, filter(None, (_left_out_sentence(found),))),
        Heading(2, _("Contested claims")),
        *(claims or [Paragraph(_("No claim was answered by another seat and left open."))]),
    ]
    if found.synthesis:
        blocks += [Heading(2, _("Contested by the synthesis")), *items(point.text for point in found.synthesis)]
    caveat = Paragraph(_("These are claims of the earlier debate, and no evidence."))
    return Document((*blocks, caveat))


def _left_out_sentence(found: Unresolved) -> str:
    if not found.left_out:
        return ""
    return _("Left out: {options}.", options=spoken_list(found.left_out))


def _claim_line(account: Account, row: ClaimRow) -> str:
    """`risk.1.2, risk: The load doubles. Quote, verbatim in Load test: “…”. Answered: ops.1.1, It halves.`"""
    parts = [f"{row.claim_id}, {row.seat}: {_end(row.claim)}", *quote_words(account, row)]
    answers = [
        account.state.claims[where].text
        for one in account.once(rows_by_wording)[row.wording]
        for where in one.attacked_by
        if where in account.state.claims
    ]
    if answers:
        parts.append(_("Answered: {answers}", answers=" ".join(map(_end, answers))))
    return " ".join(parts)


def quote_words(account: Account, row: ClaimRow) -> Iterator[str]:
    """The quote of a claim with its verdict, in one sentence; nothing for a claim without one."""
    if row.evidence_text:
        titles = {source.id: source.title for source in account.state.spec.sources}
        source = titles.get(row.source_ref) or row.source_ref or _("no source")
        verdict = f"{named(row.quote_verified)}{gap_words(row.left_out_of_quote)}"
        words = _("Quote, {verdict} ({source}): “{quote}”.", verdict=verdict, source=source, quote=row.evidence_text)
        yield words


def _end(text: str) -> str:
    """The text with a final mark."""
    return text if text.rstrip().endswith((".", "?", "!")) else f"{text.rstrip()}."


def context(account: Account) -> str:
    """The background of the follow-up: its origin, the addressee, and the background of the first debate."""
    origin = _(
        "This continues the debate {debate}, which decided nothing. Its open points are among the documents.",
        debate=account.state.debate,
    )
    parts = (origin, escalation_sentence(account), account.state.spec.context.strip())
    return "\n\n".join(filter(None, parts))[:MAX_CONTEXT_CHARS]


def documents(account: Account) -> tuple[Source, ...]:
    """The documents of the debate, all from the first round, and the brief as one more."""
    sources = [source.model_copy(update={"from_round": 1}) for source in account.state.spec.sources]
    title = shorten(
        _("Open points: {question}", question=account.state.spec.question), MAX_TITLE_CHARS, placeholder=" …"
    )
    points = Source(id=free_source_id(sources), title=title, text=brief(account).terminal())
    return (*sources, points)


def debate_file(account: Account) -> Mapping[str, Json]:
    """The follow-up as a debate file under the same protocol, for `run --script`."""
    spec = _follow_up_spec(account)
    fields = spec.model_dump(mode="json", exclude_none=True)
    kept = ("question", "context", "drivers", "options", "task", "protocol", "seats", "sources")
    return {
        "format": 1,
        "title": _("Follow-up: {question}", question=spec.question),
        **{name: fields[name] for name in kept if name in fields},
        "settings": {"rounds": spec.max_rounds},
        "turns": [],
    }


def _follow_up_spec(account: Account) -> Spec:
    """The same debate with the options left; with all its options if its rules do not allow fewer."""
    spec = account.state.spec
    found = open_points(account)
    seats = tuple(_without_script(seat) for seat in spec.seats if seat.stance not in found.left_out)
    again = spec.model_copy(
        update={
            "context": context(account),
            "sources": documents(account),
            "seats": seats,
            "options": found.options,
            "room": None,
            "yes_option": None,
        }
    )
    try:
        check(again)
    except InvalidSpec:
        return again.model_copy(update={"options": spec.options, "seats": tuple(map(_without_script, spec.seats))})
    return again


def _without_script(seat: Seat) -> Seat:
    """The seat without its script, for a model without a line: a debate file contains no lines."""
    occupant = "model" if seat.occupant == "scripted" else seat.occupant
    return seat.model_copy(update={"occupant": occupant, "model": None, "family": None})
