"""Assignment of model lines to seats: from a panel, or for a single named model."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from debate_core.errors import InvalidSpec
from debate_core.spec.dialects import DIALECTS, dialect_facts
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.panels.addresses import check_base_url
from debate_core.spec.panels.file import Panel, PanelFile
from debate_core.spec.protocol import read
from debate_core.spec.values import Role, Seat


def adhoc_line(model: str, file: PanelFile, *, base_url: str, dialect: str, key_env: str | None) -> ModelLine:
    """A line for a model given by name; `file` has the prefixes of model families.

    Without a `key_env`, a vendor's key is sent to that vendor only, never to another address. The price comes from the
    price table even for a local address, which may forward to a paid server.
    """
    known = _dialect(dialect)
    name = model.strip()
    if not name:
        raise InvalidSpec("the name of the model is empty: write it as the server calls it")
    server = _at_address(base_url) if base_url else _at_vendor(known)
    if key_env is not None:
        server["key_env"] = key_env
    fields = {
        **server,
        "id": re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "model",
        "model": name,
        "family": family_of(name, file) or server["family"],
        "dialect": dialect,
    }
    return read(ModelLine, fields)


def _at_address(base_url: str) -> dict[str, str]:
    address = check_base_url(base_url)
    host = re.sub(r"[^a-z0-9_.-]", "-", urlsplit(address).hostname or "")[:40]
    return {"provider": host, "family": "", "base_url": address, "key_env": "", "max_key": "max_tokens"}


def _dialect(name: str) -> Dialect:
    for dialect in DIALECTS:
        if name == dialect:
            return dialect
    raise InvalidSpec(
        "unknown dialect {dialect!r}: choose one of {dialects}", dialect=name, dialects=", ".join(DIALECTS)
    )


def _at_vendor(dialect: Dialect) -> dict[str, str]:
    vendor = dialect_facts(dialect).vendor
    if vendor is None:
        raise InvalidSpec(
            "the dialect {dialect} has no vendor: name the address of the server (--base-url)", dialect=dialect
        )
    provider = vendor.provider
    fields = {"provider": provider, "family": provider, "base_url": ""}
    return {**fields, "key_env": vendor.key_env, "max_key": vendor.max_key}


def family_of(model: str, file: PanelFile) -> str:
    """The family of a model by the prefix of its name, after a gateway's prefix; "" = unknown."""
    name = model.strip().rpartition("/")[2].casefold()
    fits = [beginning for beginning in file.families if name.startswith(beginning)]
    return file.families[max(fits, key=len)] if fits else ""


def panel_of(line: ModelLine) -> PanelFile:
    """A file with a panel of this line alone."""
    return PanelFile(lines=(line,), panels=(Panel(name=line.id, title=line.model, debaters=(line.id,)),))


def seat_panel(
    seats: Sequence[Seat], panel: Panel, file: PanelFile, models: Mapping[str, str] | None = None
) -> tuple[tuple[Seat, ...], tuple[ModelLine, ...]]:
    """The seats with a line for every seat of a model, and the lines used. A seat with a line keeps it.

    Debaters take lines in turn, least used first; other seats take the line whose family has the fewest debaters. With
    three families or more, the last one is reserved for a role that rates arguments, so that it does not rate its own
    family. `models` (line id -> model name) completes lines without a model. The result is deterministic.
    """
    line_ids = (*panel.line_ids(), *_line_ids_of(seats))
    lines = {line_id: _with_model(file.line(line_id), file, models or {}) for line_id in line_ids}
    seated = list(seats)
    for place, seat in enumerate(seats):
        if seat.is_model and seat.model:
            seated[place] = _with_line(seat, lines[seat.model])
    to_argue = lines_to_argue([lines[line_id] for line_id in panel.debaters], [seat.role for seat in seats])
    for place in _open_places(seats):
        line_id = _line_for(seats[place], seated, panel, lines, to_argue)
        seated[place] = _with_line(seats[place], lines[line_id])
    used = tuple(lines[line_id] for line_id in _line_ids_of(seated))
    _refuse_unnamed_models(used)
    return tuple(seated), used


def _refuse_unnamed_models(lines: Iterable[ModelLine]) -> None:
    for line in lines:
        if not line.model:
            raise InvalidSpec("line {line_id} has no model: choose one of the server's list", line_id=line.id)


def _line_ids_of(seats: Iterable[Seat]) -> list[str]:
    """The lines already assigned to seats of models, each once."""
    return list(dict.fromkeys(seat.model for seat in seats if seat.is_model and seat.model))


def _open_places(seats: Sequence[Seat]) -> list[int]:
    """Indices of model seats without a line, debaters first, since the other seats depend on their families."""
    places = [place for place, seat in enumerate(seats) if seat.is_model and not seat.model]
    return sorted(places, key=lambda place: seats[place].role != "debater")


def _with_model(line: ModelLine, file: PanelFile, models: Mapping[str, str]) -> ModelLine:
    """The line completed with its chosen model and that model's family."""
    if line.model or line.id not in models:
        return line
    model = models[line.id]
    return read(ModelLine, {**line.model_dump(), "model": model, "family": line.family or family_of(model, file)})


def _with_line(seat: Seat, line: ModelLine) -> Seat:
    return seat.model_copy(update={"model": line.id, "family": seat.family or line.family or None})


RATES: tuple[Role, ...] = ("evaluator", "judge", "referee")
"""Roles that rate arguments."""


def lines_to_argue(lines: Sequence[ModelLine], roles: Collection[Role]) -> tuple[str, ...]:
    """Ids of the lines for debaters: all, except the last of three or more families if a role rates arguments."""
    families = list(dict.fromkeys(line.family for line in lines if line.family))
    is_rated = not set(RATES).isdisjoint(roles)
    kept = families[-1] if is_rated and len(families) > 2 else None
    return tuple(line.id for line in lines if kept is None or line.family != kept)


def _line_for(
    seat: Seat, seated: Sequence[Seat], panel: Panel, lines: Mapping[str, ModelLine], to_argue: Sequence[str]
) -> str:
    """The panel's line that suits this seat best, given the debaters; the first of equal ones."""
    debating = [seat for seat in seated if seat.role == "debater" and seat.is_model and seat.model]
    uses = Counter(debater.model for debater in debating)
    if seat.role == "debater":
        return min(to_argue, key=lambda line_id: uses[line_id])
    if seat.role == "synthesiser" and panel.synthesiser:
        return panel.synthesiser
    families = Counter(debater.family for debater in debating)

    def closeness(line_id: str) -> tuple[bool, int, int]:
        """Rank lines by the number of debaters in their family, fewest first."""
        family = lines[line_id].family
        # An unknown family could be any of the debaters', so it comes last.
        return not family, families[family], uses[line_id]

    return min(panel.line_ids(), key=closeness)
