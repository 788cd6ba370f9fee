"""Health of a debate, checked by code: signs of theatre, agreement that was not counted, one seat that fills the room.

Findings are hints with their reason and their turns; they change no count and decide nothing. Checks that need many
debates are not here. Called by reports, exports and screens.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from debate_core.detect import Finding, named_option, said, turn_findings
from debate_core.engine import voting
from debate_core.record.state import Counted, State, Turn
from debate_core.report.ballots import counts_heads, points_by_option
from debate_core.report.critiques import lazy_critic, softening
from debate_core.report.flags import FLAGS, flags
from debate_core.report.rows import told_turns
from debate_core.report.synthesis import synthesis_findings
from debate_core.spec.contents import Directive, Evaluation, Synthesis, Verdict
from debate_core.spec.panels import diversity
from debate_core.spec.rules import BySeat
from debate_core.spec.values import in_words

THEATRICAL_SIGNS = 3
"""Our own cut: seed 000 lists the signs of a theatrical debate (R023) and does not say how many make one."""
DOMINANCE_OVER_EVEN = Fraction(1, 10)
"""A seat dominates with a share of the words more than this above an even share (R056)."""
DOMINANCE_MIN_WORDS = 100
"""Our own cut: shares of fewer words say nothing."""
WILSON_Z = 1.96
"""For an interval of 95 %."""

_AGREED = re.compile(
    r"\b(?P<all>unanim\w+|(?:all|both|every|each)(?: (?:the|of|our))*(?: \w+){0,2}? "
    r"(?:agree|agrees|agreed|converged)|every(?:one|body) (?:agrees|agreed))\b"
    r"|\b(?P<most>consensus)\b",
    re.I,
)
_NOT = re.compile(
    r"\b(?:no|not|never|without|lacks?|lacking|fail\w*|if|unless|until|neither|nor|could)\b|n['’]t\b", re.I
)
_ON_A_POINT = re.compile(r"^\s*(?:that|on|about|with|regarding|which)\b", re.I)
_STOP = re.compile(r"(?<=[.!?;])\s+|\n+")


def findings(state: State) -> tuple[Finding, ...]:
    """Everything that code notices about this debate, in a fixed order; () if nothing."""
    whole = (theatrical(state), phantom_consensus(state), conformity(state), dominance(state))
    critics = (lazy_critic(state), softening(state))
    return (*filter(None, whole), *turn_findings(state), *filter(None, critics), *synthesis_findings(state))


def theatrical(state: State) -> Finding | None:
    """Several of seed 000's signs of a debate that is only played (R023)."""
    signs = tuple(_signs(state))
    if len(signs) < THEATRICAL_SIGNS:
        return None
    return Finding("theatrical", f"{len(signs)} signs of a debate that is only played: {'; '.join(signs)}.")


def _signs(state: State) -> Iterator[str]:
    spec, rule = state.spec, state.spec.protocol.decide
    models = diversity(spec)
    if models.same_model:
        yield "one model debates in all seats"
    if models.same_text:
        yield "two seats have the same stance and persona"
    directed = (t for t in state.turns if isinstance(t.content, Directive))
    if any(spec.seat(t.seat).occupant == "model" and t.by == t.seat for t in directed):
        yield "a model chooses who speaks"
    if isinstance(rule, BySeat) and any(s.occupant == "model" for s in spec.seats_of(rule.role)):
        yield "no votes are counted, a model says what was agreed"
    first = state.counted[0] if state.counted else None
    if first and first.tally.eligible > 1 and voting.agreed_on(spec, first):
        yield "everybody agreed on the first ballot"
    if state.truncated is not None:
        yield "it went on until a limit ended it"


def phantom_consensus(state: State) -> Finding | None:
    """A synthesis, verdict or evaluation that tells of an agreement which the count does not have (R062)."""
    found: list[tuple[Turn, str]] = []
    for turn in told_turns(state):
        phrase = next((p for text in _narrative(turn) if (p := _claimed(state, text))), None)
        if phrase:
            found.append((turn, phrase))
    if not found:
        return None
    seats = ", ".join(dict.fromkeys(in_words(t.seat) for t, _ in found))
    count = "no votes are counted" if isinstance(state.spec.protocol.decide, BySeat) else _count_words(state)
    told = f"{seats} tells of agreement (“{found[0][1]}”), but {count}."
    return Finding("phantom_consensus", told, tuple(t.request for t, _ in found))


def _narrative(turn: Turn) -> tuple[str, ...]:
    match turn.content:
        case Synthesis(answer=text):
            return (text,)
        case Verdict(reasoning=reason, verdict=text):
            return reason, text
        case Evaluation(synthesis=text):
            return (text,)
        case _:
            return ()


