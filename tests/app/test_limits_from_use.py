"""Set-up takes over limits from earlier debates with one press."""

import os
from contextlib import closing

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.stores import open_store
from debate_core.report.facts.limits_from_use import LEAST_DEBATES
from debate_core.spec.models import ModelLine
from debate_core.ui.setup.draft import LimitsDraft, SeatDraft, SetupDraft, example
from tests.app.visiting import new_browser, press, step, words
from tests.paid import begin, paid_spec, use


def keep_debates(numbers: range) -> None:
    """Finished debates of three calls, 3,600 tokens and 900 seconds."""
    with closing(open_store(os.environ["DEBATE_DB"])) as store:
        for number in numbers:
            hand = begin(paid_spec(), f"d-{number}")
            for seat in ("planner", "critic", "operator"):
                hand.after(300).take(f"1.proposal.{seat}.1", "release", use(1_000, 200, "0.02"))
            store.append(hand.state.debate, hand.events, after=0)


def open_limits(host: Host) -> AppTest:
    """Set-up with models under `bounded_vote`, and a limit of 2 USD."""
    seats = tuple(SeatDraft(key=name, id=name, who="model", model="m") for name in ("ana", "ben", "cyd"))
    line = ModelLine(id="m", model="m-1", provider="acme", dialect="chat", base_url="http://acme.test/v1")
    draft = example("Which?", ["release", "revise"])
    draft = draft.replace(protocol="bounded_vote", seats=seats, lines=(line,), limits=LimitsDraft(usd="2"))
    host.drafts.save("setup-mine", draft.model_dump_json())
    app = new_browser()
    app.query_params["draft"] = "mine"
    app.switch_page("setup.py").run()
    return step(app, "people", "limits")


def fill_limits(host: Host) -> tuple[AppTest, dict[str, str]]:
    """Press the button in a new set-up; the page, and its fields."""
    app = open_limits(host)
    press(app, "setup_limits_from_use")
    assert not app.exception
    return app, {
        name: str(app.text_input(key=f"setup_limit_{name}").value) for name in ("usd", "calls", "tokens", "minutes")
    }


def test_one_press_fills_limits_from_enough_debates(host: Host):
    keep_debates(range(LEAST_DEBATES - 1))
    app, fields = fill_limits(host)
    assert fields == {"usd": "2", "calls": "", "tokens": "", "minutes": ""}
    unknown = f"Unknown for bounded vote: it needs at least {LEAST_DEBATES} finished debates"
    assert unknown in words(app).replace("\\", "")

    keep_debates(range(LEAST_DEBATES - 1, LEAST_DEBATES))
    app, fields = fill_limits(host)
    assert fields == {"usd": "2", "calls": "5", "tokens": "5400", "minutes": "24"}
    draft: SetupDraft = app.session_state["setup_draft"]
    assert draft.limits == LimitsDraft(usd="2", calls="5", tokens="5400", minutes="24")
    assert "From 20 debates under bounded vote: 5 calls, 5,400 tokens" in words(app).replace("\\", "")
