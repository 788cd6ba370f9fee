"""Reads the settings: flags, then the environment, then .streamlit/secrets.toml.

Only this module reads the environment, keys and the panel file. Knows nothing of debates.
"""

import os
import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import unquote

from debate_core.errors import InvalidSpec
from debate_core.host.daily_budget import NO_LIMIT, DayLimit
from debate_core.host.git.repository import NO_TARGET, GitTarget
from debate_core.host.setting_files import read_named_file
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.spec.decode import decode_toml
from debate_core.spec.panels import PanelFile, check_base_url, read_panels, split_url

SECRETS = Path(".streamlit/secrets.toml")
Worker = Literal["inline", "none", "only"]
"""How a process asks seats: beside its pages, not at all, or as its only task."""
MIN_SECRET_CHARS = 32
MIN_HOST_CODE_CHARS = 8
USUAL_DAILY_QUESTIONS = 50
OUR_SECRETS = ("OTEL_EXPORTER_OTLP_HEADERS", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
"""Settings of this program or its network; like all names starting with DEBATE_, no keys of model servers."""
LogForm = Literal["text", "json"]
Word = TypeVar("Word", bound=str)


@dataclass(frozen=True, slots=True)
class MonitorSettings:
    """Monitoring of this process. Off, unless something is set."""

    log: LogForm = "text"
    """`json`: one line per event on standard error, without texts, names and keys (DEBATE_LOG)."""
    metrics_port: int | None = None
    """Port of the Prometheus metrics (DEBATE_METRICS_PORT). None = off."""
    metrics_address: str = "127.0.0.1"
    """Address on which that port listens (DEBATE_METRICS_ADDRESS)."""
    spans_url: str = ""
    """URL for spans: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces."""
    spans_headers: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Headers for the collector (OTEL_EXPORTER_OTLP_HEADERS). Never shown, logged or recorded."""
    service: str = ""
    """Service name in spans (OTEL_SERVICE_NAME). Empty = default name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The location of the debates (`database_url`), and how this process runs them."""

    database_url: str
    turn_deadline_s: float = 120
    worker: Worker = "inline"
    """`none`: this process shows debates and takes people's turns; another process asks the seats.

    `only` is set by `python -m debate_core worker` and cannot be a setting.
    """
    offline: bool = False
    """Ask no model (SWARM_MOCK)."""
    database_named: bool = False
    """True if a flag or a setting names the database; False for the default place."""
    panels_path: Path | None = None
    """Replaces the shipped panel file."""
    base_urls: tuple[str, ...] = ()
    """Addresses that the web app may reach in addition to those of the panel file."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Every variable that a model line's `key_env` could name. Never shown, logged or recorded."""
    secret: str = field(default="", repr=False, compare=False)
    """Signs links and cookies (DEBATE_SECRET). Empty = the one beside the database. Never shown, logged or recorded."""
    daily: DayLimit = NO_LIMIT
    """Daily limits of all debates together (DEBATE_DAILY_CALLS, DEBATE_DAILY_USD)."""
    owner_daily: DayLimit = NO_LIMIT
    """Daily limits per owner (DEBATE_OWNER_DAILY_CALLS, DEBATE_OWNER_DAILY_USD)."""
    signing_key: str = field(default="", repr=False, compare=False)
    """Signs records (DEBATE_SIGNING_KEY, 64 hexadecimal digits). Empty = the one beside the database."""
    host_code: str = field(default="", repr=False, compare=False)
    """The code for hosts on other machines (DEBATE_HOST_CODE). Empty = only this machine hosts."""
    public_url: str = ""
    """Public address of this server, if it cannot be detected (DEBATE_PUBLIC_URL)."""
    trusted_proxies: str = ""
    """Proxies trusted to name their client (FORWARDED_ALLOW_IPS); uvicorn reads it, too."""
    drain_s: float = 20
    """Seconds for running calls to finish at shutdown (DEBATE_DRAIN_S)."""
    monitor: MonitorSettings = MonitorSettings()
    mcp_path: Path | None = None
    """The file that lists MCP servers and their tools for seats (DEBATE_MCP_SERVERS). None = no tools of servers."""
    git: GitTarget = NO_TARGET
    """The repository for decisions (DEBATE_GIT_REPOSITORY), the token for pull requests (DEBATE_GIT_TOKEN, never shown,
    logged or recorded), and the REST interface of a server other than github.com and gitlab.com (DEBATE_GIT_API).
    """
    messages_path: Path | None = None
    """The file that lists channels for messages (DEBATE_MESSAGES). None = no messages."""
    of_messages: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Settings that this file may name, and DEBATE_MESSAGES_ALLOW, DEBATE_SMTP, DEBATE_SMTP_FROM; {} without the file.
    Never shown, logged or recorded.
    """
    precedents_path: Path | None = None
    """A folder or git checkout with earlier decision records (DEBATE_PRECEDENTS). None = only the own debates."""
    daily_questions: int = USUAL_DAILY_QUESTIONS
    """Maximum of questions that a program asks in a day (DEBATE_DAILY_QUESTIONS)."""
    network: Network = field(default=DIRECT, repr=False)
    """Proxy and certificate authorities for calls to model servers: DEBATE_HTTPS_PROXY, DEBATE_NO_PROXY,
    DEBATE_CA_FILE; with DEBATE_TRUST_ENV also HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE.
    """

    @property
    def trusts_loopback(self) -> bool:
        """True if a browser on this machine makes its user the operator.

        False with a public address or a proxy: the forwarder may run on this machine.
        """
        return not (self.public_url or self.trusted_proxies)


def read_settings(
    *, db: str | None = None, environ: Mapping[str, str] | None = None, secrets: Path = SECRETS
) -> Settings:
    """Read the settings; `db` is the flag. InvalidSpec names the malformed setting and the allowed values."""
    values = _read_secrets(secrets)
    values |= os.environ if environ is None else environ

    def value(name: str, usual: str = "") -> str:
        return values.get(name) or usual

    named = value("DEBATE_DB") or None if db is None else db
    messages = _path(value("DEBATE_MESSAGES"))
    ours = {name: text for name, text in values.items() if name.startswith("DEBATE_")}
    usual_place = f"sqlite:///{_data_folder(values) / 'debates.db'}"
    return Settings(
        database_url=usual_place if named is None else named,
        database_named=named is not None,
        turn_deadline_s=_seconds("DEBATE_TURN_DEADLINE_S", value("DEBATE_TURN_DEADLINE_S", "120")),
        drain_s=_seconds("DEBATE_DRAIN_S", value("DEBATE_DRAIN_S", "20"), least=0),
        worker=_one_of("DEBATE_WORKER", value("DEBATE_WORKER", "inline"), ("inline", "none")),
        offline=_is_true("SWARM_MOCK", value("SWARM_MOCK", "false")),
        panels_path=_panels_path(value("DEBATE_PANELS")),
        base_urls=_base_urls(value("DEBATE_BASE_URLS")),
        keys=_find_keys(values),
        secret=_long_enough("DEBATE_SECRET", value("DEBATE_SECRET"), MIN_SECRET_CHARS),
        daily=_day_limit("DEBATE_DAILY", value),
        owner_daily=_day_limit("DEBATE_OWNER_DAILY", value),
        signing_key=_signing_key(value("DEBATE_SIGNING_KEY")),
        host_code=_long_enough("DEBATE_HOST_CODE", value("DEBATE_HOST_CODE"), MIN_HOST_CODE_CHARS),
        public_url=_url("DEBATE_PUBLIC_URL", value("DEBATE_PUBLIC_URL")),
        trusted_proxies=value("FORWARDED_ALLOW_IPS").strip(),
        monitor=_monitor(value),
        mcp_path=_path(value("DEBATE_MCP_SERVERS")),
        git=_git(value),
        messages_path=messages,
        of_messages=ours if messages else {},
        precedents_path=_path(value("DEBATE_PRECEDENTS")),
        daily_questions=_daily_questions(value("DEBATE_DAILY_QUESTIONS", str(USUAL_DAILY_QUESTIONS))),
        network=_network(value),
    )


def _git(value: Callable[[str], str]) -> GitTarget:
    return GitTarget(
        value("DEBATE_GIT_REPOSITORY").strip(),
        value("DEBATE_GIT_TOKEN").strip(),
        _url("DEBATE_GIT_API", value("DEBATE_GIT_API")),
        _network(value),
    )


def _network(value: Callable[[str], str]) -> Network:
    trusts_env = _is_true("DEBATE_TRUST_ENV", value("DEBATE_TRUST_ENV") or "false")

    def first_given(own: str, usual: str) -> tuple[str, str]:
        """The name and text of our setting, or of the standard variable in either case, if trusted."""
        names = (own, usual, usual.lower()) if trusts_env else (own,)
        return next(((name, text) for name in names if (text := value(name).strip())), (own, ""))

    exceptions = first_given("DEBATE_NO_PROXY", "NO_PROXY")[1]
    return Network(
        https_proxy=_proxy(*first_given("DEBATE_HTTPS_PROXY", "HTTPS_PROXY")),
        no_proxy=tuple(part.strip() for part in exceptions.split(",") if part.strip()),
        ca_file=_ca_file(*first_given("DEBATE_CA_FILE", "SSL_CERT_FILE")),
    )


def _proxy(name: str, text: str) -> str:
    """The address of a proxy with its scheme. The error does not show it: it may contain a password."""
    if not text:
        return ""
    url = text if "://" in text else f"http://{text}"
    if not _is_proxy_url(url):
        raise InvalidSpec(
            f"{name} must be the address of a proxy, as in http://proxy.example:8080, or with its login as in "
            "http://NAME:PASSWORD@proxy.example:8080"
        )
    return url


def _is_proxy_url(url: str) -> bool:
    """True for `http://host:8080` with an optional login: no path, no query, and a valid port."""
    parts = split_url(url)
    if parts is None or not parts.hostname or " " in url:
        return False
    return parts.scheme in ("http", "https") and parts.path in ("", "/") and not parts.query


def _ca_file(name: str, text: str) -> str:
    if not text:
        return ""
    path = str(Path(text).expanduser())
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError:
        raise InvalidSpec(f"{name}: {path} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)") from None
    except OSError as error:
        raise InvalidSpec(f"{name}: {path} cannot be read: {error.strerror}") from None
    return path


def _monitor(value: Callable[[str], str]) -> MonitorSettings:
    base = _url("OTEL_EXPORTER_OTLP_ENDPOINT", value("OTEL_EXPORTER_OTLP_ENDPOINT"))
    spans_url = _url("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))
    if base and not spans_url:
        spans_url = f"{base}/v1/traces"
    return MonitorSettings(
        log=_one_of("DEBATE_LOG", value("DEBATE_LOG") or "text", ("text", "json")),
        metrics_port=_metrics_port(value("DEBATE_METRICS_PORT")),
        metrics_address=_metrics_address(value("DEBATE_METRICS_ADDRESS") or "127.0.0.1"),
        spans_url=spans_url,
        spans_headers=_spans_headers(value("OTEL_EXPORTER_OTLP_HEADERS")),
        service=value("OTEL_SERVICE_NAME"),
    )


def _find_keys(values: Mapping[str, str]) -> dict[str, str]:
    stripped = {name: text.strip() for name, text in values.items() if _can_be_key(name)}
    return {name: text for name, text in stripped.items() if text}


def _can_be_key(name: str) -> bool:
    """Exclude our own secrets and passwords: a panel file must not send them to a model server."""
    is_ours = name in OUR_SECRETS or name.startswith("DEBATE_")
    return not is_ours and re.fullmatch(r"[A-Z][A-Z0-9_]{0,79}", name) is not None


def _long_enough(name: str, text: str, least: int) -> str:
    if text and len(text) < least:
        raise InvalidSpec(f"{name} must have at least {least} characters, not {len(text)}")
    return text


def _day_limit(name: str, value: Callable[[str], str]) -> DayLimit:
    calls = value(f"{name}_CALLS")
    usd = value(f"{name}_USD")
    if calls and not re.fullmatch(r"\d{1,9}", calls):
        raise InvalidSpec(f"{name}_CALLS must be a whole number from 0, not {calls!r}")
    if usd and not re.fullmatch(r"\d{1,9}(\.\d{1,12})?", usd):
        raise InvalidSpec(f"{name}_USD must be an amount in USD from 0, as in 20.50, not {usd!r}")
    return DayLimit(int(calls) if calls else None, Decimal(usd) if usd else None)


def _daily_questions(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InvalidSpec(f"DEBATE_DAILY_QUESTIONS must be a whole number from 0, not {text!r}")
    return int(text)


def _signing_key(text: str) -> str:
    if text and not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise InvalidSpec("DEBATE_SIGNING_KEY must have 64 hexadecimal digits")
    return text


def _url(name: str, text: str) -> str:
    try:
        return check_base_url(text) if text else ""
    except InvalidSpec as error:
        raise InvalidSpec(f"{name}: {error}") from None


def _metrics_port(text: str) -> int | None:
    if not text:
        return None
    port = int(text) if re.fullmatch(r"[0-9]{1,5}", text) else 0
    if not 1 <= port <= 65_535:
        raise InvalidSpec(f"DEBATE_METRICS_PORT must be a port from 1 to 65535, not {text!r}")
    return port


def _metrics_address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise InvalidSpec(
            f"DEBATE_METRICS_ADDRESS must be an address in figures, as in 127.0.0.1 or 0.0.0.0, not {text!r}"
        ) from None


def _spans_headers(text: str) -> dict[str, str]:
    """`api-key=abc,tenant=a%20b`, in OpenTelemetry's format. The error does not show it: it may contain a key."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    headers = {header.strip(): unquote(given.strip()) for header, _equals, given in pairs}
    for header, given in headers.items():
        is_name = re.fullmatch(r"[A-Za-z0-9-]+", header) is not None
        is_plain = given.isascii() and given.isprintable()
        if not (is_name and is_plain and given):
            raise InvalidSpec(
                "OTEL_EXPORTER_OTLP_HEADERS must be a list of NAME=VALUE with commas between, of plain characters"
            )
    return headers


def _one_of(name: str, text: str, allowed: tuple[Word, ...]) -> Word:
    for word in allowed:
        if text == word:
            return word
    raise InvalidSpec(f"{name} must be {' or '.join(allowed)}, not {text!r}")


def read_panel_file(settings: Settings) -> PanelFile:
    """Read the panel file. InvalidSpec names its line and field. Families it does not name are the shipped ones."""
    shipped = _shipped_panels()
    if settings.panels_path is None:
        return shipped
    own = read_panels(read_named_file("DEBATE_PANELS", settings.panels_path), where=str(settings.panels_path))
    return own.model_copy(update={"families": {**shipped.families, **own.families}})


@cache
def _shipped_panels() -> PanelFile:
    return read_panels((files("debate_core.spec.panels") / "panels.toml").read_text("utf-8"), where="panels.toml")


def _path(text: str) -> Path | None:
    return Path(text).expanduser() if text else None


def _panels_path(text: str) -> Path | None:
    path = _path(text)
    if path:
        read_named_file("DEBATE_PANELS", path)
    return path


def _base_urls(text: str) -> tuple[str, ...]:
    try:
        return tuple(check_base_url(part.strip()) for part in text.split(",") if part.strip())
    except InvalidSpec as error:
        raise InvalidSpec(f"DEBATE_BASE_URLS: {error}") from None


def _data_folder(values: Mapping[str, str]) -> Path:
    """A folder of the user, never the checkout, which a pull or a clean-up may change."""
    base = values.get("XDG_DATA_HOME") or ""
    # The XDG base directory specification says to ignore a relative path.
    folder = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share"
    return folder / "debate-room"


def _seconds(name: str, text: str, *, least: float = 1) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not least <= value <= 86_400:
        raise InvalidSpec(f"{name} must be a number of seconds from {least:g} to 86400, not {text!r}")
    return value


def _is_true(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false", "1", "0"):
        raise InvalidSpec(f"{name} must be true or false, not {text!r}")
    return text.lower() in ("true", "1")


def _read_secrets(path: Path) -> dict[str, str]:
    try:
        secrets = decode_toml(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InvalidSpec(f"{path} cannot be read: {error}") from None
    return {name: value for name, value in secrets.items() if isinstance(value, str)}
