"""Addresses of model servers: their allowed form, and warnings about them. No server is called."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.dialects import dialect_facts
from debate_core.spec.models import ModelLine

MAX_URL_CHARS = 300
MOST_AT_ONCE = 256
"""Concurrent calls for a server without a stated limit: more than any debate has seats."""


def check_base_url(url: str) -> str:
    """The address without a trailing slash. InvalidSpec states the allowed form and the problem."""
    shown = repr(url[:80])
    if not url.isascii() or len(url) > MAX_URL_CHARS or re.search(r"[\s\\\x00-\x1f\x7f]", url):
        raise InvalidSpec(
            "the address {shown} is not a plain one: at most {max_url_chars} ASCII characters, no blanks",
            shown=shown,
            max_url_chars=MAX_URL_CHARS,
        )
    parts = split_url(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidSpec("the address {shown} must be http://HOST/PATH or https://HOST/PATH", shown=shown)
    if "@" in parts.netloc:
        raise InvalidSpec("an address must hold no user or password: name the variable of the key in key_env instead")
    if "?" in url or "#" in url:
        raise InvalidSpec("the address {shown} must have no ? or #: only http(s)://HOST/PATH", shown=shown)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def split_url(url: str) -> SplitResult | None:
    """The parts of a URL of printable ASCII characters; None for any other text, and for an impossible port."""
    if not url.isascii() or not url.isprintable():
        return None
    try:
        parts = urlsplit(url)
        # urlsplit checks a port only when it is read.
        return None if parts.port == 0 else parts
    except ValueError:
        return None


def is_loopback(url: str) -> bool:
    """True if this address is the local machine."""
    parts = split_url(url)
    if parts is None or not parts.hostname:
        return False
    host = parts.hostname
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def server_of(line: ModelLine) -> str:
    """The identity of a line's server: the address without its path, or the provider where there is none."""
    if not line.base_url:
        return line.provider
    parts = urlsplit(line.base_url)
    return f"{parts.scheme}://{parts.netloc}"


def calls_at_once(line: ModelLine) -> int:
    """Number of concurrent calls to this line's server; by default one on this machine."""
    if line.parallel is not None:
        return line.parallel
    return 1 if is_loopback(line.base_url) else MOST_AT_ONCE


def url_warning(line: ModelLine) -> str:
    """One sentence on a suspicious address; "" if there is no problem."""
    if not line.base_url:
        return ""
    parts = urlsplit(line.base_url)
    if warning := _path_warning(line, parts.path.rstrip("/")):
        return warning
    if line.key_env and parts.scheme == "http" and not is_loopback(line.base_url):
        return Sentence(
            "{line}: http sends the key of {key_env} and every text in the clear: use https",
            line=line.id,
            key_env=line.key_env,
        )
    return ""


def _path_warning(line: ModelLine, path: str) -> str:
    takes_root = dialect_facts(line.dialect).takes_root
    if takes_root and path.endswith("/v1"):
        return Sentence(
            "{line}: {dialect} takes the root of the server, so leave /v1 out of {url}",
            line=line.id,
            dialect=line.dialect,
            url=line.base_url,
        )
    if not takes_root and not path and line.provider != "deepseek":
        return Sentence(
            "{line}: {dialect} usually takes the /v1 address of the server, as in {url}/v1",
            line=line.id,
            dialect=line.dialect,
            url=line.base_url,
        )
    return ""
