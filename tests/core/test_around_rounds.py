"""Ends of a debate before, in and after its rounds: when stop rules are evaluated, and on which state."""

import pytest

from debate_core.record.commands import Truncate
from debate_core.spec.contents import Evaluation
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import AllAgree, Ceiling, MaxRounds, MaxTurns, NoFurtherRound, Plurality, TextMention
from debate_core.spec.values import Usage
from tests.by_hand import ASSESS, LEAD, OPEN, small
from tests.core.test_stopping import AGREED, assessed
from tests.playing import Played

FIRST = OPEN.model_copy(update={"name": "first"})
END = Phase(name="end", gives="evaluation", role="evaluator")
LAST_VOTE = OPEN.model_copy(update={"name": "last_vote"})


def _ended(played: Played) -> tuple[str, str, tuple[str, ...], int]:
    """Return status, decision, fired rules in their order, and the number of rounds."""
    outcome = played.outcome()
    return outcome.status, outcome.decision, outcome.fired, outcome.rounds_run


def test_before_the_rounds_nothing_ends_them() -> None:
    stop = (AllAgree(), TextMention(phrase="why"), MaxTurns(turns=1), MaxRounds())
    played = small(OPEN, before=(FIRST,), rounds=2, decide=Plurality(), stop=stop)
    played.vote(AGREED)
    assert (played.state.outcome, played.requests()[0].phase) == (None, "open")
    played.vote(AGREED)
    assert _ended(played) == ("decided", "a", ("all_agree", "text_mention", "max_turns"), 1)


@pytest.mark.parametrize(("check_after", "phases"), [("phase", 1), ("round", 2)])
def test_a_protocol_sets_whether_rules_apply_per_phase_or_round(check_after: str, phases: int) -> None:
    second = OPEN.model_copy(update={"name": "second"})
    stop = (AllAgree(), MaxRounds())
    played = small(OPEN, second, rounds=3, decide=Plurality(), stop=stop, check_after=check_after)
    for _ in range(phases):
        assert played.state.outcome is None
        played.vote(AGREED)
    assert _ended(played) == ("decided", "a", ("all_agree",), 1)


def test_the_end_of_the_rounds_stays_the_reason_after_closing() -> None:
    # law 6
    stop = (NoFurtherRound(), MaxRounds(), AllAgree())
    played = small(OPEN, ASSESS, rounds=2, after=(END, LAST_VOTE), decide=Plurality(), stop=stop)
    assessed(played, again=True)
    assessed(played, again=False)
    played.say(Evaluation(synthesis="So it is."))
    played.vote(AGREED)
    assert _ended(played) == ("decided", "a", ("no_further_round", "max_rounds_exhausted"), 2)


def test_rounds_without_requests_end_with_the_closing_phases() -> None:
    stop = (AllAgree(), MaxRounds())
    played = small(LEAD, before=(FIRST,), after=(END,), rounds=1, absent="moderator", decide=Plurality(), stop=stop)
    played.vote(AGREED)
    played.say(Evaluation(synthesis="So it is."))
    assert _ended(played) == ("decided", "a", ("all_agree", "max_rounds_exhausted"), 1)


@pytest.mark.parametrize(
    ("votes", "after", "ended"),
    [
        ({}, (END,), ("truncated", "escalate", ("ceiling_calls",), 1)),
        (AGREED, (END,), ("decided", "a", ("max_rounds_exhausted", "ceiling_calls"), 1)),
        (
            {"s0": "a", "s1": "b", "s2": None},
            (END,),
            ("truncated", "escalate", ("ceiling_calls", "max_rounds_exhausted"), 1),
        ),
        (AGREED, (END, LAST_VOTE), ("truncated", "escalate", ("ceiling_calls", "max_rounds_exhausted"), 1)),
    ],
)
def test_a_limit_after_the_rounds_undoes_no_election(
    votes: dict[str, str | None], after: tuple[Phase, ...], ended: tuple[object, ...]
) -> None:
    # R225
    stop = (MaxRounds(), Ceiling(calls=0))
    played = small(OPEN, rounds=1, after=after, decide=Plurality(), stop=stop)
    if votes:
        played.vote(votes)
    played.do(Truncate(by="runner", request=played.requests()[0].id, reserved=Usage(calls=1)))
    assert _ended(played) == ended
