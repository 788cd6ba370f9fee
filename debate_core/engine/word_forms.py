"""Word forms: `adopting` is a form of `adopt`. English, and partly German."""

import re
from functools import lru_cache

WORD = re.compile(r"[^\W_]+")
GRAMMAR = frozenset(
    WORD.findall(
        "a an the to in on at of for by with from and or it its this that we our us be is are as per one each between "
        "do der die das ein eine auf bei zu im und oder wir es"
    )
)
"""Words without content."""
_ENDINGS = re.compile(r"(?:ations?|ings?|ions?|als?|ed|es|s|e)$")
# `aufgeteilt` and `aufzuteilen` of `aufteilen`
_GERMAN_PARTICIPLE = re.compile(r"^(ab|an|auf|aus|ein|um|vor|zu)(?:ge|zu)(\w{3,}?)(?:et|t|en)$")
_GERMAN_INFINITIVE = re.compile(r"^(ab|an|auf|aus|ein|um|vor|zu)(\w{3,}?)en$")
_IRREGULAR = {
    "written": "write", "rewritten": "rewrite", "built": "build", "bought": "buy", "chosen": "choose", "taken": "take",
    "given": "give", "kept": "keep", "sold": "sell", "made": "make", "left": "leave", "gone": "go", "frozen": "freeze",
}  # fmt: skip
MIN_STEM = 3
MIN_PREFIX = 6
"""Letters that two words must share to count as one name: Postgres, PostgreSQL."""


def is_form_of(word: str, name: str) -> bool:
    """True if a word is a form of this name; an abbreviation has to match exactly: REST."""
    if len(name) > 1 and name.isupper():
        return word == name
    mine = word.casefold()
    its = name.casefold()
    if mine == its or stem(mine) == stem(its):
        return True
    short, long = sorted((mine, its), key=len)
    return len(short) >= MIN_PREFIX and long.startswith(short)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """`adopting`, `adoption` -> `adopt`; `deferral` -> `defer`; `aufgeteilt`, `aufteilen` -> `aufteil`."""
    word = _IRREGULAR.get(word, word)
    if german := _GERMAN_PARTICIPLE.match(word) or _GERMAN_INFINITIVE.match(word):
        return "".join(german.groups())
    short = _ENDINGS.sub("", word)
    if len(short) < MIN_STEM:
        return word
    ends_double = len(short) > MIN_STEM and short[-1] == short[-2]
    return short[:-1] if ends_double and short[-1] not in "aeiou" else short
