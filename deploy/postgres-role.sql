-- What the app may do in a database of debates: read and append, and change nothing that is on record.
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

-- The record itself. No UPDATE, DELETE or TRUNCATE, and triggers refuse these to their owner too.
GRANT SELECT, INSERT ON debates, events TO debate_app;
-- Beside the record: who runs a debate, and drafts and other notes. These do change.
GRANT SELECT, INSERT, UPDATE, DELETE ON leases, papers TO debate_app;
-- Which version the tables are of.
GRANT SELECT ON alembic_version TO debate_app;
-- The queue that wakes workers, and the texts of turns that are being given: nothing of either is on record.
GRANT SELECT, INSERT, UPDATE, DELETE
    ON live_texts, procrastinate_jobs, procrastinate_events, procrastinate_workers, procrastinate_periodic_defers
    TO debate_app;
GRANT USAGE ON live_streams, procrastinate_jobs_id_seq, procrastinate_events_id_seq, procrastinate_periodic_defers_id_seq
    TO debate_app;
