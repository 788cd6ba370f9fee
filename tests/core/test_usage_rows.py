"""Turns, and usage and cost of calls, in rows, files and words: unknown values are never 0, nothing is left out."""

import csv
import dataclasses
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from debate_core.record.commands import SkipTurn, Stop, TakeTurn
from debate_core.record.events import BaselineHeld, BaselineReply, Partial, Stopped, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import replace
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import tally_rows
from debate_core.report.facts.health import flags
from debate_core.report.facts.turns import readable_turns, share_rows, transcript_rows, turn_rows
from debate_core.report.facts.usage import LimitRow, Used, family_of, limit_rows, usage_rows, used_in
from debate_core.report.figures import votes as charts
from debate_core.report.files.export import csv_files, dumps, export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.costs import cost_words, limit_line, sum_lines, usd_words, used_words
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec.contents import Argument, Claim, Evaluation, Verdict
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, Ceiling, DecisionRule, Elected, MaxRounds, Plurality
from debate_core.spec.values import Given, Seat, Source, Tally, Usage
from tests.by_hand import ASSESS, JUDGE, OPEN, small, small_spec
from tests.holding import SEATS, hold, script, steady
from tests.paid import LINES, OWN, SHIPPED, begin, paid_spec, troubled, use
from tests.playing import Played

GOLDEN = Path(__file__).parents[1] / "records" / "format1_models.jsonl"


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    ("seat", "family"),
    [
        (Seat(id="s", model="north"), "north"),
        (Seat(id="s", model="north", family="own"), "own"),
        (Seat(id="s", model="unsaid"), None),
        (Seat(id="s", occupant="scripted", family="own"), None),
    ],
)
def test_a_family_is_that_of_the_seat_or_of_its_line(seat: Seat, family: str | None):
    unsaid = LINES[0].model_copy(update={"id": "unsaid", "family": ""})
    assert family_of(paid_spec().model_copy(update={"models": (*LINES, unsaid)}), seat) == family


def test_every_call_is_in_a_row_failed_and_lost_ones_too():
    # R231, R248: spend per round and seat
    rows = usage_rows(troubled().state)
    told = [(r.phase, r.seat, r.used.calls, r.used.failed_attempts, r.used.lost_calls, r.used.cost_usd) for r in rows]
    assert told == [
        ("proposal", "planner", 2, 1, 0, "0.035"),
        ("proposal", "critic", 1, 1, 0, "0"),
        ("proposal", "operator", 3, 1, 1, None),
        ("critique", "planner", 1, 0, 0, "0.1"),
        ("critique", "critic", 1, 0, 0, "0.04"),
    ]
    first = rows[0]
    assert (first.line, first.provider, first.asked_model, first.family) == (
        "north",
        "anthropic",
        "north-large",
        "north",
    )
    assert first.used.models == ("north-large-0901",)


def test_the_usage_file_has_one_line_per_row_and_blank_unknowns():
    hand = troubled()
    rows = _read(csv_files(account(hand.state, hand.events))["usage.csv"])
    assert rows[2] == {
        "debate_id": "d-models",
        "round": "1",
        "phase": "proposal",
        "seat_id": "operator",
        "role": "debater",
        "provider": "openai",
        "model_line": "south",
        "model": "south-1",
        "answered_by": "south-1-2026",
        "family": "south",
        "calls": "3",
        "failed_attempts": "1",
        "unknown_calls": "1",
        "input_tokens": "1100",
        "cached_tokens": "0",
        "output_tokens": "300",
        "reasoning_tokens": "0",
        "cost_usd": "",
        "estimated": "false",
        "cache_write_tokens": "",
    }
    told = json.loads(export_files(account(hand.state, hand.events), "json")["debate.json"])
    assert [(r["seat_id"], r["calls"], r["cost_usd"]) for r in told["usage"]] == [
        (r["seat_id"], int(r["calls"]), r["cost_usd"] or None) for r in rows
    ]
    assert told["turns"][0]["usage"]["cost_usd"] == "0.035"


