"""The comparison of two revisions."""

import pytest

from bench.compare import ROOT, compare, main


def test_compare_prints_the_ratio_of_each_work(capsys: pytest.CaptureFixture[str]):
    (ratio,) = compare(ROOT, ROOT, ["150 turns played"], rounds=2)
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.split() == ["work", "before", "ms", "after", "ms", "ratio", "spread"]
    before_ms, after_ms, shown, low, _to, high = row.removeprefix("150 turns played").split()
    assert min(float(before_ms), float(after_ms)) > 0
    assert float(low) <= float(shown) <= float(high)
    assert float(shown) == pytest.approx(ratio, abs=0.001)


@pytest.mark.parametrize("revision", ["no-such-revision", "--output=x"])
def test_unknown_revision_is_refused(revision: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["--", revision])
    assert ended.value.code == 2
    assert f"there is no revision {revision!r}" in capsys.readouterr().err
