"""Figures over many debates: what one debate adds, the bars of the sources, and what stays unknown."""

from dataclasses import replace
from fractions import Fraction

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.language import spoken
from debate_core.record.acts import OutcomeRecorded, OutcomeResult
from debate_core.record.commands import Act, SkipTurn, TakeTurn
from debate_core.record.state import State
from debate_core.report.facts.baselines import BaselineRow
from debate_core.report.facts.cross_debate_metrics import LEAST, Metric, bar_words, metrics, number_words, value_words
from debate_core.report.facts.debate_facts import SINGLE_CALL, Facts, facts
from debate_core.report.facts.decision_outcomes import Aftermath, Held
from debate_core.report.facts.forecasts import Stated
from debate_core.seats.forecast import forecast_when_opened
from debate_core.spec.contents import Argument, Directive
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import Majority, MaxRounds
from debate_core.spec.values import BaselineName, Seat, TaskType, Usage
from tests.holding import SEATS, Said, hold, script, steady
from tests.playing import Played
from tests.rehearsing import rehearsal

ONE = Facts(
    debate="d",
    protocol="p",
    rehearsal=False,
    status="decided",
    strengths=(8,),
    low=False,
    uncertainties=2,
    cost_usd=Fraction(1),
    forecast_usd=Fraction(1),
    as_first=False,
    one_family=False,
    findings=0,
    turns=4,
    lost=0,
    reviews=(False,) * 4,
)


KNOWN = replace(ONE, later=Aftermath(right="a"))
SURE = replace(ONE, later=Aftermath(first="b", first_confidence=80, right="a"))
UNSURE = replace(ONE, later=Aftermath(first="b", first_confidence=79, right="a"))
PEOPLE = [Seat(id=s, occupant="human") for s in SEATS]


def became(result: Held) -> Facts:
    return replace(ONE, later=Aftermath(decision="a", result=result))


def measured(*held: Facts) -> dict[str, Metric]:
    return {m.name: m for m in metrics(held)}


def of(state: State) -> Facts:
    found = facts(state, forecast_usd=forecast_when_opened(state))
    assert found is not None
    return found


def test_without_debates_everything_is_unknown_and_nothing_warns():
    found = metrics(())
    assert [m.value for m in found] == [None] * len(found)
    assert {m.alert for m in found} == {None}
    assert all(m.sentence.startswith("Unknown: ") for m in found)
    assert measured()["decided"].sentence == "Unknown: it needs at least 5 debates; there are none."


def test_figures_are_told_in_one_language():
    with spoken("de"):
        told = {figure.name: figure.sentence for figure in metrics(())}
    assert told["decided"] == "Nicht bekannt: Es braucht mindestens 5 (Debatten); es gibt keine."
    assert told["as_first"] == "Nicht bekannt: Es braucht mindestens 5 (Entscheidungen); es gibt keine."


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [(0.5, 0.7, True), (0.3, 0.5, True), (0.51, 0.7, False), (0.3, 0.49, False), (None, None, False)],
)
def test_an_interval_holds_its_ends_too(low: float | None, high: float | None, holds: bool):
    figure = replace(measured(*[ONE] * LEAST)["decided"], low=low, high=high)
    assert figure.interval_holds(Fraction(1, 2)) == holds


def test_too_few_say_how_many_it_takes():
    assert measured(ONE)["decided"].sentence == "Unknown: it needs at least 5 debates; there is 1."
    few = measured(*[ONE] * (LEAST - 1))
    assert bar_words(few["decided"]) == ""
    assert (few["low_confidence"].value, few["low_confidence"].alert) == (None, None)
    assert few["low_confidence"].sentence == "Unknown: it needs at least 5 evaluated debates; there are 4."
    enough = measured(*[ONE] * LEAST)
    assert (enough["low_confidence"].value, enough["low_confidence"].alert) == (Fraction(0), False)
    assert enough["low_confidence"].sentence == "0 of 5 evaluated debates (0 %) ended with LOW confidence."


