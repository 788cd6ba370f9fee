"""The measured number of independent voters beside the count, on the results page and the wall."""

import os
from contextlib import closing

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.stores import open_store
from tests.app.visiting import drawings, on_the_wall, results
from tests.core.test_shared_errors import VOTES, held


def test_results_and_wall_say_what_votes_of_models_are_worth(app: AppTest, host: Host):
    with closing(open_store(os.environ["DEBATE_DB"])) as store:
        for number, votes in enumerate([*VOTES[:8], "aaa", "bbb"] * 2):
            store.append(f"d{number}", held(number, votes).events, after=0)
        store.append("d99", held(99, "aba", right=None).events, after=0)
    words = "3 votes of models count like about "
    [hero] = drawings(results(app, "d99"), "hero")
    assert words in hero["note"]
    assert "(measured on 20 debates of these models with a known outcome)." in hero["note"]
    assert hero["votes"]["bars"]
    app.switch_page("screen.py").run()
    assert words in on_the_wall(app)["shown"]["note"]
