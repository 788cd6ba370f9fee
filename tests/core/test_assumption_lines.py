"""Assumptions as lines of text: claims, people who watch, and writing them back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.errors import InvalidSpec
from debate_core.record.acts import Assumption
from debate_core.spec.tripwires import read_check
from debate_core.ui.results.assumption_lines import read_assumptions, write_assumptions
from tests.examples import examples

CLAIMS = {f"s0.1.{number}": f"claim {number}" for number in range(1, 13)}


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("Load stays low", {"text": "Load stays low"}),
        ("  Load stays low @Ana Lima ", {"text": "Load stays low", "watched_by": "Ana Lima"}),
        ("Mail to ana@example.org works", {"text": "Mail to ana@example.org works"}),
        ("@Ana", {"text": "@Ana"}),
        ("Load @ peak stays low", {"text": "Load @ peak stays low"}),
        ("Load stays low (claim 12) @Ana", {"text": "Load stays low", "watched_by": "Ana", "claim_id": "s0.1.12"}),
        ("As Claim 1 says", {"text": "As Claim 1 says", "claim_id": "s0.1.1"}),
        ("As claim 2 says (claim 1)", {"text": "As claim 2 says", "claim_id": "s0.1.1"}),
        ("(claim 3)", {"text": "(claim 3)", "claim_id": "s0.1.3"}),
        ("claim 99 holds", {"text": "claim 99 holds"}),
    ],
)
def test_line_gives_text_watcher_and_claim(line: str, read: dict[str, str]):
    assert read_assumptions(f"\n{line}\n\n", CLAIMS) == (Assumption.model_validate(read),)


def test_without_claims_a_name_is_text():
    assert read_assumptions("As claim 1 says", {}) == (Assumption(text="As claim 1 says"),)


@examples(200)
@given(
    st.lists(
        st.builds(
            Assumption,
            text=st.sampled_from(["Load stays low", "As claim 12 says", "No (new) law", "100 %"]),
            watched_by=st.sampled_from(["", "Ana", "Ana Lima (ops)"]),
            claim_id=st.sampled_from(["s0.1.1", "s0.1.12"]),
        ),
        max_size=3,
    )
)
def test_written_assumptions_are_read_back(assumptions: list[Assumption]):
    assert read_assumptions(write_assumptions(assumptions, CLAIMS), CLAIMS) == tuple(assumptions)


@pytest.mark.parametrize("check", ["date 2027-03-01", "files *.py has a[0] = [x]", "ask Ana (ops) on 2027-03-01"])
def test_check_in_brackets_is_read_back(check: str):
    line = f"Load stays low (claim 1) @Ana [{check}]"
    (read,) = read_assumptions(line, CLAIMS)
    assert (read.text, read.watched_by, read.check) == ("Load stays low", "Ana", read_check(check))
    assert write_assumptions([read], CLAIMS) == line


def test_unusable_check_is_refused_and_other_brackets_are_text():
    with pytest.raises(InvalidSpec, match="is no date"):
        read_assumptions("Load stays low [date tomorrow]", CLAIMS)
    assert read_assumptions("Load [see the plan]", CLAIMS) == (Assumption(text="Load [see the plan]"),)
