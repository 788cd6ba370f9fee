"""Uploads and files as sources: text exactly as decoded, so that every quote is a slice of it.

Reads Markdown and plain text, the text of .pdf, and what is said in transcripts (.vtt, .srt) without times and cue
numbers. Everything else is refused in one sentence that names the file.
"""

import codecs
from pathlib import Path, PurePath

from debate_core.documents.document import document_title
from debate_core.documents.transcripts import transcript_text
from debate_core.errors import InvalidSpec
from debate_core.host.pdf_text import pdf_text
from debate_core.sentence import Sentence
from debate_core.spec.values import Source

MAX_BYTES = 10_000_000
MARKDOWN_FILES = (".md", ".markdown")
TRANSCRIPT_FILES = (".vtt", ".srt")
SOURCE_FILES = (*MARKDOWN_FILES, ".txt", ".pdf", *TRANSCRIPT_FILES)
"""Endings of the names of files that are read."""
SOURCE_TYPES = [ending.removeprefix(".") for ending in SOURCE_FILES]
"""The same without their dots, for uploads."""
ALLOWED = Sentence(".md, .txt, .pdf, .vtt or .srt")


def source_from_file(path: Path, *, source_id: str) -> Source:
    """The source in a file. InvalidSpec if it is missing, a folder, unreadable, or what `read_source` refuses."""
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
    """The source in an upload; `name` says the kind and is the title. InvalidSpec in one sentence."""
    if len(data) > MAX_BYTES:
        raise _too_large(name, len(data))
    suffix = PurePath(name).suffix.lower()
    if suffix == ".pdf":
        text = pdf_text(name, data)
    elif suffix in SOURCE_FILES:
        text = _decoded(name, data)
        text = transcript_text(text) or text
    else:
        raise InvalidSpec("source {name} is not a kind that is read: give {allowed}", name=name, allowed=ALLOWED)
    if not text.strip():
        raise InvalidSpec("source {name} is empty: give a file with text to quote from", name=name)
    return Source(id=source_id, title=_title(name, text)[:200], text=text)


def _too_large(name: str, size: int) -> InvalidSpec:
    return InvalidSpec(
        "source {name} has {size_mb:.1f} MB: at most {most_mb} MB are allowed",
        name=name,
        size_mb=size / 1e6,
        most_mb=MAX_BYTES // 1_000_000,
    )


def utf8(what: str, data: bytes) -> str:
    """The text of a file; UTF-16 if its first two bytes are the mark of that. InvalidSpec if it is no text."""
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidSpec(
            "{what} is not UTF-8 text (byte {start}): save it as UTF-8", what=what, start=error.start + 1
        ) from None


def _decoded(name: str, data: bytes) -> str:
    text = utf8(Sentence("source {name}", name=name), data)
    if "\0" in text:
        raise InvalidSpec("source {name} is not text but binary data: give {allowed}", name=name, allowed=ALLOWED)
    return text


def _title(name: str, text: str) -> str:
    """The first heading, else the file's name."""
    file_name = PurePath(name)
    return (file_name.suffix.lower() != ".pdf" and document_title(text)) or file_name.name
