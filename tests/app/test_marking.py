"""Everybody with a vote marks the passages on their own screen; the facilitator shows the marks, the chair takes them.

The room of `tests/marking.py`, whose round 2 waits.
"""

import os
from collections.abc import Sequence

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import next_requests
from debate_core.engine.passage_marks import readings
from debate_core.host.host import Host
from debate_core.host.stores import open_store
from debate_core.record.acts import MarksRevealed, PassageMarked, PollClosed, PollOpened
from debate_core.record.commands import Resume
from debate_core.spec.contents import Argument, Claim, Review
from debate_core.spec.people import Person
from debate_core.spec.values import ABSTAIN, Seat, Source
from tests.app.visiting import at, did, drawings, keys, new_browser, on_the_wall, press, results, words
from tests.marking import CHAIR, IDS, NOTE, PANEL, PASSAGES, crowd, marked, marking_spec, quoted
from tests.people import ANN, BEN, FAY, GUS, JUNE, OLA
from tests.playing import Played
from tests.waiting import until

DEBATE = "d-room"


def room_with_passages(host: Host) -> str:
    del host  # which reads the store of the environment
    store = open_store(os.environ["DEBATE_DB"])
    store.append(DEBATE, quoted().events, after=0)
    store.close()
    return DEBATE


def labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button if str(b.key).startswith("passage ")]


def shown_passage(app: AppTest) -> str:
    """Which claim is asked for now."""
    (claim,) = {str(b.key).split()[1] for b in app.button if str(b.key).startswith("passage ")}
    return claim


def test_a_voter_marks_passages_in_order_and_can_go_back(app: AppTest, host: Host):
    at(app, room_with_passages(host), ANN)
    assert sorted(labels(app)) == [
        *("Against A", "Against B", "Against C"),
        *("For A: adopt", "For B: defer", "For C: reject"),
        *("Neutral", "Skip"),
    ]
    first = shown_passage(app)
    asked = [m.value.replace("\\", "") for m in app.markdown]
    assert "**Mark the passages** · 1 of 4" in asked
    assert [p for p in PASSAGES if p in asked] == [PASSAGES[IDS.index(first)]]
    press(app, f"passage {first} supports adopt")
    second = shown_passage(app)
    press(app, f"passage {second} skipped")
    press(app, f"back from passage {shown_passage(app)}")
    press(app, f"passage {second} neutral")
    for _ in range(2):
        press(app, f"passage {shown_passage(app)} skipped")
    assert "You have marked 2 of 4 passages" in words(app)
    assert "1 of 3 people have seen every passage" in words(app)
    given = {claim: said.reading for claim, said in readings_of(host, ANN).items()}
    assert (given[first], given[second], len(given)) == ("supports", "neutral", 4)
    press(app, "passage-again")
    assert app.button(key=f"passage {first} supports adopt").proto.type == "primary"
    # Looking again goes through all of them.
    for place in range(1, 5):
        assert f"**Mark the passages** · {place} of 4" in [m.value for m in app.markdown]
        press(app, f"passage {shown_passage(app)} neutral")
    assert "You have marked 4 of 4 passages" in words(app)


def progress(app: AppTest) -> list[str]:
    """The texts of the progress bars."""
    return [str(bar.proto.text) for bar in app.get("progress")]


def readings_of(host: Host, who: Person) -> dict[str, PassageMarked]:
    return {claim: by[who.id] for claim, by in readings(host.state(DEBATE)).items() if who.id in by}


def test_whoever_skips_everything_is_asked_again(app: AppTest, host: Host):
    at(app, room_with_passages(host), ANN)
    for _ in IDS:
        press(app, f"passage {shown_passage(app)} skipped")
    assert any("You have skipped all 4 passages" in w.value for w in app.warning)


def test_who_has_no_vote_is_not_asked_and_a_vote_comes_first(app: AppTest, host: Host):
    debate = room_with_passages(host)
    for who in (JUNE, OLA, FAY):
        assert not labels(at(app, debate, who))
    did(host, debate, FAY, PollOpened(poll="pulse-1"))
    assert not labels(at(app, debate, ANN))
    did(host, debate, FAY, PollClosed(poll="pulse-1"))
    assert labels(at(app, debate, ANN))


