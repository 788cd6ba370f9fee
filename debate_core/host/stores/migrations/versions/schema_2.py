"""The queue that wakes workers, and the texts of turns that are being given: PostgreSQL alone has them.

A step is never changed once it was released. A later procrastinate brings steps of its own, which stand in a later one.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make the tables of procrastinate 3.10, and those of live texts."""
    if op.get_bind().dialect.name == "sqlite":
        return
    from procrastinate.schema import SchemaManager

    # Past SQLAlchemy, which would prepare it: many statements at once cannot be.
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
        # What is lost with the server is no part of any record, and costs no writing ahead.
        prefixes=["UNLOGGED"],
    )
