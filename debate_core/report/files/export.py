"""A debate as files: the CSV pack, the JSON object of a run, and everything together for an export.

Gives names and bytes; who writes them, and where, is the caller's business (the command line, the results page).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Literal, get_args

from debate_core.engine import voting
from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec
from debate_core.record.events import FORMAT, Event, dump_record
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import (
    ballot_counts,
    final_points,
    pair_rows,
    points_by_option,
    tally_rows,
    unit_of,
    vote_rows,
)
from debate_core.report.facts.health import findings, flags, health_rows
from debate_core.report.facts.interventions import override_rows
from debate_core.report.facts.office_turns import (
    DirectiveRow,
    directive_rows,
    evaluation_rows,
    last_verdict,
    selected_by,
)
from debate_core.report.facts.polls import (
    PollBallot,
    count_id,
    poll_ballots,
    poll_pair_rows,
    poll_tally_rows,
    revealed_results,
    room_of,
)
from debate_core.report.facts.synthesis import Version, flag_rows, standing, synthesis_rows, versions
from debate_core.report.facts.turns import TurnRow, sealed_seats, told_claims, transcript_rows, turn_rows
from debate_core.report.facts.usage import UsageRow, usage_json, usage_rows
from debate_core.report.files import csv
from debate_core.report.files.adr import decision_record
from debate_core.report.files.csv import judge_csvs, judge_json
from debate_core.report.files.report import markdown_report, transcript_markdown
from debate_core.report.words.decision import decision_json
from debate_core.report.words.outcome import phase_sequence, speaker_schedule
from debate_core.report.words.polls import result_words, sealed_words
from debate_core.spec.people import PollResult, stage_of
from debate_core.spec.rules import BySeat

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]
Format = Literal["all", "adr", "csv", "json", "md"]
FORMATS: tuple[Format, ...] = get_args(Format)


def csv_files(state: State, events: Sequence[Event]) -> dict[str, str]:
    """The CSV pack by file name; a file without rows has its header."""
    name, pairs = state.debate, (*pair_rows(state), *poll_pair_rows(state))
    return {
        "turns.csv": csv.write_csv(name, csv.TURNS, turn_rows(state, events)),
        "claims.csv": csv.write_csv(name, csv.CLAIMS, told_claims(state)),
        "usage.csv": csv.write_csv(name, csv.USAGE, usage_rows(state)),
        "votes.csv": votes_csv(state),
        "tally.csv": csv.write_csv(name, csv.TALLY, (*tally_rows(state), *poll_tally_rows(state))),
        **({"pairwise.csv": csv.write_csv(name, csv.PAIRWISE, pairs)} if pairs else {}),
        **judge_csvs(state),
        "overrides.csv": csv.write_csv(name, csv.OVERRIDES, override_rows(events)),
        "synthesis.csv": csv.write_csv(name, csv.SYNTHESIS, synthesis_rows(state)),
        "directives.csv": csv.write_csv(name, csv.DIRECTIVES, directive_rows(state)),
        "evaluations.csv": csv.write_csv(name, csv.EVALUATIONS, evaluation_rows(state)),
        "health.csv": csv.write_csv(name, csv.HEALTH, health_rows(state)),
        "transcript.csv": csv.write_csv(name, csv.TRANSCRIPT, transcript_rows(state)),
    }


def votes_csv(state: State) -> str:
    """Every ballot that may be read: those of debaters, then those of people in revealed polls."""
    people = csv.csv_rows(state.debate, csv.POLL_VOTES, poll_ballots(state))
    return csv.write_csv(state.debate, csv.VOTES, vote_rows(state)) + people


def export_files(state: State, events: Sequence[Event], format_name: str, *, adr_number: int = 1) -> dict[str, bytes]:
    """File names and bytes of an export. InvalidSpec for a format that does not exist, or a decision that does not.

    `adr_number` is the place of the decision record in the folder that it will lie in.
    """
    if format_name not in FORMATS:
        raise InvalidSpec(f"there is no export format {format_name!r}: choose one of {', '.join(FORMATS)}")
    if sealed_seats(state):
        raise InvalidSpec("a sealed phase is open: it can be exported as soon as everybody has answered")
    if state.spec.room is not None and (why := sealed_words(state)):
        raise InvalidSpec(why[:1].lower() + why[1:])
    if state.outcome is None and format_name == "adr":
        raise InvalidSpec("the debate goes on: a decision record is written when it is over")
    files: dict[str, str] = {}
    if state.outcome is not None and format_name in ("all", "adr"):
        made = decision_record(state, events, number=adr_number)
        files[made.name] = made.text
    if format_name in ("all", "csv"):
        files |= csv_files(state, events)
    if format_name in ("all", "json"):
        files["debate.json"] = dumps(debate_json(state, events))
        files["events.jsonl"] = dump_record(events)
    if format_name in ("all", "md"):
        files["report.md"] = markdown_report(state, events)
        files["transcript.md"] = transcript_markdown(state)
    return {name: text.encode() for name, text in files.items()}


def dumps(value: Json) -> str:
    """JSON for people and machines: indented, in one spelling, with a line break at the end."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def debate_json(state: State, events: Sequence[Event]) -> Json:
    """The whole debate as one object: what was agreed, the result, and every table."""
    return {
        "schema_version": FORMAT,
        "head": state.head,
        "events": state.version,
        "opened_at": state.opened_at,
        "closed_at": state.closed_at or None,
        "spec": state.spec.model_dump(mode="json"),
        "result": run_json(state),
        "turns": [asdict(row) | {"usage": _usage(row)} for row in turn_rows(state, events)],
        "claims": [asdict(row) for row in told_claims(state)],
        "votes": [asdict(row) for row in vote_rows(state)],
        "polls": [_poll_json(state, poll, result) for poll, result in revealed_results(state)],
        "ballots": [_ballot_json(row) for row in poll_ballots(state)],
        "tally": [asdict(row) for row in (*tally_rows(state), *poll_tally_rows(state))],
        "pairwise": [asdict(row) for row in (*pair_rows(state), *poll_pair_rows(state))],
        **judge_json(state),
        "usage": [_usage_row(row) for row in usage_rows(state)],
        "decision": decision_json(state),
        "overrides": [asdict(row) for row in override_rows(events)],
        "synthesis": [asdict(row) for row in synthesis_rows(state)],
        "synthesis_versions": [_version_json(version) for version in versions(state)],
        "synthesis_flags": [asdict(row) for row in flag_rows(state)],
        "directives": [asdict(row) for row in directive_rows(state)],
        "evaluations": [asdict(row) for row in evaluation_rows(state)],
        "health": [asdict(row) for row in health_rows(state)],
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


def _ballot_json(row: PollBallot) -> Json:
    """The columns of votes.csv as a JSON object, and the transcript that the ballot was cast on."""
    told = {name: of(row) for name, of in csv.POLL_VOTES.items() if name not in ("debate_id", "scores_json")}
    return {**told, "options": row.options, "given": dict(row.given), "transcript": row.transcript}


def _version_json(version: Version) -> Json:
    """The last one stands; `drafted_by` is None where a person wrote it."""
    return {
        "by": version.by,
        "at": version.at,
        "drafted_by": version.drafted or None,
        "reason": version.reason,
        "own_words": [word.model_dump(mode="json") for word in version.own_words],
        "content": version.content.model_dump(mode="json"),
    }


def _usage(row: TurnRow) -> Json:
    return row.usage.model_dump(mode="json") if row.usage else None


def _usage_row(row: UsageRow) -> Json:
    """The columns of usage.csv as a JSON object."""
    return {name: of(row) for name, of in csv.USAGE.items() if name != "debate_id"}


def run_json(state: State, *, record: str | None = None) -> dict[str, Json]:
    """The object that `run --json` prints. `record` is the path of the written record, if one was asked."""
    outcome = state.outcome
    rule, synthesis = state.spec.protocol.decide, standing(state)
    status = outcome.status if outcome else "waiting"
    return {
        "debate_id": state.debate,
        "question": state.spec.question,
        "protocol": state.spec.protocol.name,
        "status": status,
        "decision": outcome.decision if outcome else None,
        "ended_by": outcome.ended_by if outcome else None,
        "decided_by": outcome.decided_by if outcome else None,
        "decision_rule": outcome.decision_rule if outcome else None,
        "tally": final_points(state),
        "tally_unit": None if isinstance(rule, BySeat) else unit_of(rule),
        "tie_steps": [step.model_dump(mode="json") for step in outcome.steps] if outcome else [],
        "first_tally": points_by_option(state, state.counted[0].ballots) if state.counted else None,
        "ballots": ballot_counts(state),
        "agreement": None if isinstance(rule, BySeat) else voting.agreement(state),
        "rounds_run": outcome.rounds_run if outcome else state.current_round(),
        "max_rounds": state.spec.max_rounds,
        "phase_sequence": phase_sequence(state),
        "speaker_schedule": speaker_schedule(state),
        "speaker_selected_by": selected_by(state),
        "turns": [_turn_json(row) for row in turn_rows(state)],
        "directives": [_directive_json(row) for row in directive_rows(state) if not row.replaced],
        "verdict": _verdict_json(state),
        "synthesis": synthesis.content.model_dump(mode="json") if synthesis else None,
        "waiting_for": [request.seat for request in requests(state)],
        "flags": (*flags(state), *(f.name for f in findings(state))),
        "usage": usage_json(state),
        "record": record,
    }


def _directive_json(row: DirectiveRow) -> dict[str, Json]:
    """The directive that steered a round, in seed 001's fields (R098, R108)."""
    return {
        "round": row.round,
        "next_speakers": row.next_speakers,
        "briefing": row.briefing,
        "new_angle": row.new_angle,
        "done": row.done,
        "by": row.by,
    }


def _verdict_json(state: State) -> Json:
    """The verdict in seed 001's fields; winner None = a mixture (R074), or another option in the other order."""
    found = last_verdict(state)
    if found is None:
        return None
    given, winner = found
    return {"verdict": given.verdict, "winner": winner, "reasoning": given.reasoning}


def _turn_json(row: TurnRow) -> dict[str, Json]:
    return {
        "round": row.round,
        "phase": row.phase,
        "seat": row.seat,
        "status": row.status,
        "vote": row.vote,
        "text": row.text,
    }
