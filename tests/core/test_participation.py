"""Participation, counted in words of readable turns."""

from debate_core.record.acts import Struck
from debate_core.report.facts.account import account
from debate_core.report.facts.turns import ShareRow, share_rows
from debate_core.report.files.adr.record import decision_record
from debate_core.spec.contents import Argument, Directive
from debate_core.spec.protocol import Phase
from debate_core.spec.values import Seat
from tests.adr_reader import read_adr
from tests.people import MO, room_spec
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
    rows = (
        ShareRow("s0", 2, 6, 1 / 2),
        ShareRow("s1", 2, 4, 1 / 3),
        ShareRow("s2", 2, 2, 1 / 6),
    )
    assert share_rows(held.state) == rows
    told = read_adr(decision_record(account(held.state, held.events)).text).sections["Facilitation"]
    assert told == [
        "People stepped in once over 6 turns.",
        "Words spoken: s0 50% (2 turns), s1 33% (2 turns), s2 17% (2 turns)",
    ]
    hidden = decision_record(account(held.state, held.events), anonymous=True).text
    assert "s0 50%" not in hidden


def test_what_a_round_began_with_stands_in_the_decision_record():
    spec = room_spec(rounds=1, seats=[Seat(id=f"s{i}", occupant="scripted") for i in range(3)])
    lead = Phase(name="lead", gives="directive", role="moderator")
    protocol = spec.protocol.model_copy(update={"each_round": (lead, *spec.protocol.each_round)})
    seats = (*spec.seats, Seat(id="mod", role="moderator", occupant="scripted"))
    held = Played(spec.model_copy(update={"protocol": protocol, "seats": seats}))
    held.go_on()
    held.say(Directive(next_speakers=("s0", "s1", "s2"), briefing="Say what it costs.", reason="open"))
    held.to_the_end()
    told = read_adr(decision_record(account(held.state, held.events)).text).sections["Facilitation"]
    assert told[-1] == "Briefing of round 1, by mod: Say what it costs."
    assert told[1].startswith("Words spoken: s0 ")
    assert share_rows(Played(room_spec()).state) == ()
