"""`eval`: measures detectors on the labelled sets of a folder, or protocols on its judged questions.

`debate_core.evaluation` computes the figures. Detectors call no model and change nothing.
"""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from debate_core.cli.backtest import backtest
from debate_core.cli.terminal import answer
from debate_core.errors import InvalidSpec
from debate_core.evaluation import claims, debates, judges
from debate_core.evaluation.figures import Detector, DetectorFigure, Sample
from debate_core.evaluation.quotes import RECORDS, quotes
from debate_core.host.settings import Settings
from debate_core.spec.values import Json
from debate_core.text import plural

DETECTORS = (
    Detector("restatement", claims.RESTATED, claims.restatement),
    Detector("quotes", f"{RECORDS} or {debates.REAL_DEBATES}", quotes),
    Detector("grounding", debates.REAL_DEBATES, debates.grounding),
    Detector("no_progress", debates.REAL_DEBATES, debates.no_progress),
    Detector("evidence_marker", f"{claims.EVIDENCE} or {claims.REVIEWS}", claims.evidence_marker),
    Detector("duplicates", claims.KEY_POINTS, claims.duplicates),
    Detector("agreement", judges.PAIR_VOTES, judges.agreement),
    Detector("bradley_terry", judges.PAIR_VOTES, judges.strengths),
    Detector("calibration", judges.REPORTS, judges.calibration),
    Detector("verdicts", judges.REPORTS, judges.settings),
    Detector("judge_swap", judges.SWAPPED, judges.judge_swap),
)


def has_labelled_sets(folder: Path) -> bool:
    """True if a folder has a labelled file of any detector."""
    return any(any(folder.glob(pattern)) for d in DETECTORS for pattern in d.files.split(" or "))


def measured(folder: Path) -> Iterator[tuple[Detector, Sample]]:
    """Each detector with its figures; n is 0 if its files are missing.

    InvalidSpec for a file that cannot be read, or whose rows do not have the required form.
    """
    for detector in DETECTORS:
        try:
            yield detector, detector.measure(folder)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise InvalidSpec(
                f"{detector.name} cannot be measured: a row of {folder}/{detector.files} is not in its form ({error})"
            ) from None


def evaluate(flags: Namespace, settings: Settings) -> int:
    """Print every figure. Exit status 0 for detectors; for protocols that of `backtest`."""
    folder = Path(flags.folder)
    if not folder.is_dir():
        raise InvalidSpec(f"{folder} is not a folder: name one with labelled sets or questions")
    if not has_labelled_sets(folder):
        return backtest(flags, settings)
    if flags.fail_below is not None:
        raise InvalidSpec(f"--fail-below is for judged questions, and {folder} holds labelled sets")
    samples = list(measured(folder))
    result: Json = {detector.name: _json(sample) for detector, sample in samples}
    lines = [line for detector, sample in samples for line in _format_sample(detector, sample)]
    answer(flags, result, "\n".join([*lines, ""]))
    return 0


def _json(sample: Sample) -> Json:
    result: dict[str, Json] = {"n": sample.n}
    result |= {figure.name: figure.measured for figure in sample.figures}
    result["bar"] = {figure.name: figure.bar for figure in sample.figures if figure.bar is not None}
    result["bar_is_the_most"] = [figure.name for figure in sample.figures if figure.most]
    result["interval"] = {figure.name: [figure.low, figure.high] for figure in sample.figures}
    result["verdict"] = {figure.name: figure.verdict for figure in sample.figures}
    return result


def _format_sample(detector: Detector, sample: Sample) -> Iterator[str]:
    if not sample.n:
        yield f"{detector.name}: not measured, too little in {detector.files}"
        return
    yield f"{detector.name} ({plural(sample.n, 'case')})"
    for figure in sample.figures:
        yield f"  {figure.name.replace('_', ' '):<36} {figure.measured:.3f}  {_format_bounds(figure)}".rstrip()


def _format_bounds(figure: DetectorFigure) -> str:
    """`0.830 to 0.878  at least 0.877  within the interval`."""
    interval = f"{figure.low:.3f} to {figure.high:.3f}" if figure.low < figure.high else ""
    bar = ""
    if figure.bar is not None:
        bound = "at most" if figure.most else "at least"
        bar = f"{bound} {figure.bar:g}"
    return f"{interval:<16}  {bar:<15}  {figure.verdict}"
