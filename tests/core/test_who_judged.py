"""Judges: figures of those revealed together, late judges apart with their day, one flag for each fact."""

import csv
import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.record import acts
from debate_core.report.facts import judgements
from debate_core.report.facts.account import account
from debate_core.report.facts.health import flags
from debate_core.report.facts.judge_statistics import agreement_by_chance
from debate_core.report.facts.who_judged import judge_flags, who_judged
from debate_core.report.figures.judges import beliefs_table, means
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files
from debate_core.report.files.report import markdown_report
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from tests.people import ABE, EVERYBODY, FAY, GUS, JOE, JUNE, belief, judged, room_spec
from tests.playing import Played

LOU = Person(id="p-lou", name="Lou", role="judge")
SIGNED = acts.Signed(verdict="accept", option="adopt")


def in_time(**agreed: Any) -> Played:
    """June and Joe judge; nothing is revealed or signed yet."""
    held = judged(**agreed)
    held.act(JUNE, belief(2, 80, 10, 10, final=True, explanation="Costs."))
    held.act(JOE, belief(2, 60, 30, 10, final=True, explanation="Open."))
    held.act(JUNE, acts.Judged(ratings=(acts.Rated(option="adopt", criterion="risk", score=5),)))
    for pair in (("1.opening.s0", "1.opening.s1"), ("2.opening.s0", "2.opening.s1")):
        held.act(JUNE, acts.Compared(a=pair[0], b=pair[1], winner="a"))
        held.act(JOE, acts.Compared(a=pair[0], b=pair[1], winner="a"))
    return held


def lou_judges(held: Played) -> Played:
    """Lou comes in and gives all that can be given, against everybody else."""
    held.act(LOU, acts.PersonJoined(person=LOU))
    held.after(seconds=86_400 * 3)
    held.act(LOU, belief(1, 10, 80, 10))
    held.act(LOU, acts.Judged(ratings=(acts.Rated(option="adopt", criterion="risk", score=1),)))
    held.act(LOU, acts.Compared(a="1.opening.s0", b="1.opening.s1", winner="b"))
    return held.act(LOU, belief(2, 5, 90, 5, final=True, explanation="A year on."))


def figures(held: Played) -> dict[str, object]:
    """Everything that is said of the judges together."""
    state = held.state
    told = account(state, held.events)
    text = decision_record(told).text
    return {
        "mean": judgements.option_rows(state),
        "headline": judgements.aggregate_sentence(state),
        "agreement": judgements.agreement_sentence(state),
        "moves": judgements.moves(state),
        "rubric": judgements.mean_rubric(judgements.rubric_rows(state)),
        "strengths": judgements.strengths(state),
        "chart": means(told),
        "reading": judgements.reading_words(state),
        "decision record": re.findall(r"Likely to be right, mean of the judges: .+|\d+ judges?.+", text),
    }


@pytest.mark.parametrize("closed_by", ["reveal", "signature", "signature, then reveal"])
def test_late_judge_changes_no_figure(closed_by: str):
    held = in_time()
    if closed_by == "reveal":
        held.act(FAY, acts.BeliefsRevealed(round=2))
        held.act(ABE, SIGNED)
        before = figures(held)
        lou_judges(held)
    else:
        held.act(ABE, SIGNED)
        revealed = held.copy().act(FAY, acts.BeliefsRevealed(round=2))
        before = figures(revealed)
        lou_judges(held)
        held.act(FAY, acts.BeliefsRevealed(round=2))
    assert figures(held) == before
    assert "70 %" in str(before["headline"])


