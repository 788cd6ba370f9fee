"""The ranked recommendation on the results page and on the wall."""

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument, Content, Evaluation, Framing, Quality, Synthesis
from debate_core.spec.presets import compose, default_seats, protocol
from tests.app.visiting import at, on_the_wall, results, words

RULES = protocol("multi_position")
OPTIONS = ("kafka", "postgres", "rabbit")
SAID: dict[str, Content] = {
    "framing": Framing(thesis="One of them will do."),
    "synthesis": Synthesis(answer="In sum.", option="kafka"),
}


def test_results_and_wall_rank_the_options_after_the_end(app: AppTest, host: Host):
    seats = default_seats(RULES, "Which queue?", OPTIONS, "human")
    debate = host.create(compose("Which queue?", OPTIONS, RULES, seats), by="tests")
    results(app, debate)
    assert "The options are ranked when the debate is over." in words(app)
    by_stance = {seat.stance: seat.id for seat in seats if seat.role == "debater"}
    scores = tuple(Quality(seat=by_stance[option], score=score) for option, score in (("rabbit", 8), ("kafka", 8)))
    evaluation = Evaluation(synthesis="Read.", quality=scores)
    while asked := requests(host.state(debate)):
        said = SAID.get(asked[0].gives, Argument(rationale="It pays.", strength=8))
        said = evaluation if asked[0].gives == "evaluation" else said
        host.submit(debate, TakeTurn(by=asked[0].seat, request=asked[0].id, content=said))
    results(app, debate)
    shown = next(table.value for table in app.dataframe if "Place" in table.value)
    assert list(map(tuple, shown.to_numpy())) == [
        ("1 (tie)", "kafka", "8"),
        ("1 (tie)", "rabbit", "8"),
        ("unknown", "postgres", "unknown"),
    ]
    assert "This ranking is no count and decides nothing" in words(app)
    drawn = on_the_wall(at(app, debate, None, "screen.py"))["shown"]["recommended"]
    assert [(row["place"], row["letter"], row["option"]) for row in drawn["rows"]] == [
        ("1 (tie)", "A", "kafka"),
        ("1 (tie)", "C", "rabbit"),
        ("unknown", "B", "postgres"),
    ]
