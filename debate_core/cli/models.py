"""Seats the models that the flags name, and checks them before any is called.

Reads the panel file; asks a server only for the list of its models.
"""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace

from debate_core.cli.files import read_text
from debate_core.errors import InvalidSpec, SeatError
from debate_core.host.settings import Settings, read_panel_file
from debate_core.report.phrases.costs import usd_words
from debate_core.seats.economy import economy_panel
from debate_core.seats.forecast import forecast
from debate_core.seats.pricing import is_priced, weaker_synthesis, without_unknown_budget
from debate_core.seats.probe_advice import retirement_warning
from debate_core.seats.prompts import digests, with_custom
from debate_core.seats.providers.dialects import server_models
from debate_core.spec import presets
from debate_core.spec.dialects import COMPATIBLE, VENDOR_DIALECTS
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
from debate_core.spec.presets import CHECKED_ANSWERS
from debate_core.spec.protocol import Protocol, Spec, read
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from debate_core.text import spoken_list

UNNAMED = "unknown"
"""A placeholder for a model to be chosen from the list of its server."""
MAX_LISTED = 10


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The panel that the flags name, or a panel of the one model they describe."""

    panel: Panel
    file: PanelFile
    by_key: bool = False
    """True if a set key alone selected the panel."""

    @property
    def lines(self) -> tuple[ModelLine, ...]:
        """The lines of the panel, in its order."""
        return tuple(self.file.line(line_id) for line_id in self.panel.line_ids())


def is_offline(flags: Namespace, settings: Settings) -> bool:
    """True if models are disabled."""
    return bool(flags.offline or settings.offline)


def model_choice(flags: Namespace, settings: Settings) -> ModelChoice | None:
    """The models of --panel, --model and --base-url; None without them. InvalidSpec in one sentence."""
    given = _given_model_flags(flags)
    if flags.panel is not None:
        if given:
            raise InvalidSpec(f"{given[0]} goes with --model, not with --panel, whose lines set it")
        return _choose_panel(flags, read_panel_file(settings))
    if flags.model is None and flags.base_url is None:
        if given:
            raise InvalidSpec(f"{given[0]} says how a model is asked, but none is named: add --model NAME")
        return None
    if flags.base_url is None and is_offline(flags, settings):
        # Models are disabled, so the address does not matter.
        return None
    line = _find_line(flags, read_panel_file(settings))
    if flags.structured is not None:
        line = line.model_copy(update={"structured": flags.structured})
    file = panel_of(line)
    return ModelChoice(file.panels[0], file)


def _given_model_flags(flags: Namespace) -> list[str]:
    values = {
        "--dialect": flags.dialect,
        "--key-env": flags.key_env,
        "--base-url": flags.base_url,
        "--structured": flags.structured,
    }
    return [name for name, value in values.items() if value is not None]


def choice_or_key(flags: Namespace, settings: Settings) -> ModelChoice | None:
    """The models that the flags name; without any named seat or model, the economy panel for the set keys.

    None if there is none.
    """
    choice = model_choice(flags, settings)
    is_named = choice or flags.model is not None or flags.script is not None or flags.human
    if is_named or is_offline(flags, settings):
        return choice
    file = read_panel_file(settings)
    panel = economy_panel(file, settings.keys)
    if panel is None:
        return None
    return ModelChoice(panel, file, by_key=True)


def by_key_words(spec: Spec) -> str:
    """Say that a set key seats models, with their probable and maximum cost."""
    models = spoken_list([line.model for line in spec.models])
    cost = forecast(spec).total.cost_usd
    about = "the cost is unknown" if cost is None else f"about {usd_words(cost)}"
    ceiling = spec.ceiling()
    most = ""
    if ceiling is not None and ceiling.usd is not None:
        most = f", and no more than {usd_words(ceiling.usd)}"
    if spec.protocol.name == CHECKED_ANSWERS.name:
        what = "models of one family share errors, so one is asked several times and one criticises"
        other = "--protocol expert_panel holds a debate, "
    else:
        what = "models debate"
        other = ""
    return (
        f"a key is set and no seat was named; {what} ({models}): {about}{most}; {other}--budget-usd sets another "
        "limit, --panel other models, --offline none"
    )


def _choose_panel(flags: Namespace, file: PanelFile) -> ModelChoice:
    choice = ModelChoice(file.panel(flags.panel), file)
    if flags.model is None:
        return choice
    model = {"model": flags.model, "family": family_of(flags.model, file)}
    named = {line.id: line.model_copy(update=model) for line in choice.lines if not line.model}
    if not named:
        raise InvalidSpec(f"--model has no place in panel {choice.panel.name}: each of its lines names a model")
    lines = tuple(named.get(line.id, line) for line in file.lines)
    return replace(choice, file=PanelFile(lines=lines, panels=file.panels, families=file.families))


def _find_line(flags: Namespace, file: PanelFile) -> ModelLine:
    """The line of the panel file with this name or model, or one made from the flags."""
    if flags.model is not None and not flags.model.strip():
        raise InvalidSpec("the name of --model is empty: write it as its server calls it")
    is_named_alone = (flags.base_url, flags.dialect, flags.key_env) == (None, None, None)
    if is_named_alone:
        for line in file.lines:
            if flags.model in (line.id, line.model):
                return line
    return _make_line(flags, file)


def _make_line(flags: Namespace, file: PanelFile) -> ModelLine:
    if flags.base_url is None:
        base_url = ""
        dialect = flags.dialect or _own_dialect(flags.model, file)
    else:
        base_url = check_base_url(flags.base_url)
        dialect = flags.dialect or COMPATIBLE
    line = adhoc_line(flags.model or UNNAMED, file, base_url=base_url, dialect=dialect, key_env=flags.key_env)
    if not flags.model:
        return line.model_copy(update={"model": ""})
    return _price_by_vendor(line)


def _price_by_vendor(line: ModelLine) -> ModelLine:
    """Price a model that only its vendor sells at the vendor's price, at any address; `concerns` reports it."""
    if line.family not in VENDOR_DIALECTS or is_priced(line):
        return line
    by_vendor = line.model_copy(update={"provider": line.family})
    return by_vendor if is_priced(by_vendor) else line