def test_late_judge_stands_alone_with_the_day():
    held = lou_judges(in_time().act(FAY, acts.BeliefsRevealed(round=2)).act(ABE, SIGNED))
    sentence = "Lou judged later, on 2026-03-07: adopt 5 %, defer 90 %, reject 5 %."
    told = account(held.state, held.events)
    assert sentence in decision_record(told).text.replace("\\", "")
    assert sentence in markdown_report(told).replace("\\", "")
    assert "Lou" not in str(beliefs_table(told))
    rows = [*csv.DictReader(io.StringIO(csv_files(told)["judgements.csv"]))]
    assert {(row["judge_alias"], row["late"]) for row in rows} == {
        ("Judge 1", "false"),
        ("Judge 2", "false"),
        ("Judge 3", "true"),
    }
    assert {row["given_at"][:10] for row in rows if row["late"] == "true"} == {"2026-03-07"}
    assert [row["late"] for row in csv.DictReader(io.StringIO(csv_files(told)["rubric.csv"]))] == ["false", "true"]
    compared = csv.DictReader(io.StringIO(csv_files(told)["comparisons.csv"]))
    assert [row["late"] for row in compared] == ["false"] * 4 + ["true"]


def test_word_after_the_signature_leaves_the_earlier_one():
    held = judged()
    held.act(JUNE, belief(1, 80, 10, 10))
    held.act(ABE, SIGNED)
    held.act(JUNE, belief(2, 10, 80, 10, final=True, explanation="On second thoughts."))
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert judgements.latest_forecasts(held.state) == {JUNE.id: {"adopt": 0.8, "defer": 0.1, "reject": 0.1}}
    assert [late.given["defer"] for late in judgements.late_judgements(held.state)] == [0.8]
    assert judge_flags(held.state) == ("June judged after the decision had been signed",)
    rows = judgements.judgement_rows(held.state)
    assert [(row.round, row.late) for row in rows if row.option == "adopt"] == [(1, False), (2, True)]


def test_judges_who_all_came_late_have_no_headline():
    held = judged().act(ABE, SIGNED)
    held.act(JUNE, belief(2, final=True, explanation="why"))
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert (judgements.aggregate_sentence(held.state), judgements.option_rows(held.state)) == ("", ())
    text = markdown_report(account(held.state, held.events))
    assert "June judged later" in text
    assert "On average" not in text
    assert "Likely to be right" not in decision_record(account(held.state, held.events)).text


def leads(held: Played) -> None:
    held.act(FAY, acts.PersonChanged(person=FAY.model_copy(update={"role": "judge"})))
    held.act(FAY, belief(1))


def has_a_stake(held: Played) -> None:
    held.act(FAY, acts.PersonChanged(person=JUNE.model_copy(update={"interest": "sells it"})))
    held.act(JUNE, belief(1))


def is_late(held: Played) -> None:
    held.to_the_end()
    held.act(ABE, SIGNED)
    held.act(JUNE, belief(2, final=True, explanation="why"))


def judges(held: Played) -> None:
    held.act(JUNE, belief(1))


@pytest.mark.parametrize(
    ("acts_so", "named"),
    [(judges, set()), (leads, {"judge_led"}), (has_a_stake, {"judge_interest"}), (is_late, {"judge_late"})],
)
def test_each_flag_has_a_fact_of_its_own(acts_so: Any, named: set[str]):
    bo = Person(id="p-bo", name="Bo", role="facilitator")
    held = Played(room_spec((*EVERYBODY, bo), hold="none"))
    held.go_on()
    acts_so(held)
    assert {name for name in flags(held.state) if name.startswith("judge_")} == named


def test_who_spoke_and_judged_is_flagged_for_that_alone():
    seats = (Seat(id="s0", occupant="human"), Seat(id="s1", occupant="scripted"), Seat(id="s2", occupant="scripted"))
    held = Played(room_spec(seats=seats, hold="none"))
    held.go_on()
    held.act(JUNE, belief(1))
    held.act(FAY, acts.PersonChanged(person=JUNE.model_copy(update={"role": "debater", "seats": ("s0",)})))
    held.say("adopt", by=JUNE.id)
    assert {name for name in flags(held.state) if name.startswith("judge_")} == {"judge_spoke"}
    (june,) = who_judged(held.state)
    assert june.blind


