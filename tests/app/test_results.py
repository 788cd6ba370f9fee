"""Results: the count as arithmetic, marks, hidden parts by reader, files. Warm and cold."""

import json
from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core import language
from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import HoldBaseline, SkipTurn, TakeTurn
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.spec.contents import Argument, Verdict
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Elected
from debate_core.spec.values import Given, Seat
from debate_core.text import capitalized
from tests.app.visiting import at, new_browser, parts_of, unfolded
from tests.waiting import until

VOTES = {"ana": "revise", "ben": "release", "cyd": "revise"}


def opened(host: Host) -> str:
    seats = [Seat(id=name, occupant="human") for name in VOTES]
    return host.create(compose("Do we ship it?", ["release", "revise"], protocol("bounded_vote"), seats), by="ana")


def say(host: Host, debate_id: str, *names: str) -> State:
    for name in names:
        content = Argument.model_validate(
            {"rationale": f"It costs $5 per seat, says {name}.", "vote": VOTES[name], "claims": ["It costs $5"]}
        )
        host.submit(debate_id, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=content))
    return host.state(debate_id)


def page(app: AppTest, name: str, debate_id: str, **params: str) -> AppTest:
    for key, value in {"id": debate_id, **params}.items():
        app.query_params[key] = value
    # A browser that has been here keeps the tab that it opened last.
    app.session_state["tab-0"] = params.get("tab", "Overview")
    app.switch_page(name).run()
    assert not app.exception
    return app


def told(app: AppTest) -> str:
    """Return the text of the page without Markdown escapes."""
    return "\n".join(str(e.value) for e in (*app.title, *app.header, *app.markdown, *app.caption)).replace("\\", "")


def first_part(app: AppTest) -> dict[str, Any]:
    """Return the arguments of the first component of the page."""
    return next(given for e in app.get("bidi_component") if (given := json.loads(e.proto.json)).get("part"))


# R036, R040
def test_the_decision_comes_first_as_arithmetic(app: AppTest, host: Host):
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    hero = first_part(page(app, "results.py", debate_id))
    assert (hero["status"], hero["headline"], hero["letter"]) == ("Decided, not signed", "revise", "B")
    assert hero["line"] == "2 of 3 seats chose it. 2 were needed."
    drawn = [(bar["letter"], bar["has"], bar["wins"]) for bar in hero["votes"]["bars"]]
    assert (drawn, hero["votes"]["needed"]) == ([("A", 1, False), ("B", 2, True)], 2)
    text = told(app)
    assert "2 of 3 seats, 2 needed → decided by threshold vote after round 1, proposal" in text
    assert "Chance level" in text
    assert len(app.get("plotly_chart")) == 0
    page(app, "results.py", debate_id, tab="Process")
    assert "**Every seat spoke.**" in told(app)
    assert "Turns given: 3 of at most 24 · Deciding ballots: 3 of 3" in told(app)
    assert "Each of the 3 seats had 1 turn, and 33 % of all words." in told(app).replace("\u00a0", " ")
    (course,) = app.table
    assert next(iter(course.value["Step"])) == "**Opened** · release, revise"
    page(unfolded(app, "result-as-table"), "results.py", debate_id, tab="Votes")
    assert app.dataframe[0].value.to_dict("records") == [
        {"option": "A release", "votes": 1, "needed": 2, "note": ""},
        {"option": "B revise", "votes": 2, "needed": 2, "note": "elected"},
    ]


def test_what_was_asked_without_the_debate_is_told_below_it(app: AppTest, host: Host):
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    asked = HoldBaseline(by="host", name="single_call", replies=(), took_ms=0, why="no *model* sits here")
    host.submit(debate_id, asked)
    text = told(page(app, "results.py", debate_id))
    assert "A single answer without the debate was requested, but none came: no *model* sits here." in text
    compared = next(table.value for table in app.dataframe if "Method" in table.value)
    assert [list(row) for row in compared.to_numpy()] == [
        ["The debate", "revise", "0", "0", "0", "unknown"],
        ["A single answer without the debate", "none", "1", "unknown", "unknown", "0.0"],
    ]


def test_each_tab_has_an_address_and_only_the_open_one_is_drawn(host: Host):
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    # A mistyped address opens the first tab.
    for tab, part, files in (("Overview", "hero", 0), ("nonsense", "hero", 0), ("Files", "strip", 6)):
        cold = at(new_browser(), debate_id, None, "results.py", tab=tab)
        assert (first_part(cold)["part"], len(cold.get("download_button"))) == (part, files)
        assert ("tab" in cold.query_params) == bool(files)


