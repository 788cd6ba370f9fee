"""Quotes, markers, and what became of each claim: everything that can be checked without judging.

Quotes are compared word by word, links by set membership. It does not know whether a claim is true.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from debate_core.record.acts import Noted
from debate_core.record.address import ClaimId
from debate_core.record.people import Done
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument, Claim, Content, LineSection, Synthesis

Verdict = Literal["verbatim", "near", "altered", "not_found", "no_source"]
ClaimStatus = Literal["established", "contested", "unanswered"]

_NUMBER = r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])\d+(?:\.\d+)?"
_UNITS = (
    r"\s?(?:%|percent\b|per cent\b)",
    r"\s?(?:ms|µs|us|ns|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\b",
    r"(?<!\d{4})\s?s\b",
    r"\s?[kKM]?\s?(?:rps|qps|tps|(?:req(?:uests)?|events|messages|writes|reads|rows|calls)?\s?(?:/|per )\s?"
    r"(?:s|sec|second|min|minute|hour|day|month|year)\b)",
    r"\s?(?:[KMGT]i?B|bytes)\b",
    r"\s?(?:[x×]|-?fold|times)(?![\w])",
    r" (?:out )?of (?:the )?\d+\b(?!/)",
)
_MARKER = re.compile(
    r"[$€£]\s?\d[\d,.]*(?<![,.])\s?(?:[kKM]\b|million\b)?"
    r"(?:\s?(?:/|per |a )\s?(?:month|mo|year|hour|day|GB|request)\b)?"
    r"|[$€£]/(?:month|mo|year|hour)\b"
    r"|\bp\d{2}(?:\.\d+)?\b"
    rf"|(?:{_NUMBER})(?:{'|'.join(_UNITS)})"
)
_LINK = re.compile(r"https?://[^\s)>\]]+")
_STUDY = re.compile(r"\b(?:study|studies|survey|benchmark|measured|load test|experiment|audit|post-?mortem)\b", re.I)


def markers(text: str) -> tuple[str, ...]:
    """What makes a statement checkable, as written: percentages, percentiles, money, durations, rates, sizes, ratios.

    Source: seed 003 ("%, p95, $/month"). A marker says that it can be checked, not that it is true.
    """
    return tuple(m.group().strip() for m in _MARKER.finditer(text))


def has_marker(text: str) -> bool:
    """True if the statement holds an evidence marker."""
    return _MARKER.search(text) is not None


def evidence_type(claim: Claim) -> str:
    """The first that fits: quote, link, statistic, study; empty if none does (which does not say unsupported)."""
    if claim.quote:
        return "quote"
    found = (("link", _LINK), ("statistic", _MARKER), ("study", _STUDY))
    return next((name for name, pattern in found if pattern.search(claim.text)), "")


_FOLD = {
    **dict.fromkeys(map(ord, "‘’‚‛′"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff")),
}
_RAISED = re.compile("[²³¹⁰⁴-⁹¼-¾⅐-⅞]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
_WORD = re.compile(
    r"(?<!\w)-?\d+(?:[.:]\d+)*|\d+(?:[.:]\d+)*|[^\W\d_](?:[^\W_]|'(?=[^\W_]))*|[%$€£¥≤≥±]|[<>](?=\s?[\d$€£])"
)
_ELLIPSIS = re.compile(r"\[?(?:…|\.\s?\.\s?\.)\.*\]?")
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "neither", "nor", "nobody", "nothing", "nowhere", "without", "cannot"}
    | {"hardly", "barely", "unless", "except", "only"}
)
MIN_QUOTE_WORDS = 3
MIN_QUOTE_CHARS = 12


def words(text: str) -> list[str]:
    """Words, numbers with their sign, and units: what must agree. Typography, markup and punctuation are dropped."""
    text = _RAISED.sub(lambda m: " " + m.group(), _LINK_TARGET.sub("]", text))
    plain = unicodedata.normalize("NFKC", text).translate(_FOLD).casefold()
    return _WORD.findall(_THOUSANDS.sub("", plain))


@lru_cache(maxsize=16)
def _folded(text: str) -> str:
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=8192)
def verify_quote(source_text: str, quote: str) -> Verdict:
    """Whether the source says this. `near` and `altered` name no support: they only tell what may have happened.

    verbatim: every part between ellipses stands there word by word, in order; near: words were left out, or it is
    too short to be sure; altered: a word, a number or a negation differs; not_found: nothing like it.
    """
    whole = words(quote)
    parts = [p for p in map(words, _ELLIPSIS.split(quote)) if p]
    if not whole:
        return "not_found"
    exact = _in_order(_folded(source_text), [whole]) or _in_order(_folded(source_text), parts)
    if exact is not None:
        return exact
    return _nearest(_folded(source_text).split(), whole)


def _in_order(source: str, parts: list[list[str]]) -> Verdict | None:
    """Verdict if each part is an exact run of words after the part before it, else None."""
    at, short = 0, False
    for number, part in enumerate(parts):
        run = f" {' '.join(part)} "
        found = source.find(run, at)
        if found < 0:
            return None
        skipped = source[at:found].split()
        if number and len(skipped) <= 8 and any(map(negates, skipped)):
            return "altered"
        short = short or (len(part) < MIN_QUOTE_WORDS and len(run) - 2 < MIN_QUOTE_CHARS)
        at = found + len(run) - 1
    if not short:
        return "verbatim"
    return "near" if len(parts) == 1 else None


def negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't")


def _nearest(source: list[str], quote: list[str]) -> Verdict:
    """Compare with the stretch of the source that shares most words in place."""
    places: dict[str, list[int]] = {}
    for i, word in enumerate(quote):
        places.setdefault(word, []).append(i)
    votes = Counter((i - j) // 4 for i, word in enumerate(source) for j in places.get(word, ()))
    verdicts = []
    for bucket, _ in sorted(votes.items(), key=lambda v: (-v[1], v[0]))[:3]:
        low = max(0, 4 * bucket - 4)
        verdicts.append(_aligned(source[low : low + len(quote) + len(quote) // 4 + 12], quote))
    return min(verdicts, key=("near", "altered", "not_found").index, default="not_found")


def _aligned(window: list[str], quote: list[str]) -> Verdict:
    blocks = [b for b in SequenceMatcher(None, window, quote, autojunk=False).get_matching_blocks() if b.size]
    same = sum(b.size for b in blocks)
    if same < max(3, 0.7 * len(quote)):
        return "not_found"
    kept = {i for b in blocks for i in range(b.a, b.a + b.size)}
    left_out = [window[i] for i in range(blocks[0].a, blocks[-1].a + blocks[-1].size) if i not in kept]
    telling = any(negates(w) or not w[0].isalpha() for w in left_out)
    few = len(left_out) <= max(2, len(quote) // 4)
    return "near" if same == len(quote) and few and not telling else "altered"


def claim_verdict(state: State, claim: Claim) -> Verdict:
    """The verdict on a claim's quote; no_source if it gives no quote or names no document of this debate."""
    source = next((s for s in state.spec.sources if s.id == claim.source_id), None)
    return verify_quote(source.text, claim.quote) if source and claim.quote else "no_source"


