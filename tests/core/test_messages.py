"""The messages of a debate: their causes and addressees, and the secrets that no sentence reveals."""

import dataclasses
import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.record import acts
from debate_core.record.fold import replay
from debate_core.record.state import replace
from debate_core.report.facts.messages import KIND_OF, DebateMoment, Message, new_messages, next_time, standing_messages
from debate_core.report.phrases.messages import Addressee, message_sentence
from tests.messaging import (
    ABE,
    ANN,
    DEB,
    DON,
    DOT,
    FAY,
    GUS,
    JUNE,
    people_spec,
    played_by_people,
    say_as_person,
    signed,
)
from tests.people import whole_workshop
from tests.playing import AT, Played

LATER = AT + timedelta(hours=1)


def topics(played: Played, *, before: int = 0, at: datetime = LATER) -> list[tuple[str, tuple[str, ...]]]:
    """Topics and addressees that are new since the event `before`."""
    known = replay(played.events[:before]) if before else None
    found = new_messages(DebateMoment(known, LATER), DebateMoment(played.state, at))
    return [(one.topic, one.people) for one in found]


def test_turns_go_to_the_people_of_the_seats() -> None:
    played = Played(people_spec())
    assert topics(played) == []
    played.go_on()
    assert topics(played) == [("turn", (DEB.id,)), ("turn", (DON.id,)), ("turn", (DOT.id,))]
    say_as_person(played)
    assert topics(played) == [("turn", (DON.id,)), ("turn", (DOT.id,))]


def test_vote_goes_to_those_who_have_not_voted() -> None:
    played = Played(people_spec())
    played.act(FAY, acts.PollOpened(poll="pre"))
    assert topics(played) == [("vote", (ANN.id, GUS.id))]
    opened = len(played.events)
    played.ballot(ANN, "pre", "adopt")
    assert topics(played, before=opened) == []
    assert topics(played) == [("vote", (GUS.id,))]


def test_approver_hears_of_the_end_and_all_of_the_signature() -> None:
    played = played_by_people(people_spec())
    assert topics(played) == [("signature", (ABE.id,))]
    over = len(played.events)
    played.act(ABE, acts.Signed(verdict="accept", option="adopt"))
    assert [topic for topic, _people in topics(played, before=over)] == ["decided"]
    again = len(played.events)
    played.act(ABE, acts.Signed(verdict="accept_with_changes", option="adopt", changes="A smaller pool."))
    assert topics(played, before=again) == [("changes", (ABE.id,))]


def test_objection_and_reversal_challenge_a_decision() -> None:
    played = signed()
    before = len(played.events)
    played.act(ANN, acts.Dissented(kind="dissent", text="I would wait."))
    assert topics(played, before=before) == []
    played.act(ANN, acts.Dissented(kind="objection", text="It breaks the law."))
    played.act(FAY, acts.OutcomeRecorded(result="held", reason="Works."))
    played.act(FAY, acts.OutcomeRecorded(result="reversed", reason="It broke the law."))
    found = new_messages(DebateMoment(replay(played.events[:before]), LATER), DebateMoment(played.state, LATER))
    assert [(one.topic, one.kind) for one in found] == [("objection", "challenged"), ("otherwise", "challenged")]
    for told in found:
        sentence = message_sentence(played.state, told, Addressee())
        assert "law" not in sentence
        assert ANN.name not in sentence


def test_review_comes_up_on_its_day() -> None:
    played = signed(revisit="at 1,000 users, or 2026-03-10")
    day = datetime(2026, 3, 10, tzinfo=UTC)
    assert next_time(played.state, LATER) == day
    before = DebateMoment(played.state, day - timedelta(seconds=1))
    (told,) = new_messages(before, DebateMoment(played.state, day))
    assert (told.kind, told.people) == ("due", (FAY.id, ABE.id))
    assert next_time(played.state, day) is None
    assert new_messages(DebateMoment(played.state, day), DebateMoment(played.state, day + timedelta(days=9))) == ()


@pytest.mark.parametrize("revisit", ["", "after the launch", "2026-13-45"])
def test_review_without_a_date_gives_no_message(revisit: str) -> None:
    assert next_time(signed(revisit=revisit).state, AT) is None


def test_rejected_decision_has_no_review() -> None:
    played = signed(verdict="reject", option=None, reason="Too dear.", revisit="2026-03-10")
    assert next_time(played.state, AT) is None


def test_end_of_a_wait_is_near_in_its_last_quarter() -> None:
    spec = people_spec().model_copy(update={"max_wait_s": 8 * 3_600})
    played = Played(spec).go_on()
    near = next_time(played.state, AT)
    assert near is not None
    assert timedelta(hours=6) <= near - AT < timedelta(hours=6, minutes=1)
    assert "deadline" not in dict(topics(played, at=near - timedelta(seconds=1)))
    assert dict(topics(played, at=near))["deadline"] == (DEB.id, DON.id, DOT.id)


