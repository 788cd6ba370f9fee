"""The page of decisions: empty, unreadable folder, threads, contradictions, filters, rates, and search in all texts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.precedents.archive import archive_of
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.commands import Act, TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat, TaskType
from tests.app.visiting import new_browser, words
from tests.core.test_precedents import write

RULES = Protocol(name="own", each_round=(Phase(name="talk"),), stop=(MaxRounds(),), decide=Threshold(votes=2))


@pytest.fixture(autouse=True)
def _archive_of_this_test() -> Iterator[None]:
    archive_of.cache_clear()
    yield
    archive_of.cache_clear()


@pytest.fixture
def folder(host: Host, tmp_path: Path) -> Path:
    write(tmp_path, 1, "Which cache do we use for orders?", ["Redis", "Memcached"])
    write(tmp_path, 2, "Which cache do we use for orders?", ["Memcached", "Redis"])
    write(tmp_path, 3, "How do we log?", ["Text", "JSON"], status="superseded by [4](0004-record.md)")
    write(tmp_path, 4, "How do we log now?", ["JSON", "Text"])
    host.precedents_path = tmp_path
    return tmp_path


def decide(host: Host, question: str, *, task: TaskType | None = None, parent: str | None = None) -> str:
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    spec = compose(question, ["Postgres", "Kafka"], RULES, seats, max_rounds=1, task=task, parent=parent)
    debate = host.create(spec, by="ana")
    for seat in ("ana", "ben"):
        said = Argument(rationale=f"Zebras like it, says {seat}", vote="Kafka")
        host.submit(debate, TakeTurn(by=seat, request=f"1.talk.{seat}.1", content=said))
    return debate


def page(app: AppTest) -> AppTest:
    app.switch_page("decisions.py").run()
    assert not app.exception
    return app


def in_texts(app: AppTest, wanted: str) -> AppTest:
    app.segmented_control(key="decisions-mode").set_value("texts").run()
    app.text_input(key="decisions-words").input(wanted).run()
    assert not app.exception
    return app


def test_page_without_decisions_says_how_to_get_some(app: AppTest):
    assert "No decision yet" in words(page(app))
    assert "DEBATE_PRECEDENTS" in words(app).replace("\\", "")


def test_missing_folder_is_named_and_debates_stay(app: AppTest, host: Host, tmp_path: Path):
    decide(host, "Where does the queue live?")
    host.precedents_path = tmp_path / "none"
    assert "is no folder" in words(page(app))
    assert any("Where does the queue live?" in link.proto.label for link in app.get("page_link"))


@pytest.mark.usefixtures("folder")
def test_contradiction_and_thread_are_shown_at_each_visit(app: AppTest, host: Host):
    old = decide(host, "Where does the queue live?")
    new = decide(host, "Where does the queue live?", parent=old)
    for browser in (app, new_browser()):
        shown = words(page(browser)).replace("\\", "")
        assert "Contradiction: “0002-record.md” chose **Memcached**, “0001-record.md” chose **Redis**" in shown
        assert shown.count("Earlier") == 2
        assert "Superseded by 0004-record.md" in shown
        assert shown.index("How do we log now?") < shown.index("**How do we log?**")
        assert "Memcached is slow" in shown
        # Both debates are linked.
        links = [link.proto.query_string for link in browser.get("page_link")]
        assert [link for link in links if link] == [f"id={new}", f"id={old}"]


@pytest.mark.usefixtures("folder")
def test_words_and_status_choose_decisions(app: AppTest):
    page(app)
    app.text_input(key="decisions-words").input("log").run()
    assert "2 decisions" in words(app)
    app.selectbox(key="decisions-status").select("superseded").run()
    assert "1 decision" in words(app)
    app.text_input(key="decisions-words").input("zebra").run()
    assert "No matches" in words(app)


def test_rates_by_kind_are_shown(app: AppTest, host: Host):
    for number in range(4):
        debate = decide(host, f"Where does queue {number} live?", task="architecture")
        if number:
            host.submit(debate, Act(by="ana", act=OutcomeRecorded(result="held", reason="fast")))
    assert "Architecture: 4 decisions. Known outcomes: 3. Held: 3, 100 % (44 to 100)" in words(page(app))
    assert "No recorded outcome: 1" in words(app)


@pytest.mark.usefixtures("folder")
def test_all_texts_are_searched(app: AppTest, host: Host):
    debate = decide(host, "Where does the queue live?")
    in_texts(page(app), "zebra ben")
    assert "1 text" in words(app)
    assert "**Zebras** like it, says ben" in words(app)
    assert [link.proto.query_string for link in app.get("page_link")] == [f"id={debate}"]
    in_texts(app, "memcached")
    assert "0001" in words(app)
    in_texts(app, "unicorn")
    assert "No text has all these words" in words(app)


def test_long_timeline_is_shown_in_parts(app: AppTest, host: Host, tmp_path: Path):
    for number in range(1, 71):
        write(tmp_path, number, f"How do we run service{number}?", [f"Tool{number}", "By hand"])
    host.precedents_path = tmp_path
    assert words(page(app)).count("How do we run") == 60
    app.button(key="decisions-more-records").click().run()
    assert words(app).count("How do we run") == 70
    assert "decisions-more-records" not in [button.key for button in app.button]