@dataclass(frozen=True, slots=True)
class Links:
    """Who answered and who conceded one claim: (seat, claim or request id) each, own seat left out."""

    attacks: tuple[tuple[str, str], ...] = ()
    concessions: tuple[tuple[str, str], ...] = ()

    def status(self) -> ClaimStatus:
        """Contested while an answer stands whose seat has not conceded; established once conceded."""
        gave_in = {seat for seat, _ in self.concessions}
        if any(seat not in gave_in for seat, _ in self.attacks):
            return "contested"
        return "established" if gave_in else "unanswered"


@dataclass(frozen=True, slots=True)
class LinkMade:
    """What one turn, or one claim of it, links to. `where` is the request or claim id."""

    seat: str
    where: str
    answers: tuple[str, ...]
    concedes: tuple[str, ...]


def links_made(seat: str, where: str, content: Content) -> tuple[LinkMade, ...]:
    """The links of one turn: those of the whole first, then claim by claim."""
    if not isinstance(content, Argument):
        return ()
    claims = (LinkMade(seat, c.id, c.answers, c.concedes) for c in content.claims)
    return (LinkMade(seat, where, content.answers, content.concedes), *claims)


def links_of(claim_ids: Iterable[str], made: Iterable[LinkMade]) -> dict[str, Links]:
    """Links of every claim, by set membership of ids; ids that name no claim are in `unknown_ids`."""
    attacks: dict[str, list[tuple[str, str]]] = {i: [] for i in claim_ids}
    concessions: dict[str, list[tuple[str, str]]] = {i: [] for i in attacks}
    for link in made:
        for found, named in ((attacks, link.answers), (concessions, link.concedes)):
            for claim_id in dict.fromkeys(named):
                if claim_id in found and ClaimId.parse(claim_id).seat != link.seat:
                    found[claim_id].append((link.seat, link.where))
    return {i: Links(tuple(attacks[i]), tuple(concessions[i])) for i in attacks}


def _all_links(state: State) -> tuple[LinkMade, ...]:
    return tuple(link for t in state.all_turns() if t.content for link in links_made(t.seat, t.request, t.content))


def claim_links(state: State) -> dict[str, Links]:
    """Who answered and conceded each claim of a debate."""
    return links_of(state.claims, _all_links(state))


@dataclass(frozen=True, slots=True)
class UnknownId:
    """An id that names nothing in this debate: kept, flagged, counted as no support."""

    where: str
    """The claim or request id it stands in."""
    kind: Literal["claim", "source"]
    id: str


