"""Tables on screens: the headings of their columns in the language of the reader; the rows stay as they are.

What people wrote is never translated, an option that stands as a heading neither, unless it is one of these words.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from debate_core.language import _, message

_HEADINGS = frozenset(
    (
        message("A burden"),
        message("Accepted"),
        message("After"),
        message("Agreed"),
        message("Alert"),
        message("Also"),
        message("Answered by"),
        message("Ballot"),
        message("Ballots"),
        message("Ballots from flipping"),
        message("Before"),
        message("Bounds"),
        message("By"),
        message("Cached"),
        message("Calls"),
        message("Claim"),
        message("Compared"),
        message("Cost"),
        message("Debates"),
        message("Decided by"),
        message("Decisions"),
        message("Driver"),
        message("Elected"),
        message("Elects"),
        message("Exhausted"),
        message("Failed attempts"),
        message("Favourite of"),
        message("Figure"),
        message("Final count"),
        message("From"),
        message("Gave it"),
        message("Gives"),
        message("Group"),
        message("Had read, after"),
        message("Had read, before"),
        message("Highest"),
        message("How"),
        message("Interval"),
        message("95% interval"),
        message("Kind"),
        message("Kind of decision"),
        message("Last round"),
        message("Look again"),
        message("Lowest"),
        message("Mark"),
        message("Marker"),
        message("Mean"),
        message("Model"),
        message("Names"),
        message("Needed"),
        message("No."),
        message("Of"),
        message("On average"),
        message("Option"),
        message("Own word, on average"),
        message("Pairs"),
        message("Parameter"),
        message("Phase"),
        message("Protocol"),
        message("Quality, 1 to 10"),
        message("Quarter"),
        message("Quote"),
        message("Quote check"),
        message("Reason"),
        message("Receipt"),
        message("Result"),
        message("Right"),
        message("Round"),
        message("Rounds"),
        message("Rule"),
        message("Said"),
        message("Seat"),
        message("Sees"),
        message("Share"),
        message("Share after"),
        message("Share before"),
        message("Source"),
        message("Speakers"),
        message("Status"),
        message("Strength"),
        message("Sure"),
        message("Swing"),
        message("Time"),
        message("To"),
        message("Tokens in"),
        message("Tokens out"),
        message("Turn"),
        message("Turns"),
        message("USD"),
        message("Usual value"),
        message("Value"),
        message("Voter"),
        message("Votes"),
        message("Votes counted"),
        message("Votes needed"),
        message("Warns"),
        message("Weight"),
        message("Weighted sum"),
        message("What"),
        message("What happened"),
        message("What if"),
        message("What it is for"),
        message("What it says"),
        message("When"),
        message("When (UTC)"),
        message("Who"),
        message("Who speaks"),
        message("Why"),
        message("Words"),
        message("Written"),
        message("after"),
        message("after round"),
        message("before"),
        message("calls"),
        message("judge"),
        message("criterion"),
        message("needed"),
        message("note"),
        message("option"),
        message("phase"),
        message("round"),
        message("seat"),
        message("voters"),
        message("votes"),
        message("tokens in"),
        message("tokens out"),
        message("cached"),
        message("written"),
    )
)


def draw_table(
    rows: Sequence[Mapping[str, object]],
    *,
    alt: str,
    column_config: Mapping[str, ColumnConfig] | None = None,
    **options: Any,
) -> None:
    """A data frame without its index. `alt` says what it holds; `options` are those of `st.dataframe`."""
    columns = labelled(rows, column_config or {})
    st.dataframe(rows, hide_index=True, alt=alt, column_config=columns, **options)


def labelled(
    rows: Sequence[Mapping[str, object]], column_config: Mapping[str, ColumnConfig]
) -> dict[str, ColumnConfig]:
    """The columns with what is set for them, and with their headings in the language of now."""
    names = dict.fromkeys(name for row in rows for name in row)
    known = {name: st.column_config.Column(_(name)) for name in names if name in _HEADINGS}
    for name, column in column_config.items():
        known[name] = {**column, "label": _(name)} if name in _HEADINGS else column
    return known
