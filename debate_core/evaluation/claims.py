"""Detectors that read one claim or sentence, or two beside each other."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from debate_core.engine.engine import advance, open_debate, requests
from debate_core.engine.markers import has_marker
from debate_core.engine.similarity import dice, restates
from debate_core.evaluation.figures import NOTHING, DetectorFigure, Sample, auc, share
from debate_core.evaluation.labelled import LabelledRow, rows
from debate_core.record.commands import TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec
from debate_core.spec.rules import MaxRounds, NoProgress, Plurality
from debate_core.spec.values import Seat

DEBATES = 150
"""How many short debates are played for each figure that takes whole ones."""
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
RESTATED, KEY_POINTS = "text/restate*.jsonl", "text/keypoint*.jsonl"
EVIDENCE, REVIEWS = "evidence/*.csv", "text/evidence*.jsonl"


def restatement(folder: Path) -> Sample:
    """Pairs of claims that people called the same, or not: their likeness, what is found, and what ends a debate."""
    same, other = _by_label(rows(folder, RESTATED, ("a", "b", "label", "claim_id")))
    if not same or not other:
        return NOTHING
    hits, alarms = (sum(restates(r["b"], r["a"]) for r in part) for part in (same, other))
    paraphrased = [[[r["a"]], [r["b"]]] for r in same[:DEBATES]]
    genuine = _two_subjects(other)
    figures = (
        _likeness([(r["a"], r["b"]) for r in same], [(r["a"], r["b"]) for r in other], 0.877),
        *share("precision", hits, hits + alarms, 0.90),
        *share("recall", hits, len(same), 0.63),
        *share("ended_by_paraphrase", sum(map(_ends, paraphrased)), len(paraphrased), 0.63),
        *share("ended_by_new_claims", sum(map(_ends, genuine)), len(genuine), 0.05, most=True),
    )
    return Sample(len(same) + len(other), figures)


def duplicates(folder: Path) -> Sample:
    """Arguments beside the key points of their topic, theirs and others: what would be taken for one and the same."""
    same, other = _by_label(rows(folder, KEY_POINTS, ("argument", "key_point", "label")))
    if not same or not other:
        return NOTHING
    own, others = ([(str(r["argument"]), str(r["key_point"])) for r in part] for part in (same, other))
    hits, alarms = (sum(restates(argument, point) for argument, point in part) for part in (own, others))
    figures = (
        _likeness(own, others),
        *share("precision", hits, hits + alarms),
        *share("recall", hits, len(own)),
        *share("false_alarm", alarms, len(others), 0.05, most=True),
    )
    return Sample(len(own) + len(others), figures)


def evidence_marker(folder: Path) -> Sample:
    """Sentences that people called evidence and others of the same articles; and those of reviews."""
    sentences = rows(folder, EVIDENCE, ("label", "sentence"))
    marked = [(r["label"] == "evidence", has_marker(r["sentence"])) for r in sentences]
    reviews = [(bool(r["evidence"]), has_marker(r["text"])) for r in rows(folder, REVIEWS, ("text", "evidence"))]
    hits, review_hits = (sum(is_one and found for is_one, found in part) for part in (marked, reviews))
    figures = (
        *share("precision", hits, sum(found for _, found in marked), 0.70),
        *share("recall", hits, sum(is_one for is_one, _ in marked), 0.11),
        *share("precision_in_reviews", review_hits, sum(found for _, found in reviews)),
        *share("recall_in_reviews", review_hits, sum(is_one for is_one, _ in reviews)),
    )
    return Sample(len(marked) + len(reviews), figures)


def talked(rounds: Sequence[Sequence[str]]) -> State:
    """A debate in which each seat gave these texts, a list of them a round."""
    seats = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(len(rounds[0])))
    state = _opened(seats, len(rounds), stops=False)
    for said in rounds:
        for seat, text in zip(seats, said, strict=True):
            state = _say(state, seat, Argument(rationale=text, vote="yes"))
    return state


def _by_label(labelled: Sequence[LabelledRow]) -> tuple[list[LabelledRow], list[LabelledRow]]:
    return [r for r in labelled if bool(r["label"])], [r for r in labelled if not r["label"]]


def _likeness(
    same: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]], bar: float | None = None
) -> DetectorFigure:
    return auc([dice(*pair) for pair in same], [dice(*pair) for pair in other], bar)


def _two_subjects(other: Sequence[LabelledRow]) -> list[list[list[str]]]:
    """Rounds of two claims about one question, none of them called the same."""
    by_question: dict[str, list[LabelledRow]] = {}
    for row in other:
        by_question.setdefault(str(row["claim_id"]), []).append(row)
    pairs = (pair for found in by_question.values() for pair in pairwise(found))
    return [[[a["a"], b["a"]], [a["b"], b["b"]]] for a, b in pairs][:DEBATES]


def _ends(rounds: Sequence[Sequence[str]]) -> bool:
    """True if a debate ends after these rounds of claims, a seat each, for want of a new one."""
    seats = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(max(map(len, rounds)) + 1))
    state = _opened(seats, len(rounds) + 1, stops=True)
    for said in rounds:
        for number, seat in enumerate(seats):
            claims = (Claim(text=said[number]),) if number < len(said) else ()
            vote = ("yes", "no")[number % 2]
            state = _say(state, seat, Argument(rationale="As the claim says.", vote=vote, claims=claims))
    return state.outcome is not None


def _opened(seats: Sequence[Seat], rounds: int, *, stops: bool) -> State:
    protocol = Protocol(
        name="talk",
        each_round=(Phase(name="speech", order="at_once"),),
        stop=(NoProgress(), MaxRounds()) if stops else (MaxRounds(),),
        decide=Plurality(),
        rounds=Rounds(default=min(rounds, 4), hard_max=50),
    )
    spec = Spec(question="?", options=("yes", "no"), seats=tuple(seats), protocol=protocol, max_rounds=rounds)
    return replay(open_debate(spec, debate_id="talk", at=BEGAN))


def _say(state: State, seat: Seat, said: Argument) -> State:
    _, after = advance(state, TakeTurn(by=seat.id, request=requests(state)[0].id, content=said), at=BEGAN)
    return after
