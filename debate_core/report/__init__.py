"""What a debate shows: rows for tables and charts, reports, flags, and the files of an export.

Made from the state and the events alone; nothing is counted here that the rules did not count. Called by charts,
the host's screens and the command line; it knows none of them.
"""

from debate_core.evidence import ClaimRow, claim_rows
from debate_core.report.acts import OverrideRow, SynthesisRow, last_synthesis, override_rows, synthesis_rows
from debate_core.report.documents import markdown_report, text_report, transcript_markdown
from debate_core.report.files import FORMATS, Json, csv_files, debate_json, dumps, export_files, run_json
from debate_core.report.flags import FLAGS, flags
from debate_core.report.rows import (
    TallyRow,
    TranscriptRow,
    TurnRow,
    VoteRow,
    ballot_counts,
    final_tally,
    first_tally,
    tally_rows,
    told_turns,
    transcript_rows,
    turn_rows,
    vote_rows,
)
from debate_core.report.sentences import (
    agreement_words,
    chance_sentence,
    first_words,
    md_text,
    outcome_lines,
    outcome_sentence,
    phase_sequence,
    plain,
    plural,
    rule_sentence,
    speaker_schedule,
    spoken_list,
    summary_report,
    tally_words,
)
from debate_core.report.table import safe_cell

__all__ = [
    "FLAGS",
    "FORMATS",
    "ClaimRow",
    "Json",
    "OverrideRow",
    "SynthesisRow",
    "TallyRow",
    "TranscriptRow",
    "TurnRow",
    "VoteRow",
    "agreement_words",
    "ballot_counts",
    "chance_sentence",
    "claim_rows",
    "csv_files",
    "debate_json",
    "dumps",
    "export_files",
    "final_tally",
    "first_tally",
    "first_words",
    "flags",
    "last_synthesis",
    "markdown_report",
    "md_text",
    "outcome_lines",
    "outcome_sentence",
    "override_rows",
    "phase_sequence",
    "plain",
    "plural",
    "rule_sentence",
    "run_json",
    "safe_cell",
    "speaker_schedule",
    "spoken_list",
    "summary_report",
    "synthesis_rows",
    "tally_rows",
    "tally_words",
    "text_report",
    "told_turns",
    "transcript_markdown",
    "transcript_rows",
    "turn_rows",
    "vote_rows",
]
