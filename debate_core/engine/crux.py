"""The crux of a vote: the claims that decided it for voters, and their votes if a claim were false.

People are asked where `Room.asks_crux` was agreed, seats where the protocol has phases for it. Advice: no count of the
debate reads it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from debate_core.record.acts import BallotCast, Supposed
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.contents import CruxAnswer
from debate_core.spec.values import ABSTAIN

MAX_CLAIMS = 3
"""Limit on the claims of the second ballot, so that it fits on one screen of a phone."""


def named_claims(state: State) -> Mapping[str, int]:
    """Claim id -> number of final ballots that name it, most first, then in the order of the debate.

    Empty until the final vote is closed.
    """
    final = _closed_final(state)
    if final is None:
        return {}
    return _most_named(state, (ballot.fact.decided_by for ballot in final.ballots.values()))


def _most_named(state: State, names: Iterable[str | None]) -> dict[str, int]:
    """Claim id -> number of times it is named, most first, then in the order of the debate; without unknown ids."""
    numbers = state.claim_numbers()
    named = Counter(name for name in names if name in numbers)
    return dict(sorted(named.items(), key=lambda one: (-one[1], numbers[one[0]])))


def asked_claims(state: State) -> tuple[str, ...]:
    """The two most named claims; a third one only if it is named as often as the second."""
    return _asked_about(named_claims(state))


def _asked_about(named_claims: Mapping[str, int]) -> tuple[str, ...]:
    named = [*named_claims.items()]
    if len(named) >= MAX_CLAIMS and named[MAX_CLAIMS - 1][1] == named[MAX_CLAIMS - 2][1]:
        named = named[:MAX_CLAIMS]
    else:
        named = named[: MAX_CLAIMS - 1]
    return tuple(claim_id for claim_id, _ballots in named)


def is_open(state: State) -> bool:
    """True while voters may answer: claims were named, and the closed final vote is not revealed."""
    final = _closed_final(state)
    return final is not None and not final.revealed and bool(asked_claims(state))


def may_answer(state: State, person: str) -> bool:
    """True if this person cast a final ballot and may answer now."""
    return is_open(state) and person in state.room.polls["final"].ballots


def answers(state: State) -> Mapping[str, Mapping[str, str]]:
    """Claim id -> person id -> option or "abstain"; a missing answer is unknown. Sealed until the reveal."""
    given: dict[str, dict[str, str]] = {claim_id: {} for claim_id in asked_claims(state)}
    for done in state.room.of(Supposed):
        given[done.fact.claim_id][done.by] = done.fact.choice
    return given


def answers_of(state: State, person: str) -> Mapping[str, str]:
    """Claim id -> the answer of this person, for the claims that they answered."""
    return {claim_id: by_person[person] for claim_id, by_person in answers(state).items() if person in by_person}


def fault(state: State, act: Supposed, by: str) -> Sentence | None:
    """The reason why this answer does not fit now."""
    final = state.room.polls["final"]
    if not state.spec.terms.asks_crux:
        return Sentence("it was not agreed to ask for the decisive claim")
    if final.closed is None:
        return Sentence('the final vote is open: "if that were not so?" is asked once it is closed')
    if final.revealed:
        return Sentence("the final vote is revealed: an answer that comes later stays unknown")
    if by not in final.ballots:
        return Sentence("only people with a ballot in the final vote can answer")
    if act.claim_id not in asked_claims(state):
        return Sentence("{claim} is not one of the claims that are asked about", claim=act.claim_id[:60])
    if act.choice != ABSTAIN and act.choice not in state.spec.options:
        return Sentence("{choice!r} is no option of this debate", choice=act.choice[:80])
    return None


def fault_in_reason(state: State, ballot: BallotCast) -> Sentence | None:
    """The reason why the decisive claim of this ballot does not fit."""
    if ballot.decided_by is None:
        return None
    if ballot.poll != "final" or not state.spec.terms.asks_crux:
        return Sentence("this vote does not ask for the decisive claim")
    if ballot.decided_by not in state.claims:
        return Sentence("there is no claim {claim!r} in this debate", claim=ballot.decided_by[:60])
    return None


def _closed_final(state: State) -> PollState | None:
    final = state.room.polls.get("final")
    return final if final is not None and final.closed is not None else None


# --- seats, which are asked in two phases after their last ballot


def seats_asked(state: State) -> tuple[str, ...]:
    """Debaters with a ballot, abstentions included, in declared order; the evidence panel has no model to ask."""
    panel = {seat.id for seat in state.spec.evidence_panel()}
    asked = (seat for seat in state.spec.ids_of("debater") if seat not in panel and seat in state.ballots)
    return tuple(seat for seat in asked if state.ballots[seat].status in ("cast", "abstained"))


def named_by_seats(state: State) -> Mapping[str, str]:
    """Seat -> the claim that it names as decisive. Sealed until its phase ends; an unknown claim is no answer."""
    named = ((seat, answer.decided_by or "") for seat, answer in _given_by_seats(state))
    return {seat: claim_id for seat, claim_id in named if claim_id in state.claims}


def claims_named_by_seats(state: State) -> Mapping[str, int]:
    """Claim id -> number of seats that name it, most first, then in the order of the debate."""
    return _most_named(state, named_by_seats(state).values())


def asked_of_seats(state: State) -> tuple[str, ...]:
    """The claims that the second phase asks about, as `asked_claims` chooses them for people."""
    return _asked_about(claims_named_by_seats(state))


def answers_of_seats(state: State) -> Mapping[str, Mapping[str, str]]:
    """Claim id -> seat -> option or "abstain"; a missing answer is unknown.

    An unknown claim or option is no answer, nor are two different answers of one seat about one claim.
    """
    given: dict[str, dict[str, str]] = {claim_id: {} for claim_id in asked_of_seats(state)}
    for seat, answer in _given_by_seats(state):
        said: dict[str, set[str]] = {}
        for vote in answer.supposed:
            said.setdefault(vote.claim_id, set()).add(ABSTAIN if vote.option is None else vote.option)
        for claim_id, options in said.items():
            if claim_id in given and len(options) == 1 and options <= {*state.spec.options, ABSTAIN}:
                given[claim_id][seat] = options.pop()
    return given


def _given_by_seats(state: State) -> Iterator[tuple[str, CruxAnswer]]:
    """Answers of ended phases, in schedule order."""
    for turn in state.turns:
        if turn.status == "ok" and isinstance(turn.content, CruxAnswer):
            yield turn.seat, turn.content
