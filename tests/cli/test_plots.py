"""Plots in letters: a value stands where it belongs on the scale, within its interval."""

from debate_core.cli.backtest import Interval, interval_plot


def test_shares_and_differences_stand_on_their_scale():
    drawn = interval_plot([Interval("a", 0, 0.25, 0.5), Interval("bc", 1, 1, 1)], 0, 1, unit="right")
    assert drawn.splitlines() == [
        "a   [----------o----------                    ]",
        "bc  [                                        o]",
        "    0%                                        100% right",
    ]
    differences = [Interval("a", -0.2, 0.1, 0.4), Interval("b", 0.5, 0.6, 3), Interval("c", 0, 0, 0)]
    assert interval_plot(differences, -1, 1, unit="").splitlines()[:3] == [
        "a  [                ----|-o------            ]",
        "b  [                    |         --o--------]",
        "c  [                    o                    ]",
    ]
