"""A person's seat in a room: what they read before they write, and the tick of who leaves their side."""

from random import Random

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.host.host import Host
from debate_core.record.acts import SeatReturned, SeatTaken
from debate_core.record.commands import Act, TakeTurn
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.values import Seat, Source, in_words
from tests.app.visiting import HOLDERS, at, begun, drawings, drawn, gives, keys, new_browser, press, room, words
from tests.laws.play import content_for
from tests.people import FAY

SAM, SOL, SUE = HOLDERS


def name(debate: str, seat: str, phase: str = "1.opening") -> str:
    return f"{debate}/{seat}/{phase}.p-{seat}"


def test_leaving_an_assigned_side_needs_a_note_that_is_recorded(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, SAM)
    assert "You defend: adopt" in words(app)
    app.text_area(key=f"{name(debate, 's0')}:rationale").input("I was wrong").run()
    app.radio(key=f"{name(debate, 's0')}:vote").set_value("reject").run()
    press(app, f"{name(debate, 's0')}:send")
    assert "Your vote contradicts your assigned side" in words(app)
    assert host.state(debate).all_turns() == ()
    app.checkbox(key=f"{name(debate, 's0')}:holds reject").check().run()
    press(app, f"{name(debate, 's0')}:send")
    (turn,) = host.state(debate).all_turns()
    assert isinstance(turn.content, Argument)
    assert (turn.by, turn.content.stance, turn.content.vote) == ("p-s0", "I now hold reject", "reject")


def test_a_waiting_debater_reads_who_answered_them(app: AppTest, host: Host):
    debate = begun(host)
    for _ in range(3):
        gives(host, debate)
    gives(host, debate, Argument(rationale="why", vote="adopt", claims=(Claim(text="It costs little."),)))
    # An own turn without an answer is in the transcript alone.
    assert "Your last turn" not in words(at(app, debate, SAM))
    (claim,) = host.state(debate).all_turns()[-1].claims
    gives(host, debate, Argument(rationale="no", vote="defer", answers=(claim.id,)))
    assert "**Your last turn**  \n1 · It costs little. **answered by S1**" in words(app.run()).replace("\\", "")


def test_a_waiting_debater_reads_seat_side_order_and_next_turn(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, SAM)
    assert "You speak for" not in words(app)
    for _ in range(4):
        gives(host, debate)
    assert "You speak for S0" in words(app.run())
    assert "Your side: :blue-badge[A] adopt" in words(app)
    shown = words(app).replace("\\", "")
    assert "**You have spoken. You speak next in round 2: opening.**" in shown
    assert ":gray[✓ S0 (you)] → **S1 speaks now** → S2" in words(app)
    # Two seats have not replied yet: the count is that of the openings.
    (status,) = drawings(app, "status")
    assert status["count"]["words"].endswith("before this phase")
    # Until a seat has spoken, it reads the others by their sides.
    assert "**You speak next, after defer.**" in words(at(new_browser(), debate, SUE)).replace("\\", "")


def test_who_stays_or_has_no_side_is_asked_nothing(app: AppTest, host: Host):
    debate = begun(host, max_chars=300)
    at(app, debate, SUE)
    area = app.text_area(key=f"{name(debate, 's2')}:rationale")
    assert area.proto.max_chars == 300
    area.input("Because").run()
    app.radio(key=f"{name(debate, 's2')}:vote").set_value("reject").run()
    assert not [c for c in app.checkbox if "I now hold" in c.label]
    press(app, f"{name(debate, 's2')}:send")
    assert [t.by for t in host.state(debate).all_turns()] == ["p-s2"]


