"""People who frame, moderate, evaluate and judge: their forms, what the room shows of them, what the results say."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import AnyCommand, FailTurn, StartAttempt, TakeTurn
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.spec.contents import Argument, Claim, Content, Directive, Evaluation, Framing, Linked, Quality, Verdict
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import BySeat, MaxRounds, ModeratorDone, Plurality, Supermajority
from debate_core.spec.values import Role, Seat
from debate_core.ui.kit.words import event_line
from debate_core.ui.room.count import lead_line
from debate_core.ui.room.live.transcript import picture
from tests.app.visiting import drawings, results, room, words

OPTIONS = ("migrate", "stay")
STEERED = Protocol(
    name="steered",
    before=(Phase(name="framing", gives="framing", role="framer"),),
    each_round=(
        Phase(name="direction", gives="directive", role="moderator"),
        Phase(name="chairing", gives="directive", role="chair"),
        Phase(name="argument", directed=True),
        Phase(name="evaluation", gives="evaluation", role="evaluator"),
    ),
    after=(Phase(name="verdict", gives="verdict", role="judge"),),
    stop=(ModeratorDone(), MaxRounds()),
    decide=BySeat(role="judge"),
)
OFFICES: tuple[Role, ...] = ("framer", "moderator", "chair", "evaluator", "judge")
SEATS = [
    *(Seat(id=name, occupant="human", stance=side) for name, side in zip(("ana", "ben"), OPTIONS, strict=True)),
    *(Seat(id=role, role=role, occupant="human") for role in OFFICES),
]
FRAMING = Framing(thesis="The orders database cannot stay", scope="This year", criteria=("Cost", "Risk"))
DIRECTIVE = Directive(
    reason="Cost was left out", next_speakers=("ben", "ana"), briefing="Price per month", new_angle="Staff"
)
ARGUMENT = Argument(rationale="It is cheap", claims=(Claim(text="It costs $9"),))
EVALUATION = Evaluation(
    synthesis="Cost is clear",
    quality=(Quality(seat="ana", score=8), Quality(seat="ben", score=6)),
    resolved=(Linked(text="The price", links=("ben.1.1",)),),
    unresolved=(Linked(text="The risk"),),
    confidence_level="MODERATE",
    uncertainties=("Growth",),
)
VERDICT = Verdict(reasoning="Cheaper and safer", verdict="Stay for a year", option="stay", confidence=70)


def opened(host: Host) -> str:
    return host.create(compose("Costs $5 or $9?", OPTIONS, STEERED, SEATS, max_rounds=1), by="tests")


def give(host: Host, debate: str, request: str, content: Content) -> State:
    return host.submit(debate, TakeTurn(by=request.split(".")[2], request=request, content=content))


def up_to(host: Host, phase: str) -> str:
    """A debate that has reached this phase."""
    debate = opened(host)
    turns: list[tuple[str, str, Content]] = [
        ("framing", "framer", FRAMING),
        ("direction", "moderator", DIRECTIVE),
        ("chairing", "chair", DIRECTIVE),
        ("argument", "ben", ARGUMENT),
        ("argument", "ana", ARGUMENT),
        ("evaluation", "evaluator", EVALUATION),
        ("verdict", "judge", VERDICT),
    ]
    for name, seat, content in turns:
        if name == phase:
            break
        give(host, debate, f"1.{name}.{seat}.1", content)
    return debate


def content_of(state: State, phase: str) -> Content | None:
    return next(t.content for t in state.all_turns() if t.phase == phase)


def send(app: AppTest, name: str) -> None:
    app.button(key=f"{name}:send").click().run()
    assert not app.exception


def test_a_person_frames_the_debate(app: AppTest, host: Host):
    debate = opened(host)
    room(app, debate, "framer")
    assert "before the first round" in words(app)
    name = f"{debate}/framer/1.framing"
    send(app, name)
    assert [e.value for e in app.error] == ["the thesis is empty\\: say what is to be decided"]
    app.text_area(key=f"{name}:thesis").input(FRAMING.thesis).run()
    app.text_area(key=f"{name}:scope").input("This year").run()
    app.text_area(key=f"{name}:criteria").input("Cost\n\n Risk ").run()
    send(app, name)
    assert content_of(host.state(debate), "framing") == FRAMING


# R088
def test_a_person_moderates_and_says_who_speaks_in_which_order(app: AppTest, host: Host):
    debate = up_to(host, "direction")
    room(app, debate, "moderator")
    name = f"{debate}/moderator/1.direction"
    app.text_area(key=f"{name}:reason").input(DIRECTIVE.reason).run()
    send(app, name)
    assert "name who speaks" in app.error[0].value
    app.multiselect(key=f"{name}:next_speakers").set_value(["ben", "ana"]).run()
    app.text_area(key=f"{name}:briefing").input(DIRECTIVE.briefing).run()
    app.text_area(key=f"{name}:new_angle").input(DIRECTIVE.new_angle).run()
    # R094, R097
    assert "Who argues what" in [e.label for e in app.expander]
    app.multiselect(key=f"{name}:again").set_value(["ben"]).run()
    send(app, name)
    twice = DIRECTIVE.model_copy(update={"next_speakers": ("ben", "ana", "ben")})
    assert content_of(host.state(debate), "direction") == twice


def test_the_chair_edits_the_proposal_of_the_moderator(app: AppTest, host: Host):
    # R008: the person's directive steers the round, not the model's
    debate = up_to(host, "chairing")
    room(app, debate, "chair")
    name = f"{debate}/chair/1.chairing"
    assert app.multiselect(key=f"{name}:next_speakers").value == ["ben", "ana"]
    assert app.text_area(key=f"{name}:briefing").value == DIRECTIVE.briefing
    assert "The moderator proposes" in words(app)
    app.text_area(key=f"{name}:reason").input("Ben has said enough").run()
    app.multiselect(key=f"{name}:next_speakers").set_value(["ana"]).run()
    app.checkbox(key=f"{name}:done").check().run()
    send(app, name)
    state = host.state(debate)
    reason = "Ben has said enough"
    changed = DIRECTIVE.model_copy(update={"reason": reason, "next_speakers": ("ana",), "done": True})
    assert content_of(state, "chairing") == changed
    assert state.open is not None
    assert state.open.speakers == ("ana",)


# R230, R240
def test_a_person_evaluates_without_naming_a_winner(app: AppTest, host: Host):
    debate = up_to(host, "evaluation")
    room(app, debate, "evaluator")
    name = f"{debate}/evaluator/1.evaluation"
    app.text_area(key=f"{name}:synthesis").input("Cost is clear").run()
    send(app, name)
    assert [e.value for e in app.error] == ["choose how sure the room can be\\: high, moderate or low"]
    app.radio(key=f"{name}:confidence_level").set_value("MODERATE").run()
    app.number_input(key=f"{name}:quality seat_a").set_value(8).run()
    app.number_input(key=f"{name}:quality seat_b").set_value(6).run()
    for section, text, links in (("resolved", "The price", ["seat_b.1.1"]), ("unresolved", "The risk", [])):
        app.button(key=f"{name}:{section}+").click().run()
        app.text_area(key=f"{name}:{section}0").input(text).run()
        app.multiselect(key=f"{name}:{section}0.links").set_value(links).run()
    app.text_area(key=f"{name}:uncertainties").input("Growth").run()
    send(app, name)
    assert content_of(host.state(debate), "evaluation") == EVALUATION


# R074
def test_a_person_judges_and_may_name_no_option(app: AppTest, host: Host):
    debate = up_to(host, "verdict")
    room(app, debate, "judge")
    name = f"{debate}/judge/1.verdict"
    assert "at the end" in words(app)
    send(app, name)
    assert [e.value for e in app.error] == ["your reasoning is empty\\: say why"]
    app.text_area(key=f"{name}:reasoning").input("Both have a point").run()
    assert json.loads(host.drafts.text(name) or "{}")["reasoning"] == "Both have a point"
    send(app, name)
    state = host.state(debate)
    assert content_of(state, "verdict") == Verdict(reasoning="Both have a point")
    assert state.outcome is not None
    assert state.outcome.status == "undecided"


def test_the_room_shows_every_office_in_rows_and_chips(host: Host):
    debate = up_to(host, "nothing")
    items = {i["phase"].split(".")[1]: i for i in picture(host.state(debate), {}, ()).get("items")}
    rows = {name: [(r.get("label"), r["text"]) for r in i.get("rows", [])] for name, i in items.items()}
    assert items["framing"]["text"] == FRAMING.thesis
    assert rows["framing"] == [("Scope", "This year"), ("Criterion 1", "Cost"), ("Criterion 2", "Risk")]
    assert items["direction"]["text"] == DIRECTIVE.reason
    assert rows["direction"] == [("Speakers", "ben → ana"), ("Briefing", "Price per month"), ("New angle", "Staff")]
    assert rows["evaluation"] == [
        ("Quality of the arguments", ""),
        ("Resolved", "The price"),
        ("Unresolved", "The risk"),
        ("Uncertain", "Growth"),
    ]
    assert [c["text"] for c in items["evaluation"]["rows"][0]["chips"]] == ["ana 8 of 10", "ben 6 of 10"]
    assert items["evaluation"]["facts"] == ["confidence level moderate", "recommends no further round"]
    assert rows["verdict"] == [("Verdict", "Stay for a year")]
    assert items["verdict"]["vote"] == {"label": "names", "text": "stay", "colour": "orange", "counts": True}
    assert items["verdict"]["confidence"] == 70


def test_the_record_tells_every_office_in_a_sentence(host: Host):
    told = "\n".join(event_line(e) for e in host.events(up_to(host, "nothing")))
    for said in ("criteria: 2", "to speak: ben, ana", "moderate confidence, recommends no further round", "names stay"):
        assert said in told


def test_the_results_show_verdict_evaluation_and_directives(app: AppTest, host: Host):
    debate = up_to(host, "nothing")
    headers, text, frames = set[str](), "", list[Any]()
    for tab in ("Overview", "Judges", "Process"):
        text += words(results(app, debate, tab))
        headers |= {str(h.value) for h in app.header}
        frames += [d.value for d in app.dataframe]
    assert {"Verdict", "Evaluation", "How it was steered"} <= headers
    for said in ("Stay for a year", "Cheaper and safer", "Cost is clear", "The orders database cannot stay"):
        assert said in text
    assert any(list(f.get("Quality, 1 to 10", [])) == [8, 6] for f in frames)
    assert any(list(f.get("Speakers", [])) == ["ben → ana", "ben → ana"] for f in frames)


# R238
def test_a_critique_that_stays_weak_is_said_to_be(host: Host):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cyd")]
    spec = compose("Why?", OPTIONS, protocol("society"), seats)
    debate = host.create(spec, by="tests")
    asked = "1.answer.ana"
    for attempt in (1, 2):
        failed: list[AnyCommand] = [
            StartAttempt(by="ana", request=f"{asked}.{attempt}"),
            FailTurn(by="ana", request=f"{asked}.{attempt}", error="weak", message="it rates itself 3 of 10"),
        ]
        for command in failed:
            host.submit(debate, command)
    item = next(i for i in picture(host.state(debate), {}, ("ana",))["items"] if i["seat"] == "ana")
    assert item["state"] == "weak"
    assert "stayed too weak by its own rating: it rates itself 3 of 10" in item["before"]


@pytest.mark.parametrize(
    ("rule", "line", "group"),
    [
        (
            Plurality(),
            ["stay", "1 of 2, the most votes, 1 of the 2 ballots cast that a decision needs"],
            "1 of 2 cast, the most votes win",
        ),
        (
            Supermajority(),
            ["stay", "1 of 2, needed 2, 1 of the 2 ballots cast that a decision needs"],
            "1 of 2 cast, 2 needed",
        ),
    ],
)
def test_the_count_fits_rules_with_and_without_a_bar(
    app: AppTest, host: Host, rule: Plurality | Supermajority, line: list[str], group: str
):
    rules = Protocol(name="own", each_round=(Phase(name="answer"),), stop=(MaxRounds(),), decide=rule)
    seats = [Seat(id=name, occupant="human", stance=name) for name in ("ana", "ben")]
    debate = host.create(compose("Why?", OPTIONS, rules, seats), by="tests")
    give(host, debate, "1.answer.ana.1", Argument(rationale="So", vote="stay"))
    give(host, debate, "1.answer.ben.1", Argument(rationale="So", vote="abstain"))
    room(app, debate)
    # The next round has begun.
    assert drawings(app, "count")[0]["lead"] == [line[0], f"{line[1]}, before this phase"]
    assert group in picture(host.state(debate), {}, ())["groups"][0]["tally"]


def test_level_options_are_a_tie_where_the_most_votes_win(host: Host):
    seats = [Seat(id=name, occupant="human", stance=name) for name in ("ana", "ben")]
    debate = host.create(compose("Why?", OPTIONS, protocol("society"), seats), by="tests")
    for seat, vote in zip(("ana", "ben"), OPTIONS, strict=True):
        give(host, debate, f"1.answer.{seat}.1", Argument(rationale="So", vote=vote))
    assert lead_line(account(host.state(debate))) == ("migrate and stay", "1 of 2 each, tie")
