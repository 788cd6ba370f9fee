"""One account of the outcome: everything that a debate says, on whichever surface, says the same.

Each surface is read as a person reads it, in its own words, and compared with what the record holds: whether something
is decided, which option, by whom, why it ended, and how many votes were needed.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine import stage, stopping
from debate_core.host.debate_list import sign_off_of
from debate_core.record import acts
from debate_core.record.commands import Stop, TakeTurn
from debate_core.record.events import Closed, DebateOpened
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.ballots import vote_rows
from debate_core.report.facts.claims import claim_rows
from debate_core.report.facts.counts import number, pair_rows, rule_result, rule_results, rules_to_try, tally_rows
from debate_core.report.facts.health import FLAGS, flags
from debate_core.report.facts.office_turns import directive_rows, evaluation_rows
from debate_core.report.facts.synthesis import synthesis_rows
from debate_core.report.facts.turns import turn_rows
from debate_core.report.facts.usage import usage_json, usage_rows, used_in
from debate_core.report.facts.vote_bars import vote_bars
from debate_core.report.figures import votes
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, dumps, export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.cautions import FINDING_WORDS, FLAG_WORDS, MAX_CAUTIONS
from debate_core.report.phrases.contradictions import contradicting_words
from debate_core.report.phrases.counts import count_words, winners_words
from debate_core.report.phrases.decision import arithmetic
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.evidence import RESTS
from debate_core.report.phrases.outcome import agreement_words, outcome_lines, outcome_sentence, summary_report
from debate_core.report.phrases.polls import deciding_words, withheld_words
from debate_core.spec.contents import Argument
from debate_core.spec.people import VOTER_NAMES, Electorate, Person
from debate_core.spec.presets import PROTOCOLS, compose, default_seats
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Majority, Plurality, Threshold, Unanimity, ballot_kind
from debate_core.spec.values import Seat
from debate_core.ui.kit.badges import status_of
from debate_core.ui.kit.words import event_line
from debate_core.ui.room.count import lead_line
from debate_core.ui.room.live.transcript import picture
from tests.examples import examples
from tests.laws.play import SPECS, content_for, play
from tests.people import FAY, OPTIONS, room_spec
from tests.playing import Played

SEEDS = st.integers(0, 10**9)
NOTHING = "nothing"
"""What a surface decides that says that nothing is decided."""
MARK = f" ({RESTS})"
"""Beside a winner for which nothing but unverified quotes speaks."""
_HEADLINE = re.compile(r"(?:Decided|The seats advise|The \w+ advises): (?P<option>.+)", re.S)
_CONTRADICTING = re.compile(r" \(\d+ of \d+ ballots? contradicts? .+\)$")
"""Beside a decision on ballots of which some argue for another option than they are for."""
_UNDECIDED = ("Undecided. ", "The seats are undecided. ", "Cut off by", "Stopped by hand", "Ended by the deadline")


def option_of(headline: str) -> str:
    """`adopt` of `Decided: adopt`, marked or not; NOTHING of every headline of a debate that decided nothing."""
    told = _HEADLINE.fullmatch(headline)
    if told:
        return _CONTRADICTING.sub("", told["option"]).removesuffix(MARK)
    assert headline.startswith(_UNDECIDED) or " is undecided: " in headline, headline
    return NOTHING


def result_told(words: str) -> str:
    """`adopt` of `adopt (after round 1, talk)`; NOTHING of `nothing decided, no quorum` and of what is level."""
    plain = words.split(" (after ")[0]
    return NOTHING if plain.startswith("nothing decided") or plain.endswith(" tied") else plain


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def line_of(summary: str, name: str) -> str:
    return next(line for line in summary.splitlines() if line.startswith(f"{name}: ")).removeprefix(f"{name}: ")


class Surfaces:
    """Surfaces of a debate that several checks read, each made once."""

    def __init__(self, told: Account) -> None:
        self.told = told

    @cached_property
    def summary(self) -> str:
        return summary_report(self.told)

    @cached_property
    def result(self) -> Any:
        return json.loads(dumps(run_json(self.told)))

    @cached_property
    def text(self) -> str:
        return text_report(self.told)

    @cached_property
    def closing(self) -> str:
        return str(picture(self.told.state, {}, ())["meta"]["closing"])

    @cached_property
    def files(self) -> dict[str, str]:
        """The export of all files; while it is withheld, those of its files that are compared here."""
        if withheld_words(self.told.state):
            return {**csv_files(self.told), "report.md": markdown_report(self.told)}
        return {name: data.decode("utf-8-sig") for name, data in export_files(self.told, "all").items()}


def decisions(seen: Surfaces) -> Iterator[tuple[str, str]]:
    """Surface -> what the debate decides there, by its debaters or by the seat that decides."""
    told = seen.told
    outcome = told.state.outcome
    assert outcome is not None
    headline = outcome_lines(told)[0]
    yield "hero", option_of(headline)
    said = line_of(seen.summary, "decision")
    yield "nine lines", NOTHING if said == "escalate" else said
    yield "JSON result", seen.result["decision"] if seen.result["status"] == "decided" else NOTHING
    sentence = outcome_sentence(told)
    markdown = seen.files["report.md"].replace("\\", "")
    for name, report in (("text report", seen.text), ("markdown report", markdown)):
        assert " ".join(sentence.split()) in " ".join(report.split()), name
        yield name, option_of(headline)
    if told.tallies:
        last = told.tallies[-1].poll_id
        rows = [row for row in rows_of(seen.files["tally.csv"]) if row["poll_id"] == last]
        yield "tally.csv", next((row["option"] for row in rows if row["elected"] == "true"), NOTHING)
    table = votes.tally_table(told)
    if told.ruling.is_counted and told.state.counted:
        yield "tally chart", next((str(row["option"]) for row in table if row["note"] == "elected"), NOTHING)
    if told.ruling.count:
        (agreed,) = (count for count in told.counts if count.name == "debaters")
        yield "what-if line", result_told(count_words(agreed.result()))
        yield "what-if table", result_told(winners_words(rule_result(agreed, agreed.rule)))
        robust = re.search(r"On the last ballots .+? says: (.+?)(?:; (?:\d|no|more)|\.)", " ".join(seen.text.split()))
        assert robust, seen.text
        yield "robustness", result_told(robust[1])
    closed = next(event for event in told.events if isinstance(event.body, Closed))
    ended = re.match(r"Closed: (\w+), (.+?); ", event_line(closed))
    assert ended
    yield "record line", ended[2] if ended[1] == "decided" else NOTHING
    assert seen.closing.endswith(sentence)
    yield "room", option_of(headline)


def needed_votes(seen: Surfaces) -> Iterator[tuple[str, str]]:
    """Surface -> how many votes it says are needed, wherever it names a number."""
    told = seen.told
    if seen.result["consensus_threshold"] is not None:
        yield "JSON result", str(seen.result["consensus_threshold"])
    if number := re.match(r"\d+", line_of(seen.summary, "consensus_threshold")):
        yield "nine lines", number[0]
    for name, words in (("hero", outcome_sentence(told)), ("room rail", lead_line(told)[1])):
        if number := re.search(r"(\d+) needed|needed (\d+)", words):
            yield name, number[1] or number[2]
    for row in told.tallies[-1:]:
        if row.threshold is not None:
            yield "tally.csv", str(row.threshold)
    if told.ruling.count:
        needed = rule_result(told.ruling.count, told.ruling.count.rule).needed
        if needed is not None:
            yield "what-if table", str(needed)


def check_the_contradictions(seen: Surfaces) -> None:
    """Ballots that contradict their own text are told everywhere, or nowhere."""
    told = seen.told
    words = contradicting_words(told)
    assert bool(words) == any(ballot.argues_for for ballot in told.state.ballots.values())
    assert bool(words) == ("ballots_contradict_text" in told.flags)
    assert bool(words) == (seen.result["contradicting_ballots"] is not None)
    for name, text in (
        ("hero", outcome_sentence(told)),
        ("nine lines", line_of(seen.summary, "vote_tally")),
        ("room", seen.closing),
    ):
        assert (f"({words})" in text) if words else ("contradict" not in text), name


def check_the_debate(seen: Surfaces) -> None:
    """No two surfaces disagree, and none says more than the record."""
    check_the_contradictions(seen)
    check_the_drawing(seen.told)
    told = seen.told
    state, outcome, ruling = told.state, told.state.outcome, told.ruling
    assert outcome is not None
    decided = outcome.decision if outcome.status == "decided" else NOTHING
    said = dict(decisions(seen))
    assert said == dict.fromkeys(said, decided)
    needed = dict(needed_votes(seen))
    assert len(set(needed.values())) <= 1, needed
    assert ruling.ended_by == seen.result["ended_by"] == outcome.ended_by
    assert (ruling.standing == "cut_off") == stopping.was_interrupted(state)
    # What stands beside it.
    agreement, flags = agreement_words(told), {*told.flags}
    assert agreement.startswith("consensus") <= (outcome.status == "decided" and ruling.is_counted)
    assert {"split", "incoherent", "no_ballots", "too_few_ballots"} & flags == {told.agreement} & {
        *("split", "incoherent", "no_ballots", "too_few_ballots")
    } or not state.counted
    assert ("tie" in flags) == bool(ruling.ties) or ruling.standing == "open"
    if ruling.standing == "undecided" and ruling.is_counted:
        assert ruling.ties == outcome.ties
    reached = lead_line(told)[1].endswith("✓")
    assert reached <= (outcome.status == "decided")
    if ruling.result and ruling.result.obstacle == "in_a_row":
        assert f"has won {ruling.result.has_held} of the " in outcome_sentence(told)
    if not ruling.is_counted:
        for surface in (seen.text, seen.files["report.md"], arithmetic(told)):
            assert not re.search(r"ballots? cast|count says|By the count|votes? needed", surface), surface


def check_the_drawing(told: Account) -> None:
    """The drawing shows the count, the line belongs to the only deciding vote, and cautions are short."""
    status, bars, final = decision_status(told), vote_bars(told), stage.final_decision(told.state)
    assert status.option == final.option
    assert (status.headline == final.option) == (final.option is not None)
    assert [*map(bool, (drawn.decides for drawn in bars[1:]))] == [False] * len(bars[1:])
    for drawn in bars:
        assert drawn.decides or drawn.needed is None
        assert not (drawn.is_sealed and drawn.bars)
        if drawn.decides and not drawn.is_sealed:
            assert [bar.option for bar in drawn.bars if bar.wins] == [final.option] * (final.option is not None)
        if drawn.are_of_seats and told.ruling.result and not drawn.is_sealed:
            points = told.ruling.result.points
            assert {bar.option: bar.has for bar in drawn.bars} == {o: number(p) for o, p in points.items()}
    assert len(status.cautions) <= MAX_CAUTIONS
    for caution in status.cautions:
        assert len(caution.words.split()) <= 6, caution
        assert caution.reason
    assert FLAG_WORDS.keys() == FLAGS.keys()
    assert {finding.name for finding in told.findings} <= FINDING_WORDS.keys()


def check_the_decision(seen: Surfaces) -> None:
    """The same of the decision of record: who decides, what it is, wherever it is told."""
    told = seen.told
    state, decision = told.state, told.decision
    final = stage.final_decision(state)
    option = final.option or NOTHING
    assert (decision.counted, decision.pending) == (final.option, final.pending)
    counted = json.loads(seen.files["debate.json"])["decision"]["counted"]
    assert (counted["option"], counted["pending"]) == (final.option, final.pending)
    assert counted["by"] == (state.spec.protocol.deciding_role if final.by == "debaters" else None) or (
        counted["by"] == final.by
    )
    for profile in PROFILES:
        text = decision_record(told, profile=profile).text
        chosen = re.search(r'Chosen option: (?:"(.+?)"|none)', text)
        if chosen:
            assert (chosen[1] or NOTHING) == option, profile
        if decision.seat_role:
            assert "the count" not in text.casefold(), text
    opened, closed = told.events[0].body, next(e for e in told.events if isinstance(e.body, Closed))
    assert isinstance(opened, DebateOpened)
    assert isinstance(closed.body, Closed)
    later = [event for event in told.events if event.seq > closed.seq]
    assert (sign_off_of(opened, closed.body.outcome, later).option or NOTHING) == option
    badge = status_of(state)
    assert (badge == "decided") == (final.option is not None)
    words = deciding_words(state)
    if final.option and words:
        assert f"it says {final.option}." in words
    if words and not final.option:
        assert "it says" not in words.split(" As advice: ")[0]
    if final.pending:
        assert "not counted and revealed yet" in arithmetic(told)
    elif final.by != "debaters":
        elected = re.match(r"The (?:room|named people) elected (.+?): ", arithmetic(told))
        assert (elected[1].removesuffix(MARK) if elected else NOTHING) == option


@examples(300)
@given(SPECS, SEEDS)
def test_no_two_surfaces_of_a_debate_disagree(spec: Spec, seed: int) -> None:
    # R045, R055, R058, R062; finding 4 of the audit
    rng = Random(seed)
    if rng.random() < 0.3:
        protocol = spec.protocol.model_copy(update={"unverified_quotes": "refuse"})
        spec = spec.model_copy(update={"protocol": protocol})
    agree = rng.random() < 0.5
    played = played_in_agreement(spec, rng) if agree else play(spec, seed, faults=rng.choice((0.05, 0.15, 0.5)))
    seen = Surfaces(account(played.state, played.events))
    check_the_debate(seen)
    check_the_decision(seen)
    check_the_reports(seen)
    check_the_tables(seen)
    check_the_usage(seen)


def check_the_reports(seen: Surfaces) -> None:
    """Every debate has every report."""
    # R058
    assert [text.split(":")[0] for text in seen.summary.split("\n")] == [
        "debater_ids",
        "rounds_run",
        "max_rounds",
        "phase_sequence",
        "consensus_threshold",
        "vote_tally",
        "decision",
        "decision_rule",
        "speaker_schedule",
    ]
    assert set(flags(seen.told.state)) <= set(FLAGS)


def check_the_tables(seen: Surfaces) -> None:
    """Every file has exactly its rows."""
    # R014
    told, state = seen.told, seen.told.state
    tables = {name: rows_of(text) for name, text in seen.files.items() if name.endswith(".csv")}
    pairs = pair_rows(state)
    of_tournament = {"ranking.csv": len(told.ranking), "option_comparisons.csv": len(told.compared)}
    assert {name: len(rows) for name, rows in tables.items() if name != "overrides.csv"} == {
        **({"pairwise.csv": len(pairs)} if pairs else {}),
        **(of_tournament if told.ranking else {}),
        **({"candidates.csv": len(told.proposals)} if told.proposals else {}),
        **({"recommendation.csv": len(told.recommendation.rows)} if told.recommendation else {}),
        "decision.csv": 1,
        "turns.csv": len(turn_rows(state)),
        "claims.csv": len(claim_rows(state)),
        "usage.csv": len(usage_rows(state)),
        "votes.csv": len(vote_rows(state)),
        "tally.csv": len(tally_rows(state)),
        "synthesis.csv": len(synthesis_rows(state)),
        "directives.csv": len(directive_rows(state)),
        "evaluations.csv": len(evaluation_rows(state)),
        "health.csv": len(told.health),
        "transcript.csv": len(told.transcript),
    }
    assert [row["status"] for row in tables["turns.csv"]] == [row.status for row in turn_rows(state)]


def check_the_usage(seen: Surfaces) -> None:
    """Rows, turns and totals of usage agree."""
    state = seen.told.state
    rows, used = usage_rows(state), usage_json(state)
    assert seen.result["usage"] == used
    total = used_in(rows)
    known_tokens = sum(row.used.known().output_tokens for row in rows) if total.tokens() else None
    assert (used["calls"], used["output_tokens"]) == (total.calls, known_tokens)
    assert total.unknown_calls == len(state.reserved)
    costs = [row.used.cost_usd for row in rows]
    known = [Decimal(cost) for cost in costs if cost is not None]
    assert used["cost_usd"] == (float(sum(known)) if len(known) == len(costs) else None)
    if state.stopped is None and state.truncated is None:
        each = [turn.usage.output_tokens for turn in turn_rows(state) if turn.usage]
        assert sum(each) == (used["output_tokens"] or 0)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_no_two_surfaces_of_a_preset_disagree(name: str) -> None:
    protocol = PROTOCOLS[name]
    spec = compose("Which?", OPTIONS, protocol, default_seats(protocol, "Which?", OPTIONS, "scripted"))
    for seed in range(4):
        played = played_in_agreement(spec, Random(f"{name} {seed}"))
        seen = Surfaces(account(played.state, played.events))
        check_the_debate(seen)
        check_the_decision(seen)


def played_in_agreement(spec: Spec, rng: Random) -> Played:
    """Most vote for one option, and somebody may stop it: what is cut off would often have had a winner."""
    played, favourite, stops = Played(spec), rng.choice(spec.options), rng.choice((0.0, 0.1))
    while asked := played.requests():
        if rng.random() < stops:
            return played.do(Stop(by="chair", reason="fire alarm"))
        request = asked[0]
        content = content_for(spec, request, rng, options=played.state.compared.get(request.turn(), ()))
        if isinstance(content, Argument):
            vote = favourite if rng.random() < 0.8 else content.vote
            one = {"vote": vote, "ballot": ()} if ballot_kind(spec.protocol.decide) == "one" else {}
            content = content.model_copy(update={**one, "strength": 10})
        played.do(TakeTurn(by=request.seat, request=request.id, content=content))
    return played


VOTES = (
    Plurality(),
    Plurality(quorum=1),
    Plurality(tie=("lot",)),
    Majority(),
    Unanimity(base="cast"),
    Threshold(votes=2),
)


def _voter(number: int, rng: Random) -> Person:
    electorate: Electorate = rng.choice(("panel", "room"))
    weight = rng.randint(1, 2)
    return Person(id=f"p-{number}", name=f"V{number}", role="voter", electorate=electorate, weight=weight)


def held_with_people(seed: int) -> Played:
    """A debate with a panel and an audience who vote at random, or not at all; it may end before its final vote."""
    rng = Random(seed)
    voters = [_voter(number, rng) for number in range(rng.randint(0, 5))]
    agreed: dict[str, Any] = {"decides": rng.choice(("debaters", "panel", "room")), "vote": rng.choice(VOTES)}
    held = Played(room_spec((FAY, *voters), rounds=rng.randint(1, 2), **agreed))
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.go_on()
        elif rng.random() < 0.2:
            held.fail()
        else:
            held.say(rng.choice(OPTIONS))
    if rng.random() < 0.9:
        held.act(FAY, acts.PollOpened(poll="final"))
        for voter in voters:
            if rng.random() < 0.7:
                held.ballot(voter, "final", rng.choice((*OPTIONS, "abstain")))
        held.act(FAY, acts.PollClosed(poll="final"))
        if rng.random() < 0.9:
            held.act(FAY, acts.PollRevealed(poll="final"))
    return held


@examples(60)
@given(SEEDS)
def test_no_two_surfaces_disagree_where_people_vote(seed: int) -> None:
    held = held_with_people(seed)
    told = account(held.state, held.events)
    seen = Surfaces(told)
    check_the_debate(seen)
    if not told.secrets:
        check_the_decision(seen)
    for count in told.counts[1:]:
        again = rule_results(count)[0]
        poll, voters = count.name.split(" of the ")
        electorate = next(one for one in VOTER_NAMES if VOTER_NAMES[one] == voters)
        recorded = stage.result_of(held.state, poll.split()[0], electorate)  # type: ignore[arg-type]
        assert recorded is not None
        assert again.winners == recorded.winners
        assert rules_to_try(count)[0] is count.rule


@pytest.mark.parametrize("votes", [("defer", "defer", "adopt"), ("adopt", "defer", "cancel"), ("adopt",) * 3])
def test_contradicting_ballots_are_on_every_surface_or_on_none(votes: tuple[str, ...]):
    options = ["adopt", "defer", "cancel"]
    seats = [Seat(id=f"s{place}", occupant="human", commitment="open") for place in range(3)]
    played = Played(compose("Do we?", options, PROTOCOLS["bounded_vote"], seats))
    while played.state.outcome is None:
        for vote in votes:
            if played.state.outcome is None:
                played.say(Argument(rationale="It pays. My position: adopt.", vote=vote))
    told = account(played.state, played.events)
    assert len(told.contradictions.rows) == sum(vote != "adopt" for vote in votes)
    check_the_debate(Surfaces(told))