@pytest.mark.parametrize(
    ("name", "fine", "past"),
    [
        # R252, R280: mean strength below 6.5
        (
            "strength",
            [replace(ONE, strengths=(6, 7))] * 10,
            [replace(ONE, strengths=(6, 7))] * 9 + [replace(ONE, strengths=(6, 6))],
        ),
        # R246: more than 7 on average over 20 cases whose right answer is known
        (
            "qualification",
            [replace(KNOWN, strengths=(7,))] * 19 + [replace(KNOWN, strengths=(7, 8))],
            [replace(KNOWN, strengths=(7,))] * 20,
        ),
        # R134: more than 15 % of labelled answers sure of themselves and wrong
        ("confident_wrong", [*[SURE] * 150, *[UNSURE] * 850], [*[SURE] * 151, *[UNSURE] * 849]),
        # R264: the interval of those that favour whoever stands first leaves out one half
        (
            "tilt",
            [replace(ONE, leans_first=i < 8) for i in range(10)],
            [replace(ONE, leans_first=i < 9) for i in range(10)],
        ),
        (
            "tilt",
            [replace(ONE, leans_first=i < 2) for i in range(10)],
            [replace(ONE, leans_first=i < 1) for i in range(10)],
        ),
        # R253: more than 30 % LOW
        (
            "low_confidence",
            [replace(ONE, low=i < 300) for i in range(1000)],
            [replace(ONE, low=i < 301) for i in range(1000)],
        ),
        # R255: more than 1.5 times the forecast
        (
            "cost",
            [replace(ONE, cost_usd=Fraction(3, 2))] * 5,
            [replace(ONE, cost_usd=Fraction(3, 2))] * 4 + [replace(ONE, cost_usd=Fraction(151, 100))],
        ),
        # R261, R280: any below 5
        ("very_weak", [replace(ONE, strengths=(5,))], [replace(ONE, strengths=(5, 4))]),
        # R293: more than 95 % let through
        (
            "unchanged",
            [replace(ONE, reviews=(True,) * 950 + (False,) * 50)],
            [replace(ONE, reviews=(True,) * 951 + (False,) * 49)],
        ),
    ],
)
def test_on_the_bar_is_fine_and_past_it_warns(name: str, fine: list[Facts], past: list[Facts]):
    assert measured(*fine)[name].alert is False, measured(*fine)[name]
    assert measured(*past)[name].alert is True, measured(*past)[name]


def alone(debate: str | None, answer: str | None, name: BaselineName = "single_call") -> BaselineRow:
    """Return the baselines of a debate with this decision."""
    return BaselineRow(name, 1, 1, 1, answer, debate, None, 1, None, None, "")


def test_a_debate_is_held_against_what_its_models_say_without_it():
    """R222: how often the same, and who was right where it was not; where both were right nothing is told."""

    def one(debate: str, answer: str | None, right: str | None) -> Facts:
        return replace(ONE, later=Aftermath(decision=debate, right=right), baselines=(alone(debate, answer),))

    better, worse = one("a", "b", "a"), one("a", "b", "b")
    same, unknown, neither = one("a", "a", "a"), one("a", "b", None), one("a", "b", "c")
    few = measured(*[better] * 5, *[worse] * 2, *[same] * 3, unknown, neither, one("a", None, "a"))
    assert (few["same_single_call"].n, few["same_single_call"].value) == (12, Fraction(1, 4))
    assert (few["beats_single_call"].n, few["beats_single_call"].value) == (7, Fraction(5, 7))
    assert few["beats_single_call"].sentence.endswith("It is not clear yet which is right more often.")
    many = measured(*[better] * 18, *[worse] * 2)["beats_single_call"]
    assert many.sentence == "18 of 20 settled disagreements with a single answer (90 %) went to the debate."
    assert (many.low or 0) > 1 / 2
    assert (few["same_single_call"].title, few["beats_single_call"].title) == (
        "Decided as a single answer",
        "Disagreements with a single answer",
    )
    assert few["same_self_consistency"].sentence == (
        "Unknown: it needs at least 5 debates with a vote of single answers beside them; there are none."
    )


