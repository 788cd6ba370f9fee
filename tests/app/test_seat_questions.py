"""Questions to seats beside their vote on screens: chosen in set-up, answered by a person, told in the results."""

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument, Claim, Content, CruxAnswer, Premortem, SupposedVote
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol_changes import (
    asks_crux,
    has_premortem,
    with_crux,
    with_premortem,
    without_crux,
    without_premortem,
)
from debate_core.spec.values import Seat
from debate_core.ui.setup.fork import forked
from tests.app.test_setup import button, fill, page
from tests.app.visiting import at, new_browser, press, results, room, step, words

SEATS = ("ana", "ben", "cyd")
REASON = "The vendor doubled its price"
OPTIONS = {"ana": "release", "ben": "release", "cyd": "revise"}


def opened(host: Host, n_human: int = 3) -> str:
    """A debate of one round, its premortem open."""
    seats = [Seat(id=name, occupant="human", commitment="open") for name in SEATS[:n_human]]
    rules = with_premortem(with_crux(protocol("referees_simultaneous")), 2)
    debate = host.create(compose("Do we ship it?", ["release", "revise"], rules, seats), by="ana")
    while requests(host.state(debate))[0].phase != "premortem":
        given(host, debate, argument)
    return debate


def given(host: Host, debate: str, says: object, *, but: str = "") -> None:
    """Every seat of the open phase but one answers."""
    phase = requests(host.state(debate))[0].phase
    for request in requests(host.state(debate)):
        if request.phase == phase and request.seat != but:
            content: Content = says(request.seat) if callable(says) else says  # type: ignore[assignment]
            host.submit(debate, TakeTurn(by=request.seat, request=request.id, content=content))


def argument(seat: str) -> Argument:
    return Argument(rationale="It is ready.", vote=OPTIONS[seat], claims=(Claim(text=f"{seat} has tested it"),))


def test_a_person_answers_all_three_questions(app: AppTest, host: Host):
    debate = opened(host)
    given(host, debate, Premortem(reasons=(REASON,)), but="ana")
    room(app, debate, "ana")
    assert "A year later the decision was reversed" in words(app)
    assert REASON not in words(app)
    form = f"{debate}/ana/2.premortem"
    press(app, f"{form}:send")
    assert "there is no reason" in words(app)
    app.text_area(key=f"{form}:reasons").input("The load doubled\n\nNo one ran it").run()
    press(app, f"{form}:send")
    given(host, debate, argument)
    given(host, debate, CruxAnswer(decided_by="ben.1.1"), but="ana")
    room(app, debate, "ana")
    form = f"{debate}/ana/2.decisive_claim"
    choice = app.selectbox(key=f"{form}:decided_by")
    choice.select_index(1).run()
    press(app, f"{form}:send")
    form = f"{debate}/ana/2.suppositions"
    asked = app.radio(key=f"{form}:claim0")
    assert "ben has tested it" in asked.label
    asked.set_value("revise").run()
    press(app, f"{form}:send")
    vote = SupposedVote(claim_id="ben.1.1", option="revise")
    given(host, debate, CruxAnswer(kind="suppositions", supposed=(vote,)), but="cyd")
    assert host.state(debate).outcome is None
    given(host, debate, CruxAnswer(kind="suppositions"))
    assert host.state(debate).outcome is not None
    told = words(results(new_browser(), debate, "Votes")).replace("\\", "")
    assert "If claim 2 is false, 2 of 3 switch and revise wins. No answer from cyd. No one has checked claim 2." in told
    wall = words(at(new_browser(), debate, None, "screen.py"))
    assert "If claim 2 is false, 2 of 3 switch and revise wins." in wall
    signer = results(new_browser(), debate)
    button(signer, "Sign the decision").click().run()
    press(signer, "assume-0")
    field = next(area for area in signer.text_area if area.label.startswith("Assumptions"))
    assert field.value == "Does not happen: The load doubled"


def seat_first(app: AppTest, who: str) -> None:
    next(field for field in app.selectbox if str(field.key).endswith("_who")).set_value(who).run()


def test_both_questions_are_chosen_in_setup_and_left_out_again(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "people", "course")
    # No seat could answer: they are offered once one can.
    assert "setup_crux_expert_panel" not in {box.key for box in app.checkbox}
    step(app, "people", "seats")
    seat_first(app, "human")
    step(app, "people", "course")
    for key in ("setup_premortem_expert_panel", "setup_crux_expert_panel"):
        assert not app.checkbox(key=key).value
        app.checkbox(key=key).check().run()
    step(app, "people", "seats")
    seat_first(app, "offline")
    step(app, "people", "course")
    captions = [caption.value for caption in app.caption]
    [phases] = [line.value for line in app.markdown if line.value.startswith("Round 1:")]
    assert "premortem" in phases
    assert "decisive claim → suppositions" in phases
    assert "The evidence panel is no model: it writes no premortem and names no claim." in captions
    app.slider(key="setup_rounds_expert_panel_2").set_value(3).run()
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert asks_crux(spec.protocol)
    assert [phase.only_in for phase in spec.protocol.phases() if phase.gives == "premortem"] == [(3,)]
    again = forked(host.state(host.debates()[0].id), "adopt")
    assert again.rules() == spec.protocol
    fewer = again.replace(rounds=2).rules()
    assert [phase.only_in for phase in fewer.phases() if phase.gives == "premortem"] == [(2,)]
    without = again.with_own(without_crux(without_premortem(again.shipped()))).rules()
    assert not asks_crux(without)
    assert not has_premortem(without)
    assert without.phases() == protocol("expert_panel").phases()
