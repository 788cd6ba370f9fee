"""Workers as processes of their own, before one model server."""

import os
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

from debate_core.host.access.door import Door
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.runner import now
from debate_core.host.stores import Store, open_store
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import PanelFile
from tests.wire.rig import KEYS, panel

ROOT = Path(__file__).resolve().parents[2]
SECRETS = {"DEBATE_SECRET": "s" * 32, "DEBATE_SIGNING_KEY": "0" * 64}


def written(asked: ModelLine) -> str:
    """A panel file of this line."""
    fields = asked.model_dump(exclude_defaults=True, exclude={"id"})
    rows = (f"{name} = {value!r}".replace("'", '"') for name, value in fields.items())
    return "\n".join([f"[lines.{asked.id}]", *rows])


class Fleet:
    """Workers as processes of their own, on one database."""

    def __init__(self, url: str, asked: ModelLine, folder: Path, until_over: ExitStack) -> None:
        (folder / "panels.toml").write_text(written(asked), "utf-8")
        environ = {"DEBATE_PANELS": str(folder / "panels.toml"), "DEBATE_TURN_DEADLINE_S": "120", **KEYS, **SECRETS}
        self.environ = {**os.environ, **environ}
        self.url, self.log, self.until_over = url, folder / "workers.log", until_over
        self.store: Store = until_over.enter_context(closing(open_store(url)))

    def open(self, asked: ModelLine, debates: int) -> list[str]:
        access = Access(PanelFile(lines=(asked,)), keys=KEYS)
        door = Door(self.store, clock=now, secret=SECRETS["DEBATE_SECRET"])
        signing_key = SECRETS["DEBATE_SIGNING_KEY"]
        host = Host(self.store, HostOptions(access=access, worker="none", door=door, signing_key=signing_key))
        return [host.create(panel(asked), by="chair") for _ in range(debates)]

    def worker(self, **more: str) -> subprocess.Popen[bytes]:
        """Settings beside those of the worker; its log has its output."""
        command = [sys.executable, "-m", "debate_core", "worker", "--db", self.url]
        with self.log.open("ab") as told:
            process = subprocess.Popen(command, cwd=ROOT, env={**self.environ, **more}, stderr=told)
        self.until_over.enter_context(process)
        self.until_over.callback(process.kill)
        return process

    def all_over(self, debates: list[str]) -> bool:
        return all(self.store.find(debate, "closed") for debate in debates)
