"""Positions of quotes: slices of the document as it was loaded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.quotes import quote_places

SOURCE = (
    "# Incident\n\nThe team’s write to the *database* and the publish are two steps. It costs 9,000 USD — see "
    "[the report](https://example.org/a-report) for more.\n\n## What would have helped\n\nAny design in "
    "which the event "
    "is stored in the same transaction as the order. Retries alone would not have helped at all."
)


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("stored in the same transaction as the order", ["stored in the same transaction as the order"]),
        ("The team's write to the database", ["The team’s write to the *database"]),
        (
            "It costs 9000 USD - see the report for more",
            ["It costs 9,000 USD — see [the report](https://example.org/a-report) for more"],
        ),
        ("Any design … is stored in the same transaction", ["Any design", "is stored in the same transaction"]),
        (
            "Any design in which an event is stored in the same transaction",
            ["Any design in", "is stored in the same transaction"],
        ),
        ("Incident … The team's write", ["Incident\n\nThe team’s write"]),
        ("stored in the same … transaction as the order", ["stored in the same transaction as the order"]),
        ("Incident The team's write to the table", ["Incident\n\nThe team’s"]),
        (
            "Any design in which the event … stored in another transaction as the order",
            ["Any design in which the event", "transaction as the order"],
        ),
        ("The moon is made of green cheese", []),
    ],
)
def test_a_quote_is_shown_where_it_stands(quote: str, shown: list[str]):
    assert [SOURCE[start:end] for start, end in quote_places(SOURCE, quote)] == shown


@given(st.text(min_size=1, max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_slices_stand_in_the_text_and_follow_one_another(quote: str, before: str, after: str):
    text = f"{before} {quote} {after}"
    found = quote_places(text, quote)
    flat = [at for place in found for at in place]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(text) for start, end in found)
