"""A tournament on its pages: candidates in set-up, two options in the room, the ranking in the results."""

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.report.facts.account import account
from debate_core.spec.contents import Verdict
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import SetupDraft, example
from tests.app.visiting import at, new_browser, results, room, words

CANDIDATES = [f"design {n}" for n in range(1, 13)]


def test_candidates_are_typed_one_a_line_and_compared(app: AppTest, host: Host):
    # R173
    draft = example("Which design?", ["a", "b"]).model_copy(update={"protocol": "tournament"})
    host.drafts.save("setup-mine", SetupDraft.model_validate(draft).model_dump_json())
    for visitor in (app, new_browser()):
        visitor.query_params["draft"] = "mine"
        visitor.run()
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


def test_a_person_compares_two_and_the_results_rank_them_all(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Which design?", CANDIDATES, protocol("tournament"), seats, max_rounds=3), by="tests")
    state = host.state(debate)
    mine = next(request for request in requests(state) if request.seat == "ana")
    room(app, debate, "ana")
    offered = [set(box.options) for box in (*app.radio, *app.selectbox) if set(box.options) & set(CANDIDATES)]
    assert [box & set(CANDIDATES) for box in offered] == [set(state.compared[mine.turn()])]
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
    visitor.run()
    visitor.switch_page("setup.py").run()
    assert not visitor.exception
    best = [row.option for row in account(host.state(debate)).ranking[:3]]
    assert [f.value for f in visitor.text_input if str(f.key).startswith("setup_option_")] == best
