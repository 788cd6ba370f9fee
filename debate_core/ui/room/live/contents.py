"""What each kind of content is in the transcript: its prose, its rows, its chips. Plain data for `live.js`.

Knows nothing of who may see what, of sockets or streamlit.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.evidence import FALSE_QUOTES, checked, cited_source
from debate_core.engine.outline import heading_of
from debate_core.language import Words, _, _n
from debate_core.record.state import State
from debate_core.report.words.evidence import quote_words
from debate_core.spec.contents import (
    Argument,
    Claim,
    Content,
    ContentLine,
    Directive,
    Evaluation,
    Review,
    Synthesis,
    Verdict,
)
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, in_words
from debate_core.text import capitalized
from debate_core.ui.kit.words import CONFIDENCE_WORDS
from debate_core.ui.room.live.wire_types import Chip, Item, Row

OPTION_COLOURS = ("blue", "orange", "green", "violet", "yellow", "gray", "teal", "pink")
"""One colour per option, in the order of the options, as in the charts; the label always stands beside it."""


def option_colour(state: State, option: str) -> str:
    """The name of an option's colour in the theme; many options have none."""
    return dict(zip(state.spec.options, OPTION_COLOURS, strict=False)).get(option, "gray")


def prose(content: Content) -> str:
    """What is read as running text."""
    if isinstance(content, Review):
        return _n(len(content.marks), "{n} passage marked", "{n} passages marked")
    return content.prose


_NAMES_NOTHING = Words({"synthesis": "names no option", "verdict": "a mixture: no single option"})


def fill(state: State, item: Item, content: Content, numbers: Mapping[str, int]) -> None:
    """Put everything but the prose into the item of this turn. `numbers` are those of claims, by the ids it has."""
    names = _ClaimNames(numbers)
    if isinstance(content, Argument):
        _argument(state, item, content, names)
    elif isinstance(content, Directive):
        item["rows"] = _steers(content)
    else:
        item["rows"] = _rows(content, names)
    if isinstance(content, Evaluation):
        another = _("recommends another round") if content.recommend_another_round else _("recommends no further round")
        item["facts"] = [
            _("confidence level {confidence_level}", confidence_level=CONFIDENCE_WORDS[content.confidence_level]),
            another,
        ]
    if isinstance(content, Synthesis | Verdict):
        item["vote"] = _named(state, content.option, _NAMES_NOTHING[content.kind])
    # How sure a debater is says little of who is right, and sways those who read: the table of the ballots has it.
    if isinstance(content, Synthesis | Verdict) and content.confidence is not None:
        item["confidence"] = content.confidence


def fill_comparison(item: Item, pair: tuple[str, str], content: Verdict) -> None:
    """Put the two options that were compared into the item, and which of them is better."""
    first, second = pair
    item["facts"] = [_("compared {first} with {second}", first=first, second=second)]
    better = Chip(text=_("neither is better"), colour="gray", counts=False)
    if content.option is not None:
        better = Chip(label=_("better"), text=content.option, colour="gray", counts=True)
    item["vote"] = better


