"""A chart, a screen and a language are added to a copy of the program, step by step as CONTRIBUTING says."""

from pathlib import Path

import pytest

from tests.copied import copy_to, insert, python, run_tests

pytestmark = pytest.mark.slow
CHART = '''"""Chart of the length of each turn, in words."""

from typing import TYPE_CHECKING

from debate_core.language import _, message
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import column, layout_of, palette_of

if TYPE_CHECKING:
    from plotly import graph_objects as go


def words_table(account: Account) -> list[FigureRow]:
    """One row per turn."""
    return [{_("turn"): row.turn_id, _("words"): len(row.text.split())} for row in account.turns]


def words_alt(account: Account) -> str:
    """The longest turn in words."""
    longest = max((len(row.text.split()) for row in account.turns), default=0)
    return _("The longest turn has {longest} words.", longest=longest)


def words_chart(account: Account, theme: str) -> "go.Figure":
    """Draw a bar for each turn."""
    from plotly import graph_objects as go

    rows = words_table(account)
    figure = go.Figure(layout=layout_of(palette_of(theme), height=240))
    figure.add_bar(x=column(rows, _("turn")), y=column(rows, _("words")))
    return figure


WORDS = Chart("words", message("Words of each turn"), words_chart, words_alt, words_table)
'''
DRAWN = """    with st.container():
        draw_chart(account, words.WORDS)
"""
SCREEN = '''"""About: what this program is."""

import streamlit as st

from debate_core.language import _

st.title(_("About"), anchor=False)
'''
PAGE = '    ("about", _("About"), ":material/info:", "menu"),\n'
FRENCH = '    "fr": LanguageFacts("Français", _Figures()),\n'
CASES = """
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.language import _, spoken
from debate_core.ui.kit.browser_language import others_html
from tests.app.test_results import VOTES, opened, page, say
from tests.app.visiting import unfolded


def test_chart(app: AppTest, host: Host) -> None:
    debate = opened(host)
    say(host, debate, *VOTES)
    page(unfolded(app, "words-as-table"), "results.py", debate, tab="Process")
    (chart,) = app.get("plotly_chart")
    assert "The longest turn has 7 words." in str(chart.proto)
    (words,) = (table.value["words"] for table in app.dataframe if "words" in table.value)
    assert list(words) == [7, 7, 7]


def test_screen(app: AppTest) -> None:
    app.run().switch_page("about.py").run()
    assert [title.value for title in app.title] == ["About"]


def test_language() -> None:
    assert "Français" in others_html()
    with spoken("fr"):
        assert (_("Debates"), _("Protocols")) == ("Débats", "Protocols")
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def messages(copy: Path) -> str:
    """The list of sentences to translate after the steps of all three pages."""
    core = copy / "debate_core"
    results = core / "ui" / "pages" / "results.py"
    (core / "report" / "figures" / "words.py").write_text(CHART, "utf-8")
    insert(results, DRAWN, before="    in_places((offices.participation, offices.steering), account)\n")
    results.write_text(
        results.read_text("utf-8").replace("import ranking, votes", "import ranking, votes, words"), "utf-8"
    )

    (copy / "pages" / "about.py").write_text(SCREEN, "utf-8")
    insert(copy / "pages" / "_router.py", PAGE, before='    ("room", _("Room")')

    language = core / "language.py"
    language.write_text(
        language.read_text("utf-8").replace('Literal["en", "de"]', 'Literal["en", "de", "fr"]'), "utf-8"
    )
    insert(language, FRENCH, before="}\n\n\ndef format_number(")
    return python(copy, "-m", "bench.messages").stdout


@pytest.fixture(scope="module")
def seen(copy: Path, messages: str) -> str:
    """The cases of the three pages, which one process runs."""
    assert "fr: 0 translated" in messages
    catalogue = copy / "debate_core" / "locale" / "fr" / "LC_MESSAGES" / "debate.po"
    translated = catalogue.read_text("utf-8").replace('msgid "Debates"\nmsgstr ""', 'msgid "Debates"\nmsgstr "Débats"')
    catalogue.write_text(translated, "utf-8")
    (copy / "tests" / "app" / "test_added.py").write_text(CASES, "utf-8")
    return run_tests(copy, "-rA", "tests/app/test_added.py").stdout


def test_a_chart_is_a_value_that_a_page_draws_with_its_table(messages: str, seen: str) -> None:
    assert "Words of each turn" in messages
    assert "PASSED tests/app/test_added.py::test_chart" in seen, seen


def test_a_screen_is_a_script_and_a_row_of_the_menu(messages: str, seen: str) -> None:
    assert "About" in messages
    assert "PASSED tests/app/test_added.py::test_screen" in seen, seen


def test_a_language_is_a_row_and_a_catalogue(seen: str) -> None:
    assert "PASSED tests/app/test_added.py::test_language" in seen, seen
