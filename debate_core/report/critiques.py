"""How hard critiques hit: by their own rating, and by what code can count in them, which is worth more.

A rating is easily flattered; answers to claims and new claims are not. Called by reports, flags.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.detect import Finding, Said, said
from debate_core.record.state import State
from debate_core.spec.values import in_words

ALERT_MEAN = Fraction(13, 2)
"""Critiques that rate themselves lower on average are weak (seed 004, R252: 6.5)."""
REVIEW_BELOW = 5
"""A single rating below this is a reason to review the critic's prompt (seed 004, R261)."""
QUALIFY_MEAN, QUALIFY_CASES = Fraction(7), 20
"""Critics are relied on once so many critiques have a higher mean than this (seed 004, R246)."""
FEW_ANSWERED = Fraction(1, 5)
"""Our own cut: a critique that answers a smaller share of the other side's claims answers few."""

_SOFT = re.compile(
    r"\b(?:while|although|though) (?:I|we) (?:acknowledge|appreciate|agree|accept|respect)\b"
    r"|\b(?:generally|broadly|overall|mostly|largely|otherwise) (?:reasonable|sound|good|solid|fine|convincing)\b"
    r"|\b(?:I|we) (?:mostly|largely|broadly|generally) agree\b"
    r"|\b(?:just|only) (?:a )?(?:minor|small|slight) (?:concerns?|points?|caveats?|issues?)\b"
    r"|\bthis is (?:a )?(?:good|great|strong|excellent) (?:point|proposal|idea)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class CritiqueRow:
    """One critique: its own rating, and what it does with the claims that stood before it."""

    turn_id: str
    round: int
    seat: str
    strength: int | None
    """1 to 10, None if the seat gave none."""
    attempts: int
    answered: int
    answerable: int
    """Claims of other seats that had been made before."""
    new_claims: int
    softened: tuple[str, ...]
    """Phrases that soften it, as written (R239)."""

    @property
    def lazy(self) -> bool:
        """True if it answers few of the claims it could answer, and makes none of its own."""
        few = self.answerable > 0 and Fraction(self.answered, self.answerable) < FEW_ANSWERED
        return few and self.new_claims == 0


def critique_rows(state: State) -> tuple[CritiqueRow, ...]:
    """One row per critique of a phase that is over."""
    return tuple(_row(s) for s in said(state) if state.phase(s.turn.phase).gives == "critique")


def _row(one: Said) -> CritiqueRow:
    content, turn = one.content, one.turn
    targets = {c.id for s in one.others for c in s.content.claims}
    named = {*content.answers, *(i for c in content.claims for i in c.answers)}
    return CritiqueRow(
        turn_id=turn.request,
        round=turn.round,
        seat=turn.seat,
        strength=content.strength,
        attempts=turn.attempts,
        answered=len(targets & named),
        answerable=len(targets),
        new_claims=len(content.claims),
        softened=tuple(m.group() for m in _SOFT.finditer(content.rationale)),
    )


def mean_strength(rows: Sequence[CritiqueRow]) -> Fraction | None:
    """The mean of the ratings that were given; None if there are none."""
    given = [r.strength for r in rows if r.strength is not None]
    return Fraction(sum(given), len(given)) if given else None


def is_weak(rows: Sequence[CritiqueRow]) -> bool:
    """True if the ratings are low on average, or one of them is very low (R252, R261)."""
    mean = mean_strength(rows)
    return mean is not None and (mean < ALERT_MEAN or any((r.strength or 10) < REVIEW_BELOW for r in rows))


def strength_sentence(state: State) -> str:
    """Mean rating, and how many critiques were asked again; empty if no critique rated itself."""
    rows = critique_rows(state)
    mean = mean_strength(rows)
    if mean is None:
        return ""
    rated = sum(r.strength is not None for r in rows)
    weak = [t for t in state.failed_attempts if t.status == "weak"]
    again = f"; {len(weak)} asked again for rating itself too low" if weak else ""
    return f"Critiques rate themselves {float(mean):.1f} of 10 on average ({rated} rated){again}."


def lazy_critic(state: State) -> Finding | None:
    """Critiques that answer few claims and make none."""
    lazy = [r for r in critique_rows(state) if r.lazy]
    if not lazy:
        return None
    answered, answerable = sum(r.answered for r in lazy), sum(r.answerable for r in lazy)
    return Finding(
        "lazy_critic",
        f"Critiques ({_seats(lazy)}) answer {answered} of {answerable} claims they could answer and make none.",
        tuple(r.turn_id for r in lazy),
    )


def softening(state: State) -> Finding | None:
    """Critiques that soften what they say: a matter of style, no sign of a lazy critic (R239)."""
    soft = [r for r in critique_rows(state) if r.softened]
    if not soft:
        return None
    phrases = ", ".join(dict.fromkeys(f"“{p}”" for r in soft for p in r.softened))
    return Finding("softening", f"Critiques ({_seats(soft)}) soften: {phrases}.", tuple(r.turn_id for r in soft))


def _seats(rows: Sequence[CritiqueRow]) -> str:
    return ", ".join(dict.fromkeys(in_words(r.seat) for r in rows))
