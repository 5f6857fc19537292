/**
 * The routes that the coordination server should approve for each device: exactly those leased to the device's user.
 * Without approval the VPN drops packets to a leased prefix. Pure.
 */
import { formatPrefix, parsePrefix } from "../../net/ip/prefix.ts";
import type { Policy } from "./policy.ts";
import type { VpnNode } from "./vpn-node.ts";

interface Approval {
  readonly nodeId: string;
  /** The complete list of routes to approve. Sorted. */
  readonly routes: readonly string[];
}

/**
 * `nodes`: users' devices only, because the result replaces all of their routes. Returns the devices that must change.
 */
export function approvalsNeeded(
  nodes: readonly { readonly node: VpnNode; readonly userHash: string }[],
  policy: Policy,
): Approval[] {
  const leased = new Map(policy.users.map(({ userHash, prefixes }) => [userHash, prefixes]));
  return nodes.flatMap(({ node, userHash }) => {
    const wanted = leased.get(userHash) ?? [];
    const routes = canonical(node.availableRoutes).filter((route) => wanted.includes(route));
    return routes.join() === canonical(node.approvedRoutes).join() ? [] : [{ nodeId: node.id, routes }];
  });
}

/** Sorted, each once, in one spelling; text that is not a prefix is unchanged, so that it shows as different. */
function canonical(routes: readonly string[]): string[] {
  const spelled = routes.map((route) => {
    const prefix = parsePrefix(route);
    return prefix === null ? route : formatPrefix(prefix);
  });
  return [...new Set(spelled)].sort();
}
