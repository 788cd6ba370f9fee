"""`triage`: whether a question should be debated, from what the facilitator knows of it. Asks nobody.

The judgement is that of `debate_core.spec.advice`.
"""

from argparse import Namespace

from debate_core.report.files.export import Json, dumps
from debate_core.spec import advice
from debate_core.spec.advice import Answers, Reason, Recommendation

_SIGNS = {"for": "+", "against": "-", "open": "?"}


def advise(flags: Namespace) -> int:
    """Print the recommendation; 0 whatever it is."""
    answers = Answers(**{name: getattr(flags, name) for name in Answers.model_fields})
    found = advice.recommend(answers)
    print(dumps(_json(answers, found)) if flags.json else _text(found), end="")
    return 0


def _json(answers: Answers, found: Recommendation) -> Json:
    return {
        "advice": found.advice,
        "sentence": found.sentence,
        "reasons": [_reason(r) for r in found.reasons],
        "alternatives": [
            {"name": a.name, "sentence": a.sentence, "preset": a.preset or None} for a in found.alternatives
        ],
        "frames": [{"name": f.name, "claim": f.claim} for f in found.frames],
        "answers": answers.model_dump(mode="json"),
    }


def _reason(reason: Reason) -> Json:
    return {
        "name": reason.name,
        "says": reason.says,
        "sentence": reason.sentence,
        "source": reason.source,
        "decides": reason.decides,
    }


def _text(found: Recommendation) -> str:
    lines = [found.sentence]
    lines += [f"  {_SIGNS[r.says]} {r.sentence} ({r.source})" for r in found.reasons]
    for other in found.alternatives:
        preset = f" (--protocol {other.preset})" if other.preset else ""
        lines.append(f"  instead: {other.name}{preset}. {other.sentence}")
    lines += [f"  side {f.name}: {f.claim}" for f in found.frames]
    return "\n".join(lines) + "\n"