def test_tab_links_work_in_german_and_nouns_keep_capitals(host: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ContextProxy, "cookies", {"language": "de"})
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    app = new_browser()
    app.query_params.update({"id": debate_id, "tab": "Files"})
    app.switch_page("results.py").run()
    assert (first_part(app)["part"], len(app.get("download_button"))) == ("strip", 6)
    assert "Files" in app.query_params["tab"]
    with language.spoken("de"):
        assert capitalized(named("the count")) == "Die Zählung"


def test_a_running_debate_hides_what_its_reader_may_not_see(app: AppTest, host: Host):
    debate_id = opened(host)
    say(host, debate_id, "ana")
    page(app, "results.py", debate_id, **{"as": "ben"})
    assert "Not decided yet" in told(app)
    assert "says ana" not in told(app)
    assert len(app.get("download_button")) == 0


def counts(app: AppTest) -> list[str]:
    """Every table with options and votes in it, and the arithmetic on top."""
    tables = [d.value.to_string() for d in app.dataframe if "votes" in d.value or "poll" in d.value]
    return [*tables, first_part(app)["line"]]


def test_during_simultaneous_answers_the_previous_count_is_shown(app: AppTest, host: Host):
    """The room shows the first count until the second one is made; so do the numbers here."""
    debate_id = in_its_second_round(host)
    unfolded(app, "result-as-table")
    before = counts(page(app, "results.py", debate_id, tab="Votes"))
    assert before != []
    gives(host, debate_id, "2.answer.ana.1", "release")
    assert host.state(debate_id).ballots["ana"].choice == "release"
    assert counts(page(app, "results.py", debate_id, tab="Votes")) == before


def in_its_second_round(host: Host) -> str:
    """A debate whose seats answer at once in each round; the first answers are counted."""
    seats = [Seat(id=name, occupant="human", weight=2 if name == "ana" else 1) for name in VOTES]
    spec = compose("Which?", ["release", "revise"], protocol("society"), seats, max_rounds=3)
    debate_id = host.create(spec, by="ana")
    for name, vote in VOTES.items():
        gives(host, debate_id, f"1.answer.{name}.1", vote)
    return debate_id


def gives(host: Host, debate_id: str, request: str, vote: str) -> None:
    said = Argument(rationale="So it is.", vote=vote)
    host.submit(debate_id, TakeTurn(by=request.split(".")[2], request=request, content=said))


@pytest.mark.parametrize("name", ["results.py", "record.py"])
def test_a_pending_respondent_does_not_see_the_rest_in_results(app: AppTest, host: Host, name: str):
    debate_id = in_its_second_round(host)
    page(app, name, debate_id, **{"as": "ana"})
    assert [i.value for i in app.info] == [
        "Your seat does not see what others said before its turn. This page opens once you have answered."
    ]
    gives(host, debate_id, "2.answer.ana.1", "revise")
    boxes = page(app, name, debate_id, **{"as": "ana"}).info
    # The record of an unsigned debate says in one that it is unchanged.
    assert [box.value for box in boxes if not box.value.startswith("**Unchanged · ")] == []


# R009, R013
def test_a_mark_from_the_evidence_table_survives_the_close(app: AppTest, host: Host):
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    page(unfolded(app, "mark_open"), "results.py", debate_id, tab="Evidence")
    (shown,) = parts_of(app, "evidence")
    assert [claim["text"] for claim in shown["claims"]] == ["It costs $5"] * 3
    app.selectbox(key="mark_claim").set_value("cyd.1.1").run()
    app.text_input(key="mark_reason").set_value("seen in the bill")
    next(b for b in app.button if b.label == "Set the mark").click().run()
    assert not app.exception
    given = host.state(debate_id).marks["cyd.1.1"]
    assert (given.mark.reading, given.mark.option, given.reason) == ("supports", "release", "seen in the bill")


# R014
def test_five_files_and_the_decision_record_can_be_taken_along(app: AppTest, host: Host):
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    page(app, "results.py", debate_id, tab="Files")
    assert len(app.get("download_button")) == 6


def test_an_unknown_debate_gets_a_sentence_and_a_way_home(app: AppTest, host: Host):
    for name in ("results.py", "record.py"):
        page(app, name, "nothing-here")
        assert len(app.error) == 1


