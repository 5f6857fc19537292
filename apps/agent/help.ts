/** What `vantage agent --help` says. */
export const agentHelp = `vantage agent: probes from the broker out to the network, answers back to the broker

  vantage agent --config FILE         run until SIGTERM
  vantage agent check --config FILE   look whether this host has all that the agent needs, and say what to do

  -c, --config FILE   YAML; its keys are in docs/agent-configuration.md. VANTAGE_AGENT__ID=west and the like win over it
  -h, --help          this text

Signals: SIGTERM and SIGINT end the agent within agent.grace_time; SIGUSR2 stops all sending, and a second one lets it
go on. SIGHUP reads the configuration and the lists of destinations again: rates and source prefixes act at once, and
the agent says what else needs a new start. /health and /metrics are served on agent.metrics_address.

With a gateway (gateway.url) the agent registers itself, reports each second, and takes orders: rate, source prefixes,
pause, kill switch, cancelled measurements, blocklist. Without it, it goes on with what it was told last. An agent one
of whose threads has failed ends with 1, for the service manager to start it anew.

Exit codes: 0 ended as asked, or all checks passed; 1 failure, or a check found a problem; 2 wrong usage or
configuration.

Example:
  printf 'agent: {id: west, state_dir: /tmp/west}\\nprober: [{name: unicast, interface: eth0}]\\n' > agent.yaml
  printf 'kafka: {brokers: "embedded:/tmp/vantage-broker"}\\n' >> agent.yaml
  vantage agent check --config agent.yaml && vantage agent --config agent.yaml
`;
