/** What `vantage client --help` prints. */
export const clientHelp = `vantage client: submit probe lines to agents, through the broker

  vantage client --config=FILE [options] TARGETS        probe lines come from standard input, or from files

TARGETS are agents, with commas between them and no spaces; each sends every probe:
  agent                       the agent chooses the source address
  agent:192.0.2.1             from this source
  agent:[2001:db8::1]         an IPv6 source has brackets

A probe line is dst,src_port,dst_port,ttl,protocol (see: vantage probes). All lines are checked before anything is
published, on disk, so a file may be of any size.

  -c, --config FILE           where the broker is (YAML; below)
  -p, --probes-file FILE      probe lines from a file, - is standard input; may be repeated
      --measurement-id ID     name of the measurement (default: a new UUID)
      --skip-bad              count bad lines and go on; else nothing is published
      --wait, --no-wait       wait until the agents have finished, or not (default: wait on a terminal, not in a pipe)
      --expires TIME          agents skip what they find later: 90s, 30m, 12h, 2d (default: twice what an agent needs
                              at 100 probes/s, and 10 minutes; at least a day)
      --spool-dir DIR         where lines wait to be published, 48 bytes each (default: client.spool_dir, else the
                              system's folder for temporary files)
  -o, --output FORMAT         text (default) or json: the summary on standard output
  -h, --help                  this text

An agent has finished when it has taken every probe and 7 s have passed, in which the last replies come.

Configuration, each key also as a variable (VANTAGE_KAFKA__BROKERS=…):
  kafka:
    brokers: 192.0.2.10:9092            # host:port,… of Kafka, or embedded:DIR, the log of "vantage stack"
    in_topics: measure-probes           # where agents take probes from
    auth_protocol: PLAINTEXT            # or SSL, SASL_PLAINTEXT, SASL_SSL: docs/broker.md
  client:
    record_probes_max: 1000             # what the slowest target sends in 10 s
  store:
    address: http://192.0.2.10:8123     # for "vantage replies": ClickHouse, or chdb:DIR of "vantage stack"

Examples
  vantage probes 192.0.2.1 2001:db8::1 | vantage client --config=client.yaml west,east:[2001:db8:7::1]
  vantage client -c client.yaml -p probes.csv --skip-bad --no-wait west
  id=$(vantage client -c client.yaml -p probes.csv -o json west | jq -r .measurement_id)

Exit codes: 0 all lines accepted, 1 failure, 2 wrong usage, 3 some lines skipped, 130 interrupted.
`;
