"""When a debate ends. Every rule is a pure function of the state; all that fire are recorded, the first is the reason.

When is this asked, and of which state? `fired` is asked whenever no phase is open:

    before the rounds       no rule is asked, only whether everybody failed
    in a round              every rule after each phase, of the state as it is; where the protocol checks once a round,
                            only at its end
    in the closing phases   every rule, of the state as the last round left it (`_without_closing`): what ended the
                            rounds still holds, and nothing that is said in closing ends them for another reason

A model influences it only through the contents that the protocol asks of it. A record that was held with other measures
of text is audited by what was read then (`State.reading`): its texts are not measured again.
"""

from collections.abc import Collection, Iterator
from typing import assert_never, get_args

from debate_core.engine import comparisons, evidence, option_names, schedule, stage, voting
from debate_core.engine.similarity import asked_words, restates
from debate_core.record.state import Counted, State, Turn, replace
from debate_core.spec import rules
from debate_core.spec.contents import Argument, Content, Evaluation
from debate_core.spec.protocol import Protocol, asks_ballot
from debate_core.spec.values import Axis

PROVIDER_DOWN = "provider_down"
UNREADABLE = "unreadable"
CALLS_REFUSED = "calls_refused"
REPLIES_LATE = "replies_late"
OUTAGES = (PROVIDER_DOWN, UNREADABLE, CALLS_REFUSED, REPLIES_LATE)
"""The debate cannot go on: debaters are out of reach, no reply can be used, servers refuse every call for good, or no
reply comes in time."""
STOPPED = "stopped"
DEADLINE = "deadline"
NO_CANDIDATES = "no_candidates"
"""Nobody proposed what could be compared."""
CUT_OFF = (*OUTAGES, STOPPED, DEADLINE, NO_CANDIDATES)
"""What ends a debate wherever it stands, and decides nothing. So does a limit, unless the protocol says otherwise."""
LAST_ROUND = "last_round_called"
MAX_ROUNDS = "max_rounds_exhausted"
SIDE_UNHEARD = "side_unheard"
"""A side was silent where a seat decides, whichever rule ended the rounds."""
QUORUM = "quorum"
"""Too few ballots were cast for anything to be decided, whichever rule ended the rounds."""
UNVERIFIED_QUOTES = "unverified_quotes"
"""What would win rests on quotes that are not in their source, and the protocol refuses that."""
_OfWholeRounds = (
    rules.MaxRounds
    | rules.Stable
    | rules.ModeratorDone
    | rules.NoFurtherRound
    | rules.NoProgress
    | rules.Converged
    | rules.TopSettled
)
"""Rules that look at what a whole round has brought."""
FAILED = ("timeout", "cut", "unparseable", "failed", "weak")
"""What happened to a turn that was lost to an outage. A seat that refuses takes part: it abstains."""
REPLIED = ("cut", "unparseable", "weak")
"""Of those, what was lost although somebody replied."""


def ceiling_name(axis: Axis) -> str:
    """The name under which a limit on this ends a debate."""
    return f"ceiling_{axis}"


_CEILINGS = frozenset(ceiling_name(axis) for axis in get_args(Axis))


def fired(state: State) -> tuple[str, ...]:
    """Names of the stop rules that hold now, in the protocol's order; () = go on. The module says of what state."""
    if everybody_failed(state):
        return (_outage(state),)
    if state.position < 0 or _section(state) == "before":
        return ()
    return _fired_in_round(_without_closing(state))


def _outage(state: State) -> str:
    """Why the last turns of all debaters failed."""
    if somebody_replied(state):
        return UNREADABLE
    latest = list(_latest_turns(state))
    if not all(turn.reached for turn in latest):
        return PROVIDER_DOWN
    is_late = {turn.status == "timeout" for turn in latest}
    if len(is_late) > 1:
        return UNREADABLE
    return REPLIES_LATE if is_late.pop() else CALLS_REFUSED


def _fired_in_round(state: State) -> tuple[str, ...]:
    """The rules that hold in the round that runs or has just ended."""
    no_round_ran = _section(state) == "after"
    round_over = no_round_ran or schedule.round_is_complete(state)
    protocol = state.spec.protocol
    if protocol.check_after == "round" and not round_over:
        return ()
    names = [_name(rule, state) for rule in protocol.stop if _holds(rule, state, round_over=round_over)]
    if round_over and stage.last_round_called(state):
        names.append(LAST_ROUND)
    return tuple(names)


def _section(state: State) -> str:
    return state.slots[state.position].section


