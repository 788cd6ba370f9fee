"""Stop rules: when a debate ends. All rules that fire are recorded; the first is the reason.

A debate can end in three ways, asked in this order (`engine.due`):

1. An interruption (`interruption`): a person stops the debate, an agreed wait runs out, or a limit is met.
2. An outage: the latest turn of every debater failed (`all_debaters_failed`).
3. A stop rule of the protocol, one row each in `stop_check`:

    rule               asked after  reads                                          recorded as
    decision_reached   a phase      the count, or what the deciding seat named     the kind of the decision rule
    all_agree          a phase      the ballots of the last count                  all_agree
    text_mention       a phase      the turns of this round                        text_mention
    max_turns          a phase      the number of turns                            max_turns
    from_round         a phase      the number of the round                        from_round (inside all_of)
    ceiling            every call   the use so far; see `limits.passed`           ceiling_calls, ceiling_usd, ...
    max_rounds         a round      the number of the round                        max_rounds_exhausted
    stable             a round      the ballots of this round and the one before   stable
    moderator_done     a round      the directive of this round                    moderator_done
    no_further_round   a round      the evaluation of this round                   no_further_round
    synthesiser_done   a round      the syntheses of this round                    synthesiser_done
    no_progress        a round      the claims of all turns, or their prose        no_progress
    converged          a round      the stances of this round                      converged
    stop_function      a round      the verdict of a function of the program       stop_function
    top_settled        a round      the comparisons so far                         top_settled
    all_of             a phase      its parts, each when it is asked               all_of

Before the rounds no stop rule is asked. In a round the rules read the state after the phase that has just ended. In the
closing phases they read the state at the end of the last round (`_without_closing`). Example, with max_rounds 2:

    round 1 · argue, vote    asked after each phase; nothing holds
    round 2 · argue, vote    after the vote: decision_reached and max_rounds hold; the closing phases begin
    closing · synthesis      the same two hold, with any synthesis; the debate ends by decision_reached

Models influence a stop rule only through the contents that the protocol asks for. A record made with other text
measures is audited with the readings of that time (`State.reading`); its texts are not measured again.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Literal, NamedTuple, assert_never, get_args

from debate_core.engine import comparisons, evidence, option_names, schedule, stage, voting
from debate_core.engine.similarity import asked_words, new_claims_of
from debate_core.record.state import Counted, State, Turn, replace
from debate_core.spec import rules
from debate_core.spec.contents import Argument, Evaluation, Synthesis
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.values import Axis
from debate_core.text import folded

PROVIDER_DOWN = "provider_down"
UNREADABLE = "unreadable"
CALLS_REFUSED = "calls_refused"
REPLIES_LATE = "replies_late"
OUTAGES = (PROVIDER_DOWN, UNREADABLE, CALLS_REFUSED, REPLIES_LATE)
"""All debaters are out of reach, no reply is usable, servers refuse every call for good, or every reply is late."""
STOPPED = "stopped"
DEADLINE = "deadline"
NO_CANDIDATES = "no_candidates"
"""Fewer than two candidates were proposed, so nothing can be compared."""
INTERRUPTIONS = (*OUTAGES, STOPPED, DEADLINE, NO_CANDIDATES)
"""Ends before the decision rule is applied. A limit is one too, unless the protocol says otherwise."""
LAST_ROUND = "last_round_called"
MAX_ROUNDS = "max_rounds_exhausted"
SIDE_UNHEARD = "side_unheard"
"""A side was silent where a seat decides, whichever rule ended the rounds."""
QUORUM = "quorum"
"""Too few ballots were cast for a decision, whichever rule ended the rounds."""
UNVERIFIED_QUOTES = "unverified_quotes"
"""The winner rests on quotes that are not in their source, and the protocol refuses that."""
FAILED = ("timeout", "cut", "unparseable", "failed", "weak")
"""Statuses of a turn lost to an outage. A seat that refuses takes part: it abstains."""
REPLIED = ("cut", "unparseable", "weak")
"""Those of `FAILED` in which a server did reply."""


def ceiling_name(axis: Axis) -> str:
    """The name under which a limit on this axis ends a debate."""
    return f"ceiling_{axis}"


_CEILINGS = frozenset(ceiling_name(axis) for axis in get_args(Axis))


class StopCheck(NamedTuple):
    """One row of the table of stop rules."""

    asked: Literal["phase", "round"]
    """`phase`: after every phase; `round`: only when the round is complete."""
    name: str
    """Recorded as the reason."""
    holds: Callable[[State], bool]


def stop_check(rule: rules.Simple, decide_kind: str) -> StopCheck:
    """The row of one stop rule; `decide_kind` is the kind of the protocol's decision rule."""
    match rule:
        case rules.DecisionReached():
            return StopCheck("phase", decide_kind, _has_winner)
        case rules.AllAgree():
            return StopCheck("phase", rule.kind, all_agree)
        case rules.TextMention():
            return StopCheck("phase", rule.kind, lambda state: mentioned(state, rule.phrase, rule.by))
        case rules.MaxTurns():
            return StopCheck("phase", rule.kind, lambda state: _turns_given(state) >= rule.turns)
        case rules.FromRound():
            return StopCheck("phase", rule.kind, lambda state: state.current_round() >= rule.round)
        case rules.Ceiling():
            # Checked before every call instead: see `limits.passed`.
            return StopCheck("phase", rule.kind, lambda _state: False)
        case rules.MaxRounds():
            return StopCheck("round", MAX_ROUNDS, lambda state: state.current_round() >= state.spec.max_rounds)
        case rules.Stable():
            return StopCheck("round", rule.kind, stable)
        case rules.ModeratorDone():
            return StopCheck("round", rule.kind, _moderator_is_done)
        case rules.NoFurtherRound():
            return StopCheck("round", rule.kind, _no_round_recommended)
        case rules.SynthesiserDone():
            return StopCheck("round", rule.kind, lambda state: _synthesiser_is_done(state, rule.min_rounds))
        case rules.NoProgress():
            return StopCheck("round", rule.kind, _nothing_new)
        case rules.Converged():
            return StopCheck("round", rule.kind, _converged)
        case rules.StopFunction():
            return StopCheck(
                "round", rule.kind, lambda state: state.stop_verdicts.get((state.current_round(), rule.function), False)
            )
        case rules.TopSettled():
            return StopCheck("round", rule.kind, comparisons.top_settled)
        case _:
            assert_never(rule)


