"""Channels in plain words, on the page of messages: what one is, how to set one up, and what it sends."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from debate_core.language import Words, _
from debate_core.report.facts.messages import MessageKind
from debate_core.report.phrases.messages import KINDS, example_sentence
from debate_core.ui.kit.tables import draw_wrapping, safe_rows
from debate_core.ui.pages.messages_debates import mail_address

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.channels import ChannelKind

CHANNEL_KINDS: "Words[ChannelKind]" = Words(
    {"mail": "Mail", "slack": "Slack", "teams": "Microsoft Teams", "json": "Webhook"}
)
_WHEN: Words[MessageKind] = Words(
    {
        "your_turn": "A person has the turn, or the debate stopped at a limit or an outage",
        "your_vote": "A vote opens",
        "sign": "A decision waits for a signature",
        "decided": "A debate has ended",
        "challenged": "Someone objects, an assumption breaks, or the decision did not hold",
        "due": "A review date has come, or the time for people runs out",
    }
)
_TO: Words[MessageKind] = Words(
    {
        "your_turn": "the person whose turn it is, or the facilitator",
        "your_vote": "everyone who has not voted",
        "sign": "approvers",
        "decided": "everyone in the debate",
        "challenged": "approvers and facilitator",
        "due": "approvers and facilitator, or the person who is waited for",
    }
)
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


def draw_ways(*, has_channels: bool) -> None:
    """Say what a channel is, and draw the ways to get one."""
    with st.container(border=not has_channels, key="messages-ways"):
        st.markdown(
            _(
                "A channel is a mail address, a chat in Slack or Microsoft Teams, or a webhook (the web address of "
                "another program). This server sends a message there when someone has to act."
            )
        )
        with st.container(horizontal=True, gap="small"):
            title = _("Set up another channel") if has_channels else _("Set up a channel")
            with st.popover(
                title,
                icon=":material/dns:",
                type="secondary" if has_channels else "primary",
                width="content",
                key="messages-operator",
            ):
                st.caption(_("Three steps for the operator of this server."))
                _draw_steps()
            if not has_channels:
                ask = mail_address(_("Messages for our debates"), _request_words())
                st.link_button(_("Ask the operator"), ask, icon=":material/mail:")
        if not has_channels:
            st.caption(_("Until then people see on the page Debates what waits for them."))


def draw_kinds() -> None:
    """Draw each kind of message with its occasion and its readers, and an example."""
    with st.expander(_("Kinds of messages"), icon=":material/list:", key="messages-sent", type="compact"):
        st.caption(_("For example: {sentence}", sentence=f"*{example_sentence()}* :material/open_in_new:"))
        rows = [{_("Message"): KINDS[kind], _("When"): _WHEN[kind], _("To"): _TO[kind]} for kind in KINDS]
        draw_wrapping(safe_rows(rows), alt=_("Kinds of messages"), key="message-kinds")
        st.caption(_("Each message is one sentence with a link. It contains no ballot and no count."))


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
        format_func=lambda kind: f":gray[{CHANNEL_KINDS[kind]}]",
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )
    for words, code, language in _steps(kind):
        st.markdown(words)
        if code:
            st.code(code, language=language)
