"""All detectors that can be measured, in the order of the report."""

from collections.abc import Iterator
from pathlib import Path

from debate_core.errors import InvalidSpec
from debate_core.evaluation import claims, debates, judges
from debate_core.evaluation.figures import Detector, Sample
from debate_core.evaluation.quotes import RECORDS, quotes

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
