"""Cases of other systems, as rows named by group and index: which are played, and why the others are not.

`rows` gives the cases of a group to a test and notes that they are played; `LEFT_OUT` has a reason for every other
one. A test compares both with the reference data.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from tests.conftest import SHARED

GOLDEN = SHARED / "golden" / "seed_systems.json"
ALL: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.is_file() else {}
Case = dict[str, Any]
Row = tuple[str, int]
PLAYED: set[Row] = set()
needs_golden = pytest.mark.skipif(not ALL, reason="the reference data (../shared/golden) is not beside this checkout")


def cases(group: str) -> list[Case]:
    """The cases of a group; none without the reference data."""
    found: list[Case] = ALL.get(group, {}).get("cases", [])
    return found


def rows(group: str, wanted: Callable[[Case], bool] = lambda _case: True) -> list[ParameterSet]:
    """The cases of a group that are wanted, as parameters with ids like `autogpt[0]`."""
    found = [(number, case) for number, case in enumerate(cases(group)) if wanted(case)]
    PLAYED.update((group, number) for number, _ in found)
    return [pytest.param(case, id=f"{group}[{number}]") for number, case in found]


def case_of(group: str, number: int) -> Case:
    """One case, for a test of its own."""
    PLAYED.add((group, number))
    return cases(group)[number] if ALL else {}


LEFT_OUT: dict[str, dict[int, str]] = {
    "mallm_ballot_parsing": {
        5: "rejected by the data: the source reads -1 as 1; here it names no option",
        8: "rejected: the source drops the unknown option of a ballot in silence; here the ballot is refused",
        12: "a ballot need not spend all its dots here; there it has to",
        14: "rejected: a fence breaks the source's reader; here fences are read",
        17: "rejected by the data: a ranking that names an option three times is no ballot here",
    },
    "mallm_vote_counting": {7: "rejected: a ranking that names an option twice is no ballot here"},
    "seed000": {
        5: "rejected by the data: a tie is not decided here; test_seed000 has the tie",
        6: "rejected by the data: a threshold above the number of debaters is refused",
        7: "rejected by the data: a threshold of 0 and repeated ids are refused",
    },
    "autogen_round_robin": {2: "no stop rule is code here: rules are data and cannot raise"},
    "autogen_selector": {
        2: "the source falls back to the previous speaker; here everybody speaks, as case 1 shows, and it is told"
    },
    "flow_state_dev_debate": {
        6: "the order is drawn from the record's seed by another generator, so that this exact order is not ours",
        9: "no predicate of a caller's: rules are data, and a person may call the last round",
        13: "the same: what is no code cannot raise",
    },
    "mad_liang": {2: "rejected by the data: replies are never run as code; test_rejected_code_in_a_reply_is_text"},
    "du": {
        0: "rejected: level answers are not decided by who was first",
        2: "rejected by the data: the others are counted; test_rejected_one_answer_that_cannot_be_read",
        3: "rejected by the data: what says neither is no vote; test_rejected_what_names_no_option_is_no_ballot",
    },
    "elo": dict.fromkeys(range(5), "there is no tournament here, so nobody has a rating"),
    "mallm_dedup": {0: "rejected by the data; test_rejected_options_with_one_prefix_stay_distinct"},
    "mallm_end_to_end_bug": {
        0: "rejected by the data; test_rejected_agreement_that_is_never_noticed",
        1: "rejected by the data; test_rejected_agreement_that_is_never_noticed",
    },
    "seed003_cost": dict.fromkeys(range(3), "no case of a system: prices, computed anew from the price table (R200)"),
}
"""Group -> index -> why the case is no row of a test."""
