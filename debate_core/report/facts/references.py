"""Where a text points at the debate itself: its claims, rounds and turns, its tallies, the marks of a list.

Numbers in such places are no facts about the subject. Only what is there is pointed at: `round 9` of three rounds
stays, and so does the id of a claim that nobody made.
"""

import re
from collections.abc import Collection

from debate_core.report.facts.named_entities import is_unit

_LABEL = (
    r"(?:rounds?|turns?|phases?|exchanges?|claims?|points?|arguments?|options?|sides?|seats?|speakers?|debaters?|judges?"
    r"|ballots?|steps?|items?|lines?|sources?|quotes?|passages?|reasons?|criteri(?:a|on)|numbers?|no\.|#|nr\.)"
)
_NUMBER = r"\d+(?:\.\d+)?"
_LIST_MARK = re.compile(r"(?m)^[^\S\n]*(?:[-*•–]\s+)?\(?\d{1,2}[.):](?=\s|$)|(?<=\s)\(\d{1,2}\)(?=\s)")
"""`3.` and `2)` at the start of a line, `(1)` within one."""
_ID = re.compile(r"(?<![\w.])[\w-]+(?:\.[\w-]+)*")
"""`planner.2.1`, `2.critique.planner`, `c7`."""
_LABELLED = re.compile(rf"\b(?<!\d ){_LABEL}\s?{_NUMBER}(?:\s?(?:,|/|-|–|&|and|or|to)\s?{_NUMBER})*", re.I)
"""`round 2`, `claims 2.1 and 2.3`, `turns 3-5`."""
_SHORT = re.compile(r"\b[RT]\d{1,2}\b")
"""`R2` for round 2."""
_IN_BRACKETS = re.compile(rf"[\[(]\s?{_NUMBER}(?:\s?[,;]\s?{_NUMBER})*\s?[\])]")
"""`(2.1, 2.3)`."""
_TALLY = re.compile(
    r"\b\d+ (?:out )?of (?:the |all )?\d+\b"  # 2 of 3
    # by 2 to 1
    r"|\b(?:by|voted|votes?|split|majority of|count(?:ed)?|tally|ended) \d+\s?(?:-|–|:|to|against)\s?\d+\b",
    re.I,
)
_COUNTED = re.compile(rf"\b\d+(?:st|nd|rd|th)? (?:of (?:the|its|their) )?(?:\w+ )?(?:votes?|{_LABEL})(?!\w)", re.I)
"""`3 claims`, `2 of the turns`."""
_BEHIND = re.compile(r"\s?(\w+|%)")


def without_references(text: str, ids: Collection[str], most: int) -> str:
    """The text less what points at the debate.

    `ids`: the ids there are and other ways to write them, in lower case. `most`: how many turns and claims there are;
    a number above it points at nothing.
    """

    def blank(match: re.Match[str]) -> str:
        behind = _BEHIND.match(text_now, match.end())
        if behind and is_unit(behind.group(1)):
            return match.group()
        there = all(_is_there(number, ids, most) for number in re.findall(_NUMBER, match.group()))
        return " " if there else match.group()

    text_now = _LIST_MARK.sub(" ", text)
    text_now = _ID.sub(lambda m: " " if m.group().casefold() in ids else m.group(), text_now)
    for pattern in (_LABELLED, _SHORT, _IN_BRACKETS, _TALLY, _COUNTED):
        text_now = pattern.sub(blank, text_now)
    return text_now


def _is_there(number: str, ids: Collection[str], most: int) -> bool:
    if "." in number:
        return any(id_.endswith(f".{number}") for id_ in ids)
    return int(number) <= most
