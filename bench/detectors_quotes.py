"""How well quotes are checked, measured on public texts: `python -m bench.detectors_quotes [FOLDER]`.

FOLDER holds `adr/*.md` and `nyu/` (decision records, and stories with the spans that people quoted from them); the
texts are no part of this project. True and false quotes are cut from the texts by lot, always the same ones. Each
figure stands beside its bar; exit 1 if one misses it, 2 if there are no texts.
"""

import gzip
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from debate_core.engine.quotes import negates, verify_quote, words

TEXTS = Path(__file__).resolve().parents[2] / "shared" / "data"
QUOTES_PER_TEXT = 24
FAR_WORDS = 60
"""Two stretches with at least so many words between them say nothing together."""
_PLAIN = re.compile(r"[A-Za-z]{2,}[,;]?")
_NO = re.compile(r"\b(?:not|never|no|cannot|without|nor)\b|n[’']t\b")
_NUMBER = re.compile(r"\d+")
_GLUED = re.compile(r"[^\w\s(\[“\"'`]|n't$|'(?:s|m|d|re|ve|ll)$")


class FigureRow(NamedTuple):
    """One figure beside its bar: the least that is good, or the most if `is_share_of_false`."""

    name: str
    measured: float
    bar: float
    ok: bool


Made = str | None
"""A quote, None where this text had none of the kind."""
Forger = Callable[[Sequence[str], Random], Made]
"""Makes a quote of a document that is given as its tokens."""


def rows(folder: Path = TEXTS) -> tuple[FigureRow, ...]:
    """The figures of the quote check; empty if the folder has no texts."""
    texts = [*_records(folder), *_stories(folder)]
    if not texts:
        return ()
    honest, false = _share(texts, _exact), [_share(texts, forger) for forger in (_number_changed, _negation_lost)]
    taken = honest[0]
    wrong = sum(count for count, _ in false)
    spans = _real_spans(folder)
    return (
        _at_least("quotes: precision of verbatim", taken / (taken + wrong), 0.999),
        _at_least("quotes: recall of exact quotes", _ratio(honest), 0.990),
        _at_least("quotes: recall of spans that people quoted", _ratio(spans), 0.990),
        _at_least("quotes: short ellipses within a sentence, verbatim", _ratio(_share(texts, _short_gap)), 0.95),
        _at_most("quotes: stitched from far apart, verbatim", _ratio(_share(texts, _stitched)), 0.05),
        _at_most("quotes: joined across a sentence, verbatim", _ratio(_share(texts, _across)), 0.05),
        _at_most("quotes: negation hidden in 12 words, verbatim", _ratio(_share(texts, _hides_negation(12))), 0.05),
        _at_most("quotes: negation hidden in 3 words, verbatim", _ratio(_share(texts, _hides_negation(3))), 0.05),
    )


def _at_least(name: str, measured: float, bar: float) -> FigureRow:
    return FigureRow(name, measured, bar, measured >= bar)


def _at_most(name: str, measured: float, bar: float) -> FigureRow:
    return FigureRow(name, measured, bar, measured <= bar)


# The texts


def _records(folder: Path) -> list[str]:
    return [path.read_text("utf-8-sig") for path in sorted((folder / "adr").glob("*.md"))]


def _stories(folder: Path) -> list[str]:
    return [*_stories_by_id(folder).values()]


