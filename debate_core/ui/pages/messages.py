"""The page of messages, for hosts: each channel with its latest deliveries and a test, and the undelivered messages.

Of an address it shows the host alone, because the rest can be a secret. Undelivered messages of debates that this host
does not find in their list are only counted.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from debate_core.errors import DebateError
from debate_core.language import Words, _, _n, spoken_list
from debate_core.report.facts.messages import KIND_OF, MessageKind
from debate_core.report.phrases.messages import KINDS
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.tables import draw_wrapping
from debate_core.ui.kit.text import safe_label, safe_line, safe_text

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.channels import ChannelKind, MessageChannel
    from debate_core.host.messages.faults import FaultReason
    from debate_core.host.messages.outbox import QueuedMessage
    from debate_core.host.messages.post_office import PostOffice

MAX_SHOWN = 50
_TO_WHOM: Words[MessageKind] = Words(
    {
        "your_turn": "who speaks next",
        "your_vote": "everyone whose ballot is missing",
        "sign": "the approver",
        "decided": "everyone in the debate",
        "challenged": "approver and facilitator",
        "due": "who has to act by that date",
    }
)
"""The addressees of each kind, in short."""
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
    """Draw what people would get and when, and how the operator connects a channel."""
    st.markdown(_("A debate calls its people when it needs them: in Slack or Microsoft Teams, by mail, or by webhook."))
    left, right = st.columns(2, gap="large")
    with left:
        _draw_example()
        st.markdown(_("**This server sends none yet.** The person who runs it connects a channel:"))
        with st.expander(_("Connect a channel"), icon=":material/dns:", key="messages-operator"):
            _draw_steps()
    with right:
        rows = [{_("Message"): f"**{KINDS[kind]}**", _("Who gets it"): to} for kind, to in _TO_WHOM.items()]
        draw_wrapping(rows, alt=_("Messages and their readers"), key="messages-readers")


def _draw_steps() -> None:
    """Draw the file and the settings of the chosen kind of channel, ready to be copied."""
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
    st.markdown(_("1. Write a file `messages.toml`:"))
    st.code(_EXAMPLE_FILES[kind], language="toml")
    st.markdown(_("2. Name it in the settings of the server, with the public address of the app:"))
    common = "DEBATE_MESSAGES=messages.toml\nDEBATE_PUBLIC_URL=https://debates.example.org"
    st.code(f"{common}\n{_EXAMPLE_SETTINGS[kind]}", language="bash")
    st.markdown(_("3. Start the server again. The channel is then listed here, with a button that sends a test."))


def _draw_example() -> None:
    """Draw a message as its reader sees it in a chat."""
    question = _("“Should we move the orders database?”")
    sentence = _("The debate {question} is over: its decision waits for you as an approver.", question=question)
    with st.container(border=True, key="messages-example"), st.chat_message("assistant", avatar=":material/forum:"):
        st.markdown(f"**{_('Debates')}** :gray[· {_('Example')}]  \n{safe_line(sentence, max_chars=300)}")
        st.markdown(f":blue[:material/open_in_new: {_('Open')}]")


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
