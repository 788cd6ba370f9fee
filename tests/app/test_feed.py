"""Transcript of one viewer, alone and in a room: nothing doubled, nothing lost, nothing that an open phase hides."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.util import module_from_spec, spec_from_file_location
from typing import cast

from debate_core.engine import stage
from debate_core.engine.engine import open_debate, submit
from debate_core.record import acts
from debate_core.record.commands import AnyCommand, FailTurn, Pause, StartAttempt, Stop, TakeTurn
from debate_core.record.events import Partial
from debate_core.record.fold import apply, replay
from debate_core.record.state import State
from debate_core.report.facts.health import flags
from debate_core.spec.contents import Argument, Claim, LeftOut, Review
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import ABSTAIN, Seat, Source, Usage
from debate_core.ui.kit.badges import status_of
from debate_core.ui.room.live import transcript
from debate_core.ui.room.live.transcript import changes, news, picture, polled
from debate_core.ui.room.live.wire_types import Item, Picture
from tests.people import ANN, BEN, FAY, GUS, MO, room_spec
from tests.playing import Played, filled

AT = datetime(2026, 1, 1, tzinfo=UTC)
SEATS = [
    Seat(id="ana", occupant="human", stance="migrate"),
    Seat(id="ben", occupant="scripted", stance="stay where we are"),
    Seat(id="cyd", occupant="offline"),
]
SOURCE = Source(
    id="E1",
    title="Load test",
    text="# Load test\n\n## Results\n\nThe primary handles nine thousand writes per second at peak load.",
)


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


def test_an_early_respondent_sees_the_others_and_live_text():
    # R006: grouped by round
    state = after(opened(), turn("ana"), StartAttempt(by="ben", request="1.proposal.ben.1"))
    seen = picture(state, {"1.proposal.ben.1": "So far"}, ["ana"])
    assert shown(seen) == {
        "1.proposal.ana": ("given", "ana says so"),
        "1.proposal.ben": ("answering", "So far"),
        "1.proposal.cyd": ("waiting", ""),
    }
    assert [(group["title"], group["open"]) for group in seen["groups"]] == [("Round 1 · Proposal", True)]


def test_a_pending_respondent_sees_only_who_has_answered():
    state = after(opened(), turn("ben"), StartAttempt(by="cyd", request="1.proposal.cyd.1"))
    seen = picture(state, {"1.proposal.cyd.1": "secret"}, ["ana"])
    assert shown(seen) == {
        "1.proposal.seat_a": ("asked", ""),
        "1.proposal.seat_b": ("hidden", ""),
        "1.proposal.seat_c": ("answering", ""),
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
    # A debater's own confidence sways readers, so only the table has it.
    assert "confidence" not in item
    assert item["answers"] == "answers ben.1.1"
    assert item["rows"] == [
        {
            "id": "ana.1.1",
            "number": 1,
            "text": "It holds the load",
            "quote": "nine thousand writes per second",
            "verdict": "verbatim",
            "verdict_colour": "green",
            "links": "Load test, under “Results”",
        },
        {"id": "ana.1.2", "number": 2, "text": "As I said"},
    ]


def test_the_evidence_panel_waits_for_possible_marks():
    seats = [Seat(id="cost_analyst", occupant="offline"), Seat(id="risk_manager", occupant="offline")]
    seats.append(Seat(id="chair", role="chair", occupant="human"))
    spec = compose("Which store?", ["migrate", "stay"], protocol("expert_panel"), seats, sources=[SOURCE], max_rounds=2)
    held = asyncio.run(filled(spec))
    held.do(TakeTurn(by="chair", request=held.requests()[0].id, content=Review()))
    critique = held.requests()[0]
    held.do(TakeTurn(by=critique.seat, request=critique.id, content=Argument(rationale="Level.", vote=ABSTAIN)))
    told = [item["vote"]["text"] for item in picture(held.state, {}, [])["items"] if "vote" in item]
    # The risk manager has no passage: no mark can give it a vote.
    assert [len(taken.claims) for taken in held.state.turns if taken.phase == "opening"] == [1, 0]
    assert told == ["waits for marks", "abstains", "abstains"]
    while asked := held.requests():
        held.do(FailTurn(by=asked[0].seat, request=asked[0].id, error="failed", message="gone", permanent=True))
    told = [item["vote"]["text"] for item in picture(held.state, {}, [])["items"] if "vote" in item]
    assert told == ["abstains", "abstains", "abstains"]


def test_only_what_is_new_is_sent():
    state = after(opened(), StartAttempt(by="ben", request="1.proposal.ben.1"))
    first = picture(state, {"1.proposal.ben.1": "The primary"}, [])
    second = picture(state, {"1.proposal.ben.1": "The primary is fine"}, [])
    assert changes(first, second) == [("text", ["1.proposal.ben", 11, " is fine"])]
    assert changes(second, second) == []
    # A browser counts an emoji twice, and asks for a whole new picture where it has another length.
    smiled = [picture(state, {"1.proposal.ben.1": words}, []) for words in ("Yes 🎉", "Yes 🎉, ja")]
    assert changes(*smiled) == [("text", ["1.proposal.ben", 6, ", ja"])]
    given = picture(after(state, turn("ben")), {}, [], second)
    found = changes(second, given)
    kinds = [(kind, value["id"]) for kind, value in found if kind == "item" and isinstance(value, dict)]
    assert kinds == [("item", "1.proposal.ben")]


def test_an_ended_phase_shows_its_tally_and_each_turn_once():
    state = after(opened(), turn("ana"), turn("ben"), turn("cyd", vote="migrate"))
    seen = picture(state, {}, [])
    assert [(g["title"], g["open"]) for g in seen["groups"]] == [("Round 1 · Proposal", False)]
    assert seen["groups"][0]["tally"] == "stay 2 · migrate 1 (3 of 3 cast, 2 needed)"
    assert [i["id"] for i in seen["items"]] == ["1.proposal.ana", "1.proposal.ben", "1.proposal.cyd"]
    assert seen["meta"]["status"] == "over"
    why = "2 of 3 seats, 2 needed → decided by threshold vote after round 1, proposal."
    assert seen["meta"]["closing"] == f"Decided: stay. {why}"


def test_a_failed_turn_gives_its_cause_and_a_stop_keeps_its_text():
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


def test_the_panel_reports_turns_and_pauses_but_no_attempts():
    state = opened()
    started = after(state, StartAttempt(by="ben", request="1.proposal.ben.1"))
    assert news(state) == news(started)
    assert len({news(state), news(after(state, turn("ben"))), news(after(state, Pause(by="f", reason="tea")))}) == 3


LINE = ModelLine(id="sonnet", model="claude-sonnet-5-5", provider="anthropic", family="Anthropic", dialect="messages")
MODELS = [Seat(id="mia", occupant="model", model="sonnet", stance="migrate"), Seat(id="ana", occupant="human")]
ASKED = "1.proposal.mia.1"


def with_models(*commands: AnyCommand, name: str = "bounded_vote") -> State:
    spec = compose("Which store?", ["migrate", "stay"], protocol(name), MODELS)
    spec = spec.model_copy(update={"models": (LINE,)})
    return after(replay(open_debate(spec, debate_id="d", at=AT)), *commands)


def item_of(state: State, holds: Sequence[str] = (), **heard: str) -> Item:
    seen = picture(state, {ASKED: heard.get("text", "")}, holds, thinking={ASKED: heard.get("thinking", "")})
    return next(i for i in seen["items"] if i["id"] in ("1.proposal.mia", "1.proposal.seat_a"))


def test_a_model_shows_its_name_and_thinking_until_it_speaks():
    state = with_models(StartAttempt(by="mia", request=ASKED))
    item = item_of(state, thinking="x" * 300 + " so then")
    assert (item["badge"], item["state"], item["text"]) == ("claude-sonnet-5-5 · Anthropic", "thinking", "")
    assert item["thinking"] == f"… {'x' * 192} so then"
    speaking = item_of(state, thinking="x", text="I say")
    assert (speaking["state"], speaking["text"]) == ("answering", "I say")
    assert "thinking" not in speaking


def test_a_hidden_turn_hides_its_thinking_and_failures():
    failed = FailTurn(by="mia", request=ASKED, error="unparseable", message="its vote 'stay' ...")
    item = item_of(with_models(StartAttempt(by="mia", request=ASKED)), ["ana"], thinking="I will vote stay")
    assert (item["state"], item["name"], item["badge"]) == ("answering", "migrate", "")
    assert "thinking" not in item
    assert not {"before", "note", "text"} & {
        name for name, value in item_of(with_models(failed), ["ana"]).items() if value
    }


def test_a_second_attempt_gives_its_cause_and_its_time():
    failed = FailTurn(by="mia", request=ASKED, error="failed", message="overloaded (529)", retry_after_ms=11_200)
    waiting = item_of(with_models(StartAttempt(by="mia", request=ASKED), failed))
    assert (waiting["state"], waiting["tried"]) == ("again", "try 2 of 2: the call failed")
    assert waiting["before"] == "attempt 1 failed: overloaded (529)"
    again = StartAttempt(by="mia", request="1.proposal.mia.2")
    asked = item_of(with_models(StartAttempt(by="mia", request=ASKED), failed, again))
    assert (asked["state"], asked["before"]) == ("answering", "attempt 1 failed: overloaded (529)")
    content = Argument(rationale="Because", vote="stay")
    usage = Usage(calls=1, input_tokens=9, output_tokens=2, model="claude-sonnet-5-5-20261001")
    taken = TakeTurn(by="mia", request="1.proposal.mia.2", content=content, usage=usage)
    given = item_of(with_models(failed, taken))
    assert (given["state"], given["tried"], given["before"]) == (
        "given",
        "asked 2 times",
        "attempt 1 failed: overloaded (529)",
    )
    assert given["badge"] == "claude-sonnet-5-5-20261001 · Anthropic"


def test_a_lasting_failure_and_a_takeover_are_explained():
    failed = FailTurn(by="mia", request=ASKED, error="failed", message="the key was rejected (401)", permanent=True)
    item = item_of(with_models(failed))
    assert (item["state"], item["note"]) == ("failed", "the key was rejected (401)")
    assert "tried" not in item
    content = Argument(rationale="Because", vote="stay")
    stood_in = item_of(with_models(TakeTurn(by="Vera", request=ASKED, content=content)))
    assert (stood_in["state"], stood_in["badge"], stood_in["note"]) == ("given", "person", "by Vera")


def test_what_of_a_reply_could_not_be_read_is_said_on_the_turn():
    content = Argument(rationale="Because", vote="stay")
    left_out = (LeftOut(field="confidence", raw='"high"'),)
    item = item_of(with_models(TakeTurn(by="mia", request=ASKED, content=content, left_out=left_out)))
    assert item["facts"] == ['left out as unreadable: confidence "high"']
    assert item["vote"]["text"] == "stay"


def test_an_ended_turn_is_no_longer_marked_for_another_attempt():
    """Turns of an ended phase are drawn once: an item drawn before the end must not replace them."""

    def failed(attempt: int) -> FailTurn:
        return FailTurn(by="ben", request=f"1.proposal.ben.{attempt}", error="cut", message="no connection")

    state = after(opened(), turn("ana"), turn("cyd"), failed(1))
    waiting = picture(state, {}, [])
    assert shown(waiting)["1.proposal.ben"] == ("again", "")
    ended = after(state, failed(2))
    seen = picture(ended, {}, [], before=waiting)
    assert ended.open is None
    assert shown(seen)["1.proposal.ben"] == ("cut", "")


def test_code_that_drafts_the_end_makes_no_evidence_panel():
    people = [s.model_copy(update={"occupant": "human"}) for s in SEATS]
    syn = Seat(id="syn", role="synthesiser", occupant="offline")
    state = replay(
        open_debate(
            compose("Which store?", ["migrate", "stay"], protocol("expert_panel"), [*people, syn]), debate_id="d", at=AT
        )
    )
    assert picture(state, {}, [])["meta"]["notice"] == ""
    assert "no_model" not in flags(state)
    models = [s.model_copy(update={"occupant": "model"}) if s.id == "ben" else s for s in SEATS]
    assert picture(opened(seats=models), {}, [])["meta"]["notice"] == "Evidence panel (cyd): no model, quotes only"


def test_a_message_to_all_seats_has_the_moderators_name():
    held = Played(room_spec())
    held.go_on()
    held.say()
    before = picture(held.state, {}, ())
    held.act(MO, acts.Intervened(kind="question", text="What does it <b>cost</b>?"))
    new = [cast("Item", value) for kind, value in changes(before, picture(held.state, {}, ())) if kind == "item"]
    assert [(i["name"], i["badge"], i["text"], i["seat"]) for i in new] == [
        ("Mo, moderator, to all seats", "question", "What does it <b>cost</b>?", "")
    ]
    assert new[0]["phase"] == "1.opening"
    held.play()
    ids = [i["id"] for i in picture(held.state, {}, ())["items"]]
    assert ids.count(new[0]["id"]) == 1


def test_a_struck_turn_leaves_a_placeholder_with_vote_and_reason():
    held = Played(room_spec())
    held.go_on()
    held.say(Argument(rationale="UNFOUNDED", vote="adopt", claims=(Claim(text="UNFOUNDED"),)))
    for _ in range(2):
        held.say()
    before = picture(held.state, {}, ())
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="it insults"))
    item = picture(held.state, {}, (), before)["items"][0]
    assert (item["state"], item["text"], item["note"], item.get("rows")) == ("struck", "", "it insults", None)
    assert item["vote"]["text"] == "adopt"
    assert "UNFOUNDED" not in str(picture(held.state, {}, ()))


def _closing(played: Played) -> str:
    return picture(played.state, {}, ())["meta"]["closing"]


def test_an_agreed_wait_is_named_and_a_taken_seat_waits():
    held = Played(room_spec())
    assert status_of(held.state) == "lobby"
    assert _closing(held) == ""
    held.act(FAY, acts.PollOpened(poll="pre"))
    assert status_of(held.state) == "prevote"
    assert _closing(held) == "The pre-vote is open; its ballots stay sealed until the reveal."
    held.act(FAY, acts.PollClosed(poll="pre"))
    assert status_of(held.state) == "lobby"
    assert _closing(held) == "The pre-vote is closed: the facilitator begins."
    held.go_on()
    assert status_of(held.state) == "running"
    for seat in ("s0", "s1", "s2"):
        held.act(FAY, acts.SeatTaken(seat=seat, reason="the provider is down"))
    assert status_of(held.state) == "waiting"
    assert {i["state"] for i in picture(held.state, {}, ())["items"]} == {"asked"}
    for _ in range(3):
        held.say(by="p-fay")
    assert {i.get("note") for i in picture(held.state, {}, ())["items"] if i["state"] == "given"} == {"by Fay"}
    while held.state.paused is None:
        held.say(by="p-fay")
    assert status_of(held.state) == "held"
    assert _closing(held) == "Round 2 is ready: the facilitator lets it begin."


def test_the_panel_reports_acts_of_leaders_but_not_each_ballot():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    before, known = news(held.state), picture(held.state, {}, ())
    assert polled(held.state) == "named people: 0 of 2 ballots in, room: 0 of 1 ballot in"
    held.act(ANN, acts.BallotCast(poll="pre", choice="adopt"))
    assert news(held.state) == before
    assert ("meta", picture(held.state, {}, ())["meta"]) in changes(known, picture(held.state, {}, ()))
    assert polled(held.state) == "named people: 1 of 2 ballots in, room: 0 of 1 ballot in"
    held.act(FAY, acts.PollClosed(poll="pre"))
    assert polled(held.state) == ""
    before = news(held.state)
    held.act(FAY, acts.Extended(seconds=60, reason="late"))
    assert news(held.state) != before


def test_an_upvote_is_news_if_it_changes_the_top_question():
    held = Played(room_spec())
    for n in range(5):
        held.act(GUS, acts.Asked(text=f"Question {n}?"))
    first, second, third, _, fifth = stage.support(held.state)
    before = news(held.state)
    held.act(ANN, acts.Upvoted(question=first))
    assert news(held.state) == before
    held.act(ANN, acts.Upvoted(question=fifth))
    assert [*stage.support(held.state).items()][:3] == [(first, 2), (fifth, 2), (second, 1)]
    assert news(held.state) != before
    after = news(held.state)
    held.act(BEN, acts.Upvoted(question=third))
    held.act(BEN, acts.Upvoted(question=fifth))
    assert [*stage.support(held.state)][:3] == [fifth, first, third]
    assert news(held.state) != after


def test_the_news_mark_reveals_nobody_who_is_asked():
    held = Played(room_spec())
    held.go_on()
    found = spec_from_file_location("another_process", transcript.__file__)
    assert found is not None
    assert found.loader is not None
    elsewhere = module_from_spec(found)
    found.loader.exec_module(elsewhere)
    assert elsewhere.news(held.state) == elsewhere.news(held.state) != news(held.state)
