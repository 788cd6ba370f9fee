"""Calibration of the track record's intervals: `python -m bench.track_record [RUNS]`.

A simulated judge with planted skill, confidence and flips judges 40 debates with a known truth. Prints for each figure
the share of runs in which its 95 % interval contains the planted value.
"""

import sys

from tests.core.test_track_record import shares_within

RUNS = 200


def main() -> int:
    """Print the share of each figure."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    for name, share in shares_within(runs).items():
        print(f"{name:12} {share:.3f} of {runs} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
