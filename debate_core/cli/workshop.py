"""`workshop`: starts the app for everyone in this network and prints how to join and to host.

The host code reaches the server in its environment, so that it is in no command line.
"""

import io
import os
import secrets
import sys
from argparse import Namespace
from pathlib import Path

import segno

import debate_core
from debate_core.errors import InvalidSpec
from debate_core.host.access.invites import CODE_LETTERS
from debate_core.host.network import lan_address
from debate_core.host.settings import Settings

APP = Path(debate_core.__file__).parent.parent / "app.py"
HOST_CODE_CHARS = 10
"""44 bits at 21 letters each: too many to try over a network."""
MEANING = """\
The app is open to everyone in this network:

  {url}

{qr}
  Host code: {code}

With the address alone people can only join, by the code on the screen or by their link.
With the host code anyone can see all debates and start new ones with the keys of this server.
The connection is not encrypted: use a network that you trust. Stop with Ctrl+C.
"""


def workshop(flags: Namespace, settings: Settings) -> int:
    """Print address, QR code and host code, then become the server. InvalidSpec explains a fault."""
    if not 1 <= flags.port <= 65_535:
        raise InvalidSpec(f"--port must be from 1 to 65535, not {flags.port}")
    code = settings.host_code or new_host_code()
    url = settings.public_url or f"http://{lan_address() or 'localhost'}:{flags.port}"
    print(words(url, code), flush=True)
    address = ("--server.address", "0.0.0.0", "--server.port", str(flags.port))
    command = (sys.executable, "-m", "streamlit", "run", str(APP), *address)
    os.chdir(APP.parent)
    os.execve(sys.executable, command, {**os.environ, "DEBATE_HOST_CODE": code})


def new_host_code() -> str:
    """A code of distinct letters, as in the codes of debates."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(HOST_CODE_CHARS))
    return f"{letters[:5]}-{letters[5:]}"


def words(url: str, code: str) -> str:
    """The text printed before the server starts."""
    drawn = io.StringIO()
    segno.make_qr(f"{url}/join", error="l").terminal(drawn, compact=True, border=2)
    return MEANING.format(url=url, qr=drawn.getvalue(), code=code)
