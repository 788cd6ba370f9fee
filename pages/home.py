"""Debates: what waits for me, what goes on, what is over; for whoever has none yet, what this is and how to begin."""

from debate_core.ui.kit import session
from debate_core.ui.pages import home, practice
from debate_core.ui.server import login

with home.head():
    login.show()
rows = home.unspoiled(session.debates())
home.setups()
if rows:
    home.lists(rows)
else:
    home.welcome()
home.examples_and_files()
practice.link()