# --- the loop over the rules


def fired(state: State) -> tuple[str, ...]:
    """Names of the outage or the stop rules that hold now, in the protocol's order; () = the debate continues.

    Call it while no phase is open.
    """
    if all_debaters_failed(state):
        return (_outage(state),)
    if state.position < 0 or _section(state) == "before":
        return ()
    return _fired_in_round(_without_closing(state) if _section(state) == "after" else state)


def _fired_in_round(state: State) -> tuple[str, ...]:
    no_round_ran = _section(state) == "after"
    round_over = no_round_ran or schedule.round_is_complete(state)
    protocol = state.spec.protocol
    if protocol.check_after == "round" and not round_over:
        return ()
    names = [name for rule in protocol.stop if (name := _fired_name(rule, state, round_over=round_over))]
    if round_over and stage.last_round_called(state):
        names.append(LAST_ROUND)
    return tuple(names)


def _fired_name(rule: rules.StopRule, state: State, *, round_over: bool) -> str | None:
    """The recorded name of a rule that holds now, else None. A rule of whole rounds is not asked within one."""
    checks = [stop_check(part, state.spec.protocol.decide.kind) for part in rules.parts_of(rule)]
    for check in checks:
        is_asked = round_over or check.asked == "phase"
        if not is_asked or not check.holds(state):
            return None
    return rule.kind if isinstance(rule, rules.AllOf) else checks[0].name


