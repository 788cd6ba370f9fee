"""Calibration of the track record's intervals: `python -m bench.track_record [RUNS]`.

A judge of planted skill, sureness and flips judges 40 debates whose truth is known. Prints for each figure in which
share of the runs its interval of 95 % holds what was planted.
"""

import sys

from tests.core.test_track_record import shares_within

RUNS = 200


def main() -> int:
    """Print each share."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    for name, share in shares_within(runs).items():
        print(f"{name:12} {share:.3f} of {runs} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
