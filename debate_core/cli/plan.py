"""Builds the debate that the flags of `run` describe, and checks it before anything is written.

Knows protocols, scripts and seats; holds no debate.
"""

from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from debate_core.cli.files import read_record, read_text
from debate_core.cli.models import (
    ModelChoice,
    choice_of_script,
    is_offline,
    seats_with_lines,
    templates,
    with_ceiling,
)
from debate_core.cli.terminal import say
from debate_core.errors import InvalidSpec
from debate_core.host.imports.folder import sources_of_folder
from debate_core.host.settings import Settings
from debate_core.host.uploads import source_from_file
from debate_core.record.page import is_record_file
from debate_core.seats.economy import usual_protocol, with_usual_limit
from debate_core.seats.scripted import Script, read_script, script_from_record, spec_of
from debate_core.spec import presets
from debate_core.spec.candidates import read_candidates
from debate_core.spec.models import ModelLine
from debate_core.spec.protocol import Protocol, Spec, read
from debate_core.spec.protocol_changes import (
    asks_crux,
    has_premortem,
    with_crux,
    with_escalation,
    with_premortem,
    with_synthesis_each_round,
)
from debate_core.spec.protocol_files import protocol_from_toml
from debate_core.spec.rules import Tournament
from debate_core.spec.tools import moderator_search, with_moderator_search
from debate_core.spec.values import Commitment, Occupant, Seat, Source, free_source_id

OPTIONS = ("adopt", "defer", "reject")


@dataclass(frozen=True, slots=True)
class Plan:
    """A debate to hold, and the script of its scripted seats, with its text as read."""

    spec: Spec
    script: Script | None = None
    script_text: str | None = None


def plan_of(
    flags: Namespace,
    settings: Settings,
    models: ModelChoice | None,
    options: Sequence[str] | None = None,
    sources: Sequence[Source] = (),
) -> Plan:
    """The debate of `run`; `models` sit in its seats unless models are disabled. InvalidSpec in one sentence.

    Options and sources from elsewhere come before those of the flags.
    """
    offline = is_offline(flags, settings)
    if offline:
        models = None
    has_speaker = offline or models or flags.script is not None or flags.human
    if not has_speaker:
        raise InvalidSpec(
            "no seat has an occupant: add --panel NAME or --model NAME (models), --offline (an evidence panel), "
            "--script FILE.json, or --human SEAT"
        )
    protocol = None if flags.protocol is None else read_protocol(flags.protocol)
    listed, documents = _read_options(flags)
    options = listed if options is None else options
    sources = (*sources, *_read_sources(flags), *documents)
    if flags.script is not None:
        return _build_from_script(flags, settings, models, protocol, options, sources)
    return _build_from_flags(flags, models, protocol or _default_protocol(flags, models), options, sources)


def _default_protocol(flags: Namespace, models: ModelChoice | None) -> Protocol:
    if models is None or not models.by_key:
        return presets.EXPERT_PANEL
    # Flags that only a debate has ask for one.
    for_debates = (flags.rounds, flags.threshold, flags.output_schema)
    asks_for_debate = flags.seat or flags.commitment or any(flag is not None for flag in for_debates)
    return presets.EXPERT_PANEL if asks_for_debate else usual_protocol(models.panel, models.file)


def _build_from_flags(
    flags: Namespace,
    models: ModelChoice | None,
    protocol: Protocol,
    options: Sequence[str] | None,
    sources: Sequence[Source],
) -> Plan:
    if flags.question is None:
        raise InvalidSpec('there is no question: write it in quotes, as in run "Should we ...?"')
    rules = with_escalation(_with_flags(protocol, flags), flags.escalate_to, flags.escalate_by)
    if models and models.by_key:
        rules = with_usual_limit(rules)
    if options is None:
        stances = presets.different_stances(text.partition("=")[2] for text in flags.seat)
        # A single stance leaves nothing to decide.
        options = () if rules.generates or len(stances) > 1 else OPTIONS
    seats = _seats(flags, rules, options, "model" if models else "offline")
    seats = with_commitments(with_people(seats, flags.human, rules), flags.commitment)
    seats, lines = seats_with_lines(with_instructions(seats, flags.instructions), models)
    spec = presets.compose(
        flags.question,
        options,
        rules,
        seats,
        sources=sources,
        max_rounds=flags.rounds,
        threshold=flags.threshold,
        seed=flags.seed or 0,
        max_wait_s=flags.max_wait_s,
        task=flags.task,
        yes_option=_yes_option(flags, options),
    )
    return Plan(_add_models(spec, lines, flags))


