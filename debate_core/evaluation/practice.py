"""Practice debates with a known truth: people judge them blind, and see the truth at once.

A practice debate is an ordinary debate: the engine plays it, the store keeps it, the judge's desk shows it. Each person
has one debate for each case, identified by the person's name; after the final verdict, the right option is recorded.
`Spec.practice` separates it from real debates.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import Annotated

from pydantic import Field, model_validator

from debate_core.engine import engine, judge_view, stage
from debate_core.errors import InvalidSpec, UnknownDebate
from debate_core.host import runner
from debate_core.host.host import Host
from debate_core.names import name_key, visible_name
from debate_core.record.acts import BeliefReported, BeliefsRevealed, OutcomeRecorded
from debate_core.record.commands import Act, AnyCommand, Resume, SkipTurn, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.decision_outcomes import right_option
from debate_core.report.facts.judge_statistics import brier_score, log_score
from debate_core.report.facts.judgements import shares
from debate_core.sentence import Sentence
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.decode import Undecodable, decode_json
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec, read
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import MAX_QUESTION_CHARS, MAX_TEXT_CHARS, Line, Seat, Source, Value

FORMAT = 1
MAX_ROUNDS = 50
MAX_OPTIONS = 8
NOT_GIVEN = "this side has no text"
CAME_WITH = "the debate came with its answer"
LEADER = Person(id="p-leads", name="Debate room", role="facilitator")
"""The person in whose name the program resumes a practice debate and records the right option."""


class PracticeTurn(Value):
    """Text of one side in one round; an empty text is a skipped turn."""

    text: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = ""
    claims: tuple[Claim, ...] = ()

    @property
    def words(self) -> str:
        """The text and its claims."""
        return "\n".join([self.text, *(f"{claim.text}\n{claim.quote or ''}" for claim in self.claims)])


class Mistake(Value):
    """A wrong passage of a turn, and the reason."""

    round: Annotated[int, Field(ge=1)]
    option: Line
    """The side with this passage."""
    words: Annotated[str, Field(min_length=1, max_length=2_000)]
    why: Annotated[str, Field(min_length=1, max_length=2_000)]


class PracticeCase(Value):
    """A debate with a known truth: each side argues for one option, once a round, in the order of the options."""

    format: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
    options: Annotated[tuple[Line, ...], Field(min_length=2, max_length=MAX_OPTIONS)]
    sources: tuple[Source, ...] = ()
    rounds: Annotated[tuple[tuple[PracticeTurn, ...], ...], Field(min_length=1, max_length=MAX_ROUNDS)]
    right: Line
    truth: Annotated[str, Field(max_length=2_000)] = ""
    """Evidence for the right option; may be empty."""
    mistakes: tuple[Mistake, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> "PracticeCase":
        if self.right not in self.options:
            raise ValueError(
                Sentence(
                    "the right option {right!r} is none of the options: {options}",
                    right=self.right,
                    options=", ".join(self.options),
                )
            )
        for number, turns in enumerate(self.rounds, start=1):
            if len(turns) != len(self.options):
                raise ValueError(
                    Sentence(
                        "round {number} has {n_turns} turns; it needs one for each option, in their order",
                        number=number,
                        n_turns=len(turns),
                    )
                )
        for mistake in self.mistakes:
            said = ""
            if mistake.round <= len(self.rounds) and mistake.option in self.options:
                said = self.rounds[mistake.round - 1][self.options.index(mistake.option)].words
            if mistake.words not in said:
                raise ValueError(
                    Sentence(
                        "the turn for that option in round {round} does not contain {words!r}",
                        words=mistake.words[:60],
                        round=mistake.round,
                    )
                )
        return self


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """Result of one person in one practice debate."""

    right: str
    percent: int
    """Probability for the right option."""
    is_favourite: bool
    """True if it got more than any other option."""
    is_level: bool
    """True if it shares the highest probability with another option."""
    brier: float
    """0 is best, 1 worst."""
    log_score: float
    """In bits, 0 is best."""


@lru_cache(maxsize=1_000)
def read_case(text: str) -> PracticeCase:
    """A practice debate from its JSON. InvalidSpec in one sentence."""
    try:
        data = decode_json(text)
    except Undecodable as error:
        raise InvalidSpec("the practice debate is not readable JSON: {error}", error=str(error)) from None
    return read(PracticeCase, data)


@cache
def shipped_cases() -> Mapping[str, PracticeCase]:
    """The cases that ship with the program, by name."""
    folder = files("debate_core.evaluation") / "practice_debates"
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".json")), key=lambda path: path.name)
    return {path.name.removesuffix(".json"): read_case(path.read_text("utf-8")) for path in paths}


def all_cases(host: Host, *, owner: str = "") -> Mapping[str, PracticeCase]:
    """Shipped cases, then imported ones: those for all, and those of this account."""
    texts = {**host.drafts.practice_debates(), **(host.drafts.practice_debates(owner) if owner else {})}
    kept = {name: read_case(text) for name, text in sorted(texts.items())}
    return {**shipped_cases(), **kept}


def judge_of(name: str) -> Person:
    """The person who practises under this name; its spelling may vary."""
    return Person(id=f"p-{_digest(name_key(name))}", name=visible_name(name)[:80], role="judge")


def debate_of(case: PracticeCase, name: str, *, owner: str = "") -> str:
    """The id of this person's debate on this case; a changed case has another id.

    `owner` is the account that practises; the same name in two accounts is two people.
    """
    who = f"{owner}/{name_key(name)}" if owner else name_key(name)
    return "practice-" + _digest(f"{case.model_dump_json()}/{who}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def begun(host: Host, case: PracticeCase, name: str, *, owner: str = "") -> State | None:
    """This person's debate on this case; None before the beginning."""
    try:
        return host.state(debate_of(case, name, owner=owner))
    except UnknownDebate:
        return None


