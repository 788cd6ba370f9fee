"""What a debate shows: rows for tables and charts, reports, flags, and the files of an export.

Made from the state and the events alone; nothing is counted here that the rules did not count. Called by charts,
the host's screens and the command line; it knows none of them.
"""

from debate_core.report.facts.counts import (
    PairRow,
    TallyRow,
    VoteRow,
    ballot_counts,
    ballot_said,
    counts_heads,
    final_points,
    pair_rows,
    points_by_option,
    poll_rows,
    tally_rows,
    unit_of,
    vote_rows,
)
from debate_core.report.facts.health import FLAGS, critique_rows, findings, flags, health_rows
from debate_core.report.facts.interventions import override_rows
from debate_core.report.facts.office_turns import directive_rows, evaluation_rows
from debate_core.report.facts.robustness import WhatIf, robustness_sentence, what_if
from debate_core.report.facts.synthesis import synthesis_rows
from debate_core.report.facts.turns import TurnRow, transcript_rows, turn_rows
from debate_core.report.facts.usage import LimitRow, UsageRow, Used, limit_rows, usage_json, usage_rows, used_in
from debate_core.report.files.adr import PROFILES, Profile, decision_record, next_number
from debate_core.report.files.csv import safe_cell
from debate_core.report.files.export import FORMATS, Json, csv_files, dumps, export_files, run_json, votes_csv
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.words.costs import UNKNOWN, cost_words, limit_line, tokens_words, usd_words, used_words
from debate_core.report.words.outcome import (
    agreement_words,
    ended_words,
    final_words,
    limit_words,
    outcome_lines,
    outcome_sentence,
    summary_report,
    tally_words,
)
from debate_core.report.words.rules import agreed_sentence, chance_sentence, rule_sentence
from debate_core.text import line, md_text, plain, plural, spoken_list

__all__ = [
    "FLAGS",
    "FORMATS",
    "PROFILES",
    "UNKNOWN",
    "Json",
    "LimitRow",
    "PairRow",
    "Profile",
    "TallyRow",
    "TurnRow",
    "UsageRow",
    "Used",
    "VoteRow",
    "WhatIf",
    "agreed_sentence",
    "agreement_words",
    "ballot_counts",
    "ballot_said",
    "chance_sentence",
    "cost_words",
    "counts_heads",
    "critique_rows",
    "csv_files",
    "decision_record",
    "directive_rows",
    "dumps",
    "ended_words",
    "evaluation_rows",
    "export_files",
    "final_points",
    "final_words",
    "findings",
    "flags",
    "health_rows",
    "limit_line",
    "limit_rows",
    "limit_words",
    "line",
    "markdown_report",
    "md_text",
    "next_number",
    "outcome_lines",
    "outcome_sentence",
    "override_rows",
    "pair_rows",
    "plain",
    "plural",
    "points_by_option",
    "poll_rows",
    "robustness_sentence",
    "rule_sentence",
    "run_json",
    "safe_cell",
    "spoken_list",
    "summary_report",
    "synthesis_rows",
    "tally_rows",
    "tally_words",
    "text_report",
    "tokens_words",
    "transcript_rows",
    "turn_rows",
    "unit_of",
    "usage_json",
    "usage_rows",
    "usd_words",
    "used_in",
    "used_words",
    "vote_rows",
    "votes_csv",
    "what_if",
]