def _without_closing(state: State) -> State:
    """The state as the round left it that runs or was the last one, which may have ended before its last phase.

    It stays where it is, in a closing phase, if no round ran.
    """
    closing = {phase.name for phase in state.spec.protocol.after}
    return replace(
        state,
        turns=tuple(turn for turn in state.turns if turn.phase not in closing),
        counted=tuple(counted for counted in state.counted if counted.phase not in closing),
        open=None,
        position=_position_after_rounds(state),
    )


def _position_after_rounds(state: State) -> int:
    """Index in `slots` of the last phase of a round that ran; of the phase that is held now if no round ran."""
    for index, slot in reversed([*enumerate(state.slots)]):
        if slot.section == "round" and (slot.round, slot.phase.name) in state.ran:
            return index
    return state.position


def _name(rule: rules.StopRule, state: State) -> str:
    """The name under which the rule ends a debate."""
    match rule:
        case rules.DecisionReached():
            return state.spec.protocol.decide.kind
        case rules.MaxRounds():
            return MAX_ROUNDS
        case _:
            return rule.kind


def _holds(rule: rules.StopRule, state: State, *, round_over: bool) -> bool:
    """True if the rule ends the debate now."""
    match rule:
        case rules.DecisionReached():
            winner = option_names.only_option(voting.winners(state))
            return winner is not None and not evidence.refuses(state, winner)
        case rules.Ceiling():
            # Asked before every call, not between phases: see `ceiling.passed`.
            return False
        case rules.AllAgree():
            return all_agree(state)
        case rules.TextMention():
            return mentioned(state, rule.phrase, rule.by)
        case rules.MaxTurns():
            return sum(turn.status == "ok" for turn in state.turns) >= rule.turns
        case rules.FromRound():
            return state.current_round() >= rule.round
        case rules.AllOf():
            return all(_holds(part, state, round_over=round_over) for part in rule.rules)
        case _:
            return round_over and _holds_after_round(rule, state)


def _holds_after_round(rule: _OfWholeRounds, state: State) -> bool:
    """The same for the rules that are asked at the end of a round alone."""
    number = state.current_round()
    match rule:
        case rules.MaxRounds():
            return number >= state.spec.max_rounds
        case rules.Stable():
            return stable(state)
        case rules.ModeratorDone():
            directive = schedule.directive_of(state, number)
            return directive is not None and directive.done
        case rules.NoFurtherRound():
            evaluation = _evaluation(state)
            return evaluation is not None and not evaluation.recommend_another_round
        case rules.NoProgress():
            return number > 1 and not _anything_new(state)
        case rules.Converged():
            return number > 1 and converged(state)
        case rules.TopSettled():
            return comparisons.top_settled(state)
        case _:
            assert_never(rule)


def all_agree(state: State) -> bool:
    """True if every debater's current ballot is cast, and puts one and the same option on top, alone."""
    return bool(state.counted) and voting.agreed_on(state.spec, state.counted[-1]) is not None


def stable(state: State) -> bool:
    """True if the last count of this round says of every seat what the last count of the round before said.

    What a seat thinks whose ballot failed or could not be read is unknown, and so not the same as before.
    """
    last = {counted.round: counted for counted in state.counted}
    now = last.get(state.current_round())
    before = last.get(state.current_round() - 1)
    if now is None or before is None:
        return False
    unknown = any(ballot.status in ("failed", "unparseable") for ballot in now.ballots.values())
    return not unknown and _positions(now) == _positions(before)


def _positions(counted: Counted) -> dict[str, tuple[str, object]]:
    return {seat: (ballot.status, ballot.says()) for seat, ballot in counted.ballots.items()}


def mentioned(state: State, phrase: str, by: Collection[str] | None = None) -> bool:
    """True if a turn of this round, of one of these seats if they are named, says the phrase; struck turns do not.

    In any case, and however its blanks are set.
    """
    wanted = _plain(phrase)
    for turn in _turns_of_round(state):
        may_say_it = by is None or turn.seat in by
        if may_say_it and turn.status == "ok" and turn.content is not None and wanted in _plain(turn.content.words):
            return True
    return False


def _turns_of_round(state: State) -> list[Turn]:
    """What became of the turns of the round that runs, in ended phases."""
    number = state.current_round()
    return [turn for turn in state.turns if turn.round == number]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _evaluation(state: State) -> Evaluation | None:
    """The evaluation of the round that runs, if one was given and not struck."""
    for turn in reversed(_turns_of_round(state)):
        if turn.status == "ok" and isinstance(turn.content, Evaluation):
            return turn.content
    return None


