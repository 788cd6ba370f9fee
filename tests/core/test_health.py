"""Health checks on whole debates, the results of other rules, and the sentences for the new kinds of turns."""

from itertools import product

import pytest

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.engine.count.margin_of_victory import Flip
from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec
from debate_core.language import spoken
from debate_core.record.commands import TakeTurn
from debate_core.record.state import State, replace
from debate_core.report.facts.account import account
from debate_core.report.facts.claimed_agreement import agreements_told
from debate_core.report.facts.counts import debaters_count, what_if
from debate_core.report.facts.health import conformed, critique_rows, findings, flags
from debate_core.report.facts.office_turns import directive_rows, evaluation_rows
from debate_core.report.facts.repetition import looks
from debate_core.report.facts.ruling import ruling_of
from debate_core.report.facts.turns import turn_rows
from debate_core.report.files.export import csv_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.counts import flip_words, robustness_sentence
from debate_core.report.phrases.ending import ended_words
from debate_core.report.phrases.foreword import not_a_debate_words
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec.contents import Directive
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import DELIBERATION, PROTOCOLS, compose, synthesiser
from debate_core.spec.rules import (
    AllOf,
    CountedRule,
    Majority,
    NoProgress,
    Plurality,
    Stable,
    Supermajority,
    Threshold,
    Unanimity,
)
from debate_core.spec.values import Role, Seat
from debate_core.spec.warnings import missing_of_a_debate
from tests.agreement_sentences import AGREED, NOT_AGREED
from tests.holding import OPTIONS, SEATS, Said, hold, script, steady, turn
from tests.playing import Played


def found(state: State) -> dict[str, str]:
    return {f.name: f.sentence for f in findings(state)}


def panel(turns: list[Said], answer: str) -> State:
    seats: list[Said] = [{"id": s} for s in SEATS]
    seats.append({"id": "synthesiser", "role": "synthesiser"})
    last: Said = {"seat": "synthesiser", "content": {"answer": answer}}
    return hold(script([*turns, last], protocol="expert_panel", seats=seats, settings={"rounds": 2}))[0]


SPLIT = steady({"planner": "release", "critic": "revise", "operator": "escalate"})


@pytest.mark.parametrize(
    ("answer", "phantom"),
    [
        ("All three debaters agree on release.", True),
        ("The panel agreed on release.", True),
        ("Its Raft consensus gives the store strong consistency.", False),
        ("There was little consensus.", False),
        ("They could not all agree.", False),
        ("Both sides agree that the rollback is slow.", False),
    ],
)
def test_agreement_that_was_not_counted_is_a_phantom(answer: str, phantom: bool):
    # R062
    assert ("phantom_consensus" in found(panel(SPLIT, answer))) is phantom


def test_claims_of_agreement_are_told_from_talk_of_agreement():
    # R062
    missed = [s for s in AGREED if not [*agreements_told(s, OPTIONS)]]
    alarms = [s for s in NOT_AGREED if [*agreements_told(s, OPTIONS)]]
    assert (len(AGREED) > 60, len(NOT_AGREED) > 100) == (True, True)
    assert (len(missed) <= 0.15 * len(AGREED), len(alarms) <= 0.02 * len(NOT_AGREED)) == (True, True), (missed, alarms)


def test_agreement_that_was_counted_is_none():
    state = panel(steady(dict.fromkeys(SEATS, "release")), "All debaters agree: consensus for release.")
    assert "phantom_consensus" not in found(state)
    most = steady({"planner": "release", "critic": "release", "operator": "revise"})
    assert "phantom_consensus" not in found(panel(most, "There is consensus for release."))
    assert found(panel(most, "It was unanimous."))["phantom_consensus"] == (
        "synthesiser claims agreement (“unanimous”), but the count is release 2, revise 1 of 3."
    )


def test_one_seat_that_fills_the_room():
    # R056
    long, short = " ".join(f"word{i}" for i in range(90)), " ".join(f"item{i}" for i in range(30))
    turns = [turn("planner", "release", rationale=long), *(turn(s, "release", rationale=short) for s in SEATS[1:])]
    state, _ = hold(script(turns))
    assert found(state)["dominance"] == "planner said 60\u00a0% of the words, where an even share is 33\u00a0%."
    even = [turn(s, "release", rationale=short + f" {s}" * 10) for s in SEATS]
    assert "dominance" not in found(hold(script(even))[0])


