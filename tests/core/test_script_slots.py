"""Script runs: never more at once than slots, presses before redraws, texts before redraws, no wait without end."""

import asyncio
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from debate_core.ui.kit import text_first
from debate_core.ui.server.streamlit_patch import ScriptSlots, _LoopCalls
from tests.waiting import until


def started(run: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_no_more_runs_at_once_than_slots():
    slots = ScriptSlots(2, max_wait_s=60)
    inside = [0]
    most = [0]
    lock = threading.Lock()

    def run() -> None:
        with slots.slot(is_redraw=True):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            threading.Event().wait(0.01)
            with lock:
                inside[0] -= 1

    for thread in [started(run) for _ in range(12)]:
        thread.join()
    assert most[0] == 2


def test_a_press_goes_before_redraws_that_came_first():
    slots = ScriptSlots(1, max_wait_s=60)
    leave = threading.Event()
    order: list[str] = []

    def hold() -> None:
        with slots.slot(is_redraw=True):
            order.append("first")
            leave.wait(60)

    def run(name: str, *, is_redraw: bool) -> None:
        with slots.slot(is_redraw=is_redraw):
            order.append(name)

    threads = [started(hold)]
    until(lambda: order == ["first"])
    threads += [started(lambda: run("redraw", is_redraw=True)) for _ in range(3)]
    threads.append(started(lambda: run("press", is_redraw=False)))
    until(lambda: len(slots._waiting[False]) == 1)
    leave.set()
    for thread in threads:
        thread.join()
    assert order == ["first", "press", "redraw", "redraw", "redraw"]


def test_a_redraw_begins_beside_a_press_that_came_later():
    slots = ScriptSlots(2, max_wait_s=3600)
    leave = threading.Event()
    order: list[str] = []

    def run(name: str, *, is_redraw: bool) -> None:
        with slots.slot(is_redraw=is_redraw):
            order.append(name)
            leave.wait(60)

    first, second = slots.slot(is_redraw=False), slots.slot(is_redraw=False)
    first.__enter__()
    second.__enter__()
    threads = [started(lambda: run("redraw", is_redraw=True))]
    threading.Event().wait(0.1)
    threads.append(started(lambda: run("press", is_redraw=False)))
    until(lambda: len(slots._waiting[False]) == 1)
    # Both slots are free before either thread looks.
    with slots._changed:
        first.__exit__(None, None, None)
        second.__exit__(None, None, None)
    until(lambda: sorted(order) == ["press", "redraw"])
    leave.set()
    for thread in threads:
        thread.join()


def test_a_slow_run_holds_up_no_other_for_ever():
    slots = ScriptSlots(1, max_wait_s=0.01)
    with slots.slot(is_redraw=False), slots.slot(is_redraw=True):
        pass


def test_a_failed_run_gives_its_slot_back():
    slots = ScriptSlots(1, max_wait_s=60)
    try:
        with slots.slot(is_redraw=False):
            raise ValueError("a page failed")
    except ValueError:
        pass
    with slots.slot(is_redraw=False):
        pass


def test_of_redraws_only_some_run_at_once():
    slots = ScriptSlots(2, max_wait_s=60, n_redraws=1)
    leave = threading.Event()
    order: list[str] = []

    def run(name: str, *, is_redraw: bool) -> None:
        with slots.slot(is_redraw=is_redraw):
            order.append(name)
            leave.wait(60)

    threads = [started(lambda: run("first", is_redraw=True))]
    until(lambda: order == ["first"])
    threads.append(started(lambda: run("second", is_redraw=True)))
    until(lambda: len(slots._waiting[True]) == 1)
    threads.append(started(lambda: run("press", is_redraw=False)))
    until(lambda: order == ["first", "press"])
    leave.set()
    for thread in threads:
        thread.join()
    assert order == ["first", "press", "second"]


def test_redraws_begin_in_the_order_of_arrival():
    slots = ScriptSlots(1, max_wait_s=60)
    order: list[int] = []

    def run(name: int) -> None:
        with slots.slot(is_redraw=True):
            order.append(name)

    threads = []
    with slots.slot(is_redraw=True):
        for name in range(8):
            threads.append(started(lambda name=name: run(name)))  # type: ignore[misc]
            until(lambda name=name: len(slots._waiting[True]) == name + 1)  # type: ignore[misc]
    for thread in threads:
        thread.join()
    assert order == [*range(8)]


def test_a_redraw_waits_while_texts_go_out_and_not_for_ever(monkeypatch: pytest.MonkeyPatch):
    # Later than any text of the tests before.
    clock = [time.monotonic() + 60]
    last_text_s = clock[0] + 1

    def sleep(seconds: float) -> None:
        clock[0] += seconds
        if clock[0] < last_text_s:
            text_first.note_text()

    monkeypatch.setattr(text_first, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep))
    assert text_first.wait_for_texts(60) == 0
    text_first.note_text()
    assert text_first.wait_for_texts(0.05) == pytest.approx(0.05, abs=0.002)
    assert text_first.wait_for_texts(60) == pytest.approx(0.95 + text_first.GAP_S, abs=0.005)
    assert text_first.wait_for_texts(60) == 0


def test_the_loop_makes_all_calls_handed_over_in_order():
    made: list[int] = []
    wakes: list[int] = []
    waiting = _LoopCalls()

    async def hand_over() -> None:
        loop = asyncio.get_running_loop()

        def call_all() -> None:
            for n in range(2_000):
                if waiting.add(lambda n=n: made.append(n)):  # type: ignore[misc]
                    wakes.append(n)
                    loop.call_soon_threadsafe(waiting.run)

        await asyncio.to_thread(call_all)
        while len(made) < 2_000:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(hand_over(), 60))
    assert made == [*range(2_000)]
    assert len(wakes) < 2_000
