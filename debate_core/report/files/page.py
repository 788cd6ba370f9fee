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
from debate_core.report.figures.svg import GROUND, chart_svg
from debate_core.report.figures.votes import PALETTES
from debate_core.report.files import sections
from debate_core.report.files.adr.record import decision_sheet
from debate_core.report.files.document import Block, Document, Drawing, Heading, table
from debate_core.report.files.report import DETAILS
from debate_core.text import line

PAGE_NAME = "debate.html"


def html_page(account: Account) -> str:
    """The whole page, in the current language."""
    sheet = Document(decision_sheet(account))
    details = (block for section in DETAILS for block in section(account))
    blocks = [block for chart in charts_of(account) for block in _chart(account, chart)]
    charts = [Heading(2, _("Charts")), *blocks] if blocks else []
    report = Document((*charts, *details, *sections.recheck(account, PAGE_NAME)))
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


def _chart(account: Account, chart: Chart) -> list[Block]:
    rows = chart.table(account)
    head = tuple(rows[0]) if rows else ()
    numbers = table(head, (tuple(_cell(row.get(name, "")) for name in head) for row in rows))
    return [Heading(3, _(chart.title)), Drawing(chart.alt(account), chart_svg(account, chart)), numbers]


def _cell(value: str | int | float) -> str | int:
    return format_number(value, "g") if isinstance(value, float) else value


_LIGHT = f"--ground:{GROUND};--surface:#f6f7f9;--ink:{PALETTES['light'].ink};--border:#dfe2e8;--quote:#949597"
_DARK = f"--ground:#101216;--surface:#181b21;--ink:{PALETTES['dark'].ink};--border:#2d323c;--quote:#74767a"


def _dark_charts() -> str:
    """Rules that give charts, which carry the colours of the light theme, those of the dark one."""
    light, dark = PALETTES["light"], PALETTES["dark"]
    pairs = dict(zip(light.options, dark.options, strict=True))
    pairs |= {light.neutral: dark.neutral, light.ink: dark.ink, light.grid: dark.grid}
    return "".join(
        f'[{attribute}="{before}"]{{{attribute}:{after}}}'
        for before, after in pairs.items()
        for attribute in ("fill", "stroke")
    )


STYLE = f"""
:root {{ color-scheme: light; {_LIGHT} }}
* {{ box-sizing: border-box }}
html {{ scroll-padding-top: 16px }}
body {{
  margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 "Source Sans 3", "Source Sans Pro", Helvetica, Arial, sans-serif; font-variant-numeric: tabular-nums;
}}
nav, main {{ max-width: 50rem; margin: 0 auto; padding: 0 16px }}
nav ul {{ display: flex; flex-wrap: wrap; gap: 0 8px; margin: 0; padding: 8px 0; list-style: none }}
nav li {{ margin: 0 }}
nav a {{ display: block; padding: 8px 4px }}
nav {{ border-bottom: 1px solid var(--border) }}
main {{ padding-bottom: 64px }}
a {{ color: inherit }}
:focus-visible {{ outline: 2px solid var(--ink); outline-offset: 2px }}
h1 {{ font-size: 1.7rem; line-height: 1.25; margin: 24px 0 16px }}
h2 {{ font-size: 1.3rem; line-height: 1.3; margin: 32px 0 8px }}
h3 {{ font-size: 1.05rem; margin: 24px 0 4px }}
h4 {{ font-size: 1rem; margin: 16px 0 4px }}
p, ul {{ margin: 8px 0 }}
ul {{ padding-left: 20px }}
#report > h2 {{ border-top: 1px solid var(--border); padding-top: 16px }}
blockquote {{ margin: 8px 0; padding: 4px 12px; border-left: 3px solid var(--quote); white-space: pre-wrap }}
dl {{ display: grid; grid-template-columns: 9rem 1fr; gap: 2px 16px; margin: 16px 0 }}
dt {{ grid-column: 1; font-weight: 600 }}
dd {{ grid-column: 2; margin: 0 }}
article {{ margin: 16px 0 }}
article p {{ margin: 0 }}
pre {{ background: var(--surface); padding: 8px 12px; white-space: pre-wrap }}
code {{ overflow-wrap: anywhere }}
figure {{ margin: 8px 0 16px; overflow-x: auto }}
svg {{ display: block; width: 100%; min-width: 34rem; height: auto }}
[role="region"] {{ overflow-x: auto; margin: 8px 0 16px }}
table {{ border-collapse: collapse; font-size: .92rem; overflow-wrap: normal }}
th, td {{ text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--border) }}
td {{ min-width: 3rem; max-width: 26rem }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ color-scheme: dark; {_DARK} }}
  {_dark_charts()}
}}
@page {{ size: A4; margin: 16mm }}
@media print {{
  body {{ font-size: 10.5pt }}
  nav {{ display: none }}
  main {{ max-width: none; padding: 0 }}
  h1 {{ margin-top: 0 }}
  h2, h3, h4 {{ break-after: avoid }}
  figure, tr, li, blockquote {{ break-inside: avoid }}
  figure, [role="region"] {{ overflow: visible }}
  svg {{ min-width: 0; max-width: 150mm }}
  p:has(+ ul) {{ break-after: avoid }}
  table {{ font-size: 8.5pt }}
  th, td {{ min-width: 0; max-width: none; padding-right: 8px }}
  th {{ hyphens: auto }}
  td {{ overflow-wrap: anywhere }}
  #report {{ break-before: page }}
}}
"""
