"""A debate as files: the CSV pack, the JSON object of a run, and everything together for an export.

Gives names and bytes; who writes them, and where, is the caller's business (the command line, the results page).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

from debate_core.engine import stage
from debate_core.engine.baselines import pending
from debate_core.engine.count.methods import METHODS
from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec
from debate_core.record.events import FORMAT, BaselineHeld, dump_record, utc_text
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.baselines import BaselineRow, baseline_rows
from debate_core.report.facts.counts import ballot_counts, final_points, points_by_option
from debate_core.report.facts.office_turns import DirectiveRow, last_verdict, selected_by
from debate_core.report.facts.polls import count_id, revealed_results, room_of
from debate_core.report.facts.spans import spans
from debate_core.report.facts.synthesis import SynthesisVersion
from debate_core.report.facts.turns import TurnRow
from debate_core.report.facts.usage import UsageRow, baseline_usage_rows, usage_json
from debate_core.report.files import csv
from debate_core.report.files.adr.record import FIRST, decision_record
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.otlp import otlp_json
from debate_core.report.files.report import markdown_report, transcript_markdown
from debate_core.report.words.decision import decision_json
from debate_core.report.words.outcome import (
    consensus_threshold,
    debater_ids,
    phase_sequence,
    rounds_run,
    speaker_schedule,
)
from debate_core.report.words.polls import result_words, sealed_words
from debate_core.report.words.who_decided import decision_row
from debate_core.spec.people import PollResult, stage_of
from debate_core.spec.values import Json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Format = Literal["all", "adr", "csv", "json", "md", "otlp"]
FORMATS: tuple[Format, ...] = get_args(Format)


def csv_files(account: Account) -> dict[str, str]:
    """The CSV pack by file name; a file without rows has its header, or is left out if it is one of few debates."""
    tables: Mapping[str, Sequence[object]] = {
        "decision.csv": (decision_row(account),),
        "turns.csv": account.turns,
        "claims.csv": account.claims,
        "usage.csv": (*account.usage, *baseline_usage_rows(account.state)),
        "votes.csv": _ballots(account),
        "tally.csv": (*account.tallies, *account.poll_tallies),
        "pairwise.csv": account.pairs,
        "judgements.csv": account.judgements,
        "rubric.csv": account.rubrics,
        "comparisons.csv": account.comparisons,
        "marks.csv": account.marks,
        "candidates.csv": account.proposals,
        "ranking.csv": account.ranking,
        "option_comparisons.csv": account.compared,
        "overrides.csv": account.overrides,
        "synthesis.csv": account.synthesis,
        "directives.csv": account.directives,
        "evaluations.csv": account.evaluations,
        "health.csv": account.health,
        "transcript.csv": account.transcript,
    }
    debate = account.state.debate
    return {
        file: csv.write_csv(debate, columns, tables[file])
        for file, columns in csv.FILES.items()
        if tables[file] or file not in csv.ONLY_WITH_ROWS
    }


def votes_csv(account: Account) -> str:
    """Every ballot that may be read: those of debaters, then those of people in revealed polls."""
    return csv.write_csv(account.state.debate, csv.VOTES, _ballots(account))


def _ballots(account: Account) -> tuple[BallotRow, ...]:
    return (*account.votes, *account.poll_votes)


def export_files(account: Account, format_name: str, *, adr_number: RecordNumber = FIRST) -> dict[str, bytes]:
    """File names and bytes of an export. InvalidSpec for a format that does not exist, or a decision that does not.

    `adr_number` is the number of the decision record in its folder.
    """
    _refuse_export(account, format_name)
    state = account.state
    files = dict[str, str]()
    if state.outcome is not None and format_name in ("all", "adr"):
        record = decision_record(account, number=adr_number)
        files[record.name] = record.text
    if format_name in ("all", "csv"):
        files |= csv_files(account)
    if format_name in ("all", "json"):
        files["debate.json"] = dumps(debate_json(account))
        files["events.jsonl"] = dump_record(account.events)
    if format_name in ("all", "md"):
        files["report.md"] = markdown_report(account)
        files["transcript.md"] = transcript_markdown(account)
    if format_name == "otlp":
        files["trace.json"] = otlp_json(spans(account.events))
    return {name: file_bytes(name, text) for name, text in files.items()}


def file_bytes(name: str, text: str) -> bytes:
    """The bytes of a file, in UTF-8. A table begins with the mark by which spreadsheets know that it is UTF-8."""
    return text.encode("utf-8-sig" if name.endswith(".csv") else "utf-8")


def _refuse_export(account: Account, format_name: str) -> None:
    """InvalidSpec for what there is not, or not yet."""
    state = account.state
    if format_name not in FORMATS:
        raise InvalidSpec(
            "there is no export format {format_name!r}: choose one of {formats}",
            format_name=format_name,
            formats=", ".join(FORMATS),
        )
    if account.hidden_seats:
        raise InvalidSpec("a sealed phase is open: it can be exported as soon as everybody has answered")
    if state.spec.has_people and (why := sealed_words(state)):
        raise InvalidSpec(why[:1].lower() + why[1:])
    if state.outcome is None and format_name == "adr":
        raise InvalidSpec("the debate goes on: a decision record is written when it is over")


def dumps(value: Json) -> str:
    """JSON for people and machines: indented, in one spelling, with a line break at the end."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def debate_json(account: Account) -> Json:
    """The whole debate as one object: what was agreed, the result, and every table."""
    state = account.state
    versions = [_version_json(version) for version in account.versions]
    return {
        "schema_version": FORMAT,
        "head": state.head,
        "events": state.version,
        "opened_at": state.opened_at,
        "closed_at": state.closed_at or None,
        "spec": state.spec.model_dump(mode="json"),
        "result": run_json(account),
        **_said_json(account),
        **_votes_json(account),
        **judges_json(account),
        "usage": [_usage_row(row) for row in account.usage],
        "decision": decision_json(account),
        "overrides": _rows(account.overrides),
        "synthesis": _rows(account.synthesis),
        "synthesis_versions": versions,
        "synthesis_flags": _rows(account.synthesis_flags),
        "directives": _rows(account.directives),
        "evaluations": _rows(account.evaluations),
        "health": _rows(account.health),
    }


