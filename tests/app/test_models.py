"""Models on the screens, against a real server on loopback: set-up, the room, results. No key is ever shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.record.events import AttemptStarted
from debate_core.record.state import State
from debate_core.spec.contents import Argument
from debate_core.spec.rules import Ceiling, MaxRounds
from debate_core.ui.kit.words import event_line
from debate_core.ui.setup.draft import LimitsDraft, OfficeDraft, SeatDraft, SetupDraft, example
from debate_core.ui.setup.mapping import ceiling_from, limited, spec_from
from debate_core.ui.setup.readiness import doubts, problem
from debate_core.ui.setup.steps import TITLES
from tests.app.visiting import (
    count_controls,
    keys,
    let_decide,
    new_browser,
    parts_of,
    press_label,
    results,
    step,
    take_protocol,
)
from tests.model_faults import Fault
from tests.model_server import ModelServer
from tests.waiting import until

KEY = "sk-trial-4f9c0d2e7b"
PANELS = """
[lines.sonnet]
provider = "anthropic"
family = "anthropic"
model = "claude-sonnet-5-5"
dialect = "messages"
base_url = "{root}"
key_env = "TRIAL_KEY"
max_tokens = 2000
parallel = 8

[lines.haiku]
provider = "anthropic"
family = "anthropic"
model = "claude-haiku-5-5"
dialect = "messages"
base_url = "{root}"
key_env = "TRIAL_KEY"
max_tokens = 2000
parallel = 8

[lines.terra]
provider = "openai"
family = "openai"
model = "gpt-6.1-terra"
dialect = "responses"
base_url = "{root}/v1"
max_tokens = 2000
parallel = 8

[lines.large]
provider = "mistral"
family = "mistral"
model = "mistral-large-4"
dialect = "chat"
base_url = "https://models.example/v1"
key_env = "ELSEWHERE_KEY"

[lines.here]
provider = "here"
dialect = "chat"
base_url = "{root}/v1"
price = {{ input = "0", output = "0" }}

[panels.mixed]
title = "Two families"
debaters = ["sonnet", "terra"]

[panels.one]
title = "One family"
debaters = ["sonnet", "haiku"]

[panels.elsewhere]
title = "Elsewhere"
debaters = ["large"]
"""


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.reset(votes=["adopt"], text_chars=200)
    return running


@pytest.fixture
def host(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host whose panel file points to the server, as an installation with one key has it."""
    (tmp_path / "panels.toml").write_text(PANELS.format(root=server.url), "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(tmp_path / "panels.toml"))
    monkeypatch.setenv("DEBATE_DB", f"sqlite:///{tmp_path / 'debates.db'}")
    monkeypatch.setenv("TRIAL_KEY", KEY)
    reset_shared_host()
    yield shared_host()
    reset_shared_host()


def page(app: AppTest, name: str = "setup.py", **params: str) -> AppTest:
    for key, value in params.items():
        app.query_params[key] = value
    app.switch_page(name).run()
    assert not app.exception
    return app


def told(app: AppTest) -> str:
    """Return the text of the page without Markdown escapes."""
    parts = (*app.title, *app.header, *app.subheader, *app.markdown, *app.caption, *app.error)
    return "\n".join(str(e.value) for e in parts).replace("\\", "").replace("\u200b", "")


def fill(app: AppTest) -> None:
    app.text_area(key="setup_question").set_value("Should we adopt the new connectors?")
    app.text_input(key="setup_option_o1").set_value("adopt")
    app.text_input(key="setup_option_o2").set_value("defer").run()


def seated(app: AppTest, panel: str) -> AppTest:
    page(app)
    fill(app)
    step(app, "people", "seats")
    app.selectbox(key="setup_panel").set_value(panel).run()
    assert not app.exception
    return app


def most_usd(app: AppTest) -> str:
    """The maximum cost on the card beside the form."""
    return next(line for line in told(app).splitlines() if "attach_money" in line).rpartition("at most ")[2]


def draft_name(app: AppTest) -> str:
    name = app.query_params["draft"]
    return name if isinstance(name, str) else name[0]


def who_sits(app: AppTest) -> list[str]:
    step(app, "people", "seats")
    return [str(s.value) for s in app.selectbox if (s.key or "").endswith("_who")]


def ended(host: Host) -> State:
    debate_id = host.debates()[0].id
    until(lambda: host.state(debate_id).outcome)
    return host.state(debate_id)


def test_a_panel_of_models_debates_and_results_show_its_cost(app: AppTest, host: Host, server: ModelServer):
    server.set(faults=[Fault("wrong_fields", at=(2,))])
    seated(app, "mixed")
    assert who_sits(app) == ["model:sonnet", "model:terra", "model:sonnet"]
    assert "About **7 calls**" in told(app)
    assert "Single family" not in told(app)
    press_label(app, "Start debate")
    state = ended(host)
    spec = state.spec
    assert [(s.id, s.model, s.family) for s in spec.seats if s.role == "synthesiser"] == [
        ("synthesiser", "terra", "openai")
    ]
    assert {m.id for m in spec.models} == {"sonnet", "terra"}
    assert spec.templates != ()
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "adopt")
    (shown,) = parts_of(results(app, state.debate, "Transcript"), "transcript")
    assert any("attempt 2" in remark for entry in shown["entries"] for remark in entry["remarks"])
    results(app, state.debate, "Process")
    assert "Models and cost" in told(app)
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["Calls"] == str(len(server.log)) == "5"
    assert f"Paid to models: {shown['Cost']}" in told(app)
    assert shown["Cost"].endswith("USD")
    used = app.dataframe[-1].value
    assert list(used["Answered by"]) == ["claude-sonnet-5-5", "gpt-6.1-terra", "claude-sonnet-5-5", "gpt-6.1-terra"]
    assert sum(used["Failed attempts"]) == 1
    page(app, "record.py", id=state.debate)
    assert KEY not in str(app)
    told_events = [event_line(e) for e in host.events(state.debate)]
    assert any("attempt 2; reserved: at most" in said for said in told_events)