def test_leading_after_the_end_is_not_leading_the_debate():
    held = judged().act(JUNE, belief(2, final=True, explanation="why"))
    held.act(FAY, acts.PersonChanged(person=JUNE.model_copy(update={"role": "facilitator"})))
    (june,) = who_judged(held.state)
    assert (june.led, june.blind) == ((), True)
    assert judge_flags(held.state) == ()


def test_interest_declared_after_the_end_makes_nobody_read_names():
    held = judged()
    held.act(FAY, acts.PersonChanged(person=JUNE.model_copy(update={"interest": "sells it"})))
    held.act(JUNE, belief(2, final=True, explanation="why"))
    (june,) = who_judged(held.state)
    assert (june.blind, june.interests) == (True, ("sells it",))


@pytest.mark.parametrize("before", [GUS, ABE])
def test_who_read_names_first_is_no_blind_judge(before: Person):
    held = judged(room_spec((*EVERYBODY, JOE)))
    held.act(FAY, acts.PersonChanged(person=before.model_copy(update={"role": "judge"})))
    held.act(before, belief(2, final=True, explanation="why"))
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert f"{before.name} could see who spoke, so the judgement was not blind" in judge_flags(held.state)
    assert f"knew who spoke: {before.name}" in judgements.reading_words(held.state)


def test_reading_says_who_led_beside_who_read_blind():
    held = Played(room_spec((*EVERYBODY, Person(id="p-bo", name="Bo", role="facilitator")), hold="none"))
    held.go_on()
    leads(held)
    held.act(JUNE, belief(1))
    held.to_the_end()
    held.act(Person(id="p-bo", name="Bo", role="facilitator"), acts.BeliefsRevealed(round=2))
    assert judgements.reading_words(held.state) == "2 judges; knew who spoke: Fay; led the debate: Fay"
    assert not judgements.is_plain_reading(held.state)
    blind = in_time().act(FAY, acts.BeliefsRevealed(round=2))
    assert (judgements.reading_words(blind.state), judgements.is_plain_reading(blind.state)) == (
        "2 judges; who spoke was hidden",
        True,
    )


FORECASTS = st.lists(st.permutations([60, 20, 12, 8]), min_size=3, max_size=6)


@given(FORECASTS)
def test_agreement_and_chance_never_contradict(judges: list[list[int]]):
    told = {
        f"j{n}": dict(zip("abcd", (percent / 100 for percent in given), strict=True)) for n, given in enumerate(judges)
    }
    words = judgements.agreement_words(told)
    chance = agreement_by_chance(told)
    assert chance is not None
    by_chance_rarely = "by chance as high in" in words
    assert by_chance_rarely == (chance.as_much <= judgements.BY_CHANCE and chance.least <= judgements.BY_CHANCE)
    assert not (by_chance_rarely and re.search(r"no more than by chance|disagree|hardly", words)), words


def test_little_agreement_beyond_chance_is_called_little():
    given = [(50, 6, 4, 15, 25), (50, 25, 15, 6, 4), (50, 25, 15, 6, 4), (4, 25, 50, 15, 6), (50, 25, 15, 6, 4)]
    told = {f"j{n}": dict(zip("abcde", (p / 100 for p in percents), strict=True)) for n, percents in enumerate(given)}
    words = judgements.agreement_words(told)
    assert words.startswith("The 5 judges agree a little more than by chance (Krippendorff's alpha 0.38, by chance as")


def test_sealed_rounds_are_not_called_unmoved():
    held = judged()
    held.act(JUNE, belief(1, 50, 30, 20))
    held.act(JUNE, belief(2, 90, 5, 5, final=True, explanation="why"))
    assert not judgements.can_have_moved(held.state)
    held.act(FAY, acts.BeliefsRevealed(round=1))
    assert not judgements.can_have_moved(held.state)
    assert judgements.sealed_rounds_words(held.state) == ("Judgements after round 1 are sealed.")
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert judgements.can_have_moved(held.state)
    assert judgements.sealed_rounds_words(held.state) == ""
