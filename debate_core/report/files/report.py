"""The reports for readers: for a terminal, in Markdown for a file, and the transcript only."""

from collections.abc import Callable, Iterable, Sequence

from debate_core.report.facts.account import Account
from debate_core.report.files import sections, speeches
from debate_core.report.files.adr.record import decision_sheet
from debate_core.report.files.document import Block, Document

ReportSection = Callable[[Account], Sequence[Block]]
TERMINAL: tuple[ReportSection, ...] = (
    sections.title,
    sections.outcome,
    sections.recommendation,
    sections.tallies,
    sections.beside_the_count,
    sections.without_a_debate,
    sections.flagged,
    sections.checks,
    sections.summary,
    speeches.speeches,
    sections.revised_synthesis,
    sections.polls,
    sections.decision,
    sections.sources_shown,
    sections.cost_by_line,
    sections.acts_by_line,
)
"""The decision and its count, the nine lines of `summary_report`, then turns and acts."""
DETAILS: tuple[ReportSection, ...] = (
    sections.counts,
    sections.polls,
    sections.judges,
    sections.health,
    sections.without_a_debate,
    sections.synthesis,
    sections.evidence,
    speeches.transcript,
    sections.cost_by_line,
    sections.acts,
    sections.agreed,
)
"""Count, agreement, evidence, transcript and acts of people, below the decision sheet."""
TRANSCRIPT: tuple[ReportSection, ...] = (sections.title, speeches.speeches_by_place)


def text_report(account: Account) -> str:
    """The debate for a terminal."""
    return _document(account, TERMINAL).terminal()


def markdown_report(account: Account) -> str:
    """The whole debate as one Markdown document: the decision sheet, the details, and the check of the record."""
    return _document(account, (decision_sheet, *DETAILS, sections.recheck)).markdown()


def transcript_markdown(account: Account) -> str:
    """The turns alone, as Markdown."""
    return _document(account, TRANSCRIPT).markdown() + "\n"


def _document(account: Account, chosen: Iterable[ReportSection]) -> Document:
    return Document(tuple(block for section in chosen for block in section(account)))