def _rows(rows: "Iterable[DataclassInstance]") -> list[Json]:
    """A table: each row with its fields by name."""
    return [asdict(row) for row in rows]


def _said_json(account: Account) -> Mapping[str, Json]:
    """What was said, and what people made of its passages."""
    groups = account.opinion_groups
    return {
        "turns": [_whole_turn(row) for row in account.turns],
        "claims": _rows(account.claims),
        "marks": _rows(account.marks),
        "opinion_groups": asdict(groups) if groups else None,
    }


def _votes_json(account: Account) -> Mapping[str, Json]:
    """Every ballot and every count: of the debaters, and of people in revealed polls."""
    state = account.state
    polls = [_poll_json(state, poll, result) for poll, result in revealed_results(state)]
    return {
        "votes": [_vote_json(row) for row in account.votes],
        "polls": polls,
        "ballots": [_ballot_json(row) for row in account.poll_votes],
        "tally": _rows((*account.tallies, *account.poll_tallies)),
        "pairwise": _rows(account.pairs),
    }


def judges_json(account: Account) -> Mapping[str, Json]:
    """What judges gave, row by row, and the strengths from their comparisons, with intervals of 95 %."""
    return {
        "judgements": _rows(account.judgements),
        "rubric": _rows(account.rubrics),
        "comparisons": _rows(account.comparisons),
        "strengths": {row.turn: round(row.strength, 4) for row in account.strengths},
        "strength_intervals": {row.turn: [round(row.low, 4), round(row.high, 4)] for row in account.strengths},
    }


