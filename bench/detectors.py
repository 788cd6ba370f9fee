"""How well the detectors do, measured on public labelled texts: `python -m bench.detectors [--data FOLDER]`.

FOLDER holds `text/`, `evidence/`, `nyu/` and `adr/`; the texts are no part of this project. What is drawn by lot is
always the same. Each figure stands beside its bar and its interval of 95 %: it is met, or the bar lies within the
interval, or it is below. Exit 1 if one is below, 2 if there are no texts.
"""

import argparse
import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import comb, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench import detectors_quotes
from debate_core.engine.engine import requests
from debate_core.engine.markers import has_marker
from debate_core.engine.similarity import dice, restates, sentences
from debate_core.record.commands import TakeTurn
from debate_core.record.state import State
from debate_core.report.facts import named_entities
from debate_core.report.facts.agreement_told import agreements_told
from debate_core.report.facts.judge_statistics import agreement_by_chance, exact_interval
from debate_core.report.facts.judgements import BY_CHANCE
from debate_core.report.facts.repetition import echo, looks, stands_still
from debate_core.report.facts.synthesis_checks import (
    MIN_COVERAGE,
    CheckedLine,
    Ground,
    GroundPassage,
    check_line,
    covered,
)
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec
from debate_core.spec.rules import MaxRounds, NoProgress, Plurality
from debate_core.spec.values import Seat
from tests.agreement_sentences import AGREED, NOT_AGREED
from tests.playing import Played

TEXTS = Path(__file__).resolve().parents[2] / "shared" / "data"
DEBATES = 150
"""How many short debates are played for each figure that takes whole ones."""
PANELS = 400
_QUOTE_TAG = re.compile(r"</?quote>")


class DetectorFigure(NamedTuple):
    """One figure, its interval and its bar: the least that is good, or the most where `most` is true."""

    name: str
    measured: float
    low: float
    high: float
    bar: float
    most: bool = False

    @property
    def verdict(self) -> str:
        """`met`, `within the interval` or `BELOW`."""
        if self.measured <= self.bar if self.most else self.measured >= self.bar:
            return "met"
        within = self.low <= self.bar if self.most else self.high >= self.bar
        return "within the interval" if within else "BELOW"


def share(name: str, hits: int, n: int, bar: float, *, most: bool = False) -> DetectorFigure:
    """A share with its exact interval."""
    return DetectorFigure(f"{name} (n {n})", hits / n, *exact_interval(hits, n), bar, most)


def figures(folder: Path) -> Iterator[DetectorFigure]:
    """Every figure that these texts allow, less those of quotes."""
    yield from paraphrases(_lines(folder / "text" / "restate_perspectrum_train.jsonl"))
    debates = [d for d in _lines(folder / "nyu" / "sample_40.jsonl") if d["setting"]["isDebate"]]
    yield from repetitions([spoken for d in debates if d["setting"]["isHuman"] and len(spoken := _rounds(d)) > 1])
    yield from grounds(debates)
    with (folder / "evidence" / "ce_acl2014_evidence_dev.csv").open(encoding="utf-8", newline="") as file:
        yield from evidence(list(csv.DictReader(file)))
    yield from agreement()
    yield from chance()


def quotes(folder: Path) -> Iterator[DetectorFigure]:
    """Those of `bench.detectors_quotes`."""
    for row in detectors_quotes.rows(folder):
        # A bar on quotes is next to all of them, or next to none.
        most = row.bar < 0.5
        yield DetectorFigure(row.name, row.measured, row.measured, row.measured, row.bar, most)