@pytest.mark.slow
@pytest.mark.parametrize("decider", ["room", "panel", "debaters", "judge"])
def test_set_up_shows_at_most_40_controls(decider: str, app: AppTest, host: Host):
    """Four models debate; each step is opened, with each of its sections under *More settings*."""
    page(app)
    fill(app)
    let_decide(app, decider)
    step(app, "people", "seats")
    for _seat in range(4 - len(app.session_state["setup_draft"].panel())):
        press_label(app, "Add a seat")
    app.selectbox(key="setup_panel").set_value("mixed").run()
    for name in TITLES:
        step(app, name)
        assert count_controls(app) <= 40, name
        rows = [key.removeprefix(f"setup_open_{name}_") for key in keys(app) if key.startswith("setup_open_")]
        assert rows or name == "material"
        for row in rows:
            step(app, name, row)
            assert count_controls(app) <= 40, (name, row)


def test_models_may_be_shown_the_earlier_votes(app: AppTest, host: Host):
    seated(app, "mixed")
    step(app, "people", "protocol")
    assert "Models that vote see" not in told(app)
    app.checkbox(key="setup_votes_told_expert_panel").check().run()
    assert "Models that vote see the earlier votes." in told(app)
    spec = spec_from(app.session_state["setup_draft"])
    assert {p.sees.votes for p in spec.protocol.phases() if p.role == "debater"} == {"shown"}
    app.checkbox(key="setup_votes_told_expert_panel").uncheck().run()
    assert app.session_state["setup_draft"].rules().votes_told == "hidden"


def test_seat_edits_just_before_applying_a_panel_are_kept(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "people", "seat")
    first = app.session_state["setup_draft"].panel()[0]
    of_seat = f"setup_seat_{first.key}"
    app.text_input(key=f"{of_seat}_id").set_value(" operator ")
    app.selectbox(key=f"{of_seat}_stance").set_value("defer")
    app.text_input(key=f"{of_seat}_persona").set_value("Is called at night.")
    app.selectbox(key=f"{of_seat}_commitment").set_value("open")
    app.number_input(key=f"{of_seat}_weight").set_value(3)
    # The choice comes together with them, in one run.
    app.selectbox(key="setup_panel").set_value("mixed").run()
    assert app.selectbox(key="setup_panel").value is None
    seat = app.session_state["setup_draft"].panel()[0]
    assert (seat.id, seat.stance, seat.persona) == ("operator", "defer", "Is called at night.")
    assert (seat.commitment, seat.weight, seat.model) == ("open", 3, "sonnet")


