/** The active policy, and why users are excluded. */
import { createHash } from "node:crypto";
import { explainExclusion } from "../../../../lib/peering/policy/exclusion.ts";
import type { PolicyUser } from "../../../../lib/peering/policy/policy.ts";
import type { Applied, Generator } from "../generator.ts";
import type { PolicyBody } from "./bodies.ts";

export function policyView(generator: Generator, { policy, text, isRejectAll }: Applied): PolicyBody {
  const { knowledge, watch, nowMs } = generator.parts;
  const suspended = watch.suspended(nowMs());
  return {
    version: text.version,
    sha256: createHash("sha256").update(text.text).digest("hex"),
    reject_all: isRejectAll,
    failure: generator.failure || null,
    users: policy.users.map((user) => userView(user, suspended)),
    excluded: (knowledge.membership()?.excluded ?? []).map(({ userHash, reason, detail }) => ({
      user_hash: userHash,
      reason,
      explanation: explainExclusion(reason),
      detail,
    })),
    text: text.text,
  };
}

function userView(user: PolicyUser, suspended: ReadonlyMap<string, number>): PolicyBody["users"][number] {
  const { userHash, asn, addresses, prefixes, suspendedFor } = user;
  return {
    user_hash: userHash,
    asn,
    addresses: addresses.map(({ v4 }) => v4),
    prefixes: [...prefixes],
    state: suspendedFor !== null ? "suspended" : prefixes.length === 0 ? "noLease" : "in",
    suspended_until: timeOf(suspended.get(userHash)),
  };
}

/** RFC 3339, or null. */
export function timeOf(instantMs: number | null | undefined): string | null {
  return instantMs === null || instantMs === undefined ? null : new Date(instantMs).toISOString();
}