def test_marks_stay_hidden_until_they_are_shown(app: AppTest, host: Host):
    debate = room_with_passages(host)
    for who, reading in ((ANN, "supports adopt"), (BEN, "supports adopt"), (GUS, "against defer")):
        did(host, debate, who, marked(IDS[0], reading))
    at(app, debate, FAY)
    assert "0 of 3 people have seen every passage" in words(app)
    assert not drawings(app, "marks")
    assert app.button(key="next").label == "Show the marks of the room"
    assert drawings(results(app, debate, "Evidence", FAY), "evidence")[0]["claims"][0]["marked"] == ""
    at(app, debate, FAY)
    press(app, "next")
    (drawn,) = drawings(app, "marks")
    assert [(row["letter"], row["supports"], row["against"]) for row in drawn["rows"]] == [
        ("A", 2, 0),
        ("B", 0, 1),
        ("C", 0, 0),
    ]
    assert "Marks are not votes." in drawn["under"]
    assert drawings(at(app, debate, ANN), "marks") == [drawn]
    assert not labels(app)
    claim = drawings(results(app, debate, "Evidence", FAY), "evidence")[0]["claims"][0]
    assert claim["marked"] == "2 for adopt, 1 against defer"
    assert claim["marks"] == [
        {"side": "for", "letter": "A", "people": 2},
        {"side": "against", "letter": "B", "people": 1},
    ]


def test_the_wall_asks_for_marks_counts_them_and_shows_them(app: AppTest, host: Host):
    debate = room_with_passages(host)
    did(host, debate, ANN, marked(IDS[0], "supports adopt"))
    scene = on_the_wall(at(app, debate, FAY, "screen.py"))["shown"]
    assert (scene["scene"], scene["title"]) == ("vote", "Mark the passages")
    assert scene["rings"] == [{"label": "", "cast": 0, "eligible": 3}]
    assert {option["has"] for option in scene["options"]} == {None}
    did(host, debate, FAY, MarksRevealed())
    scene = on_the_wall(app.run())["shown"]
    assert (scene["scene"], scene["headline"], scene["line"]) == (
        "reveal",
        "Marks of the room",
        "Evidence, and no votes.",
    )
    assert [bar["has"] for bar in scene["votes"]["bars"]] == [1, 0, 0]


def test_the_chair_starts_from_the_marks_of_the_room(app: AppTest, host: Host):
    debate = room_with_passages(host)
    for who in (ANN, BEN):
        did(host, debate, who, marked(IDS[0], "supports adopt"))
        did(host, debate, who, marked(IDS[1], "neutral"))
    did(host, debate, ANN, marked(IDS[2], "supports defer"))
    did(host, debate, BEN, marked(IDS[2], "supports adopt"))
    did(host, debate, FAY, MarksRevealed())
    host.submit(debate, Resume(by=FAY.id))
    at(app, debate, FAY)
    assert not [k for k in keys(app) if k.endswith("room's marks")]
    assert "2 of 4 passages marked, by the room; you have looked at 0" in progress(app)
    assert host.state(debate).marks == {}
    press(app, next(k for k in keys(app) if k.endswith(":send")))
    assert {i: m.mark.words() for i, m in host.state(debate).marks.items()} == {
        IDS[0]: "supports adopt",
        IDS[1]: "neutral",
    }


def test_a_large_room_lists_accepted_claims_under_the_evidence(app: AppTest, host: Host):
    del host
    store = open_store(os.environ["DEBATE_DB"])
    store.append(DEBATE, crowd(["00000001"] * 11 + ["11111101"] * 9).events, after=0)
    store.close()
    results(app, DEBATE, "Evidence", FAY)
    assert "By their marks, 20 people form 2 groups." in words(app)
    accepted, divides = (table.value for table in app.dataframe)
    assert accepted["Read as"].tolist() == ["for adopt", "for defer"]
    assert [*divides.columns[-2:]] == ["Group 1, 11 people", "Group 2, 9 people"]
    assert set(divides["Group 1, 11 people"]) == {"11 of 11, 74 to 100 %", "0 of 11, 0 to 26 %"}


def chair_marks(app: AppTest, host: Host, *room: tuple[Person, str, str]) -> tuple[str, ...]:
    """Round 2 has begun after the room marked so; the passages in the order in which the chair reads them."""
    debate = room_with_passages(host)
    for who, claim_id, words_given in room:
        did(host, debate, who, marked(claim_id, words_given))
    if room:
        did(host, debate, FAY, MarksRevealed())
    host.submit(debate, Resume(by=FAY.id))
    at(app, debate, FAY)
    return IDS


