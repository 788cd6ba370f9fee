"""Reasons: empty ones, labels before them, and the claims for and against each option."""

import asyncio

import pytest
from pydantic import JsonValue

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.passages import passages_of
from debate_core.engine.reason_labels import as_clause, label_of, split_reasons, without_label
from debate_core.engine.reply_parser import read_turn
from debate_core.engine.validate_content import fault_in_content, gives_no_reason, read_content
from debate_core.errors import BadReply
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record import acts
from debate_core.record.commands import SetMark, Stop
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.claim_reading import claim_readings
from debate_core.report.facts.health import flags
from debate_core.report.facts.option_reasons import claims_that_stand, option_reasons
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files
from debate_core.report.files.report import text_report
from debate_core.seats.scripted import Player, Script, ScriptTurn
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats
from debate_core.spec.protocol import Driver, Spec
from debate_core.spec.values import Seat, Source
from debate_core.ui.room.live.transcript import picture
from tests.adr_reader import read_adr
from tests.marking import IDS, NOTE, marked, quoted
from tests.people import ANN, BEN, FAY, GUS, MO, room_spec
from tests.playing import AT, Played


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
        "adopt": [(IDS[0], "for", 2, 0, 3), (IDS[1], "against", 0, 1, 2), (IDS[2], "divided", 1, 1, 2)],
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


QUESTION, OPTIONS = "Should we adopt a four-day week for the whole team?", ("adopt", "defer to spring")
SPEC = compose(QUESTION, OPTIONS, BOUNDED_VOTE, default_seats(BOUNDED_VOTE, QUESTION, OPTIONS, "offline"))
NO_REASON = [
    "Adopt.",
    "My position: adopt.",
    "defer to spring",
    "Should we adopt a four-day week for the whole team?",
    "We should adopt a four-day week for the whole team. My position: adopt.",
    "I recommend adopt, because it is the best option for the team.",
]
REASON = [
    "Four days are enough for our tickets.",
    "A four-day week keeps the team rested. My position: adopt.",
    "We should defer to spring: the audit needs the whole team.",
    "Because of the cost.",
    "Yes.",
]


@pytest.mark.parametrize("text", NO_REASON)
def test_who_only_repeats_the_question_or_an_option_is_asked_why(text: str):
    given = {"rationale": text, "vote": "adopt"}
    for read in (read_content, read_turn):
        with pytest.raises(BadReply, match="only repeats the question or an option: say why"):
            read(SPEC, "argument", given, asks_ballot=True)
    # Who claims something has given a reason; and what a record holds stays readable.
    claiming = {**given, "claims": [{"text": "Tickets fell by a fifth in the trial."}]}
    assert read_turn(SPEC, "argument", claiming, asks_ballot=True).content
    assert fault_in_content(SPEC, "argument", Argument(rationale=text, vote="adopt")) is None


@pytest.mark.parametrize("text", REASON)
def test_a_word_of_ones_own_is_a_reason(text: str):
    assert read_turn(SPEC, "argument", {"rationale": text, "vote": "adopt"}, asks_ballot=True).content


QUEUE = "Should the order service move to an event bus before March?"
ECHOES = [
    "Should the order service move to an event bus before March? The options: adopt, defer.",
    '| Should the order service move to an event bus before March?\n\nThe options: "adopt", "defer"; "adopt" means yes',
    "I speak as risk. Look first at outage, rollback, compliance.",
    "Outage, rollback, compliance.",
    "The order service should be moving to an event bus before March.",
    "The side I defend: move the queue. My position: adopt",
    "A good decision is measured by cost 60 and time 40. My position: adopt",
    "Yes, adopt.",
]


def queue_spec(attempts: int = 2) -> Spec:
    rules = BOUNDED_VOTE.model_copy(update={"attempts": attempts})
    seats = [
        Seat(id="risk", persona="Outage, rollback, compliance.", stance="move the queue", occupant="scripted"),
        Seat(id="cost", occupant="scripted"),
    ]
    drivers = [Driver(name="cost", weight=60), Driver(name="time", weight=40)]
    return compose(QUEUE, ("adopt", "defer"), rules, seats, drivers=drivers, max_rounds=1)


@pytest.mark.parametrize("text", ECHOES)
def test_echo_of_the_question_block_or_of_a_card_is_no_reason(text: str):
    with pytest.raises(BadReply, match="say why"):
        read_turn(queue_spec(), "argument", {"rationale": text, "vote": "adopt", "confidence": 95}, asks_ballot=True)


@pytest.mark.parametrize("text", ["Because of the cost.", "Outage.", "Risk.", "It is the outage."])
def test_single_word_of_a_card_is_a_reason(text: str):
    read = read_turn(queue_spec(), "argument", {"rationale": text, "vote": "adopt"}, asks_ballot=True)
    assert not gives_no_reason(queue_spec(), read.content)


@pytest.mark.parametrize("text", [*ECHOES, "My position: adopt."])
def test_ballot_of_the_last_attempt_counts_without_a_reason(text: str):
    given = {"rationale": text, "vote": "adopt"}
    read = read_turn(queue_spec(), "argument", given, asks_ballot=True, is_last=True)
    assert read.content.names == ("adopt",)
    assert gives_no_reason(queue_spec(), read.content)


