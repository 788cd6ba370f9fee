"""Creates the job queue and the table of live texts, on PostgreSQL only.

Never change a released step. Steps of a later procrastinate belong in a later step.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make the tables of procrastinate 3.10 and of live texts."""
    if op.get_bind().dialect.name == "sqlite":
        return
    from procrastinate.schema import SchemaManager

    # Bypass SQLAlchemy, which would prepare the script: several statements cannot be prepared at once.
    driver: Any = op.get_bind().connection.driver_connection
    driver.execute(SchemaManager.get_schema())
    op.execute(sa.schema.CreateSequence(sa.Sequence("live_streams")))
    op.create_table(
        "live_texts",
        *(sa.Column(name, sa.Text(collation="C"), nullable=False) for name in ("debate", "request", "more")),
        sa.Column("thinking", sa.Boolean, nullable=False),
        sa.Column("stream", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("debate", "stream", "number"),
        sa.Index("live_texts_stream", "stream"),
        # Losing these rows in a crash loses no record, so skip the write-ahead log.
        prefixes=["UNLOGGED"],
    )
