#!/bin/sh
# Makes the topics of a broker that has none yet, with PARTITIONS each. A topic that is there stays as it is.
# Records are kept for a day: time to repair what reads them.
set -eu
for topic in measure-probes measure-replies bmp-updates; do
  "${KAFKA_HOME:-/opt/kafka}/bin/kafka-topics.sh" --bootstrap-server "${SERVER:-kafka:9092}" --create --if-not-exists \
    --topic "$topic" --partitions "${PARTITIONS:-16}" --config retention.ms=86400000
done
