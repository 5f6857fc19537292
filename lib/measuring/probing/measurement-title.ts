/** The title of a measurement without a name: "UDP traces to 203.0.113.10 from west, 8 flows". */

/** Facts about a measurement's probes. */
export interface ProbeSummary {
  /** As in probe lines, in the order of their first probes. */
  readonly protocols: readonly string[];
  readonly ttl_min: number;
  readonly ttl_max: number;
  /** The first destination. */
  readonly first: string;
  /** Distinct destinations; null = more than could be counted. */
  readonly destinations: number | null;
  /** Pairs of ports to the first destination, each source port x 65,536 + destination port; at most `flowsMax`. */
  readonly flows: readonly number[];
}

/** More flows are not counted. */
export const flowsMax = 64;

interface TitleParts {
  /** Null = the measurement predates them. */
  readonly summary: ProbeSummary | null;
  readonly probes: number;
  /** The first agents by name, and the number of agents. */
  readonly agents: readonly string[];
  readonly agentCount: number;
}

const protocolWords: Readonly<Record<string, string>> = {
  udp: "UDP",
  icmp: "ICMP",
  icmpv6: "ICMPv6",
  tcp: "TCP",
};

/** A trace has several TTLs, a ping has one. */
export function kindOf({ ttl_min, ttl_max }: Pick<ProbeSummary, "ttl_min" | "ttl_max">): "trace" | "ping" {
  return ttl_min === ttl_max ? "ping" : "trace";
}

export function titleOf({ summary, probes, agents, agentCount }: TitleParts): string {
  const from = agentCount === 0 ? "" : ` from ${listed(agents.slice(0, 2), agentCount, "agents")}`;
  if (summary === null) {
    return `${counted(probes, "probe")}${from}`;
  }
  const { protocols, first, destinations, flows } = summary;
  const kinds = protocols.map((one) => protocolWords[one] ?? one).join(" and ");
  const to = destinations === 1 ? first : destinations === null ? "many destinations" : toMany(destinations);
  const isTrace = kindOf(summary) === "trace";
  const flowText =
    flows.length > 1 ? `, ${flows.length}${flows.length < flowsMax ? "" : " or more"} flows` : "";
  return `${kinds} ${isTrace ? "traces" : "pings"} to ${to}${from}${flowText}`;
}

/** The totals of an open measurement, once probes are added to it. */
export function joined(before: ProbeSummary | null, added: ProbeSummary): ProbeSummary {
  if (before === null) {
    return added;
  }
  const sameFirst = before.first === added.first;
  const flows = sameFirst ? new Set([...before.flows, ...added.flows]) : before.flows;
  return {
    protocols: [...new Set([...before.protocols, ...added.protocols])],
    ttl_min: Math.min(before.ttl_min, added.ttl_min),
    ttl_max: Math.max(before.ttl_max, added.ttl_max),
    first: before.first,
    destinations:
      before.destinations === null || added.destinations === null
        ? null
        : Math.max(before.destinations, added.destinations),
    flows: [...flows].slice(0, flowsMax),
  };
}

function toMany(destinations: number): string {
  return counted(destinations, "destination");
}

function listed(names: readonly string[], count: number, word: string): string {
  const isAll = count <= names.length;
  return isAll ? names.join(" and ") : `${count} ${word}`;
}

function counted(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}
