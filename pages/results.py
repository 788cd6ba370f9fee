"""Results: the decision and its votes first, everything else in tabs."""

from debate_core.ui.kit import accounts, session
from debate_core.ui.pages import results
from debate_core.ui.results import decision, sections
from debate_core.ui.room import closed_page

account = accounts.mine(session.debate())
state = account.state
session.show_problem()
sections.heading(account)
closed_page.keep_closed(state)
results.show(account)
if state.outcome and state.spec.has_people:
    decision.look_again(state.debate, state.version)
