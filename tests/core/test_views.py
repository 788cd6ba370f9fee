"""Views of a seat: its turns and their names, the directive, its last fault, and what a phase hides from it."""

import json
from dataclasses import replace as changed
from typing import get_args

import pytest

from debate_core.engine import engine
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View, spec_read_by, view
from debate_core.errors import InvalidSpec
from debate_core.report.facts.account import Reader, account
from debate_core.report.facts.turns import readable_claims
from debate_core.seats.prompts import prompt_for
from debate_core.spec.contents import Argument, Claim, Directive, Evaluation, Framing, Synthesis
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase, Sees
from debate_core.spec.rules import BySeat, MaxRounds, Plurality, Unanimity
from debate_core.spec.values import Occupant
from debate_core.ui.kit.protocol_words import phases_of
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.visibility import sight_of, veil
from tests.by_hand import ASSESS, GATE, LEAD, OPEN, TALK, small, small_spec
from tests.people import EVERYBODY, FAY, GUS, MO, OLA, room_spec
from tests.playing import AT, Played
from tests.prompt_views import whole

FOUR = ("s0", "s1", "s2", "s3")


def _seen(played: Played, seat: str) -> View:
    request = next(r for r in engine.requests(played.state) if r.seat == seat)
    return view(played.state, request)


def _turns(seen: View) -> str:
    """`1.open.s0 1.open.s1`, if the phase shows ids."""
    return " ".join(f"{t.round}.{t.phase}.{t.speaker}" for t in seen.turns)


IN_TURN = {
    "all": "1.open.s0 1.open.s1 1.open.s2 1.open.s3 1.talk.s0 1.talk.s1 2.open.s0 2.open.s1 2.open.s2 2.open.s3"
    " 2.talk.s0",
    "earlier_phases": "1.open.s0 1.open.s1 1.open.s2 1.open.s3 1.talk.s0 1.talk.s1 2.open.s0 2.open.s1 2.open.s2"
    " 2.open.s3",
    "earlier_rounds": "1.open.s0 1.open.s1 1.open.s2 1.open.s3 1.talk.s0 1.talk.s1",
    "last_round": "1.open.s0 1.open.s1 1.open.s2 1.open.s3 1.talk.s0 1.talk.s1 2.open.s1",
    "neighbours": "1.open.s1 1.talk.s1 2.open.s1 2.open.s2 2.talk.s0",
    "previous": "1.open.s1 1.talk.s1 2.open.s1 2.talk.s0",
    "own": "1.open.s1 1.talk.s1 2.open.s1",
}


def test_every_way_to_see_has_a_case() -> None:
    assert set(IN_TURN) == set(get_args(Sees.model_fields["turns"].annotation))


@pytest.mark.parametrize("turns", IN_TURN)
def test_what_the_second_seat_sees_in_the_second_round(turns) -> None:
    # R025, R028
    talk = Phase(name="talk", sees=Sees(turns=turns, names="seat"), places=(1, 2))
    played = small(OPEN, talk, n=4, rounds=2, decide=Unanimity())
    for _ in range(3):
        held = played.state.open
        assert held is not None
        played.vote(dict.fromkeys(held.speakers))
    played.say(Argument(rationale="first"))
    assert _turns(_seen(played, "s1")) == IN_TURN[turns]


@pytest.mark.parametrize("turns", IN_TURN)
def test_nobody_sees_a_turn_of_its_own_at_once_phase(turns) -> None:
    # R025
    talk = Phase(name="talk", order="at_once", sees=Sees(turns=turns, names="seat"))
    played = small(talk, n=4, rounds=2, decide=Unanimity())
    before = {seat: _seen(played, seat) for seat in FOUR}
    played.say(Argument(rationale="first", vote="a"))
    assert {seat: _seen(played, seat) for seat in FOUR[1:]} == {seat: before[seat] for seat in FOUR[1:]}
    assert all(seen.turns == () for seen in before.values())


