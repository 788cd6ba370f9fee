"""Reads uploads and files as sources. Text stays exactly as decoded, so that every quote is a slice of it.

Reads Markdown, plain text, tables and data unchanged, the words of .pdf, .docx and .html with headings, lists and
tables, and the spoken text of transcripts (.vtt, .srt) without times and cue numbers. Other files are refused in one
sentence with the name of the file. `upload_reader` reads .pdf, .docx and .html in a separate process with limits,
because a file of some kilobytes can need hours of work.
"""

import codecs
import json
import subprocess
import sys
import threading
from pathlib import Path, PurePath

from debate_core.documents.document import document_title
from debate_core.documents.transcripts import transcript_text
from debate_core.errors import InvalidSpec
from debate_core.host.upload_reader import MAX_UNPACKED, TOO_MUCH_MEMORY
from debate_core.sentence import Sentence
from debate_core.spec.values import Source

MAX_BYTES = 10_000_000
MARKDOWN_FILES = (".md", ".markdown")
TRANSCRIPT_FILES = (".vtt", ".srt")
_EXTRACTED = {".pdf": "pdf", ".docx": "docx", ".html": "html", ".htm": "html"}
"""Kinds of the separate program by extension."""
DATA_FILES = (".csv", ".json", ".yaml", ".yml")
"""Files without headings of a document."""
DOCUMENT_FILES = (*MARKDOWN_FILES, ".txt", *_EXTRACTED, *TRANSCRIPT_FILES)
SOURCE_FILES = (*DOCUMENT_FILES, *DATA_FILES)
"""Accepted file extensions."""
SOURCE_TYPES = [ending.removeprefix(".") for ending in SOURCE_FILES]
"""The extensions without dots, for uploads."""
ALLOWED = Sentence(".md, .txt, .pdf, .docx, .html, .csv, .json, .yaml, .vtt or .srt")

MAX_PAGES = 200
MAX_CPU_S = 30
MAX_WAIT_S = 3 * MAX_CPU_S
"""Wall-clock limit; the machine may be busy."""
MAX_MEMORY_BYTES = 1_500_000_000
MAX_CHARS = 10_000_000
AT_ONCE = threading.Semaphore(2)
"""Simultaneous readers, over all uploads."""
PROGRAM = Path(__file__).with_name("upload_reader.py")


def source_from_file(path: Path, *, source_id: str) -> Source:
    """Read a source from a file. InvalidSpec if it is missing, a folder, unreadable, or refused by `read_source`."""
    try:
        if path.is_dir():
            raise InvalidSpec("source {path} is a folder: give a file, {allowed}", path=path, allowed=ALLOWED)
        if path.stat().st_size > MAX_BYTES:
            raise _too_large(path.name, path.stat().st_size)
        data = path.read_bytes()
    except FileNotFoundError:
        raise InvalidSpec("source {path} does not exist: give a file, {allowed}", path=path, allowed=ALLOWED) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidSpec(
            "source {path} cannot be read ({reason}): give a file, {allowed}", path=path, reason=reason, allowed=ALLOWED
        ) from None
    return read_source(path.name, data, source_id=source_id)


def read_source(name: str, data: bytes, *, source_id: str) -> Source:
    """Read a source from an upload; `name` gives the type and the title. InvalidSpec in one sentence."""
    if len(data) > MAX_BYTES:
        raise _too_large(name, len(data))
    suffix = PurePath(name).suffix.lower()
    if suffix in _EXTRACTED:
        text = extracted_text(name, data, _EXTRACTED[suffix])
    elif suffix in SOURCE_FILES:
        text = utf8(Sentence("source {name}", name=name), data)
        if "\0" in text:
            raise InvalidSpec("source {name} is not text but binary data: give {allowed}", name=name, allowed=ALLOWED)
        text = transcript_text(text) or text
    else:
        raise InvalidSpec("source {name} has an unsupported file type: give {allowed}", name=name, allowed=ALLOWED)
    if not text.strip():
        raise InvalidSpec("source {name} is empty: give a file with text to quote from", name=name)
    heading = "" if suffix in (".pdf", *DATA_FILES) else document_title(text)
    return Source(id=source_id, title=(heading or PurePath(name).name)[:200], text=text)


def _too_large(name: str, size: int) -> InvalidSpec:
    return InvalidSpec(
        "source {name} has {size_mb:.1f} MB: at most {most_mb} MB are allowed",
        name=name,
        size_mb=size / 1e6,
        most_mb=MAX_BYTES // 1_000_000,
    )


def utf8(what: str, data: bytes) -> str:
    """Decode a file as UTF-8, or as UTF-16 with a byte order mark. InvalidSpec if it is not text."""
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidSpec(
            "{what} is not UTF-8 text (byte {start}): save it as UTF-8", what=what, start=error.start + 1
        ) from None


def extracted_text(name: str, data: bytes, kind: str, *, cpu_s: int = MAX_CPU_S) -> str:
    """Extract the text of a PDF, Word or HTML file. InvalidSpec in one sentence with the name of the file."""
    limits = (cpu_s, MAX_MEMORY_BYTES, MAX_PAGES, MAX_CHARS)
    command = [sys.executable, "-I", str(PROGRAM), kind, *map(str, limits)]
    try:
        with AT_ONCE:
            done = subprocess.run(command, input=data, capture_output=True, timeout=MAX_WAIT_S, env={}, check=False)
    except subprocess.TimeoutExpired:
        raise _too_much_work(name) from None
    if done.returncode < 0 or done.returncode == TOO_MUCH_MEMORY:
        raise _too_much_work(name)
    if done.returncode:
        raise InvalidSpec("source {name} is a damaged {kind} that cannot be read", name=name, kind=_KINDS[kind])
    answer = json.loads(done.stdout)
    if "refused" in answer:
        raise _refusal(name, answer["refused"], answer["found"])
    text: str = answer["text"]
    if not text.strip():
        raise InvalidSpec(
            "source {name} is a {kind} without text (scanned pages?): give one with text",
            name=name,
            kind=_KINDS[kind],
        )
    return text


_KINDS = {"pdf": "PDF", "docx": "Word file", "html": "HTML page"}


def _too_much_work(name: str) -> InvalidSpec:
    return InvalidSpec(
        "source {name} needs more than {seconds} s or too much memory to be read: give its text as .txt or .md",
        name=name,
        seconds=MAX_CPU_S,
    )


def _refusal(name: str, why: str, found: int) -> InvalidSpec:
    match why:
        case "encrypted":
            return InvalidSpec("source {name} is an encrypted PDF: save it without a password", name=name)
        case "encoding":
            return InvalidSpec("source {name} is not UTF-8 text: save it as UTF-8", name=name)
        case "unpacked":
            most = MAX_UNPACKED // 1_000_000
            return InvalidSpec("source {name} unpacks to more than {most_mb} MB", name=name, most_mb=most)
        case "pages":
            return InvalidSpec(
                "source {name} has {found} pages: at most {most} are allowed", name=name, found=found, most=MAX_PAGES
            )
        case _:
            return InvalidSpec(
                "source {name} has more than {most} characters of text: give a part of it", name=name, most=found
            )
