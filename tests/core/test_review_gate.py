"""The chair between a moderator and the round: approve, replace, send back once with a reason, or stop."""

import pytest

from debate_core.engine import engine
from debate_core.engine.schedule import directive_of
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.commands import FailTurn, SkipTurn
from debate_core.seats.forecast import forecast
from debate_core.seats.prompts import prompt_for
from debate_core.spec.checks import check
from debate_core.spec.contents import Directive
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import Unanimity
from debate_core.spec.values import Seat
from tests.by_hand import GATE, LEAD, TALK, small
from tests.playing import AT, Played

RULES = protocol("moderated_judge")
CHAIR = Seat(id="chair", role="chair", occupant="human")
BACK = Directive(reason="Cost is missing.", redo=True)


def opened(*others: Seat) -> Played:
    seats = (*default_seats(RULES, "Which way?", ["move", "stay"], "model"), *others)
    return Played(compose("Which way?", ["move", "stay"], RULES, seats))


def names(played: Played) -> tuple[str, ...]:
    return tuple(s.id for s in played.state.spec.debaters())


def named(played: Played, *some: int, reason: str = "first") -> Directive:
    return Directive(reason=reason, next_speakers=tuple(names(played)[i] for i in some))


def asked(played: Played) -> str:
    return engine.requests(played.state)[0].id


def test_without_a_chair_the_moderators_word_goes() -> None:
    played = opened()
    played.say(named(played, 1))
    assert asked(played) == f"1.argument.{names(played)[1]}.1"


def test_approving_is_to_pass() -> None:
    # R290
    played = opened(CHAIR)
    given = named(played, 1)
    played.say(given)
    played.do(SkipTurn(by="chair", request=asked(played), reason="approved as it stands"))
    assert directive_of(played.state, 1) == given
    assert asked(played) == f"1.argument.{names(played)[1]}.1"


def test_a_returned_directive_is_asked_again_with_the_reason() -> None:
    # R290
    played = opened(CHAIR)
    played.say(named(played, 1))
    assert view(played.state, engine.requests(played.state)[0]).sent_back == ""
    played.say(BACK)
    assert asked(played) == "1.redirection.moderator.1"
    assert directive_of(played.state, 1) is None
    tail = prompt_for(view(played.state, engine.requests(played.state)[0])).tail
    assert "sent it back, with this reason:\n<data-1>\nCost is missing.\n</data-1>" in tail
    again = named(played, 0, reason="second")
    played.say(again)
    assert asked(played) == "1.second_gate.chair.1"
    with pytest.raises(RuleViolation, match="only the chair can send a directive back, once a round"):
        played.say(BACK)
    played.do(SkipTurn(by="chair", request=asked(played), reason="approved as it stands"))
    assert directive_of(played.state, 1) == again
    assert asked(played) == f"1.argument.{names(played)[0]}.1"


def test_a_returned_directive_without_another_lets_all_speak() -> None:
    # R093
    played = opened(CHAIR)
    played.say(named(played, 1))
    played.say(BACK)
    fail = FailTurn(by="moderator", request=asked(played), error="failed", permanent=True)
    played.do(fail)
    played.do(SkipTurn(by="chair", request=asked(played), reason="none"))
    assert played.state.open is not None
    assert played.state.open.speakers == names(played)


def test_a_directive_is_returned_once_a_round() -> None:
    again = Phase(name="again", gives="directive", role="moderator", after_redo=True)
    gate = Phase(name="second_gate", gives="directive", role="chair", after_redo=True)
    played = small(LEAD, GATE, again, gate, again.model_copy(update={"name": "third"}), TALK, decide=Unanimity())
    start = Directive(reason="Start.", next_speakers=("s0",))
    played.say(start).say(BACK).say(start)
    assert asked(played) == "1.second_gate.chair.1"
    with pytest.raises(RuleViolation, match="only the chair can send a directive back, once a round"):
        played.say(BACK)


@pytest.mark.parametrize("seat", ["moderator", "chair"])
def test_only_a_proposal_can_be_sent_back_and_only_by_the_chair(seat: str) -> None:
    played = opened(CHAIR)
    if seat == "chair":
        played.do(SkipTurn(by="chair", request=asked(played), reason="no moderator today"))
    before = played.state
    with pytest.raises(RuleViolation, match="redo: only the chair"):
        played.say(BACK)
    assert played.state == before


MORE = Phase(name="more", gives="directive", role="moderator")
GATE_AGAIN = Phase(name="again", gives="directive", role="chair", after_redo=True)


@pytest.mark.parametrize("later", [(), (MORE,), (GATE_AGAIN,)])
def test_nothing_is_returned_where_no_moderator_can_redo_it(later: tuple[Phase, ...]) -> None:
    played = small(LEAD, GATE, *later, TALK, decide=Unanimity())
    played.say(Directive(reason="Start.", next_speakers=("s0",)))
    with pytest.raises(RuleViolation, match="where the moderator is then asked again"):
        played.say(BACK)


def test_a_refusal_needs_a_reason_and_says_nothing_else() -> None:
    # R290
    played = opened(CHAIR)
    played.say(named(played, 1))
    with pytest.raises(RuleViolation, match="the reason is empty"):
        played.say(BACK.model_copy(update={"reason": " "}))
    with pytest.raises(RuleViolation, match="a directive with redo gives no new instructions"):
        played.say(BACK.model_copy(update={"done": True}))


def test_the_forecast_counts_a_directive_that_is_sent_back() -> None:
    phases = [r.phase for r in forecast(opened(CHAIR).state.spec, at=AT).rows if r.round == 1]
    assert phases[:4] == ["direction", "gate", "redirection", "second_gate"]


def test_a_phase_after_a_redo_needs_a_chair_before_it() -> None:
    spec = opened().state.spec
    alone = Phase(name="again", gives="directive", role="moderator", after_redo=True)
    rules = RULES.model_copy(update={"each_round": (RULES.each_round[0], alone, RULES.each_round[-1])})
    with pytest.raises(InvalidSpec, match="'again' is after_redo: it must give a directive, after one of the chair's"):
        check(spec.model_copy(update={"protocol": rules}))