def test_debate_and_single_answer_are_compared_by_task():
    """The evidence that debates improve on single answers, for each kind of decision with at least one such debate."""
    # R268

    def one(task: TaskType, debate: str, answer: str) -> Facts:
        return replace(ONE, later=Aftermath(task=task, decision=debate, right="a"), baselines=(alone(debate, answer),))

    contracts = [one("contract", "a", "b")] * 6 + [one("contract", "b", "a")] * 2
    found = measured(*contracts, *[one("security", "b", "a")] * 5, replace(ONE, later=Aftermath(task="other")))

    def parts(name: str) -> dict[str, tuple[int, Fraction | None]]:
        return {part.label: (part.n, part.value) for part in found[name].parts}

    assert parts("beats_single_call") == {"contract": (8, Fraction(3, 4)), "security": (5, Fraction(0))}
    assert parts("same_single_call") == {"contract": (8, Fraction(0)), "security": (5, Fraction(0))}
    assert (found["beats_single_call"].n, found["beats_single_call"].value) == (13, Fraction(6, 13))


RIGHT = replace(ONE, later=Aftermath(decision="a", right="a"))
CALL = replace(RIGHT, protocol=SINGLE_CALL)


@pytest.mark.parametrize(
    ("name", "one", "least"),
    [
        ("decided", ONE, 5),
        ("escalated", ONE, 5),
        ("strength", ONE, 5),
        ("low_confidence", ONE, 5),
        ("uncertainties", ONE, 5),
        ("cost", ONE, 5),
        ("as_first", ONE, 5),
        ("one_family", ONE, 5),
        ("findings", ONE, 5),
        ("tilt", replace(ONE, leans_first=True), 5),
        ("draft_kept", replace(ONE, draft_lines=(True,)), 5),
        ("unchanged", replace(ONE, reviews=(True,)), 20),
        ("outcome_quality", replace(ONE, later=Aftermath(decision="a", result="held")), 5),
        ("qualification", KNOWN, 20),
        ("confident_wrong", SURE, 20),
        ("debate_right", RIGHT, 20),
        ("single_right", CALL, 20),
        ("very_weak", ONE, 1),
        ("same_single_call", replace(ONE, baselines=(alone("a", "a"),)), 5),
        ("beats_single_call", replace(RIGHT, baselines=(alone("a", "b"),)), 5),
    ],
)
def test_a_figure_is_known_from_so_many_cases_on(name: str, one: Facts, least: int):
    # R271
    few, enough = measured(*[one] * (least - 1))[name], measured(*[one] * least)[name]
    assert (few.n, few.value, few.sentence.startswith("Unknown: ")) == (least - 1, None, True)
    assert (enough.n, enough.value is None, enough.sentence.startswith("Unknown: ")) == (least, False, False)


def test_critiques_that_call_themselves_very_weak_are_counted():
    # R261
    told = measured(replace(ONE, strengths=(4, 5, 9)))["very_weak"]
    assert (told.value, told.sentence) == (Fraction(1), "1 of 3 critiques rated themselves below 5 of 10.")


@pytest.mark.parametrize(("low", "high", "far"), [([0] * 4, 5, 0), ([0] * 5, 6, 1), ([3] * 9, 3, 0)])
def test_far_is_more_than_two_standard_deviations(low: list[int], high: int, far: int):
    # R254: the one that stands out of n is sqrt(n - 1) standard deviations from their mean
    usual = [replace(ONE, uncertainties=named, later=Aftermath(task="security")) for named in (*low, high)]
    said = f"{far} debate{'' if far == 1 else 's'} named far more"
    assert said in measured(*usual)["uncertainties"].sentence


