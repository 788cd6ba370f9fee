"""The part of people in a debate: words and questions of each person, and steering words that name an option.

Knows no file format.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from debate_core.engine import judge_view
from debate_core.engine.stage import name_of
from debate_core.record.acts import Asked, Intervened
from debate_core.record.people import Done
from debate_core.report.facts.account import Account
from debate_core.report.facts.office_turns import steered_to
from debate_core.spec.values import in_words


@dataclass(frozen=True, slots=True)
class PersonShare:
    """One person's words in turns, in messages to all seats and from the floor; `share` is of all people's words."""

    name: str
    words: int
    questions: int
    share: float


@dataclass(frozen=True, slots=True)
class SteeringWords:
    """A directive, or a message of a person to all seats, with the options that it names."""

    round: int
    by: str
    names_options: tuple[str, ...]


def people_shares(account: Account) -> tuple[PersonShare, ...]:
    """Everyone who wrote, most words first; () without a word of a person."""
    words = Counter[str]()
    questions = Counter[str]()
    state = account.state
    for turn in account.readable_turns:
        if turn.content is not None and state.is_by_person(turn):
            words[turn.by] += len(judge_view.spoken(turn.content).split())
    said: list[Done[Intervened] | Done[Asked]] = [*state.room.of(Intervened), *state.room.of(Asked)]
    for done in said:
        words[done.by] += len(done.fact.text.split())
        questions[done.by] += done.fact.kind == "question"
    total = words.total()
    by_words = sorted(words, key=lambda person: (-words[person], person))
    return tuple(
        PersonShare(_name(account, person), words[person], questions[person], words[person] / total)
        for person in by_words
        if words[person]
    )


def _name(account: Account, actor: str) -> str:
    named = name_of(account.state, actor)
    return in_words(actor) if named == actor else named


def steering_words(account: Account) -> tuple[SteeringWords, ...]:
    """Directives in force or replaced, then messages to all seats, in the order of the rounds."""
    return tuple(sorted(_steering_words(account), key=lambda row: row.round))


def _steering_words(account: Account) -> Iterator[SteeringWords]:
    options = account.state.spec.options
    for row in account.directives:
        yield SteeringWords(row.round, _name(account, row.by), row.names_options)
    for (number, _phase), given in account.to_all.items():
        for message in given:
            if message.kind != "document":
                yield SteeringWords(number, message.speaker, steered_to(message.text, options))
