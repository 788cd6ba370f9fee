"""Every finding has words for its chip: plain ones, four at most, and not the name that files keep."""

import re
from pathlib import Path

from debate_core.report.words.decision_status import FINDING_WORDS

FACTS = Path(__file__).parents[2] / "debate_core" / "report" / "facts"
MADE = re.compile(r'(?:DebateFinding|_finding)\(\s*"(\w+)"')


def test_every_finding_that_code_makes_has_plain_words():
    made = {name for module in FACTS.glob("*.py") for name in MADE.findall(module.read_text("utf-8"))}
    assert made == FINDING_WORDS.keys()
    assert [words for words in FINDING_WORDS.values() if len(words.split()) > 4] == []
    named = {name: words for name, words in FINDING_WORDS.items() if words.casefold() == name.replace("_", " ")}
    assert named == {}
