"""A workshop with twelve phones that do what people do: each must read true sentences and end with the right vote.

`python -m bench.workshop_phones [--scene NAME]` starts a server and one Chromium, holds a workshop in every scene (rule
of the vote, sealed votes, ties), and compares the screen of each phone with the record after each step. Prints a table
and exits with 1 if a sentence, a vote or the console of a phone is wrong. Needs the development requirements.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from bench.phone_room import (
    LANDSCAPE,
    PHONE,
    Habit,
    Phone,
    Row,
    Scene,
    Workshop,
    cast,
    change,
    choose,
    room_with_phones,
)
from debate_core.engine.stage import open_poll
from debate_core.spec.rules import Elected, Plurality
from tests.e2e.conftest import CHROMIUM, FLAGS
from tests.e2e.workshop import ABE, OPTIONS, is_drawn

SCENES: Mapping[str, Scene] = {
    "plurality": Scene(),
    "tie": Scene(Plurality(tie=("approver",)), "shown_at_close"),
    "approval": Scene(Elected(kind="approval"), "shown_at_close"),
    "ranking": Scene(Elected(kind="irv"), "none"),
    "score": Scene(Elected(kind="score")),
}


# --- what people do


def vote(workshop: Workshop, name: str, option: str) -> Phone:
    """Vote without any mishap."""
    phone = _means(workshop, name, option)
    choose(phone, workshop.scene, option)
    cast(phone)
    workshop.check(phone, "votes")
    return phone


def _means(workshop: Workshop, name: str, option: str) -> Phone:
    poll = open_poll(workshop.state())
    assert poll is not None
    phone = workshop.phones[name]
    phone.votes[poll.id] = option
    return phone


def vote_with_reloads(workshop: Workshop, name: str, option: str) -> None:
    """Reload between the choice and the cast, and after it."""
    phone = _means(workshop, name, option)
    choose(phone, workshop.scene, option)
    is_drawn(phone.page)
    phone.page.reload()
    workshop.check(phone, "reloads before casting")
    cast(phone)
    phone.page.reload()
    workshop.check(phone, "reloads after casting")


def vote_offline(workshop: Workshop, name: str, option: str) -> None:
    """Press the button without a connection, and again after it is back if the vote is not in."""
    phone = _means(workshop, name, option)
    choose(phone, workshop.scene, option)
    is_drawn(phone.page)
    phone.leave_network()
    button = phone.page.get_by_role("button", name=phone.label("Cast my vote"))
    button.evaluate("button => button.click()")
    unconfirmed = "Your vote is not confirmed. Once the connection is back, look whether it is in; if not, cast it."
    expect(phone.page.locator(".offline")).to_contain_text(phone.label(unconfirmed))
    workshop.add(Row(name, "casts offline", phone.label(unconfirmed)))
    phone.rejoin_network()
    expect(phone.page.locator(".offline")).to_be_hidden()
    phone.page.wait_for_timeout(2_000)
    workshop.check(phone, "is back online")
    if phone.page.get_by_role("button", name=phone.label("Cast my vote")).is_visible():
        cast(phone)
    workshop.check(phone, "votes")


def vote_in_two_tabs(workshop: Workshop, name: str, option: str) -> None:
    """Vote in one tab, and change the vote in the other one."""
    phone = _means(workshop, name, option)
    other = phone.context.new_page()
    other.goto(phone.page.url)
    first = next(one for one in OPTIONS if one != option)
    choose(phone, workshop.scene, first)
    cast(phone)
    workshop.check(phone, "votes in one tab")
    workshop.check(phone, "looks at the other tab", other)
    change(phone, workshop.scene, option, other)
    workshop.check(phone, "changes the vote there", other)
    workshop.check(phone, "looks at the first tab")
    other.close()


def vote_while_rotating(workshop: Workshop, name: str, option: str) -> None:
    """Turn the phone between the choice and the cast, and back."""
    phone = _means(workshop, name, option)
    choose(phone, workshop.scene, option)
    is_drawn(phone.page)
    phone.page.set_viewport_size(LANDSCAPE)  # type: ignore[arg-type]
    workshop.check(phone, "turns the phone")
    cast(phone)
    phone.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    workshop.check(phone, "turns it back")


def vote_by_double_tap(workshop: Workshop, name: str, option: str) -> None:
    """Press the button twice; the record gets one ballot."""
    phone = _means(workshop, name, option)
    choose(phone, workshop.scene, option)
    cast(phone, twice=True)
    workshop.check(phone, "presses twice")
    state = workshop.state()
    person, poll = workshop.person(state, name), open_poll(state)
    n_cast = poll.cast_times.get(person.id, 0) if person and poll else 0
    workshop.add(Row(name, "presses twice", f"{n_cast} ballot", "" if n_cast == 1 else f"{n_cast} ballots"))


def vote_and_come_back(workshop: Workshop, name: str, option: str) -> None:
    """Vote, close the browser, come back by the link, and change the vote."""
    phone = vote(workshop, name, next(one for one in OPTIONS if one != option))
    phone.page.close()
    phone.page = phone.context.new_page()
    phone.page.goto(workshop.url + workshop.links.all)
    workshop.check(phone, "leaves the browser and comes back")
    # A new page is first drawn for a wide window: its ballot moves once more.
    phone.page.locator(".st-key-room-columns .st-key-to-do").wait_for(state="detached")
    _means(workshop, name, option)
    change(phone, workshop.scene, option)
    workshop.check(phone, "changes the vote")


def vote_in_another_language(workshop: Workshop, name: str, option: str) -> None:
    """Switch the language between the choice and the cast."""
    phone = _means(workshop, name, option)
    choose(phone, workshop.scene, option)
    is_drawn(phone.page)
    phone.language = "en" if phone.language == "de" else "de"
    phone.page.locator(f"a[href='/language/{phone.language}']").click()
    workshop.check(phone, "switches the language")
    cast(phone)
    workshop.check(phone, "votes")


def type_until_closed(workshop: Workshop, name: str, option: str, words: str) -> None:
    """Fill the ballot and write a reason while the facilitator closes the vote."""
    phone = workshop.phones[name]
    choose(phone, workshop.scene, option)
    is_drawn(phone.page)
    phone.page.get_by_text(phone.label("Say why, and how sure you are (optional)")).click()
    phone.page.get_by_label(phone.label("Why, in one line (may stay empty)")).fill("Because")
    workshop.lead(words, anyway=True)
    workshop.check(phone, "types while the vote closes")


# --- the workshop

FINAL_VOTES: Mapping[str, str] = {
    **dict.fromkeys(("Ben", "Dee", "Fin", "Hal", "Kim"), "migrate"),
    **dict.fromkeys(("Abe", "Cy", "Eve", "Gil", "Jo"), "stay"),
    "Ivy": "partition first",
}
"""A tie of two options under most rules."""


def gather(workshop: Workshop) -> None:
    """Ten people come: by code after a wrong one, with a taken name, by personal link, in German."""
    workshop.enters("Abe", "opens a personal link", link=workshop.links.own[ABE.id])
    ivy = workshop.takes_phone("Ivy")
    ivy.is_excused = True
    ivy.page.goto(f"{workshop.url}/join")
    for code in ("WRNG CDE2", workshop.links.code.lower()):
        ivy.page.get_by_label("Code on the screen").fill(code)
        ivy.page.get_by_role("button", name="Join").click()
        if code == "WRNG CDE2":
            expect(ivy.page.get_by_role("heading", name="You cannot come in")).to_be_visible()
            workshop.add(Row("Ivy", "types a wrong code", ivy.page.locator("p").first.inner_text()))
    ivy.is_excused = False
    ivy.page.get_by_label("Your name").fill("Ivy")
    ivy.page.get_by_role("button", name="Join").click()
    workshop.check(ivy, "types the code")
    hal = workshop.takes_phone("Hal")
    hal.page.goto(workshop.url + workshop.links.all)
    hal.page.get_by_label("Your name").fill("  ivy ")
    hal.page.get_by_role("button").first.click()
    expect(hal.page.get_by_text("The name Ivy is taken.")).to_be_visible()
    workshop.add(Row("Hal", "types a taken name", "The name Ivy is taken."))
    hal.page.get_by_label("Your name").fill("Hal")
    hal.page.get_by_role("button").first.click()
    workshop.check(hal, "types his own name")
    for name in ("Ben", "Dee", "Eve", "Fin", "Gil", "Jo"):
        workshop.enters(name, "opens the link")
    workshop.enters("Kim", "opens the link", locale="de-DE")


def vote_before(workshop: Workshop) -> None:
    """The vote before the debate: one of each habit; Cy comes too late for it, and Hal is still typing."""
    workshop.lead("Open the pre-vote")
    workshop.check_all("sees the pre-vote open")
    for habit, name, option in (
        (vote, "Abe", "stay"),
        (vote_with_reloads, "Ben", "stay"),
        (vote_offline, "Dee", "migrate"),
        (vote, "Eve", "partition first"),
        (vote_in_two_tabs, "Fin", "stay"),
        (vote_while_rotating, "Gil", "migrate"),
        (vote, "Ivy", "stay"),
        (vote_by_double_tap, "Jo", "migrate"),
        (vote_and_come_back, "Kim", "stay"),
    ):
        workshop.lets(habit, name, option)
    workshop.check_all("waits for the others")
    later = "reveal" if workshop.scene.pre_vote == "shown_at_close" else "begin"
    type_until_closed(workshop, "Hal", "migrate", f"Close it, {later} later")
    workshop.check_all("sees the pre-vote closed")
    if workshop.scene.pre_vote == "shown_at_close":
        workshop.lead("Reveal the pre-vote")


def debate(workshop: Workshop) -> None:
    """Two rounds; Cy comes in between, and the facilitator reloads."""
    workshop.lead("Begin the debate")
    workshop.fay.locator(".st-key-lead").get_by_role("button", name="Let round 2 begin").wait_for()
    workshop.enters("Cy", "comes late")
    workshop.check_all("reads round 1")
    workshop.fay.reload()
    workshop.lead("Let round 2 begin")
    workshop.fay.locator(".st-key-lead").get_by_role("button", name="Open the final vote").wait_for()
    workshop.check_all("reads round 2")


def vote_finally(workshop: Workshop) -> None:
    """The vote that decides, which closes while Eve is offline; Lou comes after the close."""
    workshop.lead("Open the final vote")
    workshop.check_all("sees the final vote open")
    habits: Mapping[str, Habit] = {
        "Ben": vote_in_two_tabs,
        "Cy": vote_with_reloads,
        "Gil": vote_by_double_tap,
        "Jo": vote_while_rotating,
        "Hal": vote_and_come_back,
        "Kim": vote_in_another_language,
        "Dee": vote_offline,
    }
    for name, option in FINAL_VOTES.items():
        workshop.lets(habits.get(name, vote), name, option)
    workshop.fay.reload()
    eve = workshop.phones["Eve"]
    eve.leave_network()
    workshop.lead("Close it, reveal later")
    workshop.enters("Lou", "comes after the close")
    for phone in workshop.phones.values():
        if phone is not eve:
            workshop.check(phone, "sees the final vote closed")
    workshop.lead("Reveal the final vote")
    eve.rejoin_network()
    workshop.check_all("reads the decision")
    if "approver" in workshop.scene.vote.tie:
        break_tie(workshop, "stay")
    if workshop.scene.pre_vote == "shown_at_end":
        workshop.lead("Reveal the pre-vote")
        workshop.check_all("reads the pre-vote")


def break_tie(workshop: Workshop, option: str) -> None:
    """The approver decides what the vote left to them, on their phone."""
    page = workshop.phones["Abe"].page
    desk = page.locator(".st-key-decision-desk")
    desk.get_by_test_id("stButtonGroup").get_by_text("Accept", exact=True).click()
    desk.get_by_role("combobox", name="Option").click()
    page.get_by_role("option", name=option).click()
    desk.get_by_label(re.compile(r"^Reason \(needed")).fill("A tie, and staying costs least.")
    desk.get_by_label(re.compile(r"^Reason \(needed")).press("Tab")
    is_drawn(page)
    desk.get_by_role("button", name="Accept and sign", exact=True).click()
    workshop.check_all("reads how the tie was broken")


def hold(browser: Browser, scene: Scene) -> int:
    """Hold a workshop on a new server; returns the number of wrong rows."""
    with tempfile.TemporaryDirectory() as folder, room_with_phones(browser, Path(folder), scene) as workshop:
        gather(workshop)
        if scene.pre_vote != "none":
            vote_before(workshop)
        debate(workshop)
        vote_finally(workshop)
        workshop.finish()
        return sum(bool(row.wrong) for row in workshop.rows)


def main() -> None:
    """Hold a workshop in each scene."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--scene", choices=[*SCENES], help="only this one")
    wanted = asked.parse_args().scene
    n_wrong = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, scene in SCENES.items():
            if wanted in (None, name):
                print(f"\n## {name}\n\n| phone | did | saw | |\n|---|---|---|---|")
                n_wrong += hold(browser, scene)
        browser.close()
    print(f"\n{n_wrong} wrong" if n_wrong else "\nEvery sentence and every vote is right.")
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
