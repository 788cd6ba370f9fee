"""Decides whether a reader without a part in a debate may have its record now; the same as for downloads on pages."""

from debate_core.engine.judge_view import still_judging
from debate_core.report.facts.account import Account
from debate_core.report.phrases.polls import withheld_words
from debate_core.sentence import Sentence

JUDGED = Sentence("People are still judging this debate: its record can be read when the final probabilities are in.")
BLIND = Sentence("The audience of this debate learns the speakers after its end: its record can be read then.")
HIDDEN = Sentence("Turns of the open phase are still hidden: the record can be read after the phase.")


def why_withheld(debate: Account, *, imported: bool) -> str:
    """The reason in one sentence; empty if the record can be read."""
    state = debate.recorded
    if still_judging(state) and not imported:
        return JUDGED
    if state.spec.terms.blind == "blind" and state.outcome is None:
        return BLIND
    if why := withheld_words(state):
        return why
    return HIDDEN if debate.hides_turns else ""
