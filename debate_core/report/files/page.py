"""A debate as one HTML file: the decision sheet, charts, the report, and the record itself.

The page has no script and asks for nothing: its Content-Security-Policy allows one style, by its hash.
"""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape

from debate_core.language import _, current, format_number
from debate_core.record.events import dump_record
from debate_core.record.page import record_element
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart
from debate_core.report.figures.charts import charts_of
from debate_core.report.figures.svg import chart_svg
from debate_core.report.files import sections
from debate_core.report.files.adr.record import decision_sheet
from debate_core.report.files.document import Block, Document, Drawing, Heading, table
from debate_core.report.files.page_style import STYLE
from debate_core.report.files.report import DETAILS
from debate_core.text import line

PAGE_NAME = "debate.html"


def html_page(account: Account) -> str:
    """The whole page, in the current language."""
    sheet = Document(decision_sheet(account))
    details = (block for section in DETAILS for block in section(account))
    report = Document((*_charts(account), *details, *sections.recheck(account, PAGE_NAME)))
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
