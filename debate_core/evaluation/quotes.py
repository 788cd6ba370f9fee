"""The quote check, measured on real decision records and stories, and on the spans that people quoted from them.

True and false quotes are cut from the texts at random with fixed seeds.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from debate_core.engine.quotes import negates, verify_quote, words
from debate_core.evaluation.debates import REAL_DEBATES
from debate_core.evaluation.figures import DetectorFigure, Sample, share
from debate_core.evaluation.labelled import LabelledRow, rows
from debate_core.host.uploads import utf8

RECORDS, STORIES = "adr/*.md", "nyu/sample*tokens*.jsonl.gz"
QUOTES_PER_TEXT = 24
MIN_WORDS, MAX_WORDS = 6, 30
"""Length of a quote."""
FAR_WORDS = 60
"""Minimum distance of two unrelated stretches."""
_PLAIN = re.compile(r"[A-Za-z]{2,}[,;]?")
_NO = re.compile(r"\b(?:not|never|no|cannot|without|nor)\b|n[’']t\b")
_NUMBER = re.compile(r"\d+")
_GLUED = re.compile(r"[^\w\s(\[“\"'`]|n't$|'(?:s|m|d|re|ve|ll)$")


MadeQuote = str | None
"""A quote; None if the text has none of this kind."""
Forger = Callable[[Sequence[str], Random], MadeQuote]
"""Makes a quote from the tokens of a document."""


def quotes(folder: Path) -> Sample:
    """Shares of true quotes, and of false ones made from the same texts, that pass as verbatim."""
    stories: dict[str, str] = {}
    for story in rows(folder, STORIES, ("article_id", "tokens")):
        stories[str(story["article_id"])] = _join(story["tokens"])
    records = [utf8(str(path), path.read_bytes()) for path in sorted(folder.glob(RECORDS))]
    texts = [*records, *stories.values()]
    honest, number, negation = (_count_verbatim(texts, forger) for forger in (_exact, _change_number, _drop_negation))
    spans = _real_spans(folder, stories)
    taken = honest[0]
    figures = (
        *share("precision", taken, taken + number[0] + negation[0], 0.999),
        *share("recall", *honest, 0.990),
        *share("recall_of_real_spans", *spans, 0.990),
        *share("short_ellipsis_passes", *_count_verbatim(texts, _short_gap), 0.95),
        *_passes(texts, "stitched_passes", _stitch),
        *_passes(texts, "joined_across_sentences_passes", _join_sentences),
        *_passes(texts, "negation_hidden_in_12_words_passes", _hides_negation(12)),
        *_passes(texts, "negation_hidden_in_3_words_passes", _hides_negation(3)),
    )
    return Sample(honest[1] + number[1] + negation[1] + spans[1], figures)


def _passes(texts: Sequence[str], name: str, forger: Forger) -> tuple[DetectorFigure, ...]:
    """Figure for a kind of false quotes; at most one in twenty may pass."""
    return share(name, *_count_verbatim(texts, forger), 0.05, most=True)


def _join(tokens: Iterable[str]) -> str:
    """Tokens as running text: `Do`, `n't` is "Don't"."""
    text = ""
    for token in tokens:
        is_glued = not token.strip() or _GLUED.match(token)
        text += token if is_glued else f" {token}"
    return text


def _real_spans(folder: Path, stories: Mapping[str, str]) -> tuple[int, int]:
    """Number of verbatim spans among the spans that people quoted, and number of all spans."""
    verbatim = spans = 0
    for debate in rows(folder, REAL_DEBATES, ("article_id", "turns")):
        story = stories.get(debate["article_id"])
        if story is None:
            continue
        for quote in _spans(debate):
            spans += 1
            verbatim += verify_quote(story, quote) == "verbatim"
    return verbatim, spans


def _spans(debate: LabelledRow) -> Iterator[str]:
    for turn in debate["turns"]:
        for quote in turn.get("quotes", ()):
            text = quote["text"]
            # Shorter spans are `near` on purpose, and "'ll go" begins in the middle of a word.
            if len(words(text)) > 2 and not _GLUED.match(text.split()[0]):
                yield text


def _count_verbatim(texts: Iterable[str], forger: Forger) -> tuple[int, int]:
    """Number of verbatim quotes among those that a forger makes of the texts, and number of all its quotes."""
    verbatim = made = 0
    for number, text in enumerate(texts):
        tokens = text.split()
        lot = Random(number)
        quotes = [forger(tokens, lot) for _ in range(QUOTES_PER_TEXT)]
        for quote in dict.fromkeys(filter(None, quotes)):
            made += 1
            verbatim += verify_quote(text, quote) == "verbatim"
    return verbatim, made


def _stretch(tokens: Sequence[str], lot: Random) -> tuple[int, int]:
    length = min(lot.randint(MIN_WORDS, MAX_WORDS), len(tokens))
    start = lot.randint(0, len(tokens) - length)
    return start, start + length


def _quote(tokens: Sequence[str]) -> MadeQuote:
    """The tokens as a quote; None if they have an ellipsis already, or fewer than five words."""
    quote = " ".join(tokens)
    if "..." in quote or "…" in quote or len(words(quote)) < 5:
        return None
    return quote


def _exact(tokens: Sequence[str], lot: Random) -> MadeQuote:
    start, stop = _stretch(tokens, lot)
    return _quote(tokens[start:stop])


def _change_number(tokens: Sequence[str], lot: Random) -> MadeQuote:
    start, stop = _stretch(tokens, lot)
    quote = _quote(tokens[start:stop])
    if quote is None or not _NUMBER.search(quote):
        return None
    return _unless_quote(tokens, _NUMBER.sub(lambda number: str(int(number.group()[:9]) + 3), quote, count=1))


def _drop_negation(tokens: Sequence[str], lot: Random) -> MadeQuote:
    start, stop = _stretch(tokens, lot)
    negations = [at for at in range(start + 2, stop - 2) if _NO.search(tokens[at])]
    if not negations:
        return None
    kept = [token for at, token in enumerate(tokens[start:stop], start) if at != negations[0]]
    quote = _quote(kept)
    return quote and _unless_quote(tokens, quote)


def _unless_quote(tokens: Sequence[str], quote: str) -> MadeQuote:
    """None for a forged quote that the text contains by chance."""
    said = " ".join(words(" ".join(tokens)))
    forged = " ".join(words(quote))
    return None if f" {forged} " in f" {said} " else quote


def _short_gap(tokens: Sequence[str], lot: Random) -> MadeQuote:
    """Five words, up to eight omitted ones without a negation, five words, all of one sentence."""
    gap = lot.randint(1, 8)
    places = [at for at in range(len(tokens) - gap - 10) if all(map(_PLAIN.fullmatch, tokens[at : at + gap + 10]))]
    if not places:
        return None
    at = lot.choice(places)
    left_out = words(" ".join(tokens[at + 5 : at + 5 + gap]))
    if any(map(negates, left_out)):
        return None
    return f"{' '.join(tokens[at : at + 5])} ... {' '.join(tokens[at + 5 + gap : at + 10 + gap])}"


def _with_ellipsis(first: MadeQuote, second: MadeQuote) -> MadeQuote:
    return f"{first} ... {second}" if first and second else None


def _stitch(tokens: Sequence[str], lot: Random) -> MadeQuote:
    if len(tokens) < FAR_WORDS * 3:
        return None
    first = lot.randint(0, len(tokens) - FAR_WORDS - 20)
    second = lot.randint(first + FAR_WORDS, len(tokens) - 8)
    return _with_ellipsis(_quote(tokens[first : first + 8]), _quote(tokens[second : second + 8]))


def _join_sentences(tokens: Sequence[str], lot: Random) -> MadeQuote:
    """The end of a sentence and the middle of the next one."""
    ends = [
        at
        for at in range(8, len(tokens) - 14)
        if re.search(r"[a-z]{3}\.$", tokens[at]) and re.match(r"[A-Z][a-z]+$", tokens[at + 1])
    ]
    if not ends:
        return None
    at = lot.choice(ends)
    return _with_ellipsis(_quote(tokens[at - 7 : at + 1]), _quote(tokens[at + 4 : at + 12]))


def _hides_negation(gap: int) -> Forger:
    """A forger of five words, `gap` omitted ones with a negation, five words."""

    def forger(tokens: Sequence[str], lot: Random) -> MadeQuote:
        negations = [at for at in range(6 + gap, len(tokens) - 6 - gap) if _NO.search(tokens[at])]
        if not negations:
            return None
        start = lot.choice(negations) - lot.randrange(gap)
        return _with_ellipsis(_quote(tokens[start - 5 : start]), _quote(tokens[start + gap : start + gap + 5]))

    return forger
