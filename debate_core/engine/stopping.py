"""When a debate ends. Every rule is a pure function of the state; all that fire are recorded, the first is the reason.

A model has no word in it but through the contents the protocol gives it.
"""

import re
from typing import assert_never

from debate_core.engine import schedule, stage, voting
from debate_core.record.state import Counted, State, replace
from debate_core.spec import rules
from debate_core.spec.contents import Argument, Evaluation

PROVIDER_DOWN = "provider_down"
STOPPED = "stopped"
LAST_ROUND = "last_round_called"
MAX_ROUNDS = "max_rounds_exhausted"
FAILED = ("timeout", "cut", "unparseable", "failed", "weak")
SAME_WORDS = 0.8
"""A claim is restated if at least this share of its longer words stood in one earlier claim of the debate."""


def fired(state: State) -> tuple[str, ...]:
    """Names of the stop rules that hold now, in the order of the protocol; () = go on.

    Once the closing phases run, the rules that ended the rounds still hold, and nothing said there makes another
    one hold.
    """
    if state.position < 0 or state.slots[state.position].section == "before":
        return (PROVIDER_DOWN,) if everybody_failed(state) else ()
    if everybody_failed(state):
        return (PROVIDER_DOWN,)
    if state.slots[state.position].section == "after":
        state = _without_closing(state)
    over = state.slots[state.position].section == "after" or schedule.round_is_complete(state)
    if state.spec.protocol.check_after == "round" and not over:
        return ()
    holding = [name for rule in state.spec.protocol.stop if (name := _holds(rule, state, round_over=over))]
    return (*holding, LAST_ROUND) if over and stage.last_round_called(state) else tuple(holding)


def _without_closing(state: State) -> State:
    """The state as the last round left it, which may have ended before its last phase."""
    closing = {p.name for p in state.spec.protocol.after}
    ran = [place for place in state.ran if place[1] not in closing]
    rounds = {(s.round, s.phase.name): i for i, s in enumerate(state.slots) if s.section == "round"}
    position = rounds.get(ran[-1], state.position) if ran else state.position
    turns = tuple(t for t in state.turns if t.phase not in closing)
    counted = tuple(c for c in state.counted if c.phase not in closing)
    return replace(state, turns=turns, counted=counted, open=None, position=position)


def _holds(rule: rules.StopRule, state: State, *, round_over: bool) -> str | None:
    """The name under which the rule ends the debate now, or None."""
    match rule:
        case rules.DecisionReached():
            return state.spec.protocol.decide.kind if len(voting.winners(state)) == 1 else None
        case rules.MaxRounds():
            last = state.current_round() >= state.spec.max_rounds
            return MAX_ROUNDS if round_over and last else None
        case rules.Ceiling():
            # Asked before every call, not between phases: see `ceiling.passed`.
            return None
        case rules.AllAgree():
            return rule.kind if all_agree(state) else None
        case rules.Stable():
            return rule.kind if round_over and stable(state) else None
        case rules.ModeratorDone():
            given = schedule.directive_of(state, state.current_round())
            return rule.kind if round_over and given is not None and given.done else None
        case rules.NoFurtherRound():
            last_word = _evaluation(state)
            return rule.kind if round_over and last_word and not last_word.recommend_another_round else None
        case rules.NoProgress():
            return rule.kind if round_over and state.current_round() > 1 and not new_claims(state) else None
        case rules.TextMention():
            return rule.kind if mentioned(state, rule.phrase) else None
        case rules.FromRound():
            return rule.kind if state.current_round() >= rule.round else None
        case rules.AllOf():
            return rule.kind if all(_holds(r, state, round_over=round_over) for r in rule.rules) else None
        case _:
            assert_never(rule)


def all_agree(state: State) -> bool:
    """True if every debater's current ballot is cast, and puts one and the same option on top, alone."""
    return bool(state.counted) and voting.agreed_on(state.spec, state.counted[-1]) is not None


def stable(state: State) -> bool:
    """True if the last count of this round says of every seat what the last count of the round before said.

    What a seat thinks whose ballot failed or could not be read is unknown, and so not the same as before.
    """
    last = {c.round: c for c in state.counted}
    now, before = last.get(state.current_round()), last.get(state.current_round() - 1)
    if now is None or before is None or any(b.status in ("failed", "unparseable") for b in now.ballots.values()):
        return False
    return _words(now) == _words(before)


def _words(counted: Counted) -> dict[str, tuple[str, object]]:
    said = voting.said_by(counted)
    return {seat: (b.status, said[seat]) for seat, b in counted.ballots.items()}


def mentioned(state: State, phrase: str) -> bool:
    """True if a turn of this round says the phrase, in any case and however its blanks are set; struck turns do not."""
    wanted = " ".join(phrase.casefold().split())
    said = (t.content for t in state.turns if t.round == state.current_round() and t.status == "ok" and t.content)
    return any(wanted in " ".join(content.words.casefold().split()) for content in said)


def _evaluation(state: State) -> Evaluation | None:
    """The evaluation of the round that runs, if one was given."""
    given = [t.content for t in state.turns if t.round == state.current_round()]
    return next((c for c in reversed(given) if isinstance(c, Evaluation)), None)


def new_claims(state: State) -> tuple[str, ...]:
    """Ids of this round's claims that are not said in about the same words by an earlier claim of the debate."""
    known: list[frozenset[str]] = []
    new = []
    for turn in state.turns:
        for claim in turn.content.claims if isinstance(turn.content, Argument) else ():
            words = _long_words(claim.text)
            if turn.round == state.current_round() and not any(_restates(words, k) for k in known):
                new.append(claim.id)
            known.append(words)
    return tuple(new)


def _long_words(text: str) -> frozenset[str]:
    """Longer words and numbers; of a claim without them every word: no share of nothing could tell it from others."""
    words = frozenset(re.findall(r"[^\W_]+", text.casefold()))
    return frozenset(w for w in words if len(w) > 3 or w.isdigit()) or words


def _restates(words: frozenset[str], known: frozenset[str]) -> bool:
    return bool(words) and len(words & known) >= SAME_WORDS * len(words)


def everybody_failed(state: State) -> bool:
    """True if of every debater that was asked the latest turn of the rounds failed: the debate cannot go on.

    One who fails in a phase of its own holds up nobody, nor does a moderator or a referee: the others go on without.
    """
    if not state.ran or state.open is not None or state.slots[state.position].section == "after":
        return False
    if state.phase(state.ran[-1][1]).role != "debater":
        return False
    debaters, latest = {s.id for s in state.spec.debaters()}, set[str]()
    for turn in reversed(state.turns):
        if turn.seat in debaters and turn.seat not in latest:
            if turn.status not in FAILED:
                return False
            latest.add(turn.seat)
    return bool(latest)


def all_answered(state: State) -> bool:
    """True if the last turns of the debaters failed, and all because of what was replied: nobody was out of reach.

    For words alone: the stop keeps its name, by which records that exist are checked.
    """
    debaters = {s.id for s in state.spec.debaters()}
    latest = {t.seat: t.status for t in state.turns if t.seat in debaters}
    return bool(latest) and set(latest.values()) <= {"unparseable", "weak"}