def _own_dialect(model: str, file: PanelFile) -> Dialect:
    family = family_of(model, file)
    if family not in VENDOR_DIALECTS:
        raise InvalidSpec(
            f"the server of {model[:80]!r} is unknown: add --base-url URL, or name one of the panel file's lines: "
            + ", ".join(m.id for m in file.lines)
        )
    return VENDOR_DIALECTS[family][0]


def seats_with_lines(
    seats: Sequence[Seat], models: ModelChoice | None
) -> tuple[tuple[Seat, ...], tuple[ModelLine, ...]]:
    """The seats with their models, and the lines used; an open model is UNNAMED for now."""
    if models is None:
        return tuple(seats), ()
    _refuse_chair(seats)
    open_lines = {line.id: UNNAMED for line in models.file.lines if not line.model}
    return seat_panel(seats, models.panel, models.file, open_lines)


def _refuse_chair(seats: Sequence[Seat]) -> None:
    for seat in seats:
        if seat.role == "chair" and seat.is_model:
            raise InvalidSpec(f"the chair is always a person, never a model: add --human {seat.id}")


def choice_of_script(
    seats: Sequence[Seat], models: ModelChoice | None, settings: Settings
) -> tuple[Sequence[Seat], ModelChoice | None]:
    """The model seats of a script and their models; flags override the script."""
    of_models = [seat for seat in seats if seat.is_model]
    if not of_models:
        return seats, None
    _refuse_chair(seats)
    if models is not None:
        no_line = {"model": None, "family": None}
        open_seats = {seat.id: seat.model_copy(update=no_line) for seat in of_models}
        return [open_seats.get(seat.id, seat) for seat in seats], models
    return seats, _lines_of_script(of_models, settings)


def _lines_of_script(of_models: Sequence[Seat], settings: Settings) -> ModelChoice:
    """The models that a script names, as a panel. InvalidSpec if the panel file lacks one."""
    names_lines = any(seat.model for seat in of_models)
    file = read_panel_file(settings) if names_lines else PanelFile()
    known = {line.id for line in file.lines}
    for seat in of_models:
        if seat.model not in known:
            raise InvalidSpec(
                f"no model is set up for seat {seat.id!r}: add --model, --panel, --offline or --human {seat.id}"
            )
    line_ids = dict.fromkeys(seat.model or "" for seat in of_models)
    return ModelChoice(Panel(name="script", debaters=tuple(line_ids)), file)


def with_ceiling(protocol: Protocol, flags: Namespace) -> Protocol:
    """The protocol with the limits of the flags as its first stop rule."""
    limits = limits_of(flags)
    if not limits:
        return protocol
    own = protocol.ceiling() or Ceiling()
    return protocol.with_ceiling(read(Ceiling, own.model_dump() | limits))


def limits_of(flags: Namespace) -> dict[str, int | str]:
    limit_of: dict[str, int | str | None] = {
        "usd": flags.budget_usd,
        "calls": flags.max_calls,
        "tokens": flags.max_tokens,
        "seconds": flags.max_seconds,
    }
    return {axis: limit for axis, limit in limit_of.items() if limit is not None}


def templates(texts: Sequence[str], protocol: Protocol) -> tuple[Template, ...]:
    """The prompts of a debate under this protocol: shipped ones by digest, custom ones (--prompt NAME=FILE) whole."""
    own = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not path:
            raise InvalidSpec(f"--prompt {text[:80]!r} is not NAME=FILE")
        own[name] = read_text(path, "prompt")
    return with_custom(own, protocol) if own else digests(protocol)


