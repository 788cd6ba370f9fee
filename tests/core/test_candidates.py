"""Candidates that seats propose: what is compared, what is struck, the outcome if no seat proposes (R174)."""

import csv
import io
import re
from random import Random

import pytest

from debate_core.engine import comparisons
from debate_core.engine.audit import verify
from debate_core.engine.candidates import struck_in
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.acts import Struck
from debate_core.record.commands import Act, FailTurn, Resume, SkipTurn, TakeTurn, Truncate
from debate_core.record.state import Request
from debate_core.report.facts.account import account
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.proposals import proposal_rows
from debate_core.report.facts.tournament import Comparing, progress
from debate_core.report.files.export import export_files
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.content_lines import note_lines
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.seats.prompts import prompt_for
from debate_core.spec.contents import Candidate, Candidates, Linked, StruckCandidate, Synthesis, Verdict
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.presets.default_rosters import default_seats
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat, Usage
from tests.playing import Played

RULES = PROTOCOLS["co_scientist"]
QUESTION = "How do we publish events?"


def spec_of(*options: str, rules: Protocol = RULES, rounds: int = 8, chair: bool = False) -> Spec:
    seats = [*default_seats(rules, QUESTION, options, "scripted")]
    if chair:
        seats.append(Seat(id="cora", role="chair", occupant="human"))
    return compose(QUESTION, options, rules, seats, max_rounds=rounds)


def propose(played: Played, *names: str, builds_on: tuple[str, ...] = ()) -> None:
    request = asked(played, "candidates")
    new = tuple(Candidate(name=name, text=f"{name} in full.", builds_on=builds_on) for name in names)
    give(played, request, Candidates(reason="They differ.", candidates=new))


def screen(played: Played, *struck: str, added: tuple[str, ...] = ()) -> None:
    request = asked(played, "screening")
    cannot = tuple(StruckCandidate(name=name, because="It cannot be done.") for name in struck)
    new = tuple(Candidate(name=name) for name in added)
    give(played, request, Candidates(kind="screening", reason="Read.", struck=cannot, candidates=new))


def asked(played: Played, gives: str) -> Request:
    request = played.requests()[0]
    assert request.gives == gives
    return request


def give(played: Played, request: Request, content: object) -> None:
    played.do(TakeTurn(by=request.seat, request=request.id, content=content))  # type: ignore[arg-type]


def compare_all(played: Played) -> None:
    """Comparisons until something else is asked; the first by the alphabet wins."""
    while (open_now := played.requests()) and open_now[0].gives == "verdict":
        pair = played.state.compared[open_now[0].turn()]
        give(played, open_now[0], Verdict(reasoning=f"{min(pair)} does it.", option=min(pair)))


def options_of(played: Played) -> tuple[str, ...]:
    return played.state.spec.options


def test_late_candidates_enter_the_ranking_unless_struck():
    # R174: Generation, Reflection, Ranking, Evolution, Ranking, Meta-review.
    played = Played(spec_of("d typed"))
    propose(played, "b relay", "c polling", "B  Relay", "e magic", "D typed")
    screen(played, "e magic")
    assert options_of(played) == ("d typed", "b relay", "c polling")
    compare_all(played)
    evolving = view(played.state, asked(played, "candidates"))
    assert evolving.options[0] == "b relay"
    propose(played, "a outbox", builds_on=("b relay",))
    assert "a outbox" not in options_of(played)
    screen(played)
    assert options_of(played)[-1] == "a outbox"
    before = comparisons.contests(played.state)
    assert not any("a outbox" in contest for contest in before)
    compare_all(played)
    summed_up = Synthesis(answer="It needs no broker.", established=(Linked(text="It is cheap."),), option="c polling")
    give(played, asked(played, "synthesis"), summed_up)
    assert played.requests() == ()
    # The count decides, and not what sums it up.
    told = account(played.state, played.events)
    assert told.ranking[0].option == "a outbox"
    assert played.outcome().decision in ("a outbox", "escalate")
    assert verify(played.events) == ()
    assert not any(finding.name == "synthesis_unlinked" for finding in told.findings)
    became = {row.name: (row.became, row.round, row.builds_on) for row in told.proposals}
    assert became == {
        "b relay": ("compared", 1, ()),
        "c polling": ("compared", 1, ()),
        "B  Relay": ("named before", 1, ()),
        "e magic": ("struck", 1, ()),
        "D typed": ("named before", 1, ()),
        "a outbox": ("compared", 7, ("b relay",)),
    }
    assert "struck: It cannot be done." in markdown_report(told)
    rows = csv.DictReader(io.StringIO(export_files(told, "csv")["candidates.csv"].decode()))
    assert [row["name"] for row in rows] == [*became]


