"""No text stops the server: whatever people, models or documents say is read in time that grows with its length.

Each function that reads such text gets texts that a hostile author would write, once and twice as long.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from debate_core import text as plain_text
from debate_core.documents.decision import read_decision
from debate_core.engine import (
    checkable_claims,
    judge_view,
    option_names,
    passages,
    quotes,
    similarity,
    source_search,
    stance_detection,
)
from debate_core.engine.audit import verify
from debate_core.engine.count import ballot_files
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.bradley_terry import _fitted, bradley_terry, strength_intervals
from debate_core.engine.count.count import Count
from debate_core.errors import DebateError
from debate_core.host.access import people_list
from debate_core.host.uploads import read_source
from debate_core.record.state import State
from debate_core.report.facts import claimed_agreement, health, named_entities, synthesis_checks
from debate_core.report.facts.account import account
from debate_core.report.facts.repetition import kept_comparison, looks
from debate_core.report.files import document
from debate_core.seats import reply
from debate_core.seats.prompts import blocks
from debate_core.spec.protocol import Driver, Phase
from debate_core.spec.rules import Elected, Threshold
from debate_core.spec.values import Given, Source
from debate_core.ui.kit import text as screen_text
from tests.core.test_detect import TALK, talk
from tests.core.test_transcript_record import cues, record_of, reviewed

CHARS = 8_000
SLACK_S = 0.08
"""Of CPU time: what a collection of garbage or a cold cache may cost. What grows with the square costs more."""
MOST_GROWTH = 3.0
"""Twice the length may cost 2 times as much, and half as much again for all that is not even."""
QUOTE = "the chat was restored in four hours and then nothing"
PIECES = [
    *("[](", "a ", "1,", "1. ", " ", "\n", "... ", "-", "no ", "https://", "`", "> ", "T1 ", "R1-", "A. "),
    *(
        "The panel agreed ",
        "all ",
        "have ",
        "9 of ",
        "a.1.1 ",
        "claim 1, ",
        "\u201c",
        "\u201e",
        "$1",
        "{",
        '{"a": 1} ',
        "<think>",
        "=\n",
        "a>b ",
        "# Options\n",
        "what is a",
    ),
]


def _read_upload(text: str) -> object:
    return read_source("a.md", text.encode(), source_id="E1")


def _read_decision(text: str) -> object:
    in_sections = f"# Question\n\n{text}\n\n# Options\n\n- a\n- {text}\n\n# Drivers\n\n{text}"
    return read_decision(Source(id="E1", title="t", text=in_sections))


READERS: dict[str, Callable[[str], object]] = {
    "words of a quote": quotes.words,
    "a document that is quoted": lambda text: quotes.check_quote.__wrapped__(text, QUOTE),
    "a quote": lambda text: quotes.check_quote.__wrapped__("The chat was restored. " * 50, text),
    "markers of evidence": checkable_claims.markers,
    "names and numbers": lambda text: named_entities.missing(text, ["x"]),
    "names and numbers of a source": lambda text: named_entities.missing("Foo 12", [text]),
    "references": lambda text: synthesis_checks.without_references(text, ["a.1.1"], 9),
    "agreement that is told": lambda text: list(claimed_agreement.agreements_told(text, ["adopt", "defer"])),
    "an option in a text": lambda text: option_names.named_option(text, ["adopt", "a"]),
    "an option that a text argues for": lambda text: stance_detection.argued_option(text, ["adopt", "a"]),
    "what a line rests on": lambda text: synthesis_checks.covered(text, ["x y z words there"]),
    "sentences": similarity.sentences,
    "grams": similarity.grams,
    "a restated claim": lambda text: similarity.restates(text, text[::-1]),
    "passages": lambda text: passages.passages_of(Source(id="E1", title="t", text=text)),
    "terms": passages.terms,
    "a search": lambda text: source_search.search_sources([Source(id="E1", title="t", text=text)], text[:200]),
    "an upload": _read_upload,
    "a decision in a document": _read_decision,
    "text for Markdown": plain_text.md_text,
    "text for one line": plain_text.line,
    "text for a screen": screen_text.safe_text,
    "a line for a screen": screen_text.safe_line,
    "a label": screen_text.safe_label,
    "a file name": document.slug,
    "a fence": blocks.fenced,
    "who gives themself away": lambda text: judge_view.self_identification(text, ["Ann"]),
    "thinking": reply.without_thinking,
    "prose of a reply": reply.prose_of,
    "a reply": reply.read_reply,
    "a reply that is cut": reply.closed_fields,
    "a list of people": people_list.read_list,
    "ballots (abif)": ballot_files.read_abif,
    "ballots (preflib)": ballot_files.read_preflib,
    "ballots (csv)": lambda text: ballot_files.read_ballots(text, name="votes.csv"),
}


def seconds(read: Callable[[str], object], text: str) -> float:
    """CPU time; a refusal in words is an answer too."""
    began = time.process_time()
    with suppress(DebateError):
        read(text)
    return time.process_time() - began


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_twice_the_text_takes_about_twice_the_time(name: str):
    read = READERS[name]
    for piece in PIECES:
        text = piece * (2 * CHARS // len(piece))
        twice = seconds(read, text)
        if twice > SLACK_S:
            once = min(seconds(read, text[:CHARS]) for _ in range(2))
            twice = min(twice, seconds(read, text))
            assert twice <= MOST_GROWTH * once + SLACK_S, f"{piece!r}: {once:.3f} s, then {twice:.3f} s"


@pytest.mark.slow
def test_a_further_quote_costs_the_same_in_a_larger_document():
    hostile = "the chat restored in four hours and nothing then was "

    def further(chars: int) -> float:
        text = hostile * (chars // len(hostile))
        quotes.check_quote(text, QUOTE)
        began = time.process_time()
        for n in range(10):
            assert quotes.check_quote(text, f"{QUOTE} {n}").verdict == "altered"
        return time.process_time() - began

    small, large = further(1_000_000), further(4_000_000)
    assert large <= 1.5 * small + SLACK_S


@pytest.mark.slow
def test_a_large_document_is_read_in_pieces_and_loses_no_word():
    lines = [
        f"Line {n}: 1,{n:03} users \u2014 the [report](https://example.org/{n}) says 10\u00b2 < 5 %."
        for n in range(9_000)
    ]
    text = "\n".join(lines)
    assert len(text) > 5 * quotes.PIECE_CHARS
    assert quotes.words(text) == [word for line in lines for word in quotes.words(line)]
    unbroken = text.replace(".\n", ", ")
    assert quotes.words(unbroken) == quotes.words(text)
    assert quotes.verify_quote(text, "Line 8123: 1,8123 users: the report says 10 2 < 5 %") == "verbatim"
    assert quotes.verify_quote(text, "Line 8123: 1,8123 users: the report never says 10 2 < 5 %") == "altered"
    assert quotes.verify_quote(text, "The moon is made of green cheese and of nothing else") == "not_found"


def _speeches(rounds: int) -> list[list[str]]:
    """Eight seats that say ten sentences of common and rare words in each round."""
    rng = Random(rounds)
    syllables = ["".join(pair) for pair in product("bdfgklmnprst", "aeiou")]
    words = ["".join(rng.choices(syllables, k=3)) for _ in range(3_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    spoken = [" ".join(rng.choices(words, weights, k=12)) + "." for _ in range(rounds * 80)]
    return [[" ".join(spoken[(n * 8 + seat) * 10 :][:10]) for seat in range(8)] for n in range(rounds)]


@pytest.mark.slow
def test_ten_times_the_turns_take_about_ten_times_as_long():
    few, many = (talk(_speeches(rounds)) for rounds in (5, 50))
    check_growth(lambda: _findings(few), lambda: _findings(many))


def check_growth(few: Callable[[], object], many: Callable[[], object]) -> None:
    """Compare ten runs of the small work with one of ten times the work.

    Each pair is measured in a row, because other processes make both slower; one of three pairs has to be within it.
    """
    pairs = []
    for _ in range(3):
        few_s, many_s = sum(_cpu_s(few) for _ in range(10)) / 10, _cpu_s(many)
        if many_s <= MOST_FOR_TEN * few_s + SLACK_S:
            return
        pairs.append((few_s, many_s))
    pytest.fail(str(pairs))


def _findings(state: State) -> object:
    kept_comparison.cache_clear()
    return health.findings(state)


@pytest.mark.slow
def test_a_further_round_does_not_compare_all_turns_again():
    speeches = _speeches(50)
    before, after = talk(speeches[:49], rounds=50), talk(speeches, rounds=50)
    kept_comparison.cache_clear()
    whole_s = _cpu_s(lambda: looks(before))
    further_s = _cpu_s(lambda: looks(after))
    assert further_s <= whole_s / 4, f"{whole_s:.3f} s, then {further_s:.3f} s"


def _cpu_s(work: Callable[[], object]) -> float:
    began = time.process_time()
    assert work() is not None
    return time.process_time() - began


MOST_FOR_TEN = 14.0
"""Ten times the work may cost 10 times as much, and two fifths more for all that is not even."""


@pytest.mark.slow
def test_ten_times_the_transcript_takes_about_ten_times_as_long():
    def played(turns: int) -> tuple[float, float]:
        talk = [(("Ann", "Bo")[n % 2], f"Redis costs {n} dollars. It is turn {n} of this talk.") for n in range(turns)]
        meeting = reviewed(cues(talk))
        began = time.process_time()
        events = record_of(meeting)
        return time.process_time() - began, _cpu_s(lambda: verify(events))

    few, many = (tuple(map(min, zip(*(played(turns) for _ in range(3)), strict=True))) for turns in (50, 500))
    for name, once, ten_times in zip(("play", "verify"), few, many, strict=True):
        assert ten_times <= MOST_FOR_TEN * once + SLACK_S, f"{name}: {once:.3f} s, then {ten_times:.3f} s"


@pytest.mark.slow
def test_ten_times_the_counts_take_about_ten_times_as_long():
    phases = tuple(Phase(name=f"vote_{n}", order="at_once") for n in range(8))
    protocol = TALK.model_copy(update={"each_round": phases, "decide": Threshold(votes=2)})

    def tallies_s(rounds: int) -> float:
        state = talk([["Yes, it is.", "No, it is not."]] * (rounds * len(phases)), protocol, rounds=rounds)
        assert len(state.counted) == rounds * len(phases)
        return min(_cpu_s(lambda: account(state).tallies) for _ in range(3))

    few, many = tallies_s(5), tallies_s(50)
    assert many <= MOST_FOR_TEN * few + SLACK_S, f"{few:.3f} s, then {many:.3f} s"


@pytest.mark.slow
def test_ten_times_the_ballots_take_about_ten_times_as_long():
    def votes_of(voters: int) -> Count:
        rng = Random(1)
        drivers = (Driver(name="x", weight=60), Driver(name="y", weight=40))
        cells = [(option, driver.name) for option in "abc" for driver in drivers]
        ballots = []
        for n in range(voters):
            # A clear lead, so that the search makes all its counts.
            points = {"a": 5, "b": rng.randint(0, 2), "c": rng.randint(0, 2)}
            given = tuple(Given(option=option, points=points[option], driver=driver) for option, driver in cells)
            ballots.append(BallotCounted(f"v{n}", given=given))
        rule = Elected(kind="weighted_criteria")
        return Count("votes", rule, "criteria", tuple("abc"), tuple(ballots), drivers=drivers)

    check_growth(votes_of(50).flip, votes_of(500).flip)


@pytest.mark.slow
def test_ten_times_the_options_take_about_ten_times_as_long():
    def strengths_of(options: int) -> Callable[[], object]:
        rng = Random(1)
        pairs = [rng.sample(range(options), 2) for _ in range(options * 7)]
        contests = [(f"{a:03}", f"{b:03}", float((a < b) == (rng.random() < 0.9))) for a, b in pairs]

        def compared() -> object:
            _fitted.cache_clear()
            return strength_intervals(contests, bradley_terry(contests).strengths)

        return compared

    check_growth(strengths_of(20), strengths_of(200))
