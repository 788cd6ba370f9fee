"""The check of quotes, measured on real decision records and stories, and on the spans that people quoted from them.

True and false quotes are cut from the texts by lot, always the same ones.
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
"""Of a quote."""
FAR_WORDS = 60
"""Two stretches with at least so many words between them say nothing together."""
_PLAIN = re.compile(r"[A-Za-z]{2,}[,;]?")
_NO = re.compile(r"\b(?:not|never|no|cannot|without|nor)\b|n[’']t\b")
_NUMBER = re.compile(r"\d+")
_GLUED = re.compile(r"[^\w\s(\[“\"'`]|n't$|'(?:s|m|d|re|ve|ll)$")


MadeQuote = str | None
"""A quote, None where this text had none of the kind."""
Forger = Callable[[Sequence[str], Random], MadeQuote]
"""Makes a quote of a document that is given as its tokens."""


def quotes(folder: Path) -> Sample:
    """What passes as verbatim: true quotes, and false ones made of the same texts."""
    stories = _stories_by_id(folder)
    texts = [*_records(folder), *stories.values()]
    honest, number, negation = (_cut(texts, forger) for forger in (_exact, _number_changed, _negation_lost))
    spans = _real_spans(folder, stories)
    taken = honest[0]
    figures = (
        *share("precision", taken, taken + number[0] + negation[0], 0.999),
        *share("recall", *honest, 0.990),
        *share("recall_of_real_spans", *spans, 0.990),
        *share("short_ellipsis_passes", *_cut(texts, _short_gap), 0.95),
        *_passes(texts, "stitched_passes", _stitched),
        *_passes(texts, "joined_across_sentences_passes", _across),
        *_passes(texts, "negation_hidden_in_12_words_passes", _hides_negation(12)),
        *_passes(texts, "negation_hidden_in_3_words_passes", _hides_negation(3)),
    )
    return Sample(honest[1] + number[1] + negation[1] + spans[1], figures)


def _passes(texts: Sequence[str], name: str, forger: Forger) -> tuple[DetectorFigure, ...]:
    """A kind of false quotes: at most one in twenty may pass."""
    return share(name, *_cut(texts, forger), 0.05, most=True)


# The texts


def _records(folder: Path) -> list[str]:
    return [utf8(str(path), path.read_bytes()) for path in sorted(folder.glob(RECORDS))]


def _stories_by_id(folder: Path) -> dict[str, str]:
    return {str(s["article_id"]): _joined(s["tokens"]) for s in rows(folder, STORIES, ("article_id", "tokens"))}


def _joined(tokens: Iterable[str]) -> str:
    """Tokens as running text: `Do`, `n't` is "Don't"."""
    return "".join(token if _is_glued(token) else f" {token}" for token in tokens)


def _is_glued(token: str) -> bool:
    return not token.strip() or _GLUED.match(token) is not None


def _real_spans(folder: Path, stories: Mapping[str, str]) -> tuple[int, int]:
    """(how many spans that people quoted are verbatim, how many there are)."""
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
            # Shorter ones are `near` on purpose, and "'ll go" was cut out of the middle of a word.
            if len(words(text)) > 2 and not _GLUED.match(text.split()[0]):
                yield text


# The quotes


def _cut(texts: Iterable[str], forger: Forger) -> tuple[int, int]:
    """(how many of the quotes that this makes of the texts are verbatim, how many it made)."""
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


def _said(tokens: Sequence[str]) -> MadeQuote:
    """The tokens as a quote, None if an ellipsis stands in them already or hardly a word."""
    quote = " ".join(tokens)
    if "..." in quote or "…" in quote or len(words(quote)) < 5:
        return None
    return quote


def _exact(tokens: Sequence[str], lot: Random) -> MadeQuote:
    start, stop = _stretch(tokens, lot)
    return _said(tokens[start:stop])


def _number_changed(tokens: Sequence[str], lot: Random) -> MadeQuote:
    start, stop = _stretch(tokens, lot)
    quote = _said(tokens[start:stop])
    if quote is None or not _NUMBER.search(quote):
        return None
    return _unless_said(tokens, _NUMBER.sub(lambda number: str(int(number.group()[:9]) + 3), quote, count=1))


def _negation_lost(tokens: Sequence[str], lot: Random) -> MadeQuote:
    start, stop = _stretch(tokens, lot)
    negations = [at for at in range(start + 2, stop - 2) if _NO.search(tokens[at])]
    if not negations:
        return None
    kept = [token for at, token in enumerate(tokens[start:stop], start) if at != negations[0]]
    quote = _said(kept)
    return quote and _unless_said(tokens, quote)


def _unless_said(tokens: Sequence[str], quote: str) -> MadeQuote:
    """A forged quote that by chance is said elsewhere is none."""
    said = " ".join(words(" ".join(tokens)))
    forged = " ".join(words(quote))
    return None if f" {forged} " in f" {said} " else quote


def _in_one_sentence(tokens: Sequence[str], start: int, stop: int) -> bool:
    return all(_PLAIN.fullmatch(token) for token in tokens[start:stop])


def _short_gap(tokens: Sequence[str], lot: Random) -> MadeQuote:
    """Five words, up to eight left out, five words, all of one sentence; nothing that is left out negates."""
    gap = lot.randint(1, 8)
    places = [at for at in range(len(tokens) - gap - 10) if _in_one_sentence(tokens, at, at + gap + 10)]
    if not places:
        return None
    at = lot.choice(places)
    left_out = words(" ".join(tokens[at + 5 : at + 5 + gap]))
    if any(map(negates, left_out)):
        return None
    return f"{' '.join(tokens[at : at + 5])} ... {' '.join(tokens[at + 5 + gap : at + 10 + gap])}"


def _with_ellipsis(first: MadeQuote, second: MadeQuote) -> MadeQuote:
    return f"{first} ... {second}" if first and second else None


def _stitched(tokens: Sequence[str], lot: Random) -> MadeQuote:
    if len(tokens) < FAR_WORDS * 3:
        return None
    first = lot.randint(0, len(tokens) - FAR_WORDS - 20)
    second = lot.randint(first + FAR_WORDS, len(tokens) - 8)
    return _with_ellipsis(_said(tokens[first : first + 8]), _said(tokens[second : second + 8]))


def _across(tokens: Sequence[str], lot: Random) -> MadeQuote:
    """The end of a sentence and the middle of the next one."""
    ends = [
        at
        for at in range(8, len(tokens) - 14)
        if re.search(r"[a-z]{3}\.$", tokens[at]) and re.match(r"[A-Z][a-z]+$", tokens[at + 1])
    ]
    if not ends:
        return None
    at = lot.choice(ends)
    return _with_ellipsis(_said(tokens[at - 7 : at + 1]), _said(tokens[at + 4 : at + 12]))


def _hides_negation(gap: int) -> Forger:
    """Five words, so many left out with a negation among them, five words."""

    def forger(tokens: Sequence[str], lot: Random) -> MadeQuote:
        negations = [at for at in range(6 + gap, len(tokens) - 6 - gap) if _NO.search(tokens[at])]
        if not negations:
            return None
        start = lot.choice(negations) - lot.randrange(gap)
        return _with_ellipsis(_said(tokens[start - 5 : start]), _said(tokens[start + gap : start + gap + 5]))

    return forger
