"""What alembic runs to take the steps: they go through the connection, and in the transaction, that `migrate` began."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