def test_flips_to_the_majority_need_more_than_one_case():
    # R114
    ids = [f"s{i}" for i in range(9)]
    majority = [turn(s, "release", repeat=True, rationale=f"{s} stays") for s in ids[:5]]
    moved = [turn(s, "revise", phase="proposal") for s in ids[5:]]
    moved += [turn(s, "release", repeat=True, concedes=["s0.1.1"]) for s in ids[5:]]
    fields = {"seats": [{"id": s} for s in ids], "settings": {"rounds": 1, "threshold": 6}}
    state, _ = hold(script([*majority, *moved], **fields))
    seen = conformed(state)
    assert (seen.flips, seen.against, len(seen.turns)) == (4, 4, 4)
    assert found(state)["conformity"].startswith(
        "4 of 4 ballots against the majority moved into it (95 % interval 40\u00a0%"
    )
    one, _ = hold(script([*majority, *steady({"s5": "revise"})], **{**fields, "seats": fields["seats"][:6]}))  # type: ignore[index]
    assert "conformity" not in found(one)


def _models(line_of: dict[str, str]) -> State:
    """A moderated debate of models before a judge, at its first round."""
    roles: dict[str, Role] = {"mod": "moderator", "judge": "judge"}
    seats = [Seat(id=s, role=roles.get(s, "debater"), model=m, stance="adopt") for s, m in line_of.items()]
    lines = [ModelLine(id=m, model=m, provider="own", family=m, dialect="chat") for m in sorted({*line_of.values()})]
    protocol = PROTOCOLS["moderated_judge"]
    played = Played(compose("Which?", ("adopt", "wait"), protocol, seats, models=lines))
    directive = Directive(reason="Begin", next_speakers=("anna",))
    played.do(TakeTurn(by="mod", request=requests(played.state)[0].id, content=directive))
    return played.state


def test_several_signs_of_theatre_are_named():
    # R023, R059
    state = _models({"anna": "north", "ben": "north", "mod": "south", "judge": "south"})
    assert found(state)["theatrical"] == (
        "4 signs of a staged debate: one model debates in all seats; two seats have the same stance and "
        "persona; a model chooses who speaks; no votes are counted, a model names the result."
    )
    assert "theatrical" not in found(hold(script(steady(dict.fromkeys(SEATS, "release"))))[0])


STOPS = ("all_agree", "stable", "moderator_done", "no_further_round", "no_progress", "all_of", "threshold_vote")


@pytest.mark.parametrize("name", [*STOPS, "max_rounds_exhausted", "provider_down", "stopped", "ceiling_usd"])
def test_every_reason_to_end_has_plain_words(name: str):
    # R060
    state, _ = hold(script(SPLIT))
    assert state.outcome is not None
    rule = AllOf(rules=(Stable(), NoProgress()))
    protocol = state.spec.protocol.model_copy(update={"stop": (rule, *state.spec.protocol.stop)})
    outcome = state.outcome.model_copy(update={"ended_by": name})
    told = ended_words(
        account(replace(state, spec=state.spec.model_copy(update={"protocol": protocol}), outcome=outcome))
    )
    assert " " in told
    if name == "all_of":
        assert told == "no ballot had changed since the previous round and the round had brought no new claim"


CASE: list[Said] = [
    {"seat": "framer", "content": {"thesis": "It pays", "scope": "this year", "criteria": ["cost"]}},
    turn("proposer", None, claims=["It saves $120/month", "Nobody is on call"]),
    {
        "seat": "critic",
        "attempt": 1,
        "content": {"rationale": "While I acknowledge the point, this is generally reasonable.", "strength": 4},
    },
    {"seat": "critic", "attempt": 2, "content": {"rationale": "I mostly agree with it all.", "strength": 5}},
    turn("rebuttal", None, rationale="So be it then"),
    {
        "seat": "evaluator",
        "content": {
            "synthesis": "Thin on both sides",
            "quality": [{"seat": "proposer", "score": 7}],
            "unresolved": [{"text": "who pays", "links": ["proposer.1.9"]}],
            "recommend_another_round": False,
            "confidence_level": "LOW",
            "uncertainties": ["load"],
        },
    },
    {"seat": "synthesiser", "content": {"answer": "Adopt", "option": "adopt"}},
]


