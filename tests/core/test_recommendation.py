"""The ranked recommendation: places by scores or ranked ballots, ties, unknown places, and the files that have it."""

import json

import pytest

from debate_core.errors import InvalidSpec
from debate_core.record.commands import Stop
from debate_core.record.state import Request
from debate_core.report.facts.account import Account, account
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Content, Evaluation, Framing, Quality, Synthesis
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.rules import Elected, Majority
from debate_core.spec.values import Given
from tests.playing import Played

OPTIONS = ("kafka", "postgres", "rabbit", "redis")
RULES = protocol("multi_position")
RANKED = with_decision(RULES, Elected(kind="borda"))


def spec_of(rules: Protocol = RULES) -> Spec:
    return compose("Which queue?", OPTIONS, rules, default_seats(rules, "Which queue?", OPTIONS, "human"))


def held(
    scores: dict[str, int], *, rules: Protocol = RULES, ballots: dict[str, str] | None = None, named: str = "redis"
) -> Account:
    """A debate whose evaluator scores the seats of these options, and whose seats rank the options in this order."""
    spec = spec_of(rules)
    seat_of = {seat.stance: seat for seat in spec.debaters()}

    def says(request: Request) -> Content:
        match request.gives:
            case "framing":
                return Framing(thesis="One of them will do.")
            case "evaluation":
                quality = tuple(Quality(seat=seat_of[option].id, score=score) for option, score in scores.items())
                return Evaluation(synthesis="Read.", quality=quality)
            case "synthesis":
                return Synthesis(answer="In sum.", option=named)
        order = (ballots or {}).get(spec.seat(request.seat).stance, "").split()
        ballot = tuple(Given(option=option, points=place) for place, option in enumerate(order, start=1))
        abstains = ballots is not None and not ballot
        return Argument(rationale="It pays.", strength=8, ballot=ballot, vote="abstain" if abstains else None)

    played = Played(spec).play(says)
    return account(played.state, played.events)


def places(told: Account) -> list[tuple[str, int | None, object, bool]]:
    assert told.recommendation is not None
    return [(row.option, row.place, row.points, row.tied) for row in told.recommendation.rows]


def test_scores_rank_the_options_with_ties_and_unknown_places() -> None:
    told = held({"rabbit": 6, "kafka": 6, "redis": 9})
    assert places(told) == [
        ("redis", 1, 9, False),
        ("kafka", 2, 6, True),
        ("rabbit", 2, 6, True),
        ("postgres", None, None, False),
    ]


def test_ranked_ballots_rank_the_options_instead_of_scores() -> None:
    orders = {"kafka": "kafka redis", "postgres": "redis kafka", "rabbit": "", "redis": ""}
    told = held({"postgres": 10}, rules=RANKED, ballots=orders)
    assert told.recommendation is not None
    assert (told.recommendation.ranked_by, told.recommendation.given) == ("ballots", 2)
    assert places(told) == [
        ("kafka", 1, 5, True),
        ("redis", 1, 5, True),
        ("postgres", 3, 1, True),
        ("rabbit", 3, 1, True),
    ]


def test_without_any_scores_every_place_is_unknown() -> None:
    told = held({})
    assert {place for _, place, _, _ in places(told)} == {None}
    assert "No evaluator scored the arguments, so every place is unknown." in text_report(told)


def test_a_rule_without_ranked_ballots_leaves_the_scores() -> None:
    assert with_decision(RULES, Majority()).ranked_by == "scores"
    assert RANKED.ranked_by == "ballots"


def test_no_ranking_is_shown_before_the_end() -> None:
    played = Played(spec_of())
    assert account(played.state, played.events).recommendation is None
    assert "recommendation" not in run_json(account(played.state, played.events))
    played.do(Stop(by="tests", reason="no time"))
    assert {place for _, place, _, _ in places(account(played.state, played.events))} == {None}


def test_reports_and_record_show_the_ranking_and_the_decision() -> None:
    told = held({"rabbit": 6, "kafka": 6, "redis": 9}, named="kafka")
    record = decision_record(told).text
    assert told.decision.option == "kafka"
    for text in (text_report(told), markdown_report(told), record):
        assert "Place 1: redis (9 of 10)" in text
        assert "Place 2 (tie): kafka (6 of 10)" in text
        assert "Place unknown: postgres" in text
        assert "This ranking is no count and decides nothing" in text
        assert "puts redis first; the decision is kafka" in text


def test_tables_and_json_have_the_same_places() -> None:
    told = held({"rabbit": 6, "kafka": 6, "redis": 9})
    table = csv_files(told)["recommendation.csv"].replace('"', "").splitlines()
    assert table[1:] == ["d1,1,redis,9,false", "d1,2,kafka,6,true", "d1,2,rabbit,6,true", "d1,,postgres,,false"]
    exported = json.loads(export_files(told, "json")["debate.json"])["result"]["recommendation"]
    assert [(row["option"], row["place"]) for row in exported["rows"]] == [row[:2] for row in places(told)]
    assert exported["ranked_by"] == "scores"


def test_protocols_without_a_ranking_export_as_before() -> None:
    told = held({"redis": 9}, rules=RULES.model_copy(update={"recommends": None}))
    assert told.recommendation is None
    assert "recommendation.csv" not in csv_files(told)
    assert '"recommends"' not in json.dumps(debate_json(told))
    assert "recommendation" not in run_json(told)
    assert "Ranked recommendation" not in markdown_report(told) + decision_record(told).text


def test_a_protocol_file_can_ask_for_a_ranking() -> None:
    assert protocol_from_toml(protocol_to_toml(RULES), where="x.toml") == RULES
    panel = protocol("expert_panel")
    asked = compose("Which?", OPTIONS, panel, default_seats(panel, "Which?", OPTIONS, "human"))
    ranking = asked.model_copy(update={"protocol": panel.model_copy(update={"recommends": "ranking"})})
    with pytest.raises(InvalidSpec, match="expert_panel recommends a ranking, but nothing ranks its options"):
        check(ranking)
