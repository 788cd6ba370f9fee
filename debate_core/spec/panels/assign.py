"""Which line answers in which seat: a panel put into the seats of a debate, and lines that are named on the spot."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args
from urllib.parse import urlsplit

from debate_core.errors import InvalidSpec
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.panels.addresses import check_base_url
from debate_core.spec.panels.file import Panel, PanelFile
from debate_core.spec.protocol import read
from debate_core.spec.values import Seat

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)


def adhoc_line(model: str, file: PanelFile, *, base_url: str, dialect: str, key_env: str | None) -> ModelLine:
    """A line for a model that is named on the spot; `file` says how names of families begin.

    Without a `key_env` a vendor's key goes to that vendor alone, never to another address. The price is left to the
    price table, also on this machine: a local address may be a way to a paid server.
    """
    if dialect not in DIALECTS:
        raise InvalidSpec(
            "unknown dialect {dialect!r}: choose one of {dialects}", dialect=dialect, dialects=", ".join(DIALECTS)
        )
    name = model.strip()
    if not name:
        raise InvalidSpec("the name of the model is empty: write it as the server calls it")
    address = check_base_url(base_url) if base_url else ""
    host = re.sub(r"[^a-z0-9_.-]", "-", urlsplit(address).hostname or "")[:40]
    vendor = "anthropic" if dialect == "messages" else "openai"
    fields = {
        "id": re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "model",
        "model": name,
        "provider": host or vendor,
        "family": family_of(name, file) or ("" if host else vendor),
        "dialect": dialect,
        "base_url": address,
        "key_env": ("" if host else f"{vendor.upper()}_API_KEY") if key_env is None else key_env,
        "max_key": "max_tokens" if host else "max_completion_tokens",
    }
    return read(ModelLine, fields)


def family_of(model: str, file: PanelFile) -> str:
    """The family of a model by the beginning of its name, without what a gateway puts before it; empty = unknown."""
    name = model.strip().rpartition("/")[2].casefold()
    fits = [beginning for beginning in file.families if name.startswith(beginning)]
    return file.families[max(fits, key=len)] if fits else ""


def panel_of(line: ModelLine) -> PanelFile:
    """A file with one panel in which this line has every seat."""
    return PanelFile(lines=(line,), panels=(Panel(name=line.id, title=line.model, debaters=(line.id,)),))


def seat_panel(
    seats: Sequence[Seat], panel: Panel, file: PanelFile, models: Mapping[str, str] | None = None
) -> tuple[tuple[Seat, ...], tuple[ModelLine, ...]]:
    """The seats with a line in every seat of a model, and the lines used. A seat that has a line keeps it.

    Debaters take the lines in turn, least used first; the others sit where fewest debaters are of their family.
    `models` (line id -> model name) fills the lines that leave their model open. The same seats give the same result.
    """
    own = [line_id for seat in seats if (line_id := _line_of(seat))]
    lines = {i: _with_model(file.line(i), file, models or {}) for i in (*panel.line_ids(), *own)}
    seated = list(seats)
    for place, seat in enumerate(seats):
        if line_id := _line_of(seat):
            seated[place] = _with_line(seat, lines[line_id])
    for place, seat in enumerate(seats):
        if _is_open(seat) and seat.role == "debater":
            seated[place] = _with_line(seat, lines[_line_to_debate(seated, panel)])
    for place, seat in enumerate(seats):
        if _is_open(seat) and seat.role != "debater":
            seated[place] = _with_line(seat, lines[_line_to_judge(seat, seated, panel, lines)])
    used = dict.fromkeys(line_id for seat in seated if (line_id := _line_of(seat)))
    for line_id in used:
        if not lines[line_id].model:
            raise InvalidSpec("line {line_id} has no model: choose one of the server's list", line_id=line_id)
    return tuple(seated), tuple(lines[line_id] for line_id in used)


def _line_of(seat: Seat) -> str | None:
    """The line that a seat of a model has; None if it has none yet, or somebody else sits there."""
    return seat.model or None if seat.occupant == "model" else None


def _is_open(seat: Seat) -> bool:
    """True for a seat of a model that has no line yet."""
    return seat.occupant == "model" and not seat.model


def _with_model(line: ModelLine, file: PanelFile, models: Mapping[str, str]) -> ModelLine:
    """The line with the model that was chosen for it, and that model's family, where it leaves them open."""
    if line.model or line.id not in models:
        return line
    model = models[line.id]
    return read(ModelLine, {**line.model_dump(), "model": model, "family": line.family or family_of(model, file)})


def _with_line(seat: Seat, line: ModelLine) -> Seat:
    return seat.model_copy(update={"model": line.id, "family": seat.family or line.family or None})


def _line_to_debate(seated: Sequence[Seat], panel: Panel) -> str:
    """The line of the panel's debaters that fewest debaters have, the first of them."""
    uses = Counter(seat.model for seat in _debating(seated))
    return min(panel.debaters, key=lambda line_id: uses[line_id])


def _line_to_judge(seat: Seat, seated: Sequence[Seat], panel: Panel, lines: Mapping[str, ModelLine]) -> str:
    """The line for who judges the debaters: of a family that few of them are of (R169, R247)."""
    if seat.role == "synthesiser" and panel.synthesiser:
        return panel.synthesiser
    debating = _debating(seated)
    families, uses = Counter(s.family for s in debating), Counter(s.model for s in debating)
    # A family that is not known may be any of the debaters': it comes last.
    return min(panel.line_ids(), key=lambda i: (not lines[i].family, families[lines[i].family], uses[i]))


def _debating(seated: Sequence[Seat]) -> list[Seat]:
    """The debaters that have a line by now."""
    return [seat for seat in seated if seat.role == "debater" and _line_of(seat)]
