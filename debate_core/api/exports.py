"""The files of a debate at the API: one row of `FORMATS` each, made by the same functions as those of the pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from debate_core.api.answers import ApiRefusal
from debate_core.errors import InvalidSpec
from debate_core.host.host import Host
from debate_core.host.signatures import file_of
from debate_core.record.events import dump_record
from debate_core.report.facts.account import Account
from debate_core.report.facts.spans import spans
from debate_core.report.files import csv
from debate_core.report.files.adr.profiles import PROFILES, ProfileName
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, deliverable_file, dumps, file_bytes
from debate_core.report.files.follow_up import brief
from debate_core.report.files.otlp import otlp_json
from debate_core.report.files.report import markdown_report, text_report, transcript_markdown
from debate_core.report.phrases.outcome import summary_report

TEXT, MARKDOWN, CSV = "text/plain", "text/markdown", "text/csv"
JSON, JSON_LINES = "application/json", "application/jsonl"
Written = Callable[[Account, Host], str]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A file: its media type, the end of its name, and the function that writes it."""

    media_type: str
    name_end: str
    write: Written


def _of_account(write: Callable[[Account], str]) -> Written:
    return lambda account, _host: write(account)


def _adr(account: Account, _host: Host, *, profile: ProfileName) -> str:
    if account.state.outcome is None:
        raise InvalidSpec("the debate is still running: a decision record is written after the end")
    return decision_record(account, profile=profile).text


def _table(account: Account, _host: Host, *, file: str) -> str:
    return _only(account.once(csv_files), file)


def _deliverable(account: Account, _host: Host) -> str:
    return _only(deliverable_file(account), "deliverable.json")


def _only(files: Mapping[str, str], file: str) -> str:
    if file not in files:
        raise InvalidSpec("this debate has no {file}: it would be empty", file=file)
    return files[file]


def _signatures(account: Account, host: Host) -> str:
    return file_of(host.signed(account.state.debate))


FORMATS: Mapping[str, ExportFormat] = {
    "json": ExportFormat(JSON, ".json", _of_account(lambda account: dumps(debate_json(account)))),
    "jsonl": ExportFormat(JSON_LINES, ".jsonl", _of_account(lambda account: dump_record(account.events))),
    "signatures": ExportFormat(JSON, "-signatures.json", _signatures),
    "text": ExportFormat(TEXT, ".txt", _of_account(text_report)),
    "summary": ExportFormat(TEXT, "-summary.txt", _of_account(lambda account: f"{summary_report(account)}\n")),
    "md": ExportFormat(MARKDOWN, ".md", _of_account(markdown_report)),
    "transcript": ExportFormat(MARKDOWN, "-transcript.md", _of_account(transcript_markdown)),
    "follow-up": ExportFormat(MARKDOWN, "-follow-up.md", _of_account(lambda account: brief(account).markdown())),
    "otlp": ExportFormat(JSON, "-trace.json", _of_account(lambda account: otlp_json(spans(account.events)))),
    "deliverable": ExportFormat(JSON, "-deliverable.json", _deliverable),
    **{name.replace("_", "-"): ExportFormat(MARKDOWN, f"-{name}.md", partial(_adr, profile=name)) for name in PROFILES},
    **{file: ExportFormat(CSV, f"-{file}", partial(_table, file=file)) for file in csv.FILES},
}
"""Formats by their name in the address."""


def export(account: Account, host: Host, name: str) -> bytes:
    """The bytes of a file. ApiRefusal if this debate has no such file now."""
    try:
        return file_bytes(name, FORMATS[name].write(account, host))
    except InvalidSpec as error:
        # The request is well-formed: the debate lacks the content.
        raise ApiRefusal(HTTPStatus.CONFLICT, error.sentence) from None