def test_a_silent_call_is_not_shown_at_its_reservation():
    # R248
    hand = begin(paid_spec())
    hand.ask("1.proposal.planner.1").do(Stop(by="anna", reason="enough"))
    (row,) = usage_rows(hand.state)
    assert (row.used.calls, row.used.lost_calls, row.used.tokens(), row.used.cost_usd) == (1, 1, None, None)
    assert run_json(account(hand.state))["usage"] == {
        "calls": 1,
        "input_tokens": None,
        "cached_tokens": None,
        "cache_write_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
    }
    assert used_words(row.used) == "1 call, 1 call with unknown use, tokens unknown, cost unknown"
    assert "unknown_cost" in flags(hand.state)
    assert charts.usage_table(account(hand.state)) == [
        {
            "round": 1,
            "seat": "planner",
            "calls": 1,
            "calls of unknown use": 1,
            "tokens in": "unknown",
            "cached": "unknown",
            "written": "unknown",
            "tokens out": "unknown",
            "USD": "unknown",
        }
    ]


def test_a_baseline_of_unknown_cost_is_not_free():
    hand = begin(paid_spec())
    replies = (BaselineReply(line="north", vote="release", usage=use(100, 10, "0.01")), BaselineReply(line="south"))
    beside = BaselineHeld(name="self_consistency", calls=2, replies=replies, tally=Tally(), took_ms=1)
    told = account(replace(hand.state, baselines=(beside,)))
    rows = _read(csv_files(told)["usage.csv"])
    cells = [(r["calls"], r["unknown_calls"], r["input_tokens"], r["cost_usd"]) for r in rows]
    assert cells == [("1", "0", "100", "0.01"), ("1", "1", "", "")]
    assert "For comparison, in addition: 2 calls, 1 call with unknown use, at least 100 tokens in" in "\n".join(
        sum_lines(told)
    )


def test_a_call_under_way_is_not_a_lost_one():
    hand = begin(paid_spec()).ask("1.proposal.planner.1")
    (row,) = usage_rows(hand.state)
    assert (row.used.lost_calls, row.used.calls_under_way, row.used.cost_usd) == (0, 1, None)
    assert cost_words(row.used) == "0 USD so far, 1 call under way"
    assert "unknown_cost" not in flags(hand.state)
    # Asked again after a crash: the call before is lost now.
    (row,) = usage_rows(hand.ask("1.proposal.planner.1").state)
    assert (row.used.lost_calls, row.used.calls_under_way) == (1, 1)


def test_a_person_who_takes_the_seat_of_a_model_is_no_model():
    hand = begin(paid_spec()).ask("1.proposal.planner.1")
    said = Argument(rationale="I answer for it.", vote="release")
    hand.do(TakeTurn(by="anna", request="1.proposal.planner.1", content=said))
    hand.do(SkipTurn(by="anna", request="1.proposal.critic.1", reason="ill"))
    row = turn_rows(hand.state)[0]
    assert (row.occupant, row.provider, row.model, row.usage) == ("human", None, None, None)
    assert [(r.seat, r.used.lost_calls) for r in usage_rows(hand.state)] == [("planner", 1)]


def test_a_refused_connection_is_a_failed_attempt_and_no_call():
    hand = begin(paid_spec()).unanswered("1.proposal.planner.1", "failed", "connection refused", Usage())
    (row,) = usage_rows(hand.state)
    assert (row.used.calls, row.used.failed_attempts, row.used.cost_usd) == (0, 1, "0")


def test_a_debate_without_models_reports_no_usage():
    state, events = hold(script(steady(dict.fromkeys(SEATS, "release"))))
    assert usage_rows(state) == ()
    assert run_json(account(state))["usage"] == {
        "calls": 0,
        "input_tokens": 0,
        "cached_tokens": 0,
        "cache_write_tokens": 0,
        "output_tokens": 0,
        "cost_usd": 0.0,
    }
    assert "Models and cost" not in text_report(account(state, events))
    assert "Models and cost" not in markdown_report(account(state, events))
    assert charts.usage_alt(account(state)) == "Tokens by round and seat. No call was made."
    assert len(charts.usage_chart(account(state), "light").data) == 3


def test_turns_have_their_model_and_the_usage_of_all_attempts():
    hand = troubled()
    row = _read(csv_files(account(hand.state, hand.events))["turns.csv"])[0]
    told = ("provider", "model", "model_line", "family", "prompt_tokens", "cached_tokens", "output_tokens", "cost_usd")
    assert [row[name] for name in told] == [
        *("anthropic", "north-large-0901", "north", "north"),
        *("1900", "900", "240", "0.035"),
    ]
    assert (row["retries"], row["failures"], row["usage_estimated"]) == ("1", "no answer within 60 s", "true")


