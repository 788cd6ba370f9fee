"""A quote that is not in its source is reported at once: in the room, on the results, on the wall, at the signature."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.report.facts.decision import decision_of
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat, Source
from debate_core.ui.results import sign_off
from debate_core.ui.room.live.transcript import picture
from tests.app.visiting import at, on_the_wall, room, shared_texts

SOURCE = Source(id="E1", title="Bill", text="The store costs 90 USD a month from the first year on.")
INVENTED = Claim(text="It is cheap.", source_id="E1", quote="The store costs nothing for all of the years")
MARK = "rests on unverified quotes"
SEATS = ("ana", "ben", "cyd")


def opened(host: Host) -> str:
    seats = [Seat(id=name, occupant="human") for name in SEATS]
    rules = protocol("bounded_vote")
    spec = compose("Do we ship it?", ["release", "revise"], rules, seats, sources=[SOURCE])
    return host.create(spec, by="ana")


def say(host: Host, debate: str, *names: str) -> None:
    for name in names:
        said = Argument(rationale="Because.", vote="release", claims=(INVENTED,))
        host.submit(debate, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=said))


def told(app: AppTest) -> str:
    shown = (*app.header, *app.error, *app.warning, *app.markdown, *app.caption)
    return "\n".join([*(str(e.value) for e in shown), *shared_texts(app)]).replace("\\", "")


def test_the_room_tells_at_once_which_quote_is_not_in_its_source(app: AppTest, host: Host):  # R263
    debate = opened(host)
    assert "Such a claim supports nothing" not in told(at(app, debate))
    say(host, debate, *SEATS)
    text = told(at(app, debate))
    assert "claim 1 (not found in the source)" in text
    assert f"The winner {MARK} (claim 1, claim 2, claim 3)" in text
    row = picture(host.state(debate), {}, ())["items"][0]["rows"][0]
    assert (row["verdict"], row["verdict_colour"]) == ("not found in the source", "red")


def test_the_next_turn_of_a_seat_is_told_which_quote_to_fix(app: AppTest, host: Host):  # R263
    debate = opened(host)
    for name, vote in zip(SEATS, ("release", "revise", "abstain"), strict=True):
        said = Argument(rationale="Because.", vote=vote, claims=(INVENTED,) if name == "ana" else ())
        host.submit(debate, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=said))
    mend = "Your quotes were not found in their sources"
    assert mend in told(room(app, debate, "ana"))
    assert mend not in told(room(app, debate, "ben"))


@pytest.mark.parametrize("page", ["results.py", "screen.py"])
def test_the_results_and_the_wall_mark_such_a_decision(app: AppTest, host: Host, page: str):  # R263, R270
    debate = opened(host)
    say(host, debate, *SEATS)
    at(app, debate, None, page)
    if page == "screen.py":
        assert "Rests on unverified quotes" in on_the_wall(app)["frame"]["chips"]
    else:
        assert f"Decided: release ({MARK})" in told(app)
        assert "rests on unverified quotes" in str(app.error[0].value).replace("\\", "")


def test_whoever_signs_such_a_decision_is_asked_first(app: AppTest, host: Host):
    debate = opened(host)
    say(host, debate, *SEATS)
    app.session_state[sign_off.OPEN] = True
    at(app, debate, None, "results.py")
    sign = next(b for b in app.button if b.label == "Accept and sign")
    assert sign.disabled
    next(e for e in app.text_input if "Your name" in e.label).input("Abe").run()
    next(c for c in app.checkbox if MARK in c.label).check().run()
    next(b for b in app.button if b.label == "Accept and sign").click().run()
    assert not app.exception
    signed = decision_of(host.state(debate)).signed
    assert signed is not None
    assert signed.word.option == "release"
