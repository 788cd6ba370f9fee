"""The moderator's search of the sources, chosen in set-up and shown in the room."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.tools import moderator_search, with_moderator_search
from debate_core.ui.setup.draft import SetupDraft, example
from debate_core.ui.setup.mapping import draft_of, spec_from
from tests.app.visiting import step, take_protocol


def test_moderator_may_search_if_set_up_says_so(app: AppTest, host: Host):
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").set_value("Should we adopt the new connectors?")
    app.text_input(key="setup_option_o1").set_value("adopt")
    app.text_input(key="setup_option_o2").set_value("defer").run()
    step(app, "people", "protocol")
    assert not any(box.key == "setup_search_expert_panel" for box in app.checkbox)
    take_protocol(app, "moderated_judge")
    step(app, "people", "protocol")
    app.checkbox(key="setup_search_moderated_judge").check().run()
    captions = "\n".join(caption.value for caption in app.caption)
    assert "Before a turn, up to 3 searches of the sources are allowed for: moderator" in captions
    next(b for b in app.button if b.label == "Start debate").click().run()
    assert not app.exception
    spec = host.state(host.debates()[0].id).spec
    assert moderator_search(spec.protocol) == "allowed"
    again = draft_of(spec)
    again = again.with_own(with_moderator_search(again.shipped(), "none"))
    assert spec_from(again).protocol == PROTOCOLS["moderated_judge"]


def test_draft_without_a_choice_keeps_the_protocol():
    draft = SetupDraft(question="Q?", options=example("", ("a", "b")).options, protocol="moderated_judge")
    assert draft.rules() == PROTOCOLS["moderated_judge"]
    assert spec_from(draft_of(spec_from(draft))) == spec_from(draft)
