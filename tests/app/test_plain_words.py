"""Pages of a debate that is over speak in words: no name of a rule, stop, phase or seat as the program writes it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.events import dump_record
from debate_core.spec import presets
from tests.app.visiting import TABS, at, drawn, shared_texts, unfolded
from tests.holding import hold
from tests.rehearsing import rehearsal, repeated

MACHINE = re.compile(r"(?<![\w./])(?!debate_core)[a-z]+(?:_[a-z0-9]+)+\b(?!\.\d)")
"""Ids of claims and turns have seats in them, and stay what they are in every file."""
RECORDS = Path(__file__).parents[1] / "records"
ICON = re.compile(r":material/\w+:")


def texts(app: AppTest) -> list[str]:
    cells = [str(c) for d in (*app.dataframe, *app.table) for c in (*d.value.columns, *d.value.to_numpy().ravel())]
    # What begins with a brace is how charts and tables are drawn, not what they say.
    shown = (t for t in drawn(app) if not t.lstrip().startswith("{"))
    told = (*shown, *shared_texts(app), *cells, *(c.value for c in app.code))
    return [ICON.sub("", t.replace("\\", "")) for t in told]


def drawn_by_parts(app: AppTest) -> list[str]:
    """Return the component arguments of the page without the ids that are not shown as text."""
    return [text for e in app.get("bidi_component") for text in shown_of(json.loads(e.proto.json))]


def shown_of(given: object) -> Iterator[str]:
    if isinstance(given, dict):
        for name, value in given.items():
            if name not in ("id", "claim", "at", "turn", "wording"):
                yield from shown_of(value)
    elif isinstance(given, list):
        for value in given:
            yield from shown_of(value)
    elif isinstance(given, str):
        yield given


@pytest.mark.parametrize("name", ["split", "change_of_mind"])
def test_results_show_claim_numbers_and_no_ids(app: AppTest, host: Host, name: str):
    debate = host.import_record((RECORDS / f"format1_{name}.jsonl").read_bytes())
    state = host.state(debate)
    ids = {*state.claims, *(turn.request for turn in state.turns), *(turn.place() for turn in state.turns)}
    numbered = 0
    for tab in TABS[:-1]:
        unfolded(app, "mark_open")
        told = [*texts(at(app, debate, None, "results.py", tab=tab)), *drawn_by_parts(app)]
        assert {i for text in told for i in ids if re.search(rf"(?<![\w.]){re.escape(i)}(?![\w])", text)} == set(), tab
        numbered += sum("claim 1" in text for text in told)
    assert numbered


@pytest.mark.parametrize(("name", "option"), [("bounded_vote", "adopt"), ("expert_panel", None), ("mallm_relay", None)])
def test_what_was_decided_and_by_whom_is_said_in_words(app: AppTest, host: Host, name: str, option: str | None):
    rules = presets.protocol(name)
    names = [s.id for s in presets.default_seats(rules, "Q?", ("adopt", "defer"), "scripted") if s.role == "debater"]
    said = [repeated(p, names, option) for p in rules.phases()]
    _, events = hold(rehearsal(rules, *said, settings={"rounds": rules.rounds.default}))
    debate = host.import_record(dump_record(events).encode())
    for page in ("room.py", "record.py", "home.py", *(f"results.py {tab}" for tab in TABS)):
        told = texts(at(app, debate, None, *page.split()[:1], tab=page.partition(" ")[2]))
        assert {m.group() for text in told for m in MACHINE.finditer(text)} == set(), page
        # The room draws the decision; who said what is in the transcript below it, from the socket.
        assert any(names[0].replace("_", " ") in text.casefold() for text in told) or page != "record.py"
