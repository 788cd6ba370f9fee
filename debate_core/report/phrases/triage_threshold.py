"""The threshold of triage, its proposal and the answers of people, in sentences."""

from debate_core.language import _
from debate_core.report.facts.cross_debate_metrics import LEAST_LABELLED
from debate_core.report.facts.triage_threshold import ThresholdProposal


def threshold_sentence(times: int) -> str:
    return _("A debate is advised if a wrong decision costs more than {times} times the debate.", times=times)


def proposal_sentence(proposal: ThresholdProposal, current: int) -> str:
    """The proposal of this quarter, or the reason why there is none."""
    values = {"n": proposal.n, "corrected": proposal.corrected, "worsened": proposal.worsened, "times": proposal.times}
    if not proposal.has_enough:
        return _(
            "No proposal from outcomes yet: it needs {least} decisions with a known right option and a single answer "
            "or first proposal; so far {n}.",
            least=LEAST_LABELLED,
            **values,
        )
    if proposal.times is None:
        return _(
            "No proposal: in {corrected} of {n} decisions only the debate was right, in {worsened} only the single "
            "answer. It is not clear that debates correct more than they worsen.",
            **values,
        )
    if proposal.times == current:
        return _(
            "The outcomes confirm it: in {corrected} of {n} decisions only the debate was right, in {worsened} only "
            "the single answer.",
            **values,
        )
    return _(
        "Proposal for {quarter}: {times} times. In {corrected} of {n} decisions only the debate was right, in "
        "{worsened} only the single answer; at this rate a debate pays for itself from {times} times its price.",
        quarter=proposal.quarter,
        **values,
    )


def answer_sentence(quarter: str, times: int, *, accepted: bool, by: str, day: str, reason: str) -> str:
    """One answer of a person; the reason follows as it was written."""
    values = {"quarter": quarter, "times": times, "by": by, "day": day}
    if accepted:
        told = _("{quarter}: {by} accepted {times} times on {day}.", **values)
    else:
        told = _("{quarter}: {by} declined {times} times on {day}.", **values)
    return f"{told} {reason}".rstrip()
