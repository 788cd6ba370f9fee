"""Names the process that holds a lease, so that the same machine can detect its death.

Containers that share a host name but number their own processes count as separate machines. Knows nothing of debates.
"""

import os
import socket
from pathlib import Path


def this_process() -> str:
    """`machine:pid:start`; start distinguishes processes with the same pid."""
    pid = os.getpid()
    return f"{_machine_name()}:{pid}:{_start_of(pid)}"


def is_on_this_machine(owner: str) -> bool:
    """True if the owner is or was a process of this machine."""
    return owner.rsplit(":", 2)[0] == _machine_name()


def is_dead(owner: str) -> bool:
    """True if the owner was a process of this machine that has ended; unknown for other machines."""
    _, pid, start = [*owner.rsplit(":", 2), "", ""][:3]
    if not pid.isdigit() or not is_on_this_machine(owner):
        return False
    return not _is_running(int(pid)) or _start_of(int(pid)) != start


def _machine_name() -> str:
    """The host name, as in `web-1`, with the pid namespace if there is one, as in `web-1/4026531836`."""
    try:
        numbered_in = os.readlink("/proc/self/ns/pid")
    except OSError:
        return socket.gethostname()
    return f"{socket.gethostname()}/{numbered_in.strip('pid:[]')}"


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _start_of(pid: int) -> str:
    """Start time in clock ticks since boot, "0" if unavailable; "dead" for an unreaped process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return "0"
    # The program name is in brackets and may contain spaces and brackets itself.
    fields = stat.rpartition(")")[2].split()
    return "dead" if fields[0] in "ZX" else fields[19]
