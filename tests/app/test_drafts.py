"""Unsent text: two windows with one draft, and kept values that are no longer valid."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.acts import PollOpened
from debate_core.record.events import dump_record
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Elected
from tests.app.test_ballot_forms import OPTIONS, PEOPLE
from tests.app.test_judge_desk import after_round_1
from tests.app.test_polls import key, opened
from tests.app.visiting import at, did, drawings, new_browser, room, tells, tells_at
from tests.people import ANN, FAY, JUNE


def window(app: AppTest) -> AppTest:
    return new_browser()


def test_a_second_window_keeps_what_the_first_typed(app: AppTest, host: Host):
    debate = compose("Which?", OPTIONS, protocol("bounded_vote"), PEOPLE)
    debate_id, other = host.create(debate, by="tests"), window(app)
    prefix = f"{debate_id}/ana/1.proposal:"
    room(other, debate_id, "ana")
    room(app, debate_id, "ana").text_area(key=f"{prefix}rationale").input("Long thought out.").run()
    other.radio(key=f"{prefix}vote").set_value("stay").run()
    other.number_input(key=f"{prefix}confidence").set_value(70).run()
    again = room(window(app), debate_id, "ana")
    assert again.text_area(key=f"{prefix}rationale").value == "Long thought out."
    assert again.radio(key=f"{prefix}vote").value == "stay"
    assert again.number_input(key=f"{prefix}confidence").value == 70


@pytest.mark.parametrize("kept", [{"points0": 99, "confidence": 101}, {"points0": "two", "confidence": [1]}])
def test_numbers_that_do_not_fit_any_more_are_left_out(app: AppTest, host: Host, kept: dict[str, object]):
    rules = with_decision(protocol("bounded_vote"), Elected(kind="schulze"))
    debate = host.create(compose("Which?", OPTIONS, rules, PEOPLE), by="tests")
    prefix = f"{debate}/ana/1.proposal"
    host.drafts.save(prefix, json.dumps({"points1": 2, **kept}))
    room(app, debate, "ana")
    assert app.number_input(key=f"{prefix}:confidence").value is None
    assert drawings(app, "pick")[0]["given"]["points"] == [None, 2, None]


def test_a_kept_ballot_drops_words_that_are_no_choice_now(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    host.drafts.save(key(debate, ANN, "")[:-1], json.dumps({"confidence": "quite", "vote": "gone", "why": "so"}))
    at(app, debate, ANN)
    assert app.pills(key(debate, ANN, "confidence")).value is None
    assert app.radio(key(debate, ANN, "vote")).value is None
    assert app.text_input(key(debate, ANN, "why")).value == "so"


def test_of_a_ballot_that_was_cast_no_draft_comes_back(app: AppTest, host: Host):
    # It is sealed: nothing of it may stand among the notes, beside the id of who cast it.
    debate = opened(host, vote=Elected(kind="borda"))
    did(host, debate, FAY, PollOpened(poll="pre"))
    at(app, debate, ANN)
    places = {"points": [1, 2, 3], "abstains": False}
    rows = tells(app, "pick", places)
    assert host.drafts.text(key(debate, ANN, "")[:-1])
    app.button(key(debate, ANN, "cast")).click()
    tells_at(app, rows, places)
    assert "p-ann" in host.state(debate).room.polls["pre"].ballots
    for _ in range(2):
        assert host.drafts.text(key(debate, ANN, "")[:-1]) is None
        tells_at(app, rows, {"points": [3, 2, 1], "abstains": False})
    assert drawings(app, "pick")[0]["given"] == places


def test_percentages_from_another_window_are_not_overwritten(app: AppTest, host: Host):
    debate = host.import_record(dump_record(after_round_1().events).encode())
    other, belief = window(app), f"{debate}/{JUNE.id}/belief.1"
    at(app, debate, JUNE)
    sliders = tells(app, "probs", [80, 10, 10])
    app.button(key="give-beliefs").click().run()
    tells(at(other, debate, JUNE), "probs", [20, 40, 40])
    tells_at(app, sliders, [80, 10, 10])
    assert json.loads(host.drafts.text(belief) or "") == {"p0": 20, "p1": 40, "p2": 40}


def test_judge_sliders_start_neutral_on_invalid_values(app: AppTest, host: Host):
    debate = host.import_record(dump_record(after_round_1().events).encode())
    host.drafts.save(f"{debate}/{JUNE.id}/belief.1", json.dumps({"p0": 140, "n0": 0, "why": "so"}))
    at(app, debate, JUNE)
    assert drawings(app, "probs")[0]["given"] == [34, 33, 33]
    assert app.text_area(key=f"{debate}/{JUNE.id}/belief.1:why").value == "so"
