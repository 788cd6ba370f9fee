"""A stranger in the network: what `make workshop` starts, crawled from another address without a link or code.

All planted texts have a marker word. The same crawler on the server itself reads all of them, and its button starts a
model call: so the texts that the stranger cannot read, and the calls that they cannot start, do exist.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from debate_core.engine.engine import requests
from debate_core.host.access.cookies import cookie_name
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record import acts
from debate_core.record.commands import Act, Pause, Resume, TakeTurn
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.panels import read_panels
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat, Source
from debate_core.ui.setup.draft import SetupDraft
from tests.app.visiting import cookie_of
from tests.e2e.conftest import ROOT, wait_until_up
from tests.e2e.crawler import Crawler
from tests.e2e.test_models import PANEL
from tests.model_server import ModelServer
from tests.monitoring import free_port
from tests.people import room_spec
from tests.routes import all_paths

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

STEM = "quagga"
PLANTED = ("question", "option", "context", "title", "document", "person", "guest", "seat", "turn", "claim", "ballot")
ELSEWHERE = "127.0.0.2"
"""Not the machine itself, though it calls the server by the name of one that is: `127.0.0.1`."""
PAGES = sorted(p.stem for p in (ROOT / "pages").glob("*.py") if not p.stem.startswith("_"))
CODE = "a code that nobody guesses"


def word(kind: str) -> str:
    return f"{STEM}{kind}"


FAY = Person(id="p-fay", name=word("person"), role="facilitator")
ANN = Person(id="p-ann", name="Ann", role="voter", electorate="panel")
SPEAKERS = (word("seat"), "bo", "cid")
HOLDERS = tuple(Person(id=f"p-{seat}", name=seat, role="debater", seats=(seat,)) for seat in SPEAKERS)


def with_people() -> Spec:
    seats = [Seat(id=seat, occupant="human") for seat in SPEAKERS]
    spec = room_spec((FAY, ANN, *HOLDERS), seats=seats, decides="panel", blind="named", hold="none")
    planted = {
        "question": f"Do we take the {word('question')}?",
        "options": (word("option"), "defer", "reject"),
        "context": f"We have a {word('context')}.",
        "sources": (Source(id="doc", title=word("title"), text=f"There is a {word('document')} in it."),),
    }
    return spec.model_copy(update=planted)


def in_its_lobby(host: Host) -> str:
    debate = host.create(with_people(), by=FAY.id)
    invite = host.door.invitations.make(debate, "voter", kind="open")
    host.admit(invite, name=word("guest"))
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    host.submit(debate, Act(by=ANN.id, act=acts.BallotCast(poll="pre", choice="defer", reason=word("ballot"))))
    return debate


def over(host: Host) -> str:
    debate = in_its_lobby(host)
    host.submit(debate, Act(by=FAY.id, act=acts.PollClosed(poll="pre")))
    host.submit(debate, Resume(by=FAY.id))
    while asked := requests(host.state(debate)):
        claim = Claim(text=f"A {word('claim')}", source_id="doc", quote=f"There is a {word('document')}")
        said = Argument(rationale=word("turn"), claims=(claim,), vote=word("option"))
        host.submit(debate, TakeTurn(by=f"p-{asked[0].seat}", request=asked[0].id, content=said))
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="final")))
    host.submit(debate, Act(by=ANN.id, act=acts.BallotCast(poll="final", choice=word("option"), reason=word("ballot"))))
    for act in (acts.PollClosed(poll="final"), acts.PollRevealed(poll="final"), acts.PollRevealed(poll="pre")):
        host.submit(debate, Act(by=FAY.id, act=act))
    assert host.state(debate).outcome
    return debate


def plant(database: str, panel: Path) -> tuple[dict[str, str], str]:
    """Debates that wait, that are over and that would ask models, ids by what they are; the cookies of who leads."""
    file = read_panels(panel.read_text(), where="panel")
    host = Host(open_store(database), HostOptions(access=Access(panels=file), worker="none"))
    seats = [Seat(id=name, model="here", stance=side) for name, side in (("ana", "migrate"), ("ben", "stay"))]
    spec = compose(f"{word('question')}?", ["migrate", "stay"], protocol("bounded_vote"), seats, models=file.lines)
    ids = {"lobby": in_its_lobby(host), "over": over(host), "models": host.create(spec, by="tests")}
    host.submit(ids["models"], Pause(by="tests", reason="not yet"))
    host.drafts.save("setup-mine", SetupDraft(question=f"{word('draft')}?").model_dump_json())
    cookies = {cookie_name(ids[name]): cookie_of(host, ids[name], FAY) for name in ("lobby", "over")}
    host.close()
    return ids, "; ".join(f"{name}={cookie}" for name, cookie in cookies.items())


@dataclass(frozen=True)
class PlantedServer:
    port: int
    ids: dict[str, str]
    leader: str
    """The cookies of the facilitator."""
    database: str
    models: ModelServer

    def versions(self) -> dict[str, int]:
        store = open_store(self.database)
        try:
            return {**store.debates()}
        finally:
            store.close()

    def crawl(self, who: Crawler, press: set[str]) -> None:
        """Everything that there is, as the app itself lists it."""
        in_address = [{"id": debate, "as": "facilitator", "read": "1"} for debate in self.ids.values()]
        for page in PAGES:
            for params in ({"draft": "mine"}, *in_address):
                who.page("" if page == "home" else page, params, press=press)
        for debate in self.ids.values():
            for asked in ("", "?as=ana,bo,cid", "?screen=1"):
                who.live(f"/api/debates/{debate}/live{asked}")
        names = [*self.ids.values(), "debates.db", "../debates.db"]
        who.routes({*all_paths(), *(f"/{page}" for page in PAGES)}, names)


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[PlantedServer]:
    panel, port = tmp_path / "panels.toml", free_port()
    database = f"sqlite:///{tmp_path / 'debates.db'}"
    with ModelServer() as models, (tmp_path / "server.log").open("ab") as log:
        panel.write_text(PANEL.format(url=models.base_url("chat")))
        ids, leader = plant(database, panel)
        settings = {"DEBATE_DB": database, "DEBATE_PANELS": str(panel), "DEBATE_HOST_CODE": CODE}
        command = [sys.executable, "-m", "debate_core", "workshop", "--port", str(port)]
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, stdout=log, stderr=log)
        try:
            wait_until_up(f"http://127.0.0.1:{port}", process)
            yield PlantedServer(port, ids, leader, database, models)
        finally:
            process.terminate()
            process.wait(timeout=30)


def test_a_stranger_reads_nothing_and_causes_no_call(workshop: PlantedServer):
    machine = Crawler("127.0.0.1", workshop.port, "127.0.0.1", workshop.leader)
    workshop.crawl(machine, set())
    assert {kind for kind in (*PLANTED, "draft") if word(kind).encode() not in machine.all_read()} == set()
    assert len(machine.buttons) > 20

    before = workshop.versions()
    stranger = Crawler("127.0.0.1", workshop.port, ELSEWHERE)
    workshop.crawl(stranger, machine.buttons)
    assert stranger.where(STEM) == []
    # What they asked for themselves is no news; no id comes that they did not name.
    lists = Crawler("127.0.0.1", workshop.port, ELSEWHERE)
    lists.routes(all_paths(), ["x"])
    for page in PAGES:
        lists.page(page, {})
    assert [i for i in workshop.ids.values() if lists.where(i)] == []
    assert workshop.models.log == []
    assert workshop.versions() == before

    resume = {button for button in machine.buttons if button.endswith("-resume")}
    machine.page("room", {"id": workshop.ids["models"], "as": "facilitator"}, press=resume)
    give_up = time.monotonic() + 20
    while not workshop.models.log and time.monotonic() < give_up:
        time.sleep(0.05)
    assert workshop.models.log
