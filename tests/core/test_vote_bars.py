"""Every drawing of votes shows these bars: what each option has, the line, and nothing of what is sealed."""

from collections.abc import Sequence

import pytest

from debate_core.record import acts
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, letters, vote_bars
from debate_core.spec.contents import Argument
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
from tests.people import ANN, BEN, FAY, GUS, room_spec, whole_workshop
from tests.playing import Played


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
