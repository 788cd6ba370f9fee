"""What people did to the course of a debate, as clauses that follow their names."""

from collections.abc import Callable

from debate_core.language import Words
from debate_core.report.facts.interventions import Action, OverrideRow
from debate_core.report.facts.terms import named
from debate_core.report.words.marks import reading_words
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
        "last round": "called {target} the last",
        "add document": "added the document {target}",
        "show out": "removed {target} from the room",
        "change person": "changed {target}",
        "revise synthesis": "revised the synthesis",
        "sign": "signed",
        "skip": "skipped {target}",
        "end at limit": "ended the debate at its limit",
        "pause": "paused the debate",
        "give up": "passed over {target}",
        "resume": "let the debate go on",
        "stop": "stopped the debate",
        "raise limit": "raised the limits",
    }
)
"""What somebody did -> the same as a clause; `{target}` is whom or what they did it to."""
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
"""What something was, or became, where the program has a word of its own for it."""


def as_it_is(text: str) -> str:
    """Words that stay."""
    return text


def override_words(row: OverrideRow, say: Callable[[str], str] = as_it_is) -> str:
    """`struck the reply of planner in round 2`. `say` writes what people called something."""
    return DID[row.action].format(target=say(row.target))


def sides(row: OverrideRow, say: Callable[[str], str] = as_it_is) -> tuple[str, str]:
    """What it was before and after, in the language of now; "" where there is nothing to say."""
    before, after = (_side(row, side, say) for side in (row.before, row.after))
    return before, after


def change_words(row: OverrideRow, say: Callable[[str], str] = as_it_is) -> str:
    """`given → struck`; empty where neither side says anything."""
    return " → ".join(side for side in sides(row, say) if side)


def _side(row: OverrideRow, side: str, say: Callable[[str], str]) -> str:
    if not side.strip():
        return ""
    if row.action == "mark":
        reading, _, option = side.partition(" ")
        mark = Mark.model_validate({"claim_id": row.target, "reading": reading, "option": option or None})
        return say(reading_words(mark))
    return _SIDES[side] if side in _SIDES else named(say(side))
