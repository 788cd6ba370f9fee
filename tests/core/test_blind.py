"""View of one judge: names, orders and hidden parts, drawn by position and never by name."""

from itertools import combinations

import pytest

from debate_core.engine import judge_view
from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.stage import sealed
from debate_core.record.acts import BeliefsRevealed, Compared, Judged, PersonJoined, Rated, SeatTaken, Struck
from debate_core.record.commands import SkipTurn, TakeTurn
from debate_core.record.events import dump_record, parse_record
from debate_core.record.state import replace
from debate_core.report.facts.judgements import criteria_that_apply, judgement_rows, option_rows
from debate_core.report.facts.who_judged import judge_flags
from debate_core.spec.contents import Argument, Claim, Directive, Review, Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Occupant, Seat
from tests.marking import quoted
from tests.people import EVERYBODY, FAY, JOE, JUNE, MO, OPTIONS, belief, judged, refused, room_spec
from tests.playing import Played


def test_each_judge_reads_every_seat_under_one_name_of_their_own():
    state = judged().state
    june, joe = (judge_view.aliases(state, p.id) for p in (JUNE, JOE))
    assert list(june) == ["s0", "s1", "s2"]
    assert len(set(june.values())) == 3
    assert all(name.startswith("Speaker ") for name in june.values())
    assert june != joe
    assert june == judge_view.aliases(state, JUNE.id)


def test_a_name_never_says_which_seat_or_side_it_is():
    seats = [Seat(id="kite", occupant="scripted", stance="for the heron"), Seat(id="s1", occupant="scripted")]
    for n in range(60):
        people = (FAY, Person(id=f"p-j{n}", name="J", role="judge"))
        state = Played(room_spec(people, seats=seats)).state
        spoken = " ".join(judge_view.aliases(state, f"p-j{n}").values()).casefold()
        assert not {"kite", "heron", "s1"} & set(spoken.split())


def test_more_seats_than_names_are_still_told_apart():
    seats = [Seat(id=f"s{n}", occupant="scripted") for n in range(50)]
    spec = room_spec(seats=seats)
    protocol = spec.protocol.model_copy(update={"decide": Threshold(votes=26)})
    named = judge_view.aliases(Played(spec.model_copy(update={"protocol": protocol})).state, JUNE.id)
    assert len(set(named.values())) == 50
    # 32 names, so 18 of them stand a second time.
    assert len([name for name in named.values() if name.endswith(" 2")]) == 18


def test_a_claim_is_numbered_by_its_speakers_alias():
    names = judge_view.names_under(judged().state, {"risk": "Speaker Kite"})
    assert names.shown(["risk.2.3", "unknown.2.3"]) == ["Kite.2.3", "unknown.2.3"]


def test_turns_are_shuffled_within_phases_and_mirrored_by_swaps():
    ids = ["s0", "s1", "s2"]
    swapped = ["s1", "s0", "s2"]
    mirror = dict(zip(ids, swapped, strict=True))
    plain, other = (
        judged(room_spec(EVERYBODY, seats=[Seat(id=i, occupant="scripted") for i in order])).state
        for order in (ids, swapped)
    )
    for number in (1, 2):
        order = [(t.phase, t.seat) for t in judge_view.reading_order(plain, JUNE.id, number)]
        assert [p for p, _ in order] == ["opening"] * 3 + ["reply"] * 3
        assert [(t.phase, mirror[t.seat]) for t in judge_view.reading_order(other, JUNE.id, number)] == order
    assert judge_view.aliases(other, JUNE.id) == {mirror[s]: a for s, a in judge_view.aliases(plain, JUNE.id).items()}
    orders = {tuple(t.seat for t in judge_view.reading_order(plain, f"p-x{n}", 1)) for n in range(20)}
    assert len(orders) > 5


def test_each_judge_sees_options_lettered_in_another_order():
    state = judged().state
    assert sorted(judge_view.option_order(state, JUNE.id)) == sorted(OPTIONS)
    assert len({judge_view.option_order(state, f"p-x{n}") for n in range(30)}) == 6
    renamed = Played(room_spec().model_copy(update={"options": ("x", "y", "z")})).state
    to = dict(zip(OPTIONS, "xyz", strict=True))
    assert judge_view.option_order(renamed, JUNE.id) == tuple(to[o] for o in judge_view.option_order(state, JUNE.id))


