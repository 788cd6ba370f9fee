"""Drawings and charts of votes: the bars, the line and the form of each rule, and nothing of what is sealed."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from debate_core.engine.count.methods import METHODS
from debate_core.language import spoken
from debate_core.record import acts
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed
from debate_core.record.state import State
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, letters, vote_bars
from debate_core.report.figures import result
from debate_core.report.figures.charts import charts_of
from debate_core.report.figures.polls import TRANSITIONS
from debate_core.report.figures.svg import chart_svg
from debate_core.report.figures.votes import ROUNDS
from debate_core.report.phrases.polls import swing_words
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import (
    BySeat,
    CountedRule,
    Elected,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Threshold,
)
from debate_core.spec.values import Given, Seat
from debate_core.ui.kit.components.parts import votes_part
from tests.by_hand import OPEN, small, small_spec
from tests.core.test_ballots_in_debates import RANKINGS, rules, tennessee
from tests.core.test_criteria import DRIVERS, paper
from tests.holding import SEATS, hold, script, steady, turn
from tests.people import ANN, BEN, FAY, GUS, room_spec, whole_workshop
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


def shown(bars: VoteBars) -> str:
    """`panel decides 2/3 votes, line 2: A 3 (2) *, B 0 (1)`: * wins, in brackets what it had before."""
    said = (
        f"{b.letter} {b.has}{'' if b.before is None else f' ({b.before})'}{' *' if b.wins else ''}" for b in bars.bars
    )
    told = "sealed" if bars.is_sealed else ", ".join(said)
    line = "no line" if bars.needed is None else f"line {bars.needed}"
    does = "decides" if bars.decides else "advises"
    return f"{bars.voters} {does} {bars.cast}/{bars.eligible} of {bars.of} {bars.unit}, {line}: {told}"


def every(state: State) -> list[str]:
    return [shown(bars) for bars in vote_bars(account(state))]


def test_a_new_count_shows_an_empty_bar_then_the_previous_count():
    held = small(OPEN, n=4, rounds=2, decide=Majority(ballots_in_a_row=2))
    seen = [every(held.state)]
    for votes in ("a", "aab", "aabb"):
        for vote in votes:
            held.say(vote)
        seen.append(every(held.state))
    assert seen == [
        ["debaters decides 0/4 of 4 votes, line 3: sealed"],
        ["debaters decides 1/4 of 4 votes, line 3: sealed"],
        ["debaters decides 4/4 of 4 votes, line 3: A 3, B 1, C 0"],
        ["debaters decides 4/4 of 4 votes, line 3: A 2 (3), B 2 (1), C 0 (0)"],
    ]


def test_a_first_count_without_a_vote_is_a_count_all_the_same():
    held = small(OPEN, n=3, rounds=2, decide=Majority(ballots_in_a_row=2))
    for vote in (None, None, None, "a", "a", "b"):
        held.say(vote)
    assert every(held.state) == ["debaters decides 3/3 of 3 votes, line 2: A 2 (0), B 1 (0), C 0 (0)"]


@pytest.mark.parametrize(
    ("rule", "votes", "told"),
    [
        (Plurality(), "aab", "3/3 of 3 votes, no line: A 2 *, B 1, C 0"),
        (Plurality(), "ab-", "2/3 of 3 votes, no line: A 1, B 1, C 0"),
        (Threshold(votes=2), "bba", "3/3 of 3 votes, line 2: A 1, B 2 *, C 0"),
        (Supermajority(), "bba", "3/3 of 3 votes, line 2: A 1, B 2 *, C 0"),
        (Majority(), "abc", "3/3 of 3 votes, line 2: A 1, B 1, C 1"),
    ],
)
def test_the_line_is_the_rules_bar_that_one_option_can_pass(rule: CountedRule, votes: str, told: str):
    held = small(OPEN, n=3, rounds=1, decide=rule, stop=(MaxRounds(),))
    held.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(votes)})
    assert every(held.state) == [f"debaters decides {told}"]


def test_who_would_win_as_it_stands_is_marked_while_it_goes_on():
    held = small(OPEN, n=3, rounds=3, decide=Plurality(), stop=(MaxRounds(),))
    seen = []
    for votes in ("aab", "abb", "abc"):
        held.vote({f"s{n}": vote for n, vote in enumerate(votes)})
        seen += every(held.state)
    assert [told.partition(": ")[2] for told in seen] == [
        "A 2 *, B 1, C 0",
        "A 1 (2), B 2 (1) *, C 0 (0)",
        "A 1 (2), B 1 (1), C 1 (0)",
    ]


def test_the_latest_votes_are_drawn_and_sealed_until_revealed():
    held = Played(room_spec((FAY, ANN, BEN), decides="debaters")).act(FAY, acts.PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer").act(FAY, acts.PollClosed(poll="pre"))
    seen = [every(held.state)[1:]]
    held.go_on().act(FAY, acts.PollOpened(poll="pulse-1")).ballot(BEN, "pulse-1", "adopt")
    seen.append(every(held.state)[1:])
    held.act(FAY, acts.PollClosed(poll="pulse-1")).act(FAY, acts.PollRevealed(poll="pulse-1"))
    seen.append(every(held.state)[1:])
    assert seen == [
        ["panel advises 1/2 of 3 votes, no line: sealed"],
        ["panel advises 1/2 of 3 votes, no line: sealed"],
        ["panel advises 1/2 of 3 votes, no line: A 2, B 0, C 0"],
    ]


def test_weights_make_a_full_bar_longer():
    spec = small_spec(OPEN, n=2, rounds=1, decide=Majority(), stop=(MaxRounds(),))
    heavy = tuple(seat.model_copy(update={"weight": 3}) if seat.id == "s1" else seat for seat in spec.seats)
    held = Played(spec.model_copy(update={"seats": heavy}))
    assert every(held.state) == ["debaters decides 0/2 of 4 votes, line 3: sealed"]
    assert every(held.play("b").state) == ["debaters decides 2/2 of 4 votes, line 3: A 0, B 4 *, C 0"]


@pytest.mark.parametrize(("points", "told"), [((5, 1, 0), "A 10 *, B 2, C 0"), ((0, 0, 0), "A 0, B 0, C 0")])
def test_points_are_drawn_against_the_most_that_an_option_has(points: Sequence[int], told: str):
    held = small(OPEN, n=2, rounds=1, decide=Elected(kind="score"), stop=(MaxRounds(),))
    given = tuple(Given(option=option, points=p) for option, p in zip("abc", points, strict=True))
    held.play(lambda _: Argument(rationale="why", ballot=given))
    (bars,) = vote_bars(account(held.state))
    assert (bars.in_heads, bars.unit) == (False, "points")
    assert shown(bars).endswith(f"2/2 of {max(1, 2 * max(points))} points, no line: {told}")


def test_without_a_count_nothing_is_drawn():
    judge = Phase(name="verdict", gives="verdict", role="judge")
    ruled = small(OPEN, n=2, rounds=1, after=(judge,), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    assert (vote_bars(account(ruled.state)), deciding_bars(account(ruled.state))) == ((), None)


def test_the_deciding_electorate_is_first_and_has_the_winner():
    held = whole_workshop()
    assert every(held.state) == [
        "panel decides 2/2 of 3 votes, no line: A 3 (2) *, B 0 (1), C 0 (0)",
        "debaters advises 3/3 of 3 votes, no line: A 3 (3) *, B 0 (0), C 0 (0)",
        "room advises 0/1 of 1 votes, no line: A 0 (0), B 0 (0), C 0 (1)",
    ]
    deciding = deciding_bars(account(held.state))
    assert deciding is not None
    assert (deciding.voters, deciding.in_heads) == ("panel", True)


def test_a_vote_of_people_shows_turnout_until_revealed():
    held = Played(room_spec(decides="panel", vote=Majority()))
    assert every(held.state) == ["debaters advises 0/3 of 3 votes, no line: sealed"]
    seen = []
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer")
    seen.append(every(held.state)[1:])
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.go_on().to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    held.ballot(BEN, "final", "adopt")
    held.ballot(GUS, "final", "reject")
    seen.append(every(held.state))
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    seen.append(every(held.state))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    seen.append([row for row in every(held.state) if not row.startswith("debaters")])
    sealed = "panel {} 1/2 of 3 votes, {}: sealed"
    assert seen == [
        [sealed.format("advises", "no line"), "room advises 0/1 of 1 votes, no line: sealed"],
        [
            "panel decides 2/2 of 3 votes, line 2: sealed",
            "debaters advises 3/3 of 3 votes, no line: A 3 (3) *, B 0 (0), C 0 (0)",
            "room advises 1/1 of 1 votes, no line: sealed",
        ],
        [
            "panel decides 2/2 of 3 votes, line 2: A 3 *, B 0, C 0",
            "debaters advises 3/3 of 3 votes, no line: A 3 (3) *, B 0 (0), C 0 (0)",
            "room advises 1/1 of 1 votes, no line: A 0, B 0, C 1 *",
        ],
        [
            "panel decides 2/2 of 3 votes, line 2: A 3 (0) *, B 0 (1), C 0 (0)",
            "room advises 1/1 of 1 votes, no line: A 0, B 0, C 1 *",
        ],
    ]


def test_options_have_letters_as_far_as_the_alphabet_goes():
    many = letters(tuple(str(n) for n in range(28)))
    assert [many[str(n)] for n in (0, 1, 25, 26, 27)] == ["A", "B", "Z", "", ""]


def test_how_often_in_a_row_an_option_held_is_told():
    held = small(OPEN, n=4, rounds=3, decide=Majority(ballots_in_a_row=2))
    rows = []
    for votes in ("aaab", "aabb", "aaab"):
        for vote in votes:
            held.say(vote)
        bars = deciding_bars(account(held.state))
        assert bars is not None
        rows.append((bars.in_a_row, bars.has_held, [b.option for b in bars.bars if b.wins]))
    assert rows == [(2, 1, []), (2, 0, []), (2, 1, [])]


def test_whose_seat_is_nobody_is_no_voter():
    spec = small_spec(OPEN, n=3, rounds=1, decide=Majority(), stop=(MaxRounds(),))
    clerk = Seat(id="clerk", role="synthesiser", occupant="scripted")
    held = Played(spec.model_copy(update={"seats": (*spec.seats, clerk)}))
    assert every(held.state) == ["debaters decides 0/3 of 3 votes, line 2: sealed"]


def test_seats_have_a_first_count_and_people_a_vote_before():
    told = account(whole_workshop().state)
    parts = {bars.voters: votes_part(bars) for bars in vote_bars(told)}
    assert parts["panel"]["ends"] == "○ before  ● after"
    assert parts["debaters"]["ends"] == "○ first count  ● last"
    assert "adopt 3 first, 3 last" in parts["debaters"]["alt"]
    assert "adopt 2 before, 3 after" in parts["panel"]["alt"]
