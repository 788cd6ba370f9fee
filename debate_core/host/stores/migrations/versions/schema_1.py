"""Creates the tables of the first release, append-only by triggers.

Never change a released step; `sql.py` has the current tables.
"""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from debate_core.host.stores.sqlite import triggers

revision = "1"
down_revision = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_LONG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables and their append-only triggers."""
    op.create_table(
        "debates",
        sa.Column("number", sa.Integer, sa.Identity(always=True), primary_key=True),
        sa.Column("id", _TEXT, nullable=False, unique=True),
    )
    op.create_table(
        "events",
        sa.Column("id", _LONG, sa.Identity(always=True), primary_key=True),
        sa.Column("debate", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        *(sa.Column(name, _TEXT, nullable=False) for name in ("at", "actor", "kind", "key", "body")),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("debate", "seq"),
        sa.UniqueConstraint("debate", "key"),
    )
    op.create_table(
        "leases",
        sa.Column("debate", _TEXT, primary_key=True),
        sa.Column("owner", _TEXT, nullable=False),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("until_s", sa.Float, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "papers",
        sa.Column("kind", _TEXT, primary_key=True),
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("text", _TEXT, nullable=False),
        sa.Column("at_ns", _LONG, nullable=False),
        sqlite_with_rowid=False,
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in triggers() if is_sqlite else _postgres_triggers():
        op.execute(sa.text(statement))


def _postgres_triggers() -> Iterator[str]:
    # Named with its schema, and temporary tables last, so that a temporary `events` table cannot shadow it.
    schema = op.get_bind().execute(sa.text("SELECT quote_ident(current_schema())")).scalar_one()
    in_schema = f"LANGUAGE plpgsql SET search_path = {schema}, pg_temp"
    yield f"""
        CREATE FUNCTION debate_append_only() RETURNS trigger {in_schema} AS $$
        BEGIN
            RAISE EXCEPTION '% are append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
        END $$"""
    yield f"""
        CREATE FUNCTION debate_next_event() RETURNS trigger {in_schema} AS $$
        BEGIN
            IF NEW.seq <> 1 + coalesce((SELECT max(seq) FROM events WHERE debate = NEW.debate), 0) THEN
                RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            PERFORM pg_notify('debate_events', (SELECT id FROM debates WHERE number = NEW.debate) || ' ' || NEW.seq);
            RETURN NEW;
        END $$"""
    for table in ("debates", "events"):
        yield f"""
            CREATE TRIGGER {table}_unchanged BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION debate_append_only()"""
        yield f"""
            CREATE TRIGGER {table}_kept BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION debate_append_only()"""
    yield """
        CREATE TRIGGER events_next BEFORE INSERT ON events
        FOR EACH ROW EXECUTE FUNCTION debate_next_event()"""
