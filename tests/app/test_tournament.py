"""A tournament on its pages: candidates in set-up, two options in the room, the ranking in the results."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import next_requests, requests
from debate_core.engine.stage import compared_from, unreached
from debate_core.host.host import Host
from debate_core.record.acts import PersonJoined
from debate_core.record.commands import Act, Resume, TakeTurn
from debate_core.record.events import dump_record
from debate_core.report.facts.account import account
from debate_core.spec.contents import Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.presets.matches import comparing_by
from debate_core.spec.rules import Tournament
from debate_core.spec.values import Seat, Source
from debate_core.ui.kit.words import event_line
from debate_core.ui.room.live import transcript
from debate_core.ui.setup.draft import RoomDraft, SetupDraft, example
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.readiness import problem
from debate_core.ui.setup.rules import with_rules
from debate_core.ui.setup.steps import OPEN
from tests.app.visiting import at, lists, new_browser, on_the_wall, parts_of, results, room, step, words
from tests.people import FAY
from tests.playing import Played
from tests.waiting import until

CANDIDATES = [f"design {n}" for n in range(1, 13)]


def test_candidates_are_typed_one_a_line_and_compared(app: AppTest, host: Host):
    # R173
    draft = example("Which design?", ["a", "b"]).model_copy(update={"protocol": "tournament"})
    host.drafts.save("setup-mine", SetupDraft.model_validate(draft).model_dump_json())
    for visitor in (app, new_browser()):
        visitor.query_params["draft"] = "mine"
        visitor.switch_page("setup.py").run()
        assert not visitor.exception
        assert "Comparisons decide" in words(visitor)
        visitor.text_area(key="setup_candidates_0").set_value("\n".join(CANDIDATES)).run()
        assert "12 candidates" in words(visitor)
        assert not visitor.exception
    next(b for b in visitor.button if b.label == "Start debate").click().run()
    assert not visitor.exception
    spec = host.state(host.debates()[0].id).spec
    assert (spec.options, spec.protocol.name) == (tuple(CANDIDATES), "tournament")


def test_set_up_offers_a_short_debate_for_each_pair(app: AppTest, host: Host):
    draft = example("Which design?", CANDIDATES).model_copy(update={"protocol": "tournament"})
    host.drafts.save("setup-mine", SetupDraft.model_validate(draft).model_dump_json())
    app.query_params["draft"] = "mine"
    app.session_state[OPEN] = "people"
    app.switch_page("setup.py").run()
    step(app, "people", "protocol")
    app.selectbox(key="setup_matches_tournament").set_value("debate").run()
    assert not app.exception
    assert "the seat that compares is their judge" in words(app)
    assert "Only models compare pairs in a short debate" in words(app)
    chosen = SetupDraft.model_validate(draft).with_own(comparing_by(protocol("tournament"), "debate"))
    rule = chosen.rules().decide
    assert isinstance(rule, Tournament)
    assert rule.matches == "debate"
    assert with_rules(chosen, protocol("co_scientist")).rules() == protocol("co_scientist")


def test_the_ranking_links_to_each_short_debate(app: AppTest, host: Host):
    line = ModelLine(id="line", provider="openai", model="model", dialect="chat")
    seats = [Seat(id=name, model="line") for name in ("ana", "ben")]
    rules = comparing_by(protocol("tournament"), "debate")
    played = Played(compose("Which design?", CANDIDATES[:2], rules, seats, models=[line], max_rounds=1))
    (request,) = played.requests()
    verdict = Verdict(reasoning="It is.", option=CANDIDATES[0])
    played.do(TakeTurn(by=request.seat, request=request.id, content=verdict, match="match-7"))
    debate = host.import_record(dump_record(played.events).encode())
    results(app, debate, "Votes")
    app.session_state["matches_box"] = True
    app.run()
    assert not app.exception
    table = next(table.value for table in app.dataframe if "Open" in table.value.columns)
    assert table["Open"].to_list() == ["results?id=match-7"]
    assert any("compared in the short debate match-7" in event_line(event) for event in played.events)
    assert "compared in a short debate" in str(transcript.picture(played.state, {}, ()))


def test_a_person_compares_two_and_the_results_rank_them_all(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Which design?", CANDIDATES, protocol("tournament"), seats, max_rounds=3), by="tests")
    state = host.state(debate)
    mine = next(request for request in requests(state) if request.seat == "ana")
    room(app, debate, "ana")
    assert answers(app)[:2] == [*state.compared[mine.turn()]]
    while asked_now := requests(host.state(debate)):
        for request in asked_now:
            pair = host.state(debate).compared[request.turn()]
            said = Verdict(reasoning="It is.", option=min(pair, key=CANDIDATES.index))
            host.submit(debate, TakeTurn(by=request.seat, request=request.id, content=said))
    for visitor in (app, new_browser()):
        results(visitor, debate)
        assert "design 1" in words(visitor)
        results(visitor, debate, "Votes")
        assert "18 comparisons of 12 options" in words(visitor)
        for page in ("room.py", "record.py", "screen.py"):
            at(visitor, debate, page=page)
    # The way from the results to a debate between the best.
    visitor = new_browser()
    visitor.query_params["best"] = debate
    visitor.switch_page("setup.py").run()
    assert not visitor.exception
    best = [row.option for row in account(host.state(debate)).ranking[:3]]
    assert [f.value for f in visitor.text_input if str(f.key).startswith("setup_option_")] == best


def opened(host: Host, candidates: int = 12, rounds: int = 3, *, texts: bool = False, **more: object) -> str:
    """A tournament of two people."""
    names = [f"design {n}" for n in range(1, candidates + 1)]
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    sources = [Source(id=f"C{n}", title=o, text=f"What {o} is. " * 30) for n, o in enumerate(names, 1)] if texts else []
    spec = compose("Which?", names, protocol("tournament"), seats, max_rounds=rounds, sources=sources, **more)  # type: ignore[arg-type]
    return host.create(spec, by="tests")


def compare(host: Host, debate: str, times: int, by: str = "") -> None:
    """The next comparisons: the design with the lower number is better."""
    for _ in range(times):
        state = host.state(debate)
        if state.outcome is not None:
            return
        request = requests(state)[0]
        better = min(state.compared[request.turn()], key=lambda option: int(option.split()[1]))
        said = Verdict(reasoning="It is.", option=better)
        host.submit(debate, TakeTurn(by=by or request.seat, request=request.id, content=said))


def answers(app: AppTest) -> list[str]:
    return [b.label for b in app.button if ":is " in str(b.key)]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["a"], "A tournament needs 2 to 200 options, this one has 1."),
        (["Redis ", " redis", "b"], "'redis' is named twice: give every option its own name."),
        ([f"design {n}" for n in range(10_000)], "A tournament needs 2 to 200 options, this one has 10000."),
    ],
)
def test_unfit_candidates_are_named_before_a_tournament(host: Host, lines: list[str], why: str):
    draft = example("Which design?", ["a", "b"]).model_copy(update={"protocol": "tournament"})
    host.drafts.save("setup-mine", SetupDraft.model_validate(draft).model_dump_json())
    visitor = new_browser()
    visitor.query_params["draft"] = "mine"
    visitor.switch_page("setup.py").run()
    visitor.text_area(key="setup_candidates_0").set_value("\n".join(lines)).run()
    assert not visitor.exception
    assert why in words(visitor).replace("\\", "")


def test_evidence_panel_that_is_to_compare_is_refused(host: Host):
    draft = example("Which design?", CANDIDATES[:4]).model_copy(update={"protocol": "tournament"})
    assert {seat.who for seat in draft.panel()} == {"human"}
    assert problem(draft) is None
    for seated in (1, 3):
        seats = tuple(
            seat.model_copy(update={"who": "offline"}) if number < seated else seat
            for number, seat in enumerate(draft.panel())
        )
        for people in (RoomDraft(), RoomDraft(on=True, name="Fay")):
            why = problem(draft.model_copy(update={"seats": seats, "room": people}))
            assert why is not None
            assert why.startswith("the evidence panel compares nothing")
            assert "reviewer" in why
        # Choosing these rules replaces an evidence panel by people.
        expert = draft.model_copy(update={"protocol": "expert_panel", "seats": seats})
        assert {seat.who for seat in with_rules(expert, protocol("tournament")).panel()} == {"human"}


def test_everyone_with_a_vote_compares_for_free_seats(app: AppTest, host: Host):
    voters = [Person(id=f"p-{n}", name=f"Voter {n}", electorate="room") for n in range(4)]
    watches = Person(id="p-ola", name="Ola", role="observer")
    room_agreed = Room(people=(FAY, *voters[:3], watches), hold="none", pre_vote="none", decides="room")
    debate = opened(host, room=room_agreed)
    # One who comes by the code, late.
    host.submit(debate, Act(by="p-3", act=PersonJoined(person=voters[3])))
    host.submit(debate, Resume(by=FAY.id))
    for who in voters:
        visitor = at(new_browser(), debate, who)
        pair = answers(visitor)[:2]
        assert len(pair) == 2
        next(b for b in visitor.button if b.label == pair[0]).click().run()
        assert not visitor.exception
    assert sorted(turn.by for turn in host.state(debate).all_turns()) == ["p-0", "p-1", "p-2", "p-3"]
    for who in (FAY, watches):
        assert answers(at(new_browser(), debate, who)) == []
    assert "4 people with a vote compare: 2 pairs left in this round" in words(at(app, debate, FAY))


def test_two_who_compare_the_same_pair_count_once(host: Host):
    voters = [Person(id=f"p-{n}", name=f"Voter {n}", electorate="room") for n in range(2)]
    debate = opened(host, candidates=2, room=Room(people=(FAY, *voters), hold="none", pre_vote="none", decides="room"))
    host.submit(debate, Resume(by=FAY.id))
    first, second = (at(new_browser(), debate, who) for who in voters)
    label = answers(first)[0]
    for visitor in (first, second):
        next(b for b in visitor.button if b.label == label).click().run()
        assert not visitor.exception
    assert [turn.by for turn in host.state(debate).all_turns()] == ["p-0"]
    assert "These two were compared already" in words(second)


def test_tournament_rounds_with_people_follow_each_other():
    draft = example("Which?", CANDIDATES[:8]).model_copy(update={"room": RoomDraft(on=True, name="Fay", hold="round")})
    assert spec_from(draft).terms.hold == "round"
    spec = spec_from(draft.model_copy(update={"protocol": "tournament"}))
    assert (spec.terms.hold, spec_from(draft_of(spec))) == ("none", spec)


def test_a_comparison_is_one_press_and_the_next_pair_follows(app: AppTest, host: Host):
    # R173, on a phone: two texts, one line, three buttons.
    debate = opened(host, texts=True)
    asked = [r for r in requests(host.state(debate)) if r.seat == "ana"]
    pairs = [host.state(debate).compared[r.turn()] for r in asked]
    room(app, debate, "ana")
    assert answers(app) == [*pairs[0], "Neither is better"]
    assert all(f"What {option} is" in words(app) for option in pairs[0])
    assert "2 more follow." in words(app)
    next(f for f in app.text_input if str(f.key).endswith(":reason")).set_value("Less to run.")
    next(b for b in app.button if b.label == pairs[0][1]).click().run()
    assert not app.exception
    assert answers(app) == [*pairs[1], "Neither is better"]
    next(b for b in app.button if b.label == "Neither is better").click().run()
    given = [t.content for t in host.state(debate).all_turns() if t.seat == "ana"]
    assert given == [
        Verdict(reasoning="Less to run.", option=pairs[0][1]),
        Verdict(reasoning="No reason given.", option=None),
    ]


def test_the_room_shows_the_ranking_and_names_no_winner(app: AppTest, host: Host):
    debate = opened(host, 30, 4)
    room(app, debate)
    assert "0 of at most 60 comparisons are done" in words(app)
    assert parts_of(app, "ranked") == []
    compare(host, debate, 22)
    room(app, debate)
    (drawn,) = parts_of(app, "ranked")
    # Of an open round the page names the number alone.
    assert sum(row["compared"] for row in drawn["rows"]) == 2 * 15
    assert (drawn["shown"], drawn["top"], drawn["settled"]) == (10, 3, False)
    assert all(0 <= row["low"] <= row["at"] <= row["high"] <= 1 for row in drawn["rows"] if row["compared"])
    said = words(app)
    assert "22 of at most 60 comparisons are done" in said
    assert "The best 3 are not settled yet" in said
    assert "and 7 other pairs" in said
    assert "winner" not in said
    # No result sways people who still compare.
    other = new_browser()
    room(other, debate, "ben")
    assert parts_of(other, "ranked") == []
    assert "Shown after your comparisons of this round" in words(other)
    for role, is_shown in (("ben", False), ("facilitator", True)):
        reader = new_browser()
        reader.query_params["as"] = role
        at(reader, debate, page="results.py", tab="Votes")
        assert ("Shown once you have given" in words(reader)) != is_shown


def test_a_row_of_the_list_says_in_a_whole_sentence_who_decides(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    host.create(compose("Which design?", CANDIDATES, protocol("tournament"), seats, max_rounds=3), by="tests")
    app.run()
    (row,) = [row for rows in lists(app).values() for row in rows if row["question"] == "Which design?"]
    assert row["count"] == "Who decides: The comparisons"


def test_whoever_leads_skips_the_pair_that_a_seat_compares_next(app: AppTest, host: Host):
    debate = opened(host)
    first = requests(host.state(debate))[0]
    assert next_requests(host.state(debate))[first.seat] == first
    room(app, debate, "facilitator")
    assert any(str(b.key).endswith(first.id) for b in app.button if "Skip this turn" in b.label)


def test_the_wall_shows_the_best_ten_of_thirty(app: AppTest, host: Host):
    debate = opened(host, 30, 4)
    compare(host, debate, 40)
    at(app, debate, page="screen.py")
    shown = on_the_wall(app)["shown"]
    assert shown["scene"] == "ranked"
    assert [row["place"] for row in shown["ranked"]["rows"]] == [*range(1, 11)]
    assert shown["title"] == "The best 3 are not settled yet"
    assert shown["now"].startswith("Compared now: design ")


def test_the_transcript_shows_comparisons_with_both_options(host: Host):
    debate = opened(host, 30)
    compare(host, debate, 4)
    state = host.state(debate)
    said = str(transcript.picture(state, {}, ()))
    for turn in state.all_turns():
        first, second = state.compared[turn.address()]
        assert f"compared {first} with {second}" in said


def test_a_seats_holder_compares_under_their_own_name(app: AppTest, host: Host):
    holders = [Person(id=f"p-{seat}", name=seat.title(), role="debater", seats=(seat,)) for seat in ("ana", "ben")]
    debate = opened(host, room=Room(people=(FAY, *holders), hold="none", pre_vote="none", final_vote="none"))
    host.submit(debate, Resume(by=FAY.id))
    at(app, debate, holders[0])
    pair = answers(app)[:2]
    next(b for b in app.button if b.label == pair[0]).click().run()
    assert not app.exception
    (given,) = host.state(debate).all_turns()
    assert (given.by, given.content) == ("p-ana", Verdict(reasoning="No reason given.", option=pair[0]))
    assert answers(app)[:2] != pair
    for visitor, who in ((new_browser(), FAY), (new_browser(), None)):
        at(visitor, debate, who)
        assert answers(visitor) == []
    assert "Verdict" not in words(at(new_browser(), debate, FAY, page="results.py"))
    told = words(results(new_browser(), debate, "Transcript", FAY))
    assert '"who": "Ana"' in told
    assert "p-ana" not in told


@pytest.mark.parametrize("with_people", [False, True])
def test_without_proposals_the_leader_types_the_candidates(app: AppTest, host: Host, *, with_people: bool):
    # R174: the evidence panel is no model and proposes nothing.
    rules = protocol("co_scientist")
    seats = default_seats(rules, "How?", (), "offline")
    people = Room(people=(FAY, Person(id="p-ana", name="Ana", role="observer"))) if with_people else None
    debate = host.create(compose("How?", (), rules, seats, max_rounds=2, room=people), by="tests")
    if with_people:
        host.submit(debate, Resume(by="p-fay"))
    until(lambda: unreached(host.state(debate)))
    at(app, debate, FAY) if with_people else room(app, debate, "facilitator")
    assert "No candidates were proposed" in words(app)
    assert "people name the options to compare" in words(app)
    app.text_area(key="typed_candidates").set_value("outbox: one table\nrelay").run()
    next(b for b in app.button if b.label == "Compare these").click().run()
    assert not app.exception
    until(lambda: host.state(debate).spec.options)
    state = host.state(debate)
    assert state.spec.options == ("outbox", "relay")
    assert [(s.title, s.text) for s in state.spec.sources] == [("outbox", "one table")]
    if with_people:
        at(new_browser(), debate, people.people[1] if people else None)
    at(new_browser(), debate, FAY if with_people else None, page="results.py")


def test_candidates_may_be_left_to_a_seat_in_set_up(app: AppTest, host: Host):
    draft = example("How?", []).model_copy(update={"protocol": "co_scientist"})
    host.drafts.save("setup-mine", SetupDraft.model_validate(draft).model_dump_json())
    app.query_params["draft"] = "mine"
    app.switch_page("setup.py").run()
    assert not app.exception
    assert "A seat proposes more of them; you may leave this empty." in words(app)
    assert "Code proposes no candidates" in words(app)
    next(b for b in app.button if b.label == "Start debate").click().run()
    assert not app.exception
    assert host.state(host.debates()[0].id).spec.options == ()


def test_tournament_for_a_room_takes_eight_inputs(app: AppTest, host: Host):
    """From the protocol to the ranking: 12 options, 8 people who compare, and no vote beside the comparisons."""
    # The button *Use this protocol*.
    inputs = 1

    def did(widget: Any) -> None:
        nonlocal inputs
        widget.run()
        assert not app.exception
        inputs += 1

    draft = with_rules(SetupDraft(), protocol("tournament"))
    host.drafts.save("setup-mine", draft.model_dump_json())
    app.query_params["draft"] = "mine"
    app.switch_page("setup.py").run()
    did(app.text_area(key="setup_question").set_value("Which design?"))
    did(app.text_area(key="setup_candidates_0").set_value("\n".join(CANDIDATES)))
    did(app.segmented_control(key="step").set_value("people"))
    did(app.toggle(key="setup_audience_debaters").set_value(True))
    did(app.text_input(key="setup_room_name").set_value("Fay"))
    assert "The comparisons" in str(app.segmented_control(key="setup_decider_debaters").options)
    did(next(b for b in app.button if b.label == "Start debate").click())
    (row,) = host.debates()
    terms = host.state(row.id).spec.terms
    assert (terms.decides, terms.pre_vote, terms.final_vote) == ("debaters", "none", "none")
    for n in range(8):
        person = Person(id=f"p-v{n}", name=f"Voter {n}", electorate="room")
        host.submit(row.id, Act(by=person.id, act=PersonJoined(person=person)))
    facilitator = host.state(row.id).spec.terms.people[0]
    at(app, row.id, facilitator)
    assert "No vote is open" not in words(app)
    assert "everyone with a vote compares the options, two at a time" in words(app)
    did(next(b for b in app.button if b.label == "Begin the debate").click())
    assert "8 people with a vote compare: 6 pairs left in this round" in words(app)
    compare(host, row.id, 144, by="p-v0")
    assert host.state(row.id).outcome is not None
    app.run()
    assert "The ranking" in [heading.value for heading in app.subheader]
    assert "design 1" in words(app)
    wall = on_the_wall(at(new_browser(), row.id, page="screen.py"))["shown"]
    assert (wall["scene"], wall["title"]) == ("ranked", "design 1")
    assert len(wall["ranked"]["rows"]) == 12
    assert inputs <= 8


def test_people_begin_at_pairs_of_their_own(host: Host):
    voters = [Person(id=f"p-{n}", name=f"Voter {n}", electorate="room") for n in range(6)]
    debate = opened(host, room=Room(people=(FAY, *voters), hold="none", pre_vote="none", decides="room"))
    host.submit(debate, Resume(by=FAY.id))
    state = host.state(debate)
    orders = {who.id: compared_from(state, who.id) for who in voters}
    assert {len(set(order)) for order in orders.values()} == {6}
    assert len({order[0] for order in orders.values()}) == 6
    # No pair changes under a reader when others answer, and people without a vote compare nothing.
    compare(host, debate, 1, by="p-0")
    assert {who: compared_from(host.state(debate), who) for who in orders} == orders
    assert compared_from(state, FAY.id) == []


def test_results_show_ranking_and_pairs_and_no_verdict(app: AppTest, host: Host):
    debate = opened(host, 4, 2)
    compare(host, debate, 100)
    state = host.state(debate)
    assert state.outcome is not None
    results(app, debate)
    assert [tab.label for tab in app.tabs] == ["Overview", "Votes", "Transcript", "Process", "Files"]
    (drawn,) = parts_of(app, "ranked")
    assert sum(row["compared"] for row in drawn["rows"]) == 2 * len(state.compared)
    assert "Verdict" not in words(app)
    results(app, debate, "Transcript")
    (shown,) = parts_of(app, "transcript")
    told = [entry["beside"].rsplit("prefers ", 1)[-1] for entry in shown["entries"]]
    pairs = (sorted(pair, key=lambda option: int(option.split()[1])) for pair in state.compared.values())
    assert sorted(told) == sorted(f"{better} to {other}" for better, other in pairs)
