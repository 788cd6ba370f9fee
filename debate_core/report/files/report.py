"""The reports for readers: for a terminal, in Markdown for a file, and the transcript only."""

from collections.abc import Callable, Iterable

from debate_core.report.facts.account import Account
from debate_core.report.files import sections
from debate_core.report.files.document import Block, Document

ReportSection = Callable[[Account], list[Block]]
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
    sections.speeches,
    sections.revised_synthesis,
    sections.polls,
    sections.decision,
    sections.sources_shown,
    sections.cost_by_line,
    sections.acts_by_line,
)
"""The decision and its count, the nine lines of `summary_report`, then turns and acts."""
MARKDOWN: tuple[ReportSection, ...] = (
    sections.title,
    sections.outcome,
    sections.recommendation,
    sections.flagged,
    sections.counts,
    sections.polls,
    sections.judges,
    sections.health,
    sections.without_a_debate,
    sections.decision,
    sections.synthesis,
    sections.evidence,
    sections.transcript,
    sections.costs,
    sections.acts,
    sections.agreed,
    sections.recheck,
)
"""The decision, then count, agreement, evidence, transcript, acts of people, and the check of the record."""
TRANSCRIPT: tuple[ReportSection, ...] = (sections.title, sections.speeches_by_place)


def text_report(account: Account) -> str:
    """The debate for a terminal."""
    return _document(account, TERMINAL).terminal()


def markdown_report(account: Account) -> str:
    """The whole debate as one Markdown document."""
    return _document(account, MARKDOWN).markdown()


def transcript_markdown(account: Account) -> str:
    """The turns alone, as Markdown."""
    return _document(account, TRANSCRIPT).markdown() + "\n"


def _document(account: Account, chosen: Iterable[ReportSection]) -> Document:
    return Document(tuple(block for section in chosen for block in section(account)))
