#!/bin/sh
# A copy of the primary on the first start, and a standby of it from then on. pg_basebackup removes what it left
# unfinished, and -R writes down how to reach the primary, with the password.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA"
  pg_basebackup -d "host=${PRIMARY_HOST:-primary} port=${PRIMARY_PORT:-5432} user=replicator application_name=standby" \
    -D "$PGDATA" -R -X stream -c fast
fi
exec postgres -D "$PGDATA" -c max_connections=200 -c hot_standby=on
