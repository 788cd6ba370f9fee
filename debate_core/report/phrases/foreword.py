"""The first sentences of every report: the origin of the record, rehearsals, models, seats without a model."""

from collections.abc import Iterator

from debate_core.engine.stage import name_of
from debate_core.language import Words, _, _n, said, spoken_list
from debate_core.record.events import Predecessor
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.interventions import takers
from debate_core.report.phrases.rules import rotation_sentence
from debate_core.spec.panels import diversity
from debate_core.spec.protocol import Spec
from debate_core.spec.values import HeldElsewhere, Occupant, in_words
from debate_core.spec.warnings import missing_of_a_debate
from debate_core.text import line

FILLED_BY: Words[Occupant] = Words({"model": "a model", "offline": "code", "scripted": "a script", "human": "a person"})
"""Who or what gives the turns of a seat."""


def first_words(account: Account) -> tuple[str, ...]:
    """The warnings, and the occupants of the seats: facts that a reader needs first."""
    return (*warning_words(account), *voices_words(account.state))


def warning_words(account: Account) -> tuple[str, ...]:
    """An unknown origin, a rehearsal, or missing parts of a debate; () without any of them."""
    spec = account.state.spec
    rehearsal = _("Rehearsal: scripted seats spoke here. This was no real debate, and it decided nothing.")
    found = (rehearsal if spec.rehearsal else "", not_a_debate_words(spec))
    return (*origin_words(account), *filter(None, found))


def origin_words(account: Account) -> tuple[str, ...]:
    """The transcript of a record, warning of an unknown origin, and the predecessor; () without any of them."""
    transcript = held_elsewhere_words(account.state.spec.held_elsewhere)
    unknown = FLAGS["origin_unknown"] if account.origin_unknown else ""
    found = (f"{transcript}." if transcript else "", unknown, predecessor_sentence(account.state.predecessor))
    return tuple(filter(None, found))


def held_elsewhere_words(there: HeldElsewhere | None) -> str:
    """`Not held here: transcript of meeting.vtt`; empty for a debate that was held here."""
    return _("Not held here: transcript of {file}", file=line(there.file)) if there else ""


def predecessor_sentence(predecessor: Predecessor | None, *, by: str = "") -> str:
    """The origin of a record in which a name was replaced; empty for others. `by` replaces the id of the person."""
    if predecessor is None:
        return ""
    return _(
        "This record was made from the record with head {head}, with one name replaced, at the request of {by}: "
        "{reason}",
        head=predecessor.head,
        by=by or predecessor.by,
        reason=predecessor.reason,
    )


def voices_words(state: State) -> Iterator[str]:
    """The seats without a model, those that people took over, the origin of the question, and the models."""
    spec = state.spec
    yield from _seats_without_model(spec)
    for seat, people in takers(state).items():
        names = spoken_list([name_of(state, person) for person in people])
        yield _("{people} took over the seat {seat}.", people=names, seat=in_words(seat))
    if spec.parent:
        yield _("Set up as a copy of the debate {parent}, which is unchanged.", parent=spec.parent)
    if spec.match_of:
        yield _("This short debate is one comparison of the tournament {debate}.", debate=spec.match_of.debate)
    if asked := spec.asked:
        yield _(
            "This debate answers a question of the program {program}, asked at {at}.", program=asked.by, at=asked.at
        )
        if asked.question != spec.question:
            yield _("The program asked in other words: {question}", question=asked.question)
    yield from _model_words(spec)


def _model_words(spec: Spec) -> Iterator[str]:
    named = _models_with_seats(spec)
    if not named:
        return
    yield _("Models speak here. {named}.", named="; ".join(named))
    if rotation := rotation_sentence(spec.protocol):
        yield rotation
    models = diversity(spec)
    if models.single_family:
        shared = _("one family ({families})", families=", ".join(models.families))
        if models.same_model:
            shared = _("one model ({models})", models=models.models[0])
        yield _("All models that debate here are of {shared}: they may share their errors.", shared=shared)


def _models_with_seats(spec: Spec) -> list[str]:
    """`risk and cost: gpt-5 (openai)`, for each model in the order of the seats."""
    lines = {model.id: model for model in spec.models}
    seats: dict[str, list[str]] = {}
    for seat in spec.seats:
        if seat.is_model and seat.model in lines:
            seats.setdefault(seat.model, []).append(in_words(seat.id))
    return [f"{spoken_list(ids)}: {lines[i].model or i} ({lines[i].provider})" for i, ids in seats.items()]


def _seats_without_model(spec: Spec) -> Iterator[str]:
    panel = [in_words(seat.id) for seat in spec.evidence_panel()]
    if panel:
        yield _n(
            len(panel),
            "Evidence panel (no model): {panel} only quotes the sources and links claims.",
            "Evidence panel (no model): {panel} only quote the sources and link claims.",
            panel=", ".join(panel),
        )
    offline = [in_words(seat.id) for seat in spec.seats if seat.occupant == "offline"]
    by_code = [name for name in offline if name not in panel]
    if by_code:
        yield _n(
            len(by_code),
            "By code (no model): {by_code} only links claims, or skips its turn.",
            "By code (no model): {by_code} only link claims, or skip their turn.",
            by_code=", ".join(by_code),
        )


def not_a_debate_words(spec: Spec) -> str:
    """`Not a debate: it lacks reading one another.`; empty if it is one."""
    lacks = [said(what) for what in missing_of_a_debate(spec)]
    return _("Not a debate: it lacks {lacks}.", lacks=spoken_list(lacks)) if lacks else ""
