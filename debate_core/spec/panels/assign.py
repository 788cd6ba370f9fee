"""Which line answers in which seat: a panel put into the seats of a debate, and lines that are named on the spot."""

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
    """A line for a model that is named on the spot; `file` says how names of families begin.

    Without a `key_env` a vendor's key goes to that vendor alone, never to another address. The price is left to the
    price table, also on this machine: a local address may be a way to a paid server.
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

    Debaters take the lines in turn, least used first; the others sit where fewest debaters are of their family. Of
    three families or more the last one is left to an office that rates arguments: it rates none of its own family.
    `models` (line id -> model name) fills the lines that leave their model open. The same seats give the same result.
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
    used = [lines[line_id] for line_id in _line_ids_of(seated)]
    for line in used:
        if not line.model:
            raise InvalidSpec("line {line_id} has no model: choose one of the server's list", line_id=line.id)
    return tuple(seated), tuple(used)


def _line_ids_of(seats: Iterable[Seat]) -> list[str]:
    """The lines that seats of models have by now, each once."""
    return list(dict.fromkeys(seat.model for seat in seats if seat.is_model and seat.model))


def _open_places(seats: Sequence[Seat]) -> list[int]:
    """The places of seats of models that have no line yet; the debaters' first, whose families the others look at."""
    places = [place for place, seat in enumerate(seats) if seat.is_model and not seat.model]
    return sorted(places, key=lambda place: seats[place].role != "debater")


def _with_model(line: ModelLine, file: PanelFile, models: Mapping[str, str]) -> ModelLine:
    """The line with the model that was chosen for it, and that model's family, where it leaves them open."""
    if line.model or line.id not in models:
        return line
    model = models[line.id]
    return read(ModelLine, {**line.model_dump(), "model": model, "family": line.family or family_of(model, file)})


def _with_line(seat: Seat, line: ModelLine) -> Seat:
    return seat.model_copy(update={"model": line.id, "family": seat.family or line.family or None})


RATES: tuple[Role, ...] = ("evaluator", "judge", "referee")
"""Offices that say how good arguments are."""


def lines_to_argue(lines: Sequence[ModelLine], roles: Collection[Role]) -> tuple[str, ...]:
    """Ids of the lines for debaters: all, less those of the last family where an office rates and three are there."""
    families = list(dict.fromkeys(line.family for line in lines if line.family))
    is_rated = not set(RATES).isdisjoint(roles)
    kept = families[-1] if is_rated and len(families) > 2 else None
    return tuple(line.id for line in lines if kept is None or line.family != kept)


def _line_for(
    seat: Seat, seated: Sequence[Seat], panel: Panel, lines: Mapping[str, ModelLine], to_argue: Sequence[str]
) -> str:
    """Of the panel's lines the one that fits best beside those who debate; of equal ones the first."""
    debating = _debating(seated)
    uses = Counter(debater.model for debater in debating)
    if seat.role == "debater":
        return min(to_argue, key=lambda line_id: uses[line_id])
    if seat.role == "synthesiser" and panel.synthesiser:
        return panel.synthesiser
    families = Counter(debater.family for debater in debating)

    def closeness(line_id: str) -> tuple[bool, int, int]:
        """Few debaters should be of the family of who judges them."""
        family = lines[line_id].family
        # A family that is not known may be any of the debaters': it comes last.
        return not family, families[family], uses[line_id]

    return min(panel.line_ids(), key=closeness)


def _debating(seated: Sequence[Seat]) -> list[Seat]:
    """The debaters that have a line by now."""
    return [seat for seat in seated if seat.role == "debater" and seat.is_model and seat.model]
