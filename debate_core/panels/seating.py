"""Which line answers in which seat: a panel put into the seats of a debate, and lines that are named on the spot."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args
from urllib.parse import urlsplit

from debate_core.errors import InvalidSpec
from debate_core.model import Dialect, ModelLine, Seat
from debate_core.panels.addresses import check_base_url
from debate_core.panels.file import Panel, PanelFile
from debate_core.protocol import read

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)


def adhoc_line(model: str, file: PanelFile, *, base_url: str, dialect: str, key_env: str | None) -> ModelLine:
    """A line for a model that is named on the spot; `file` says how names of families begin.

    Its price is left to the price table, also on this machine: a local address may be a way to a paid server.
    """
    if dialect not in DIALECTS:
        raise InvalidSpec(f"unknown dialect {dialect!r}: choose one of {', '.join(DIALECTS)}")
    if not model.strip():
        raise InvalidSpec("the name of the model is empty: write it as the server calls it")
    messages = dialect == "messages"
    address = check_base_url(base_url) if base_url else ""
    host = urlsplit(address).hostname or ""
    vendor = "anthropic" if messages else "openai"
    provider = re.sub(r"[^a-z0-9_.-]", "-", host)[:40] or vendor
    fields = {
        "id": re.sub(r"[^A-Za-z0-9_-]+", "-", model).strip("-")[:40] or "model",
        "model": model.strip(),
        "provider": provider,
        "family": family_of(model, file) or ("" if host else vendor),
        "dialect": dialect,
        "base_url": address,
        "key_env": ("ANTHROPIC_API_KEY" if messages else "OPENAI_API_KEY") if key_env is None else key_env,
        "max_key": "max_tokens" if address else "max_completion_tokens",
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
    lines = {i: file.line(i) for i in panel.line_ids()}
    seated = [_with_line(s, file.line(s.model)) if s.occupant == "model" and s.model else s for s in seats]
    open_seats = [(i, s) for i, s in enumerate(seated) if s.occupant == "model" and not s.model]
    for i, seat in sorted(open_seats, key=lambda e: e[1].role != "debater"):
        debating = [s for s in seated if s.role == "debater" and s.occupant == "model" and s.model]
        if seat.role == "debater":
            uses = Counter(s.model for s in debating)
            chosen = min(panel.debaters, key=lambda line_id: uses[line_id])
        elif seat.role == "synthesiser" and panel.synthesiser:
            chosen = panel.synthesiser
        else:
            chosen = _apart(debating, lines)
        seated[i] = _with_line(seat, lines[chosen])
    used = dict.fromkeys(s.model for s in seated if s.occupant == "model" and s.model)
    return tuple(seated), tuple(_with_model(file.line(i), models or {}) for i in used)


def _with_line(seat: Seat, line: ModelLine) -> Seat:
    return seat.model_copy(update={"model": line.id, "family": seat.family or line.family or None})


def _with_model(line: ModelLine, models: Mapping[str, str]) -> ModelLine:
    model = line.model or models.get(line.id, "")
    if not model:
        raise InvalidSpec(f"line {line.id} has no model: choose one of the server's list")
    return read(ModelLine, {**line.model_dump(), "model": model})


def _apart(debating: Sequence[Seat], lines: Mapping[str, ModelLine]) -> str:
    """The line for a seat that judges the debaters: of a family that few of them are of (R169, R247)."""
    families, used = Counter(s.family for s in debating), Counter(s.model for s in debating)
    # A family that is not known may be any of the debaters': it comes last.
    return min(lines, key=lambda i: (not lines[i].family, families[lines[i].family], used[i]))
