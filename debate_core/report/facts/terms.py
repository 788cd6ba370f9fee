"""The terms of the program: phases, rules, roles, statuses, units and polls, as people read them in their language.

A seat is called by its id, which somebody chose: it is no term. `bench/messages.py` takes the terms from the tables of
the program into the catalogues.
"""

import re
from functools import cache

from debate_core.engine.count.count import STEP_REASONS
from debate_core.engine.stage import CALLS_REFUSED, LOBBY, NO_CANDIDATES, NO_WHOLE_REPLY, NOT_REACHED, ROUND_READY
from debate_core.language import _, said
from debate_core.sentence import Sentence
from debate_core.spec.values import in_words

RECORDED = (LOBBY, ROUND_READY, NOT_REACHED, NO_WHOLE_REPLY, CALLS_REFUSED, NO_CANDIDATES, *STEP_REASONS)
"""Sentences of the program that a record holds, some with values filled in: why it waits, what broke a tie."""


def named(term: str) -> str:
    """`threshold_vote` -> `threshold vote`; what no catalogue has, such as a phase of somebody's own, stays."""
    return said(term) if isinstance(term, Sentence) else _(in_words(term))


def recorded(english: str) -> str:
    """What the program put on record in English, in the language of now; what people wrote stays."""
    for template in RECORDED:
        if found := _pattern(template).fullmatch(english):
            return _(template, **found.groupdict())
    return _(english)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """`round {number} is ready` as an expression that finds the number."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)))
