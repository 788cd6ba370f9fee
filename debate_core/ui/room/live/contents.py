"""The parts of each kind of content in the transcript: prose, rows, chips. Plain data for `live.js`.

Knows no viewers, sockets or streamlit.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.evidence import FALSE_QUOTES, cited_source, shown_check
from debate_core.engine.private_sources import opened_sources
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import State
from debate_core.report.facts.office_turns import options_in_directive
from debate_core.report.phrases.content_lines import section_title
from debate_core.report.phrases.evidence import quote_words
from debate_core.report.phrases.look_ups import MAX_SHOWN_CHARS, look_up_words, passage_place
from debate_core.report.phrases.marks import together_words
from debate_core.report.phrases.turns import another_round_words
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
from debate_core.ui.kit.words import CONFIDENCE_WORDS
from debate_core.ui.room.live.wire_types import Chip, Item, Row
from debate_core.ui.turn.passage import place_in

OPTION_COLOURS = ("blue", "orange", "green", "violet", "yellow", "gray", "teal", "pink")
"""One colour per option, in the order of the options, as in the charts; always shown with its label."""


def option_colour(state: State, option: str) -> str:
    """The name of an option's colour in the theme; gray beyond the number of colours."""
    return dict(zip(state.spec.options, OPTION_COLOURS, strict=False)).get(option, "gray")


def prose(content: Content) -> str:
    """The running text of a content."""
    if isinstance(content, Review):
        marked = _n(len(content.marks), "{n} passage marked", "{n} passages marked")
        return "; ".join(filter(None, (marked, together_words(content.marks))))
    return content.prose


def look_up_rows(look_ups: Sequence[LookedUp]) -> list[Row]:
    """Rows of the look-ups before a turn: each call, and the passages that it found."""
    rows = []
    for one in look_ups:
        rows.append(Row(id="", label=_("Look-up"), text=look_up_words(one)))
        for passage in one.passages:
            rows.append(Row(id="", label=passage_place(passage), text=passage.text))
        for source in one.sources or ():
            rows.append(Row(id="", label=source.id, text=source.text[:MAX_SHOWN_CHARS]))
    return rows


_LINKED = ("strongest", "established", "contested", "resolved", "unresolved")
"""Sections whose lines rest on claims."""
_NO_OPTION = Words({"synthesis": "names no option", "verdict": "a mixture: no single option"})


def fill(state: State, item: Item, content: Content, numbers: Mapping[str, int]) -> None:
    """Put all but the prose into the item of this turn. `numbers`: claim id in this content -> number of the claim."""
    names = _ClaimNames(numbers)
    match content:
        case Argument():
            _fill_argument(state, item, content, names)
        case Directive():
            item["rows"] = _directive_rows(state, content)
        case _:
            item["rows"] = _rows(content, names)
    if isinstance(content, Evaluation):
        item["facts"] = [
            _("confidence level {confidence_level}", confidence_level=CONFIDENCE_WORDS[content.confidence_level]),
            another_round_words(recommended=content.recommend_another_round),
        ]
    # Without the confidence of a debater, which says little about the truth and sways readers; the ballots have it.
    if isinstance(content, Synthesis | Verdict):
        item["vote"] = Chip(text=_NO_OPTION[content.kind], colour="gray", counts=False)
        if content.option is not None:
            colour = option_colour(state, content.option)
            item["vote"] = Chip(label=_("names"), text=content.option, colour=colour, counts=True)
        if content.confidence is not None:
            item["confidence"] = content.confidence
    if isinstance(content, Synthesis) and content.recommend_another_round is not None:
        item["facts"] = [another_round_words(recommended=content.recommend_another_round)]


def fill_comparison(item: Item, pair: tuple[str, str], content: Verdict) -> None:
    """Put the two compared options into the item, and the better one."""
    first, second = pair
    item["facts"] = [_("compared {first} with {second}", first=first, second=second)]
    better = Chip(text=_("neither is better"), colour="gray", counts=False)
    if content.option is not None:
        better = Chip(label=_("better"), text=content.option, colour="gray", counts=True)
    item["vote"] = better


