"""A debate as files: the CSV pack, the JSON object of a run, and a complete export.

Functions return names and contents; callers (the command line, the results page) write the files.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from debate_core.report.facts.crux import crux_rows
from debate_core.report.facts.guesses import all_guess_rows
from debate_core.report.facts.lost_claims import lost_claims
from debate_core.report.facts.office_turns import last_verdict, selected_by
from debate_core.report.facts.polls import count_id, revealed_results, room_of
from debate_core.report.facts.spans import spans
from debate_core.report.facts.synthesis import SynthesisVersion, deliverable_fault
from debate_core.report.facts.turns import TurnRow
from debate_core.report.facts.unresolved import unresolved
from debate_core.report.facts.usage import baseline_usage_rows, usage_json
from debate_core.report.figures.charts import charts_of
from debate_core.report.figures.png import png_file
from debate_core.report.figures.svg import chart_svg, svg_file
from debate_core.report.files import csv
from debate_core.report.files.adr.profiles import ProfileName
from debate_core.report.files.adr.record import FIRST, decision_record
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.calendar import calendar_file
from debate_core.report.files.follow_up import brief, debate_file
from debate_core.report.files.otlp import otlp_json
from debate_core.report.files.page import PAGE_NAME, html_page
from debate_core.report.files.report import markdown_report, transcript_markdown
from debate_core.report.phrases.decision import decision_json
from debate_core.report.phrases.outcome import (
    consensus_threshold,
    debater_ids,
    phase_sequence,
    rounds_run,
    speaker_schedule,
)
from debate_core.report.phrases.polls import result_words, withheld_words
from debate_core.report.phrases.who_decided import decision_row
from debate_core.sentence import Sentence
from debate_core.spec.decode import decode_json
from debate_core.spec.output_schema import indented
from debate_core.spec.people import PollResult, stage_of
from debate_core.spec.values import Json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Format = Literal[
    "all", "adr", "calendar", "csv", "deliverable", "html", "json", "md", "otlp", "png", "svg", "follow-up"
]
FORMATS: tuple[Format, ...] = get_args(Format)


def csv_files(account: Account) -> dict[str, str]:
    """The CSV pack by file name; a file without rows has its header, or is omitted if it is in `ONLY_WITH_ROWS`."""
    tables: Mapping[str, Sequence[object]] = {
        "decision.csv": (decision_row(account),),
        "turns.csv": account.turns,
        "claims.csv": account.claims,
        "usage.csv": (*account.usage, *baseline_usage_rows(account.state)),
        "votes.csv": _ballots(account),
        "crux.csv": crux_rows(account),
        "guesses.csv": all_guess_rows(account),
        "tally.csv": (*account.tallies, *account.poll_tallies),
        "pairwise.csv": account.pairs,
        "judgements.csv": account.judgements,
        "rubric.csv": account.rubrics,
        "comparisons.csv": account.comparisons,
        "marks.csv": account.marks,
        "candidates.csv": account.proposals,
        "ranking.csv": account.ranking,
        "recommendation.csv": account.recommendation.rows if account.recommendation else (),
        "option_comparisons.csv": account.compared,
        "matches.csv": account.matches,
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
    """Readable ballots: those of debaters, then those of people in revealed polls."""
    return csv.write_csv(account.state.debate, csv.VOTES, _ballots(account))


def _ballots(account: Account) -> tuple[BallotRow, ...]:
    return (*account.votes, *account.poll_votes)


def export_files(
    account: Account,
    format_name: str,
    *,
    adr_number: RecordNumber = FIRST,
    profile: ProfileName = "madr",
    signing_key: str = "",
) -> dict[str, bytes]:
    """File names and bytes of an export. InvalidSpec for an unknown format, a missing decision, or sealed content.

    `adr_number` is the number of the decision record in its folder, `profile` its form, `signing_key` the public key
    that signs the record of the debate.
    """
    _refuse_export(account, format_name)
    files = dict[str, str | bytes]()
    for name in _OF_ALL if format_name == "all" else (format_name,):
        if name != "adr":
            files |= _WRITERS[name](account)
        elif account.state.outcome is not None:
            record = decision_record(account, profile=profile, number=adr_number, signing_key=signing_key)
            files[record.name] = record.text
    return {
        name: content if isinstance(content, bytes) else file_bytes(name, content) for name, content in files.items()
    }


def _svg_files(account: Account) -> dict[str, str]:
    return {f"chart-{chart.key}.svg": svg_file(chart_svg(account, chart)) for chart in charts_of(account)}


def _png_files(account: Account) -> dict[str, bytes]:
    return {name.replace(".svg", ".png"): png_file(svg) for name, svg in _svg_files(account).items()}


def deliverable_file(account: Account) -> dict[str, str]:
    """`deliverable.json` as the version in force gives it; {} without a deliverable. `run_json` says if it matches."""
    version = account.standing
    text = version.content.deliverable if version else None
    return {"deliverable.json": f"{indented(text)}\n"} if text else {}


_WRITERS: Mapping[str, Callable[[Account], Mapping[str, str | bytes]]] = {
    "calendar": calendar_file,
    "csv": csv_files,
    "deliverable": deliverable_file,
    "json": lambda account: {"debate.json": dumps(debate_json(account)), "events.jsonl": dump_record(account.events)},
    "md": lambda account: {"report.md": markdown_report(account), "transcript.md": transcript_markdown(account)},
    "html": lambda account: {PAGE_NAME: html_page(account)},
    "svg": _svg_files,
    "png": _png_files,
    "otlp": lambda account: {"trace.json": otlp_json(spans(account.events))},
    "follow-up": lambda account: {
        "follow-up.md": brief(account).markdown(),
        "follow-up.json": dumps(debate_file(account)),
    },
}
_OF_ALL = ("adr", "calendar", "csv", "deliverable", "json", "md")


def file_bytes(name: str, text: str) -> bytes:
    """The bytes of a file, in UTF-8; a table begins with a byte order mark, which spreadsheets need."""
    return text.encode("utf-8-sig" if name.endswith(".csv") else "utf-8")


def _refuse_export(account: Account, format_name: str) -> None:
    if format_name not in FORMATS:
        raise InvalidSpec(
            "there is no export format {format_name!r}: choose one of {formats}",
            format_name=format_name,
            formats=", ".join(FORMATS),
        )
    refuse_sealed(account)
    if why_empty := _why_empty(account, format_name):
        raise InvalidSpec(why_empty)


def refuse_sealed(account: Account) -> None:
    """Raise InvalidSpec, with the reason, while the record has content that no reader may see."""
    if account.hidden_seats:
        raise InvalidSpec("a sealed phase is open: export it after all seats have answered")
    if why := withheld_words(account.state):
        raise InvalidSpec(why[:1].lower() + why[1:])


def _why_empty(account: Account, format_name: str) -> Sentence | None:
    """The reason why a file of this format would have no content; None if it has some."""
    if format_name == "adr" and account.state.outcome is None:
        return Sentence("the debate is still running: a decision record is written after the end")
    if format_name == "calendar" and not calendar_file(account):
        return Sentence("there is no date for a calendar: the decision is not signed, or its review has no date")
    if format_name == "deliverable" and not deliverable_file(account):
        return Sentence(
            "there is no deliverable: the protocol has no output schema, or no synthesis with a deliverable was given"
        )
    if format_name in ("svg", "png") and next(charts_of(account), None) is None:
        return Sentence("there is no chart: nothing was counted, compared or judged, and no model was called")
    return None


def dumps(value: Json) -> str:
    """Indented JSON with a line break at the end."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def debate_json(account: Account) -> Json:
    """The whole debate as one object: spec, result, and every table."""
    state = account.state
    usage = [_columns_json(csv.USAGE, row) for row in account.usage]
    versions = [_version_json(version) for version in account.versions]
    return {
        "schema_version": FORMAT,
        "head": state.head,
        "events": state.version,
        "opened_at": state.opened_at,
        "closed_at": state.closed_at or None,
        "spec": state.spec.model_dump(mode="json"),
        "result": run_json(account),
        **_turns_json(account),
        **_votes_json(account),
        **judges_json(account),
        "usage": usage,
        "decision": decision_json(account),
        "overrides": _rows(account.overrides),
        "synthesis": _rows(account.synthesis),
        "synthesis_versions": versions,
        "synthesis_flags": _rows(account.synthesis_flags),
        "lost_claims": asdict(found) if (found := account.once(lost_claims)) else None,
        "directives": _rows(account.directives),
        "evaluations": _rows(account.evaluations),
        "health": _rows(account.health),
    }


