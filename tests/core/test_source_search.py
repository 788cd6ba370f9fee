"""Search in the sources: passages word for word, in an order that depends on the sources and the query alone."""

import pytest

from debate_core.engine.source_search import search_sources
from debate_core.record.look_ups import MAX_PASSAGES
from debate_core.spec.values import Source

QUEUE = Source(
    id="E1",
    title="Incident report",
    text=(
        "# Incident report\n\n## Cause\n\nThe old queue lost nine messages in May, and it took a week to notice."
        "\n\n## Costs\n\nA managed broker costs 900 dollars a month, and two engineers would learn it in a week.\n\n"
        "We looked at the office plants as well, and they are doing fine this summer."
    ),
)
BROKER = Source(
    id="E2",
    title="Offer",
    text="The broker of the vendor keeps every message for seven days, which the old queue never did.",
)


def test_search_finds_passages_word_for_word():
    found = search_sources((QUEUE, BROKER), "a managed broker")
    assert [(passage.source_id, passage.heading) for passage in found] == [("E1", "Costs"), ("E2", "")]
    assert all(passage.text in source.text for passage, source in zip(found, (QUEUE, BROKER), strict=True))


def test_search_is_the_same_every_time():
    query = "Did the old queue lose messages?"
    first = search_sources((QUEUE, BROKER), query)
    assert first == search_sources((QUEUE, BROKER), query.upper())
    assert {passage.source_id for passage in first} == {"E1", "E2"}


@pytest.mark.parametrize("query", ["", "   ", "of the and", "zeppelin", "%%%"])
def test_search_without_a_known_word_finds_nothing(query: str):
    assert search_sources((QUEUE, BROKER), query) == ()


def test_search_answer_is_bounded_and_has_no_repeats():
    said = [f"The queue of team {number} lost {number} messages in the week before." for number in range(9)]
    many = Source(id="E3", title="Teams", text="\n\n".join([*said, *said]))
    found = search_sources((many,), "queue")
    assert len(found) == MAX_PASSAGES
    assert len({passage.text for passage in found}) == MAX_PASSAGES
    assert [passage.number for passage in found] == [1, 2, 3, 4, 5]