def test_a_turn_that_names_a_seat_or_a_model_gives_itself_away():
    names = ("cost_hawk", "gpt-9", "s0")
    assert judge_view.self_identification("As the Cost Hawk I say: gpt-9 agrees.", names) == ("cost_hawk", "gpt-9")
    assert judge_view.self_identification("Costs of s01 are hawkish.", names) == ()


def test_names_that_give_away_are_no_options_and_no_sentences():
    seats = [
        Seat(id="risk", occupant="scripted", stance="adopt"),
        Seat(id="b", occupant="scripted", stance="a long sentence of a stance"),
        Seat(id="c2", occupant="scripted", stance="sceptic"),
    ]
    assert judge_view.names_of(Played(room_spec(seats=seats)).state) == ("risk", "c2", "sceptic")


def test_the_family_of_a_model_gives_its_speaker_away():
    line = ModelLine(id="m1", model="fast-9", provider="p", family="northern", dialect="chat")
    spec = room_spec(seats=(Seat(id="a1", model="m1"), Seat(id="b1", occupant="scripted")))
    assert judge_view.names_of(Played(spec.model_copy(update={"models": (line,)})).state)[1:4] == (
        "m1",
        "fast-9",
        "northern",
    )


def test_a_directive_shows_its_briefing_or_else_its_reason():
    assert (
        judge_view.spoken(Directive(reason="s0 is loud", briefing="Be brief.", new_angle="Costs."))
        == "Be brief.\nCosts."
    )
    assert judge_view.spoken(Directive(reason="s0 is loud")) == "s0 is loud"
    assert judge_view.spoken(Argument(rationale="It pays.")) == "It pays."


def test_a_judge_with_reports_reads_on_without_steps():
    held = Played(room_spec((*EVERYBODY, JOE))).go_on()
    held.play()
    held.act(JUNE, belief(1))
    held.to_the_end()
    held.act(JUNE, belief(2))
    assert judge_view.mode_of(held.state, JUNE.id) == "live"
    single = judged(room_spec((*EVERYBODY, JOE), rounds=1))
    assert judge_view.mode_of(single.state, JOE.id) == "live"


def test_reading_has_aliases_placeholders_and_warnings():
    held = Played(room_spec((FAY, JUNE), rounds=1))
    held.go_on()
    for text in ("As s1 I disagree.", "Second.", "Third."):
        asked = requests(held.state)[0]
        said = Argument(rationale=text, vote="adopt", claims=(Claim(text="One."),))
        held.do(TakeTurn(by=asked.seat, request=asked.id, content=said))
    held.act(FAY, Struck(turn="1.opening.s2", reason="personal"))
    named = judge_view.aliases(held.state, JUNE.id)
    read = {t.place: t for t in judge_view.reading(held.state, JUNE.id, 1)}
    assert {p: (t.speaker, t.status, t.gives_away) for p, t in read.items()} == {
        "1.opening.s0": (named["s0"], "ok", ("s1",)),
        "1.opening.s1": (named["s1"], "ok", ()),
        "1.opening.s2": (named["s2"], "struck", ()),
    }
    assert read["1.opening.s2"].content is None
    assert [judge_view.find(held.state, JUNE.id, place) for place in read] == [*read.values()]


def test_stepping_judges_report_before_reading_the_next_round():
    held = judged()
    assert judge_view.mode_of(held.state, JUNE.id) == "stepped"
    assert judge_view.last_readable(held.state, JUNE.id) == 1
    assert {p[0] for p in judge_view.hidden_from(held.state, JUNE.id)} == {"2"}
    assert judge_view.reading(held.state, JUNE.id, 2) == ()
    held.act(JUNE, belief(1))
    assert judge_view.last_readable(held.state, JUNE.id) == 2
    assert judge_view.hidden_from(held.state, JUNE.id) == frozenset()
    assert judge_view.last_readable(held.state, JOE.id) == 1
    assert judge_view.hidden_from(held.state, FAY.id) == frozenset()


