#!/bin/sh
# Makes the secrets that compose.yaml's profile `platform` needs, each in a file of its own. What is there already
# stays, so run it again after removing one to replace it.
#
#   sh deploy/make-secrets.sh DOMAIN [FOLDER]      FOLDER: deploy/secrets
#
# Only root gets into the folder. The files themselves may be read by all, because the users inside the containers, to
# which they are given one by one, have other numbers than those of this machine: MODE is another mode, and
# DATABASE_HOST where PostgreSQL is (postgres:5432).
set -eu
domain=${1:?"give the domain of the platform, as example.net"}
folder=${2:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"
cd "$folder"

random() { openssl rand -hex 24; }

# NAME, and what to put into it on standard input
keep() {
  if [ -e "$1" ]; then
    cat >/dev/null
  else
    cat >"$1.new"
    chmod "${MODE:-0444}" "$1.new"
    mv "$1.new" "$1"
    echo "made $folder/$1"
  fi
}

for name in postgres_password keycloak_admin_password grafana_admin_password grafana_clickhouse_password \
  kafka_gateway kafka_ingester kafka_collector headscale_client_secret email_client_secret probing_admin_key \
  peering_admin_key peering_service_key; do
  random | keep "$name"
done
for name in probing peering keycloak; do
  echo "postgres://$name:$(random)@${DATABASE_HOST:-postgres:5432}/$name" | keep "${name}_database"
done

# ClickHouse is given hashes only, and each service an account with what it does: `vantage` makes the tables, once for
# each version; the gateway reads, and erases rows of users; the ingester writes, and erases from the history what was
# erased while it was counted. Grafana's user may read the results, and set how long a query may take, as its client
# does with each one: readonly 2.
echo "http://vantage:$(random)@clickhouse:8123" | keep clickhouse_address
for name in gateway ingester; do
  echo "http://vantage_$name:$(random)@clickhouse:8123" | keep clickhouse_$name
done
# An earlier one, when all were `vantage`, or routes could not be stored.
grep -qs "DELETE ON measure.history" clickhouse_users.xml || rm -f clickhouse_users.xml
password_of() { sed -E 's#.*:([^@]*)@.*#\1#' "$1"; }
sha256() { printf %s "$1" | openssl dgst -sha256 -r | cut -c1-64; }
keep clickhouse_users.xml <<END
<clickhouse>
  <users>
    <default remove="remove"/>
    <vantage>
      <password_sha256_hex>$(sha256 "$(password_of clickhouse_address)")</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </vantage>
    <vantage_gateway>
      <password_sha256_hex>$(sha256 "$(password_of clickhouse_gateway)")</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SELECT, ALTER DELETE ON measure.*</query>
        <query>GRANT SELECT ON bmp.*</query>
        <query>GRANT SELECT ON system.tables</query>
      </grants>
    </vantage_gateway>
    <vantage_ingester>
      <password_sha256_hex>$(sha256 "$(password_of clickhouse_ingester)")</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SELECT, INSERT ON measure.*</query>
        <query>GRANT ALTER DELETE ON measure.history</query>
        <query>GRANT SELECT, INSERT ON bmp.*</query>
        <query>GRANT SELECT ON system.tables</query>
      </grants>
    </vantage_ingester>
    <grafana>
      <password_sha256_hex>$(sha256 "$(cat grafana_clickhouse_password)")</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>results_reader</profile>
      <quota>default</quota>
      <grants><query>GRANT SELECT ON measure.*</query></grants>
    </grafana>
  </users>
  <profiles>
    <results_reader>
      <readonly>2</readonly>
      <max_execution_time>60</max_execution_time>
      <max_memory_usage>2000000000</max_memory_usage>
    </results_reader>
  </profiles>
</clickhouse>
END

# Where Alertmanager sends alerts: yours to fill in. Until then it fails, and says so (VantageAlertsUndelivered).
echo "http://alerts.invalid/" | keep alerts_webhook

# As vantage peering-gateway --make-key prints one: a day, two bytes, and 32 bytes in base64url.
key=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n')
echo "$(date -u +%Y-%m-%d)-$(openssl rand -hex 2):$key" | keep subject_keys

# An authority of our own, and the broker's certificate by it: agents are given kafka_ca.pem, and trust nothing else.
if [ ! -e kafka_ca.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Vantage broker authority" \
    -addext "keyUsage=critical,keyCertSign,cRLSign" -keyout kafka_ca.key -out kafka_ca.new 2>/dev/null
  keep kafka_ca.pem <kafka_ca.new
  rm kafka_ca.new
fi
if [ ! -e kafka_keystore.pem ]; then
  printf 'subjectAltName=DNS:kafka.%s,DNS:kafka\nextendedKeyUsage=serverAuth\n' "$domain" >kafka.ext
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=kafka.$domain" \
    -keyout kafka.key -out kafka.csr 2>/dev/null
  openssl x509 -req -in kafka.csr -CA kafka_ca.pem -CAkey kafka_ca.key -CAcreateserial -days 730 \
    -extfile kafka.ext -out kafka.pem 2>/dev/null
  cat kafka.key kafka.pem kafka_ca.pem | keep kafka_keystore.pem
  rm kafka.key kafka.csr kafka.ext kafka.pem
fi
