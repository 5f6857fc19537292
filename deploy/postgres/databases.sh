#!/bin/sh
# Run once by PostgreSQL's image, on an empty data folder: a database for each service, and its owner. Passwords come
# from the addresses that the services use, so that each is in one file only.
set -eu
secrets=${SECRETS:-/run/secrets}

for name in probing peering keycloak; do
  address=$(cat "$secrets/${name}_database")
  rest=${address#*://*:}
  # As variables of psql, which quotes them.
  psql --quiet --no-psqlrc --username "${POSTGRES_USER:-postgres}" --dbname postgres --set ON_ERROR_STOP=1 <<END
\set name '$name'
\set password '${rest%%@*}'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
END
done
