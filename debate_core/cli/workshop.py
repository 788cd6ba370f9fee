"""`workshop`: start the app for everybody in this network, and say how people get in and who may host.

The host code goes to the server in its environment, and stands in no command line that others can list.
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
from debate_core.host.door.invites import CODE_LETTERS
from debate_core.host.network import lan_address
from debate_core.host.settings import Settings

APP = Path(debate_core.__file__).parent.parent / "app.py"
HOST_CODE_CHARS = 10
"""Of 21 letters each: 44 bits, more than can be tried over a network."""
MEANING = """\
The app is open to everybody in this network:

  {url}

{qr}
  Host code: {code}

With the address alone people can only join: by the code on the screen, or by a link that they were sent.
Whoever knows the host code sees all debates and starts new ones, with the keys of this server.
The connection is not encrypted: use a network that you trust. Stop with Ctrl+C.
"""


def workshop(flags: Namespace, settings: Settings) -> int:
    """Print address, picture and host code, and become the server. InvalidSpec says what is wrong."""
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
    """Letters that are easily told apart, as in the codes of debates."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(HOST_CODE_CHARS))
    return f"{letters[:5]}-{letters[5:]}"


def words(url: str, code: str) -> str:
    """What is printed before the server starts."""
    drawn = io.StringIO()
    segno.make_qr(f"{url}/join", error="l").terminal(drawn, compact=True, border=2)
    return MEANING.format(url=url, qr=drawn.getvalue(), code=code)