def test_what_is_asked_for_now_and_when_it_is_final():
    held = Played(room_spec((*EVERYBODY, JOE)))
    assert judge_view.round_to_judge(held.state, JUNE.id) is None
    held.go_on()
    held.say()
    assert judge_view.round_to_judge(held.state, JUNE.id) is None
    held.play()
    assert judge_view.round_to_judge(held.state, JUNE.id) == 1
    held.act(JUNE, belief(1))
    assert judge_view.round_to_judge(held.state, JUNE.id) == 1
    held.act(FAY, BeliefsRevealed(round=1))
    assert judge_view.round_to_judge(held.state, JUNE.id) is None
    held.to_the_end()
    assert [judge_view.round_to_judge(held.state, p.id) for p in (JUNE, JOE)] == [2, 2]
    assert [judge_view.is_final(held.state, n) for n in (1, 2)] == [False, True]
    held.act(JUNE, belief(2, final=True, explanation="why"))
    assert judge_view.round_to_judge(held.state, JUNE.id) is None


def test_each_name_is_given_once_and_then_again_with_a_number():
    """An option that is called like one of them keeps it from being given."""
    state = judged().state
    seats = tuple(Seat(id=f"s{n}", occupant="scripted") for n in range(len(judge_view.NAMES) + 1))
    spec = state.spec.model_copy(update={"seats": seats, "options": ("Kite", "defer")})
    given = [*judge_view.aliases(replace(state, spec=spec), JUNE.id).values()]
    free = {f"Speaker {name}" for name in judge_view.NAMES if name != "Kite"}
    assert {*given[: len(free)]} == free
    assert given[len(free) :] == [f"{name} 2" for name in given[:2]]


def test_a_judge_compares_no_turn_that_was_struck():
    held = judged()
    held.act(MO, Struck(turn="1.opening.s0", reason="an insult"))
    seen = set[str]()
    while (pair := judge_view.next_pair(held.state, JUNE.id)) is not None:
        seen |= {*pair}
        held.act(JUNE, Compared(a=pair[0], b=pair[1], winner="a"))
    assert {"1.opening.s1", "1.opening.s2"} <= seen
    assert "1.opening.s0" not in seen


def test_judge_compares_no_turn_without_content():
    """The evidence panel speaks in every round, and has nothing left to quote in the second."""
    held = quoted().act(JOE, PersonJoined(person=JOE)).go_on()
    held.do(TakeTurn(by=FAY.id, request=requests(held.state)[0].id, content=Review()))
    while asked := requests(held.state):
        held.do(TakeTurn(by=asked[0].seat, request=asked[0].id, content=Argument(rationale="No passage is left.")))
    seen = set[str]()
    while (pair := judge_view.next_pair(held.state, JOE.id)) is not None:
        seen |= {*pair}
        held.act(JOE, Compared(a=pair[0], b=pair[1], winner="a"))
    assert seen == {"1.opening.cost", "1.opening.risk"}


@pytest.mark.parametrize(
    ("name", "occupants", "answers"),
    [
        ("expert_panel", ("offline", "offline", "offline"), False),
        ("expert_panel", ("offline", "human", "offline"), True),
        ("self_consistency", ("scripted",) * 5, False),
        ("society", ("scripted",) * 3, True),
    ],
)
def test_rubric_has_the_criteria_that_a_seat_can_meet(name: str, occupants: tuple[Occupant, ...], *, answers: bool):
    seats = [Seat(id=f"s{n}", occupant=occupant) for n, occupant in enumerate(occupants)]
    criteria = criteria_that_apply(compose("Which?", OPTIONS, PROTOCOLS[name], seats))
    assert ("clash" in criteria, "responsiveness" in criteria) == (answers, answers)
    assert {"evidence", "facts", "clarity", "feasibility", "risk"} <= set(criteria)


