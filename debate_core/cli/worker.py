"""`worker`: asks the seats of all debates of a database, without a screen, until stopped."""

import logging
import signal
import threading
from argparse import Namespace
from dataclasses import replace

from debate_core.cli.terminal import say
from debate_core.errors import StoreError
from debate_core.host.host import reset_shared_host, shared_host
from debate_core.host.settings import Settings
from debate_core.host.workers import second_signal_kills

log = logging.getLogger(__name__)


def work(_flags: Namespace, settings: Settings) -> int:
    """Run debates until SIGTERM or SIGINT, then release every lease. StoreError if the database cannot be used.

    Running calls may finish within DEBATE_DRAIN_S; a second signal ends the process at once.
    """
    logging.basicConfig(format="%(asctime)s %(message)s")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    host = shared_host(replace(settings, worker="only"))
    say(f"seats are asked, of all debates in {host.health.report()['store']}")
    try:
        while not stop.wait(host.runs.look_for_work_s):
            try:
                host.runs.look_for_work()
            except StoreError as error:
                log.warning("open work could not be read: %s", error)
    finally:
        with second_signal_kills():
            reset_shared_host()
    return 0
