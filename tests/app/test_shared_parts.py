"""Shared parts of a room's panel: the live socket sends what the page draws, and all else changes only with news.

The law behind it: while the mark of news stands, the page of a voter is the same except for its shared parts.
"""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from debate_core.engine.stage import person, unreached
from debate_core.host.host import Host
from debate_core.host.stores import open_store
from debate_core.language import LANGUAGES, spoken
from debate_core.record.acts import Asked, MarksRevealed, PollOpened, SourceAdded, Struck, Upvoted
from debate_core.record.commands import FailTurn, Pause
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.spec.values import Source
from debate_core.ui.room import shared_parts, voter_shell
from debate_core.ui.room.live.channel import SharedPanel, changed_parts
from debate_core.ui.room.live.transcript import form_news, news
from debate_core.ui.room.live.visibility import sight_of
from debate_core.ui.room.shared_parts import PanelPart, PanelReader, PartName, panel_parts
from tests.app.visiting import at, unfolded
from tests.marking import IDS, marked, quoted
from tests.people import ANN, BEN, FAY, GUS, JUNE, OLA, room_spec, whole_workshop
from tests.playing import Played

DEBATE = "d-room"
SEATS = ()


def room_with_marks_and_questions() -> Played:
    """Passages are marked and shown, a document is added, and the floor asks."""
    held = quoted().act(ANN, marked(IDS[0], "supports adopt")).act(GUS, marked(IDS[1], "skipped"))
    held.act(GUS, Asked(kind="question", text="What does it cost?")).act(
        BEN, Asked(kind="concern", text="Who runs it?")
    )
    held.act(ANN, Upvoted(question=held.state.room.of(Asked)[1].seq))
    held.act(FAY, MarksRevealed()).act(FAY, SourceAdded(source=Source(id="E2", title="New", text="More.")))
    return held.act(FAY, PollOpened(poll="pulse-1"))


def room_with_an_outage() -> Played:
    """No seat answers at first; the facilitator asks again, pauses, and strikes a turn."""
    held = Played(room_spec(seats=SEATS)).go_on()
    while not unreached(held.state):
        asked = held.requests()[0]
        fault = {"error": "failed", "message": "no connection", "transport": True, "permanent": True}
        held.do(FailTurn.model_validate({"by": asked.seat, "request": asked.id, **fault}))
    held.go_on().say().do(Pause(by=FAY.id, reason="tea")).go_on().play()
    held.act(FAY, Struck(turn=held.state.all_turns()[0].place(), reason="not about the question"))
    return held.to_the_end()


HELD = {"workshop": whole_workshop(SEATS), "marks": room_with_marks_and_questions(), "outage": room_with_an_outage()}


def grown_to(host: Host, events: Sequence[Event], n: int) -> State:
    """Add events to the record, up to `n` of them."""
    store = open_store(os.environ["DEBATE_DB"])
    known = store.debates().get(DEBATE, 0)
    store.append(DEBATE, events[known:n], after=known)
    store.close()
    if known:
        host.cache(DEBATE).look()
    return host.state(DEBATE)


def own_elements(app: AppTest) -> list[bytes]:
    """Everything on the page but the shared parts and the lines that follow the socket themselves."""

    def walk(node: Any) -> Iterator[Element]:
        for child in node.children.values():
            if isinstance(child, Block):
                yield from walk(child)
            else:
                yield child

    found = []
    for element in walk(app.main):
        if element.type == "bidi_component":
            told = json.loads(element.proto.json or "{}")
            if "live" in told or "polled" in told or "news" in told:
                continue
        found.append(element.proto.SerializeToString())
    return found


@pytest.mark.parametrize(("held", "who"), [("workshop", GUS), ("marks", ANN), ("outage", GUS)])
def test_without_news_a_voters_page_changes_only_in_shared_parts(app: AppTest, host: Host, held: str, who: Person):
    events = HELD[held].events
    before = None
    unchanged = set()
    for n in range(2, len(events) + 1):
        state = grown_to(host, events, n)
        now = form_news(state), own_elements(at(app, DEBATE, who))
        if before is not None and before[0] == now[0] and events[n - 1].actor != who.id:
            unchanged.add(events[n - 1].kind)
            assert now[1] == before[1], events[n - 1]
        before = now
    assert "turn_taken" in unchanged