def converged(state: State) -> bool:
    """True if the stance that every debater states in its turn of this round names one and the same option alone."""
    if state.reading is not None:
        return state.reading.converged
    latest = {turn.seat: turn.content for turn in _turns_of_round(state)}
    options = {_option_of_stance(state, latest.get(seat)) for seat in state.spec.ids_of("debater")}
    return len(options) == 1 and None not in options


def _option_of_stance(state: State, content: Content | None) -> str | None:
    """The one option that the stance of a turn names; None if it names none, or several, or speaks against one."""
    if not isinstance(content, Argument) or option_names.negated(content.stance):
        return None
    return option_names.named_option(content.stance, state.spec.options)


def _anything_new(state: State) -> bool:
    """True if this round brought a new claim, or prose without claims that was not said in those words before."""
    if state.reading is not None:
        return state.reading.anything_new
    return next(new_claims(state), None) is not None or _has_new_prose(state)


def _has_new_prose(state: State) -> bool:
    """True if a turn of this round without claims says what no such turn of an earlier round said in those words."""
    earlier = set[str]()
    now = set[str]()
    for turn in state.turns:
        if turn.status != "ok" or not isinstance(turn.content, Argument) or turn.claims:
            continue
        texts = now if turn.round == state.current_round() else earlier
        texts.add(_plain(turn.content.words))
    return not now <= earlier


def new_claims(state: State) -> Iterator[str]:
    """Ids of this round's claims that restate no earlier claim of the debate, whoever made it."""
    asked = asked_words(state.spec)
    known: list[str] = []
    for turn in state.turns:
        for claim in turn.claims:
            is_old = any(restates(claim.text, earlier, asked) for earlier in known)
            if turn.round == state.current_round() and not is_old:
                yield claim.id
            known.append(claim.text)


def cut_off_by(state: State) -> tuple[str, ...]:
    """What people or a limit ended the debate by wherever it stood, and the rules that had fired, the reason first.

    () = nothing did.
    """
    if state.stopped:
        return (STOPPED,)
    if state.deadline_passed:
        return (DEADLINE,)
    if state.truncated:
        return _truncated_by(state, ceiling_name(state.truncated.axis))
    return ()


def _truncated_by(state: State, bound: str) -> tuple[str, ...]:
    """The limit (`bound`) that ended the debate, and the rules that had ended the rounds before it, the reason first.

    A limit that is met in the closing phases does not undo an election: where a majority ended the rounds and the limit
    then cuts off the synthesis, the majority is the reason, and decides. Where a closing phase was still to hold a
    ballot, the election was not over: the limit is the reason, and nothing is decided.
    """
    if state.slots[state.position].section != "after":
        return (bound,)
    fired_before = fired(state)
    stays_elected = len(voting.elected(state)[0]) == 1 and not _ballot_in_closing(state.spec.protocol)
    return (*fired_before, bound) if fired_before and stays_elected else (bound, *fired_before)


def _ballot_in_closing(protocol: Protocol) -> bool:
    return any(asks_ballot(protocol, phase) for phase in protocol.after)


def cuts_off(state: State, ended_by: str) -> bool:
    """True for an end that comes before the decision rule can be applied: nothing is decided, whatever was voted."""
    if ended_by in _CEILINGS:
        rule = state.spec.protocol.decide
        return not (isinstance(rule, rules.Tournament) and rule.at_limit == "applies")
    return ended_by in CUT_OFF


def was_cut_off(state: State) -> bool:
    """True if the debate ended before its decision rule could be applied."""
    outcome = state.outcome
    return outcome is not None and outcome.status != "decided" and cuts_off(state, outcome.ended_by)


def everybody_failed(state: State) -> bool:
    """True if some debater was asked, and the latest turn of each that was asked failed: the debate cannot go on.

    One who fails in a phase of its own holds up nobody, nor does a moderator or a referee: the others go on without.
    """
    if not state.ran or state.open is not None or _section(state) == "after":
        return False
    was_asked = False
    for turn in _latest_turns(state):
        if turn.status not in FAILED:
            return False
        was_asked = True
    return was_asked


def _latest_turns(state: State) -> Iterator[Turn]:
    """The latest turn of each debater that was asked, the last one first: asked after every phase, and soon known."""
    debaters = set(state.spec.ids_of("debater"))
    for turn in reversed(state.turns):
        if turn.seat in debaters:
            debaters.remove(turn.seat)
            yield turn


def somebody_replied(state: State) -> bool:
    """True if of the debaters' last turns one failed because of what was replied: not everybody was out of reach."""
    return any(turn.status in REPLIED and not turn.began for turn in _latest_turns(state))
