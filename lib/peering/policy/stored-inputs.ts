/**
 * The last known users and devices, as stored on disk, so that leases still end on time after a restart without any
 * source. E-mail addresses and names of VPN users are left out: a device has its user's hash.
 */
import * as v from "valibot";
import type { Mapping } from "./mapping.ts";
import { type JoinRules, Owners } from "./owners.ts";
import type { VpnNode } from "./vpn-node.ts";

export interface Timestamped<Value> {
  readonly value: Value;
  /** When the source responded. */
  readonly atMs: number;
}

interface Inputs {
  readonly mappings: Timestamped<readonly Mapping[]>;
  readonly nodes: Timestamped<readonly VpnNode[]>;
}

const instant = v.pipe(v.number(), v.finite());
const stored = v.object({
  version: v.literal(1),
  mappings: v.object({
    atMs: instant,
    value: v.array(
      v.object({
        userHash: v.string(),
        asn: v.number(),
        mayPoison: v.optional(v.boolean(), false),
        mayBlackhole: v.optional(v.boolean(), false),
        stoppedFor: v.optional(v.nullable(v.picklist(["userSuspended", "announcementsStopped"])), null),
        leases: v.array(
          v.object({
            prefix: v.string(),
            endsAtMs: v.nullable(instant),
            endsHereAtMs: v.optional(v.nullable(instant), null),
          }),
        ),
      }),
    ),
  }),
  nodes: v.object({
    atMs: instant,
    value: v.array(v.object({ userHash: v.string(), addresses: v.array(v.string()) })),
  }),
});

/** JSON. */
export function writeInputs({ mappings, nodes }: Inputs, rules: JoinRules): string {
  const owners = new Owners(rules, mappings.value);
  const owned = nodes.value.flatMap((node) => {
    const owner = owners.of(node);
    return "reason" in owner ? [] : [{ userHash: owner.userHash, addresses: node.addresses }];
  });
  return JSON.stringify({
    version: 1,
    mappings: {
      atMs: mappings.atMs,
      value: mappings.value.map(({ email: _email, ...rest }) => rest),
    },
    nodes: { atMs: nodes.atMs, value: owned },
  });
}

/** Null for text that `writeInputs` did not write. */
export function readInputs(text: string): Inputs | null {
  const read = v.safeParse(stored, parsed(text));
  if (!read.success) {
    return null;
  }
  const { mappings, nodes } = read.output;
  return {
    mappings: { atMs: mappings.atMs, value: mappings.value.map((one) => ({ ...one, email: null })) },
    nodes: { atMs: nodes.atMs, value: nodes.value.map(nodeOf) },
  };
}

function nodeOf({ userHash, addresses }: { userHash: string; addresses: string[] }): VpnNode {
  const owner = { userHash, providerId: null, email: null };
  return { id: "", owner, addresses, availableRoutes: [], approvedRoutes: [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
