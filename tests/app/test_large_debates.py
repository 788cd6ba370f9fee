"""Visits to pages of large debates: ten times the turns, ballots or options take at most fourteen times as long."""

from collections.abc import Callable

import pytest

from bench.large import Page, again_ms, cpu_ms, ended, live, live_pages, open_page, over_pages, tournament
from bench.lists import VISITS
from debate_core.host.host import Host
from debate_core.spec.rules import Elected, Plurality
from tests.playing import Played

MOST_FOR_TEN = 14.0
"""Ten times the work may cost 10 times as much, and two fifths more for all that is not even."""
SLACK_MS = 80
"""Of CPU time: what a collection of garbage may cost."""
DEBATES: dict[str, tuple[Callable[[int], Played], tuple[int, int], list[Page]]] = {
    "turns so far": (live, (40, 400), live_pages()),
    "turns": (lambda turns: ended(turns, 12, Plurality()), (40, 400), over_pages()),
    "rankings": (lambda voters: ended(10, voters, Elected(kind="schulze")), (50, 500), over_pages()),
    "options": (lambda options: tournament(options, "over"), (20, 200), over_pages(None)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEBATES)
def test_ten_times_the_debate_takes_ten_times_as_long(name: str, host: Host):
    make, sizes, pages = DEBATES[name]
    few, many = (make(size) for size in sizes)
    for held in (few, many):
        host._store.append(held.state.debate, held.events, after=0)
    for page in pages:
        # The first visits import code and derive what further ones share.
        once, ten_times = (open_page(held.state.debate, page)[0] for held in (few, many))
        max_ms = MOST_FOR_TEN * again_ms(once) + SLACK_MS
        assert any(cpu_ms(ten_times.run) <= max_ms for _ in range(VISITS)), f"{page[0]}: above {max_ms:.0f} ms"
