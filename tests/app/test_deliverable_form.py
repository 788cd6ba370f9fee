"""The deliverable on screens: its schema in set-up, the field of the writer, the results."""

import json

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.acts import SynthesisRevised
from debate_core.record.commands import Act
from debate_core.report.facts.synthesis import versions
from debate_core.spec.presets import protocol
from debate_core.spec.protocol_changes import with_output_schema
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.readiness import problem
from debate_core.ui.setup.rules import with_rules
from tests.app.test_setup import button, fill, page, shown
from tests.app.test_synthesis_desk import DRAFT, opened, words
from tests.app.visiting import at, step, take_protocol
from tests.people import OLA, SYD

SCHEMA = json.dumps({"type": "object", "properties": {"decision": {"type": "string"}}, "required": ["decision"]})
GOOD, BAD = '{"decision": "adopt"}', '{"cost": 3}'


def codes(app: AppTest) -> str:
    return "\n".join(code.value for code in app.code)


def test_a_schema_in_set_up_is_checked_and_agreed(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "people", "protocol")
    # Where votes decide, a synthesis only accompanies the count.
    assert not [area for area in app.text_area if "JSON Schema" in area.label]
    take_protocol(app, "deliberation")
    typed = "setup_output_schema_deliberation"
    app.text_area(key=typed).set_value('{"type": 7}').run()
    assert "The output schema is no valid JSON Schema at" in shown(app)
    assert "Not ready" in shown(app)
    app.text_area(key=typed).set_value(SCHEMA).run()
    assert "no valid JSON Schema" not in shown(app)
    assert "The synthesis contains a deliverable, which is checked against a JSON Schema." in words(app)
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert spec.protocol.output_schema == SCHEMA
    # A follow-up debate begins with the same schema, and can leave it out.
    draft = draft_of(spec)
    assert spec_from(draft).protocol.output_schema == SCHEMA
    assert spec_from(draft.with_own(with_output_schema(draft.shipped(), ""))).protocol.output_schema is None


def test_set_up_is_not_ready_where_no_seat_writes_a_synthesis(app: AppTest):
    page(app)
    fill(app)
    draft: SetupDraft = app.session_state["setup_draft"]
    with_schema = draft.with_own(with_output_schema(draft.shipped(), SCHEMA))
    assert problem(with_schema) is None
    without = with_rules(with_schema, protocol("bounded_vote"))
    assert "no seat writes a synthesis" in str(problem(without))


def test_the_writer_sees_what_does_not_match_and_may_send_it(app: AppTest, host: Host):
    debate = opened(host, until="syn", schema=SCHEMA)
    slot = f"{debate}/syn/1.synthesis.{SYD.id}"
    at(app, debate, SYD)
    assert '"decision"' in codes(app)
    app.text_area(key=f"{slot}:answer").input("The queue is fast enough.").run()
    for number in range(2):
        app.checkbox(key=f"{slot}:strongest{number}.none").set_value(True).run()
    app.text_area(key=f"{slot}:deliverable").input("{").run()
    assert "The deliverable is not readable JSON" in words(app)
    app.button(key=f"{slot}:send").click().run()
    assert requests(host.state(debate)) != ()
    app.text_area(key=f"{slot}:deliverable").input(BAD).run()
    assert "does not match its schema at $: 'decision' is missing" in words(app)
    app.button(key=f"{slot}:send").click().run()
    assert "it is then marked as not matching" in "\n".join(w.value for w in app.warning)
    assert requests(host.state(debate)) != ()
    app.button(key=f"{slot}:anyway").click().run()
    assert versions(host.state(debate))[-1].content.deliverable == BAD
    # The desk begins with it, and a later version replaces it.
    desk = f"{debate}/{SYD.id}/synthesis"
    at(app, debate, SYD)
    assert json.loads(app.text_area(key=f"{desk}:deliverable").value or "") == json.loads(BAD)
    app.text_area(key=f"{desk}:deliverable").input(GOOD).run()
    assert "It matches the schema." in words(app)


def test_results_show_the_deliverable_and_its_mismatch(app: AppTest, host: Host):
    debate = opened(host, schema=SCHEMA)
    told = at(app, debate, OLA, "results.py", tab="Evidence")
    assert "The deliverable is missing" in "\n".join(w.value for w in told.warning)
    version = DRAFT.model_copy(update={"deliverable": GOOD, "contested": ()})
    host.submit(debate, Act(by=SYD.id, act=SynthesisRevised(content=version)))
    told = at(app, debate, OLA, "results.py", tab="Evidence")
    assert '"decision": "adopt"' in codes(told)
    assert "The deliverable" not in "\n".join(w.value for w in told.warning)