def test_critics_are_qualified_by_twenty_known_cases():
    # R246: what live debates say of themselves qualifies nobody
    live = measured(*[replace(ONE, strengths=(9,))] * 40)["qualification"]
    assert (live.n, live.value, live.alert, bar_words(live)) == (0, None, None, "up to 7")
    few = measured(*[replace(KNOWN, strengths=(9, 9))] * 19)["qualification"]
    assert few.sentence == (
        "Unknown: it needs at least 20 debates with a rated critique and a recorded right answer; there are 19."
    )
    seven = measured(*[replace(KNOWN, strengths=(7,))] * 20)["qualification"]
    assert seven.sentence == (
        "The critics are not qualified: in 20 known cases they rated themselves 7.0 of 10 on average."
    )
    enough = measured(*[replace(KNOWN, strengths=(9, 10))] * 20)["qualification"]
    assert enough.sentence == "The critics are qualified: in 20 known cases they rated themselves 9.5 of 10 on average."


def test_decisions_of_one_family_are_shown_as_a_share():
    # R267
    held = [replace(ONE, one_family=i < 4) for i in range(5)]
    assert measured(*held)["one_family"].sentence == "4 of 5 decisions of models (80 %) came from a single family."


def test_how_much_of_the_drafts_people_kept():
    held = [replace(ONE, draft_lines=(True,) * 6 + (False,) * 2)] * 2
    kept = measured(ONE, *held)["draft_kept"]
    assert (kept.n, kept.value, kept.alert) == (16, Fraction(3, 4), None)
    assert kept.sentence == "12 of 16 lines of drafted syntheses (75 %) were kept as drafted."
    assert measured(ONE)["draft_kept"].value is None


def test_figures_without_a_bar_warn_of_nothing():
    found = measured(*[ONE] * 4, replace(ONE, status="undecided", as_first=None, one_family=None, findings=5))
    assert {n: (m.n, m.value, m.alert) for n, m in found.items() if m.bar is None and m.value is not None} == {
        "decided": (5, Fraction(4, 5), None),
        "escalated": (5, Fraction(1, 5), None),
        "uncertainties": (5, Fraction(2), None),
        "findings": (5, Fraction(1), None),
        "lost_turns": (20, Fraction(0), None),
        "overrides": (20, Fraction(0), None),
    }
    assert found["as_first"].sentence == "Unknown: it needs at least 5 decisions; there are 4."


def test_what_is_unknown_of_one_debate_is_not_counted_as_zero():
    blank = replace(ONE, cost_usd=None, low=None, uncertainties=None, strengths=())
    found = measured(*[ONE] * 5, *[blank] * 5)
    assert {n: found[n].n for n in ("cost", "low_confidence", "uncertainties", "strength")} == dict.fromkeys(
        ("cost", "low_confidence", "uncertainties", "strength"), 5
    )
    assert found["cost"].sentence == "5 debates cost 1.00 times the forecast."


def test_what_became_of_decisions_is_a_share_with_its_interval():
    # R260
    three_each = [became("held")] * 3 + [became("revised")] + [became("reversed")] * 2
    found = measured(*three_each)["outcome_quality"]
    assert (found.n, found.value, value_words("share", found)) == (6, Fraction(1, 2), "50 % (19 to 81)")
    assert found.sentence == "3 of 6 decisions whose outcome is recorded (50 %) held; 1 revised, 2 reversed."
    assert measured(*[became("held")] * 5)["outcome_quality"].value == 1
    assert measured(*[ONE] * 50)["outcome_quality"].sentence == (
        "Unknown: it needs at least 5 decisions whose outcome is recorded; there are none."
    )


def test_three_ways_to_decide_are_compared_with_the_outcome():
    # R134, R260
    debate = replace(ONE, later=Aftermath(question="q", decision="a", first="b", first_confidence=90, right="a"))
    alone = replace(ONE, protocol=SINGLE_CALL, later=Aftermath(question="q", decision="b", first="b"))
    found = measured(*[debate] * 15, *[replace(debate, later=replace(debate.later, decision="b"))] * 5, *[alone] * 20)
    right = {name: (found[name].n, found[name].value) for name in ("debate_right", "first_right", "single_right")}
    assert right == {
        "debate_right": (20, Fraction(3, 4)),
        "first_right": (20, Fraction(0)),
        "single_right": (20, Fraction(0)),
    }
    assert (found["confident_wrong"].n, found["confident_wrong"].value) == (20, Fraction(1))
    assert found["confident_wrong"].alert is True
    few = measured(*[debate] * 19)
    assert (few["debate_right"].value, few["debate_right"].sentence) == (
        None,
        "Unknown: it needs at least 20 decisions whose right answer is recorded; there are 19.",
    )
    assert (few["confident_wrong"].value, few["confident_wrong"].alert) == (None, None)


