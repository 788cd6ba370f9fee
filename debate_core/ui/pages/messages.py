"""The page of messages, for hosts: each channel with its latest deliveries and a test, and the undelivered messages.

Of an address it shows the host alone, because the rest can be a secret. Undelivered messages of debates that this host
does not find in their list are only counted.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import streamlit as st

from debate_core.errors import DebateError
from debate_core.language import Words, _, _n, said, spoken_list
from debate_core.report.facts.messages import KIND_OF
from debate_core.report.phrases.messages import KINDS
from debate_core.spec.people import poll_words
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_label, safe_line, safe_text

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.channels import ChannelKind, MessageChannel
    from debate_core.host.messages.faults import FaultReason
    from debate_core.host.messages.outbox import QueuedMessage
    from debate_core.host.messages.post_office import PostOffice

MAX_SHOWN = 50
_CHANNEL_KINDS: "Words[ChannelKind]" = Words(
    {"mail": "Mail", "slack": "Slack", "teams": "Microsoft Teams", "json": "Webhook"}
)
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


def link() -> None:
    """Draw a link to this page where the operator has listed channels."""
    office = session.host().messages
    if office is None:
        return
    n_dead = len(office.outbox.dead())
    label = _("Messages: {n} undelivered", n=n_dead) if n_dead else _("Messages")
    st.page_link("messages.py", label=label, icon=":material/send:")


def show() -> None:
    """Draw the channels and the undelivered messages; without channels, the way to get them."""
    st.title(_("Messages"), anchor=False)
    session.show_problem()
    office = session.host().messages
    if office is None:
        _draw_way()
        return
    for channel in office.settings.channels.values():
        _draw_channel(office, channel)
    _draw_undelivered(office)


_EXAMPLE_FILES: "dict[ChannelKind, str]" = {
    "slack": """[channels.team]
kind = "slack"
url_env = "DEBATE_SLACK_URL\"""",
    "teams": """[channels.team]
kind = "teams"
url_env = "DEBATE_TEAMS_URL\"""",
    "mail": """[channels.ada]
kind = "mail"
to = "ada@example.org"
person = "Ada Lovelace\"""",
    "json": """[channels.bus]
kind = "json"
url = "https://bus.example.org/hooks/debates"
secret_env = "DEBATE_HOOK_SECRET\"""",
}
"""The file of one channel of each kind."""
_EXAMPLE_SETTINGS: "dict[ChannelKind, str]" = {
    "slack": "DEBATE_SLACK_URL=https://hooks.slack.com/...",
    "teams": "DEBATE_TEAMS_URL=https://...",
    "mail": "DEBATE_SMTP=smtp://NAME:PASSWORD@mail.example.org:587\nDEBATE_SMTP_FROM=debates@example.org",
    "json": "DEBATE_HOOK_SECRET=whsec_...",
}
"""The settings that the file names."""


def _draw_way() -> None:
    """Draw what people would get, and how they ask for a channel or connect one."""
    st.markdown(_("A debate calls its people when it needs them, so that no one has to watch a page."))
    left, right = st.columns([56, 44], gap="medium")
    with left, st.container(border=True, gap=None, key="messages-example"):
        _draw_example()
    with right:
        st.subheader(_("This server sends none yet"), anchor=False)
        st.markdown(_("Whoever runs it connects Slack, Microsoft Teams, mail or a webhook, once for all debates."))
        ask = _mail_address(_("Messages for our debates"), _request_words())
        st.link_button(_("Ask for it by mail"), ask, icon=":material/mail:", type="primary")
        with st.expander(_("I run this server"), icon=":material/dns:", key="messages-operator"):
            _draw_steps()


def _mail_address(subject: str, body: str) -> str:
    """Return a link that opens a new mail with this text."""
    return f"mailto:?subject={quote(subject)}&body={quote(body)}"


def _request_words() -> str:
    """Return the mail to the operator: the wish and the steps."""
    wish = _("Please connect our chat to the debates, so that people are called when they have to vote or to sign.")
    return "\n\n".join((wish, *(f"{words}\n{code}".strip() for words, code, _lang in _steps("slack"))))


def _steps(kind: "ChannelKind") -> Iterator[tuple[str, str, str]]:
    """Yield what the operator does, with the text to copy and its language."""
    common = "DEBATE_MESSAGES=messages.toml\nDEBATE_PUBLIC_URL=https://debates.example.org"
    yield _("1. Write a file `messages.toml`:"), _EXAMPLE_FILES[kind], "toml"
    yield (
        _("2. Name it in the settings of the server, with the public address of the app:"),
        f"{common}\n{_EXAMPLE_SETTINGS[kind]}",
        "bash",
    )
    yield _("3. Start the server again. The channel is then listed here, with a button that sends a test."), "", ""


def _draw_steps() -> None:
    """Draw the steps of the chosen kind of channel."""
    kind = st.segmented_control(
        _("Channel"),
        list(_EXAMPLE_FILES),
        default="slack",
        key="messages_channel",
        format_func=lambda kind: f":gray[{_CHANNEL_KINDS[kind]}]",
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )
    for words, code, language in _steps(kind):
        st.markdown(words)
        if code:
            st.code(code, language=language)