def test_the_reply_form_shows_sides_and_open_claims(app: AppTest, host: Host):
    debate = begun(host, phase_seconds=120)
    at(app, debate, SOL)
    assert "What the others said" not in [e.label for e in app.expander]
    gives(host, debate, Argument(rationale="It pays", vote="adopt", claims=(Claim(text="It saves 5 %"),)))
    gives(host, debate)
    gives(host, debate, Argument(rationale="No", vote="reject", claims=(Claim(text="Nobody knows it"),)))
    gives(host, debate)
    app.run()
    shown = words(app)
    assert "**adopt** · reply, round 1" in shown
    assert "- **Claim 1**: It saves 5 %" in shown
    assert "- **Claim 2**: Nobody knows it" in shown
    assert {e.label for e in app.expander} >= {"What the others said (3)", "Not yet answered by you (2)"}
    answers = app.multiselect(key=f"{name(debate, 's1', '1.reply')}:answers")
    assert answers.options == ["claim 1: It saves 5 %", "claim 2: Nobody knows it"]
    answers.set_value(["seat_a.1.1"]).run()
    app.text_area(key=f"{name(debate, 's1', '1.reply')}:rationale").input("It does not, see seat_c.1.1").run()
    app.radio(key=f"{name(debate, 's1', '1.reply')}:vote").set_value("defer").run()
    press(app, f"{name(debate, 's1', '1.reply')}:send")
    assert "next" not in keys(app)
    content = host.state(debate).all_turns()[-1].content
    assert isinstance(content, Argument)
    assert (content.answers, content.rationale) == (("s0.1.1",), "It does not, see s2.1.1")


BLIND_SEATS = tuple(Seat(id=i, occupant="human") for i in ("cost_hawk", "sceptic_9", "builder_x"))


@pytest.mark.parametrize("name", ["expert_panel", "proposer_critic", "stance_judge", "deliberation"])
def test_a_seat_without_names_gets_no_seat_ids(host: Host, name: str):
    # R105, R106: every label, choice and list of claims, in every phase that hides names
    rules = protocol(name)
    cast = default_seats(rules, "Which one?", ["adopt", "defer"], "human")
    debaters = iter(BLIND_SEATS)
    seats = [next(debaters).model_copy(update={"stance": s.stance}) if s.role == "debater" else s for s in cast]
    source = Source(id="E1", title="Bill", text="The store costs 90 USD a month from the first year on.")
    debate = host.create(
        compose("Which one?", ["adopt", "defer"], rules, seats, sources=[source], max_rounds=2), by="f"
    )
    looked_at = set[str]()
    while asked := requests(host.state(debate)):
        request, seen = asked[0], view(host.state(debate), asked[0])
        if seen.names.names and request.phase not in looked_at and host.state(debate).turns:
            looked_at.add(request.phase)
            shown = drawn(room(new_browser(), debate, request.seat), but=())
            others = [i for seat in BLIND_SEATS if seat.id != request.seat for i in (seat.id, in_words(seat.id))]
            # A vacant seat is offered by its name.
            offers = ("A person is asked: ", "Take the seat ")
            assert [t for t in shown if any(i in t for i in others) and not t.startswith(offers)] == []
        content = content_for(host.state(debate).spec, request, Random(request.id))
        if isinstance(content, Argument):
            claim = Claim(text="It costs 90 USD, see cost_hawk.1.1.", source_id="E1", quote="90 USD a month")
            content = content.model_copy(update={"claims": (claim,), "strength": 9})
        host.submit(debate, TakeTurn(by=request.seat, request=request.id, content=content))
    assert looked_at


def test_a_taken_over_seat_hides_its_former_holders_draft(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, SAM)
    app.text_area(key=f"{name(debate, 's0')}:rationale").input("Half a thought").run()
    host.submit(debate, Act(by=FAY.id, act=SeatTaken(seat="s0", reason="the phone is dead")))
    theirs = new_browser()
    at(theirs, debate, FAY)
    area = next(a for a in theirs.text_area if a.key and a.key.startswith(f"{debate}/s0/") and "rationale" in a.key)
    assert area.value == ""
    assert "Half a thought" not in words(theirs)
    host.submit(debate, Act(by=FAY.id, act=SeatReturned(seat="s0")))
    back = at(new_browser(), debate, SAM)
    assert back.text_area(key=f"{name(debate, 's0')}:rationale").value == "Half a thought"