# R199, R249
def test_a_key_is_enough_and_the_default_budget_applies(app: AppTest, host: Host, server):
    page(app)
    fill(app)
    # Of the one family whose key is set, the cheaper model.
    assert who_sits(app) == ["model:haiku"] * 3
    step(app, "people", "seat")
    assert "A key is set on this server, so the cheapest" in told(app)
    assert "About **4 calls**" in told(app)
    assert "The keys on this server lead to models of one family" in told(app)
    step(app, "people", "limits")
    assert app.text_input(key="setup_limit_usd").value == "0.50"
    assert "Limits: 0.50 USD" in told(app)
    assert most_usd(app) == "0.50 USD"
    app.text_input(key="setup_limit_usd").set_value("2").run()
    assert "Limits: 2 USD" in told(app)
    assert most_usd(app) == "2.00 USD"
    press_label(app, "Start debate")
    state = ended(host)
    assert state.spec.protocol.name == "checked_answers"
    assert (state.spec.protocol.stop[0], {s.model for s in state.spec.seats}) == (Ceiling(usd="2"), {"haiku"})
    assert {call.model for call in server.log} == {"claude-haiku-5-5"}


def test_instructions_of_a_seat_reach_its_model_alone(app: AppTest, host: Host, server):
    page(app)
    fill(app)
    step(app, "people", "seat")
    first = app.session_state["setup_draft"].panel()[0]
    app.text_area(key=f"setup_seat_{first.key}_instructions").set_value("Count in euros.").run()
    press_label(app, "Start debate")
    spec = ended(host).spec
    assert [seat.id for seat in spec.seats if seat.instructions] == [first.id]
    assert ["Count in euros." in str(call.body) for call in server.log].count(True) == 1


def test_where_nobody_knows_a_price_there_is_no_usual_limit(app: AppTest, host: Host):
    page(app)
    fill(app)
    draft = SetupDraft.model_validate_json(host.drafts.text(f"setup-{draft_name(app)}") or "")
    assert limited(draft).stop[0] == Ceiling(usd="0.50")
    unpriced = tuple(line.model_copy(update={"model": "claude-of-nobody"}) for line in draft.lines)
    assert spec_from(draft.model_copy(update={"lines": unpriced})).ceiling() is None
    by_people = draft.model_copy(update={"seats": tuple(SeatDraft(key=k, id=k, who="human") for k in "ab")})
    none = tuple(OfficeDraft(role=office.role, who="human") for office in draft.all_offices())
    assert spec_from(by_people.model_copy(update={"offices": none})).ceiling() is None


def test_set_up_rotates_models_of_two_families(app: AppTest, host: Host):
    seated(app, "mixed")
    step(app, "people", "protocol")
    box = next(box for box in app.checkbox if (box.key or "").startswith("setup_rotates_"))
    box.set_value(True).run()
    draft = SetupDraft.model_validate_json(host.drafts.text(f"setup-{draft_name(app)}") or "")
    assert spec_from(draft).protocol.rotate_models is True
    assert "The models rotate" in told(app)
    one_family = draft.model_copy(update={"seats": tuple(SeatDraft(key=k, id=k, who="human") for k in "ab")})
    assert not one_family.can_rotate()


# R059, R163
def test_a_single_family_is_seen_before_the_start(app: AppTest, host: Host):
    seated(app, "one")
    assert "Single family: shared-bias risk" in told(app)
    assert "are of one family (anthropic)" in told(app)


def test_a_model_without_a_key_is_disabled_with_its_variable(app: AppTest, host: Host):
    page(app)
    step(app, "people", "seats")
    assert app.selectbox(key="setup_panel").options == ["Two families", "One family"]
    first = next(s for s in app.selectbox if (s.key or "").endswith("_who"))
    assert first.options == [
        "Quoting program",
        "A person",
        "claude-sonnet-5-5 · anthropic",
        "claude-haiku-5-5 · anthropic",
        "gpt-6.1-terra · openai",
    ]
    assert "`ELSEWHERE_KEY`: mistral-large-4 · mistral" in told(app)
    assert ".streamlit/secrets.toml" in told(app)