def test_a_judge_compares_turns_of_different_seats_once():
    held = judged()
    held.act(JUNE, belief(1)).act(JUNE, belief(2, final=True, explanation="why"))
    seen: list[tuple[str, str]] = []
    while (pair := judge_view.next_pair(held.state, JUNE.id)) is not None:
        assert pair == judge_view.next_pair(held.state, JUNE.id)
        seen.append(pair)
        held.act(JUNE, Compared(a=pair[0], b=pair[1], winner="a"))
    places = [turn.place() for turn in held.state.turns]
    seats = {place: place.rpartition(".")[2] for place in places}
    every = {frozenset(two) for two in combinations(places, 2) if seats[two[0]] != seats[two[1]]}
    assert len(seen) == len(every)
    assert {frozenset(pair) for pair in seen} == every
    # Whoever was compared least comes first: twelve turns of four phases are six pairs, four of which are of one phase.
    assert len({place for pair in seen[:4] for place in pair}) == 8
    phases = [{place.rpartition(".")[0] for place in pair} for pair in seen]
    assert [len(two) for two in phases[:4]] == [1] * 4
    # No seat always stands first.
    assert len({seats[first] for first, _ in seen[:6]}) > 1
    # What another judge has compared waits.
    other = judge_view.next_pair(held.act(JOE, belief(1)).state, JOE.id)
    assert other is not None


def test_a_judge_compares_only_readable_arguments():
    live = Played(room_spec((*EVERYBODY, JOE))).go_on()
    assert judge_view.next_pair(live.state, JUNE.id) is None
    for _ in range(2):
        live.do(SkipTurn(by=FAY.id, request=live.asked()[0], reason="nobody sits here"))
    live.say()
    # Of the first phase one turn was given, and what a seat passed over is no argument.
    assert judge_view.next_pair(live.state, JUNE.id) is None


def test_a_turn_that_is_looked_up_is_read_as_everything_else():
    held = judged()
    shown = judge_view.find(held.state, JUNE.id, "1.reply.s1")
    assert (shown.place, shown.phase, shown.status) == ("1.reply.s1", "reply", "ok")
    assert shown.speaker == judge_view.aliases(held.state, JUNE.id)["s1"]


def test_a_round_is_complete_when_the_next_phase_begins():
    spec = room_spec(hold="none")
    closing = Phase(name="closing", order="at_once")
    protocol = spec.protocol.model_copy(update={"after": (closing,)})
    held = Played(spec.model_copy(update={"protocol": protocol}))
    complete = [judge_view.complete_rounds(held.state)]
    held.go_on()
    for _ in range(5):
        complete.append(judge_view.complete_rounds(held.state))
        for _ in range(3):
            held.say()
    assert complete == [0, 0, 0, 1, 1, 2]
    assert (held.state.outcome is not None, judge_view.complete_rounds(held.state)) == (True, 2)


@pytest.mark.parametrize("blind", ["blind", "named"])
def test_ids_of_claims_name_their_seat_in_a_named_room_alone(blind: str):
    seats = tuple(Seat(id=seat, occupant="scripted") for seat in ("cost_hawk", "s1", "s2"))
    held = Played(room_spec(seats=seats, blind=blind)).go_on()
    held.say(Argument(rationale="why", claims=(Claim(text="It pays off."),))).play()
    read = judge_view.find(held.state, JUNE.id, "1.opening.cost_hawk")
    assert isinstance(read.content, Argument)
    (claim,) = read.content.claims
    assert (claim.text, claim.id == "cost_hawk.1.1") == ("It pays off.", blind == "named")
    assert dict(read.numbers) == {claim.id: 1}


def test_in_a_named_room_a_judge_reads_names():
    state = judged(blind="named").state
    assert judge_view.speakers(state, JUNE.id) == {"s0": "s0", "s1": "s1", "s2": "s2"}
    assert {t.speaker for t in judge_view.reading(state, JUNE.id, 1)} == {"s0", "s1", "s2"}


def test_a_judge_who_reported_live_reads_on_at_once():
    held = Played(room_spec((*EVERYBODY, JOE)))
    held.go_on()
    held.play()
    assert judge_view.complete_rounds(held.state) == 1
    held.act(JUNE, belief(1))
    held.to_the_end()
    assert judge_view.complete_rounds(held.state) == 2
    assert (judge_view.mode_of(held.state, JUNE.id), judge_view.mode_of(held.state, JOE.id)) == ("live", "stepped")
    assert judge_view.last_readable(held.state, JUNE.id) == 2


