"""State that viewers of one debate share, and state that each viewer has alone."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

from debate_core.engine.engine import requests
from debate_core.errors import UnknownDebate
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Pause, Resume, TakeTurn
from debate_core.record.state import State
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.room.live.channel import Channel, Moment, SharedPanel, SharedView, look_interval_s, watching
from debate_core.ui.room.live.visibility import Sight
from tests.people import whole_workshop

EVERYBODY = Sight()
ANA = Sight(holds=frozenset({"ana"}))


@pytest.fixture
def debate(host: Host) -> str:
    seats = [Seat(id=i, occupant="human") for i in ("ana", "ben")]
    return host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), seats), by="tests")


def moment(host: Host, debate: str, before: Moment | None = None, **live: str) -> Moment:
    texts = {r.id: live[r.seat] for r in requests(host.state(debate)) if r.seat in live}
    return Moment(host.state(debate), texts, {}, 2, before)


def test_whoever_sees_alike_is_drawn_and_told_the_same_once(host: Host, debate: str):
    first = moment(host, debate)
    second = moment(host, debate, first, ben="The load")
    assert first.frame(Sight()) is first.frame(EVERYBODY)
    told = second.frame(EVERYBODY).since(first.frame(EVERYBODY))
    assert told is second.frame(Sight()).since(first.frame(EVERYBODY))
    assert json.loads(told) == [["text", ["1.proposal.ben", 0, "The load"]]]
    assert second.frame(EVERYBODY).since(second.frame(EVERYBODY)) == ""


class Slow(Moment):
    """Draws nothing before the loop has gone on."""

    went_on = threading.Event()

    def frame(self, sight: Sight) -> SharedView:
        assert self.went_on.wait(30), "the loop waits for what is drawn"
        return super().frame(sight)


def test_others_are_answered_while_a_picture_is_drawn(host: Host, debate: str):
    async def look() -> list[SharedView]:
        slow = Slow(host.state(debate), {}, {}, 2)
        looking = [asyncio.create_task(slow.shown(EVERYBODY)) for _ in range(3)]
        await asyncio.sleep(0.05)
        looking.pop().cancel()
        slow.went_on.set()
        return list(await asyncio.gather(*looking))

    first, second = asyncio.run(look())
    assert first is second
    assert first.picture["meta"]["watching"] == 2


def test_a_seat_asked_at_once_hears_nothing_of_the_others(host: Host, debate: str):
    first = moment(host, debate)
    second = moment(host, debate, first, ben="The load")
    assert second.frame(ANA).since(first.frame(ANA)) == ""


def test_a_new_viewer_or_a_changed_view_gets_the_full_state(host: Host, debate: str):
    first = moment(host, debate, ben="The load")
    (kind, picture), *rest = json.loads(first.frame(EVERYBODY).since(None))
    assert (kind, rest) == ("snapshot", [])
    assert picture["meta"]["watching"] == 2
    now = first.frame(ANA).since(first.frame(EVERYBODY))
    assert "The load" not in now
    # A pending respondent gets other ids for all turns, which reveal no seat: everything is redrawn.
    ((kind, picture),) = json.loads(now)
    assert kind == "snapshot"
    assert [item["id"] for item in picture["items"]] == ["1.proposal.seat_a", "1.proposal.seat_b"]


def test_turns_that_were_drawn_before_are_taken_over(host: Host, debate: str):
    for seat, vote in (("ana", "a"), ("ben", "b")):
        asked = next(r.id for r in requests(host.state(debate)) if r.seat == seat)
        host.submit(debate, TakeTurn(by=seat, request=asked, content=Argument(rationale="So.", vote=vote)))
    first = moment(host, debate)
    host.submit(debate, Pause(by="tests", reason="a break"))
    second = moment(host, debate, first)
    ended = [n for n, i in enumerate(first.frame(EVERYBODY).raw["items"]) if i["state"] == "given"]
    assert ended
    for n in ended:
        assert second.frame(EVERYBODY).raw["items"][n] is first.frame(EVERYBODY).raw["items"][n]


def test_a_channel_notifies_all_waiters_and_ends_with_the_last(host: Host, debate: str):
    async def hears(channel: Channel) -> Moment | None:
        seen = channel.last
        while channel.last is seen:
            await channel.news()
        return channel.last

    async def play() -> None:
        async with watching(host, debate) as one, watching(host, debate) as other:
            assert one is other
            await hears(one)
            both = asyncio.gather(hears(one), hears(other))
            host.submit(debate, Pause(by="tests", reason="a break"))
            first, second = await both
            assert first is second
            assert first is not None
            assert first.state.paused == "a break"
        assert one.ended or not one.viewers
        host.submit(debate, Resume(by="tests"))
        async with watching(host, debate) as later:
            assert later is not one

    asyncio.run(play())


def test_slow_viewer_gets_no_panel_older_than_the_latest(host: Host, debate: str):
    before = host.state(debate)
    host.submit(debate, Pause(by="tests", reason="a break"))
    after = host.state(debate)

    async def drawn(channel: Channel, state: State) -> SharedPanel | None:
        channel.panel(EVERYBODY, state)
        while EVERYBODY in channel._in_work:
            await channel.news()
        return channel.panel(EVERYBODY, state)

    async def play() -> None:
        async with watching(host, debate) as channel:
            latest = await drawn(channel, after)
            assert latest is not None
            assert latest.state is after
            assert await drawn(channel, before) is latest

    asyncio.run(play())


def test_panels_are_read_from_the_host_of_their_channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Neither the panel nor its count opens the database of the process, which is the user's own."""
    monkeypatch.setenv("DEBATE_DB", f"sqlite:///{tmp_path}/own.db")
    host = Host(MemoryStore(), HostOptions(worker="none"))
    host._store.append("d-room", whole_workshop(()).events, after=0)

    async def drawn(sight: Sight) -> SharedPanel:
        async with watching(host, "d-room") as channel:
            channel.panel(sight, state := host.state("d-room"))
            while sight in channel._in_work:
                await channel.news()
            panel = channel.panel(sight, state)
        assert panel is not None
        return panel

    panel = json.loads(asyncio.run(drawn(Sight(leads=True))).since(None))
    ((_, update),) = panel
    assert update["parts"]["progress"]["people"]
    assert update["parts"]["status"]["words"] == "Decided and signed"
    host.close()
    assert list(tmp_path.iterdir()) == []


def test_an_unreadable_debate_tells_its_viewer_at_once(host: Host):
    async def play() -> None:
        async with watching(host, "d-none") as channel:
            with pytest.raises(UnknownDebate):
                await channel.news()

    asyncio.run(play())


def test_many_viewers_get_as_many_messages_as_100():
    sent_per_s = [viewers / look_interval_s(viewers) for viewers in (1, 100, 200, 400, 1_000)]
    assert sent_per_s == [25, 2_500, 2_500, 2_500, 2_500]