def test_without_any_model_the_page_says_so_and_stays_as_it_was(app: AppTest, host: Host, monkeypatch):
    monkeypatch.setenv("SWARM_MOCK", "true")
    reset_shared_host()
    step(page(app), "people", "seats")
    assert "Without a model, a seat quotes your documents" in told(app)
    assert "setup_panel" not in {s.key for s in app.selectbox}
    assert not [e for e in app.expander if "server" in e.label or "key" in e.label]


def test_a_draft_with_models_survives_a_reload(app: AppTest, host: Host):
    seated(app, "mixed")
    draft = host.drafts.text(f"setup-{draft_name(app)}") or ""
    fresh = new_browser()
    page(fresh, draft=draft_name(app))
    assert who_sits(fresh) == ["model:sonnet", "model:terra", "model:sonnet"]
    assert SetupDraft.model_validate_json(draft).office("synthesiser").model == "terra"


def test_a_chosen_model_without_a_key_blocks_the_start(app: AppTest, host: Host):
    page(app)
    fill(app)
    kept = SetupDraft.model_validate_json(shared_host().drafts.text(f"setup-{draft_name(app)}") or "")
    seats = tuple(SeatDraft(key=f"k{n}", id=f"s{n}", who="model", model="large") for n in range(3))
    app.session_state["setup_draft"] = kept.model_copy(update={"seats": seats})
    app.run()
    step(app, "people")
    assert who_sits(app) == ["model:large"] * 3
    assert "Not ready:**] The model mistral-large-4 needs a key: set ELSEWHERE_KEY" in told(app)
    press_label(app, "Start debate")
    assert host.debates() == ()


def test_a_forbidden_address_is_refused_with_the_hosts_sentence(app: AppTest, host: Host):
    page(app)
    step(app, "people", "seats")
    app.selectbox(key="setup_server").set_value("").run()
    for address, words in (
        ("http://10.1.2.3:8000/v1", "add the line to the panel file, or the address to DEBATE_BASE_URLS"),
        ("file:///etc/passwd", "must be http"),
        ("http://user:secret@127.0.0.1/v1", "must hold no user or password"),
    ):
        app.text_input(key="setup_server_url").set_value(address).run()
        assert words in told(app)
        assert not [b for b in app.button if b.label == "Ask for its models"]


