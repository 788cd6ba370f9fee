"""Extracts the text of a PDF, Word or HTML file: a separate program, started by `uploads`, from standard input to JSON.

It imports nothing of this project and gets no environment, which limits the damage by a hostile file. Arguments: the
kind of file, seconds of CPU time, bytes of memory, maximum of pages, maximum of characters. It prints `{"text": ...}`,
or a refusal `{"refused": WORD, "found": n}`. A damaged file ends it with an error, one that needs too much memory with
status 3.
"""

import io
import json
import logging
import re
import sys
import zipfile
from collections.abc import Sequence
from html.parser import HTMLParser

TOO_MUCH_MEMORY = 3
MAX_UNPACKED = 100_000_000
"""Bytes of a Word file after unpacking, over all its parts."""
_DEEPEST_LIST = 8
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = (
    *("p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "blockquote", "pre", "caption"),
    *("dl", "dt", "dd", "figure", "figcaption", "address", "form", "details", "summary"),
)
_HIDDEN = frozenset(("script", "style", "template", "noscript", "svg", "math", "iframe", "object", "head", "select"))
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)


class BeyondLimit(Exception):
    """A file beyond a limit: the word of the refusal, and the number found."""

    def __init__(self, why: str, found: int) -> None:
        super().__init__(why)
        self.why, self.found = why, found


