"""`precedents`: earlier decisions or texts, found by words; without a question all decisions, as a timeline."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from debate_core.cli.files import is_there, refuse_missing
from debate_core.cli.terminal import answer
from debate_core.errors import InvalidSpec
from debate_core.host.host import open_host
from debate_core.host.settings import MonitorSettings, Settings
from debate_core.report.phrases.base_rates import base_rate_sentences
from debate_core.spec.values import Json
from debate_core.text import line

if TYPE_CHECKING:
    from debate_core.host.precedents.index import DecidedRecord, RecordIndex
    from debate_core.host.precedents.texts import TextHit
    from debate_core.report.facts.base_rates import BaseRate

MAX_QUERY_CHARS = 10_000


def precedents(flags: Namespace, settings: Settings) -> int:
    """Print the records or texts that fit best, or all records with contradictions. Asks no model."""
    from debate_core.host.precedents.archive import Archive

    folder = Path(flags.folder) if flags.folder else settings.precedents_path
    if folder is None:
        refuse_missing(settings.database_url)
    if flags.question is not None and not 0 < len(flags.question.strip()) <= MAX_QUERY_CHARS:
        raise InvalidSpec("a question needs 1 to {most:,} characters", most=MAX_QUERY_CHARS)
    if flags.texts and flags.question is None:
        raise InvalidSpec('--texts needs the words to search: precedents --texts "retry queue"')
    quiet = replace(settings, worker="none", messages_path=None, monitor=MonitorSettings())
    with closing(open_host(quiet)) if is_there(settings.database_url) else nullcontext() as host:
        archive = Archive(host, folder)
        if flags.texts:
            said, data = _text_answer(archive.find_texts(flags.question), flags.most)
        else:
            said, data = _record_answer(archive.index(), flags)
    answer(flags, data, "".join(f"{line(words)}\n" for words in said))
    return 0


def _record_answer(index: "RecordIndex", flags: Namespace) -> tuple[list[str], Json]:
    """The best records for the question, or all of them with contradictions; base rates of the kind, or of all."""
    if flags.question is not None:
        found = index.find(flags.question, flags.most)
        said = [*_lines(found)] or [f"no precedent among {len(index.records)} decisions"]
        data: dict[str, Json] = {"searched": len(index.records), "precedents": [*map(record_json, found)]}
    else:
        pairs = index.contradictions
        said = [*_lines(index.timeline), *(f"contradiction: {pair.first.id} and {pair.second.id}" for pair in pairs)]
        said = said or ["no decisions"]
        data = {
            "decisions": [*map(record_json, index.timeline)],
            "contradictions": [[pair.first.id, pair.second.id] for pair in pairs],
        }
    rates = _base_rates(index, flags)
    said += map(base_rate_sentences, rates)
    if flags.kind and not rates:
        said.append(f"no decisions of the kind {flags.kind}")
    return said, {**data, "base_rates": [*map(_rate_json, rates)]}


def _base_rates(index: "RecordIndex", flags: Namespace) -> list["BaseRate"]:
    """The base rates of the kind that was asked for; those of all kinds if all records are listed."""
    if flags.question is not None and not flags.kind:
        return []
    return [rate for kind, rate in index.base_rates.items() if flags.kind in (None, kind)]


def _rate_json(rate: "BaseRate") -> dict[str, Json]:
    """The numbers of a kind; each share with its 95 % interval, null for too few known outcomes."""
    shares: dict[str, Json] = {}
    for fate in ("stood", "overturned", "superseded"):
        share = rate.share(fate)
        shares[fate] = [share.value, share.low, share.high] if share else None
    return {**asdict(rate), "shares": shares}


def _text_answer(found: Sequence["TextHit"], most: int) -> tuple[list[str], Json]:
    said = [f"{one.source.id} · {_of_text(one)} · {''.join(one.quote())}" for one in found[:most]]
    if len(found) > most:
        said.append(f"{len(found) - most} more: --most {len(found)}")
    texts: list[Json] = [
        {
            "id": one.source.id,
            "question": one.source.question,
            "kind": one.text.kind,
            "author": one.text.author,
            "quote": "".join(one.quote()),
        }
        for one in found[:most]
    ]
    return said or ["no text has all these words"], {"found": len(found), "texts": texts}


def _of_text(one: "TextHit") -> str:
    return f"{one.text.kind} of {one.text.author}" if one.text.author else one.text.kind


def _lines(records: Iterable["DecidedRecord"]) -> Iterator[str]:
    """Each record: its question, its choice, the rejected options with reasons, and its later fate."""
    for record in records:
        yield " · ".join(filter(None, (record.id, record.date, STATUS_WORDS[record.status], record.question)))
        if record.chosen:
            yield f"- chosen{_votes(record.votes)}: {record.chosen}"
        for option in record.rejected:
            why = f" ({'; '.join(option.why)})" if option.why else ""
            yield f"- rejected{_votes(option.votes)}: {option.option}{why}"
        if record.outcome:
            yield f"- outcome: {record.outcome}"
        if record.replaced_by:
            yield f"- superseded by {', '.join(record.replaced_by)}"
        if record.replaces:
            yield f"- supersedes {', '.join(record.replaces)}"


STATUS_WORDS = {
    "in_force": "in force",
    "challenged": "challenged",
    "open": "open",
    "withdrawn": "withdrawn",
    "superseded": "superseded",
    "unknown": "no status",
}


def _votes(votes: str) -> str:
    return f" (votes: {votes})" if votes else ""


def record_json(record: "DecidedRecord") -> dict[str, Json]:
    """The record for programs, without its text."""
    rejected: list[Json] = [option.model_dump(mode="json") for option in record.rejected]
    return {
        "id": record.id,
        "question": record.question,
        "status": record.status,
        "status_as_written": record.status_words,
        "options": record.options,
        "chosen": record.chosen,
        "votes": record.votes,
        "rejected": rejected,
        "date": record.date,
        "outcome": record.outcome,
        "kind": record.kind,
        "supersedes": record.replaces,
        "superseded_by": record.replaced_by,
    }