def begin(host: Host, case_name: str, name: str, *, client: str = "", owner: str = "") -> State:
    """Begin or continue this case. InvalidSpec for an unknown name; TooMany as for any debate."""
    case = all_cases(host, owner=owner).get(case_name)
    if case is None:
        raise InvalidSpec("there is no practice debate {case_name!r}: choose one of the list", case_name=case_name[:60])
    there = begun(host, case, name, owner=owner)
    if there is None:
        host.keep_played(played(case, case_name, name, at=runner.now(), owner=owner), client=client)
    return there or host.state(debate_of(case, name, owner=owner))


def settle(host: Host, state: State, case: PracticeCase) -> State:
    """Reveal the judge's probabilities and record the right option, after the final verdict."""
    if result_of(state, case) is None or right_option(state) is not None:
        return state
    if stage.revealed_round(state) < state.current_round():
        host.submit(state.debate, Act(by=LEADER.id, act=BeliefsRevealed(round=state.current_round())))
    outcome = OutcomeRecorded(result="unknown", option=case.right, reason=case.truth or CAME_WITH)
    return host.submit(state.debate, Act(by=LEADER.id, act=outcome))


def result_of(state: State, case: PracticeCase) -> PracticeResult | None:
    """The result of its judge; None before the final verdict."""
    given = [d.fact for d in state.room.of(BeliefReported) if d.fact.final]
    if not given:
        return None
    percents = given[-1].percents
    given_shares = shares(given[-1])
    most_of_others = max(percent for option, percent in percents.items() if option != case.right)
    return PracticeResult(
        right=case.right,
        percent=percents[case.right],
        is_favourite=percents[case.right] > most_of_others,
        is_level=percents[case.right] == most_of_others,
        brier=brier_score(given_shares, case.right),
        log_score=log_score(given_shares, case.right),
    )


def speaker_of(state: State, option: str, person_id: str) -> Sentence:
    """The judge's alias for the side that argued for an option."""
    return judge_view.aliases(state, person_id)[_seats(state.spec.options)[state.spec.options.index(option)].id]


def played(case: PracticeCase, case_name: str, name: str, *, at: datetime, owner: str = "") -> Sequence[Event]:
    """The record of this case for one judge, played to its end. InvalidSpec if it cannot be played."""
    spec = _spec(case, case_name, name)
    debate_id = debate_of(case, name, owner=owner)
    events = [*engine.open_debate(spec, debate_id=debate_id, at=at, by=LEADER.id, owner=owner)]
    state = replay(events)
    while state.outcome is None:
        more, state = engine.advance(state, _next_command(case, state), at=at)
        events += more
    return events


def refuse_unplayable(case: PracticeCase) -> None:
    """InvalidSpec if no debate can be held with this question and these options."""
    check(_spec(case, "tried", "nobody"))


def _spec(case: PracticeCase, case_name: str, name: str) -> Spec:
    rounds = len(case.rounds)
    return Spec(
        question=case.question,
        options=case.options,
        seats=_seats(case.options),
        protocol=Protocol(
            name="practice",
            purpose="One side for each option, and a judge who reads afterwards.",
            each_round=(Phase(name="argument"),),
            stop=(MaxRounds(),),
            decide=Plurality(),
            rounds=Rounds(default=rounds, warn_above=MAX_ROUNDS, hard_max=MAX_ROUNDS),
        ),
        sources=case.sources,
        max_rounds=rounds,
        # A person who practises under two names sees another order.
        seed=int(_digest(debate_of(case, name)), 16) % 2**32,
        room=Room(
            people=(LEADER, judge_of(name)),
            joining="named",
            pre_vote="none",
            final_vote="none",
            hold="none",
            readers="members",
        ),
        practice=case_name,
    )


def _seats(options: Sequence[str]) -> tuple[Seat, ...]:
    return tuple(
        Seat(id=f"side_{'abcdefgh'[place]}", occupant="scripted", stance=option) for place, option in enumerate(options)
    )


def _next_command(case: PracticeCase, state: State) -> AnyCommand:
    """The leader resumes a paused debate, or the requested side takes or skips its turn."""
    if state.paused is not None:
        return Resume(by=LEADER.id)
    request = engine.requests(state)[0]
    place = [seat.id for seat in state.spec.seats].index(request.seat)
    said = case.rounds[request.round - 1][place]
    if not said.text.strip():
        return SkipTurn(by=LEADER.id, request=request.id, reason=NOT_GIVEN)
    vote = state.spec.options[place]
    return TakeTurn(
        by=request.seat, request=request.id, content=Argument(rationale=said.text, claims=said.claims, vote=vote)
    )
