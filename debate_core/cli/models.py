"""Which models the flags put into the seats, and what must be known before one of them is asked.

Reads the panel file; asks a server only for the list of its models.
"""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from debate_core.cli.files import read_text
from debate_core.errors import InvalidSpec, SeatError
from debate_core.host.settings import Settings, read_panel_file
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import digests, with_custom
from debate_core.seats.wires.dialects import server_models
from debate_core.spec.models import Dialect, ModelLine, Template
from debate_core.spec.panels import (
    Panel,
    PanelFile,
    adhoc_line,
    check_base_url,
    diversity,
    family_of,
    is_loopback,
    panel_of,
    seat_panel,
    url_warning,
)
from debate_core.spec.protocol import Protocol, Spec, read
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat, Usage

UNNAMED = "unknown"
"""Stands for a model that is still to be chosen from the list of its server."""
MAX_LISTED = 10
_OWN_DIALECT: dict[str, Dialect] = {"anthropic": "messages", "openai": "responses"}
"""Of the families whose vendors need no address."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The panel that the flags name, or the one line that they describe, as a panel."""

    panel: Panel
    file: PanelFile


def chosen(flags: Namespace, settings: Settings) -> Chosen | None:
    """What --panel, --model and --base-url say; None if none of them is given. InvalidSpec in one sentence."""
    alone = [f for f, v in (("--dialect", flags.dialect), ("--key-env", flags.key_env)) if v is not None]
    if flags.panel is not None:
        if flags.base_url is not None or alone:
            raise InvalidSpec(f"{(*alone, '--base-url')[0]} goes with --model, not with --panel, whose lines say it")
        return _panel(flags, read_panel_file(settings))
    if flags.model is None and flags.base_url is None:
        if alone:
            raise InvalidSpec(f"{alone[0]} says how a model is asked, but none is named: add --model NAME")
        return None
    if flags.base_url is None and (flags.offline or settings.offline):
        # Nobody will be asked, so it does not matter where this model would answer.
        return None
    line = _line(flags, read_panel_file(settings))
    file = panel_of(line)
    return Chosen(file.panels[0], file)


def _panel(flags: Namespace, file: PanelFile) -> Chosen:
    panel = file.panel(flags.panel)
    if flags.model is None:
        return Chosen(panel, file)
    empty = [i for i in panel.line_ids() if not file.line(i).model]
    if not empty:
        raise InvalidSpec(f"--model has no place in panel {panel.name}: each of its lines names a model")
    named = {"model": flags.model, "family": family_of(flags.model, file)}
    lines = (m.model_copy(update=named) if m.id in empty else m for m in file.lines)
    return Chosen(panel, PanelFile(lines=tuple(lines), panels=file.panels, families=file.families))


def _line(flags: Namespace, file: PanelFile) -> ModelLine:
    """A line of the panel file by its name or model, or one made of the flags."""
    if flags.model is not None and not flags.model.strip():
        raise InvalidSpec("the name of --model is empty: write it as its server calls it")
    said = (flags.base_url, flags.dialect, flags.key_env)
    known = [m for m in file.lines if flags.model in (m.id, m.model)]
    if known and said == (None, None, None):
        return known[0]
    dialect = flags.dialect or ("chat" if flags.base_url is not None else _own_dialect(flags.model, file))
    base_url = "" if flags.base_url is None else check_base_url(flags.base_url)
    line = adhoc_line(flags.model or UNNAMED, file, base_url=base_url, dialect=dialect, key_env=flags.key_env)
    return _priced_by_vendor(line) if flags.model else line.model_copy(update={"model": ""})


def _priced_by_vendor(line: ModelLine) -> ModelLine:
    """A model that only its vendor sells costs what the vendor asks, also by another way; `concerns` says so."""
    by_vendor = line.model_copy(update={"provider": line.family})
    known = line.family in _OWN_DIALECT and not is_priced(line) and is_priced(by_vendor)
    return by_vendor if known else line


def _own_dialect(model: str, file: PanelFile) -> Dialect:
    family = family_of(model, file)
    if family not in _OWN_DIALECT:
        raise InvalidSpec(
            f"nobody knows where {model[:80]!r} answers: add --base-url URL, or name one of the panel file's lines: "
            + ", ".join(m.id for m in file.lines)
        )
    return _OWN_DIALECT[family]


def seated(seats: Sequence[Seat], models: Chosen | None) -> tuple[tuple[Seat, ...], tuple[ModelLine, ...]]:
    """The seats with their lines, and the lines that are used; a model that is open is called UNNAMED for now."""
    if models is None:
        return tuple(seats), ()
    _refuse_chair(seats)
    open_lines = {m.id: UNNAMED for m in models.file.lines if not m.model}
    return seat_panel(seats, models.panel, models.file, open_lines)


def _refuse_chair(seats: Sequence[Seat]) -> None:
    chair = next((s.id for s in seats if s.role == "chair" and s.occupant == "model"), None)
    if chair:
        raise InvalidSpec(f"the chair is always a person, never a model: add --human {chair}")


