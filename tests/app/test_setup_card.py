"""The card of set-up: the bar of the decider, and the formats of a workshop."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.spec.presets import QUOTING
from debate_core.spec.rules import Plurality, Supermajority, Threshold
from debate_core.spec.values import Source
from debate_core.ui.setup.draft import RoomDraft, SeatDraft, SetupDraft, example, named_by_kind
from debate_core.ui.setup.people import WORKSHOPS, workshop_of
from debate_core.ui.setup.summary import agreed_line, start_warning, summary_line
from tests.app.test_setup import button, open_draft, page, shown, told
from tests.app.visiting import step


def drafted(**changes: object) -> SetupDraft:
    return example("Should we adopt it?", ("adopt", "defer")).model_copy(update=changes)


def people(**room: Any) -> SetupDraft:
    return drafted(room=RoomDraft(**{"on": True, "name": "Fay", **room}))


LISTED = "Ana\nBo\nCy"


@pytest.mark.parametrize(
    ("draft", "heads", "needed", "share", "words"),
    [
        (drafted(), 3, 2, 2 / 3, "One option needs 2 of 3 votes"),
        (drafted(protocol="bounded_vote"), 3, 2, 2 / 3, "One option needs 2 of 3 votes"),
        (people(), 0, None, 0.5, "One option needs more than half of all eligible voters"),
        (people(vote=Plurality()), 0, None, None, "the option with the most votes wins"),
        (people(vote=Threshold(votes=4)), 0, None, None, "One option needs 4 votes"),
        (people(vote=Supermajority()), 0, None, 2 / 3, "One option needs at least 2/3 of all eligible voters"),
        (people(joining="named", listed=LISTED), 3, 2, 2 / 3, "One option needs 2 of 3 votes"),
        (people(decides="panel", listed=LISTED), 3, 2, 2 / 3, "One option needs 2 of 3 votes"),
        (people(decides="panel", listed="Ana, voter, 3\nBo"), 0, 3, 0.75, "One option needs 3 of 4 votes"),
        (people(decides="panel", listed=LISTED, name=""), 3, 2, 2 / 3, "One option needs 2 of 3 votes"),
        (people(decides="debaters"), 3, 2, 2 / 3, "One option needs 2 of 3 votes"),
        (
            drafted(seats=tuple(SeatDraft(key=k, id=k, who="human") for k in "abc")),
            *(3, 2, 2 / 3, "One option needs 2 of 3 votes, on 2 consecutive counts"),
        ),
    ],
)
def test_the_card_draws_the_line_of_whoever_decides(
    draft: SetupDraft, heads: int, needed: int | None, share: float | None, words: str
):
    line = agreed_line(draft)
    assert line is not None
    assert (line["heads"], line["needed"], line["under"]) == (heads, needed, words)
    assert line["share"] == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize("question", ["", "Should we adopt it?"])
@pytest.mark.parametrize(("line", "faults"), [("Dee, boss", 1), ("Dee", 0)])
def test_the_card_names_heavy_votes_and_faulty_lines(app: AppTest, question: str, line: str, faults: int):
    """Before the question is written, too: the list can be the first thing that is filled in."""
    page(app)
    step(app, "people")
    open_draft(app, people(listed=f"Cleo\nAna, voter, 2\n{line}").model_copy(update={"question": question}))
    assert "More than one vote: Ana (weight 2)." in shown(app).replace("\\", "")
    said = [m.value.replace("\\", "") for m in app.markdown]
    told_once = [words for words in said if "Not ready" in words and "Dee: “boss” is no role, choose one." in words]
    assert len(told_once) == faults


def test_where_a_seat_decides_no_line_is_drawn():
    assert agreed_line(drafted(protocol="stance_judge")) is None
    assert agreed_line(people()) is not None


@pytest.mark.parametrize(("minutes", "rounds"), [(25, 2), (60, 2), (90, 3)])
def test_a_format_has_the_rounds_that_it_says(minutes: int, rounds: int):
    workshop = next(w for w in WORKSHOPS if w.minutes == minutes)
    for decides in ("room", "debaters"):
        assert workshop.rounds_of(people(decides=decides)) == rounds
    # The rounds of a tournament are its comparisons.
    assert workshop.rounds_of(people().model_copy(update={"protocol": "tournament"})) == 24
    said = {name: getattr(workshop.format, name) for name in ("phase_minutes", "max_chars", "preparation")}
    held = people(**said).model_copy(update={"rounds": rounds})
    assert workshop_of(held) == workshop
    assert workshop_of(people()) is None


def test_set_up_says_that_the_stances_are_decided(app: AppTest, host: Host):
    page(app)
    app.text_area(key="setup_question").set_value("When do we ship?").run()
    draft = app.session_state["setup_draft"]
    stances = zip(draft.panel(), ("ship now", "wait", "ship in parts"), strict=True)
    open_draft(app, draft.replace(seats=tuple(seat.replace(stance=stance) for seat, stance in stances)))
    step(app, "people")
    named = "“ship now”, “wait”, “ship in parts”"
    assert f"the debate decides among the stances: {named}" in shown(app)
    step(app, "question")
    assert f"Without options the debate decides among the stances of the seats: {named}." in told(app)
    button(app, "Start debate").click().run()
    assert host.state(host.debates()[0].id).spec.options == ("ship now", "wait", "ship in parts")


def test_the_start_is_disabled_beside_a_missing_question(app: AppTest, host: Host):
    app.switch_page("setup.py").run()
    step(app, "people")
    assert [(b.label, b.disabled) for b in app.button if b.proto.type == "primary"] == [("Start debate", True)]
    app.button(key="setup_to_question").click().run()
    assert not [b for b in app.button if b.key == "setup_to_question"]
    assert app.session_state["step"] == "question"


def test_the_card_in_one_line_is_the_rule():
    assert summary_line(people()) == "One option needs more than half of all eligible voters"
    assert summary_line(drafted()) == "One option needs 2 of 3 votes"
    assert summary_line(drafted(protocol="stance_judge")) == "The judge decides"
    assert summary_line(drafted(protocol="tournament")) == "Comparisons decide"


def test_the_start_says_why_programs_would_abstain():
    documented = drafted(sources=(Source(id="adr", title="ADR", text="The p95 is 40 ms today."),))
    assert start_warning(drafted()) == "Programs have no document to quote."
    assert start_warning(documented) == "Programs abstain until you mark quotes."
    assert start_warning(documented.replace(chair=False)) == "Programs abstain: no one marks quotes."
    seats = tuple(SeatDraft(key=k, id=k, who="human") for k in "abc")
    assert start_warning(documented.replace(seats=seats)) == ""


@pytest.mark.parametrize("persona", QUOTING)
def test_a_suggested_name_follows_the_kind_of_seat(persona: str):
    program = named_by_kind(SeatDraft(key="k", id=persona, who="offline"))
    assert program.id == QUOTING[persona]
    assert named_by_kind(program.replace(who="model")).id == persona
    assert named_by_kind(program.replace(id="Archivist")).id == "Archivist"
