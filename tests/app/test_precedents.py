"""Earlier decisions in set-up: shown for a question, dismissed for good, quoted as a document."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.precedents.archive import archive_of
from tests.app.visiting import words
from tests.core.test_precedents import write

FIRST, SECOND = "Which cache do we use for orders?", "Which cache do we use for carts?"


@pytest.fixture
def folder(host: Host, tmp_path: Path) -> Iterator[Path]:
    write(tmp_path, 1, FIRST, ["Redis", "Memcached"])
    write(tmp_path, 2, SECOND, ["Memcached", "Redis"])
    host.precedents_path = tmp_path
    archive_of.cache_clear()
    yield tmp_path
    archive_of.cache_clear()


def asked(app: AppTest, question: str) -> AppTest:
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").input(question).run()
    assert not app.exception
    return app


@pytest.mark.usefixtures("folder")
def test_precedents_are_dismissed_for_good_by_one_press(app: AppTest):
    asked(app, "Which cache?")
    assert FIRST in words(app)
    assert "Memcached is slow" in words(app)
    app.button(key="dismiss-0001-record.md").click().run()
    assert FIRST not in words(app)
    assert SECOND in words(app)
    app.text_area(key="setup_question").input("Which cache for orders?").run()
    assert FIRST not in words(app)


@pytest.mark.usefixtures("folder")
def test_precedent_becomes_a_document_by_one_press(app: AppTest):
    asked(app, "Which cache?")
    app.button(key="quote-0002-record.md").click().run()
    assert "**0002-record.md** can be quoted" in words(app).replace("\\", "")


@pytest.mark.usefixtures("folder")
def test_question_without_precedent_shows_nothing(app: AppTest):
    assert "Decided before" not in words(asked(app, "Where do zebras sleep?"))


def test_unreadable_folder_is_one_sentence_in_set_up(app: AppTest, host: Host, folder: Path):
    host.precedents_path = folder / "none"
    archive_of.cache_clear()
    assert "Earlier decisions cannot be read" in words(asked(app, "Which cache?"))
