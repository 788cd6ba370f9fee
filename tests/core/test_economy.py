"""A key is enough: which models sit where nobody is named, and what they may cost (R199, R249)."""

from pathlib import Path

import pytest

from debate_core.host.settings import read_panel_file, read_settings
from debate_core.seats.economy import economy_panel, with_usual_limit
from debate_core.spec.presets import EXPERT_PANEL, protocol
from debate_core.spec.rules import Ceiling

SHIPPED = read_panel_file(read_settings(environ={}, secrets=Path("/nowhere")))


@pytest.mark.parametrize(
    ("keys", "debaters"),
    [
        ((), None),
        (("OPENAI_API_KEY",), {"gpt_luna"}),
        (("ANTHROPIC_API_KEY",), {"claude_haiku"}),
        (("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DEEPSEEK_API_KEY"), {"claude_haiku", "gpt_luna", "deepseek_flash"}),
        # Its line names no model, and none of a known price.
        (("OPENROUTER_API_KEY",), None),
        (("SOME_OTHER_KEY",), None),
    ],
)
def test_the_cheapest_model_of_each_family_whose_key_is_set(keys: tuple[str, ...], debaters: set[str] | None):
    panel = economy_panel(SHIPPED, dict.fromkeys(keys, "key-of-nobody"))
    assert (set(panel.debaters) if panel else None) == debaters


def test_at_most_three_families_and_no_empty_key():
    every = {line.key_env: "key-of-nobody" for line in SHIPPED.lines}
    panel = economy_panel(SHIPPED, every)
    assert panel is not None
    assert len({SHIPPED.line(i).family for i in panel.debaters}) == len(panel.debaters) == 3
    assert economy_panel(SHIPPED, dict.fromkeys(every, "")) is None


def test_the_usual_limit_is_added_where_there_is_none_of_money():
    assert with_usual_limit(EXPERT_PANEL).stop == (Ceiling(usd="0.50"), *EXPERT_PANEL.stop)
    calls = EXPERT_PANEL.model_copy(update={"stop": (Ceiling(calls=9),)})
    assert with_usual_limit(calls).stop == (Ceiling(calls=9, usd="0.50"),)
    assert with_usual_limit(protocol("proposer_critic")) == protocol("proposer_critic")
