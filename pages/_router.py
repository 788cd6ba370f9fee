"""The frame around every screen: page settings, the menu, and the page that was asked for."""

from typing import Literal

import streamlit as st

from debate_core.language import _
from debate_core.ui.kit import browser_language, offline, session
from debate_core.ui.room import voter_shell
from debate_core.ui.server import guest

# Streamlit writes the open tab in the colour of buttons, which is too faint as text on a dark page, and code within a
# sentence in green, which is the colour of an option. And it draws the edges of fields like those of cards, which only
# divide: a field is found by its edge (3 to 1). And what was pressed stays beside what takes its place until the page
# is drawn to its end: all below would stand lower for so long, and then move under the next press. It goes at once,
# unless somebody types there or is still pressing it. What `kit.offline` draws takes no room among the elements.
# Nor do headings of texts that are shown link to themselves: each of these links had the same name.
READABLE = """<style>
[role=tab][aria-selected=true] p, [data-testid=stButtonGroup] [data-selected=true] p {
  color: light-dark(#16181d, #e9ebf0)
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
.st-key-offline, :has(> .stHtml > [data-vote]) { position: absolute }
[data-retained]:not(:has(:active, :is(input, textarea):focus)) { display: none }
</style>"""

browser_language.begin()
st.set_page_config(page_title=_("Debate room"), page_icon="⚖️", layout="wide")
session.require_launcher()
is_host = session.may_host()
for_hosts: Literal["visible", "hidden"] = "visible" if is_host else "hidden"
page = st.navigation(
    [
        st.Page("home.py", title=_("Debates"), icon=":material/inbox:", url_path="home", default=True),
        st.Page(
            "setup.py", title=_("New debate"), icon=":material/add_circle:", url_path="setup", visibility=for_hosts
        ),
        st.Page(
            "protocols.py",
            title=_("Protocols"),
            icon=":material/account_tree:",
            url_path="protocols",
            visibility=for_hosts,
        ),
        # The pages of one debate are reached from its own head, and by their address.
        st.Page("room.py", title=_("Room"), icon=":material/forum:", url_path="room", visibility="hidden"),
        st.Page("screen.py", title=_("Projector"), icon=":material/cast:", url_path="screen", visibility="hidden"),
        st.Page(
            "results.py", title=_("Results"), icon=":material/how_to_vote:", url_path="results", visibility="hidden"
        ),
        st.Page("record.py", title=_("Record"), icon=":material/receipt_long:", url_path="record", visibility="hidden"),
        st.Page(
            "metrics.py",
            title=_("Track record"),
            icon=":material/monitoring:",
            url_path="metrics",
            visibility=for_hosts,
        ),
        st.Page(
            "practice.py",
            title=_("Practice"),
            icon=":material/how_to_vote:",
            url_path="practice",
            visibility="hidden",
        ),
    ],
    position="hidden" if voter_shell.has_no_menu() else "top",
)
st.html(READABLE)
offline.watch(is_read_only=page.url_path == "screen")
# The pages of one debate look themselves who may see it; everything else is for hosts.
if is_host or (page.url_path in ("room", "screen", "results", "record") and session.debate_id()):
    page.run()
else:
    guest.show()
if page.url_path != "screen":
    browser_language.menu()
