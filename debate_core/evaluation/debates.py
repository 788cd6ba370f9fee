"""Detectors that read whole debates: repetition, and syntheses with content that no turn has.

They are measured on real debates between people and models, unchanged and with random changes from a fixed seed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from debate_core.engine.similarity import sentences
from debate_core.evaluation.claims import talked
from debate_core.evaluation.figures import NOTHING, Sample, share, share_of
from debate_core.evaluation.labelled import LabelledRow, rows
from debate_core.record.state import State
from debate_core.report.facts import named_entities
from debate_core.report.facts.repetition import echo, looks, stands_still
from debate_core.report.facts.synthesis_checks import (
    MIN_COVERAGE,
    CheckedLine,
    Ground,
    GroundPassage,
    check_line,
    covered,
)

REAL_DEBATES = "nyu/sample*.jsonl"
NEEDS = ("id", "setting", "question", "answers", "turns")
_QUOTE_TAG = re.compile(r"</?quote>")
_DEBATERS = ("Debater A", "Debater B")
MAX_TURN_CHARS = 20_000


def no_progress(folder: Path) -> Sample:
    """Real debates between people, unchanged and with every later turn half repeated."""
    later: list[bool] = []
    repeated: list[bool] = []
    echoes = 0
    for debate in _debates(folder):
        rounds = _rounds(debate) if debate["setting"]["isHuman"] else []
        if len(rounds) < 2:
            continue
        state = talked(rounds)
        later += _standing_still(state)
        repeated += _standing_still(talked(_half_repeated(rounds)))
        found = echo(looks(state))
        echoes += len(found.turns) if found else 0
    if not later or not repeated:
        return NOTHING
    figures = (
        *share_of("false_alarm", later, 0.007, most=True),
        *share_of("recall", repeated, 0.99),
        *share("false_echo", echoes, len(later), 0.05, most=True),
    )
    return Sample(len(later) + len(repeated), figures)


def _debates(folder: Path) -> list[LabelledRow]:
    return [d for d in rows(folder, REAL_DEBATES, NEEDS) if d["setting"]["isDebate"]]


def _standing_still(state: State) -> list[bool]:
    """Findings of no progress, for each turn with own sentences whose seat has spoken before."""
    later = [look for look in looks(state) if look.said.own and look.new_share is not None]
    return [stands_still(state, look) for look in later]


def _rounds(debate: Mapping[str, Any]) -> list[list[str]]:
    """The rounds in which both sides spoke, with quotation marks around quotes."""
    said: dict[int, dict[str, str]] = {}
    for turn in debate["turns"]:
        if turn["kind"] == "speech" and turn["role"] in _DEBATERS:
            text = turn["text"].replace("<quote>", "“").replace("</quote>", "”")
            said.setdefault(turn["round"], {})[turn["role"]] = text[:MAX_TURN_CHARS] or "-"
    return [[both[name] for name in _DEBATERS] for _, both in sorted(said.items()) if len(both) == 2]


def _half_repeated(rounds: Sequence[Sequence[str]]) -> list[list[str]]:
    """Replace every later turn by half old and half new sentences of its seat."""
    changed = [list(rounds[0])]
    for turns in rounds[1:]:
        mixed = list[str]()
        for first, text in zip(rounds[0], turns, strict=True):
            old = sentences(first)
            new = sentences(text)
            count = min(len(old), len(new))
            mixed.append("\n".join((*old[:count], *new[:count])) or "-")
        changed.append(mixed)
    return changed


def grounding(folder: Path) -> Sample:
    """Sentences of debaters with a reference, with a planted figure or name, and from another debate."""
    rng = Random("grounds")
    honest: list[bool] = []
    by_other_ids: list[bool] = []
    numbers: list[bool] = []
    names: list[bool] = []
    others: list[bool] = []
    grounds = [_ground(debate) for debate in _debates(folder)]
    for ground, next_ground in zip(grounds, (*grounds[1:], *grounds[:1]), strict=True):
        elsewhere = [passage.whole for passage in next_ground.passages.values()][:2]
        for passage, sentence in _drawn_sentences(ground, rng):
            # Without its second word, so that it is no copy.
            first, _, *rest = sentence.split()
            reworded = " ".join((first, *rest))
            honest.append(_is_red(ground, passage, _beside_reference(reworded, passage.id, rng)))
            by_other_ids.append(_is_red(ground, passage, _beside_other_id(reworded, rng)))
            numbers.append(_is_red(ground, passage, f"{reworded} It was {rng.randrange(1_000, 9_999)} ms."))
            names.append(_is_red(ground, passage, f"{reworded} As Quarzmann Brothers showed."))
            share_there = covered(sentence, elsewhere)
            if share_there is not None:
                others.append(share_there >= MIN_COVERAGE)
    figures = (
        *share_of("false_alarm", honest, 0.05, most=True),
        *share_of("false_alarm_with_other_ids", by_other_ids, 0.05, most=True),
        *share_of("planted_figures_found", numbers, 1.0),
        *share_of("planted_names_found", names, 0.98),
        *share_of("other_debate_passes", others, 0.40, most=True),
    )
    return Sample(len(honest), figures)


def _drawn_sentences(ground: Ground, rng: Random) -> Iterator[tuple[GroundPassage, str]]:
    """Up to three sentences of each passage, of 8 to 40 words."""
    for passage in ground.passages.values():
        lines = [line for line in sentences(_QUOTE_TAG.sub("", passage.whole)) if 8 <= len(line.split()) <= 40]
        for sentence in rng.sample(lines, min(3, len(lines))):
            yield passage, sentence


def _ground(debate: Mapping[str, Any]) -> Ground:
    speeches = [turn for turn in debate["turns"] if turn["kind"] == "speech"]
    passages: dict[str, GroundPassage] = {}
    for turn in speeches:
        seat = turn["role"].rpartition(" ")[2].lower()
        id_ = f"{seat}.{turn['round']}.1"
        passages[id_] = GroundPassage(id_, turn["text"], turn["text"], struck=False)
    names = named_entities.vocabulary([debate["question"], *debate["answers"], *_DEBATERS])
    return Ground(passages, names, {id_: id_ for id_ in passages})


def _beside_reference(sentence: str, id_: str, rng: Random) -> str:
    _, number, _ = id_.split(".")
    forms = (
        f"{sentence} ({id_})", f"As {id_} has it: {sentence}", f"In round {number} it was said: {sentence}",
        f"1. {sentence}", f"By 2 of 3 points: {sentence}", f"[{id_}] {sentence}", f"(1) {sentence}",
        f"Claim {number}.1 stands: {sentence}", f"R{number}: {sentence}", f"Turn 2 of the debate: {sentence}",
    )  # fmt: skip
    return rng.choice(forms)


def _beside_other_id(sentence: str, rng: Random) -> str:
    """A sentence with an id in a foreign form, such as judging models invent."""
    speaker, other = rng.sample("ABCD", 2)
    turn, claim = rng.randint(1, 4), rng.randint(1, 4)
    forms = (
        f"{sentence} ({speaker}{turn})", f"[{speaker}{turn}.{claim}] {sentence}",
        f"As {speaker}{turn} has it: {sentence}",
        f"{speaker}-{turn}: {sentence}", f"Claim {speaker}{turn} stands: {sentence}", f"{sentence} (arg-{turn})",
        f"{sentence} (see {speaker}{turn}, {other}{claim})", f"#{turn}: {sentence}", f"C{turn} holds: {sentence}",
        f"{sentence} <{speaker}{turn}>", f"P{turn}/{claim}: {sentence}", f"claim_{turn}: {sentence}",
        f"{sentence} ({speaker}-R{turn}-C{claim})", f"{sentence} [D{turn}C{claim}]",
        f"{speaker}{turn} answers {other}{claim}: {sentence}",
    )  # fmt: skip
    return rng.choice(forms)


def _is_red(ground: Ground, passage: GroundPassage, line: str) -> bool:
    return check_line(ground, CheckedLine("established", line, (passage.id,))).has("red")
