"""Set-up: good defaults, sources, the readiness check, the draft that survives a reload. Warm and cold."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.language import spoken
from debate_core.seats.offline import NOTHING_TO_QUOTE
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import PROTOCOLS, QUOTING, roles_for_question, with_threshold
from debate_core.spec.presets.baselines import BASELINES
from debate_core.spec.presets.systems import TAKE_A_THRESHOLD
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Ceiling, Elected, Escalation, Majority, Threshold
from debate_core.spec.values import Source
from debate_core.ui.setup.comparison import wished
from debate_core.ui.setup.draft import (
    LimitsDraft,
    OfficeDraft,
    OptionDraft,
    RoomDraft,
    SeatDraft,
    SetupDraft,
    example,
)
from debate_core.ui.setup.fork import forked
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.readiness import doubts, problem
from tests.app.visiting import edit_seat, keys, let_decide, new_browser, step, take_protocol

ADR = "# Use the connectors\n\n" + "The new connectors cut latency by 20 ms; the budget grows by $900/month. " * 3
ADR += "\n\nThe queries stay, and the connectors are one dependency more: a risk to keep in order."


def page(app: AppTest) -> AppTest:
    app.switch_page("setup.py").run()
    assert not app.exception
    return app


def button(app: AppTest, label: str):
    return next(b for b in app.button if b.label == label)


def fill(app: AppTest, question: str = "Should we adopt the new connectors?") -> None:
    app.text_area(key="setup_question").set_value(question)
    app.text_input(key="setup_option_o1").set_value("adopt")
    app.text_input(key="setup_option_o2").set_value("defer").run()


def shown(app: AppTest) -> str:
    return "\n".join(m.value for m in app.markdown)


def told(app: AppTest) -> str:
    return "\n".join(c.value for c in app.caption)


def test_question_options_and_a_pasted_source_are_enough(app: AppTest, host: Host):
    page(app)
    assert "Write the question and the options." in shown(app)
    step(app, "material")
    # The main button leads to the next step; in the last one it is disabled beside what is missing.
    assert [b.label for b in app.button if b.proto.type == "primary"] == ["Next: people and rule"]
    assert not [b for b in app.button if b.key == "setup_to_question"]
    step(app, "people")
    assert app.button(key="setup_to_question").label == ":red[The question is missing]"
    assert button(app, "Start debate").disabled
    step(app, "question")
    fill(app)
    step(app, "material")
    app.text_input(key="setup_paste_title").set_value("ADR 47")
    app.text_area(key="setup_paste_text").set_value(ADR)
    button(app, "Add this text").click().run()
    assert "Ready to start" in shown(app)
    button(app, "Start debate").click().run()
    assert not app.exception
    state = host.state(host.debates()[0].id)
    spec = state.spec
    assert spec.options == ("adopt", "defer")
    assert (spec.protocol.name, spec.max_rounds) == ("expert_panel", 2)
    assert [s.id for s in spec.debaters()] == [QUOTING[name] for name in roles_for_question(spec.question)]
    assert {s.id: s.occupant for s in spec.seats if s.role != "debater"} == {"chair": "human", "synthesiser": "offline"}
    assert [(s.title, s.text.strip()) for s in spec.sources] == [("ADR 47", ADR.strip())]


def test_start_says_what_is_missing(app: AppTest, host: Host):
    page(app)
    assert "Not ready" not in shown(app)
    assert "start_debate" not in [b.key for b in app.button]
    app.text_area(key="setup_question").set_value("Which?").run()
    step(app, "people")
    assert app.button(key="setup_to_question").label == ":red[A debate needs 2 to 8 options, this one has 0]"
    assert button(app, "Start debate").disabled
    step(app, "question")
    fill(app)
    let_decide(app, "panel")
    button(app, "Start debate").click().run()
    assert [e.value for e in app.error] == ["Not started: see what is missing above."]
    assert len(host.debates()) == 0


def test_the_draft_survives_a_reload(app: AppTest, host: Host):
    page(app)
    fill(app)
    address = app.query_params["draft"]
    fresh = new_browser()
    fresh.query_params["draft"] = address
    fresh.switch_page("setup.py").run()
    assert fresh.text_area(key="setup_question").value == "Should we adopt the new connectors?"
    assert fresh.text_input(key="setup_option_o2").value == "defer"


def test_unreadable_files_are_named_and_the_others_kept(app: AppTest):
    page(app)
    files = [("good.md", ADR.encode(), "text/markdown"), ("bad.txt", b"\xff\xfe\x00", "text/plain")]
    step(app, "material")
    app.file_uploader(key="setup_files_0").set_value(files).run()
    assert len(app.error) == 1
    assert "bad" in app.error[0].value
    assert "**Use the connectors**" in shown(app)


RECORD = b"""# 12. Order events
## Context
How do we publish order events?
## Considered Options
- Outbox table
- Change data capture
## Decision Drivers
- Nothing is lost
"""


def test_a_document_fills_empty_fields_and_each_can_be_undone(app: AppTest):
    page(app)
    app.file_uploader(key="setup_beginning_0").set_value(("events.md", RECORD, "text/markdown")).run()
    assert app.text_area(key="setup_question_1").value == "How do we publish order events?"
    assert [t.value for t in app.text_input if t.label.startswith("Option")] == [
        "Outbox table",
        "Change data capture",
        "",
    ]
    assert told(app).count("Taken from **events\\.md**") == 2
    assert "1 driver taken from **events\\.md** (Decision Drivers): review them under More settings." in told(app)
    assert "can be quoted in the debate" in told(app)
    app.button(key="setup_untake_options").click().run()
    assert [t.value for t in app.text_input if t.label.startswith("Option")] == ["", "", ""]
    assert told(app).count("Taken from **events\\.md**") == 1
    app.text_area(key="setup_question_1").set_value("How do we publish events of orders?").run()
    assert "Taken from" not in told(app)
    step(app, "question", "drivers")
    assert [t.value for t in app.text_input if t.label.startswith("Driver")] == ["Nothing is lost"]
    app.button(key="setup_untake_drivers").click().run()
    assert [t.value for t in app.text_input if t.label.startswith("Driver")] == []
    assert [s.title for s in draft_of_page(app).sources] == ["12. Order events"]


def test_missing_parts_of_a_document_are_named_and_text_stays(app: AppTest):
    page(app)
    app.text_area(key="setup_question").set_value("Where do logs go?").run()
    app.file_uploader(key="setup_beginning_0").set_value(("note.txt", b"We met on Monday.", "text/plain")).run()
    assert app.text_area(key="setup_question").value == "Where do logs go?"
    assert "**note\\.txt** does not name two options" in told(app)
    assert "asks no question" not in told(app)
    next(t for t in app.text_input if t.label == "Option 1").set_value("here").run()
    assert "does not name two options" not in told(app)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("# Message bus\n## Options\n- a\n- b\n", "Is this the question?"),
        (
            "# Use Heron\n## Decision\nWe use Heron.\n## Alternatives\n- Magpie\n",
            "The first option is its proposal (its title)",
        ),
        (
            "# 9. Decisions\n## Bus\n### Options\n- a\n- b\n## Store\n### Options\n- c\n- d\n",
            "holds 2 decisions: “Bus”, “Store”",
        ),
        (f"# Bus?\n## Options\n- **Heron**: it is {'very ' * 20}known\n- Magpie\n", "1 is shortened"),
        ("# Bus?\n## Options\n- Heron (rejected)\n- Magpie\n", "Marks of an earlier choice"),
        ("# Bus?\n## Options\n- Heron\n", "below headings such as *Considered Options*"),
    ],
)
def test_note_of_a_document_names_what_is_to_review(text: str, note: str, app: AppTest):
    page(app)
    app.file_uploader(key="setup_beginning_0").set_value(("note.markdown", text.encode(), "text/markdown")).run()
    assert note in told(app)


def draft_of_page(app: AppTest) -> SetupDraft:
    draft: SetupDraft = app.session_state["setup_draft"]
    return draft


def open_draft(app: AppTest, draft: SetupDraft) -> None:
    app.session_state["setup_draft"] = draft
    app.run()
    assert not app.exception


def test_options_and_seats_come_and_go(app: AppTest):
    page(app)
    fill(app)
    app.text_input(key="setup_option_o3").set_value("wait").run()
    button(app, "Add an option").click().run()
    assert app.text_input(key="setup_option_o4").value == ""
    app.button(key="setup_drop_o3").click().run()
    assert [t.label for t in app.text_input if t.label.startswith("Option")] == ["Option 1", "Option 2", "Option 3"]
    step(app, "people", "seat")
    button(app, "Add a seat").click().run()
    sits = {field.label: field.value for field in app.selectbox if str(field.key).endswith("_who")}
    assert [*sits.items()][-1] == ("Seat 5", "human")
    edit_seat(app, "new-5")
    button(app, "Remove this seat").click().run()
    assert "Seat 5" not in [field.label for field in app.selectbox]
    assert len(draft_of_page(app).panel()) == 3
    step(app, "material")
    app.text_area(key="setup_paste_text").set_value(ADR)
    button(app, "Add this text").click().run()
    assert "**Use the connectors**" in shown(app)
    app.button(key="setup_drop_source_E1").click().run()
    assert "**Use the connectors**" not in shown(app)


# R005
def test_the_threshold_is_shown_in_heads_with_its_chance_level(app: AppTest):
    page(app)
    fill(app)
    take_protocol(app, "bounded_vote")
    assert "decided with 2 of 3 current votes" in shown(app)
    assert any("voted at random" in c.value for c in app.caption)
    app.number_input(key="setup_votes_3").set_value(3).run()
    assert "decided with 3 of 3 current votes" in shown(app)


def test_a_decision_rule_is_agreed_with_quorum_and_tie_breaks(app: AppTest, host: Host):
    page(app)
    fill(app)
    take_protocol(app, "bounded_vote")
    app.selectbox(key="setup_decide_bounded_vote_rule").set_value("cumulative").run()
    step(app, "people", "counting")
    assert "Each ballot spreads 5 dots over the options; at the end, the option with the most dots wins" in shown(app)
    app.number_input(key="setup_decide_bounded_vote_dots").set_value(3).run()
    app.number_input(key="setup_decide_bounded_vote_quorum").set_value(2).run()
    app.multiselect(key="setup_decide_bounded_vote_tie").set_value(["second", "lot"]).run()
    button(app, "Start debate").click().run()
    assert not app.exception
    protocol = host.state(host.debates()[0].id).spec.protocol
    assert protocol.decide == Elected(kind="cumulative", dots=3, quorum=2, tie=("second", "lot"))
    assert [rule.kind for rule in protocol.stop] == ["max_rounds"]


def test_ballots_can_be_weighed_before_the_start(app: AppTest, host: Host):
    page(app)
    fill(app)
    take_protocol(app, "bounded_vote")
    step(app, "people", "seat")
    first = next(n for n in app.number_input if (n.key or "").endswith("_weight"))
    first.set_value(3).run()
    assert "decided with 3 of 5 current votes" in shown(app)
    assert "The ballots of 3 seats weigh 5 together" in shown(app)
    assert not any("voted at random" in c.value for c in app.caption)
    button(app, "Start debate").click().run()
    assert not app.exception
    spec = host.state(host.debates()[0].id).spec
    assert [s.weight for s in spec.debaters()] == [3, 1, 1]
    assert isinstance(spec.protocol.decide, Threshold)
    assert spec.protocol.decide.votes == 3
    again = forked(host.state(host.debates()[0].id), spec.options[0])
    assert [s.weight for s in again.panel()] == [3, 1, 1]


def test_a_supermajority_has_a_share_and_consensus_a_tolerance(app: AppTest):
    page(app)
    fill(app)
    take_protocol(app, "bounded_vote")
    app.selectbox(key="setup_decide_bounded_vote_rule").set_value("4/5").run()
    assert "3 of 3 current votes \\(4/5\\)" in shown(app)
    app.selectbox(key="setup_decide_bounded_vote_rule").set_value("unanimity").run()
    step(app, "people", "counting")
    app.number_input(key="setup_decide_bounded_vote_but").set_value(1).run()
    assert "2 of 3 current votes, all but 1" in shown(app)


def test_drivers_are_optional_and_their_weights_sum_to_100(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "question", "drivers")
    button(app, "Add a driver").click().run()
    button(app, "Add a driver").click().run()
    for name, text in zip([t for t in app.text_input if t.label.startswith("Driver")], ("time", "cost"), strict=True):
        name.set_value(text)
    app.run()
    weights = [n for n in app.number_input if (n.key or "").startswith("setup_driver") and n.label.startswith("Weight")]
    assert [w.value for w in weights] == [50, 50]
    weights[0].set_value(60).run()
    assert "weights of the drivers sum to 110" in shown(app)
    button(app, "Same weight for all").click().run()
    button(app, "Start debate").click().run()
    assert not app.exception
    state = host.state(host.debates()[0].id)
    assert [(d.name, d.weight) for d in state.spec.drivers] == [("time", 50), ("cost", 50)]
    assert [(d.name, d.weight) for d in forked(state, "defer").drivers] == [("time", 50), ("cost", 50)]


PEOPLE = tuple(SeatDraft(key=k, id=k, persona=k, who="human") for k in ("a", "b", "c"))


def drafted(**changes: object) -> SetupDraft:
    return example("Should we adopt it?", ("adopt", "defer")).model_copy(update=changes)


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (SetupDraft(), "the question is empty"),
        (drafted(options=(OptionDraft(key="o1", text="adopt"), OptionDraft(key="o2"))), "needs 2 to 8 options"),
        (drafted(options=tuple(OptionDraft(key=k, text="same") for k in "ab")), "named twice"),
        (drafted(seats=()), "seat at least one debater"),
        (drafted(seats=(SeatDraft(key="a", id="two words"),)), "the name of seat 1"),
        (drafted(seats=(SeatDraft(key="a", id="x"), SeatDraft(key="b", id="X"))), "named twice"),
        (drafted(seats=(SeatDraft(key="a", id="synthesiser"),)), "named twice"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(draft: SetupDraft, words: str):
    assert words in (problem(draft) or "")


# R113, R201
@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (drafted(), "No document yet"),
        (drafted(chair=False, room=RoomDraft(on=True, name="Fay")), "No one marks the passages"),
        (drafted(rounds=5), "5 rounds are more than 4"),
        (drafted(rounds=5, seats=PEOPLE), "5 rounds are more than 4"),
        (drafted(seats=tuple(SeatDraft(key=k, id=k, persona="a fan") for k in "ab")), "the same stance and persona"),
        (drafted(seats=tuple(SeatDraft(key=k, id=k, persona=k) for k in "ab")), "sceptic or a pragmatist"),
        (
            drafted(
                protocol="deliberation",
                offices=(OfficeDraft(role="synthesiser", who="offline"),),
                room=RoomDraft(on=True, name="Fay"),
            ),
            "cannot choose an option",
        ),
    ],
)
def test_what_should_be_thought_over_is_said_before_the_start(draft: SetupDraft, words: str):
    assert problem(draft) is None
    assert any(words in doubt for doubt in doubts(draft))


def test_what_the_rules_make_doubtful_is_said_in_german_too():
    with spoken("de"):
        assert "5 Runden sind mehr als 4: Spätere bringen selten neue Argumente." in doubts(drafted(rounds=5))


def test_that_nothing_can_be_quoted_is_said_before_the_start():
    links = Source(id="E1", title="Note", text="- [The minutes of the last meeting](https://example.org/minutes)\n")
    assert [d for d in doubts(drafted(sources=(links,))) if NOTHING_TO_QUOTE in d] != []
    told = links.model_copy(update={"text": "A split of the service needs two engineers for ten weeks."})
    assert [d for d in doubts(drafted(sources=(told,))) if NOTHING_TO_QUOTE in d] == []


def test_a_deliberation_seats_two_sides_and_a_person_who_sums_up():
    spec = spec_from(drafted(protocol="deliberation"))
    assert [s.stance for s in spec.debaters()] == ["adopt", "defer"]
    assert [s.occupant for s in spec.seats_of("synthesiser")] == ["human"]


def with_a_model(**price: object) -> SetupDraft:
    line = {
        "id": "m",
        "model": "m-1",
        "provider": "acme",
        "dialect": "chat",
        "base_url": "http://acme.test/v1",
        **price,
    }
    draft = drafted(protocol="proposer_critic", lines=(ModelLine.model_validate(line),))
    everybody = [OfficeDraft(role=role, who="model", model="m") for role in ("framer", "evaluator", "synthesiser")]
    seats = tuple(s.model_copy(update={"who": "model", "model": "m"}) for s in draft.panel())
    return draft.model_copy(update={"seats": seats, "offices": tuple(everybody)})


def test_only_models_can_be_asked_without_a_debate():
    """Off by default; a tournament has no single answer."""
    draft = with_a_model()
    assert wished(draft) == ()
    compared = draft.model_copy(update={"compared": True})
    assert wished(compared) == BASELINES
    assert wished(compared.model_copy(update={"protocol": "tournament"})) == ()
    assert wished(example("Do we ship it?", ["a", "b"]).model_copy(update={"compared": True})) == ()


def test_rules_with_a_default_limit_keep_it_until_one_is_typed():
    # R249
    draft = with_a_model(price={"input": "1", "output": "2"})
    assert spec_from(draft).ceiling() == Ceiling(usd="0.50")
    assert draft_of(spec_from(draft)).limits == LimitsDraft(usd="0.50")
    assert spec_from(draft_of(spec_from(draft))) == spec_from(draft)
    assert spec_from(draft.model_copy(update={"limits": LimitsDraft(calls="9")})).ceiling() == Ceiling(calls=9)
    assert spec_from(draft.model_copy(update={"limits": LimitsDraft()})).ceiling() is None


def test_a_default_budget_without_a_price_is_left_out_and_named():
    draft = with_a_model()
    assert spec_from(draft).ceiling() is None
    assert any("usually end at 0.50 USD. The price of m-1 is not known" in doubt for doubt in doubts(draft))


def test_the_limit_of_the_rules_stands_in_its_field(app: AppTest, host: Host):
    page(app)
    fill(app)
    take_protocol(app, "proposer_critic")
    step(app, "people", "limits")
    assert app.text_input(key="setup_limit_usd_proposer_critic").value == "0.50"
    app.text_input(key="setup_limit_usd_proposer_critic").set_value("2").run()
    assert any("2 USD" in c.value for c in app.caption)


# R004
def test_the_side_of_a_seat_is_an_option_or_own_words(app: AppTest, host: Host):
    page(app)
    fill(app)
    first, *others = draft_of_page(app).panel()
    # Tests of this kind cannot type into a list; a browser can.
    open_draft(app, draft_of_page(app).replace(seats=(first.replace(stance="adopt, and pay for it"), *others)))
    step(app, "people", "seats")
    stance = next(field for field in app.selectbox if field.label.endswith(" argues for"))
    assert stance.options == ["adopt", "defer", "adopt, and pay for it"]
    button(app, "Start debate").click().run()
    assert host.state(host.debates()[0].id).spec.debaters()[0].stance == "adopt, and pay for it"


# R275
def test_a_source_can_come_in_a_later_round(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "material")
    app.text_area(key="setup_paste_text").set_value(ADR)
    button(app, "Add this text").click().run()
    step(app, "material", "readers")
    app.number_input(key="setup_from_round_E1").set_value(2).run()
    button(app, "Start debate").click().run()
    assert [s.from_round for s in host.state(host.debates()[0].id).spec.sources] == [2]


def test_the_kind_of_decision_is_kept_by_a_debate_made_from_this(app: AppTest, host: Host):
    # R254, R255
    page(app)
    fill(app)
    step(app, "question", "kind")
    app.selectbox(key="setup_triage_task").set_value("architecture").run()
    button(app, "Start debate").click().run()
    state = host.state(host.debates()[0].id)
    assert state.spec.task == "architecture"
    assert spec_from(forked(state, "wait")).task == "architecture"


def test_argument_style_and_early_ends_can_be_chosen(app: AppTest, host: Host):
    # R066, R144, R162, R167, R101
    page(app)
    fill(app)
    take_protocol(app, "deliberation")
    step(app, "people", "course")
    soft_stops = next(field for field in app.multiselect if field.label.startswith("End early after a round"))
    assert soft_stops.value == ["no_progress", "converged"]
    soft_stops.set_value(["converged"]).run()
    step(app, "people", "seat")
    firmness = next(s for s in app.selectbox if s.label == "How it argues")
    firmness.set_value("adversary").run()
    assert not app.exception
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert [rule.kind for rule in spec.protocol.stop] == ["max_rounds", "converged"]
    assert [(s.stance, s.commitment) for s in spec.debaters()] == [("adopt", "adversary"), ("defer", "concede_points")]


def test_handling_of_false_quotes_and_the_bar_can_be_chosen(app: AppTest, host: Host):
    # R249, R263, R238
    page(app)
    fill(app)
    assert "An option that rests on unverified quotes alone can win, and is marked everywhere." in told(app)
    step(app, "people", "counting")
    assert app.selectbox(key="setup_decide_expert_panel_rule").value == "majority"
    app.number_input(key="setup_decide_expert_panel_row").set_value(3).run()
    assert "too few ballots follow after that" in shown(app)
    step(app, "people", "course")
    app.slider(key="setup_rounds_expert_panel_2").set_value(4).run()
    step(app, "people", "protocol")
    app.checkbox(key="setup_quotes_expert_panel").check().run()
    assert "An option that rests on unverified quotes alone does not win." in told(app)
    assert "A ballot whose own text argues for another option counts, and is marked everywhere." in told(app)
    app.checkbox(key="setup_contradicting_expert_panel").check().run()
    assert "A ballot whose own text argues for another option counts as an abstention." in told(app)
    # No model takes part.
    assert "setup_votes_told_expert_panel" not in {box.key for box in app.checkbox}
    assert "on 3 consecutive counts" in shown(app)
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert (spec.protocol.unverified_quotes, spec.protocol.decide) == ("refuse", Majority(ballots_in_a_row=3))
    assert spec.protocol.contradicting_ballots == "abstain"
    assert spec_from(draft_of(spec)) == spec
    # Each choice can be taken back.
    app.switch_page("setup.py").run()
    open_draft(app, draft_of(spec))
    step(app, "people", "protocol")
    app.checkbox(key="setup_quotes_expert_panel").uncheck()
    app.checkbox(key="setup_contradicting_expert_panel").uncheck().run()
    rules = draft_of_page(app).rules()
    assert (rules.unverified_quotes, rules.contradicting_ballots) == (None, None)


def test_the_least_strength_of_a_critique_can_be_chosen(app: AppTest, host: Host):
    # R238, R249
    page(app)
    fill(app)
    take_protocol(app, "proposer_critic")
    assert "A critique that rates itself below 6 of 10 is requested once more." in told(app)
    step(app, "people", "protocol")
    app.slider(key="setup_strength_proposer_critic").set_value(8).run()
    assert "A critique that rates itself below 8 of 10 is requested once more." in told(app)
    button(app, "Start debate").click().run()
    (strength,) = (p.min_strength for p in host.state(host.debates()[0].id).spec.protocol.phases() if p.min_strength)
    assert strength == 8


@pytest.mark.parametrize("name", sorted(TAKE_A_THRESHOLD))
def test_half_of_the_votes_are_enough_where_the_source_says_so(name: str):
    # what --threshold says on the command line
    draft = SetupDraft(question="Q?", options=example("", ("a", "b")).options, protocol=name)
    few = len(draft.panel()) // 2
    spec = spec_from(draft.model_copy(update={"decide": Threshold(votes=few)}))
    assert spec.protocol == with_threshold(with_decision(PROTOCOLS[name], Threshold(votes=1)), few)
    assert 2 * spec.protocol.decide.model_dump()["votes"] <= len(spec.debaters())
    assert spec_from(draft_of(spec)) == spec


def test_setup_keeps_typed_values_and_the_step_is_in_the_address(app: AppTest, host: Host):
    page(app)
    fill(app)
    # The last letters of a field and the way on come as one visit.
    app.text_input(key="setup_option_o3").set_value("wait")
    button(app, "Next: material").click().run()
    assert app.query_params["step"] in ("material", ["material"])
    button(app, "Next: people and rule").click().run()
    step(app, "question")
    assert [app.text_input(key=f"setup_option_o{n}").value for n in (1, 2, 3)] == ["adopt", "defer", "wait"]
    fresh = new_browser()
    fresh.query_params["step"] = "people"
    fresh.switch_page("setup.py").run()
    assert fresh.segmented_control(key="setup_decider_debaters").value == "debaters"


def test_last_field_of_a_section_is_kept_when_another_opens(app: AppTest):
    page(app)
    step(app, "people", "undecided")
    # The field and the press on another section come in one run.
    app.text_input(key="setup_escalate_to_expert_panel").set_value("Board")
    step(app, "people", "protocol")
    assert draft_of_page(app).rules().escalation == Escalation(to="Board")


def test_limits_are_asked_for_only_where_a_model_takes_part(app: AppTest):
    page(app)
    step(app, "people")
    assert "setup_open_people_limits" not in keys(app)
    open_draft(app, drafted(limits=LimitsDraft(calls="40")))
    step(app, "people", "limits")
    assert app.text_input(key="setup_limit_calls").value == "40"


def test_deciding_later_is_one_press_and_replaces_an_empty_field(app: AppTest, host: Host):
    page(app)
    fill(app)
    # The last input and the press arrive in one run: that field is no longer empty.
    app.text_input(key="setup_option_o3").set_value("wait")
    button(app, "Add “Decide later”").click().run()
    app.text_input(key="setup_option_o2").set_value("").run()
    button(app, "Start debate").click().run()
    assert host.state(host.debates()[0].id).spec.options == ("adopt", "wait", "Decide later")


def test_a_seats_choice_just_before_a_suggested_panel_is_kept(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "people", "seat")
    sits = next(field for field in app.selectbox if str(field.key).endswith("_who"))
    assert sits.value == "offline"
    sits.set_value("human")
    button(app, "Suggest other experts").click().run()
    assert [seat.who for seat in app.session_state["setup_draft"].panel()] == ["human", "offline", "offline"]