@pytest.mark.parametrize("who", [GUS, OLA])
@pytest.mark.parametrize("held", HELD)
def test_places_left_out_for_the_audience_would_stay_empty(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, held: str, who: Person
):
    events = HELD[held].events
    # The first page of a browser also brings the code of its components.
    app.run()
    for n in (*range(2, len(events), 5), len(events)):
        grown_to(host, events, n)
        drawn, n_places = own_elements(at(app, DEBATE, who)), count_places(app)
        with monkeypatch.context() as with_all_places:
            with_all_places.setattr(voter_shell, "has_no_desk", lambda _state, _me: False)
            assert own_elements(at(app, DEBATE, who)) == drawn, n
            assert count_places(app) >= n_places + 10


def count_places(app: AppTest) -> int:
    """Return the number of containers of the page."""

    def count(node: Block) -> int:
        return sum(1 + count(child) for child in node.children.values() if isinstance(child, Block))

    return count(app.main)


@pytest.mark.parametrize("who", [GUS, OLA, JUNE, FAY, None])
def test_the_socket_sends_the_parts_that_the_page_draws(app: AppTest, host: Host, who: Person | None):
    events = HELD["workshop"].events
    for n in (*range(3, len(events), 7), len(events)):
        state = grown_to(host, events, n)
        sent = parts_sent(host, state, who)
        at(app, DEBATE, who)
        drawn = {part["live"]["name"]: part for part in live_parts(app)}
        assert {"status"} <= drawn.keys()
        for name, part in drawn.items():
            assert part.pop("version") == state.version
            part.pop("live")
            assert part == (sent[name] or {"part": "nothing"}), name


@pytest.mark.parametrize("held", HELD)
def test_parts_made_for_one_reader_hold_for_all_of_their_kind(host: Host, held: str):
    """A part that is made once for many is the one that each of them would get alone, in their language."""
    events = HELD[held].events
    readers = [None, *HELD[held].state.room.people.values()]
    seen = set()
    for n in (*range(3, len(events), 5), len(events)):
        state = grown_to(host, events, n)
        for viewer in (*readers, *reversed(readers)):
            for language in LANGUAGES:
                sight = sight_of(state, person(state, viewer.id) if viewer else None, may_judge=True)
                reader = PanelReader(
                    host, tuple(sight.holds), sight.names or {}, sees_result=sight.counts, leads=sight.leads
                )
                with spoken(language):
                    alone = {name: make(state, reader) for name, make in shared_parts._MAKERS.items()}
                    assert panel_parts(state, reader) == alone, (n, viewer, language)
                seen.add(json.dumps(alone))
    assert len(seen) > 2 * len(events) / 5


def live_parts(app: AppTest) -> list[dict[str, Any]]:
    """Return the shared parts on the page."""
    told = [json.loads(element.proto.json or "{}") for element in app.get("bidi_component")]
    return [part for part in told if "live" in part]


def parts_sent(host: Host, state: State, who: Person | None) -> dict[str, Any]:
    """Return the parts that the socket sends to this viewer."""
    viewer = person(state, who.id) if who else None
    panel = SharedPanel(host, state, sight_of(state, viewer, may_judge=True))
    ((_, update),) = json.loads(panel.since(None))
    return dict(update["parts"])


def test_only_changed_parts_are_sent_with_the_version():
    parts: dict[PartName, PanelPart] = {"status": {"words": "Lobby open"}, "rail": None}
    assert changed_parts(None, (4, parts)) == [("panel", {"version": 4, "parts": parts})]
    assert changed_parts((4, parts), (4, parts)) == []
    assert changed_parts((4, parts), (5, parts)) == [("panel", {"version": 5, "parts": {}})]
    later: dict[PartName, PanelPart] = {**parts, "status": {"words": "Pre-vote"}}
    assert changed_parts((4, parts), (5, later)) == [("panel", {"version": 5, "parts": {"status": later["status"]}})]
    # Of another sight in the same version: the link of a person was taken back.
    assert changed_parts((4, parts), (4, later)) == [("panel", {"version": 4, "parts": {"status": later["status"]}})]


def test_whoever_opens_a_table_reruns_at_every_change(app: AppTest, host: Host):
    events = HELD["workshop"].events
    state = grown_to(host, events, len(events))

    def mark() -> str:
        (told,) = (t for t in (json.loads(e.proto.json or "{}") for e in app.get("bidi_component")) if "news" in t)
        return str(told["news"])

    at(app, DEBATE, GUS)
    assert mark() == form_news(state)
    unfolded(app, "people").run()
    assert mark() == news(state)
