"""Screens for an unresolved outcome: the fields of set-up, the results, the draft of a follow-up debate."""

from datetime import UTC, datetime, timedelta

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import BOUNDED_VOTE, compose, protocol
from debate_core.spec.rules import Escalation
from debate_core.spec.values import Seat
from debate_core.ui.kit.dates import day_words, spell_days
from debate_core.ui.setup.draft import SeatDraft, example
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.rules import with_rules
from tests.app.visiting import new_browser, results, step, words

BOARD = Escalation(to="Board of $1 & <b>", by="2999-01-15")
DUE = (datetime.now(UTC) + timedelta(days=30)).date()
SENTENCE = "The open points go to Board of $1 & <b>, due on 2999-01-15."


def split(host: Host, *votes: str) -> str:
    """A debate of two people under rules with an addressee, over after one round."""
    rules = BOUNDED_VOTE.model_copy(update={"escalation": BOARD})
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    spec = compose(
        "Do we move?", ("adopt", "defer", "reject"), rules, seats, max_rounds=1, threshold=2, task="security"
    )
    debate = host.create(spec, by="tests")
    for phase in ("proposal", "critique", "revision", "consensus"):
        for seat, vote in zip(("ana", "ben"), votes, strict=True):
            if host.state(debate).outcome is None:
                said = Argument(rationale="why", vote=vote)
                host.submit(debate, TakeTurn(by=seat, request=f"1.{phase}.{seat}.1", content=said))
    return debate


def shown(app: AppTest) -> str:
    return words(app).replace("\\", "")


def links(app: AppTest) -> list[str]:
    return [element.proto.label for element in app.get("page_link")]


def test_unresolved_results_lead_to_a_follow_up_draft(app: AppTest, host: Host):
    debate = split(host, "adopt", "defer")
    for visitor in (app, new_browser()):
        results(visitor, debate)
        assert spell_days(SENTENCE) in shown(visitor)
        assert "Prepare the follow-up debate" in links(visitor)
    visitor = new_browser()
    visitor.query_params["follow"] = debate
    visitor.switch_page("setup.py").run()
    assert not visitor.exception
    assert visitor.text_area(key="setup_question").value == "Do we move?"
    fields = [f.value for f in visitor.text_input if str(f.key).startswith("setup_option_")]
    assert fields == ["adopt", "defer"]
    draft = visitor.session_state["setup_draft"]
    assert (draft.parent, draft.triage.task) == (debate, "security")
    assert [source.title for source in draft.sources] == ["Open points: Do we move?"]
    step(visitor, "material")
    assert SENTENCE in str(visitor.text_area(key="setup_background").value)
    seats = tuple(SeatDraft(key=name, id=name, who="human") for name in ("ana", "ben"))
    ready = visitor.session_state["setup_draft"].replace(seats=seats)
    assert SENTENCE in spec_from(ready).context


def test_decided_results_offer_no_follow_up(app: AppTest, host: Host):
    debate = split(host, "adopt", "adopt")
    results(app, debate)
    assert "open points" not in shown(app)
    assert "Prepare the follow-up debate" not in links(app)
    visitor = new_browser()
    visitor.query_params["follow"] = debate
    visitor.switch_page("setup.py").run()
    assert not visitor.exception
    assert "the debate is decided, so that no point is left for a follow-up" in shown(visitor)
    assert visitor.text_area(key="setup_question").value == ""


def test_setup_takes_an_addressee_and_a_date(app: AppTest, host: Host):
    app.switch_page("setup.py").run()
    step(app, "people", "undecided")
    app.date_input(key="setup_escalate_by_expert_panel").set_value(DUE).run()
    assert "Name who takes the open points" in words(app)
    app.text_input(key="setup_escalate_to_expert_panel").set_value("Board").run()
    assert app.session_state["setup_draft"].rules().escalation == Escalation(to="Board", by=DUE.isoformat())
    assert f"If nothing is decided, the open points go to Board, due on {day_words(DUE)}." in shown(app)
    # A draft can be older than its date.
    draft = app.session_state["setup_draft"]
    app.session_state["setup_draft"] = draft.with_own(
        draft.shipped().model_copy(update={"escalation": Escalation(to="Board", by="2020-01-01")})
    )
    step(app, "question")
    step(app, "people")
    assert not app.exception


def test_a_draft_keeps_and_drops_the_addressee_of_its_rules():
    seats = tuple(SeatDraft(key=name, id=name, who="human") for name in ("ana", "ben"))
    rules = BOUNDED_VOTE.model_copy(update={"escalation": BOARD})
    draft = example("Do we move?", ["adopt", "defer"]).replace(seats=seats, protocol=rules.name, own=rules)
    spec = spec_from(draft)
    assert spec.protocol.escalation == BOARD
    assert spec_from(draft_of(spec)) == spec
    # Under another protocol the open points go to the same addressee.
    assert with_rules(draft, protocol("society")).rules().escalation == BOARD
