"""`triage`: recommends whether to debate a question, from the facilitator's answers. Calls no model.

The judgement is in `debate_core.spec.advice`; a database may have another threshold for it.
"""

from argparse import Namespace
from contextlib import closing
from dataclasses import asdict

from debate_core.cli.files import is_there, refuse_missing
from debate_core.cli.terminal import answer
from debate_core.host import runner
from debate_core.host.settings import Settings
from debate_core.host.stores import open_store
from debate_core.host.triage_thresholds import TriageThresholds
from debate_core.spec import advice
from debate_core.spec.advice import DOWNSIDE_TIMES, Answers, Recommendation
from debate_core.spec.values import Json

_SIGNS = {"for": "+", "against": "-", "open": "?"}


def advise(flags: Namespace, settings: Settings) -> int:
    """Print the recommendation; always 0."""
    answers = Answers(**{name: getattr(flags, name) for name in Answers.model_fields})
    times = _threshold(settings)
    recommendation = advice.recommend(answers, times=times)
    reasons = [asdict(reason) for reason in recommendation.reasons]
    alternatives: list[Json] = [
        {"name": other.name, "sentence": other.sentence, "preset": other.preset or None}
        for other in recommendation.alternatives
    ]
    frames = [{"name": frame.name, "claim": frame.claim} for frame in recommendation.frames]
    answer(
        flags,
        {
            "advice": recommendation.advice,
            "sentence": recommendation.sentence,
            "reasons": reasons,
            "alternatives": alternatives,
            "frames": frames,
            "threshold": times,
            "answers": answers.model_dump(mode="json"),
        },
        _text(recommendation),
    )
    return 0


def _threshold(settings: Settings) -> int:
    """The threshold accepted in this database; the published one if the database does not exist and none is named."""
    if settings.database_named:
        refuse_missing(settings.database_url)
    elif not is_there(settings.database_url):
        return DOWNSIDE_TIMES
    with closing(open_store(settings.database_url)) as store:
        return TriageThresholds(store, runner.now).current()


def _text(recommendation: Recommendation) -> str:
    lines = [recommendation.sentence]
    lines += [f"  {_SIGNS[reason.says]} {reason.sentence}" for reason in recommendation.reasons]
    for other in recommendation.alternatives:
        preset = f" (--protocol {other.preset})" if other.preset else ""
        lines.append(f"  instead: {other.name}{preset}. {other.sentence}")
    lines += [f"  side {frame.name}: {frame.claim}" for frame in recommendation.frames]
    return "\n".join(lines) + "\n"
