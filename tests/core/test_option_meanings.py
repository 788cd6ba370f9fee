"""The meaning of an option, read from the documents of a debate."""

from debate_core.report.facts.option_meanings import option_meanings
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat, Source
from tests.playing import Played

OPTIONS = ("Outbox table", "Change data capture", "Retries", "Leave it")
RECORD = """# Publish order events

## Considered Options

* Outbox table: the event is written with the order. It is relayed later.
* Option 2: Change data capture – read the log
* Not Retries: they lose events
* Leave it

## Pros and Cons of the Options

### Retries

Publish after the commit and try again. This is old.

* Good, because it is simple

### Leave it

{description of the option}
"""


def meanings(*sources: Source) -> dict[str, str]:
    """The meanings before the first round."""
    seats = [Seat(id="ana", occupant="human"), Seat(id="ben", occupant="human")]
    played = Played(compose("Which?", OPTIONS, protocol("bounded_vote"), seats, max_rounds=2, sources=sources))
    return dict(option_meanings(played.state))


def test_decision_record_explains_its_options():
    assert meanings(Source(id="E1", title="ADR 7", text=RECORD)) == {
        "Outbox table": "the event is written with the order.",
        "Change data capture": "read the log",
        "Retries": "Publish after the commit and try again.",
    }


def test_document_titled_by_an_option_explains_it():
    text = "# Leave it\n\nNothing changes. Orders go on as today."
    assert meanings(Source(id="C1", title="leave it", text=text)) == {"Leave it": "Nothing changes."}


def test_long_sentence_is_no_meaning():
    assert meanings(Source(id="C1", title="Leave it", text="Nothing changes at all, " * 12)) == {}


def test_document_that_some_do_not_read_yet_explains_nothing():
    text = "Nothing changes."
    later = Source(id="C1", title="Leave it", text=text, from_round=2)
    private = Source(id="C2", title="Retries", text=text, only_for=("ana",))
    assert meanings(later, private) == {}