def _poll_json(state: State, poll: PollState, result: PollResult) -> Json:
    """One count of people as it was recorded; `decides` as agreed before the start."""
    return {
        "poll_id": count_id(poll.id, result.electorate),
        "stage": stage_of(poll.id),
        "decides": poll.id == "final" and room_of(state).decides == result.electorate,
        "opened_at": poll.opened_at,
        "closed_at": poll.closed.at if poll.closed else None,
        "result": result.model_dump(mode="json"),
        "sentence": result_words(state, poll, result),
    }


_VOTE_KEYS = (
    *("ballot_id", "poll_id", "round", "phase", "seat", "role", "weight", "status", "kind", "choice", "given", "tops"),
    *("said", "reason", "confidence", "changed_by", "argues_for", "cast_at", "replaced_by", "first", "final"),
    "options",
)
_RENAMED = {"seat": "voter"}


def _vote_json(row: BallotRow) -> Json:
    """A ballot of a debater."""
    return {key: getattr(row, _RENAMED.get(key, key)) for key in _VOTE_KEYS}


def _ballot_json(row: BallotRow) -> Json:
    """The columns of votes.csv as a JSON object, and the transcript that the ballot was cast on."""
    columns = {name: of(row) for name, of in csv.VOTES.items() if name not in ("debate_id", "scores_json")}
    return {**columns, "options": row.options, "given": dict(row.given), "transcript": row.transcript}


def _version_json(version: SynthesisVersion) -> Json:
    """The last one stands; `drafted_by` is None where a person wrote it."""
    return {
        "by": version.by,
        "at": version.at,
        "drafted_by": version.drafted or None,
        "reason": version.reason,
        "own_words": [word.model_dump(mode="json") for word in version.own_words],
        "content": version.content.model_dump(mode="json"),
    }


def _whole_turn(row: TurnRow) -> Json:
    left_out = [part.model_dump() for part in row.left_out]
    return {**asdict(row), "usage": _usage(row), "left_out": left_out}


def _usage(row: TurnRow) -> Json:
    return row.usage.model_dump(mode="json") if row.usage else None


def _usage_row(row: UsageRow) -> Json:
    """The columns of usage.csv as a JSON object."""
    return {name: of(row) for name, of in csv.USAGE.items() if name != "debate_id"}


def run_json(account: Account, *, record: str | None = None) -> dict[str, Json]:
    """The object that `run --json` prints. `record` is the path of the written record, if one was asked."""
    state = account.state
    standing = account.standing
    rests_on = [claim.id for claim in account.winner_rests_on]
    directives = [_directive_json(row) for row in account.directives if not row.replaced]
    findings = tuple(finding.name for finding in account.findings)
    return {
        "debate_id": state.debate,
        "question": state.spec.question,
        "protocol": state.spec.protocol.name,
        **_outcome_json(state),
        "who_decided": asdict(decision_row(account)),
        "rests_on_unverified_quotes": rests_on,
        "contradicting_ballots": _contradictions_json(account),
        **_count_json(account),
        **_tournament_json(account),
        "debater_ids": debater_ids(state),
        "consensus_threshold": consensus_threshold(account),
        "rounds_run": rounds_run(state),
        "max_rounds": state.spec.max_rounds,
        "phase_sequence": phase_sequence(account),
        "speaker_schedule": speaker_schedule(account),
        "speaker_selected_by": selected_by(state),
        "turns": [_turn_json(row) for row in account.turns],
        "directives": directives,
        "verdict": _verdict_json(state),
        "synthesis": standing.content.model_dump(mode="json") if standing else None,
        "baselines": _baselines_json(state),
        "baselines_pending": list(pending(state)),
        **_waiting_json(state),
        "flags": (*account.flags, *findings),
        "usage": usage_json(state),
        "record": record,
    }


def _tournament_json(account: Account) -> Mapping[str, Json]:
    """The ranking, and candidates of the debate itself; nothing where no options are compared."""
    tables: dict[str, Json] = {}
    if account.ranking:
        tables["ranking"] = _rows(account.ranking)
    if account.proposals:
        tables["candidates"] = _rows(account.proposals)
    return tables


