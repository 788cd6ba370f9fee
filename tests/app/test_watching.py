"""Assumptions with checks on the screens: offered at sign-off, shown when broken, and reopened."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.rights import HOST
from debate_core.errors import RuleViolation
from debate_core.host.host import Host
from debate_core.record.acts import AssumptionBroken, OutcomeRecorded, Signed
from debate_core.record.commands import Act, SetMark
from debate_core.report.facts.decision import decision_of
from debate_core.report.phrases.decision import assumptions_words
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.tripwires import read_check
from tests.app.test_decision import field, in_room, looked_at_by, told
from tests.app.test_queue import waiting
from tests.app.visiting import at, new_browser, press_label, words
from tests.core.test_adr import argued, signed
from tests.people import ABE, FAY, room_spec
from tests.playing import Played

LOAD = "Load stays below 2,000 orders a minute"


def with_marked_claims() -> Played:
    """A debate decided for adopt, with a claim for it that the facilitator marked, and one that no one did."""
    held = Played(room_spec(rounds=1))
    held.go_on()
    claims = (Claim(text=LOAD), Claim(text="The team knows it"))
    held.say(Argument(rationale="why", vote="adopt", claims=claims))
    held.do(SetMark(by=FAY.id, mark=Mark(claim_id="s0.1.1", reading="supports", option="adopt")))
    return held.to_the_end()


def put_challenged(host: Host) -> Played:
    check = read_check("number load.csv load under 2000")
    held = signed(argued(), assumptions=({"text": "Load stays low", "claim_id": "s0.1.1", "check": check},))
    broken = AssumptionBroken(signature=held.events[-1].seq, assumption=1, reason="load.csv: load is 2100")
    held.do(Act(by=HOST, act=broken))
    in_room(host, held)
    return held


def test_two_inputs_make_a_carrying_claim_an_assumption(app: AppTest, host: Host):
    in_room(host, with_marked_claims())
    looked_at_by(app, ABE)
    offered = [box for box in app.checkbox if "(claim " in box.label]
    assert [box.label for box in offered] == [f"{LOAD} :gray[(claim 1)]"]
    offered[0].check().run()
    check = field(app, "text_input", "Check")
    assert check.value == "number FILE COLUMN under 2000"
    assert "write the file and the column" in told(app)
    check.input("number load.csv load under 2000").run()
    press_label(app, "Accept and sign")
    (assumption,) = host.state("d-room").room.facts(Signed)[-1].assumptions
    assert (assumption.text, assumption.claim_id) == (LOAD, "s0.1.1")
    assert assumption.check == read_check("number load.csv load under 2000")


def test_signing_without_a_tick_sets_no_assumption(app: AppTest, host: Host):
    in_room(host, with_marked_claims())
    looked_at_by(app, ABE)
    press_label(app, "Accept and sign")
    assert host.state("d-room").room.facts(Signed)[-1].assumptions == ()


def test_one_press_says_that_there_is_no_assumption(app: AppTest, host: Host):
    in_room(host, with_marked_claims())
    looked_at_by(app, ABE)
    field(app, "checkbox", "No condition: it rests on nothing that can change").check().run()
    assert not [box for box in app.checkbox if "(claim " in box.label]
    press_label(app, "Accept and sign")
    word = host.state("d-room").room.facts(Signed)[-1]
    assert word.assumes_nothing
    assert assumptions_words(word, str) == ["none: it rests on nothing that can change"]
    assert "assumes_nothing" not in Signed(verdict="accept").model_dump()


def test_no_assumption_and_one_are_refused_together():
    with pytest.raises(RuleViolation, match="says that there is no assumption"):
        signed(argued(), assumes_nothing=True, assumptions=({"text": "Load stays low"},))


def test_challenged_decision_waits_on_home_until_answered(app: AppTest, host: Host):
    put_challenged(host)
    home = at(app, "d-room", FAY, "home.py")
    assert waiting(home) == {"d-room": "Review"}
    host.submit("d-room", Act(by=ABE.id, act=OutcomeRecorded(result="held", reason="still right")))
    assert waiting(at(new_browser(), "d-room", FAY, "home.py")) == {}


def test_challenged_results_name_the_reason(app: AppTest, host: Host):
    put_challenged(host)
    shown = looked_at_by(app, ABE)
    assert "“Load stays low” no longer holds. load.csv: load is 2100" in told(shown)
    assert decision_of(host.state("d-room")).status == "accepted"


def test_challenged_decision_is_debated_again_with_its_record(app: AppTest, host: Host):
    put_challenged(host)
    app.query_params["follow"] = "d-room"
    app.switch_page("setup.py").run()
    assert not app.exception
    draft = app.session_state["setup_draft"]
    assert draft.parent == "d-room"
    titles = [source.title for source in draft.sources]
    assert titles[-2:] == ["Decision record: Which?", "Broken assumptions: Which?"]
    broken = draft.sources[-1].text
    assert "load.csv: load is 2100" in broken
    assert "It is faster" in broken
    assert 'status: "accepted"' in draft.sources[-2].text
    assert "reopens the debate d-room" in draft.background
    assert "Which?" in words(app) or app.text_area(key="setup_question").value == "Which?"
