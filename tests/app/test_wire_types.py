"""The script of the transcript reads what the server sends: the shapes in `wire_types`, and no others."""

import re
from pathlib import Path
from typing import get_args

import pytest

from debate_core.ui.room.live import wire_types
from debate_core.ui.room.live.wire_types import Chip, Group, Item, LiveUpdateKind, Meta, Picture, Row

SCRIPT = (Path(wire_types.__file__).parent / "live.js").read_text("utf-8")
NAMES = {Item: "item", Row: "row", Group: "group", Meta: "meta", Picture: "picture", Chip: "vote|score"}
"""What holds this shape in the script, variable or field: `item.text`, `known.item.text`, `item.vote.text`."""
NOT_DRAWN: dict[type, set[str]] = {Item: {"request"}, Row: {"seats"}}
"""Fields by which the server alone tells two pictures apart."""


@pytest.mark.parametrize("shape", NAMES, ids=lambda shape: shape.__name__)
def test_the_script_reads_each_field_that_is_sent_and_no_other(shape: type):
    read = set(re.findall(rf"\b(?:{NAMES[shape]})\??\.(\w+)", SCRIPT))
    assert read == set(shape.__annotations__) - NOT_DRAWN.get(shape, set())


def test_the_script_receives_every_kind_of_change():
    assert set(re.findall(r'kind === "(\w+)"', SCRIPT)) == set(get_args(LiveUpdateKind))
