"""Turns of moderators, framers, evaluators and judges as typed rows: directives and narrative, never the count.

Knows no file format.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

from debate_core.engine import voting
from debate_core.engine.option_names import options_named
from debate_core.engine.word_forms import GRAMMAR
from debate_core.record.state import State, Turn
from debate_core.report.facts.turns import readable_turns
from debate_core.spec import contents

C = TypeVar("C", bound=contents.Content)
_COMMON = GRAMMAR | {"yes", "no", "not", "none", "both", "other", "neither", "all", "ja", "nein", "beide", "keine"}
"""Options of such words alone are no sign of an option in a sentence: `no new evidence`."""


@dataclass(frozen=True, slots=True)
class DirectiveRow:
    """The directive at the start of a round."""

    round: int
    next_speakers: tuple[str, ...]
    briefing: str
    new_angle: str
    done: bool
    by: str
    reason: str
    replaced: bool
    """True if a later directive of the same round replaces it."""
    names_options: tuple[str, ...]
    """Options in its briefing, angle or reason."""


def directive_turns(state: State, holds: Collection[str] = ()) -> tuple[tuple[Turn, contents.Directive], ...]:
    return turns_giving(state, contents.Directive, holds)


def turns_giving(state: State, kind: type[C], holds: Collection[str] = ()) -> tuple[tuple[Turn, C], ...]:
    """Every turn that gave this kind of content, in order."""
    turns = readable_turns(state, holds)
    return tuple((turn, turn.content) for turn in turns if isinstance(turn.content, kind))


def directive_rows(state: State, holds: Collection[str] = ()) -> tuple[DirectiveRow, ...]:
    """One row per directive; the last one of a round is in force."""
    directives = directive_turns(state, holds)
    last = {turn.round: turn.request for turn, _ in directives}
    return tuple(
        DirectiveRow(
            round=turn.round,
            next_speakers=directive.next_speakers,
            briefing=directive.briefing,
            new_angle=directive.new_angle,
            done=directive.done,
            by=turn.by,
            reason=directive.reason,
            replaced=last[turn.round] != turn.request,
            names_options=options_in_directive(state, directive),
        )
        for turn, directive in directives
    )


def options_in_directive(state: State, given: contents.Directive) -> tuple[str, ...]:
    """Options that a directive names in its briefing, angle or reason."""
    return steered_to(f"{given.briefing}\n{given.new_angle}\n{given.reason}", state.spec.options)


def steered_to(text: str, options: Collection[str]) -> tuple[str, ...]:
    """Options that a steering text names in whole words; options of common words alone are left out."""
    telling = [option for option in options if not {*option.casefold().split()} <= _COMMON]
    return options_named(text, telling)


def selected_by(state: State) -> str:
    """Author of the speaking order: `schedule`, `moderator (model)`, `moderator (human)`, joined by "and".

    A directive counts only if it was in force when a directed phase began.
    """
    last = {turn.round: turn for turn, _ in directive_turns(state)}
    steered = [number for number, phase in state.ran if state.phase(phase).directed and number in last]
    choosers: dict[str, None] = {}
    for number in steered:
        turn = last[number]
        occupant = state.spec.seat(turn.seat).occupant if turn.by == turn.seat else "human"
        choosers[f"moderator ({occupant})"] = None
    return " and ".join(choosers) or "schedule"


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One line of a framing, an evaluation or a verdict. `subject` is the seat that a rating is about."""

    line_id: str
    round: int
    phase: str
    seat: str
    by: str
    kind: str
    section: str
    subject: str
    text: str
    links: tuple[str, ...]
    flags: tuple[str, ...]
    """`unknown_claim`: it links a claim that was never made."""


def evaluation_rows(state: State, holds: Collection[str] = ()) -> tuple[EvaluationRow, ...]:
    """Every line of the turns of support roles, in order; empty fields are left out."""
    rows = []
    for turn in readable_turns(state, holds):
        numbers = Counter[str]()
        for line in _lines_with_prose(turn.content):
            numbers[line.section] += 1
            rows.append(_evaluation_row(state, turn, line, numbers[line.section]))
    return tuple(rows)


def _evaluation_row(state: State, turn: Turn, line: contents.ContentLine, number: int) -> EvaluationRow:
    assert turn.content is not None
    return EvaluationRow(
        line_id=f"{turn.request}.{line.section}.{number}",
        round=turn.round,
        phase=turn.phase,
        seat=turn.seat,
        by=turn.by,
        kind=turn.content.kind,
        section=line.section,
        subject=line.subject,
        text=line.text,
        links=line.links,
        flags=("unknown_claim",) if any(link not in state.claims for link in line.links) else (),
    )


def _lines_with_prose(content: contents.Content | None) -> tuple[contents.ContentLine, ...]:
    """Lines and prose of a framing, an evaluation, a verdict or an assigner; in a verdict the option comes first."""
    if (
        not isinstance(
            content,
            contents.Framing | contents.Positions | contents.Candidates | contents.Evaluation | contents.Verdict,
        )
        or content.PROSE_FIELD is None
    ):
        return ()
    first = tuple(line for line in content.lines if line.section in ("verdict", "option"))
    others = tuple(line for line in content.lines if line not in first)
    return (*first, contents.ContentLine(content.PROSE_FIELD, content.prose), *others)


def last_verdict(state: State) -> tuple[contents.Verdict, str | None] | None:
    """The last verdict and its option; for a verdict in both orders, the option named in both."""
    verdicts = turns_giving(state, contents.Verdict)
    if not verdicts:
        return None
    turn, verdict = verdicts[-1]
    return verdict, voting.named_in(state, turn)
