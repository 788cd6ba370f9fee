"""The steps that a room still needs after the last turn, in one sentence for everyone."""

from debate_core.engine import preparation, stage
from debate_core.language import _, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.decision import approvers


def steps_left(state: State) -> str:
    """Return the next step of a debate that is over; empty without people, and once it is signed."""
    if not state.spec.has_people or stage.stage(state) == "signed":
        return ""
    if preparation.silent(state):
        return _("Everyone writes alone; nothing is shown until all is.")
    final = state.room.polls.get("final")
    if final is not None and final.closed is None:
        return _("The final vote is open; its ballots stay sealed until the reveal.")
    if final is not None and not final.revealed:
        return _("The final vote is closed: the facilitator reveals it.")
    if stage.final_decision(state).pending:
        return _("The facilitator opens the final vote.")
    names = approvers(state)
    if not names:
        return _("The decision is not signed yet.")
    return _("Waiting for the signature of {names}.", names=spoken_list(names))
