"""Where a text says that the decision was agreed: the words that say so, and who is said to have agreed."""

import pytest

from debate_core.report.facts.agreement_told import AROUND_CHARS, agreements_told

OPTIONS = ("release", "revise", "escalate")


@pytest.mark.parametrize(
    ("text", "everybody", "panel"),
    [
        ("All debaters agree on release.", ["All debaters agree"], ["debaters agree"]),
        ("Nobody objected.", ["Nobody objected"], []),
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


@pytest.mark.parametrize("far", [False, True])
def test_five_hundred_characters_around_are_read(far: bool):
    filler = "x" * (AROUND_CHARS - 5 + far)
    assert AROUND_CHARS == 500
    denied = [one.words for one in agreements_told(f"not {filler}: the {filler[:400]} panel agreed", OPTIONS)]
    assert denied == ["panel agreed"]
    before = [one.words for one in agreements_told(f"not {filler} panel agreed", OPTIONS)]
    assert before == (["panel agreed"] if far else [])
    behind = [one.words for one in agreements_told(f"All members support {filler[:-4]} release", OPTIONS)]
    assert behind == ([] if far else ["All members support"])