def test_each_candidate_has_its_fate_and_the_reason_if_struck():
    played = Played(spec_of("d typed", chair=True))
    propose(played, "relay", "magic", "D typed", "polling")
    screen(played, "polling", "d typed")
    # The last screening counts: it restores one, and strikes another together with the same one by another name.
    screen(played, "magic", "d typed", added=(" Magic ", "outbox"))
    told = [(row.name, row.became, row.why) for row in proposal_rows(played.state)]
    assert told == [
        ("relay", "compared", ""),
        ("magic", "struck", "It cannot be done."),
        ("D typed", "named before", ""),
        ("polling", "compared", ""),
        ("Magic", "struck", "It cannot be done."),
        ("outbox", "compared", ""),
    ]


def test_who_proposes_in_a_later_round_names_something_new_too():
    played = Played(spec_of())
    with pytest.raises(RuleViolation, match="name at least 2 candidates that are not proposed yet: 1 of these 1"):
        propose(played, "relay")
    propose(played, "relay", "polling")
    screen(played)
    compare_all(played)
    with pytest.raises(RuleViolation, match="name at least 1 candidate that is not proposed yet: 0 of these 2"):
        propose(played, "Relay", "polling")
    propose(played, "relay", "outbox")


def test_proposals_are_compared_once_comparisons_begin():
    played = Played(spec_of())
    assert progress(played.state) == Comparing(given=0, most=None, next_pair=None, beside=0)
    now = agenda(played.state)[0]
    assert (now.name, now.beside) == ("Comparisons", "0")
    propose(played, "relay", "polling", "relay")
    (first, second, again) = proposal_rows(played.state)
    assert [row.became for row in (first, second, again)] == ["not compared", "not compared", "named before"]
    assert (first.round, first.phase, first.by, first.text) == (1, "generation", first.seat, "relay in full.")


def test_what_was_proposed_in_a_turn_that_is_struck_is_not_told():
    played = Played(spec_of(chair=True))
    propose(played, "relay", "polling")
    assert len(proposal_rows(played.state)) == 2
    turn = played.state.all_turns()[0]
    played.do(Act(by="cora", act=Struck(turn=turn.place(), reason="an insult")))
    assert proposal_rows(played.state) == ()


def test_before_anything_is_proposed_there_is_nothing_to_find():
    told = account(Played(spec_of()).state)
    assert (told.findings, told.proposals) == ((), ())


def test_a_comparer_reads_the_proposals_and_no_other_candidate():
    played = Played(spec_of())
    propose(played, "relay", "polling", "outbox")
    screen(played)
    for request in played.requests():
        seen = view(played.state, request)
        assert {source.title for source in seen.sources} == set(seen.options)
        assert all(source.text == f"{source.title} in full." for source in seen.sources)
    assert [source.id for source in played.state.spec.sources] == ["C1", "C2", "C3"]


def test_a_person_in_the_chair_strikes_restores_and_adds():
    played = Played(spec_of(chair=True))
    propose(played, "relay", "polling", "magic", "queue")
    screen(played, "magic", "polling")
    screen(played, "relay", added=("outbox",))
    assert options_of(played) == ("polling", "magic", "queue", "outbox")
    assert verify(played.events) == ()


def test_a_screening_shows_what_was_proposed_and_struck():
    played = Played(spec_of())
    propose(played, "relay", "polling", "magic")
    screen(played, "magic")
    told = account(played.state, played.events)
    proposed, screened = (note_lines(told, row) for row in told.turns)
    assert proposed[0] == "candidate (relay): relay in full."
    assert screened == ("struck (magic): It cannot be done.",)


def test_whoever_proposes_after_a_screening_restores_nothing():
    screened = Candidates(kind="screening", reason="Read.", struck=(StruckCandidate(name="magic", because="No."),))
    later = Candidates(reason="One more.", candidates=(Candidate(name="queue"),))
    assert struck_in([screened, later]) == screened.struck


