"""Set-up: whether a debate is the right thing. It advises, is kept only if wanted, and holds nothing back."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.spec.advice import QUESTIONS, Answers
from debate_core.ui.setup.advice import read_amount
from debate_core.ui.setup.draft import SetupDraft
from tests.app.visiting import new_browser, step


def page(app: AppTest) -> AppTest:
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").set_value("Should we adopt the new connectors?")
    app.text_input(key="setup_option_o1").set_value("adopt")
    app.text_input(key="setup_option_o2").set_value("defer").run()
    return step(app, "question", "method")


def shown(app: AppTest) -> str:
    return "\n".join(m.value for m in app.markdown).replace("\\", "")


def answer(app: AppTest, name: str, value: str) -> None:
    app.selectbox(key=f"setup_triage_{name}").set_value(value)


def start(app: AppTest) -> None:
    next(b for b in app.button if b.label == "Start debate").click().run()
    assert not app.exception


def test_every_question_is_asked_and_unknown_at_first(app: AppTest, host: Host):
    page(app)
    asked = {q.name: app.selectbox(key=f"setup_triage_{q.name}").value for q in QUESTIONS}
    assert asked == dict.fromkeys(asked, "unknown")
    assert "Cannot say: 13 questions are still open" in shown(app)


def test_objections_of_triage_are_shown_and_block_no_start(app: AppTest, host: Host):
    # R064, R131
    page(app)
    answer(app, "modal", "yes")
    app.run()
    assert "Something simpler: 1 answer speaks against a debate" in shown(app)
    assert "In step 3, Protocol: Independent answers" in shown(app)
    start(app)
    assert host.state(host.debates()[0].id).spec.context == ""


def test_the_words_are_kept_only_if_somebody_wants_it(app: AppTest, host: Host):
    # R142
    page(app)
    for question in QUESTIONS:
        answer(app, question.name, question.wanted)
    app.checkbox(key="setup_triage_keep").check().run()
    assert "Debate it: all conditions hold" in shown(app)
    start(app)
    context = host.state(host.debates()[0].id).spec.context
    assert context.startswith(
        "Whether to debate this was asked before the start. Debate it: all conditions hold and nothing rules it out.\n"
    )
    assert "Open: Not known: what a wrong decision would cost and what the debate would cost." in context


def test_an_amount_that_is_none_is_refused_and_the_rest_stays(app: AppTest, host: Host):
    # R244: people's time has no price here, so the gate stays open
    page(app)
    app.text_input(key="setup_triage_downside").set_value("a lot").run()
    assert "is not an amount in USD" in shown(app)
    app.text_input(key="setup_triage_downside").set_value("$50,000").run()
    assert "is not an amount" not in shown(app)
    assert "Cannot say" in shown(app)


@pytest.mark.parametrize(
    ("typed", "usd"),
    [
        ("50000", "50000"),
        ("50.000", "50000"),
        ("$ 50,000", "50000"),
        ("1,234,567.5", "1234567.5"),
        ("1.234.567,50", "1234567.50"),
        ("0,75", "0.75"),
        ("1.234.56", None),
        ("1,23,456", None),
        ("50.0000", None),
        ("1234567890", None),
    ],
)
def test_an_amount_is_read_as_it_is_written_here_and_elsewhere(typed: str, usd: str | None):
    assert read_amount(typed) == usd


def test_sides_follow_from_the_kind_of_question(app: AppTest, host: Host):
    # R149
    page(app)
    app.selectbox(key="setup_triage_kind").set_value("plans").run()
    sides = next(c.value for c in app.caption if c.value.startswith("Sides to assign"))
    assert "adopt is the best plan" in sides
    assert "defer is the best plan" in sides


def test_answers_survive_a_reload(app: AppTest, host: Host):
    page(app)
    answer(app, "check", "yes")
    app.run()
    address = app.query_params["draft"]
    again = new_browser()
    again.query_params["draft"] = address
    again.switch_page("setup.py").run()
    step(again, "question", "method")
    assert again.selectbox(key="setup_triage_check").value == "yes"


def test_a_draft_kept_by_an_older_page_has_no_answers():
    assert SetupDraft.model_validate({"question": "Q?"}).triage == Answers()
