"""Claims for and against each option: as people marked them, else by the ballot of the seat that made them."""

from debate_core.record import acts
from debate_core.record.commands import SetMark, Stop
from debate_core.report.facts.account import account
from debate_core.report.facts.claim_reading import claim_readings
from debate_core.report.facts.option_reasons import claims_that_stand, option_reasons
from debate_core.report.files.adr.record import decision_record
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.values import Source
from tests.adr_reader import read_adr
from tests.marking import IDS, NOTE, marked, quoted
from tests.people import ANN, BEN, FAY, GUS, MO, room_spec
from tests.playing import Played


def claiming(played: Played, vote: str | None, *texts: str) -> None:
    claims = tuple(Claim(text=text) for text in texts)
    played.say(Argument(rationale="why", vote=vote, claims=claims))


def told(played: Played) -> dict[str, list[str]]:
    """`adopt` -> `for s0.1.1`, in order."""
    found = option_reasons(account(played.state, played.events)).items()
    return {option: [f"{reason.side} {reason.row.claim_id}" for reason in reasons] for option, reasons in found}


def spoken() -> Played:
    held = Played(room_spec()).go_on()
    claiming(held, "adopt", "It pays off within the first year", "No one is on call at night")
    claiming(held, "defer", "The team has never run such a store", "It pays off within the first year")
    claiming(held, None, "Two vendors offer a trial until the summer")
    return held


def test_repeated_claim_has_the_side_of_the_seat_that_repeats_it():
    held = spoken()
    readings = {reading.number: reading for reading in claim_readings(account(held.state, held.events))}
    assert readings[4].row.duplicate_of == readings[1].row.claim_id
    assert (readings[1].option, readings[4].option, readings[4].side) == ("adopt", "defer", "said")
    assert len(told(held)["defer"]) == 1


def test_an_unmarked_claim_is_attributed_to_its_seats_vote():
    held = spoken()
    assert [row.claim_id for row in claims_that_stand(account(held.state, held.events))] == [
        "s0.1.1",
        "s0.1.2",
        "s1.1.1",
        "s2.1.1",
    ]
    assert told(held) == {"adopt": ["said s0.1.1", "said s0.1.2"], "defer": ["said s1.1.1"], "reject": []}


def test_marks_precede_ballots_and_neutral_removes_a_claim():
    held = spoken()
    for claim, reading, option in (
        ("s0.1.2", "against", "adopt"),
        ("s2.1.1", "supports", "adopt"),
        ("s0.1.1", "neutral", "adopt"),
        ("s1.1.1", "supports", "reject"),
    ):
        mark = Mark.model_validate({"claim_id": claim, "reading": reading, "option": option})
        held.do(SetMark(by=MO.id, mark=mark))
    assert told(held) == {"adopt": ["for s2.1.1", "against s0.1.2"], "defer": [], "reject": ["for s1.1.1"]}


def test_claims_of_a_struck_turn_stand_for_nothing():
    held = spoken()
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="it insults"))
    assert "s0.1.1" not in [row.claim_id for row in claims_that_stand(account(held.state, held.events))]
    assert told(held)["adopt"] == []


def marked_by_room(*given: tuple[str, str, str, str]) -> Played:
    """Each passage as Ann, Ben and Gus read it, shown; the chair marks nothing."""
    held = quoted()
    for claim_id, *readings in given:
        for who, words in zip((ANN, BEN, GUS), readings, strict=True):
            held.act(who, marked(claim_id, words))
    return held.act(FAY, acts.MarksRevealed())


def test_repetition_stands_where_the_first_claim_is_struck():
    held = spoken()
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="insulting"))
    assert told(held) == {"adopt": [], "defer": ["said s1.1.1", "said s1.1.2"], "reject": []}


def test_marks_of_the_room_are_reasons_with_their_numbers():
    held = marked_by_room(
        (IDS[0], "supports adopt", "supports adopt", "against defer"),
        (IDS[1], "against adopt", "neutral", "skipped"),
        (IDS[2], "supports adopt", "against adopt", "skipped"),
        (IDS[3], "skipped", "skipped", "skipped"),
    )
    found = option_reasons(account(held.state, held.events))
    numbers = {
        option: [(r.row.claim_id, r.side, r.supports, r.against, r.marked_by) for r in reasons]
        for option, reasons in found.items()
    }
    assert numbers == {
        "adopt": [
            (IDS[0], "for", 2, 0, 3),
            (IDS[1], "against", 0, 1, 2),
            (IDS[2], "divided", 1, 1, 2),
        ],
        "defer": [(IDS[0], "against", 0, 1, 3)],
        "reject": [],
    }