def _section(state: State) -> str:
    return state.slots[state.position].section


def _without_closing(state: State) -> State:
    """The state at the end of the last round that ran, which may have ended before its last phase.

    The position stays in the closing phase if no round ran.
    """
    position = state.position
    ran = set(state.ran)
    for index, slot in enumerate(state.slots):
        if slot.section == "round" and (slot.round, slot.phase.name) in ran:
            position = index
    closing = {phase.name for phase in state.spec.protocol.after}
    return replace(
        state,
        turns=tuple(turn for turn in state.turns if turn.phase not in closing),
        counted=tuple(counted for counted in state.counted if counted.phase not in closing),
        open=None,
        position=position,
    )


# --- what the rules read


def _has_winner(state: State) -> bool:
    winner = option_names.only_option(voting.winners(state))
    return winner is not None and not evidence.refuses(state, winner)


def all_agree(state: State) -> bool:
    """True if every debater's current ballot is cast and ranks the same single option first."""
    return bool(state.counted) and voting.agreed_on(state.spec, state.counted[-1]) is not None


def stable(state: State) -> bool:
    """True if every ballot in the last count of this round equals that seat's ballot one round earlier.

    A failed or unreadable ballot says nothing, so it never counts as unchanged.
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
    """True if a turn of this round contains the phrase, ignoring case and spacing; `by` limits it to these seats.

    Struck turns do not count.
    """
    wanted = folded(phrase)
    for turn in _turns_of_round(state):
        may_say_it = by is None or turn.seat in by
        if may_say_it and turn.status == "ok" and turn.content is not None and wanted in folded(turn.content.words):
            return True
    return False


def _turns_of_round(state: State) -> list[Turn]:
    """Turns of the current round, in phases that have ended."""
    number = state.current_round()
    return [turn for turn in state.turns if turn.round == number]


def _turns_given(state: State) -> int:
    return sum(turn.status == "ok" for turn in state.turns)


def _moderator_is_done(state: State) -> bool:
    directive = schedule.directive_of(state, state.current_round())
    return directive is not None and directive.done


def _no_round_recommended(state: State) -> bool:
    for turn in reversed(_turns_of_round(state)):
        if turn.status == "ok" and isinstance(turn.content, Evaluation):
            return not turn.content.recommend_another_round
    return False


def _synthesiser_is_done(state: State, min_rounds: int) -> bool:
    """True if every synthesis asked for in this round was given and recommends no other round."""
    asked = [turn for turn in _turns_of_round(state) if state.phase(turn.phase).gives == "synthesis"]
    if state.current_round() < min_rounds or not asked:
        return False
    given = [turn.content for turn in asked if turn.status == "ok" and isinstance(turn.content, Synthesis)]
    return len(given) == len(asked) and all(content.recommend_another_round is False for content in given)


def _converged(state: State) -> bool:
    """True if the stances of all debaters in this round, from the second on, name the same single option."""
    if state.current_round() <= 1:
        return False
    if state.reading is not None:
        return state.reading.converged
    latest = {turn.seat: turn.content for turn in _turns_of_round(state)}
    options = set[str | None]()
    for seat in state.spec.ids_of("debater"):
        content = latest.get(seat)
        # A stance that speaks against an option, or names several, names none.
        if not isinstance(content, Argument) or option_names.negated(content.stance):
            return False
        options.add(option_names.named_option(content.stance, state.spec.options))
    return len(options) == 1 and None not in options


def _nothing_new(state: State) -> bool:
    """True if this round, from the second on, brought no new claim and no new prose without claims."""
    if state.current_round() <= 1:
        return False
    if state.reading is not None:
        return not state.reading.anything_new
    return next(new_claims(state), None) is None and not _has_new_prose(state)


def _has_new_prose(state: State) -> bool:
    """True if a turn of this round without claims differs in its words from every such turn of earlier rounds."""
    earlier = set[str]()
    now = set[str]()
    for turn in state.turns:
        if turn.status != "ok" or not isinstance(turn.content, Argument) or turn.claims:
            continue
        texts = now if turn.round == state.current_round() else earlier
        texts.add(folded(turn.content.words))
    return not now <= earlier


def new_claims(state: State) -> Iterator[str]:
    """Ids of this round's claims that restate no earlier claim of any seat."""
    claims = ((turn.round, claim) for turn in state.turns for claim in turn.claims)
    for claim in new_claims_of(claims, state.current_round(), asked_words(state.spec)):
        yield claim.id