def with_keys(line: ModelLine, settings: Settings) -> bool:
    """True if the model has its key; a server on this machine needs none."""
    return not line.key_env or line.key_env in settings.keys or is_loopback(line.base_url)


def refuse_unset_key(flags: Namespace, settings: Settings) -> None:
    """Raise InvalidSpec if --key-env names an unset variable."""
    name = flags.key_env
    if name and name not in settings.keys and not is_offline(flags, settings):
        raise InvalidSpec(
            f"--key-env names {name}, which is set neither in the environment nor in .streamlit/secrets.toml: set it, "
            "or leave --key-env out for a server that asks for no key; --offline and --human SEAT need none"
        )


def with_every_model(spec: Spec, settings: Settings, *, budget_usd: str | None) -> Spec:
    """Complete the debate with every model named. InvalidSpec if a model cannot be called, or not within the budget.

    `budget_usd` is the flag; without it, the money limit of a shipped protocol is dropped if a price is unknown. Asks
    only servers of lines without a model, for their lists.
    """
    for line in spec.models:
        if not with_keys(line, settings):
            raise InvalidSpec(
                f"the model line {line.id} needs a key: set {line.key_env} in the environment or in "
                ".streamlit/secrets.toml; or use --offline or --human SEAT"
            )
    lines = tuple(_complete_line(line, settings) if line.model == UNNAMED else line for line in spec.models)
    spec = spec.model_copy(update={"models": lines, "seats": _set_families(spec.seats, lines)})
    shipped = presets.PROTOCOLS.get(spec.protocol.name)
    if budget_usd is None and shipped is not None and _usd_limit(shipped) == _usd_limit(spec.protocol):
        return without_unknown_budget(spec)
    _refuse_unknown_price(spec, "the limit of USD in its protocol" if budget_usd is None else "--budget-usd")
    return spec


def _usd_limit(protocol: Protocol) -> str | None:
    ceiling = protocol.ceiling()
    return None if ceiling is None else ceiling.usd


def _set_families(seats: Sequence[Seat], lines: Sequence[ModelLine]) -> tuple[Seat, ...]:
    family_of_line = {line.id: line.family or None for line in lines}
    with_families = []
    for seat in seats:
        family = seat.family or family_of_line.get(seat.model or "")
        with_families.append(seat.model_copy(update={"family": family}))
    return tuple(with_families)


def _refuse_unknown_price(spec: Spec, limit: str) -> None:
    """Raise InvalidSpec for a money limit with an unpriced model; `limit` names the limit."""
    ceiling = spec.ceiling()
    if ceiling is None or ceiling.usd is None:
        return
    for line in spec.models:
        if not is_priced(line):
            raise InvalidSpec(
                f"the price of {line.model} (line {line.id}) is not known, so {limit} cannot be kept: "
                "give its price in the panel file, or limit --max-calls or --max-tokens instead"
            )


def _complete_line(line: ModelLine, settings: Settings) -> ModelLine:
    """Complete the line with the only model that its server offers."""
    no_model = line.model_copy(update={"model": ""})
    key = settings.keys.get(line.key_env)
    asking = server_models(no_model, key, deadline_s=settings.turn_deadline_s, network=settings.network)
    try:
        offers = asyncio.run(asking)
    except SeatError as error:
        raise InvalidSpec(f"the model line {line.id} names no model, and its server lists none: {error}") from None
    names = [offer.id for offer in offers]
    if len(offers) == 1:
        family = line.family or family_of(names[0], read_panel_file(settings))
        context_tokens = line.context_tokens or offers[0].context_tokens or 0
        named = {"model": names[0], "family": family, "context_tokens": context_tokens}
        return _price_by_vendor(line.model_copy(update=named))
    listed = ", ".join(names[:MAX_LISTED]) or "none"
    more = ""
    if len(names) > MAX_LISTED:
        more = f" and {len(names) - MAX_LISTED} more"
    raise InvalidSpec(f"the model line {line.id} names no model: add --model NAME; its server offers {listed}{more}")


def concerns(spec: Spec) -> tuple[str, ...]:
    """Warnings before models are called, one sentence each."""
    if not spec.models:
        return ()
    checks = (url_warning, retirement_warning, _price_warning)
    found = [check(line) for check in checks for line in spec.models]
    return (*filter(None, found), *diversity(spec).warnings, *weaker_synthesis(spec))


def _price_warning(line: ModelLine) -> str:
    """Warn about a model priced by its vendor but called elsewhere."""
    if not line.base_url or line.provider not in VENDOR_DIALECTS or line.price is not None:
        return ""
    priced_as = f"{line.model} is priced as by {line.provider}"
    return f"{priced_as}: if {line.base_url} asks another price, write it in the panel file"
