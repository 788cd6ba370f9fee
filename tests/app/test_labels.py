"""Labels of fields: what a screen reader says is what is meant, and what people wrote stays text."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest

from debate_core.ui.kit.text import safe_label
from tests.app.test_attacks_text import ACTIVE, NASTY
from tests.app.visiting import step

MARKUP = MarkdownIt("commonmark").enable(["strikethrough", "table"])


def rendered(label: str) -> str:
    """Return a label as the page shows it, without zero-width breaks."""
    html = MARKUP.render(label).strip()
    return unescape(html.removeprefix("<p>").removesuffix("</p>")).replace("\u200b", "")


@pytest.mark.parametrize(
    "text", ["database expert", "Keep PostgreSQL (managed), v. 16!", "a_b - c/d", "Q1: yes & no", "risk at 40 %"]
)
def test_a_label_that_means_nothing_to_markdown_is_left_as_it_is(text: str):
    assert safe_label(text) == text


@pytest.mark.parametrize("text", NASTY)
def test_what_people_wrote_is_text_in_a_label(text: str):
    assert ACTIVE.findall(safe_label(text)) == []


@given(st.text(alphabet="ab 1_*`~[]()<>#+-=|.:!&;\\$\"'/", min_size=1, max_size=30))
def test_a_label_shows_exactly_its_text(text: str):
    assert rendered(safe_label(text)) == " ".join(text.split())


def test_no_field_of_the_set_up_has_a_name_with_escapes(app: AppTest):
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").set_value("Should we move?")
    app.text_input(key="setup_option_o1").set_value("migrate to v_2")
    app.text_input(key="setup_option_o2").set_value("stay (for now)").run()
    fields = (*app.number_input, *app.text_input, *app.text_area, *app.selectbox, *app.radio, *app.checkbox)
    assert [f.label for f in fields if re.search(r"\\|[a-z]_[a-z]", f.label)] == []
    for section in ("protocol", "counting", "undecided", "course", "time", "roles", "seats"):
        step(app, "people", section)
        fields = (*app.number_input, *app.text_input, *app.text_area, *app.selectbox, *app.multiselect, *app.checkbox)
        assert [f.label for f in fields if re.search(r"\\|[a-z]_[a-z]", f.label)] == []
    assert "Quotes on data argues for" in [f.label for f in app.selectbox]