def _rows(rows: "Iterable[DataclassInstance]") -> list[Json]:
    return [asdict(row) for row in rows]


def _columns_json(columns: csv.Columns[csv.R], row: csv.R) -> dict[str, Json]:
    """The columns of a CSV file as a JSON object, without the id of the debate."""
    return {name: of(row) for name, of in columns.items() if name != "debate_id"}


def _fields_json(row: object, names: str) -> dict[str, Json]:
    """The named fields of a row; the names are separated by spaces."""
    return {name: getattr(row, name) for name in names.split()}


def _turns_json(account: Account) -> Mapping[str, Json]:
    """Turns and claims, and the marks of people on their passages."""
    groups = account.opinion_groups
    return {
        "turns": [_whole_turn(account, row) for row in account.turns],
        "claims": _rows(account.claims),
        "marks": _rows(account.marks),
        "opinion_groups": asdict(groups) if groups else None,
    }


def _votes_json(account: Account) -> Mapping[str, Json]:
    """Ballots and counts of the debaters, and of people in revealed polls."""
    state = account.state
    polls = [_poll_json(state, poll, result) for poll, result in revealed_results(state)]
    rows: list[Json] = [_columns_json(csv.GUESSES, row) for row in all_guess_rows(account)]
    guesses_json = {"guesses": rows} if rows else {}
    return {
        "votes": [_vote_json(row) for row in account.votes],
        "polls": polls,
        "ballots": [_ballot_json(row) for row in account.poll_votes],
        "tally": _rows((*account.tallies, *account.poll_tallies)),
        "pairwise": _rows(account.pairs),
        **guesses_json,
    }


