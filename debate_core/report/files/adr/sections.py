"""The sections of a decision record about the question and the options.

A claim is for or against an option only by the marks of people; an unmarked claim is listed under the vote of its seat.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from debate_core.documents.document import read_document
from debate_core.engine.reason_labels import ReasonLabel, label_of
from debate_core.language import _, current, spoken_list
from debate_core.report.facts.claim_reading import rows_by_wording
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.option_reasons import OptionReason, ReasonSide, option_reasons
from debate_core.report.facts.terms import named
from debate_core.report.files.adr.case import Case
from debate_core.report.files.document import Block, Heading, Paragraph, Quote, items, unlike
from debate_core.report.phrases.evidence import gap_words
from debate_core.report.phrases.marks import labelled_reason, reading_sentences, reading_words
from debate_core.spec.contents import Framing
from debate_core.spec.protocol import are_weighted
from debate_core.text import folded


def context(case: Case) -> list[Block]:
    """The background, else the question."""
    return background(case) or [Paragraph(case.say(case.state.spec.question))]


def background(case: Case) -> list[Block]:
    """The brief, else the context section of a document."""
    spec = case.state.spec
    if spec.context.strip():
        return [Quote(case.names.text(spec.context))]
    for source in spec.sources:
        if said := _context_of(source.text):
            return [Paragraph(_("From {document}:", document=case.say(source.title))), Quote(case.names.text(said))]
    return []


_MAX_CONTEXT_CHARS = 2_000


def _context_of(text: str) -> str:
    """The text of the context section; empty without one. The file's own line breaks inside a paragraph are spaces."""
    blocks = [block for section in read_document(text).sections("context") for block in section.blocks]
    ends = [blocks[0].start, *(block.end for block in blocks)] if blocks else []
    gaps = [text[end : block.start] for end, block in zip(ends, blocks, strict=False)]
    parts = [_unwrapped(text[block.start : block.end]) for block in blocks]
    said = "".join(gap + part for gap, part in zip(gaps, parts, strict=True)).strip()
    if len(said) <= _MAX_CONTEXT_CHARS:
        return said
    return f"{said[:_MAX_CONTEXT_CHARS].rsplit(maxsplit=1)[0]} ..."


def _unwrapped(block: str) -> str:
    """A paragraph in one line; a list, a table, code, and lines that end on purpose as written."""
    lines = block.strip().splitlines()
    is_prose = "|" not in block and all(map(_is_prose, lines))
    return " ".join(lines) if is_prose else block


def _is_prose(text: str) -> bool:
    return text[:1].isalpha() and not text.endswith("  ")


def drivers(case: Case) -> list[Block]:
    """The agreed drivers with their weights, and the criteria of the framing."""
    spec = case.state.spec
    agreed = [case.say(driver.name) for driver in spec.drivers]
    if are_weighted(spec.drivers):
        agreed = [
            _("{driver} (weight {weight} of 100)", driver=case.say(driver.name), weight=driver.weight)
            for driver in spec.drivers
        ]
    framings = [framing for _turn, framing in case.account.turns_giving(Framing)]
    criteria = framings[-1].criteria if framings else ()
    return items([*agreed, *map(case.say, criteria)])


def options(case: Case) -> list[Block]:
    """Every option, in the agreed order."""
    return items(map(case.say, case.state.spec.options))


MAX_CLAIMS = 12
"""Maximum for one option; the others are counted, and listed in the evidence table."""


def pros_and_cons(case: Case, titles: Iterable[str]) -> list[Block]:
    """The options without claims, then the others with their claims, under headings that differ from `titles`."""
    taken = list(titles)
    blocks = list[Block]()
    without = list[str]()
    for option in case.state.spec.options:
        if reasons := _reasons(case, option):
            title = unlike(case.names.text(option), taken)
            taken.append(title)
            blocks += [Heading(3, title), *reasons]
        else:
            without.append(case.say(option))
    if blocks and without:
        return [Paragraph(_("No claim is known to be about {options}.", options=spoken_list(without))), *blocks]
    return blocks


