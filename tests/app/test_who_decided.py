"""Results, list, wall, phone and API agree on who decided: label, name, option, state, numbers and the red chip."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.api.reading import summary
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.report.facts.account import account
from debate_core.report.phrases.decision_status import decision_status
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import Elected, Majority, Plurality, Supermajority
from debate_core.spec.values import Seat
from debate_core.ui.kit import components
from tests.app.visiting import at, drawings, lists, new_browser, on_the_wall, unfolded, words
from tests.people import ABE, EVERYBODY, FAY, GUS, JUNE, belief, room_spec
from tests.playing import Played

FACE = Path(components.__path__[0])
BO = Person(id="p-bo", name="Bo", role="facilitator")
VOTERS = tuple(Person(id=f"p-{n.lower()}", name=n, role="voter", electorate="room") for n in ("Una", "Uwe", "Ute"))
ACCEPT = acts.Signed(verdict="accept", option="adopt")
OTHERWISE = acts.Signed(verdict="accept", option="defer", reason="no staff")


def by_seats(*signed: acts.Signed, votes: tuple[str, ...] = ("adopt", "adopt", "adopt")) -> Played:
    """Three seats decide, each round with these votes; Gus may vote, and Abe signs."""
    held = Played(room_spec((FAY, ABE, GUS), rounds=1, hold="none", pre_vote="none", final_vote="none"))
    held.go_on()
    while held.state.outcome is None:
        for vote in votes:
            if held.state.outcome is None:
                held.say(vote)
    return _signed(held, signed)


def by_room(*signed: acts.Signed, votes: tuple[str, ...] = ("adopt", "adopt", "defer"), reveal: bool = True) -> Played:
    """The seats advise reject, and the room decides by majority."""
    held = _in_the_room()
    held.to_the_end("reject")
    if votes:
        held.act(FAY, acts.PollOpened(poll="final"))
        for voter, vote in zip(VOTERS, votes, strict=True):
            held.ballot(voter, "final", vote)
        held.act(FAY, acts.PollClosed(poll="final"))
        if reveal:
            held.act(FAY, acts.PollRevealed(poll="final"))
    return _signed(held, signed)


def _in_the_room() -> Played:
    agreed: dict[str, Any] = {"decides": "room", "vote": Majority(), "hold": "none", "pre_vote": "shown_at_close"}
    return Played(room_spec((FAY, ABE, *VOTERS), rounds=1, **agreed))


def stopped() -> Played:
    """The room has voted before the debate, which is stopped before a seat has spoken."""
    held = _in_the_room()
    held.act(FAY, acts.PollOpened(poll="pre"))
    for voter in VOTERS:
        held.ballot(voter, "pre", "adopt")
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    held.go_on()
    return held.do(Stop(by=FAY.id, reason="fire alarm"))


def outage() -> Played:
    """No seat answers."""
    held = Played(room_spec((FAY, ABE, GUS), rounds=1, hold="none", pre_vote="none", final_vote="none"))
    held.go_on()
    while held.state.outcome is None:
        held.fail()
    assert held.outcome().ended_by == "provider_down"
    return held


def _signed(held: Played, signed: tuple[acts.Signed, ...]) -> Played:
    for word in signed:
        held.act(ABE, word)
    return held


CASES: dict[str, tuple[Callable[[], Played], str, str, str]] = {
    "count of the seats": (by_seats, "Decided by", "The seats", ""),
    "accepted": (lambda: by_seats(ACCEPT), "Decided by", "The seats", ""),
    "override of the seats": (
        lambda: by_seats(OTHERWISE),
        "Decided by",
        "Abe, against the count",
        "Overrides 3 of 3 seats",
    ),
    "override of the room": (
        lambda: by_room(OTHERWISE),
        "Decided by",
        "Abe, against the count",
        "Overrides 2 of 3 voters",
    ),
    "override taken back": (lambda: by_seats(OTHERWISE, ACCEPT), "Decided by", "The seats", ""),
    "count of the room": (by_room, "Decided by", "The room", ""),
    "tie that a person ends": (
        lambda: by_room(OTHERWISE, votes=("adopt", "defer", "abstain")),
        "Decided by",
        "Abe",
        "",
    ),
    "tie": (lambda: by_room(votes=("adopt", "defer", "abstain")), "Who may decide now", "Abe, by signature", ""),
    "rejected": (
        lambda: by_seats(acts.Signed(verdict="reject", reason="too dear")),
        "Decided by",
        "Abe, against the count",
        "Overrides 3 of 3 seats",
    ),
    "escalated": (
        lambda: by_seats(acts.Signed(verdict="escalate", reason="too large")),
        "Who decides",
        "Someone with the mandate",
        "",
    ),
    "changes": (
        lambda: by_seats(acts.Signed(verdict="accept_with_changes", option="adopt", changes="in May")),
        "Who decides",
        "Abe, once the changes are made",
        "",
    ),
    "final vote not opened": (lambda: by_room(votes=()), "Who decides", "The room, by the final vote", ""),
    "final vote sealed": (lambda: by_room(reveal=False), "Who decides", "The room, by the final vote", ""),
    "stopped, final vote due": (stopped, "Who decides", "The room, by the final vote", ""),
    "outage": (outage, "Who may decide now", "Abe, by signature", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_surfaces_agree_on_who_decided(case: str, app: AppTest, host: Host):
    make, label, who, override = CASES[case]
    held = make()
    host._store.append("d-room", held.events, after=0)
    status = decision_status(account(held.state, held.events))
    (hero,) = drawings(at(app, "d-room", FAY, "results.py"), "hero")
    assert tuple(hero["facts"][0][:2]) == (label, who)
    assert (hero["headline"], hero["status"], hero["line"]) == (status.headline, status.status, status.line)
    red = [chip["words"] for chip in hero["cautions"] if chip["level"] == "override"]
    assert red == ([override] if override else [])

    wall = on_the_wall(at(new_browser(), "d-room", FAY, "screen.py"))
    foot = dict(wall["frame"]["foot"])
    # The wall shows the final vote above, and the votes needed here.
    # Of an accepted count the line says who voted.
    says_above = held.state.room.of(acts.Signed) and " chose it." in wall["shown"]["line"]
    assert says_above or foot[label].startswith(who.replace(", by the final vote", ": "))
    assert wall["frame"]["override"] == override
    if wall["shown"]["scene"] in ("reveal", "signed"):
        assert (wall["shown"]["headline"], wall["shown"]["line"]) == (status.headline, status.line)

    found = lists(at(new_browser(), "d-room", FAY, "home.py"))
    ((title, row),) = [(title, row) for title, rows in found.items() for row in rows if row["name"] == "d-room"]
    assert row["stands"] == status.headline or row["stands"].startswith("Final vote · ")
    if title in ("Finished", "Waiting for a signature"):
        assert row["beside"].startswith((status.status, f"Decided by {who}"))
    assert row["override"] == override

    for_programs = summary(host.row("d-room"))
    assert for_programs.decision == (None if case == "changes" else status.option)
    assert (for_programs.status == "decided") == (for_programs.decision is not None)
    assert (for_programs.status == "over") == who.endswith(("final vote", "changes are made"))

    if case.endswith("of the room"):
        on_phone = at(new_browser(), "d-room", VOTERS[0])
        (phone,) = drawings(on_phone, "hero")
        assert (phone["headline"], phone["line"]) == (status.headline, status.line)
        # In the card it would stand twice.
        assert (drawings(on_phone, "status")[0]["words"], phone["status"]) == (status.status, "")
        assert tuple(phone["facts"][0][:2]) == (label, who)


@pytest.mark.slow
def test_stopped_debate_with_a_vote_due_is_not_closed(app: AppTest, host: Host):
    host._store.append("d-room", stopped().events, after=0)
    found = lists(at(app, "d-room", FAY, "home.py"))
    assert {"Finished", "Waiting for a signature"}.isdisjoint(found)
    (row,) = found["Waiting for you"]
    assert row["button"] == "Lead"
    # The vote before the debate is not the one that decides.
    assert (row["votes"], row["count"]) == (None, "Who decides: The room, by the final vote")
    (wall,) = drawings(at(new_browser(), "d-room", FAY, "screen.py"), "wall")
    steps = {step["name"]: step["when"] for step in wall["frame"]["steps"]}
    assert steps == {"Lobby": "done", "Pre-vote": "done", "Final vote": "now", "Sign": "next"}


@pytest.mark.parametrize(
    ("rule", "needs"),
    [
        (Majority(), "The room: more than half of all eligible voters"),
        (Supermajority(), "The room: at least 2/3 of all eligible voters"),
        (Plurality(), "The room: the most votes win"),
        (Elected(kind="weighted_criteria"), "The room: the highest weighted average wins"),
    ],
)
def test_wall_of_an_empty_lobby_has_the_agreed_rule(app: AppTest, host: Host, rule: Any, needs: str):
    spec = room_spec((FAY,), decides="room", vote=rule)
    spec = spec.model_copy(update={"drivers": (Driver(name="cost", weight=100),)})
    host._store.append("d-room", Played(spec).events, after=0)
    wall = on_the_wall(at(app, "d-room", FAY, "screen.py"))
    assert wall["shown"]["scene"] == "lobby"
    assert wall["frame"]["foot"] == [["Who decides", needs]]


def undecided(number: int) -> Played:
    """An old debate that waits for a signature."""
    spec = room_spec(rounds=1).model_copy(update={"room": None, "question": f"Old {number}?"})
    seats = tuple(seat.model_copy(update={"occupant": "human"}) for seat in spec.seats)
    held = Played(spec.model_copy(update={"seats": seats}), f"d-{number}")
    held.play("abstain")
    return held


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["lobby", "round", "final vote"])
def test_debate_that_runs_comes_after_my_tasks_only(app: AppTest, host: Host, stage: str):
    for number in range(12):
        host._store.append(f"d-{number}", undecided(number).events, after=0)
    held = Played(room_spec((FAY, ABE, *VOTERS), decides="room", hold="none", pre_vote="none"))
    if stage != "lobby":
        held.go_on()
    if stage == "final vote":
        held.to_the_end()
        held.act(FAY, acts.PollOpened(poll="final"))
    host._store.append("d-room", held.events, after=0)
    for who in (FAY, VOTERS[0], None):
        page = at(new_browser(), "d-room", who, "home.py")
        found = lists(page)
        title, *others = (title for title, rows in found.items() if "d-room" in [row["name"] for row in rows])
        assert not others
        # A task is first where something happens now, before 12 signatures that wait.
        assert found[title][0]["name"] == "d-room"
        assert list(found).index(title) == (title == "Under way" and "Waiting for you" in found)
        everywhere = [row["name"] for rows in drawings(page, "list") for row in rows["rows"]]
        assert everywhere.count("d-room") == 1


@pytest.mark.slow
def test_my_room_comes_before_a_room_of_others(app: AppTest, host: Host):
    host._store.append("d-room", Played(room_spec()).go_on().events, after=0)
    other = Played(room_spec((FAY,)), "d-other").go_on()
    host._store.append("d-other", other.after(seconds=3_600).play().events, after=0)
    (first, *_others) = drawings(at(app, "d-room", GUS, "home.py"), "list")
    assert first["rows"][0]["name"] == "d-room"


def test_overview_says_who_judged_and_who_of_them_led(app: AppTest, host: Host):
    held = Played(room_spec((*EVERYBODY, BO), rounds=1, hold="none"))
    held.go_on()
    held.act(BO, acts.PersonChanged(person=FAY.model_copy(update={"role": "judge"})))
    held.to_the_end()
    for judge in (FAY, JUNE):
        held.act(judge, belief(1, 70, 20, 10, final=True, explanation="why"))
    held.act(BO, acts.BeliefsRevealed(round=1))
    host._store.append("d-room", held.events, after=0)
    (hero,) = drawings(at(app, "d-room", BO, "results.py"), "hero")
    assert hero["facts"][-1] == [
        "Judges, a reading",
        "70 % adopt",
        "2 judges; knew who spoke: Fay; led the debate: Fay",
    ]


def test_sealed_rounds_are_said_to_be_sealed(app: AppTest, host: Host):
    held = Played(room_spec(hold="none"))
    held.go_on()
    held.to_the_end()
    held.act(JUNE, belief(1))
    held.act(JUNE, belief(2, 90, 5, 5, final=True, explanation="why"))
    held.act(FAY, acts.BeliefsRevealed(round=1))
    host._store.append("d-room", held.events, after=0)
    said = words(at(app, "d-room", FAY))
    assert "Judgements after round 1 are sealed." in said
    assert "No one moved" not in said


@pytest.mark.slow
def test_debaters_confidence_is_in_the_table_not_in_the_room(app: AppTest, host: Host):
    held = Played(room_spec(rounds=1, hold="none", pre_vote="none", final_vote="none"))
    held.go_on()
    while held.state.outcome is None:
        held.say(Argument(rationale="why", vote="adopt", confidence=83))
    host._store.append("d-room", held.events, after=0)
    assert "83" not in words(at(app, "d-room", FAY))
    page = at(unfolded(new_browser(), "vote-detail", "sure"), "d-room", FAY, "results.py", tab="Votes")
    tables = [frame.value.to_dict("records") for frame in page.dataframe]
    told = {"Seat": "s0", "Round": 1, "Phase": "opening", "Ballot": "adopt", "Sure": "83 %"}
    assert told in [row for rows in tables for row in rows]


def test_each_claim_in_the_list_has_who_made_it(app: AppTest, host: Host):
    sam = Person(id="p-sam", name="Sam", role="debater", seats=("s0",))
    seats = (Seat(id="s0", occupant="human"), Seat(id="s1", occupant="scripted"), Seat(id="s2", occupant="scripted"))
    held = Played(room_spec((FAY, ABE, sam), seats=seats, hold="none", pre_vote="none", final_vote="none"))
    held.go_on()
    while held.state.outcome is None:
        seat = held.requests()[0].seat
        said = Argument(rationale="why", vote="adopt", claims=(Claim(text="It pays."),))
        held.say(said, by=sam.id if seat == "s0" else "")
    host._store.append("d-room", held.events, after=0)
    (drawn,) = drawings(at(app, "d-room", FAY, "results.py", tab="Evidence"), "evidence")
    assert {(claim["who"], claim["when"]) for claim in drawn["claims"]} == {
        (who, when) for who in ("S0 (Sam)", "S1", "S2") for when in ("round 1", "round 2")
    }
    # Each row of the list is drawn with both.
    row = (FACE / "evidence.js").read_text("utf-8").split("function claimRow")[1][:900]
    assert "`${claim.who}, ${each(claim, ({ when }) => when)}`" in row
