"""Imported drafts on the page of debates, and set-up from them."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.imports.accept import ImportedDraft, ImportedDriver
from debate_core.spec.values import Source
from tests.app.visiting import lists, press_row

DRAFT = ImportedDraft(
    name="0007-cache.md",
    kind="decision",
    question="Which cache?",
    options=("Redis", "Memcached"),
    drivers=(ImportedDriver(name="Cost", weight=70), ImportedDriver(name="Risk", weight=30)),
    background="0007-cache.md records an earlier decision: “Redis”.",
    sources=(Source(id="E1", title="Cache", text="# Which cache?"),),
)


def test_an_imported_draft_opens_in_set_up_and_leaves_the_list(app: AppTest, host: Host):
    host.drafts.keep_imported(DRAFT.name, DRAFT.model_dump_json())
    host.drafts.keep_imported("broken", "{")
    app.run()
    (row,) = lists(app)["Imported drafts"]
    assert (row["question"], row["beside"]) == ("Which cache?", "Redis · Memcached")
    press_row(app, DRAFT.name)
    assert app.text_area(key="setup_question").value == "Which cache?"
    draft = app.session_state["setup_draft"]
    assert [option.text for option in draft.options] == ["Redis", "Memcached", ""]
    assert [(driver.name, driver.weight) for driver in draft.drivers] == [("Cost", 70), ("Risk", 30)]
    assert (draft.background, draft.sources) == (DRAFT.background, DRAFT.sources)
    assert set(host.drafts.imported()) == {"broken"}
