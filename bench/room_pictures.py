"""Takes the pictures of a room in docs/: plays a workshop in browsers, with a picture for each role.

Knows nothing of the server, which serves the debate from `write`.
"""

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from bench.film import Film
from tests.e2e.workshop import (
    ABE,
    FAY,
    JUNE,
    LAPTOP,
    PHONE,
    Links,
    Party,
    chooses,
    create,
    next_step,
    party,
    presses,
    votes,
)

DOCS = Path(__file__).resolve().parent.parent / "docs"
OPTIONS = ("Move to a managed store", "Keep Postgres", "Partition the orders table first")
QUESTION = "Should we move the orders database to a managed store?"
WAIT_MS = 60_000
SAID = {
    "cost_hawk": (
        "Running the cluster costs us a person as much as money. The bill is $10,500 per month and on-call takes 0.4 "
        "of a post. The managed store is $900 dearer and gives that time back.",
        ("The managed store costs $11,400 per month at the present load", "On-call takes 0.4 of a post"),
    ),
    "operator": (
        "31% of writes touch three or more tables. They need transactions that the managed store limits to 100 items, "
        "so many order paths would have to be rewritten.",
        ("31% of writes touch three or more tables", "The managed store limits a transaction to 100 items"),
    ),
    "data_lead": (
        "The pain is one table. p95 commit latency was 210 ms in September, and nearly all of it is the orders table. "
        "Partitioning it by region needs six weeks and changes no interface.",
        ("Partitioning by region needs six weeks", "p95 commit latency was 210 ms in September"),
    ),
}


def write(database: str) -> Links:
    """Write a debate in its lobby: two rounds of three scripted seats, a human synthesiser, and a vote of the room."""
    rounds = [
        {"name": "opening", "order": "at_once", "sealed": True, "when": "first"},
        {"name": "rebuttal", "order": "at_once", "when": "after_first"},
    ]
    protocol = {
        "name": "workshop",
        "each_round": rounds,
        "stop": [{"kind": "max_rounds"}],
        "decide": {"kind": "threshold_vote", "votes": 2},
    }
    sides = dict(zip(SAID, OPTIONS, strict=True))
    seats = [{"id": s, "stance": side} for s, side in sides.items()]
    seats.append({"id": "synthesiser", "role": "synthesiser", "occupant": "human"})
    turns = [
        {
            "seat": seat,
            "content": {"rationale": text, "claims": [{"text": c} for c in claims], "vote": sides[seat]},
            "repeat": True,
        }
        for seat, (text, claims) in SAID.items()
    ]
    script = {
        "question": QUESTION,
        "options": OPTIONS,
        "protocol": protocol,
        "settings": {"rounds": 2},
        "seats": seats,
        "turns": turns,
    }
    return create(database, text=json.dumps(script), pace_cps=900)


def shoot_room(browser: Browser, base: str, links: Links) -> None:
    """Take the pictures: lobby and result on the projector, facilitator, voter's phone, judge, results page."""
    with party(browser, base, links) as room:
        screen = room.sits("screen", LAPTOP)
        screen.goto(base + links.wall)
        fay, june = room.comes("fay", LAPTOP, links.own[FAY.id]), room.comes("june", LAPTOP, links.own[JUNE.id])
        phones = [room.types_the_code("ann"), room.comes("ben", PHONE, links.all), room.comes("cy", PHONE, links.all)]
        abe = room.comes("abe", PHONE, links.own[ABE.id])
        for page in room.pages.values():
            page.set_default_timeout(WAIT_MS)
        expect(screen.get_by_text("6 people are here")).to_be_visible(timeout=WAIT_MS)
        film = Film(screen, phones[0])
        film.shot()
        _picture(screen, "workshop-lobby")
        _before(fay, june, [*phones, abe], film)
        _after(room, phones, abe, film)
        film.save(DOCS / "workshop.gif")


def _before(fay: Page, june: Page, voters: list[Page], film: Film) -> None:
    """Play the sealed vote before the start, and the first round."""
    next_step(fay, "Open the pre-vote")
    chooses(voters[0], OPTIONS[0])
    film.shot()
    for page, option in zip(voters, (*OPTIONS[:2], OPTIONS[1], OPTIONS[0]), strict=True):
        votes(page, option)
    film.shot(1_500)
    next_step(fay, "Close it, begin later")
    next_step(fay, "Begin the debate")
    film.wall.wait_for_timeout(4_000)
    film.shot()
    fay.locator(".st-key-lead").get_by_role("button", name="Let round 2 begin").wait_for()
    film.shot()
    june.emulate_media(color_scheme="dark")
    box = june.get_by_role("spinbutton").first
    box.fill("62")
    box.press("Enter")
    expect(june.get_by_text("62 %").first).to_be_visible(timeout=WAIT_MS)
    _picture(june, "workshop-judge")
    june.locator(".st-key-give-beliefs button").click()
    expect(fay.get_by_text("1 of 1 judges in")).to_be_visible(timeout=WAIT_MS)
    _picture(fay, "workshop-lead")


def _after(room: Party, phones: list[Page], abe: Page, film: Film) -> None:
    """Play the final vote on phones, the projector's result, and the signature."""
    fay, screen = room.pages["fay"], room.pages["screen"]
    presses(fay, "Reveal the judges")
    next_step(fay, "Let round 2 begin")
    next_step(fay, "Open the final vote")
    chooses(phones[0], OPTIONS[2])
    _picture(phones[0], "workshop-phone")
    film.shot()
    for page, option in zip((*phones, abe), (OPTIONS[2], OPTIONS[2], OPTIONS[1], OPTIONS[2]), strict=True):
        votes(page, option)
    film.shot(1_500)
    for words in ("Close it, reveal later", "Reveal the final vote", "Reveal the pre-vote"):
        next_step(fay, words)
    film.shot(3_000)
    desk = abe.locator(".st-key-decision-desk")
    desk.get_by_label("Owner: who carries it out").fill("Ola")
    presses(abe, re.compile("and sign$"))
    expect(screen.get_by_text("Approver").first).to_be_visible(timeout=WAIT_MS)
    film.shot(4_000)
    _picture(screen, "workshop-screen")
    next_step(fay, "See the results")
    fay.get_by_text("How the seats moved").wait_for()
    _picture(fay, "workshop-result")


def _picture(page: Page, name: str) -> None:
    page.wait_for_timeout(2_500)
    page.evaluate("document.activeElement.blur(); document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    page.wait_for_timeout(700)
    page.screenshot(path=DOCS / f"{name}.png")
