"""Participation, counted in words of readable turns."""

import pytest

from debate_core.record.acts import Asked, Intervened, SeatTaken, Struck
from debate_core.report.facts.account import account
from debate_core.report.facts.office_turns import steered_to
from debate_core.report.facts.people_shares import PersonShare, people_shares
from debate_core.report.facts.turns import ShareRow, share_rows
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.people_shares import (
    alike_shares_sentence,
    people_shares_sentence,
    steering_words_sentence,
)
from debate_core.spec.contents import Argument, Directive
from debate_core.spec.protocol import Phase
from debate_core.spec.values import Seat
from tests.adr_reader import read_adr
from tests.people import FAY, GUS, MO, OPTIONS, room_spec
from tests.playing import Played


def spoken() -> Played:
    held = Played(room_spec(rounds=1))
    held.go_on()
    for words in ("one two three four five", "one two three", "-", "six", "-", "seven"):
        held.say(Argument(rationale=words, vote="adopt"))
    return held


def test_words_are_counted_by_seat_in_the_decision_record():
    held = spoken()
    held.act(MO, Struck(turn="1.opening.s1", reason="insults"))
    rows = (ShareRow("s0", 2, 6, 1 / 2), ShareRow("s1", 2, 4, 1 / 3), ShareRow("s2", 2, 2, 1 / 6))
    assert share_rows(held.state) == rows
    told = read_adr(decision_record(account(held.state, held.events)).text).sections["Facilitation"]
    assert told == [
        "People stepped in once over 6 turns, without a pause.",
        "Share of all words spoken: s0 50 % (2 turns), s1 33 % (2 turns), s2 17 % (2 turns)",
    ]
    hidden = decision_record(account(held.state, held.events), anonymous=True).text
    assert "s0 50\u00a0%" not in hidden


@pytest.mark.parametrize(
    ("turns", "shares", "told"),
    [
        ((6, 6, 6, 6), (0.26, 0.24, 0.25, 0.25), "Each of the 4 seats had 6 turns, and 24 to 26 % of all words."),
        ((1, 1), (0.5, 0.5), "Each of the 2 seats had 1 turn, and 50 % of all words."),
        ((2, 1), (0.5, 0.5), ""),
        ((2, 2), (0.52, 0.48), ""),
        ((2,), (1.0,), ""),
    ],
)
def test_seats_that_spoke_alike_are_told_in_one_sentence(turns: tuple[int, ...], shares: tuple[float, ...], told: str):
    rows = [ShareRow(f"s{i}", n, 10, share) for i, (n, share) in enumerate(zip(turns, shares, strict=True))]
    assert alike_shares_sentence(rows).replace("\u00a0", " ") == told


def test_what_a_round_began_with_stands_in_the_decision_record():
    held = moderated("Say what it costs.")
    held.to_the_end()
    told = read_adr(decision_record(account(held.state, held.events)).text).sections["Facilitation"]
    assert told[-1] == "Briefing of round 1, by mod: Say what it costs."
    assert told[1].startswith("Share of all words spoken: s0 ")
    assert share_rows(Played(room_spec()).state) == ()


def moderated(*briefings: str) -> Played:
    """Scripted seats, and a scripted moderator with these briefings."""
    spec = room_spec(rounds=len(briefings), seats=[Seat(id=f"s{i}", occupant="scripted") for i in range(3)])
    lead = Phase(name="lead", gives="directive", role="moderator")
    protocol = spec.protocol.model_copy(update={"each_round": (lead, *spec.protocol.each_round)})
    seats = (*spec.seats, Seat(id="mod", role="moderator", occupant="scripted"))
    held = Played(spec.model_copy(update={"protocol": protocol, "seats": seats}))
    for briefing in briefings:
        held.go_on()
        held.say(Directive(next_speakers=("s0", "s1", "s2"), briefing=briefing, reason="open"))
        held.play()
    return held


def test_words_and_questions_of_people_are_counted_by_hand():
    held = moderated("Say what it costs.")
    assert people_shares(account(held.state)) == ()
    assert people_shares_sentence(account(held.state)) == ""
    held = Played(room_spec(rounds=1)).go_on()
    held.act(MO, Intervened(kind="question", text="one two three"))
    held.act(MO, Intervened(kind="briefing", text="four"))
    held.act(GUS, Asked(text="five six"))
    held.act(GUS, Asked(text="seven", kind="concern"))
    held.act(FAY, SeatTaken(seat="s0", reason="It is late."))
    held.say(Argument(rationale="eight nine ten", vote="adopt"), by=FAY.id)
    found = account(held.state, held.events)
    assert people_shares(found) == (
        PersonShare("Mo", 4, 1, 4 / 10),
        PersonShare("Fay", 3, 0, 3 / 10),
        PersonShare("Gus", 3, 1, 3 / 10),
    )
    words = "Words of people: Mo 40\u00a0% (1 question), Fay 30\u00a0%, Gus 30\u00a0% (1 question)."
    assert people_shares_sentence(found) == words
    assert words.replace("\u00a0", " ") in markdown_report(found)


def test_steering_words_that_name_an_option_are_marked():
    held = moderated("Say what it costs.", "Why not adopt it, or defer?")
    found = account(held.state, held.events)
    assert [row.names_options for row in found.directives] == [(), ("adopt", "defer")]
    assert steering_words_sentence(found) == (
        "1 of 2 directives and messages to all seats name an option (round 2, by mod: adopt and defer)."
    )
    held = Played(room_spec(rounds=1)).go_on()
    assert steering_words_sentence(account(held.state, held.events)) == ""
    held.act(MO, Intervened(text="Show that we can reject it."))
    found = account(held.state, held.events)
    told = "1 of 1 directive or message to all seats names an option (round 1, by Mo, moderator, to all seats: reject)."
    assert steering_words_sentence(found) == told
    assert told in markdown_report(found)


@pytest.mark.parametrize(
    ("text", "options", "named"),
    [
        ("Adopt it now.", OPTIONS, ("adopt",)),
        ("The adoption is early.", OPTIONS, ()),
        ("There is no new evidence.", ("yes", "no"), ()),
        ("Say yes to Kafka.", ("Kafka", "no"), ("Kafka",)),
        ("Split first.", ("split", "split first"), ("split first",)),
    ],
)
def test_options_are_named_by_whole_and_telling_words(text: str, options: tuple[str, ...], named: tuple[str, ...]):
    assert steered_to(text, options) == named
