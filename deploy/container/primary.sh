#!/bin/sh
# Once, on the first start of the primary: the logins of docs/operate/install.md, the database, and a login for the standby.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres \
  -v owner="$OWNER_PASSWORD" -v serve="$SERVE_PASSWORD" -v replication="$REPLICATION_PASSWORD" <<'SQL'
create role cadastre_app nologin;
create role cadastre_owner login password :'owner';
create role cadastre_serve login password :'serve';
create role replicator login replication password :'replication';
grant cadastre_app to cadastre_owner, cadastre_serve;
create database cadastre owner cadastre_owner encoding 'UTF8' template template0;
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
