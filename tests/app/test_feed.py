"""What one viewer's transcript shows: nothing twice, nothing lost, and nothing an open phase still hides."""

from collections.abc import Sequence
from datetime import UTC, datetime

from debate_core.commands import AnyCommand, FailTurn, Pause, StartAttempt, Stop, TakeTurn
from debate_core.engine import open_debate, submit
from debate_core.events import Partial
from debate_core.model import Argument, Claim, Seat, Source
from debate_core.presets import compose, protocol
from debate_core.state import State, apply, replay
from debate_core.ui.live.feed import changes, news, picture
from debate_core.ui.live.shapes import Picture

AT = datetime(2026, 1, 1, tzinfo=UTC)
SEATS = [
    Seat(id="ana", occupant="human", stance="migrate"),
    Seat(id="ben", occupant="scripted", stance="stay where we are"),
    Seat(id="cyd", occupant="offline"),
]
SOURCE = Source(id="E1", title="Load test", text="The primary handles nine thousand writes per second at peak load.")


def opened(name: str = "bounded_vote", seats: Sequence[Seat] = SEATS) -> State:
    spec = compose(
        "Which store?",
        ["migrate", "stay"],
        protocol(name),
        seats if name != "deliberation" else [*seats, Seat(id="syn", role="synthesiser", occupant="human")],
        sources=[SOURCE],
    )
    return replay(open_debate(spec, debate_id="d", at=AT))


def after(state: State, *commands: AnyCommand) -> State:
    for command in commands:
        for event in submit(state, command, at=AT):
            state = apply(state, event)
    return state


def turn(seat: str, phase: str = "proposal", vote: str | None = "stay", **fields: object) -> TakeTurn:
    content = Argument.model_validate({"rationale": f"{seat} says so", "vote": vote, **fields})
    return TakeTurn(by=seat, request=f"1.{phase}.{seat}.1", content=content)


def shown(seen: Picture) -> dict[str, tuple[str, str]]:
    return {i["id"]: (i["state"], i["text"]) for i in seen["items"]}


def test_who_has_answered_already_sees_the_others_and_their_live_text():
    state = after(opened(), turn("ana"), StartAttempt(by="ben", request="1.proposal.ben.1"))
    seen = picture(state, {"1.proposal.ben.1": "So far"}, ["ana"])
    assert shown(seen) == {
        "1.proposal.ana": ("given", "ana says so"),
        "1.proposal.ben": ("answering", "So far"),
        "1.proposal.cyd": ("waiting", ""),
    }


def test_who_still_has_to_answer_at_once_sees_only_who_has_answered():
    state = after(opened(), turn("ben"), StartAttempt(by="cyd", request="1.proposal.cyd.1"))
    seen = picture(state, {"1.proposal.cyd.1": "secret"}, ["ana"])
    assert shown(seen) == {
        "1.proposal.ana": ("asked", ""),
        "1.proposal.ben": ("hidden", ""),
        "1.proposal.cyd": ("answering", ""),
    }
    assert all("vote" not in i for i in seen["items"])
    assert [i["name"] for i in seen["items"]] == ["ana", "stay where we are", "side C"], "own name, else stance tags"
    assert shown(picture(state, {"1.proposal.cyd.1": "open"}, []))["1.proposal.cyd"] == ("answering", "open")


def test_a_given_turn_shows_its_side_claims_quotes_and_ballot():
    claims = [
        Claim(text="It holds the load", source_id="E1", quote="nine thousand writes per second"),
        Claim(text="As I said", answers=("ben.1.1",)),
    ]
    state = after(opened(), turn("ana", vote="migrate", confidence=70, claims=[c.model_dump() for c in claims]))
    item = picture(state, {}, [])["items"][0]
    assert item["colour"] == "blue"
    assert item["stance"] == "migrate"
    assert item["vote"] == {"text": "migrate", "colour": "blue", "counts": True}
    assert item["confidence"] == 70
    assert item["answers"] == "answers ben.1.1"
    assert item["rows"] == [
        {
            "id": "ana.1.1",
            "text": "It holds the load",
            "quote": "nine thousand writes per second",
            "verdict": "verbatim",
            "links": "E1",
        },
        {"id": "ana.1.2", "text": "As I said"},
    ]


def test_only_what_is_new_is_sent():
    state = after(opened(), StartAttempt(by="ben", request="1.proposal.ben.1"))
    first = picture(state, {"1.proposal.ben.1": "The primary"}, [])
    second = picture(state, {"1.proposal.ben.1": "The primary is fine"}, [])
    assert changes(first, second) == [("text", ["1.proposal.ben", 11, " is fine"])]
    assert changes(second, second) == []
    given = picture(after(state, turn("ben")), {}, [], {i["id"]: i for i in second["items"]})
    found = changes(second, given)
    kinds = [(kind, value["id"]) for kind, value in found if kind == "item" and isinstance(value, dict)]
    assert kinds == [("item", "1.proposal.ben")]


def test_an_ended_phase_shows_its_tally_and_keeps_every_turn_once():
    state = after(opened(), turn("ana"), turn("ben"), turn("cyd", vote="migrate"))
    seen = picture(state, {}, [])
    assert [(g["title"], g["open"]) for g in seen["groups"]] == [("Round 1 · Proposal", False)]
    assert seen["groups"][0]["tally"] == "stay 2 · migrate 1 (3 of 3 cast, 2 needed)"
    assert [i["id"] for i in seen["items"]] == ["1.proposal.ana", "1.proposal.ben", "1.proposal.cyd"]
    assert seen["meta"]["status"] == "over"
    why = "2 of 3 debaters, 2 needed → decided by threshold_vote after round 1, proposal."
    assert seen["meta"]["closing"] == f"Decided: stay. {why}"


def test_a_failed_turn_says_what_became_of_it_and_a_stop_keeps_what_was_being_said():
    failed = [FailTurn(by="ben", request=f"1.proposal.ben.{n}", error="timeout", partial="Half") for n in (1, 2)]
    state = after(opened(), *failed, StartAttempt(by="cyd", request="1.proposal.cyd.1"))
    assert shown(picture(state, {}, []))["1.proposal.ben"] == ("timeout", "Half")
    stopped = after(
        state, Stop(by="facilitator", reason="no time", partials=(Partial(request="1.proposal.cyd.1", text="I was"),))
    )
    seen = picture(stopped, {}, [])
    assert shown(seen) == {"1.proposal.ben": ("timeout", "Half"), "1.proposal.cyd": ("cut", "I was")}
    assert seen["meta"]["closing"] == "Stopped by hand. The reason given: no time. Nothing was decided."
    assert ("gone", "1.proposal.ana") in changes(picture(state, {}, []), seen)


def test_the_notice_says_what_the_seats_are_not():
    assert picture(opened(), {}, [])["meta"]["notice"].startswith("Rehearsal: scripted turns")
    people = [s.model_copy(update={"occupant": "human"}) if s.id == "ben" else s for s in SEATS]
    assert picture(opened(seats=people), {}, [])["meta"]["notice"] == "Evidence panel: no model, quotes only"


def test_the_panel_is_told_of_turns_and_pauses_but_not_of_attempts():
    state = opened()
    started = after(state, StartAttempt(by="ben", request="1.proposal.ben.1"))
    assert news(state) == news(started)
    assert len({news(state), news(after(state, turn("ben"))), news(after(state, Pause(by="f", reason="tea")))}) == 3