def warned(app: AppTest) -> str:
    """The one warning."""
    (warning,) = app.warning
    return str(warning.value).replace("\\", "")


def chair_says(app: AppTest, claim_id: str, words_given: str) -> None:
    press(app, next(k for k in keys(app) if k.endswith(f":mark {claim_id} {words_given}")))


def test_chair_and_phone_have_the_same_choices(app: AppTest, host: Host):
    at(app, room_with_passages(host), ANN)
    on_phone = [label for label in labels(app) if label]
    host.submit(DEBATE, Resume(by=FAY.id))
    at(app, DEBATE, FAY)
    of_chair = [b.label for b in app.button if f":mark {IDS[0]} " in str(b.key)]
    assert of_chair == on_phone


def test_looks_and_marks_of_the_chair_are_counted_apart(app: AppTest, host: Host):
    ids = chair_marks(app, host, (ANN, IDS[0], "supports adopt"), (ANN, IDS[1], "against adopt"))
    press(app, next(k for k in keys(app) if k.endswith(":look")))
    assert "Passage 1 of 4, 2 marked" in progress(app)
    chair_says(app, ids[0], "skipped")
    chair_says(app, ids[1], "neutral")
    chair_says(app, ids[2], "skipped")
    assert "Passage 4 of 4, 1 marked" in progress(app)
    chair_says(app, ids[3], "supports reject")
    assert "2 of 4 passages marked" in progress(app)
    press(app, next(k for k in keys(app) if k.endswith("room's marks")))
    assert "3 of 4 passages marked, by the room; you have looked at 2" in progress(app)


def test_empty_review_says_what_the_seats_will_do(app: AppTest, host: Host):
    ids = chair_marks(app, host)
    for claim_id in ids:
        chair_says(app, claim_id, "skipped")
    press(app, next(k for k in keys(app) if k.endswith(":send")))
    assert warned(app).startswith("You have marked none of the 4 passages. Cost and risk will abstain. Mark some")


def test_question_about_an_empty_review_goes_with_the_first_mark(app: AppTest, host: Host):
    ids = chair_marks(app, host)
    press(app, next(k for k in keys(app) if k.endswith(":send")))
    assert "none of the 4 passages" in warned(app)
    chair_says(app, ids[0], "supports adopt")
    assert not app.warning


def test_chair_with_a_vote_marks_in_one_place(app: AppTest, host: Host):
    chair = CHAIR.model_copy(update={"electorate": "room"})
    store = open_store(os.environ["DEBATE_DB"])
    store.append(DEBATE, quoted(people=(chair, ANN)).events, after=0)
    store.close()
    at(app, DEBATE, chair)
    assert labels(app)
    host.submit(DEBATE, Resume(by=FAY.id))
    at(app, DEBATE, chair)
    assert not labels(app)
    assert [k for k in keys(app) if ":mark " in k]


def test_mark_against_the_author_is_asked_about_once(app: AppTest, host: Host):
    labelled = Source(
        id="E1",
        title="Note",
        text="# Note\n\n## Adopt it\n\nBad, because a second store is to be run.\n\n"
        "Good, because it answers within 12 ms.\n\n## Costs\n\nThe store costs 300 dollars.\n\n"
        "## Defer it\n\nCon: the old disks are full in ten months.",
    )
    store = open_store(os.environ["DEBATE_DB"])
    store.append(DEBATE, quoted(labelled).events, after=0)
    store.close()
    at(app, DEBATE, ANN)
    while shown_passage(app) != IDS[0]:
        press(app, f"passage {shown_passage(app)} skipped")
    press(app, f"passage {IDS[0]} supports adopt")
    assert warned(app) == "The author wrote “Bad, because”. Mark it “For A: adopt”?"
    assert IDS[0] not in readings_of(host, ANN)
    press(app, f"passage {IDS[0]}:again")
    press(app, f"passage {IDS[0]} supports adopt")
    press(app, f"passage {IDS[0]}:sure")
    assert readings_of(host, ANN)[IDS[0]].option == "adopt"
    did(host, DEBATE, FAY, MarksRevealed())
    host.submit(DEBATE, Resume(by=FAY.id))
    at(app, DEBATE, FAY)
    press(app, next(k for k in keys(app) if k.endswith(":look")))
    chair_says(app, IDS[0], "against adopt")
    assert not app.warning
    chair_says(app, IDS[1], "supports defer")
    assert not app.warning


