"""Visits to pages of large debates: ten times the turns, ballots or options take at most fourteen times as long."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from bench.large import COMPARING, Page, again_ms, ended, live, live_pages, open_page, over_pages, tournament
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
    "ballots for one option": (lambda voters: ended(10, voters, Plurality()), (50, 500), over_pages()),
    "rankings": (lambda voters: ended(10, voters, Elected(kind="schulze")), (50, 500), over_pages()),
    "points": (lambda voters: ended(10, voters, Elected(kind="weighted_criteria")), (50, 500), over_pages()),
    "options so far": (lambda options: tournament(options, "live"), (20, 200), [*COMPARING]),
    "options": (lambda options: tournament(options, "over"), (20, 200), over_pages(None)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEBATES)
def test_ten_times_the_debate_takes_ten_times_as_long(name: str, host: Host, app: AppTest):
    make, sizes, pages = DEBATES[name]
    few, many = (make(size) for size in sizes)
    for held in (few, many):
        host._store.append(held.state.debate, held.events, after=0)
    # The first visits import the code.
    for page in pages:
        open_page(few.state.debate, page)
    for page in pages:
        (_once, once_ms), (later, ten_times_ms) = (open_page(held.state.debate, page) for held in (few, many))
        again = again_ms(later)
        assert ten_times_ms <= MOST_FOR_TEN * once_ms + SLACK_MS, (
            f"{page[0]}: {once_ms:.0f}, then {ten_times_ms:.0f} ms"
        )
        assert again <= ten_times_ms + SLACK_MS, f"{page[0]}: {again:.0f} ms again"
