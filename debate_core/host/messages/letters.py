"""Writes the letter of a queued message from the current record, with the link for its reader.

A personal link goes only to the channel of its person, who has a personal invite; a channel that several people read
gets the address of the page. A message whose cause has passed has no letter.
"""

from datetime import datetime

from debate_core.errors import UnknownDebate
from debate_core.host.access.door import Door
from debate_core.host.access.invites import Invite
from debate_core.host.access.reading import is_open_here
from debate_core.host.debate_reader import DebateReader
from debate_core.host.messages.channels import MessageChannel, MessageSettings
from debate_core.host.messages.outbox import QueuedMessage
from debate_core.names import name_key
from debate_core.record.events import utc_text
from debate_core.record.state import State
from debate_core.report.facts.messages import DebateMoment, Message, standing_messages
from debate_core.report.phrases.letters import Letter, letter_of, trial_letter
from debate_core.report.phrases.messages import Addressee


def addressees(channel: MessageChannel, told: Message, state: State, door: Door) -> tuple[str, ...]:
    """Ids of the addressees in this channel: "" = all its readers; () = the channel does not take the message.

    A channel of one person takes their messages in debates with a personal invite for them. Someone who came by the
    link for all under that name has none.
    """
    if told.kind not in channel.spec.events:
        return ()
    if not channel.spec.person:
        return ("",)
    key = name_key(channel.spec.person)
    named = [person for person in told.people if name_key(state.room.people[person].name) == key]
    return tuple(person for person in named if _personal_invite(door, state.debate, person) is not None)


def _personal_invite(door: Door, debate: str, person: str) -> Invite | None:
    """The latest personal invite of this person that was not revoked."""
    invites = (listed.invite for listed in door.invitations.of(debate) if listed.status != "revoked")
    return next((one for one in invites if one.kind == "personal" and one.person == person), None)


class LetterWriter:
    """Writes the letters of one store."""

    def __init__(self, reader: DebateReader, settings: MessageSettings) -> None:
        self._reader = reader
        self._settings = settings

    def write(self, message: QueuedMessage, channel: MessageChannel, *, now: datetime) -> Letter | None:
        """The letter; None if its cause has passed, or its reader may no longer get it."""
        try:
            state = self._reader.state_now(message.debate)
        except UnknownDebate:
            return None
        told = _cause(message, state, now)
        if told is None or (message.person and not addressees(channel, told, state, self._reader.door)):
            return None
        to = Addressee(message.person, may_read=bool(message.person) or is_open_here(state))
        link = self._link(message, told)
        return letter_of(state, told, to, channel.spec.language, letter_id=message.id, at=message.at, link=link)

    def write_test(self, channel: MessageChannel, *, now: datetime, letter_id: str) -> Letter:
        """A letter that says that messages arrive here."""
        link = self._settings.public_url
        return trial_letter(channel.spec.language, letter_id=letter_id, at=utc_text(now), link=link)

    def _link(self, message: QueuedMessage, told: Message) -> str:
        base = self._settings.public_url
        door = self._reader.door
        invite = _personal_invite(door, message.debate, message.person) if message.person else None
        if invite is not None and door.invitations.status(invite) in ("ready", "used"):
            return f"{base}/join/{door.token(invite)}"
        page = "results" if told.kind in ("decided", "challenged") or told.topic == "review" else "room"
        return f"{base}/{page}?id={message.debate}"


def _cause(message: QueuedMessage, state: State, now: datetime) -> Message | None:
    """The cause of the message, if it persists: for its person or, in a shared channel, for anyone."""
    for told in standing_messages(DebateMoment(state, now)):
        if told.topic != message.topic:
            continue
        is_same = told.key == message.key if message.person else (told.group or told.key) == message.key
        if is_same and (not message.person or message.person in told.people):
            return told
    return None
