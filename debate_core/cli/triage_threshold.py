"""The threshold of triage on the command line: its proposal, and the answer of `metrics --threshold`."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from debate_core.cli.outcome import OPERATOR
from debate_core.errors import InvalidSpec
from debate_core.host import runner
from debate_core.host.stores import Store
from debate_core.host.triage_thresholds import ThresholdAnswer, TriageThresholds
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.triage_threshold import ThresholdProposal, propose_threshold
from debate_core.report.phrases.triage_threshold import answer_sentence, proposal_sentence, threshold_sentence
from debate_core.spec.values import Json
from debate_core.text import line


@dataclass(frozen=True, slots=True)
class ThresholdState:
    """The threshold in use, the proposal of this quarter, and all answers, latest first."""

    current: int
    proposal: ThresholdProposal
    answers: tuple[ThresholdAnswer, ...]

    def sentences(self) -> list[str]:
        """The threshold, the proposal unless it is answered, and each answer."""
        is_answered = any(answer.quarter == self.proposal.quarter for answer in self.answers)
        proposed = [] if is_answered else [proposal_sentence(self.proposal, self.current)]
        return [threshold_sentence(self.current), *proposed, *map(_format_answer, self.answers)]

    def as_json(self) -> Json:
        """The same as values."""
        answers = [answer.model_dump(mode="json") for answer in self.answers]
        proposal = {**asdict(self.proposal), "times": self.proposal.times}
        return {"current": self.current, "proposal": proposal, "answers": answers}


def refuse_flags(flags: Namespace) -> None:
    """Raise InvalidSpec for `--by` or `--reason` without an answer."""
    if not flags.threshold and (flags.by or flags.reason):
        raise InvalidSpec("--by and --reason belong to an answer: add --threshold accept or --threshold decline")


def settle(store: Store, flags: Namespace, held: Sequence[Facts]) -> ThresholdState:
    """Store the answer if there is one, and read the threshold that applies then."""
    thresholds = TriageThresholds(store, runner.now)
    proposal = propose_threshold(held, thresholds.quarter())
    if flags.threshold:
        accepted = flags.threshold == "accept"
        thresholds.answer(proposal, accepted=accepted, by=flags.by or OPERATOR, reason=flags.reason or "")
    return ThresholdState(thresholds.current(), proposal, thresholds.answers())


def _format_answer(answer: ThresholdAnswer) -> str:
    return answer_sentence(
        answer.quarter,
        answer.times,
        accepted=answer.accepted,
        by=line(answer.by),
        day=answer.at[:10],
        reason=line(answer.reason),
    )