def unknown_ids(state: State) -> tuple[UnknownId, ...]:
    """Fabricated citations: answered, conceded or cited ids that do not exist."""
    known = {s.id for s in state.spec.sources}
    found = [
        UnknownId(link.where, "claim", i)
        for link in _all_links(state)
        for i in (*link.answers, *link.concedes)
        if i not in state.claims
    ]
    cited = [(c.id, c.source_id) for c in state.claims.values() if c.source_id is not None]
    return (*found, *(UnknownId(where, "source", i) for where, i in cited if i not in known))


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One row of the evidence table."""

    claim_id: str
    turn_id: str
    round: int
    phase: str
    seat: str
    role: str
    stance: str
    claim: str
    has_evidence_marker: bool
    marker_matches: tuple[str, ...]
    evidence_type: str
    evidence_text: str
    source_ref: str
    quote_verified: Verdict
    answers: tuple[str, ...]
    attacked_by: tuple[str, ...]
    conceded_by: tuple[str, ...]
    duplicate_of: str
    """The first claim that says the same word by word, or the one that a person names; or empty."""
    status: ClaimStatus
    reviewer: str
    reviewed_at: str
    mark: str
    """`supports adopt`, `against adopt`, `neutral`, or empty while nobody has marked it."""


def claim_rows(state: State) -> tuple[ClaimRow, ...]:
    """The evidence table: one row per claim, in the order in which they were made (R195)."""
    links, notes = claim_links(state), notes_of(state)
    first: dict[str, str] = {}
    rows = []
    for turn in state.all_turns():
        if isinstance(turn.content, Argument):
            for claim in turn.content.claims:
                earlier = first.setdefault(" ".join(words(claim.text)), claim.id)
                row = _row(state, turn, claim, links[claim.id], "" if earlier == claim.id else earlier)
                rows.append(_corrected(row, notes[claim.id]) if claim.id in notes else row)
    return tuple(rows)


def notes_of(state: State) -> dict[str, Done[Noted]]:
    """Claim id -> the correction by a person that stands: the latest."""
    return {done.fact.claim_id: done for done in state.room.of(Noted)}


def _corrected(row: ClaimRow, note: Done[Noted]) -> ClaimRow:
    """The row as a person corrected it; what they left alone stays as code found it."""
    said = note.fact
    settled: Mapping[bool | None, ClaimStatus] = {None: row.status, True: "established", False: "contested"}
    return replace(
        row,
        duplicate_of=row.duplicate_of if said.duplicate_of is None else said.duplicate_of,
        has_evidence_marker=row.has_evidence_marker if said.has_evidence is None else said.has_evidence,
        status=settled[said.resolved],
        reviewer=row.reviewer or note.by,
        reviewed_at=row.reviewed_at or note.at,
    )


def _row(state: State, turn: Turn, claim: Claim, links: Links, duplicate_of: str) -> ClaimRow:
    assert isinstance(turn.content, Argument)
    seat, given = state.spec.seat(turn.seat), state.marks.get(claim.id)
    marked = tuple(dict.fromkeys((*markers(claim.text), *markers(claim.quote or ""))))
    return ClaimRow(
        claim_id=claim.id,
        turn_id=turn.request,
        round=turn.round,
        phase=turn.phase,
        seat=turn.seat,
        role=seat.role,
        stance=turn.content.stance or seat.stance,
        claim=claim.text,
        has_evidence_marker=bool(marked),
        marker_matches=marked,
        evidence_type=evidence_type(claim),
        evidence_text=claim.quote or "",
        source_ref=claim.source_id or "",
        quote_verified=claim_verdict(state, claim),
        answers=tuple(dict.fromkeys((*claim.answers, *turn.content.answers))),
        attacked_by=tuple(where for _, where in links.attacks),
        conceded_by=tuple(where for _, where in links.concessions),
        duplicate_of=duplicate_of,
        status=links.status(),
        reviewer=given.by if given else "",
        reviewed_at=given.at if given else "",
        mark=given.mark.words() if given else "",
    )


@dataclass(frozen=True, slots=True)
class LineCheck:
    """One line of a synthesis: grounded if it links claims and each of them was made."""

    section: LineSection
    text: str
    links: tuple[str, ...]
    unknown: tuple[str, ...]
    option: str = ""

    @property
    def grounded(self) -> bool:
        """True if it rests on claims that were made, and on nothing else."""
        return bool(self.links) and not self.unknown


def grounding(synthesis: Synthesis, known: Collection[str]) -> tuple[LineCheck, ...]:
    """Every line of a synthesis with the links that point at none of the known ids (R194: it may add none)."""
    checks = []
    for line in synthesis.points:
        unknown = tuple(i for i in line.links if i not in known)
        checks.append(LineCheck(line.section, line.text, line.links, unknown, line.subject))
    return tuple(checks)
