"""The evidence of a debate as its drawing gets it, and the claims of the round beside the transcript."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import SetMark, TakeTurn
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat, Source
from tests.app.visiting import at, begun, drawings, press_part, results
from tests.people import FAY, GUS

BILL = "# Bill\n\nThe store costs 90 USD a month.\n\n## Later\n\nFrom the 2nd year on 🙂 it costs 120 USD a month.\n"
SEATS = ("ana", "ben", "cyd")
SAID = {
    "ana": (Claim(text="It is dear.", source_id="E1", quote="it costs 120 USD a month"),),
    "ben": (Claim(text="It is cheap.", source_id="E1", quote="it costs 12 USD a month"), Claim(text="We like it.")),
    "cyd": (Claim(text="Others cost more.", answers=("ben.1.2",), concedes=("ana.1.1",)),),
}


@pytest.fixture
def debate(host: Host) -> str:
    return opened(host)


def opened(host: Host) -> str:
    seats = [Seat(id=name, occupant="human") for name in SEATS]
    source = Source(id="E1", title="The bill", text=BILL)
    spec = compose("Do we buy it?", ["buy", "wait"], protocol("bounded_vote"), seats, sources=[source])
    return host.create(spec, by="ana")


def say(host: Host, debate: str, *names: str) -> None:
    for name in names:
        said = Argument(rationale="So it is, see ana.1.1.", vote="buy", claims=SAID[name])
        host.submit(debate, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=said))


def part(app: AppTest, name: str) -> dict[str, Any]:
    """Return the arguments of the component with this name; empty if it is absent."""
    given = [json.loads(e.proto.json) for e in app.get("bidi_component")]
    return next((one for one in given if one.get("part") == name), {})


def test_a_claim_is_read_with_its_quote_marked_under_its_heading(app: AppTest, host: Host, debate: str):
    say(host, debate, *SEATS)
    given = part(results(app, debate, "Evidence"), "evidence")
    claims = given["claims"]
    assert [(c["number"], c["text"], c["who"], c["verdict"], c["status"]) for c in claims] == [
        (1, "It is dear.", "Ana", "verbatim", "Agreed"),
        (2, "It is cheap.", "Ben", "altered", "Unanswered"),
        (3, "We like it.", "Ben", "not checkable", "Contested"),
        (4, "Others cost more.", "Cyd", "not checkable", "Unanswered"),
    ]
    assert [c["contested_by"] for c in claims] == ["", "", "Cyd", ""]
    quoted, source = claims[0]["quoted"], given["sources"][0]
    assert (source["title"], quoted["heading"], len(given["sources"])) == ("The bill", "Later", 1)
    # As the script cuts it: an emoji is one sign.
    [(block, start, end)] = quoted["marks"]
    assert source["blocks"][block][1][start:end] == "it costs 120 USD a month"
    assert [text for is_heading, text in source["blocks"] if is_heading] == ["Bill", "Later"]


def test_claims_that_answer_or_concede_link_both_ways(app: AppTest, host: Host, debate: str):
    say(host, debate, *SEATS)
    host.submit(debate, SetMark(by="mo", mark=Mark(claim_id="ben.1.1", reading="against", option="buy"), reason="no"))
    claims = part(results(app, debate, "Evidence"), "evidence")["claims"]
    links = [[(link["verb"], link["who"], link["name"], link["claim"]) for link in c["links"]] for c in claims]
    assert links == [
        [("accepted by", "Cyd", "claim 4", "cyd.1.1")],
        [],
        [("answered by", "Cyd", "claim 4", "cyd.1.1")],
        [("answers", "Ben", "claim 3", "ben.1.2")],
    ]
    assert (claims[1]["side"], claims[1]["letter"]) == ("against", "A")
    assert claims[1]["notes"] == ["Marked by mo as against buy: no."]


def test_a_claim_id_in_a_turn_is_shown_as_its_number(app: AppTest, host: Host, debate: str):
    say(host, debate, *SEATS)
    entries = part(results(app, debate, "Transcript"), "transcript")["entries"]
    assert {entry["text"] for entry in entries} == {"So it is, see claim 1."}


def test_a_reason_opens_its_claim_in_the_evidence(app: AppTest, host: Host, debate: str):
    say(host, debate, *SEATS)
    reasons = part(results(app, debate), "reasons")["options"][0]["lines"]
    assert [(line["name"], line["claim"]) for line in reasons][:2] == [("claim 1", "ana.1.1"), ("claim 2", "ben.1.1")]
    press_part(app, "reasons", "open", reasons[1]["claim"])
    assert part(app, "evidence")["at"] == "ben.1.1"
    other = opened(host)
    say(host, other, *SEATS)
    assert part(results(app, other, "Evidence"), "evidence")["at"] == ""


LONG = " ".join(f"word{number}" for number in range(30))


def says(host: Host, debate: str, *texts: str) -> None:
    asked = requests(host.state(debate))[0]
    said = Argument(rationale="why", vote="adopt", claims=tuple(Claim(text=text) for text in texts))
    host.submit(debate, TakeTurn(by=f"p-{asked.seat}", request=asked.id, content=said))


def test_the_rail_lists_the_rounds_claims_and_links_evidence(app: AppTest, host: Host):
    debate = begun(host, blind="named")
    assert not drawings(at(app, debate, FAY), "rail")
    says(host, debate, "It costs", LONG)
    host.submit(debate, SetMark(by=FAY.id, mark=Mark(claim_id="s0.1.1", reading="against", option="defer")))
    (rail,) = drawings(at(app, debate, FAY), "rail")
    assert (rail["title"], rail["beside"], rail["opens"]) == ("Evidence of round 1", "2 claims, 0 quoted", True)
    first, second = rail["claims"]
    assert (first["number"], first["letter"], first["side"], first["status"]) == (1, "B", "against", "Unanswered")
    assert second["text"] == f"{' '.join(LONG.split()[:20])} …"
    press_part(app, "rail", "open", second["id"])
    (shown,) = drawings(app, "evidence")
    assert shown["at"] == "s0.1.2"


def test_whoever_reads_aliases_gets_no_id_and_nothing_to_press(app: AppTest, host: Host):
    debate = begun(host, blind="blind")
    says(host, debate, "It costs")
    (rail,) = drawings(at(app, debate, GUS), "rail")
    assert not rail["opens"]
    assert "s0" not in json.dumps(rail)
