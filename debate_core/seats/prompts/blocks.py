"""Blocks that all seats read: question, sources and turns, each in a fence that its text cannot end.

A block depends only on its content and the sources before it, so that it is the same bytes for every reader and in
every later call: servers cache the prefix of a prompt. Knows nothing about the reader.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.evidence import seen_verdict
from debate_core.engine.quotes import QuoteVerdict
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.spec import contents
from debate_core.spec.protocol import are_weighted
from debate_core.spec.values import Source
from debate_core.text import one_line

_FENCE = re.compile(r"data\W{0,3}(\d{1,9})", re.IGNORECASE)
# Examples: `</data-1>`, `< / DATA 1 >`, `<data_1>`. Any closing tag, as letters of other scripts look like those of
# `data`.
_TAG = re.compile(
    r"[<\N{FULLWIDTH LESS-THAN SIGN}\N{SMALL LESS-THAN SIGN}](?=\s{0,3}[/\\]|[\W_]{0,3}data)", re.IGNORECASE
)
NO_TAG = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
PROSE = "| "
"""Begins each line by a seat or a person; code writes all other lines of a block."""


def fenced(text: str) -> str:
    """Put a text between tags with the smallest number that it does not contain; tags in the text are defused."""
    numbers = {int(number) for number in _FENCE.findall(text)}
    number = next(n for n in range(1, len(numbers) + 2) if n not in numbers)
    return f"<data-{number}>\n{defused(text)}\n</data-{number}>\n"


def defused(text: str) -> str:
    return _TAG.sub(NO_TAG, text)


def prose_lines(text: str) -> list[str]:
    """Mark each line of a text as written by a person or a seat, so that none looks like a line by code."""
    return [f"{PROSE}{line}".rstrip() for line in text.splitlines()]


def titled(title: str, text: str) -> str:
    """A title by code above a text by a person or a seat."""
    return "\n".join([f"{title}:", *prose_lines(text)])


def quoted(text: str) -> str:
    """A name in quotes, with its exact spelling."""
    return json.dumps(text, ensure_ascii=False)


def listed(names: Iterable[str]) -> str:
    """Names in quotes: `"a", "b"`."""
    return ", ".join(quoted(n) for n in names)


def blocks_of(view: View) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The blocks, and the indexes of the last one before the turns and of the last one.

    A source that joins in a later round comes before the first turn of that round, so that nothing before it moves.
    One that only some seats read follows those of its round that all read.
    """
    waiting = deque(sorted(view.sources, key=lambda source: (source.from_round, source.only_for is not None)))
    blocks = [_question(view), *_facts(view), *_joining(waiting, 1)]
    start = len(blocks) - 1
    for turn in _turns_in_record(view):
        blocks += [*_joining(waiting, turn.round), _turn(turn, view)]
    blocks += map(_source, waiting)
    end = len(blocks) - 1
    return tuple(blocks), (start, end) if end > start else (start,)


def transcript_for(view: View) -> str:
    """The turns that a seat may see, as its prompt shows them; "" before the first one.

    Names are stances and the order is shuffled where the phase of the request agrees on that (`sees`), so a judge and a
    moderator read the same turns differently. Votes are left out. Each turn is between data tags that its text cannot
    end. Pure: the same view gives the same text.

        transcript_for(view(state, requests(state)[0]))
    """
    return "\n".join(_turn(turn, view) for turn in _turns_in_record(view))


def _turns_in_record(view: View) -> Iterator[SeenTurn]:
    for turn in view.turns:
        # Debaters read the directive of the current round in their tail, and no earlier one.
        if not (isinstance(turn.content, contents.Directive) and view.request.gives in contents.ARGUMENT_KINDS):
            yield turn


def _turn(turn: SeenTurn, view: View) -> str:
    content = turn.content
    if isinstance(content, contents.Argument):
        lines = [line for claim in content.claims for line in _claim_lines(claim, view)]
        lines += _ids("Answers", content.answers) + _ids("Concedes", content.concedes)
    else:
        lines = _other_lines(content)
    if content.prose:
        lines += ["", *prose_lines(content.prose)]
    text = "\n".join([f"Speaker: {one_line(turn.speaker)}", *lines])
    return f"# Turn: round {turn.round}, {turn.phase}\n" + fenced(text)


def _joining(waiting: deque[Source], round_number: int) -> Iterator[str]:
    """Remove the sources that join up to this round from `waiting`, and give their blocks."""
    while waiting and waiting[0].from_round <= round_number:
        yield _source(waiting.popleft())


def _question(view: View) -> str:
    parts = ["\n".join(prose_lines(view.question))]
    if view.options:
        means_yes = f"; {quoted(view.yes_option)} means yes" if view.yes_option else ""
        parts.append(f"The options: {listed(view.options)}{means_yes}")
    if are_weighted(view.drivers):
        each = ", ".join(f"{quoted(d.name)} {d.weight}" for d in view.drivers)
        parts.append(f"What a good decision is measured by, and how much of 100 it weighs: {each}")
    elif view.drivers:
        parts.append(f"What a good decision is measured by: {listed([d.name for d in view.drivers])}")
    if view.opened_on:
        parts.append(f"Opened on {view.opened_on}")
    if view.context.strip():
        parts.append(titled("What is known of the situation", view.context))
    return "# Question\n" + fenced("\n\n".join(parts))