def criticised(turns: list[Said]) -> Said:
    """A proposal, a critique, a rebuttal and an evaluation."""
    seats: list[Said] = [{"id": s} for s in ("proposer", "critic", "rebuttal")]
    seats += [{"id": s, "role": s} for s in ("framer", "evaluator", "synthesiser")]
    return script(turns, protocol="proposer_critic", options=["adopt", "wait"], seats=seats, settings={"rounds": 2})


def case() -> tuple[State, dict[str, str]]:
    state, events = hold(criticised(CASE))
    assert state.outcome is not None
    return state, csv_files(account(state, events))


def test_weak_critiques_are_told_with_their_attempts():
    # R238, R252, R261
    state, files = case()
    row = critique_rows(state, looks(state))[0]
    assert (row.strength, row.attempts, row.answered, row.answerable, row.lazy) == (5, 2, 0, 2, True)
    assert "weak_critic" in flags(state)
    assert "Critiques rate themselves 5.0 of 10 on average (1 rated); 1 asked again" in text_report(account(state))
    assert '"strength"' in files["turns.csv"].splitlines()[0]


def test_lazy_and_soft_critiques_are_findings():
    # R239
    told = found(case()[0])
    assert told["lazy_critic"] == "Critiques (critic) answer 0 of 2 claims they could answer and claim nothing new."
    assert told["softening"] == "Critiques (critic) soften: “I mostly agree”."


@pytest.mark.parametrize(
    ("claim", "lazy"),
    [
        ("It pays for itself within a year", True),
        ("Within a year it pays for itself", True),
        ("Nobody can run it", False),
    ],
)
def test_a_critique_that_claims_what_was_claimed_already_is_lazy(claim: str, lazy: bool):
    # R239
    proposal = turn("proposer", None, claims=["It pays for itself within a year", "The team wants it"])
    critique = turn("critic", None, claims=[claim], strength=8)
    state, _ = hold(criticised([CASE[0], proposal, critique, *CASE[4:]]))
    assert [row.lazy for row in critique_rows(state, looks(state))] == [lazy]


def test_the_evidence_panel_is_no_lazy_critic():
    """It quotes documents and answers no one."""
    state, _ = hold(criticised(CASE))
    seats = [seat.model_copy(update={"occupant": "offline"}) for seat in state.spec.seats]
    with_panel = replace(state, spec=state.spec.model_copy(update={"seats": tuple(seats)}))
    assert critique_rows(with_panel, looks(with_panel)) == ()
    assert "lazy_critic" not in found(with_panel)


def test_framings_and_evaluations_are_read_and_exported():
    # R230, R245
    state, files = case()
    told = [(r.kind, r.section, r.subject, r.text, r.flags) for r in evaluation_rows(state)]
    assert told == [
        ("framing", "thesis", "", "It pays", ()),
        ("framing", "scope", "", "this year", ()),
        ("framing", "criterion", "", "cost", ()),
        ("evaluation", "synthesis", "", "Thin on both sides", ()),
        ("evaluation", "quality", "proposer", "7", ()),
        ("evaluation", "unresolved", "", "who pays", ("unknown_claim",)),
        ("evaluation", "another_round", "", "no", ()),
        ("evaluation", "confidence_level", "", "LOW", ()),
        ("evaluation", "uncertainty", "", "load", ()),
    ]
    ids = [r.line_id.split(".", 4)[-1] for r in evaluation_rows(state)]
    assert ids[:3] == ["thesis.1", "scope.1", "criterion.1"], ids
    assert [r.text for r in turn_rows(state)] == [
        "It pays",
        "proposer rationale",
        "I mostly agree with it all.",
        "So be it then",
        "Thin on both sides",
        "Adopt",
    ]
    beside = "  - quality (proposer): 7\n  - unresolved: who pays [an unknown claim]\n"
    assert beside in text_report(account(state))
    assert "- quality (proposer): 7\n" in markdown_report(account(state))
    assert len(files["evaluations.csv"].splitlines()) == 10
    assert "lazy_critic" in files["health.csv"]