def test_an_address_that_is_allowed_is_chosen_and_not_typed(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEBATE_BASE_URLS", "http://10.1.2.3:8000/v1")
    reset_shared_host()
    page(app)
    step(app, "people", "seats")
    app.selectbox(key="setup_server").set_value("http://10.1.2.3:8000/v1").run()
    assert not [field for field in app.text_input if field.key == "setup_server_url"]
    assert "DEBATE_BASE_URLS" not in told(app)
    assert [b for b in app.button if b.label == "Ask for its models"]


def test_a_servers_model_is_listed_tried_and_used(app: AppTest, host: Host, server):
    server.set(votes=["yes"], models=("tiny:270m", "usual-27b"))
    page(app)
    step(app, "people", "seats")
    press_label(app, "Ask for its models")
    choice = next(s for s in app.selectbox if s.label == "Model")
    assert choice.options == ["tiny:270m", "usual-27b"]
    choice.set_value("tiny:270m").run()
    app.button(key="setup_try_server").click().run()
    text = told(app)
    assert "It gave a valid turn" in text
    assert "very small model" in text
    for row in ("| Reachable | yes |", "| Models it offers | 2 |", "| Follows the schema | yes |"):
        assert row in text
    app.button(key="setup_use_server").click().run()
    assert not app.exception
    first = next(s for s in app.selectbox if (s.key or "").endswith("_who"))
    assert first.options[-1] == "tiny:270m"
    first.set_value("model:here").run()
    step(app, "question")
    fill(app)
    draft = SetupDraft.model_validate_json(host.drafts.text(f"setup-{draft_name(app)}") or "")
    assert ("here", "tiny:270m") in [(line.id, line.model) for line in draft.lines]
    assert problem(draft) is None


def test_a_weak_server_is_asked_in_two_steps_from_its_trial_on(app: AppTest, host: Host, server: ModelServer):
    loaded = {"models": [{"name": "only:latest", "context_length": 8192}]}
    server.set(latency_s=0.05)
    server.set(votes=["yes"], models=("only",), ollama={"/api/ps": loaded}, faults=[Fault("garbage", at=(1, 2))])
    step(page(app), "people", "seats")
    press_label(app, "Ask for its models")

    def field(label: str) -> object:
        return next(f.value for f in (*app.number_input, *app.selectbox) if f.label == label)

    assert (field("Context in tokens"), field("Answer format")) == (0, "schema")
    next(f for f in app.number_input if f.label == "Timeout of a turn in seconds").set_value(1).run()
    app.button(key="setup_try_server").click().run()
    assert (field("Context in tokens"), field("Answer format")) == (8192, "two_step")
    assert field("Timeout of a turn in seconds") == 1
    text = told(app)
    assert "Recommended format after this trial: two steps: prose first, then only the ballot." in text
    assert " s a turn here; your deadline is 1 s." in text
    assert "structured =" not in text
    assert "context_tokens =" not in text
    app.button(key="setup_use_server").click().run()
    draft = SetupDraft.model_validate_json(host.drafts.text(f"setup-{draft_name(app)}") or "")
    asked = [(line.structured, line.context_tokens, line.deadline_s) for line in draft.lines if line.model == "only"]
    assert asked == [("two_step", 8192, 1)]


def test_a_failing_server_is_reported_without_any_key(app: AppTest, host: Host, server: ModelServer):
    server.set(faults=[Fault("401")], models_fault="503")
    page(app)
    step(app, "people", "seats")
    press_label(app, "Ask for its models")
    assert len(app.error) == 1
    app.button(key="setup_try_line").click().run()
    assert "No usable turn" in told(app)
    assert KEY not in told(app)
    assert KEY[:8] not in told(app)


def test_a_debate_can_be_compared_with_a_single_answer(app: AppTest, host: Host, server: ModelServer):
    """R222: one switch, off by default, with its price; the results show the answers."""
    seated(app, "mixed")
    step(app, "people", "limits")
    assert app.toggle(key="setup_compared").value is False
    assert "About 11 more calls, 0.0963 USD, after the debate" in told(app)
    app.toggle(key="setup_compared").set_value(True).run()
    press_label(app, "Start debate")
    state = ended(host)
    until(lambda: len(host.state(state.debate).baselines) == 3)
    # As many answers as the debate had calls, one answer alone, and three calls of the supervised one.
    assert len(server.log) == 2 * len(state.attempts) + 1 + 3
    results(app, state.debate)
    assert "A single answer without the debate is the same: adopt. The debate cost" in told(app)


# R294
def test_limits_become_the_first_stop_rule_and_meet_the_forecast(app: AppTest, host: Host):
    seated(app, "mixed")
    step(app, "people", "limits")
    app.text_input(key="setup_limit_calls").set_value("many").run()
    assert "Not ready:**] The limit of calls is 'many': enter a whole number of at least 1, or leave it empty." in told(
        app
    )
    app.text_input(key="setup_limit_calls").set_value("3")
    app.text_input(key="setup_limit_minutes").set_value("30").run()
    assert "The limit of 3 calls is below the forecast of 7" in told(app)
    assert "Limits: 3 calls" in told(app)
    press_label(app, "Start debate")
    debate = host.debates()[0].id
    until(lambda: host.state(debate).limit_met)
    state = host.state(debate)
    assert state.spec.protocol.stop[0] == Ceiling(calls=3, seconds=1800, usd="0.50")
    # The facilitator may raise it: the debate has not ended.
    assert (state.outcome, len(state.attempts)) == (None, 3)
    page(app, "room.py", id=state.debate)
    assert app.get("progress")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (LimitsDraft(usd="-1"), "the limit of USD is '-1'"),
        (LimitsDraft(usd="1,200"), "enter a number above 0"),
        (LimitsDraft(usd="0"), "enter a number above 0"),
        (LimitsDraft(calls="2.5"), "enter a whole number"),
        (LimitsDraft(calls="0"), "at least 1"),
        (LimitsDraft(tokens="1e9"), "the limit of tokens is '1e9'"),
        (LimitsDraft(tokens="٣"), "enter a whole number"),
        (LimitsDraft(minutes="99999"), "at most 10,080"),
    ],
)
def test_a_limit_that_cannot_be_read_is_said_in_one_sentence(limits: LimitsDraft, words: str):
    with pytest.raises(InvalidSpec, match=words):
        ceiling_from(limits)
    assert words in (problem(example("Why?", ("a", "b")).model_copy(update={"limits": limits})) or "")