class _ClaimNames:
    """How claims are called: `claim 7`; an id that no claim has stays as somebody wrote it."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    def of(self, ids: Iterable[str]) -> str:
        return ", ".join(self._name(claim_id) for claim_id in dict.fromkeys(ids))

    def _name(self, claim_id: str) -> str:
        number = self._numbers.get(claim_id)
        return claim_id if number is None else _("claim {numbers}", numbers=number)

    def row(self, row: Row) -> Row:
        """The row of a claim, with its number."""
        if row["id"] in self._numbers:
            row["number"] = self._numbers[row["id"]]
        return row


def _rows(content: Content, names: _ClaimNames) -> list[Row]:
    """One row a line; sources and scores of a turn share one."""
    rows: list[Row] = []
    for section, group in groupby(content.lines, lambda line: line.section):
        if section == "key_source":
            rows.append(_labelled(_("Key sources"), ", ".join(line.text for line in group)))
        elif section == "quality":
            rows.append(_scores(group))
        else:
            for place, line in enumerate(group, start=1):
                rows += _rows_of_line(line, place, names)
    return rows


def _rows_of_line(line: ContentLine, place: int, names: _ClaimNames) -> list[Row]:
    """The row of a line, which has this place (from 1) in its section; none for what is a chip or a fact."""
    match line.section:
        case "strongest":
            return [_linked(_("for {subject}", subject=line.subject), line, names)]
        case "established" | "contested" | "resolved" | "unresolved":
            return [_linked(capitalized(line.section), line, names)]
        case "mark":
            return [names.row(Row(id=line.subject, text=line.text))]
        case "candidate" | "position":
            return [_labelled(line.subject, line.text)]
        case "struck":
            return [_labelled(_("Struck: {name}", name=line.subject), line.text)]
        case "criterion":
            return [_labelled(_("Criterion {number}", number=place), line.text)]
        case "scope" | "verdict":
            return [_labelled(capitalized(line.section), line.text)]
        case "uncertainty":
            return [_labelled(_("Uncertain"), line.text)]
    return []


def _scores(lines: Iterable[ContentLine]) -> Row:
    texts = [_("{subject} {score} of 10", subject=in_words(line.subject), score=line.text) for line in lines]
    chips = [Chip(text=text, colour="gray", counts=False) for text in texts]
    return Row(id="", label=_("Quality of the arguments"), text="", chips=chips)


def _argument(state: State, item: Item, content: Argument, names: _ClaimNames) -> None:
    item["rows"] = [names.row(_claim_row(state, c)) for c in content.claims]
    item["answers"] = _answers(content, names)
    if content.stance and content.stance != item["stance"]:
        item["stance"] = content.stance
    fill_ballot(state, item, content)
    if content.strength is not None:
        item["facts"] = [_("rates its own strength {strength} of 10", strength=content.strength)]


def fill_ballot(state: State, item: Item, content: Argument) -> None:
    """Put the vote alone into the item: all that is shown of a struck turn."""
    if content.vote is not None:
        item["vote"] = _vote(state, content.vote)
    elif content.ballot:
        words = ballot_words(ballot_kind(state.spec.protocol.decide), content.ballot)
        item["vote"] = Chip(text=words, colour="gray", counts=True)


def _steers(content: Directive) -> list[Row]:
    """Who speaks, what all should know, where to look: one row each; those left empty are left out."""
    if content.redo:
        return [_labelled(_("Sent back"), _("the moderator is asked once more"))]
    speakers = " → ".join(in_words(name) for name in content.next_speakers) or _("nobody")
    rows = [_labelled(_("Speakers"), speakers)]
    if content.briefing:
        rows.append(_labelled(_("Briefing"), content.briefing))
    if content.new_angle:
        rows.append(_labelled(_("New angle"), content.new_angle))
    if content.done:
        rows.append(_labelled(_("Done"), _("this round is the last one")))
    return rows


def _labelled(label: str, text: str) -> Row:
    return Row(id="", label=label, text=text)


def _linked(label: str, line: ContentLine, names: _ClaimNames) -> Row:
    return Row(id="", label=label, text=line.text, links=names.of(line.links))


def _vote(state: State, option: str) -> Chip:
    if option == ABSTAIN:
        return Chip(text=_("abstains"), colour="gray", counts=False)
    return Chip(text=option, colour=option_colour(state, option), counts=True)


def _named(state: State, option: str | None, none: str) -> Chip:
    """The option that a seat without a vote names."""
    if option is None:
        return Chip(text=none, colour="gray", counts=False)
    return Chip(label=_("names"), text=option, colour=option_colour(state, option), counts=True)


def _answers(content: Argument, names: _ClaimNames) -> str:
    answers = [claim_id for claim in content.claims for claim_id in claim.answers]
    answers += content.answers
    concedes = [claim_id for claim in content.claims for claim_id in claim.concedes]
    concedes += content.concedes
    parts = []
    if answers:
        parts.append(_("answers {claims}", claims=names.of(answers)))
    if concedes:
        parts.append(_("concedes {claims}", claims=names.of(concedes)))
    return " · ".join(parts)


def _source_words(state: State, claim: Claim) -> str:
    """`Load test of March, under “Results”`; an id that no document has stays as somebody wrote it."""
    source = cited_source(state.spec.sources, claim)
    if source is None:
        return claim.source_id or ""
    title = source.title or source.id
    heading = heading_of(source, claim.quote or "")
    if not heading:
        return title
    return title + _(", under “{heading}”", heading=heading)


def _claim_row(state: State, claim: Claim) -> Row:
    # The evidence panel claims what it quotes; lines of the source may be broken differently.
    same = claim.quote is not None and claim.text.split() == claim.quote.split()
    row = Row(id=claim.id, text="" if same else claim.text)
    if claim.quote:
        check = checked(state.spec.sources, claim)
        row["quote"] = claim.quote
        row["verdict"] = quote_words(check)
        if check.verdict in FALSE_QUOTES:
            row["false"] = True
    if claim.source_id:
        row["links"] = _source_words(state, claim)
    return row
