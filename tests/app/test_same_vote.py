"""The evidence tab names seats that vote alike for other reasons, after the end."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests.app.visiting import results, words

SEATS = ("ana", "ben", "cyd")
TITLE = "Same vote in the end, other reasons"


def say(host: Host, debate: str, phase: str, **more: dict[str, list[str]]) -> None:
    """Ana and Ben vote adopt, Cyd votes defer."""
    for seat in SEATS:
        vote = "defer" if seat == "cyd" else "adopt"
        said = Argument.model_validate({"rationale": "why", "vote": vote, **more.get(seat, {})})
        host.submit(debate, TakeTurn(by=seat, request=f"1.{phase}.{seat}.1", content=said))


def test_evidence_names_equal_votes_with_other_reasons(app: AppTest, host: Host):
    seats = [Seat(id=seat, occupant="human") for seat in SEATS]
    spec = compose("Do we move?", ("adopt", "defer"), BOUNDED_VOTE, seats, max_rounds=1, threshold=3)
    debate = host.create(spec, by="tests")
    say(host, debate, "proposal", **{seat: {"claims": [f"{seat} has a reason"]} for seat in SEATS})
    say(host, debate, "critique", ana={"answers": ["cyd.1.1"]}, ben={"answers": ["ana.1.1"]})
    results(app, debate, "Evidence")
    assert TITLE not in words(app)
    say(host, debate, "revision")
    say(host, debate, "consensus")
    results(app, debate, "Evidence")
    assert TITLE in words(app)
    assert "- Ana and ben for adopt: one answers the other (claim 1)" in words(app)
    results(app, debate, "Process")
    # The pairs are in the evidence tab.
    told = words(app).replace("\\", "")
    assert "1 pair of seats votes alike for different reasons: see the tab Evidence." in told
    assert "one answers the other" not in told