def test_limits_as_people_write_them():
    assert ceiling_from(LimitsDraft()) is None
    typed = LimitsDraft(usd=" 2.50 ", calls="40", tokens="1,200,000", minutes="1.5")
    assert ceiling_from(typed) == Ceiling(usd="2.50", calls=40, tokens=1_200_000, seconds=90)
    assert ceiling_from(LimitsDraft(usd="2,50", minutes="1,5")) == Ceiling(usd="2.50", seconds=90)


def test_a_draft_of_before_can_still_be_read():
    old = '{"question":"Why?","options":[{"key":"o1","text":"a"},{"key":"o2","text":"b"}],"rounds":2}'
    draft = SetupDraft.model_validate_json(old)
    assert (draft.has_models(), draft.limits, draft.lines) == (False, None, ())
    assert problem(draft) is None


def test_an_unknown_model_is_reported_as_missing():
    seats = tuple(SeatDraft(key=k, id=k, who="model", model="gone") for k in "ab")
    draft = example("Why?", ("a", "b")).model_copy(update={"seats": seats})
    assert problem(draft) == "no model is chosen for a: choose who sits there"
    assert any("sceptic" in doubt for doubt in doubts(draft))


def test_a_person_answers_for_a_model_that_does_not(app: AppTest, host: Host, server: ModelServer):
    server.set(faults=[Fault("hang", model="gpt-6.1-terra")])
    seated(app, "mixed")
    take_protocol(app, "bounded_vote")
    press_label(app, "Start debate")
    debate_id = host.debates()[0].id
    seat = _left(host, debate_id)
    slow = f"1.proposal.{seat}.1"
    page(app, "room.py", id=debate_id, **{"as": "facilitator"})
    assert "call under way" in told(app)
    app.selectbox(key="skipped").set_value(seat).run()
    app.button(key="answer").click().run()
    assert "Write your name first" in told(app)
    app.text_input(key="name").set_value("Vera")
    app.button(key="answer").click().run()
    assert f"Vera answers for {seat.replace('_', ' ')}" in told(app)
    app.text_area(key=f"{debate_id}/{seat}/1.proposal:rationale").set_value("Nobody else will.").run()
    app.radio(key=f"{debate_id}/{seat}/1.proposal:vote").set_value("adopt").run()
    # The last change and the press come together, in one run.
    app.text_input(key="name").set_value("Vera Ito")
    app.button(key=f"{debate_id}/{seat}/1.proposal:send").click().run()
    assert not app.exception
    state = ended(host)
    turn = next(t for t in state.turns if t.seat == seat)
    assert isinstance(turn.content, Argument)
    assert (turn.by, turn.request, turn.status, turn.content.rationale) == ("Vera Ito", slow, "ok", "Nobody else will.")
    assert any(isinstance(rule, MaxRounds) for rule in state.spec.protocol.stop)
    assert [e.body.request for e in host.events(debate_id) if isinstance(e.body, AttemptStarted)].count(slow) == 1


def _left(host: Host, debate_id: str) -> str:
    """The seat that is still asked when all others have answered."""
    until(lambda: len(requests(host.state(debate_id))) == 1)
    return requests(host.state(debate_id))[0].seat


# R107, R114
def test_a_model_that_judges_is_asked_in_both_orders(app: AppTest, host: Host, server: ModelServer):
    seated(app, "mixed")
    take_protocol(app, "stance_judge")
    assert "Ask in both orders" not in [c.label for c in app.checkbox]
    next(s for s in app.selectbox if s.label == "Who judges?").set_value("model:terra").run()
    next(c for c in app.checkbox if c.label == "Ask in both orders").check().run()
    press_label(app, "Start debate")
    state = ended(host)
    assert [t.phase for t in state.turns if t.seat == "judge"] == ["verdict", "verdict_reversed"]
    assert state.outcome is not None
    assert state.outcome.decision == "adopt"
    page(app, "results.py", id=state.debate)
    assert "Asked in both orders, the same in both." in told(app)