def _waiting_json(state: State) -> Mapping[str, Json]:
    """Who is asked now, and what a debate that goes on waits for."""
    wait = stage.wait_for_people(state)
    limit_met = state.limit_met
    seats = [request.seat for request in requests(state)]
    until = wait.until if wait else None
    return {
        "waiting_for": seats,
        "waits_until": None if until is None else utc_text(until),
        "paused": state.paused,
        "limit_met": limit_met.axis if limit_met else None,
    }


def _baselines_json(state: State) -> Json:
    """What was asked without a debate, each with its replies; [] if nothing was."""
    return [_baseline_json(row, held) for row, held in zip(baseline_rows(state), state.baselines, strict=True)]


def _baseline_json(row: BaselineRow, held: BaselineHeld) -> Json:
    return {
        **asdict(row),
        "price_multiple": _multiple_json(row.price_multiple),
        "latency_multiple": _multiple_json(row.latency_multiple),
        "same": row.same,
        "tally": [counted.model_dump() for counted in held.tally.counts],
        "replies": [reply.model_dump(mode="json") for reply in held.replies],
    }


def _multiple_json(multiple: Fraction | None) -> float | None:
    return None if multiple is None else round(float(multiple), 3)


def _contradictions_json(account: Account) -> Json:
    """Ballots whose own text argues for another option, and the count with and without them; null if there is none."""
    found = account.contradictions
    if not found.rows:
        return None
    counts = {"with_them": found.with_them, "without_them": found.without}
    told: dict[str, Json] = {name: list(count.result().winners) for name, count in counts.items() if count}
    return {"ballots": [asdict(row) for row in found.rows], "of": found.ballots, **told}


def _outcome_json(state: State) -> dict[str, Json]:
    """How it ended; nothing but `waiting` as long as it goes on."""
    outcome = state.outcome
    if outcome is None:
        return {
            "status": "waiting",
            "decision": None,
            "ended_by": None,
            "decided_by": None,
            "decision_rule": None,
            "unheard": [],
        }
    return {
        "status": outcome.status,
        "decision": outcome.decision,
        "ended_by": outcome.ended_by,
        "decided_by": outcome.decided_by,
        "decision_rule": outcome.decision_rule,
        "unheard": [side.model_dump(mode="json") for side in outcome.unheard],
    }


def _count_json(account: Account) -> dict[str, Json]:
    """What the debaters' ballots say under the rule; None where none are counted."""
    state = account.state
    unit = METHODS[state.spec.protocol.decide.kind].unit if account.ruling.is_counted else None
    tie_steps = state.outcome.steps if state.outcome else ()
    first_points = points_by_option(state, state.counted[0].ballots) if state.counted else None
    return {
        "tally": final_points(state),
        "tally_unit": unit,
        "tie_steps": [step.model_dump(mode="json") for step in tie_steps],
        "first_tally": first_points,
        "ballots": ballot_counts(state),
        "agreement": account.agreement,
    }


def _directive_json(row: DirectiveRow) -> dict[str, Json]:
    """The directive that steered a round."""
    return {
        "round": row.round,
        "next_speakers": row.next_speakers,
        "briefing": row.briefing,
        "new_angle": row.new_angle,
        "done": row.done,
        "by": row.by,
    }


def _verdict_json(state: State) -> Json:
    """The last verdict; winner None = a mixture, or another option in the other order."""
    last = last_verdict(state)
    if last is None:
        return None
    verdict, winner = last
    return {"verdict": verdict.verdict, "winner": winner, "reasoning": verdict.reasoning}


def _turn_json(row: TurnRow) -> dict[str, Json]:
    return {
        "round": row.round,
        "phase": row.phase,
        "seat": row.seat,
        "status": row.status,
        "vote": row.vote,
        "text": row.text,
    }