def test_short_clock_gives_no_message() -> None:
    played = Played(people_spec(phase_seconds=300)).go_on()
    assert next_time(played.state, AT) is None


def test_rehearsal_gives_no_message() -> None:
    played = whole_workshop()
    assert played.state.spec.rehearsal
    assert standing_messages(DebateMoment(played.state, LATER)) == ()


def test_archived_debate_is_silent() -> None:
    played = signed(revisit="2026-03-10")
    archived = replace(played.state, ownership=dataclasses.replace(played.state.ownership, archived=True))
    assert standing_messages(DebateMoment(archived, datetime(2026, 4, 1, tzinfo=UTC))) == ()


def _course() -> Played:
    """A debate with polls, a judge, turns, a signature and an objection."""
    played = Played(people_spec(JUNE, decides="panel"))
    played.act(FAY, acts.PollOpened(poll="pre"))
    played.ballot(ANN, "pre", "defer", reason="SECRET")
    played.act(FAY, acts.PollClosed(poll="pre"))
    played.go_on()
    while played.state.outcome is None:
        if played.state.paused is not None:
            played.go_on()
        say_as_person(played)
    played.act(FAY, acts.PollOpened(poll="final"))
    played.ballot(ANN, "final", "adopt", reason="SECRET")
    played.act(FAY, acts.PollClosed(poll="final"))
    played.act(FAY, acts.PollRevealed(poll="final"))
    played.act(FAY, acts.PollRevealed(poll="pre"))
    played.act(ABE, acts.Signed(verdict="accept", option="adopt", revisit="2026-03-10"))
    played.act(ANN, acts.Dissented(kind="objection", text="SECRET"))
    return played


COURSE = _course()
MOMENTS = tuple(DebateMoment(replay(COURSE.events[:n]), LATER) for n in range(1, len(COURSE.events) + 1))


def causes(found: tuple[Message, ...]) -> set[tuple[str, str]]:
    return {(one.topic, one.key) for one in found}


def test_course_has_every_kind_of_message() -> None:
    seen = {one.kind for moment in MOMENTS for one in standing_messages(moment)}
    seen |= {one.kind for one in standing_messages(DebateMoment(COURSE.state, datetime(2026, 3, 10, tzinfo=UTC)))}
    assert seen == set(KIND_OF.values())


@given(st.tuples(*[st.integers(0, len(MOMENTS) - 1)] * 3).map(sorted))
def test_looking_less_often_adds_no_message(looks: list[int]) -> None:
    """Two looks find at least what one later look finds, and nothing comes twice while its cause stays."""
    first, second, third = (MOMENTS[look] for look in looks)
    at_once = causes(new_messages(first, third))
    in_steps = causes(new_messages(first, second)) | causes(new_messages(second, third))
    assert at_once <= in_steps
    assert at_once <= causes(standing_messages(third))
    assert new_messages(third, third) == ()


def test_messages_do_not_depend_on_sealed_ballots() -> None:
    """Another ballot in the same place gives the same messages, until the poll is revealed."""

    def told(choice: str) -> list[str]:
        played = Played(people_spec(decides="panel"))
        played.act(FAY, acts.PollOpened(poll="pre"))
        played.ballot(ANN, "pre", choice)
        played.act(FAY, acts.PollClosed(poll="pre"))
        played.go_on()
        moment = DebateMoment(played.state, LATER)
        readers = (Addressee(), Addressee(DEB.id), Addressee(may_read=False))
        return [message_sentence(played.state, one, to) for one in standing_messages(moment) for to in readers]

    assert told("adopt") == told("reject")


def test_no_sentence_holds_a_reason_a_ballot_or_a_turn() -> None:
    for moment, person in itertools.product(MOMENTS, ("", ANN.id, JUNE.id)):
        assert moment.state is not None
        for told in standing_messages(moment):
            assert "SECRET" not in message_sentence(moment.state, told, Addressee(person))


def test_result_stays_hidden_while_a_judge_still_judges() -> None:
    """A count is a verdict: neither a channel nor the judge hears it."""
    played = Played(people_spec(JUNE, blind="blind"))
    while played.state.outcome is None:
        if played.state.paused is not None:
            played.go_on()
        say_as_person(played)
    (told,) = standing_messages(DebateMoment(played.state, LATER))
    for to in (Addressee(), Addressee(JUNE.id)):
        assert "adopt" not in message_sentence(played.state, told, to)
    decided = Message("decided", "0")
    assert "adopt" not in message_sentence(played.state, decided, Addressee())
    assert "adopt" not in message_sentence(played.state, decided, Addressee(JUNE.id))


def test_reader_without_access_gets_no_text_of_the_debate() -> None:
    played = signed(revisit="2026-03-10")
    for told in standing_messages(DebateMoment(played.state, datetime(2026, 3, 10, tzinfo=UTC))):
        sentence = message_sentence(played.state, told, Addressee(may_read=False))
        assert "Which?" not in sentence
        assert "adopt" not in sentence
