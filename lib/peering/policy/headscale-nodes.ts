/**
 * The coordination server's list of devices, `GET /api/v1/node` of Headscale 0.28: `{nodes: [{id, ipAddresses, user:
 * {providerId, email}, tags, approvedRoutes, availableRoutes, subnetRoutes}]}`. Older servers omit some of these.
 */
import * as v from "valibot";
import type { Exclusion } from "./exclusion.ts";
import { printable } from "./printable.ts";
import type { VpnNode } from "./vpn-node.ts";

export interface NodeList {
  readonly nodes: readonly VpnNode[];
  readonly excluded: readonly Exclusion[];
  readonly unserved: readonly UnservedDevice[];
}

/** A server's device (a tagged one) with routes that it offers, that are approved, and that no device serves. */
export interface UnservedDevice {
  readonly nodeId: string;
  readonly addresses: readonly string[];
  /** All that are approved for it. */
  readonly approvedRoutes: readonly string[];
}

const answer = v.object({ nodes: v.array(v.unknown()) });
const texts = v.nullish(v.array(v.string()));
const entry = v.object({
  id: v.union([v.string(), v.number()]),
  ipAddresses: v.array(v.string()),
  user: v.object({ providerId: v.nullish(v.string()), email: v.nullish(v.string()) }),
  tags: texts,
  forcedTags: texts,
  validTags: texts,
  approvedRoutes: texts,
  availableRoutes: texts,
  /** Those that it serves: of several devices with the same route only one does. */
  subnetRoutes: texts,
});
type Entry = v.InferOutput<typeof entry>;

/**
 * Reads the response; null when it has another form. Tagged devices belong to no user, and are skipped.
 */
export function readHeadscaleNodes(value: unknown): NodeList | null {
  const whole = v.safeParse(answer, value);
  if (!whole.success) {
    return null;
  }
  const read = whole.output.nodes.map((one) => v.safeParse(entry, one));
  return {
    nodes: read.flatMap((one) => (one.success && !isTagged(one.output) ? [nodeOf(one.output)] : [])),
    excluded: read.flatMap((one) => (one.success ? [] : [badNode(v.getDotPath(one.issues[0]))])),
    unserved: unservedDevices(read.flatMap((one) => (one.success ? [one.output] : []))),
  };
}

/** Where the server does not say what a device serves, nothing is known to be unserved. */
function unservedDevices(entries: readonly Entry[]): UnservedDevice[] {
  const served = new Set(entries.flatMap(({ subnetRoutes }) => subnetRoutes ?? []));
  return entries.flatMap((entry) => {
    const { id, ipAddresses: addresses, availableRoutes, approvedRoutes } = entry;
    const isUnserved = (route: string) => availableRoutes?.includes(route) === true && !served.has(route);
    return isTagged(entry) && entry.subnetRoutes && approvedRoutes?.some(isUnserved)
      ? [{ nodeId: String(id), addresses, approvedRoutes }]
      : [];
  });
}

function isTagged({ tags, forcedTags, validTags }: Entry): boolean {
  return [tags, forcedTags, validTags].some((list) => list && list.length > 0);
}

function nodeOf({ id, ipAddresses, user, availableRoutes, approvedRoutes }: Entry): VpnNode {
  return {
    id: String(id),
    owner: { userHash: null, providerId: user.providerId || null, email: user.email || null },
    addresses: ipAddresses,
    availableRoutes: availableRoutes ?? [],
    approvedRoutes: approvedRoutes ?? [],
  };
}

function badNode(path: string | null): Exclusion {
  return { userHash: null, reason: "badNode", detail: printable(path ?? "entry", 60) };
}