def of_script(seats: Sequence[Seat], models: Chosen | None, settings: Settings) -> tuple[Sequence[Seat], Chosen | None]:
    """Seats of models in a script, and where their lines are: the flags beat what the script names."""
    waiting = [s for s in seats if s.occupant == "model"]
    if not waiting:
        return seats, None
    _refuse_chair(seats)
    if models is not None:
        freed = {"model": None, "family": None}
        return [s.model_copy(update=freed) if s in waiting else s for s in seats], models
    file = read_panel_file(settings) if any(s.model for s in waiting) else None
    known = {m.id for m in file.lines} if file else set()
    nobody = next((s.id for s in waiting if s.model not in known), None)
    if nobody or file is None:
        raise InvalidSpec(
            f"no model is set up for seat {nobody!r}: add --model, --panel, --offline or --human {nobody}"
        )
    return seats, Chosen(Panel(name="script", debaters=tuple(dict.fromkeys(s.model or "" for s in waiting))), file)


def with_ceiling(protocol: Protocol, flags: Namespace) -> Protocol:
    """The protocol with the limits of the flags as its first stop rule."""
    asked = {
        "usd": flags.budget_usd,
        "calls": flags.max_calls,
        "tokens": flags.max_tokens,
        "seconds": flags.max_seconds,
    }
    given = {axis: limit for axis, limit in asked.items() if limit is not None}
    if not given:
        return protocol
    others = tuple(rule for rule in protocol.stop if not isinstance(rule, Ceiling))
    own = next((rule for rule in protocol.stop if isinstance(rule, Ceiling)), Ceiling())
    ceiling = read(Ceiling, {**own.model_dump(), **given})
    return protocol.model_copy(update={"stop": (ceiling, *others)})


def templates(given: Sequence[str]) -> tuple[Template, ...]:
    """The prompts of a debate: shipped ones by digest, those of --prompt NAME=FILE as a whole."""
    own = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals or not path:
            raise InvalidSpec(f"--prompt {text[:80]!r} is not NAME=FILE")
        own[name] = read_text(path, "prompt")
    return with_custom(own) if own else digests()


def with_keys(line: ModelLine, settings: Settings) -> bool:
    """True if the line has the key it needs: a server on this machine needs none."""
    return not line.key_env or line.key_env in settings.keys or is_loopback(line.base_url)


def refuse_unset_key(flags: Namespace, settings: Settings) -> None:
    """InvalidSpec if --key-env names a variable that is not there: a server that asks for no key needs no name."""
    name = flags.key_env
    if name and name not in settings.keys and not (flags.offline or settings.offline):
        raise InvalidSpec(
            f"--key-env names {name}, which is set neither in the environment nor in .streamlit/secrets.toml: set it, "
            "or leave --key-env out for a server that asks for no key; --offline and --human SEAT need none"
        )


def ready(spec: Spec, settings: Settings) -> Spec:
    """The debate with every model named. InvalidSpec if one of them cannot be asked, or not within its budget.

    Asks the servers of lines without a model for their lists, and nobody else.
    """
    for line in spec.models:
        if not with_keys(line, settings):
            raise InvalidSpec(
                f"the model line {line.id} needs a key: set {line.key_env} in the environment or in "
                ".streamlit/secrets.toml; without one, --offline and --human SEAT are the ways on"
            )
    named = {line.id: _named(line, settings) if line.model == UNNAMED else line for line in spec.models}
    families = {line.id: line.family or None for line in named.values()}
    seats = (s.model_copy(update={"family": s.family or families.get(s.model or "")}) for s in spec.seats)
    spec = spec.model_copy(update={"models": tuple(named.values()), "seats": tuple(seats)})
    bound = spec.ceiling()
    unpriced = [m for m in spec.models if not is_priced(m)]
    if bound is not None and bound.usd is not None and unpriced:
        raise InvalidSpec(
            f"the price of {unpriced[0].model} (line {unpriced[0].id}) is not known, so --budget-usd cannot be kept: "
            "give its price in the panel file, or limit --max-calls or --max-tokens instead"
        )
    return spec


def _named(line: ModelLine, settings: Settings) -> ModelLine:
    """The line with the only model that its server offers."""
    asked = line.model_copy(update={"model": ""})
    listing = server_models(asked, settings.keys.get(line.key_env), deadline_s=settings.turn_deadline_s)
    try:
        offered = asyncio.run(listing)
    except SeatError as error:
        raise InvalidSpec(f"the model line {line.id} names no model, and its server lists none: {error}") from None
    if len(offered) == 1:
        family = line.family or family_of(offered[0], read_panel_file(settings))
        return _priced_by_vendor(line.model_copy(update={"model": offered[0], "family": family}))
    more = f" and {len(offered) - MAX_LISTED} more" if len(offered) > MAX_LISTED else ""
    raise InvalidSpec(
        f"the model line {line.id} names no model: add --model NAME; its server offers "
        + (", ".join(offered[:MAX_LISTED]) + more if offered else "none")
    )


def is_priced(line: ModelLine) -> bool:
    """True if a call to this line has a known price."""
    return cost_usd(Usage(calls=1, input_tokens=1_000, output_tokens=1_000), line) is not None


def concerns(spec: Spec) -> tuple[str, ...]:
    """What should be thought over before models are asked, one sentence each."""
    found = [warning for line in spec.models if (warning := url_warning(line))]
    found += [
        f"{m.model} is priced as by {m.provider}: if {m.base_url} asks another price, write it in the panel file"
        for m in spec.models
        if m.base_url and m.provider in _OWN_DIALECT and m.price is None
    ]
    return (*found, *(diversity(spec).warnings if spec.models else ()))