def judged(*verdicts: Said, directions: tuple[Said, ...] = ()) -> State:
    seats: list[Said] = [{"id": "anna", "stance": "adopt"}, {"id": "ben", "stance": "wait"}]
    seats += [{"id": "judge", "role": "judge"}, {"id": "mod", "role": "moderator"}]
    turns: list[Said] = [{"seat": "judge", "content": v} for v in verdicts]
    turns += [{"seat": "mod", "content": d} for d in directions]
    turns += [turn("anna", None, repeat=True, rationale="A"), turn("ben", None, repeat=True, rationale="B")]
    fields: Said = {"options": ["adopt", "wait"], "seats": seats, "settings": {"rounds": 2}}
    return hold(script(turns, protocol="moderated_judge" if directions else "stance_judge", **fields))[0]


WEIGHED: Said = {"reasoning": "Better backed", "verdict": "adopt it now", "option": "adopt"}


def test_a_verdict_names_the_option_and_a_mixture_names_none():
    # R074
    state = judged(WEIGHED)
    assert outcome_sentence(account(state)) == (
        "Decided: adopt. Named by judge, as agreed before the start. No votes were counted."
        " The rounds ended because the last round was over."
    )
    told = run_json(account(state))
    assert told["verdict"] == {"verdict": "adopt it now", "winner": "adopt", "reasoning": "Better backed"}
    assert (told["speaker_selected_by"], told["directives"]) == ("schedule", [])
    mixed = judged({"reasoning": "Both", "verdict": "first one, then the other", "option": ""})
    ended = "The rounds ended because the last round was over."
    assert (
        outcome_sentence(account(mixed))
        == f"Undecided. Agreed next step: escalate. The judge named no option (after 2 rounds). {ended}"
    )
    assert (
        outcome_sentence(account(judged()))
        == f"Undecided. Agreed next step: escalate. The judge gave no result (after 2 rounds). {ended}"
    )


def test_directives_are_told_round_by_round():
    # R061, R098, R108
    one: Said = {"reason": "Open", "next_speakers": ["anna", "ben"], "briefing": "Costs first"}
    two: Said = {"reason": "Close", "next_speakers": ["ben"], "new_angle": "risk", "done": True}
    state = judged(WEIGHED, directions=(one, two))
    told = run_json(account(state))
    assert told["directives"] == [
        *({"round": 1, "next_speakers": ("anna", "ben"), "briefing": "Costs first", "new_angle": "", **rest}
          for rest in ({"done": False, "by": "mod"},)),
        {"round": 2, "next_speakers": ("ben",), "briefing": "", "new_angle": "risk", "done": True, "by": "mod"},
    ]  # fmt: skip
    assert told["speaker_selected_by"] == "moderator (scripted)"
    assert [r.replaced for r in directive_rows(state)] == [False, False]
    shown = text_report(account(state))
    assert "  - speakers: ben\n  - new angle: risk\n  - this is the last round\n" in shown
    assert "  - speakers: anna, ben\n  - briefing: Costs first\n" in shown


RULES: tuple[CountedRule, ...] = (
    Plurality(),
    Plurality(quorum=3),
    Majority(),
    Supermajority(),
    Unanimity(),
    Threshold(votes=2),
    Threshold(votes=3, quorum=4),
)


def _count(rule: CountedRule, options: tuple[str, ...], ballots: tuple[str, ...]) -> Count:
    """One vote each; `-` cast none."""
    votes = {f"v{n}": option for n, option in enumerate(ballots)}
    cast = tuple(BallotCounted(voter, option) for voter, option in votes.items() if option != "-")
    return Count("test", rule, "one", options, cast, {voter: 1 for voter, option in votes.items() if option == "-"})


@pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r.kind}-{r.quorum}")
def test_the_margin_of_ballots_is_minimal(rule: CountedRule):
    options = ("x", "y", "z")
    every = [*product((*options, "-"), repeat=4)]
    said = {ballots: _count(rule, options, ballots).result().winners for ballots in every}
    for ballots in orders_of(every):
        away = min(sum(a != b for a, b in zip(ballots, other, strict=True)) for other in every if
                said[other] != said[ballots])  # fmt: skip
        assert _count(rule, options, ballots).flip() == Flip(away, exact=True, tried=away), ballots


