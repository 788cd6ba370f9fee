"""Detection of claimed agreement in texts: the phrases, and the seats that they name."""

import pytest

from debate_core.report.facts.claimed_agreement import BEHIND_CHARS, agreements_told

OPTIONS = ("release", "revise", "escalate")


@pytest.mark.parametrize(
    ("text", "everybody", "panel"),
    [
        ("All debaters agree on release.", ["All debaters agree"], ["debaters agree"]),
        ("Nobody objected.", ["Nobody objected"], []),
        ("No one objected.", ["No one objected"], []),
        ("The panel agreed on release.", [], ["panel agreed"]),
        # On a point, and not on the decision.
        ("The panel agreed on the costs.", [], []),
        ("All members of the panel support release.", [], ["All members of the panel support"]),
        ("All members of the panel support it.", [], []),
        # Supposed, asked, denied before and behind, of machines.
        ("If all debaters agree, we release.", [], []),
        ("Do all debaters agree?", [], []),
        ("Not all debaters agree. The panel agreed.", [], ["panel agreed"]),
        ("All debaters agree to differ.", [], []),
        ("There was no consensus, and nobody was asked again.", [], []),
        ("The nodes reached consensus.", [], []),
        # What is denied in another clause is not this.
        ("It is not fast: all debaters agree.", ["all debaters agree"], ["debaters agree"]),
        (
            "All agree, and the panel agreed on release, and nobody objected.",
            ["All agree", "nobody objected"],
            ["All agree", "panel agreed"],
        ),
    ],
)
def test_the_words_that_tell_of_agreement_and_whose_it_is(text: str, everybody: list[str], panel: list[str]):
    # R062
    told = [*agreements_told(text, OPTIONS)]
    assert [one.words for one in told if one.everybody] == everybody
    assert [one.words for one in told if not one.everybody] == panel


@pytest.mark.parametrize("chars", [1, 498, 499, 5_000])
def test_denied_or_supposed_agreement_is_no_claim_of_it(chars: int):
    filler = "x" * chars
    for taken_back in (f"not {filler} panel agreed", f"if {filler}, nobody objected and the {filler} panel agreed"):
        assert [*agreements_told(taken_back, OPTIONS)] == []
    in_another_clause = agreements_told(f"not {filler}: the {filler} panel agreed", OPTIONS)
    assert [one.words for one in in_another_clause] == ["panel agreed"]
    denied_behind = agreements_told(f"The panel agreed {filler} and did not wait", OPTIONS)
    assert [one.words for one in denied_behind] == ["panel agreed"]


@pytest.mark.parametrize("far", [False, True])
def test_an_option_is_searched_within_five_hundred_characters(far: bool):
    assert BEHIND_CHARS == 500
    filler = "x" * (BEHIND_CHARS - 9 + far)
    behind = [one.words for one in agreements_told(f"All members support {filler} release", OPTIONS)]
    assert behind == ([] if far else ["All members support"])
