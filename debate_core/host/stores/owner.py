"""Who holds a lease: a process, named so that its death can be seen from the same machine.

Containers that share the name of a machine number their processes each for itself, and so count as machines.

Knows nothing of debates.
"""

import os
import socket
from pathlib import Path


def this_process() -> str:
    """`machine:pid:start`, where start tells apart two processes that got the same pid."""
    pid = os.getpid()
    return f"{_machine()}:{pid}:{_start_of(pid)}"


def is_on_this_machine(owner: str) -> bool:
    """True if the owner is, or was, a process of this machine."""
    return owner.rsplit(":", 2)[0] == _machine()


def is_dead(owner: str) -> bool:
    """True if the owner was a process of this machine that has ended. Of other machines nobody here can tell."""
    _, pid, start = [*owner.rsplit(":", 2), "", ""][:3]
    if not is_on_this_machine(owner) or not pid.isdigit():
        return False
    return not _is_running(int(pid)) or _start_of(int(pid)) != start


def _machine() -> str:
    """Its name, as in `web-1`, and where the numbers of processes are its own, as in `web-1/4026531836`."""
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
    """Start time in clock ticks since boot, "0" where the system does not tell; "dead" for an unreaped process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return "0"
    # The name of the program is in brackets and may hold blanks and brackets itself.
    fields = stat.rpartition(")")[2].split()
    return "dead" if fields[0] in "ZX" else fields[19]
