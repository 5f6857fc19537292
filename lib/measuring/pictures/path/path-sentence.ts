/** A path graph in a sentence. Pure. */
import { isEnough, type NextHops } from "./next-hops.ts";
import type { PathGraph } from "./path-graph.ts";

/** `From west to 203.0.113.9: 7 hops, 8 flows, branches at TTL 3 and 5, reached.` */
export function pathSentence(graph: PathGraph, nextHops: ReadonlyMap<string, NextHops>): string {
  const { nodes, agents, destinations, flows, paths, reached } = graph;
  if (paths === 0) {
    return "No path yet.";
  }
  const hops = [...nodes.values()].filter(({ kind }) => kind !== "agent");
  const ttls = [...new Set(hops.map(({ ttl }) => ttl))].sort((a, b) => a - b);
  const routersAt = Map.groupBy(hops, ({ ttl }) => ttl);
  const branches = ttls.filter((ttl) => (routersAt.get(ttl)?.length ?? 0) > 1);
  const silent = new Set(hops.filter(({ kind }) => kind === "silent").map(({ ttl }) => ttl));
  const facts = [
    counted(ttls.length, "hop"),
    counted(flows, "flow"),
    branches.length === 0
      ? "no branch"
      : `${branches.length === 1 ? "a branch" : "branches"} at TTL ${listed(branches)}`,
    ...(silent.size === 0 ? [] : [`${counted(silent.size, "TTL")} with silence`]),
    paths === 1
      ? reached === 1
        ? "reached"
        : "not reached"
      : `${reached} of ${paths} paths reach the destination`,
  ];
  const ends = `From ${some(agents, "agents")} to ${some(destinations, "destinations")}`;
  return `${ends}: ${facts.join(", ")}.${certainty(nextHops)}${drawnText(graph)}`;
}

/** ` For 3 of 4 routers enough flows were sent to be 95 % sure that no next hop is missing; the others …` */
function certainty(nextHops: ReadonlyMap<string, NextHops>): string {
  const sure = [...nextHops.values()].filter(isEnough).length;
  const others = sure === nextHops.size ? "" : "; the others are marked +?";
  const known = `${sure} of ${counted(nextHops.size, "router")}`;
  return nextHops.size === 0
    ? ""
    : ` For ${known} enough flows were sent to be 95 % sure that no next hop is missing${others}.`;
}

/** ` Drawn: 64 of 100,000 routers at TTL 3.` */
function drawnText({ nodes, leftOut }: PathGraph): string {
  const routers = [...nodes.values()].filter(({ kind }) => kind === "router");
  const drawnAt = Map.groupBy(routers, ({ ttl }) => ttl);
  const parts = [...leftOut].slice(0, 10).map(([ttl, more]) => {
    const drawn = drawnAt.get(ttl)?.length ?? 0;
    return `${drawn} of ${(drawn + more).toLocaleString("en")} routers at TTL ${ttl}`;
  });
  const others =
    leftOut.size > parts.length ? `, and fewer than there are at ${leftOut.size - parts.length} more` : "";
  return parts.length === 0 ? "" : ` Drawn: ${parts.join(", ")}${others}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function some(names: ReadonlySet<string>, plural: string): string {
  return names.size === 1 ? [...names].join("") : `${names.size} ${plural}`;
}

/** At most ten: screen readers read the sentence aloud. */
function listed(numbers: readonly number[]): string {
  const [shown, more] = [numbers.slice(0, 10), numbers.length - 10];
  if (more > 0) {
    return `${shown.join(", ")} and ${more} more`;
  }
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
