"""The room without a browser: visibility, permissions, forms with drafts and error sentences."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine import schedule
from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument, Claim, Synthesis
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat, Source
from tests.app.visiting import drawings, keys, press_part, room, words
from tests.waiting import until

SOURCE = Source(id="E1", title="Load test", text="The primary handled nine thousand writes per second for one hour.")
PEOPLE = [Seat(id="ana", occupant="human", stance="migrate"), Seat(id="ben", occupant="human", stance="stay")]


def opened(host: Host, name: str = "bounded_vote", *others: Seat) -> str:
    spec = compose("Costs $5 or $9?", ["migrate", "stay"], protocol(name), [*PEOPLE, *others], sources=[SOURCE])
    return host.create(spec, by="tests")


def field(app: AppTest, debate: str, name: str, seat: str = "ana", phase: str = "1.proposal") -> str:
    return f"{debate}/{seat}/{phase}:{name}"


def test_without_a_debate_the_room_says_where_to_find_one(app: AppTest):
    app.switch_page("room.py").run()
    assert "No debate is open here" in app.info[0].value


def test_an_unknown_debate_is_named_and_no_error(app: AppTest):
    app.query_params["id"] = "![gone](http://e.example/b.png)"
    app.switch_page("room.py").run()
    # Shown as text: an id from the address is no Markdown, so no picture is asked for.
    assert "There is no debate “\\!\\[gone\\]" in app.error[0].value


def test_room_news_leaves_a_name_being_typed_alone(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "facilitator")
    app.run()
    name, roles = app.text_input(key="name"), app.pills[0]
    assert (name.proto.set_value, roles.proto.set_value) == (False, False)


def test_an_observer_can_do_nothing_but_look(app: AppTest, host: Host):
    room(app, opened(host))
    assert "pause" not in keys(app)
    assert not app.text_area
    assert {"take ana", "take ben"} <= keys(app)
    told = [json.loads(e.proto.json or "{}") for e in app.get("bidi_component")]
    assert {part["part"] for part in told if "part" in part} == {"steps", "status", "nothing", "count"}
    assert app.title[0].value == "Costs \\$5 or \\$9?"


def test_a_taken_seat_survives_a_late_value_of_the_closed_field(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "ana")
    app.pills[0].unselect("ana").run()
    of_before = [kept for kept in app._tree.get_widget_states().widgets if "-roles " in kept.id]
    assert len(of_before) == 1
    app.button(key="take ana").click().run()
    sent = app._tree.get_widget_states()
    sent.widgets.extend(of_before)
    app._run(sent)
    assert "take ana" not in keys(app)


def test_name_and_seat_chosen_before_another_takeover_are_kept(app: AppTest, host: Host):
    room(app, opened(host), "facilitator")
    app.text_input(key="name").set_value("Ana Lopez")
    app.pills[0].select("ben")
    app.button(key="take ana").click().run()
    assert (app.query_params["name"], app.query_params["as"]) == ("Ana Lopez", "facilitator,ana,ben")


@pytest.mark.parametrize(
    ("pressed", "kind"),
    [("pause", "paused"), ("pause_because", "paused"), ("skip 1.proposal.ana.1", "turn_skipped"), ("stop", "stopped")],
)
def test_an_act_is_recorded_under_the_name_typed_before_it(app: AppTest, host: Host, pressed: str, kind: str):
    debate = opened(host)
    room(app, debate, "facilitator")
    app.text_input(key="name").set_value("Ana Lopez").run()
    app.text_input(key="name").set_value("Bo Chen")
    app.text_input(key="reason").input("lunch")
    app.button(key=pressed).click().run()
    assert [event.actor for event in host.events(debate) if event.kind == kind] == ["Bo Chen"]


def test_an_address_of_before_gives_no_seat_back(app: AppTest, host: Host):
    """The browser lacks the address with the roles, and still sends the old field and the old address."""
    room(app, opened(host), "facilitator")
    app.pills[0].select("ben").run()
    of_before = [kept for kept in app._tree.get_widget_states().widgets if "-roles " in kept.id]
    address = app.query_params["as"]
    app.button(key="take ana").click().run()
    app.query_params["as"] = address
    sent = app._tree.get_widget_states()
    sent.widgets.extend(of_before)
    app._run(sent)
    assert app.query_params["as"] == "facilitator,ana,ben"


def test_the_turn_chosen_at_the_press_is_skipped(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "facilitator")
    app.selectbox(key="skipped").set_value("ben")
    app.text_input(key="reason").input("no time")
    app.button(key="skip 1.proposal.ana.1").click().run()
    held = host.state(debate).open
    assert held is not None
    assert [(turn.seat, turn.status) for turn in held.turns()] == [("ben", "skipped")]


def test_a_long_question_starts_in_the_title_and_is_whole_below(app: AppTest, host: Host):
    question = f"{'Which store keeps the orders of a whole year? ' * 40}".strip()
    spec = compose(question, ["migrate", "stay"], protocol("bounded_vote"), PEOPLE)
    room(app, host.create(spec, by="tests"))
    assert len(app.title[0].value) < 170
    assert app.title[0].value.endswith("…")
    assert app.expander[0].label == "The whole question"
    assert app.expander[0].markdown[0].value == question


def test_taking_a_seat_opens_its_form_and_is_kept_in_the_address(app: AppTest, host: Host):
    room(app, opened(host))
    app.button(key="take ana").click().run()
    assert app.text_area
    assert app.query_params["as"] == "ana"


def test_the_facilitator_pauses_and_resumes(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "facilitator")
    app.button(key="pause").click().run()
    assert host.state(debate).paused == "paused in the room, no reason given"
    app.button(key="resume").click().run()
    assert host.state(debate).paused is None


def test_skipping_and_stopping_want_a_reason(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "facilitator")
    for act in ("skip 1.proposal.ana.1", "stop"):
        app.button(key=act).click().run()
        assert "write a reason first" in app.error[0].value
    assert [e.kind for e in host.events(debate)] == ["debate_opened", "phase_began"]
    app.text_input(key="reason").input("no time").run()
    app.button(key="skip 1.proposal.ana.1").click().run()
    assert not app.exception
    assert app.text_input(key="reason").value == ""
    held = host.state(debate).open
    assert held is not None
    assert [(t.seat, t.status, t.message, t.by) for t in held.turns()] == [("ana", "skipped", "no time", "facilitator")]
    app.text_input(key="reason").input("enough").run()
    app.button(key="stop").click().run()
    assert not app.exception
    outcome = host.state(debate).outcome
    assert outcome is not None
    assert outcome.status == "aborted"


def test_a_turn_is_given_with_claims_quotes_and_a_vote(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "ana")
    app.text_area(key=field(app, debate, "rationale")).input("It cannot hold the load.").run()
    app.radio(key=field(app, debate, "vote")).set_value("migrate").run()
    app.button(key=f"{debate}/ana/1.proposal:claims+").click().run()
    app.text_area(key=field(app, debate, "claim0")).input("The peak is known").run()
    app.selectbox(key=field(app, debate, "source0")).set_value("E1").run()
    app.selectbox(key=field(app, debate, "passage0")).set_value("E1.p1").run()
    app.number_input(key=field(app, debate, "confidence")).set_value(80).run()
    app.button(key=f"{debate}/ana/1.proposal:send").click().run()
    held = host.state(debate).open
    assert held is not None
    content = held.turns()[0].content
    assert isinstance(content, Argument)
    assert (content.rationale, content.vote, content.confidence) == ("It cannot hold the load.", "migrate", 80)
    assert [(c.id, c.text, c.source_id, c.quote) for c in content.claims] == [
        ("ana.1.1", "The peak is known", "E1", SOURCE.text)
    ]
    assert host.drafts.text(f"{debate}/ana/1.proposal") is None
    assert not app.text_area


def test_a_refused_turn_says_why_and_keeps_the_draft(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "ana")
    app.text_area(key=field(app, debate, "rationale")).input("Because.").run()
    app.button(key=f"{debate}/ana/1.proposal:send").click().run()
    assert [e.value for e in app.error] == ["Choose a vote\\: migrate, stay, or abstain\\."]
    assert app.text_area(key=field(app, debate, "rationale")).value == "Because."
    assert json.loads(host.drafts.text(f"{debate}/ana/1.proposal") or "{}")["rationale"] == "Because."


def test_a_new_browser_session_finds_the_draft(app: AppTest, host: Host):
    debate = opened(host)
    host.drafts.save(f"{debate}/ana/1.proposal", json.dumps({"rationale": "Half a th", "vote": "stay", "claims#": 1}))
    room(app, debate, "ana")
    assert app.text_area(key=field(app, debate, "rationale")).value == "Half a th"
    assert app.radio(key=field(app, debate, "vote")).value == "stay"
    assert app.text_area(key=field(app, debate, "claim0")).value == ""


def test_ballots_of_a_phase_at_once_are_not_shown_before_its_end(app: AppTest, host: Host):
    debate = opened(host)
    vote = Argument(rationale="Because", vote="stay")
    host.submit(debate, TakeTurn(by="ben", request="1.proposal.ben.1", content=vote))
    room(app, debate)
    assert '"sealed": true' in words(app)
    assert '"cast": 0, "eligible": 2, "bars": []' in words(app)
    host.submit(debate, TakeTurn(by="ana", request="1.proposal.ana.1", content=vote))
    app.run()
    (hero,) = drawings(app, "hero")
    assert (hero["headline"], [bar["has"] for bar in hero["votes"]["bars"]]) == ("stay", [0, 2])
    assert [b.label for b in app.button if b.label.startswith("See")] == ["See the results"]
    (status,) = drawings(app, "status")
    assert status["line"] == "A host of this server may sign."


MINUTES = Source(
    id="E1",
    title="Minutes",
    text="# Minutes\n\n## Load\n\nThe primary holds the writes of the peak in every load test.\n\n"
    "## Costs\n\nThe primary costs us 900 $/month, and a second one as much again.",
)


def test_the_chair_marks_the_passages_of_the_panel_one_at_a_time(app: AppTest, host: Host):
    panel = [
        Seat(id="db", occupant="offline", persona="Writes, primary, load, peak."),
        Seat(id="chair", role="chair", occupant="human"),
    ]
    spec = compose(
        "Does the primary hold the writes?", ["yes", "no"], protocol("expert_panel"), panel, sources=[MINUTES]
    )
    debate = host.create(spec, by="tests")
    _until_asked(host, debate, "chair")
    first, second = schedule.reviewable(host.state(debate))
    form = f"{debate}/chair/2.marking"
    room(app, debate, "chair")
    assert "Minutes, under “Load”" in words(app)
    assert "900" not in words(app)
    labels = [b.label for b in app.button if b.key and b.key.startswith(f"{form}:mark")]
    assert labels == ["For A: yes", "Against A", "For B: no", "Against B", "Neutral", "Skip"]

    app.button(key=f"{form}:send").click().run()
    assert any("You have marked none of the 2 passages" in w.value for w in app.warning)
    assert host.state(debate).marks == {}

    app.button(key=f"{form}:mark {first} supports yes").click().run()
    assert "Minutes, under “Costs”" in words(app)
    app.button(key=f"{form}:mark {second} skipped").click().run()
    app.button(key=f"{form}:look").click().run()
    assert app.button(key=f"{form}:mark {first} supports yes").proto.type == "primary"
    app.button(key=f"{form}:send").click().run()
    marks = host.state(debate).marks
    assert {i: (m.mark.reading, m.mark.option, m.by) for i, m in marks.items()} == {first: ("supports", "yes", "chair")}


def test_a_marking_without_marks_is_sent_by_whoever_confirms_it(app: AppTest, host: Host):
    panel = [Seat(id="db", occupant="offline"), Seat(id="chair", role="chair", occupant="human")]
    spec = compose("Does it hold?", ["yes", "no"], protocol("expert_panel"), panel, sources=[MINUTES])
    debate = host.create(spec, by="tests")
    _until_asked(host, debate, "chair")
    form = f"{debate}/chair/2.marking"
    room(app, debate, "chair")
    app.button(key=f"{form}:send").click().run()
    app.button(key=f"{form}:anyway").click().run()
    assert [t.status for t in host.state(debate).turns if t.seat == "chair"] == ["ok"]


def test_a_person_writes_the_synthesis(app: AppTest, host: Host):
    # R007, R139, R159, R175
    debate = opened(host, "deliberation", Seat(id="syn", role="synthesiser", occupant="human"))
    while (asked := _asked(host, debate)) and asked[0] != "syn":
        state = host.state(debate)
        request = next(r for r in schedule.open_requests(state) if r.seat == asked[0])
        content = Argument.model_validate({"kind": request.gives, "rationale": "r", "claims": ["One", "Two"]})
        host.submit(debate, TakeTurn(by=asked[0], request=request.id, content=content))
    room(app, debate, "syn")
    slot = f"{debate}/syn/2.synthesis"  # the second round brought no new claim, so it was the last one
    app.text_area(key=f"{slot}:answer").input("Stay for now.").run()
    app.selectbox(key=f"{slot}:option").set_value("stay").run()
    app.text_area(key=f"{slot}:strongest1").input("Costs less").run()
    assert "is not linked to a claim or turn" in words(app)
    # Typed as people say it, `b1.1` is the first claim of the second seat.
    app.multiselect(key=f"{slot}:strongest1.links").set_value(["b1.1"]).run()
    assert app.multiselect(key=f"{slot}:strongest1.links~1").value == ["ben.1.1"]
    app.button(key=f"{slot}:send").click().run()
    assert "migrate has no strongest argument" in words(app)
    app.checkbox(key=f"{slot}:strongest0.none").set_value(True).run()
    app.button(key=f"{slot}:send").click().run()
    given = host.state(debate).turns[-1].content
    assert isinstance(given, Synthesis)
    assert (given.answer, given.option) == ("Stay for now.", "stay")
    assert [(s.option, s.text, s.links) for s in given.strongest] == [
        ("migrate", "Nobody argued for this option.", ()),
        ("stay", "Costs less", ("ben.1.1",)),
    ]
    outcome = host.state(debate).outcome
    assert outcome is not None
    assert outcome.decision == "stay"


def test_code_fills_synthesis_lines_but_not_the_judgement(app: AppTest, host: Host):
    # R159, R194: code links the claims that were made, and names no option
    debate = opened(host, "deliberation", Seat(id="syn", role="synthesiser", occupant="human"))
    while (asked := _asked(host, debate)) and asked[0] != "syn":
        request = next(r for r in schedule.open_requests(host.state(debate)) if r.seat == asked[0])
        said = {"ana": {"claims": ["It is slow"]}, "ben": {"concedes": ["ana.1.1"]}}[asked[0]]
        content = Argument.model_validate({"kind": request.gives, "rationale": "r", **said})
        host.submit(debate, TakeTurn(by=asked[0], request=request.id, content=content))
    room(app, debate, "syn")
    slot = f"{debate}/syn/2.synthesis"  # the second round brought no new claim, so it was the last one
    app.button(key=f"{slot}:code").click().run()
    assert not app.exception
    assert app.text_area(key=f"{slot}:established0").value == "It is slow"
    # Each field gets this as it appears. Written into it later, it would take back what a hand has changed meanwhile.
    app.run()
    assert app.text_area(key=f"{slot}:established0").value == "It is slow"
    assert not [f.key for f in (*app.text_area, *app.multiselect, *app.checkbox) if f.proto.set_value]
    assert app.multiselect(key=f"{slot}:established0.links").value == ["ana.1.1"]
    assert app.text_area(key=f"{slot}:answer").value == ""
    assert app.selectbox(key=f"{slot}:option").value is None


def _asked(host: Host, debate: str) -> list[str]:
    return [r.seat for r in schedule.open_requests(host.state(debate))]


def _until_asked(host: Host, debate: str, seat: str) -> None:
    until(lambda: seat in _asked(host, debate))


def test_missing_fields_are_named_and_cleared_as_they_are_filled(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "ana")
    assert not app.error
    app.button(key=f"{debate}/ana/1.proposal:send").click().run()
    assert [e.value.replace("\\", "") for e in app.error] == [
        "Your argument is empty: say why.",
        "Choose a vote: migrate, stay, or abstain.",
    ]
    app.text_area(key=field(app, debate, "rationale")).input("Because.").run()
    assert len(app.error) == 1
    app.radio(key=field(app, debate, "vote")).set_value("stay").run()
    assert not app.error
    app.button(key=f"{debate}/ana/1.proposal:send").click().run()
    assert "ana" not in _asked(host, debate)


def test_pressing_a_claim_links_it_and_again_unlinks_it(app: AppTest, host: Host):
    debate = opened(host)
    for _ in range(2):
        asked = schedule.open_requests(host.state(debate))[0]
        vote = "stay" if asked.seat == "ana" else "migrate"
        said = Argument(rationale="r", vote=vote, claims=(Claim(text=f"{asked.seat} says so"),))
        host.submit(debate, TakeTurn(by=asked.seat, request=asked.id, content=said))
    seat = _asked(host, debate)[0]
    room(app, debate, seat)
    other = "ben" if seat == "ana" else "ana"
    (rail,) = drawings(app, "rail")
    (claim,) = rail["claims"]
    assert (claim["text"], claim["chosen"]) == (f"{other} says so", False)
    assert f"{other}.1" not in json.dumps(rail)
    press_part(app, "rail", "open", claim["id"])
    assert drawings(app, "rail")[0]["claims"][0]["chosen"]
    links = next(m for m in app.multiselect if m.label == "Claims you answer")
    assert links.value == ["seat_b.1.1"]
    next(s for s in app.selectbox if s.label.startswith("A claim that")).set_value("concedes").run()
    press_part(app, "rail", "open", claim["id"])
    press_part(app, "rail", "open", claim["id"])
    assert next(m for m in app.multiselect if m.label == "Claims you concede").value == []
