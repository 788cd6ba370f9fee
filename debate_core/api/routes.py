"""The routes of the API: one table with path, parameters, answer, scope and refusals of each."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from math import ceil

from starlette.responses import Response

from debate_core.api import openapi
from debate_core.api.answers import (
    NO_STORE,
    ApiRefusal,
    DebateDetail,
    DebatePage,
    RecordLine,
    json_answer,
)
from debate_core.api.events import EventStream
from debate_core.api.parameters import MAX_SHOWN_CHARS, ApiParameter, number
from debate_core.api.reading import TokenReader, summary
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.access.tokens import TokenScope
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
from debate_core.spec.values import Value

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


ParameterValues = Mapping[str, str]
"""Values of the parameters by name, checked."""
VERSION = "/v1"
MAX_PAGE = 100_000
MAX_PER_PAGE = 100
MAX_EVENT = 10_000_000


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A route. It answers GET and HEAD."""

    path: str
    """Below `/api/v1`, with parameters in braces."""
    name: str
    meaning: str
    answer: Callable[[TokenReader, ParameterValues], Response]
    media_types: tuple[str, ...] = ("application/json",)
    model: type[Value] | None = None
    """The model of a JSON answer, or of the data of each streamed event."""
    parameters: tuple[ApiParameter, ...] = ()
    scope: TokenScope | None = "read"
    """None = any valid token."""
    refusals: tuple[HTTPStatus, ...] = ()
    """Besides those of every route, and 403 for a token of another scope."""

    def match(self, path: str) -> Mapping[str, str] | None:
        """The parts of this path by the name of their parameter; None for the path of another route."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", VERSION + self.path.replace(".", r"\."))
        found = re.fullmatch(pattern, path)
        return found.groupdict() if found else None


PAGE = ApiParameter("page", "query", "number of the page", least=1, most=MAX_PAGE, usual=1)
PER_PAGE = ApiParameter("per_page", "query", "debates on a page", least=1, most=MAX_PER_PAGE, usual=50)
DEBATE = ApiParameter("debate_id", "path", "id of the debate", pattern="^[A-Za-z0-9_-]{1,64}$")
FORMAT = ApiParameter("format", "path", "format of the file", choices=tuple(FORMATS))
LAST_EVENT = ApiParameter(
    "Last-Event-ID", "header", "number of the last event that the client has", least=0, most=MAX_EVENT
)


def list_debates(reader: TokenReader, given: ParameterValues) -> Response:
    """A page of the debates that the token reads. ApiRefusal beyond the last page."""
    page, per_page = number(given, PAGE), number(given, PER_PAGE)
    rows = reader.rows()
    pages = max(1, ceil(len(rows) / per_page))
    if page > pages:
        raise ApiRefusal(
            HTTPStatus.NOT_FOUND, "there is no page {page}: the last one is {pages}", page=page, pages=pages
        )
    shown = rows[(page - 1) * per_page : page * per_page]
    return json_answer(DebatePage(debates=tuple(map(summary, shown)), page=page, pages=pages, total=len(rows)))


def read_debate(reader: TokenReader, given: ParameterValues) -> Response:
    """One debate."""
    return json_answer(reader.detail(reader.debate(given[DEBATE.name])))


def stream_events(reader: TokenReader, given: ParameterValues) -> Response:
    """The events of a debate, past ones first."""
    debate_id = reader.debate(given[DEBATE.name])
    return EventStream(reader, debate_id, after=number(given, LAST_EVENT))


def export_debate(reader: TokenReader, given: ParameterValues) -> Response:
    """A file of a debate. RuleViolation while its record is withheld; ApiRefusal if it has no such file."""
    debate_id = reader.debate(given[DEBATE.name])
    account = reader.account(debate_id)
    if why := reader.withheld(account):
        raise RuleViolation(why)
    form = FORMATS[given[FORMAT.name]]
    disposition = f'attachment; filename="debate-{debate_id}{form.name_end}"'
    headers = {**NO_STORE, "Content-Disposition": disposition}
    data = write_export(account, reader.host, given[FORMAT.name])
    return Response(data, media_type=form.media_type, headers=headers)


def describe(_reader: TokenReader, _given: ParameterValues) -> Response:
    """The OpenAPI document."""
    return Response(openapi.text(ROUTES), media_type="application/json", headers=NO_STORE)


ROUTES = (
    ApiRoute(
        "/debates",
        "list_debates",
        "List the debates that the token reads, latest opened first.",
        list_debates,
        model=DebatePage,
        parameters=(PAGE, PER_PAGE),
    ),
    ApiRoute(
        "/debates/{debate_id}",
        "read_debate",
        "Read one debate with its options and outcome.",
        read_debate,
        model=DebateDetail,
        parameters=(DEBATE,),
    ),
    ApiRoute(
        "/debates/{debate_id}/events",
        "stream_events",
        "Stream the events of a debate: past ones, then live ones, until the client leaves.",
        stream_events,
        media_types=(EventStream.media_type,),
        model=RecordLine,
        parameters=(DEBATE, LAST_EVENT),
    ),
    ApiRoute(
        "/debates/{debate_id}/exports/{format}",
        "export_debate",
        "Read one file of a debate; 409 while its record is withheld, or if it has no such file.",
        export_debate,
        media_types=tuple(dict.fromkeys(form.media_type for form in FORMATS.values())),
        parameters=(DEBATE, FORMAT),
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ApiRoute("/openapi.json", "describe", "Read this document.", describe, scope=None),
)


def find_route(path: str) -> tuple[ApiRoute, ParameterValues]:
    """The route of a path below `/api`, with the parts of the path. ApiRefusal for an unknown path."""
    for route in ROUTES:
        if (parts := route.match(path)) is not None:
            return route, parts
    raise ApiRefusal(HTTPStatus.NOT_FOUND, "there is nothing at this address: `/api/v1/openapi.json` lists the routes")


def _names_in(route: ApiRoute, where: str) -> list[str]:
    return sorted(parameter.name for parameter in route.parameters if parameter.where == where)


def read_parameters(
    route: ApiRoute, parts: ParameterValues, query: Iterable[tuple[str, str]], headers: Mapping[str, str]
) -> ParameterValues:
    """The checked parameters of a request. ApiRefusal names the first that is unknown, repeated or unfit."""
    by_name = {parameter.name: parameter for parameter in route.parameters}
    in_query = _names_in(route, "query")
    given = dict(parts)
    for name, text in query:
        if name not in in_query:
            known = ", ".join(in_query) or "none"
            raise ApiRefusal(
                HTTPStatus.BAD_REQUEST,
                "this route has no parameter {name!r}: it has {known}",
                name=name[:MAX_SHOWN_CHARS],
                known=known,
            )
        if name in given:
            raise ApiRefusal(HTTPStatus.BAD_REQUEST, "the parameter {name} was given twice: give it once", name=name)
        given[name] = text
    for name in _names_in(route, "header"):
        if name in headers:
            given[name] = headers[name]
    return {name: by_name[name].read(text) for name, text in given.items()}
