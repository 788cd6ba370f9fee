"""The requests of debates to people at the moment: each one with its readers, its delivery, and a mail to send it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

import streamlit as st

from debate_core.engine.stage import name_of
from debate_core.host.debate_list import DebateRow
from debate_core.host.runner import now
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.messages import DebateMoment, Message, MessageKind, standing_messages
from debate_core.report.facts.terms import named
from debate_core.report.phrases.messages import KINDS, Addressee, message_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.dates import recent_minute_words, spell_days
from debate_core.ui.kit.text import safe_line
from debate_core.ui.pages import debate_rows
from debate_core.ui.room.role_panels import links

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.outbox import Delivery, QueuedMessage
    from debate_core.host.messages.post_office import PostOffice

_TITLES: Words[MessageKind] = Words(
    {
        "your_turn": "Turn due",
        "your_vote": "Vote open",
        "sign": "Approval due",
        "decided": "Decided",
        "challenged": "Challenged",
        "due": "Date reached",
    }
)
"""Kinds for a reader who may be none of those addressed."""
MAX_DEBATES = 20
"""Debates whose requests are listed, latest first."""
_ON_A_PHONE = """<style>
@media (max-width: 640px) {
  [class*="st-key-waits-"] { flex-wrap: wrap }
  [class*="st-key-waits-"] > :first-child { flex: 1 0 100% }
}
</style>"""
"""The mail is below the text."""


@dataclass(frozen=True, slots=True)
class _OpenRequest:
    """A request of a debate to people; `causes` are the keys of its messages, of which a shared channel gets one."""

    state: State
    told: Message
    causes: frozenset[str]

    def is_cause_of(self, sent: "Delivery | QueuedMessage") -> bool:
        return (sent.debate, sent.topic) == (self.state.debate, self.told.topic) and sent.key in self.causes


@dataclass(frozen=True, slots=True)
class Waiting:
    """The open requests of the latest debates, and the number of older debates that may have more."""

    requests: Sequence[_OpenRequest]
    n_older: int

    @property
    def words(self) -> str:
        """The number of requests in a sentence."""
        n = len(self.requests)
        if not n:
            return _("No debate waits for a person.")
        return _n(n, "{n} request waits for people.", "{n} requests wait for people.")


def list_waiting() -> Waiting:
    """Return what the debates of this host ask of people."""
    waiting = [row for row in session.debates() if _may_wait(row)]
    return Waiting([*_list_requests(waiting[:MAX_DEBATES])], max(0, len(waiting) - MAX_DEBATES))


def draw(waiting: Waiting, office: "PostOffice | None") -> None:
    """Draw each request with its delivery; without an `office` nothing was delivered."""
    if not waiting.requests:
        return
    st.subheader(_("Waiting for people now"), anchor=False)
    st.caption(_("Steps of a facilitator in the room are on the page Debates: they send no message."))
    of_question = Counter(row.question for row in session.debates())
    st.html(_ON_A_PHONE)
    with st.container(key="messages-waiting", gap="xsmall"):
        for request in waiting.requests:
            _draw_request(request, office, is_alone=of_question[request.state.spec.question] <= 1)
    if n_older := waiting.n_older:
        st.caption(
            _n(n_older, "{n} older debate is on the page Debates.", "{n} older debates are on the page Debates.")
        )


def _list_requests(waiting: Iterable[DebateRow]) -> Iterator[_OpenRequest]:
    for row in waiting:
        state = session.host().state(row.id)
        groups: dict[tuple[str, str], list[Message]] = {}
        for told in standing_messages(DebateMoment(state, now())):
            if told.kind != "decided":
                groups.setdefault((told.topic, told.group or told.key), []).append(told)
        for (_topic, key), group in groups.items():
            people = dict.fromkeys(person for told in group for person in told.people)
            causes = frozenset((key, *(told.key for told in group)))
            yield _OpenRequest(state, replace(group[0], people=tuple(people)), causes)


def _may_wait(row: DebateRow) -> bool:
    """True for a debate under way, and for a decision that waits for a signature, a review or an answer."""
    is_due = debate_rows.is_due(row, datetime.now(UTC).date())
    return not row.is_over or bool(row.sign_off.waits_for) or row.sign_off.since == "challenged" or is_due


def _draw_request(request: _OpenRequest, office: "PostOffice | None", *, is_alone: bool) -> None:
    told, debate = request.told, request.state.debate
    sentence = spell_days(message_sentence(request.state, told, Addressee()))
    key = f"waits-{debate}-{told.topic}-{told.key}"
    with st.container(horizontal=True, vertical_alignment="center", border=True, key=key):
        opened = "" if is_alone else _("opened {when}", when=recent_minute_words(request.state.opened_at))
        with st.container(width="stretch", gap=None):
            st.markdown(f"**{_TITLES[told.kind]}** · {safe_line(sentence, max_chars=300)}")
            st.caption(" · ".join(filter(None, (opened, _reader_words(request), _delivery_words(office, request)))))
        page = "results" if told.kind in ("sign", "challenged") or told.topic == "review" else "room"
        link = f"{links.address().url}/{page}?id={debate}"
        mail = mail_address(KINDS[told.kind], f"{sentence}\n\n{link}")
        st.link_button(_("Write a mail"), mail, icon=":material/mail:")


def _reader_words(request: _OpenRequest) -> str:
    """`To: Abe (approver)`, or `To: 3 people (voter)` where a name could tell who has voted or spoken."""
    told = request.told
    roles = spoken_list([named(role) for role in told.roles])
    if told.people and told.kind in ("sign", "challenged"):
        names = spoken_list([safe_line(name_of(request.state, person)) for person in told.people])
        return _("To: {names} ({roles})", roles=roles, names=names)
    if not told.people:
        return _("To: no one yet ({roles})", roles=roles)
    return _n(len(told.people), "To: {n} person ({roles})", "To: {n} people ({roles})", roles=roles)


def _delivery_words(office: "PostOffice | None", request: _OpenRequest) -> str:
    """The channels that took the message, or why none did; empty without any, which the page says once."""
    if office is None:
        return ""
    arrived = []
    for name in office.settings.channels:
        taken = next(filter(request.is_cause_of, office.outbox.health(name).latest), None)
        arrived += [f"{safe_line(name)}, {recent_minute_words(taken.at)}"] if taken else []
    if arrived:
        return _("arrived: {channels}", channels="; ".join(arrived))
    if any(map(request.is_cause_of, office.outbox.queued())):
        return _("in the queue")
    if any(map(request.is_cause_of, office.outbox.dead())):
        return _("undelivered, see below")
    return _("not sent: no channel takes it")


def mail_address(subject: str, body: str) -> str:
    """Return a link that opens a new mail with this text."""
    return f"mailto:?subject={quote(subject)}&body={quote(body)}"