def _yes_option(flags: Namespace, options: Sequence[str]) -> str | None:
    """The yes option, "" for `none`, None if not given."""
    given: str | None = flags.yes_option
    return "" if given == "none" and "none" not in options else given


def _read_options(flags: Namespace) -> tuple[tuple[str, ...] | None, tuple[Source, ...]]:
    """The options of the flags, if any, and their documents."""
    if flags.options_file is not None and flags.options is not None:
        raise InvalidSpec("--options and --options-file both name the options: give only one of them")
    if flags.options_file is not None:
        return read_candidates(read_text(flags.options_file, "options"), where=flags.options_file)
    if flags.options is None:
        return None, ()
    return tuple(part.strip() for part in flags.options.split(",")), ()


def _with_flags(protocol: Protocol, flags: Namespace, rounds: int | None = None) -> Protocol:
    """The protocol with the changes that flags make. `rounds`: those of a script, unless flags say otherwise."""
    rules = _with_tournament(with_ceiling(protocol, flags), top=flags.top, matches=flags.matches)
    rules = _with_early_end(rules, flags.synthesiser_may_end)
    rules = _with_questions(_with_search(rules, flags), flags, rounds)
    if flags.rotate_models:
        rules = rules.model_copy(update={"rotate_models": True})
    if flags.output_schema is None:
        return rules
    return rules.model_copy(update={"output_schema": read_text(flags.output_schema, "output schema").strip()})


def _with_tournament(rules: Protocol, **given: int | str | None) -> Protocol:
    """The protocol with these fields of its tournament; None = not given."""
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        return rules
    if not isinstance(rules.decide, Tournament):
        raise InvalidSpec(f"--{next(iter(fields))} belongs to a tournament, not to {rules.name}")
    return rules.model_copy(update={"decide": read(Tournament, {**rules.decide.model_dump(), **fields})})


def _with_early_end(rules: Protocol, min_rounds: int | None) -> Protocol:
    if min_rounds is None:
        return rules
    if not 1 <= min_rounds <= rules.rounds.hard_max:
        raise InvalidSpec(f"--synthesiser-may-end must be 1 to {rules.rounds.hard_max}, not {min_rounds}")
    changed = with_synthesis_each_round(rules, min_rounds)
    if changed == rules:
        raise InvalidSpec(
            f"--synthesiser-may-end needs several rounds and then a synthesis by the synthesiser, and {rules.name} "
            "has none, or has one in every round already"
        )
    return changed


def _with_search(rules: Protocol, flags: Namespace) -> Protocol:
    """Let the moderator search the sources, if the flags ask for it."""
    if not flags.moderator_search:
        return rules
    if moderator_search(rules) is None:
        raise InvalidSpec(f"--moderator-search needs a protocol with a moderator or a framer, not {rules.name}")
    return with_moderator_search(rules, "allowed")


def _with_questions(rules: Protocol, flags: Namespace, rounds: int | None) -> Protocol:
    """Add the questions beside the vote that the flags ask for."""
    changed = rules
    if flags.crux:
        changed = with_crux(changed)
        if not asks_crux(changed):
            raise InvalidSpec(f"--crux needs a protocol that counts ballots, not {rules.name}")
    if flags.premortem:
        changed = with_premortem(changed, flags.rounds or rounds or rules.rounds.default)
        if not has_premortem(changed):
            raise InvalidSpec(f"--premortem needs a protocol with a vote or a verdict at the end, not {rules.name}")
    return changed


def _read_sources(flags: Namespace) -> tuple[Source, ...]:
    """The documents available from the start, then later ones, then those of some seats."""
    files: list[tuple[str, dict[str, object]]] = [(path, {}) for path in flags.source]
    files += map(_later_source, flags.later_source)
    files += map(_source_for, flags.source_for)
    sources: list[Source] = []
    for path, fields in files:
        for source in _sources_at(path, sources):
            sources.append(source.model_copy(update=fields))
    return tuple(sources)


