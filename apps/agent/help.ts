/** What `vantage agent --help` says. */
export const agentHelp = `vantage agent: probes from the broker out to the network, answers back to the broker

  vantage agent --config FILE         run until SIGTERM
  vantage agent check --config FILE   look whether this host has all that the agent needs, and say what to do

  -c, --config FILE   YAML; its keys are in docs/agent-configuration.md. VANTAGE_AGENT__ID=west and the like win over it
  -h, --help          this text

Signals: SIGTERM and SIGINT end the agent within agent.grace_time; SIGUSR2 stops all sending, and a second one lets it
go on. /health and /metrics are served on agent.metrics_address.

Exit codes: 0 ended as asked, or all checks passed; 1 failure, or a check found a problem; 2 wrong usage or
configuration.

Example:
  printf 'agent: {id: west, state_dir: /tmp/west}\\nprober: [{name: unicast, interface: eth0}]\\n' > agent.yaml
  printf 'kafka: {brokers: "embedded:/tmp/vantage-broker"}\\n' >> agent.yaml
  vantage agent check --config agent.yaml && vantage agent --config agent.yaml
`;
