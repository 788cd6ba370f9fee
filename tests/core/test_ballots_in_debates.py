"""Debates whose ballots rank, score, approve, spend dots or consent: how they are given, counted, told and exported."""

import csv
import io
import json

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.count.ballot_files import read_ballots
from debate_core.engine.count.methods import elect
from debate_core.engine.field_aliases import BALLOT_FIELDS
from debate_core.engine.validate_content import read_content
from debate_core.errors import BadReply, InvalidSpec
from debate_core.record.events import parse_record
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import debaters_count, pair_rows, tally_rows, what_if
from debate_core.report.facts.ruling import ruling_of
from debate_core.report.files.export import csv_files, export_files, run_json
from debate_core.report.files.report import text_report
from debate_core.report.phrases.counts import robustness_sentence
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.report.phrases.rules import agreed_sentence
from debate_core.spec.contents import Argument
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import (
    CountedRule,
    DecisionReached,
    DecisionRule,
    Elected,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Unanimity,
    votes_needed,
)
from debate_core.spec.values import Given, Tally, TieStep
from tests.holding import Said, hold, script, turn

OPTIONS = ("Memphis", "Nashville", "Chattanooga", "Knoxville")
RANKINGS = {
    "memphis": (["Memphis", "Nashville", "Chattanooga", "Knoxville"], 42),
    "nashville": (["Nashville", "Chattanooga", "Knoxville", "Memphis"], 26),
    "chattanooga": (["Chattanooga", "Knoxville", "Nashville", "Memphis"], 15),
    "knoxville": (["Knoxville", "Chattanooga", "Nashville", "Memphis"], 17),
}


def rules(decide: DecisionRule, *phases: Phase) -> Said:
    """One phase a round, until the rounds are over."""
    made = Protocol(name="own", each_round=phases or (Phase(name="vote"),), stop=(MaxRounds(),), decide=decide)
    return made.model_dump(mode="json")


def tennessee(decide: DecisionRule) -> Said:
    """One seat for each of the four cities, weighing as many as live there."""
    seats = [{"id": seat, "weight": weight} for seat, (_, weight) in RANKINGS.items()]
    said = [
        turn(s, None, ranking=r) if isinstance(decide, Elected) else turn(s, r[0]) for s, (r, _) in RANKINGS.items()
    ]
    turns = [{**t, "content": {k: v for k, v in t["content"].items() if k != "vote" or v}} for t in said]  # type: ignore[attr-defined]
    return script(turns, options=OPTIONS, protocol=rules(decide), seats=seats, settings={"rounds": 1})


@pytest.mark.parametrize(
    ("rule", "capital"),
    [
        (Plurality(), "Memphis"),
        (Elected(kind="irv"), "Knoxville"),
        (Elected(kind="copeland"), "Nashville"),
        (Elected(kind="borda"), "Nashville"),
        (Elected(kind="schulze"), "Nashville"),
    ],
)
def test_the_seats_of_tennessee_choose_three_capitals(rule: CountedRule, capital: str):
    state, events = hold(tennessee(rule))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, state.outcome.decided_by) == ("decided", capital, rule.kind)
    assert verify(events) == ()
    assert state.outcome.tally.cast == 4
    assert [r.option for r in tally_rows(state) if r.elected] == [capital]


def test_points_and_heads_are_told_side_by_side():
    state, events = hold(tennessee(Elected(kind="borda")))
    told = run_json(account(state))
    assert told["tally"] == {"Memphis": 126, "Nashville": 194, "Chattanooga": 173, "Knoxville": 107}
    assert (told["tally_unit"], told["tie_steps"]) == ("points", [])
    assert [(r.option, r.votes, r.unweighted, r.rank) for r in tally_rows(state)] == [
        ("Memphis", 126, 3, 3),
        ("Nashville", 194, 7, 1),
        ("Chattanooga", 173, 8, 2),
        ("Knoxville", 107, 6, 4),
    ]
    assert outcome_sentence(account(state)).startswith(
        "Decided: Nashville. Memphis 126, Nashville 194, Chattanooga 173, Knoxville 107 points "
        "(4 of 4 ballots cast) → decided by Borda after round 1, vote."
    )
    pair = pair_rows(state)[0]
    assert (pair.a, pair.b, pair.prefers_a, pair.prefers_b, pair.tied) == ("Memphis", "Nashville", 42, 58, 0)
    assert "pairwise.csv" in csv_files(account(state, events))
    found = {row.rule: row.winners for row in what_if(debaters_count(state))}
    assert found["borda"] == found["copeland"] == ("Nashville",)
    assert found["irv"] == ("Knoxville",)
    assert found["plurality"] == ("Memphis",)
    assert export_files(account(state, events), "all")


