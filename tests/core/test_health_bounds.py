"""Bounds of each health check: just below, just above, and its sentence there."""

from collections.abc import Sequence
from typing import Any

import pytest

from debate_core.engine.engine import requests
from debate_core.record.commands import TakeTurn
from debate_core.record.events import Truncated
from debate_core.record.state import State, replace
from debate_core.report.facts.health import (
    CritiqueRow,
    conformed,
    findings,
    flags,
    is_weak,
    mean_strength,
    ratings,
    strength_sentence,
)
from debate_core.report.facts.ruling import agreement
from debate_core.spec.contents import Argument, Claim, Directive, Evaluation, Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Preparation
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, MaxRounds, Plurality, Threshold, Unanimity
from debate_core.spec.values import Role, Seat, Source
from tests.by_hand import ASSESS, JUDGE, LEAD, OPEN, small, small_spec
from tests.people import room_spec
from tests.playing import Played

AGAIN = Phase(name="again")
LINES = [
    ModelLine(id=name, model=name, provider="own", family=name, dialect="chat") for name in ("north", "east", "south")
]


def found(state: State) -> dict[str, str]:
    return {f.name: f.sentence for f in findings(state)}


# --- signs of theatre


def moderated(*, ben: str = "north", bens_side: str = "adopt", judge: str = "south") -> State:
    """Models before a judge, at their first round; without a name of its own the judge is scripted."""
    seats = [Seat(id="anna", model="north", stance="adopt"), Seat(id="ben", model=ben, stance=bens_side)]
    for role in ("moderator", "judge"):
        office: Role = role
        model = judge if role == "judge" else "south"
        seats.append(
            Seat(id=role, role=office, model=model) if model else Seat(id=role, role=office, occupant="scripted")
        )
    used = [line for line in LINES if line.id in {seat.model for seat in seats}]
    played = Played(compose("Which?", ("adopt", "wait"), PROTOCOLS["moderated_judge"], seats, models=used))
    led = Directive(reason="Begin", next_speakers=("anna",))
    return played.do(TakeTurn(by="moderator", request=requests(played.state)[0].id, content=led)).state


ONE_MODEL = "one model debates in all seats"
ONE_TEXT = "two seats have the same stance and persona"
CHOOSES = "a model chooses who speaks"
SAYS = "no votes are counted, a model names the result"
AT_ONCE = "all agreed on the first ballot"
CUT = "a limit ended it"


def signs(state: State) -> list[str]:
    """Those that are named; [] where they are too few."""
    told = found(state).get("theatrical", "")
    assert told.startswith(f"{told.count(';') + 1} signs of a staged debate: ") or not told
    return told.partition(": ")[2].removesuffix(".").split("; ") if told else []


BY_MODEL, BY_PERSON = ("moderator",), ("p-mo",)


@pytest.mark.parametrize(
    ("cast", "leads", "named"),
    [
        ({}, BY_MODEL, [ONE_MODEL, ONE_TEXT, CHOOSES, SAYS]),
        ({"ben": "east"}, BY_MODEL, [ONE_TEXT, CHOOSES, SAYS]),
        ({"bens_side": "wait"}, BY_MODEL, [ONE_MODEL, CHOOSES, SAYS]),
        ({"judge": ""}, BY_MODEL, [ONE_MODEL, ONE_TEXT, CHOOSES]),
        ({}, BY_PERSON, [ONE_MODEL, ONE_TEXT, SAYS]),
        ({}, BY_PERSON + BY_MODEL, [ONE_MODEL, ONE_TEXT, CHOOSES, SAYS]),
        ({"ben": "east", "bens_side": "wait"}, BY_MODEL, []),
        ({"ben": "east", "judge": ""}, BY_MODEL, []),
        ({"judge": ""}, BY_PERSON, []),
    ],
)
def test_three_signs_of_theatre_are_told_and_two_are_not(cast: dict[str, str], leads: Sequence[str], named: list[str]):
    # R023
    state = moderated(**cast)
    (turn,) = state.turns
    assert signs(replace(state, turns=tuple(turn._replace(by=by) for by in leads))) == named