def _draw_example() -> None:
    """Draw three messages as their readers see them in a chat."""
    question = _("“Should we move the orders database?”")
    poll, option = said(poll_words("final")), _("Move it this year")
    sentences = {
        "10:42": _("The vote in the debate {question} is open: {poll}.", question=question, poll=poll),
        "10:58": _("The debate {question} is over: its decision waits for an approver.", question=question),
        "11:05": _("The debate {question} is decided: {option}.", question=question, option=option),
    }
    st.caption(_("Example: a chat of the team"))
    for time, sentence in sentences.items():
        with st.chat_message("assistant", avatar=":material/forum:"):
            lines = f"**{_('Debate room')}** :gray[{time}]", safe_line(sentence, max_chars=300)
            st.markdown("  \n".join((*lines, f":blue[:material/open_in_new: {_('Open')}]")))
    st.caption(_("Also: whose turn it is, a challenged decision, and a date that is reached."))


def _fault_words(reason: "FaultReason", detail: str) -> str:
    return _(_FAULTS.english(reason), detail=detail)


def _time_words(at: str) -> str:
    """`2026-03-04 05:06 UTC`."""
    return f"{at[:10]} {at[11:16]} UTC"


def _draw_channel(office: "PostOffice", channel: "MessageChannel") -> None:
    spec = channel.spec
    with st.container(border=True, key=f"channel-{channel.name}"):
        left, right = st.columns([3, 1], vertical_alignment="center")
        readers = safe_line(spec.person) if spec.person else _("all its readers")
        left.markdown(f"**{safe_line(channel.name)}** · {_CHANNEL_KINDS[spec.kind]} · {safe_line(channel.shown)}")
        kinds = spoken_list([KINDS[kind] for kind in spec.events])
        left.caption(_("To {readers}: {kinds}", readers=readers, kinds=kinds))
        pressed = right.button(
            _("Send a test to {name}", name=safe_label(channel.name)),
            key=f"test-{channel.name}",
            icon=":material/send:",
        )
        if pressed:
            _send_test(office, channel.name)
        for words in _health_words(office, channel.name):
            st.caption(safe_line(words))


def _send_test(office: "PostOffice", name: str) -> None:
    try:
        with st.spinner(_("Sending")):
            fault = session.as_host(lambda: office.send_test(name, client=session.client()))
    except DebateError as error:
        st.error(safe_text(session.told(error)))
        return
    if fault is None:
        st.success(_("The receiver took the test."))
    else:
        st.error(safe_text(capitalized(f"{_fault_words(fault.reason, fault.detail)}.")))


def _health_words(office: "PostOffice", name: str) -> tuple[str, ...]:
    health = office.outbox.health(name)
    words = []
    if health.delivered_at:
        words.append(_("Last delivered: {time}", time=_time_words(health.delivered_at)))
    if health.failures and health.reason:
        why = _fault_words(health.reason, health.detail)
        time = _time_words(health.failed_at)
        words.append(
            _n(
                health.failures,
                "{n} failed attempt since then, on {time}: {why}",
                "{n} failed attempts since then, the last one on {time}: {why}",
                time=time,
                why=why,
            )
            if health.delivered_at
            else _n(
                health.failures,
                "{n} failed attempt, on {time}: {why}",
                "{n} failed attempts, the last one on {time}: {why}",
                time=time,
                why=why,
            )
        )
    return tuple(words) or (_("Nothing was sent yet."),)


def _draw_undelivered(office: "PostOffice") -> None:
    dead = office.outbox.dead()
    st.subheader(_("Undelivered"), anchor=False)
    if not dead:
        st.caption(_("None."))
        return
    questions = {row.id: row.question for row in session.debates()}
    mine = [one for one in dead if one.debate in questions]
    for number, message in enumerate(mine[:MAX_SHOWN], start=1):
        _draw_dead(office, message, number, questions[message.debate])
    if len(mine) > MAX_SHOWN:
        st.caption(_("{n} older ones follow when these are sent or dropped.", n=len(mine) - MAX_SHOWN))
    if n_others := len(dead) - len(mine):
        st.caption(_n(n_others, "{n} belongs to a debate of someone else.", "{n} belong to debates of others."))


def _draw_dead(office: "PostOffice", message: "QueuedMessage", number: int, question: str) -> None:
    with st.container(border=True, key=f"dead-{message.id}"):
        kind, channel = KINDS[KIND_OF[message.topic]], safe_line(message.channel)
        st.markdown(f"{number}: **{kind}** · {safe_line(question, max_chars=100)} · {channel}")
        why = _fault_words(message.reason, message.detail) if message.reason else ""
        attempts = _n(message.attempts, "{n} attempt", "{n} attempts")
        st.caption(safe_line(f"{_time_words(message.at)} · {attempts} · {why}"))
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
