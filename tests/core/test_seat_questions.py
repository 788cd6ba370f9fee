"""Questions to seats beside their vote: their place in every protocol, and their effect on other prompts."""

from collections.abc import Mapping

import pytest

from debate_core.errors import InvalidSpec
from debate_core.record.state import Request
from debate_core.seats.forecast import play_on_paper
from debate_core.seats.prompts import digests, prompt_for
from debate_core.spec.contents import CRUX_KINDS
from debate_core.spec.presets import PROTOCOLS, compose, default_seats, protocol
from debate_core.spec.protocol import Phase, Protocol, Spec, asks_ballot
from debate_core.spec.protocol_changes import (
    asks_crux,
    has_premortem,
    with_crux,
    with_premortem,
    without_crux,
    without_premortem,
)
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from tests.by_hand import small_spec
from tests.playing import Played

OPTIONS = ("adopt", "defer")
NAMES = sorted(PROTOCOLS)


def spec_of(rules: Protocol) -> Spec:
    return compose("Should we adopt?", OPTIONS, rules, default_seats(rules, "Should we adopt?", OPTIONS, "model"))


def said(request: Request) -> str:
    """A text that depends on the turn alone."""
    return f"Words of {request.id}"


@pytest.mark.parametrize("name", NAMES)
def test_crux_is_asked_after_last_ballot_and_changes_no_prompt(name: str):
    plain = protocol(name)
    asking = with_crux(plain)
    assert asks_crux(asking) == any(asks_ballot(plain, phase) for phase in plain.phases())
    assert without_crux(asking) == plain
    assert with_crux(asking) == asking
    if asking == plain:
        return
    before = play_on_paper(spec_of(plain), "adopt", said, with_claims=True)
    after = play_on_paper(spec_of(asking), "adopt", said, with_claims=True)
    asked = [request for request, _view in after if request.gives in CRUX_KINDS]
    others = [(request.id, seen) for request, seen in after if request.gives not in CRUX_KINDS]
    assert [(r.id, prompt_for(seen)) for r, seen in before] == [(name, prompt_for(seen)) for name, seen in others]
    ballots = [request.seat for request, seen in after if seen.ballot_options]
    assert [request.seat for request in asked if request.gives == "decisive_claim"] == [
        seat.id for seat in spec_of(asking).debaters() if seat.id in ballots
    ]
    assert {request.gives for request in asked} == {*CRUX_KINDS}


@pytest.mark.parametrize("name", NAMES)
def test_premortem_comes_right_before_the_last_vote(name: str):
    plain = protocol(name)
    rounds = plain.rounds.default
    rules = with_premortem(plain, rounds)
    assert has_premortem(rules) != plain.paired
    assert without_premortem(rules) == plain
    assert with_premortem(rules, rounds) == rules
    if plain.paired:
        return
    played = [request.phase for request, _view in play_on_paper(spec_of(rules), "abstain", said)]
    decisive = {
        phase.name
        for phase in rules.phases()
        if asks_ballot(rules, phase) or (phase.role == rules.deciding_role and phase.gives in ("verdict", "synthesis"))
    }
    last = max(place for place, phase in enumerate(played) if phase == "premortem")
    following = [phase for phase in played[last + 1 :] if phase in decisive]
    assert len(set(following)) == 1
    assert played[last + 1] in decisive


@pytest.mark.parametrize("name", NAMES)
def test_questions_survive_a_protocol_file(name: str):
    rules = with_premortem(with_crux(protocol(name)), protocol(name).rounds.default)
    assert protocol_from_toml(protocol_to_toml(rules), where="f") == rules


def test_prompts_of_questions_are_recorded_only_where_asked():
    plain = {template.name for template in digests(protocol("expert_panel"))}
    asking = {template.name for template in digests(with_crux(protocol("expert_panel")))}
    assert asking - plain == {f"{start}{kind}" for kind in CRUX_KINDS for start in ("", "reply_")}


ASK = {kind: Phase(name=kind, gives=kind, order="at_once", sealed=True) for kind in CRUX_KINDS}
VOTE = Phase(name="vote", order="at_once")
FAULTS: Mapping[str, Mapping[str, tuple[Phase, ...]]] = {
    "before the ballot": {"each_round": (ASK["decisive_claim"], VOTE)},
    "in the wrong order": {"each_round": (VOTE,), "after": (ASK["suppositions"], ASK["decisive_claim"])},
    "of seats in turn": {
        "each_round": (VOTE,),
        "after": (ASK["decisive_claim"].model_copy(update={"order": "in_turn", "sealed": False}),),
    },
    "open premortem": {"each_round": (Phase(name="premortem", gives="premortem", order="at_once"), VOTE)},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_misplaced_question_is_refused(fault: str):
    sections = FAULTS[fault]
    spec = small_spec(*sections["each_round"], after=sections.get("after", ()), decide=protocol("bounded_vote").decide)
    with pytest.raises(InvalidSpec, match=r"phase '\w+' gives"):
        Played(spec)