def orders_of(every: list[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """One order of each set of ballots: a count knows no order."""
    return {tuple(sorted(ballots)) for ballots in every}


def test_what_other_rules_would_have_said():
    state, _ = hold(script(steady({"planner": "release", "critic": "release", "operator": "revise"})))
    assert [(w.rule, w.needed, w.winners, w.agreed, flip_words(w.flip)) for w in what_if(debaters_count(state))] == [
        ("threshold_vote", 2, ("release",), True, "1"),
        ("plurality", None, ("release",), False, "1"),
        ("majority", 2, ("release",), False, "1"),
        ("supermajority", 2, ("release",), False, "1"),
        ("unanimity", 3, (), False, "1"),
    ]
    assert robustness_sentence(ruling_of(state)) == (
        "On the last ballots threshold vote says: release; 1 ballot cast differently could change that. "
        "It also wins under plurality, majority and supermajority. Nothing is decided under unanimity."
    )
    assert (what_if(debaters_count(judged(WEIGHED))), robustness_sentence(ruling_of(judged(WEIGHED)))) == ((), "")


def test_incomparable_votes_are_level():
    protocol = {"protocol": "self_consistency", "seats": [{"id": s} for s in SEATS[:2]], "settings": {}}
    state, _ = hold(script(steady({"planner": "release", "critic": "revise"}), **protocol))
    assert outcome_sentence(account(state)) == (
        "Undecided. Agreed next step: escalate. "
        "release and revise are tied with 1 each: release 1, revise 1 (2 of 2 ballots cast). "
        "It ended after round 1, answer, because the last round was over."
    )
    agreed, _ = hold(script(steady({"planner": "release", "critic": "release"}), **protocol))
    assert outcome_sentence(account(agreed)) == (
        "Decided: release. 2 of 2 seats, the most votes → decided by plurality after round 1, answer. "
        "It ended because the last round was over."
    )


def test_a_run_that_is_no_debate_says_so():
    # R065, R130
    protocol = {"protocol": "self_consistency", "seats": [{"id": s} for s in SEATS[:2]], "settings": {}}
    state, events = hold(script(steady({"planner": "release", "critic": "revise"}), **protocol))
    label = "Not a debate: it lacks more than one exchange and reading one another."
    assert "not_a_debate" in flags(state)
    assert label in text_report(account(state, events))
    assert label in markdown_report(account(state, events))
    with spoken("de"):
        german = "Keine Debatte. Was fehlt: mehr als ein Wortwechsel und gegenseitiges Lesen."
        assert not_a_debate_words(state.spec) == german
    real, _ = hold(script(SPLIT))
    assert (missing_of_a_debate(real.spec), "not_a_debate" in flags(real)) == ((), False)


@pytest.mark.parametrize(
    ("stances", "lacks"),
    [
        (("release", "revise"), ()),
        (("release", " Release "), ("sides that oppose each other",)),
        (("release", ""), ("a side for every debater to defend",)),
        (("", ""), ("a side for every debater to defend",)),
    ],
)
def test_a_deliberation_without_opponents_is_no_debate(stances, lacks):
    # R130: opposing assigned positions
    seats = [Seat(id=name, stance=stance) for name, stance in zip(("ana", "ben"), stances, strict=True)]
    seats.append(synthesiser("human"))
    spec = compose("Which?", ["release", "revise"], DELIBERATION, seats)
    assert missing_of_a_debate(spec) == lacks
    assert not_a_debate_words(spec) == (f"Not a debate: it lacks {lacks[0]}." if lacks else "")
    with pytest.raises(InvalidSpec, match="at least 2 debaters, not 1"):
        compose("Which?", ["release", "revise"], DELIBERATION, seats[1:])


def test_health_rows_are_flags_then_findings():
    state, _ = case()
    rows = account(state).health
    assert [r.name for r in rows if r.kind == "flag"] == list(flags(state))
    assert [r.name for r in rows if r.kind == "finding"] == [f.name for f in findings(state)]
