"""The tasks of people in a room: open and finished ones, and their words for leaders."""

import pytest

from debate_core.record.acts import PollClosed, PollOpened, PollRevealed, PreparationBegun, Prepared, Signed
from debate_core.report.facts.agenda import is_last_round
from debate_core.report.facts.room_tasks import TaskKind, room_tasks
from debate_core.report.phrases.room_tasks import own_turn_sentence, steps_left, task_words, tasks_left
from debate_core.spec.contents import Verdict
from debate_core.spec.people import Preparation, Room
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.marking import IDS, marked, quoted
from tests.people import ABE, ANN, BEN, FAY, GUS, JUNE, belief, room_spec
from tests.playing import Played

NAMED = Preparation(step="brief", minutes=2)


def tasks(held: Played) -> dict[str, tuple[TaskKind, bool]]:
    return {task.person.name: (task.task, task.done) for task in room_tasks(held.state)}


def left(held: Played) -> str:
    return tasks_left(room_tasks(held.state))


def test_lobby_has_no_tasks():
    held = Played(room_spec())
    assert tasks(held) == {}
    assert left(held) == ""


def test_brief_is_read_by_all_but_those_who_lead_or_watch():
    held = Played(room_spec(preparation=(NAMED,))).act(FAY, PreparationBegun(step="brief"))
    held.act(GUS, Prepared(step="brief"))
    assert tasks(held)["Gus"] == ("read", True)
    assert tasks(held)["June"] == ("read", False)
    assert not {"Fay", "Mo", "Ola"} & tasks(held).keys()
    assert left(held) == "5 of 6 still reading"


def test_open_vote_counts_those_without_a_ballot():
    held = Played(room_spec(decides="panel")).act(FAY, PollOpened(poll="pre")).ballot(ANN, "pre", "adopt")
    assert tasks(held) == {"Ann": ("vote", True), "Ben": ("vote", False), "Gus": ("vote", False)}
    assert left(held) == "2 of 3 still voting"
    held.ballot(BEN, "pre", "adopt").ballot(GUS, "pre", "defer")
    assert left(held) == "Everyone is done"


def test_marks_count_the_passages_of_each_person():
    held = quoted().act(ANN, marked(IDS[0], "supports adopt")).act(ANN, marked(IDS[1], "skipped"))
    for claim_id in IDS:
        held.act(GUS, marked(claim_id, "neutral"))
    assert [task_words(task) for task in room_tasks(held.state) if task.task == "mark"] == [
        "2 of 4 passages seen",
        "no passage seen yet",
        "has seen every passage",
    ]
    assert left(held).startswith("2 of 3 still marking")


def test_tournament_counts_the_pairs_of_each_person():
    people = (FAY, ANN, GUS)
    room = Room(people=people, hold="none", pre_vote="none", decides="room")
    seats = [Seat(id=name, occupant="human") for name in ("s0", "s1")]
    held = Played(compose("Which?", ["a", "b", "c", "d"], protocol("tournament"), seats, max_rounds=2, room=room))
    held.go_on().say(Verdict(reasoning="It is.", option=None), by=GUS.id)
    assert tasks(held) == {"Ann": ("compare", False), "Gus": ("compare", True)}
    assert left(held) == "1 of 2 without a comparison"
    held.say(Verdict(reasoning="It is.", option=None), by=GUS.id).say(
        Verdict(reasoning="It is.", option=None), by=ANN.id
    )
    assert [task_words(task) for task in room_tasks(held.state)] == ["1 pair compared", "2 pairs compared"]
    assert left(held) == "Everyone has compared"


def test_speaker_is_done_once_the_turn_is_given():
    ann = ANN.model_copy(update={"seats": ("s0",)})
    seats = [Seat(id="s0", occupant="human"), Seat(id="s1", occupant="scripted")]
    held = Played(room_spec((FAY, ann, GUS), seats=seats, pre_vote="none")).go_on()
    assert tasks(held) == {"Ann": ("speak", False)}
    held.say(by=ann.id)
    assert tasks(held) == {"Ann": ("speak", True)}


