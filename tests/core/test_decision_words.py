"""Every finding has words for its chip: plain ones, four at most, and not the name that files keep."""

import re
from pathlib import Path

import pytest

from debate_core.report.facts.account import account
from debate_core.report.facts.vote_bars import deciding_bars
from debate_core.report.words.decision_status import FINDING_WORDS, cautions, count_words
from tests.by_hand import preset_spec
from tests.people import room_spec
from tests.playing import Played

FACTS = Path(__file__).parents[2] / "debate_core" / "report" / "facts"
MADE = re.compile(r'(?:DebateFinding|_finding)\(\s*"(\w+)"')


def test_every_finding_that_code_makes_has_plain_words():
    made = {name for module in FACTS.glob("*.py") for name in MADE.findall(module.read_text("utf-8"))}
    assert made == FINDING_WORDS.keys()
    assert [words for words in FINDING_WORDS.values() if len(words.split()) > 4] == []
    named = {name: words for name, words in FINDING_WORDS.items() if words.casefold() == name.replace("_", " ")}
    assert named == {}


@pytest.mark.parametrize(("decides", "is_cautious"), [("panel", False), ("debaters", True)])
def test_how_the_seats_voted_is_no_caution_where_people_decide(decides: str, is_cautious: bool):
    held = Played(room_spec(decides=decides, hold="none"))
    held.go_on()
    for option in ("adopt", "defer", "reject") * 4:
        held.say(option)
    told = account(held.state, held.events)
    assert "tie" in told.flags
    assert ("Options stand level" in {caution.words for caution in cautions(told)}) == is_cautious


def test_that_nobody_voted_is_no_promise_once_it_is_over():
    held = Played(preset_spec())
    for _seat in range(3):
        held.say("abstain")
    bars = deciding_bars(account(held.state, held.events))
    assert bars is not None
    assert count_words(bars, is_over=False) == "No vote yet, 2 needed"
    assert count_words(bars, is_over=True) == "No vote, 2 needed"
