"""The input of each section of a decision record, and the type of a section."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from debate_core.engine.reason_labels import as_clause
from debate_core.language import _, current
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import Decision
from debate_core.report.files.anonymise import Names
from debate_core.report.files.document import Block, Heading
from debate_core.text import everyday_words, line

EMPTY = "(empty)"
"""Placeholder for an empty text of a person."""


@dataclass(frozen=True, slots=True)
class Case:
    """One decision, and the names of its participants."""

    account: Account
    names: Names
    signing_key: str = ""
    """The public key that signs this record, in hex; empty without one."""

    @property
    def state(self) -> State:
        return self.account.state

    @property
    def decision(self) -> Decision:
        """The counted and signed decision."""
        return self.account.decision

    @property
    def question(self) -> str:
        """The question, with replaced names."""
        return self.names.text(self.state.spec.question)

    def say(self, text: str) -> str:
        """Text of people on one line."""
        return line(self.names.text(text)) or EMPTY

    def clause(self, text: str) -> str:
        """A reason of a person as the continuation of "because"; German nouns keep their capital."""
        everyday = () if current() == "de" else self.account.once(_everyday_words)
        return as_clause(self.say(text), everyday)

    def within(self, text: str) -> str:
        """A reason inside a sentence that continues after it."""
        return self.clause(text).rstrip(".;,") or EMPTY

    def in_brackets(self, text: str) -> str:
        """Text of a person in brackets; empty if there is none."""
        return f" ({self.say(text)})" if text.strip() else ""

    def who(self, actor: str) -> str:
        """A person or seat on one line."""
        return line(self.names.person(actor)) or EMPTY

    def seat(self, seat_id: str) -> str:
        """A seat on one line."""
        return line(self.names.seat(seat_id)) or EMPTY


def _everyday_words(account: Account) -> frozenset[str]:
    """Words of question, documents and claims that are no names; they lose their capital at the start of a clause."""
    spec = account.state.spec
    claims = (claim.text for claim in account.state.claims.values())
    return everyday_words("\n".join((spec.question, spec.context, *(s.text for s in spec.sources), *claims)))


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a decision record under its title; a part without blocks is omitted."""

    level: int
    title: str
    blocks: Callable[[Case], list[Block]]


def blocks_of(case: Case, chosen: Iterable[Section]) -> list[Block]:
    """Sections one after the other, each under its heading."""
    found = list[Block]()
    for section in chosen:
        if blocks := section.blocks(case):
            found += [Heading(section.level, _(section.title)), *blocks]
    return found
