/** What `vantage replies --help` and `vantage catchment --help` print. */

const filters = `  -a, --agent ID              only of this agent: it sent the probe, or heard the answer
  -d, --destination PREFIX    only of probes to this address or prefix
  -s, --source PREFIX         only of probes from this address or prefix: an anycast prefix, say; column store only
      --since TIME            only from then on: 30m, 2d (ago), or 2026-01-31T12:00:00Z`;

const places = `The gateway is asked for a measurement of yours; a column store, where one is named, without a login.
      --gateway URL           the gateway (default: VANTAGE_GATEWAY, else that of the login)
      --profile NAME          whose login (default: VANTAGE_PROFILE, else the one of the gateway, else the last one)
      --token-stdin           take the token from standard input, and keep nothing; VANTAGE_TOKEN does the same
      --store ADDRESS         chdb:DIR of "vantage stack", or http(s)://[user[:password]@]host:port
  -c, --config FILE           its store.address says where the store is (see: vantage client --help)`;

const exits = "Exit codes: 0 done, 1 failure, 2 wrong usage, 130 interrupted.";

export const repliesHelp = `vantage replies: what came back, from the gateway or a column store

  vantage replies [options] MEASUREMENT                                through the gateway
  vantage replies --store=ADDRESS|--config=FILE [options] [MEASUREMENT]      from a column store

  -v, --view VIEW             replies (default): one row for each answer
                              paths: the path to each destination, with its branches
                              loss: probes submitted and answered, by agent and destination
                              catchment: which agent hears the answers to which agent's probes
                              probes: what was submitted
${filters}
  -n, --limit N               rows at most (1000), or paths (100)
  -f, --follow                go on as replies come, until the end; from a column store until Ctrl-C
  -o, --output FORMAT         table (default), json (one array), ndjson (one object a line), csv
  -h, --help                  this text

${places}

Loss needs the submitted lines: probes that no agent has sent yet count as unanswered. RTTs are in ms; an answer to
another site's probe has none.

Examples
  vantage replies 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55
  vantage replies -v paths -d 192.0.2.1 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55
  vantage replies -c client.yaml -v catchment -s 2001:db8:ffff::/48 -o csv
  vantage replies -c client.yaml -f -o ndjson -a west | jq .rtt_ms

${exits}
`;

export const catchmentHelp = `vantage catchment: which agent hears the answers to whose probes

  vantage catchment [options] MEASUREMENT                                through the gateway
  vantage catchment --store=ADDRESS|--config=FILE [options] [MEASUREMENT]      from a column store

The same as vantage replies --view=catchment. Each row is a site that sent, a site that heard, and its share.

${filters}
  -n, --limit N               rows at most (1000)
  -f, --follow                draw it over and over, until Ctrl-C; column store only
  -o, --output FORMAT         table (default), json (one array), ndjson (one object a line), csv
  -h, --help                  this text

${places}

Examples
  vantage catchment 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55
  vantage catchment --store=chdb:/var/lib/vantage/store -s 2001:db8:ffff::/48 --since=1d -o csv

${exits}
`;