@pytest.mark.parametrize(
    ("started_at", "submitted_at", "latency_ms"),
    [
        ("2026-03-04T05:06:07.100000Z", "2026-03-04T05:06:09.350400Z", 2_250),
        ("2026-03-04T05:06:07Z", "2026-03-04T05:06:07Z", 0),
        ("", "2026-03-04T05:06:07Z", None),
        ("2026-03-04T05:06:07Z", "", None),
    ],
)
def test_how_long_an_attempt_took_is_known_where_both_ends_are(started_at: str, submitted_at: str, latency_ms):
    row = turn_rows(troubled().state)[0]
    assert dataclasses.replace(row, started_at=started_at, submitted_at=submitted_at).latency_ms() == latency_ms


def test_the_model_of_a_turn_is_the_last_to_answer_or_the_asked():
    hand = begin(paid_spec()).unanswered("1.proposal.planner.1", "timeout", "late", use(900, 40, "0.01", model="old"))
    hand.take("1.proposal.planner.2", "release", use(1_000, 200, "0.02", model="new"))
    hand.take("1.proposal.critic.1", "release", None)
    rows = turn_rows(hand.state)
    assert [(r.model, r.provider, r.model_line) for r in rows] == [
        ("new", "anthropic", "north"),
        ("north-large", "anthropic", "north"),
    ]
    assert [r.usage and (r.usage.input_tokens, r.usage.cost_usd) for r in rows] == [(1_900, "0.03"), None]
    assert [r.failures for r in rows] == [("late",), ()]


def test_attempts_that_failed_are_told_with_their_turn():
    text = text_report(account(troubled().state))
    assert "[round 1, proposal] planner, votes for release, attempt 2; attempt 1: no answer within 60 s\n" in text
    assert "[round 1, proposal] critic, no turn: failed\n  the key was rejected\n" in text


def test_the_report_lists_seats_costs_and_limits():
    # R294
    hand = troubled()
    told = text_report(account(hand.state)).partition("Models and cost:\n")[2].splitlines()
    assert told == [
        "  planner, north-large (anthropic, family north, answered by north-large-0901): 3 calls, 1 attempt failed, "
        "3,900 tokens in (62 % from a cache), 640 out (10 of them thinking), 0.135 USD (estimated in part)",
        "  critic, north-large (anthropic, family north, answered by north-large-0901): 2 calls, 1 attempt failed, "
        "2,400 tokens in (62 % from a cache), 100 out, 0.04 USD",
        "  operator, south-1 (openai, family south, answered by south-1-2026): 3 calls, 1 attempt failed, "
        "1 call with unknown use, at least 1,100 tokens in, 300 out, cost unknown for 1 call, the others 0.03 USD",
        "  All calls: 8 calls, 3 attempts failed, 1 call with unknown use, at least 7,400 tokens in (53 % from a "
        "cache), 1,040 out (10 of them thinking), cost unknown for 1 call, the others 0.205 USD (estimated in part)",
        "  Limit of 20 calls: 40 % used",
        "  Limit of 0.30 USD: 85 % used (near the limit)",
        f"  Shipped prompts: rules {SHIPPED.sha256[:12]}",
        f"  Custom prompts of this debate: turn {OWN.sha256[:12]}",
    ]
    report = markdown_report(account(hand.state, hand.events))
    assert "## Models and cost\n" in report
    assert "- operator, south-1 (openai, family south, answered by south-1-2026): 3 calls, 1 attempt failed, " in report


