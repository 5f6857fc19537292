/** The dashboards of deploy/grafana, but the one of results: its data source asks a ClickHouse server. Pure. */
import agents from "../../../deploy/grafana/vantage-agents.json" with { type: "json" };
import exchange from "../../../deploy/grafana/vantage-exchange.json" with { type: "json" };
import peeringGateway from "../../../deploy/grafana/vantage-peering-gateway.json" with { type: "json" };
import probingGateway from "../../../deploy/grafana/vantage-probing-gateway.json" with { type: "json" };
import stack from "../../../deploy/grafana/vantage-stack.json" with { type: "json" };

export function grafanaBoards(): Readonly<Record<string, string>> {
  const boards = {
    agents,
    exchange,
    "peering-gateway": peeringGateway,
    "probing-gateway": probingGateway,
    stack,
  };
  return Object.fromEntries(
    Object.entries(boards).map(([name, board]) => [
      `dashboards/vantage-${name}.json`,
      `${JSON.stringify(board, null, 2)}\n`,
    ]),
  );
}
