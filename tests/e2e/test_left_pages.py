"""Late requests of a page that was left, in the page's own protocol, at a chosen moment."""

import time
from dataclasses import dataclass, field

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.e2e.conftest import Server

pytestmark = pytest.mark.e2e

SOON_S = 0.5


@dataclass
class Run:
    """Output of the server in one run of a script."""

    page: str = ""
    fragments: list[str] = field(default_factory=list)


def asks(line: ClientConnection, debate: str, **what: str) -> None:
    message = BackMsg()
    message.rerun_script.query_string = f"id={debate}"
    for name, value in what.items():
        setattr(message.rerun_script, name, value)
    line.send(message.SerializeToString())


def hears(line: ClientConnection) -> ForwardMsg:
    data = line.recv(timeout=60)
    told: ForwardMsg = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
    return told


def run_of(line: ClientConnection) -> Run:
    """One run, until it has finished."""
    run = Run()
    while not (told := hears(line)).HasField("script_finished"):
        if told.HasField("navigation"):
            run.page = told.navigation.page_script_hash
        if told.HasField("delta") and told.delta.fragment_id:
            run.fragments.append(told.delta.fragment_id)
    return run


def test_a_left_page_is_not_drawn_over_the_new_one(server: Server):
    debate = server.ids["quiet"]
    url = f"{server.url.replace('http', 'ws')}/_stcore/stream"
    with connect(url, subprotocols=["streamlit"], max_size=None) as line:  # type: ignore[list-item]
        asks(line, debate, page_name="room")
        room = run_of(line)
        asks(line, debate, page_name="results")
        while not hears(line).HasField("new_session"):
            pass
        # The browser's timer or the transcript's news, sent before it has heard of the new page.
        asks(line, debate, page_script_hash=room.page, fragment_id=room.fragments[0])
        run_of(line)
        time.sleep(SOON_S)
        asks(line, debate, page_name="results")
        begun = []
        while not (told := hears(line)).HasField("script_finished"):
            if told.HasField("new_session"):
                begun.append(told.new_session.page_script_hash)
    assert len(begun) == 1
    assert room.page not in begun
