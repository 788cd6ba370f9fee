"""Rehearsals of protocols: each preset can be tried with scripted seats, from its data alone."""

import pytest

from debate_core.engine.audit import verify
from debate_core.language import spoken
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec import presets
from debate_core.spec.presets.goals import GOAL_OF, GOALS, goal_of, place_of
from debate_core.ui.kit.trial import trial_script
from tests.holding import hold


@pytest.mark.parametrize("name", presets.PROTOCOLS)
def test_every_preset_can_be_rehearsed(name: str):
    script = trial_script(presets.protocol(name))
    assert read_script(script.model_dump_json()) == script
    spec = spec_of(script)
    assert (spec.rehearsal, spec.protocol) == (True, presets.protocol(name))
    state, events = hold(script.model_dump(mode="json"))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", spec.options[0])
    assert {turn.status for turn in state.all_turns()} == {"ok"}
    assert verify(events) == ()


def test_a_rehearsal_speaks_the_language_of_its_reader():
    with spoken("de"):
        script = trial_script(presets.EXPERT_PANEL)
    said = str(script.turns[0].content)
    assert "Probelauf" in said
    assert "rehearsal" not in said


def test_every_preset_has_one_goal():
    assert set(GOAL_OF) == set(presets.PROTOCOLS)
    assert {goal_of(rules) for rules in presets.PROTOCOLS.values()} == set(GOALS)


def test_rules_from_a_file_get_the_nearest_goal():
    own = presets.EXPERT_PANEL.model_copy(update={"name": "own"})
    judged = presets.protocol("stance_judge").model_copy(update={"name": "own"})
    paired = presets.protocol("tournament").model_copy(update={"name": "own"})
    assert [goal_of(rules) for rules in (own, judged, paired)] == ["decide", "weigh", "rank"]
    assert place_of(own) == len(presets.PROTOCOLS)
