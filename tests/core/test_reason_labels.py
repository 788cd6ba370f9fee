"""Labels that authors put before reasons: found, taken away, and one to a passage."""

import pytest

from debate_core.engine.passages import passages_of
from debate_core.engine.reason_labels import as_clause, label_of, split_reasons, without_label
from debate_core.spec.values import Source


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("Good, because it is fast", "good", "it is fast"),
        ("Bad because few run one", "bad", "few run one"),
        ("**Neutral**, because both need a licence", "neutral", "both need a licence"),
        ("* Bad, as it costs 640 EUR", "bad", "it costs 640 EUR"),
        ("Gut, weil es schnell ist", "good", "es schnell ist"),
        ("**Con:** a second store to back up", "bad", "a second store to back up"),
        ("Good, because Bad, because it repeats itself", "good", "it repeats itself"),
        ("Good as new, it runs in two rooms", None, "Good as new, it runs in two rooms"),
        ("The idea is good, because it saves", None, "The idea is good, because it saves"),
        ("Good, because ", "good", "Good, because "),
    ],
)
def test_label_is_read_and_taken_away(text: str, label: str | None, reason: str):
    assert (label_of(text), without_label(text)) == (label, reason)


@pytest.mark.parametrize(
    ("reason", "clause"),
    [
        ("Because it is cheap.", "it is cheap."),
        ("because of the load", "of the load"),
        ("Weil es schnell ist", "es schnell ist"),
        ("Good, because The team runs it", "the team runs it"),
        ("**Pro:** Because we own one", "we own one"),
        ("Redis is fast", "Redis is fast"),
        ("Because ", "because "),
        ("Becaused", "Becaused"),
    ],
)
def test_reason_continues_after_because(reason: str, clause: str):
    assert as_clause(reason) == clause


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        (
            "Good, because no state is kept. Bad, because 22 kB do not fit into 4 kB. Bad, because a list is needed.",
            [
                "Good, because no state is kept.",
                "Bad, because 22 kB do not fit into 4 kB.",
                "Bad, because a list is needed.",
            ],
        ),
        ("Good, because cheap, but bad, because slow", ["Good, because cheap", "bad, because slow"]),
        ("Known for years. Pro: fast.\nCon: dear.", ["Known for years.", "Pro: fast.", "Con: dear."]),
        ("Gut, weil schnell; schlecht, weil teuer", ["Gut, weil schnell;", "schlecht, weil teuer"]),
        ("It is good, because it is fast.", ["It is good, because it is fast."]),
        ("", [""]),
    ],
)
def test_text_is_split_at_each_label(text: str, slices: list[str]):
    assert [text[low:high] for low, high in split_reasons(text, 0, len(text))] == slices


def test_passage_has_one_label_at_most():
    text = (
        "# Sessions\n\n## Signed cookies\n\n"
        "Good, because no server state is needed, so a deploy logs no user out. Bad, because a session of 22 kB does "
        "not fit into a cookie of 4 kB.\nBad, because no user can be logged out.\n\n"
        "- Good, because every client has them\n"
    )
    passages = passages_of(Source(id="E1", title="t", text=text))
    assert [passage.text.split()[0] for passage in passages] == ["Good,", "Bad,", "Bad,", "Good,"]
    assert all(text[passage.start : passage.end] == passage.text for passage in passages)
    assert {passage.heading for passage in passages} == {"Signed cookies"}
