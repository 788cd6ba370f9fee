"""The claims of the round beside the transcript: which, in how many words, and where a press leads."""

import json

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.commands import SetMark, TakeTurn
from debate_core.spec.contents import Argument, Claim, Mark
from tests.app.visiting import at, begun, drawings, press_part
from tests.people import FAY, GUS

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