def test_sealed_marks_are_no_reasons():
    held = quoted().act(ANN, marked(IDS[0], "supports adopt"))
    assert told(held) == {"adopt": [], "defer": [], "reject": []}


def test_most_read_reasons_come_first_with_the_chair_as_one():
    held = marked_by_room(
        (IDS[0], "supports adopt", "neutral", "neutral"),
        (IDS[1], "supports adopt", "supports adopt", "neutral"),
        (IDS[2], "neutral", "neutral", "neutral"),
    )
    for claim_id in (IDS[1], IDS[2]):
        held.do(SetMark(by=FAY.id, mark=Mark(claim_id=claim_id, reading="supports", option="adopt")))
    assert told(held)["adopt"] == [f"for {claim_id}" for claim_id in (IDS[1], IDS[0], IDS[2])]


def adr_of(held: Played) -> dict[str, list[str]]:
    held.do(Stop(by=FAY.id, reason="enough"))
    return read_adr(decision_record(account(held.state, held.events)).text).sections


def test_adr_says_how_many_of_the_room_read_a_reason_so():
    held = marked_by_room(
        (IDS[0], "supports adopt", "supports adopt", "neutral"),
        (IDS[1], "against adopt", "supports adopt", "against adopt"),
        (IDS[2], "supports adopt", "against adopt", "skipped"),
    )
    reasons = adr_of(held)["adopt"]
    assert reasons[0].startswith("Good, because the store costs 300 dollars a month (claim 1; quote verbatim")
    assert "; 2 of 3 who marked it read it for adopt)" in reasons[0]
    assert reasons[1].startswith("Bad, because an outage stops every order (")
    assert "1 of 3 who marked it read it for adopt, 2 against it" in reasons[1]
    assert reasons[2].startswith("Neutral, because a rollback takes two days (")


LABELLED = (
    "Good, because it answers in 12 ms.",
    "Bad, because a second store is to be run.",
    "**Bad**, because Redis loses its sessions in an outage.",
    "Con: no team has run such a store before.",
)


def labelled(reading: str, option: str, *, heading: str = "Adopt the new store") -> list[str]:
    """The reasons of an option in the ADR, where all four labelled passages are read so by the room."""
    held = quoted(note=Source(id=NOTE.id, title=NOTE.title, text=f"# Note\n\n## {heading}\n\n" + "\n\n".join(LABELLED)))
    for claim_id in IDS:
        held.act(ANN, marked(claim_id, f"{reading} {option}"))
    held.act(FAY, acts.MarksRevealed())
    return [line for line in adr_of(held)[option] if ", because" in line]


def test_adr_repeats_no_label_of_the_author():
    for reading in ("supports", "against"):
        for option in ("adopt", "defer"):
            lines = labelled(reading, option)
            assert len(lines) == 4
            label = "Good" if reading == "supports" else "Bad"
            assert [line.partition(" (")[0] for line in lines] == [
                f"{label}, because it answers in 12 ms",
                f"{label}, because a second store is to be run",
                f"{label}, because Redis loses its sessions in an outage",
                f"{label}, because no team has run such a store before",
            ]


def test_adr_says_where_a_mark_contradicts_the_author():
    against = "contrary to the author, who wrote “Bad, because”"
    assert [against in line for line in labelled("supports", "adopt")] == [False, True, True, False]
    assert "contrary to the author, who wrote “Con:”" in labelled("supports", "adopt")[3]
    assert ["contrary to" in line for line in labelled("against", "adopt")] == [True, False, False, False]
    other = "the author wrote “Bad, because” of adopt"
    assert [other in line for line in labelled("supports", "defer")] == [False, True, True, False]
    under = f"{against} under “Costs”"
    assert [under in line for line in labelled("supports", "defer", heading="Costs")] == [False, True, True, False]
