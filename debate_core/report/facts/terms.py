"""The terms of the program in the reader's language: phases, rules, roles, statuses, units and polls.

A seat id is chosen by people and is no term. `bench/messages.py` copies the terms from the tables of the program into
the catalogues.
"""

import re
from functools import cache

from debate_core.engine.count.count import STEP_REASONS
from debate_core.engine.stage import CALLS_REFUSED, LOBBY, NO_CANDIDATES, NO_WHOLE_REPLY, NOT_REACHED, ROUND_READY
from debate_core.language import _, message, said
from debate_core.sentence import Sentence
from debate_core.spec.values import in_words

_LATE = message("no answer within {detail} s")
RECORDED = (_LATE, LOBBY, ROUND_READY, NOT_REACHED, NO_WHOLE_REPLY, CALLS_REFUSED, NO_CANDIDATES, *STEP_REASONS)
"""English sentences of the program in records, some with values: reasons to wait, steps of a tie-break,
late answers."""


_NAMES = {
    "anti_plurality": "fewest last places",
    "borda": "Borda",
    "bucklin": "Bucklin",
    "coombs": "Coombs",
    "copeland": "Copeland",
    "irv": "instant run-off",
    "irv_put": "instant run-off, every tie followed",
    "schulze": "Schulze",
    "star": "STAR",
}
"""Rules of counting whose code is not their name."""


def named(term: str) -> str:
    """`threshold_vote` -> `threshold vote`, translated; a term without a translation, such as a custom phase, stays."""
    return said(term) if isinstance(term, Sentence) else _(english_name(term))


def english_name(term: str) -> str:
    """The name of a term before its translation."""
    return _NAMES.get(term) or in_words(term)


def recorded(english: str) -> str:
    """Translate a recorded English sentence of the program; text by people stays."""
    for template in RECORDED:
        if found := _pattern(template).fullmatch(english):
            return _(template, **found.groupdict())
    return _(english)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """`round {number} is ready` as a regular expression with a group for the number."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)))
