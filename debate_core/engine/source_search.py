"""Search in the sources of a debate: from a query to numbered passages, word for word.

The same sources and query always give the same passages. No model and no network.
"""

from collections.abc import Sequence
from functools import lru_cache

from debate_core.engine.passages import Index, index_of, passages_of, scores, terms
from debate_core.record.look_ups import MAX_PASSAGES, FoundPassage
from debate_core.spec.values import Source

MAX_HEADING_CHARS = 200
_SAME_SCORE_DIGITS = 9
"""Scores are rounded before they are compared, because the last digits of a sum may differ between machines."""


def search_sources(sources: Sequence[Source], query: str) -> tuple[FoundPassage, ...]:
    """Find the passages with words of the query, the best one first, equal ones in reading order.

    A repeated text is found once. Empty if no passage has a word of the query.
    """
    index = _index(tuple(sources))
    words = dict.fromkeys(terms(query), 1.0)
    ranked = []
    for place, score in enumerate(scores(index, words)):
        if score > 0:
            ranked.append((-round(score, _SAME_SCORE_DIGITS), place))
    best: dict[str, FoundPassage] = {}
    for _score, place in sorted(ranked):
        passage = index.passages[place]
        number = int(passage.id.rpartition(".p")[2])
        heading = passage.heading[:MAX_HEADING_CHARS]
        best.setdefault(
            " ".join(passage.text.split()),
            FoundPassage(source_id=passage.source_id, number=number, text=passage.text, heading=heading),
        )
        if len(best) == MAX_PASSAGES:
            break
    return tuple(best.values())


@lru_cache(maxsize=4)
def _index(sources: tuple[Source, ...]) -> Index:
    return index_of([passage for source in sources for passage in passages_of(source)])
