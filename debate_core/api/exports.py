"""The files of a debate at the API: every format of `export`, each table, and some files of larger formats."""

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
from debate_core.report.files import csv, export
from debate_core.report.files.adr.profiles import PROFILES, ProfileName
from debate_core.report.files.archive import zip_file
from debate_core.report.files.export import Format, export_files, file_bytes
from debate_core.report.files.follow_up import brief
from debate_core.report.files.report import markdown_report, text_report, transcript_markdown
from debate_core.report.phrases.outcome import summary_report

TEXT, MARKDOWN, HTML, CSV, CALENDAR = "text/plain", "text/markdown", "text/html", "text/csv", "text/calendar"
JSON, JSON_LINES, ZIP = "application/json", "application/jsonl", "application/zip"
Written = Callable[[Account, Host], bytes]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A file: its media type, the end of its name, and the function that writes it."""

    media_type: str
    name_end: str
    write: Written


def _text(write: Callable[[Account], str]) -> Written:
    return lambda account, _host: write(account).encode()


def _only_file(account: Account, host: Host, *, format_name: Format, profile: ProfileName = "madr") -> bytes:
    """The file of a format of `export` that has one."""
    key = host.signing_key(account.recorded.debate)
    [data] = export_files(account, format_name, profile=profile, signing_key=key).values()
    return data


def _all_files(account: Account, host: Host, *, format_name: Format) -> bytes:
    """The files of a format of `export` as a zip file."""
    key = host.signing_key(account.recorded.debate)
    return zip_file(export_files(account, format_name, signing_key=key))


def _table(account: Account, _host: Host, *, file: str) -> bytes:
    return file_bytes(file, _only(account.once(export.csv_files), file))


def _deliverable(account: Account, _host: Host) -> bytes:
    return _only(export.deliverable_file(account), "deliverable.json").encode()


def _only(files: Mapping[str, str], file: str) -> str:
    if file not in files:
        raise InvalidSpec("this debate has no {file}: it would be empty", file=file)
    return files[file]


def _signatures(account: Account, host: Host) -> bytes:
    return file_of(host.signed(account.state.debate)).encode()


_FILES: dict[str, ExportFormat] = {
    "json": ExportFormat(JSON, ".json", _text(lambda account: export.dumps(export.debate_json(account)))),
    "jsonl": ExportFormat(JSON_LINES, ".jsonl", _text(lambda account: dump_record(account.events))),
    "signatures": ExportFormat(JSON, "-signatures.json", _signatures),
    "text": ExportFormat(TEXT, ".txt", _text(text_report)),
    "summary": ExportFormat(TEXT, "-summary.txt", _text(lambda account: f"{summary_report(account)}\n")),
    "md": ExportFormat(MARKDOWN, ".md", _text(markdown_report)),
    "transcript": ExportFormat(MARKDOWN, "-transcript.md", _text(transcript_markdown)),
    "follow-up": ExportFormat(MARKDOWN, "-follow-up.md", _text(lambda account: brief(account).markdown())),
    "deliverable": ExportFormat(JSON, "-deliverable.json", _deliverable),
    "html": ExportFormat(HTML, ".html", partial(_only_file, format_name="html")),
    "calendar": ExportFormat(CALENDAR, "-review.ics", partial(_only_file, format_name="calendar")),
    "otlp": ExportFormat(JSON, "-trace.json", partial(_only_file, format_name="otlp")),
    "adr": ExportFormat(MARKDOWN, "-adr.md", partial(_only_file, format_name="adr")),
    **{
        name.replace("_", "-"): ExportFormat(
            MARKDOWN, f"-{name}.md", partial(_only_file, format_name="adr", profile=name)
        )
        for name in PROFILES
    },
    **{file: ExportFormat(CSV, f"-{file}", partial(_table, file=file)) for file in csv.FILES},
}
FORMATS: Mapping[str, ExportFormat] = _FILES | {
    name: ExportFormat(ZIP, f"-{name}.zip", partial(_all_files, format_name=name))
    for name in export.FORMATS
    if name not in _FILES
}
"""Formats by their name in the address. A format of `export` without a row above is a zip file."""


def write_export(account: Account, host: Host, name: str) -> bytes:
    """The bytes of a file. ApiRefusal if this debate has no such file now."""
    try:
        return FORMATS[name].write(account, host)
    except InvalidSpec as error:
        # The request is well-formed: the debate lacks the content.
        raise ApiRefusal(HTTPStatus.CONFLICT, error.sentence) from None