def test_robustness_is_one_sentence_and_includes_equal_weights():
    state, events = hold(tennessee(Elected(kind="borda")))
    said = robustness_sentence(ruling_of(state))
    assert said == (
        "On the last ballots Borda says: Nashville; 1 ballot cast differently could change that. It also wins under "
        "Copeland, minimax, Schulze, ranked pairs and Bucklin. It loses under plurality (Memphis) and instant run-off "
        "(Knoxville). Nothing is decided under majority, supermajority and unanimity. "
        "If every ballot weighed 1, the result would be: Chattanooga."
    )
    assert said in text_report(account(state, events))


GIVEN: dict[str, tuple[Said, dict[str, int] | None]] = {
    "approval": ({"approvals": ["adopt", "Defer "]}, {"adopt": 1, "defer": 1}),
    "ranking": ({"ranking": ["defer", ["adopt", "reject"]]}, {"defer": 1, "adopt": 2, "reject": 2}),
    "score": ({"scores": {"adopt": 5, "defer": 1}}, {"adopt": 5, "defer": 1}),
    "dots": (
        {"dots": [{"option": "adopt", "points": 3}, {"option": "reject", "points": 2}]},
        {"adopt": 3, "reject": 2},
    ),
    "consent": ({"consent": {"adopt": "consent", "defer": ["x"]}}, None),
}
KIND_OF = {"approval": "approval", "ranking": "borda", "score": "score", "dots": "cumulative", "consent": "consent"}


def spec(decide: DecisionRule) -> Spec:
    protocol = Protocol(name="own", each_round=(Phase(name="vote"),), stop=(MaxRounds(),), decide=decide)
    return Spec(question="Q?", options=("adopt", "defer", "reject"), seats=({"id": "s0"},), protocol=protocol)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["approval", "ranking", "score", "dots"])
def test_votes_are_read_as_scripts_and_models_spell_them(kind: str):
    said, points = GIVEN[kind]
    rule = Elected(kind=KIND_OF[kind])  # type: ignore[arg-type]
    content = read_content(spec(rule), "argument", {"rationale": "So.", **said}, asks_ballot=True)
    assert isinstance(content, Argument)
    assert {g.option: g.points for g in content.ballot} == points
    with pytest.raises(BadReply, match=f"the reply has no vote, and this phase asks for one: {BALLOT_FIELDS[kind]}"):  # type: ignore[index]
        read_content(spec(rule), "argument", {"rationale": "So."}, asks_ballot=True)
    with pytest.raises(BadReply, match="this ballot is no single choice"):
        read_content(spec(rule), "argument", {"rationale": "So.", "vote": "adopt"}, asks_ballot=True)
    empty = read_content(spec(rule), "argument", {"rationale": "So.", BALLOT_FIELDS[kind]: []}, asks_ballot=True)  # type: ignore[index]
    assert isinstance(empty, Argument)
    assert empty.ballot == ()


def test_consent_is_read_in_words_and_objections_need_reasons():
    rule = Elected(kind="consent")
    said = [
        {"option": "adopt", "says": "Consent"},
        {"option": "defer", "says": "concern", "reason": "late"},
        {"option": "reject", "says": "objection", "reason": "It cannot be undone."},
    ]
    content = read_content(spec(rule), "argument", {"rationale": "So.", "consent": said}, asks_ballot=True)
    assert isinstance(content, Argument)
    assert content.ballot == (
        Given(option="adopt", points=0),
        Given(option="defer", points=1, reason="late"),
        Given(option="reject", points=2, reason="It cannot be undone."),
    )
    with pytest.raises(BadReply, match="the objection to adopt has no reason"):
        read_content(spec(rule), "argument", {"rationale": "So.", "consent": {"adopt": "objection"}}, asks_ballot=True)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("consent", {"consent": {"adopt": True, "reject": False}}),
        ("score", {"scores": {"adopt": True}}),
        ("borda", {"ballot": [{"option": "adopt", "points": True}]}),
    ],
)
def test_yes_and_no_are_no_points(kind: str, said: Said):
    with pytest.raises(BadReply, match="not 'true'"):
        read_content(
            spec(Elected.model_validate({"kind": kind})), "argument", {"rationale": "so", **said}, asks_ballot=True
        )
    assert read_content(
        spec(Elected(kind="approval")),
        "argument",
        {"rationale": "so", "approvals": {"adopt": True, "reject": False}},
        asks_ballot=True,
    ) == Argument(rationale="so", ballot=(Given(option="adopt", points=1),))


