"""The text of a PDF, read by a process of its own with limits: a file of some kilobytes can hold hours of work."""

import json
import subprocess
import sys
import threading
from pathlib import Path

from debate_core.errors import InvalidSpec
from debate_core.host.pdf_reader import TOO_MUCH_MEMORY

MAX_PAGES = 200
MAX_CPU_S = 30
MAX_WAIT_S = 3 * MAX_CPU_S
"""The machine may be doing other work too."""
MAX_MEMORY_BYTES = 1_500_000_000
MAX_CHARS = 10_000_000
AT_ONCE = threading.Semaphore(2)
"""So many are read at the same time, whoever uploads them."""
PROGRAM = Path(__file__).with_name("pdf_reader.py")


def pdf_text(name: str, data: bytes, *, cpu_s: int = MAX_CPU_S) -> str:
    """The text of all pages. InvalidSpec in one sentence, with the name of the file, if it cannot be read so."""
    limits = (cpu_s, MAX_MEMORY_BYTES, MAX_PAGES, MAX_CHARS)
    command = [sys.executable, "-I", str(PROGRAM), *map(str, limits)]
    try:
        with AT_ONCE:
            done = subprocess.run(command, input=data, capture_output=True, timeout=MAX_WAIT_S, env={}, check=False)
    except subprocess.TimeoutExpired:
        raise _too_much_work(name) from None
    if done.returncode < 0 or done.returncode == TOO_MUCH_MEMORY:
        raise _too_much_work(name)
    if done.returncode:
        raise InvalidSpec("source {name} is a damaged PDF that cannot be read", name=name)
    answer = json.loads(done.stdout)
    if "refused" in answer:
        raise _refusal(name, answer["refused"], answer["found"])
    text = "\n\n".join(answer["pages"])
    if not text.strip():
        raise InvalidSpec("source {name} is a PDF without text (scanned pages?): give one with text", name=name)
    return text


def _too_much_work(name: str) -> InvalidSpec:
    return InvalidSpec(
        "source {name} needs more than {seconds} s or too much memory to be read: give its text as .txt or .md",
        name=name,
        seconds=MAX_CPU_S,
    )


def _refusal(name: str, why: str, found: int) -> InvalidSpec:
    """What `pdf_reader` refuses in a word, in a sentence."""
    match why:
        case "encrypted":
            return InvalidSpec("source {name} is an encrypted PDF: save it without a password", name=name)
        case "pages":
            return InvalidSpec(
                "source {name} has {found} pages: at most {most} are allowed", name=name, found=found, most=MAX_PAGES
            )
        case _:
            return InvalidSpec(
                "source {name} holds more than {most} characters of text: give a part of it", name=name, most=found
            )
