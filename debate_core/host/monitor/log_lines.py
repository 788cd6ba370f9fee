"""Writes the log as lines of JSON: event, place and debate; never texts of people, names or keys.

Messages of exceptions and libraries may quote their input, so only their type and place are logged. Without
`DEBATE_LOG=json` Python's default log applies.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from debate_core.host.error_places import places
from debate_core.record.events import Closed, Event, Paused, TurnFailed, TurnTaken, utc_text
from debate_core.spec.values import Json, Usage

OURS = "debate_core"
RECORD = logging.getLogger(f"{OURS}.record")
_FIELDS = "fields"


class JsonLines(logging.Formatter):
    """Formats each log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, logger and the safe part of the message."""
        at = utc_text(datetime.fromtimestamp(record.created, UTC))
        fields: dict[str, Json] = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        fields |= getattr(record, _FIELDS, None) or _describe_record(record)
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            fields |= {"error": type(error).__name__, "trace": list(places(error))}
        return json.dumps(fields, ensure_ascii=True)


def _describe_record(record: logging.LogRecord) -> dict[str, Json]:
    where = f"{record.module}:{record.lineno}"
    if record.name == OURS or record.name.startswith(f"{OURS}."):
        # Our arguments are ids, counts and errors; of errors only the type.
        args = tuple(type(a).__name__ if isinstance(a, BaseException) else a for a in _positional(record))
        return {"message": str(record.msg) % args if args else str(record.msg), "where": where}
    if record.name == "uvicorn.access":
        return _visit(_positional(record))
    # uvicorn's message without its arguments; other libraries put texts into the message itself.
    own_words = record.name.startswith("uvicorn") and isinstance(record.msg, str)
    return {"message": str(record.msg).strip(), "where": where} if own_words else {"where": where}


def _positional(record: logging.LogRecord) -> tuple[object, ...]:
    return record.args if isinstance(record.args, tuple) else ()


def _visit(args: Sequence[object]) -> dict[str, Json]:
    """Method, first part of the path and status: links and ids come later in it. The proxy logs the client."""
    if len(args) != 5:
        return {}
    _client, method, path, _version, status = map(str, args)
    first = path.partition("?")[0].strip("/").partition("/")[0]
    return {"event": "visit", "method": method, "path": f"/{first}", "status": int(status)}


def appended(events: Sequence[Event]) -> None:
    """Log each event that this process appended: kind, debate, number; of a turn its usage or fault."""
    for event in events:
        fields: dict[str, Json] = {
            "event": event.kind,
            "debate": event.debate,
            "seq": event.seq,
            **_describe_event(event),
        }
        RECORD.info("%s", event.kind, extra={_FIELDS: fields})


def _describe_event(event: Event) -> Mapping[str, Json]:
    match event.body:
        case TurnTaken(content=content, usage=usage):
            return {"gives": content.kind, **_used(usage)}
        case TurnFailed() as failed:
            return {"error": failed.error, "unreached": failed.transport, **_used(failed.usage)}
        case Paused(limit=limit, unreached=unreached):
            return {"why": "limit" if limit is not None else "unreached" if unreached else "people"}
        case Closed(outcome=outcome):
            return {"status": outcome.status, "rounds": outcome.rounds_run}
        case _:
            return {}


def _used(usage: Usage | None) -> Mapping[str, Json]:
    if usage is None:
        return {}
    return {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "usd": usage.cost_usd}


def _is_for_operators(record: logging.LogRecord) -> bool:
    """Keep warnings of other libraries, which name the place; their routine messages say nothing without texts."""
    return record.levelno >= logging.WARNING or record.name.startswith((OURS, "uvicorn"))


class _WithoutHandlers(logging.Logger):
    """A logger created later: it logs to the shared handler."""

    def addHandler(self, hdlr: logging.Handler) -> None:  # noqa: N802
        """Ignore the handler: Streamlit gives each of its loggers one, which would write texts."""


def write_json_lines() -> None:
    """Write the log of this process as JSON to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_for_operators)
    for known in logging.Logger.manager.loggerDict.values():
        if isinstance(known, logging.Logger):
            known.handlers.clear()
            known.propagate = True
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.INFO)
    logging.setLoggerClass(_WithoutHandlers)
    # For loggers without propagation, such as Streamlit's.
    logging.lastResort = handler