def judges_json(account: Account) -> Mapping[str, Json]:
    """Rows of the judges, and the strengths from their comparisons with intervals of 95 %."""
    return {
        "judgements": _rows(account.judgements),
        "rubric": _rows(account.rubrics),
        "comparisons": _rows(account.comparisons),
        "strengths": {row.turn: round(row.strength, 4) for row in account.strengths},
        "strength_intervals": {row.turn: [round(row.low, 4), round(row.high, 4)] for row in account.strengths},
    }


def _poll_json(state: State, poll: PollState, result: PollResult) -> Json:
    """One recorded count of people; `decides` as agreed before the start."""
    return {
        "poll_id": count_id(poll.id, result.electorate),
        "stage": stage_of(poll.id),
        "decides": poll.id == "final" and room_of(state).decides == result.electorate,
        "opened_at": poll.opened_at,
        "closed_at": poll.closed.at if poll.closed else None,
        "result": result.model_dump(mode="json"),
        "sentence": result_words(state, poll, result),
    }


def _vote_json(row: BallotRow) -> Json:
    return {
        **_fields_json(row, "ballot_id poll_id round phase"),
        "seat": row.voter,
        **_fields_json(row, "role weight status kind choice given tops said reason confidence changed_by argues_for"),
        **_fields_json(row, "cast_at replaced_by first final options"),
    }


def _ballot_json(row: BallotRow) -> Json:
    """The columns of votes.csv except `scores_json`, and the transcript that the voter had read."""
    columns = _columns_json(csv.VOTES, row)
    del columns["scores_json"]
    return {**columns, "options": row.options, "given": dict(row.given), "transcript": row.transcript}


def _version_json(version: SynthesisVersion) -> Json:
    """A version of the synthesis; the last one is in force. `drafted_by` is None if a person wrote it."""
    return {
        "by": version.by,
        "at": version.at,
        "drafted_by": version.drafted or None,
        "reason": version.reason,
        "own_words": [word.model_dump(mode="json") for word in version.own_words],
        "content": version.content.model_dump(mode="json"),
    }


def _whole_turn(account: Account, row: TurnRow) -> Json:
    usage = row.usage.model_dump(mode="json") if row.usage else None
    whole = {**asdict(row), "usage": usage, "left_out": [part.model_dump() for part in row.left_out]}
    look_ups = [one.model_dump(mode="json", exclude={"usage"}) for one in account.look_ups(row)]
    return {**whole, "look_ups": look_ups} if look_ups else whole


def run_json(account: Account, *, record: str | None = None) -> dict[str, Json]:
    """The object that `run --json` prints. `record` is the path of the written record, or None."""
    state = account.state
    standing = account.standing
    directive_fields = "round next_speakers briefing new_angle done by"
    directives = [_fields_json(row, directive_fields) for row in account.directives if not row.replaced]
    baselines = [_baseline_json(*pair) for pair in zip(baseline_rows(state), state.baselines, strict=True)]
    rests_on = [claim.id for claim in account.winner_rests_on]
    findings = tuple(finding.name for finding in account.findings)
    return {
        "debate_id": state.debate,
        "question": state.spec.question,
        "protocol": state.spec.protocol.name,
        **_outcome_json(state),
        "who_decided": asdict(decision_row(account)),
        "rests_on_unverified_quotes": rests_on,
        "contradicting_ballots": _contradictions_json(account),
        **_escalation_json(account),
        **_count_json(account),
        **_tournament_json(account),
        **_recommendation_json(account),
        "debater_ids": debater_ids(state),
        "consensus_threshold": consensus_threshold(account),
        "rounds_run": rounds_run(state),
        "max_rounds": state.spec.max_rounds,
        "phase_sequence": phase_sequence(account),
        "speaker_schedule": speaker_schedule(account),
        "speaker_selected_by": selected_by(state),
        "turns": [_fields_json(row, "round phase seat status vote text") for row in account.turns],
        "directives": directives,
        "verdict": _verdict_json(state),
        "synthesis": standing.content.model_dump(mode="json") if standing else None,
        **_deliverable_json(account),
        "baselines": baselines,
        "baselines_pending": list(pending(state)),
        **_waiting_json(state),
        "flags": (*account.flags, *findings),
        "usage": usage_json(state),
        "record": record,
    }