def _sources_at(path: str, before: Sequence[Source]) -> Sequence[Source]:
    """The document at a path, or every document of a folder, named by its path there."""
    # An empty path is no folder, although Python takes it for the present one.
    if not path or not Path(path).is_dir():
        return [source_from_file(Path(path), source_id=free_source_id(before))]
    found = sources_of_folder(Path(path), before)
    for left_out in found.left_out:
        say(f"{path}: {left_out.name} is left out: {left_out.reason}")
    return found.sources


def _source_for(text: str) -> tuple[str, dict[str, object]]:
    """The path of SEATS=FILE and its readers."""
    seats, _equals, path = text.partition("=")
    if not path or not seats.strip():
        raise InvalidSpec(f"--source-for {text[:80]!r} is not SEATS=FILE, as in --source-for ann,ben=costs.md")
    return path, {"only_for": tuple(seat.strip() for seat in seats.split(","))}


def _later_source(text: str) -> tuple[str, dict[str, object]]:
    """The path of ROUND=FILE and its round."""
    number, _equals, path = text.partition("=")
    is_number = number.isascii() and number.isdigit() and len(number) <= 2
    is_a_round = is_number and 1 <= int(number) <= 50
    if not path or not is_a_round:
        raise InvalidSpec(f"--later-source {text[:80]!r} is not ROUND=FILE, as in --later-source 2=prices.md")
    return path, {"from_round": int(number)}


def _add_models(spec: Spec, lines: Sequence[ModelLine], flags: Namespace) -> Spec:
    prompts = templates(flags.prompt, spec.protocol)
    if not lines:
        return spec
    return spec.model_copy(update={"models": tuple(lines), "templates": prompts})


def _build_from_script(
    flags: Namespace,
    settings: Settings,
    models: ModelChoice | None,
    protocol: Protocol | None,
    options: Sequence[str] | None,
    sources: Sequence[Source],
) -> Plan:
    script, text = _read_script(flags.script)
    if flags.panel_size is not None:
        raise InvalidSpec("--panel-size has no meaning with --script: its seats are in the file, or given by --seat")
    rules = _with_flags(protocol or script.rules(), flags, script.settings.rounds)
    seats = _seats_of_script(script, rules, flags)
    if is_offline(flags, settings):
        seats_of_models = [seat.id for seat in seats if seat.is_model]
        seats = _with_occupant(seats, seats_of_models, "offline")
    chosen, models = choice_of_script(with_instructions(seats, flags.instructions), models, settings)
    seats, lines = seats_with_lines(chosen, models)
    spec = spec_of(
        script,
        question=flags.question,
        options=options,
        protocol=rules,
        rounds=flags.rounds,
        threshold=flags.threshold,
        seed=flags.seed,
        max_wait_s=flags.max_wait_s,
        escalate_to=flags.escalate_to,
        escalate_by=flags.escalate_by,
        sources=sources or None,
        seats=seats,
        task=flags.task,
        yes_option=_yes_option(flags, options or script.options),
    )
    return Plan(_add_models(spec, lines, flags), script, text)


def _seats_of_script(script: Script, rules: Protocol, flags: Namespace) -> tuple[Seat, ...]:
    """The seats of the script, with the debaters, people and commitments of the flags."""
    seats = script.seats
    if flags.seat:
        others = [seat for seat in seats if seat.role != "debater"]
        seats = (*by_hand(flags.seat, "scripted", rules), *others)
    return with_commitments(with_people(seats, flags.human, rules), flags.commitment)


def _read_script(path: str) -> tuple[Script, str]:
    """Read a script from its file, or make one from a record, for a rehearsal."""
    if is_record_file(path):
        script = script_from_record(read_record(path))
        return script, script.model_dump_json()
    text = read_text(path, "script")
    return read_script(text), text


def read_protocol(name: str) -> Protocol:
    """A preset by name, or a protocol from a TOML file."""
    if not name.endswith(".toml"):
        return presets.protocol(name)
    return protocol_from_toml(read_text(name, "protocol"), where=name)


