"""What everybody reads: question, sources and turns, one block each, in a fence that their text cannot end.

A block is rendered from what is in it and the sources that stand before it, so that it has the same bytes for every
reader and in every later call: servers keep the prefix of a prompt. Knows nothing of who reads.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.evidence import checked, is_unverified
from debate_core.engine.quotes import QuoteVerdict
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.spec.contents import (
    ARGUMENT_KINDS,
    Argument,
    Claim,
    Content,
    ContentLine,
    Directive,
    Framing,
    LineSection,
    Synthesis,
    Verdict,
)
from debate_core.spec.protocol import Driver, are_weighted
from debate_core.spec.values import BallotKind, Source

_FENCE = re.compile(r"data\W{0,3}(\d{1,9})", re.IGNORECASE)
# `</data-1>`, `< / DATA 1 >`, `<data_1>`; any closing tag, because a letter of another script looks like one of `data`.
_TAG = re.compile(
    r"[<\N{FULLWIDTH LESS-THAN SIGN}\N{SMALL LESS-THAN SIGN}](?=\s{0,3}[/\\]|[\W_]{0,3}data)", re.IGNORECASE
)
NO_TAG = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
PROSE = "| "
"""How each line begins that a seat or a person wrote: all other lines of a block are written by code."""


def fenced(text: str) -> str:
    """The text between tags with the smallest number that it does not hold; what looks like a tag in it is none."""
    numbers = {int(number) for number in _FENCE.findall(text)}
    number = next(n for n in range(1, len(numbers) + 2) if n not in numbers)
    return f"<data-{number}>\n{_TAG.sub(NO_TAG, text)}\n</data-{number}>\n"


def prose_lines(text: str) -> list[str]:
    """Each line of a text, marked as what somebody wrote: none can look like a line that code wrote."""
    return [f"{PROSE}{line}".rstrip() for line in text.splitlines()]


def titled(title: str, text: str) -> str:
    """A title by code, and below it what somebody wrote."""
    return "\n".join([f"{title}:", *prose_lines(text)])


def one_line(text: str) -> str:
    """Text that people gave, without line ends."""
    return " ".join(text.split())


def quoted(text: str) -> str:
    """A name as it must be spelt, in quotes."""
    return json.dumps(text, ensure_ascii=False)


def listed(names: Iterable[str]) -> str:
    """Names as they must be spelt: `"a", "b"`."""
    return ", ".join(quoted(n) for n in names)


def blocks_of(view: View) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The blocks, and the indexes of the last one before the turns and of the last one.

    A source that joins in a later round stands before the first turn of that round: nothing before it moves.
    """
    waiting = deque(sorted(view.sources, key=lambda source: source.from_round))
    blocks = [_question(view), *_joining(waiting, 1)]
    start = len(blocks) - 1
    for turn in _record(view):
        blocks += [*_joining(waiting, turn.round), _turn(turn, view)]
    blocks += map(_source, waiting)
    end = len(blocks) - 1
    return tuple(blocks), (start, end) if end > start else (start,)


def _joining(waiting: deque[Source], round_number: int) -> Iterator[str]:
    """The blocks of the sources that join up to this round; they wait no longer."""
    while waiting and waiting[0].from_round <= round_number:
        yield _source(waiting.popleft())


def _record(view: View) -> Sequence[SeenTurn]:
    """Debaters are told in their tail what leads their own round, and nothing of the rounds before."""
    if view.request.gives not in ARGUMENT_KINDS:
        return view.turns
    return [t for t in view.turns if not isinstance(t.content, Directive)]


def _question(view: View) -> str:
    parts = ["\n".join(prose_lines(view.question))]
    if view.options:
        means_yes = f"; {quoted(view.yes_option)} means yes" if view.yes_option else ""
        parts.append(f"The options: {listed(view.options)}{means_yes}")
    if view.drivers:
        parts.append(_drivers(view.drivers))
    if view.opened_on:
        parts.append(f"Opened on {view.opened_on}")
    if view.context.strip():
        parts.append(titled("What is known of the situation", view.context))
    return "# Question\n" + fenced("\n\n".join(parts))


def _drivers(drivers: Sequence[Driver]) -> str:
    if not are_weighted(drivers):
        return f"What a good decision is measured by: {listed([d.name for d in drivers])}"
    each = ", ".join(f"{quoted(d.name)} {d.weight}" for d in drivers)
    return f"What a good decision is measured by, and how much of 100 it weighs: {each}"