def test_neighbours_form_a_ring_and_their_latest_turns_count() -> None:
    talk = Phase(name="talk", order="at_once", sees=Sees(turns="neighbours", names="seat"))
    played = small(talk, n=4, rounds=4, decide=Unanimity())
    played.vote(dict.fromkeys(FOUR))
    played.vote(dict.fromkeys(("s0", "s1", "s2")))
    assert _turns(_seen(played, "s0")) == "1.talk.s0 1.talk.s3 2.talk.s0 2.talk.s1"
    assert _turns(_seen(played, "s2")) == "1.talk.s2 1.talk.s3 2.talk.s1 2.talk.s2"


def test_a_directive_is_visible_to_all_in_its_round_only() -> None:
    # R092
    played = small(LEAD, TALK, ASSESS, rounds=2, decide=Unanimity())
    given = Directive(reason="Why.", next_speakers=("s1", "s0"), briefing="It costs 4 000.", new_angle="Risk?")
    played.say(given)
    read = given.model_copy(update={"next_speakers": ("seat_b", "seat_a")})
    assert _seen(played, "s1").directive == read
    played.vote({"s1": "a", "s0": "b"})
    assert _seen(played, "evaluator").directive == read
    played.say(Evaluation(synthesis="So far."))
    assert _seen(played, "moderator").directive is None


@pytest.mark.parametrize(
    ("talk", "times"),
    [(TALK, 3), (TALK.model_copy(update={"order": "at_once"}), 1), (TALK.model_copy(update={"directed": False}), 1)],
)
def test_a_debater_may_be_named_again_in_directed_serial_phases(talk: Phase, times: int) -> None:
    # R097
    played = small(LEAD, talk, rounds=1, decide=Unanimity())
    assert _seen(played, "moderator").turns_of_one == times


def test_proposed_options_are_read_as_the_seat_saw_them() -> None:
    proposing = Phase(name="propose", gives="candidates")
    fixed, open_ = (small_spec(phase, rounds=1, decide=Unanimity()) for phase in (OPEN, proposing))
    seen = changed(_seen(Played(fixed), "s0"), options=("a", "new"))
    assert spec_read_by(seen, fixed).options == ("a", "b", "c")
    assert spec_read_by(seen, open_).options == ("a", "new")


def test_the_chair_sees_the_directive_that_it_may_replace() -> None:
    played = small(LEAD, GATE, TALK, decide=Unanimity())
    given = Directive(reason="Why.", next_speakers=("s1",))
    played.say(given)
    seen = _seen(played, "chair")
    assert (seen.directive, seen.speakers) == (given, ("s0", "s1", "s2"))


def test_only_seats_that_name_debaters_read_their_names() -> None:
    # R105, R221
    framing = Phase(name="framing", gives="framing", role="framer")
    played = small(OPEN, ASSESS, before=(framing,), rounds=1, decide=Unanimity())
    assert (_seen(played, "framer").speakers, _seen(played, "framer").ballot_options) == ((), ())
    played.say(Framing(thesis="It pays."))
    assert (_seen(played, "s0").speakers, _seen(played, "s0").ballot_options) == ((), ("a", "b", "c", "abstain"))
    played.vote({"s0": "a", "s1": "b"})
    rated = ("seat_a", "seat_b", "seat_c")
    assert (_seen(played, "evaluator").speakers, _seen(played, "evaluator").ballot_options) == (rated, ())


