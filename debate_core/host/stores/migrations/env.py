"""Alembic's environment: steps run in the connection and transaction that `migrate` began."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
