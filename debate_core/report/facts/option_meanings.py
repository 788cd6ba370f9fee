"""The meaning of each option in one sentence, from the documents of a debate. Makes up nothing.

A document titled by an option explains it, such as the text of a candidate. A decision record explains options in
their list, `- Outbox table: written with the order`, or in a paragraph below a heading with the name of the option.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from debate_core.documents.choices import compared
from debate_core.documents.document import MAX_READ_CHARS, Prose, read_document
from debate_core.documents.option_names import is_placeholder, without_label
from debate_core.engine.similarity import split_sentences
from debate_core.record.state import State

MAX_CHARS = 160
"""About four lines on a phone. A longer first sentence is no short meaning and is left out."""
_EXPLAINS = re.compile(r"\s*(?::|–|—|-|\.)\s+")


def option_meanings(state: State) -> Mapping[str, str]:
    """Option -> its meaning, for options with one, from documents that everyone may read by now."""
    now = max(state.current_round(), 1)
    read_by_all = [source for source in state.spec.sources if source.only_for is None and source.from_round <= now]
    return _meanings(state.spec.options, tuple((source.title, source.text) for source in read_by_all))


# A ballot is redrawn after each tap of each voter.
@lru_cache(maxsize=32)
def _meanings(options: tuple[str, ...], documents: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for title, text in documents:
        prose = read_document(text[:MAX_READ_CHARS]).prose
        of_title = [option for option in options if compared(option) == compared(title)]
        explained = [(of_title[0], prose[0].words)] if of_title and prose else _explained(prose, options)
        for option, words in explained:
            first = next(iter(split_sentences(words)), "")
            if first and len(first) <= MAX_CHARS and not is_placeholder(first):
                found.setdefault(option, first)
    return found


def _explained(prose: Sequence[Prose], options: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Options and the words that explain them in one document, in reading order."""
    for one in prose:
        heading = one.headings[-1] if one.headings else ""
        for option in options:
            if one.block.kind == "paragraph" and _after(heading, option) == "":
                yield option, one.words
            elif one.stands_under("options", "alternatives", "pros_and_cons"):
                explained = _EXPLAINS.match(_after(one.words, option) or "")
                if explained:
                    yield option, explained.string[explained.end() :]


def _after(words: str, option: str) -> str | None:
    """The words after the name of an option; None if they do not begin with it, after a label such as `Option 2:`."""
    bare = without_label(words)
    return bare.removeprefix(option) if bare.startswith(option) else None
