"""`mcp`: lets programs ask people and read decisions, as a server of the Model Context Protocol on standard input."""

from argparse import Namespace
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec

from debate_core.cli.terminal import say
from debate_core.errors import InvalidSpec
from debate_core.host.host import open_host
from debate_core.host.settings import MonitorSettings, Settings
from debate_core.spec.panels import check_base_url


def serve(flags: Namespace, settings: Settings) -> int:
    """Answer requests until standard input ends. Asks no seat and opens no port."""
    if find_spec("mcp") is None:
        raise InvalidSpec("`mcp` needs the packages of requirements-mcp.lock: run `make mcp`")
    app_url = _app_url(flags.app_url)
    # The web server of the same settings asks the seats, sends messages and has the port of the metrics.
    host = open_host(replace(settings, worker="none", messages_path=None, monitor=MonitorSettings()))
    with closing(host):
        from debate_core.host.agents.server import agent_server
        from debate_core.host.agents.tools import USUAL_APP_URL, AgentTools

        tools = AgentTools(host, app_url or settings.public_url or USUAL_APP_URL)
        say(f"questions go to {host.health.report()['store']}, with links to {tools.app_url}")
        say(f"answers are signed with the key {host.signatures.public_key}")
        agent_server(tools).run("stdio")
    return 0


def _app_url(text: str | None) -> str:
    try:
        return check_base_url(text).rstrip("/") if text else ""
    except InvalidSpec as error:
        raise InvalidSpec(f"--app-url: {error}") from None