def test_speakers_of_later_turns_are_still_to_speak():
    ann, ben = ANN.model_copy(update={"seats": ("s0",)}), BEN.model_copy(update={"seats": ("s1",)})
    seats = [Seat(id="s0", occupant="human"), Seat(id="s1", occupant="human")]
    held = Played(room_spec((FAY, ann, ben), seats=seats, pre_vote="none")).go_on()
    held.say(by=ann.id).say(by=ben.id)
    # They reply one after the other.
    assert [request.seat for request in held.requests()] == ["s0"]
    assert tasks(held) == {"Ann": ("speak", False), "Ben": ("speak", False)}
    assert left(held) == "2 of 2 still to speak"
    assert own_turn_sentence(held.state, ["s1"], {"s0": "pro"}) == "You speak next, after pro."
    assert own_turn_sentence(held.state, ["s0"], {}) == "You speak now."
    held.say(by=ann.id)
    assert tasks(held) == {"Ann": ("speak", True), "Ben": ("speak", False)}
    assert left(held) == "1 of 2 still to speak"
    given = "You have spoken. You speak next in round 2: opening."
    assert own_turn_sentence(held.state, ["s0"], {}) == given
    assert own_turn_sentence(held.state, [], {}) == ""


def test_judge_owes_a_report_after_each_round():
    held = Played(room_spec((FAY, JUNE, GUS))).go_on()
    assert tasks(held) == {}
    held.play()
    assert tasks(held) == {"June": ("judge", False)}
    held.act(JUNE, belief(1))
    assert tasks(held) == {"June": ("judge", True)}


def decided() -> Played:
    held = Played(room_spec((FAY, ABE, GUS), decides="room")).go_on().to_the_end()
    held.act(FAY, PollOpened(poll="final")).ballot(GUS, "final", "adopt").act(FAY, PollClosed(poll="final"))
    return held.act(FAY, PollRevealed(poll="final"))


def test_approver_signs_once_the_vote_is_revealed():
    held = decided()
    assert tasks(held) == {"Abe": ("sign", False)}
    assert left(held) == "Abe has not signed"
    held.act(ABE, Signed(verdict="accept", option="adopt", owner="Ann"))
    assert tasks(held) == {"Abe": ("sign", True)}


def test_steps_after_the_end_name_who_acts_next():
    held = Played(room_spec((FAY, ABE, GUS), decides="room")).go_on().to_the_end()
    assert steps_left(held.state) == "The facilitator opens the final vote."
    held.act(FAY, PollOpened(poll="final")).ballot(GUS, "final", "adopt")
    assert steps_left(held.state) == "The final vote is open; its ballots stay sealed until the reveal."
    held.act(FAY, PollClosed(poll="final"))
    assert steps_left(held.state) == "The final vote is closed: the facilitator reveals it."
    held.act(FAY, PollRevealed(poll="final"))
    assert steps_left(held.state) == "Waiting for the signature of Abe."
    held.act(ABE, Signed(verdict="accept", option="adopt", owner="Ann"))
    assert steps_left(held.state) == ""


@pytest.mark.parametrize(("rounds", "of_each"), [(1, [False]), (2, [False, True])])
def test_last_round_is_announced_while_it_waits_and_runs(rounds: int, of_each: list[bool]):
    held = Played(room_spec((FAY, GUS), rounds=rounds))
    assert not is_last_round(held.state)
    seen = []
    for _ in range(rounds):
        waiting = is_last_round(held.state)
        held.go_on()
        seen.append(is_last_round(held.state))
        # The first round waits in the lobby.
        assert waiting == (seen[-1] and len(seen) > 1)
        held.play()
    assert seen == of_each
    assert not is_last_round(held.state)
