"""The channels for messages, read from the operator's file. Off unless DEBATE_MESSAGES names one:

    [channels.team]
    kind = "slack"
    url_env = "DEBATE_SLACK_URL"
    events = ["sign", "decided", "due"]

    [channels.ada]
    kind = "mail"
    to = "ada@example.org"
    person = "Ada Lovelace"

Values only; a secret is in no error, log or text for a screen. Nothing is sent here.
"""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Literal, Self, get_args
from urllib.parse import unquote, urlsplit

from pydantic import Field, model_validator

from debate_core.errors import InvalidSpec
from debate_core.host.setting_files import read_named_file
from debate_core.host.settings import Settings
from debate_core.report.facts.messages import MessageKind
from debate_core.report.phrases.letters import LetterLanguage
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.sentence import Sentence
from debate_core.spec.decode import Undecodable, decode_toml
from debate_core.spec.panels import split_url
from debate_core.spec.protocol import read
from debate_core.spec.values import Value

ChannelKind = Literal["json", "slack", "teams", "mail"]
_MAIL_PORTS = {"smtp": 587, "smtps": 465}
SECRET_PREFIX = "whsec_"
MIN_SECRET_BYTES = 24
"""Standard Webhooks asks for 24 to 64 bytes."""
MAX_SECRET_BYTES = 64
EnvName = Annotated[str, Field(pattern=r"^DEBATE_[A-Z0-9_]{1,70}$")]
"""A setting of this program: a panel file cannot name it as the key of a model server."""
ReadSetting = Callable[[str], str]
"""Setting -> its text; empty if it is not set."""


class ChannelSpec(Value):
    """A channel as the operator's file has it."""

    kind: ChannelKind
    url: Annotated[str, Field(max_length=2_000)] = ""
    url_env: EnvName | Literal[""] = ""
    """Setting with the address, where the address itself is a secret."""
    secret_env: EnvName | Literal[""] = ""
    """Setting with the secret of the signature, `whsec_` and base64."""
    to: Annotated[str, Field(max_length=254)] = ""
    """The mail address of a mail channel."""
    person: Annotated[str, Field(max_length=80)] = ""
    """The only reader, by the name on the invitation: gets their own messages, with their personal link."""
    events: Annotated[tuple[MessageKind, ...], Field(min_length=1)] = get_args(MessageKind)
    language: LetterLanguage = "en"
    """The language of its messages."""

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if self.kind == "mail":
            if self.url or self.url_env or self.secret_env:
                raise ValueError(Sentence("a mail channel has to, and no url, url_env or secret_env"))
            if not _is_mail_address(self.to):
                raise ValueError(Sentence("to must be one mail address, as in ada@example.org"))
            return self
        if self.to:
            raise ValueError(Sentence("only a mail channel has to"))
        if bool(self.url) == bool(self.url_env):
            raise ValueError(Sentence("give either url or url_env"))
        if self.kind == "json" and not self.secret_env:
            raise ValueError(Sentence("a json channel needs secret_env: its receiver checks the signature"))
        return self