def paraphrases(rows: Sequence[Mapping[str, Any]]) -> Iterator[DetectorFigure]:
    """Pairs of claims that people called the same, or not."""
    same, other = ([r for r in rows if bool(r["label"]) is label] for label in (True, False))
    yield _auc("likeness: AUC", [dice(r["a"], r["b"]) for r in same], [dice(r["a"], r["b"]) for r in other], 0.877)
    hits, alarms = (sum(restates(r["b"], r["a"]) for r in part) for part in (same, other))
    yield share("restated claims, finding and stop rule: precision", hits, hits + alarms, 0.90)
    yield share("restated claims, finding and stop rule: recall", hits, len(same), 0.63)
    ended = sum(_ends([[r["a"]], [r["b"]]]) for r in same[:DEBATES])
    yield share("stop rule: rounds of one paraphrase that end the debate", ended, min(DEBATES, len(same)), 0.63)
    genuine = _two_subjects(other)
    ended = sum(_ends(rounds) for rounds in genuine)
    yield share("stop rule: rounds of two new claims that end it", ended, len(genuine), 0.05, most=True)


def _two_subjects(rows: Sequence[Mapping[str, Any]]) -> list[list[list[str]]]:
    """Rounds of two claims about one question, none of them called the same."""
    by_question: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_question.setdefault(row["claim_id"], []).append(row)
    pairs = (pair for found in by_question.values() for pair in pairwise(found))
    return [[[a["a"], b["a"]], [a["b"], b["b"]]] for a, b in pairs][:DEBATES]


def _ends(rounds: Sequence[Sequence[str]]) -> bool:
    """True if a debate ends after these rounds of claims, a seat each, for want of a new one."""
    seats = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(max(map(len, rounds)) + 1))
    protocol = _protocol(len(rounds) + 1, stops=True)
    spec = Spec(question="?", options=("yes", "no"), seats=seats, protocol=protocol, max_rounds=len(rounds) + 1)
    played = Played(spec)
    for said in rounds:
        for number, seat in enumerate(seats):
            claims = (Claim(text=said[number]),) if number < len(said) else ()
            content = Argument(rationale="As the claim says.", vote=("yes", "no")[number % 2], claims=claims)
            played.do(TakeTurn(by=seat.id, request=requests(played.state)[0].id, content=content))
    return played.state.outcome is not None


def _protocol(rounds: int, *, stops: bool) -> Protocol:
    return Protocol(
        name="talk",
        each_round=(Phase(name="speech", order="at_once"),),
        stop=(NoProgress(), MaxRounds()) if stops else (MaxRounds(),),
        decide=Plurality(),
        rounds=Rounds(default=min(rounds, 4), hard_max=50),
    )


def repetitions(debates: Sequence[Sequence[Sequence[str]]]) -> Iterator[DetectorFigure]:
    """Real debates between people, and the same with every later turn half repeated."""
    states = [_talked(rounds) for rounds in debates]
    later = [(state, look) for state in states for look in looks(state) if look.said.own and look.new_share is not None]
    still = sum(stands_still(state, look) for state, look in later)
    yield share("no progress: turns of people that are flagged", still, len(later), 0.007, most=True)
    echoes = sum(len(found.turns) for state in states if (found := echo(looks(state))))
    yield share("echo: turns of people that are flagged", echoes, len(later), 0.05, most=True)
    halves = [_half_repeated(rounds) for rounds in debates]
    again = [(state, look) for state in map(_talked, halves) for look in looks(state) if look.said.own]
    judged = [(state, look) for state, look in again if look.new_share is not None]
    flagged = sum(stands_still(state, look) for state, look in judged)
    yield share("no progress: half-repeated turns that are flagged", flagged, len(judged), 0.99)


def _talked(rounds: Sequence[Sequence[str]]) -> State:
    seats = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(len(rounds[0])))
    protocol = _protocol(len(rounds), stops=False)
    played = Played(Spec(question="?", options=("yes", "no"), seats=seats, protocol=protocol, max_rounds=len(rounds)))
    for said in rounds:
        for seat, text in zip(seats, said, strict=True):
            content = Argument(rationale=text, vote="yes")
            played.do(TakeTurn(by=seat.id, request=requests(played.state)[0].id, content=content))
    return played.state


