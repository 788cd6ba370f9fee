"""`probe`: asks each model of a panel for one short turn, and shows the features of its server.

`seats.probe` does the work. A missing key is a finding, not bad input.
"""

import asyncio
from argparse import Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from debate_core.cli.models import model_choice
from debate_core.cli.terminal import answer
from debate_core.errors import InvalidSpec
from debate_core.host.settings import Settings, read_panel_file
from debate_core.seats.probe import probe as probe_line
from debate_core.seats.probe_advice import Probe
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import PanelFile, url_warning

GOOD, BAD = 0, 1
OLD = timedelta(days=180)
_YES = {True: "yes", False: "no", None: "not known"}


def probe(flags: Namespace, settings: Settings) -> int:
    """Probe the models; 0 if every one gave a valid turn, else 1."""
    if settings.offline:
        raise InvalidSpec("no model may be asked: SWARM_MOCK is set")
    lines = _find_lines(flags, settings)
    probes = asyncio.run(_probe_all(lines, settings))
    warnings = _warnings(flags, settings, lines)
    ok = all(result.answered for result in probes)
    results = [result.model_dump(mode="json") for result in probes]
    words = [sentence for result in probes for sentence in _format_probe(result)]
    words += [f"Warning: {warning}" for warning in warnings]
    answer(flags, {"ok": ok, "lines": results, "warnings": warnings}, "\n".join([*words, ""]))
    return GOOD if ok else BAD


def _warnings(flags: Namespace, settings: Settings, lines: Sequence[ModelLine]) -> list[str]:
    """Warnings about the panel, or about the one named model."""
    warnings = [warning for line in lines if (warning := url_warning(line))]
    is_one_model = flags.panel is None and len(lines) == 1
    if not is_one_model:
        file = read_panel_file(settings)
        # Vendors withdraw models within months.
        if file.as_of and datetime.now(UTC).date() - date.fromisoformat(file.as_of) > OLD:
            warnings.append(f"the panel file is as of {file.as_of}: check that its models are still offered")
        if len({line.family for line in lines}) == 1:
            family = f"one family ({lines[0].family})" if lines[0].family else "an unknown family"
            warnings.append(
                f"all of these models are of {family}: they may share errors, so their agreement is weak evidence"
            )
    return warnings


def _find_lines(flags: Namespace, settings: Settings) -> tuple[ModelLine, ...]:
    """The models of the flags; by default every named model in the panel file that has its key."""
    models = model_choice(flags, settings)
    if models is not None:
        return models.lines
    file = read_panel_file(settings)
    with_model = [line for line in file.lines if line.model]
    ready = tuple(line for line in with_model if not line.key_env or line.key_env in settings.keys)
    if not ready:
        raise _no_key_fault(file)
    return ready


def _no_key_fault(file: PanelFile) -> InvalidSpec:
    names = ", ".join(sorted({line.key_env for line in file.lines if line.key_env}))
    panels = ", ".join(panel.name for panel in file.panels)
    return InvalidSpec(
        f"no key of the panel file is set ({names or 'it names none'}): set one, or name what to probe by "
        f"--panel NAME ({panels or 'there is none'}) or --model NAME --base-url URL"
    )


async def _probe_all(lines: Sequence[ModelLine], settings: Settings) -> Sequence[Probe]:
    """Probe one by one: servers on one machine would slow each other down."""
    return [
        await probe_line(
            line,
            settings.keys.get(line.key_env),
            deadline_s=settings.turn_deadline_s,
            network=settings.network,
        )
        for line in lines
    ]


def _format_probe(p: Probe) -> Iterator[str]:
    turn = "a turn that counts" if p.answered else f"no turn: {p.message}"
    yield f"{p.line}: {p.model or 'no model'} ({p.dialect}, {p.base_url or 'its vendor'}): {turn}"
    if not p.reachable:
        return
    if p.n_models is not None:
        more = ", ..." if p.n_models > len(p.models) else ""
        yield f"  models offered: {p.n_models}: {', '.join(p.models)}{more}"
    if p.status is not None:
        yield from _format_replies(p)
    for sentence in p.advice:
        yield f"  Choose: {sentence}"
    for warning in p.warnings:
        yield f"  Warning: {warning}"


def _format_replies(p: Probe) -> Iterator[str]:
    yield f"  enforced schema: {_YES[p.schema_honoured]}; JSON asked for in words: {_YES[p.prompted_json]}"
    if p.two_step is not None:
        yield f"  asked for prose and then for the ballot alone, it gives a turn: {_YES[p.two_step]}"
    first = "none came" if p.first_token_s is None else f"{p.first_token_s:g} s"
    speed = "not known" if p.tokens_per_s is None else f"{p.tokens_per_s:g}"
    yield f"  first token: {first}; tokens per second: {speed}"
    if p.turn_s is not None:
        yield f"  about {p.turn_s} s for a first turn here; the deadline is {p.deadline_s:g} s"
    if p.context_tokens is not None:
        yield f"  its context: {p.context_tokens:,} tokens"
    price = "known" if p.price_known else "unknown"
    yield f"  usage told: {_YES[p.usage_reported]}; cached tokens told: {_YES[p.cached_reported]}; price: {price}"
