/** The truth about catchments: where the routers' own tables lead, asked of each kernel on the way. */
import { run } from "../namespaces.ts";
import { exchanges, sites, source, stubs } from "./plan.ts";
import type { WorldNet } from "./world-net.ts";

/** More routers than there are: a path that is longer goes in a circle. */
const hopsMax = 12;
const tunnel = "tailscale0";

/** By target: the site that its packets to the prefix come to; null = they come to none. */
export async function forwardingTruth(net: WorldNet): Promise<Map<string, string | null>> {
  const found = await Promise.all(
    stubs.map(async ({ node, target }) => [target, await siteFrom(net, node)] as const),
  );
  return new Map(found);
}

async function siteFrom(net: WorldNet, stub: string): Promise<string | null> {
  let node = stub;
  for (let hop = 0; hop < hopsMax; hop++) {
    const device = await deviceTo(net, node, []);
    if (device === tunnel && exchanges.some((one) => one.node === node)) {
      const last = await deviceTo(net, "vpn", ["from", "2001:db8:f000::1", "iif", node]);
      return sites.some((site) => site.node === last) ? last : null;
    }
    if (device === null) {
      return null;
    }
    // A device is called as the node at its other end.
    node = device;
  }
  return null;
}

/** Null where the kernel has no route. */
async function deviceTo(net: WorldNet, node: string, from: readonly string[]): Promise<string | null> {
  const ask = ["ip", "-n", net.namespaceOf(node), "-6", "-json", "route", "get", source, ...from];
  const [route] = JSON.parse(await run(ask).catch(() => "[]")) as { dev?: string; type?: string }[];
  return route?.dev === undefined || route.type === "unreachable" ? null : route.dev;
}
