"""Default models of a debate with only a key, and their cost (R199, R249)."""

from pathlib import Path

import pytest

from debate_core.host.settings import read_panel_file, read_settings
from debate_core.seats.economy import economy_panel, usual_protocol, with_usual_limit
from debate_core.spec.panels.assign import RATES, seat_panel
from debate_core.spec.presets import EXPERT_PANEL, default_seats, protocol
from debate_core.spec.rules import Ceiling
from debate_core.ui.setup.draft import SetupDraft, with_key

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


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        (("OPENAI_API_KEY",), "checked_answers"),
        (("ANTHROPIC_API_KEY",), "checked_answers"),
        (("ANTHROPIC_API_KEY", "OPENAI_API_KEY"), "expert_panel"),
    ],
)
def test_models_of_one_family_are_not_seated_in_a_debate(keys: tuple[str, ...], name: str):
    panel = economy_panel(SHIPPED, dict.fromkeys(keys, "key-of-nobody"))
    assert panel is not None
    assert usual_protocol(panel, SHIPPED).name == name
    draft = with_key(SetupDraft(question="Should we?"), SHIPPED, dict.fromkeys(keys, "key-of-nobody"))
    assert (draft.protocol, draft.is_of_one_family()) == (name, name == "checked_answers")
    chosen = with_key(SetupDraft(question="Should we?", protocol="bounded_vote"), SHIPPED, dict.fromkeys(keys, "k"))
    assert chosen.protocol == "bounded_vote"


@pytest.mark.parametrize("name", ["proposer_critic", "stance_judge", "adversary", "tit_for_tat", "checked_answers"])
@pytest.mark.parametrize("panel_name", ["balanced", "frontier", "economy"])
def test_offices_that_rate_take_a_family_that_does_not_argue(name: str, panel_name: str):
    rules = protocol(name)
    seats = default_seats(rules, "Should we?", ("adopt", "defer", "reject"), "model")
    seated, _ = seat_panel(seats, SHIPPED.panel(panel_name), SHIPPED)
    arguing = {seat.family for seat in seated if seat.role == "debater"}
    rating = {seat.family for seat in seated if seat.role in RATES}
    assert len(arguing) == 2
    assert rating
    assert arguing.isdisjoint(rating)


def test_key_seats_leave_a_family_to_who_rates():
    keys = dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DEEPSEEK_API_KEY"), "key-of-nobody")
    draft = with_key(SetupDraft(question="Should we?", protocol="proposer_critic"), SHIPPED, keys)
    families = {line.id: line.family for line in draft.lines}
    arguing = {families[seat.model] for seat in draft.panel()}
    assert families[draft.office("evaluator").model] not in arguing
    assert len(arguing) == 2


def test_panel_of_two_families_seats_both_in_the_debate():
    seats = default_seats(protocol("proposer_critic"), "Should we?", ("adopt", "defer"), "model")
    seated, _ = seat_panel(seats, SHIPPED.panel("two_families"), SHIPPED)
    assert len({seat.family for seat in seated if seat.role == "debater"}) == 2
