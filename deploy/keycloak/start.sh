#!/bin/sh
# Starts Keycloak in its own image. It takes secrets by variables only, so they go from files into its environment here.
set -eu
secrets=${SECRETS:-/run/secrets}

address=$(cat "$secrets/keycloak_database")
rest=${address#*://*:}
KC_DB_PASSWORD=${rest%%@*}
KC_BOOTSTRAP_ADMIN_PASSWORD=$(cat "$secrets/keycloak_admin_password")
# These two stand in the realm file, which is read once, when there is no realm yet.
HEADSCALE_CLIENT_SECRET=$(cat "$secrets/headscale_client_secret")
EMAIL_CLIENT_SECRET=$(cat "$secrets/email_client_secret")
export KC_DB_PASSWORD KC_BOOTSTRAP_ADMIN_PASSWORD HEADSCALE_CLIENT_SECRET EMAIL_CLIENT_SECRET

exec "${KEYCLOAK_HOME:-/opt/keycloak}/bin/kc.sh" "$@"
