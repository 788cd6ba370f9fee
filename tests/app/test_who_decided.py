"""Results, list, wall and phone say the same of who decided: label, name, option, state, numbers and the red chip."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.report.facts.account import account
from debate_core.report.words.decision_status import decision_status
from debate_core.spec.people import Person
from debate_core.spec.rules import Majority
from tests.app.visiting import at, drawings, lists, new_browser, on_the_wall
from tests.people import ABE, FAY, GUS, room_spec
from tests.playing import Played

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
    "tie": (lambda: by_room(votes=("adopt", "defer", "abstain")), "Who decides", "Abe", ""),
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
    "outage": (outage, "Who decides", "Abe", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_four_surfaces_agree_on_who_decided(case: str, app: AppTest, host: Host):
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
    assert foot[label].startswith(who)
    assert wall["frame"]["override"] == override
    if wall["shown"]["scene"] in ("reveal", "signed"):
        assert (wall["shown"]["headline"], wall["shown"]["line"]) == (status.headline, status.line)

    found = lists(at(new_browser(), "d-room", FAY, "home.py"))
    (row,) = [row for rows in found.values() for row in rows if row["name"] == "d-room"]
    assert row["override"] == override
    assert f"{label} {who}" in row["beside"] or f"{label}: {who}" in row["count"] or not override
    assert row["stands"] in (status.headline, "Final vote")
    if override:
        assert row["count"].endswith(("3 of 3 seats chose adopt", "2 of 3 voters chose adopt"))

    if case.endswith("of the room"):
        (phone,) = drawings(at(new_browser(), "d-room", VOTERS[0]), "hero")
        assert (phone["headline"], phone["line"], phone["status"]) == (status.headline, status.line, status.status)
        assert tuple(phone["facts"][0][:2]) == (label, who)


@pytest.mark.slow
def test_stopped_debate_with_a_vote_due_is_not_closed(app: AppTest, host: Host):
    host._store.append("d-room", stopped().events, after=0)
    found = lists(at(app, "d-room", FAY, "home.py"))
    assert "Closed" not in found
    (row,) = found["Now"]
    assert row["button"] == "Lead"
    # The vote before the debate is not the one that decides.
    assert (row["votes"], row["count"]) == (None, "Who decides: The room, by the final vote")
    (wall,) = drawings(at(new_browser(), "d-room", FAY, "screen.py"), "wall")
    steps = {step["name"]: step["when"] for step in wall["frame"]["steps"]}
    assert steps == {"Lobby": "done", "Pre-vote": "done", "Final vote": "now", "Sign": "next"}
