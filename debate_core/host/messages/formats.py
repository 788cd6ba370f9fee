"""The bodies of messages: our JSON, Slack's and Teams' incoming webhooks, and mail.

Text of people goes only where the receiver reads it as plain text, because Slack, Teams and mail headers have markup of
their own.
"""

import json
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from debate_core.host.messages.channels import MailServer, MessageChannel
from debate_core.report.phrases.letters import Letter
from debate_core.spec.values import Json
from debate_core.text import line

MAX_SUBJECT_CHARS = 150


def webhook_body(letter: Letter, channel: MessageChannel) -> bytes:
    """The body of a webhook in the format of its channel."""
    match channel.spec.kind:
        case "slack":
            body = _slack(letter)
        case "teams":
            body = _teams(letter)
        case "json" | "mail":
            body = _own(letter)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _own(letter: Letter) -> dict[str, Json]:
    """Type, time and data, as Standard Webhooks recommends."""
    addressee: dict[str, Json] = {"person": letter.person} if letter.person else {"roles": list(letter.roles)}
    return {
        "type": f"debate.{letter.kind}" if letter.kind else "test",
        "timestamp": letter.at,
        "data": {"debate": letter.debate, "text": letter.sentence, "link": letter.link, **addressee},
    }


def _slack(letter: Letter) -> dict[str, Json]:
    """Text in a `plain_text` object, where Slack knows no links, mentions and styles."""
    text: Json = {"type": "section", "text": {"type": "plain_text", "text": letter.sentence, "emoji": False}}
    link: Json = {
        "type": "section",
        "text": {"type": "mrkdwn", "text": f"<{_for_slack(letter.link)}|{letter.link_label}>"},
    }
    # `text` is for notifications, and Slack reads it as markup.
    return {"text": _for_slack(letter.sentence), "blocks": [text, link]}


def _for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _teams(letter: Letter) -> dict[str, Json]:
    """An adaptive card: its text runs know no Markdown, unlike its text blocks."""
    run: Json = {"type": "TextRun", "text": letter.sentence}
    title: Json = {"type": "TextRun", "text": letter.title, "weight": "Bolder"}
    card: Json = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [{"type": "RichTextBlock", "inlines": [title]}, {"type": "RichTextBlock", "inlines": [run]}],
        "actions": [{"type": "Action.OpenUrl", "title": letter.link_label, "url": letter.link}],
    }
    content = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": content, "contentUrl": None, "content": card}]}


def mail_of(letter: Letter, channel: MessageChannel, server: MailServer, *, at: datetime) -> EmailMessage:
    """The mail, in plain text. Its id stays the same at each attempt, so that mailboxes can drop a second copy."""
    subject = line(letter.sentence)
    mail = EmailMessage()
    mail["From"] = server.sender
    mail["To"] = channel.spec.to
    mail["Subject"] = subject if len(subject) <= MAX_SUBJECT_CHARS else f"{subject[: MAX_SUBJECT_CHARS - 2]} …"
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{letter.id}@{server.sender.rpartition('@')[2]}>"
    # Out-of-office programs do not answer these (RFC 3834).
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(f"{letter.sentence}\n\n{letter.link}\n")
    return mail