def _stories_by_id(folder: Path) -> dict[str, str]:
    path = folder / "nyu" / "sample_40_source_tokens.jsonl.gz"
    if not path.is_file():
        return {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        stories = [json.loads(line) for line in lines]
    return {story["article_id"]: _joined(story["tokens"]) for story in stories}


def _joined(tokens: Iterable[str]) -> str:
    """Tokens as running text: `Do`, `n't` is "Don't"."""
    return "".join(token if _GLUED.match(token) or not token.strip() else f" {token}" for token in tokens)


def _real_spans(folder: Path) -> tuple[int, int]:
    """(how many spans that people quoted are verbatim, how many there are)."""
    path, stories = folder / "nyu" / "sample_40.jsonl", _stories_by_id(folder)
    if not stories:
        return 0, 0
    debates = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    spans = [
        (stories[debate["article_id"]], quote["text"])
        for debate in debates
        for turn in debate["turns"]
        for quote in turn.get("quotes", ())
        # Shorter ones are `near` on purpose, and "'ll go" was cut out of the middle of a word.
        if len(words(quote["text"])) > 2 and not _GLUED.match(quote["text"].split()[0])
    ]
    return sum(verify_quote(text, quote) == "verbatim" for text, quote in spans), len(spans)


# The quotes


def _share(texts: Iterable[str], forger: Forger) -> tuple[int, int]:
    """(how many of the quotes that this makes of the texts are verbatim, how many it made)."""
    verbatim = made = 0
    for number, text in enumerate(texts):
        tokens, lot = text.split(), Random(number)
        quotes = [forger(tokens, lot) for _ in range(QUOTES_PER_TEXT)]
        for quote in dict.fromkeys(filter(None, quotes)):
            made += 1
            verbatim += verify_quote(text, quote) == "verbatim"
    return verbatim, made


def _ratio(share: tuple[int, int]) -> float:
    verbatim, made = share
    return verbatim / made if made else float("nan")


def _stretch(tokens: Sequence[str], lot: Random, *, least: int = 6, most: int = 30) -> tuple[int, int]:
    length = min(lot.randint(least, most), len(tokens))
    start = lot.randint(0, len(tokens) - length)
    return start, start + length


def _said(tokens: Sequence[str]) -> Made:
    """The tokens as a quote, None if an ellipsis stands in them already or hardly a word."""
    quote = " ".join(tokens)
    return None if "..." in quote or "…" in quote or len(words(quote)) < 5 else quote


def _exact(tokens: Sequence[str], lot: Random) -> Made:
    start, stop = _stretch(tokens, lot)
    return _said(tokens[start:stop])


def _number_changed(tokens: Sequence[str], lot: Random) -> Made:
    start, stop = _stretch(tokens, lot)
    quote = _said(tokens[start:stop])
    if quote is None or not _NUMBER.search(quote):
        return None
    return _unless_said(tokens, _NUMBER.sub(lambda number: str(int(number.group()[:9]) + 3), quote, count=1))


def _negation_lost(tokens: Sequence[str], lot: Random) -> Made:
    start, stop = _stretch(tokens, lot)
    negations = [at for at in range(start + 2, stop - 2) if _NO.search(tokens[at])]
    if not negations:
        return None
    kept = [token for at, token in enumerate(tokens[start:stop], start) if at != negations[0]]
    quote = _said(kept)
    return quote and _unless_said(tokens, quote)


def _unless_said(tokens: Sequence[str], quote: str) -> Made:
    """A forged quote that by chance is said elsewhere is none."""
    return None if f" {' '.join(words(quote))} " in f" {' '.join(words(' '.join(tokens)))} " else quote


def _in_one_sentence(tokens: Sequence[str], start: int, stop: int) -> bool:
    return all(_PLAIN.fullmatch(token) for token in tokens[start:stop])


def _short_gap(tokens: Sequence[str], lot: Random) -> Made:
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


def _stitched(tokens: Sequence[str], lot: Random) -> Made:
    if len(tokens) < FAR_WORDS * 3:
        return None
    first = lot.randint(0, len(tokens) - FAR_WORDS - 20)
    second = lot.randint(first + FAR_WORDS, len(tokens) - 8)
    parts = _said(tokens[first : first + 8]), _said(tokens[second : second + 8])
    return " ... ".join(filter(None, parts)) if all(parts) else None


def _across(tokens: Sequence[str], lot: Random) -> Made:
    """The end of a sentence and the middle of the next one."""
    ends = [
        at
        for at in range(8, len(tokens) - 14)
        if re.search(r"[a-z]{3}\.$", tokens[at]) and re.match(r"[A-Z][a-z]+$", tokens[at + 1])
    ]
    if not ends:
        return None
    at = lot.choice(ends)
    parts = _said(tokens[at - 7 : at + 1]), _said(tokens[at + 4 : at + 12])
    return " ... ".join(filter(None, parts)) if all(parts) else None


def _hides_negation(gap: int) -> Forger:
    """Five words, so many left out with a negation among them, five words."""

    def forger(tokens: Sequence[str], lot: Random) -> Made:
        negations = [at for at in range(6 + gap, len(tokens) - 6 - gap) if _NO.search(tokens[at])]
        if not negations:
            return None
        start = lot.choice(negations) - lot.randrange(gap)
        parts = _said(tokens[start - 5 : start]), _said(tokens[start + gap : start + gap + 5])
        return " ... ".join(filter(None, parts)) if all(parts) else None

    return forger


def main() -> int:
    """Print each figure beside its bar."""
    found = rows(Path(sys.argv[1])) if len(sys.argv) > 1 else rows()
    if not found:
        print("there are no texts to measure on: name the folder that has adr/ and nyu/", file=sys.stderr)
        return 2
    for row in found:
        print(f"{'ok  ' if row.ok else 'MISS'} {row.name}: {row.measured:.4f} (bar {row.bar})")
    return 0 if all(row.ok for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
