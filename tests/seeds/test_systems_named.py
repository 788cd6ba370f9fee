"""Every case of the reference data of other systems is played by a test, or is left out with a reason."""

from tests.golden_systems import ALL, LEFT_OUT, PLAYED, needs_golden
from tests.seeds import test_golden_seed000, test_systems, test_systems_in_turn

THEY_PLAY = (test_golden_seed000, test_systems, test_systems_in_turn)
pytestmark = needs_golden


def test_no_case_is_left_out_without_a_reason() -> None:
    assert len(THEY_PLAY) == 3
    there = {(group, n) for group, said in ALL.items() if isinstance(said, dict) for n in range(len(said["cases"]))}
    left_out = {(group, n) for group, reasons in LEFT_OUT.items() for n in reasons}
    assert PLAYED & left_out == set()
    assert PLAYED | left_out == there