def test_a_judge_after_the_reveal_steps_through_alone():
    held = judged()
    held.act(JUNE, belief(2, final=True, explanation="why"))
    held.act(FAY, BeliefsRevealed(round=2))
    late = Person(id="p-lou", name="Lou", role="judge")
    held.act(late, PersonJoined(person=late))
    # Joe was there and said nothing: the judges were revealed without him.
    assert [judge_view.round_to_judge(held.state, p.id) for p in (JUNE, JOE, late)] == [None, None, 1]
    refused(held, JOE, belief(2, final=True, explanation="why"), "were revealed: reporting is closed")
    assert judge_view.mode_of(held.state, late.id) == "stepped"
    assert (judge_view.last_readable(held.state, late.id), judge_view.reads_blind(held.state, late.id)) == (1, True)
    assert not judge_view.may_see_result(held.state, late.id)
    held.act(late, belief(1))
    assert (judge_view.last_readable(held.state, late.id), judge_view.round_to_judge(held.state, late.id)) == (2, 2)
    held.act(late, Judged(ratings=(Rated(option="adopt", criterion="clarity", score=4),)))
    held.act(late, belief(2, 10, 80, 10, final=True, explanation="a year on"))
    assert judge_view.round_to_judge(held.state, late.id) is None
    assert (sealed(held.state), judge_view.may_see_result(held.state, late.id)) == ((), True)
    assert judge_flags(held.state) == ("Lou judged after the judges had been revealed",)
    assert {r.option: round(r.mean, 2) for r in option_rows(held.state)} == {"adopt": 0.5, "defer": 0.3, "reject": 0.2}
    assert verify(held.events) == ()


def test_late_judges_read_everything_at_once_where_agreed():
    held = Played(room_spec((*EVERYBODY, JOE), afterwards="timed"))
    held.go_on()
    held.play()
    held.act(JUNE, belief(1))
    assert [judge_view.mode_of(held.state, p.id) for p in (JUNE, JOE)] == ["live", "live"]
    held.to_the_end()
    assert [judge_view.mode_of(held.state, p.id) for p in (JUNE, JOE)] == ["live", "timed"]
    assert (judge_view.last_readable(held.state, JOE.id), judge_view.round_to_judge(held.state, JOE.id)) == (2, 2)
    assert judge_view.hidden_from(held.state, JOE.id) == frozenset()
    assert (judge_view.reads_blind(held.state, JOE.id), judge_view.may_see_result(held.state, JOE.id)) == (True, False)
    held.act(JOE, belief(2, final=True, explanation="why", read_s=754))
    held.act(FAY, BeliefsRevealed(round=2))
    told = [(r.mode, r.round, r.seconds_spent) for r in judgement_rows(held.state) if r.option == "adopt"]
    assert told == [("live", 1, None), ("timed", 2, 754)]
    assert parse_record(dump_record(held.events).encode()) == tuple(held.events)


def test_names_return_once_the_judgement_is_given_or_impossible():
    held = judged()
    assert judge_view.reads_blind(held.state, JUNE.id)
    assert not judge_view.reads_blind(held.state, FAY.id)
    held.act(JUNE, belief(2, final=True, explanation="why"))
    assert not judge_view.reads_blind(held.state, JUNE.id)
    assert judge_view.reads_blind(held.state, JOE.id)
    held.act(FAY, BeliefsRevealed(round=2))
    assert not judge_view.reads_blind(held.state, JOE.id)
    assert not judge_view.reads_blind(judged(blind="named").state, JUNE.id)