def _claimed(state: State, text: str) -> str | None:
    """The words in which a text tells of an agreement that was not counted, if it does.

    Agreement on a point ("both agree that it is slow") is none on the decision, unless it names an option.
    """
    elected = len(voting.winners(state)) == 1 and not isinstance(state.spec.protocol.decide, BySeat)
    for sentence in _STOP.split(text):
        for match in _AGREED.finditer(sentence):
            holds = _unanimous(state) or (match["most"] is not None and elected)
            before, after = sentence[: match.start()], sentence[match.end() :]
            on_a_point = _ON_A_POINT.match(after) and named_option(after, state.spec.options) is None
            if not holds and not _NOT.search(before) and not on_a_point:
                return match.group()
    return None


def _unanimous(state: State) -> bool:
    return bool(state.counted) and voting.agreed_on(state.spec, state.counted[-1]) is not None


def _count_words(state: State) -> str:
    if not state.counted:
        return "no ballot was counted"
    points = points_by_option(state, state.counted[-1].ballots)
    votes = ", ".join(f"{option} {n}" for option, n in points.items()) or "no vote"
    of = f" of {state.counted[-1].tally.eligible}" if counts_heads(state) else ""
    return f"the count is {votes}{of}"


def dominance(state: State) -> Finding | None:
    """A debater with far more than an even share of the words (R056)."""
    words = {s.id: 0 for s in state.spec.debaters()}
    turns = said(state)
    for one in turns:
        words[one.turn.seat] += len(one.content.rationale.split())
    total, even = sum(words.values()), Fraction(1, len(words))
    if len(words) < 2 or total < DOMINANCE_MIN_WORDS:
        return None
    over = {seat: n for seat, n in words.items() if Fraction(n, total) > even + DOMINANCE_OVER_EVEN}
    if not over:
        return None
    told = ", ".join(f"{in_words(seat)} said {n / total:.0%}" for seat, n in over.items())
    ids = tuple(s.turn.request for s in turns if s.turn.seat in over)
    return Finding("dominance", f"{told} of the words, where an even share is {float(even):.0%}.", ids)


@dataclass(frozen=True, slots=True)
class Conformity:
    """How many ballots cast against the standing majority moved into it on the next count."""

    flips: int
    against: int
    low: float
    high: float
    """Wilson interval of the share, 95 %."""
    chance: float
    """What voting at random would give."""
    turns: tuple[str, ...]


def conformed(state: State) -> Conformity:
    """Flips into the option that alone had the most votes, over the ballots that had been cast against it."""
    against, moved = 0, list[tuple[Counted, str]]()
    for before, after in zip(state.counted, state.counted[1:], strict=False):
        top = voting.most(before.tally)
        if len(top) != 1 or before.tally.votes(top[0]) < 2:
            continue
        for seat, ballot in before.ballots.items():
            now = after.ballots.get(seat)
            if ballot.choice not in (None, top[0]) and now is not None and now.choice is not None:
                against += 1
                moved += [(after, seat)] if now.choice == top[0] else []
    low, high = wilson(len(moved), against)
    places = {(c.round, c.phase, seat) for c, seat in moved}
    turns = tuple(t.request for t in state.turns if (t.round, t.phase, t.seat) in places)
    return Conformity(len(moved), against, low, high, 1 / len(state.spec.options), turns)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Interval of 95 % for a share (Wilson 1927); 0 to 1 if there is nothing to judge by."""
    if n == 0:
        return 0.0, 1.0
    p, z2 = hits / n, WILSON_Z**2
    middle, half = p + z2 / (2 * n), WILSON_Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def conformity(state: State) -> Finding | None:
    """Dissenters who joined the majority more often than chance would have them, by the whole interval."""
    seen = conformed(state)
    if seen.low <= seen.chance:
        return None
    told = (
        f"{seen.flips} of {seen.against} ballots against the majority moved into it "
        f"(95 % interval {seen.low:.0%} to {seen.high:.0%}, by chance {seen.chance:.0%}): "
        "agreement after talk is weak evidence."
    )
    return Finding("conformity", told, seen.turns)


@dataclass(frozen=True, slots=True)
class HealthRow:
    """A flag or a finding, as a row: all that code has to say about the health of a debate."""

    kind: str
    """`flag` or `finding`."""
    name: str
    sentence: str
    turns: tuple[str, ...]


def health_rows(state: State) -> tuple[HealthRow, ...]:
    """The flags, then the findings."""
    flagged = (HealthRow("flag", name, FLAGS[name], ()) for name in flags(state))
    found = (HealthRow("finding", f.name, f.sentence, f.turns) for f in findings(state))
    return (*flagged, *found)