def test_bar_of_the_next_step_names_whose_turn_it_is(app: AppTest, host: Host):
    # A person among the debaters: the evidence panel answers while the page is read, a person does not.
    seats = (*PANEL, Seat(id="ops", occupant="human"))
    store = open_store(os.environ["DEBATE_DB"])
    debater = Person(id=ANN.id, name=ANN.name, role="debater", seats=("ops",))
    held = quoted(seats=seats, people=(CHAIR, debater, BEN))
    held.say("abstain", by=ANN.id)
    store.append(DEBATE, held.events, after=0)
    store.close()
    host.submit(DEBATE, Resume(by=FAY.id))
    at(app, DEBATE, FAY)
    assert "Next: **your turn** as chair · marking" in words(app)
    for claim_id in IDS:
        chair_says(app, claim_id, "supports adopt")
    press(app, next(k for k in keys(app) if k.endswith(":send")))
    until(lambda: [*next_requests(host.state(DEBATE))] == ["ops"])
    app.run()
    assert f"Waiting for **ops**: {ANN.name}" in words(app)


SORTED = Source(
    id="E1",
    title="Note",
    text="# Note\n\n## Adopt it\n\nGood, because it answers within 12 ms.\n\n"
    "Good, because three other teams run one.\n\nBad, because a second store is to be run.\n\n"
    "### Advantages\n\nThe licence is free for a year from today, says its seller.\n\n"
    "## Defer\n\nThe old disks are full in ten months, as the chart shows.",
)
"""Three passages for adopt, one against it, and one whose author names no side."""


def suggested(app: AppTest) -> list[str]:
    """The passages of the suggestion."""
    return [str(box.label) for box in app.checkbox if ":tick " in str(box.key)]


def press_about(app: AppTest, name: str) -> None:
    """Press the button with this name of the suggestion."""
    press(app, next(k for k in keys(app) if f":{name} " in k))


def untick(app: AppTest, words_of_it: str) -> None:
    next(box for box in app.checkbox if words_of_it in str(box.label)).uncheck().run()


def room_with_sorted_passages() -> None:
    store = open_store(os.environ["DEBATE_DB"])
    store.append(DEBATE, quoted(SORTED).events, after=0)
    store.close()


def test_voter_marks_a_group_together_but_one(app: AppTest, host: Host):
    room_with_sorted_passages()
    at(app, DEBATE, ANN)
    assert len(suggested(app)) == 3
    assert "3 passages under “adopt / Good, because” and “adopt / Advantages”" in words(app)
    untick(app, "free for a year")
    assert not readings_of(host, ANN)
    press_about(app, "together")
    given = readings_of(host, ANN)
    assert {(mark.reading, mark.option, mark.together) for mark in given.values()} == {
        ("supports", "adopt", "adopt / Good, because")
    }
    assert len(given) == 2
    # The one that was taken out comes alone, like those without a group.
    assert not suggested(app)
    assert shown_passage(app) not in given


def test_voter_marks_one_by_one_if_they_prefer(app: AppTest, host: Host):
    room_with_sorted_passages()
    at(app, DEBATE, ANN)
    press_about(app, "apart")
    assert not readings_of(host, ANN)
    assert not suggested(app)
    press(app, f"passage {shown_passage(app)} supports adopt")
    assert not suggested(app)
    assert [mark.together for mark in readings_of(host, ANN).values()] == [""]


def test_chair_marks_a_group_and_looks_again(app: AppTest, host: Host):
    room_with_sorted_passages()
    host.submit(DEBATE, Resume(by=FAY.id))
    at(app, DEBATE, FAY)
    n = len(host.state(DEBATE).claims)
    assert len(suggested(app)) == 3
    assert f"0 of {n} passages marked" in progress(app)
    press_about(app, "together")
    assert host.state(DEBATE).marks == {}
    assert not suggested(app)
    while not [k for k in keys(app) if k.endswith(":look")]:
        press(app, next(k for k in keys(app) if k.endswith(" skipped")))
    assert f"3 of {n} passages marked" in progress(app)
    # Looked at again, each is alone; a mark that is given again is no longer one of the group.
    press(app, next(k for k in keys(app) if k.endswith(":look")))
    press(app, next(k for k in keys(app) if k.endswith(" neutral")))
    press(app, next(k for k in keys(app) if k.endswith(":send")))
    marks = [given.mark for given in host.state(DEBATE).marks.values()]
    assert sorted((mark.reading, mark.together) for mark in marks) == [
        ("neutral", ""),
        ("supports", "adopt / Advantages"),
        ("supports", "adopt / Good, because"),
    ]


