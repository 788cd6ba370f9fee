"""Track record: the empty state, which debates are counted, and what past a bar looks like."""

import json
import re

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.acts import OutcomeRecorded, OutcomeResult, Signed
from debate_core.record.commands import Act
from debate_core.record.events import dump_record
from debate_core.report.facts.cross_debate_metrics import metrics
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.presets import PROTOCOLS, compose, default_seats, protocol
from tests.app.test_record import decided
from tests.app.visiting import lists, new_browser, press_part, told, unfolded
from tests.holding import Said, script, steady
from tests.people import room_spec
from tests.playing import Played
from tests.rehearsing import rehearsal
from tests.waiting import until


def page(app: AppTest) -> AppTest:
    app.switch_page("metrics.py").run()
    assert not app.exception
    return app


def hold(host: Host, said: Said) -> None:
    """A rehearsal, held to its end."""
    text = json.dumps(said)
    debate_id = host.create(spec_of(read_script(text)), by="ana", script_text=text)
    until(lambda: host.state(debate_id).outcome)


def split(host: Host, times: int) -> None:
    for _ in range(times):
        hold(host, script(steady({"planner": "release", "critic": "revise", "operator": "escalate"})))


def stopped(host: Host) -> None:
    """A debate of people that was stopped: no rehearsal."""
    rules, options = protocol("bounded_vote"), ["one", "two"]
    people = default_seats(rules, "Which?", options, "human", 2)
    debate_id = host.create(compose("Which?", options, rules, people), by="ana")
    host.stop(debate_id, by="ana", reason="no time")


def figures(app: AppTest) -> dict[str, dict[str, object]]:
    frame = next(one.value for one in app.table if "Figure" in one.value.columns)
    rows = frame.to_dict("records")
    return {row["Figure"]: {str(name): str(cell).replace("\\", "") for name, cell in row.items()} for row in rows}


def test_without_debates_it_says_where_the_figures_come_from(app: AppTest, host: Host):
    page(app)
    assert [i.value for i in app.info] == ["No debate is over yet. A figure needs at least 5 finished debates."]
    assert "New debate" in [b.label for b in app.button]


def test_example_is_marked_and_never_beside_own_figures(app: AppTest, host: Host):
    page(app)
    # The own page comes first: the example is drawn when it is opened.
    assert app.get("plotly_chart") == []
    assert "Example: this page with 40 invented decisions" in [box.label for box in app.expander]
    for key in ("", "-accuracy-as-table", "-held-as-table", "-cost-as-table"):
        unfolded(app, f"example{key}")
    page(app)
    pictures = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    marks = [[note["text"] for note in one["layout"]["annotations"]] for one in pictures]
    assert marks == [["Example: invented outcomes"]] * 4
    (right, held, cost) = (table(app, column) for column in ("Right", "Held", "USD"))
    assert {row["Decisions"] for row in right} == {40}
    assert [row["Of"] for row in held] == ["all", "architecture", "contract", "security"]
    assert sum(int(str(row["Debates"])) for row in cost) == 40
    split(host, 5)
    page(app).toggle(key="metrics_rehearsals").set_value(True).run()
    assert not any("invented" in box.label for box in app.expander)
    assert app.get("plotly_chart") == []


def test_rehearsals_count_only_if_they_are_wanted(app: AppTest, host: Host):
    split(host, 5)
    page(app)
    assert app.info[0].value.startswith("None of the finished debates is counted here")
    app.toggle(key="metrics_rehearsals").set_value(True).run()
    found = figures(app)
    assert 0 < len(found) < len(metrics(()))
    assert found["Left undecided"] == {
        "Figure": "Left undecided",
        "What it says": "5 of 5 debates (100 %) ended undecided.",
        "True share, 95 %": "57 to 100 %",
    }
    assert not any("unknown" in str(cell).lower() for row in found.values() for cell in row.values())
    # No known figure has a limit, so that no sentence calls it kept and no column is about limits.
    assert not any("within" in c.value for c in app.caption)
    headlines = [(one.label, one.value) for one in app.metric]
    assert headlines[0] == ("Debates that decided", "0 of 5")
    assert "Decisions that held" not in dict(headlines)
    assert "0 %, true share 0 to 43 %" in [c.value for c in app.caption]
    needed = next(box for box in app.expander if box.label == "What more debates and outcomes will show")
    lines = needed.markdown[0].value.splitlines()
    assert sum(line.startswith("- **") for line in lines) == len(metrics(())) - len(found)
    assert "**Confident and wrong**" in needed.markdown[0].value
    assert not re.search(r"\bR\d{3}\b", told(app))


