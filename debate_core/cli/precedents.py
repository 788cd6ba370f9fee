"""`precedents`: earlier decisions on a question, found by words; without a question all of them, as a timeline."""

from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from debate_core.cli.files import is_there, refuse_missing
from debate_core.cli.terminal import answer
from debate_core.errors import InvalidSpec
from debate_core.host.host import open_host
from debate_core.host.settings import MonitorSettings, Settings
from debate_core.spec.values import Json
from debate_core.text import line

if TYPE_CHECKING:
    from debate_core.host.precedents.index import DecidedRecord

MAX_QUERY_CHARS = 10_000


def precedents(flags: Namespace, settings: Settings) -> int:
    """Print the records that fit the question best, or all of them with contradictions. Asks no model."""
    from debate_core.host.precedents.archive import Archive, in_order_of_time
    from debate_core.host.precedents.index import contradictions

    folder = Path(flags.folder) if flags.folder else settings.precedents_path
    if folder is None:
        refuse_missing(settings.database_url)
    if flags.question is not None and not 0 < len(flags.question.strip()) <= MAX_QUERY_CHARS:
        raise InvalidSpec("a question needs 1 to {most:,} characters", most=MAX_QUERY_CHARS)
    quiet = replace(settings, worker="none", messages_path=None, monitor=MonitorSettings())
    with closing(open_host(quiet)) if is_there(settings.database_url) else nullcontext() as host:
        index = Archive(host, folder).index()
    if flags.question is not None:
        found = index.find(flags.question, flags.most)
        said = [*_lines(found)] or [f"no precedent among {len(index.records)} decisions"]
        data: Json = {"searched": len(index.records), "precedents": [*map(record_json, found)]}
    else:
        records = in_order_of_time(index.records)
        pairs = [*contradictions(records)]
        said = [*_lines(records), *(f"contradiction: {pair.first.id} and {pair.second.id}" for pair in pairs)]
        said = said or ["no decisions"]
        data = {
            "decisions": [*map(record_json, records)],
            "contradictions": [[pair.first.id, pair.second.id] for pair in pairs],
        }
    answer(flags, data, "".join(f"{line(words)}\n" for words in said))
    return 0


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
        "supersedes": record.replaces,
        "superseded_by": record.replaced_by,
    }
