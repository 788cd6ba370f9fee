"""Detectors that read single claims or sentences, or pairs of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from debate_core.engine.checkable_claims import has_marker
from debate_core.engine.engine import advance, open_debate, requests
from debate_core.engine.similarity import likeness, restates
from debate_core.evaluation.figures import NOTHING, DetectorFigure, Sample, auc, share, share_of
from debate_core.evaluation.labelled import LabelledRow, rows
from debate_core.record.commands import TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec
from debate_core.spec.rules import MaxRounds, NoProgress, Plurality
from debate_core.spec.values import Seat

DEBATES = 150
"""Number of short debates that are played for each figure that needs whole debates."""
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
RESTATED, KEY_POINTS = "text/restate*.jsonl", "text/keypoint*.jsonl"
EVIDENCE, REVIEWS = "evidence/*.csv", "text/evidence*.jsonl"


def restatement(folder: Path) -> Sample:
    """Pairs of claims labelled as same or different: similarity, restatements found, debates ended."""
    same, other = _by_label(rows(folder, RESTATED, ("a", "b", "label", "claim_id")))
    if not same or not other:
        return NOTHING
    same_pairs = _pairs(same, "a", "b")
    other_pairs = _pairs(other, "a", "b")
    hits = sum(restates(b, a) for a, b in same_pairs)
    alarms = sum(restates(b, a) for a, b in other_pairs)
    paraphrased = [[[a], [b]] for a, b in same_pairs[:DEBATES]]
    figures = (
        _likeness(same_pairs, other_pairs, 0.877),
        *share("precision", hits, hits + alarms, 0.90),
        *share("recall", hits, len(same), 0.63),
        *share_of("ended_by_paraphrase", map(_ends, paraphrased), 0.63),
        *share_of("ended_by_new_claims", map(_ends, _two_subjects(other)), 0.05, most=True),
    )
    return Sample(len(same) + len(other), figures)


def duplicates(folder: Path) -> Sample:
    """Arguments and key points of their topic, labelled as matching or not: pairs taken for duplicates."""
    same, other = _by_label(rows(folder, KEY_POINTS, ("argument", "key_point", "label")))
    if not same or not other:
        return NOTHING
    own = _pairs(same, "argument", "key_point")
    others = _pairs(other, "argument", "key_point")
    hits = sum(restates(argument, point) for argument, point in own)
    alarms = sum(restates(argument, point) for argument, point in others)
    figures = (
        _likeness(own, others),
        *share("precision", hits, hits + alarms),
        *share("recall", hits, len(own)),
        *share("false_alarm", alarms, len(others), 0.05, most=True),
    )
    return Sample(len(own) + len(others), figures)


def evidence_marker(folder: Path) -> Sample:
    """Sentences of articles and of reviews, labelled as evidence or not: precision and recall of markers."""
    articles = [
        _LabelledSentence(row["label"] == "evidence", has_marker(row["sentence"]))
        for row in rows(folder, EVIDENCE, ("label", "sentence"))
    ]
    reviews = [
        _LabelledSentence(bool(row["evidence"]), has_marker(row["text"]))
        for row in rows(folder, REVIEWS, ("text", "evidence"))
    ]
    figures = (
        *share_of("precision", _precision(articles), 0.70),
        *share_of("recall", _recall(articles), 0.11),
        *share_of("precision_in_reviews", _precision(reviews)),
        *share_of("recall_in_reviews", _recall(reviews)),
    )
    return Sample(len(articles) + len(reviews), figures)


class _LabelledSentence(NamedTuple):
    """The label of a sentence, and whether it has a marker."""

    is_evidence: bool
    has_marker: bool


def _precision(sentences: Sequence[_LabelledSentence]) -> list[bool]:
    return [sentence.is_evidence for sentence in sentences if sentence.has_marker]


def _recall(sentences: Sequence[_LabelledSentence]) -> list[bool]:
    return [sentence.has_marker for sentence in sentences if sentence.is_evidence]


def talked(rounds: Sequence[Sequence[str]]) -> State:
    """A debate with these texts: a list for each round, with one text for each seat."""
    seats = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(len(rounds[0])))
    state = _opened(seats, len(rounds), stops=False)
    for said in rounds:
        for seat, text in zip(seats, said, strict=True):
            state = _say(state, seat, Argument(rationale=text, vote="yes"))
    return state


def _by_label(labelled: Sequence[LabelledRow]) -> tuple[list[LabelledRow], list[LabelledRow]]:
    same: list[LabelledRow] = []
    other: list[LabelledRow] = []
    for row in labelled:
        (same if row["label"] else other).append(row)
    return same, other


def _pairs(labelled: Sequence[LabelledRow], first: str, second: str) -> list[tuple[str, str]]:
    return [(str(row[first]), str(row[second])) for row in labelled]


def _likeness(
    same: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]], bar: float | None = None
) -> DetectorFigure:
    return auc([likeness(*pair) for pair in same], [likeness(*pair) for pair in other], bar)


def _two_subjects(other: Sequence[LabelledRow]) -> list[list[list[str]]]:
    """Rounds of two claims about one question, without pairs labelled as same."""
    by_question: dict[str, list[LabelledRow]] = {}
    for row in other:
        by_question.setdefault(str(row["claim_id"]), []).append(row)
    pairs = (pair for found in by_question.values() for pair in pairwise(found))
    return [[[a["a"], b["a"]], [a["b"], b["b"]]] for a, b in pairs][:DEBATES]


def _ends(rounds: Sequence[Sequence[str]]) -> bool:
    """True if a debate with these rounds of claims, one a seat, ends because there is no new claim."""
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