@pytest.mark.parametrize(
    ("later", "answer", "right"),
    [
        (Aftermath(decision="a", result="held", right="a"), "a", True),
        (Aftermath(decision="a", result="held", right="a"), "b", False),
        (Aftermath(decision="a", result="reversed"), "a", False),
        (Aftermath(decision="a", result="reversed"), "b", None),
        (Aftermath(decision="a", result="revised"), "a", None),
        (Aftermath(decision="a", right="b"), "b", True),
        (Aftermath(decision="a"), "a", None),
        (Aftermath(right="b"), None, None),
    ],
)
def test_whether_an_answer_was_right(later: Aftermath, answer: str | None, right: bool | None):
    assert later.was_right(answer) is right


def test_figures_are_grouped_by_kind_and_quarter():
    # R254, R255, R280: by task type, and over time
    def one(task: TaskType | None, quarter: str, **changes: object) -> Facts:
        return replace(ONE, later=Aftermath(task=task, quarter=quarter), **changes)  # type: ignore[arg-type]

    old = [one("contract", "2026 Q4", strengths=(9,), uncertainties=1, cost_usd=Fraction(1))] * 5
    new = [one("security", "2027 Q1", strengths=(5,), uncertainties=4, cost_usd=Fraction(2))] * 5
    found = measured(*old, *new, one(None, "2027 Q1"))

    def parts(name: str) -> dict[str, tuple[int, Fraction | None]]:
        return {part.label: (part.n, part.value) for part in found[name].parts}

    assert parts("cost") == {
        "contract": (5, Fraction(1)),
        "security": (5, Fraction(2)),
        "kind not said": (1, None),
        "2026 Q4": (5, Fraction(1)),
        "2027 Q1": (6, Fraction(11, 6)),
    }
    assert parts("uncertainties")["security"] == (5, Fraction(4))
    assert [parts("strength")[quarter] for quarter in ("2026 Q4", "2027 Q1")] == [
        (5, Fraction(9)),
        (6, Fraction(11, 2)),
    ]
    assert measured(*[one("contract", "2026 Q4")] * 5)["cost"].parts == ()
    found = measured(*old, *[replace(debate, cost_usd=None) for debate in new])
    assert [part.label for part in found["cost"].parts] == ["contract", "2026 Q4"]


def test_a_debate_far_from_what_is_usual_for_its_kind_is_told():
    # R254: the deviation is the signal
    usual = replace(ONE, uncertainties=2, later=Aftermath(task="security"))
    found = measured(*[usual] * 9, replace(usual, uncertainties=12))["uncertainties"]
    assert found.sentence.endswith("1 debate named far more or fewer than is usual for the kind of decision.")
    enough, too_few = (measured(*[usual] * n, *[ONE] * (5 - n))["uncertainties"].sentence for n in (5, 4))
    assert "0 debates named far more" in enough
    assert "far more" not in too_few


def proposed(option: str, *, confidence: int | None = None) -> State:
    """A debate of proposer and critic, in which nobody votes, decided for this option."""
    first: Said = {"phase": "proposal", "content": {"rationale": "it pays", "confidence": confidence}, "repeat": True}
    said: Said = {"phase": "synthesis", "content": {"answer": "weighed", "option": option}, "repeat": True}
    return hold(rehearsal(PROTOCOLS["proposer_critic"], first, said))[0]


