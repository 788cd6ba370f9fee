"""Many options compared in pairs: the requests, the winner and its sentences (R173, R273)."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.tournaments import DATA, best_found
from debate_core.engine import comparisons, voting
from debate_core.engine.audit import verify
from debate_core.engine.ballot_consistency import contradicted
from debate_core.engine.count.bradley_terry import Contest, bradley_terry, told_apart
from debate_core.engine.count.pair_selection import next_pairs
from debate_core.engine.engine import next_requests
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.evaluation.judges import pair_votes, tau_of_votes
from debate_core.record.acts import Struck
from debate_core.record.commands import Act, Stop, TakeTurn, Truncate
from debate_core.record.state import Request, replace
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.tournament import Comparing, elo_of, progress
from debate_core.report.files.export import export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.report.phrases.tournament import settled_words
from debate_core.spec.candidates import read_candidates
from debate_core.spec.contents import Verdict
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.rules import Ceiling, Tournament
from debate_core.spec.values import Seat, Source, Usage
from tests.playing import Played

RULES = PROTOCOLS["tournament"]


def spec_of(options: int, rules: Protocol = RULES, rounds: int = 6, **more: object) -> Spec:
    names = [f"design {n:02}" for n in range(options)]
    seats = [Seat(id=name, occupant="scripted") for name in ("ana", "ben", "cid")]
    return compose("Which one?", names, rules, seats, max_rounds=rounds, **more)  # type: ignore[arg-type]


def with_rule(**fields: object) -> Protocol:
    return RULES.model_copy(update={"decide": Tournament.model_validate(fields)})


def compare(played: Played, request: Request, option: str | None) -> None:
    played.do(TakeTurn(by=request.seat, request=request.id, content=Verdict(reasoning="It is.", option=option)))


def held(spec: Spec, rng: Random, *, ties: float = 0.0) -> Played:
    """Design 00 is the best, 01 the next one; who is better wins the more often, the further apart they are."""
    played = Played(spec)
    while asked := played.requests():
        first, second = played.state.compared[asked[0].turn()]
        better = rng.random() < 1 / (1 + exp(int(first[-2:]) - int(second[-2:])))
        compare(played, asked[0], None if rng.random() < ties else first if better else second)
    return played


def account_of(played: Played) -> Account:
    return account(played.state, played.events)


def test_options_are_compared_equally_often_and_by_every_seat():
    played = held(spec_of(9, with_rule(), rounds=8), Random(1))
    met = Counter(option for pair in played.state.compared.values() for option in pair)
    assert len(met) == 9
    assert max(met.values()) - min(met.values()) <= 3
    asked = Counter(turn.seat for turn in played.state.all_turns())
    assert max(asked.values()) - min(asked.values()) <= 2
    assert verify(played.events) == ()


def test_a_comparer_reads_two_options_and_no_turn():
    documents = [Source(id=f"c{n}", title=f"design {n:02}", text=f"What design {n} is.") for n in range(4)]
    shared = Source(id="e1", title="Load test", text="It takes 40 ms.")
    played = Played(spec_of(4, sources=[*documents, shared]))
    for _ in range(3):
        for request in played.requests():
            seen = view(played.state, request)
            assert {source.title for source in seen.sources} == {*seen.options, "Load test"}
            assert (len(seen.options), seen.turns) == (2, ())
            compare(played, request, seen.options[0])


def test_a_comparison_names_one_of_its_two_options_or_neither():
    played = Played(spec_of(6))
    request = played.requests()[0]
    pair = played.state.compared[request.turn()]
    other = next(option for option in played.state.spec.options if option not in pair)
    with pytest.raises(RuleViolation, match=f"{other}' is not compared here: name '{pair[0]}' or '{pair[1]}'"):
        compare(played, request, other)
    compare(played, request, None)
    assert comparisons.contests(played.state) == ((*pair, 0.5),)


def test_a_reason_naming_a_third_option_argues_for_none():
    played = Played(spec_of(6))
    request = played.requests()[0]
    pair = played.state.compared[request.turn()]
    third = next(option for option in played.state.spec.options if option not in pair)
    for reason, argued in ((f"We should adopt {third}.", None), (f"We should adopt {pair[1]}.", pair[1])):
        assert contradicted(played.state, request, Verdict(reasoning=reason, option=pair[0])) == argued


def test_the_strongest_wins_once_it_is_told_apart():
    state = held(spec_of(6, with_rule(), rounds=24), Random(2)).state
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "design 00")
    few = held(spec_of(6, with_rule(), rounds=1), Random(2))
    assert few.outcome().status == "undecided"
    assert "too narrowly to decide" in outcome_sentence(account_of(few))


def test_level_options_decide_nothing():
    played = Played(spec_of(4, rounds=4))
    while asked := played.requests():
        compare(played, asked[0], None)
    assert played.outcome().status == "undecided"


def test_it_ends_once_the_best_are_separated():
    played = held(spec_of(8, with_rule(top=2), rounds=30), Random(3))
    assert played.outcome().ended_by == "top_settled"
    assert {row.option for row in account_of(played).ranking[:2]} == {"design 00", "design 01"}
    # Who looks for no best few ranks them all, to the last round.
    assert held(spec_of(8, with_rule(), rounds=12), Random(3)).outcome().rounds_run == 12


@pytest.mark.parametrize(("top", "looked_for"), [(None, None), (1, 1), (3, 3), (4, None), (5, None)])
def test_a_best_few_of_all_options_are_not_sought(top: int | None, looked_for: int | None):
    played = held(spec_of(4, with_rule(), rounds=2), Random(3))
    protocol = with_rule(top=top)
    state = replace(played.state, spec=played.state.spec.model_copy(update={"protocol": protocol}))
    assert comparisons.looked_for(state) == looked_for
    assert (comparisons.level_with_last(state) == ("", ())) is (looked_for is None)


def test_more_than_half_of_the_comparisons_have_to_be_given():
    played = Played(spec_of(4, with_rule(), rounds=1))
    met = []
    for _ in range(2):
        compare(played, played.requests()[0], None)
        met.append(comparisons.quorum_met(played.state))
    assert met == [False, True]


def test_the_strongest_is_elected_before_the_end_too():
    """A stop rule may ask for it between rounds."""
    played = Played(spec_of(2, with_rule(), rounds=12))
    winners = []
    while asked := played.requests():
        compare(played, asked[0], "design 00")
        winners.append(voting.winners(played.state))
    assert (winners[0], winners[-1]) == ((), ("design 00",))


def test_both_orders_are_asked_of_the_same_seat():
    played = Played(spec_of(6, with_rule(both_orders=True)))
    compared = [(turn.seat, pair) for turn, pair in played.state.compared.items()]
    assert len(compared) == 6
    for (seat, pair), (again, turned) in zip(compared[::2], compared[1::2], strict=True):
        assert (seat, pair) == (again, turned[::-1])


def test_failed_comparisons_do_not_count():
    played = Played(spec_of(4, with_rule(), rounds=12))
    while asked := played.requests():
        if asked[0].seat in ("ana", "ben"):
            played.fail("timeout")
            continue
        compare(played, asked[0], min(played.state.compared[asked[0].turn()]))
    outcome = played.outcome()
    assert (outcome.status, outcome.ended_by) == ("undecided", "quorum")
    assert "Only 8 of 24 requested comparisons were given. There were 8 comparisons of 4 options" in outcome_sentence(
        account_of(played)
    )


def test_a_struck_comparison_counts_and_hides_its_reason():
    played = Played(spec_of(4, with_rule(), rounds=1))
    first = played.requests()[0]
    compare(played, first, played.state.compared[first.turn()][0])
    before = comparisons.contests(played.state)
    played.do(Act(by="anna", act=Struck(turn=first.place(), reason="an insult")))
    assert comparisons.contests(played.state) == before
    compare(played, played.requests()[0], None)
    last = played.state.turns[-1]
    ended = account_of(played).ranking
    played.do(Act(by="anna", act=Struck(turn=last.place(), reason="an insult")))
    assert account_of(played).ranking == ended
    assert [row.reason for row in account_of(played).compared] == ["", ""]
    assert verify(played.events) == ()


def test_with_three_options_everybody_meets_everybody_as_often():
    met = Counter(map(frozenset, held(spec_of(3, with_rule(), rounds=12), Random(4)).state.compared.values()))
    assert [*met.values()] == [4, 4, 4]


def test_a_stopped_tournament_is_not_called_incomplete():
    played = Played(spec_of(4, with_rule()))
    played.do(Stop(by="ana", reason="lunch"))
    outcome = played.outcome()
    assert (outcome.status, outcome.ended_by, outcome.decision_rule) == ("aborted", "stopped", "stopped")


def test_every_paper_tells_the_same_ranking():
    told_to = account_of(held(spec_of(6, with_rule(), rounds=12), Random(5), ties=0.2))
    order = [row.option for row in told_to.ranking]
    told: Any = run_json(told_to)["ranking"]
    assert [row["option"] for row in told] == order
    assert [row.place for row in told_to.ranking] == [1, 2, 3, 4, 5, 6]
    files = export_files(told_to, "csv")
    table = list(csv.DictReader(io.StringIO(files["ranking.csv"].decode())))
    assert [row["option"] for row in table] == order
    pairs = list(csv.DictReader(io.StringIO(files["option_comparisons.csv"].decode())))
    assert sum(row["preferred"] == "" for row in pairs) > 0
    won = Counter(row["preferred"] for row in pairs)
    ties = Counter(o for row in pairs if not row["preferred"] for o in (row["first"], row["second"]))
    assert {row["option"]: float(row["points"]) for row in table} == {o: won[o] + ties[o] / 2 for o in order}
    for paper in (text_report(told_to), markdown_report(told_to)):
        assert [line for line in paper.splitlines() if "design" in line and "1200" not in line] != []
        places = [paper.index(option, paper.index("strength")) for option in order]
        assert places == sorted(places)
    assert "ranking" in json.loads(export_files(told_to, "json")[next(iter(export_files(told_to, "json")))])["result"]


@pytest.mark.parametrize(
    ("options", "rules", "message"),
    [
        (1, RULES, "a tournament needs 2 to 200 options, this one has 1"),
        (201, RULES, "a tournament needs 2 to 200 options, this one has 201"),
        (9, PROTOCOLS["bounded_vote"], "a debate needs 2 to 8 options, this one has 9"),
        (4, PROTOCOLS["bounded_vote"].model_copy(update={"decide": Tournament()}), "a tournament compares options in"),
        (4, RULES.model_copy(update={"decide": PROTOCOLS["bounded_vote"].decide}), "a tournament compares options in"),
    ],
)
def test_what_is_no_tournament_is_refused(options: int, rules: Protocol, message: str):
    with pytest.raises(InvalidSpec, match=message):
        spec_of(options, rules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "designs.csv has no candidates: a tournament needs 2 to 200"),
        ("option,text\n", "designs.csv has no candidates: a tournament needs 2 to 200"),
        ("Redis\n", "designs.csv has 1 candidate: a tournament needs 2 to 200"),
        ("option\nRedis\nKafka\n REDIS \n", "designs.csv names 'Redis' in lines 2 and 4: once is enough"),
        ("Redis  cache\nRedis cache\n", "designs.csv names 'Redis  cache' in lines 1 and 2: once is enough"),
        ("\n".join(map(str, range(10_000))), "designs.csv has 10000 candidates: a tournament needs 2 to 200"),
        ("name,text\nRedis,a\n", "designs.csv has the columns name, text: one of them must be 'option'"),
        ("option,text\n,a\n", "designs.csv, line 2, names no option"),
        (f"option\n{'a' * 2_001}\nb", "designs.csv, line 2: an option has at most 2000 characters, not 2001"),
        ('option\n"a\n', "designs.csv, line 2, is no CSV"),
        ("Adopt\nBuy, then build\n", "designs.csv, line 2, has more columns than the first line, from 'then build' on"),
        ("option,text\na,b,c\n", "designs.csv, line 2, has more columns than the first line, from 'c' on"),
    ],
)
def test_a_bad_candidate_file_is_refused_in_one_sentence(text: str, message: str):
    with pytest.raises(InvalidSpec, match=re.escape(message)):
        read_candidates(text, where="designs.csv")


def test_option_names_may_contain_separators():
    assert read_candidates("a; b\nc;d", where="d.txt") == (("a; b", "c;d"), ())
    assert read_candidates("option\na; b\nc", where="d.txt") == (("a; b", "c"), ())
    assert read_candidates('"a, b"\nc,\n', where="d.txt") == (("a, b", "c"), ())


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_spreadsheet_may_write_its_own_separator(mark: str):
    text = f"\ufeffText{mark}Option\nOne table.{mark}Outbox\n{mark}Kafka\n"
    assert read_candidates(text, where="d.csv") == (
        ("Outbox", "Kafka"),
        (Source(id="C1", title="Outbox", text="One table."),),
    )


def cut_in_the_middle(rule: Tournament, given: int, rounds: int = 30) -> Played:
    """Eight options, the first name wins; the limit ends it when so many comparisons are given."""
    stop = (Ceiling(calls=0), *RULES.stop[1:])
    played = Played(spec_of(8, RULES.model_copy(update={"decide": rule, "stop": stop}), rounds=rounds))
    for _ in range(given):
        request = played.requests()[0]
        compare(played, request, min(played.state.compared[request.turn()]))
    played.do(Truncate(by="runner", request=played.requests()[0].id, reserved=Usage(calls=1)))
    assert verify(played.events) == ()
    return played


def test_a_budget_stop_decides_what_is_separated_by_then():
    # R225: three calls are given of a round of four, and the next one is not made.
    few = cut_in_the_middle(Tournament(top=3, at_limit="applies"), given=3)
    assert (few.outcome().status, few.outcome().ended_by, few.outcome().decided_by) == (
        "undecided",
        "ceiling_calls",
        None,
    )
    told = account_of(few)
    assert [row.comparisons for row in told.ranking] == [1] * 6 + [0] * 2
    first, second, last, *behind = [row.option for row in told.ranking if row.comparisons]
    sentence = outcome_sentence(told)
    assert f"{first} leads {second} too narrowly to decide" in sentence.casefold()
    assert f"The best 3 were not settled: {last} is not clearly ahead of" in sentence
    assert all(other in settled_words(told) for other in behind)
    assert "3 comparisons of 8 options; ahead, but not settled" in sentence
    assert "The rounds ended because the limit of calls was reached" in sentence
    assert settled_words(told) in markdown_report(told)

    many = cut_in_the_middle(Tournament(top=1, at_limit="applies"), given=102)
    assert (many.outcome().status, many.outcome().decision) == ("decided", "design 00")
    assert many.outcome().ended_by == "ceiling_calls"
    sentence = outcome_sentence(account_of(many))
    assert "The best one is clearly ahead of the rest" in sentence
    assert "before its last turns" not in sentence


def test_where_it_was_not_agreed_a_limit_decides_nothing():
    before = cut_in_the_middle(Tournament(top=1), given=102)
    assert (before.outcome().status, before.outcome().decision) == ("truncated", "escalate")
    assert "Nothing was decided; the turns are kept: 102 comparisons" in outcome_sentence(account_of(before))


@pytest.mark.parametrize(("both_orders", "most"), [(False, 12), (True, 24)])
def test_progress_counts_comparisons_and_names_the_next_pair(both_orders: bool, most: int):
    played = Played(spec_of(4, with_rule(both_orders=both_orders)))
    n_open = len(played.requests())
    for n_given in range(n_open):
        so_far = progress(played.state)
        asked = played.requests()
        pair = played.state.compared[asked[0].turn()]
        assert so_far == Comparing(given=n_given, most=most, next_pair=pair, beside=n_open - n_given - 1)
        (comparisons_step,) = [step for step in agenda(played.state) if step.name == "Comparisons"]
        assert (comparisons_step.when, comparisons_step.beside) == ("now", f"{n_given} of {most} at most")
        first = next_requests(played.state)
        assert first == {r.seat: next(one for one in asked if one.seat == r.seat) for r in asked}
        compare(played, asked[0], pair[0])
    over = progress(played.do(Stop(by="ana", reason="late")).state)
    assert (over.given, over.next_pair, over.beside) == (n_open, None, 0)


# Which two are compared next


def ladder(names: str, *, times: int = 1) -> list[Contest]:
    """Every two of them met; who stands earlier won two of three times, and so is a little stronger."""
    won = [(better, worse, 1.0) for better, worse in combinations(names, 2)] * 2 * times
    return [*won, *[(worse, better, 1.0) for better, worse in combinations(names, 2)] * times]


def in_pairs(names: str, contests: Sequence[Contest], top: int | None = None) -> list[str]:
    """`ab`: whatever their order, in which a lot shows them."""
    return ["".join(sorted(pair)) for pair in next_pairs(names, contests, top=top, seed="1")]


@given(st.integers(2, 15), st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=30), st.data())
def test_a_wave_has_half_as_many_pairs_as_options(n: int, met: list[tuple[int, int]], data: st.DataObject):
    names = "abcdefghijklmno"[:n]
    contests = [(names[i % n], names[j % n], 1.0) for i, j in met if i % n != j % n]
    top = data.draw(st.none() | st.integers(1, n))
    wave = next_pairs(names, contests, top=top, seed="1")
    assert len(wave) == n // 2
    assert all(first != second for first, second in wave)
    assert wave == next_pairs(names, contests, top=top, seed="1")
    if top is None:
        assert len({option for pair in wave for option in pair}) == n // 2 * 2


@pytest.mark.parametrize(
    ("top", "met", "wave"),
    [(None, 0, (("e", "a"), ("b", "c"), ("f", "d"))), (1, 2, (("d", "b"), ("a", "c"), ("b", "a")))],
)
def test_verification_draws_the_same_pairs_in_order(top: int | None, met: int, wave: tuple[tuple[str, str], ...]):
    level: list[Contest] = [(first, second, 0.5) for first, second in combinations("abcdef", 2)] * met
    assert next_pairs("abcdef", level, top=top, seed="1") == wave


def test_neighbours_that_met_least_meet_first():
    assert in_pairs("abcdef", ladder("abcdef")) == ["ab", "cd", "ef"]
    assert in_pairs("abcdef", [*ladder("abcdef"), *[("a", "b", 1.0)] * 2]) == ["ac", "bd", "ef"]
    # Of an odd number whoever met most is left out.
    assert in_pairs("abcde", [*ladder("abcde"), ("c", "d", 1.0), ("c", "e", 1.0)]) == ["ab", "de"]


@pytest.mark.parametrize(
    ("top", "met", "meets"), [(None, "bcdefgh", "i"), (None, "bcdefghi", "b"), (3, "bc", "d"), (3, "bcd", "b")]
)
def test_an_opponent_is_looked_for_near_by(top: int | None, met: str, meets: str):
    """Among eight; at the border among three."""
    once_more = [("a", option, 1.0) for option in met]
    assert in_pairs("abcdefghij", [*ladder("abcdefghij", times=6), *once_more], top)[0] == f"a{meets}"


@pytest.mark.parametrize(
    ("top", "rivals"),
    [(1, "abcd"), (2, "abcd"), (3, "abcdef"), (4, "abcdefgh"), (11, "abcdefghijkl"), (12, "abcdefghijkl")],
)
def test_seeking_the_best_few_compares_those_at_the_border(top: int, rivals: str):
    """Twice as many as are looked for, and at least four."""
    assert {*"".join(in_pairs("abcdefghijkl", ladder("abcdefghijkl"), top))} == {*rivals}


def test_before_the_border_each_has_met_three_others():
    met = [(first, second, 0.5) for first, second in combinations("abcdefghijkl", 2)]
    assert {*"".join(in_pairs("abcdefghijkl", met[:35], 1))} == {*"abcdefghijkl"}
    assert len({*"".join(in_pairs("abcdefghijkl", met[:36], 1))}) == 4


# How good the ranking is


def test_repeated_equal_results_separate_two_options():
    won: list[Contest] = [("a", "b", 1.0)] * 5
    assert told_apart(won, "a", "b")
    assert not told_apart(won[:2], "a", "b")
    assert not told_apart([*won, *[("b", "a", 1.0)] * 4], "a", "b")
    # By way of a third one, too.
    assert told_apart([*[("a", "b", 1.0)] * 6, *[("b", "c", 1.0)] * 6], "a", "c")


def test_other_names_for_the_options_change_no_strength():
    played: list[Contest] = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 0.5), ("a", "c", 1.0)]
    other = {"a": "z", "b": "y", "c": "x"}
    strengths = bradley_terry([(other[one], other[two], score) for one, two, score in reversed(played)]).strengths
    assert strengths == pytest.approx({other[name]: value for name, value in bradley_terry(played).strengths.items()})


def test_elo_as_other_systems_show_it():
    # One win between equals moves both by half of K.
    assert elo_of([("a", "b", 1.0)]) == {"a": 1216, "b": 1184}
    assert elo_of([("a", "b", 0.5)]) == {"a": 1200, "b": 1200}


@pytest.mark.slow
def test_the_best_few_are_looked_for_where_it_matters():
    # Of 20 simulated options, 13 comparisons each.
    assert sum(best_found(20, seed, top=2) for seed in range(4)) >= 0.7 * 4


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "pairwise").exists(), reason="the public votes are not beside the checkout")
def test_twelve_comparisons_per_item_rank_real_arguments():
    # Votes of people on 2 x 35 arguments; each comparison is one vote drawn by lot.
    taus = [tau_of_votes(votes, seed) for votes in pair_votes(DATA).values() for seed in range(3)]
    assert sum(taus) / len(taus) >= 0.75
