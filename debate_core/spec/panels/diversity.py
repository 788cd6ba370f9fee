"""Diversity of the models in a debate: models of one family may share errors.

Uses seats and lines only. Called before a debate is opened, and by reports on finished ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from debate_core.sentence import Sentence
from debate_core.spec.presets import PERSONAS
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Role, Seat
from debate_core.spec.warnings import has_twins

JUDGING: tuple[Role, ...] = ("evaluator", "referee", "judge")


@dataclass(frozen=True, slots=True)
class Diversity:
    """The diversity of the debaters' models. An unknown family counts as unknown, never as a different one."""

    families: tuple[str, ...]
    """Known families, sorted."""
    models: tuple[str, ...]
    """The servers' names of the models, sorted."""
    n_seats: int
    """Number of debaters' seats with models."""
    n_unknown: int
    """Number of these with an unknown family."""
    single_family: bool
    same_model: bool
    same_text: bool
    """Two of them have the same stance and persona."""
    all_advocates: bool
    """Every debater's persona argues for change."""
    synthesiser_shares: bool
    """The synthesiser's model is of a debating family."""
    judging_shares: tuple[Role, ...] = ()
    """Roles that rate arguments or name a winner with a model of a debating family."""

    @property
    def n_models(self) -> int:
        """Number of different models."""
        return len(self.models)

    @property
    def warnings(self) -> tuple[Sentence, ...]:
        """One sentence each. The protocol's own warnings cover identical stances and personas."""
        return (*self._warnings_of_debaters(), *self._warnings_of_offices())

    def _warnings_of_debaters(self) -> Iterator[Sentence]:
        if self.same_model:
            yield Sentence(
                "all {n_seats} debating models are the same one ({model}): they may share errors, so their agreement "
                "is weak evidence",
                n_seats=self.n_seats,
                model=self.models[0],
            )
        elif self.single_family:
            yield Sentence(
                "all {n_seats} debating models are of one family ({family}): they may share errors, so their "
                "agreement is weak evidence",
                n_seats=self.n_seats,
                family=self.families[0],
            )
        if self.n_unknown and self.n_seats >= 2:
            yield Sentence(
                "of {n_unknown} of {n_seats} debating models the family is not known: they may share errors, so "
                "their agreement is weak evidence",
                n_unknown=self.n_unknown,
                n_seats=self.n_seats,
            )
        if self.all_advocates:
            yield Sentence("every debater argues for change: seat a sceptic or a pragmatist")

    def _warnings_of_offices(self) -> Iterator[Sentence]:
        if self.synthesiser_shares:
            yield Sentence("the synthesiser is of a family that also debates: it may favour that side")
        for role in self.judging_shares:
            yield Sentence(
                "the {role} is of a family that also debates: it may favour its own side", role=Sentence(role)
            )


def diversity(spec: Spec) -> Diversity:
    """The diversity of the debaters' models and of the synthesiser's."""
    debaters = [seat for seat in spec.debaters() if seat.is_model]
    families = [_family(spec, seat) for seat in debaters]
    models = [_model(spec, seat) for seat in debaters]
    known_families = set(families) - {""}
    judging_shares = [role for role in JUDGING if known_families & _families_in(spec, role)]
    is_same_model = _are_all_one(models)
    return Diversity(
        families=tuple(sorted(known_families)),
        models=tuple(sorted(set(models) - {""})),
        n_seats=len(debaters),
        n_unknown=families.count(""),
        single_family=is_same_model or _are_all_one(families),
        same_model=is_same_model,
        same_text=has_twins(debaters),
        all_advocates=all(_argues_for_change(seat) for seat in spec.debaters()),
        synthesiser_shares=not known_families.isdisjoint(_families_in(spec, "synthesiser")),
        judging_shares=tuple(judging_shares),
    )


def _are_all_one(names: Sequence[str]) -> bool:
    """True if there are several names, all known and equal."""
    return len(names) >= 2 and names[0] != "" and len(set(names)) == 1


def _families_in(spec: Spec, role: Role) -> set[str]:
    return {_family(spec, seat) for seat in spec.seats_of(role) if seat.is_model}


def _argues_for_change(seat: Seat) -> bool:
    return seat.id in PERSONAS and PERSONAS[seat.id][0] == "advocate"


def _family(spec: Spec, seat: Seat) -> str:
    line = spec.line(seat)
    family_of_line = line.family if line else ""
    return seat.family or family_of_line


def _model(spec: Spec, seat: Seat) -> str:
    line = spec.line(seat)
    if line and line.model:
        return line.model
    return seat.model or ""