def _seats(flags: Namespace, rules: Protocol, options: Sequence[str], occupant: Occupant) -> tuple[Seat, ...]:
    """Debaters of --seat or of the persona selector, and a seat for every other role in the protocol."""
    if flags.seat and flags.panel_size is not None:
        raise InvalidSpec("--seat and --panel-size both choose the debaters: give only one of them")
    if flags.seat:
        return (*by_hand(flags.seat, occupant, rules), *presets.other_seats(rules, occupant))
    return presets.default_seats(rules, flags.question, options, occupant, flags.panel_size)


def by_hand(texts: Sequence[str], occupant: Occupant, rules: Protocol) -> tuple[Seat, ...]:
    """Debaters from ID=STANCE, committed to their stances as the protocol's defaults are."""
    seats = []
    for place, text in enumerate(texts, start=1):
        seat_id, equals, stance = text.partition("=")
        if not equals or not seat_id.strip() or not stance.strip():
            raise InvalidSpec(f"--seat {text[:80]!r} is not ID=STANCE, as in --seat planner='release now'")
        fields = {
            "id": seat_id.strip(),
            "stance": stance.strip(),
            "occupant": occupant,
            "commitment": presets.commitment_at(rules, place, stance.strip()),
        }
        seats.append(read(Seat, fields))
    return tuple(seats)


def with_commitments(seats: Sequence[Seat], texts: Sequence[str]) -> tuple[Seat, ...]:
    """Set the commitments that SEAT=HOW gives to debaters. InvalidSpec in one sentence."""
    debaters = [seat.id for seat in seats if seat.role == "debater"]
    commitments: dict[str, str] = {}
    for text in texts:
        seat_id, equals, how = text.partition("=")
        if not equals or how not in get_args(Commitment):
            ways = ", ".join(get_args(Commitment))
            raise InvalidSpec(f"--commitment {text[:80]!r} is not SEAT=HOW, where HOW is one of {ways}")
        if seat_id not in debaters:
            raise InvalidSpec(f"--commitment {seat_id[:40]}: there is no such debater, only {', '.join(debaters)}")
        commitments[seat_id] = how
    bound = []
    for seat in seats:
        commitment = commitments.get(seat.id, seat.commitment)
        bound.append(seat.model_copy(update={"commitment": commitment}))
    return tuple(bound)


def with_instructions(seats: Sequence[Seat], texts: Sequence[str]) -> tuple[Seat, ...]:
    """Add the instructions that SEAT=FILE gives to models. InvalidSpec in one sentence."""
    of_models = [seat.id for seat in seats if seat.is_model]
    instructions: dict[str, str] = {}
    for text in texts:
        seat_id, equals, path = text.partition("=")
        if not equals or not path:
            raise InvalidSpec(f"--instructions {text[:80]!r} is not SEAT=FILE")
        if seat_id not in of_models:
            known = ", ".join(of_models) or "none"
            raise InvalidSpec(f"--instructions {seat_id[:40]}: no model holds this seat; models hold: {known}")
        instructions[seat_id] = read_text(path, "instructions").strip()
    return tuple(
        read(Seat, {**seat.model_dump(), "instructions": instructions.get(seat.id, seat.instructions)})
        for seat in seats
    )


def with_people(seats: Sequence[Seat], people: Sequence[str], rules: Protocol) -> tuple[Seat, ...]:
    """Put people into the named seats; adds `chair` if the protocol has work for one."""
    known = [seat.id for seat in seats]
    has_work_for_a_chair = any(phase.role == "chair" for phase in rules.phases())
    can_be_added = ["chair"] if has_work_for_a_chair else []
    for name in people:
        if name not in (*known, *can_be_added):
            raise InvalidSpec(f"--human {name}: there is no such seat, only {', '.join(known)}")
    with_humans = _with_occupant(seats, people, "human")
    if "chair" in known or "chair" not in people:
        return with_humans
    return (*with_humans, Seat(id="chair", role="chair", occupant="human"))


def _with_occupant(seats: Sequence[Seat], ids: Collection[str], occupant: Occupant) -> tuple[Seat, ...]:
    changed = {seat.id: seat.model_copy(update={"occupant": occupant}) for seat in seats if seat.id in ids}
    return tuple(changed.get(seat.id, seat) for seat in seats)
