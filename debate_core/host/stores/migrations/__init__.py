"""Steps from one database schema to the next, for alembic; `migrate` takes them."""