def _source(source: Source) -> str:
    """With its title first, unless its text begins with it."""
    title = one_line(source.title)
    first_line = one_line(source.text.lstrip().partition("\n")[0].lstrip("# "))
    text = source.text if title == first_line else f"{title}\n\n{source.text}"
    return f"# Source {source.id}\n" + fenced(text)


def _turn(turn: SeenTurn, view: View) -> str:
    head = f"# Turn: round {turn.round}, {turn.phase}\n"
    return head + fenced("\n".join([f"Speaker: {one_line(turn.speaker)}", *_lines(turn, view)]))


def _lines(turn: SeenTurn, view: View) -> list[str]:
    content = turn.content
    lines = _argument(content, view) if isinstance(content, Argument) else _office(content)
    if content.prose:
        lines += ["", *prose_lines(content.prose)]
    return lines


def _argument(content: Argument, view: View) -> list[str]:
    """Without its vote: blocks are the same for all, and who votes now is not told the votes before."""
    lines = [line for claim in content.claims for line in _claim(claim, view.sources)]
    lines += _ids("Answers", content.answers) + _ids("Concedes", content.concedes)
    return lines


def votes_of(view: View) -> list[str]:
    """Every vote that the seat may be told, one a line, in the order of the turns."""
    lines = []
    for turn in view.turns:
        vote = _vote(turn.content, view.ballot_kind) if isinstance(turn.content, Argument) else ""
        if vote:
            lines.append(f"Round {turn.round}, {turn.phase}, {one_line(turn.speaker)}: {vote}")
    return lines


def _vote(content: Argument, kind: BallotKind) -> str:
    """ "" without one."""
    sure = _sure(content.confidence)
    if content.ballot:
        return one_line(ballot_words(kind, content.ballot, quoted)) + sure
    if content.vote is None:
        return ""
    return quoted(content.vote) + sure


_FALSE: Mapping[QuoteVerdict, str] = {
    "altered": "the source does not say it like this",
    "not_found": "this is not in the source",
    "no_source": "there is no such source",
}


def _claim(claim: Claim, sources: Sequence[Source]) -> list[str]:
    """The claim with its quote, and what code found of it where it is false."""
    lines = [f"Claim {claim.id}: {one_line(claim.text)}"]
    if claim.source_id:
        lines.append(f"  source: {one_line(claim.source_id)}")
    if claim.quote:
        lines.append(f"  quote: {quoted(one_line(claim.quote))}")
    if is_unverified(sources, claim):
        lines.append(f"  checked by code: {_FALSE[checked(sources, claim).verdict]}, so this claim has no support")
    return lines + _ids("  answers", claim.answers) + _ids("  concedes", claim.concedes)


_LABELS: Mapping[LineSection, str] = {
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
}
"""Every section of those who do not argue, in the order in which a block has them."""


def _office(content: Content) -> list[str]:
    """What stands beside the prose of a content that argues nothing."""
    lines = [_labelled(line) for section in _LABELS for line in content.lines if line.section == section]
    if isinstance(content, Framing):
        lines += _ids("Key sources", content.key_sources)
    if isinstance(content, Synthesis | Verdict):
        option = "none" if content.option is None else quoted(content.option)
        lines.append(f"Option: {option}{_sure(content.confidence)}")
    return lines


def _labelled(line: ContentLine) -> str:
    match line.section:
        case "mark":
            return f"{one_line(line.subject)}: {one_line(line.text)}"
        case "position":
            return one_line(f"{line.subject}: {line.text}")
        case "candidate" | "struck":
            return f"{_LABELS[line.section]} {quoted(line.subject)}: {_linked(line)}"
        case "strongest":
            return f"{_LABELS[line.section]} {quoted(line.subject)}: {_linked(line)}"
        case "quality":
            return f"{_LABELS[line.section]} {one_line(line.subject)}: {line.text} of 10"
        case "done":
            return "This is the last round."
        case "redo":
            return "This sends the directive before it back."
        case _:
            return f"{_LABELS[line.section]}: {_linked(line)}"


def _linked(line: ContentLine) -> str:
    links = f" ({', '.join(one_line(i) for i in line.links)})" if line.links else ""
    return one_line(line.text) + links


def _ids(what: str, ids: Sequence[str]) -> list[str]:
    return [f"{what}: {', '.join(one_line(i) for i in ids)}"] if ids else []


def _sure(confidence: int | None) -> str:
    return "" if confidence is None else f", confidence {confidence}"
