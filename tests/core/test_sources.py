"""Uploads and files: kept as decoded, or refused in one sentence that names the file."""

import io
import time
import zlib
from pathlib import Path

import pytest
from pypdf import PdfWriter

from debate_core.documents.document import page_at, page_of, read_document
from debate_core.errors import InvalidSpec
from debate_core.host.uploads import MAX_BYTES, extracted_text, read_source, source_from_file
from debate_core.language import spoken
from debate_core.spec.contents import Claim
from debate_core.spec.values import Source
from debate_core.ui.turn.passage import place_in_sources

GIVE = "give .md, .txt, .pdf, .docx, .html, .csv, .json, .yaml, .vtt or .srt"


def pdf(pages: int, *, text: str = "", password: str = "") -> bytes:
    """A PDF by hand: pypdf writes no text, so the content stream is ours."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    for _ in range(pages):
        page = writer.add_blank_page(200, 200)
        if text:
            font = DictionaryObject(
                {
                    NameObject("/Type"): NameObject("/Font"),
                    NameObject("/Subtype"): NameObject("/Type1"),
                    NameObject("/BaseFont"): NameObject("/Helvetica"),
                }
            )
            fonts = DictionaryObject({NameObject("/F1"): font})
            page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
            stream = DecodedStreamObject()
            stream.set_data(f"BT /F1 12 Tf 10 100 Td ({text}) Tj ET".encode())
            page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_text_is_kept_as_decoded():
    data = "\ufeff---\n# comment\n---\r\n# The title #\r\nLine one.\r\n\r\n  ü\t\n".encode()
    source = read_source("note.MD", data, source_id="E2")
    assert source.id == "E2"
    assert source.title == "The title"
    assert source.text == data.decode("utf-8-sig")


def test_the_file_name_is_the_title_without_a_heading(tmp_path: Path):
    (tmp_path / "plain.txt").write_bytes(b"just text\r\n")
    source = source_from_file(tmp_path / "plain.txt", source_id="E1")
    assert (source.title, source.text) == ("plain.txt", "just text\r\n")


def test_the_text_of_a_pdf():
    source = read_source("report.pdf", pdf(2, text="It took 31 hours."), source_id="E1")
    assert source.text == "It took 31 hours.\n\n\f\nIt took 31 hours."
    assert source.title == "report.pdf"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.md", b"", "source a.md is empty: give a file with text to quote from"),
        ("a.md", b" \n\t\n", "source a.md is empty: give a file with text to quote from"),
        ("a.txt", b"caf\xe9", "source a.txt is not UTF-8 text (byte 4): save it as UTF-8"),
        ("a.txt", b"ab\0cd", "source a.txt is not text but binary data: " + GIVE),
        ("a.doc", b"PK", "source a.doc has an unsupported file type: " + GIVE),
        ("a", b"text", "source a has an unsupported file type: " + GIVE),
        ("a.md", b"x" * (MAX_BYTES + 1), "source a.md has 10.0 MB: at most 10 MB are allowed"),
        ("a.pdf", b"no pdf at all", "source a.pdf is a damaged PDF that cannot be read"),
        ("a.pdf", b"", "source a.pdf is a damaged PDF that cannot be read"),
        ("a.pdf", pdf(3)[:400], "source a.pdf is a damaged PDF that cannot be read"),
        ("a.pdf", pdf(201), "source a.pdf has 201 pages: at most 200 are allowed"),
        ("a.pdf", pdf(1), "source a.pdf is a PDF without text (scanned pages?): give one with text"),
        ("a.pdf", pdf(1, text="x", password="secret"), "source a.pdf is an encrypted PDF: save it without a password"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(name: str, data: bytes, message: str):
    with pytest.raises(InvalidSpec) as refused:
        read_source(name, data, source_id="E1")
    assert str(refused.value) == message


@pytest.mark.slow
def test_a_pdf_that_is_hours_of_work_is_refused_and_stops_nobody():
    # A stranger's upload of some kilobytes: one page that sets the same words again and again.
    bomb = pdf(1, text=") Tj (".join(["x"] * 200_000))
    began = time.process_time()
    with pytest.raises(InvalidSpec, match=r"^source bomb\.pdf needs more than .* or too much memory to be read: give"):
        extracted_text("bomb.pdf", bomb, "pdf", cpu_s=1)
    assert time.process_time() - began < 1


@pytest.mark.slow
def test_a_pdf_that_unpacks_to_gigabytes_is_refused():
    # 300 MB of blanks in 1.3 MB of file.
    from pypdf.generic import NameObject, StreamObject

    writer = PdfWriter()
    page = writer.add_blank_page(200, 200)
    stream = StreamObject()
    stream._data = zlib.compress(b" " * 300_000_000, 1)
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    page[NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(InvalidSpec, match=r"^source bomb\.pdf "):
        extracted_text("bomb.pdf", out.getvalue(), "pdf")


def test_missing_files_folders_and_large_files_are_refused(tmp_path: Path):
    with pytest.raises(InvalidSpec, match=r"does not exist: give a file, \.md"):
        source_from_file(tmp_path / "gone.md", source_id="E1")
    with pytest.raises(InvalidSpec, match="is a folder: give a file"):
        source_from_file(tmp_path, source_id="E1")
    with (tmp_path / "big.md").open("wb") as big:
        big.truncate(MAX_BYTES + 1)
    with pytest.raises(InvalidSpec, match=r"big\.md has 10\.0 MB"):
        source_from_file(tmp_path / "big.md", source_id="E1")
    with pytest.raises(InvalidSpec, match="cannot be read"):
        source_from_file(tmp_path / ("n" * 300), source_id="E1")


def test_a_quote_from_a_pdf_has_its_page():
    source = read_source("report.pdf", pdf(3, text="It took 31 hours."), source_id="E1")
    last = source.text.rindex("It took")
    assert [page_at(source.text, place) for place in (0, last - 2, last)] == [1, 2, 3]
    assert page_of(source, "31 hours") == 1
    assert page_of(source, "32 hours") == 0
    assert page_of(Source(id="E2", title="t", text="It took 31 hours."), "31 hours") == 0
    assert [block.words for block in read_document(source.text).blocks] == ["It took 31 hours."] * 3


def test_the_place_of_a_quote_names_its_page():
    source = read_source("report.pdf", pdf(2, text="It took 31 hours."), source_id="E1")
    claim = Claim(id="risk.1.1", text="It is slow.", quote="31 hours", source_id="E1")
    assert place_in_sources([source], claim) == "report.pdf, page 1"
    with spoken("de"):
        assert place_in_sources([source], claim) == "report.pdf, Seite 1"
