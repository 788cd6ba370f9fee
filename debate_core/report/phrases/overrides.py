"""Acts of people on the course of a debate, as clauses after their names."""

from collections.abc import Callable

from debate_core.language import Words
from debate_core.report.facts.interventions import Action, OverrideRow
from debate_core.report.facts.terms import named
from debate_core.report.phrases.marks import reading_words
from debate_core.spec.contents import Mark

DID: Words[Action] = Words(
    {
        "strike": "struck {target}",
        "correct": "corrected {target}",
        "mark": "marked {target}",
        "intervene": "said to {target}",
        "take seat": "took over the seat {target}",
        "return seat": "gave back the seat {target}",
        "set options": "set the options",
        "extend": "gave more time",
        "add round": "added a round",
        "last round": "declared {target} the last",
        "add document": "added the document {target}",
        "show out": "removed {target} from the room",
        "change person": "changed {target}",
        "revise synthesis": "revised the synthesis",
        "sign": "signed the decision",
        "skip": "skipped {target}",
        "end at limit": "ended the debate at its limit",
        "pause": "paused the debate",
        "give up": "gave up on {target}",
        "resume": "resumed the debate",
        "stop": "stopped the debate",
        "raise limit": "raised the limits",
    }
)
"""Action -> clause; `{target}` is the person or thing that it affected."""
_SIDES = Words(
    {
        "given": "given",
        "struck": "struck",
        "asked": "asked",
        "skipped": "skipped",
        "running": "running",
        "paused": "paused",
        "stopped": "stopped",
        "left": "left the room",
    }
)
"""Values before or after an act that have words of this program."""


def override_clause(row: OverrideRow, say: Callable[[str], str] = str) -> str:
    """`struck the reply of planner in round 2`. `say` writes text of people."""
    return DID[row.action].format(target=say(row.target))


def sides(row: OverrideRow, say: Callable[[str], str] = str) -> tuple[str, str]:
    """Values before and after the act, in the current language; "" for an absent one."""
    return _side_words(row, row.before, say), _side_words(row, row.after, say)


def change_words(row: OverrideRow, say: Callable[[str], str] = str) -> str:
    """`given → struck`; empty without either value."""
    return " → ".join(filter(None, sides(row, say)))


def _side_words(row: OverrideRow, side: str, say: Callable[[str], str]) -> str:
    if not side.strip():
        return ""
    if row.action == "mark":
        reading, _, option = side.partition(" ")
        mark = Mark.model_validate({"claim_id": row.target, "reading": reading, "option": option or None})
        return say(reading_words(mark))
    return _SIDES[side] if side in _SIDES else named(say(side))