@pytest.mark.parametrize("occupant", ["scripted", "human"])
def test_a_models_verdict_is_hidden_until_the_judge_has_reported(occupant: str):
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening", order="at_once"),),
        after=(Phase(name="verdict", gives="verdict", role="judge"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    spec = room_spec((FAY, JUNE), rounds=1, seats=[
        *(Seat(id=f"s{i}", occupant="scripted") for i in range(3)),
        Seat.model_validate({"id": "jm", "role": "judge", "occupant": occupant}),
    ])  # fmt: skip
    room = spec.room
    assert room is not None
    if occupant == "human":
        room = room.model_copy(update={"people": (FAY.model_copy(update={"seats": ("jm",)}), JUNE)})
    held = Played(spec.model_copy(update={"protocol": protocol, "room": room}))
    held.go_on()
    for _ in range(3):
        held.say()
    asked = requests(held.state)[0]
    by = "p-fay" if occupant == "human" else "jm"
    hidden = frozenset() if occupant == "human" else frozenset({"1.verdict.jm"})
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == hidden
    held.do(TakeTurn(by=by, request=asked.id, content=Verdict(reasoning="It holds.", option="adopt")))
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == hidden
    assert judge_view.hidden_verdicts(held.state, FAY.id) == frozenset()
    held.act(JUNE, belief(1, final=True, explanation="why"))
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == frozenset()


def test_a_models_comparison_is_hidden_until_the_final_report():
    # A seat compares several pairs in one phase: each of them is a verdict.
    seats = [Seat(id="ana", occupant="scripted"), Seat(id="ben", occupant="scripted")]
    spec = compose("Which?", [f"design {n}" for n in range(8)], PROTOCOLS["tournament"], seats, max_rounds=2)
    held = Played(spec.model_copy(update={"room": Room(people=(FAY, JUNE), hold="none")})).go_on()
    asked = {request.place() for request in held.requests()}
    assert {"1.comparison.ana", "1.comparison.ana~2"} <= asked
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == asked
    while held.state.current_round() == 1:
        held.say(Verdict(reasoning="It holds."))
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == asked | {r.place() for r in held.requests()}


def test_whoever_takes_a_seat_later_has_not_given_its_verdict():
    verdicts = (
        Phase(name="verdict", gives="verdict", role="judge"),
        Phase(name="again", gives="verdict", role="judge"),
    )
    spec = room_spec((FAY, JUNE), rounds=1)
    protocol = spec.protocol.model_copy(update={"after": verdicts})
    seats = (*spec.seats, Seat(id="jm", role="judge", occupant="scripted"))
    held = Played(spec.model_copy(update={"protocol": protocol, "seats": seats}))
    held.go_on()
    while requests(held.state)[0].gives != "verdict":
        held.say()
    given = Verdict(reasoning="It holds.", option="adopt")
    held.do(TakeTurn(by="jm", request=requests(held.state)[0].id, content=given))
    held.act(FAY, SeatTaken(seat="jm", reason="the model is gone"))
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == frozenset({"1.verdict.jm"})
    held.do(TakeTurn(by=FAY.id, request=requests(held.state)[0].id, content=given))
    assert judge_view.hidden_verdicts(held.state, JUNE.id) == frozenset({"1.verdict.jm"})


def test_pairs_differ_by_seat_and_the_least_compared_come_first():
    held = judged(room_spec((*EVERYBODY, JOE), rounds=1))
    seen = []
    while pair := judge_view.next_pair(held.state, JUNE.id):
        assert pair == judge_view.next_pair(held.state, JUNE.id)
        assert pair[0].split(".")[2] != pair[1].split(".")[2]
        seen.append(frozenset(pair))
        held.act(JUNE, Compared(a=pair[0], b=pair[1], winner="tie"))
        times = [sum(p in s for s in seen) for p in {i for s in seen for i in s}]
        assert max(times) - min(times) <= 2
    # Six turns of three seats: fifteen pairs, less the three of one seat.
    assert len(seen) == len(set(seen)) == 12
    assert all(len({p.split(".")[1] for p in s}) == 1 for s in seen[:2])


def test_a_judge_reads_no_count_before_the_final_report():
    held = Played(room_spec())
    held.go_on()
    assert not judge_view.may_see_result(held.state, JUNE.id)
    held.to_the_end()
    assert not judge_view.may_see_result(held.state, JUNE.id)
    assert judge_view.may_see_result(held.state, FAY.id)
    held.act(JUNE, belief(2, 20, 30, 50, final=True, explanation="no one answered the cost"))
    assert judge_view.may_see_result(held.state, JUNE.id)