def test_a_voteless_proposer_is_compared_by_its_proposal():
    # R256: the proposer defends the first option, and casts no ballot
    assert of(proposed("adopt")).as_first is True
    assert of(proposed("defer")).as_first is False
    assert of(proposed("adopt", confidence=85)).later.first_confidence == 85
    assert measured(*[of(proposed("adopt"))] * 5)["as_first"].value == Fraction(1)


def test_what_became_of_a_debate_is_read_from_its_record():
    # R134, R260
    held = Played(compose("Adopt?", ("adopt", "wait"), PROTOCOLS["bounded_vote"], PEOPLE, task="security"))
    held.play("adopt")
    assert of(held.state).later == Aftermath(
        question="adopt?\nadopt\nwait", task="security", quarter="2026 Q1", decision="adopt", first="adopt"
    )
    recorded: tuple[tuple[OutcomeResult, str | None, str | None], ...] = (
        ("held", None, "adopt"),
        ("reversed", "wait", "wait"),
        ("revised", None, None),
    )
    for result, option, right in recorded:
        held.do(Act(by="ana", act=OutcomeRecorded(result=result, option=option, reason="a year on")))
        later = of(held.state).later
        assert (later.result, later.right) == (result, right)
    held.do(Act(by="ana", act=OutcomeRecorded(result="unknown", reason="nobody knows")))
    assert (of(held.state).later.result, of(held.state).later.right) == (None, None)
    assert verify(held.events) == ()


def test_figures_in_words():
    assert number_words("share", Fraction(3, 5)) == "60 %"
    assert number_words("number", Fraction(13, 2)) == "6.5"
    assert number_words("number", Fraction(2)) == "2"
    assert number_words("times", Fraction(3, 2)) == "1.50 times"
    assert number_words("times", None) == "unknown"


def test_a_debate_that_goes_on_adds_nothing():
    opened = Played(compose("Which?", ("adopt", "wait"), PROTOCOLS["bounded_vote"], PEOPLE)).state
    assert facts(opened, forecast_usd=None) is None


def test_what_a_counted_debate_adds():
    state, _ = hold(script(steady({"planner": "release", "critic": "revise", "operator": "revise"})))
    assert of(state) == Facts(
        debate="d1",
        protocol="bounded_vote",
        rehearsal=True,
        status="decided",
        strengths=(),
        low=None,
        uncertainties=None,
        cost_usd=None,
        forecast_usd=None,
        as_first=False,
        one_family=None,
        findings=0,
        turns=3,
        lost=0,
        reviews=(),
        later=Aftermath(
            question="release the migration?\nescalate\nrelease\nrevise",
            quarter="2026 Q1",
            decision="revise",
            first="release",
        ),
        ended_at="2026-01-02T03:04:05.000000Z",
        stated=(
            Stated("planner", "program", "planner", judges=False, named=("release",), shares=None, debates=True),
            Stated("critic", "program", "critic", judges=False, named=("revise",), shares=None, debates=True),
            Stated("operator", "program", "operator", judges=False, named=("revise",), shares=None, debates=True),
        ),
    )
    same, _ = hold(script(steady({"planner": "revise", "critic": "revise", "operator": "release"})))
    assert of(same).as_first is True
    split, _ = hold(script(steady({"planner": "release", "critic": "revise", "operator": "escalate"})))
    assert (of(split).status, of(split).as_first) == ("undecided", None)


def test_what_critics_and_evaluators_add():
    # R252, R253, R254
    said: Said = {
        "seat": "evaluator",
        "content": {"synthesis": "thin", "confidence_level": "LOW", "uncertainties": ["a", "b"]},
    }
    found = of(hold(rehearsal(PROTOCOLS["proposer_critic"], said))[0])
    assert found.strengths[0] == 8
    assert (found.low, found.uncertainties) == (True, 2)


LINE = ModelLine(
    id="m",
    model="own",
    provider="own",
    family="north",
    dialect="chat",
    price={"input": "1", "output": "1"},  # type: ignore[arg-type]
)


