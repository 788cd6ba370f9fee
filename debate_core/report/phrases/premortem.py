"""The premortem of a decision in lines: its reasons, or why there are none."""

from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts.premortem import reversal_reasons


def premortem_lines(state: State) -> tuple[str, ...]:
    """Every reason, else one sentence if a premortem of the seats was agreed; () without one, or before the end."""
    if reasons := reversal_reasons(state):
        return reasons
    phases = [phase.name for phase in state.spec.protocol.phases() if phase.gives == "premortem"]
    if not phases or state.outcome is None:
        return ()
    if any(name in phases for _round, name in state.ran):
        return (_("No seat gave a reason in the premortem."),)
    return (_("The agreed premortem was not held: the debate ended before its last vote."),)
