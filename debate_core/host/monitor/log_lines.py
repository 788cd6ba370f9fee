"""The log as lines of JSON: what happened, where, in which debate; never what anybody wrote, a name or a key.

Messages of exceptions and of libraries may quote what they choked on, so that only their kind and place are told.
Without `DEBATE_LOG=json` the log is what Python and the libraries make of it.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TextIO

from debate_core.host.error_places import places
from debate_core.record.events import Closed, Event, Paused, TurnFailed, TurnTaken, utc_text
from debate_core.spec.values import Json, Usage

OURS = "debate_core"
RECORD = logging.getLogger(f"{OURS}.record")
_FIELDS = "fields"


class JsonLines(logging.Formatter):
    """One line of JSON for each record of the log."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, who says it, and what may be told of it."""
        at = utc_text(datetime.fromtimestamp(record.created, UTC))
        told: dict[str, Json] = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        told |= getattr(record, _FIELDS, None) or _told(record)
        if record.exc_info and record.exc_info[1] is not None:
            told |= _fault(record.exc_info[1])
        return json.dumps(told, ensure_ascii=True)


def _told(record: logging.LogRecord) -> dict[str, Json]:
    where = f"{record.module}:{record.lineno}"
    if record.name == OURS or record.name.startswith(f"{OURS}."):
        # We pass ids, counts and errors; of errors the kind alone.
        args = tuple(type(a).__name__ if isinstance(a, BaseException) else a for a in _positional(record))
        return {"message": str(record.msg) % args if args else str(record.msg), "where": where}
    if record.name == "uvicorn.access":
        return _visit(_positional(record))
    # Its own words without what it puts into them; other libraries put texts into their words themselves.
    own_words = record.name.startswith("uvicorn") and isinstance(record.msg, str)
    return {"message": str(record.msg).strip(), "where": where} if own_words else {"where": where}


def _positional(record: logging.LogRecord) -> tuple[object, ...]:
    return record.args if isinstance(record.args, tuple) else ()


def _visit(args: Sequence[object]) -> dict[str, Json]:
    """Method, first part of the path and status: links and ids stand further behind. Not who: that is the proxy's."""
    if len(args) != 5:
        return {}
    _client, method, path, _version, status = map(str, args)
    first = path.partition("?")[0].strip("/").partition("/")[0]
    return {"event": "visit", "method": method, "path": f"/{first}", "status": int(status)}


def _fault(error: BaseException) -> dict[str, Json]:
    """Its kind and its places, not what it says."""
    return {"error": type(error).__name__, "trace": list(places(error))}


def appended(events: Sequence[Event]) -> None:
    """A line for each event that this process appended: kind, debate, number; of a turn what it used, or its fault."""
    for event in events:
        fields: dict[str, Json] = {"event": event.kind, "debate": event.debate, "seq": event.seq, **_about(event)}
        RECORD.info("%s", event.kind, extra={_FIELDS: fields})


def _about(event: Event) -> Mapping[str, Json]:
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
    """What other libraries do all the time says nothing without their words; their warnings do, by where they are."""
    return record.levelno >= logging.WARNING or record.name.startswith((OURS, "uvicorn"))


class _WithoutHandlers(logging.Logger):
    """A logger that is made later: what it says goes to the handler of all."""

    def addHandler(self, hdlr: logging.Handler) -> None:  # noqa: N802
        """Streamlit gives each of its loggers a handler of its own, which would write texts."""


def write_json_lines(stream: TextIO | None = None) -> None:
    """From now on all that this process logs is JSON on this stream, usually standard error."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_for_operators)
    for known in logging.Logger.manager.loggerDict.values():
        if isinstance(known, logging.Logger):
            known.handlers.clear()
            known.propagate = True
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.INFO)
    logging.setLoggerClass(_WithoutHandlers)
    # For loggers that pass nothing on to others, as Streamlit's.
    logging.lastResort = handler
