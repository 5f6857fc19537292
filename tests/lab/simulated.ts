/** A host of the lab whose one interface leads to the simulator of discoveries. */
import type { Topology } from "./topology.ts";

export const simulatedHost = {
  node: "host",
  interfaceName: "responder",
  v4: "10.199.0.1",
  v6: "2001:db8:199::1",
};

/** @param file fakeroute's lines, or the plan of an Internet as JSON; addresses: responder/simulated-answerer.ts */
export function simulatedLab(file: string): Topology {
  const prefixes = [{ v4: "0.0.0.0/0", v6: "::/0" }];
  const responder = { port: "veth", prefixes, simulates: file } as const;
  return { nodes: [{ name: simulatedHost.node, role: "vantage", id: 201, responder }], links: [] };
}
