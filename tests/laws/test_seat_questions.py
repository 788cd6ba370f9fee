"""Questions to seats beside their vote: sealed until all have answered, never counted, and read without a guess."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.crux import answers_of_seats, asked_of_seats, named_by_seats, seats_asked
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.engine.voting import last_result
from debate_core.record.commands import TakeTurn
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.report.facts.account import account
from debate_core.report.facts.crux import crux_of
from debate_core.report.facts.premortem import reversal_reasons
from debate_core.seats.prompts import prompt_for
from debate_core.spec.contents import Argument, Claim, Content, CruxAnswer, Premortem, SupposedVote
from debate_core.spec.presets import BOUNDED_VOTE, EXPERT_PANEL, compose
from debate_core.spec.protocol import Protocol
from debate_core.spec.protocol_changes import with_crux, with_premortem
from debate_core.spec.rules import Plurality
from debate_core.spec.values import ABSTAIN, Seat
from debate_core.ui.room.live.transcript import news, picture
from tests.playing import Played

OPTIONS = ("a", "b", "c")
MARK = "Zx7"
SEATS = st.integers(2, 4)
CLAIM = st.sampled_from(["s0.1.1", "s1.1.1", "s2.1.1", "unknown.9.9", ""])
CHOICE = st.sampled_from([*OPTIONS, "no such option", None])
SUPPOSED = st.lists(st.builds(SupposedVote, claim_id=CLAIM, option=CHOICE), max_size=4)
ONE_COUNT = Protocol(
    name="one_count", each_round=(EXPERT_PANEL.each_round[0],), stop=BOUNDED_VOTE.stop[1:], decide=Plurality()
)


def opened(n: int, rules: Protocol, rounds: int = 1) -> Played:
    seats = [Seat(id=f"s{i}", occupant="scripted") for i in range(n)]
    return Played(compose("Which?", OPTIONS, rules, seats, max_rounds=rounds))


def argument(request: Request, vote: str | None) -> Argument:
    return Argument(rationale="why", vote=vote, claims=(Claim(text=f"{request.seat} says {request.round}"),))


def answer_in_order(held: Played, order: Sequence[int], says: Mapping[str, Content]) -> None:
    """Every seat of the open phase answers, in this order of seats."""
    for place in order:
        for request in requests(held.state):
            if request.seat == f"s{place}":
                held.do(TakeTurn(by=request.seat, request=request.id, content=says[request.seat]))


@given(st.data(), SEATS)
def test_crux_of_seats_equals_brute_force(data: st.DataObject, n: int):
    votes = data.draw(st.lists(st.sampled_from([*OPTIONS, None]), min_size=n, max_size=n))
    held, plain = opened(n, with_crux(ONE_COUNT)), opened(n, ONE_COUNT)
    for one in (held, plain):
        one.vote({f"s{i}": vote for i, vote in enumerate(votes)}, {f"s{i}": f"point {i}" for i in range(n)})
    assert seats_asked(held.state) == tuple(f"s{i}" for i in range(n))
    named = {f"s{i}": data.draw(CLAIM) for i in range(n)}
    answer_in_order(held, data.draw(st.permutations(range(n))), {s: CruxAnswer(decided_by=c) for s, c in named.items()})
    known = {seat: claim for seat, claim in named.items() if claim in held.state.claims}
    assert named_by_seats(held.state) == known
    ranked = [claim for claim, _n in Counter(sorted(known.values())).most_common()]
    times = Counter(known.values())
    asked = ranked[:3] if len(ranked) > 2 and times[ranked[2]] == times[ranked[1]] else ranked[:2]
    assert asked_of_seats(held.state) == tuple(asked)
    said = {f"s{i}": tuple(data.draw(SUPPOSED)) for i in range(n)} if asked else {}
    answers = {seat: CruxAnswer(kind="suppositions", supposed=given) for seat, given in said.items()}
    answer_in_order(held, data.draw(st.permutations(range(n))), answers)
    assert answers_of_seats(held.state) == {claim: _read(said, claim) for claim in asked}
    assert _decided(held) == _decided(plain)
    assert verify(held.events) == ()
    assert replay(parse_record(dump_record(held.events).encode())) == held.state
    found = crux_of(account(held.state, held.events), "debaters")
    assert (found is None) == (not asked)
    for row in found.rows if found else ():
        if row.supposed is None:
            continue
        results = _results_if(votes, answers_of_seats(held.state)[row.claim_id])
        before = last_result(held.state)
        assert before is not None
        flips = {result != before.winners for result in results}
        assert row.supposed.flips == (flips.pop() if len(flips) == 1 else None)
        assert set(row.unanswered) == {f"s{i}" for i in range(n)} - answers_of_seats(held.state)[row.claim_id].keys()
        assert row.supposed.unknown == len(row.unanswered)


def _read(said: dict[str, tuple[SupposedVote, ...]], claim: str) -> dict[str, str]:
    """One answer of each seat, if it gave just one that names an option or none."""
    found = {}
    for seat, votes in said.items():
        options = {vote.option for vote in votes if vote.claim_id == claim}
        if len(options) == 1 and options <= {*OPTIONS, None}:
            found[seat] = options.pop() or ABSTAIN
    return found


def _results_if(votes: list[str | None], answers: Mapping[str, str]) -> set[tuple[str, ...]]:
    """Winners of a plurality, for every answer that a seat without one could give."""
    possible = [
        [None if answers[f"s{i}"] == ABSTAIN else answers[f"s{i}"]] if f"s{i}" in answers else [*OPTIONS, None]
        for i in range(len(votes))
    ]
    return {_plurality(chosen) for chosen in product(*possible)}


def _plurality(votes: tuple[str | None, ...]) -> tuple[str, ...]:
    counts = Counter(vote for vote in votes if vote)
    # The rule asks for more than half of the voters to have cast a ballot.
    if counts.total() * 2 <= len(votes):
        return ()
    return tuple(sorted(option for option, times in counts.items() if times == max(counts.values())))


def _decided(held: Played) -> tuple[object, ...]:
    outcome = held.outcome()
    return outcome.status, outcome.decision, outcome.decision_rule, outcome.tally, outcome.ties


@given(st.data(), SEATS)
def test_reasons_are_sealed_until_all_have_written(data: st.DataObject, n: int):
    held = opened(n, with_premortem(with_crux(BOUNDED_VOTE), 1))
    while requests(held.state)[0].phase != "premortem":
        held.say(argument(requests(held.state)[0], None))
    texts = {f"s{i}": tuple(data.draw(st.lists(st.sampled_from("uvwxyz"), min_size=1, max_size=5))) for i in range(n)}
    order = data.draw(st.permutations(range(n)))
    says: dict[str, Content] = {s: Premortem(reasons=tuple(f"{MARK} {t}" for t in given)) for s, given in texts.items()}
    answer_in_order(held, [*order[:-1]], says)
    state = held.state
    shown = [repr(picture(state, {}, ())), news(state)]
    for request in requests(state):
        shown += [repr(view(state, request)), repr(prompt_for(view(state, request)))]
    assert MARK not in "".join(shown)
    assert reversal_reasons(state) == ()
    answer_in_order(held, [order[-1]], says)
    assert reversal_reasons(held.state) == tuple(
        dict.fromkeys(f"{MARK} {text}" for i in range(n) for text in texts[f"s{i}"])
    )
    assert held.state.ballots == state.ballots
    assert verify(held.events) == ()


def test_abstention_counts_as_a_ballot_that_can_switch():
    held = opened(3, with_crux(ONE_COUNT)).vote({"s0": "a", "s1": "a", "s2": None}, {"s0": "a point"})
    answer_in_order(held, [0, 1, 2], {f"s{i}": CruxAnswer(decided_by="s0.1.1") for i in range(3)})
    votes = {"s0": "b", "s1": "b", "s2": "c"}
    supposed = {s: (SupposedVote(claim_id="s0.1.1", option=o),) for s, o in votes.items()}
    answer_in_order(held, [0, 1, 2], {s: CruxAnswer(kind="suppositions", supposed=v) for s, v in supposed.items()})
    found = crux_of(account(held.state, held.events), "debaters")
    assert found is not None
    assert found.count.result().winners == (held.outcome().decision,) == ("a",)
    assert found.rows[0].supposed is not None
    assert (found.rows[0].supposed.switched, found.rows[0].supposed.results) == (3, (("b",),))
