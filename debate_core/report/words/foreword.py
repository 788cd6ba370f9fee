"""What has to be said of a debate before anything else: where it is from, that nobody held it, which models speak."""

from collections.abc import Iterator, Mapping

from debate_core.language import _, _n, said, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.health import FLAGS
from debate_core.report.words.predecessor import predecessor_sentence
from debate_core.spec.doubts import missing_of_a_debate
from debate_core.spec.panels import diversity
from debate_core.spec.protocol import Spec
from debate_core.spec.values import in_words


def first_words(account: Account) -> tuple[str, ...]:
    """An unknown origin, a rehearsal, an evidence panel, which models speak: what a reader has to know first."""
    return (*origin_words(account), *_first_words(account.state.spec))


def origin_words(account: Account) -> tuple[str, ...]:
    """That nobody knows where the record is from, and from which one it was made; () where neither is to be said."""
    words = list[str]()
    if account.origin_unknown:
        words.append(FLAGS["origin_unknown"])
    if account.state.predecessor is not None:
        words.append(predecessor_sentence(account.state.predecessor))
    return tuple(words)


def _first_words(spec: Spec) -> Iterator[str]:
    if spec.rehearsal:
        yield _("Rehearsal: scripted seats speak here; nobody held this debate.")
    if label := not_a_debate_words(spec):
        yield label
    yield from _without_models(spec)
    if spec.parent:
        yield _("Set up anew from the debate {parent}, which stays as it is.", parent=spec.parent)
    seats = _seats_by_line(spec)
    if seats:
        yield _models(spec, seats)
    if seats and diversity(spec).single_family:
        yield _alike(spec)


def _without_models(spec: Spec) -> Iterator[str]:
    """Which seats are an evidence panel, and which ones code fills otherwise."""
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
            "By code (no model): {by_code} only links claims, or passes over its turn.",
            "By code (no model): {by_code} only link claims, or pass over their turn.",
            by_code=", ".join(by_code),
        )


def _seats_by_line(spec: Spec) -> Mapping[str, list[str]]:
    """Line of a model -> the seats that it fills, in words."""
    lines = {model.id for model in spec.models}
    seats: dict[str, list[str]] = {}
    for seat in spec.seats:
        if seat.is_model and seat.model in lines:
            seats.setdefault(seat.model, []).append(in_words(seat.id))
    return seats


def _models(spec: Spec, seats: Mapping[str, list[str]]) -> str:
    lines = {model.id: model for model in spec.models}
    named = [f"{spoken_list(ids)}: {lines[i].model or i} ({lines[i].provider})" for i, ids in seats.items()]
    return _("Models speak here. {named}.", named="; ".join(named))


def _alike(spec: Spec) -> str:
    models = diversity(spec)
    one = _("one family ({families})", families=", ".join(models.families))
    if models.same_model:
        one = _("one model ({models})", models=models.models[0])
    return _("All models that debate here are of {shared}: they may share their errors.", shared=one)


def not_a_debate_words(spec: Spec) -> str:
    """`Not a debate: it lacks reading one another.`; empty if it is one."""
    lacks = [said(what) for what in missing_of_a_debate(spec)]
    return _("Not a debate: it lacks {lacks}.", lacks=spoken_list(lacks)) if lacks else ""
