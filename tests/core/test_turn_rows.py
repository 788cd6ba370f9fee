"""Turns as rows: interrupted text, claims and votes of each turn, and shares of the words."""

import pytest

from debate_core.record.commands import Stop
from debate_core.record.events import Partial, Stopped
from debate_core.record.state import replace
from debate_core.report.facts.turns import readable_turns, share_rows, transcript_rows, turn_rows
from debate_core.spec.contents import Argument, Claim, Evaluation, Verdict
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, DecisionRule, Elected, MaxRounds, Plurality
from debate_core.spec.values import Given, Source
from tests.by_hand import ASSESS, JUDGE, OPEN, small, small_spec
from tests.playing import Played


def test_a_stopped_turn_counts_if_it_had_begun():
    played = small(OPEN, n=4, decide=Plurality(), stop=(MaxRounds(),)).say("a").fail(message="no JSON")
    said = [("s0", 1, "Given meanwhile"), ("s1", 2, "I was about"), ("s2", 1, ""), ("s3", 1, "Well")]
    partials = tuple(Partial(request=f"1.open.{seat}.{attempt}", text=text) for seat, attempt, text in said)
    played.do(Stop(by="chair", reason="fire alarm"))
    state = replace(played.state, stopped=Stopped(reason="fire alarm", partials=partials))
    assert [(row.seat, row.status, row.text, row.retries, row.failures) for row in turn_rows(state)] == [
        ("s0", "ok", "why", 0, ()),
        ("s1", "cut", "I was about", 1, ("no JSON",)),
        ("s3", "cut", "Well", 0, ()),
    ]
    # A transcript has what was given whole.
    assert [row.agent_name for row in transcript_rows(state, turn_rows(state))] == ["s0"]


def test_a_row_counts_its_claims_and_found_quotes():
    page = Source(id="log", title="Log", text="Every night the job ran for two hours.")
    spec = small_spec(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    played = Played(spec.model_copy(update={"sources": (page,)}))
    quotes = ("the job ran for two hours", "nobody liked it at all then", "")
    claims = tuple(Claim(text=f"Claim {n}", quote=q or None, source_id="log") for n, q in enumerate(quotes))
    played.say(Argument(rationale="why", vote="a", claims=claims, confidence=70)).say("b")
    first, second = turn_rows(played.state)
    assert (first.claims, first.quotes_verified, first.quotes_unverified, first.confidence) == (3, 1, 1, 70)
    assert (second.claims, second.quotes_verified, second.quotes_unverified, second.confidence) == (0, 0, 0, None)
    # A script was never called.
    assert (first.usage, first.model, first.latency_ms()) == (None, None, None)


@pytest.mark.parametrize(
    ("rule", "said", "vote"),
    [
        (Plurality(), Argument(rationale="why", vote="b"), "b"),
        (Plurality(), Argument(rationale="why", vote=None), "abstain"),
        (
            Elected(kind="borda"),
            Argument(rationale="why", ballot=(Given(option="b", points=1), Given(option="a", points=2))),
            "b > a",
        ),
        (BySeat(role="judge"), Argument(rationale="why", vote=None), None),
    ],
)
def test_a_row_has_the_ballot_in_words_where_one_was_asked(rule: DecisionRule, said: Argument, vote: str | None):
    after = (JUDGE,) if isinstance(rule, BySeat) else ()
    played = small(OPEN, n=2, rounds=1, after=after, decide=rule, stop=(MaxRounds(),)).say(said)
    assert [row.vote for row in turn_rows(played.state)] == [vote]


def test_an_office_is_as_sure_as_it_says_and_casts_no_ballot():
    played = small(OPEN, n=2, rounds=1, after=(ASSESS, JUDGE), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    played.say(None).say(None).say(Evaluation(synthesis="Thin."))
    played.say(Verdict(reasoning="Weighed.", verdict="a", option="a", confidence=80))
    told = [(row.seat, row.confidence, row.vote, row.text) for row in turn_rows(played.state)][2:]
    assert told == [("evaluator", None, None, "Thin."), ("judge", 80, None, "Weighed.")]


def test_simultaneous_turns_are_revealed_with_their_phase():
    played = small(OPEN, Phase(name="reply"), n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for _ in range(2):
        played.after(60).say("a")
    played.after(60).say("b")
    rows = turn_rows(played.state, played.events)
    assert [row.revealed_at == row.submitted_at for row in rows] == [False, True, True]
    assert rows[0].revealed_at == rows[1].revealed_at
    # Without the events it is not known when a phase ended.
    assert [row.revealed_at for row in turn_rows(played.state)] == ["", "", rows[2].submitted_at]


def test_shares_are_of_all_words_and_who_was_silent_has_none():
    played = small(OPEN, n=3, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    assert (share_rows(played.state), readable_turns(played.state)) == ((), ())
    played.say(Argument(rationale="one two three", vote="a")).fail().fail().say(Argument(rationale="four", vote="a"))
    told = [(row.seat, row.turns, row.words, row.share) for row in share_rows(played.state)]
    assert told == [("s0", 1, 3, 0.75), ("s2", 1, 1, 0.25)]
