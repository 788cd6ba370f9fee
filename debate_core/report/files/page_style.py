"""The style of the HTML file: light and dark, phone and paper. The colours are those of the app."""

from debate_core.report.figures.svg import GROUND
from debate_core.report.figures.votes import PALETTES

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
