"""Suggestions of marks from the headings and labels of a document."""

import pytest

from debate_core.engine.reason_labels import author_reason
from debate_core.engine.suggested_marks import MAX_TOGETHER, suggested_marks
from debate_core.report.facts.account import account
from debate_core.report.phrases.events import act_phrase
from debate_core.report.phrases.marks import together_words
from debate_core.spec.contents import Claim, Mark, Review
from debate_core.spec.values import Source
from tests.marking import IDS, marked, quoted
from tests.people import FAY

OPTIONS = ("Redis", "Postgres table")
TEXT = """# Where do sessions live?

## Context

The load peaks in May, as every year before.

## Options

### Redis

- Good, because it answers in two milliseconds.
- Good, because three teams run one already.
- Bad, because a second store needs a team.

#### Cons

A failover in March lost 40 seconds of writes.

## Pros of Postgres table

The team on call runs the database already.

Bad, because each request costs one more query.

A session is written with its order in one step.

## Cons of not having a Postgres table

The team has to run two backups each night.

Its operators have to be trained twice a year.

## Pros and cons

Both of them need a licence from next year on.
"""


def read(text: str = TEXT) -> tuple[Source, list[Claim]]:
    """The document, and each of its reasons as a claim that quotes it."""
    lines = [line.removeprefix("- ") for line in text.splitlines() if line and not line.startswith("#")]
    claims = [Claim(id=f"cost.1.{n}", text=line, source_id="E1", quote=line) for n, line in enumerate(lines)]
    return Source(id="E1", title="Sessions", text=text), claims


def test_suggestions_follow_headings_and_labels():
    source, claims = read()
    found = suggested_marks([source], claims, OPTIONS)
    assert [(one.reading, one.option, [(m.claim.text[:12], m.words) for m in one.marks]) for one in found] == [
        ("supports", "Redis", [("Good, becaus", "Redis / Good, because"), ("Good, becaus", "Redis / Good, because")]),
        ("against", "Redis", [("Bad, because", "Redis / Bad, because"), ("A failover i", "Redis / Cons")]),
        (
            "supports",
            "Postgres table",
            [("The team on ", "Pros of Postgres table"), ("A session is", "Pros of Postgres table")],
        ),
    ]


@pytest.mark.parametrize(
    ("headings", "sides"),
    [
        ("## Vorteile von Redis", ["supports Redis"]),
        ("## Redis\n\n### Nachteile", ["against Redis"]),
        ("## Vorteile der Lösung ohne Redis", []),
        ("## Nachteile: kein Redis im Betrieb", []),
        ("## Without Redis\n\n### Costs\n\n#### Cons", []),
        ("## Pros of No Redis", ["supports No Redis"]),
        ("## Vorteile von No Redis", ["supports No Redis"]),
    ],
)
def test_negated_heading_suggests_no_mark(headings: str, sides: list[str]):
    lines = ["It answers in two milliseconds at the peak.", "Three teams run one already since May."]
    source, claims = read("# Which?\n\n" + headings + "\n\n" + "\n\n".join(lines))
    found = suggested_marks([source], claims, ("Redis", "No Redis"))
    assert [f"{one.reading} {one.option}" for one in found] == sides


def test_marked_claims_are_left_out_of_suggestions():
    source, claims = read()
    left_out = {claims[1].id, claims[3].id}
    assert [one.option for one in suggested_marks([source], claims, OPTIONS, left_out)] == ["Postgres table"]


def test_a_suggestion_has_at_most_a_dozen_passages():
    reasons = [f"- Good, because it saves {n} hours a week." for n in range(10, 36)]
    source, claims = read("# Which?\n\n## Redis\n\n" + "\n".join(reasons))
    assert [len(one.marks) for one in suggested_marks([source], claims, OPTIONS)] == [MAX_TOGETHER, MAX_TOGETHER, 2]
    assert [len(one.marks) for one in suggested_marks([source], claims[:-1], OPTIONS)] == [MAX_TOGETHER, MAX_TOGETHER]


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Pros", "good"),
        ("Pros:", "good"),
        ("Advantages of Redis", "good"),
        ("Redis: Nachteile", "bad"),
        ("Redis (cons)", "bad"),
        ("Redis - drawbacks", "bad"),
        ("Vorteile von Redis", "good"),
        ("Arguments against Redis", "bad"),
        ("Gründe für Redis", "good"),
        ("Pros and Cons of the Options", None),
        ("Good practice", None),
        ("Non-benefits", None),
        ("Redis", None),
    ],
)
def test_heading_gives_its_passages_a_side(heading: str, label: str | None):
    line = "It answers in two milliseconds at the peak."
    source = Source(id="E1", title="Sessions", text=f"# Which?\n\n## {heading}\n\n{line}\n")
    found = author_reason([source], "E1", line, OPTIONS)
    assert (found.label, found.words) == (label, heading.removesuffix(":") if label else "")


def test_own_label_overrides_the_heading():
    source, claims = read()
    claim = next(claim for claim in claims if "one more query" in claim.text)
    found = author_reason([source], "E1", claim.text, OPTIONS)
    assert (found.label, found.words, found.option) == ("bad", "Bad, because", "Postgres table")


def test_record_says_which_marks_were_set_together():
    held = quoted()
    alone = Mark(claim_id=IDS[0], reading="neutral")
    together = Mark(claim_id=IDS[1], reading="supports", option="adopt", together="Pros of adopt")
    assert "together" not in alone.model_dump_json()
    held.go_on().say(Review(marks=(alone, together)), by=FAY.id)
    told = account(held.state, held.events)
    assert [(row.actor, row.target, row.reason) for row in told.overrides if row.action == "mark"] == [
        ("Fay", IDS[0], ""),
        ("Fay", IDS[1], "together with others, under “Pros of adopt”"),
    ]
    assert together_words([alone, together]) == "1 mark set together with others, as the author sorted the passages"
    assert together_words([alone]) == ""


def test_event_of_a_sealed_mark_hides_its_side():
    mark = marked(IDS[0], "supports adopt")
    assert "together" not in mark.model_dump_json()
    assert act_phrase(mark) == "marked a passage"
    assert act_phrase(mark.model_copy(update={"together": "Pros of adopt"})) == "marked a passage together with others"
