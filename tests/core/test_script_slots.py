"""Slots for script runs: never more at once than slots, presses before redraws, and no wait without end."""

import threading
from collections.abc import Callable

from debate_core.ui.server.streamlit_patch import ScriptSlots
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
    until(lambda: slots._n_pressed == 1)
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
    until(lambda: slots._n_pressed == 1)
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