def test_what_a_debate_of_models_adds():
    # R255: what it cost beside what it was to cost
    seats = [Seat(id=s, model="m") for s in SEATS]
    spec = compose("Which?", ("adopt", "wait"), PROTOCOLS["self_consistency"], seats, models=[LINE])
    played = Played(spec)
    used = Usage(calls=1, input_tokens=10, output_tokens=5, cost_usd="0.25")
    while open_requests := requests(played.state):
        request = open_requests[0]
        content = {"kind": "argument", "rationale": "so", "vote": "adopt"}
        played.do(
            TakeTurn.model_validate({"by": request.seat, "request": request.id, "content": content, "usage": used})
        )
    found = of(played.state)
    assert (found.cost_usd, found.one_family, found.as_first) == (Fraction(3, 4), True, True)
    assert found.forecast_usd is not None
    assert 0 < found.forecast_usd < Fraction(3, 4)


GATE = Protocol(
    name="gate",
    each_round=(
        Phase(name="direction", gives="directive", role="moderator"),
        Phase(name="approval", gives="directive", role="chair"),
        Phase(name="argument", directed=True),
    ),
    stop=(MaxRounds(),),
    decide=Majority(),
)
PROPOSED = Directive(reason="Begin", next_speakers=("anna", "ben"), briefing="Costs first")


@pytest.mark.parametrize(
    ("answer", "unchanged"),
    [
        (None, (True,)),
        (PROPOSED.model_copy(update={"reason": "Fine"}), (True,)),
        (PROPOSED.model_copy(update={"next_speakers": ("ben", "anna")}), (False,)),
    ],
)
def test_what_the_chair_did_with_a_directive(answer: Directive | None, unchanged: tuple[bool, ...]):
    # R293
    seats = [Seat(id=s, occupant="human") for s in ("anna", "ben")]
    seats += [Seat(id=r, role=r, occupant="human") for r in ("moderator", "chair")]
    played = Played(compose("Which?", ("adopt", "wait"), GATE, seats, max_rounds=1))
    while open_requests := requests(played.state):
        request = open_requests[0]
        if request.phase == "approval" and answer is None:
            played.do(SkipTurn(by="chair", request=request.id, reason="approved"))
            continue
        said = {"direction": PROPOSED, "approval": answer}.get(request.phase) or Argument(rationale="so", vote="adopt")
        played.do(TakeTurn(by=request.seat, request=request.id, content=said))
    assert of(played.state).reviews == unchanged


@pytest.mark.parametrize(
    ("option", "first"), [("adopt", True), ("defer", False), (None, None)], ids=["first", "last", "none"]
)
def test_whom_a_judge_favours_by_place_is_read_from_the_record(option: str | None, first: bool | None):
    # R264
    rules = PROTOCOLS["stance_judge"]
    phase = next(p.name for p in rules.phases() if p.gives == "verdict")
    said: Said = {"phase": phase, "content": {"reasoning": "read", "option": option}, "repeat": True}
    seats = [{"id": "ana", "stance": "adopt"}, {"id": "ben", "stance": "defer"}]
    state, _ = hold(rehearsal(rules, said, seats=seats))
    assert of(state).leans_first is first


@pytest.mark.parametrize(("scores", "first"), [((9, 4), True), ((4, 9), False), ((6, 6), None)])
def test_position_bias_of_an_evaluator_is_read_from_the_record(scores: tuple[int, int], first: bool | None):
    # R264: the evaluator of proposer_critic rates arguments and names no winner
    rules = PROTOCOLS["proposer_critic"]
    quality = [{"seat": seat, "score": score} for seat, score in zip(("ana", "cyd"), scores, strict=True)]
    phase = next(p.name for p in rules.phases() if p.gives == "evaluation")
    said: Said = {"phase": phase, "content": {"synthesis": "scored", "quality": quality}, "repeat": True}
    seats = [{"id": "ana", "stance": "adopt"}, {"id": "ben"}, {"id": "cyd"}]
    state, _ = hold(rehearsal(rules, said, seats=seats, settings={"rounds": 1}))
    assert of(state).leans_first is first
