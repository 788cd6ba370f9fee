"""Imported drafts on the page of debates, and set-up from them."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.imports.accept import ImportedDraft, ImportedDriver
from debate_core.spec.values import Source
from tests.app.visiting import lists, press, press_row

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


RECORD = """# Which <b>cache</b>?

## Options
- Redis
- Memcached

## Decision
We will use Redis.

## Rollout
In May.
"""


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    app.run()
    return app.file_uploader(key="reopen").set_value((name, data, "text/plain")).run()


def texts(app: AppTest) -> str:
    return "\n".join(markdown.value for markdown in app.markdown)


def test_an_uploaded_record_is_reviewed_beside_its_source(app: AppTest, host: Host):
    upload(app, "0007-cache.md", RECORD.encode())
    assert app.text_area(key="import-options-1").value == "Redis\nMemcached"
    assert "**Chosen option**: Redis :gray[line 8]" in texts(app)
    assert "it states no date" in texts(app)
    (source,) = [part.proto.body for part in app.get("html") if "import-source" in part.proto.body]
    assert "<span>4</span><mark>- Redis</mark>" in source
    assert "<u>## Rollout</u>" in source
    assert "<b>cache" not in source
    assert host.drafts.imported() == {}
    app.text_area(key="import-options-1").set_value("Redis\nNone\n\nNone").run()
    press(app, "take-import")
    draft = app.session_state["setup_draft"]
    assert [option.text for option in draft.options] == ["Redis", "None", ""]
    assert draft.sources[0].text == RECORD
    assert "records an earlier decision: “Redis”" in draft.background


def test_another_upload_replaces_the_review(app: AppTest):
    upload(app, "0007-cache.md", RECORD.encode())
    app.text_area(key="import-options-1").set_value("mine").run()
    app.file_uploader(key="reopen").set_value(("t.csv", b"option,Cost\nA,1\nB,2\n", "text/csv")).run()
    assert app.text_area(key="import-options-2").value == "A\nB"
    assert app.text_area(key="import-criteria-2").value == "Cost"


def test_more_options_than_a_debate_has_are_not_taken(app: AppTest):
    upload(app, "0007-cache.md", RECORD.encode())
    app.text_area(key="import-options-1").set_value("\n".join("abcdefghi")).run()
    assert [error.value for error in app.error] == ["A debate has at most 8 options: take some out."]
    assert "Take over into set-up" not in [button.label for button in app.button]


def test_an_unreadable_upload_is_refused_in_one_sentence(app: AppTest):
    upload(app, "a.docx", b"PK no zip")
    (error,) = app.error
    assert "damaged Word file" in error.value
    assert "Take over into set-up" not in [button.label for button in app.button]


def test_a_transcript_makes_a_record_that_was_not_held_here(app: AppTest, host: Host):
    upload(app, "talk.txt", b"Ann: Redis or Memcached?\n\nBo: Redis.\n\nAnn: Why?\n\nBo: It survives.\n")
    app.text_area(key="import-question-1").set_value("Which cache?")
    press(app, "make-record")
    assert "debate needs 2 to 8 options" in app.error[0].value
    app.text_area(key="import-options-1").set_value("Redis\nMemcached")
    app.text_input(key="import-leader").set_value("Fay")
    press(app, "make-record")
    (row,) = host.debates()
    assert row.held_elsewhere is not None
    assert (row.status, row.held_elsewhere.file) == ("undecided", "talk.txt")
    assert [person.name for person in host.state(row.id).spec.people()] == ["Fay", "Ann", "Bo"]