def _escalation_json(account: Account) -> Mapping[str, Json]:
    """Addressee and date of an unresolved outcome; empty for other outcomes, and if no one is named."""
    found = account.once(unresolved)
    if found is None or found.escalation is None:
        return {}
    return {"escalation": {**found.escalation.model_dump(), "options_left": list(found.options)}}


def _deliverable_json(account: Account) -> Mapping[str, Json]:
    """The deliverable as a value, and where it does not match its schema (None = it does); empty without a schema."""
    if account.state.spec.protocol.output_schema is None:
        return {}
    text = account.standing.content.deliverable if account.standing else None
    return {
        "deliverable": decode_json(text) if text else None,
        "deliverable_mismatch": deliverable_fault(account.state),
    }


def _tournament_json(account: Account) -> Mapping[str, Json]:
    """The ranking, the short debates, and candidates proposed in the debate; empty without comparisons."""
    tables: dict[str, Json] = {}
    if account.ranking:
        tables["ranking"] = _rows(account.ranking)
    if account.matches:
        tables["matches"] = _rows(account.matches)
    if account.proposals:
        tables["candidates"] = _rows(account.proposals)
    return tables


def _recommendation_json(account: Account) -> Mapping[str, Json]:
    """The ranked recommendation; empty where none was agreed, and before the end."""
    found = account.recommendation
    return {"recommendation": asdict(found)} if found else {}


def _waiting_json(state: State) -> Mapping[str, Json]:
    """Requested seats, deadline, pause and limit of a running debate."""
    wait = stage.wait_for_people(state)
    until = wait.until if wait else None
    seats = [request.seat for request in requests(state)]
    return {
        "waiting_for": seats,
        "waits_until": None if until is None else utc_text(until),
        "paused": state.paused,
        "limit_met": state.limit_met.axis if state.limit_met else None,
    }


def _baseline_json(row: BaselineRow, held: BaselineHeld) -> Json:
    return {
        **asdict(row),
        "price_multiple": _multiple_json(row.price_multiple),
        "latency_multiple": _multiple_json(row.latency_multiple),
        "token_multiple": _multiple_json(row.token_multiple),
        "same": row.same,
        "tally": [counted.model_dump() for counted in held.tally.counts],
        "replies": [reply.model_dump(mode="json") for reply in held.replies],
    }


def _multiple_json(multiple: Fraction | None) -> float | None:
    return None if multiple is None else round(float(multiple), 3)


def _contradictions_json(account: Account) -> Json:
    """Ballots whose own text argues for another option, and the count with and without them; None without any."""
    found = account.contradictions
    if not found.rows:
        return None
    counts = {"with_them": found.with_them, "without_them": found.without}
    winners: dict[str, Json] = {name: list(count.result().winners) for name, count in counts.items() if count}
    return {"ballots": _rows(found.rows), "of": found.ballots, **winners}


def _outcome_json(state: State) -> dict[str, Json]:
    """The outcome; status `waiting` and empty fields while the debate runs."""
    outcome = state.outcome
    names = ("decision", "ended_by", "decided_by", "decision_rule")
    if outcome is None:
        return {"status": "waiting", **dict.fromkeys(names), "unheard": []}
    unheard = [side.model_dump(mode="json") for side in outcome.unheard]
    return {"status": outcome.status, **{name: getattr(outcome, name) for name in names}, "unheard": unheard}


def _count_json(account: Account) -> dict[str, Json]:
    """The count of the debaters' ballots; fields are None if none are counted."""
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
        **_same_vote_json(account),
    }


def _same_vote_json(account: Account) -> Mapping[str, Json]:
    """Pairs of seats that vote alike, if the reasons of one pair differ; empty otherwise."""
    rows = account.same_vote
    if not any(row.differs for row in rows):
        return {}
    return {"same_vote": [{**asdict(row), "reasons": row.reasons} for row in rows]}


def _verdict_json(state: State) -> Json:
    """The last verdict; winner None = a mixture, or another option in the other order."""
    last = last_verdict(state)
    if last is None:
        return None
    verdict, winner = last
    return {"verdict": verdict.verdict, "winner": winner, "reasoning": verdict.reasoning}
