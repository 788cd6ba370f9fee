"""Prompts of every preset, phase, round and commitment: no two statements of one prompt exclude each other."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from debate_core.engine.seat_view import View
from debate_core.seats.prompts import Prompt, ballot_prompt, bounds_of, prompt_for, prose_prompt
from debate_core.seats.prompts.blocks import blocks_of
from debate_core.seats.prompts.bounds import MOST_PROSE_WORDS
from debate_core.spec.contents import ARGUMENT_KINDS
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Spec
from tests.prompt_views import SOURCE, cast_spec, held, whole

COMMITMENTS = ("", "locked", "concede_points", "open", "adversary")
EXCLUDE = (
    ("You have not seen the turns of the others", "latest claims of the others"),
    ("You have not seen the turns of the others", "latest turns of the others"),
    ("You have not seen the turns of the others", "Test what the others have said"),
    ("You have not seen the turns of the others", "the strongest case against what was said"),
    ("Nobody has argued yet", "# Turn: round [0-9]+, [a-z_]+\n<data-1>\nSpeaker: [^\n]+\nClaim "),
    ("concede nothing", "or `concedes`"),
    ("concede nothing", "concede (?:that|the) "),
    ("concede nothing", "what you change"),
    ("Grant nothing on the way", "concede (?:that|the) "),
    ("Grant nothing on the way", "or `concedes`"),
    ("without softening and without praise", "concede that point"),
    ("Do not accept their framing", "keep to its scope"),
    ("You have no side to win for", "The side you defend"),
    ("You have no side to win for", "not yours to argue for"),
    ("You hold no side", "The side you defend"),
    ("Nobody gave you a side", "The side you defend"),
    ("Those who still vote have not read", "Vote for exactly one of"),
    ("leave `concedes` empty", "those that you now accept, and"),
)
"""Two patterns that no prompt may have both."""
_LIMIT = re.compile(r"at most (\d+) words(?! for|, with ids)", re.IGNORECASE)
"""Limits of the prose; those of a name or of a reason have `, with` or stand behind another field."""


def seated(spec: Spec, commitment: str) -> Spec:
    """The debate with all debaters bound alike."""
    if not commitment:
        return spec
    seats = [s.model_copy(update={"commitment": commitment}) if s.role == "debater" else s for s in spec.seats]
    return spec.model_copy(update={"seats": tuple(seats)})


@cache
def views(name: str, commitment: str) -> tuple[View, ...]:
    rounds = min(3, PROTOCOLS[name].rounds.hard_max)
    return tuple(seen for _, seen in held(seated(cast_spec(name, SOURCE, rounds=rounds), commitment)))


@pytest.fixture(autouse=True)
def _blocks_once(monkeypatch: pytest.MonkeyPatch):
    """All forms of a view have the same blocks, which are most of the work; `views` keeps each view."""
    kept: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = {}

    def blocks_once(seen: View) -> tuple[tuple[str, ...], tuple[int, ...]]:
        if id(seen) not in kept:
            kept[id(seen)] = blocks_of(seen)
        return kept[id(seen)]

    monkeypatch.setattr("debate_core.seats.prompts.blocks_of", blocks_once)


def prompts(seen: View) -> Iterator[Prompt]:
    """Every form in which a line asks: with and without bounds, after a cut, in two steps."""
    large, small = bounds_of(4_000, was_cut=False), bounds_of(700, was_cut=False)
    yield prompt_for(seen)
    yield prompt_for(seen, large, shows_form=True)
    yield prompt_for(seen, small, shows_form=True)
    yield prompt_for(seen, was_cut=True)
    yield prompt_for(seen, bounds_of(700, was_cut=True), shows_form=True, was_cut=True)
    if seen.request.gives in ARGUMENT_KINDS:
        yield prose_prompt(seen, small, was_cut=False)
        yield ballot_prompt(seen, "It pays.", small)


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("commitment", COMMITMENTS)
def test_no_prompt_says_two_things_that_exclude_each_other(name: str, commitment: str):
    for seen in views(name, commitment):
        for prompt in prompts(seen):
            text = whole(prompt)
            for one, other in EXCLUDE:
                both = re.search(one, text) and re.search(other, text)
                assert not both, (seen.request.id, one, other)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_prompt_names_one_limit_of_words(name: str):
    for seen in views(name, ""):
        most = MOST_PROSE_WORDS.get(seen.request.gives)
        for prompt in prompts(seen):
            instructions = prompt.system + prompt.tail
            limits = {int(n) for n in _LIMIT.findall(instructions.split("`name`")[0])}
            assert len(limits) <= 1, (seen.request.id, limits)
            assert not limits or (most is not None and max(limits) <= most)
        assert most is None or _LIMIT.search(whole(prompt_for(seen)))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_ally_of_the_same_option_is_no_other_side(name: str):
    for seen in views(name, ""):
        stance = seen.seat.stance
        for side in seen.other_sides:
            assert not {stance, side} <= {"move", "in defence of move"}
