/** What `vantage stack --help` prints. */
export const help = `vantage stack: the whole platform on this machine

  vantage stack [--dir DIR] [--ttl-days N] [--listen ADDRESS:PORT] [--no-gateway]

Runs a broker (a durable log in DIR/broker), a column store (ClickHouse in a process of its own, on DIR/store), the
ingester that takes replies and submitted probes from the one to the other, and the probing gateway (PostgreSQL in
its process, on DIR/gateway) with an issuer that lets anybody log in as anybody, until Ctrl-C or SIGTERM. A part that
dies is started again. Nothing listens beyond the loopback but what --listen and --gateway-listen say.

  --dir DIR                      where everything is kept (/var/lib/vantage, or ~/.local/share/vantage without root)
  --ttl-days N                   days that results are kept (7); may be changed from start to start
  --listen ADDRESS:PORT          /health and /metrics (127.0.0.1:8090)
  --gateway-listen ADDRESS:PORT  the gateway's API (127.0.0.1:8091)
  --issuer-port PORT             the issuer, on 127.0.0.1 (8092)
  --no-gateway                   broker, store and ingester only
  -h, --help

The gateway's configuration comes by variables, as VANTAGE_LIMITS__PROBES_PER_DAY=100000
(docs/probing-gateway-configuration.md).

Parts by themselves, for machines of their own
  vantage stack store --dir DIR
      the column store alone
  vantage stack ingest --broker ADDRESS --store ADDRESS --dir DIR [--listen ADDRESS:PORT]
      the ingester alone: replies and submitted probes to the store, each once; DIR keeps its journal. A login at Kafka
      comes by variables, as VANTAGE_KAFKA__AUTH_PROTOCOL=SASL_SSL (docs/broker.md)
  vantage stack gateway --broker ADDRESS --store ADDRESS --dir DIR [--gateway-listen ADDRESS:PORT]
      the gateway and the issuer alone: for development. In earnest, use vantage probing-gateway
  vantage stack migrate --store ADDRESS [--ttl-days N] [--kafka-brokers HOST:PORT,...]
      makes or updates the tables of a ClickHouse server, or of a running chdb:DIR. With --kafka-brokers a server reads
      replies by itself, at least once, and the ingester leaves them to it

Addresses
  broker   embedded:DIR or kafka:HOST:PORT,...
  store    chdb:DIR or http(s)://[USER[:PASSWORD]@]HOST:PORT; ingest and migrate also take @FILE, which holds it

Examples
  vantage stack                               keeps the platform running, prints its addresses
  vantage stack --dir lab --ttl-days 30       everything in ./lab, results for 30 days
  vantage login --gateway=http://127.0.0.1:8091
  vantage replies --store chdb:lab/store      what came back

Exit codes: 0 stopped, 1 failure, 2 wrong usage.
`;
