"""The crux on phones: one more tap on the final ballot, one screen after it, and the seconds that both add."""

import re
from statistics import median

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed, Supposed
from debate_core.record.commands import Resume, TakeTurn
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from tests.app.visiting import HOLDERS, PEOPLE, at, did, on_the_wall, unfolded, words
from tests.people import FAY, room_spec

VOTERS = tuple(Person(id=f"p-w{n:02}", name=f"Voter {n}", electorate="room") for n in range(12))
OPTIONS = ("adopt", "defer", "reject")
CLAIMS = (
    "Replays are idempotent, because every consumer keeps the last id that it has handled in its own table.",
    "The outbox costs one insert more per order, and the load test in June put the database at 64 percent.",
    "Two of the five teams have never run a relay process, and on-call for it would start in the busiest month.",
)
WORDS_A_MINUTE = 200
TAP_S = 0.8


def ended(host: Host, *, asks_crux: bool = True, asks_guess: bool = False, options: tuple[str, ...] = OPTIONS) -> str:
    """A debate of three seats with one claim each in both rounds; its final vote is open."""
    people = (FAY, *HOLDERS, *VOTERS)
    agreed = {"asks_crux": asks_crux, "asks_guess": asks_guess}
    spec = room_spec(people, seats=PEOPLE, pre_vote="none", hold="none", **agreed)
    debate = host.create(spec.model_copy(update={"options": options}), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    while asked := requests(host.state(debate)):
        place = int(asked[0].seat[1:]) % len(options)
        said = Argument(
            rationale="why", vote=options[place], claims=(Claim(text=f"{asked[0].phase}: {CLAIMS[place]}"),)
        )
        host.submit(debate, TakeTurn(by=f"p-{asked[0].seat}", request=asked[0].id, content=said))
    did(host, debate, FAY, PollOpened(poll="final"))
    return debate


def seconds(texts: list[str], taps: int) -> float:
    """Reading time of these texts at 200 words a minute, and 0.8 s a tap."""
    n_words = sum(len(re.findall(r"\w[\w'-]*", text)) for text in texts)
    return n_words * 60 / WORDS_A_MINUTE + taps * TAP_S


def vote(app: AppTest, host: Host, debate: str, who: Person, option: str) -> float:
    """Cast a ballot with the first claim that is offered; returns the added seconds."""
    at(app, debate, who)
    app.radio(f"{debate}/{who.id}/poll-final:vote").set_value(option).run()
    crux = app.radio(f"{debate}/{who.id}/poll-final:crux")
    by_number = {number: claim for claim, number in host.state(debate).claim_numbers().items()}
    crux.set_value(next(by_number[int(label.partition(":")[0])] for label in crux.options if label[0].isdigit())).run()
    added = seconds([crux.label, *crux.options], taps=1)
    app.button(f"{debate}/{who.id}/poll-final:cast").click().run()
    return added


def suppose(app: AppTest, debate: str, who: Person, option: str) -> float:
    """Answer for every claim that is asked; returns the added seconds. Options are known from the ballot."""
    at(app, debate, who)
    radios = [radio for radio in app.radio if "/crux:claim" in str(radio.key)]
    for radio in radios:
        radio.set_value(option)
    app.run()
    app.button(f"{debate}/{who.id}/crux:send").click().run()
    return seconds(["And if this were false?", *(radio.label for radio in radios)], taps=len(radios) + 1)


@pytest.mark.slow
def test_crux_adds_20_seconds_at_most_for_a_room_of_12(app: AppTest, host: Host):
    """Every word on the two screens is counted as read once, the claims too, although voters know them."""
    debate = ended(host)
    votes = [*["adopt"] * 7, *["defer"] * 4, "reject"]
    added = [vote(app, host, debate, who, option) for who, option in zip(VOTERS, votes, strict=True)]
    ballots = host.state(debate).room.polls["final"].ballots
    assert [ballots[who.id].fact.choice for who in VOTERS] == votes
    assert all(ballot.fact.decided_by for ballot in ballots.values())
    did(host, debate, FAY, PollClosed(poll="final"))
    then = [suppose(app, debate, who, "defer") for who in VOTERS]
    n_answers = len(host.state(debate).room.of(Supposed))
    assert n_answers == 24
    total = median(map(sum, zip(added, then, strict=True)))
    print(f"added seconds: ballot {median(added):.1f}, second ballot {median(then):.1f}, both {total:.1f}")
    assert total <= 20
    at(app, debate, VOTERS[0])
    assert "12 people have answered." in words(app)
    did(host, debate, FAY, PollRevealed(poll="final"))
    scene = on_the_wall(at(app, debate, FAY, "screen.py"))["shown"]
    assert scene["note"].startswith("If claim ")
    results = words(at(unfolded(app, "vote-detail", "advice-people"), debate, FAY, "results.py", tab="Votes")).replace(
        "\\", ""
    )
    assert "switch and defer wins." in results


def test_ballot_without_crux_asks_nothing_more(app: AppTest, host: Host):
    debate = ended(host, asks_crux=False)
    at(app, debate, VOTERS[0])
    assert "Which claim decided it?" not in [radio.label for radio in app.radio]
    did(host, debate, VOTERS[0], BallotCast(poll="final", choice="adopt"))
    did(host, debate, FAY, PollClosed(poll="final"))
    at(app, debate, VOTERS[0])
    assert "And if this were false?" not in words(app)
