"""The HTML file of a debate on the screens: taken along in Files, taken in on the list and on the record page."""

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.events import dump_record, parse_record
from debate_core.report.facts.account import account
from debate_core.report.files.page import html_page
from tests.app.visiting import at, unfolded
from tests.people import whole_workshop

Made = Callable[[], str | bytes]


@pytest.fixture
def whole(host: Host) -> str:
    return host.import_record(dump_record(whole_workshop().events).encode())


def _page() -> str:
    held = whole_workshop()
    return html_page(account(held.state, held.events))


def _files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Made]:
    """Every download that is drawn from now on, by file name."""
    files: dict[str, Made] = {}
    monkeypatch.setattr(st, "download_button", lambda _label, data, name, *_a, **_k: files.update({name: data}))
    return files


def test_files_offer_a_page_that_imports(app: AppTest, whole: str, host: Host, monkeypatch: pytest.MonkeyPatch):
    files = _files(monkeypatch)
    at(app, whole, None, "results.py", tab="Files")
    page = files[f"debate-{whole}.html"]()
    assert isinstance(page, str)
    assert parse_record(page.encode()) == host.events(whole)
    assert "Decided by the named people: adopt" in page


def test_a_chart_is_saved_as_svg_png_and_csv(app: AppTest, whole: str, monkeypatch: pytest.MonkeyPatch):
    files = _files(monkeypatch)
    at(app, whole, None, "results.py", tab="Votes")
    assert not {name for name in files if name.startswith("chart-")}
    for key in ("moves-panel-as-table", "moves-room-as-table"):
        unfolded(app, key)
    at(unfolded(app, "vote-detail", "advice-people"), whole, None, "results.py", tab="Votes")
    names = {f"chart-moves-{voters}.{kind}" for voters in ("panel", "room") for kind in ("svg", "png", "csv")}
    assert names == {name for name in files if name.startswith("chart-")}
    assert "adopt (2)" in files["chart-moves-panel.svg"]()
    png, table = (files[f"chart-moves-panel.{kind}"]() for kind in ("png", "csv"))
    assert isinstance(png, bytes)
    assert png.startswith(b"\x89PNG")
    assert isinstance(table, bytes)
    assert table.decode("utf-8-sig").splitlines() == [
        '"before","after","voters"',
        '"adopt","adopt","1"',
        '"defer","adopt","1"',
    ]


def test_the_list_takes_in_a_page(app: AppTest, host: Host):
    app.run()
    app.file_uploader(key="reopen").set_value(("debate.HTML", _page().encode(), "text/html")).run()
    assert [s.value for s in app.success] == ["The record is consistent. It is in the list of debates now."]
    assert [row.id for row in host.debates()] == [whole_workshop().state.debate]


def test_the_record_page_checks_a_page(app: AppTest, whole: str):
    at(app, whole, None, "record.py")
    app.file_uploader(key="check_file").set_value(("debate.html", _page().encode(), "text/html")).run()
    assert len(app.success) == 2
    app.file_uploader(key="check_file").set_value(("minutes.html", b"<p>Minutes</p>", "text/html")).run()
    assert "there is no record in this page" in app.error[0].value