def test_debates_that_were_held_count_at_once(app: AppTest, host: Host):
    stopped(host)
    page(app)
    assert len(app.dataframe) == len(app.table) == 0
    assert "**Decided**: Unknown: it needs at least 5 debates; there is 1." in told(app)
    assert [(one.label, one.value) for one in app.metric][:1] == [("Debates that decided", "0 of 1")]
    assert "Decisions signed" not in [one.label for one in app.metric]
    assert "A figure needs at least 5 finished debates, or 5 recorded outcomes." in [c.value for c in app.caption]


def test_one_protocol_alone_and_what_is_past_its_bar(app: AppTest, host: Host):
    # R261
    split(host, 1)
    weak: Said = {"phase": "critique", "content": {"rationale": "fine", "strength": 3}, "repeat": True}
    rules = PROTOCOLS["proposer_critic"]
    easy = tuple(p.model_copy(update={"min_strength": None}) for p in rules.each_round)
    hold(host, rehearsal(rules.model_copy(update={"each_round": easy}), weak))
    page(app)
    app.toggle(key="metrics_rehearsals").set_value(True).run()
    app.selectbox(key="metrics_protocol").set_value("proposer_critic").run()
    assert not app.exception
    row = figures(app)["Critiques below 5"]
    assert (row["Alert"], row["Warns"]) == ("look again", "above 0")
    assert any("Critiques below 5" in m.value and "warning" in m.value for m in app.markdown)


def test_a_recorded_outcome_counts_at_once(app: AppTest, host: Host):
    # R134, R260: what one debate adds is read again when its record has grown after its end
    for _ in range(5):
        hold(host, script(steady({"planner": "release", "critic": "revise", "operator": "revise"})))
    page(app)
    app.toggle(key="metrics_rehearsals").set_value(True).run()
    assert "Decisions that held" not in figures(app)
    for number, row in enumerate(host.debates()):
        result: OutcomeResult = "held" if number < 4 else "reversed"
        host.submit(row.id, Act(by="ana", act=OutcomeRecorded(result=result, reason="a year on")))
    app.run()
    seen = figures(app)["Decisions that held"]
    assert seen["True share, 95 %"] == "38 to 96 %"
    assert str(seen["What it says"]).startswith("4 of 5 decisions whose outcome is recorded (80 %) held")
    assert ("Decisions that held", "4 of 5") in [(one.label, one.value) for one in app.metric]


def test_figures_by_kind_of_decision(app: AppTest, host: Host):
    for task in ("security", "security", "contract"):
        votes = steady({"planner": "release", "critic": "revise", "operator": "revise"})
        hold(host, script(votes, task=task))
    page(app)
    app.toggle(key="metrics_rehearsals").set_value(True)
    unfolded(app, "metrics-in-parts").run()
    app.selectbox(key="metrics_parts").set_value("Decided").run()
    rows = app.dataframe[-1].value.to_dict("records")
    assert [(row["Of"], row["Value"], row["From"]) for row in rows] == [
        ("contract", "too few to say", 1),
        ("security", "too few to say", 2),
    ]


def judged(host: Host, option: str, confidence: int) -> str:
    """A rehearsal that a judge decided and said how sure it was; its id."""
    rules = PROTOCOLS["stance_judge"]
    phase = next(p.name for p in rules.phases() if p.gives == "verdict")
    said: Said = {"phase": phase, "content": {"reasoning": "read", "option": option, "confidence": confidence}}
    seats = [{"id": "ana", "stance": "adopt"}, {"id": "ben", "stance": "defer"}]
    before = {row.id for row in host.debates()}
    hold(host, rehearsal(rules, {**said, "repeat": True}, seats=seats))
    return next(row.id for row in host.debates() if row.id not in before)