def test_that_a_limit_ended_it_is_a_sign_of_theatre():
    # R023
    state = moderated(ben="east", bens_side="wait")
    cut = Truncated(request="2.argument.anna.1", axis="calls")
    assert signs(replace(state, truncated=cut)) == [CHOOSES, SAYS, CUT]


@pytest.mark.parametrize(
    ("first", "then", "named"),
    [("aa", "aa", [ONE_MODEL, ONE_TEXT, AT_ONCE]), ("ab", "aa", []), ("aa", "ab", [ONE_MODEL, ONE_TEXT, AT_ONCE])],
)
def test_agreement_from_the_first_ballot_is_a_sign_of_theatre(first: str, then: str, named: list[str]):
    # R023
    spec = small_spec(OPEN, AGAIN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    seats = tuple(Seat(id=seat.id, model="north", stance="a") for seat in spec.seats)
    played = Played(spec.model_copy(update={"seats": seats, "models": (LINES[0],)}))
    for votes in (first, then):
        played.vote(dict(zip(("s0", "s1"), votes, strict=True)))
    assert signs(played.state) == named


@pytest.mark.parametrize(("debaters", "named"), [(1, []), (2, [CHOOSES, AT_ONCE, CUT])])
def test_a_debater_alone_agrees_with_nobody(debaters: int, named: list[str]):
    # R023
    spec = small_spec(LEAD, OPEN, n=debaters, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    sides = zip(spec.seats, LINES, "abc", strict=False)
    seats = tuple(Seat(id=seat.id, role=seat.role, model=line.id, stance=side) for seat, line, side in sides)
    played = Played(spec.model_copy(update={"seats": seats, "models": tuple(LINES)}))
    played.say(Directive(reason="Begin", next_speakers=("s0",))).play("a")
    assert signs(replace(played.state, truncated=Truncated(request="1.open.s0.1", axis="calls"))) == named


# --- agreement that was not counted


@pytest.mark.parametrize(
    ("reasoning", "verdict", "told"),
    [
        ("Weighed", "adopt", None),
        ("All debaters agree.", "adopt", "judge claims agreement (“All debaters agree”), but no votes are counted."),
        ("Weighed", "It was unanimous.", "judge claims agreement (“unanimous”), but no votes are counted."),
    ],
)
def test_a_verdict_claiming_agreement_refers_to_no_count(reasoning: str, verdict: str, told: str | None):
    # R062
    judge = Phase(name="verdict", gives="verdict", role="judge")
    played = small(OPEN, n=2, rounds=1, after=(judge,), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    played.say("a").say("a").say(Verdict(reasoning=reasoning, verdict=verdict, option="a"))
    assert found(played.state).get("phantom_consensus") == told


@pytest.mark.parametrize(
    ("told", "votes", "weight", "count"),
    [
        ("It was unanimous.", ("aab", "aaa"), 1, None),
        ("It was unanimous.", ("aaa", "aab"), 1, "a 2, b 1 of 3"),
        ("It was unanimous.", ("aab", "aac"), 1, "a 2, c 1 of 3"),
        # Weights are no heads.
        ("It was unanimous.", ("aab", "aac"), 2, "a 4, b 0, c 2"),
        ("It was unanimous.", ("aab", "---"), 1, "no vote of 3"),
        # Where one option is elected there is agreement, though not of everybody.
        ("There is consensus.", ("abc", "aab"), 1, None),
        ("There is consensus.", ("aab", "abc"), 1, "a 1, b 1, c 1 of 3"),
        ("Weighed.", ("abc", "abc"), 1, None),
    ],
)
def test_an_evaluation_is_held_against_the_last_count(told: str, votes: Sequence[str], weight: int, count: str | None):
    # R062
    spec = small_spec(OPEN, AGAIN, rounds=1, after=(ASSESS,), decide=Plurality(), stop=(MaxRounds(),))
    seats = tuple(seat.model_copy(update={"weight": weight}) for seat in spec.seats)
    played = Played(spec.model_copy(update={"seats": seats}))
    for ballots in votes:
        played.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(ballots)})
    played.say(Evaluation(synthesis=told))
    words = told.removesuffix(".").removeprefix("It was ")
    expected = f"evaluator claims agreement (“{words}”), but the count is {count}."
    assert found(played.state).get("phantom_consensus") == (expected if count else None)


# --- one seat that fills the room


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((60, 40), None),
        ((61, 39), "s0 said 61\u00a0% of the words, where an even share is 50\u00a0%."),
        ((39, 61), "s1 said 61\u00a0% of the words, where an even share is 50\u00a0%."),
        ((90, 9), None),
        ((91, 9), "s0 said 91\u00a0% of the words, where an even share is 50\u00a0%."),
        ((44, 44, 12), "s0 said 44\u00a0%, s1 said 44\u00a0% of the words, where an even share is 33\u00a0%."),
        ((43, 43, 14), None),
    ],
)
def test_a_seat_dominates_at_a_tenth_above_an_even_share(words: Sequence[int], told: str | None):
    # R056
    played = small(OPEN, n=len(words), rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for n, count in enumerate(words):
        played.say(Argument(rationale=" ".join(f"word{n}x{i}" for i in range(count)), vote="a"))
    assert found(played.state).get("dominance") == told
    over = [f"1.open.s{n}.1" for n in range(len(words)) if told and f"s{n} said" in told]
    assert [turn for finding in findings(played.state) for turn in finding.turns] == over


# --- ballots that move into the majority


@pytest.mark.parametrize(
    ("before", "after", "flips", "against"),
    [
        ("aab", "aaa", 1, 1),
        ("aab", "aac", 0, 1),
        ("aab", "aab", 0, 1),
        ("aab", "aa-", 0, 0),
        ("aa-", "aaa", 0, 0),
        ("aabb", "aaaa", 0, 0),
        ("a--", "aaa", 0, 0),
        ("aabcc", "aaaaa", 0, 0),
        ("aaabc", "aaaac", 1, 2),
        ("bba", "bbb", 1, 1),
        # Of two who both had voted against it, the one who abstains now does not move.
        ("aaabb", "aaa-a", 1, 1),
    ],
)
def test_a_flip_leads_to_the_option_that_led_alone(before: str, after: str, flips: int, against: int):
    # R114
    played = small(OPEN, AGAIN, n=len(before), rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for votes in (before, after):
        played.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(votes)})
    seen = conformed(played.state)
    assert (seen.flips, seen.against, len(seen.turns)) == (flips, against, flips)
    assert all(turn.startswith("1.again.s") for turn in seen.turns)
    assert seen.chance == pytest.approx(1 / 3)


