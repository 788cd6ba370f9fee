"""The frame around every screen: page settings, the menu, and the requested page."""

from typing import Literal

import streamlit as st

from debate_core.language import _
from debate_core.ui.kit import browser_language, offline, session
from debate_core.ui.room import voter_shell
from debate_core.ui.server import guest

# Corrections of Streamlit's style:
# - the open tab has the colour of buttons, which is too faint as text on a dark page; a chosen answer is bold;
# - code within a sentence is green, which is the colour of an option;
# - a filled button is gray on a dark page, as if it were disabled;
# - the words of a button are too faint on a dark page while the mouse is on it;
# - the edges of fields are as faint as those of cards, and need a contrast of 3 to 1;
# - an element that a rerun replaces stays until the page is complete, so that everything below it moves under the next
#   press. It disappears at once, unless it has the focus or is being pressed;
# - `kit.offline` takes no room among the elements;
# - a container without any element still takes the gap to the next one;
# - a phone needs no empty lines around the title, whose place is beside the opener of the menu, not below it;
# - a thumb hits 44 px;
# - a phone has no keys, so that its buttons name none;
# - the menu begins with the name of the program;
# - headings in texts do not link to themselves, because all these links have the same name.
READABLE = """<style>
[role=tab][aria-selected=true] p, [data-testid=stButtonGroup] [data-selected=true] :is(p, span) {
  color: light-dark(#16181d, #e9ebf0) !important
}
[data-testid=stButtonGroup] [data-selected=true] p { font-weight: 650 }
body button:is([kind=primary], [kind=primaryFormSubmit]):enabled {
  color: light-dark(#fff, #101216); background: light-dark(#22262f, #e9ebf0); border-color: transparent
}
body button:is([kind=secondary], [kind=tertiary]):enabled:hover {
  color: inherit;
  @media (hover: hover) { background-color: color-mix(in srgb, currentColor 8%, transparent) }
}
[data-testid=stMain] :not(pre) > code { color: inherit }
body :is([data-testid=stTextInputRootElement], [data-testid=stTextAreaRootElement],
  [data-testid=stNumberInputContainer], [data-testid=stFileUploaderDropzone], [data-testid=stDateInput] [role=group],
  [data-testid=stSelectbox] [role=group], [data-testid=stMultiSelect] [role=group]):not(:focus-within),
body [data-testid=stRadioOption]:not([data-selected]) > div > div:first-child,
body [data-testid=stCheckbox] label:not([data-selected]) > div:first-of-type {
  border-color: light-dark(#8f9092, #74767a)
}
body [data-testid=stCheckbox] label:not([data-selected]):has([role=switch]) > div:first-of-type {
  background-color: light-dark(#8f9092, #74767a)
}
[data-testid=stHeaderActionElements] a { display: none }
:has(+ [data-testid=stTopNav])::after { content: "{name}"; padding: 0 1rem 0 0.75rem; font-weight: 700 }
.st-key-offline, :has(> .stHtml > [data-vote]) { position: absolute }
[data-testid=stLayoutWrapper]:not(:has(:not([data-testid=stLayoutWrapper], [data-testid=stVerticalBlock],
  [data-testid=stHorizontalBlock]))) { display: none }
@media (max-width: 640px) {
  [data-testid=stMainBlockContainer] { padding-top: 4rem }
  [data-testid=stMain] h1 { padding: 0 0 0.75rem }
  :root:has([data-testid=stExpandSidebarButton]) { --header: 3rem }
  [data-testid=stHeader], [data-testid=stToolbar] { height: 3rem; min-height: 3rem }
  [data-testid=stExpandSidebarButton] { min-width: 44px; min-height: 44px; margin-left: -9px }
  body:has([data-testid=stExpandSidebarButton])
    [data-testid=stMainBlockContainer]:has([data-testid=stHeading] h1):not(:has(.st-key-practice-head)) {
    padding-top: 2px;
    [data-testid=stHeading] h1 {
      position: relative; z-index: 999991; display: flex; align-items: center; min-height: 44px;
      padding: 0 0 0 2.5rem; pointer-events: none
    }
  }
  :root:not(:has([data-testid=stSidebar], [data-testid=stExpandSidebarButton])):has(.st-key-debate-head) {
    --header: 0px;
    [data-testid=stHeader] { display: none }
    [data-testid=stMainBlockContainer] { padding-top: 0.75rem }
  }
  [data-testid=stButtonGroup] button, [role=tab], [data-testid=stPageLink] a { min-height: 44px }
}
@media (hover: none) { [data-testid=stApp] kbd { display: none } }
[data-retained]:not(:has(:active, :is(input, textarea):focus)) { display: none }
</style>"""

browser_language.begin()
st.set_page_config(page_title=_("Debate room"), page_icon="⚖️", layout="wide")
session.require_launcher()
is_host = session.may_host()
# File and address, title, icon, group: screens of `menu` and `linked` are for hosts, those of `debate` also for guests.
PAGES: tuple[tuple[str, str, str, Literal["menu", "linked", "debate"]], ...] = (
    ("home", _("Debates"), ":material/inbox:", "menu"),
    ("setup", _("New debate"), ":material/add_circle:", "menu"),
    ("protocols", _("Protocols"), ":material/account_tree:", "menu"),
    ("room", _("Room"), ":material/forum:", "debate"),
    ("screen", _("Projector"), ":material/cast:", "debate"),
    ("results", _("Results"), ":material/how_to_vote:", "debate"),
    ("record", _("Full record"), ":material/receipt_long:", "debate"),
    ("metrics", _("Track record"), ":material/monitoring:", "menu"),
    ("decisions", _("Decisions"), ":material/history:", "linked"),
    ("practice", _("Practice"), ":material/how_to_vote:", "linked"),
    ("messages", _("Messages"), ":material/send:", "linked"),
    ("tokens", _("Access tokens"), ":material/key:", "linked"),
)
OF_A_DEBATE = tuple(name for name, _title, _icon, group in PAGES if group == "debate")
shown = {"home"}  # for guests
if is_host:
    shown = {name for name, _title, _icon, group in PAGES if group == "menu"}
pages = []
for name, title, icon, _group in PAGES:
    visibility: Literal["visible", "hidden"] = "visible" if name in shown else "hidden"
    is_home = name == "home"
    pages.append(st.Page(f"{name}.py", title=title, icon=icon, url_path=name, default=is_home, visibility=visibility))
page = st.navigation(pages, position="hidden" if voter_shell.has_no_menu() else "top")
st.html(READABLE.replace("{name}", _("Debate room")))
offline.watch(is_read_only=page.url_path == "screen")
# The pages of one debate check permissions themselves; all others are for hosts.
if is_host or (page.url_path in OF_A_DEBATE and session.debate_id()):
    page.run()
else:
    guest.show()
if page.url_path != "screen":
    browser_language.menu()
