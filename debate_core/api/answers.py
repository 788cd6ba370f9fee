"""The JSON answers of the API, and its refusals: one sentence each, with a status."""

from http import HTTPStatus

from starlette.responses import JSONResponse, Response

from debate_core.errors import DebateError, InvalidSpec, NotAllowed, StoreError, TooMany, TooManyTries, UnknownDebate
from debate_core.host.access.rate_limit import WINDOW_S
from debate_core.record.events import DebateId
from debate_core.report.facts.decision import Since
from debate_core.report.facts.who_decided import DecisionState
from debate_core.spec.values import Value

NO_STORE = {"Cache-Control": "no-store"}
BUSY = "The server cannot read its debates at the moment: try again in a minute."
NO_DEBATE = "There is no such debate for this token: `/api/v1/debates` lists those that it reads."
BEARER = 'Bearer realm="debates"'


class DebateSummary(Value):
    """A debate as a list shows it."""

    id: DebateId
    question: str
    protocol: str
    status: str
    """running, waiting, paused, lobby, prevote or held; over, while judges, a vote of people or signed changes are
    missing; in the end decided, if `decision` names an option, else undecided, truncated or aborted."""
    standing: DecisionState
    """State of the decision, as in decision.csv; `open` while judges are at work."""
    since: Since
    """Known fate of the decision since: challenged, held, revised or reversed; empty if none is known."""
    decision: str | None
    """The option in force: as signed, else as counted; null while none is decided, or judges must not see it."""
    step_if_undecided: str | None
    """The agreed step of a debate that is over and chose no option, such as `escalate`: no choice; null for others."""
    signed: bool
    round: int
    max_rounds: int
    opened_at: str
    """UTC, as `2026-11-29T08:30:00.000000Z`."""
    moved_at: str
    """Time of its last event."""
    events: int
    """Number of events in its record."""
    rehearsal: bool
    archived: bool
    origin_unknown: bool
    """True for a record from a file without checked signatures."""
    transcript_of: str | None
    """The file of the transcript from which the record was made: not held here; null for every other debate."""


class DebatePage(Value):
    """A page of the list, latest opened first."""

    debates: tuple[DebateSummary, ...]
    page: int
    pages: int
    total: int


class DebateDetail(DebateSummary):
    """A debate with its options and its present outcome."""

    options: tuple[str, ...]
    context: str
    waiting_for: tuple[str, ...]
    """Seats with an open request."""
    closed_at: str | None
    outcome: str | None
    """The decision with the way it came about, as a sentence; null before the end or while withheld."""
    head: str | None
    """The hash of the last event; null while withheld."""
    withheld: str | None
    """The reason why the record cannot be read now; null if it can."""


class RecordLine(Value):
    """The data of a streamed event: its line of the record; while withheld, only debate, number, time and kind."""

    debate: DebateId
    seq: int
    """Number of the event, from 1; also the id of the message."""
    at: str
    kind: str
    withheld: bool = False
    actor: str | None = None
    key: str | None = None
    body: dict[str, object] | None = None
    prev_hash: str | None = None
    hash: str | None = None


class ApiError(Value):
    """A refusal."""

    error: str
    """One sentence."""


class ApiRefusal(DebateError):
    """A refusal with its own status."""

    def __init__(self, status: HTTPStatus, template: str, /, **values: object) -> None:
        super().__init__(template, **values)
        self.status = status


def json_answer(value: Value) -> Response:
    """This value as an answer."""
    return Response(value.model_dump_json(), media_type="application/json", headers=NO_STORE)


def refusal(error: DebateError) -> Response:
    """An error as an answer, without details of the store, such as paths."""
    status = _status(error)
    headers = dict(NO_STORE)
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = BEARER
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = "GET, HEAD"
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        headers["Retry-After"] = str(WINDOW_S)
    words = str(error)
    if isinstance(error, StoreError):
        words = NO_DEBATE if status is HTTPStatus.NOT_FOUND else BUSY
    return JSONResponse({"error": words[:1].upper() + words[1:]}, status, headers=headers)


def _status(error: DebateError) -> HTTPStatus:
    match error:
        case ApiRefusal():
            return error.status
        case TooMany() | TooManyTries():
            return HTTPStatus.TOO_MANY_REQUESTS
        case NotAllowed():
            return HTTPStatus.UNAUTHORIZED
        case UnknownDebate():
            return HTTPStatus.NOT_FOUND
        case StoreError():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case InvalidSpec():
            return HTTPStatus.BAD_REQUEST
        case _:
            return HTTPStatus.CONFLICT
