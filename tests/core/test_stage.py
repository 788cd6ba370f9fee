"""Clock, people and judges of a room: bounds that screens and desks rely on."""

from datetime import date, datetime, timedelta

import pytest

from debate_core.engine.judge_view import still_judging
from debate_core.engine.stage import deadline, joined_late, judges_late, mistaken_for, name_of, unreached
from debate_core.record import acts
from debate_core.report.facts.account import Reader, account
from debate_core.report.facts.decision import date_has_come
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import MaxRounds, Unanimity
from tests.by_hand import small
from tests.people import ABE, ANN, EVERYBODY, FAY, JOE, JUNE, belief, judged, room_spec
from tests.playing import Played

ZOE = Person(id="p-zoe", name="Zoe", role="judge")


def test_a_phase_clock_starts_with_the_phase_in_a_started_room() -> None:
    held = Played(room_spec(phase_seconds=90))
    assert deadline(held.state) is None
    held.go_on()
    assert held.state.open is not None
    first = deadline(held.state)
    assert first is not None
    assert first.isoformat() == (held.at + timedelta(seconds=90 + len(held.events) - 1)).isoformat()
    assert deadline(Played(room_spec()).go_on().state) is None


def test_who_extends_a_phase_extends_this_one_alone() -> None:
    held = Played(room_spec(phase_seconds=90)).go_on()
    first = deadline(held.state)
    assert first is not None
    held.act(FAY, acts.Extended(seconds=60, reason="They are at it")).act(
        FAY, acts.Extended(seconds=30, reason="They are at it")
    )
    assert deadline(held.state) == first + timedelta(seconds=90)
    for _ in range(3):
        held.say("adopt")
    assert held.state.open is not None
    began = datetime.fromisoformat(held.state.open.since)
    assert deadline(held.state) == began + timedelta(seconds=90)


def test_once_a_debate_is_over_no_clock_runs() -> None:
    held = Played(room_spec(phase_seconds=90)).go_on()
    held.to_the_end()
    assert deadline(held.state) is None


def test_a_person_shows_the_current_name_and_others_the_recorded() -> None:
    held = Played(room_spec())
    assert (name_of(held.state, "p-ann"), name_of(held.state, "s0"), name_of(held.state, "engine")) == (
        "Ann",
        "s0",
        "engine",
    )
    held.act(FAY, acts.PersonChanged(person=ANN.model_copy(update={"name": "Anna"})))
    assert name_of(held.state, "p-ann") == "Anna"


def test_name_is_mistaken_for_one_here_in_any_spelling() -> None:
    held = Played(room_spec())
    typed = ("Ann", " aNN ", "A\u200bnn", "\u0410nn", "Anna", "")
    assert [mistaken_for(held.state, name) for name in typed] == ["Ann", "Ann", "Ann", "Ann", None, None]
    assert mistaken_for(held.state, "Ann", but=ANN.id) is None
    assert mistaken_for(held.state, "Ann", but=ABE.id) == "Ann"
    held.act(FAY, acts.PersonLeft(person=ANN.id))
    assert mistaken_for(held.state, "Ann") is None


def test_judges_are_awaited_until_the_final_report_or_signature() -> None:
    held = judged()
    assert still_judging(held.state) == ("p-june", "p-joe")
    held.act(JUNE, belief(1))
    assert still_judging(held.state) == ("p-june", "p-joe")
    held.act(JUNE, belief(2, final=True, explanation="Costs."))
    assert still_judging(held.state) == ("p-joe",)
    held.act(FAY, acts.BeliefsRevealed(round=1))
    assert still_judging(held.state) == ("p-joe",)
    held.act(FAY, acts.BeliefsRevealed(round=2))
    assert still_judging(held.state) == ()


def test_nobody_is_waited_for_once_the_decision_is_signed() -> None:
    held = judged(room_spec((*EVERYBODY, JOE)))
    assert still_judging(held.state) == ("p-june", "p-joe")
    held.act(ABE, acts.Signed(verdict="accept", option="adopt"))
    assert still_judging(held.state) == ()


def test_a_judge_after_the_last_reveal_is_late() -> None:
    held = judged()
    held.act(JUNE, belief(2, final=True, explanation="Costs."))
    held.act(FAY, acts.BeliefsRevealed(round=1))
    held.act(ZOE, acts.PersonJoined(person=ZOE))
    assert not judges_late(held.state, "p-zoe")
    held.act(FAY, acts.BeliefsRevealed(round=2))
    late = ZOE.model_copy(update={"id": "p-yan", "name": "Yan"})
    held.act(late, acts.PersonJoined(person=late))
    told = [judges_late(held.state, person) for person in ("p-june", "p-zoe", "p-yan", "p-nobody")]
    assert told == [False, False, True, False]


def test_who_comes_after_a_poll_was_opened_is_late_for_it() -> None:
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.act(ZOE, acts.PersonJoined(person=ZOE))
    assert [joined_late(held.state, "pre", person) for person in ("p-ann", "p-zoe")] == [False, True]


@pytest.mark.parametrize(
    ("revisit", "due"),
    [
        ("", False),
        ("in a year", False),
        ("2027-03-01", True),
        ("2027-03-02", False),
        ("2027-02-28 or when it fails", True),
        ("2027-12-24, and once more on 2027-01-01", True),
        ("2027-02-31", False),
    ],
)
def test_a_decision_is_due_from_the_day_in_its_note(revisit: str, due: bool) -> None:
    assert date_has_come(revisit, date(2027, 3, 1)) == due


def test_a_reader_sees_that_a_sealed_turn_exists_but_no_words() -> None:
    sealed = Phase(name="open", order="at_once", sealed=True)
    held = small(sealed, n=2, rounds=1, decide=Unanimity())
    assert not account(held.state).hides_turns
    held.say("a")
    assert held.state.open is not None
    told = account(held.state)
    assert (told.hides_turns, told.hides("s0", (1, "open")), told.hides("s1", (1, "open"))) == (True, True, True)
    assert (told.hides("s0", (2, "open")), told.hides("s0", (1, "talk"))) == (False, False)
    own = account(held.state, reader=Reader(holds=("s0",)))
    assert (own.hides_turns, own.hides("s0", (1, "open"))) == (False, False)
    held.say("b")
    assert (account(held.state).hides_turns, account(held.state).hides("s0", (1, "open"))) == (False, False)


def test_seats_are_unreachable_only_when_paused_or_finished() -> None:
    held = small(Phase(name="open", order="at_once"), n=2, rounds=1, decide=Unanimity(), stop=(MaxRounds(),))
    assert unreached(held.state) == ()
    held.play("a")
    assert (held.state.open, unreached(held.state)) == (None, ())
