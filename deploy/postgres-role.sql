-- Rights of the app in a database of debates: read and append, without changing recorded events.
-- Run by the owner of the tables, after each `python -m debate_core migrate`:
--   psql DATABASE -f deploy/postgres-role.sql
--   psql DATABASE -c "\password debate_app"
-- The app then uses postgresql+psycopg://debate_app:PASSWORD@HOST/DATABASE.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'debate_app') THEN
        CREATE ROLE debate_app LOGIN;
    END IF;
END $$;

-- The record itself. No UPDATE, DELETE or TRUNCATE; triggers refuse these even to the owner.
GRANT SELECT, INSERT ON debates, events TO debate_app;
-- Beside the record: leases, drafts and other notes. These do change.
GRANT SELECT, INSERT, UPDATE, DELETE ON leases, papers TO debate_app;
-- The version of the tables.
GRANT SELECT ON alembic_version TO debate_app;
-- The job queue of the workers, and live texts of turns: neither is part of a record.
GRANT SELECT, INSERT, UPDATE, DELETE
    ON live_texts, procrastinate_jobs, procrastinate_events, procrastinate_workers, procrastinate_periodic_defers
    TO debate_app;
GRANT USAGE ON live_streams, procrastinate_jobs_id_seq, procrastinate_events_id_seq, procrastinate_periodic_defers_id_seq
    TO debate_app;
