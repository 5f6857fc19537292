#!/bin/sh
# Makes or renews the account of an agent at the broker, inside the broker's container. The password is read from
# standard input, and given to the agent as its secret `agent_kafka_password`. What the rights mean:
# docs/operate/encrypted-links.md.
#
# It may write PRODUCER_BYTES a second (8 MiB: some 80,000 replies), and read CONSUMER_BYTES (32 MiB); beyond that the
# broker throttles it, so that others keep their share.
#
#   openssl rand -hex 24 | docker compose exec -T kafka /etc/vantage/kafka/add-agent.sh AGENT_ID
set -eu
# The broker's own writes what a tool does in hundreds of lines.
unset KAFKA_LOG4J_OPTS
agent=${1:?"give the id of the agent"}
bin=${KAFKA_HOME:-/opt/kafka}/bin
server=127.0.0.1:${ADMIN_PORT:-9091}
user=vantage-agent-$agent
read -r password

# By standard input: a command line can be read by others.
echo "SCRAM-SHA-512=password=$password" | "$bin/kafka-configs.sh" --bootstrap-server "$server" --alter \
  --entity-type users --entity-name "$user" --add-config-file /dev/stdin
"$bin/kafka-configs.sh" --bootstrap-server "$server" --alter --entity-type users --entity-name "$user" \
  --add-config "producer_byte_rate=${PRODUCER_BYTES:-8388608},consumer_byte_rate=${CONSUMER_BYTES:-33554432}"
"$bin/kafka-acls.sh" --bootstrap-server "$server" --add --allow-principal "User:$user" --operation Read \
  --topic measure-probes --group "$user"
"$bin/kafka-acls.sh" --bootstrap-server "$server" --add --allow-principal "User:$user" --operation Write \
  --topic measure-replies