def test_a_room_without_options_has_no_warning():
    asks = Preparation(step="collect", minutes=10)
    lobby = Played(room_spec(preparation=(asks,)).model_copy(update={"options": ()}))
    assert findings(lobby.state) == ()


# --- lists that are cut short


def told_of(number: int, more: str = "and") -> str:
    """Return the text after the sixth item, if there are more."""
    return f" {more} {number - 6} more" if number > 6 else ""


@pytest.mark.parametrize("number", [0, 1, 6, 7, 8])
def test_false_quotes_are_named_up_to_six_and_then_counted(number: int):
    # R263
    spec = small_spec(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    page = Source(id="log", title="Log", text="Every night the job ran for two hours and eleven minutes.")
    invented = Claim(text="It is slow", quote="Customers complained about it every single day", source_id="log")
    said = Argument(rationale="why", vote="a", claims=(invented,) * number)
    played = Played(spec.model_copy(update={"sources": (page,)})).say(said).say("a")
    named = ", ".join(f"s0.1.{n} (not found)" for n in range(1, min(number, 6) + 1))
    told = f"Quotes altered or not found in their source: {named}{told_of(number)}. "
    assert found(played.state).get("false_quotes") == (f"{told}These claims support nothing." if number else None)
    turns = [finding.turns for finding in findings(played.state) if finding.name == "false_quotes"]
    assert turns == ([("1.open.s0.1",)] if number else [])


@pytest.mark.parametrize("number", [0, 1, 6, 7, 8])
def test_contradicting_ballots_are_named_up_to_six(number: int):
    state = small(OPEN, n=9, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).play("a").state
    turns = tuple(turn._replace(argues_for="b" if n < number else None) for n, turn in enumerate(state.turns))
    named = ", ".join(f"s{n} in round 1 (b)" for n in range(min(number, 6)))
    told = f"Turns that argue for another option than they choose: {named}{told_of(number)}."
    assert found(replace(state, turns=turns)).get("contradicting_ballots") == (told if number else None)


# --- critiques


def critique(strength: int | None = None, answered: int = 0, answerable: int = 0, new: int = 0) -> CritiqueRow:
    return CritiqueRow("1.critique.s0.1", 1, "s0", strength, 1, answered, answerable, new, ())


@pytest.mark.parametrize(
    ("rated", "weak"),
    [
        ([], False),
        ([None], False),
        ([6, 7], False),
        ([6, 7, 6], True),
        ([None, 6], True),
        ([5, 8], False),
        ([4, 10, 10], True),
        ([5, 10, 10], False),
    ],
)
def test_critics_are_weak_below_six_and_a_half_or_five_once(rated: list[int | None], weak: bool):
    # R252, R261
    played = small(Phase(name="blame", gives="critique"), n=3, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for rating in [*rated, None, None, None][:3]:
        played.say(Argument(rationale="Why", vote="a", strength=rating))
    given = ratings(played.state)
    assert list(given) == [rating for rating in rated if rating is not None]
    assert is_weak(given) == weak
    mean = mean_strength(given)
    assert (mean is None) == (not given)
    assert mean is None or mean * len(given) == sum(given)


@pytest.mark.parametrize(
    ("answered", "answerable", "new", "lazy"),
    [(0, 0, 0, False), (0, 1, 0, True), (1, 5, 0, False), (1, 6, 0, True), (1, 6, 1, False), (2, 9, 0, False)],
)
def test_a_lazy_critique_answers_little_and_claims_nothing_new(answered: int, answerable: int, new: int, lazy: bool):
    # R239
    assert critique(None, answered, answerable, new).lazy == lazy


def test_lazy_and_soft_critiques_are_each_reported():
    # R239
    blame = Phase(name="blame", gives="critique")
    played = small(OPEN, blame, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for text in ("It pays within a year", "Nobody can run it", "Customers wait for it"):
        played.say(Argument(rationale=f"Because {text}", vote="a", claims=(Claim(text=text),)))
    played.say(Argument(rationale="That is open", vote="a"))
    played.say(Argument(rationale="I mostly agree, and I mostly agree", vote="a", answers=("s0.1.1",)))
    played.say(Argument(rationale="No", vote="a", claims=(Claim(text="The licence ends in May"),)))
    told = {f.name: (f.sentence, f.turns) for f in findings(played.state)}
    # Both critics vote for the same option, and one of them answers the claim of the other.
    assert told.pop("different_reasons")[1] == ("1.blame.s0.1", "1.blame.s1.1")
    assert told == {
        "lazy_critic": (
            "Critiques (s0) answer 0 of 2 claims they could answer and claim nothing new.",
            ("1.blame.s0.1",),
        ),
        "softening": ("Critiques (s1) soften: “I mostly agree”.", ("1.blame.s1.1",)),
    }


# --- flags


@pytest.mark.parametrize(("seats", "votes", "flagged"), [(3, 2, False), (4, 2, True), (5, 3, False), (6, 3, True)])
def test_two_options_can_win_at_a_low_threshold(seats: int, votes: int, flagged: bool):
    rule = Threshold(votes=votes, allows_two_winners=True)
    state = small(OPEN, n=seats, rounds=1, decide=rule, stop=(MaxRounds(),)).state
    assert ("two_could_win" in flags(state)) == flagged
    assert "two_could_win" not in flags(small(OPEN, n=seats, rounds=1, decide=Unanimity()).state)


@pytest.mark.parametrize(
    ("votes", "conceding", "flagged"),
    [
        ("aaa", "", False),
        ("aab", "", True),
        ("aab", "3", False),
        ("aab", "2", True),
        ("aba", "2", True),
        ("aba", "23", False),
        ("a-b", "", True),
        ("a-b", "3", False),
        ("a-a", "", False),
        ("-ab", "3", False),
    ],
)
def test_a_ballot_changed_without_a_cause_is_flagged(votes: str, conceding: str, flagged: bool):
    # R200
    phases = [OPEN, AGAIN, AGAIN.model_copy(update={"name": "last"})]
    played = small(*phases, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for place, vote in enumerate(votes, start=1):
        moved = ("s1.1.1",) if str(place) in conceding else ()
        played.say(Argument(rationale=f"why {place}", vote=None if vote == "-" else vote, concedes=moved))
        said = (Claim(text="It saves a day"),) if place == 1 else ()
        played.say(Argument(rationale=f"still {place}", vote="c", claims=said))
    assert ("unattributed_change" in flags(played.state)) == flagged


REHEARSED = ("rehearsal", "not_a_debate")


@pytest.mark.parametrize(
    ("votes", "rules", "flagged"),
    [
        ("aaa", {}, ("all_opinion_consensus",)),
        ("aab", {}, ("all_opinion_consensus",)),
        ("abc", {}, ("tie", "incoherent")),
        ("aabb", {}, ("tie", "split")),
        ("---", {}, ("no_ballots",)),
        ("aa--", {}, ("too_few_ballots", "all_opinion_consensus")),
        ("aabb", {"decide": BySeat(role="judge"), "after": (JUDGE,)}, ("not_counted",)),
    ],
)
def test_what_the_ballots_of_one_phase_come_to_is_flagged(votes: str, rules: dict[str, Any], flagged: tuple[str, ...]):
    rules = {"decide": Plurality(quorum=1), **rules}
    played = small(OPEN, n=len(votes), rounds=1, stop=(MaxRounds(),), **rules)
    assert [flag for flag in flags(played.state) if flag not in (*REHEARSED, "not_counted")] == []
    played.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(votes)})
    assert flags(played.state) == (*REHEARSED, *flagged)


@pytest.mark.parametrize(
    ("claims", "opinion_alone", "unverified"),
    [
        ((), True, False),
        ((Claim(text="It is good"),), True, False),
        ((Claim(text="It is good"), Claim(text="It saves 40 % of the cost")), False, False),
        ((Claim(text="It is slow", quote="The job ran for two hours every night", source_id="log"),), False, False),
        ((Claim(text="It is slow", quote="Nobody liked how slow it was at all", source_id="log"),), True, True),
    ],
)
def test_a_decision_without_markers_and_quotes_is_opinion(
    claims: tuple[Claim, ...], opinion_alone: bool, unverified: bool
):
    page = Source(id="log", title="Log", text="As told: the job ran for two hours every night.")
    spec = small_spec(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).model_copy(
        update={"sources": (page,)}
    )
    played = Played(spec).say(Argument(rationale="why", vote="a", claims=claims))
    assert "all_opinion_consensus" not in flags(played.state)
    told = flags(played.say("a").state)
    assert ("all_opinion_consensus" in told, "unverified_quotes" in told) == (opinion_alone, unverified)
    # Who votes for it says nothing for it but what is not to be found.
    assert ("rests_on_unverified_quotes" in told) == unverified


def test_one_lost_turn_and_one_contradiction_are_flagged():
    played = small(OPEN, n=3, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).say("a").say("a")
    assert not {"lost_turns", "ballots_contradict_text"} & {*flags(played.state)}
    assert "lost_turns" in flags(played.copy().fail().fail().state)
    against = played.say("b").state
    ballots = {**against.ballots, "s2": against.ballots["s2"]._replace(argues_for="a")}
    assert "ballots_contradict_text" in flags(replace(against, ballots=ballots))


def test_the_mean_of_critiques_uses_those_with_a_rating():
    # R238
    blame = Phase(name="blame", gives="critique")
    played = small(OPEN, blame, n=3, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).say("a").say("a").say("a")
    assert strength_sentence(played.state) == ""
    for strength in (6, None, 9):
        played.say(Argument(rationale="But why", vote="a", strength=strength))
    assert strength_sentence(played.state) == "Critiques rate themselves 7.5 of 10 on average (2 rated)."


@pytest.mark.parametrize(
    ("votes", "told"),
    [
        ("----", "no_ballots"),
        ("aa--", "too_few_ballots"),
        ("aaa--", "consensus"),
        ("aab--", "consensus"),
        ("a-", "too_few_ballots"),
    ],
)
def test_nothing_can_be_said_where_at_most_half_cast_a_ballot(votes: str, told: str):
    played = small(OPEN, n=len(votes), rounds=1, decide=Plurality(quorum=1), stop=(MaxRounds(),))
    played.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(votes)})
    assert agreement(played.state) == told