def test_whoever_moderates_knows_who_argues_what() -> None:
    # R094: names, sides and lenses for the moderator and the chair, and for nobody else
    spec = small_spec(LEAD, GATE, TALK, ASSESS, decide=Unanimity())
    sides = {"s0": ("for a", "cost"), "s1": ("", "risk"), "s2": ("for b", "")}
    seats = []
    for seat in spec.seats:
        stance, persona = sides.get(seat.id, ("", ""))
        seats.append(seat.model_copy(update={"stance": stance, "persona": persona}))
    played = Played(spec.model_copy(update={"seats": tuple(seats)}))
    seen = _seen(played, "moderator")
    assert [(s.id, s.stance, s.persona) for s in seen.directory] == [(i, *words) for i, words in sides.items()]
    tail = prompt_for(seen).tail
    assert "s0: defends for a; looks at: cost\ns1: has no side of its own; looks at: risk\ns2: defends for b" in tail
    played.say(Directive(reason="Why.", next_speakers=("s1", "s0")))
    assert _seen(played, "chair").directory == seen.directory
    assert _seen(played, "chair").turns[0].speaker == "moderator"
    played.say(Directive(reason="Mine.", next_speakers=("s1",)))
    assert _seen(played, "s1").directory == ()
    played.say("a")
    assert _seen(played, "evaluator").directory == ()
    assert "# Who argues" not in prompt_for(_seen(played, "evaluator")).tail


def test_no_ballot_is_asked_where_a_seat_decides() -> None:
    verdict = Phase(name="verdict", gives="verdict", role="judge")
    played = small(OPEN, verdict, decide=BySeat(role="judge"), stop=(MaxRounds(),))
    assert _seen(played, "s0").ballot_options == ()


@pytest.mark.parametrize(
    ("error", "quoted"), [("unparseable", "why"), ("weak", "why"), ("timeout", ""), ("failed", ""), ("cut", "")]
)
def test_the_cause_of_a_failed_attempt_is_given_if_fixable(error, quoted: str) -> None:
    # R238
    played = small(OPEN, decide=Unanimity())
    played.fail(error, "why")
    assert (_seen(played, "s0").failed_before, _seen(played, "s1").failed_before) == (quoted, "")


def test_pending_answers_are_counted_for_permitted_readers() -> None:
    def votes(played: Played) -> list[tuple[int, ...]]:
        told = (account(played.state, reader=Reader(sees_counts_of_open_phases=sees)) for sees in (True, False))
        return [tuple(sum(b.choice == vote for b in t.state.ballots.values()) for vote in "ab") for t in told]

    at_once = small(OPEN, n=3, rounds=2, decide=Unanimity()).say("a")
    assert votes(at_once) == [(1, 0), (0, 0)]
    at_once.say("a").say("b")
    assert votes(at_once) == [(2, 1), (2, 1)]
    at_once.say("b")
    assert votes(at_once) == [(1, 2), (2, 1)]
    in_turn = small(TALK.model_copy(update={"directed": False}), n=3, rounds=1, decide=Unanimity()).say("a")
    assert votes(in_turn) == [(1, 0), (1, 0)]
    ended = small(OPEN, n=3, rounds=1, decide=Unanimity()).play("a")
    assert votes(ended) == [(3, 0), (3, 0)]


def test_each_seat_reads_a_phase_in_an_order_of_its_own() -> None:
    mixed = Phase(name="talk", order="at_once", sees=Sees(names="seat", shuffle=True))
    played = small(OPEN, mixed, n=4, rounds=1, decide=Unanimity())
    played.vote(dict.fromkeys(FOUR))
    orders = [_turns(_seen(played, seat)) for seat in FOUR]
    assert len(set(orders)) == len(FOUR)
    assert {" ".join(sorted(order.split())) for order in orders} == {"1.open.s0 1.open.s1 1.open.s2 1.open.s3"}


def test_a_claim_has_one_number_in_any_order_and_naming() -> None:
    mixed = Phase(name="talk", order="at_once", sees=Sees(names="stance", shuffle=True))
    played = small(OPEN, mixed, n=4, rounds=1, decide=Unanimity())
    played.vote(dict.fromkeys(FOUR), claims={seat: f"Text of {seat}." for seat in FOUR})
    by_text = {claim.text: played.state.claim_numbers()[i] for i, claim in played.state.claims.items()}
    for seat in FOUR:
        seen = _seen(played, seat)
        assert not seen.claims.keys() & played.state.claims.keys()
        assert {claim.text: seen.numbers[i] for i, claim in seen.claims.items()} == by_text


