"""The option that means yes, on the set-up page."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from tests.app.test_setup import button, fill, page
from tests.app.visiting import step


def test_facilitator_marks_the_option_that_means_yes(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "question", "kind")
    # By its words: "adopt".
    assert app.selectbox(key="setup_yes_adopt").value == "adopt"
    app.selectbox(key="setup_yes_adopt").set_value("").run()
    button(app, "Start debate").click().run()
    assert host.state(host.debates()[0].id).spec.yes_option == ""


def test_which_of_question_asks_for_no_yes(app: AppTest):
    page(app)
    fill(app, "Which connectors do we take?")
    step(app, "question", "kind")
    assert not [box for box in app.selectbox if (box.key or "").startswith("setup_yes_")]