def _three(rule: CountedRule, first: list[Said], second: list[Said] | None = None) -> Said:
    seats = ("planner", "critic", "operator")
    rounds = [first] if second is None else [first, second]
    turns = [
        {"seat": s, "round": n, "content": {"rationale": f"{s} says.", **said}}
        for n, each in enumerate(rounds, 1)
        for s, said in zip(seats, each, strict=True)
    ]
    return script(turns, protocol=rules(rule), settings={"rounds": len(rounds)})


def test_a_ballot_that_changed_names_what_changed_it():
    first: list[Said] = [{"ranking": ["release", "revise"]}, {"ranking": ["revise"]}, {"vote": "abstain"}]
    second: list[Said] = [
        {"ranking": ["revise", "release"], "concedes": ["critic.1.1"]},
        {"ranking": ["revise"], "concedes": ["planner.1.1"]},
        {"ranking": ["release"]},
    ]
    state, _ = hold(_three(Elected(kind="copeland"), first, second))
    assert [state.ballots[s].changed_by for s in ("planner", "critic", "operator")] == [("critic.1.1",), (), ()]
    assert state.counted[0].tally == Tally(cast=2, eligible=3)
    assert state.outcome is not None
    assert state.outcome.decision == "revise"


def test_the_ladder_is_tried_at_the_close_and_recorded():
    tied: list[Said] = [{"vote": "release"}, {"vote": "revise"}, {"vote": "abstain"}]
    state, events = hold(_three(Plurality(tie=("pairwise", "lot")), tied))
    outcome = state.outcome
    assert outcome is not None
    assert outcome.status == "decided"
    assert outcome.ties == ()
    assert [s.step for s in outcome.steps] == ["pairwise", "lot"]
    assert outcome.steps[1].left == (outcome.decision,)
    assert "tied for the most votes" in outcome_sentence(account(state))
    assert "Tie-break: pairwise leaves release and revise" in outcome_sentence(account(state))
    assert {r.tie_step for r in tally_rows(state)} == {f"pairwise: release and revise; lot: {outcome.decision}"}
    assert verify(events) == ()
    left, _ = hold(_three(Plurality(tie=("approver",)), tied))
    assert left.outcome is not None
    assert (left.outcome.status, left.outcome.ties) == ("undecided", ("release", "revise"))
    assert left.outcome.steps == (TieStep(step="approver", left=("release", "revise"), why="left to the approver"),)


def test_half_of_cast_ballots_can_suffice_without_half_of_all():
    said: list[Said] = [{"vote": "release"}, {"vote": "abstain"}, {"vote": "abstain"}]
    # One ballot of three decides only where the protocol names so small a quorum.
    rules = (Majority(quorum=1), Majority(base="cast", quorum=1), Majority(base="cast"))
    of_all, of_cast, by_one = (hold(_three(rule, said))[0].outcome for rule in rules)
    assert of_all is not None
    assert of_cast is not None
    assert by_one is not None
    assert (of_all.ended_by, of_cast.decision) == ("max_rounds_exhausted", "release")
    assert (by_one.status, by_one.ended_by) == ("undecided", "quorum")


BALLOTS: dict[str, list[Said]] = {
    "approval": [{"approvals": ["release"]}, {"approvals": ["release", "revise"]}, {"approvals": ["escalate"]}],
    "borda": [{"ranking": ["revise"]}, {"ranking": ["release", "revise"]}, {"ranking": [["escalate", "revise"]]}],
    "irv": [{"ranking": ["revise"]}, {"ranking": ["release", "revise"]}, {"ranking": ["escalate", "revise"]}],
    "star": [{"scores": {"release": 5}}, {"scores": {"revise": 4, "release": 1}}, {"scores": {"escalate": 2}}],
    "cumulative": [{"dots": {"release": 5}}, {"dots": {"revise": 3, "release": 1}}, {"dots": {"escalate": 2}}],
    "consent": [
        {"consent": {"release": "consent", "revise": "consent"}},
        {"consent": {"release": {"says": "objection", "reason": "No way back."}}},
        {"vote": "abstain"},
    ],
}


