"""What everybody reads: question, sources and turns, one block each, in a fence that their text cannot end.

A block is rendered from what is in it and nothing else, so that it has the same bytes for every reader and in every
later call: servers keep the prefix of a prompt. Knows nothing of who reads.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from debate_core.engine.count.counting import ballot_words
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.spec.contents import (
    ARGUMENT_KINDS,
    Argument,
    Claim,
    Directive,
    Evaluation,
    Framing,
    Linked,
    Positions,
    Review,
    Strongest,
    Synthesis,
    Verdict,
)
from debate_core.spec.values import BallotKind, Source

_FENCE = re.compile(r"data\W{0,3}(\d{1,9})", re.IGNORECASE)


def fenced(text: str) -> str:
    """The text between tags with the smallest number that it does not hold itself."""
    taken = {int(number) for number in _FENCE.findall(text)}
    number = next(n for n in range(1, len(taken) + 2) if n not in taken)
    return f"<data-{number}>\n{text}\n</data-{number}>\n"


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
    blocks = [_question(view), *(_source(s) for s in view.sources if s.from_round == 1)]
    start = len(blocks) - 1
    late = sorted((s for s in view.sources if s.from_round > 1), key=lambda s: s.from_round)
    for turn in _record(view):
        while late and late[0].from_round <= turn.round:
            blocks.append(_source(late.pop(0)))
        blocks.append(_turn(turn, view.ballot_kind))
    blocks += [_source(s) for s in late]
    end = len(blocks) - 1
    return tuple(blocks), (start, end) if end > start else (start,)


def _record(view: View) -> Sequence[SeenTurn]:
    """Debaters are told in their tail what leads their own round, and nothing of the rounds before (R092)."""
    if view.request.gives not in ARGUMENT_KINDS:
        return view.turns
    return [t for t in view.turns if not isinstance(t.content, Directive)]


def _question(view: View) -> str:
    parts = [view.question, f"The options: {listed(view.options)}"]
    if view.drivers:
        each = ", ".join(f"{quoted(d.name)} {d.weight}" for d in view.drivers)
        parts.append(f"What a good decision is measured by, and how much of 100 it weighs: {each}")
    if view.context.strip():
        parts.append(f"What is known of the situation:\n{view.context}")
    return "# Question\n" + fenced("\n\n".join(parts))


def _source(source: Source) -> str:
    return f"# Source {source.id}\n" + fenced(f"{one_line(source.title)}\n\n{source.text}")


def _turn(turn: SeenTurn, kind: BallotKind) -> str:
    head = f"# Turn: round {turn.round}, {turn.phase}\n"
    return head + fenced("\n".join([f"Speaker: {one_line(turn.speaker)}", *_lines(turn, kind)]))


def _lines(turn: SeenTurn, kind: BallotKind) -> list[str]:
    content = turn.content
    match content:
        case Argument():
            return [*_argument(content, kind), "", content.rationale]
        case Synthesis():
            return [*_synthesis(content), "", content.answer]
        case Review():
            return [f"{one_line(m.claim_id)}: {one_line(m.words())}" for m in content.marks]
        case Verdict():
            named = "none" if content.option is None else quoted(content.option)
            said = [f"Verdict: {one_line(content.verdict)}"] if content.verdict else []
            return [*said, f"Option: {named}{_sure(content.confidence)}", "", content.reasoning]
        case Evaluation():
            return [*_evaluation(content), "", content.synthesis]
        case Framing():
            return [*_framing(content), "", content.thesis]
        case Positions():
            sides = (f"{p.name}: {p.claim} Because: {p.because}" for p in content.positions)
            return [*map(one_line, sides), "", content.reason]
        case Directive():
            return [*_directive(content), "", content.reason]
        case _:
            assert_never(content)


def _argument(content: Argument, kind: BallotKind) -> list[str]:
    lines = [line for claim in content.claims for line in _claim(claim)]
    lines += _ids("Answers", content.answers) + _ids("Concedes", content.concedes)
    if content.vote is not None:
        lines.append(f"Vote: {quoted(content.vote)}{_sure(content.confidence)}")
    if content.ballot:
        lines.append(f"Vote: {one_line(ballot_words(kind, content.ballot, quoted))}{_sure(content.confidence)}")
    return lines


def _claim(claim: Claim) -> list[str]:
    lines = [f"Claim {claim.id}: {one_line(claim.text)}"]
    if claim.source_id:
        lines.append(f"  source: {one_line(claim.source_id)}")
    if claim.quote:
        lines.append(f"  quote: {quoted(one_line(claim.quote))}")
    return lines + _ids("  answers", claim.answers) + _ids("  concedes", claim.concedes)


def _synthesis(content: Synthesis) -> list[str]:
    lines = [f"Strongest for {quoted(s.option)}: {_linked(s)}" for s in content.strongest]
    lines += [f"Established: {_linked(line)}" for line in content.established]
    lines += [f"Contested: {_linked(line)}" for line in content.contested]
    named = "none" if content.option is None else quoted(content.option)
    return [*lines, f"Option: {named}{_sure(content.confidence)}"]


def _evaluation(content: Evaluation) -> list[str]:
    lines = [f"Quality of {one_line(q.seat)}: {q.score} of 10" for q in content.quality]
    lines += [f"Resolved: {_linked(line)}" for line in content.resolved]
    lines += [f"Unresolved: {_linked(line)}" for line in content.unresolved]
    lines += [f"Uncertain: {one_line(text)}" for text in content.uncertainties]
    again = "yes" if content.recommend_another_round else "no"
    return [*lines, f"Confidence: {content.confidence_level or 'unknown'}", f"Another round: {again}"]


def _framing(content: Framing) -> list[str]:
    lines = [f"Scope: {one_line(content.scope)}"] if content.scope else []
    lines += [f"A good answer: {one_line(text)}" for text in content.criteria]
    return lines + _ids("Key sources", content.key_sources)


def _directive(content: Directive) -> list[str]:
    if content.redo:
        return ["This sends the directive before it back."]
    lines = _ids("Next speakers", content.next_speakers)
    lines += [f"Briefing: {one_line(content.briefing)}"] if content.briefing else []
    lines += [f"New angle: {one_line(content.new_angle)}"] if content.new_angle else []
    return lines + (["This is the last round."] if content.done else [])


def _linked(line: Linked | Strongest) -> str:
    links = f" ({', '.join(one_line(i) for i in line.links)})" if line.links else ""
    return one_line(line.text) + links


def _ids(what: str, ids: Sequence[str]) -> list[str]:
    return [f"{what}: {', '.join(one_line(i) for i in ids)}"] if ids else []


def _sure(confidence: int | None) -> str:
    return "" if confidence is None else f", confidence {confidence}"
