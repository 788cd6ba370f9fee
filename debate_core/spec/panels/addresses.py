"""Addresses of model servers: what one may look like, and what looks wrong with it. It calls none of them."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.dialects import dialect_facts
from debate_core.spec.models import ModelLine

MAX_URL_CHARS = 300
MOST_AT_ONCE = 256
"""Calls at once where nobody says how many a server answers: more than any debate has seats."""


def check_base_url(url: str) -> str:
    """The address without a slash at its end. InvalidSpec says what an address may be and what this one has."""
    shown = repr(url[:80])
    if not url.isascii() or len(url) > MAX_URL_CHARS or re.search(r"[\s\\\x00-\x1f\x7f]", url):
        raise InvalidSpec(
            "the address {shown} is not a plain one: at most {max_url_chars} ASCII characters, no blanks",
            shown=shown,
            max_url_chars=MAX_URL_CHARS,
        )
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidSpec("the address {shown} must be http://HOST/PATH or https://HOST/PATH", shown=shown)
    if "@" in parts.netloc:
        raise InvalidSpec("an address must hold no user or password: name the variable of the key in key_env instead")
    if "?" in url or "#" in url:
        raise InvalidSpec("the address {shown} must have no ? or #: only http(s)://HOST/PATH", shown=shown)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        # Looked at here because a port that is no number is found only when it is asked for.
        return None if parts.port == 0 else parts
    except ValueError:
        return None


def is_loopback(url: str) -> bool:
    """True if this address is the machine itself."""
    parts = _split(url)
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
    """What tells servers apart: the address without its path, or the provider where the line has none."""
    if not line.base_url:
        return line.provider
    parts = urlsplit(line.base_url)
    return f"{parts.scheme}://{parts.netloc}"


def calls_at_once(line: ModelLine) -> int:
    """How many calls of this line its server answers at once; a server on this machine one, if nobody says more."""
    if line.parallel is not None:
        return line.parallel
    return 1 if is_loopback(line.base_url) else MOST_AT_ONCE


def url_warning(line: ModelLine) -> str:
    """What looks wrong with the address of a line, in one sentence; empty if nothing does."""
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