def test_a_rehearsal_says_so_on_its_results(app: AppTest, host: Host):
    row = host.rehearsals()[0]
    debate_id = host.start_rehearsal(row.name, by="ana", pace_cps=0)
    until(lambda: host.state(debate_id).outcome)
    cautions = [caution["words"] for caution in first_part(page(app, "results.py", debate_id))["cautions"]]
    assert "Rehearsal" in cautions


def test_what_code_noticed_and_what_other_rules_would_have_said(app: AppTest, host: Host):
    debate_id = opened(host)
    say(host, debate_id, *VOTES)
    page(app, "results.py", debate_id, tab="Process")
    assert "The automatic checks found no fault in the result." in told(app)
    page(unfolded(app, "vote-detail", "what-if"), "results.py", debate_id, tab="Votes")
    table = next(d.value for d in app.dataframe if "Ballots from flipping" in d.value.columns)
    assert next(iter(table["Rule"])) == "threshold vote (agreed)"
    results = dict(zip(table["Rule"], table["Result"], strict=True))
    assert results["majority"] == "revise"
    assert results["unanimity"] == "nothing decided"


def test_ranked_ballots_are_shown_by_round_and_by_pair(app: AppTest, host: Host):
    orders = {"ana": "abc", "ben": "abc", "cyd": "bca", "dan": "bca", "eve": "cba"}
    rules = with_decision(protocol("bounded_vote"), Elected(kind="irv"))
    seats = [Seat(id=name, occupant="human", weight=2 if name == "eve" else 1) for name in orders]
    debate_id = host.create(compose("Which?", ["a", "b", "c"], rules, seats, max_rounds=1), by="ana")
    for phase in [p.name for p in rules.phases() if p.role == "debater"]:
        for name, order in orders.items():
            ranks = tuple(Given(option=o, points=n) for n, o in enumerate(order, 1))
            content = Argument(rationale="So it is.", ballot=ranks)
            if any(r.seat == name for r in requests(host.state(debate_id))):
                host.submit(debate_id, TakeTurn(by=name, request=f"1.{phase}.{name}.1", content=content))
    assert host.state(debate_id).outcome is not None
    unfolded(unfolded(app, "result-as-table"), "pairs-as-table")
    page(app, "results.py", debate_id, tab="Votes")
    rounds = next(t.value for t in app.dataframe if "Exhausted" in t.value)
    pairs = next(t.value for t in app.dataframe if "Above ↓ below →" in t.value)
    assert [*zip(rounds["Round"], rounds["Option"], rounds["Votes"], strict=True)][:3] == [
        (1, "a", 2),
        (1, "b", 2),
        (1, "c", 2),
    ]
    assert [*rounds["every ballot 1"]][:3] == [2, 2, 1]
    assert pairs.to_dict("records") == [
        {"Above ↓ below →": "a", "a": "", "b": "2", "c": "2"},
        {"Above ↓ below →": "b", "a": "4", "b": "", "c": "4"},
        {"Above ↓ below →": "c", "a": "4", "b": "2", "c": ""},
    ]
    assert "If every ballot weighed 1, the result would be" in told(app)


def test_a_silent_side_is_named_and_the_verdict_decides_nothing(app: AppTest, host: Host):
    # R036, R224
    seats = [Seat(id=name, stance=name, occupant="human") for name in ("north", "south")]
    seats.append(Seat(id="judge", role="judge", occupant="human"))
    spec = compose("Do we ship it?", ["release", "revise"], protocol("stance_judge"), seats, max_rounds=1)
    debate_id = host.create(spec, by="ana")
    host.submit(debate_id, TakeTurn(by="north", request="1.argument.north.1", content=Argument(rationale="It pays.")))
    host.submit(debate_id, SkipTurn(by="ana", request="1.argument.south.1", reason="The line is dead."))
    verdict = Verdict(reasoning="Weighed.", verdict="Ship it.", option="release")
    host.submit(debate_id, TakeTurn(by="judge", request="1.verdict.judge.1", content=verdict))
    text = told(page(app, "results.py", debate_id))
    assert "Undecided. Agreed next step: escalate" in text
    assert text.count("South was not heard: 0 of 1 turn given, the first lost in round 1 (1 skipped).") >= 2
    assert "The judge named release" in text
    assert "Decided" not in text
