/** Routes, as `show route … all` of BIRD 2.0.12 lists them. Pure. */
import type { ReplyLine } from "./reply-reader.ts";

export interface Route {
  readonly prefix: string;
  /** Name of the session that the route was received on. */
  readonly protocol: string;
  /** `65000 65000`, `65000 {65001}`; empty for a route without an AS path. */
  readonly path: string;
  readonly nextHop: string;
  readonly largeCommunities: readonly (readonly [number, number, number])[];
  /** Types of transitive attributes that BIRD has no name for, and passes on unchanged. */
  readonly unknownAttributes: readonly number[];
}

/** In the order of the answer. A line that begins with spaces is another route for the previous prefix. */
export function readRoutes(lines: readonly ReplyLine[]): Route[] {
  const routes: Draft[] = [];
  let prefix = "";
  for (const { text } of lines) {
    const [, net, protocol] = /^(\S*) +(?:\S+ )?\[(\S+) /.exec(text) ?? [];
    const attribute = /^\s+BGP\.(\w+): ?(.*)$/.exec(text);
    const [, unknown] = /^\s+BGP\.([0-9a-f]{2}) \[t\]:/.exec(text) ?? [];
    if (protocol !== undefined) {
      prefix = net || prefix;
      routes.push({ prefix, protocol, attributes: new Map(), unknown: [] });
    } else if (unknown !== undefined) {
      routes.at(-1)?.unknown.push(Number.parseInt(unknown, 16));
    } else if (attribute !== null) {
      routes.at(-1)?.attributes.set(attribute[1] ?? "", attribute[2] ?? "");
    }
  }
  return routes.map(routeOf);
}

interface Draft {
  readonly prefix: string;
  readonly protocol: string;
  readonly attributes: Map<string, string>;
  readonly unknown: number[];
}

function routeOf({ prefix, protocol, attributes, unknown }: Draft): Route {
  const communities = [...(attributes.get("large_community") ?? "").matchAll(/\((\d+), (\d+), (\d+)\)/g)];
  return {
    prefix,
    protocol,
    path: attributes.get("as_path") ?? "",
    nextHop: attributes.get("next_hop")?.split(" ")[0] ?? "",
    largeCommunities: communities.map(([, a, b, c]) => [Number(a), Number(b), Number(c)] as const),
    unknownAttributes: unknown,
  };
}
