"""The laws at nightly length: 3,000 random protocols to the end."""

from random import Random

import pytest

from debate_core.engine import audit
from debate_core.record.fold import replay
from tests.laws.play import play, random_spec


@pytest.mark.nightly
def test_three_thousand_random_protocols_end_replay_and_verify() -> None:
    rng, done = Random(20261121), 0
    while done < 3000:
        spec = random_spec(rng.randrange(10**9))
        if spec is None:
            continue
        played = play(spec, rng.randrange(10**9))
        assert played.state.outcome is not None
        assert replay(played.events) == played.state
        assert audit.verify(played.events) == ()
        done += 1
