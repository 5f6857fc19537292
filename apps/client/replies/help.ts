/** What `vantage replies --help` prints. */
export const repliesHelp = `vantage replies: what came back, from the column store

  vantage replies --config=FILE [options] [MEASUREMENT]

  -v, --view VIEW             replies (default): one row for each answer
                              paths: the path to each destination, with its branches
                              loss: probes submitted and answered, by agent and destination
                              catchment: which agent hears the answers to which agent's probes
  -a, --agent ID              only of this agent: it sent the probe, or heard the answer
  -d, --destination PREFIX    only of probes to this address or prefix
  -s, --source PREFIX         only of probes from this address or prefix: an anycast prefix, say
      --since TIME            only from then on: 30m, 2d (ago), or 2026-01-31T12:00:00Z
  -n, --limit N               rows at most (1000), or paths (100)
  -f, --follow                go on as replies come, until Ctrl-C
  -o, --output FORMAT         table (default), json (one array), ndjson (one object a line), csv
  -c, --config FILE           its store.address says where the store is (see: vantage client --help)
      --store ADDRESS         chdb:DIR of "vantage stack", or http(s)://[user[:password]@]host:port, instead
  -h, --help                  this text

Loss needs the submitted lines: probes that no agent has sent yet count as unanswered. RTTs are in ms; an answer to
another site's probe has none.

Examples
  vantage replies -c client.yaml 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55
  vantage replies -c client.yaml -v paths -d 192.0.2.1 --since 1h
  vantage replies -c client.yaml -v catchment -s 2001:db8:ffff::/48 -o csv
  vantage replies -c client.yaml -f -o ndjson -a west | jq .rtt_ms

Exit codes: 0 done, 1 failure, 2 wrong usage, 130 interrupted.
`;
