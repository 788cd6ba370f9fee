"""The course of a debate in figures: each with its base, unknown costs called unknown, and who was silent."""

import pytest

from debate_core.record.acts import Signed
from debate_core.record.commands import Stop
from debate_core.report.facts.account import account
from debate_core.report.phrases.course import (
    calls_sentence,
    course_figures,
    override_sentence,
    participation_figures,
    planned_turns,
    quote_check_sentences,
    rule_sentence,
    silent_sentence,
)
from debate_core.report.phrases.limits import about_words
from debate_core.spec.presets import compose, default_seats, protocol
from tests.people import ABE, room_spec, whole_workshop
from tests.playing import FACILITATOR, Played


def figures(held: Played) -> dict[str, str]:
    told = account(held.state, held.events)
    return {figure.label: figure.value for figure in (*course_figures(told), *participation_figures(told))}


def test_a_debate_without_models_has_bases_and_no_cost():
    held = whole_workshop()
    assert figures(held) == {
        "Time of the rounds": "under 1 min",
        "Rounds": "2 of 2",
        "Turns given": "12 of 12",
        "Deciding ballots": "2 of 2",
    }
    told = account(held.state, held.events)
    assert silent_sentence(told) == "Every seat spoke."
    assert calls_sentence(told) == "No model took part."


def test_a_running_debate_has_no_duration():
    held = Played(room_spec())
    held.go_on()
    assert "Time of the rounds" not in figures(held)


def test_a_stopped_debate_names_the_silent_seats():
    held = Played(room_spec())
    held.go_on()
    held.say("adopt")
    held.do(Stop(by=FACILITATOR, reason="no time"))
    assert figures(held)["Turns given"] == "1 of at most 12"
    assert silent_sentence(account(held.state, held.events)) == "Silent: s1 and s2."


def test_a_signature_against_the_count_is_named():
    held = Played(room_spec())
    held.to_the_end("adopt")
    held.act(ABE, Signed(verdict="accept", option="defer", reason="the law asks for it"))
    told = account(held.state, held.events)
    assert override_sentence(told) == "Overrides 3 of 3 seats: 3 of 3 seats chose adopt."
    assert rule_sentence(told) == "No. Overrides 3 of 3 seats: 3 of 3 seats chose adopt."


def test_a_count_that_decides_follows_the_rule():
    held = Played(room_spec())
    held.to_the_end("adopt")
    assert rule_sentence(account(held.state, held.events)) == "Yes. 3 of 3 seats chose adopt."


def test_claims_without_a_quote_are_counted():
    held = whole_workshop()
    answer, beside = quote_check_sentences(account(held.state, held.events))
    assert answer == "No claim has a quote."
    assert beside.endswith("Whether a quote proves its claim is for people to judge.")


def test_no_turns_are_planned_where_a_moderator_chooses():
    rules, options = protocol("moderated_judge"), ["one", "two"]
    held = Played(compose("Which?", options, rules, default_seats(rules, "Which?", options, "human", 2)))
    assert planned_turns(account(held.state, held.events)) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "under 1 min"),
        (59.9, "under 1 min"),
        (60, "1 min"),
        (5_999, "100 min"),
        (6_000, "1.7 h"),
        (180_000, "2.1 days"),
    ],
)
def test_measured_times_are_in_the_unit_that_fits(seconds: float, words: str):
    assert about_words(seconds) == words
