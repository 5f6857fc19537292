#!/bin/sh
# Starts the broker in Kafka's own image: formats an empty data folder, then runs. Variables, with the image's defaults:
#   CLUSTER_ID      of the data folder, permanently, 22 characters of base64; empty: made for a new one
#   OUTSIDE_NAME    by which agents reach the broker
#   INSIDE_NAME     by which services reach it; INSIDE_BIND where it listens for them, BIND for both: everywhere
#   *_PORT          its ports; DATA, KAFKA_HOME: folders; KEYSTORE: key and certificate, PEM
set -eu
here=$(dirname "$0")
home=${KAFKA_HOME:-/opt/kafka}
inside=${INSIDE_PORT:-9092} controller=${CONTROLLER_PORT:-9093} outside=${OUTSIDE_PORT:-9094}
admin=${ADMIN_PORT:-9091}
bind=${BIND-}
clients=INSIDE://${INSIDE_BIND-$bind}:$inside,OUTSIDE://$bind:$outside
properties=$(mktemp)

cp "$here/server.properties" "$properties"
cat >>"$properties" <<END
log.dirs=${DATA:-/var/lib/kafka/data}
controller.quorum.voters=1@127.0.0.1:$controller
listeners=CONTROLLER://127.0.0.1:$controller,ADMIN://127.0.0.1:$admin,$clients
advertised.listeners=ADMIN://127.0.0.1:$admin,INSIDE://${INSIDE_NAME:-kafka}:$inside,OUTSIDE://$OUTSIDE_NAME:$outside
listener.name.outside.ssl.keystore.location=${KEYSTORE:-/run/secrets/kafka_keystore.pem}
END

if [ ! -e "${DATA:-/var/lib/kafka/data}/meta.properties" ]; then
  "$home/bin/kafka-storage.sh" format --config "$properties" \
    --cluster-id "${CLUSTER_ID:-$("$home/bin/kafka-storage.sh" random-uuid)}"
fi
exec "$home/bin/kafka-server-start.sh" "$properties"
