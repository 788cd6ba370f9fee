-- The password of the app's role, from the file that APP_PASSWORD_FILE names, so that it is in no command line and no log.
-- For psql, by the owner of the role, after deploy/postgres-role.sql.
\set ON_ERROR_STOP on
\set app_password `cat "$APP_PASSWORD_FILE"`
ALTER ROLE debate_app PASSWORD :'app_password';