def _half_repeated(rounds: Sequence[Sequence[str]]) -> list[list[str]]:
    """Half of the sentences of every later turn are those with which its seat began."""
    first = [sentences(text) for text in rounds[0]]
    return [
        list(rounds[0]),
        *([_half(old, sentences(text)) for old, text in zip(first, turns, strict=True)] for turns in rounds[1:]),
    ]


def _half(old: Sequence[str], new: Sequence[str]) -> str:
    count = min(len(old), len(new))
    return "\n".join((*old[:count], *new[:count])) or "-"


def _rounds(debate: Mapping[str, Any]) -> list[list[str]]:
    """The rounds in which both sides spoke, with quotation marks around what they quoted."""
    said: dict[int, dict[str, str]] = {}
    for turn in debate["turns"]:
        if turn["kind"] == "speech" and turn["role"] in ("Debater A", "Debater B"):
            text = turn["text"].replace("<quote>", "“").replace("</quote>", "”")
            said.setdefault(turn["round"], {})[turn["role"]] = text[:20_000] or "-"
    return [[both["Debater A"], both["Debater B"]] for _, both in sorted(said.items()) if len(both) == 2]


def grounds(debates: Sequence[Mapping[str, Any]]) -> Iterator[DetectorFigure]:
    """What debaters said, said again beside a reference, with a planted fact, and of another debate."""
    rng = Random("grounds")
    honest, numbers, names, others = list[bool](), list[bool](), list[bool](), list[bool]()
    made = [_ground(debate) for debate in debates]
    for at, ground in enumerate(made):
        elsewhere = made[(at + 1) % len(made)]
        for passage in ground.passages.values():
            lines = [s for s in sentences(_QUOTE_TAG.sub("", passage.whole)) if 8 <= len(s.split()) <= 40]
            for sentence in rng.sample(lines, min(3, len(lines))):
                reworded = _shortened(sentence)
                honest.append(_is_red(ground, passage, _beside_reference(reworded, passage.id, rng)))
                numbers.append(_is_red(ground, passage, f"{reworded} It was {rng.randrange(1_000, 9_999)} ms."))
                names.append(_is_red(ground, passage, f"{reworded} As Quarzmann Brothers showed."))
                share_there = covered(sentence, [p.whole for p in elsewhere.passages.values()][:2])
                others += [] if share_there is None else [share_there >= MIN_COVERAGE]
    yield share("nobody said it: honest lines with a reference that are red", sum(honest), len(honest), 0.05, most=True)
    yield share("nobody said it: planted figures that are red", sum(numbers), len(numbers), 1.0)
    yield share("nobody said it: planted names that are red", sum(names), len(names), 0.98)
    yield share("coverage: lines of another debate that pass", sum(others), len(others), 0.40, most=True)


def _ground(debate: Mapping[str, Any]) -> Ground:
    speeches = [turn for turn in debate["turns"] if turn["kind"] == "speech"]
    seats = [turn["role"].rpartition(" ")[2].lower() for turn in speeches]
    ids = [f"{seat}.{turn['round']}.1" for seat, turn in zip(seats, speeches, strict=True)]
    passages = {
        id_: GroundPassage(id_, turn["text"], turn["text"], struck=False)
        for id_, turn in zip(ids, speeches, strict=True)
    }
    names = named_entities.vocabulary([debate["question"], *debate["answers"], "Debater A", "Debater B"])
    return Ground(passages, names, {id_: id_ for id_ in ids})


def _shortened(sentence: str) -> str:
    """Less its second word, so that it is no copy."""
    first, _, *rest = sentence.split()
    return " ".join((first, *rest))


