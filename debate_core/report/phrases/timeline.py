"""The course of a debate from the opening to the signature: each step with its time, its result and who took part.

Reads the events of an account that is over. Knows no screen.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from debate_core.engine import stage
from debate_core.engine.stage import name_of, speaker_name
from debate_core.language import _, _n, spoken_list
from debate_core.record.acts import PollRevealed, PreparationBegun
from debate_core.record.events import Event, PhaseBegan, PhaseEnded
from debate_core.report.facts.account import Account
from debate_core.report.facts.agenda import PREPARATION
from debate_core.report.facts.decision import VERDICTS, Signature
from debate_core.report.facts.interventions import Action, OverrideRow
from debate_core.report.facts.polls import poll_progress, revealed_results
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.decision import name_and_role
from debate_core.report.phrases.ending import end_words
from debate_core.report.phrases.limits import about_words
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.overrides import change_words, override_clause
from debate_core.report.phrases.polls import progress_words, result_words
from debate_core.report.phrases.voters import WHO
from debate_core.report.phrases.who_decided import count_sentence
from debate_core.spec.people import poll_name
from debate_core.text import capitalized

MAX_ROUNDS = 12
"""More rounds, such as those of a tournament, are one step."""
MAX_NAMES = 6
"""More speakers are a number."""
_ELSEWHERE: frozenset[Action] = frozenset({"mark", "sign"})
"""Acts that are no intervention in the course: marks on claims, and signatures, which are steps."""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """A step; `at` is UTC text. `intervenes`: a person changed the agreed course."""

    at: str
    name: str
    beside: str = ""
    who: str = ""
    intervenes: bool = False


def timeline(account: Account) -> tuple[TimelineStep, ...]:
    """Return the steps in order; none for a meeting held elsewhere, whose events have the times of its import."""
    if account.state.spec.held_elsewhere:
        return ()
    steps = (
        *_opening(account),
        *_rounds(account),
        *_polls(account),
        *map(_signature, (*account.decision.earlier, *filter(None, [account.decision.signed]))),
        *(_intervention(account, row) for row in account.overrides if row.action not in _ELSEWHERE),
    )
    return tuple(sorted(steps, key=lambda step: step.at))


def _opening(account: Account) -> Iterator[TimelineStep]:
    state = account.state
    leads = [person.name for person in stage.present(state) if person.role == "facilitator"]
    yield TimelineStep(state.opened_at, _("Opened"), ", ".join(state.spec.options), spoken_list(leads))
    for done in state.room.of(PreparationBegun):
        yield TimelineStep(done.at, _(PREPARATION[done.fact.step]), who=name_of(state, done.by))


@dataclass(slots=True)
class _RoundSpan:
    """One round, or several as one step."""

    name: str
    began: str
    ended: str = ""
    phases: list[str] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)


def _rounds(account: Account) -> Iterator[TimelineStep]:
    state = account.state
    before: list[str] = []
    for one in _group_rounds(account.events, state.current_round()):
        turns = [row for row in account.turns if row.round in one.numbers]
        # Before its first turn a round can wait for a vote.
        began = min((at for row in turns if (at := row.started_at or row.submitted_at)), default=one.began)
        seats = list(dict.fromkeys(speaker_name(state, row.seat) for row in turns if row.status == "ok"))
        who = _n(len(seats), "the same seat", "the same {n} seats") if seats and seats == before else _names(seats)
        before = seats
        beside = _joined(", ".join(one.phases), about_words(_seconds(began, one.ended)) if one.ended else "")
        yield TimelineStep(began, one.name, beside, who)
    if state.outcome and state.closed_at:
        decided = "" if state.spec.has_people else count_sentence(account.once(who_decided))
        yield TimelineStep(state.closed_at, _("Rounds ended"), _joined(end_words(state.outcome), decided))


def _joined(*words: str) -> str:
    return " · ".join(filter(None, words))


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _names(seats: Sequence[str]) -> str:
    return _n(len(seats), "{n} seat", "{n} seats") if len(seats) > MAX_NAMES else spoken_list(seats)


def _group_rounds(events: Iterable[Event], rounds: int) -> list[_RoundSpan]:
    found: dict[int, _RoundSpan] = {}
    for event in events:
        body = event.body
        if not isinstance(body, PhaseBegan | PhaseEnded):
            continue
        is_one = rounds <= MAX_ROUNDS
        name = _("Round {n}", n=body.round) if is_one else _n(rounds, "{n} round", "{n} rounds")
        one = found.setdefault(body.round if is_one else 0, _RoundSpan(name, event.at))
        one.numbers.add(body.round)
        if isinstance(body, PhaseEnded):
            one.ended = event.at
        elif (phase := named(body.phase)) not in one.phases:
            one.phases.append(phase)
    return [*found.values()]


def _polls(account: Account) -> Iterator[TimelineStep]:
    """Each poll when it opened, with its turnout, and when it was revealed, with its result."""
    state = account.state
    polls = state.room.polls
    for poll in polls.values():
        rows = poll_progress(state, poll.id)
        who = spoken_list(list(dict.fromkeys(WHO[row.electorate] for row in rows)))
        yield TimelineStep(poll.opened_at, _poll_title(poll.id), progress_words(rows), who)
    results: dict[str, dict[str, str]] = {poll: {} for poll in polls}
    for poll, result in revealed_results(state):
        results[poll.id][capitalized(WHO[result.electorate])] = result_words(state, poll, result)
    for done in sorted(state.room.of(PollRevealed), key=lambda done: polls[done.fact.poll].opened_seq):
        name = _("{poll} revealed", poll=_poll_title(done.fact.poll))
        found = results[done.fact.poll]
        # Where one electorate voted, the step before names it.
        said = [*found.values()] if len(found) == 1 else [f"{who}: {words}" for who, words in found.items()]
        yield TimelineStep(done.at, name, " ".join(said), name_of(state, done.by))


def _poll_title(poll: str) -> str:
    return capitalized(named(poll_name(poll)))


def _signature(signed: Signature) -> TimelineStep:
    beside = ", ".join(filter(None, (VERDICTS[signed.word.verdict], signed.word.option)))
    return TimelineStep(signed.at, _("Signed"), beside, name_and_role(signed.by))


def _intervention(account: Account, row: OverrideRow) -> TimelineStep:
    clause = capitalized(in_names(account, override_clause(row)))
    change = in_names(account, change_words(row))
    who = row.actor if row.role in ("", row.actor) else f"{row.actor} ({named(row.role)})"
    return TimelineStep(row.at, clause, ": ".join(filter(None, (change, row.reason))), who, intervenes=True)