def _reasons(case: Case, option: str) -> list[Block]:
    """The strongest points by the synthesis, marked claims, then the arguments of the option's voters."""
    reasons = case.account.once(option_reasons)[option]
    marked = [reason for reason in reasons if reason.side != "said"]
    strongest = _strongest_points(case, option, marked)
    lines = [*strongest.values(), *(_marked_reason(case, option, reason) for reason in marked)]
    listed = {folded(reason.row.claim) for reason in marked} | strongest.keys()
    arguments = _arguments(case, reasons, listed)
    shown = lines[:MAX_CLAIMS]
    shown_arguments = arguments[: MAX_CLAIMS - len(shown)]
    blocks = items(shown)
    if shown_arguments:
        blocks += [Paragraph(_("Arguments of those who voted for it:")), *items(shown_arguments)]
    left_out = len(lines) + len(arguments) - len(shown) - len(shown_arguments)
    if left_out:
        blocks.append(Paragraph(_("{left_out} more are in the evidence table of the record.", left_out=left_out)))
    return blocks


def _arguments(case: Case, reasons: Sequence[OptionReason], listed: Collection[str]) -> list[str]:
    """Unmarked claims of the option's voters, without those that are listed already."""
    lines = list[str]()
    for reason in reasons:
        row = reason.row
        if reason.side == "said" and folded(row.claim) not in listed:
            claim = case.say(row.claim).rstrip(".")
            lines.append(f"{case.seat(row.seat)}: {claim} ({'; '.join(_findings(case, row))})")
    return lines


def _strongest_points(case: Case, option: str, marked: Sequence[OptionReason]) -> dict[str, str]:
    """Normalized text -> line, for the strongest points of the synthesis that are no marked claims."""
    synthesis = case.account.standing
    known = {folded(reason.row.claim) for reason in marked}
    lines = dict[str, str]()
    for strongest in synthesis.content.strongest if synthesis else ():
        if strongest.option == option and folded(strongest.text) not in known:
            lines[folded(strongest.text)] = _(
                "Strongest, by the synthesis: {reason}{claims}",
                reason=case.say(strongest.text).rstrip("."),
                claims=case.in_brackets(", ".join(strongest.links)),
            )
    return lines


_LABEL_OF_SIDE: Mapping[ReasonSide, ReasonLabel] = {"for": "good", "against": "bad", "divided": "neutral"}


def _marked_reason(case: Case, option: str, reason: OptionReason) -> str:
    """A marked claim; its label follows the marks, not the label of its author."""
    label = _LABEL_OF_SIDE[reason.side]
    claim = labelled_reason(label, case.within(reason.row.claim))
    if current() == "de" and label_of(reason.row.claim) == label:
        # In "Gut, weil die Datenbank da ist" the verb comes last; only the author's own label fits it.
        claim = case.say(reason.row.claim).rstrip(".;,")
    known = [*_findings(case, reason.row), *map(case.say, reading_sentences(case.state, option, reason))]
    if mark := reason.mark:
        who = case.who(mark.by)
        if reason.side == {"supports": "for", "against": "against"}.get(mark.mark.reading):
            known.append(_("read this way by {who}", who=who))
        else:
            known.append(_("marked {reading} by {who}", reading=case.say(reading_words(mark.mark)), who=who))
    return f"{claim} ({'; '.join(known)})"


def _findings(case: Case, row: ClaimRow) -> list[str]:
    """The name of a claim, and the findings of code on it."""
    known = [case.say(row.claim_id)]
    said = case.account.once(rows_by_wording)[row.wording]
    if row.status == "contested":
        # Each seat once: a board needs to know who objects, and the record has each turn.
        seats = {turn.request: turn.seat for turn in case.state.turns}
        who = dict.fromkeys(
            case.seat(seats[at]) if at in seats else case.say(at) for one in said for at in one.attacked_by
        )
        known.append(_("contested by {claims}", claims=", ".join(who)))
    if conceded_by := [at for one in said for at in one.conceded_by]:
        known.append(_("conceded by {claims}", claims=case.say(", ".join(conceded_by))))
    if row.evidence_text:
        known.append(_quote_finding(case, row))
    return known


def _quote_finding(case: Case, row: ClaimRow) -> str:
    gap = gap_words(row.left_out_of_quote)
    titles = {source.id: source.title for source in case.state.spec.sources}
    return _(
        "quote {verdict} in {document}{left_out}",
        verdict=named(row.quote_verified),
        document=case.say(titles.get(row.source_ref) or row.source_ref or _("no source")),
        left_out=case.say(gap) if gap else "",
    )