class _ClaimNames:
    """Names of claims, such as `claim 7`; an id of no claim stays as it was written."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    def of(self, ids: Iterable[str]) -> str:
        """The names of these claims in one text, each once."""
        words = []
        for claim_id in dict.fromkeys(ids):
            number = self._numbers.get(claim_id)
            words.append(claim_id if number is None else _("claim {numbers}", numbers=number))
        return ", ".join(words)

    def row(self, row: Row) -> Row:
        """Add the number of its claim to a row."""
        if row["id"] in self._numbers:
            row["number"] = self._numbers[row["id"]]
        return row


def _rows(content: Content, names: _ClaimNames) -> list[Row]:
    """One row for each line; sources and scores of a turn share one."""
    rows: list[Row] = []
    for section, group in groupby(content.lines, lambda line: line.section):
        if section == "key_source":
            rows.append(_labelled(_("Key sources"), ", ".join(line.text for line in group)))
        elif section == "quality":
            texts = [_("{subject} {score} of 10", subject=in_words(line.subject), score=line.text) for line in group]
            chips = [Chip(text=text, colour="gray", counts=False) for text in texts]
            rows.append(Row(id="", label=_("Quality of the arguments"), text="", chips=chips))
        else:
            rows += filter(None, (_row_of(line, place, names) for place, line in enumerate(group, start=1)))
    return rows


def _row_of(line: ContentLine, place: int, names: _ClaimNames) -> Row | None:
    """The row of a line with this place (from 1) in its section; None for a chip or a fact."""
    if line.section == "mark":
        return names.row(Row(id=line.subject, text=line.text))
    label = _label_of(line, place, names)
    if label is None:
        return None
    row = _labelled(label, names.of([line.text]) if line.section == "decided_by" else line.text)
    if line.section in _LINKED:
        row["links"] = names.of(line.links)
    return row


def _label_of(line: ContentLine, place: int, names: _ClaimNames) -> str | None:
    match line.section:
        case "decided_by":
            return _("Decided it")
        case "if_false":
            return _("If {claim} is false", claim=names.of([line.subject]))
        case "established" | "contested" | "resolved" | "unresolved" | "scope" | "verdict":
            return section_title(line.section)
        case "candidate" | "position":
            return line.subject
        case "strongest":
            return _("for {subject}", subject=line.subject)
        case "struck":
            return _("Struck: {name}", name=line.subject)
        case "criterion":
            return _("Criterion {number}", number=place)
        case "uncertainty":
            return _("Uncertain")
        case "deliverable":
            return _("Deliverable")
    return None


def _fill_argument(state: State, item: Item, content: Argument, names: _ClaimNames) -> None:
    item["rows"] = [names.row(_claim_row(state, claim)) for claim in content.claims]
    answers: list[str] = []
    concedes: list[str] = []
    parts: list[Claim | Argument] = [*content.claims, content]
    for part in parts:
        answers += part.answers
        concedes += part.concedes
    links = []
    if answers:
        links.append(_("answers {claims}", claims=names.of(answers)))
    if concedes:
        links.append(_("concedes {claims}", claims=names.of(concedes)))
    item["answers"] = " · ".join(links)
    if content.stance and content.stance != item["stance"]:
        item["stance"] = content.stance
    fill_ballot(state, item, content)
    if content.strength is not None:
        item["facts"] = [_("rates its own strength {strength} of 10", strength=content.strength)]


def fill_ballot(state: State, item: Item, content: Argument) -> None:
    """Put only the vote into the item, as for a struck turn."""
    if content.vote == ABSTAIN:
        item["vote"] = Chip(text=_("abstains"), colour="gray", counts=False)
    elif content.vote is not None:
        item["vote"] = Chip(text=content.vote, colour=option_colour(state, content.vote), counts=True)
    elif content.ballot:
        words = ballot_words(ballot_kind(state.spec.protocol.decide), content.ballot)
        item["vote"] = Chip(text=words, colour="gray", counts=True)


def _directive_rows(state: State, content: Directive) -> list[Row]:
    if content.redo:
        return [_labelled(_("Sent back"), _("the moderator is asked once more"))]
    speakers = " → ".join(in_words(name) for name in content.next_speakers) or _("no one")
    rows = [Row(id="", label=_("Speakers"), text=speakers, seats=True)]
    if content.briefing:
        rows.append(_labelled(_("Briefing"), content.briefing))
    if content.new_angle:
        rows.append(_labelled(_("New angle"), content.new_angle))
    if names := options_in_directive(state, content):
        rows.append(_labelled(_("Names an option"), spoken_list(names)))
    if content.done:
        rows.append(_labelled(_("Done"), _("this round is the last one")))
    return rows


def _labelled(label: str, text: str) -> Row:
    return Row(id="", label=label, text=text)


def _source_words(state: State, claim: Claim) -> str:
    """Such as `Load test of March, under “Results”`; an id of no document stays as it was written."""
    source = cited_source(opened_sources(state), claim)
    if source is None:
        return claim.source_id or ""
    if not source.text:
        return _("{title}, which only some seats read", title=source.title or source.id)
    return place_in(source, claim.quote or "")


def _claim_row(state: State, claim: Claim) -> Row:
    # The evidence panel claims its quotes; line breaks may differ from the source.
    is_quote = claim.quote is not None and claim.text.split() == claim.quote.split()
    row = Row(id=claim.id, text="" if is_quote else claim.text)
    if claim.quote:
        check = shown_check(state, claim)
        row["quote"] = claim.quote
        row["verdict"] = quote_words(check)
        row["verdict_colour"] = "green" if check.verdict == "verbatim" else "orange"
        if check.verdict in FALSE_QUOTES:
            row["verdict_colour"] = "red"
    if claim.source_id:
        row["links"] = _source_words(state, claim)
    return row
