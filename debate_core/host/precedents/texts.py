"""All texts of a debate or document that an outside reader may read, each with the words in it and its author."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from debate_core.engine.passages import terms
from debate_core.host.debate_list import DebateRow
from debate_core.host.host import Host
from debate_core.host.precedents.debates import read_account
from debate_core.host.precedents.index import DecidedRecord
from debate_core.host.precedents.word_index import EVERY_WORD, WordIndex, best_places
from debate_core.host.withheld import why_withheld
from debate_core.report.facts.account import Account
from debate_core.report.facts.interventions import said_in
from debate_core.report.facts.turns import shown_text
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.content_lines import note_lines

TextKind = Literal["question", "turn", "claim", "reason", "document"]
QUOTE_CHARS = 90
"""Characters of a quote before and after the word that was found."""
_WORD = re.compile(r"[^\W_]{2,}")


class SearchedText(NamedTuple):
    """One text. `author`: a seat, or a person who spoke to all; empty for reasons on ballots, which stay unnamed."""

    kind: TextKind
    author: str
    text: str


@dataclass(frozen=True, slots=True)
class TextSource:
    """The texts of one debate or document. `id`: of the debate, or the path of the file in its folder."""

    id: str
    question: str
    is_debate: bool
    is_over: bool
    texts: tuple[SearchedText, ...]
    words: WordIndex


class TextHit(NamedTuple):
    """A text with all words of a query."""

    source: TextSource
    text: SearchedText
    wanted: Collection[str]
    """The search terms of the query."""

    def quote(self) -> tuple[str, str, str]:
        """The first of the wanted words, between the words before and after it."""
        text = self.text.text
        hit = next(word for word in _WORD.finditer(text) if {*terms(word[0])} & {*self.wanted})
        before = text[max(0, hit.start() - QUOTE_CHARS) : hit.start()]
        after = text[hit.end() : hit.end() + QUOTE_CHARS]
        if hit.start() > QUOTE_CHARS:
            before = "…" + before[before.find(" ") + 1 :]
        if hit.end() + QUOTE_CHARS < len(text):
            after = after[: after.rfind(" ") + 1].rstrip() + "…"
        return before, hit[0], after


def read_texts(host: Host, row: DebateRow) -> TextSource | None:
    """The texts of a debate; None while anything in it is sealed or blind, and for practice and comparisons."""
    if row.practice or row.is_match:
        return None
    debate = read_account(host, row)
    if why_withheld(debate, imported=host.is_imported(row.id)):
        return None
    texts, words = _indexed(_texts_of(debate))
    return TextSource(
        row.id, row.question, is_debate=True, is_over=debate.recorded.outcome is not None, texts=texts, words=words
    )


def document_texts(record: DecidedRecord) -> TextSource:
    texts, words = _indexed([SearchedText("document", "", record.text)])
    return TextSource(record.id, record.question, is_debate=False, is_over=True, texts=texts, words=words)


def _indexed(texts: Iterable[SearchedText]) -> tuple[tuple[SearchedText, ...], WordIndex]:
    kept = tuple(text for text in texts if text.text.strip())
    return kept, WordIndex(Counter(terms(text.text)) for text in kept)


def _texts_of(debate: Account) -> Iterator[SearchedText]:
    spec = debate.recorded.spec
    yield SearchedText("question", "", "\n".join((spec.question, *spec.options)))
    for turn in debate.turns:
        notes = note_lines(debate, turn) if turn.status == "ok" else ()
        yield SearchedText("turn", turn.seat, "\n".join((shown_text(turn), *notes)))
    for given in said_in(debate.state).values():
        yield from (SearchedText("turn", one.speaker, one.text) for one in given)
    for claim in debate.claims:
        yield SearchedText("claim", claim.seat, "\n".join((claim.claim, claim.evidence_text)))
    for ballot in debate.poll_votes:
        yield SearchedText("reason", "", ballot.reason)
    told = debate.once(who_decided)
    if told.signed:
        yield SearchedText("reason", told.signed.by.name, told.signed.word.reason)
    for source in spec.sources:
        yield SearchedText("document", source.title, source.text)


def find_texts(sources: Sequence[TextSource], query: str) -> list[TextHit]:
    """The texts with every word of a query, best first."""
    wanted = frozenset(terms(query))
    found = []
    for place in best_places([source.words for source in sources], query, min_share=EVERY_WORD):
        source = sources[place.part]
        found.append(TextHit(source, source.texts[place.number], wanted))
    return found