def test_a_state_is_told_in_few_words() -> None:
    # asyncio spells out the result of a task that is over, at the end of every run.
    state = small(OPEN, n=3, rounds=1, decide=Unanimity()).play("a").state
    assert repr(state) == f"<State of {state.debate} at event {state.version}>"


ASIDE = Phase(name="aside", history=False)
SUM_UP = Phase(name="sum_up", gives="synthesis", role="synthesiser")
SECRET = "The vendor was seen at the port."


def said(text: str) -> Argument:
    return Argument(rationale=text, claims=(Claim(text=text),))


def prompt_now(played: Played) -> str:
    return whole(prompt_for(view(played.state, played.requests()[0])))


def aside(occupant: Occupant = "model") -> Played:
    spec = small_spec(ASIDE, SUM_UP, n=2, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
    seats = [seat.model_copy(update={"occupant": occupant}) for seat in spec.seats]
    return Played(spec.model_copy(update={"seats": tuple(seats)}))


def test_later_prompts_leave_out_a_phase_without_history() -> None:
    # R124
    played = aside().say(said(SECRET))
    assert SECRET in prompt_now(played), "the next speaker of the phase reads it"
    played.say(said("I saw nothing."))
    assert played.asked() == ["1.sum_up.synthesiser.1"]
    assert SECRET not in prompt_now(played)
    played.say(Synthesis(answer="So far."))
    assert played.asked() == ["2.aside.s0.1"]
    assert SECRET not in prompt_now(played)
    assert "So far." in prompt_now(played)


def test_people_still_read_a_phase_without_history() -> None:
    played = aside("human").say(said(SECRET)).say(said("I saw nothing."))
    texts = [turn.content.words for turn in view(played.state, played.requests()[0]).turns]
    assert any(SECRET in text for text in texts)


@pytest.mark.parametrize("phase", [LEAD, Phase(name="marks", gives="review", role="chair")])
def test_a_phase_that_steers_stays_in_the_history(phase: Phase) -> None:
    spec = small_spec(phase.model_copy(update={"history": False}), Phase(name="open"), decide=Plurality())
    with pytest.raises(InvalidSpec, match=f"phase '{phase.name}' gives {phase.gives}, which later turns rest on"):
        open_debate(spec, debate_id="d1", at=AT)


def live_room(live_for: tuple[str, ...]) -> Played:
    spec = room_spec(EVERYBODY)
    rounds = (Phase.model_validate({"name": "opening", "live_for": live_for}), Phase(name="closing"))
    protocol = spec.protocol.model_copy(update={"each_round": rounds})
    held = Played(spec.model_copy(update={"protocol": protocol}))
    return held.go_on().say(said(SECRET))


def page_of(played: Played, viewer: Person | None) -> str:
    sight = sight_of(played.state, viewer)
    partials = {request.id: "Half a secret" for request in played.requests()}
    return json.dumps(veil(picture(played.state, partials, sight.holds), sight, {})[0])


def test_only_the_named_roles_read_a_phase_live() -> None:
    # R124
    played = live_room(("facilitator",))
    for text in (SECRET, "Half a secret"):
        assert text in page_of(played, FAY)
        assert [viewer for viewer in (MO, GUS, OLA, None) if text in page_of(played, viewer)] == []
    assert readable_claims(played.state) == ()


def test_everybody_reads_it_after_the_phase() -> None:
    played = live_room(())
    assert SECRET not in page_of(played, FAY)
    while played.requests()[0].phase == "opening":
        played.say(said("I saw nothing."))
    for viewer in (FAY, MO, GUS, OLA, None):
        assert SECRET in page_of(played, viewer)
    assert len(readable_claims(played.state)) > 0


def test_the_protocol_page_names_both_fields() -> None:
    phase = Phase(name="open", live_for=("facilitator", "moderator"), history=False)
    rules = small_spec(phase, Phase(name="shut", live_for=()), decide=Plurality()).protocol
    notes = [row.notes for row in phases_of(rules)]
    assert notes == [
        ("read live by facilitator and moderator only", "left out of later prompts"),
        ("read live by no one only",),
    ]
