#!/bin/sh
# Creates the topics of a broker, with PARTITIONS each, and the account of each service, with the rights that it needs.
# A topic that exists stays as it is; an account gets the password in its secret. Runs where the broker's loopback is.
# Records are kept for a day: time to repair what reads them. What the rights mean: docs/operate/encrypted-links.md.
set -eu
bin=${KAFKA_HOME:-/opt/kafka}/bin
server=127.0.0.1:${ADMIN_PORT:-9091}

for topic in measure-probes measure-replies bmp-updates; do
  "$bin/kafka-topics.sh" --bootstrap-server "$server" --create --if-not-exists \
    --topic "$topic" --partitions "${PARTITIONS:-16}" --config retention.ms=86400000
done

# NAME OPERATION RESOURCES...: account vantage-NAME, with the password in secret kafka_NAME
account() {
  name=$1 operation=$2
  shift 2
  # By standard input: a command line can be read by others.
  echo "SCRAM-SHA-512=password=$(cat "${SECRETS:-/run/secrets}/kafka_$name")" |
    "$bin/kafka-configs.sh" --bootstrap-server "$server" --alter \
      --entity-type users --entity-name "vantage-$name" --add-config-file /dev/stdin
  "$bin/kafka-acls.sh" --bootstrap-server "$server" --add --allow-principal "User:vantage-$name" \
    --operation "$operation" "$@"
}

account gateway Write --topic measure-probes
# For `vantage doctor`.
"$bin/kafka-acls.sh" --bootstrap-server "$server" --add --allow-principal User:vantage-gateway --operation Describe \
  --group vantage-doctor
account collector Write --topic bmp-updates
account ingester Read --topic measure-probes --topic measure-replies --topic bmp-updates \
  --group vantage-store --group vantage-store-probes --group vantage-store-updates
