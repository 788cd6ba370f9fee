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
_OTHER_ID = (
    r"(?<!\w)(?!(?:[QHV]\d|S3)\b)(?:[A-Za-z][-_.])?(?:\#|(?:claim|arg|argument|point|turn|round|debater|seat|side|speaker|judge|statement|id|[A-Za-z])"
    r"[-_.]?)\d{1,2}[a-d]?(?:[-_./]?[A-Za-z]{0,2}[-_.]?\d{1,2}){0,3}(?![\w%])"
)
"""An id in another form than ours, as models make them up: `A2`, `C-3`, `claim_4`, `D1C2`, `#7`, `A-R1-C2`.

No quarter or half of a year (`Q3`, `H2`), no version (`V2`) and no store of objects (`S3`)."""
_JOINED = rf"{_OTHER_ID}(?:\s?(?:,|;|/|&|and|or|to)\s?(?:and )?{_OTHER_ID})*"
_OTHER_IDS = re.compile(
    # `(A2)`, `[B1; A3]`, `(see A2)`
    rf"[\[(<](?:see |cf\.? |per |from |id |ids )?{_JOINED}[\])>]"
    # `claims A2 and B3`
    rf"|\b{_LABEL}\s{_JOINED}"
    # `A2: `, `As A2 has it`, `Both A2 and B3 say`, `C3 holds`
    rf"|(?:^|(?<=[.!?:;]\s))(?P<lead>(?:as|both|per|see|cf\.|against|unlike|while|since|with) )?{_JOINED}"
    r"(?=\s?:|,|['’]s\b| (?:has|have|hold|stand|say|show|answer|argue|claim|add|repl|concede|counter|rebut|note|make"
    r"|state|point|reject|support|rest|fail|goes|go|is right|is wrong)\w*)"
    # `answers A2`
    rf"|(?:(?<=\banswers )|(?<=\bconcedes )|(?<=\brebuts )|(?<=\bcounters )){_JOINED}",
    re.I | re.M,
)
FEW_IDS = 9
"""Ids of another form count anew for each speaker or round: `A4` stands where three turns were given."""
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

    def blank_other(match: re.Match[str]) -> str:
        are_few = all(int(number) <= max(most, FEW_IDS) for number in re.findall(r"\d+", match.group()))
        # One in the form of ours is there, or it is an invention.
        is_ours = any(_form(id_) in forms for id_ in re.findall(_OTHER_ID, match.group()))
        return f"{match['lead'] or ''} " if are_few and not is_ours else match.group()

    # A letter alone is how people write the ids: of a model it may be anything.
    forms = {_form(id_) for id_ in ids if id_[1:2].isalpha()}
    text_now = _OTHER_IDS.sub(blank_other, _LIST_MARK.sub(" ", text))
    text_now = _ID.sub(lambda m: " " if m.group().casefold() in ids else m.group(), text_now)
    for pattern in (_LABELLED, _SHORT, _IN_BRACKETS, _TALLY, _COUNTED):
        text_now = pattern.sub(blank, text_now)
    return text_now


def _form(id_: str) -> str:
    """`planner.2.1` and `critic.3.4` have one form, `A2` and `B3` another one."""
    return re.sub(r"\d+", "0", re.sub(r"[a-z]+", "x", id_.casefold()))


def _is_there(number: str, ids: Collection[str], most: int) -> bool:
    if "." in number:
        return any(id_.endswith(f".{number}") for id_ in ids)
    return int(number) <= most