def test_older_window_marks_no_passage_twice(app: AppTest, host: Host):
    room_with_sorted_passages()
    at(app, DEBATE, ANN)
    first, *_others = (str(box.key).split()[-1] for box in app.checkbox if ":tick " in str(box.key))
    did(host, DEBATE, ANN, marked(first, "against adopt"))
    press_about(app, "together")
    assert readings_of(host, ANN)[first].reading == "against"
    assert len(host.state(DEBATE).room.of(PassageMarked)) == 3


def test_older_window_of_the_chair_shows_newer_marks_first(app: AppTest, host: Host):
    """Neither a mark nor the marks as a whole are given over marks that this window has not shown."""
    room_with_sorted_passages()
    host.submit(DEBATE, Resume(by=FAY.id))
    newer = at(app, DEBATE, FAY)
    older = at(new_browser(), DEBATE, FAY)
    press_about(newer, "apart")
    for place, button in enumerate((":together ", ":send"), start=1):
        press(newer, next(k for k in keys(newer) if k.endswith(" neutral")))
        press(older, next(k for k in keys(older) if button in k))
        assert any("marked passages in another window" in error.value for error in older.error)
        assert any(f"{place} marked" in text for text in progress(older))
        assert host.state(DEBATE).marks == {}
    press(older, next(k for k in keys(older) if k.endswith(":send")))
    assert len(host.state(DEBATE).marks) == 2


def test_reload_keeps_what_was_taken_out(app: AppTest, host: Host):
    room_with_sorted_passages()
    at(app, DEBATE, ANN)
    untick(app, "free for a year")
    again = at(new_browser(), DEBATE, ANN)
    assert [box.value for box in again.checkbox if "free for a year" in str(box.label)] == [False]
    assert len(suggested(again)) == 3
    press_about(again, "apart")
    assert not suggested(at(new_browser(), DEBATE, ANN))
    assert len(suggested(at(new_browser(), DEBATE, BEN))) == 3
    assert not readings_of(host, ANN)


def test_progress_counts_only_passages_that_wait_for_marks(app: AppTest, host: Host):
    reasons = [f"Good, because it saves {n} hours a week." for n in range(10, 12)]
    note = NOTE.model_copy(update={"text": "\n\n".join([NOTE.text, "## Adopt", *reasons])})
    held = Played(marking_spec(note).model_copy(update={"max_rounds": 3})).go_on()

    def quote(texts: Sequence[str]) -> None:
        claims = tuple(Claim(text=text, source_id="E1", quote=text) for text in texts)
        held.say(Argument(rationale="It quotes.", vote=ABSTAIN, claims=claims))

    quote(PASSAGES[:2])
    quote(PASSAGES[2:])
    for claim_id in IDS:
        held.act(ANN, marked(claim_id, "neutral"))
    held.act(FAY, MarksRevealed(claims=IDS)).go_on().say(Review(marks=()), by=FAY.id)
    quote(reasons)
    quote([])
    store = open_store(os.environ["DEBATE_DB"])
    store.append(DEBATE, held.events, after=0)
    store.close()
    at(app, DEBATE, ANN)
    assert len(suggested(app)) == 2
    assert "**Mark the passages** · 0 of 2 marked" in words(app)


def test_marks_of_the_room_are_not_set_together(app: AppTest, host: Host):
    room_with_sorted_passages()
    host.submit(DEBATE, Resume(by=FAY.id))
    at(app, DEBATE, FAY)
    press_about(app, "together")
    for claim_id in host.state(DEBATE).claims:
        did(host, DEBATE, ANN, marked(claim_id, "against adopt"))
    did(host, DEBATE, FAY, MarksRevealed())
    app.run()
    press(app, next(k for k in keys(app) if k.endswith("room's marks")))
    press(app, next(k for k in keys(app) if k.endswith(":send")))
    marks = [given.mark for given in host.state(DEBATE).marks.values()]
    assert {(mark.words(), mark.together) for mark in marks} == {("against adopt", "")}
