"""Lines of a content beside its prose, for readers."""

from collections.abc import Sequence

from debate_core.language import Words, _
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import TurnRow
from debate_core.report.phrases.names import claim_name, in_names, turns_by_id
from debate_core.spec import contents
from debate_core.spec.values import in_words
from debate_core.text import capitalized

SECTIONS: Words[str] = Words(
    {
        "rationale": "reasons",
        "answer": "answer",
        "thesis": "thesis",
        "reason": "reason",
        "synthesis": "synthesis",
        "reasoning": "reasoning",
        "claim": "claim",
        "strongest": "strongest argument",
        "established": "established",
        "contested": "contested",
        "mark": "mark",
        "scope": "scope",
        "criterion": "criterion",
        "key_source": "key source",
        "position": "position",
        "candidate": "candidate",
        "struck": "struck",
        "speakers": "speakers",
        "briefing": "briefing",
        "new_angle": "new angle",
        "done": "last round",
        "redo": "to be repeated",
        "quality": "quality",
        "resolved": "resolved",
        "unresolved": "unresolved",
        "another_round": "another round",
        "confidence_level": "confidence level",
        "uncertainty": "uncertainty",
        "verdict": "verdict",
        "option": "option named",
        "confidence": "confidence",
        "deliverable": "deliverable",
        "decided_by": "deciding claim",
        "if_false": "if false",
        "flag": "flag on removed text",
    }
)
"""Section of a content, or of a table of its lines -> its name."""
REMARKS: Words[str] = Words(
    {
        "unlinked": "has no link",
        "unknown_claim": "links a claim that does not exist",
        "not_said": "names something no one said",
        "not_in_links": "names something its links do not say",
        "struck": "links a struck turn",
        "unverified": "rests on unverified quotes",
        "thin": "few of its words were said",
        "polarity": "the other way round?",
        "own_words": "the synthesiser's own judgement",
        "flagged": "flagged by the room",
        "flag_settled": "flag settled",
    }
)
"""Remark by code or people on a line of a synthesis -> its words."""
_WITH_NOTES = (
    contents.Directive,
    contents.Framing,
    contents.Positions,
    contents.Candidates,
    contents.Evaluation,
    contents.Verdict,
    contents.CruxAnswer,
)


def section_title(section: str) -> str:
    """`Established`."""
    return capitalized(SECTIONS[section])


def note_lines(account: Account, row: TurnRow) -> tuple[str, ...]:
    """Lines beside the prose of a turn; claims and the lines of a synthesis have separate tables."""
    turn = account.once(turns_by_id).get(row.turn_id)
    if turn is None or not isinstance(turn.content, _WITH_NOTES):
        return ()
    return tuple(_note_line(account, line) for line in turn.content.lines)


def _note_line(account: Account, line: contents.ContentLine) -> str:
    match line.section:
        case "done":
            return _("this is the last round")
        case "redo":
            return _("sent back to the moderator")
        case "if_false":
            return _("if {claim} is false: {option}", claim=claim_name(account, line.subject), option=line.text)
    subject = f" ({in_words(line.subject)})" if line.subject else ""
    text = in_names(account, line.text)
    if line.section in ("another_round", "confidence_level"):
        text = named(text.casefold())
    return f"{SECTIONS[line.section]}{subject}: {text}{links_in_brackets(account, line.links)}"


def links_in_brackets(account: Account, links: Sequence[str]) -> str:
    """` [claim 1, claim 4]`; empty without a link."""
    return f" [{', '.join(claim_name(account, link) for link in links)}]" if links else ""


def turns_in_brackets(account: Account, turns: Sequence[str]) -> str:
    """` [risk in critique of round 1]`; empty without a turn."""
    return f" [{', '.join(in_names(account, turn) for turn in turns)}]" if turns else ""
