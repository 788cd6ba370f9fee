"""The pages tell one outcome: a majority that held once is called no winner beside "Undecided"."""

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests as _requests
from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument, Content, Synthesis, Verdict
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.app.visiting import at, drawings, results, room, unfolded, words

OPTIONS = ["adopt", "defer"]
SEATS = ("ana", "ben", "cyd")


def give(host: Host, debate: str, request: str, content: Content) -> None:
    host.submit(debate, TakeTurn(by=request.split(".")[2], request=request, content=content))


def held_once(host: Host) -> str:
    """Adopt has 1 of 3, then 2 of 3, on the preset that asks for a majority on two ballots in a row."""
    seats = [Seat(id=name, occupant="human") for name in SEATS]
    seats.append(Seat(id="syn", role="synthesiser", occupant="human"))
    debate = host.create(compose("Do we adopt?", OPTIONS, protocol("expert_panel"), seats, max_rounds=2), by="tests")
    for phase, votes in (("1.opening", ("adopt", "defer", "defer")), ("2.critique", ("adopt", "adopt", "defer"))):
        for seat, vote in zip(SEATS, votes, strict=True):
            give(host, debate, f"{phase}.{seat}.1", Argument(rationale="So", vote=vote))
    give(host, debate, "2.synthesis.syn.1", Synthesis(answer="It stays open."))
    return debate


# finding 4 of the audit
def test_the_results_say_undecided_and_nothing_else(app: AppTest, host: Host):
    debate = held_once(host)
    told = words(results(app, debate)).replace("\\", "")
    told += words(results(unfolded(app, "vote-detail", "what-if"), debate, "Votes")).replace("\\", "")
    assert "Undecided. Agreed next step: escalate" in told
    assert "has won 1 of the 2 consecutive counts it needs" in told
    assert (
        "Agreed, majority on 2 consecutive counts → **nothing decided, has won 1 of the 2 consecutive counts it needs**"
        in told
    )
    assert "As counted: nothing decided" in told
    assert "Agreed, majority → **adopt**" not in told
    tables = {tuple(table.value.columns): table.value for table in app.dataframe}
    rules = next(table for columns, table in tables.items() if "Ballots from flipping" in columns)
    by_rule = dict(zip(rules["Rule"], rules["Result"], strict=True))
    assert by_rule["majority (agreed)"] == by_rule["supermajority"] == "nothing decided"
    elected = next(table for columns, table in tables.items() if "Elected" in columns)
    assert set(elected["Elected"]) == {""}


def test_the_room_says_on_how_many_ballots_it_held(app: AppTest, host: Host):
    room(app, held_once(host))
    (hero,) = drawings(app, "hero")
    assert "has won 1 of the 2 consecutive counts it needs" in hero["line"]


def test_where_the_judge_decides_no_page_tells_of_a_count(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human", stance=side) for name, side in zip(SEATS, OPTIONS, strict=False)]
    seats.append(Seat(id="judge", role="judge", occupant="human"))
    debate = host.create(compose("Do we adopt?", OPTIONS, protocol("stance_judge"), seats), by="tests")
    while (state := host.state(debate)).outcome is None:
        asked = [r for r in _requests(state) if r.seat != "judge"] or _requests(state)
        said = Verdict(reasoning="Weighed", verdict="adopt", option="adopt", confidence=70)
        content = said if asked[0].seat == "judge" else Argument(rationale="So")
        give(host, debate, asked[0].id, content)
    for page in ("results.py", "screen.py"):
        at(app, debate, page=page)
        told = words(app)
        assert "adopt" in told
        assert "count says" not in told
        assert "By the count" not in told
        assert "The count" not in told
