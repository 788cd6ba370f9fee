"""Names of options in short texts such as a stance or an act, and negations in them.

Matches whole words only; `stance_detection` handles texts that weigh several options.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count

from debate_core.sentence import Sentence
from debate_core.text import folded

# `not adopt`, `anything rather than adopt`; `we don't adopt`
_NEGATED = re.compile(r"\b(?:no|not|never|nor|neither|without|against|instead of|rather than|than|cannot)\b|n['’]t\b")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")


def negated(text: str) -> bool:
    """True if a text may oppose the option that it names: `not adopt`, `anything rather than adopt`."""
    return _NEGATED.search(text.casefold()) is not None


def named_option(text: str, options: Sequence[str]) -> str | None:
    """The single option that a text names in whole words; None for none or several.

    `We split first` names only `split first`, even if `split` is an option too.
    """
    return only_option(options_named(text, options))


def options_named(text: str, options: Sequence[str]) -> tuple[str, ...]:
    """Every option that a text names in whole words, without those that are part of another one."""
    words = folded(text)
    named = [option for option in options if _stands_in(words, folded(option))]
    return tuple(option for option in named if not _is_part_of_another(option, named))


def name_stated(text: str, names: Sequence[str]) -> str | None:
    """The name that a text consists of, ignoring marks around it: `**adopt**`, `"adopt"`, `adopt.`, ` Adopt `.

    None if it matches none, or several: `"C"`, where `C` and `C#` are options.
    """
    plain = text.strip().casefold()
    same = [name for name in names if name.strip().casefold() == plain]
    bare = _bare(plain)
    if same or not bare:
        # Names that consist of marks cannot be compared without them.
        return only_option(same)
    return only_option(name for name in names if _bare(name.casefold()) == bare)


def _bare(text: str) -> str:
    """The text without marks, quotes and punctuation at its ends."""
    return _ENDS.sub("", text)


def no_option(options: Sequence[str]) -> str:
    """The word for no option in a reply: "none", or a numbered variant if an option has that name."""
    names = {option.casefold() for option in options}
    if "none" not in names:
        return "none"
    return next(word for number in count() if (word := f"none {number}") not in names)


@lru_cache(maxsize=1024)
def option_of_side(side: str, options: tuple[str, ...]) -> str | None:
    """The single option that a stance supports: `in defence of adopt`; None if it is unclear or opposes one."""
    return None if negated(side) else named_option(side, options)


def only_option(options: Iterable[str | None]) -> str | None:
    """The option that all of these equal; None if there is none, or they differ."""
    different = {*options}
    return different.pop() if len(different) == 1 else None


def _is_part_of_another(option: str, named: Sequence[str]) -> bool:
    return any(option != other and option.casefold() in other.casefold() for other in named)


def _stands_in(words: str, name: str) -> bool:
    """True if the text contains the name as whole words: `split` in `split it`, not in `splitting is fine`."""
    return name in words and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


def fault_in_option(options: Sequence[str], given: str | None) -> Sentence | None:
    """The reason why this is not an option, or None."""
    if given in options:
        return None
    return Sentence("{given!r} is none of the options: {options}", given=(given or "")[:80], options=", ".join(options))
