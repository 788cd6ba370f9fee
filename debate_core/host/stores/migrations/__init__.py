"""The steps from one schema of the database to the next, for alembic; `migrate` takes them."""
