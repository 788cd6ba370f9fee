"""Extracts the text of a PDF: a separate program, started by `uploads`, from standard input to JSON on standard output.

It imports nothing of this project and gets no environment, which limits the damage by a hostile file. Arguments:
seconds of CPU time, bytes of memory, maximum of pages, maximum of characters. A refusal is `{"refused": WORD, "found":
n}`; a damaged file ends it with an error, one that needs too much memory with status 3.
"""

import io
import json
import logging
import sys
from collections.abc import Sequence

TOO_MUCH_MEMORY = 3


def read(data: bytes, *, max_pages: int, max_chars: int) -> dict[str, object]:
    """`{"pages": [...]}`, or `{"refused": "encrypted" | "pages" | "characters", "found": how many}`."""
    from pypdf import PdfReader

    # Repairs by pypdf are not worth a log line; what it cannot repair is raised.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        return {"refused": "encrypted", "found": 0}
    if len(reader.pages) > max_pages:
        return {"refused": "pages", "found": len(reader.pages)}
    pages: list[str] = []
    for page in reader.pages:
        pages.append(page.extract_text().encode("utf-8", "replace").decode())
        if sum(map(len, pages)) > max_chars:
            return {"refused": "characters", "found": max_chars}
    return {"pages": pages}


def limit(cpu_s: int, memory_bytes: int) -> None:
    """Limit this process. Where the system has no limits, the caller's timeout applies."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(arguments: Sequence[str]) -> int:
    """Read within the limits."""
    cpu_s, memory_bytes, max_pages, max_chars = map(int, arguments)
    limit(cpu_s, memory_bytes)
    try:
        result = read(sys.stdin.buffer.read(), max_pages=max_pages, max_chars=max_chars)
    except MemoryError:
        return TOO_MUCH_MEMORY
    json.dump(result, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
