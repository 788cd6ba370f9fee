"""A message in words, in the language of its channel, with the link for its reader. Knows no format and no receiver."""

from dataclasses import dataclass

from debate_core.language import Language, _, spoken
from debate_core.record.state import State
from debate_core.report.facts.messages import Message, MessageKind
from debate_core.report.phrases.messages import KINDS, Addressee, message_sentence

LetterLanguage = Language


@dataclass(frozen=True, slots=True)
class Letter:
    """A message, ready to be sent: for one person, or for a channel that several people read."""

    id: str
    """The same at each attempt."""
    at: str
    """Time at which the message came up (UTC text)."""
    title: str
    """The kind in words."""
    sentence: str
    link: str
    link_label: str
    kind: MessageKind | None = None
    """None = a test."""
    debate: str = ""
    roles: tuple[str, ...] = ()
    person: str = ""
    """Name of the only addressee; empty for a shared channel."""


def letter_of(
    state: State, told: Message, to: Addressee, language: LetterLanguage, *, letter_id: str, at: str, link: str
) -> Letter:
    person = state.room.people.get(to.person)
    with spoken(language):
        return Letter(
            id=letter_id,
            at=at,
            title=KINDS[told.kind],
            sentence=message_sentence(state, told, to),
            link=link,
            link_label=_("Open"),
            kind=told.kind,
            debate=state.debate,
            roles=told.roles,
            person=person.name if person else "",
        )


def trial_letter(language: LetterLanguage, *, letter_id: str, at: str, link: str) -> Letter:
    """A letter that says that messages arrive here."""
    with spoken(language):
        sentence = _("Messages of this server arrive here.")
        return Letter(letter_id, at, _("Test"), sentence, link, _("Open"))