@pytest.mark.parametrize("given", [{"rationale": "My position: adopt."}, {"rationale": "", "vote": "perhaps"}])
def test_last_attempt_without_a_valid_ballot_is_no_turn(given: dict[str, str]):
    with pytest.raises(BadReply):
        read_turn(queue_spec(), "argument", given, asks_ballot=True, is_last=True)
    if "vote" not in given:
        with pytest.raises(BadReply, match="say why"):
            read_turn(queue_spec(), "argument", given, asks_ballot=False, is_last=True)


def held_without_reasons(reason: str = "My position: adopt.") -> tuple[Event, ...]:
    said: dict[str, JsonValue] = {"rationale": reason, "vote": "adopt"}
    script = Script(turns=(ScriptTurn(content=said, repeat=True),))
    store = MemoryStore()
    opened = open_debate(queue_spec(), debate_id="d", at=AT)
    store.append("d", opened, after=0)
    player = Player(script, replay(opened), 0)
    asyncio.run(run("d", store, {"risk": player, "cost": player}))
    return tuple(store.load("d"))


def test_ballot_without_a_reason_is_marked_wherever_it_is_shown():
    events = held_without_reasons()
    state = replay(events)
    assert verify(events) == ()
    first = state.turns[0]
    assert (first.status, first.attempts, first.no_reason) == ("ok", 2, True)
    assert state.turns[0].argument is not None
    shown = account(state, events)
    assert {row.no_reason for row in shown.turns if row.vote} == {True}
    assert "ballot_without_reason" in flags(state)
    assert csv_files(shown)["turns.csv"].splitlines()[0].count("no_reason") == 1
    assert "no reason given" in text_report(shown)
    assert "no reason given" in str(picture(state, {}, ()))


def test_turn_with_a_reason_is_not_marked():
    state = replay(held_without_reasons("Orders wait nine seconds at noon."))
    assert {turn.no_reason for turn in state.turns} == {False}
    assert "ballot_without_reason" not in flags(state)


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("Good, because it is fast", "good", "it is fast"),
        ("Bad because few run one", "bad", "few run one"),
        ("**Neutral**, because both need a licence", "neutral", "both need a licence"),
        ("* Bad, as it costs 640 EUR", "bad", "it costs 640 EUR"),
        ("Gut, weil es schnell ist", "good", "es schnell ist"),
        ("**Con:** a second store to back up", "bad", "a second store to back up"),
        ("Good, because Bad, because it repeats itself", "good", "it repeats itself"),
        ("Good as new, it runs in two rooms", None, "Good as new, it runs in two rooms"),
        ("The idea is good, because it saves", None, "The idea is good, because it saves"),
        ("Good, because ", "good", "Good, because "),
    ],
)
def test_label_is_read_and_taken_away(text: str, label: str | None, reason: str):
    assert (label_of(text), without_label(text)) == (label, reason)


@pytest.mark.parametrize(
    ("reason", "clause"),
    [
        ("Because it is cheap.", "it is cheap."),
        ("because of the load", "of the load"),
        ("Weil es schnell ist", "es schnell ist"),
        ("Good, because The team runs it", "the team runs it"),
        ("**Pro:** Because we own one", "we own one"),
        ("Redis is fast", "Redis is fast"),
        ("Because ", "because "),
        ("Becaused", "Becaused"),
    ],
)
def test_reason_continues_after_because(reason: str, clause: str):
    assert as_clause(reason) == clause


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        (
            "Good, because no state is kept. Bad, because 22 kB do not fit into 4 kB. Bad, because a list is needed.",
            [
                "Good, because no state is kept.",
                "Bad, because 22 kB do not fit into 4 kB.",
                "Bad, because a list is needed.",
            ],
        ),
        ("Good, because cheap, but bad, because slow", ["Good, because cheap", "bad, because slow"]),
        ("Known for years. Pro: fast.\nCon: dear.", ["Known for years.", "Pro: fast.", "Con: dear."]),
        ("Gut, weil schnell; schlecht, weil teuer", ["Gut, weil schnell;", "schlecht, weil teuer"]),
        ("It is good, because it is fast.", ["It is good, because it is fast."]),
        ("", [""]),
    ],
)
def test_text_is_split_at_each_label(text: str, slices: list[str]):
    assert [text[low:high] for low, high in split_reasons(text, 0, len(text))] == slices


def test_passage_has_one_label_at_most():
    text = (
        "# Sessions\n\n## Signed cookies\n\n"
        "Good, because no server state is needed, so a deploy logs no user out. Bad, because a session of 22 kB does "
        "not fit into a cookie of 4 kB.\nBad, because no user can be logged out.\n\n"
        "- Good, because every client has them\n"
    )
    passages = passages_of(Source(id="E1", title="t", text=text))
    assert [passage.text.split()[0] for passage in passages] == ["Good,", "Bad,", "Bad,", "Good,"]
    assert all(text[passage.start : passage.end] == passage.text for passage in passages)
    assert {passage.heading for passage in passages} == {"Signed cookies"}