def test_what_was_written_into_a_cache_is_told_wherever_use_is():
    hand = begin(paid_spec()).take(
        "1.proposal.planner.1", "release", use(1_000, 10, "0.02", cached_tokens=400, cache_write_tokens=500)
    )
    hand.take("1.proposal.critic.1", "revise", use(1_000, 10, "0.02"))
    told, files = account(hand.state, hand.events), csv_files(account(hand.state, hand.events))
    assert [row["cache_write_tokens"] for row in _read(files["usage.csv"])] == ["500", ""]
    assert [row["cache_write_tokens"] for row in _read(files["turns.csv"])] == ["500", ""]
    assert run_json(told)["usage"]["cache_write_tokens"] == 500  # type: ignore[index, call-overload]
    assert used_words(told.usage[0].used) == (
        "1 call, 1,000 tokens in (40\u00a0% from a cache, 50\u00a0% written into a cache), 10 out, 0.02 USD"
    )
    assert [row["written"] for row in charts.usage_table(told)] == [500, "unknown"]
    drawn = {bar.name: list(bar.x) for bar in charts.usage_chart(told, "light").data}
    assert (drawn["input into a cache"], drawn["input"]) == ([500, 0], [100, 1000])


def test_each_round_is_told_with_its_cost():
    # R248
    hand = begin(paid_spec())
    for number in (1, 2):
        for phase in ("proposal", "critique", "revision", "consensus"):
            votes = {"planner": "release", "critic": "revise", "operator": "escalate"}
            for seat, vote in votes.items():
                hand.take(f"{number}.{phase}.{seat}.1", vote, use(100, 10, "0.001"))
    text = text_report(account(hand.state))
    assert "  Round 1: 12 calls, 1,200 tokens in, 120 out, 0.012 USD\n" in text
    assert "  All calls: 24 calls, 2,400 tokens in, 240 out, 0.024 USD\n" in text
    assert "  No limit was set\n" in text
    assert run_json(account(hand.state))["usage"] == {
        "calls": 24,
        "input_tokens": 2400,
        "cached_tokens": 0,
        "cache_write_tokens": None,
        "output_tokens": 240,
        "cost_usd": 0.024,
    }


def test_the_outcome_of_a_debate_that_was_cut_off():
    # R248
    state = troubled().state
    assert outcome_sentence(account(state)) == (
        "Cut off by the limit of 0.30 USD. The next call (operator, critique, round 1) could have exceeded the limit, "
        "so it was not made. Nothing was decided; the turns are kept: release 1, escalate 1, revise 1 (3 of 3 ballots "
        "cast)."
    )
    told = run_json(account(state))
    assert (told["status"], told["ended_by"], told["flags"]) == (
        "truncated",
        "ceiling_usd",
        (
            *("DEBATE_TRUNCATED", "custom_prompts", "lost_turns"),
            *("near_ceiling", "unknown_cost", "estimated_usage", "restatement"),
        ),
    )


def test_ballots_of_an_interrupted_phase_have_no_tie():
    rows = [(r.option, r.votes, r.tie) for r in tally_rows(troubled().state) if r.poll_id == "close"]
    assert rows == [("release", 1, False), ("revise", 1, False), ("escalate", 1, False)]


@pytest.mark.parametrize(
    ("bound", "reserved", "words"),
    [
        (Ceiling(calls=1), use(1, 1, "0"), "the limit of 1 call. The next call (critic, proposal, round 1) could"),
        (Ceiling(tokens=1_500), use(999, 1, "0"), "the limit of 1,500 tokens. The next call"),
        (Ceiling(usd="9"), use(1, 1, None), "9 USD. The cost of the next call (critic, proposal, round 1) is"),
        (Ceiling(seconds=60), None, "the limit of 60 s. The time was over before the next turn (critic, proposal"),
    ],
)
def test_each_limit_is_named_with_its_unit(bound: Ceiling, reserved: Usage | None, words: str):
    # R294
    hand = begin(paid_spec(bound)).ask("1.proposal.planner.1", use(1_000, 0, "0"))
    hand.after(61).cut("1.proposal.critic.1", reserved)
    assert words in outcome_sentence(account(hand.state))


def test_limits_say_how_much_of_them_is_used():
    # R294: a warning from 80 %
    hand = begin(paid_spec(Ceiling(calls=5, tokens=10_000, seconds=100, usd="1")))
    hand.take("1.proposal.planner.1", "release", use(1_000, 500, None))
    assert limit_rows(hand.state) == (
        LimitRow("calls", "1", "5", Fraction(1, 5)),
        LimitRow("tokens", "1500", "10000", Fraction(15, 100)),
        LimitRow("seconds", "0", "100", Fraction(0)),
        LimitRow("usd", None, "1", None),
    )
    later = hand.after(80).at.isoformat()
    seconds = next(row for row in limit_rows(hand.state, at=later) if row.axis == "seconds")
    assert limit_line(seconds) == "Limit of 100 s: 80 % used (near the limit)"
    assert limit_line(LimitRow("usd", None, "1", None)) == "Limit of 1 USD: usage unknown"