def _beside_reference(sentence: str, id_: str, rng: Random) -> str:
    _, number, _ = id_.split(".")
    forms = (
        f"{sentence} ({id_})", f"As {id_} has it: {sentence}", f"In round {number} it was said: {sentence}",
        f"1. {sentence}", f"By 2 of 3 points: {sentence}", f"[{id_}] {sentence}", f"(1) {sentence}",
        f"Claim {number}.1 stands: {sentence}", f"R{number}: {sentence}", f"Turn 2 of the debate: {sentence}",
    )  # fmt: skip
    return rng.choice(forms)


def _is_red(ground: Ground, passage: GroundPassage, line: str) -> bool:
    return check_line(ground, CheckedLine("established", line, (passage.id,))).has("red")


def evidence(rows: Sequence[Mapping[str, str]]) -> Iterator[DetectorFigure]:
    """Sentences that people called evidence, and others of the same articles."""
    hits = sum(has_marker(r["sentence"]) for r in rows if r["label"] == "evidence")
    alarms = sum(has_marker(r["sentence"]) for r in rows if r["label"] != "evidence")
    yield share("evidence marker: precision", hits, hits + alarms, 0.70)
    yield share("evidence marker: recall", hits, sum(r["label"] == "evidence" for r in rows), 0.11)


def agreement() -> Iterator[DetectorFigure]:
    """Sentences of this project: the one set that is not public text."""
    options = ("release", "revise", "escalate")
    told, alarms = ([any(agreements_told(s, options)) for s in part] for part in (AGREED, NOT_AGREED))
    yield share("agreement that was not counted: found", sum(told), len(told), 0.80)
    yield share("agreement that was not counted: innocent sentences", sum(alarms), len(alarms), 0.05, most=True)


def chance() -> Iterator[DetectorFigure]:
    """What chance alone makes of judges and of dissenters."""
    rng = Random("chance")
    for options in (2, 3, 4):
        panels = [[_drawn(rng, options) for _ in range(2)] for _ in range(PANELS)]
        found = [agreement_by_chance({"a": a, "b": b}) for a, b in panels]
        agree = sum(one is not None and one.as_much <= BY_CHANCE for one in found)
        yield share(f"two random judges of {options} options who agree", agree, PANELS, 0.05, most=True)
    worst = max(_false_alarm(n, options) for n in range(1, 13) for options in range(2, 7))
    yield DetectorFigure("conformity: worst false alarm of 1 to 12 ballots", worst, worst, worst, 0.05, most=True)


def _drawn(rng: Random, options: int) -> dict[str, float]:
    drawn = [rng.random() for _ in range(options)]
    return {f"o{i}": p / sum(drawn) for i, p in enumerate(drawn)}


def _false_alarm(n: int, options: int) -> float:
    flagged = [hits for hits in range(n + 1) if exact_interval(hits, n)[0] > 1 / options]
    ways = sum(comb(n, k) * (options - 1) ** (n - k) for k in flagged)
    return float(ways / options**n)


def _auc(name: str, hits: Sequence[float], misses: Sequence[float], bar: float) -> DetectorFigure:
    """Area under the curve, with the interval of Hanley and McNeil 1982."""
    above = sum((h > m) + (h == m) / 2 for h in hits for m in misses)
    auc, n, m = above / (len(hits) * len(misses)), len(hits), len(misses)
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    error = 1.96 * sqrt((auc * (1 - auc) + (n - 1) * (q1 - auc**2) + (m - 1) * (q2 - auc**2)) / (n * m))
    return DetectorFigure(f"{name} (n {n + m})", auc, auc - error, auc + error, bar)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, default=TEXTS)
    folder = asked.parse_args(arguments).data
    if not (folder / "text").is_dir():
        sys.stderr.write(f"not there: {folder}\n")
        return 2
    below = 0
    for row in (*figures(folder), *quotes(folder)):
        sign = "≤" if row.most else "≥"
        spread = f"{row.low:.3f} to {row.high:.3f}" if row.low < row.high else ""
        print(f"{row.name:<68} {row.measured:.3f}  {spread:<16} {sign} {row.bar:<5} {row.verdict}")
        below += row.verdict == "BELOW"
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
