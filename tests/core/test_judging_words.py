"""Sentences for a judge: the parts that are given, the next one, and what counts."""

import pytest

from debate_core.record import acts
from debate_core.report.facts.judgements import latest_forecasts
from debate_core.report.phrases.judging import counting_words, progress_words
from debate_core.spec.people import Person
from tests.people import ABE, ANN, EVERYBODY, FAY, JOE, JUNE, OPTIONS, belief, judged, room_spec
from tests.playing import Played

LOU = Person(id="p-lou", name="Lou", role="judge")
COUNTS = "What you give counts in the judges' mean."
FINAL = "Your final probabilities count in the judges' mean."
STAY_OPEN = "The rubric and the pairs stay open until the judges are revealed."
AFTER_REVEAL = "You joined after the reveal: what you give is shown with its date and left out of the judges' mean."
SIGNED = "The decision is signed: what you give now is shown with its date and left out of the judges' mean."
CAME_LATE = "Your last probabilities came late: they are shown with their date and left out of the judges' mean."
GAVE_NONE = "The judges were revealed and you gave no probabilities: you are not in the judges' mean."


def begun() -> Played:
    held = Played(room_spec((*EVERYBODY, JOE)))
    held.go_on()
    return held


def final(percent: int = 50) -> acts.BeliefReported:
    return belief(2, percent, 80 - percent, 20, final=True, explanation="why")


def told(held: Played, who: Person = JUNE) -> tuple[str, str]:
    return progress_words(held.state, who.id), counting_words(held.state, who.id)


def sign(held: Played) -> None:
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(ABE, acts.Signed(verdict="accept", option="adopt", owner="Ann"))


def test_a_judge_in_time_is_led_from_round_to_round():
    held = begun()
    assert told(held) == ("0 of 2 rounds judged. Next: round 1, when it is over.", COUNTS)
    held.play()
    assert told(held) == ("0 of 2 rounds judged. Next: round 1.", COUNTS)
    held.act(JUNE, belief(1))
    assert told(held) == ("1 of 2 rounds judged. Next: round 2, when it is over.", COUNTS)
    held.to_the_end()
    assert told(held) == ("1 of 2 rounds judged. Next: your final probabilities.", COUNTS)
    held.act(JUNE, final())
    assert told(held) == ("2 of 2 rounds judged.", f"{FINAL} {STAY_OPEN}")
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert told(held) == ("2 of 2 rounds judged.", FINAL)


def test_a_round_that_closed_without_a_judge_is_named():
    held = begun()
    held.play()
    held.act(FAY, acts.BeliefsRevealed(round=1))
    held.act(LOU, acts.PersonJoined(person=LOU))
    closed = "Round 1 is closed without yours. What you give from now on counts in the judges' mean."
    held.go_on()
    held.say()
    assert told(held, LOU) == ("0 of 2 rounds judged. Next: round 2, when it is over.", closed)
    held.to_the_end()
    assert told(held, LOU) == ("0 of 2 rounds judged. Next: your final probabilities.", closed)


def test_judges_before_the_reveal_count_whenever_they_joined():
    held = judged()
    held.act(LOU, acts.PersonJoined(person=LOU))
    assert told(held, LOU) == told(held, JUNE) == ("0 of 2 rounds judged. Next: round 1.", COUNTS)
    held.act(LOU, belief(1))
    held.act(LOU, final())
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert told(held, LOU) == ("2 of 2 rounds judged.", FINAL)
    assert [*latest_forecasts(held.state)] == [LOU.id]


def test_a_judge_after_the_reveal_is_left_out_of_the_mean():
    held = judged()
    held.act(JUNE, belief(1))
    held.act(FAY, acts.BeliefsRevealed(round=2))
    held.act(LOU, acts.PersonJoined(person=LOU))
    assert told(held, LOU) == ("0 of 2 rounds judged. Next: round 1.", AFTER_REVEAL)
    held.act(LOU, belief(1))
    assert told(held, LOU) == ("1 of 2 rounds judged. Next: your final probabilities.", AFTER_REVEAL)
    held.act(LOU, final())
    assert told(held, LOU) == ("2 of 2 rounds judged.", CAME_LATE)
    assert told(held, JUNE)[1] == "Your probabilities after round 1 count in the judges' mean."
    assert told(held, JOE)[1] == GAVE_NONE
    assert [*latest_forecasts(held.state)] == [JUNE.id]


def test_after_a_signature_only_earlier_probabilities_count():
    held = judged()
    held.act(JUNE, belief(1, 70, 20, 10))
    sign(held)
    counted = "Your probabilities after round 1 count in the judges' mean."
    assert told(held) == ("1 of 2 rounds judged. Next: your final probabilities.", f"{SIGNED} {counted}")
    assert told(held, JOE)[1] == SIGNED
    held.act(JUNE, final())
    assert told(held) == ("2 of 2 rounds judged.", f"{CAME_LATE} {counted}")
    held.act(JOE, belief(1))
    held.act(JOE, final())
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert told(held, JOE)[1] == CAME_LATE
    assert latest_forecasts(held.state) == {JUNE.id: dict(zip(OPTIONS, (0.7, 0.2, 0.1), strict=True))}


def test_a_timed_judge_is_asked_once():
    held = judged(afterwards="timed")
    assert told(held) == ("The whole debate is judged at once. Next: your final probabilities.", COUNTS)


@pytest.mark.parametrize("n_pairs", [1, 2])
def test_optional_parts_are_named_once_they_are_given(n_pairs: int):
    held = judged()
    held.act(JUNE, acts.Judged.model_validate({"ratings": [{"option": "adopt", "criterion": "clarity", "score": 5}]}))
    for a, b in (("s0", "s1"), ("s1", "s2"))[:n_pairs]:
        held.act(JUNE, acts.Compared(a=f"1.opening.{a}", b=f"1.opening.{b}", winner="a"))
    pairs = "1 pair compared" if n_pairs == 1 else "2 pairs compared"
    assert told(held)[0].endswith(f"Also: rubric given and {pairs}.")
