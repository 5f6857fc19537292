/**
 * The network of a run of faults: one host, on which everything runs, and a router that answers each probe with TTL 1.
 *
 *     host - router - target
 */
import type { Topology } from "../lab/topology.ts";

export const hostNode = "host";
export const routerNode = "router";
export const targetAddress = "203.0.113.10";

export const faultNetwork: Topology = {
  nodes: [
    {
      name: hostNode,
      role: "vantage",
      id: 101,
      routed: { v4: "10.101.0.0/24", v6: "2001:db8:e000::/48" },
    },
    { name: routerNode, role: "router", id: 1 },
    {
      name: "target",
      role: "target",
      id: 103,
      addresses: { v4: `${targetAddress}/32`, v6: "2001:db8:cb::10/128" },
    },
  ],
  links: [
    { a: routerNode, b: hostNode, prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    { a: routerNode, b: "target" },
  ],
};

/** An agent on the host: its part of the routed prefix, and the source that is asked for. */
export interface Vantage {
  readonly id: string;
  readonly prefix: string;
  readonly source: string;
  /** /metrics and /health, on loopback. */
  readonly port: number;
}

export const east: Vantage = {
  id: "east",
  prefix: "10.101.0.0/26",
  source: "10.101.0.9",
  port: 18_081,
};
export const west: Vantage = {
  id: "west",
  prefix: "10.101.0.64/26",
  source: "10.101.0.73",
  port: 18_082,
};
export const south: Vantage = {
  id: "south",
  prefix: "10.101.0.128/26",
  source: "10.101.0.137",
  port: 18_083,
};