def _facts(view: View) -> list[str]:
    """The block of what people wrote before the first vote."""
    lines = [line for fact in view.facts for line in _claim_lines(fact, view)]
    return (
        ["# What people in the room know: unchecked, to be answered by id\n" + fenced("\n".join(lines))]
        if lines
        else []
    )


def _source(source: Source) -> str:
    """The block of a source; its title comes first, unless the text begins with it."""
    title = one_line(source.title)
    first_line = one_line(source.text.lstrip().partition("\n")[0].lstrip("# "))
    text = source.text if title == first_line else f"{title}\n\n{source.text}"
    return f"# Source {source.id}{_readers(source)}\n" + fenced(text)


def _readers(source: Source) -> str:
    """A hint for the readers of a source that others do not have, without names."""
    if source.only_for is None:
        return ""
    whose = "only you read" if len(source.only_for) == 1 else "only some seats read"
    return f", which {whose}: the others learn from it what is quoted"


def votes_of(view: View) -> list[str]:
    """Every vote that the seat may see, one per line, in the order of the turns."""
    lines = []
    for turn in view.turns:
        content = turn.content
        if not isinstance(content, contents.Argument) or (content.vote is None and not content.ballot):
            continue
        vote = quoted(content.vote or "")
        if content.ballot:
            vote = one_line(ballot_words(view.ballot_kind, content.ballot, quoted))
        confidence = _confidence(content.confidence)
        lines.append(f"Round {turn.round}, {turn.phase}, {one_line(turn.speaker)}: {vote}{confidence}")
    return lines


_FALSE: Mapping[QuoteVerdict, str] = {
    "altered": "the source does not say it like this",
    "not_found": "this is not in the source",
    "no_source": "there is no such source",
}


def _claim_lines(claim: contents.Claim, view: View) -> list[str]:
    """A claim with its quote, and the result of the check if the quote is false."""
    lines = [f"Claim {claim.id}: {one_line(claim.text)}"]
    if claim.source_id:
        lines.append(f"  source: {one_line(claim.source_id)}")
    if claim.quote:
        lines.append(f"  quote: {quoted(one_line(claim.quote))}")
    if verdict := seen_verdict(view, claim):
        lines.append(f"  checked by code: {_FALSE[verdict]}, so this claim has no support")
    return lines + _ids("  answers", claim.answers) + _ids("  concedes", claim.concedes)


_LABELS: Mapping[contents.LineSection, str] = {
    "mark": "",
    "position": "",
    "candidate": "Candidate",
    "struck": "Struck",
    "strongest": "Strongest for",
    "established": "Established",
    "contested": "Contested",
    "verdict": "Verdict",
    "quality": "Quality of",
    "resolved": "Resolved",
    "unresolved": "Unresolved",
    "uncertainty": "Uncertain",
    "confidence_level": "Confidence",
    "another_round": "Another round",
    "scope": "Scope",
    "criterion": "A good answer",
    "speakers": "Next speakers",
    "briefing": "Briefing",
    "new_angle": "New angle",
    "done": "",
    "redo": "",
    "deliverable": "Deliverable",
    "decided_by": "Decided by claim",
    "if_false": "If false",
}
"""Every section of contents without an argument, in the order of a block."""


def _other_lines(content: contents.Content) -> list[str]:
    """The lines of a content without an argument, other than its prose."""
    lines = [_labelled(line) for section in _LABELS for line in content.lines if line.section == section]
    if isinstance(content, contents.Framing):
        lines += _ids("Key sources", content.key_sources)
    if isinstance(content, contents.Synthesis | contents.Verdict):
        option = "none" if content.option is None else quoted(content.option)
        lines.append(f"Option: {option}{_confidence(content.confidence)}")
    return lines


def _labelled(line: contents.ContentLine) -> str:
    match line.section:
        case "mark":
            return f"{one_line(line.subject)}: {one_line(line.text)}"
        case "position":
            return one_line(f"{line.subject}: {line.text}")
        case "candidate" | "struck" | "strongest":
            return f"{_LABELS[line.section]} {quoted(line.subject)}: {_linked(line)}"
        case "if_false":
            return f"{_LABELS[line.section]}, {one_line(line.subject)}: {_linked(line)}"
        case "quality":
            return f"{_LABELS[line.section]} {one_line(line.subject)}: {line.text} of 10"
        case "done":
            return "This is the last round."
        case "redo":
            return "This sends the directive before it back."
        case _:
            return f"{_LABELS[line.section]}: {_linked(line)}"


def _linked(line: contents.ContentLine) -> str:
    links = f" ({', '.join(one_line(i) for i in line.links)})" if line.links else ""
    return one_line(line.text) + links


def _ids(label: str, ids: Sequence[str]) -> list[str]:
    return [f"{label}: {', '.join(one_line(i) for i in ids)}"] if ids else []


def _confidence(confidence: int | None) -> str:
    return "" if confidence is None else f", confidence {confidence}"