def test_a_chair_who_passes_leaves_what_was_screened():
    played = Played(spec_of(chair=True))
    propose(played, "relay", "polling", "magic")
    screen(played, "magic")
    request = asked(played, "screening")
    played.do(SkipTurn(by="cora", request=request.id, reason="approved as it stands"))
    assert options_of(played) == ("relay", "polling")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "name at least 2 candidates that are not proposed yet: 0 of these 0 are new"),
        (("relay", "Relay ", "RELAY"), "name at least 2 candidates that are not proposed yet: 1 of these 3 are new"),
        (tuple(map(str, range(10_000))), "10000 candidates are too many: at most 200 more can be compared"),
        (("relay", " "), "a candidate is called 'abstain' or has no name: give each one its own name"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(names: tuple[str, ...], message: str):
    played = Played(spec_of())
    with pytest.raises(RuleViolation, match=re.escape(message)):
        propose(played, *names)
    assert played.requests()[0].gives == "candidates"


def test_a_screening_leaves_something_to_compare():
    played = Played(spec_of())
    propose(played, "relay", "polling")
    with pytest.raises(RuleViolation, match="this leaves fewer than 2 candidates: strike fewer, or name others"):
        screen(played, "relay")


def fail(played: Played) -> None:
    request = played.requests()[0]
    played.do(FailTurn(by=request.seat, request=request.id, error="unparseable", message="none is named"))


def test_without_proposers_the_debate_waits_for_typed_candidates():
    played = Played(spec_of())
    fail(played)
    fail(played)
    assert played.state.paused == "generator proposed no candidates, and 2 are needed: none is named"
    request = played.requests()[0]
    two = (Candidate(name="relay"), Candidate(name="polling"))
    played.do(TakeTurn(by="ana", request=request.id, content=Candidates(reason="Typed.", candidates=two)))
    played.do(Resume(by="ana"))
    screen(played)
    assert options_of(played) == ("relay", "polling")
    assert verify(played.events) == ()


def test_a_seat_that_passes_is_waited_for_as_often_as_it_passes():
    played = Played(spec_of())
    for _ in range(2):
        request = played.requests()[0]
        played.do(SkipTurn(by="generator", request=request.id, reason="no model sits here"))
        assert "no model sits here" in str(played.state.paused)
        played.do(Resume(by="ana"))
    propose(played, "relay", "polling")
    screen(played)
    assert options_of(played) == ("relay", "polling")
    assert len({event.key for event in played.events}) == len(played.events)
    assert verify(played.events) == ()


def test_whoever_leads_may_let_it_end_without_candidates():
    played = Played(spec_of())
    fail(played)
    fail(played)
    played.do(Resume(by="ana", gives_up=True))
    outcome = played.outcome()
    assert (outcome.status, outcome.ended_by) == ("undecided", "no_candidates")
    assert "There were fewer than two candidates to compare" in outcome_sentence(account(played.state, played.events))
    assert verify(played.events) == ()


def test_typed_options_are_compared_where_nobody_proposes():
    played = Played(spec_of("relay", "polling"))
    fail(played)
    fail(played)
    assert played.state.paused is None
    assert played.requests()[0].gives == "verdict"


def test_an_uncompared_candidate_keeps_others_from_winning():
    stop = (Ceiling(calls=0), *RULES.stop)
    played = Played(spec_of("b relay", "c polling", rules=RULES.model_copy(update={"stop": stop}), rounds=30))
    fail(played)
    fail(played)
    compare_all(played)
    propose(played, "a outbox")
    screen(played)
    assert comparisons.ranking(played.state).told_apart_after(1)
    played.do(Truncate(by="runner", request=played.requests()[0].id, reserved=Usage(calls=1)))
    assert (played.outcome().status, played.outcome().ended_by) == ("undecided", "ceiling_calls")


def test_it_does_not_end_before_what_is_still_to_be_proposed():
    rng = Random(1)
    played = Played(spec_of(*(f"{n:02}" for n in range(10)), rounds=9))
    fail(played)
    fail(played)
    while played.requests():
        request = played.requests()[0]
        match request.gives:
            case "candidates":
                propose(played, "99")
            case "screening":
                screen(played)
            case "synthesis":
                give(played, request, Synthesis(answer="So."))
            case _:
                pair = played.state.compared[request.turn()]
                give(played, request, Verdict(reasoning="So.", option=min(pair) if rng.random() < 0.9 else None))
    assert played.outcome().rounds_run >= 7
    assert "99" in options_of(played)


def test_the_prompts_ask_for_candidates_and_for_what_is_left_out():
    played = Played(spec_of())
    generating = prompt_for(view(played.state, played.requests()[0]))
    assert "You propose what others will compare" in generating.tail
    assert [*generating.schema["properties"]] == ["reason", "candidates"]  # type: ignore[misc]
    assert "The options:" not in generating.blocks[0]
    propose(played, "relay", "polling")
    screening = prompt_for(view(played.state, played.requests()[0]))
    assert "Strike one that says the same" in screening.tail
    assert [*screening.schema["properties"]] == ["reason", "struck"]  # type: ignore[misc]
    assert any('Candidate "relay": relay in full.' in block for block in screening.blocks)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"after": (Phase(name="late", gives="candidates", role="generator"),)}, "only a phase of a tournament before"),
        ({"each_round": (*RULES.each_round[3:], *RULES.each_round[:1])}, "only a phase of a tournament before a comp"),
        ({"before": (Phase(name="generation", gives="candidates"),)}, "only the generator can give it"),
    ],
)
def test_candidates_come_before_a_comparison(changes: dict[str, object], message: str):
    with pytest.raises(InvalidSpec, match=message):
        spec_of("relay", "polling", rules=RULES.model_copy(update=changes))