def table(app: AppTest, column: str) -> list[dict[str, object]]:
    """The rows of the first table with this column."""
    found = next(frame.value for frame in app.dataframe if column in frame.value.columns)
    return [{str(name): cell for name, cell in row.items()} for row in found.to_dict("records")]


def test_a_judge_is_compared_with_the_outcome_warm_and_cold(app: AppTest, host: Host):
    # R134, R260: five outcomes make a calibration, and a page that is open already draws it
    debates = [judged(host, "adopt", 90) for _ in range(5)]
    page(app)
    app.toggle(key="metrics_rehearsals").set_value(True).run()
    assert app.get("plotly_chart") == []
    need = "Scores and calibration of a judge need 5 decisions with a known outcome; there are none."
    assert need in told(app)
    for number, debate_id in enumerate(debates):
        right = "adopt" if number else "defer"
        host.submit(debate_id, Act(by="eve", act=OutcomeRecorded(result="held", option=right, reason="a year on")))
    cold = page(new_browser())
    cold.toggle(key="metrics_rehearsals").set_value(True)
    for one in (app, cold):
        unfolded(unfolded(one, "accuracy-as-table"), "calibration-as-table").run()
        assert not one.exception
        assert need not in told(one)
        (judge,) = table(one, "Brier score, 0 is best")[:1]
        assert (judge["Of"], judge["Decisions"], judge["Right"]) == ("judge", 5, "80 % (38 to 96)")
        assert judge["Brier score, 0 is best"] == "0.170 (0.000 to 0.613)"
        assert judge["Too sure by"] == "10 points (-6 to 52)"
        # A column in which nothing is known is left out.
        scored = table(one, "Right")
        assert [(row["As"], row["Kind"]) for row in scored] == [("judge", "program"), *[("seat", "")] * 3]
        assert "Stated confidence, mean" in scored[0]
        # Calibration and accuracy; decisions of one kind that held are a headline alone.
        assert len(one.get("plotly_chart")) == 2
        assert ("Decisions that held", "5 of 5") in [(m.label, m.value) for m in one.metric]
        assert table(one, "Probability of the favourite") == [
            {
                "Probability of the favourite": "90 to 100 %",
                "On average": "90 %",
                "Right, with 95 % interval": "80 % (38 to 96)",
                "Decisions": 5,
            }
        ]
        assert "A hint on a judge's confidence needs 20 decisions" in told(one)


def test_what_is_left_out_is_counted_on_the_page(app: AppTest, host: Host):
    split(host, 2)
    host.import_record(dump_record(Played(room_spec()).to_the_end().events).encode())
    page(app)
    assert app.info[0].value.startswith("None of the finished debates is counted here")
    assert [c.value for c in app.caption if "left out" in c.value] == [
        "2 rehearsals are left out. 1 debate from a file of unknown origin is left out."
    ]
    app.toggle(key="metrics_rehearsals").set_value(True).run()
    (left,) = [c.value for c in app.caption if "left out" in c.value]
    assert left == ("1 debate from a file of unknown origin is left out.")


def test_an_outcome_is_asked_for_once_the_decision_is_signed(app: AppTest, host: Host):
    debate = decided(host)
    page(app)
    (row,) = lists(app)["Decisions and outcomes"]
    assert (row["stands"], row["count"], row["button"]) == ("revise", "To be signed first", "Sign")
    assert "worth its price" not in told(app)
    assert "Example: this page with 40 invented decisions" in [box.label for box in app.expander]
    host.submit(debate, Act(by="Abe", act=Signed(verdict="accept", option="revise", revisit="2030-01-01")))
    page(app)
    (row,) = lists(app)["Decisions and outcomes"]
    assert (row["count"], row["button"]) == ("Review due: 1 Jan 2030", "Record the outcome")
    press_part(app, "list", "open", debate)
    assert debate in app.query_params["id"]
    host.submit(debate, Act(by="Abe", act=OutcomeRecorded(result="held", reason="a year on")))
    (row,) = lists(page(new_browser()))["Decisions and outcomes"]
    assert (row["count"], row["button"]) == ("Held", "Read")
