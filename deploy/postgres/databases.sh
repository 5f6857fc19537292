#!/bin/sh
# Makes a database for each service, and its owner: PostgreSQL's image runs it once, on an empty data folder. What is
# there already stays as it is. Passwords come from the services' addresses, so that each is in one file only.
# Without containers, as root: PSQL="runuser -u postgres -- psql" SECRETS=/etc/vantage/secrets sh databases.sh
set -eu
secrets=${SECRETS:-/run/secrets}
options="--quiet --no-psqlrc --username ${POSTGRES_USER:-postgres} --dbname postgres --set ON_ERROR_STOP=1"

for name in probing peering keycloak; do
  address=$(cat "$secrets/${name}_database")
  rest=${address#*://*:}
  # As variables of psql, which quotes them.
  ${PSQL:-psql} $options <<END
\set name '$name'
\set password '${rest%%@*}'
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', :'name', :'password')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
END
done
