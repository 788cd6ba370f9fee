"""Charts of votes: each rule has its form, with the numbers of the count; seats are named, people are not."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from debate_core.engine.count.methods import METHODS
from debate_core.language import spoken
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed
from debate_core.report.facts.account import Account, account
from debate_core.report.figures import result
from debate_core.report.figures.charts import charts_of
from debate_core.report.figures.polls import TRANSITIONS
from debate_core.report.figures.svg import chart_svg
from debate_core.report.figures.votes import ROUNDS
from debate_core.report.phrases.polls import swing_words
from debate_core.spec.people import Person
from debate_core.spec.rules import CountedRule, Elected, Plurality, Threshold
from debate_core.spec.values import Given
from tests.core.test_ballots_in_debates import RANKINGS, rules, tennessee
from tests.core.test_criteria import DRIVERS, paper
from tests.holding import SEATS, hold, script, steady, turn
from tests.people import FAY, room_spec, whole_workshop
from tests.playing import Played

VOTERS = tuple(Person(id=f"p-v{n}", name=f"Voter {n}", electorate="room") for n in range(8))
OPTIONS = ("adopt", "defer", "reject")
ORDERS = ("adr", "adr", "dar", "rda")
NAMES = {"a": "adopt", "d": "defer", "r": "reject"}


def given(rule: CountedRule, order: str) -> dict[str, Any]:
    """The ballot that puts the options in this order, as the rule asks for it; a ranking may leave options out."""
    ranked = [NAMES[letter] for letter in order]
    best, second, last = (ranked * 3)[:3]
    match METHODS[rule.kind if rule.kind in METHODS else "plurality"].ballot:
        case "one":
            return {"choice": best}
        case "approval":
            return {"given": (Given(option=best, points=1),)}
        case "ranking":
            return {"given": tuple(Given(option=o, points=n) for n, o in enumerate(ranked, 1))}
        case "score":
            return {"given": tuple(Given(option=o, points=n) for o, n in ((best, 5), (second, 3), (last, 0)))}
        case "dots":
            return {"given": (Given(option=best, points=3), Given(option=second, points=2))}
        case "consent":
            no = Given(option=last, points=2, reason="it loses orders")
            return {"given": (Given(option=best, points=0), Given(option=second, points=1, reason="slow"), no)}
        case _:
            under = {best: dict.fromkeys(("cost", "speed", "risk"), 5), last: dict.fromkeys(("cost", "speed"), 1)}
            return {"given": paper(**under)}


def polled(rule: CountedRule, *, reveal: bool = True, before: bool = True, orders: tuple[str, ...] = ORDERS) -> Account:
    """A room decides: these ballots before and after, and one person never votes."""
    spec = room_spec((FAY, *VOTERS[: len(orders) + 1]), decides="room", vote=rule)
    if rule.kind == "weighted_criteria":
        spec = spec.model_copy(update={"drivers": DRIVERS})
    held = Played(spec)
    for poll in ("pre", "final") if before else ("final",):
        held.act(FAY, PollOpened(poll=poll)) if poll == "pre" else held.to_the_end().act(FAY, PollOpened(poll=poll))
        for voter, order in zip(VOTERS, orders, strict=False):
            held.act(voter, BallotCast(poll=poll, **given(rule, order if poll == "final" else order[1:] + order[0])))
        held.act(FAY, PollClosed(poll=poll))
    if reveal:
        held.act(FAY, PollRevealed(poll="final"))
        if before:
            held.act(FAY, PollRevealed(poll="pre"))
    return account(held.state, held.events)


def rows_of(told: Account) -> list[dict[str, Any]]:
    return [dict(row) for row in result.RESULT.table(told)]


@pytest.mark.parametrize("kind", METHODS)
def test_every_rule_draws_the_numbers_of_its_count(kind: str):
    rule = Threshold(votes=2) if kind == "threshold_vote" else METHODS[kind].rule
    told = polled(rule)
    vote = result.vote_of(told, None)
    assert vote is not None
    assert vote.count is not None
    points = {bar.option: bar.has for bar in vote.bars}
    figure = result.RESULT.draw(told, "light")
    form = {"irv": "rounds", "irv_put": "rounds", "coombs": "rounds", "consent": "consents"}.get(kind, "bars")
    if kind in ("copeland", "minimax", "schulze", "ranked_pairs"):
        form = "pairs"
    assert result.form_of(vote) == form
    match form:
        case "bars":
            (now,) = [bar for bar in figure.data if bar.offsetgroup == "now" and len(bar.x) == 3]
            assert list(now.x) == [float(points[option]) for option in OPTIONS]
        case "rounds":
            assert {bar.name: bar.y[0] for bar in figure.data} == points
        case "pairs":
            assert figure.data[0].text[0] == ["", "2 : 2", "3 : 1"]
            assert [label.split("<br>")[0] for label in figure.data[0].y] == [*OPTIONS]
        case "consents":
            # Each option now, and before the debate.
            assert {bar.name: tuple(bar.x) for bar in figure.data} == {
                "consents": (2, 1, 1, 3, 1, 0),
                "concerns": (1, 1, 3, 0, 0, 3),
                "objections": (1, 2, 0, 1, 3, 1),
            }
            row = rows_of(told)[1]
            assert [row[f"{stand} before"] for stand in ("consents", "concerns", "objections")] == [3, 0, 1]
    assert chart_svg(told, result.RESULT).startswith("<svg")
    assert result.RESULT.alt(told)


def test_bars_before_and_after_stand_beside_the_threshold():
    told = polled(Threshold(votes=2))
    figure = result.RESULT.draw(told, "light")
    before, now, gone = figure.data
    assert (list(before.x), list(now.x)) == ([1.0, 3.0, 0.0], [2.0, 1.0, 1.0])
    assert (list(gone.y), list(gone.x)) == (["no ballot"], [1])
    assert figure.layout.shapes[0].x0 == 2
    assert [note.text for note in figure.layout.annotations] == ["2 needed"]
    assert rows_of(told) == [
        {"option": "A adopt", "before the debate": 1, "votes": 2, "needed": 2, "note": "elected"},
        {"option": "B defer", "before the debate": 3, "votes": 1, "needed": 2, "note": ""},
        {"option": "C reject", "before the debate": 0, "votes": 1, "needed": 2, "note": ""},
        {"option": "no ballot", "before the debate": 1, "votes": 1, "needed": "", "note": ""},
    ]


def test_sealed_votes_have_no_chart_and_a_tie_is_noted():
    sealed = polled(Plurality(), reveal=False)
    assert result.vote_of(sealed, "room") is None
    assert [chart.key for chart in charts_of(sealed) if "room" in chart.key or chart.key == "result"] == []
    tied = polled(Plurality(), before=False, orders=("adr", "dar", "dra", "ard"))
    assert [(row["option"], row["votes"], row["note"]) for row in rows_of(tied)] == [
        ("A adopt", 2, "tie"),
        ("B defer", 2, "tie"),
        ("C reject", 0, ""),
        ("no ballot", 1, ""),
    ]


def hovered(told: Account) -> Iterator[str]:
    for trace in result.RESULT.draw(told, "light").data:
        yield from trace.customdata if trace.customdata is not None else ()


def test_seats_are_named_under_the_pointer_and_people_are_not():
    seats = account(*hold(script(steady(dict.fromkeys(SEATS, "release")))))
    assert next(hovered(seats)) == "<b>A release</b>: 3 votes<br>planner<br>critic<br>operator"
    assert next(hovered(polled(Threshold(votes=2)))) == "<b>A adopt</b>: 2 votes"
    consents = [words for words in hovered(polled(Elected(kind="consent"))) if words]
    assert consents == []


def test_weighted_points_stand_beside_those_of_equal_ballots():
    told = account(*hold(tennessee(Plurality())))
    first = rows_of(told)[0]
    assert (first["option"], first["votes"], first["every ballot 1"]) == ("A Memphis", 42, 1)


def test_half_of_each_round_is_a_line():
    told = account(*hold(tennessee(Elected(kind="irv"))))
    figure = result.RESULT.draw(told, "light")
    assert [(line.y0, line.x0) for line in figure.layout.shapes] == [(50.0, -0.45), (50.0, 0.55), (50.0, 1.55)]
    out = [text for bar in figure.data for text in bar.text if "out" in text]
    assert out == ["26 · out", "15 · out"]
    first, *_others = rows_of(told)
    assert first == {"Round": 1, "Option": "Memphis", "Votes": 42, "every ballot 1": 1, "": "", "Exhausted": 0}
    assert len(RANKINGS) == 4


def test_equal_ballots_leave_rounds_empty_that_they_do_not_reach():
    rows = rows_of(account(*hold(tennessee(Elected(kind="irv")))))
    assert [(row["Round"], row["every ballot 1"]) for row in rows] == [(1, 1)] * 4 + [(2, "")] * 3 + [(3, "")] * 2


def test_exhausted_ballots_fit_when_they_are_more_than_any_votes():
    figure = result.RESULT.draw(polled(Elected(kind="irv"), before=False, orders=tuple("aaaddrr")), "light")
    gone = next(bar for bar in figure.data if bar.name == "no remaining option")
    assert list(gone.y) == [0.0, 4.0]
    assert figure.layout.yaxis.range[1] > 4


def test_half_of_bucklin_is_drawn_beyond_the_longest_bar():
    figure = result.RESULT.draw(polled(Elected(kind="bucklin"), before=False, orders=tuple("adr")), "light")
    assert max(figure.data[0].x) == 1
    assert figure.layout.shapes[0].x0 == 1.5
    assert figure.layout.xaxis.range[1] > 1.5


def test_pairs_say_who_won_with_and_without_weights():
    first = rows_of(account(*hold(tennessee(Elected(kind="copeland")))))[1]
    assert (first["Above ↓ below →"], first["pairs won"], first["every ballot 1"]) == ("Nashville", 3, 2)
    assert first["note"] == "elected"


def test_an_option_called_like_a_column_keeps_its_votes():
    said = json.dumps(tennessee(Elected(kind="copeland"))).replace("Memphis", "note")
    rows = rows_of(account(*hold(json.loads(said))))
    assert [row["option note"] for row in rows] == ["", "58", "58", "58"]


def test_seats_flow_from_the_first_count_to_the_last():
    said = [turn("planner", "release", phase="proposal"), turn("planner", "revise", repeat=True)]
    said += [turn("critic", "revise", repeat=True), turn("operator", None, repeat=True)]
    told = account(*hold(script(said, settings={"rounds": 1, "threshold": 3})))
    rows = TRANSITIONS["debaters"].table(told)
    assert rows == [
        {"before": "abstained", "after": "abstained", "voters": 1, "seats": "operator"},
        {"before": "release", "after": "revise", "voters": 1, "seats": "planner"},
        {"before": "revise", "after": "revise", "voters": 1, "seats": "critic"},
    ]
    notes = TRANSITIONS["debaters"].draw(told, "light").layout.annotations
    # Each band has its number, from the top to the bottom; the names beside the nodes have theirs.
    numbers = [note for note in notes if note.text == "<b>1</b>"]
    assert len(numbers) == 3
    heights = [note.y for note in numbers]
    assert heights == sorted(heights, reverse=True)
    with spoken("de"):
        assert TRANSITIONS["debaters"].alt(told).startswith("Von der ersten bis zur letzten Zählung.")


def test_quick_polls_are_rounds_and_missing_ballots_are_counted():
    told = polled(Plurality())
    assert "rounds-room" not in [chart.key for chart in charts_of(told)]
    rows = ROUNDS["room"].table(told)
    assert [(row["vote"], row["adopt"], row["no ballot"]) for row in rows] == [("pre-vote", 1, 1), ("final vote", 2, 1)]


@pytest.mark.parametrize("last", ["pulse-1", "final"])
def test_counts_that_no_flow_shows_are_rounds(last: str):
    spec = room_spec((FAY, *VOTERS[:2]), decides="room", vote=Plurality(), pre_vote="shown_at_close")
    held = Played(spec)
    for poll in ("pre", last):
        if poll != "pre":
            held.to_the_end() if poll == "final" else held.go_on()
        held.act(FAY, PollOpened(poll=poll)).act(VOTERS[0], BallotCast(poll=poll, choice="adopt"))
        if poll != "final":
            held.act(FAY, PollClosed(poll=poll)).act(FAY, PollRevealed(poll=poll))
    told = account(held.state, held.events)
    keys = [chart.key for chart in charts_of(told)]
    assert ("rounds-room" in keys, "moves-room" in keys) == (True, False)
    counts = [(row["vote"], row["adopt"]) for row in ROUNDS["room"].table(told)]
    assert counts == [("pre-vote", 1), ("quick poll after round 1", 1)][: 1 if last == "final" else 2]


def test_ballots_with_several_highest_options_are_counted_once():
    both = [{"option": option, "points": 1} for option in ("release", "revise")]
    content = {"rationale": "x", "ballot": both}
    said = [{**turn(seat, None, repeat=True), "content": content} for seat in SEATS]
    told = account(*hold(script(said, protocol=rules(Elected(kind="approval")), settings={"rounds": 2})))
    for row in ROUNDS["debaters"].table(told):
        assert (row["release"], row["revise"], row["several at once"]) == (0, 0, 3)


@pytest.mark.parametrize("kind", ["approval", "consent"])
def test_ballots_without_a_first_choice_have_no_flow(kind: str):
    told = polled(METHODS[kind].rule)
    assert TRANSITIONS["room"] not in [*charts_of(told)]
    assert swing_words(told.state, "room") == ""
    chosen = polled(METHODS["schulze"].rule)
    assert TRANSITIONS["room"] in [*charts_of(chosen)]
    assert "first choices" in swing_words(chosen.state, "room")


def test_labels_of_consents_have_the_figures_of_their_bars():
    figure = json.loads(result.RESULT.draw(polled(Elected(kind="consent")), "light").to_json())
    labels = figure["data"][0]["y"]
    for place, label in enumerate(labels):
        weights = [bar["x"][place] for bar in figure["data"]]
        words = zip(weights, ("consents", "concerns", "objections"), strict=True)
        assert label.endswith(", ".join(f"{weight} {word}" for weight, word in words))


def test_advice_keeps_its_own_chart():
    held = whole_workshop()
    told = account(held.state, held.events)
    (row, *_others) = result.VOTES["room"].table(told)
    assert (row["option"], row["note"]) == ("A adopt", "")
    assert result.RESULT.draw(told, "light").layout != result.VOTES["room"].draw(told, "light").layout