# --- interruptions and outages


def interruption(state: State) -> tuple[str, ...]:
    """Names of what interrupted the debate, together with the rules that had fired, the reason first; () = nothing."""
    if state.stopped:
        return (STOPPED,)
    if state.deadline_passed:
        return (DEADLINE,)
    if state.truncated:
        return _truncated_by(state, ceiling_name(state.truncated.axis))
    return ()


def _truncated_by(state: State, limit: str) -> tuple[str, ...]:
    """The limit that ended the debate and the rules that had ended its rounds, the reason first.

    A limit met in the closing phases does not undo an election. Example: a majority ended the rounds, then the limit
    stops the synthesis. The majority is the reason, and it decides. If a closing phase still had to hold a ballot, the
    election was not over: the limit is the reason, and nothing is decided.
    """
    if _section(state) != "after":
        return (limit,)
    fired_before = fired(state)
    protocol = state.spec.protocol
    ballot_in_closing = any(asks_ballot(protocol, phase) for phase in protocol.after)
    stays_elected = len(voting.elected(state)[0]) == 1 and not ballot_in_closing
    return (*fired_before, limit) if fired_before and stays_elected else (limit, *fired_before)


def is_interruption(state: State, ended_by: str) -> bool:
    """True for an end that comes before the decision rule is applied: no vote so far decides anything."""
    if ended_by in _CEILINGS:
        rule = state.spec.protocol.decide
        return not (isinstance(rule, rules.Tournament) and rule.at_limit == "applies")
    return ended_by in INTERRUPTIONS


def was_interrupted(state: State) -> bool:
    """True if the debate ended before its decision rule was applied."""
    outcome = state.outcome
    return outcome is not None and outcome.status != "decided" and is_interruption(state, outcome.ended_by)


def all_debaters_failed(state: State) -> bool:
    """True if at least one debater was asked and the latest turn of each that was asked failed.

    Failing moderators and referees do not stop a debate, nor does one debater who fails in a separate phase.
    """
    if not state.ran or state.open is not None or _section(state) == "after":
        return False
    was_asked = False
    for turn in _latest_turns(state):
        if turn.status not in FAILED:
            return False
        was_asked = True
    return was_asked


def _outage(state: State) -> str:
    """The kind of outage, from the latest turns of all debaters."""
    latest = list(_latest_turns(state))
    if any(turn.status in REPLIED and not turn.began for turn in latest):
        return UNREADABLE
    if not all(turn.reached for turn in latest):
        return PROVIDER_DOWN
    is_late = {turn.status == "timeout" for turn in latest}
    if len(is_late) > 1:
        return UNREADABLE
    return REPLIES_LATE if is_late.pop() else CALLS_REFUSED


def _latest_turns(state: State) -> Iterator[Turn]:
    """The latest turn of each debater that was asked, newest first. A generator, as one turn mostly decides."""
    debaters = set(state.spec.ids_of("debater"))
    for turn in reversed(state.turns):
        # A premortem is no part of the vote, so that its loss ends no debate.
        if turn.seat in debaters and (turn.argument or state.phase(turn.phase).gives != "premortem"):
            debaters.remove(turn.seat)
            yield turn
