"""How different the models of a debate are: models of one family may share their errors.

It knows seats and lines, no server. Called before a debate is opened, and by reports of one that was held.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from debate_core.sentence import Sentence
from debate_core.spec.presets import PERSONAS
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Role, Seat

JUDGING: tuple[Role, ...] = ("evaluator", "referee", "judge")


@dataclass(frozen=True, slots=True)
class Diversity:
    """How different the models of the debaters are. An unknown family is counted as unknown, never as another one."""

    families: tuple[str, ...]
    """Those that are known, sorted."""
    models: tuple[str, ...]
    """As their servers call them, sorted."""
    n_seats: int
    """Debaters' seats held by models."""
    n_unknown: int
    """Those of them whose family is not known."""
    single_family: bool
    same_model: bool
    same_text: bool
    """Two of them have the same stance and persona."""
    all_advocates: bool
    """Every debater's persona is one that argues for change."""
    synthesiser_shares: bool
    """The one who sums up is of a family that debates."""
    judging_shares: tuple[Role, ...] = ()
    """Offices that rate arguments or name a winner, and whose model is of a family that debates."""

    @property
    def n_models(self) -> int:
        """Different models."""
        return len(self.models)

    @property
    def warnings(self) -> tuple[Sentence, ...]:
        """One sentence each (R059, R163, R169, R201, R247). Equal texts are among the warnings of the protocol."""
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
    """What is known of the models that debate, and of the one that sums up."""
    debaters = [s for s in spec.debaters() if s.occupant == "model"]
    families = [_family(spec, s) for s in debaters]
    models = [_model(spec, s) for s in debaters]
    known, several = tuple(sorted(set(families) - {""})), len(debaters) >= 2
    same_model = several and len(set(models)) == 1 and models[0] != ""
    texts = Counter((s.stance.strip().casefold(), s.persona.strip().casefold()) for s in debaters)
    judging = [s for role in JUDGING for s in spec.seats_of(role) if s.occupant == "model"]
    closing = [_family(spec, s) for s in spec.seats_of("synthesiser") if s.occupant == "model"]
    return Diversity(
        families=known,
        models=tuple(sorted(set(models) - {""})),
        n_seats=len(debaters),
        n_unknown=families.count(""),
        single_family=same_model or (several and len(known) == 1 and "" not in families),
        same_model=same_model,
        same_text=any(n > 1 for n in texts.values()),
        all_advocates=all(s.id in PERSONAS and PERSONAS[s.id][0] == "advocate" for s in spec.debaters()),
        synthesiser_shares=any(f in known for f in closing),
        judging_shares=tuple(dict.fromkeys(s.role for s in judging if _family(spec, s) in known)),
    )


def _family(spec: Spec, seat: Seat) -> str:
    line = spec.line(seat)
    return seat.family or (line.family if line else "")


def _model(spec: Spec, seat: Seat) -> str:
    line = spec.line(seat)
    return (line.model if line else "") or seat.model or ""
