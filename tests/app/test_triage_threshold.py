"""Track record: the proposal for the threshold of triage, and set-up's advice with the accepted one."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.report.facts.triage_threshold import ThresholdProposal
from debate_core.spec.advice import Answers
from debate_core.spec.models import ModelLine, Price
from debate_core.ui.setup.draft import SeatDraft, example
from tests.app.visiting import new_browser, press, step, words
from tests.logging_in import account_of, browser_of, claims, organisation
from tests.outcomes import keep_in_app

PRICE = Price(input="1", output="1")


def track_record(app: AppTest | None = None) -> AppTest:
    app = new_browser() if app is None else app
    app.switch_page("metrics.py").run()
    assert not app.exception
    return app


def answers(app: AppTest) -> list[str]:
    """The labels of the buttons that answer the proposal."""
    return [button.label for button in app.button if (button.key or "").startswith("threshold_")]


def plain(app: AppTest) -> str:
    return words(app).replace("\\", "")


@pytest.mark.parametrize(("press_key", "times", "verb"), [("accept", 4, "accepted"), ("decline", 50, "declined")])
def test_a_person_answers_the_proposal(host: Host, press_key: str, times: int, verb: str):
    keep_in_app(corrected=5, same=15)
    app = track_record()
    assert answers(app) == ["Accept 4 times", "Keep 50 times"]
    assert "costs more than 50 times the debate. Proposal for" in plain(app)
    press(app, f"threshold_{press_key}")
    assert not app.exception
    assert answers(app) == []
    assert f"costs more than {times} times the debate." in plain(app)
    assert f"facilitator {verb} 4 times on" in plain(app)
    assert host.thresholds.current() == times


def test_a_second_answer_is_refused(host: Host):
    keep_in_app(corrected=5, same=15)
    first, second = track_record(), track_record()
    press(first, "threshold_accept")
    press(second, "threshold_decline")
    assert not second.exception
    assert [answer.accepted for answer in host.thresholds.answers()] == [True]
    assert any("is answered already" in error.value for error in second.error)


def test_too_few_outcomes_are_said_on_the_page(host: Host):
    keep_in_app(corrected=1, same=0)
    app = track_record()
    assert "No proposal from outcomes yet: it needs 20 decisions" in plain(app)
    assert answers(app) == []


def test_advice_in_set_up_uses_the_accepted_threshold(host: Host):
    proposal = ThresholdProposal("2026 Q3", 40, 5, 0)
    line = ModelLine(id="m", model="m-1", provider="acme", dialect="chat", price=PRICE)
    seats = tuple(SeatDraft(key=name, id=name, who="model", model="m") for name in ("ana", "ben", "cyd"))
    draft = example("Which?", ["release", "revise"]).replace(protocol="bounded_vote", seats=seats, lines=(line,))
    host.drafts.save("setup-mine", draft.replace(triage=Answers(downside_usd="50")).model_dump_json())
    for accepted in (False, True):
        if accepted:
            host.thresholds.answer(proposal, accepted=True, by="Ana")
        app = new_browser()
        app.query_params["draft"] = "mine"
        app.switch_page("setup.py").run()
        step(app, "question", "method")
        assert f"; {8 if accepted else 50} times the debate is $" in plain(app)


def test_an_account_answers_for_itself(host: Host, tmp_path: Path):
    keep_in_app(corrected=5, same=15)
    with organisation(tmp_path):
        una = account_of(host, "Una")
        app = track_record(browser_of("Una"))
        app.user = claims("Ola")
        press(app, "threshold_accept")
        assert any("no longer logged in as the account of this page" in error.value for error in app.error)
        app = track_record(browser_of("Una"))
        press(app, "threshold_accept")
        assert (host.thresholds.current(una), host.thresholds.current()) == (4, 50)
        assert "Una accepted 4 times on" in plain(app)
