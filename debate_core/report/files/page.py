"""A debate as one HTML file: the decision sheet, charts, the report, and the record itself.

The page has no script and asks for nothing: its Content-Security-Policy allows one style, by its hash.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from html import escape

from debate_core.language import _, current, format_number
from debate_core.record.events import dump_record
from debate_core.record.page import record_element
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.terms import named
from debate_core.report.figures.chart import Chart
from debate_core.report.figures.charts import charts_of
from debate_core.report.figures.svg import chart_svg
from debate_core.report.files import sections
from debate_core.report.files.adr.record import decision_sheet
from debate_core.report.files.document import Block, Document, Drawing, Heading, Paragraph, Quote, items, table
from debate_core.report.files.page_style import STYLE
from debate_core.report.phrases.evidence import gap_words
from debate_core.report.phrases.names import claim_name
from debate_core.spec.values import in_words
from debate_core.text import capitalized, line

PAGE_NAME = "debate.html"


def html_page(account: Account) -> str:
    """The whole page, in the current language."""
    sheet = _sheet(account)
    report = Document(tuple(block for section in _REPORT for block in section(account)))
    links = [("sheet", _("Decision sheet")), *report.contents("report")]
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    question = escape(line(account.state.spec.question))
    return (
        f'<!doctype html>\n<html lang="{current()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{question}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'{_navigation(links)}<main>\n<section id="sheet">\n{sheet.html("sheet")}</section>\n'
        f'<section id="report">\n{report.html("report")}</section>\n</main>\n'
        f"{record_element(dump_record(account.events))}\n</body>\n</html>\n"
    )


def _sheet(account: Account) -> Document:
    """The decision; of a running debate the question and its state."""
    if account.state.outcome is not None:
        return decision_sheet(account)
    return Document((*sections.title(account), *sections.outcome(account)))


def _navigation(links: Iterable[tuple[str, str]]) -> str:
    listed = "".join(f'<li><a href="#{target}">{escape(words)}</a></li>\n' for target, words in links)
    return f'<nav aria-label="{escape(_("Contents"))}">\n<ul>\n{listed}</ul>\n</nav>\n'


def _charts(account: Account) -> list[Block]:
    """Every chart of the debate, each with its numbers as a table."""
    blocks = [block for chart in charts_of(account) for block in _chart(account, chart)]
    return [Heading(2, _("Charts")), *blocks] if blocks else []


def _chart(account: Account, chart: Chart) -> list[Block]:
    rows = chart.table(account)
    head = tuple(rows[0]) if rows else ()
    numbers = table(head, (tuple(_cell(row.get(name, "")) for name in head) for row in rows))
    return [Heading(3, _(chart.title)), Drawing(chart.alt(account), chart_svg(account, chart)), numbers]


def _cell(value: str | int | float) -> str | int:
    return format_number(value, "g") if isinstance(value, float) else value


def _result(account: Account) -> list[Block]:
    blocks = [*sections.outcome(account), *sections.recommendation(account), *sections.flagged(account)]
    return [Heading(2, _("Result")), *blocks]


def _evidence(account: Account) -> list[Block]:
    """Every claim with its quote, then the marks of the room."""
    title, claims, *marks = sections.evidence(account)
    if not account.claims:
        return [title, claims, *marks]
    return [title, *(block for row in account.claims for block in _claim(account, row)), *marks]


def _claim(account: Account, row: ClaimRow) -> list[Block]:
    name = capitalized(claim_name(account, row.claim_id))
    blocks: list[Block] = [
        Heading(3, f"{name} · {in_words(row.seat)} · {named(row.status)}"),
        Paragraph(row.claim),
    ]
    if row.evidence_text:
        blocks.append(Quote(row.evidence_text))
    source = f" ({row.source_ref})" if row.source_ref else ""
    checked = f"{named(row.quote_verified)}{gap_words(row.left_out_of_quote)}{source}" if row.evidence_text else ""
    return [*blocks, *items(filter(None, (checked, row.claim_id, row.mark)))]


_REPORT: tuple[Callable[[Account], list[Block]], ...] = (
    _charts,
    _result,
    sections.counts,
    sections.polls,
    sections.judges,
    sections.health,
    sections.without_a_debate,
    sections.decision,
    sections.synthesis,
    _evidence,
    sections.transcript,
    sections.costs,
    sections.acts,
    sections.agreed,
    partial(sections.recheck, file=PAGE_NAME),
)