class HtmlText(HTMLParser):
    """Collects the words of a page as Markdown: headings, lists, tables and paragraphs; no scripts, styles or links."""

    def __init__(self, max_chars: int) -> None:
        super().__init__(convert_charrefs=True)
        self._max_chars = max_chars
        self._n_chars = 0
        self._lines: list[str] = []
        self._words: list[str] = []
        self._mark = ""
        """Signs before the next block, such as `## ` or `* `."""
        self._lists: list[int | None] = []
        """For each list around: the number of its last item; None without numbers."""
        self._hidden: list[str] = []
        self._row: list[str] | None = None
        """The finished cells of the open row."""
        self._is_in_cell = False
        self._is_below_head = False
        self._n_columns = self._n_rows = 1
        """The columns and rows that the open cell spans."""
        self._merged: dict[int, int] = {}
        """Column -> number of rows that a cell above still spans."""

    def text(self) -> str:
        self._end_row()
        self._end_block()
        return "\n".join(self._lines).strip("\n")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self._words.append(" ")
        elif self._hidden or tag in _HIDDEN:
            self._hidden.append(tag)
        elif tag in ("table", "tr", "td", "th"):
            self._begin_in_table(tag)
            self._n_columns, self._n_rows = (_span(dict(attrs).get(name)) for name in ("colspan", "rowspan"))
        elif self._row is None:
            self._begin(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if tag in self._hidden:
                del self._hidden[len(self._hidden) - 1 - self._hidden[::-1].index(tag) :]
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self._end_row()
        elif self._row is None and (tag in _HEADINGS or tag in _BLOCKS or tag in ("li", "ul", "ol")):
            self._end_block()
            if tag in ("ul", "ol"):
                self._lists = self._lists[:-1]

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._words.append(data)

    def _begin(self, tag: str) -> None:
        """Begin a block outside of tables."""
        if tag in _HEADINGS:
            self._begin_block("#" * _HEADINGS[tag] + " ")
        elif tag in ("ul", "ol"):
            self._end_block()
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._begin_block(self._item_mark())
        elif tag in _BLOCKS and ("".join(self._words).strip() or not self._mark):
            # A paragraph at the beginning of an item is the item.
            self._begin_block("")

    def _begin_in_table(self, tag: str) -> None:
        """Begin a table, row or cell. End tags of rows and cells can be missing."""
        if tag in ("td", "th"):
            self._end_cell()
            self._row = self._row or []
            self._continue_cells()
            self._words, self._is_in_cell = [], True
            return
        self._end_row()
        self._end_block()
        if tag == "table":
            self._is_below_head = False
            self._merged.clear()
            self._add("")
        else:
            self._row = []

    def _item_mark(self) -> str:
        indent = "   " * (min(len(self._lists), _DEEPEST_LIST) - 1)
        number = self._lists[-1] if self._lists else None
        if number is None:
            return f"{indent}* "
        self._lists[-1] = number + 1
        return f"{indent}{number + 1}. "

    def _begin_block(self, mark: str) -> None:
        self._end_block()
        self._mark = mark

    def _end_block(self) -> None:
        words = " ".join("".join(self._words).split())
        is_item = self._mark.endswith(("* ", ". "))
        if words and is_item:
            self._add(f"{self._mark}{words}")
        elif words:
            self._add("")
            self._add(f"{self._mark}{words}")
            self._add("")
        self._words, self._mark = [], ""

    def _end_cell(self) -> None:
        if self._row is not None and self._is_in_cell:
            words = " ".join("".join(self._words).split()).replace("|", "\\|")
            for cell in (words, *[""] * (self._n_columns - 1)):
                if self._n_rows > 1:
                    self._merged[len(self._row)] = self._n_rows - 1
                self._row.append(cell)
            self._words, self._is_in_cell = [], False

    def _continue_cells(self) -> None:
        """Leave a cell empty for each one above that spans this row, before the next cell."""
        while self._row is not None and self._merged.get(len(self._row)):
            self._merged[len(self._row)] -= 1
            self._row.append("")

    def _end_row(self) -> None:
        self._end_cell()
        if self._row:
            self._continue_cells()
            self._add(f"| {' | '.join(self._row)} |")
            if not self._is_below_head:
                self._add(f"|{'---|' * len(self._row)}")
            self._is_below_head = True
        self._row = None

    def _add(self, line: str) -> None:
        """Add a line; no second empty one."""
        if line or (self._lines and self._lines[-1]):
            self._lines.append(line)
            self._n_chars += len(line) + 1
        if self._n_chars > self._max_chars:
            raise BeyondLimit("characters", self._max_chars)


def _span(value: str | None) -> int:
    """The number of an attribute such as rowspan="2", within bounds; 1 without one."""
    return min(max(int(value), 1), _WIDEST_SPAN) if value and re.fullmatch(r"\d{1,4}", value) else 1


_WIDEST_SPAN = 100


def read_html(text: str, max_chars: int) -> str:
    """The words of a page as Markdown."""
    reader = HtmlText(max_chars)
    reader.feed(text)
    reader.close()
    return reader.text()


def read_docx(data: bytes, max_chars: int) -> str:
    """The words of a Word file as Markdown, without pictures and comments."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        size = sum(part.file_size for part in parts.infolist())
        if size > MAX_UNPACKED:
            raise BeyondLimit("unpacked", size)
    import mammoth

    titles = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"
    page = mammoth.convert_to_html(
        io.BytesIO(data),
        style_map=titles,
        include_embedded_style_map=False,
        convert_image=mammoth.images.img_element(lambda _picture: {"src": ""}),
    )
    return read_html(page.value, max_chars)


def read_pdf(data: bytes, *, max_pages: int, max_chars: int) -> str:
    """The text of all pages, with a form feed between two pages."""
    from pypdf import PdfReader

    # Repairs by pypdf are not worth a log line; what it cannot repair is raised.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        raise BeyondLimit("encrypted", 0)
    if len(reader.pages) > max_pages:
        raise BeyondLimit("pages", len(reader.pages))
    pages: list[str] = []
    for page in reader.pages:
        pages.append(page.extract_text().encode("utf-8", "replace").decode())
        if sum(map(len, pages)) > max_chars:
            raise BeyondLimit("characters", max_chars)
    return "\n\n\f\n".join(pages)


# `<meta charset="windows-1252">`, `<meta ... content="text/html; charset=iso-8859-1">`
_CHARSET = re.compile(rb"<meta[^>]{1,200}charset=[\"']?\s*(iso-8859-1|latin-?1|windows-1252|us-ascii)", re.IGNORECASE)


def decode_html(data: bytes) -> str:
    """Decode a page as UTF-8, as UTF-16 with a byte order mark, or as a Western encoding that it declares."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if _CHARSET.search(data[:4096]) is None:
            raise BeyondLimit("encoding", 0) from None
        return data.decode("cp1252", "replace")


def limit(cpu_s: int, memory_bytes: int) -> None:
    """Limit this process. Where the system has no limits, the caller's timeout applies."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(kind: str, data: bytes, *, max_pages: int, max_chars: int) -> str:
    """The text of a file of this kind: pdf, docx or html. Raises BeyondLimit beyond a limit."""
    match kind:
        case "pdf":
            return read_pdf(data, max_pages=max_pages, max_chars=max_chars)
        case "docx":
            return read_docx(data, max_chars)
        case _:
            return read_html(decode_html(data), max_chars)


def main(arguments: Sequence[str]) -> int:
    """Read within the limits."""
    kind = arguments[0]
    cpu_s, memory_bytes, max_pages, max_chars = map(int, arguments[1:])
    limit(cpu_s, memory_bytes)
    result: dict[str, object]
    try:
        text = read(kind, sys.stdin.buffer.read(), max_pages=max_pages, max_chars=max_chars)
        result = {"text": text}
    except BeyondLimit as refusal:
        result = {"refused": refusal.why, "found": refusal.found}
    except MemoryError:
        return TOO_MUCH_MEMORY
    json.dump(result, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
