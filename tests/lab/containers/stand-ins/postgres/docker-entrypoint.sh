#!/usr/bin/env bash
# What the official image's script does when it is started as its user.
set -Eeo pipefail
POSTGRES_USER=${POSTGRES_USER:-postgres}
if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then
  POSTGRES_PASSWORD=$(<"$POSTGRES_PASSWORD_FILE")
  unset POSTGRES_PASSWORD_FILE
fi
mkdir -p "$PGDATA"
chmod 0700 "$PGDATA"
if [ "$(id -u)" = 0 ]; then
  echo "Run it as postgres" >&2
  exit 1
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -z "$POSTGRES_PASSWORD" ]; then
    echo "Error: Database is uninitialized and superuser password is not specified." >&2
    exit 1
  fi
  eval 'initdb --username="$POSTGRES_USER" --pwfile=<(printf "%s\n" "$POSTGRES_PASSWORD") '"$POSTGRES_INITDB_ARGS"
  printf '\nhost all all all %s\n' "$(postgres -C password_encryption)" >>"$PGDATA/pg_hba.conf"
  export PGPASSWORD="${PGPASSWORD:-$POSTGRES_PASSWORD}"
  PGUSER="${PGUSER:-$POSTGRES_USER}" pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -p 5432" -w start
  for file in /docker-entrypoint-initdb.d/*; do
    if [ -x "$file" ]; then
      "$file"
    else
      . "$file"
    fi
  done
  PGUSER=postgres pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD
fi
exec "$@"