class _MessagesFile(Value):
    channels: Annotated[dict[Annotated[str, Field(pattern=r"^[a-z0-9-]{1,30}$")], ChannelSpec], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class MessageChannel:
    """A channel with its secrets, which no `repr` shows."""

    name: str
    spec: ChannelSpec
    url: str = field(default="", repr=False)
    secret: bytes = field(default=b"", repr=False)

    @property
    def shown(self) -> str:
        """The host of a webhook or the mail server's side of an address: the rest can be a secret."""
        return self.spec.to.rpartition("@")[2] if self.spec.kind == "mail" else urlsplit(self.url).hostname or ""


@dataclass(frozen=True, slots=True)
class MailServer:
    """The SMTP server (DEBATE_SMTP), and the sender's address (DEBATE_SMTP_FROM)."""

    host: str
    port: int
    sender: str
    implicit_tls: bool = False
    """True for smtps://: TLS from the first byte. Else the session switches to TLS with STARTTLS."""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MessageSettings:
    """All channels, and the rules of sending. Without channels nothing is sent."""

    channels: Mapping[str, MessageChannel] = field(default_factory=dict)
    public_url: str = ""
    """The beginning of links."""
    mail: MailServer | None = None
    inside_hosts: frozenset[str] = frozenset()
    """Hosts that may be inside the network, and take http and SMTP without TLS (DEBATE_MESSAGES_ALLOW)."""
    network: Network = field(default=DIRECT, repr=False)


def read_messages(settings: Settings, path: Path) -> MessageSettings:
    """Read the operator's file and the settings that it names. InvalidSpec names the fault, and no secret."""
    if not settings.public_url:
        raise InvalidSpec("DEBATE_MESSAGES needs DEBATE_PUBLIC_URL: messages carry links to this server")

    def setting(name: str) -> str:
        return settings.of_messages.get(name, "")

    inside = frozenset(part.strip().lower() for part in setting("DEBATE_MESSAGES_ALLOW").split(",") if part.strip())
    listed = _read_file(path)
    channels = {name: _channel(name, spec, setting, inside) for name, spec in listed.channels.items()}
    mail = _mail_server(setting) if any(one.kind == "mail" for one in listed.channels.values()) else None
    return MessageSettings(channels, settings.public_url, mail, inside, settings.network)


def _read_file(path: Path) -> _MessagesFile:
    text = read_named_file("DEBATE_MESSAGES", path)
    try:
        return read(_MessagesFile, decode_toml(text))
    except (InvalidSpec, Undecodable) as error:
        why = error.sentence if isinstance(error, InvalidSpec) else str(error)
        raise InvalidSpec("DEBATE_MESSAGES: {path}: {why}", path=path, why=why) from None


def _channel(name: str, spec: ChannelSpec, setting: ReadSetting, inside: frozenset[str]) -> MessageChannel:
    if spec.kind == "mail":
        return MessageChannel(name, spec)
    url = (spec.url or setting(spec.url_env)).strip()
    place = spec.url_env or "url"
    if not url:
        raise InvalidSpec("DEBATE_MESSAGES: {place}, the address of {name}, is not set", place=place, name=name)
    parts = _split_url(url)
    if parts is None:
        # The address may be a secret, so the sentence does not show it.
        raise InvalidSpec(
            "DEBATE_MESSAGES: {place} of {name} must be https://HOST/PATH, without a user", place=place, name=name
        )
    scheme, host = parts
    if scheme == "http" and host not in inside:
        raise InvalidSpec(
            "DEBATE_MESSAGES: {name} must use https, unless DEBATE_MESSAGES_ALLOW names {host}", name=name, host=host
        )
    return MessageChannel(name, spec, url, _secret(spec.secret_env, setting) if spec.secret_env else b"")


def _split_url(url: str) -> tuple[str, str] | None:
    """Scheme and host of a plain http(s) address; None for any other text."""
    parts = split_url(url)
    if parts is None or parts.scheme not in ("http", "https") or " " in url or "\\" in url:
        return None
    if not parts.hostname or "@" in parts.netloc or parts.fragment:
        return None
    return parts.scheme, parts.hostname


def _secret(name: str, setting: ReadSetting) -> bytes:
    text = setting(name).strip()
    try:
        secret = base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if not text.startswith(SECRET_PREFIX) or not MIN_SECRET_BYTES <= len(secret) <= MAX_SECRET_BYTES:
        raise InvalidSpec(
            "{name} must be whsec_ and {least} to {most} bytes in base64: openssl rand -base64 32 makes them",
            name=name,
            least=MIN_SECRET_BYTES,
            most=MAX_SECRET_BYTES,
        )
    return secret


def _mail_server(setting: ReadSetting) -> MailServer:
    parts = split_url(setting("DEBATE_SMTP").strip())
    sender = setting("DEBATE_SMTP_FROM").strip()
    if parts is None or not parts.hostname or parts.scheme not in _MAIL_PORTS or parts.path not in ("", "/"):
        raise InvalidSpec(
            "a mail channel needs DEBATE_SMTP, as in smtp://NAME:PASSWORD@mail.example.org:587, or smtps:// for TLS "
            "from the start"
        )
    if not _is_mail_address(sender):
        raise InvalidSpec("a mail channel needs DEBATE_SMTP_FROM, one mail address, as in debates@example.org")
    port = parts.port or _MAIL_PORTS[parts.scheme]
    return MailServer(
        host=parts.hostname,
        port=port,
        sender=sender,
        implicit_tls=parts.scheme == "smtps",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def _is_mail_address(text: str) -> bool:
    """True for one address without a name and without line breaks: `ada@example.org`."""
    is_plain = re.fullmatch(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}", text) is not None
    return is_plain and parseaddr(text)[1] == text
