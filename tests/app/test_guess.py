"""The guess on the ballot of a question of fact: its sliders on phones, Results, and its tick in set-up."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.judge_view import option_order
from debate_core.host.host import Host
from debate_core.record.acts import BallotCast, ExpectedVotes, PersonJoined, PollClosed, PollRevealed
from debate_core.spec.people import Person
from tests.app.test_crux import OPTIONS, VOTERS, ended
from tests.app.visiting import at, did, let_decide, new_browser, step, unfolded, words
from tests.people import FAY

ADA = VOTERS[0]


def cast_of(host: Host, debate: str, who: Person) -> dict[str, int] | None:
    """The guess of this person in the record; None without a ballot."""
    ballot = host.state(debate).room.polls["final"].ballots.get(who.id)
    return {one.option: one.votes for one in ballot.fact.expects} if ballot else None


def guess(app: AppTest, debate: str, who: Person, *values: str) -> None:
    """Move the sliders and cast a vote for the first option of the debate."""
    form = f"{debate}/{who.id}/poll-final"
    app.radio(f"{form}:vote").set_value("adopt").run()
    for place, value in enumerate(values):
        app.select_slider(f"{form}:guess{place}").set_value(value).run()
    app.button(f"{form}:cast").click().run()
    assert not app.exception, app.exception


def sliders(app: AppTest) -> list[str]:
    return [slider.label for slider in app.select_slider if "will choose" in slider.label]


def test_two_options_have_one_slider_and_the_other_gets_the_rest(app: AppTest, host: Host):
    debate = ended(host, asks_crux=False, asks_guess=True, options=OPTIONS[:2])
    first, other = option_order(host.state(debate), ADA.id)
    at(app, debate, ADA)
    assert sliders(app) == [f"How many of 12 will choose {first}?"]
    guess(app, debate, ADA, "3")
    assert cast_of(host, debate, ADA) == {first: 3, other: 9}


def test_untouched_slider_is_no_guess(app: AppTest, host: Host):
    debate = ended(host, asks_crux=False, asks_guess=True)
    at(app, debate, ADA)
    assert len(sliders(app)) == 2
    guess(app, debate, ADA)
    assert cast_of(host, debate, ADA) == {}


@pytest.mark.parametrize(
    ("values", "why"), [(("3", "no guess"), "a guess needs every slider"), (("8", "5"), "adds up to 13 of 12 voters")]
)
def test_incomplete_or_too_large_guess_says_why(app: AppTest, host: Host, values: tuple[str, ...], why: str):
    debate = ended(host, asks_crux=False, asks_guess=True)
    at(app, debate, ADA)
    guess(app, debate, ADA, *values)
    assert why in words(app)
    assert cast_of(host, debate, ADA) is None


def test_guess_survives_a_reload_and_people_who_join(app: AppTest, host: Host):
    debate = ended(host, asks_crux=False, asks_guess=True, options=OPTIONS[:2])
    form = f"{debate}/{ADA.id}/poll-final"
    at(app, debate, ADA)
    app.select_slider(f"{form}:guess0").set_value("3").run()
    late = Person(id="p-late", name="Late", electorate="room")
    did(host, debate, late, PersonJoined(person=late))
    app.run()
    assert app.select_slider(f"{form}:guess0").value == "3"
    again = at(new_browser(), debate, ADA)
    assert again.select_slider(f"{form}:guess0").value == "3"
    assert sliders(again)[0].startswith("How many of 13 will choose")


def test_guess_shows_nowhere_before_the_reveal(app: AppTest, host: Host):
    debate = ended(host, asks_crux=False, asks_guess=True, options=OPTIONS[:2])
    for voter in VOTERS:
        first, second = host.state(debate).spec.options
        expects = (ExpectedVotes(option=first, votes=2), ExpectedVotes(option=second, votes=10))
        did(host, debate, voter, BallotCast(poll="final", choice="adopt", expects=expects))
    did(host, debate, FAY, PollClosed(poll="final"))
    unfolded(app, "vote-detail", "advice-people")
    for page, tab in (("room.py", ""), ("results.py", "Votes"), ("screen.py", ""), ("record.py", "")):
        seen = words(at(app, debate, FAY, page, **({"tab": tab} if tab else {})))
        assert "surprisingly" not in seen.casefold()
        assert "expected 2" not in seen
    did(host, debate, FAY, PollRevealed(poll="final"))
    results = words(at(unfolded(app, "vote-detail", "advice-people"), debate, FAY, "results.py", tab="Votes")).replace(
        "\\", ""
    )
    assert "adopt was chosen by 12 of 12; voters expected 2.0." in results


def test_ballot_without_a_question_of_fact_has_no_slider(app: AppTest, host: Host):
    debate = ended(host, asks_crux=False)
    assert sliders(at(app, debate, ADA)) == []


def test_tick_in_set_up_needs_a_rule_with_one_option(app: AppTest, host: Host):
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").set_value("Which is the capital?")
    app.text_input(key="setup_option_o1").set_value("Canberra")
    app.text_input(key="setup_option_o2").set_value("Sydney").run()
    let_decide(app, "room")
    app.text_input(key="setup_room_name").set_value("Fay").run()
    step(app, "people", "polls")
    tick = next(box for box in app.checkbox if box.label == "A question of fact: voters also guess how the others vote")
    assert tick.value is False
    tick.set_value(True).run()
    next(b for b in app.button if b.label == "Start debate").click().run()
    assert host.state(host.debates()[0].id).spec.terms.asks_guess
