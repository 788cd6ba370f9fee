"""A reason that gives nothing but the question or an option back is none, for people and for models alike."""

import pytest

from debate_core.engine.content_faults import fault_in_content, read_content
from debate_core.engine.replies import read_turn
from debate_core.errors import BadReply
from debate_core.spec.contents import Argument
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats

QUESTION, OPTIONS = "Should we adopt a four-day week for the whole team?", ("adopt", "defer to spring")
SPEC = compose(QUESTION, OPTIONS, BOUNDED_VOTE, default_seats(BOUNDED_VOTE, QUESTION, OPTIONS, "offline"))
NO_REASON = [
    "Adopt.",
    "My position: adopt.",
    "defer to spring",
    "Should we adopt a four-day week for the whole team?",
    "We should adopt a four-day week for the whole team. My position: adopt.",
    "I recommend adopt, because it is the best option for the team.",
]
REASON = [
    "Four days are enough for our tickets.",
    "A four-day week keeps the team rested. My position: adopt.",
    "We should defer to spring: the audit needs the whole team.",
    "Yes.",
]


@pytest.mark.parametrize("text", NO_REASON)
def test_who_only_repeats_the_question_or_an_option_is_asked_why(text: str):
    given = {"rationale": text, "vote": "adopt"}
    for read in (read_content, read_turn):
        with pytest.raises(BadReply, match="only repeats the question or an option: say why"):
            read(SPEC, "argument", given, asks_ballot=True)
    # Who claims something has given a reason; and what a record holds stays readable.
    claiming = {**given, "claims": [{"text": "Tickets fell by a fifth in the trial."}]}
    assert read_turn(SPEC, "argument", claiming, asks_ballot=True).content
    assert fault_in_content(SPEC, "argument", Argument(rationale=text, vote="adopt")) is None


@pytest.mark.parametrize("text", REASON)
def test_a_word_of_ones_own_is_a_reason(text: str):
    assert read_turn(SPEC, "argument", {"rationale": text, "vote": "adopt"}, asks_ballot=True).content
