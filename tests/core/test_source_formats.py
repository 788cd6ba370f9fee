"""Word files, pages of HTML, tables and data as sources: headings and lists kept, hostile files refused."""

import io
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from debate_core.documents.decision import read_decision
from debate_core.documents.document import headings_at
from debate_core.errors import InvalidSpec
from debate_core.host.imports.folder import sources_of_folder
from debate_core.host.uploads import extracted_text, read_source
from debate_core.spec.values import Source

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
STYLES = (
    f'<w:styles {W}><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>'
)
STYLES_RELATION = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>'
    "</Relationships>"
)


def paragraph(words: str, style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}<w:r><w:t>{words}</w:t></w:r></w:p>"


def row(*cells: str) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells) + "</w:tr>"


def docx(body: str, *, head: str = "") -> bytes:
    """A Word file with this body; `head` comes before its root."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("[Content_Types].xml", TYPES)
        parts.writestr("_rels/.rels", RELATIONS)
        parts.writestr("word/_rels/document.xml.rels", STYLES_RELATION)
        parts.writestr("word/styles.xml", STYLES)
        parts.writestr("word/document.xml", f"{head}<w:document {W}><w:body>{body}</w:body></w:document>")
    return out.getvalue()


def read(name: str, data: bytes) -> Source:
    return read_source(name, data, source_id="E1")


def test_a_word_file_keeps_headings_and_tables():
    body = (
        paragraph("Which cache?", "Title")
        + paragraph("We need one.")
        + paragraph("Options", "Heading2")
        + f"<w:tbl>{row('Option', 'Cost')}{row('Redis', '30')}{row('Memcached', '20')}</w:tbl>"
    )
    source = read("cache.docx", docx(body))
    assert source.text == (
        "# Which cache?\n\nWe need one.\n\n## Options\n\n"
        "| Option | Cost |\n|---|---|\n| Redis | 30 |\n| Memcached | 20 |"
    )
    assert source.title == "Which cache?"
    assert headings_at(source.text, source.text.index("Memcached")) == ("Options",)
    assert read_decision(source).options.values == ("Redis", "Memcached")


PAGE = """<!doctype html><html><head><title>x</title><style>p {color: red}</style></head><body>
<h1>Which   cache?</h1><p>We need <b>one</b> &amp; only one.<br>Now.<script>alert("no")</script></p>
<h2>Considered options</h2><ul><li>Redis<ul><li><p>fast</p></li></ul></li><li><p>Memcached</ul>
<table><tr><th>Month<th>USD<tr><td>May<td>3|0</table><template>hidden</template></body></html>"""


def test_a_page_keeps_headings_lists_and_tables_only():
    source = read("page.html", PAGE.encode())
    assert source.text == (
        "# Which cache?\n\nWe need one & only one. Now.\n\n## Considered options\n\n* Redis\n   * fast\n* Memcached\n\n"
        "| Month | USD |\n|---|---|\n| May | 3\\|0 |"
    )
    assert read_decision(source).options.values == ("Redis", "Memcached")


@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1"])
def test_a_page_is_read_in_the_encoding_that_it_declares(charset: str):
    page = f'<meta charset="{charset}"><p>Straße</p>'
    assert read("a.htm", page.encode("cp1252")).text == "Straße"
    with pytest.raises(InvalidSpec, match=r"a\.htm is not UTF-8 text: save it as UTF-8"):
        read("a.htm", "<p>Straße</p>".encode("cp1252"))
    assert read("a.html", "<p>Straße</p>".encode("utf-16")).text == "Straße"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "# Month,USD\nMay,30\n"),
        ("a.json", '{"usd": 30}'),
        ("a.yaml", "# Costs\nusd: 30\n"),
        ("a.yml", "a: 1"),
    ],
)
def test_tables_and_data_stay_as_they_are(name: str, text: str):
    source = read(name, text.encode())
    assert (source.title, source.text) == (name, text)


def entities(depth: int) -> str:
    """Entities of which each is ten of the one before."""
    nested = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, depth))
    return f'<!DOCTYPE d [<!ENTITY e0 "lol">{nested}]>'


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.docx", b"PK no zip", "a damaged Word file that cannot be read"),
        ("a.docx", docx("")[:300], "a damaged Word file that cannot be read"),
        ("a.docx", docx("<w:p>"), "a damaged Word file that cannot be read"),
        ("a.docx", docx(""), "a Word file without text"),
        ("a.docx", docx(paragraph("&e9;"), head=entities(10)), "a damaged Word file that cannot be read"),
        ("a.html", b"<script>only()</script>", "an? HTML page without text"),
    ],
)
def test_a_hostile_file_is_refused_in_one_sentence(name: str, data: bytes, words: str):
    with pytest.raises(InvalidSpec, match=words) as refused:
        read(name, data)
    assert str(refused.value).startswith(f"source {name} ")


def test_a_word_file_that_unpacks_to_too_much_is_refused():
    # Made here and not as a parameter, which every worker would pack when it collects the tests.
    with pytest.raises(InvalidSpec, match=r"^source a\.docx unpacks to more than 100 MB"):
        read("a.docx", docx(" " * 100_000_001))


def test_an_outer_entity_of_a_word_file_is_not_read(tmp_path: Path):
    (tmp_path / "secret").write_text("secret words")
    head = f'<!DOCTYPE d [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]>'
    try:
        text = read("a.docx", docx(paragraph("before &e; after"), head=head)).text
    except InvalidSpec:
        return
    assert "secret words" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", ["<ul><li>" * 200_000 + "x", "<!-- " * 1_000_000, "<a " * 1_000_000, "<svg>" * 200_000]
)
def test_a_page_that_is_much_work_stops_nobody(page: str):
    began = time.process_time()
    with suppress(InvalidSpec):
        assert len(extracted_text("a.html", page.encode(), "html", cpu_s=2)) < 2_000_000
    assert time.process_time() - began < 2


def test_a_folder_gives_a_source_for_each_document(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.md").write_text("# One\n")
    (tmp_path / "two.html").write_text("<h1>Two</h1>")
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "x.png").write_bytes(b"x")
    found = sources_of_folder(tmp_path, [Source(id="E1", title="before", text="x")])
    assert [(s.id, s.title, s.text) for s in found.sources] == [
        ("E2", "a/one.md", "# One\n"),
        ("E3", "two.html", "# Two"),
    ]
    assert [one.name for one in found.left_out] == ["*.png", "bad.md"]
