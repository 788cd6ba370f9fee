"""`triage`: recommends whether to debate a question, from the facilitator's answers. Calls no model.

The judgement is in `debate_core.spec.advice`.
"""

from argparse import Namespace
from dataclasses import asdict

from debate_core.cli.terminal import answer
from debate_core.spec import advice
from debate_core.spec.advice import Answers, Recommendation
from debate_core.spec.values import Json

_SIGNS = {"for": "+", "against": "-", "open": "?"}


def advise(flags: Namespace) -> int:
    """Print the recommendation; always 0."""
    answers = Answers(**{name: getattr(flags, name) for name in Answers.model_fields})
    recommendation = advice.recommend(answers)
    answer(flags, _json(answers, recommendation), _text(recommendation))
    return 0


def _json(answers: Answers, recommendation: Recommendation) -> Json:
    reasons = [asdict(reason) for reason in recommendation.reasons]
    alternatives: list[Json] = [
        {"name": other.name, "sentence": other.sentence, "preset": other.preset or None}
        for other in recommendation.alternatives
    ]
    frames = [{"name": frame.name, "claim": frame.claim} for frame in recommendation.frames]
    return {
        "advice": recommendation.advice,
        "sentence": recommendation.sentence,
        "reasons": reasons,
        "alternatives": alternatives,
        "frames": frames,
        "answers": answers.model_dump(mode="json"),
    }


def _text(recommendation: Recommendation) -> str:
    lines = [recommendation.sentence]
    lines += [f"  {_SIGNS[reason.says]} {reason.sentence}" for reason in recommendation.reasons]
    for other in recommendation.alternatives:
        preset = f" (--protocol {other.preset})" if other.preset else ""
        lines.append(f"  instead: {other.name}{preset}. {other.sentence}")
    lines += [f"  side {frame.name}: {frame.claim}" for frame in recommendation.frames]
    return "\n".join(lines) + "\n"