@pytest.mark.parametrize("kind", BALLOTS)
def test_our_own_votes_file_counts_as_the_debate_did(kind: str):
    state, events = hold(_three(Elected(kind=kind), BALLOTS[kind]))  # type: ignore[arg-type]
    text = csv_files(account(state, events))["votes.csv"]
    assert state.outcome is not None
    found = elect(kind, read_ballots(text, name="votes.csv"))
    assert found.winners == ((state.outcome.decision,) if state.outcome.status == "decided" else state.outcome.ties)
    told = run_json(account(state))["tally"]
    assert isinstance(told, dict)
    assert {o: round(float(p), 6) for o, p in found.tally.items()} == {o: float(n) for o, n in told.items()}
    row = next(csv.DictReader(io.StringIO(text)))
    assert row["kind"] == {"borda": "ranking", "irv": "ranking", "star": "score", "cumulative": "dots"}.get(kind, kind)
    assert json.loads(row["options"]) == ["release", "revise", "escalate"]
    assert parse_record(export_files(account(state, events), "json")["events.jsonl"]) == events


def test_a_weight_is_in_the_votes_file_too():
    state, events = hold(tennessee(Elected(kind="schulze")))
    votes = read_ballots(csv_files(account(state, events))["votes.csv"], name="votes.csv")
    assert votes.weight() == 100
    assert elect("schulze", votes).winners == ("Nashville",)


BAD = [
    (Elected(kind="borda", base="cast"), "borda takes no share"),
    (Elected(kind="borda", floor_percent=5), "floor_percent belongs to approval and to weighted_criteria"),
    (Plurality(tie=("lot", "pairwise")), "nothing comes after lot: lot, pairwise"),
    (Plurality(tie=("pairwise", "pairwise")), "each tried once"),
    (Unanimity(all_but=2), "all but 2 of 3 is half or less: take at most 1"),
]


@pytest.mark.parametrize(("rule", "why"), BAD)
def test_what_no_rule_can_be_is_refused_before_the_start(rule: CountedRule, why: str):
    with pytest.raises(InvalidSpec, match=why):
        hold(_three(rule, [{"vote": "abstain"}] * 3))


def test_consensus_minus_one_needs_all_votes_but_one():
    state, _ = hold(_three(Unanimity(all_but=1), [{"vote": "release"}, {"vote": "release"}, {"vote": "revise"}]))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "release")
    assert agreed_sentence(state.spec).startswith("An option is decided with 2 of 3 current votes, all but 1")
    assert [votes_needed(Unanimity(all_but=2), n) for n in (2, 3, 4, 5, 6)] == [2, 2, 3, 3, 4]
    assert votes_needed(Unanimity(all_but=1, base="cast"), 5, 4) == 3


def test_what_elects_once_cannot_end_the_rounds():
    bounded = PROTOCOLS["bounded_vote"]
    assert DecisionReached() in bounded.stop
    made = with_decision(bounded, Elected(kind="borda"))
    assert DecisionReached() not in made.stop
    assert made.decide == Elected(kind="borda")
    with pytest.raises(InvalidSpec, match="would end an election by borda at its first ballot"):
        hold(
            script(
                [],
                protocol=bounded.model_copy(update={"decide": Elected(kind="borda")}).model_dump(mode="json"),
                settings={"rounds": 1},
            )
        )
    assert with_decision(bounded, Supermajority()).stop == bounded.stop


@pytest.mark.parametrize("kind", BALLOTS)
@pytest.mark.parametrize("name", sorted(n for n in PROTOCOLS if n.startswith("mallm_")))
def test_every_paradigm_plays_with_every_decision_protocol(name: str, kind: str):
    seats = ("planner", "critic", "operator")
    made = with_decision(PROTOCOLS[name], Elected(kind=kind))  # type: ignore[arg-type]
    turns: list[Said] = [
        {"seat": s, "repeat": True, "content": {"rationale": "So.", **said}}
        for s, said in zip(seats, BALLOTS[kind], strict=True)
    ]
    state, events = hold(script(turns, protocol=made.model_dump(mode="json"), settings={"rounds": 2}))
    assert {t.status for t in state.turns} == {"ok"}
    assert state.outcome is not None
    assert state.outcome.decision_rule == kind or state.outcome.status == "undecided"
    assert verify(events) == ()