def test_the_time_that_was_used_is_known_up_to_the_last_event():
    hand = begin(paid_spec(Ceiling(seconds=100)))
    hand.after(30).take("1.proposal.planner.1", "release", use(1, 1, None))
    assert limit_rows(hand.state) == (LimitRow("seconds", "30", "100", Fraction(3, 10)),)
    # A call that is under way was begun then.
    hand.after(10).ask("1.proposal.critic.1")
    assert limit_rows(hand.state) == (LimitRow("seconds", "40", "100", Fraction(4, 10)),)
    opened = replay(hand.events[:1])
    assert limit_rows(opened) == (LimitRow("seconds", "0", "100", Fraction(0)),)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("north north north", {"single_family", "same_model"}),
        ("north north south", set()),
        ("north south south", set()),
    ],
)
def test_flags_of_models_that_may_share_their_errors(lines: str, found: set[str]):
    # R059, R163
    state = begin(paid_spec(lines=lines)).state
    about = {"single_family", "same_model", "synthesiser_shares_family", "custom_prompts"}
    assert set(flags(state)) & about == found
    alike = "All models that debate here are of one model (north-large): they may share their errors."
    assert (alike in text_report(account(state))) == bool(found)
    assert text_report(account(state)).startswith("Models speak here. ")


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("0", "0 USD"),
        ("12", "12.00 USD"),
        ("0.5", "0.50 USD"),
        ("0.031249", "0.0312 USD"),
        ("0.000123456", "0.00012 USD"),
        ("0.00000000001", "0.00000000001 USD"),
        ("999999999.99999", "1000000000.00 USD"),
    ],
)
def test_amounts_of_money(amount: str, words: str):
    assert usd_words(amount) == words


def test_costs_of_which_a_part_is_known():
    known, unknown = Used((use(1, 1, "0.2"),)), Used((use(1, 1, None),))
    assert cost_words(known + unknown) == "cost unknown for 1 call, the others 0.20 USD"
    assert (known + unknown).cost_usd is None
    assert cost_words(unknown) == "cost unknown"
    assert cost_words(Used()) == "no call was made"


def test_a_hostile_record_breaks_no_report():
    absurd = use(0, 0, "999999999.9", cached_tokens=7)
    hand = begin(paid_spec(Ceiling(usd="999999999")))
    hand.take("1.proposal.planner.1", "release", absurd)
    hand.do(TakeTurn(by="critic", request="1.proposal.critic.1", content=Argument(rationale="r"), usage=absurd))
    assert text_report(account(hand.state))
    assert json.loads(dumps(run_json(account(hand.state))))["usage"]["cost_usd"] is None
    assert charts.usage_chart(account(hand.state), "dark")


def test_the_usage_chart_has_tokens_by_round_seat_and_unknowns():
    figure = charts.usage_chart(account(troubled().state), "light")
    assert {bar.name: list(bar.x) for bar in figure.data} == {
        "input from a cache": [2400, 1500, 0],
        "input": [1500, 900, 1100],
        "output": [640, 100, 300],
    }
    assert list(figure.data[0].y) == ["1. planner", "1. critic", "1. operator"]
    assert [a.text for a in figure.layout.annotations] == ["0.135 USD", "0.04 USD", "cost unknown"]


def test_the_golden_record_of_models_means_what_it_meant():
    # R257
    events = parse_record(GOLDEN.read_bytes())
    state = replay(events)
    # Presets and the measures of texts may have changed since: the record has its own.
    agreed = {"spec": state.spec, "measures": state.measures}
    assert state == replace(troubled().state, **agreed, head=state.head, said_head=state.said_head)
    used = used_in(usage_rows(state))
    assert (used.calls, used.failed_attempts, used.lost_calls, used.priced_usd) == (8, 3, 1, "0.205")
    assert (used.known().input_tokens, used.known().output_tokens, used.known().reasoning_tokens) == (7400, 1040, 10)


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
