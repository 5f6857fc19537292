/** Routes that BIRD refused, from its control socket: `import keep filtered` makes it keep them. */
import { type Address, parseAddress } from "../../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { Refusal } from "../../../../lib/net/rib/refusals.ts";
import { askBird } from "../../../../lib/peering/bird/control.ts";
import { readRoutes } from "../../../../lib/peering/bird/routes.ts";
import { readSessions } from "../../../../lib/peering/bird/sessions.ts";

/** `reasons` by large community, `asn:first:second`. Throws Failure `daemon`. */
export async function birdRefusals(
  controlSocket: string,
  reasons: ReadonlyMap<string, string>,
): Promise<Refusal[]> {
  const peers = new Map<string, Address>();
  for (const { name, neighborAddress } of readSessions(await askBird(controlSocket, "show protocols all"))) {
    // A link-local address has its device behind it.
    const peer = parseAddress(neighborAddress.replace(/%.*$/, ""));
    if (peer !== null) {
      peers.set(name, peer);
    }
  }
  const routes = readRoutes(await askBird(controlSocket, "show route table all filtered all"));
  return routes.flatMap(({ prefix: text, protocol, largeCommunities }) => {
    const [peer, prefix] = [peers.get(protocol), parsePrefix(text)];
    const words = largeCommunities.map((parts) => reasons.get(parts.join(":")));
    return peer === undefined || prefix === null
      ? []
      : [{ peer, prefix, reason: words.find((one) => one !== undefined) ?? null }];
  });
}
