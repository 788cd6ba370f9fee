"""The debates on the page of messages, one row each: its state, its requests and its messages."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import quote

import streamlit as st

from debate_core.engine.stage import name_of
from debate_core.host.debate_list import DebateRow
from debate_core.host.runner import now
from debate_core.language import Words, _, _n, said, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.messages import KIND_OF, DebateMoment, Message, Topic, standing_messages
from debate_core.report.facts.terms import named
from debate_core.report.phrases.messages import KINDS, Addressee, message_sentence
from debate_core.spec.people import poll_words
from debate_core.ui.kit import session
from debate_core.ui.kit.dates import recent_minute_words, spell_days
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.pages import debate_rows
from debate_core.ui.room.role_panels import links

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.faults import FaultReason
    from debate_core.host.messages.outbox import Delivery, QueuedMessage
    from debate_core.host.messages.post_office import PostOffice

_STATES: Words[Topic] = Words(
    {
        "turn": "Turn due",
        "limit": "Limit reached",
        "outage": "Seats not reached",
        "vote": "Vote open",
        "signature": "Approval due",
        "decision": "Decision due",
        "changes": "Changes to sign",
        "objection": "Objection recorded",
        "otherwise": "Decision did not hold",
        "assumption": "Assumption broken",
        "review": "Review date reached",
        "deadline": "Time nearly over",
    }
)
"""The states that cause messages; the reader may be no addressee."""
_FAULTS: "Words[FaultReason]" = Words(
    {
        "inside": "{detail} is inside the network: DEBATE_MESSAGES_ALLOW must name it",
        "late": "no answer within {detail} s",
        "connection": "no connection: {detail}",
        "redirect": "the receiver redirects ({detail}), and messages follow no redirect",
        "status": "the receiver answered {detail}",
        "login": "the mail server refused the login",
        "no_tls": "{detail} offers no TLS: use smtps://, or name it in DEBATE_MESSAGES_ALLOW",
        "no_channel": "the settings no longer have this channel",
        "broken": "an error in this program, see its log ({detail})",
    }
)
MAX_DEBATES = 20
"""Debates whose requests are listed, latest first."""
MAX_TITLE_CHARS = 70
_LOOK = """<style>
.st-key-messages-debates summary strong { display: block }
@media (max-width: 640px) {
  [class*="st-key-waits-"] { flex-wrap: wrap }
  [class*="st-key-waits-"] > :first-child { flex: 1 0 100% }
}
</style>"""
"""The state is below the title; on a phone the mail is below its request."""


@dataclass(frozen=True, slots=True)
class _OpenRequest:
    """A request of a debate to people; `causes` are the keys of its messages, of which a shared channel gets one."""

    state: State
    told: Message
    causes: frozenset[str]

    def is_cause_of(self, sent: "Delivery | QueuedMessage") -> bool:
        return (sent.debate, sent.topic) == (self.state.debate, self.told.topic) and sent.key in self.causes


@dataclass(frozen=True, slots=True)
class DebateMessages:
    """A debate with its open requests, the task of this person, and its messages in the channels."""

    row: DebateRow
    requests: Sequence[_OpenRequest] = ()
    task: str = ""
    phase: str = ""
    """What the page Debates says of a debate that goes on."""
    arrived: "Sequence[tuple[str, Delivery]]" = ()
    """Name of the channel, and what it took."""
    failed: "Sequence[QueuedMessage]" = ()

    @property
    def waits(self) -> bool:
        """True if the debate waits for a person."""
        return bool(self.requests or self.task or (self.phase and debate_rows.awaits_lead(self.row)))

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """Failures come first, then tasks of this person, then what waits for others."""
        return not self.failed, not self.task, not self.waits


@dataclass(frozen=True, slots=True)
class Overview:
    """The debates with a request or a message, and the number of older ones that may have a request."""

    debates: Sequence[DebateMessages]
    n_older: int


def read_overview(office: "PostOffice | None") -> Overview:
    """Return the debates of this host with open requests or messages."""
    rows = session.debates()
    waiting = [row for row in rows if _may_wait(row)]
    read = {row.id for row in waiting[:MAX_DEBATES]}
    arrived: defaultdict[str, list[tuple[str, Delivery]]] = defaultdict(list)
    failed: defaultdict[str, list[QueuedMessage]] = defaultdict(list)
    if office is not None:
        for name in office.settings.channels:
            for one in office.outbox.health(name).latest:
                arrived[one.debate].append((name, one))
        for message in office.outbox.dead():
            failed[message.debate].append(message)
    debates = [
        DebateMessages(
            row,
            requests=[*_list_requests(row)] if row.id in read else [],
            task=debate_rows.word_of(row) if row.id in read and not row.ownership.archived else "",
            phase=debate_rows.phase_words(row) if row.id in read else "",
            arrived=arrived[row.id],
            failed=failed[row.id],
        )
        for row in rows
    ]
    shown = [one for one in debates if one.waits or one.arrived or one.failed]
    return Overview(sorted(shown, key=lambda one: one.rank), max(0, len(waiting) - MAX_DEBATES))


def _may_wait(row: DebateRow) -> bool:
    """True for a debate under way, and for a decision that waits for a signature, a review or an answer."""
    is_due = debate_rows.is_due(row, datetime.now(UTC).date())
    is_open = not row.is_over or debate_rows.awaits_signature(row) or bool(row.sign_off.waits_for)
    return is_open or row.sign_off.since == "challenged" or is_due


def _list_requests(row: DebateRow) -> Iterator[_OpenRequest]:
    state = session.host().state(row.id)
    groups: dict[tuple[str, str], list[Message]] = {}
    for told in standing_messages(DebateMoment(state, now())):
        if told.kind != "decided":
            groups.setdefault((told.topic, told.group or told.key), []).append(told)
    for (_topic, key), group in groups.items():
        people = dict.fromkeys(person for told in group for person in told.people)
        causes = frozenset((key, *(told.key for told in group)))
        yield _OpenRequest(state, replace(group[0], people=tuple(people)), causes)


def draw(overview: Overview, office: "PostOffice | None") -> None:
    """Draw a row for each debate, which opens its requests and messages; without an `office` nothing was sent."""
    st.subheader(_("Debates"), anchor=False)
    if not overview.debates:
        st.caption(_("No debate waits for a person, and no message was sent."))
    of_question = Counter(one.row.question for one in overview.debates)
    numbers = count(1)
    st.html(_LOOK)
    with st.container(key="messages-debates", gap="xsmall"):
        for one in overview.debates:
            icon = ":material/error:" if one.failed else None
            title = safe_label(one.row.question, max_chars=MAX_TITLE_CHARS)
            words = _describe(one, office, is_alone=of_question[one.row.question] == 1)
            with st.expander(f"**{title}** :gray[{safe_label(words)}]", icon=icon, key=f"messages-{one.row.id}"):
                _draw_open(one, office, numbers)
    if n_older := overview.n_older:
        st.caption(
            _n(n_older, "{n} older debate is on the page Debates.", "{n} older debates are on the page Debates.")
        )


def _describe(one: DebateMessages, office: "PostOffice | None", *, is_alone: bool) -> str:
    """Return `Final vote · 3 ballots missing · 1 arrived`, or `Approval due · waits for Abe`."""
    opened = "" if is_alone else _("opened {when}", when=recent_minute_words(one.row.opened_at))
    states = [one.phase] if one.phase else dict.fromkeys(_STATES[request.told.topic] for request in one.requests)
    return " · ".join(filter(None, (*states, *_waits(one), *_counts(one, office), opened)))


def _waits(one: DebateMessages) -> Iterator[str]:
    if one.task:
        yield _("waits for you: {task}", task=_(one.task))
    elif one.phase:
        return
    elif not one.requests:
        yield _("waits for no one")
    elif all(map(_names, one.requests)):
        names = dict.fromkeys(name for request in one.requests for name in _names(request))
        yield _("waits for {names}", names=spoken_list([*names]))
    elif people := dict.fromkeys(person for request in one.requests for person in request.told.people):
        yield _n(len(people), "waits for {n} person", "waits for {n} people")
    else:
        yield _("waits for someone who has not joined")


def _counts(one: DebateMessages, office: "PostOffice | None") -> Iterator[str]:
    if n := len(one.failed):
        yield _n(n, "{n} undelivered", "{n} undelivered")
    if n := len(one.arrived):
        yield _n(n, "{n} arrived", "{n} arrived")
    elif office and one.requests and not one.failed:
        yield _("nothing sent yet")


def _draw_open(one: DebateMessages, office: "PostOffice | None", numbers: Iterator[int]) -> None:
    for request in one.requests:
        _draw_request(request, office)
    if office is not None:
        for message in one.failed:
            _draw_failed(office, message, next(numbers))
        st.caption("  \n".join(_arrived_words(office, name, taken) for name, taken in one.arrived))
    page = "results.py" if one.row.is_over else "room.py"
    st.page_link(page, label=_("Open"), icon=":material/arrow_forward:", query_params={"id": one.row.id})


def _draw_request(request: _OpenRequest, office: "PostOffice | None") -> None:
    told, debate = request.told, request.state.debate
    key = f"waits-{debate}-{told.topic}-{told.key}"
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        with st.container(width="stretch", gap=None):
            st.markdown(f"**{safe_line(_request_words(told))}**")
            st.caption(" · ".join(filter(None, (_reader_words(request), _delivery_words(office, request)))))
        page = "results" if told.kind in ("sign", "challenged") or told.topic == "review" else "room"
        sentence = spell_days(message_sentence(request.state, told, Addressee()))
        mail = mail_address(KINDS[told.kind], f"{sentence}\n\n{links.address().url}/{page}?id={debate}")
        st.link_button(_("Write a mail"), mail, icon=":material/mail:")


def _request_words(told: Message) -> str:
    """Return `Vote open: the final vote`, without the question of the debate."""
    words = _STATES[told.topic]
    if told.topic == "vote":
        return f"{words}: {said(poll_words(told.key))}"
    return f"{words}: {spell_days(told.until.date().isoformat())}" if told.until else words


def _names(request: _OpenRequest) -> list[str]:
    """Names of the addressees; none where a name could tell who has voted or spoken."""
    told = request.told
    return [name_of(request.state, one) for one in told.people] if told.kind in ("sign", "challenged") else []


def _reader_words(request: _OpenRequest) -> str:
    """Return `To: Abe (approver)` or `To: 3 people (voter)`."""
    told = request.told
    roles = spoken_list([named(role) for role in told.roles])
    if names := _names(request):
        return _("To: {names} ({roles})", roles=roles, names=spoken_list([*map(safe_line, names)]))
    if not told.people:
        return _("To: no one yet ({roles})", roles=roles)
    return _n(len(told.people), "To: {n} person ({roles})", "To: {n} people ({roles})", roles=roles)


def _delivery_words(office: "PostOffice | None", request: _OpenRequest) -> str:
    """Return the state of the message; empty without channels, which the page says once."""
    if office is None:
        return ""
    if any(map(request.is_cause_of, office.outbox.queued())):
        return _("in the queue")
    if any(map(request.is_cause_of, office.outbox.dead())):
        return _("undelivered, see below")
    latest = (taken for name in office.settings.channels for taken in office.outbox.health(name).latest)
    return _("arrived") if any(map(request.is_cause_of, latest)) else _("not sent: no channel takes it")


def _arrived_words(office: "PostOffice", name: str, taken: "Delivery") -> str:
    reader = office.settings.channels[name].spec.person or _("all its readers")
    kind = KINDS[KIND_OF[taken.topic]] if taken.topic else ""
    when = recent_minute_words(taken.at)
    return safe_line(_("Arrived: {kind} · {name}: {reader} · {when}", kind=kind, name=name, reader=reader, when=when))


def _draw_failed(office: "PostOffice", message: "QueuedMessage", number: int) -> None:
    with st.container(border=True, key=f"dead-{message.id}"):
        kind, channel = KINDS[KIND_OF[message.topic]], safe_line(message.channel)
        st.markdown(_("{number}: **{kind}** did not reach {channel}", number=number, kind=kind, channel=channel))
        why = fault_words(message.reason, message.detail) if message.reason else ""
        attempts = _n(message.attempts, "{n} attempt", "{n} attempts")
        st.caption(safe_line(" · ".join(filter(None, (recent_minute_words(message.at), attempts, why)))))
        with st.container(horizontal=True):
            for label, key, do in (
                (_("Send {number} again", number=number), "again", office.outbox.send_again),
                (_("Drop {number}", number=number), "drop", office.outbox.drop),
            ):
                st.button(label, key=f"{key}-{message.id}", on_click=_handle, args=(office, message.id, do))


def _handle(office: "PostOffice", message_id: str, do: "Callable[[QueuedMessage], None]") -> None:
    """Change a dead letter, unless another host has done so."""

    def change() -> None:
        message = office.outbox.dead_letter(message_id)
        if message is not None and message.debate in {row.id for row in session.debates()}:
            do(message)

    session.keep_as_host(change, unsaved=_("Nothing was changed."))


def fault_words(reason: "FaultReason", detail: str) -> str:
    """Return why a message was not delivered."""
    return _(_FAULTS.english(reason), detail=detail)


def mail_address(subject: str, body: str) -> str:
    """Return a link that opens a new mail with this text."""
    return f"mailto:?subject={quote(subject)}&body={quote(body)}"
