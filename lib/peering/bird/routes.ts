/**
 * Routes, as `show route … all` lists them: attributes are `BGP.as_path` in BIRD 2, `bgp_path` in BIRD 3. Pure.
 */
import type { ReplyLine } from "./reply-reader.ts";

export interface Route {
  readonly prefix: string;
  /** Name of the session that received the route. */
  readonly protocol: string;
  /** Time of the last change, by BIRD's clock and in its format. */
  readonly since: string;
  /** `65000 65000`, `65000 {65001}`; empty for a route without an AS path. */
  readonly path: string;
  readonly nextHop: string;
  readonly largeCommunities: readonly (readonly [number, number, number])[];
  /** Types of transitive attributes that BIRD passes on unchanged: unknown to it, or unused here. */
  readonly unknownAttributes: readonly number[];
}

/** In BIRD's order. A line that begins with spaces is another route for the previous prefix. */
export function readRoutes(lines: readonly ReplyLine[]): Route[] {
  const routes: Draft[] = [];
  let prefix = "";
  for (const { text } of lines) {
    const [, net, protocol, since = ""] =
      /^(\S*) +(?:\S+ )?\[(\S+) ([^\]]*?)(?: from [^\]]*)?\]/.exec(text) ?? [];
    const attribute = /^\s+(?:BGP\.|bgp_)(\w+): ?(.*)$/.exec(text);
    const unknown = unknownType(text);
    if (protocol !== undefined) {
      prefix = net || prefix;
      routes.push({ prefix, protocol, since, attributes: new Map(), unknown: [] });
    } else if (unknown !== null) {
      routes.at(-1)?.unknown.push(unknown);
    } else if (attribute !== null) {
      routes.at(-1)?.attributes.set(attribute[1] ?? "", attribute[2] ?? "");
    }
  }
  return routes.map(routeOf);
}

/** RFC 6514: some versions of BIRD have a name for it, but it is not used here. */
const pmsiTunnel = 22;

/** `BGP.63 [t]: …` in BIRD 2, `bgp_unknown_0x63: (transitive)` in BIRD 3. */
function unknownType(text: string): number | null {
  const [, second, third] =
    /^\s+(?:BGP\.([0-9a-f]{2}) \[t\]:|bgp_unknown_0x([0-9a-f]{2}): \(tr)/.exec(text) ?? [];
  const type = second ?? third;
  if (type !== undefined) {
    return Number.parseInt(type, 16);
  }
  return /^\s+(?:BGP\.|bgp_)pmsi_tunnel:/.test(text) ? pmsiTunnel : null;
}

interface Draft {
  readonly prefix: string;
  readonly protocol: string;
  readonly since: string;
  readonly attributes: Map<string, string>;
  readonly unknown: number[];
}

function routeOf({ prefix, protocol, since, attributes, unknown }: Draft): Route {
  const communities = [...(attributes.get("large_community") ?? "").matchAll(/\((\d+), (\d+), (\d+)\)/g)];
  return {
    prefix,
    protocol,
    since,
    path: attributes.get("as_path") ?? attributes.get("path") ?? "",
    nextHop: attributes.get("next_hop")?.split(" ")[0] ?? "",
    largeCommunities: communities.map(([, a, b, c]) => [Number(a), Number(b), Number(c)] as const),
    unknownAttributes: unknown,
  };
}
